"""The log of a run: fixed columns, and nothing in them that nobody knows."""

from __future__ import annotations

import io

from zermelo._native import Control
from zermelo.cli.log import SolverLog
from zermelo.progress import NO_BOUNDS, Progress


def logged(progress: Progress) -> list[str]:
    """The words of the line that a look at a run becomes."""
    stream = io.StringIO()
    SolverLog("nim:3,4", stream).show(progress)
    header, line = stream.getvalue().splitlines()
    assert header.split() == ["time", "engine", "nodes", "nodes/s", "depth", "memory", "bounds"]
    return line.split()


def test_a_line_shows_all_that_is_known() -> None:
    progress = Progress("alphabeta", 2.0, 1000, 7, (-1, 1), 64 << 20)
    assert logged(progress) == ["2.0s", "alphabeta", "1,000", "500", "7", "64MB", "-1", "..", "1"]


def test_a_line_leaves_out_what_nobody_knows() -> None:
    assert logged(Progress("explore", 2.0, 1000)) == ["2.0s", "explore", "1,000", "500"]
    assert logged(Progress("qbf-other", 2.0)) == ["2.0s", "qbf-other"]


def test_one_bound_may_be_known_alone() -> None:
    assert logged(Progress("uct", 2.0, bounds=(3, NO_BOUNDS[1])))[2:] == ["3", "..", "?"]


def test_proved_zeros_are_shown() -> None:
    assert logged(Progress("dp", 2.0, bounds=(0, 0)))[2:] == ["0", "..", "0"]


def test_little_memory_is_not_none() -> None:
    assert logged(Progress("dp", 2.0, memory=200 << 10))[2:] == ["0.2MB"]


def test_a_control_that_nobody_reported_to_has_no_bounds() -> None:
    control = Control()
    assert (control.lower, control.upper) == NO_BOUNDS
