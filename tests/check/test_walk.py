"""The walk over all lines of play, condition by condition: each test fails if one of them is changed."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from fractions import Fraction
from types import ModuleType
from typing import Any

import pytest

from zermelo.certificate import Certificate, Claim
from zermelo.check import instance
from zermelo.check.claims import check_certificate, contradiction
from zermelo.check.verdict import Verdict
from zermelo.check.walk import check_choice, check_table
from zermelo.continued import Continued
from zermelo.errors import IllegalMoveError, InputError, LimitReachedError, NotApplicableError
from zermelo.game import CHANCE, Game
from zermelo.games import make_game
from zermelo.games.mnk import MNK
from zermelo.limits import Limits
from zermelo.move_layers import Layers
from zermelo.search.closed import closed_forms
from zermelo.source import Source

HALF = Fraction(1, 2)
LIMITS = Limits()


class Tree(Game):
    """A game drawn node by node: an end is its scores, another node who moves and where each move leads.

    Chance says how likely each move is: ``(CHANCE, {"a": (1, "left")})``.
    """

    def __init__(self, nodes: Mapping[str, Any], roles: tuple[str, ...] = ("first", "second"), **more: Any) -> None:
        self.nodes, self.roles = nodes, roles
        vars(self).update(more)

    def start(self) -> str:
        return next(iter(self.nodes))

    def turn(self, position: str) -> Any:
        return self.nodes[position][0]

    def moves(self, position: str) -> Sequence[str]:
        return list(self.nodes[position][1])

    def chances(self, position: str) -> Sequence[tuple[str, Any]]:
        return [(move, chance) for move, (chance, _) in self.nodes[position][1].items()]

    def play(self, position: str, move: str) -> str:
        turn, moves = self.nodes[position]
        return str(moves[move][1] if turn == CHANCE else moves[move])

    def result(self, position: str) -> tuple[Any, ...] | None:
        scores: tuple[Any, ...] = self.nodes[position]
        return None if isinstance(scores[-1], dict) else scores


def table(**moves: Any) -> dict[str, tuple[str, int | None]]:
    """Moves by the names of nodes, with a rank: ``start=("a", 1)``."""
    return {f"'{node}'": entry for node, entry in moves.items()}


def verdict_of(game: Game, claim: Claim) -> Verdict:
    return check_table(game, claim, LIMITS)


# What the table must say


GUESS = {"start": ("first", {"good": "won", "bad": "lost"}), "won": (1, -1), "lost": (-1, 1)}


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


# The certificate as a whole


def test_positions_of_all_claims_are_added_up() -> None:
    game = Tree({"start": ("first", {"a": "end", "b": "other"}), "end": (0, 0), "other": (-1, 1)})
    claims = (Claim("first", 0, table(start=("a", 0))), Claim("second", 0))
    assert check_certificate(game, Certificate("", claims[:1])).positions == 2
    assert check_certificate(game, Certificate("", claims[:1] * 3)).positions == 6
    assert not check_certificate(game, Certificate("", claims)).line


def test_a_refuted_claim_is_reported_with_its_line() -> None:
    game = make_game("nim:2")
    good = Claim("first", 1, {"((2),0)": ("0,2", 1)})
    bad = replace(good, table={"((2),0)": ("0,1", 1)})
    for claims in ((good, bad), (bad, good)):
        assert check_certificate(game, Certificate("", claims)).line == ((0, 1), (0, 1))


def test_it_is_said_once_what_accepted_the_claims() -> None:
    game = MNK(9, 9, 9)
    (form,) = closed_forms(game)
    assert len(form.claims) == 2
    assert check_certificate(game, Certificate("", form.claims)).how == "by a lemma"
    assert check_certificate(Tree(GUESS), Certificate("", (Claim("first", 1, table(start=("good", 0))),))).how == ""


def test_hidden_information_is_refused_in_the_game_itself() -> None:
    with pytest.raises(NotApplicableError, match="does not see"):
        check_certificate(Tree(GUESS, hidden_information=True), Certificate("", (Claim("first", 1),)))


@pytest.mark.parametrize(
    ("scores", "totals", "status"),
    [
        ((1, 1), (), "refuted"), ((1, 0), (), "refuted"), ((1, -1), (), "accepted"), ((0, 0), (), "accepted"),
        ((HALF, HALF), (0, 2), "accepted"), ((1, 1), (2, 0), "accepted"), ((1, 1), (0, 2), "accepted"),
        ((2, 1), (2, 2), "refuted"), ((2, 1), (0, 2), "refuted"), ((-1, -1), (-2, -2), "accepted"),
        ((0, -1), (-2, -2), "refuted"),
    ],
)  # fmt: skip
def test_proved_claims_that_exclude_each_other_are_refuted_all_the_same(
    scores: tuple[Any, Any], totals: tuple[int, ...], status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a checker of rules that believes everything, as a faulty one might."""
    ends = iter(totals or (None, None))
    monkeypatch.setattr("zermelo.check.rules.check_rule", lambda *_: Verdict("accepted", most=next(ends)))
    claims = (Claim("first", scores[0], rule="trust"), Claim("second", scores[1], rule="trust"))
    verdict = check_certificate(Tree(GUESS), Certificate("", claims))
    assert verdict.status == status
    assert ("cannot hold together" in verdict.reason) == (status == "refuted")


