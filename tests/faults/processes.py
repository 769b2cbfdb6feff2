"""The command line as a process of its own, for tests that do to it what no exception can."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PATIENCE = 120
"""Seconds until a process counts as one that hangs; a busy machine is slow."""

SLOW_GAME = """
from zermelo import Game, win_for

class Slow(Game):
    longest = 10**9
    def start(self): return (0, 0, bytes(4000))
    def turn(self, position): return self.roles[position[1]]
    def moves(self, position): return [1, 2, 3]
    def play(self, position, move): return (position[0] + move, 1 - position[1], position[2][1:] + bytes([move]))
    def result(self, position): return win_for(1 - position[1]) if position[0] >= 200 else None
"""


@dataclass(frozen=True)
class Ended:
    """How a process ended, what it said, and for how long it lived after what was done to it."""

    status: int
    out: str
    err: str
    seconds: float

    @property
    def clean(self) -> bool:
        """Whether nothing broke: no traceback, no abort, no death by a signal."""
        words = ("Traceback", "terminate called", "core dumped", "Fatal Python error", "Exception ignored")
        return self.status >= 0 and not any(word in self.err for word in words)


def start(*arguments: str, prepare: Callable[[], None] | None = None, **settings: Any) -> subprocess.Popen[str]:
    """Starts the command line."""
    settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL} | settings
    call = [sys.executable, "-m", "zermelo", *arguments]
    return subprocess.Popen(call, text=True, preexec_fn=prepare, env=dict(os.environ), **settings)  # noqa: PLW1509


def ended(process: subprocess.Popen[str]) -> Ended:
    """Waits for the end."""
    began = time.monotonic()
    out, err = process.communicate(timeout=PATIENCE)
    return Ended(process.returncode, out or "", err or "", time.monotonic() - began)


MOST_PATIENCE = 60.0
"""Seconds until a process gets its signals at the latest, however busy the machine is."""


def worked(process: subprocess.Popen[str]) -> float:
    """The processor time of a process so far, of all its threads together."""
    try:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return float("inf")
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def let_work(process: subprocess.Popen[str], seconds: float) -> None:
    """Waits a while, and until the process has also worked for so long."""
    time.sleep(seconds)
    latest = time.monotonic() + MOST_PATIENCE
    while process.poll() is None and worked(process) < seconds and time.monotonic() < latest:
        time.sleep(0.02)


def signalled(process: subprocess.Popen[str], after: float, *numbers: int, apart: float = 0.02) -> Ended:
    """Sends signals after a while, once the process has also worked for so long, one after the other."""
    let_work(process, after)
    for place, number in enumerate(numbers):
        if place:
            time.sleep(apart)
        process.send_signal(number)
    return ended(process)


def slow_game(folder: Path) -> str:
    """A target in Python that takes hours and as much memory as there is."""
    (folder / "slow.py").write_text(SLOW_GAME)
    return f"{folder / 'slow.py'}:Slow"


def address_space(mebibytes: int) -> Callable[[], None]:
    """As ``ulimit -v`` does it."""
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (mebibytes << 20, mebibytes << 20))


def file_size(number: int) -> Callable[[], None]:
    """As ``ulimit -f`` does it, with the signal ignored: writing fails, as on a disk that is full."""

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (number, number))

    return limit


def left_behind(folder: Path) -> list[str]:
    """Names of files that were being written."""
    return sorted(path.name for path in folder.iterdir() if path.name.endswith("-part"))
