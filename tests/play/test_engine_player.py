"""An engine at the table."""

from __future__ import annotations

import random
from typing import Any

import pytest

import zermelo.play.engine_player as module
from zermelo.errors import InputError, NotApplicableError
from zermelo.game import DRAW, Game, win_for
from zermelo.games import make_game
from zermelo.limits import Limits
from zermelo.play.engine_player import EnginePlayer
from zermelo.play.session import Session


def played(game: Game, engines: dict[str, EnginePlayer], chooser: random.Random) -> tuple[Any, ...]:
    """The scores of a game between engines and, for the other roles, chance moves."""
    session = Session(game)
    while movers := session.to_move:
        engine = engines.get(movers[0])
        session.play(engine.choose(session.line).move if engine else chooser.choice(session.legal(movers[0])))
    assert session.ending is not None
    assert session.ending.scores is not None
    return session.ending.scores


def test_the_engine_never_loses_tictactoe_against_random_opponents() -> None:
    game = make_game("tictactoe")
    player = EnginePlayer(game, limits=Limits(20))
    for seed in range(30):
        mine = seed % 2
        scores = played(game, {game.roles[mine]: player}, random.Random(seed))
        assert scores[mine] >= 0


def test_two_engines_draw_tictactoe() -> None:
    game = make_game("tictactoe")
    player = EnginePlayer(game, limits=Limits(20))
    assert played(game, {"x": player, "o": player}, random.Random(1)) == DRAW


def test_a_draw_in_hand_becomes_a_win_when_the_opponent_blunders() -> None:
    game = make_game("tictactoe")
    player = EnginePlayer(game, limits=Limits(20))
    opening = player.choose([]).move
    reply = next(
        move
        for move in game.moves(game.play(game.start(), opening))
        if player.analysis.find([opening, move], Limits()).value == 1
    )
    assert player.choose([opening, reply]).score == 1


@pytest.mark.parametrize("engine", ["alphabeta", "dp", "pns"])
def test_a_won_game_is_won_against_every_opponent(engine: str) -> None:
    game = make_game("nim:3,4,5")
    for seed in range(10):
        player = EnginePlayer(game, engine, Limits(20))
        assert played(game, {"first": player}, random.Random(seed)) == (1, -1)


def test_a_proved_strategy_is_followed_without_searching_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game = make_game("nim:3,4,5")
    player = EnginePlayer(game, "alphabeta", Limits(20))
    opening = player.choose([]).move
    reply = game.moves(game.play(game.start(), opening))[0]

    def refuse(*arguments: object, **options: object) -> None:
        raise AssertionError("searched again")

    monkeypatch.setattr(player.analysis, "find", refuse)
    assert player.choose([opening, reply]).score == 1


class Blind(Game):
    """Nim without native twin, two heaps; stands for games that people write."""

    def __init__(self, *heaps: int) -> None:
        self.heaps = heaps

    def start(self) -> tuple[int, int, int]:
        return (self.heaps[0], self.heaps[1], 0)

    def turn(self, position: tuple[int, int, int]) -> str:
        return self.roles[position[2]]

    def moves(self, position: tuple[int, int, int]) -> list[tuple[int, int]]:
        return [(heap, take) for heap in (0, 1) for take in range(1, position[heap] + 1)]

    def play(self, position: tuple[int, int, int], move: tuple[int, int]) -> tuple[int, int, int]:
        heaps = list(position[:2])
        heaps[move[0]] -= move[1]
        return (heaps[0], heaps[1], 1 - position[2])

    def result(self, position: tuple[int, int, int]) -> tuple[int, int] | None:
        return None if position[0] or position[1] else win_for(1 - position[2])


def test_a_game_too_large_to_explore_is_explored_from_a_later_position() -> None:
    player = EnginePlayer(Blind(60, 60), limits=Limits(1, nodes=1024))
    assert player.choose([]).score is None
    choice = player.choose([(0, 55), (1, 50)])
    assert (choice.move, choice.score) == ((1, 5), 1)


def test_a_game_is_explored_once() -> None:
    player = EnginePlayer(Blind(4, 3), limits=Limits(20))
    player.choose([])
    problem = player.analysis.explore(Limits())
    player.choose([(0, 1), (0, 1)])
    player.advise([(1, 1)])
    assert player.analysis.explore(Limits()) is problem


def test_a_game_too_large_to_solve_in_time_is_played_all_the_same() -> None:
    game = make_game("hex:11")
    choice = EnginePlayer(game, limits=Limits(0.5)).choose([])
    assert choice.move in game.moves(game.start())
    assert choice.score is None
    assert choice.reason.startswith("not proved")


def test_unknown_engines_and_engines_that_do_not_apply_are_refused() -> None:
    with pytest.raises(InputError):
        EnginePlayer(make_game("nim:1,2"), "deepblue")
    with pytest.raises(NotApplicableError):
        EnginePlayer(make_game("nim:1,2"), "pairing")


class Auction(Game):
    """Three roles in turn take one or two of seven; whoever takes the last gets 2, the one before 1."""

    roles = ("a", "b", "c")

    def start(self) -> tuple[int, int]:
        return (7, 0)

    def turn(self, position: tuple[int, int]) -> str:
        return self.roles[position[1]]

    def moves(self, position: tuple[int, int]) -> list[int]:
        return [take for take in (1, 2) if take <= position[0]]

    def play(self, position: tuple[int, int], move: int) -> tuple[int, int]:
        return (position[0] - move, (position[1] + 1) % 3)

    def result(self, position: tuple[int, int]) -> tuple[int, ...] | None:
        if position[0]:
            return None
        return tuple({2: 2, 1: 1, 0: 0}[(role - position[1]) % 3] for role in range(3))


def test_the_engine_plays_all_roles_of_a_game_for_three() -> None:
    game = Auction()
    player = EnginePlayer(game, limits=Limits(0.2))
    scores = played(game, dict.fromkeys(game.roles, player), random.Random(1))
    assert sorted(scores) == [0, 1, 2]


def test_interrupted_while_it_thinks_the_engine_plays_a_legal_move(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    game = make_game("nim:3,4,5")
    player = EnginePlayer(game)
    monkeypatch.setattr(module.Analysis, "find", interrupt)
    assert player.choose([]).move in game.moves(game.start())


def test_advice_gives_the_value_of_every_move() -> None:
    advice = EnginePlayer(make_game("nim:1,2"), limits=Limits(20)).advise([])
    assert advice.move == (1, 1)
    assert advice.move_values == {(0, 1): -1, (1, 1): 1, (1, 2): -1}