def test_of_three_claims_any_two_may_exclude_each_other() -> None:
    one, two = Claim("first", 0, starts="first"), Claim("second", 0, starts="first")
    high = Claim("second", 1, starts="first")
    game = Tree(GUESS)
    assert contradiction(game, [one, two], 0) is None
    for claims in ([one, two, high], [one, high, two], [high, one, two], [two, one, high], [two, high, one]):
        assert contradiction(game, claims, 0) is not None
    three = Tree(GUESS, roles=("first", "second", "third"))
    assert contradiction(three, [one, high], 0) is None
    alone = Tree(GUESS, roles=("first",))
    assert contradiction(alone, [one, Claim("nobody", 0, starts="first")], 9) is None
    assert contradiction(alone, [one, Claim("nobody", 1, starts="first")], 9) is not None


def test_a_claim_of_another_position_says_where_this_one_begins() -> None:
    game = make_game("nim:1,2")
    elsewhere = Claim("first", 1, after=("0,1",), starts="first")
    assert check_certificate(game, Certificate("", (elsewhere,))).reason.endswith(
        "the game asked about begins at the start"
    )
    later = Continued(game, [(1, 1)])
    assert check_certificate(later, Certificate("", (elsewhere,))).reason.endswith(
        "the game asked about begins after 1,1"
    )


def test_a_claim_may_not_speak_of_another_game_starter_or_convention() -> None:
    game = make_game("nim:1,2")
    good = Claim("first", 1, {"((1,2),0)": ("1,1", 3), "((0,1),0)": ("1,1", 1), "((1,0),0)": ("0,1", 1)})
    assert check_certificate(game, Certificate("", (good,))).accepted
    assert check_certificate(game, Certificate("nim:1,2", (good,), instance.digest_of(game))).accepted
    assert "another game" in check_certificate(game, Certificate("x", (good,), 64 * "0")).reason
    assert "second starts" in check_certificate(game, Certificate("", (replace(good, starts="second"),))).reason
    normal = replace(good, starts="first", play="normal")
    assert "what is proved is the score" in check_certificate(game, Certificate("", (normal,))).reason


def test_a_claim_by_layers_is_read_layer_by_layer() -> None:
    game = make_game("nim:2")
    for place, status in ((1, "accepted"), (0, "refuted")):
        layers = Layers((1,), (place.to_bytes(2, "little"),))
        assert check_certificate(game, Certificate("", (Claim("first", 1, layers=layers),))).status == status


# The checker's own reading


@dataclass(frozen=True)
class Reading:
    """What a reader of the checker's might find."""

    found: Tree

    def canonical(self) -> str:
        return repr(self.found.nodes)

    def game(self) -> Game:
        return self.found


def read_as(monkeypatch: pytest.MonkeyPatch, theirs: Tree, ours: Any) -> Tree:
    """A game that engines read from a text in one way and the checker in another."""
    module = ModuleType("reader_for_tests")
    vars(module)["read"] = lambda source: ours if not isinstance(ours, Tree) else Reading(ours)
    monkeypatch.setitem(sys.modules, "reader_for_tests", module)
    monkeypatch.setitem(instance.READERS, "tree", "reader_for_tests")
    theirs.source = Source("tree", "a tree", "tree")
    return theirs


def test_tables_are_played_by_the_checkers_own_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    swapped = GUESS | {"won": (-1, 1), "lost": (1, -1)}
    game = read_as(monkeypatch, Tree(GUESS), Tree(swapped))
    assert not check_certificate(game, Certificate("", (Claim("first", 1, table(start=("good", 0))),))).accepted
    assert check_certificate(game, Certificate("", (Claim("first", 1, table(start=("bad", 0))),))).accepted


def test_hidden_information_is_refused_in_the_checkers_own_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    game = read_as(monkeypatch, Tree(GUESS), Tree(GUESS, hidden_information=True))
    with pytest.raises(NotApplicableError, match="does not see"):
        check_certificate(game, Certificate("", (Claim("first", 1),)))


@dataclass(frozen=True)
class Stipulated(Reading):
    """A reading that states a game only where a condition holds."""

    error: Exception | None = None

    def need_valid(self, limits: Limits) -> None:
        if self.error is not None:
            raise self.error


def test_a_reading_has_to_be_valid_before_anything_is_claimed_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Certificate("", (Claim("first", 1, table(start=("good", 0))),))
    good = read_as(monkeypatch, Tree(GUESS), Stipulated(Tree(GUESS)))
    assert check_certificate(good, right).accepted
    bad = read_as(monkeypatch, Tree(GUESS), Stipulated(Tree(GUESS), InputError("nobody can keep the rows")))
    with pytest.raises(InputError, match="nobody can keep the rows"):
        check_certificate(bad, right)
    hard = read_as(monkeypatch, Tree(GUESS), Stipulated(Tree(GUESS), LimitReachedError("stopped")))
    found = check_certificate(hard, right)
    assert (found.status, found.reason) == ("limit", "stopped before it was clear whether the instance is valid")


def test_a_later_position_is_found_in_the_checkers_own_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    nodes = {"start": ("second", {"a": "then"}), "then": ("first", {"good": "won", "bad": "lost"})} | {
        "won": (1, -1), "lost": (-1, 1)
    }  # fmt: skip
    game = read_as(monkeypatch, Tree(nodes), Tree(nodes))
    later = Continued(game, ["a"])
    verdict = check_certificate(later, Certificate("", (Claim("first", 1, table(then=("good", 0))),)))
    assert (verdict.status, verdict.positions) == ("accepted", 2)


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


def test_a_table_adds_nothing_to_how_other_claims_were_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.check.rules.check_rule", lambda *_: Verdict("accepted", how="by trust"))
    table_claim, trusted = Claim("first", 1, table(start=("good", 0))), Claim("first", 0, rule="trust")
    for claims in ((table_claim, trusted), (trusted, table_claim), (trusted, table_claim, trusted)):
        assert check_certificate(Tree(GUESS), Certificate("", claims)).how == "by trust"


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
