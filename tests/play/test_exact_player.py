"""The player ``exact`` and the forward models of all targets: values that are known, and play that never loses."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from zermelo.errors import GameError, NotApplicableError
from zermelo.exact.matrix_game import matrix_game
from zermelo.game import CHANCE, Game, win_for
from zermelo.play.exact_player import ExactPlayer
from zermelo.play.library_model import model_of
from zermelo.play.player import Clock, Player, make_player
from zermelo.search.backward import Backward, Interests
from zermelo.search.forward import ForwardModel, RulesheetModel, joint_moves
from zermelo.search.game_model import NOOP, GameModel

CLOCK = Clock(simulations=2000)


def played(model: ForwardModel, players: dict[int, Player], seed: int) -> Any:
    """The end of a game."""
    dice, position = random.Random(seed), model.start()
    while not model.over(position):
        joint = [
            players[role].choose(position, CLOCK).move if role in players else dice.choice(moves)
            for role, moves in enumerate(joint_moves(model, position))
        ]
        position = model.play(position, joint)
    return position


@pytest.mark.parametrize("target", ["gdl:tictactoe", "tictactoe", "gdl:connectfour:4,4,4", "connect:4,4,4"])
def test_exact_draws_with_itself_where_the_game_is_a_draw(target: str) -> None:
    model = model_of(target)
    end = played(model, {seat: ExactPlayer(model, seat, 1) for seat in model.seats}, 1)
    assert [model.score(end, seat) for seat in model.seats] == [Fraction(1, 2)] * 2


@pytest.mark.parametrize("target", ["gdl:tictactoe", "mnk:3,3,3", "gdl:connectfour:4,4,4"])
@pytest.mark.parametrize("seat", [0, 1])
def test_exact_never_loses_a_drawn_game_to_a_random_player(target: str, seat: int) -> None:
    model = model_of(target)
    for seed in range(5):
        end = played(model, {seat: ExactPlayer(model, seat, seed)}, seed)
        assert model.score(end, seat) >= Fraction(1, 2)


@pytest.mark.parametrize("target", ["nim:3,4,5", "gdl:nim:3,4,5", "wythoff:3,4"])
def test_exact_wins_every_won_game(target: str) -> None:
    model = model_of(target)
    for seed in range(5):
        end = played(model, {0: ExactPlayer(model, 0, seed)}, seed)
        assert model.score(end, 0) == 1


def test_exact_says_what_is_proved() -> None:
    model = model_of("gdl:matchingpennies")
    decision = make_player("exact", model, 0, 1).choose(model.start(), CLOCK)
    assert (decision.value, decision.proved) == (0.5, True)


def test_partners_who_move_at_once_agree_on_one_of_several_best_moves() -> None:
    model = model_of("gdl:matchingpennies")
    wins = sum(
        model.score(played(model, {seat: ExactPlayer(model, seat, seed + seat) for seat in model.seats}, seed), 0)
        for seed in range(60)
    )
    assert 15 <= wins <= 45  # apart they would win a quarter at most: 15 is three standard deviations below a half


def test_a_game_without_proof_in_time_is_searched() -> None:
    model = model_of("gdl:hex:7")
    decision = make_player("exact", model, 0, 1).choose(model.start(), Clock(simulations=100))
    assert not decision.proved
    assert decision.simulations > 0
    assert decision.move in model.legal(model.start(), 0)


def test_a_lost_game_is_called_lost() -> None:
    model = model_of("gdl:nim:2,2")
    decision = make_player("exact", model, 0, 1).choose(model.start(), CLOCK)
    assert (decision.value, decision.proved) == (0.0, True)


def test_exact_has_no_settings() -> None:
    with pytest.raises(ValueError, match="exact has no setting 'share'"):
        make_player("exact(share=1)", model_of("gdl:nim:1"), 0, 1)


class Rates(Game):
    """A loaded die with three faces decides; scores are 10, 20 and 30."""

    roles = ("roller",)

    def start(self) -> str:
        return "before"

    def turn(self, position: str) -> str:
        return CHANCE

    def moves(self, position: str) -> list[str]:
        return ["low", "middle", "high"]

    def chances(self, position: str) -> list[tuple[str, Fraction]]:
        return list(zip(self.moves(position), (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)), strict=True))

    def play(self, position: str, move: str) -> str:
        return move

    def result(self, position: str) -> tuple[int] | None:
        return {"low": (10,), "middle": (20,), "high": (30,)}.get(position)


def test_uneven_chances_become_even_ones() -> None:
    model = GameModel(Rates())
    chance = model.chance
    assert chance == 1
    drawn = [model.move_text(move) for move in model.legal(model.start(), chance)]
    assert sorted(drawn) == ["high", "low", "low", "low", "middle", "middle"]
    assert Backward(model, model.start()).values(model.start()) == (Fraction(1, 3),)  # (0 * 3 + 1/2 * 2 + 1) / 6


def test_scores_go_from_0_to_1_by_the_range_of_the_game() -> None:
    model = GameModel(Rates())
    assert model.score_range == (10, 30)
    assert model.score("middle", 0) == Fraction(1, 2)


class Fingers(Game):
    """Two show one or two fingers at once: if as many, the first gets their number, else the second gets one."""

    roles = ("even", "odd")

    def start(self) -> tuple[int, ...]:
        return ()

    def turn(self, position: tuple[int, ...]) -> tuple[str, str]:
        return ("even", "odd")

    def moves(self, position: tuple[int, ...]) -> list[int]:
        return [1, 2]

    def play(self, position: tuple[int, ...], move: tuple[int, int]) -> tuple[int, int]:
        return move

    def result(self, position: tuple[int, ...]) -> tuple[Fraction, Fraction] | None:
        if not position:
            return None
        gain = Fraction(position[0], 2) if position[0] == position[1] else Fraction(-1, 2)
        return gain, -gain


def test_opponents_who_move_at_once_mix() -> None:
    model = GameModel(Fingers())
    backward = Backward(model, model.start())
    assert backward.interests is Interests.OPPOSED
    # Gains 1/2 and 1 for the same, -1/2 for different fingers: the value is 1/10, or 11/20 from 0 to 1.
    assert backward.values(model.start()) == (Fraction(11, 20), Fraction(9, 20))
    for seat in model.seats:
        mixture = {model.move_text(move): chance for move, chance in backward.mixture(model.start(), seat).items()}
        assert mixture == {"1": Fraction(3, 5), "2": Fraction(2, 5)}


def test_a_matrix_game_with_a_saddle_point_has_a_pure_solution() -> None:
    assert matrix_game([[3, 1], [2, 0]]) == (1, (1, 0), (0, 1))


class Loop(Game):
    """Goes back and forth for ever, or stops."""

    def start(self) -> tuple[int, bool]:
        return (0, False)

    def turn(self, position: tuple[int, bool]) -> str:
        return self.roles[position[0]]

    def moves(self, position: tuple[int, bool]) -> list[str]:
        return ["on", "stop"]

    def play(self, position: tuple[int, bool], move: str) -> tuple[int, bool]:
        return (1 - position[0], move == "stop")

    def result(self, position: tuple[int, bool]) -> tuple[int, int] | None:
        return win_for(1 - position[0]) if position[1] else None


def test_backward_induction_refuses_positions_that_repeat() -> None:
    model = GameModel(Loop())
    with pytest.raises(NotApplicableError, match="positions repeat"):
        Backward(model, model.start())


def test_exact_solves_a_library_game_whose_positions_repeat() -> None:
    model = GameModel(Loop())
    decision = ExactPlayer(model, 0, 1).choose(model.start(), CLOCK)
    assert (model.move_text(decision.move), decision.value, decision.proved) == ("stop", 1.0, True)


@pytest.mark.parametrize("target", ["tictactoe", "nim:3,4,5", "connect:4,4,4", "examples/race.py:Race", "hex:4"])
def test_a_model_follows_its_game_to_the_end(target: str) -> None:
    model = model_of(target)
    assert isinstance(model, GameModel)
    for seed in range(5):
        end = played(model, {}, seed)
        assert all(0 <= model.score(end, seat) <= 1 for seat in model.seats)


def test_a_move_keeps_its_number() -> None:
    model = model_of("nim:2,2")
    start = model.start()
    numbers = model.legal(start, 0)
    played(model, {}, 1)
    assert model.legal(start, 0) == numbers
    assert model.legal(start, 1) == [NOOP]
    assert model.move_text(NOOP) == "noop"


def test_a_target_in_gdl_is_a_rulesheet_model() -> None:
    assert isinstance(model_of("gdl:nim:1"), RulesheetModel)
    assert isinstance(model_of("examples/heap.kif"), RulesheetModel)


def test_nobody_has_a_score_before_the_end() -> None:
    model = model_of("nim:1")
    with pytest.raises(GameError, match="play has not ended"):
        model.score(model.start(), 0)


@pytest.mark.parametrize("target", ["tictactoe", "nim:3,4,5", "examples/race.py:Race", "hex:4"])
def test_uct_plays_library_games(target: str) -> None:
    model = model_of(target)
    players = {seat: make_player("uct", model, seat, 1) for seat in model.seats}
    end = played(model, players, 1)
    assert all(0 <= model.score(end, seat) <= 1 for seat in model.seats)


def test_uct_beats_chance_in_a_library_game() -> None:
    model = model_of("connect:5,5,4")
    wins = [model.score(played(model, {0: make_player("uct", model, 0, seed)}, seed), 0) for seed in range(4)]
    assert sum(wins) >= 3


def test_uct_samples_where_several_move_at_once() -> None:
    model = GameModel(Fingers())
    decision = make_player("uct", model, 0, 1).choose(model.start(), Clock(simulations=50))
    assert decision.move in model.legal(model.start(), 0)
    assert decision.simulations == 50


def test_an_estimate_is_between_0_and_1() -> None:
    model = model_of("othello:8,8")
    decision = make_player("uct", model, 0, 1).choose(model.start(), Clock(simulations=200))
    assert decision.value is not None and 0.2 < decision.value < 0.8
    assert not decision.proved
