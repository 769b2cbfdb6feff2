"""Whole games that GNU Go played against itself, both passed at the end: settled with its score, dead stones and all.

The records and GNU Go's final status are outside the repository, where ZERMELO_CORPUS points.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import zermelo
from zermelo.cgt.go import analyse, analysis, judging, read_record
from zermelo.cgt.go.report import as_data, lead

GAMES = Path(os.environ.get("ZERMELO_CORPUS", "no-corpus")) / "go"
ANSWERS = json.loads((GAMES / "answers.json").read_text()) if (GAMES / "answers.json").exists() else {}
PROVED = {"g9_7.sgf", "g9_9.sgf", "g13_1.sgf"}
"""Games whose end is proved with few nodes."""

pytestmark = pytest.mark.skipif(not ANSWERS, reason="ZERMELO_CORPUS names no folder with go/answers.json")


@pytest.fixture(autouse=True)
def _few_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "BUDGETS", (20_000, 100_000))
    monkeypatch.setattr(judging, "PLAYOUTS_AT_THE_END", 4_000)


@pytest.mark.parametrize("name", sorted(ANSWERS))
def test_the_end_of_a_game_is_settled_with_the_score_of_gnu_go(name: str) -> None:
    found, answer = analyse(GAMES / name), ANSWERS[name]
    assert found.position.ended and found.scoring == "area" and not found.regions
    assert found.score is not None and lead(found.score) == answer["score"]
    assert sorted(as_data(found)["dead"]) == sorted(answer["dead"])
    owned = {mark: {found.named(p) for p, label in enumerate(found.labels) if label == mark} for mark in "bw"}
    stones = {found.named(p) for p, stone in enumerate(found.position.stones) if stone != "."}
    assert owned["b"] - stones == set(answer["black_territory"]) - stones
    assert owned["w"] - stones == set(answer["white_territory"]) - stones
    assert found.proved == (name in PROVED)


@pytest.mark.parametrize("name", sorted(set(ANSWERS) & PROVED))
def test_an_end_that_is_proved_is_accepted_by_the_checker(name: str) -> None:
    solution = zermelo.solve(str(GAMES / name))
    assert solution.verified and solution.certificate is not None
    assert {claim.rule for claim in solution.certificate.claims} == {"held"}


def test_what_is_judged_is_answered_but_never_verified() -> None:
    solution = zermelo.solve(str(GAMES / "g9_1.sgf"))
    assert solution.status == "solved" and not solution.verified and solution.certificate is None
    assert "judged" in solution.note


@pytest.mark.parametrize(("name", "back"), [("g9_1.sgf", 4), ("g9_1.sgf", 12), ("g13_1.sgf", 4), ("g19_21.sgf", 8)])
def test_some_moves_before_the_end_every_point_is_settled_or_in_a_named_region(name: str, back: int) -> None:
    moves = read_record(GAMES / name).moves
    found = analyse(GAMES / name, move=moves - back)
    unsettled = {point for region in found.regions for point in region.points}
    assert all((label in ".xo") == (point in unsettled) for point, label in enumerate(found.labels))
    assert all(region.name and (region.status != "refused" or region.reason) for region in found.regions)
