"""The bar of games: redrawn on a terminal, a line now and then elsewhere, silent when told so."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest

from zermelo.arena.plan_runner import RunProgress
from zermelo.cli.bar import GameBar

LOOK = RunProgress(finished=5, end=20, played=5, seconds=2.5, pairing="gdl:nim: uct, random", failures=0)


class Terminal(io.StringIO):
    """A stream that takes itself for a terminal."""

    def isatty(self) -> bool:
        return True


def test_on_a_terminal_the_bar_is_redrawn_and_wiped() -> None:
    stream = Terminal()
    bar = GameBar(stream)
    bar.show(LOOK)
    assert stream.getvalue() == "\r[######..................] 5/20 games  2/s  gdl:nim: uct, random"
    bar.show(replace(LOOK, finished=20, seconds=3.0, pairing="", failures=1))
    bar.close()
    *_, last, end = stream.getvalue().split("\r")
    assert last.strip() == "" and end == ""


def test_elsewhere_lines_come_ever_more_rarely() -> None:
    stream = io.StringIO()
    bar = GameBar(stream)
    for seconds in range(1, 100):
        bar.show(replace(LOOK, seconds=float(seconds)))
    bar.close()
    lines = stream.getvalue().splitlines()
    assert 5 <= len(lines) <= 15
    assert lines[0] == "    2.0s  5/20 games  2.5/s  gdl:nim: uct, random"


@pytest.mark.parametrize("stream", [io.StringIO(), Terminal()])
def test_a_quiet_bar_says_nothing(stream: io.StringIO) -> None:
    bar = GameBar(stream, quiet=True)
    bar.show(LOOK)
    bar.close()
    assert stream.getvalue() == ""
