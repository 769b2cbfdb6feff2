"""Facts share a variable only where it is proved that no two of them hold at once."""

from __future__ import annotations

import pytest

from zermelo.encode.scsp.invariants import StateVariable, state_variables
from zermelo.encode.scsp.rule_circuit import rules_of
from zermelo.gdl.ground import ground
from zermelo.gdl.kif import read_kif
from zermelo.gdl.library import sheet_of
from zermelo.gdl.syntax import Rulesheet


def variables(sheet: Rulesheet) -> dict[str, StateVariable]:
    game = ground(sheet)
    return {variable.name: variable for variable in state_variables(game, rules_of(game))}


LIFT = """
(role up) (role down)
(above 1 2) (above 2 3)
(init (floor 2))
(legal up lift) (legal up rest) (legal down lower) (legal down rest)
(<= (next (floor ?n)) (does up lift) {guard} (true (floor ?m)) (above ?m ?n))
(<= (next (floor ?m)) (does up rest) (does down rest) (true (floor ?m)))
(<= (next (floor ?n)) (does down lower) (true (floor ?m)) (above ?n ?m))
(<= terminal (true (floor 3)))
(goal up 50) (goal down 50)
"""


def test_facts_that_a_joint_move_can_make_true_together_stay_apart() -> None:
    # Who lifts and who lowers at once come to two floors, so the floor is no variable of three values.
    assert variables(read_kif(LIFT.format(guard=""))).keys() == {"floor_1", "floor_2", "floor_3"}


def test_facts_that_no_legal_joint_move_makes_true_together_are_values() -> None:
    found = variables(read_kif(LIFT.format(guard="(does down rest)")))
    assert found.keys() == {"floor"}
    assert found["floor"].values == ("1", "2", "3") and not found["floor"].exhaustive


def test_a_fact_that_only_an_unreachable_state_contradicts_needs_a_phase() -> None:
    # Two dice are rolled after the other two: only if these show nothing yet does that leave one number on each.
    found = variables(sheet_of("gdl:cantstop"))
    assert found["die_4"].values == ("1", "2", "3", "4", "5", "6") and not found["die_4"].exhaustive
    assert found["camp_blue_10"].exhaustive


def test_positions_of_two_coordinates_are_one_variable() -> None:
    found = variables(sheet_of("gdl:pacman"))
    assert len(found["at_blinky"].facts) == 48 and found["at_blinky"].exhaustive
    assert found["dot_a_2"].boolean


@pytest.mark.parametrize("target", ["gdl:tictactoe", "gdl:checkers"])
def test_every_fact_is_in_one_variable(target: str) -> None:
    game = ground(sheet_of(target))
    found = state_variables(game, rules_of(game))
    assert sorted(fact for variable in found for fact in variable.facts) == list(range(len(game.fluents)))
