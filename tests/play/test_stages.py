"""One-stage problems that a player leaves to constraint propagation."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.play.coupled_games import best_together, coupled_game, lamps
from zermelo import _native
from zermelo.encode.scsp.ahead import ahead_network
from zermelo.play.bandits import MAC_UCB, Bandit, bandit_tree
from zermelo.play.player import Clock, make_player
from zermelo.scsp.mac import Solver
from zermelo.search.forward import RulesheetModel, joint_moves, rulesheet_model

BY_MAC = replace(MAC_UCB, joint=1)
ONE_BY_ONE = replace(MAC_UCB, joint=1_000_000)
UNIT = 1 << 32
SEEDS = st.integers(0, 1 << 32)


def searched(
    model: RulesheetModel, position: bytes, bandit: Bandit, simulations: int, seed: int = 1
) -> _native.BanditTree:
    tree = bandit_tree(model.game, seed, bandit)
    tree.place(position)
    tree.run(simulations, 0.0, _native.Control())
    return tree


def crowded_positions(model: RulesheetModel, seed: int) -> list[bytes]:
    """The positions of a random game in which several players have a choice."""
    dice, position, found = random.Random(seed), model.start(), []
    while not model.over(position):
        moves = joint_moves(model, position)
        if sum(len(moves[seat]) > 1 for seat in model.seats) > 1:
            found.append(position)
        position = model.play(position, [dice.choice(own) for own in moves])
    return found


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_mac_proves_of_a_stage_what_playing_every_joint_move_proves(seed: int) -> None:
    model = rulesheet_model(coupled_game(seed))
    for position in crowded_positions(model, seed):
        # With next to no share of the work only the first position, the root, is solved ahead.
        solved, played = (searched(model, position, replace(b, share=1e-6), 1) for b in (BY_MAC, ONE_BY_ONE))
        assert solved.stages[0] == 1
        assert played.stages[0] == 0
        for seat in model.seats:
            assert solved.bounds(seat) == played.bounds(seat)
            if solved.cooperative and played.decided:
                assert solved.verdict(seat) == played.verdict(seat)


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_what_is_proved_of_one_goal_for_all_is_what_trying_everything_finds(seed: int) -> None:
    model = rulesheet_model(coupled_game(seed))
    tree = searched(model, model.start(), BY_MAC, 200)
    if not tree.cooperative:
        return
    exact = 100 * best_together(model, model.start())
    lower, upper = tree.bounds(model.seats[0])
    assert Fraction(lower, UNIT) <= exact <= Fraction(upper, UNIT)


@settings(max_examples=30, deadline=None)
@given(SEEDS)
def test_the_network_of_a_stage_has_the_joint_moves_of_the_game_and_what_they_lead_to(seed: int) -> None:
    model = rulesheet_model(coupled_game(seed))
    ahead = ahead_network(model.game)
    solver = Solver(ahead.network)
    for position in crowded_positions(model, seed):
        solver.assume(ahead.micro.state_assignment(position))
        found = set()
        for values in solver.solutions():
            joint = ahead.micro.joint_move(values)
            found.add(joint)
            after = model.play(position, joint)
            assert ahead.micro.next_state(values) == after
            for seat in model.seats:
                variable = ahead.results[seat]
                assert variable is not None
                said = ahead.goals[seat][values[variable]]
                assert said == (100 * model.score(after, seat) if model.over(after) else -1)
        solver.retract()
        expected = 1
        for own in joint_moves(model, position):
            expected *= len(own)
        assert len(found) == expected


@pytest.mark.parametrize("count", [12, 20, 33])
def test_a_million_joint_moves_and_more_are_decided_on_the_first_move(count: int) -> None:
    model = rulesheet_model(lamps(count))
    joint = []
    for seat in model.seats:
        decision = make_player("mac-ucb", model, seat, seed=seat).choose(model.start(), Clock(simulations=1000))
        assert (decision.value, decision.proved) == (1.0, True)
        assert decision.extra["stages by MAC"] == 1
        assert decision.extra["joint moves by MAC"] >= 1
        joint.append(decision.move)
    assert model.score(model.play(model.start(), joint), 0) == 1


def test_players_meet_over_several_rounds() -> None:
    model = rulesheet_model(lamps(20, rounds=3))
    players = [make_player("mac-ucb", model, seat, seed=seat) for seat in model.seats]
    position = model.start()
    while not model.over(position):
        decisions = [player.choose(position, Clock(simulations=500)) for player in players]
        assert all((decision.value, decision.proved) == (1.0, True) for decision in decisions)
        position = model.play(position, [decision.move for decision in decisions])
    assert model.score(position, 0) == 1


@pytest.mark.parametrize("rounds", [1, 2])
def test_what_cannot_be_done_is_never_proved(rounds: int) -> None:
    model = rulesheet_model(lamps(20, rounds, possible=False))
    tree = searched(model, model.start(), MAC_UCB, 2000)
    assert tree.bounds(0)[0] == 0
    assert (tree.bounds(0)[1] == 0) == (rounds == 1)


def test_where_mac_is_not_asked_players_do_not_speak_of_it() -> None:
    model = rulesheet_model(lamps(4))
    decision = make_player("mac-ucb", model, 0, 1).choose(model.start(), Clock(simulations=100))
    assert decision.proved
    assert "stages by MAC" not in decision.extra


def test_a_game_of_many_joint_moves_is_played_without_looking_ahead() -> None:
    model = rulesheet_model(lamps(40))
    decision = make_player("fc-ucb", model, 0, 1).choose(model.start(), Clock(simulations=2000))
    assert decision.simulations == 2000
    assert not decision.proved
    assert decision.move in model.legal(model.start(), 0)


def test_symmetries_and_propagation_go_together() -> None:
    model = rulesheet_model(lamps(12))
    decisions = [
        make_player("mac-ucb-sym", model, seat, seat).choose(model.start(), Clock(simulations=100))
        for seat in model.seats
    ]
    assert all(decision.proved for decision in decisions)
    assert model.score(model.play(model.start(), [decision.move for decision in decisions]), 0) == 1
