"""Networks of several stages are worth what the games are worth."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from tests.gdl.samples import DICE, NIM
from tests.scsp import brute
from zermelo.encode.scsp.staged import StagedNetwork, staged_network
from zermelo.errors import InputError
from zermelo.gdl.ground import GroundReasoner, ground
from zermelo.gdl.kif import read_kif
from zermelo.gdl.library import sheet_of
from zermelo.scsp.mac import Solver
from zermelo.scsp.policy import expected_utility
from zermelo.scsp.stages import best_policy
from zermelo.search.forward import RulesheetModel

THREE_STEPS = """
(role you) (role random)
(init (step 1)) (init (kept 0)) (after 1 2) (after 2 3)
(number 0) (number 1) (more 0 1) (more 1 2) (more 2 2)
(<= (legal you ?choice) (choice ?choice))
(choice keep) (choice dare)
(<= (legal random ?n) (number ?n))
(<= (next (step ?n)) (true (step ?m)) (after ?m ?n))
(<= (next (kept ?n)) (does you keep) (true (kept ?n)))
(<= (next (kept ?m)) (does you dare) (does random 1) (true (kept ?n)) (more ?n ?m))
(<= (next (kept 0)) (does you dare) (does random 0))
(<= terminal (true (step 3)))
(<= (goal you 100) (true (kept 2)))
(<= (goal you 60) (true (kept 1)))
(<= (goal you 0) (true (kept 0)))
"""


def best_together(game: GroundReasoner, rounds: int) -> Fraction:
    """What the first seat gets at the most if all players help it, by plain search; 0 where play is not over."""
    model = RulesheetModel(game)

    @cache
    def value(state: bytes, left: int) -> Fraction:
        if model.over(state):
            return model.score(state, model.seats[0])
        if not left:
            return Fraction(0)
        drawn = [None] if model.chance is None else model.legal(state, model.chance)
        choices = [model.legal(state, seat) for seat in model.seats]
        return max(
            sum((value(played(state, chosen, draw), left - 1) for draw in drawn), Fraction(0)) / len(drawn)
            for chosen in product(*choices)
        )

    def played(state: bytes, chosen: tuple[int, ...], draw: int | None) -> bytes:
        joint = list(chosen)
        if model.chance is not None and draw is not None:
            joint.insert(model.chance, draw)
        return model.play(state, joint)

    return value(model.start(), rounds)


@pytest.mark.parametrize(
    ("target", "rounds"),
    [
        ("gdl:matchingpennies", 1),
        ("gdl:matchingpennies", 3),
        ("gdl:orchard:2,1,2", 4),
        ("gdl:nim:2,1", 4),
        ("gdl:tictactoe:2,2,2", 4),
        ("gdl:hex:2", 4),
    ],
)
def test_the_best_policy_is_worth_what_plain_search_finds(target: str, rounds: int) -> None:
    game = ground(sheet_of(target))
    best = best_policy(staged_network(game, rounds).network)
    assert best is not None and best.utility[0] == best_together(game, rounds)


def test_matching_pennies_is_worth_a_half_also_by_brute_force() -> None:
    network = staged_network(ground(sheet_of("gdl:matchingpennies")), 2).network
    best = brute.best_policy(network)
    assert best is not None and expected_utility(network, best) == (Fraction(1, 2), Fraction(1, 2))
    assert len(list(brute.feasible_policies(network))) == 4


@pytest.mark.parametrize(("text", "rounds"), [(NIM, 3), (DICE, 2)])
def test_every_play_is_an_instantiation_with_its_probability_and_worth(text: str, rounds: int) -> None:
    game = ground(read_kif(text))
    staged = staged_network(game, rounds)
    found = {
        (*(value for t in range(rounds) for value in (values[v] for v in staged.moves[t])),): (
            staged.network.probability(values),
            staged.network.utility(values),
        )
        for values in Solver(staged.network).solutions()
    }
    assert found == plays(staged, game)


def plays(staged: StagedNetwork, game: GroundReasoner) -> dict[tuple[int, ...], tuple[Fraction, tuple[Fraction, ...]]]:
    """All plays by the moves' values, with their probabilities and what the players get, from the ground game."""
    model, first = RulesheetModel(game), staged.rules.first_move
    over = tuple(first[role + 1] - first[role] for role in range(len(game.roles)))
    level: dict[tuple[int, ...], tuple[bytes, Fraction]] = {(): (model.start(), Fraction(1))}
    for _ in range(staged.rounds):
        deeper: dict[tuple[int, ...], tuple[bytes, Fraction]] = {}
        for moves, (state, probability) in level.items():
            if model.over(state):
                deeper[*moves, *over] = (state, probability)
                continue
            legal = [model.legal(state, role) for role in range(len(game.roles))]
            drawn = 1 if model.chance is None else len(legal[model.chance])
            for joint in product(*legal):
                values = [move - first[role] for role, move in enumerate(joint)]
                deeper[*moves, *values] = (model.play(state, joint), probability / drawn)
        level = deeper
    return {
        moves: (probability, tuple(model.score(state, seat) * model.over(state) for seat in model.seats))
        for moves, (state, probability) in level.items()
    }


def test_networks_of_one_stage_share_out_the_constraints() -> None:
    staged = staged_network(ground(sheet_of("gdl:orchard:2,1,2")), 3)
    whole, parts = staged.network, staged.one_stage_networks
    assert len(parts) == staged.rounds == 3
    assert sum(len(part.tables) for part in parts) == len(whole.tables)
    assert sum(len(part.chances) for part in parts) == len(whole.chances) == 3
    assert [len(part.utilities) for part in parts] == [0, 0, len(whole.utilities)]
    for part, before in zip(parts, staged.states, strict=False):
        assert part.variables[0].name.startswith("terminal")
        names = {variable.name for variable in part.variables}
        assert {whole.variables[v].name for v in before} <= names
        assert len(part.stochastic) == 1


def test_rules_that_count_rounds_say_how_many_there_are() -> None:
    staged = staged_network(ground(read_kif(THREE_STEPS)))
    assert staged.rounds == 2
    best = best_policy(staged.network)
    # Dare twice: 1/4 for all and 1/4 for 60; dare and keep: 1/2 for 60. Dare, then keep what was won, else dare: 45.
    assert best is not None and best.utility == (Fraction(9, 20),)


def test_rules_that_do_not_need_a_number() -> None:
    with pytest.raises(InputError, match="say how many"):
        staged_network(ground(sheet_of("gdl:tictactoe")))
    with pytest.raises(InputError, match="0 rounds"):
        staged_network(ground(sheet_of("gdl:tictactoe")), 0)


def test_what_is_over_stays_over() -> None:
    staged = staged_network(ground(sheet_of("gdl:matchingpennies")), 4)
    for values in Solver(staged.network).solutions():
        over = [values[terminal] for terminal in staged.terminals]
        assert over == [0, 0, 1, 1, 1]
        assert [values[v] for v in staged.states[2]] == [values[v] for v in staged.states[4]]
