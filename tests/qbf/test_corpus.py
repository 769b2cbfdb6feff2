"""Public formulas of games: every known answer is found, and shown by functions that the checker accepts."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from zermelo import solve

CORPUS = Path(os.environ.get("ZERMELO_CORPUS", "no-corpus")) / "qbf"
KNOWN = json.loads((CORPUS / "answers.json").read_text(encoding="utf-8")) if CORPUS.is_dir() else {}


@pytest.mark.parametrize("name", [name for name, entry in KNOWN.items() if entry["quick"]])
def test_a_public_formula_has_its_known_answer_with_a_checked_certificate(name: str) -> None:
    solution = solve(str(CORPUS / name), "qbf")
    assert solution.winner == {"true": "exists", "false": "forall"}[KNOWN[name]["answer"]]
    assert solution.verified
