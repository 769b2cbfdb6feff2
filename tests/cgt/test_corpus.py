"""Positions with known answers, most of them from another solver: outcomes, nim-values and thermographs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cgt.sumfiles import Case, cases_of, is_known, sum_nim_value, sum_value
from zermelo.errors import LimitReachedError

CORPUS = Path(os.environ.get("ZERMELO_CORPUS", "no-such-folder")) / "cgt"
FILES = sorted(CORPUS.rglob("*.test")) if CORPUS.is_dir() else []


def check(case: Case) -> list[str]:
    """What a case claims that is not so."""
    wrong = []
    if case.wins or case.walls is not None:
        value = sum_value(case)
        first = {"B": not value <= 0, "W": not value >= 0}
        wrong += [f"{who} wins: {wins}" for who, wins in case.wins if first[who] != wins]
        if case.walls is not None:
            drawn = value.thermograph
            walls = {"L": [*drawn.left.breakpoints], "R": [*drawn.right.breakpoints]}
            wrong += [f"wall {side}: {walls[side]}" for side in "LR" if walls[side] != case.walls[side]]
    if case.nim_value is not None and sum_nim_value(case) != case.nim_value:
        wrong.append(f"nim-value {sum_nim_value(case)}, not {case.nim_value}")
    return [f"line {case.line}: {text}" for text in wrong]


@pytest.mark.skipif(not FILES, reason="ZERMELO_CORPUS is not set")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_claims_of_the_corpus_hold(path: Path) -> None:
    cases = list(cases_of(path))
    assert cases
    unknown = {section for case in cases for section in case.sections if not is_known(section)}
    if unknown:
        pytest.skip(f"no rules for {', '.join(sorted(unknown))}")
    wrong, open_cases = [], 0
    for case in cases:
        try:
            wrong += check(case)
        except LimitReachedError:
            open_cases += 1
    assert wrong == []
    assert 3 * open_cases <= len(cases)
