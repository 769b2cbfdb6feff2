"""Claims about heaps by their nim-values: every value tested, and periods to the last value that proves them."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations_with_replacement
from typing import Any

import pytest

from zermelo.certificate import Claim
from zermelo.check.boards import MODULES
from zermelo.check.sequences import check_nimbers_claim
from zermelo.check.verdict import Verdict
from zermelo.continued import Continued
from zermelo.limits import Limits
from zermelo.solving.targets import game_of


def brute(digits: list[int], most: int, *, unequal: bool = False, tail: tuple[int, ...] = ()) -> list[int]:
    """The nim-values of heaps up to a size, by trying every way to leave up to three heaps."""
    values = [0]
    for heap in range(1, most + 1):
        made = set()
        for left in (heaps for count in range(4) for heaps in combinations_with_replacement(range(1, heap + 1), count)):
            taken = heap - sum(left)
            if taken < 0 or (unequal and len(set(left)) < len(left)) or (taken == 0 and len(left) < 2):
                continue
            beyond = tail[(taken - len(digits)) % len(tail)] if tail else 0
            digit = digits[taken] if taken < len(digits) else beyond
            if digit >> len(left) & 1:
                made.add(values_xor(values, left))
        values.append(min(set(range(len(made) + 1)) - made))
    return values


def values_xor(values: list[int], heaps: tuple[int, ...]) -> int:
    found = 0
    for heap in heaps:
        found ^= values[heap]
    return found


def said(value: int) -> str:
    return {0: "0", 1: "*"}.get(value, f"*{value}")


def checked(target: str, value: str, sequences: Any, **more: Any) -> Verdict:
    role = "right" if value == "0" else "left"
    claim = Claim(role, 1, rule="nimbers", data={"value": value, "sequences": sequences}, play="normal", starts="left")
    return check_nimbers_claim(game_of(target), replace(claim, **more), Limits())


CODES: list[tuple[str, str, list[int], dict[str, Any]]] = [
    ("kayles:{}", "0.77", [0, 7, 7], {}),
    ("dawson:{}", "0.07", [0, 0, 7], {}),
    ("dawsonschess:{}", "0.137", [0, 1, 3, 7], {}),
    ("grundy:{}", "4!.0", [4], {"unequal": True}),
    ("octal:0.6:{}", "0.6", [0, 6], {}),
    ("octal:4.3:{}", "4.3", [4, 3], {}),
    ("hexadecimal:0.F:{}", "0.F", [0, 15], {}),
    ("hexadecimal:8.1:{}", "8.1", [8, 1], {}),
    ("hexadecimal:0.8!3:{}", "0.8!3", [0, 8, 3], {"unequal": True}),
    ("hexadecimal:0.[31]:{}", "0.[31]", [0], {"tail": (3, 1)}),
    ("hexadecimal:0.3[210]:{}", "0.3[210]", [0, 3], {"tail": (2, 1, 0)}),
]


@pytest.mark.parametrize(("target", "code", "digits", "more"), CODES)
def test_a_value_is_accepted_where_it_is_that_of_the_definition(
    target: str, code: str, digits: list[int], more: dict[str, Any]
) -> None:
    most = 9
    values = brute(digits, most, **more)
    for heap in (1, 4, most):
        right = said(values[heap])
        assert checked(target.format(heap), right, {code: {"values": values}}).accepted
        for wrong in {"0", "*", "*2", "*3", "*4"} - {right}:
            verdict = checked(target.format(heap), wrong, {code: {"values": values}})
            assert verdict.reason == f"the nim-value is {right}, not {wrong}"
    for place in range(most + 1):
        for wrong_value in (values[place] + 1, values[place] - 1, bool(values[place]), str(values[place]), None):
            listed = [*values[:place], wrong_value, *values[place + 1 :]]
            verdict = checked(target.format(most), said(values[most]), {code: {"values": listed}})
            assert f"a heap of {place} has not the nim-value" in verdict.reason


def test_heaps_side_by_side_are_added_up() -> None:
    values = brute([0, 7, 7], 6)
    found = {"0.77": {"values": values}}
    total = values[6] ^ values[3] ^ values[4]
    verdict = checked("kayles:6,3 + 4", said(total), found)
    assert verdict.accepted and (verdict.positions, verdict.how) == (7, "nim-values of heaps")
    assert checked("nimheaps:5,3,9", "*15", {}).accepted
    assert checked("nimheaps:5,5", "0", {}).accepted and checked("nimheaps:5,4", "*", {}).accepted
    assert checked("octal:0.77:6 + 0.3:2", said(values[6] ^ 2), {**found, "0.3": {"values": [0, 1, 2]}}).status
    two = {"0.77": {"values": values}, "0.1": {"values": [0, 1]}}
    assert checked("octal:0.77:2 + 0.1:1", said(values[2] ^ 1), two).positions == 9


@pytest.mark.parametrize(
    ("sequences", "reason"),
    [
        (None, "not an object"),
        ([], "not an object"),
        ({}, "there are no values of 0.77"),
        ({"0.77": []}, "there are no values"),
        ({"0.77": {}}, "there are no values"),
        ({"0.77": {"values": [0, 1, 2], "more": 1}}, "there are no values"),
        ({"0.77": {"period": [0, 1]}}, "there are no values"),
        ({"0.77": {"values": "012"}}, "expected a list"),
        ({"0.77": {"values": [0, 1]}}, "nothing is said of a heap of 2"),
        ({"0.77": {"values": []}}, "nothing is said of a heap of 2"),
        ({"0.77": {"values": [0, 1, 2]}}, ""),
    ],
)
def test_what_is_listed_must_be_values_of_the_code(sequences: Any, reason: str) -> None:
    verdict = checked("kayles:2", "*2", sequences)
    assert verdict.accepted if not reason else (verdict.status == "refuted" and reason in verdict.reason)


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({}, "accepted"),
        ({"starts": ""}, "accepted"),
        ({"at_least": -1}, "accepted"),
        ({"role": "right", "at_least": -1}, "accepted"),
        ({"role": "right", "at_least": -2}, "accepted"),
        ({"starts": "right"}, "refuted"),
        ({"play": "score"}, "refuted"),
        ({"role": "right", "at_least": 0}, "refuted"),
        ({"role": "right"}, "refuted"),
        ({"role": "nobody", "at_least": -1}, "refuted"),
        ({"at_least": 2}, "refuted"),
    ],
)
def test_the_winner_is_left_where_the_value_is_not_0(more: dict[str, Any], status: str) -> None:
    assert checked("nimheaps:3", "*3", {}, **more).status == status


def test_the_winner_is_right_where_the_value_is_0() -> None:
    assert checked("nimheaps:3,3", "0", {}).accepted
    assert not checked("nimheaps:3,3", "0", {}, role="left").accepted
    assert checked("nimheaps:3,3", "0", {}, role="left", at_least=-1).accepted


def test_heaps_after_some_moves_are_others() -> None:
    game = game_of("nimheaps:3")
    later = Continued(game, [game.moves(game.start())[0]])
    claim = Claim("left", 1, rule="nimbers", data={"value": "*3", "sequences": {}}, play="normal")
    assert "as they were stated" in check_nimbers_claim(later, claim, Limits()).reason


def test_values_of_heaps_say_nothing_about_other_boards() -> None:
    for name in ("cram", "wytqueens"):
        assert MODULES[name] != "heaps"
        board = "2x2" if name == "cram" else "1,2"
        assert f"say nothing about {name}" in checked(f"{name}:{board}", "0", {}).reason


# Periods


@pytest.mark.parametrize(
    ("target", "code", "digits", "begin", "length", "heaps"),
    [
        ("octal:0.3:{}", "0.3", [0, 3], 0, 2, 2),  # a heap of n is worth n mod 2 if at most one may be taken
        ("octal:0.33:{}", "0.33", [0, 3, 3], 0, 3, 2),
        ("octal:0.1:{}", "0.1", [0, 1], 2, 1, 2),
    ],
)
def test_a_period_takes_exactly_as_many_values_as_the_theorem_says(
    target: str, code: str, digits: list[int], begin: int, length: int, heaps: int
) -> None:
    needed = heaps * max(begin, 1) + (heaps - 1) * length + len(digits) - 1 + length
    values = brute(digits, needed)
    heap = 10**12 + 7
    value = values[begin + (heap - begin) % length]
    listed = {"values": values[:needed], "period": [begin, length]}
    assert checked(target.format(heap), said(value), {code: listed}).accepted
    assert not checked(target.format(heap), said(value ^ 1), {code: listed}).accepted
    short = checked(target.format(heap), said(value), {code: {**listed, "values": values[: needed - 1]}})
    assert short.reason == f"{code}: a period of {length} from {begin} on takes {needed} values to prove"
    without = checked(target.format(heap), said(value), {code: {"values": values}})
    assert f"nothing is said of a heap of {heap}" in without.reason


@pytest.mark.parametrize(
    ("period", "reason"),
    [
        ("02", "is not where it begins"),
        ([0], "is not where it begins"),
        ([0, 2, 2], "is not where it begins"),
        ([0, "2"], "is not where it begins"),
        ([False, 2], "is not where it begins"),
        ([-1, 2], "values to prove"),
        ([0, 0], "values to prove"),
        ([0, -2], "values to prove"),
        ([0, 3], "do not repeat every 3"),
        ([0, 1], "do not repeat every 1"),
        ([0, 20], "values to prove"),
        ([0, 2], ""),
        ([1, 2], ""),
        ([2, 4], ""),
    ],
)
def test_a_period_is_one(period: Any, reason: str) -> None:
    listed = {"values": [0, 1] * 8, "period": period}
    verdict = checked("octal:0.3:1001", "*", {"0.3": listed})
    assert verdict.accepted if not reason else (verdict.status == "refuted" and reason in verdict.reason)


def test_values_before_the_period_need_not_repeat_and_the_last_that_proves_it_must() -> None:
    values = brute([0, 1], 8)  # 0 1 0 0 0 ...
    assert checked("octal:0.1:99", "0", {"0.1": {"values": values, "period": [2, 1]}}).accepted
    assert "do not repeat" in checked("octal:0.1:99", "0", {"0.1": {"values": values, "period": [1, 1]}}).reason
    assert "do not repeat" in checked("octal:0.1:99", "0", {"0.1": {"values": values, "period": [0, 1]}}).reason


def test_no_period_is_proved_for_heaps_that_differ_or_digits_without_end() -> None:
    for target, code, digits, more in CODES:
        values = brute(digits, 9, **more)
        if more:
            verdict = checked(target.format(99), "0", {code: {"values": values, "period": [0, 1]}})
            assert verdict.reason == f"{code}: no theorem proves periods of such codes"


def test_codes_that_leave_three_heaps_need_more_values() -> None:
    """Of 0.8, a counter taken and three heaps left: values from n0 = 1 with period 1 would need 3 + 2 + 1 + 1."""
    values = brute([0, 8], 12)
    assert values[:5] == [0, 0, 0, 0, 1]
    for count, expected in ((6, "takes 7 values"), (7, "do not repeat")):
        verdict = checked("hexadecimal:0.8:99", "0", {"0.8": {"values": values[:count], "period": [1, 1]}})
        assert expected in verdict.reason
