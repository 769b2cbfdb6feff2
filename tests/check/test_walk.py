"""The walk over all lines of play, condition by condition: each test fails if one of them is changed."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from tests.check.drawn import GUESS, Tree, table

from zermelo.certificate import Claim
from zermelo.check.verdict import Verdict
from zermelo.check.walk import check_choice, check_table
from zermelo.errors import IllegalMoveError
from zermelo.game import CHANCE, Game
from zermelo.limits import Limits

HALF = Fraction(1, 2)
LIMITS = Limits()


def verdict_of(game: Game, claim: Claim) -> Verdict:
    return check_table(game, claim, LIMITS)


# What the table must say


def test_a_win_in_one_move_is_accepted_and_its_positions_are_counted() -> None:
    verdict = verdict_of(Tree(GUESS), Claim("first", 1, table(start=("good", 0))))
    assert (verdict.status, verdict.accepted, verdict.positions, verdict.line, verdict.how) == (
        "accepted",
        True,
        2,
        (),
        "",
    )
    assert verdict.most == 0


def test_a_bad_move_is_refuted_by_its_line() -> None:
    verdict = verdict_of(Tree(GUESS), Claim("first", 1, table(start=("bad", 0))))
    assert (verdict.status, verdict.line, verdict.positions) == ("refuted", ("bad",), 2)
    assert verdict.reason == "first gets -1, the claim is at least 1"


def test_exactly_the_claim_is_enough_and_a_thousandth_less_is_not() -> None:
    just = Claim("first", 1, table(start=("good", 0)))
    assert verdict_of(Tree(GUESS), just).accepted
    assert not verdict_of(Tree(GUESS), replace(just, at_least=Fraction(1001, 1000))).accepted
    assert verdict_of(Tree(GUESS), replace(just, at_least=Fraction(999, 1000))).accepted


def test_a_position_without_an_entry_is_refuted_where_it_is() -> None:
    verdict = verdict_of(Tree(GUESS), Claim("first", 1))
    assert (verdict.status, verdict.reason, verdict.line) == ("refuted", "the table of first has no move here", ())


def test_an_entry_that_is_no_legal_move_is_refuted() -> None:
    verdict = verdict_of(Tree(GUESS), Claim("first", 1, table(start=("better", 0))))
    assert verdict.status == "refuted" and verdict.reason.startswith("the table of first says 'better': ")


def test_a_strategy_that_plays_an_illegal_move_is_refuted() -> None:
    verdict = check_choice(Tree(GUESS), Claim("first", 1), lambda position: ("won", None), LIMITS, ranked=False)
    assert verdict.reason == "the strategy of first plays won, which is not legal"


def test_a_strategy_that_gives_up_is_refuted() -> None:
    def choose(position: Any) -> tuple[Any, int | None]:
        raise IllegalMoveError("no idea")

    assert (
        check_choice(Tree(GUESS), Claim("first", 1), choose, LIMITS).reason
        == "the strategy of first fails here: no idea"
    )


def test_the_second_role_gets_its_own_scores() -> None:
    game = Tree({"start": ("second", {"a": "end"}), "end": (3, 7)})
    assert verdict_of(game, Claim("second", 7, table(start=("a", 0)))).accepted
    assert not verdict_of(game, Claim("second", 8, table(start=("a", 0)))).accepted
    assert verdict_of(game, Claim("first", 3)).accepted
    assert not verdict_of(game, Claim("first", 4)).accepted


def test_only_roles_of_the_game_claim_and_nobody_only_in_a_puzzle() -> None:
    puzzle = Tree({"start": ("solver", {"a": "end", "b": "less"}), "end": (3,), "less": (2,)}, ("solver",))
    assert verdict_of(puzzle, Claim("nobody", -3)).accepted
    assert verdict_of(puzzle, Claim("nobody", -2)).status == "refuted"
    assert verdict_of(puzzle, Claim("solver", 3, table(start=("a", 0)))).accepted
    assert verdict_of(puzzle, Claim("somebody", -9)).reason == "'somebody' is not a role of the game: solver"
    assert verdict_of(Tree(GUESS), Claim("nobody", -9)).reason == "'nobody' is not a role of the game: first, second"


def test_several_roles_at_once_and_no_legal_move_prove_nothing() -> None:
    at_once = Tree({"start": (("first", "second"), {"a": "end"}), "end": (1, -1)})
    assert "at once" in verdict_of(at_once, Claim("first", 1)).reason
    stuck = Tree({"start": ("second", {"a": "stuck"}), "stuck": ("second", {})})
    verdict = verdict_of(stuck, Claim("first", -9))
    assert (verdict.status, verdict.line) == ("refuted", ("a",)) and "no legal move" in verdict.reason


def test_every_reply_of_the_other_role_is_tried() -> None:
    nodes = {"start": ("second", {"a": "won", "b": "won", "c": "lost"}), "won": (1, -1), "lost": (-1, 1)}
    verdict = verdict_of(Tree(nodes), Claim("first", 1))
    assert (verdict.status, verdict.line) == ("refuted", ("c",))


# Ranks and circles


def ladder(**ranks: int | None) -> Claim:
    """Down three steps, the other role passing between them."""
    return Claim("first", 1, {f"'{node}'": ("on", rank) for node, rank in ranks.items()})


LADDER = {
    "a": ("first", {"on": "p"}), "p": ("second", {"pass": "b", "slow": "q"}), "q": ("second", {"pass": "b"}),
    "b": ("first", {"on": "r"}), "r": ("second", {"pass": "c"}), "c": ("first", {"on": "end"}), "end": (1, -1),
}  # fmt: skip


def test_ranks_must_fall_strictly_from_each_own_position_to_the_next() -> None:
    assert verdict_of(Tree(LADDER), ladder(a=2, b=1, c=0)).accepted
    assert verdict_of(Tree(LADDER), ladder(a=9, b=5, c=3)).accepted
    for ranks, where in (((1, 1, 0), ()), ((2, 0, 0), ("on", "pass")), ((0, 1, 0), ()), ((2, 0, 1), ("on", "pass"))):
        a, b, c = ranks
        verdict = verdict_of(Tree(LADDER), ladder(a=a, b=b, c=c))
        assert verdict.status == "refuted" and "ranks must fall" in verdict.reason, ranks
        assert verdict.line == where


def test_a_rank_is_wanted_even_before_the_last_move() -> None:
    verdict = verdict_of(Tree(LADDER), ladder(a=2, b=1, c=None))
    assert verdict.reason == "no rank here, but the role moves again at rank -1: ranks must fall"
    assert verdict_of(Tree(LADDER), ladder(a=2, b=None, c=0)).reason.startswith(
        "no rank here, but the role moves again at rank 0"
    )
    assert verdict_of(Tree(LADDER), ladder(a=1, b=1, c=0)).reason.startswith(
        "rank 1 here, but the role moves again at rank 1"
    )


def test_the_highest_rank_that_any_reply_leads_to_counts() -> None:
    nodes = {
        "a": ("first", {"on": "p"}), "p": ("second", {"low": "b", "high": "c", "lower": "d"}),
        "b": ("first", {"on": "end"}), "c": ("first", {"on": "end"}), "d": ("first", {"on": "end"}), "end": (1, -1),
    }  # fmt: skip
    assert verdict_of(Tree(nodes), ladder(a=4, b=1, c=3, d=0)).accepted
    assert not verdict_of(Tree(nodes), ladder(a=3, b=1, c=3, d=0)).accepted
    assert not verdict_of(Tree(nodes), ladder(a=2, b=1, c=3, d=0)).accepted


def test_the_rank_of_a_finished_position_is_remembered() -> None:
    """b is met first by a way that is fine, then by one on which its rank is too high."""
    nodes = {
        "start": ("second", {"one": "a", "two": "z"}), "a": ("first", {"on": "b"}), "z": ("first", {"on": "b"}),
        "b": ("second", {"pass": "c"}), "c": ("first", {"on": "end"}), "end": (1, -1),
    }  # fmt: skip
    assert verdict_of(Tree(nodes), ladder(a=6, z=6, c=5)).accepted
    assert not verdict_of(Tree(nodes), ladder(a=6, z=5, c=5)).accepted


ROUND = {
    "a": ("first", {"on": "b", "end": "lost"}),
    "b": ("second", {"back": "a", "give": "won"}),
    "lost": (-1, 1),
    "won": (1, -1),
}


def test_play_that_only_goes_round_takes_nothing_from_other_lines() -> None:
    ways = {"end": "drawn", "on": "back"}
    for order in (ways, dict(reversed(ways.items()))):
        nodes = {"start": ("second", order), "back": ("second", {"back": "start"}), "drawn": (0, 0)}
        assert verdict_of(Tree(nodes), Claim("first", 0)).accepted
        assert not verdict_of(Tree(nodes | {"drawn": (-1, 1)}), Claim("first", 0)).accepted


def test_going_round_is_enough_for_a_claim_of_what_endless_play_scores() -> None:
    on = table(a=("on", None))
    assert verdict_of(Tree(ROUND), Claim("first", 0, on)).accepted
    assert "circles" in verdict_of(Tree(ROUND), Claim("first", Fraction(1, 9), on)).reason
    assert verdict_of(Tree(ROUND, endless=(-1, 1)), Claim("first", -1, on)).accepted
    assert "circles" in verdict_of(Tree(ROUND, endless=(-1, 1)), Claim("first", 0, on)).reason
    assert verdict_of(Tree(ROUND, endless=(-1, 5)), Claim("second", 5, table(b=("back", None)))).status == "refuted"
    assert verdict_of(Tree(ROUND, endless=(-1, 1)), Claim("second", 1, table(b=("back", None)))).accepted


def test_the_line_that_goes_round_is_shown() -> None:
    assert verdict_of(Tree(ROUND), Claim("first", 1, table(a=("on", 3)))).line == ("on", "back")


def test_where_play_that_repeats_is_enough_the_other_ends_still_count() -> None:
    nodes = ROUND | {"b": ("second", {"back": "a", "hit": "lost"})}
    verdict = verdict_of(Tree(nodes), Claim("first", 0, table(a=("on", None))))
    assert (verdict.status, verdict.line) == ("refuted", ("on", "hit"))


def test_a_strategy_without_ranks_may_not_come_back_either() -> None:
    def on(position: Any) -> tuple[Any, int | None]:
        return "on", None

    assert "circles" in check_choice(Tree(ROUND), Claim("first", 1), on, LIMITS, ranked=False).reason
    assert check_choice(Tree(LADDER), Claim("first", 1), on, LIMITS, ranked=False).accepted
    assert not check_choice(Tree(LADDER), Claim("first", 1), on, LIMITS, ranked=True).accepted


def test_the_most_that_scores_add_up_to_counts_all_ends_and_endless_play() -> None:
    nodes = {
        "start": ("second", {"a": "less", "b": "more", "c": "mid"}),
        "less": (1, -3),
        "more": (1, 4),
        "mid": (1, 0),
    }
    assert verdict_of(Tree(nodes), Claim("first", 1)).most == 5
    circle = verdict_of(Tree(ROUND, endless=(1, 9)), Claim("first", 1, table(a=("on", None))))
    assert (circle.status, circle.most) == ("accepted", 10)


# Chance


def coin(*weights: Any, first: tuple[int, int] = (1, -1), second: tuple[int, int] = (-1, 1)) -> Tree:
    outcomes = {"heads": (weights[0], "h"), "tails": (weights[1], "t")}
    return Tree({"toss": (CHANCE, outcomes), "h": first, "t": second})


def test_the_expectation_is_the_weighted_sum() -> None:
    game = coin(Fraction(3, 4), Fraction(1, 4))
    assert verdict_of(game, Claim("first", HALF)).accepted
    verdict = verdict_of(game, Claim("first", Fraction(501, 1000)))
    assert (verdict.status, verdict.line) == ("refuted", ())
    assert verdict.reason == "first can expect only 1/2, the claim is at least 501/1000"
    assert verdict_of(game, Claim("second", -HALF)).accepted
    assert not verdict_of(game, Claim("second", Fraction(-499, 1000))).accepted


@pytest.mark.parametrize(
    "weights",
    [(HALF, Fraction(1, 3)), (HALF, Fraction(2, 3)), (2, -1), (-1, 2), (0.5, 0.5), (1, 1), (0, 0), ("1", 0)],
)  # fmt: skip
def test_probabilities_that_are_negative_inexact_or_do_not_add_up_to_one_are_refused(weights: tuple[Any, Any]) -> None:
    """By the walk itself, whoever guards the game. All ends are won: only the probabilities can be at fault."""
    verdict = verdict_of(coin(*weights, second=(1, -1)), Claim("first", -9))
    assert verdict.status == "refuted" and "probabilities" in verdict.reason


def test_whole_probabilities_of_zero_and_one_are_fine() -> None:
    assert verdict_of(coin(1, 0), Claim("first", 1)).accepted
    assert verdict_of(coin(0, 1), Claim("second", 1)).accepted


def test_a_low_end_below_chance_is_no_fault_by_itself() -> None:
    nodes = {
        "start": (CHANCE, {"x": (HALF, "mine"), "y": (HALF, "h")}), "mine": ("first", {"go": "deep"}),
        "deep": ("second", {"a": "t", "b": "h"}), "h": (9, -9), "t": (-1, 1),
    }  # fmt: skip
    assert verdict_of(Tree(nodes), Claim("first", 4, table(mine=("go", 0)))).accepted
    assert not verdict_of(Tree(nodes), Claim("first", 5, table(mine=("go", 0)))).accepted


def test_after_chance_is_left_a_low_end_is_refuted_by_its_line() -> None:
    nodes = {
        "start": ("second", {"gamble": "toss", "hit": "low"}), "toss": (CHANCE, {"x": (HALF, "h"), "y": (HALF, "t")}),
        "h": (9, -9), "t": (-1, 1), "low": (-2, 2),
    }  # fmt: skip
    verdict = verdict_of(Tree(nodes), Claim("first", 0))
    assert (verdict.line, verdict.reason) == (("hit",), "first gets -2, the claim is at least 0")


def test_an_end_that_was_met_below_chance_is_low_when_it_is_met_again() -> None:
    nodes = {
        "start": ("second", {"gamble": "toss", "hit": "t"}), "toss": (CHANCE, {"x": (HALF, "h"), "y": (HALF, "t")}),
        "h": (9, -9), "t": (-1, 1),
    }  # fmt: skip
    verdict = verdict_of(Tree(nodes), Claim("first", 0))
    assert (verdict.status, verdict.line) == ("refuted", ("hit",))


def test_a_position_below_chance_keeps_the_worst_of_its_replies() -> None:
    """The replies are met in an order in which neither the first nor the last is the worst."""
    for replies in ({"a": "h", "b": "t", "c": "m"}, {"a": "t", "b": "h", "c": "m"}, {"a": "h", "b": "m", "c": "t"}):
        nodes = {
            "start": (CHANCE, {"x": (HALF, "p"), "y": (HALF, "p2")}), "p": ("second", replies),
            "p2": ("second", {"a": "h"}), "h": (4, -4), "m": (0, 0), "t": (-2, 2),
        }  # fmt: skip
        assert verdict_of(Tree(nodes), Claim("first", 1)).accepted
        assert not verdict_of(Tree(nodes), Claim("first", Fraction(11, 10))).accepted


def test_chance_within_chance_multiplies() -> None:
    nodes = {
        "start": (CHANCE, {"x": (Fraction(1, 4), "again"), "y": (Fraction(3, 4), "h")}),
        "again": (CHANCE, {"x": (HALF, "t"), "y": (HALF, "h")}), "h": (0, 0), "t": (-8, 8),
    }  # fmt: skip
    assert verdict_of(Tree(nodes), Claim("first", -1)).accepted
    assert not verdict_of(Tree(nodes), Claim("first", Fraction(-9, 10))).accepted


@pytest.mark.parametrize("first", ["circle", "toss"])
def test_no_expectation_is_proved_where_positions_repeat(first: str) -> None:
    """Whether the circle is met before chance or after it."""
    order = ["circle", "toss"] if first == "circle" else ["toss", "circle"]
    nodes = {
        "start": ("second", {name: name for name in order}), "circle": ("second", {"back": "start"}),
        "toss": (CHANCE, {"x": (HALF, "h"), "y": (HALF, "t")}), "h": (1, -1), "t": (1, -1),
    }  # fmt: skip
    verdict = verdict_of(Tree(nodes), Claim("first", 0))
    assert verdict.status == "refuted"


# Limits


class Long(Game):
    """Straight on for so many moves of the second role."""

    def __init__(self, length: int) -> None:
        self.length = length

    def start(self) -> int:
        return 0

    def turn(self, position: int) -> str:
        return "second"

    def moves(self, position: int) -> Sequence[int]:
        return [1]

    def play(self, position: int, move: int) -> int:
        return position + move

    def result(self, position: int) -> tuple[int, int] | None:
        return (1, -1) if position == self.length else None


class Expired(Limits):
    """Limits that were reached before anything began, for whoever looks."""

    def expired(self) -> bool:
        return True


def test_a_long_walk_looks_at_its_limits_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.check.walk.watchdog", lambda limits, progress: nullcontext())  # nobody else looks
    verdict = check_table(Long(5000), Claim("first", 1), Expired())
    assert (verdict.status, verdict.line) == ("limit", ())
    assert 500 < verdict.positions < 5000
    assert check_table(Long(300), Claim("first", 1), Expired()).accepted
    assert check_table(Long(5000), Claim("first", 1), LIMITS).accepted


def test_memory_is_a_limit_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.limits.memory_watch", lambda memory: lambda: True)
    assert check_table(Long(5000), Claim("first", 1), LIMITS).status == "limit"


# What only shows in the report, or in the time it takes


def test_a_verdict_counts_no_positions_unless_it_met_some() -> None:
    assert Verdict("refuted", "why").positions == 0
    assert verdict_of(Tree(GUESS), Claim("somebody", 1)).positions == 0


def test_a_finished_position_is_not_walked_again() -> None:
    """Sixty times two ways to the same place: more lines than anybody can walk."""
    nodes: dict[str, Any] = {f"n{n}": ("second", {"a": f"n{n + 1}", "b": f"n{n + 1}"}) for n in range(60)}
    assert verdict_of(Tree(nodes | {"n60": (1, -1)}), Claim("first", 1)).positions == 61


def test_a_reply_that_goes_round_leaves_the_worst_of_the_others() -> None:
    nodes = {
        "a": ("first", {"on": "b"}), "b": ("second", {"give": "won", "back": "a", "less": "even"}),
        "won": (1, -1), "even": (0, 0),
    }  # fmt: skip
    assert verdict_of(Tree(nodes), Claim("first", 0, table(a=("on", None)))).accepted


def test_a_low_end_is_shown_with_its_line_after_other_positions_are_left() -> None:
    nodes = {"start": ("second", {"x": "p", "y": "low"}), "p": ("second", {"a": "won"}), "won": (1, -1), "low": (-1, 1)}
    verdict = verdict_of(Tree(nodes), Claim("first", 0))
    assert (verdict.reason, verdict.line) == ("first gets -1, the claim is at least 0", ("y",))


def test_a_position_from_which_play_only_goes_round_may_be_met_again() -> None:
    nodes = {
        "start": ("second", {"l": "p", "r": "q"}), "p": ("second", {"on": "c"}), "c": ("second", {"back": "start"}),
        "q": ("second", {"to": "p"}),
    }  # fmt: skip
    assert verdict_of(Tree(nodes), Claim("first", 0)).accepted
