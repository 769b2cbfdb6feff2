"""How much of the checker one has to read to trust one kind of certificate: bounded, so that it can only fall."""

from __future__ import annotations

import pytest

from tests.hallway.sceptic_lines import BOUNDS, GOAL, PAGE, bounds, lines_by_kind, lowered, written


@pytest.mark.parametrize(("kind", "lines"), lines_by_kind().items())
def test_one_kind_of_certificate_can_be_trusted_after_reading_so_many_lines(kind: str, lines: int) -> None:
    print(f"{kind}: {lines:,} lines")
    assert lines <= bounds()[kind]


def test_small_kinds_need_no_bound_but_the_goal() -> None:
    assert bounds()["table"] == GOAL and lines_by_kind()["table"] < GOAL


def test_bounds_and_documentation_have_the_figures_of_today() -> None:
    page = PAGE.read_text(encoding="utf-8")
    told = "python -m tests.hallway.sceptic_lines writes them anew"
    assert (BOUNDS.read_text(encoding="utf-8"), page) == (lowered(), written(page)), told
