"""Learning by self-play: it is repeatable, can be taken up again, and comes close to what is exact."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.learn.exact import exact_values
from zermelo.gdl.ground import GroundReasoner, ground
from zermelo.gdl.kif import read_kif
from zermelo.gdl.library import rulesheet
from zermelo.learn.self_play import Look, learn
from zermelo.learn.values import Practice, Values, read_values, untaught, write_values
from zermelo.limits import Limits


def distance(game: GroundReasoner, values: Values, exact: dict[bytes, float]) -> float:
    """How far values are from exact ones, on average over all states before the end."""
    states = [state for state in exact if not game.native.terminal(state)]
    told = values.of(game, states)[:, 0]
    return float(np.abs(told - np.array([exact[state] for state in states])).mean())


@pytest.mark.parametrize("name", ["tictactoe", "kaseklau"])
def test_learning_is_the_same_for_a_seed_and_other_for_another(name: str) -> None:
    game = ground(rulesheet(name))
    games = 60 if name == "tictactoe" else 3
    first, again = (learn(game, untaught(game, Practice(seed=4), tuples=20), games=games) for _ in range(2))
    assert (first.weights == again.weights).all()
    assert (first.weights != 0).any()
    assert (first.coherence == again.coherence).all()
    other = learn(game, untaught(game, Practice(seed=5), tuples=20), games=games)
    assert len(other.weights) != len(first.weights) or (other.weights != first.weights).any()


def test_learning_in_parts_is_learning_at_once(tmp_path: Path) -> None:
    game = ground(rulesheet("connectfour"))
    at_once = learn(game, untaught(game, tuples=60), games=90)
    write_values(tmp_path / "v.npz", learn(game, untaught(game, tuples=60), games=37))
    in_parts = learn(game, read_values(tmp_path / "v.npz", game), games=90)
    assert in_parts.games == at_once.games == 90
    assert (in_parts.weights == at_once.weights).all()
    assert (in_parts.coherence == at_once.coherence).all()
    assert in_parts.history[-1, 0] == 90


@pytest.mark.parametrize(("target", "games", "most"), [("tictactoe", 20_000, 0.12), ("nim:3,4,5", 30_000, 0.12)])
def test_values_of_a_small_game_come_close_to_the_exact_ones(target: str, games: int, most: float) -> None:
    name, _, arguments = target.partition(":")
    game = ground(rulesheet(name, arguments))
    exact = exact_values(game)
    before = untaught(game, Practice(explore=0.3))
    after = learn(game, before, games=games)
    assert distance(game, after, exact) < min(most, distance(game, before, exact) / 2)


def test_limits_of_time_end_learning_and_keep_what_was_learnt() -> None:
    game = ground(rulesheet("connectfour"))
    looks: list[Look] = []
    values = learn(game, untaught(game, tuples=20), limits=Limits(seconds=0.5), watch=looks.append)
    assert values.games > 0
    assert looks[-1].games == values.games
    assert (values.weights != 0).any()


def test_a_game_without_an_end_in_time_teaches_nothing_and_ends() -> None:
    endless = read_kif(
        "(role a) (init p) (legal a go) (legal a stay) (<= (next p) (true p)) (goal a 100)"
        "(<= terminal (true q)) (<= (next q) (true q))"
    )
    game = ground(endless)
    values = learn(game, untaught(game), games=3)
    assert values.games == 3
    assert not (values.weights != 0).any()


def test_every_kind_of_game_can_be_learnt() -> None:
    for name in ("matchingpennies", "pacman", "kaseklau", "orchard", "polyomino"):
        game = ground(rulesheet(name))
        values = learn(game, untaught(game, tuples=20), games=2)
        told = values.of(game, [game.native.start()])
        assert ((told >= 0) & (told <= 1)).all(), name


def test_an_interrupt_between_two_calls_of_the_kernel_keeps_what_was_learnt() -> None:
    game = ground(rulesheet("tictactoe"))
    looks = list[Look]()

    def watch(look: Look) -> None:
        looks.append(look)
        raise KeyboardInterrupt

    values = learn(game, untaught(game, Practice()), games=100_000, watch=watch)
    assert values.games == looks[0].games > 0
