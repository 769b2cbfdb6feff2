"""Forged expectations and equilibria on the smallest games that tell each trick."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from tests.search.rolegames import RoleGame

from zermelo.certificate import Claim
from zermelo.check.choices import mixture
from zermelo.check.equilibrium import check_equilibrium
from zermelo.check.expected import check_expectation, kept_for_ever
from zermelo.check.verdict import Fault
from zermelo.errors import LimitReachedError
from zermelo.game import CHANCE, NOBODY
from zermelo.limits import Limits

HALF = Fraction(1, 2)
ENDS: tuple[Any, ...] = (None, (1, -1), (0, 0))


def game(turn: Any = "first", sizes: tuple[int, ...] = (2,), **changes: Any) -> RoleGame:
    """One choice between an end worth 1 to the first role and one worth nothing."""
    stated: dict[str, Any] = {"turns": (turn, "", ""), "sizes": (sizes, (), ()), "successors": ((1, 2), (), ())}
    stated |= {"ends": ENDS, "weights": ((HALF, HALF), (), ())}
    return RoleGame(**{**stated, **changes})


def expects(of: RoleGame, at_least: Fraction | int, positions: Any, role: str = "first") -> str:
    """Why an expectation is refuted; nothing if it is accepted."""
    claim = Claim(role, at_least, rule="expectation", data={"positions": positions})
    return check_expectation(of, claim, Limits()).reason


# Expectations


def test_a_number_is_at_most_what_every_reply_leaves() -> None:
    assert not expects(game(), 1, {"0": ["1", "0"]})
    assert expects(game(), 1, {"0": ["1", "1"]}) == "first is to expect 1 here, and there is a reply that leaves 0"
    assert "reply that leaves 0" in expects(game("second"), 1, {"0": ["1"]})
    assert not expects(game("second"), 0, {"0": ["0"]})
    assert not expects(game(CHANCE), HALF, {"0": ["1/2"]})
    assert "reply that leaves 1/2" in expects(game(CHANCE), 1, {"0": ["1"]})


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (None, "first has to move here, and the certificate does not say how"),
        (7, "first has to move here, and the certificate does not say how"),
        ("2", "plays* '2', which is not legal"),
        ({"0": "1", "2": "0"}, "plays* '2', which is not legal"),
        ({"0": "2", "1": "-1"}, "not numbers from 0 to 1 that add up to 1"),
        ({"0": "3/2", "1": "-1/2"}, "not numbers from 0 to 1 that add up to 1"),
        ({"0": "2"}, "not numbers from 0 to 1 that add up to 1"),
        ({"0": "1/2"}, "not numbers from 0 to 1 that add up to 1"),
        ({}, "not numbers from 0 to 1 that add up to 1"),
        ({"0": 1}, "a number is not written as a text"),
        ({"0": "one"}, "one"),
        ({"0": "1", "1": "0"}, ""),
        ({"0": "1"}, ""),
    ],
)
def test_only_legal_moves_with_chances_that_add_up_to_one_are_played(said: Any, reason: str) -> None:
    found = expects(game(), 1, {"0": ["1", said]})
    assert bool(found) == bool(reason) and reason.replace("plays*", "play") in found


def test_moves_that_are_written_alike_are_not_mixed() -> None:
    with pytest.raises(Fault, match="two moves of first are written alike here"):
        mixture("a", ["a", "a"], "first")


@pytest.mark.parametrize(
    "weights", [(HALF,), (1, 1), (2, -1), (0.5, 0.5), (HALF, 0.5), (Fraction(3, 2), -HALF), (1.0, 0)]
)
def test_chances_that_are_no_exact_distribution_prove_nothing(weights: tuple[Any, ...]) -> None:
    of = game(CHANCE, weights=(weights, (), ()))
    assert "the probabilities here are not exact numbers" in expects(of, 0, {"0": ["0"]})


def test_what_chance_never_does_need_not_be_spoken_of() -> None:
    assert not expects(game(CHANCE, weights=((Fraction(1), Fraction(0)), (), ())), 1, {"0": ["1"]})
    longer = game(CHANCE, ends=(None, (1, -1), None), weights=((1, 0), (), ()))
    assert not expects(longer, 1, {"0": ["1"]})


def test_a_position_without_moves_that_is_no_end_proves_nothing() -> None:
    none = game(sizes=(0,), successors=((), (), ()))
    at_once = game(("first", "second"), sizes=(0, 1))
    for of in (none, at_once):
        assert expects(of, 1, {"0": ["1", {}]}) == "there is no legal move here, though the game is not over"
    twice = game(("first", "first"), sizes=(1, 2))
    assert expects(twice, 1, {"0": ["1", "0"]}) == "there is no legal move here, though the game is not over"


@pytest.mark.parametrize("scores", [(1.0, -1), (1, -1.0), ("1", 0)])
def test_scores_that_are_not_exact_prove_nothing(scores: tuple[Any, ...]) -> None:
    of = game(ends=(None, scores, (0, 0)))
    assert expects(of, 1, {"0": ["1", "0"]}) == "the scores here are not exact numbers"


@pytest.mark.parametrize("entry", [None, [], "1", {}, 1, ""])
def test_a_position_of_which_nothing_is_said_proves_nothing(entry: Any) -> None:
    assert expects(game(), 1, {"0": entry}) == "the certificate of first has nothing on this position"


def test_nobody_claims_in_games_of_one_role_alone() -> None:
    alone = game("first", ends=(None, (1,), (0,)), roles=("first",))
    assert not expects(alone, -1, {"0": ["-1"]}, NOBODY)
    assert "leaves -1" in expects(alone, 0, {"0": ["0"]}, NOBODY)
    for of, role in ((alone, "second"), (game(), NOBODY)):
        assert f"{role!r} is not a role of the game" in expects(of, -1, {"0": ["-1", "0"]}, role)


def test_endless_play_is_worth_what_the_game_says() -> None:
    circle = game(successors=((0, 1), (), ()), endless=(HALF, 0))
    assert not expects(circle, HALF, {"0": ["1/2", "0"]})
    assert "kept going for ever, which is worth 1/2" in expects(circle, 1, {"0": ["1", "0"]})
    assert "kept going for ever, which is worth 0" in expects(game(successors=((0, 1), (), ())), 1, {"0": ["1", "0"]})


def test_play_is_kept_for_ever_where_every_position_has_a_choice_that_stays() -> None:
    assert kept_for_ever([[[1, 2]], [[0]], []]) == set()
    assert kept_for_ever([[[1, 2], [1]], [[0], [2]], []]) == {0, 1}
    assert kept_for_ever([[[2], [1]], [[3, 1], [0, 3]], [], []]) == set()
    assert kept_for_ever([[[1, 1], [2, 3]], [[0]], [], []]) == {0, 1}


def test_the_largest_sum_of_scores_is_told() -> None:
    """Claims of all roles together are held against it."""

    def most(*ends: Any, **changes: Any) -> Any:
        claim = Claim("first", -1, rule="expectation", data={"positions": {"0": ["-1"]}})
        return check_expectation(game("second", ends=(None, *ends), **changes), claim, Limits()).most

    assert [most((1, 4), (0, 0)), most((0, 0), (1, 4)), most((0, -3), (-1, -1))] == [5, 5, -2]
    assert most((0, -3), (-1, -1), successors=((0, 1), (), ())) == 0  # play that goes on for ever is worth nothing


def test_where_a_limit_is_reached_nothing_is_refuted() -> None:
    class Endless(RoleGame):
        def result(self, position: int) -> Any:
            raise LimitReachedError("stopped")

    of = Endless(("first",), ((1,),), ((0,),), (None,), ((),))
    claim = Claim("first", 0, rule="expectation", data={"positions": {"0": ["0", "0"]}})
    assert check_expectation(of, claim, Limits()).status == "limit"
    data = {"roles": ["first", "second"], "ties": "any", "values": NOTHING, "vectors": [NOTHING], "positions": {}}
    joint = Claim("first", 0, rule="equilibrium", data=data, play="equilibrium")
    assert check_equilibrium(of, joint, Limits()).status == "limit"


# Equilibria


def equilibrium(of: RoleGame, values: list[str], positions: Any, vectors: Any, **changes: Any) -> str:
    """Why an equilibrium is refuted; nothing if it is accepted."""
    data = {"roles": ["first", "second"], "ties": "any", "values": values, "vectors": vectors, "positions": positions}
    at_least = changes.pop("at_least", Fraction(values[0]))
    role = changes.pop("role", "first")
    claim = Claim(role, at_least, rule="equilibrium", data={**data, **changes}, play="equilibrium")
    return check_equilibrium(of, claim, Limits()).reason


WON, NOTHING = ["1", "-1"], ["0", "0"]


def test_an_equilibrium_speaks_of_the_first_role_and_the_vector_of_the_start() -> None:
    assert not equilibrium(game(), WON, {"0": [0, "0"]}, [WON])
    other = "the claim speaks of another score of the first role"
    assert other in equilibrium(game(), WON, {"0": [0, "0"]}, [WON], at_least=0)
    assert other in equilibrium(game(), WON, {"0": [0, "0"]}, [WON], role="second")
    assert "not the one that is claimed" in equilibrium(game(), ["1", "5"], {"0": [0, "0"]}, [WON])


def test_an_equilibrium_is_what_is_played_and_nobody_gains_by_a_change() -> None:
    assert "what is played leads to 0" in equilibrium(game(), WON, {"0": [0, "1"]}, [WON])
    assert "a single change of its own gives it 1" in equilibrium(game(), NOTHING, {"0": [0, "1"]}, [NOTHING])
    assert "what is played leads to -1" in equilibrium(game(), ["1", "0"], {"0": [0, "0"]}, [["1", "0"]])


@pytest.mark.parametrize("entry", [None, [], [0], [0, "0", "0"], [1, "0"], [-1, "0"], ["0", "0"], [True, "0"], "00"])
def test_a_position_without_a_vector_of_the_list_proves_nothing(entry: Any) -> None:
    assert "nothing on this position" in equilibrium(game(), WON, {"0": entry}, [WON])


@pytest.mark.parametrize("vector", [["1"], ["1", "-1", "0"], []])
def test_a_vector_has_a_score_for_each_role(vector: list[str]) -> None:
    assert "expected one for each of 2 roles" in equilibrium(game(), WON, {"0": [0, "0"]}, [vector])
    if vector:
        assert "expected one for each of 2 roles" in equilibrium(game(), vector, {"0": [0, "0"]}, [WON])


def test_each_of_those_who_move_at_once_is_spoken_of() -> None:
    both = game(("first", "second"), sizes=(1, 2))
    assert not equilibrium(both, NOTHING, {"0": [0, ["0", "1"]]}, [NOTHING])
    for said in (["0"], ["0", "1", "1"]):
        assert "2 roles move at once here" in equilibrium(both, NOTHING, {"0": [0, said]}, [NOTHING])
    ties = equilibrium(both, NOTHING, {"0": [0, ["0", "1"]]}, [NOTHING], ties="first")
    assert "picks one move of one role" in ties
    assert "picks one move of one role" in equilibrium(game(), WON, {"0": [0, {"0": "1"}]}, [WON], ties="first")


def test_the_move_that_is_played_is_the_one_that_the_rule_for_ties_picks() -> None:
    """Both moves give the first role 1, the first of them nothing to the second role, the second one 5."""
    of = game(ends=(None, (1, 0), (1, 5)))
    for ties, move in (("best-for-others", "1"), ("worst-for-others", "0"), ("first", "0")):
        for played, vector in (("0", ["1", "0"]), ("1", ["1", "5"])):
            said = equilibrium(of, vector, {"0": [0, played]}, [vector], ties=ties)
            assert said == ("" if played == move else f"first's move here is not the one that ties {ties} picks")


def test_a_text_is_no_list_of_scores() -> None:
    of: Any = game(successors=((2, 2), (), ()))
    assert not equilibrium(of, NOTHING, {"0": [0, "0"]}, [NOTHING])
    text: Any = "00"
    assert "has no list where one is expected" in equilibrium(of, text, {"0": [0, "0"]}, [NOTHING])
