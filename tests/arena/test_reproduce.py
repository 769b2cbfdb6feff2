"""From a plan to the page of results, with the players themselves."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from zermelo.arena.paper import PAPER, TIMES
from zermelo.arena.plan import read_plan
from zermelo.arena.reproduce import main
from zermelo.cli import main as cli

PLAN = """
[defaults]
clock = "30sims"
[[pairing]]
game = "gdl:tictactoe"
players = ["mac-ucb", "uct"]
games = 2
[[pairing]]
game = "gdl:orchard"
players = ["mac-ucb", "uct"]
games = 2
"""


def test_a_small_reproduction_runs_from_plan_to_page(tmp_path: Path) -> None:
    plan = tmp_path / "small.toml"
    plan.write_text(PLAN, encoding="utf-8")
    assert cli(["arena", "run", str(plan), "--workers", "1", "--quiet"]) == 0
    assert main([str(plan), "-o", str(tmp_path / "results.md")]) == 0
    text = (tmp_path / "results.md").read_text(encoding="utf-8")
    assert "4 games by the plan `small.toml`" in text and "| Tic-tac-toe | 65.7 ± 0.89 | " in text
    assert (tmp_path / "pictures" / "results-games.svg").exists()


@pytest.mark.parametrize("part", ["", "full"])
def test_plans_have_all_fifteen_games_and_all_pairings(part: str) -> None:
    plan = read_plan(Path(__file__).parents[2] / "plans" / "reproduce.toml", part)
    for entry in PAPER:
        own = [pairing for pairing in plan.pairings if pairing.game == entry.target]
        assert {frozenset(pairing.players) for pairing in own} >= (
            {frozenset(["mac-ucb", "uct", "fc-ucb"])}
            if entry.seats == 1
            else {frozenset(pair) for pair in combinations(["mac-ucb", "fc-ucb", "uct"], 2)}
        )
        clocks = {str(pairing.clock) for pairing in own if {"mac-ucb", "uct"} <= set(pairing.players)}
        assert len(clocks) == (len(TIMES) if part == "full" else 4)


def test_the_plan_of_strength_tests_all_fifteen_games() -> None:
    plan = read_plan(Path(__file__).parents[2] / "plans" / "strength.toml")
    assert {pairing.game for pairing in plan.pairings} == {entry.target for entry in PAPER}
    assert all(pairing.sprt is not None and pairing.players == ("mac-ucb", "uct") for pairing in plan.pairings)
