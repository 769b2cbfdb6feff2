"""Progress of games: a bar on a terminal, now and then a line elsewhere; always on standard error."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from zermelo.cli.screen import LiveLine, redraws

if TYPE_CHECKING:
    from zermelo.arena.plan_runner import RunProgress

WIDTH = 24


class GameBar:
    """Shows how many games are finished."""

    def __init__(self, stream: TextIO, *, quiet: bool = False) -> None:
        self.stream, self.quiet = stream, quiet
        self.line = LiveLine(stream) if redraws(stream) else None
        self.next_look = 0.0 if self.line else 2.0

    def show(self, progress: RunProgress) -> None:
        """Draws the bar again, or writes a line if the last is some time ago."""
        if self.quiet or progress.seconds < self.next_look or (not self.line and not progress.pairing):
            return
        self.next_look = progress.seconds + 0.1 if self.line else max(progress.seconds * 1.5, progress.seconds + 5)
        rate = progress.played / progress.seconds if progress.seconds else 0.0
        text = f"{progress.finished}/{progress.end} games  {rate:.3g}/s  {progress.pairing}"
        if progress.failures:
            text += f"  ({progress.failures} failed)"
        try:
            if self.line:
                full = WIDTH * progress.finished // max(progress.end, 1)
                self.line.draw(f"[{'#' * full}{'.' * (WIDTH - full)}] {text}")
            else:
                print(f"{progress.seconds:7.1f}s  {text}", file=self.stream, flush=True)
        except OSError:  # nobody looks any more
            self.quiet = True

    def close(self) -> None:
        """Wipes the bar, so that what follows begins on a clean line."""
        if self.line and not self.quiet:
            self.line.wipe()
