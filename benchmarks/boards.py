"""Who wins boards: Zermelo's search over sums, and MCGS where it is on the PATH, in one run.

Processor seconds for both starters, each board in a process of its own; the certificate is not counted.
``python -m benchmarks boards``, or ``python -m benchmarks.boards TARGET ...`` for boards of one's own.
"""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress

from zermelo import _native
from zermelo.cgt.boards.outcome import OutcomeSearch
from zermelo.cgt.boards.ruleset import positions_of
from zermelo.cgt.values.arena import controlled, start_arena
from zermelo.errors import LimitReachedError

MEMORY = 4 << 30
TARGETS = (
    *(f"clobber:{size}" for size in ("2x10", "3x6", "3x7", "3x8", "4x4", "4x5", "4x6")),
    *(f"nogo:{size}" for size in ("3x4", "4x4", "4x5")),
    *(f"domineering:{size}" for size in ("5x5", "6x6", "6x7", "7x7", "7x8", "8x8")),
    "amazons:x...|....|....|...o",
    "amazons:x..x|....|....|o..o",
    "amazons:x...x|.....|.....|o...o",
    "dominoes:xo#oxxo#oxo#xxoo#xox",
    "elephants:x.x..x..o..o.o.x..x.o..o",
    *(f"impartial-clobber:{'xo' * half}" for half in (8, 16, 24)),
    *(f"impartial-nogo:1x{length}" for length in (14, 18)),
    *(f"cram:{size}" for size in ("5x5", "5x6", "5x7")),
)
SECTIONS = {
    "clobber": "clobber",
    "nogo": "nogo",
    "domineering": "domineering",
    "amazons": "amazons",
    "dominoes": "toppling_dominoes",
    "elephants": "elephants",
    "cram": "impartial domineering",
    "impartial-clobber": "impartial clobber",
    "impartial-nogo": "impartial nogo",
}
"""What MCGS calls the games."""


def ours(target: str, limit: float) -> dict[str, object]:
    """The outcome class, processor seconds, positions and memory of one board, in this process."""
    ruleset, positions = positions_of(target)
    start_arena(MEMORY)
    # A limit of processor time, since the clock runs on where other programs have the processor.
    resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 5, int(limit) + 5))
    control = _native.Control(0, 0, MEMORY)
    began = time.process_time()
    outcome = None
    with controlled(control):
        search = OutcomeSearch(control)
        with suppress(LimitReachedError):
            outcome = search.outcome([(ruleset, position) for position in positions]).letter
    seconds = time.process_time() - began
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return {"outcome": outcome, "seconds": seconds, "nodes": control.nodes, "memory": memory}


def theirs(target: str, limit: float) -> float | str:
    """Processor seconds of MCGS for both starters, or why there are none."""
    program, name = shutil.which("MCGS"), target.partition(":")[0]
    if program is None or name not in SECTIONS:
        return ""
    ruleset, positions = positions_of(target)
    board = ruleset.text(positions[0]).upper()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    question = "{N}" if name.startswith("impartial") or name == "cram" else "{B, W}"
    try:
        subprocess.run(
            [program, f"[{SECTIONS[name]}] {board} {question}"], capture_output=True, timeout=limit, check=True
        )
    except subprocess.TimeoutExpired:
        return f"over {limit:.0f} s"
    except subprocess.CalledProcessError as error:
        return f"status {error.returncode}"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def table(limit: float = 60, targets: Sequence[str] = TARGETS) -> Iterator[str]:
    """The lines of a Markdown table."""
    yield "| board | outcome | zermelo | nodes | memory | MCGS |"
    yield "|---|---|--:|--:|--:|--:|"
    for target in targets:
        command = [sys.executable, "-m", "benchmarks.boards", "--one", str(limit), target]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        own = json.loads(done.stdout) if done.returncode == 0 else {"outcome": None}
        other = theirs(target, limit)
        shown = f"{other:.3g} s" if isinstance(other, float) else other
        board = target if len(target) <= 40 else target[:37] + "..."
        if own["outcome"] is None:
            yield f"| `{board}` | ? | over {limit:.0f} s or {MEMORY >> 30} GB | | | {shown} |"
            continue
        figures = f"{own['seconds']:.3g} s | {own['nodes']:,} | {own['memory'] >> 20} MB"
        yield f"| `{board}` | {own['outcome']} | {figures} | {shown} |"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(ours(sys.argv[3], float(sys.argv[2]))))
    else:
        for line in table(60, sys.argv[1:] or TARGETS):
            print(line, flush=True)
