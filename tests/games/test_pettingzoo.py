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
