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


def test_a_page_has_the_games_that_its_part_of_the_plan_names_and_no_others(tmp_path: Path) -> None:
    plan = tmp_path / "small.toml"
    plan.write_text(PLAN.replace('game = "gdl:orchard"', 'part = "alone"\ngame = "gdl:orchard"'), encoding="utf-8")
    assert cli(["arena", "run", str(plan), "--part", "alone", "--workers", "1", "--quiet"]) == 0
    assert main([str(plan), "--part", "alone", "-o", str(tmp_path / "more-games.md")]) == 0
    text = (tmp_path / "more-games.md").read_text(encoding="utf-8")
    assert text.startswith("# More games\n") and "PLAN=plans/small.toml PART=alone PAGE=docs/more-games.md" in text
    assert "| Orchard |" in text and "Tic-tac-toe |" not in text and "Not played" not in text


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


def test_further_games_have_a_fixed_number_and_dice_of_their_own() -> None:
    path = Path(__file__).parents[2] / "plans" / "strength.toml"
    tested, further = (read_plan(path, part).pairings for part in ("", "further"))
    assert {pairing.game for pairing in further} < {pairing.game for pairing in tested}
    assert all(pairing.sprt is None and pairing.games == 300 for pairing in further)
    assert {pairing.seed for pairing in further}.isdisjoint(pairing.seed for pairing in tested)
