"""The examples, solved."""

from __future__ import annotations

import runpy
from fractions import Fraction
from pathlib import Path

import pytest

import zermelo
from zermelo.arena.plan import read_plan
from zermelo.qip import parse_qlp, read_qlp, write_qlp

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.mark.parametrize(
    ("target", "winner", "value"),
    [
        ("nim.py:Nim", "first", 1),
        ("nim.py:Nim(1, 2, 3)", "second", -1),
        ("race.py:Race", "first", Fraction(1, 2)),
        ("race.py:Race(4)", "first", 1),
        ("ferry.py:Ferry", "ferryman", 1),
        ("map.graph", "second", -1),
        ("rounds.graph", "first", 1),
        ("thesis.graph", "first", 1),
        ("reliability.dgr", "traveller", 1),
        ("toss.efg", "You", Fraction(1, 2)),
        ("heap.kif", "left", 100),
        ("heaps.kif", "left", 100),
        ("choices.qcir", "exists", 1),
        ("answers.qcir", "exists", 1),
        ("bakery.qlp", "exists", 7),
        ("threevariables.qlp", "exists", 0),
        ("threevariables-linear.qlp", "exists", 0),
        ("umbrella.json", "decider", Fraction(13, 16)),
        ("endgame.cgt", "left", Fraction(35, 2)),
        ("corridors.sgf", "black", Fraction(3, 2)),
        ("sente.sgf", "white", -6),
        ("thirteen.sgf", "black", Fraction(41, 2)),
    ],
)
def test_example_has_its_value_and_a_certificate_that_holds(target: str, winner: str, value: int | Fraction) -> None:
    solution = zermelo.solve(f"{EXAMPLES}/{target}")
    assert (solution.winner, solution.value, solution.verified) == (winner, value, True)


def test_the_ko_of_the_examples_is_worth_one_or_two_points() -> None:
    solution = zermelo.solve(f"{EXAMPLES}/ko.sgf")
    assert (solution.status, solution.bounds) == ("bounded", (1, 2))


def test_matching_pennies_are_fair() -> None:
    solution = zermelo.solve(f"{EXAMPLES}/pennies.nfg")
    assert (solution.value, solution.verified) == (0, True)


def test_three_who_share_have_an_equilibrium_that_is_checked() -> None:
    solution = zermelo.solve(f"{EXAMPLES}/ultimatum.efg")
    assert solution.verified and solution.to_json()["values"] == {"Ann": "2", "Bob": "1", "Cleo": "1"}


def test_the_nim_of_the_examples_agrees_with_that_of_the_library() -> None:
    for heaps in ("1,1", "2,3", "1,2,3", "2,2,1", "4,5,1"):
        own = zermelo.solve(f"{EXAMPLES}/nim.py:Nim({heaps})")
        assert own.winner == zermelo.solve(f"nim:{heaps}").winner


def test_the_ferryman_needs_seven_crossings() -> None:
    assert zermelo.solve(f"{EXAMPLES}/ferry.py:Ferry").distance == 7


def test_the_script_prints_the_table_of_wythoff() -> None:
    table = runpy.run_path(str(EXAMPLES / "wythoff_table.py"))["table"]
    lost = [(0, 0), (1, 2), (2, 1), (3, 5), (5, 3)]
    cells = [line.split()[1:] for line in table().splitlines()[1:]]
    assert [(a, b) for a in range(6) for b in range(6) if cells[a][b] == "2"] == lost


def test_the_program_of_the_baker_is_read_and_written() -> None:
    program = read_qlp(EXAMPLES / "bakery.qlp")
    assert [block.quantifier for block in program.blocks] == ["exists", "forall", "exists"]
    assert parse_qlp(write_qlp(program)) == program


def test_the_plan_of_the_cup_asks_for_its_three_pairings() -> None:
    plan = read_plan(EXAMPLES / "cup.toml")
    assert [pairing.game for pairing in plan.pairings] == ["gdl:tictactoe", "gdl:orchard:3,4,5", "gdl:hex:4"]


def test_the_two_networks_of_the_paper_reach_their_thresholds_by_either_engine() -> None:
    assert zermelo.solve(str(EXAMPLES / "pennies.json")).value == Fraction(1, 2)
    for engine in ("scsp", "scsp-mac"):
        solution = zermelo.solve(str(EXAMPLES / "onestage.json"), engine)
        assert solution.verified and solution.value == 1 and solution.details.satisfiable


def test_three_pirates_and_two_games_of_bids_and_hands_are_solved() -> None:
    assert zermelo.solve(f"{EXAMPLES}/pirates.py:Pirates(3, 2)").verified
    for name in ("rockpaperscissors.kif", "goofspiel.kif"):
        solution = zermelo.solve(str(EXAMPLES / name))
        assert (solution.value, solution.verified) == (50, True)


def test_every_example_is_tested_here() -> None:
    tested = Path(__file__).read_text(encoding="utf-8")
    for file in EXAMPLES.iterdir():
        if file.is_file():
            assert file.name in tested
