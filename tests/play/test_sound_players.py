"""Players against what is known exactly: values that they reach, and games that they do not lose."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from zermelo.arena.match import Dice
from zermelo.arena.statistics import wilson
from zermelo.play.library_model import model_of
from zermelo.play.player import Clock, Player, make_player
from zermelo.search.backward import Backward
from zermelo.search.forward import ForwardModel, joint_moves

SOUND = ("uct", "mac-ucb", "fc-ucb", "mac-ucb-sym", "grave", "mast", "exact")
"""Players that find the best move in the end; ``paper-literal`` does not, and ``random`` does not try."""
FAR = 3.3
"""Standard deviations: one test in a thousand would fail by bad luck, if its dice were not always the same."""


def scores(model: ForwardModel, players: dict[int, Player], clock: Clock, seed: int) -> list[Fraction]:
    """The end of one game, for every seat."""
    dice, position = Dice(seed), model.start()
    while not model.over(position):
        joint = [
            moves[dice.draw(len(moves))] if role == model.chance else players[role].choose(position, clock).move
            for role, moves in enumerate(joint_moves(model, position))
        ]
        position = model.play(position, joint)
    return [model.score(position, seat) for seat in model.seats]


@cache
def orchard_value(fruits: tuple[int, ...], raven: int, basket: int = 0) -> Fraction:
    """The chance to pick all fruits before the raven has made so many steps, by the words of the rules."""
    if not any(fruits):
        return Fraction(1)
    if raven == 0:
        return Fraction(0)
    picked = [
        tuple(sorted((*fruits[:tree], fruits[tree] - 1, *fruits[tree + 1 :])))
        for tree in range(len(fruits))
        if fruits[tree]
    ]
    if basket:
        return max(orchard_value(rest, raven, basket - 1) for rest in picked)
    faces = [orchard_value(rest, raven) for rest in picked]
    faces += [orchard_value(fruits, raven - 1), orchard_value(fruits, raven, 2)]
    return sum(faces, Fraction(0)) / len(faces)


@pytest.mark.parametrize(("trees", "fruits", "raven"), [(1, 2, 2), (2, 3, 3), (3, 2, 2)])
def test_backward_induction_finds_the_value_of_an_orchard(trees: int, fruits: int, raven: int) -> None:
    model = model_of(f"gdl:orchard:{trees},{fruits},{raven}")
    assert Backward(model, model.start()).values(model.start()) == (orchard_value((fruits,) * trees, raven),)


@pytest.mark.parametrize("name", SOUND)
def test_an_orchard_is_won_as_often_as_it_can_be(name: str) -> None:
    model, games = model_of("gdl:orchard:2,3,3"), 120
    [picker] = model.seats
    won = sum(
        scores(model, {picker: make_player(name, model, picker, seed)}, Clock(simulations=60), seed)[0]
        for seed in range(games)
    )
    low, high = wilson(float(won), games, FAR)
    assert low <= orchard_value((3, 3), 3) <= high


@pytest.mark.parametrize("name", SOUND)
@pytest.mark.parametrize("seat", [0, 1])
def test_tictactoe_is_never_lost_to_perfect_play(name: str, seat: int) -> None:
    model = model_of("gdl:tictactoe")
    for seed in range(2):
        players = {
            role: make_player(name if role == seat else "exact", model, role, 2 * seed + role) for role in model.seats
        }
        assert scores(model, players, Clock(simulations=5000), seed) == [Fraction(1, 2)] * 2


@pytest.mark.parametrize("first", SOUND)
def test_sound_players_draw_at_tictactoe(first: str) -> None:
    model = model_of("gdl:tictactoe")
    for second in SOUND:
        players = {0: make_player(first, model, 0, 1), 1: make_player(second, model, 1, 2)}
        assert scores(model, players, Clock(simulations=5000), 1) == [Fraction(1, 2)] * 2, second


def test_matching_pennies_are_won_half_of_the_time() -> None:
    model, games = model_of("gdl:matchingpennies"), 100
    won = Fraction(0)
    for seed in range(games):
        players = {seat: make_player("exact", model, seat, seed + seat) for seat in model.seats}
        won += scores(model, players, Clock(simulations=50), seed)[0]
    low, high = wilson(float(won), games, FAR)
    assert low <= 0.5 <= high
