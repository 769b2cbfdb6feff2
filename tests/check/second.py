"""The second checker, for tests that ask it many questions: one process answers them line by line."""

from __future__ import annotations

import atexit
import subprocess
from functools import cache
from pathlib import Path

from benchmarks.proof import checker


@cache
def _process() -> subprocess.Popen[str]:
    started = subprocess.Popen([checker(), "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    atexit.register(started.kill)
    return started


def second_verdict(file: Path, target: str = "", moves: str = "") -> tuple[int, str]:
    """The status of ``zermelo-check`` and the first line of what it says; ``moves`` are those made before."""
    process = _process()
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{file}\t{target}\t{moves}\n")
    process.stdin.flush()
    line = process.stdout.readline()
    if not line:  # it crashed: the next question gets another process
        _process.cache_clear()
        raise AssertionError(f"zermelo-check ended with {process.wait()} on {file} {target} {moves}")
    status, _, words = line.rstrip("\n").partition("\t")
    return int(status), words
