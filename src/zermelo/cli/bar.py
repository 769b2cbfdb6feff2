"""Progress of games: a bar on a terminal, now and then a line elsewhere; always on standard error."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from zermelo.arena.plan_runner import RunProgress

WIDTH = 24


class GameBar:
    """Shows how many games are finished."""

    def __init__(self, stream: TextIO, *, quiet: bool = False) -> None:
        self.stream, self.quiet = stream, quiet
        self.terminal = stream.isatty()
        self.next_look = 0.0 if self.terminal else 2.0
        self.shown = 0

    def show(self, progress: RunProgress) -> None:
        """Draws the bar again, or writes a line if the last is some time ago."""
        if self.quiet or progress.seconds < self.next_look or (not self.terminal and not progress.pairing):
            return
        self.next_look = progress.seconds + 0.1 if self.terminal else max(progress.seconds * 1.5, progress.seconds + 5)
        rate = progress.played / progress.seconds if progress.seconds else 0.0
        text = f"{progress.finished}/{progress.end} games  {rate:.3g}/s  {progress.pairing}"
        if progress.failures:
            text += f"  ({progress.failures} failed)"
        if self.terminal:
            full = WIDTH * progress.finished // max(progress.end, 1)
            line = f"[{'#' * full}{'.' * (WIDTH - full)}] {text}"[:118]
            self._write("\r" + line.ljust(self.shown))
            self.shown = len(line)
        else:
            self._write(f"{progress.seconds:7.1f}s  {text}\n")

    def close(self) -> None:
        """Wipes the bar, so that what follows begins on a clean line."""
        if self.shown:
            self._write("\r" + " " * self.shown + "\r")
            self.shown = 0

    def _write(self, text: str) -> None:
        try:
            self.stream.write(text)
            self.stream.flush()
        except OSError:  # nobody looks any more
            self.quiet = True
