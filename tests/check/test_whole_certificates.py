"""A certificate as a whole: claims that are added up, exclude each other, or speak of something else."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from fractions import Fraction
from types import ModuleType
from typing import Any

import pytest
from tests.check.drawn import GUESS, Tree, table

from zermelo.certificate import Certificate, Claim
from zermelo.check import instance
from zermelo.check.claims import check_certificate, contradiction
from zermelo.check.verdict import Verdict
from zermelo.continued import Continued
from zermelo.errors import InputError, LimitReachedError, NotApplicableError
from zermelo.game import Game
from zermelo.games import make_game
from zermelo.games.mnk import MNK
from zermelo.limits import Limits
from zermelo.move_layers import Layers
from zermelo.search.closed import closed_forms
from zermelo.source import Source

HALF = Fraction(1, 2)


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


def test_a_table_adds_nothing_to_how_other_claims_were_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.check.rules.check_rule", lambda *_: Verdict("accepted", how="by trust"))
    table_claim, trusted = Claim("first", 1, table(start=("good", 0))), Claim("first", 0, rule="trust")
    for claims in ((table_claim, trusted), (trusted, table_claim), (trusted, table_claim, trusted)):
        assert check_certificate(Tree(GUESS), Certificate("", claims)).how == "by trust"
