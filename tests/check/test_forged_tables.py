"""Forged certificates by tables and policies: none is accepted."""

from __future__ import annotations

import random

import pytest
from tests.fuzz.forged_tables import KINDS, SHEETS, Case, check


@pytest.mark.parametrize("kind", KINDS)
def test_no_forged_certificate_of_a_random_game_is_accepted(kind: str) -> None:
    rng = random.Random(kind)
    assert sum(check(Case(f"{kind}#{rng.randrange(300)}", rng.randrange(10**9))) for _ in range(8)) > 40


@pytest.mark.parametrize("target", SHEETS)
def test_no_forged_certificate_of_a_file_is_accepted(target: str) -> None:
    assert check(Case(target, 1)) > 5
