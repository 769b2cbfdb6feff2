"""Progress in the shape of a solver's log: a header, fixed-width lines, a closing line; all on standard error."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from zermelo.game import Score
    from zermelo.progress import Progress
    from zermelo.solution import Solution

_UNKNOWN = 1 << 62


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


class SolverLog:
    """Writes a line when a run is worth one: after half a second, then ever more rarely."""

    def __init__(self, target: str, stream: TextIO, *, quiet: bool = False) -> None:
        self.target, self.stream, self.quiet = target, stream, quiet
        self.next_line: dict[str, float] = {}  # by engine
        self.begun = False

    def show(self, progress: Progress) -> None:
        """Writes one line of progress, unless it is too early for one."""
        if self.quiet or progress.seconds < self.next_line.get(progress.engine, 0.5):
            return
        if not self.begun:
            self.begun = True
            self.write(f"{'time':>8}  {'engine':<10}{'nodes':>14}{'nodes/s':>13}{'depth':>8}{'memory':>9}   bounds")
        self.next_line[progress.engine] = max(progress.seconds * 1.25, progress.seconds + 0.5)
        rate = progress.nodes / progress.seconds if progress.seconds else 0
        nodes = f"{progress.nodes:,}" if progress.nodes else ""
        speed = f"{rate:,.0f}" if rate else ""
        depth = progress.depth or ""
        line = f"{progress.seconds:7.1f}s  {progress.engine:<10}{nodes:>14}{speed:>13}{depth:>8}"
        self.write(f"{line}{_mebibytes(progress.memory):>9}   {_between(progress.bounds)}".rstrip())

    def close(self, solution: Solution) -> None:
        """Writes the closing line, if there was a header."""
        if self.begun:
            seconds, nodes = solution.stats.get("seconds", 0), solution.stats.get("nodes", 0)
            self.write(f"{self.target}: {solution.status} by {solution.engine}, {nodes:,} nodes in {seconds:.2f}s")

    def write(self, line: str) -> None:
        try:
            print(line, file=self.stream, flush=True)
        except OSError:  # nobody reads the log any more: the answer matters all the same
            self.quiet = True
