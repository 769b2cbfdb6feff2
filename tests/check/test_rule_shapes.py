"""How a claim by a rule is taken up: who checks it, the shape of its data, playing it out, the edges of each lemma."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from zermelo.certificate import Claim
from zermelo.check.named import EXPANSION, rule_named
from zermelo.check.named.lines import _lines
from zermelo.check.rules import check_rule
from zermelo.check.verdict import Verdict
from zermelo.game import Game
from zermelo.games.coins import Coins
from zermelo.games.connect import Connect
from zermelo.games.mnk import MNK
from zermelo.games.nim import Nim
from zermelo.games.strategy_rules import lower_wythoff
from zermelo.games.subtraction import Subtraction
from zermelo.games.treblecross import Treblecross
from zermelo.games.wythoff import Wythoff
from zermelo.limits import Limits

LIMITS = Limits()


@pytest.mark.parametrize(
    ("rule", "module", "name"),
    [
        ("functions", "formula", "check_functions"), ("program", "program", "check_program_claim"),
        ("clauses", "derivation", "check_clauses_claim"), ("value", "values", "check_value_claim"),
        ("sum", "sums", "check_sum_claim"), ("policy", "network", "check_policy_claim"),
    ],
)  # fmt: skip
def test_each_rule_goes_to_its_own_checker(rule: str, module: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Any, ...]] = []

    def checker(*arguments: Any) -> Verdict:
        asked.append(arguments)
        return Verdict("accepted", how=module)

    monkeypatch.setattr(f"zermelo.check.{module}.{name}", checker)
    game, claim = Nim(1), Claim("first", 1, rule=rule)
    assert check_rule(game, claim, LIMITS).how == module
    assert asked == [(game, claim, LIMITS)]


def test_a_claim_without_a_rule_is_no_claim_by_a_rule() -> None:
    assert "knows no rule" in check_rule(Nim(1), Claim("first", 1), LIMITS).reason
    assert "knows no rule ''" in check_rule(Nim(1), Claim("first", 1, rule=""), LIMITS).reason


def verdict(game: Game, rule: str, role: int = 0, **data: Any) -> Verdict:
    return check_rule(game, Claim(game.roles[role], rule_named(rule).promise, rule=rule, data=data), LIMITS)


def test_somebody_who_is_not_there_claims_nothing_small_or_large() -> None:
    for game in (Nim(3), Nim(100_000)):
        assert "'third' is not a role" in check_rule(game, Claim("third", 1, rule="nim-sum"), LIMITS).reason


def test_small_boards_are_played_out_and_large_ones_are_not() -> None:
    assert verdict(Nim(3), "nim-sum").how == "" and verdict(Nim(3), "nim-sum").positions > 0
    assert verdict(Nim(100_000), "nim-sum").how == "by a lemma"
    assert (
        rule_named("single-coins").effort(Coins(*range(447)))
        <= EXPANSION
        < rule_named("single-coins").effort(Coins(*range(448)))
    )


SHAPES: list[tuple[Game, str, list[dict[str, Any]], list[dict[str, Any]]]] = [
    (
        Treblecross(5),
        "mirror-row",
        [{"centre": 1}, {"centre": 3}, {"centre": 5}],
        [
            {},
            {"centre": 0},
            {"centre": 6},
            {"centre": -1},
            {"centre": True},
            {"centre": "3"},
            {"centre": 3, "more": 1},
            {"middle": 3},
        ],
    ),
    (
        Nim(2, 2, 1),
        "mirror-heaps",
        [{"groups": [[0, 1], [2]]}, {"groups": [[2], [1], [0]]}, {"groups": [[2, 0], [1]]}],
        [
            {},
            {"groups": [[0, 1]]},
            {"groups": [[0, 1, 2]]},
            {"groups": [[0, 1], [2], []]},
            {"groups": [[0, 1], [1]]},
            {"groups": [[0, 1], [3]]},
            {"groups": [[0, 1], [-1]]},
            {"groups": [[0, 1], ["2"]]},
            {"groups": "012"},
            {"groups": ([0, 1], [2])},
            {"groups": [[0, 1], 2]},
            {"groups": [[0, True], [2]]},
            {"groups": [[0], [1], [2], [2]]},
            {"groups": [[0, 1], [2]], "x": 0},
        ],
    ),
    (Nim(2), "nim-sum", [{}], [{"a": 1}]),
    (Wythoff(1, 2), "golden-ratio", [{}], [{"a": 1}]),
    (Wythoff(2, 2), "equal-heaps", [{}], [{"a": 1}]),
    (Connect(2, 1, 2), "answer-on-top", [{}], [{"a": 1}]),
    (Coins(1, 2), "single-coins", [{}], [{"a": 1}]),
    (
        MNK(2, 2, 3),
        "pairing",
        [{"pairs": []}, {"pairs": [[0, 3]]}, {"pairs": [[0, 3], [1, 2]]}],
        [
            {},
            {"pairs": [[0, 4]]},
            {"pairs": [[0, -1]]},
            {"pairs": [[0, 0]]},
            {"pairs": [[0, 1], [1, 2]]},
            {"pairs": [[0]]},
            {"pairs": [[0, 1, 2]]},
            {"pairs": "01"},
            {"pairs": [(0, 1)]},
            {"pairs": ([0, 1],)},
            {"pairs": [[0], [1, 2, 3]]},
            {"pairs": [[0, 1], [2, 3], [0, 1]]},
            {"pairs": [], "x": 1},
            {"pairs": [[0, True]]},
            {"pears": []},
        ],
    ),
    (
        Subtraction(3, (1, 2)),
        "period",
        [
            {"labels": "LWW", "period": 3},
            {"labels": "LWWL", "period": 0},
            {"labels": "LWWLWW", "period": 6},
            {"labels": "L", "period": 1},
        ],
        [
            {},
            {"labels": "LWW", "period": 0},
            {"labels": "LWW", "period": 4},
            {"labels": "LWW", "period": -1},
            {"labels": "LWX", "period": 3},
            {"labels": ["L"], "period": 1},
            {"labels": "LWW", "period": True},
            {"labels": "LWW", "period": "3"},
            {"labels": "LWW"},
            {"period": 1},
            {"labels": "LWW", "period": 3, "x": 1},
        ],
    ),
]


@pytest.mark.parametrize(("game", "rule", "good", "bad"), SHAPES, ids=[rule for _, rule, _, _ in SHAPES])
def test_the_shape_of_the_data_is_looked_at_first(
    game: Game, rule: str, good: list[dict[str, Any]], bad: list[dict[str, Any]]
) -> None:
    for data in good:
        assert rule_named(rule).shape(game, data) is None, data
    for data in bad:
        assert rule_named(rule).shape(game, data), data
        assert "is not as it should be" in verdict(game, rule, **data).reason


def lemma(game: Game, rule: str, role: int = 0, **data: Any) -> bool:
    """Whether the lemma is applied, whatever the size of the board."""
    return (
        rule_named(rule)
        .apply(game, Claim(game.roles[role], rule_named(rule).promise, rule=rule, data=data), LIMITS)
        .accepted
    )


def test_only_exactly_the_centre_of_an_odd_row_is_mirrored_and_only_by_the_first() -> None:
    for size in range(1, 12):
        for centre in range(1, size + 1):
            assert lemma(Treblecross(size), "mirror-row", 0, centre=centre) == (
                size % 2 == 1 and 2 * centre == size + 1
            )
            assert not lemma(Treblecross(size), "mirror-row", 1, centre=centre)


def test_one_unlike_group_is_the_firsts_none_the_seconds_and_two_nobodys() -> None:
    for heaps, groups, role in (
        ((3, 3), [[0, 1]], 1),
        ((3, 2), [[0, 1]], 0),
        ((3,), [[0]], 0),
        ((0,), [[0]], 1),
        ((1, 2), [[0], [1]], None),
    ):
        for claimer in (0, 1):
            assert lemma(Nim(*heaps), "mirror-heaps", claimer, groups=groups) == (claimer == role), heaps


def test_equal_heaps_are_taken_by_the_first_if_there_is_anything() -> None:
    for left, right in ((0, 0), (1, 1), (2, 2), (1, 2), (2, 1), (0, 1)):
        assert lemma(Wythoff(left, right), "equal-heaps") == (left == right > 0)
        assert not lemma(Wythoff(left, right), "equal-heaps", 1)


def test_a_line_fits_across_as_many_columns_as_it_has_stones() -> None:
    for columns in range(1, 6):
        for k in range(1, 7):
            for role in (0, 1):
                assert lemma(Connect(9, columns, k), "answer-on-top", role) == (k > columns and k > 1)


@pytest.mark.parametrize(
    ("board", "pairs", "holds"),
    [
        ((1, 3, 3), [[0, 1]], True), ((1, 3, 3), [[0, 2]], True), ((1, 3, 3), [], False), ((1, 4, 3), [[1, 2]], True),
        ((1, 4, 3), [[0, 1]], False), ((3, 1, 3), [[0, 2]], True), ((3, 1, 3), [], False), ((2, 2, 3), [], True),
        ((3, 3, 3), [[0, 8], [2, 6]], False), ((1, 1, 1), [], False), ((2, 2, 2), [[0, 3], [1, 2]], False),
        ((4, 4, 4), [[0, 1], [4, 5], [8, 9], [12, 13], [2, 6], [3, 7], [10, 14], [11, 15]], False),
    ],
)  # fmt: skip
def test_every_line_across_down_and_along_both_diagonals_needs_a_pair(
    board: tuple[int, int, int], pairs: list[list[int]], holds: bool
) -> None:
    for role in (0, 1):
        assert lemma(MNK(*board), "pairing", role, pairs=pairs) == holds


def test_what_takes_exactly_the_effort_allowed_is_played_out(monkeypatch: pytest.MonkeyPatch) -> None:
    effort = rule_named("nim-sum").effort(Nim(3))
    monkeypatch.setattr("zermelo.check.named.EXPANSION", effort)
    assert verdict(Nim(3), "nim-sum").positions > 0
    monkeypatch.setattr("zermelo.check.named.EXPANSION", effort - 1)
    assert verdict(Nim(3), "nim-sum").how == "by a lemma"


def test_the_effort_is_positions_times_moves_and_does_not_grow_without_bound() -> None:
    for rule, game, effort in (
        ("mirror-row", Treblecross(5), 5 * 2**5),
        ("mirror-row", Treblecross(100), 100 * 2**64),
        ("nim-sum", Nim(2, 3), 3 * 4 * 5),
        ("golden-ratio", Wythoff(2, 3), 3 * 4 * 5),
        ("pairing", MNK(2, 3, 2), 6 * 3**6),
        ("pairing", MNK(9, 9, 3), 81 * 3**64),
        ("answer-on-top", Connect(2, 3, 2), 6 * 3**6),
        ("period", Subtraction(9, (1, 2, 4)), 10 * 3),
        ("single-coins", Coins(1, 2, 2), 9),
    ):
        assert rule_named(rule).effort(game) == effort, rule


def test_lines_go_across_down_and_along_both_diagonals() -> None:
    def lines(*board: int) -> list[list[int]]:
        return sorted(list(line) for line in _lines(MNK(*board)))

    assert lines(2, 2, 2) == [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    assert lines(1, 3, 2) == [[0, 1], [1, 2]]
    assert lines(3, 1, 2) == [[0, 1], [1, 2]]
    assert lines(2, 1, 1) == [[0]] * 4 + [[1]] * 4
    assert lines(2, 2, 3) == []


@pytest.mark.parametrize(("heaps", "role"), [((6, 10), 1), ((6, 11), 0), ((7, 11), 0), ((10, 6), 1), ((4, 7), 1)])
def test_a_golden_ratio_that_is_wrong_anywhere_proves_nothing(
    heaps: tuple[int, int], role: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lemma tests all numbers that the board can meet, the last one included."""
    game = Wythoff(*heaps)
    assert lemma(game, "golden-ratio", role) and not lemma(game, "golden-ratio", 1 - role)
    met = 0
    while lower_wythoff(met) < min(heaps):
        met += 1
    for wrong in range(met + 1):
        for less in (-3, -1, 1, 3):
            shifted = lower_wythoff(wrong) + less
            monkeypatch.setattr("zermelo.check.named.wythoff.lower_wythoff", _wrong_at(wrong, shifted))
            if wrong < met or (shifted <= min(heaps)) != (lower_wythoff(wrong) <= min(heaps)):
                assert not lemma(game, "golden-ratio", 0) and not lemma(game, "golden-ratio", 1), (wrong, less)


def _wrong_at(place: int, value: int) -> Callable[[int], int]:
    return lambda k: value if k == place else lower_wythoff(k)
