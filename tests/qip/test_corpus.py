"""Public programs with known answers: solved by the portfolio, with both proofs checked."""

from __future__ import annotations

import json
import os
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from zermelo.limits import Limits
from zermelo.solving import solve

CORPUS = Path(os.environ.get("ZERMELO_CORPUS", "no-corpus")) / "qip"
ANSWERS = CORPUS / "answers.json"
KNOWN: dict[str, Any] = json.loads(ANSWERS.read_text(encoding="utf-8")) if ANSWERS.is_file() else {}


@pytest.mark.skipif(not KNOWN, reason="ZERMELO_CORPUS is not set")
@pytest.mark.parametrize("name", sorted(KNOWN))
def test_a_public_program_has_its_known_value_and_proofs_of_it(name: str) -> None:
    known = KNOWN[name]
    solution = solve(str(CORPUS / f"{name}.qlp"), limits=Limits(seconds=120))
    assert solution.status == "solved", solution.note
    assert solution.details.feasible == (known["status"] != "infeasible")
    if known["status"] == "optimal":
        assert solution.value == Fraction(known["value"])
    assert solution.verified, solution.note
