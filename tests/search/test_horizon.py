"""Search to a horizon, and UCT without a limit: estimates, never proofs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from zermelo import Game, Limits, Options, solve, win_for
from zermelo.errors import GameError, InputError
from zermelo.games import make_game
from zermelo.games.mnk import MNK, quality
from zermelo.search import race
from zermelo.user_game import well_behaved

ENGINES = ("minimax", "alphabeta", "mtdf")


class Climb(Game):
    """Without end: each adds 0, 1 or 2 to a number (the second role subtracts); it looks as good as it is high."""

    def start(self) -> Any:
        return (0, 0, 0)

    def turn(self, position: Any) -> Any:
        return self.roles[position[1]]

    def moves(self, position: Any) -> Any:
        return [0, 1, 2]

    def play(self, position: Any, move: Any) -> Any:
        height, mover, plies = position
        return (height + (move if mover == 0 else -move), 1 - mover, plies + 1)

    def result(self, position: Any) -> Any:
        return win_for(1) if position[0] < -100 else None

    def evaluate(self, position: Any) -> Any:
        return Fraction(position[0], 10)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_an_endless_python_game_is_explored_to_the_horizon_only(engine: str, depth: int) -> None:
    solution = solve(Climb(), engine, options=Options(depth=depth))
    assert (solution.status, solution.value, solution.certificate) == ("unknown", None, None)
    assert solution.move == 2
    assert solution.stats["estimate"] == pytest.approx(0.2 if depth % 2 else 0)
    assert "not a proof" in solution.note


class Short(Climb):
    """As Climb, but a number above 2 wins, and the estimate is beyond all scores."""

    def result(self, position: Any) -> Any:
        return win_for(0) if position[0] > 2 else None

    def evaluate(self, position: Any) -> Any:
        return -7


def test_estimates_beyond_the_scores_are_not_clipped() -> None:
    assert solve(Short(), "minimax", options=Options(depth=2)).stats["estimate"] == -7


def test_an_end_within_the_horizon_counts_with_its_score() -> None:
    class Jump(Short):
        def play(self, position: Any, move: Any) -> Any:
            return super().play(position, 3 if move == 2 else move)

    solution = solve(Jump(), "alphabeta", options=Options(depth=1))
    assert (solution.move, solution.stats["estimate"], solution.status) == (2, 1, "unknown")


def test_an_estimate_must_be_a_score() -> None:
    class Vague(Climb):
        def evaluate(self, position: Any) -> Any:
            return 0.5

    with pytest.raises(GameError, match="evaluate"):
        solve(Vague(), options=Options(depth=1))


class PlainMNK(MNK):
    """k in a row without its native twin."""

    def native(self) -> None:
        return None


@pytest.mark.parametrize("size", [(3, 3, 3), (3, 4, 3)])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_native_and_python_see_the_same_at_the_horizon(size: tuple[int, int, int], depth: int) -> None:
    native = solve(MNK(*size), "minimax", options=Options(depth=depth))
    plain = solve(well_behaved(PlainMNK(*size)), "minimax", options=Options(depth=depth))
    assert native.stats["estimate"] == pytest.approx(plain.stats["estimate"])
    assert native.status == plain.status == "unknown"
    assert native.move == plain.move is not None


def test_a_line_outweighs_the_quality_of_any_board() -> None:
    # Every second cell of every second row is x's: most lines are open to x alone, and none is complete.
    game = MNK(20, 20, 3)
    dotted = ("x." * 10 + "." * 20) * 10
    assert game.result(dotted) is None
    assert quality(game, dotted) > 600
    assert game.evaluate(dotted) < 1


@pytest.mark.parametrize("engine", ENGINES)
def test_a_win_in_reach_is_taken_rather_than_a_fine_position(engine: str) -> None:
    from zermelo.continued import Continued

    game = make_game("mnk:4,4,3")
    line = [game.parse_move(game.start(), name) for name in ("a1", "d4", "b1", "d3")]
    solution = solve(Continued(game, line), engine, options=Options(depth=1))
    assert solution.game.move_text(solution.move) == "c1"


@pytest.mark.parametrize("engine", ["dp", "pns", "andor", "uct", "all", "parity"])
def test_engines_without_a_horizon_say_so(engine: str) -> None:
    with pytest.raises(InputError, match="horizon"):
        solve("nim:3,4", engine, options=Options(depth=2))


def test_uct_without_any_limit_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    assert race.SIMULATIONS == 1_000_000
    monkeypatch.setattr(race, "SIMULATIONS", 500)
    solution = solve("connect:6,7,4", "uct")
    assert (solution.status, solution.stats["nodes"]) == ("unknown", 500)
    assert "500 simulations" in solution.note


def test_uct_with_another_limit_is_bound_by_that_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(race, "SIMULATIONS", 500)
    assert solve("connect:6,7,4", "uct", Limits(nodes=2000)).stats["nodes"] == 2000


@pytest.mark.parametrize(
    "target", ["nim:3,4,5", "nim:2,2", "wythoff:3,5", "wythoff:4,4", "treblecross:9", "coins:1,2,2,1"]
)
def test_closed_forms_have_the_values_of_all_moves(target: str) -> None:
    closed, searched = solve(target), solve(target, "alphabeta")
    assert closed.engine in ("symmetry", "parity")
    assert dict(closed.move_values) == dict(searched.move_values)
    assert None not in closed.move_values.values()


def test_the_values_of_a_lost_position_need_no_search() -> None:
    solution = solve("nim:900,900")
    assert len(solution.move_values) == 1800
    assert set(solution.move_values.values()) == {-1}


def test_a_closed_form_with_too_many_moves_leaves_their_values_out() -> None:
    assert not solve("nim:100000").move_values
