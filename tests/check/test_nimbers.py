"""Claims that rest on nim-values of heaps: each value, and each period, is proved or refused."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import xor
from typing import Any

import pytest

from zermelo.certificate import Claim
from zermelo.check.boards.heaps import Code
from zermelo.check.sequences import check_nimbers_claim
from zermelo.check.targets import game_to_check
from zermelo.check.verdict import Verdict
from zermelo.limits import Limits

CODES = {
    "0.3": Code((0, 3)),
    "0.07": Code((0, 0, 7)),
    "4.7": Code((4, 7)),
    "0.8": Code((0, 8)),
    "0.1C": Code((0, 1, 12)),
    "0.8!": Code((0, 8), unequal=True),
    "4!.0": Code((4,), unequal=True),
    "0.[3]": Code((0,), tail=(3,)),
    "0.0[1]": Code((0, 0), tail=(1,)),
}
"""Digits for no heap, one, two and three; heaps that must differ; tails."""


def splits(rest: int, heaps: int, most: int, unequal: bool) -> Iterator[tuple[int, ...]]:
    """By the definition: heaps that add up to a rest, none larger than the one before."""
    if heaps == 0:
        yield from [()] if rest == 0 else []
        return
    for first in range(1, min(rest, most) + 1):
        for others in splits(rest - first, heaps - 1, first - unequal, unequal):
            yield first, *others


def values_of(code: Code, count: int) -> list[int]:
    """Nim-values of heaps by the definition."""
    values: list[int] = []
    for heap in range(count):
        made = set()
        for taken in range(heap + 1):
            digit = code.digits[taken] if taken < len(code.digits) else (code.tail or (0,))[0]
            for heaps in (n for n in range(4) if digit & 1 << n and (taken > 0 or n > 1)):
                made |= {
                    reduce(xor, (values[part] for part in parts), 0)
                    for parts in splits(heap - taken, heaps, heap, code.unequal)
                }
        values.append(next(value for value in range(len(made) + 1) if value not in made))
    return values


def shown(value: int) -> str:
    """A nim-value as claims write it."""
    return {0: "0", 1: "*"}.get(value, f"*{value}")


def checked(target: str, value: str, sequences: Any, role: str = "left", at_least: int = 1, **told: Any) -> Verdict:
    """What the checker says of a claim about heaps, after moves if there are any."""
    game = game_to_check(target, told.pop("line", ""))
    assert game is not None
    context = {"play": "normal", "starts": "left", "data": {"value": value, "sequences": sequences}} | told
    return check_nimbers_claim(game, Claim(role, at_least, rule="nimbers", **context), Limits())


@pytest.mark.parametrize("text", CODES)
def test_values_are_accepted_as_they_are_and_in_no_other_way(text: str) -> None:
    values = values_of(CODES[text], 16)
    heap = max(heap for heap in range(16) if values[heap])
    told, target = shown(values[heap]), f"octal:{text}:{heap}"
    verdict = checked(target, told, {text: {"values": values}})
    assert verdict.accepted and verdict.positions == 16 and verdict.how == "nim-values of heaps"
    for place in range(16):
        for other in {values[place] + 1, values[place] - 1, 0} - {values[place]}:
            forged = [*values[:place], other, *values[place + 1 :]]
            verdict = checked(target, told, {text: {"values": forged}})
            assert verdict.reason == f"{text}: a heap of {place} has not the nim-value {other}"
    assert "has not the nim-value" in checked(target, told, {text: {"values": [False, *values[1:]]}}).reason


PERIODS = {
    # Two heaps at the most, and k counters: n0 and p take 2 max(n0, 1) + p + k + p values.
    "0.3": [(0, 2, 7), (1, 2, 7), (2, 2, 9), (0, 4, 11)],
    "0.1": [(2, 1, 7), (2, 2, 9), (3, 1, 9)],
    # Three: 3 max(n0, 1) + 2 p + k + p.
    "0.B": [(0, 2, 10), (1, 2, 10), (2, 2, 13)],
}


def test_a_period_takes_as_many_values_as_the_theorem_says() -> None:
    codes = {"0.3": Code((0, 3)), "0.1": Code((0, 1)), "0.B": Code((0, 11))}
    for text, cases in PERIODS.items():
        for begin, length, needed in cases:
            values = values_of(codes[text], needed)
            whole = {"values": values, "period": [begin, length]}
            large = 10**9 + length
            told = values[begin + (large - begin) % length]
            role = "left" if told else "right"
            assert checked(f"octal:{text}:{large}", shown(told), {text: whole}, role).accepted, (text, begin)
            short = {"values": values[:-1], "period": [begin, length]}
            reason = checked(f"octal:{text}:{large}", shown(told), {text: short}, role).reason
            assert reason == f"{text}: a period of {length} from {begin} on takes {needed} values to prove"


def test_a_huge_heap_has_the_value_of_the_one_so_many_periods_smaller() -> None:
    sequence = {"0.33": {"values": values_of(Code((0, 3, 3)), 12), "period": [2, 3]}}  # the heap modulo 3
    for heap in range(10**9, 10**9 + 3):
        role = "left" if heap % 3 else "right"
        assert checked(f"octal:0.33:{heap}", shown(heap % 3), sequence, role).accepted
        assert not checked(f"octal:0.33:{heap}", shown((heap + 1) % 3), sequence, role).accepted


def test_what_is_no_period_proves_nothing() -> None:
    values = values_of(Code((0, 1)), 20)  # 0, 1, and then 0 for ever
    for period in ([0, 1], [1, 1], [0, 2], [1, 3]):
        reason = checked("octal:0.1:1000", "0", {"0.1": {"values": values, "period": period}}, "right").reason
        assert reason == f"0.1: the values do not repeat every {period[1]} heaps from {period[0]} on"
    assert checked("octal:0.1:1000", "0", {"0.1": {"values": values, "period": [2, 1]}}, "right").accepted
    for period in ([-1, 1], [2, 0], [2, -1]):
        assert "values to prove" in checked("octal:0.1:9", "0", {"0.1": {"values": values, "period": period}}).reason
    for stated in ("2", [2], [2, 1, 1], [2, True], [2.0, 1], None, {2: 1}):
        reason = checked("octal:0.1:9", "0", {"0.1": {"values": values, "period": stated}}).reason
        assert reason == "0.1: the period is not where it begins and how long it is"


@pytest.mark.parametrize("text", ["4!.0", "0.8!", "0.[3]"])
def test_no_period_is_proved_of_unequal_heaps_or_tails(text: str) -> None:
    whole = {"values": values_of(CODES[text], 12), "period": [0, 1]}
    assert checked(f"octal:{text}:9", "0", {text: whole}).reason == f"{text}: no theorem proves periods of such codes"


def test_heaps_are_added_and_each_code_has_its_own_values() -> None:
    kayles, dawson = ({"values": values_of(Code(digits), 12)} for digits in ((0, 7, 7), (0, 0, 7)))
    both = kayles["values"][9] ^ kayles["values"][5] ^ kayles["values"][5]
    assert checked("kayles:9,5,5", shown(both), {"0.77": kayles}).accepted
    assert checked("kayles:9,9", "0", {"0.77": kayles}, "right").accepted
    assert checked("dawson:11", shown(dawson["values"][11]), {"0.07": dawson}).accepted
    assert checked("nimheaps:7,2", "*5", {}).accepted
    assert checked("kayles:12", "*", {"0.77": kayles}).reason == "0.77: nothing is said of a heap of 12"
    assert checked("kayles:11", shown(kayles["values"][11]), {"0.77": kayles}).accepted
    assert checked("cram:2x2", "0", {}).reason == "the values of heaps say nothing about cram"


def test_whoever_cannot_win_is_promised_nothing() -> None:
    said = "with that value left wins when left begins"
    assert checked("nimheaps:3", "*3", {}, "left", 1).accepted
    assert checked("nimheaps:3", "*3", {}, "right", -1).accepted
    assert checked("nimheaps:3,3", "0", {}, "right", 1).accepted
    assert checked("nimheaps:3,3", "0", {}, "left", -1).accepted
    assert checked("nimheaps:3", "*3", {}, starts="").accepted
    assert said in checked("nimheaps:3", "*3", {}, "left", 2).reason
    assert said in checked("nimheaps:3", "*3", {}, "right", 0).reason
    assert said in checked("nimheaps:3", "*3", {}, "first", -1).reason
    assert "right wins" in checked("nimheaps:3,3", "0", {}, "left", 0).reason


def test_claims_say_what_they_speak_of() -> None:
    stated = "nim-values are those of heaps as they were stated, under normal play that left starts"
    assert checked("nimheaps:3", "*3", {}, starts="right").reason == stated
    assert checked("nimheaps:3", "*3", {}, play="score").reason == stated
    assert checked("nimheaps:3", "*3", {}, line="3>1").reason == stated
    assert checked("nimheaps:3", "*2", {}).reason == "the nim-value is *3, not *2"
    assert checked("nimheaps:3", "*3", []).reason == '"sequences" is not an object'
    values = values_of(CODES["0.3"], 4)
    for wrong in (None, values, {}, {"period": [0, 2]}, {"values": values, "more": 1}):
        assert checked("octal:0.3:3", "*", {"0.3": wrong}).reason == "there are no values of 0.3"
    assert checked("octal:0.3:3", "*", {"0.3": {"values": "0101"}}).status == "refuted"
    assert checked("octal:0.3:3", "*", {}).reason == "there are no values of 0.3"
