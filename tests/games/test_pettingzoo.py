"""Our games as environments of PettingZoo."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("pettingzoo", reason="the package pettingzoo is not installed")


@pytest.mark.parametrize("target", ["mnk:3,3,3", "examples/toss.efg", "examples/pennies.nfg", "examples/ultimatum.efg"])
def test_an_environment_keeps_to_the_rules_of_pettingzoo(target: str) -> None:
    from pettingzoo.test import api_test

    from zermelo.bridges.pettingzoo import env

    api_test(env(target), num_cycles=50)


def test_a_game_that_is_played_to_its_end_pays_its_scores() -> None:
    from zermelo.bridges.pettingzoo import env

    table, rng = env("connect:4,4,3"), random.Random(1)
    for seed in range(20):
        table.reset(seed=seed)
        paid = dict.fromkeys(table.possible_agents, 0.0)
        for agent in table.agent_iter():
            observation, reward, ended, cut, _ = table.last()
            paid[agent] += reward
            legal = [action for action, allowed in enumerate(observation["action_mask"]) if allowed]
            table.step(None if ended or cut else rng.choice(legal))
        scores = table.game.result(table.position)
        assert scores is not None and list(paid.values()) == [float(score) for score in scores]


def test_chance_follows_the_seed() -> None:
    from zermelo.bridges.pettingzoo import env

    table = env("examples/toss.efg")
    shown = set()
    for seed in range(20):
        table.reset(seed=seed)
        again = env("examples/toss.efg")
        again.reset(seed=seed)
        assert again.position == table.position
        shown.add(table.position)
    assert len(shown) == 2


def test_many_games_at_once_pay_what_each_of_them_pays() -> None:
    import numpy

    from zermelo.bridges.pettingzoo import env

    table, rng = env("gdl:tictactoe", games=600), numpy.random.default_rng(3)
    table.reset(seed=1)
    paid = {agent: numpy.zeros(600) for agent in table.possible_agents}
    asked = []
    for agent in table.agent_iter():
        observation, reward, ended, cut, info = table.last()
        paid[agent] += reward
        if ended or cut:
            table.step(None)
            continue
        asked.append(agent)
        assert not (observation["action_mask"].any(axis=1) & info["over"]).any()
        assert table.observation_space(agent).contains(observation)
        table.step((rng.random(observation["action_mask"].shape) * observation["action_mask"]).argmax(axis=1))
    assert asked == ["x", "o"] * 4, "at the end nobody has a choice"
    assert (paid["x"] + paid["o"] == 100).all() and 0.5 < (paid["x"] == 100).mean() < 0.67


def test_games_that_are_over_begin_again_where_that_is_asked() -> None:
    import numpy

    from zermelo.bridges.pettingzoo import env

    table, rng = env("gdl:tictactoe", games=50, again=True), numpy.random.default_rng(3)
    table.reset(seed=1)
    ends, paid = 0, 0.0
    for _, agent in zip(range(200), table.agent_iter(), strict=False):
        observation, reward, ended, cut, info = table.last()
        assert not ended and not cut
        paid += reward.sum()
        ends += int(info["over"].sum()) if agent == "x" else 0
        legal = observation["action_mask"]
        assert (legal.sum(axis=1) > 0).all()
        table.step((rng.random(legal.shape) * legal).argmax(axis=1))
    assert paid > 100 * 200 and ends > 0


def test_an_illegal_action_in_one_of_many_games_is_refused() -> None:
    import numpy

    from zermelo.bridges.pettingzoo import env
    from zermelo.errors import IllegalMoveError

    table = env("gdl:tictactoe", games=3)
    table.reset()
    legal = table.observe("x")["action_mask"]
    for action in (numpy.zeros(2, int), legal.argmin(axis=1), numpy.full(3, legal.shape[1])):
        with pytest.raises(IllegalMoveError, match="legal action of x for each of 3 games"):
            table.step(action)
