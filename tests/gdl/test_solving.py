"""Rulesheets reach every engine through the ground game, and their answers are checked by the plain rules."""

from __future__ import annotations

import pytest

from zermelo import check_certificate, solve
from zermelo.errors import NotApplicableError
from zermelo.gdl.game import RulesheetGame
from zermelo.gdl.kif import read_kif
from zermelo.gdl.syntax import Rulesheet
from zermelo.graph import GameGraph, graph_of
from zermelo.limits import Limits
from zermelo.solving.targets import game_of

TOKEN = """
(role you) (role me) (init (at 1)) (init (turn you))
(next_to 1 2) (next_to 2 1) (next_to 2 3)
(<= (legal ?p (go ?y)) (true (turn ?p)) (true (at ?x)) (next_to ?x ?y))
(<= (legal ?p wait) (role ?p) (not (true (turn ?p))))
(<= (next (at ?y)) (does ?p (go ?y)))
(<= (next (turn me)) (true (turn you))) (<= (next (turn you)) (true (turn me)))
(<= terminal (true (at 3)))
(<= (goal ?p 100) (role ?p) (not (true (turn ?p)))) (<= (goal ?p 0) (true (turn ?p)))
"""
"""A token on a path, 1 - 2 - 3: who brings it to 3 has won. Nobody need bring it back, so it could go on for ever."""

CORRIDOR = """
(role walker) (init (at 0)) (init (clock 0))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
(<= (legal walker east) (true (at ?x)) (succ ?x ?y)) (<= (legal walker west) (true (at ?y)) (succ ?x ?y))
(<= (next (at ?y)) (does walker east) (true (at ?x)) (succ ?x ?y))
(<= (next (at ?x)) (does walker west) (true (at ?y)) (succ ?x ?y))
(<= (next (clock ?n)) (true (clock ?m)) (succ ?m ?n))
(<= terminal (true (clock 4))) (<= (goal walker 100) (true (at 4))) (<= (goal walker 30) (not (true (at 4))))
"""


@pytest.mark.parametrize(
    ("target", "winner", "value"),
    [
        ("gdl:tictactoe", "draw", 50),
        ("gdl:connectfour:4,4,4", "draw", 50),
        ("gdl:nim:1,2,3", "second", 0),
        ("gdl:nim:3,4,5", "first", 100),
        ("gdl:hex:3", "first", 100),
        ("gdl:dotsandboxes:2,2", None, None),
        ("gdl:breakthrough:4,4", None, None),
        ("gdl:geography:random:6,2,3", None, None),
    ],
)
def test_a_rulesheet_has_the_value_of_the_library_game(target: str, winner: str | None, value: int | None) -> None:
    solution = solve(target)
    assert solution.verified
    if value is not None:
        assert (solution.winner, solution.value) == (winner, value)
    twin = {"connectfour": "connect", "tictactoe": "tictactoe"}.get(target.split(":")[1], target.split(":")[1])
    arguments = target.split(":", 2)[2:]
    other = solve(":".join([twin, *arguments]) if twin != "tictactoe" else "tictactoe")
    assert other.value is not None
    assert solution.value is not None
    assert (solution.value > 50, solution.value < 50) == (other.value > 0, other.value < 0)


def test_every_engine_agrees_on_a_rulesheet() -> None:
    solution = solve("gdl:tictactoe", "all")
    assert (solution.value, solution.verified) == (50, True)
    assert len(solution.stats["engines"]) >= 6


def test_a_puzzle_with_one_role_is_solved_and_checked() -> None:
    solution = solve(RulesheetGame(read_kif(CORRIDOR)))
    assert (solution.winner, solution.value, solution.verified) == ("walker", 100, True)
    assert solution.line is not None
    assert list(solution.line) == ["east"] * 4


def test_a_game_of_chance_has_an_exact_value() -> None:
    solution = solve("gdl:orchard:1,2,2")
    assert solution.value is not None
    assert 0 < solution.value < 100
    assert solution.verified


def test_positions_that_repeat_are_explored_and_endless_play_is_nobodys_win() -> None:
    game = RulesheetGame(read_kif(TOKEN))
    solution = solve(game)
    # From 1 the token must go to 2, from where the other wins at once.
    assert (solution.winner, solution.value, solution.verified) == ("me", 0, True)
    assert solution.certificate is not None
    assert check_certificate(game, solution.certificate)


def test_partners_who_move_at_once_take_the_best_joint_move() -> None:
    solution = solve("gdl:matchingpennies")
    assert (solution.status, solution.value, solution.winner, solution.verified) == ("solved", 50, None, True)
    assert solution.values == {"alice": 50, "bob": 50}


def test_search_refuses_moves_made_at_once_in_one_sentence() -> None:
    with pytest.raises(NotApplicableError, match="several roles move at once"):
        solve("gdl:matchingpennies", "alphabeta")


class Plain(RulesheetGame):
    """The same game by the plain reasoner alone."""

    def explored(self, *arguments: object) -> GameGraph | None:
        """Move by move."""
        del arguments
        return None

    def explorer(self, limits: Limits) -> RulesheetGame:
        """Itself."""
        del limits
        return self

    def native(self) -> None:
        """None."""


class Interpreted(RulesheetGame):
    """A game that is never grounded; its own reasoner is not to be asked."""

    ground = None


def by_the_interpreter(sheet: Rulesheet, monkeypatch: pytest.MonkeyPatch) -> GameGraph:
    game = Interpreted(sheet)
    for question in ("legal", "terminal", "next", "goals"):
        monkeypatch.setattr(game.reasoner, question, None)
    return graph_of(game, Limits())


@pytest.mark.parametrize(
    "target", ["gdl:nim:1,2,2", "gdl:tictactoe:2,2,2", "gdl:orchard:1,2,2", "gdl:dotsandboxes:1,1"]
)
def test_native_graphs_are_the_plain_one_node_for_node(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of(target)
    assert isinstance(game, RulesheetGame)
    plain = graph_of(Plain(game.sheet), Limits())
    for native in (graph_of(game, Limits()), by_the_interpreter(game.sheet, monkeypatch)):
        assert list(native.positions) == list(plain.positions)
        assert list(native.first_edge) == list(plain.first_edge)
        assert list(native.target) == list(plain.target)
        assert bytes(native.turn) == bytes(plain.turn)
        assert native.results == plain.results
        assert native.probability == plain.probability


@pytest.mark.parametrize("target", ["gdl:tictactoe", "gdl:nim:2,3", "gdl:hex:2"])
def test_what_cannot_be_grounded_is_explored_by_the_interpreter(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    grounded = solve(target, "dp")
    monkeypatch.setattr("zermelo.gdl.game.GROUND_SECONDS", 1e-9)
    solution = solve(target, "dp")
    assert solution.verified
    assert (solution.value, solution.winner) == (grounded.value, grounded.winner)
    assert "interpreted state by state" in solution.note
    assert "interpreted" not in grounded.note
