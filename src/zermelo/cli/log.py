"""Progress of a run, on standard error.

A terminal has one line, redrawn in place and wiped at the end. Everything else has the log of a solver: a header,
lines of fixed width, a closing line.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from zermelo.cli.screen import LiveLine
    from zermelo.game import Score
    from zermelo.progress import Progress
    from zermelo.solution import Solution

_UNKNOWN = 1 << 62
FIRST_LOOK, REDRAW, STALE = 0.5, 0.1, 1.0
"""Seconds before a run is worth a word, between two drawings of its line, and until an engine's last word is old."""


def _mebibytes(memory: int) -> str:
    """Memory in words; nothing where nobody counts it.

    >>> _mebibytes(300 << 10), _mebibytes(64 << 20), _mebibytes(0)
    ('0.3MB', '64MB', '')
    """
    if not memory:
        return ""
    return f"{memory >> 20}MB" if memory >= 10 << 20 else f"{max(memory / (1 << 20), 0.1):.1f}MB"


def _between(bounds: tuple[Score, Score]) -> str:
    """Bounds in words; nothing where neither is known.

    >>> _between((3, 1 << 62)), _between((-1 << 63, 1 << 62))
    ('3 .. ?', '')
    """
    known = [str(bound) if -_UNKNOWN < bound < _UNKNOWN else "?" for bound in bounds]
    return "" if known == ["?", "?"] else " .. ".join(known)


def in_short(number: int) -> str:
    """A number of nodes for a narrow place.

    >>> in_short(950), in_short(12_345), in_short(7_654_321), in_short(12_000_000_000)
    ('950', '12.3k', '7.65M', '12.0G')
    """
    for unit, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if number >= unit:
            return f"{number / unit:#.3g}".rstrip(".") + letter
    return str(number)


def line_of(runs: Mapping[str, Progress]) -> str:
    """One line about the engines that run: time, nodes, speed, depth, bounds, names.

    Engines that run side by side count together; the best bounds are shown, for all of them hold.

    >>> from zermelo.progress import Progress
    >>> line_of({"alphabeta": Progress("alphabeta", 2.0, 1_000_000, 7, (-1, 1), 64 << 20)})
    '2.0s  1.00M nodes (500k/s)  depth 7  -1 .. 1  64MB  alphabeta'
    >>> line_of({"checker": Progress("checker", 3.0, checked=120_000)})
    '3.0s  checking 120,000 positions'
    """
    seconds = max(run.seconds for run in runs.values())
    if checking := next((run.checking for run in runs.values() if run.checking), ""):
        return f"{seconds:.1f}s  {checking}"
    nodes, memory = (sum(getattr(run, of) for run in runs.values()) for of in ("nodes", "memory"))
    depth = max(run.depth for run in runs.values())
    lower, upper = (best(run.bounds[at] for run in runs.values()) for at, best in enumerate((max, min)))
    parts = [f"{seconds:.1f}s"]
    if nodes:
        parts.append(f"{in_short(nodes)} nodes ({in_short(round(nodes / max(seconds, 0.001)))}/s)")
    if depth:
        parts.append(f"depth {depth}")
    parts += [text for text in (_between((lower, upper)), _mebibytes(memory)) if text]
    return "  ".join([*parts, "+".join(runs)])


def _line_on(stream: TextIO | None) -> LiveLine | None:
    """A line to be redrawn, where there is a terminal; only then the code of terminals is loaded."""
    if stream is None or not stream.isatty():  # None where it was closed before the start
        return None
    from zermelo.cli.screen import LiveLine, redraws

    return LiveLine(stream) if redraws(stream) else None


class SolverLog:
    """Shows how a run goes, once it has lasted for half a second: a line redrawn, or lines ever more rarely."""

    def __init__(self, target: str, stream: TextIO, *, quiet: bool = False) -> None:
        self.target, self.stream, self.quiet = target, stream, quiet
        self.line = _line_on(stream)
        self.runs: dict[str, Progress] = {}
        self.next_line: dict[str, float] = {}  # by engine
        self.begun = False

    def show(self, progress: Progress) -> None:
        """Shows a look at the run, unless it is too early for one."""
        if self.quiet:
            return
        try:
            self._draw(progress) if self.line else self._log(progress)
        except OSError:  # nobody reads the log any more: the answer matters all the same
            self.quiet = True

    def _draw(self, progress: Progress) -> None:
        assert self.line is not None
        self.runs[progress.engine] = progress
        if progress.seconds >= self.next_line.get("", FIRST_LOOK):
            self.next_line[""] = progress.seconds + REDRAW
            # An engine that has ended tells nothing more.
            recent = {name: run for name, run in self.runs.items() if run.seconds > progress.seconds - STALE}
            self.line.draw(line_of(recent))

    def _log(self, progress: Progress) -> None:
        if progress.seconds < self.next_line.get(progress.engine, FIRST_LOOK):
            return
        if not self.begun:
            self.begun = True
            self.write(f"{'time':>8}  {'engine':<10}{'nodes':>14}{'nodes/s':>13}{'depth':>8}{'memory':>9}   bounds")
        self.next_line[progress.engine] = max(progress.seconds * 1.25, progress.seconds + 0.5)
        if progress.checking:
            self.write(f"{progress.seconds:7.1f}s  {progress.engine:<10}{progress.checking:>30}")
            return
        rate = progress.nodes / progress.seconds if progress.seconds else 0
        nodes = f"{progress.nodes:,}" if progress.nodes else ""
        speed = f"{rate:,.0f}" if rate else ""
        depth = progress.depth or ""
        line = f"{progress.seconds:7.1f}s  {progress.engine:<10}{nodes:>14}{speed:>13}{depth:>8}"
        self.write(f"{line}{_mebibytes(progress.memory):>9}   {_between(progress.bounds)}".rstrip())

    def close(self, solution: Solution) -> None:
        """Writes the closing line, if there was a header."""
        if self.begun and not self.quiet:
            seconds, nodes = solution.stats.get("seconds", 0), solution.stats.get("nodes", 0)
            with suppress(OSError):
                self.write(f"{self.target}: {solution.status} by {solution.engine}, {nodes:,} nodes in {seconds:.2f}s")

    def wipe(self) -> None:
        """Takes the line away from a terminal, so that the answer begins on a clean one."""
        if self.line:
            with suppress(OSError):
                self.line.wipe()

    def write(self, line: str) -> None:
        print(line, file=self.stream, flush=True)
