"""Players that search trees with bandits."""

from __future__ import annotations

import random

import pytest

from zermelo.errors import ArgumentError
from zermelo.gdl.library import rulesheet
from zermelo.play.forward import RulesheetModel, rulesheet_model
from zermelo.play.player import Clock, Player, make_player

TREES = ("uct", "mac-ucb", "fc-ucb", "mac-ucb-sym", "grave", "mast", "paper-literal")


@pytest.fixture(scope="module")
def tictactoe() -> RulesheetModel:
    return rulesheet_model(rulesheet("tictactoe"))


def play(model: RulesheetModel, players: dict[int, Player], clock: Clock, seed: int = 1) -> list[float]:
    dice, position = random.Random(seed), model.start()
    while not model.over(position):
        joint = []
        for role in range(len(model.roles)):
            legal = model.legal(position, role)
            joint.append(players[role].choose(position, clock).move if role in players else dice.choice(legal))
            assert joint[-1] in legal
        position = model.play(position, joint)
    return [float(model.score(position, seat)) for seat in model.seats]


@pytest.mark.parametrize("name", TREES)
def test_the_same_seed_gives_the_same_play(name: str) -> None:
    model = rulesheet_model(rulesheet("bomberman"))
    decisions = [make_player(name, model, 0, 5).choose(model.start(), Clock(simulations=1000)) for _ in range(2)]
    assert len({(d.move, d.simulations, d.value) for d in decisions}) == 1


@pytest.mark.parametrize("seed", range(6))
def test_sound_players_draw_tictactoe(tictactoe: RulesheetModel, seed: int) -> None:
    players = {0: make_player("mac-ucb", tictactoe, 0, seed), 1: make_player("fc-ucb", tictactoe, 1, seed)}
    assert play(tictactoe, players, Clock(simulations=5000)) == [0.5, 0.5]


def test_matching_pennies_is_proved_worth_half_and_played_together() -> None:
    model = rulesheet_model(rulesheet("matchingpennies"))
    for first in range(3):
        decisions = [
            make_player("mac-ucb", model, s, 7 * s + first).choose(model.start(), Clock(simulations=2000))
            for s in (0, 1)
        ]
        assert {(d.value, d.proved, model.move_text(d.move)) for d in decisions} == {(0.5, True, "(choose heads)")}


def test_a_share_is_between_0_and_1(tictactoe: RulesheetModel) -> None:
    with pytest.raises(ArgumentError, match="share=2 is not between 0 and 1"):
        make_player("mac-ucb(share=2)", tictactoe, 0, 1)
