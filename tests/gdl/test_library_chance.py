"""What holds for every rulesheet with chance; each of them has a file of its own for its finer points."""

from __future__ import annotations

from random import Random

import pytest

from tests.gdl.chance import rules, walk
from zermelo.gdl.ground import ground
from zermelo.gdl.library import rulesheet, rulesheet_names
from zermelo.gdl.syntax import RANDOM

CHANCE_GAMES = [name for name in rulesheet_names() if RANDOM in rules(name).roles]


@pytest.mark.parametrize("name", CHANCE_GAMES)
def test_the_ground_game_plays_as_the_rules_say(name: str) -> None:
    reasoner, game, rng = rules(name), ground(rulesheet(name)), Random(13)
    for here in walk(name, 13, 60):
        assert game.terminal(here) == reasoner.terminal(here)
        legal = [reasoner.legal(here, role) for role in reasoner.roles]
        assert [game.legal(here, role) for role in game.roles] == legal
        assert [game.goals(here, role) for role in game.roles] == [
            reasoner.goals(here, role) for role in reasoner.roles
        ]
        joint = [rng.choice(moves) for moves in legal]
        assert game.next(here, joint) == reasoner.next(here, joint)
