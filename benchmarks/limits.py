"""How well limits are kept: seconds beyond the time limit, the most memory held under a memory limit, and how long an
answer to Ctrl-C takes.

    python -m benchmarks.limits time [SECONDS ...]
    python -m benchmarks.limits memory [MB ...]
    python -m benchmarks.limits interrupts [SECONDS ...]

Every row is a process of its own. Its seconds count from the moment that its limits began, by the clock and by the
processor, and so do those beyond the limit. Its memory is the most that was resident at any time, the interpreter
included. Ctrl-C is sent so many seconds after the limits began; a row has the slowest answer of all these moments, by
the clock and by the processor. Of a process that has ended before there is nothing to tell.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

GRACE = 0.5
"""Seconds beyond a limit that nobody minds."""

MOMENTS = (0.05, 0.2, 0.5, 1.0, 1.7, 2.5, 3.5, 5.0)
"""Seconds after which Ctrl-C is sent."""

PYTHON_GAME = '''
from zermelo import Game, win_for

class Stones(Game):
    """Take one to three of a heap, and remember how often."""
    longest = 10**9
    def start(self): return (0, 0, ())
    def turn(self, position): return self.roles[position[1]]
    def moves(self, position): return [1, 2, 3]
    def play(self, position, move): return (position[0] + move, 1 - position[1], (position[2] + (move,))[-12:])
    def result(self, position): return win_for(1 - position[1]) if position[0] >= 200 else None
'''


@dataclass(frozen=True)
class Ended:
    """A process that has ended: by the clock, by the processor, the most memory, and what it said."""

    seconds: float
    processor: float
    mebibytes: float
    status: int
    first_line: str


def ended(arguments: Sequence[str]) -> Ended:
    """Runs the command line and waits for its end."""
    with tempfile.TemporaryFile() as out, tempfile.NamedTemporaryFile() as notes:
        call = [sys.executable, __file__, "child", notes.name, *arguments]
        process = subprocess.Popen(call, stdout=out, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        _, code, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(code)
        now = time.monotonic()
        began, processor = map(float, notes.read().split() or (now, 0))
        out.seek(0)
        text = out.read(4096).decode("utf-8", "replace")
    line = " / ".join(line.strip() for line in text.splitlines()[:4])
    used = usage.ru_utime + usage.ru_stime - processor
    return Ended(now - began, used, usage.ru_maxrss / 1024, process.returncode, line)


@dataclass(frozen=True)
class Answered:
    """How a process answered to Ctrl-C: when it came, and how long the answer took."""

    moment: float
    seconds: float
    processor: float
    status: int
    last_line: str


def answered(arguments: Sequence[str], moment: float) -> Answered | None:
    """Runs the command line, sends Ctrl-C so long after its limits began; nothing if it has ended by then."""
    with tempfile.TemporaryFile() as out, tempfile.NamedTemporaryFile() as notes:
        call = [sys.executable, __file__, "child", notes.name, *arguments]
        process = subprocess.Popen(call, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        while not Path(notes.name).stat().st_size and process.poll() is None:
            time.sleep(0.002)
        time.sleep(moment)
        if process.poll() is not None:
            return None
        used = _processor_seconds(process.pid)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, code, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - began
        process.returncode = os.waitstatus_to_exitcode(code)
        out.seek(0)
        lines = out.read().decode("utf-8", "replace").splitlines()
    processor = max(0.0, usage.ru_utime + usage.ru_stime - used)
    return Answered(moment, seconds, processor, process.returncode, lines[-1] if lines else "")


def _processor_seconds(process: int) -> float:
    words = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def child(notes: str, arguments: Sequence[str]) -> None:
    """The command line, which notes when its limits began."""
    from zermelo import __main__, cli
    from zermelo.cli import shared_options as options

    plain = options.limits_of

    def limits_of(*given: Any) -> Any:
        Path(notes).write_text(f"{time.monotonic()} {time.process_time()}")
        return plain(*given)

    for module in ("solve", "encode", "check", "show"):
        vars(sys.modules[f"zermelo.cli.{module}"])["limits_of"] = limits_of
    del cli
    sys.argv = ["zermelo", *arguments]
    __main__.run()


def phases(folder: Path) -> list[list[str]]:
    """What spends its time before and after the search: on reading, encoding, checking and writing."""
    nim = folder / "nim.json"
    ended(["solve", "nim:9,10,11,12", "--engine", "dp", "--certificate", str(nim)])
    network = folder / "network.json"
    ended(["encode", "gdl:tictactoe", "--to", "network", "--horizon", "5", "-o", str(network)])
    graph, formula, program = (str(folder / f"large.{suffix}") for suffix in ("graph", "qdimacs", "qlp"))
    return [
        ["check", "nim:9,10,11,12", str(nim)],
        ["check", graph, str(nim)],
        ["check", formula, str(nim)],
        ["check", program, str(nim)],
        ["solve", str(network)],
        ["encode", "connect:3,3,3", "--to", "graph", "-o", str(folder / "c.json")],
        ["encode", "hex:3", "--to", "qlp", "-o", str(folder / "h.qlp")],
        ["encode", graph, "--to", "qcir", "-o", str(folder / "g.qcir")],
        ["show", graph],
        ["show", "hex:4", "--as", "strategy", "-o", str(folder / "hex.svg")],
        ["show", "nim:9,10,11,12", "--as", "tree", "--depth", "3", "-o", str(folder / "nim.svg")],
    ]


def targets(folder: Path) -> list[list[str]]:
    """Every kind of target that does not end by itself soon."""
    game = folder / "stones.py"
    game.write_text(PYTHON_GAME)
    formula = folder / "large.qdimacs"
    formula.write_text(_large_formula(60_000))
    program = folder / "large.qlp"
    program.write_text(_large_program(4000))
    graph = folder / "large.graph"
    graph.write_text("".join(f"{a} {(a * 7 + b) % 200_000}\n" for a in range(200_000) for b in (1, 2, 3)))
    proof = folder / "proof.json"
    boards = "domineering:" + "|".join(["......."] * 6)
    return [
        ["solve", "connect:6,7,4"],
        ["solve", "hex:6"],
        ["solve", "dotsandboxes:3,4"],
        ["solve", "breakthrough:6,6"],
        ["solve", f"{game}:Stones"],
        ["solve", f"{game}:Stones", "--certificate", str(proof)],
        ["solve", "nim:14,15,16,17", "--engine", "dp", "--certificate", str(proof)],
        ["solve", boards],
        ["solve", "clobber:" + "|".join(["xoxoxox", "oxoxoxo"] * 3)],
        ["solve", str(graph)],
        ["solve", "geography:random:300000,4,1"],
        ["solve", str(formula)],
        ["solve", str(program)],
        ["solve", "gomoku-qip:3,4,3"],
        ["solve", "gomoku-qip:4,4,4"],
        ["solve", "gdl:checkers"],
        ["solve", "gdl:chess"],
        ["solve", "gdl:connectfour", "--engine", "qbf"],
        ["solve", "hex:4", "--engine", "qbf"],
        ["solve", "connect:4,5,4", "--engine", "qip"],
        ["solve", "{5|-5} + " * 3 + " + ".join(f"{{{n}||{n - 3}|-{n}}}" for n in range(1, 16))],
        ["encode", "hex:4", "--to", "graph"],
        ["encode", "gdl:connectfour", "--to", "qcir", "-o", str(folder / "f.qcir")],
        ["encode", "gdl:tictactoe", "--to", "network", "--horizon", "9", "-o", str(folder / "n.json")],
        ["encode", str(formula), "--to", "qlp", "-o", str(folder / "f.qlp")],
        ["encode", str(formula), "--to", "qcir", "-o", str(folder / "f.qcir")],
        ["encode", str(program), "--to", "mps", "-o", str(folder / "p.mps")],
    ]


def _large_formula(variables: int) -> str:
    lines = [f"p cnf {variables} {3 * variables}"]
    step = 1000
    for block, first in enumerate(range(1, variables + 1, step)):
        names = " ".join(map(str, range(first, min(first + step, variables + 1))))
        lines.append(f"{'ae'[block % 2]} {names} 0")
    for clause in range(3 * variables):
        literals = ((clause * factor + 11) % variables + 1 for factor in (7919, 104_729, 1_299_709))
        lines.append(" ".join(str(n if (clause >> i) % 2 else -n) for i, n in enumerate(literals)) + " 0")
    return "\n".join(lines) + "\n"


def _large_program(variables: int) -> str:
    names = [f"x{n}" for n in range(variables)]
    rows = [
        " + ".join(f"{(row * n) % 5 + 1} {names[(row * 31 + n * 17) % variables]}" for n in range(12))
        + f" >= {row % 9}"
        for row in range(variables)
    ]
    return "\n".join(
        [
            "MINIMIZE",
            " + ".join(names),
            "SUBJECT TO",
            *rows,
            "BOUNDS",
            *(f"0 <= {name} <= 3" for name in names),
            "GENERAL",
            " ".join(names),
            "EXISTS",
            " ".join(names[::2]),
            "ALL",
            " ".join(names[1::2]),
            "ORDER",
            " ".join(names),
            "END",
            "",
        ]
    )


def _shown(arguments: Iterable[str]) -> str:
    return " ".join(Path(word).name if "/" in word else word for word in arguments)[:44]


def main() -> None:
    """Prints the table that the first argument names."""
    kind, *numbers = sys.argv[1:]
    if kind == "child":
        child(numbers[0], numbers[1:])
    # Started in the background of a script, we ignore Ctrl-C, and so would all that we start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    row = {"time": _time_rows, "memory": _memory_rows, "interrupts": _interrupt_rows}[kind]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        all_of_them = targets(folder)
        if kind == "interrupts":
            all_of_them += phases(folder)
        for arguments in all_of_them:
            for figures in row(arguments, numbers):
                print(f"{_shown(arguments):<46} {figures}", flush=True)


def _time_rows(arguments: Sequence[str], numbers: Sequence[str]) -> Iterable[str]:
    for number in numbers or ("1", "2", "5"):
        run = ended([*arguments, "--time-limit", number])
        beyond = run.seconds - float(number)
        mark = " <<" if beyond > GRACE else ""
        figures = f"{number:>5} {run.seconds:8.2f} {beyond:8.2f} {run.processor:8.2f}"
        yield f"{figures} {run.status:>4}{mark:<4} {run.first_line[:60]}"


def _memory_rows(arguments: Sequence[str], numbers: Sequence[str]) -> Iterable[str]:
    for number in numbers or ("120",):
        run = ended([*arguments, "--memory-limit", number, "--time-limit", "20"])
        mark = " <<" if run.mebibytes > float(number) else ""
        figures = f"{number:>5} {run.mebibytes:8.0f} {run.seconds:8.2f}"
        yield f"{figures} {run.status:>4}{mark:<4} {run.first_line[:60]}"


def _interrupt_rows(arguments: Sequence[str], numbers: Sequence[str]) -> Iterable[str]:
    answers = [answered(arguments, moment) for moment in (map(float, numbers) if numbers else MOMENTS)]
    found = [answer for answer in answers if answer is not None]
    if not found:
        yield "ended before"
        return
    # On a busy machine the clock counts what others do: an answer is slow if it is so by both.
    slowest = max(found, key=lambda answer: min(answer.seconds, answer.processor))
    mark = " <<" if min(slowest.seconds, slowest.processor) > 1 else ""
    statuses = ",".join(map(str, sorted({answer.status for answer in found})))
    figures = f"{len(found):>3} {slowest.moment:6.2f} {slowest.seconds:8.2f} {slowest.processor:8.2f}"
    yield f"{figures} {statuses:>8}{mark:<4} {slowest.last_line[:60]}"


if __name__ == "__main__":
    main()
