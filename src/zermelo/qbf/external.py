"""Solvers by others, run as programs of their own where they are found on the search path; never needed.

Each gets the formula in a file, as QCIR or as QDIMACS, and answers by its exit code (10 for true, 20 for false, as is
the custom) and by its text. What it says is believed only as far as it goes: there are no functions to check, except
where the winner chooses in the outermost block alone and the program prints that choice.

>>> sorted(name for name in (program.name for program in PROGRAMS) if name.startswith("q"))
['qfun', 'quabs', 'qute']
"""

from __future__ import annotations

import math
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Literal as Either

from zermelo.errors import NotApplicableError
from zermelo.limits import MEBIBYTE, Limits
from zermelo.progress import Progress, Watch, no_watch
from zermelo.qbf.cegar_functions import constant_functions, move_functions
from zermelo.qbf.circuit import TRUE
from zermelo.qbf.formula import Formula
from zermelo.qbf.solver_answer import Answer, Solver

Format = Either["qcir", "qdimacs"]

MOST_OUTPUT = 1024 * MEBIBYTE
"""Bytes that a program may write before the system stops it."""
MOST_READ = 16 * MEBIBYTE
"""Bytes of a solver's output that are looked at, at its end."""
_LOOK = 0.05
"""Seconds between two looks at a program."""


@dataclass(frozen=True)
class Program:
    """How a solver is called: ``{file}`` stands for the formula.

    ``outermost`` says whether it prints values for the outermost block as ``V`` lines (QDIMACS 1.1).
    """

    name: str
    format: Format
    arguments: tuple[str, ...] = ("{file}",)
    outermost: bool = False


PROGRAMS: tuple[Program, ...] = (
    # With pure literals, which are its default, version 5.01 now and then prints wrong values for the outermost block.
    Program("depqbf", "qdimacs", ("--qdo", "--no-pure-literals", "{file}"), outermost=True),
    Program("caqe", "qdimacs", ("--qdo", "{file}"), outermost=True),
    Program("quabs", "qcir"),
    Program("cqesto", "qcir"),
    Program("qfun", "qcir"),
    Program("qute", "qcir"),
    Program("ghostq", "qcir"),
)
BLOQQER = Program("bloqqer", "qdimacs")
"""Writes a smaller formula in QDIMACS with the same answer, for the solvers that take this format."""


@dataclass(frozen=True)
class Reply:
    """What a program said. ``value`` is ``None`` where a limit came first; ``cause`` then says which."""

    value: bool | None
    outermost: Mapping[int, bool] = field(default_factory=dict)
    """Values of numbered variables, as far as printed."""
    cause: str = "none"
    output: str = ""


def external_solvers() -> dict[str, Solver]:
    """The solvers found on the search path, by the name of the engine: ``qbf-depqbf``, ``qbf-bloqqer-caqe``, ...

    >>> all(name.startswith("qbf-") for name in external_solvers())
    True
    """
    found: dict[str, Solver] = {}
    bloqqer = shutil.which(BLOQQER.name)
    for program in PROGRAMS:
        path = shutil.which(program.name)
        if path is None:
            continue
        found[f"qbf-{program.name}"] = partial(solve_externally, program, path, None)
        if bloqqer is not None and program.format == "qdimacs":
            found[f"qbf-bloqqer-{program.name}"] = partial(solve_externally, program, path, bloqqer)
    return found


def solve_externally(
    program: Program,
    path: str,
    preprocessor: str | None,
    formula: Formula,
    limits: Limits | None = None,
    watch: Watch = no_watch,
) -> Answer:
    """Decides a formula in normal form by a program at a path, behind a preprocessor at another if one is given.

    ``stats["outermost"]`` names the winner's choice in the outermost block as far as the program tells it, as in
    ``x1 -x2``. :class:`NotApplicableError` where the program cannot be started, crashes or says nothing that makes
    sense.
    """
    if not formula.is_normal:
        raise ValueError("the formula is not in normal form")
    if formula.output >> 1 == 0:
        value = formula.output == TRUE
        return Answer(value, constant_functions(formula, value))
    limits = limits or Limits()
    with tempfile.TemporaryDirectory(prefix="zermelo-") as folder:
        file = Path(folder) / f"formula.{program.format}"
        text, numbers = _written(formula, program.format)
        if _NO_CLAUSES.search(text):
            # DepQBF crashes on these with --qdo; whoever chooses whatever, the formula is true.
            return Answer(True, constant_functions(formula, True))
        file.write_text(text, encoding="ascii")
        if preprocessor is not None:
            smaller = Path(folder) / "smaller.qdimacs"
            reply = run_program(BLOQQER, preprocessor, file, smaller, limits, watch)
            if reply.value is not None or reply.cause != "none":
                return Answer(reply.value, cause=reply.cause)
            file = smaller
        reply = run_program(program, path, file, Path(folder) / "output", limits, watch)
    if reply.value is None or preprocessor is not None or not program.outermost:
        return Answer(reply.value, cause=reply.cause)
    return _with_outermost(formula, reply.value, reply.outermost, numbers)


def run_program(program: Program, path: str, file: Path, output: Path, limits: Limits, watch: Watch) -> Reply:
    """Runs a program on a file under the limits and reads its answer; its output is left in another file.

    A preprocessor may leave the answer open, if it ends well and has written a formula.
    """
    errors = output.with_suffix(".err")
    call = [argument.replace("{file}", str(file)) for argument in program.arguments]
    with output.open("wb") as out, errors.open("wb") as err:
        # The shell sets the limits, which the program inherits: nothing of Python may run between fork and exec.
        kibibytes = math.ceil(limits.memory / 1024)
        shell = f'ulimit -v {kibibytes} 2>/dev/null; ulimit -f {MOST_OUTPUT // 512} 2>/dev/null; exec "$@"'
        try:
            process = subprocess.Popen(
                ["sh", "-c", shell, program.name, path, *call],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                cwd=output.parent,
                start_new_session=True,
            )
        except OSError as error:
            raise NotApplicableError(f"{program.name} cannot be started: {error.strerror}") from None
        cause = _waited(process, program.name, limits, watch)
    if cause != "none":
        return Reply(None, cause=cause)
    text, complaint = _tail(output), _tail(errors)
    if program is BLOQQER and process.returncode == 0 and re.search(r"^p cnf \d+ \d+", text, re.MULTILINE):
        return Reply(None)
    return read_reply(program.name, process.returncode, text, complaint)


def _waited(process: subprocess.Popen[bytes], name: str, limits: Limits, watch: Watch) -> str:
    """Waits for the end of a program, or ends it and all that it started; says which limit was reached."""
    began = shown = monotonic()
    try:
        while True:
            with suppress(subprocess.TimeoutExpired):
                process.wait(_LOOK)
                return "none"
            if limits.expired():
                return "time"
            if monotonic() - shown >= 0.25:
                shown = monotonic()
                watch(Progress(f"qbf-{name}", shown - began))
    except KeyboardInterrupt:
        return "interrupt"
    finally:
        # The program leads a process group of its own; its children may have outlived it.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


_TRUE = re.compile(r"^(?:s cnf 1\b.*|r SAT|s SATISFIABLE|SAT(?:ISFIABLE)?|TRUE|result: SAT)\s*$", re.I | re.M)
_FALSE = re.compile(
    r"^(?:s cnf (?:0|-1)\b.*|r UNSAT|s UNSATISFIABLE|UNSAT(?:ISFIABLE)?|FALSE|result: UNSAT)\s*$", re.I | re.M
)
_NO_CLAUSES = re.compile(r"^p cnf [0-9]+ 0$", re.M)
_VALUES = re.compile(r"^V((?:\s+-?[0-9]+)+)\s*$", re.M)
_MEMORY = re.compile(r"bad_alloc|out of memory|memory (?:limit|exhausted|allocation)|cannot allocate|MemoryError", re.I)


def read_reply(name: str, code: int, text: str, complaint: str = "") -> Reply:
    """What a solver means by its exit code (negative: the signal that ended it), its output and its error output.

    >>> read_reply("depqbf", 10, "s cnf 1 3 4\\nV -1 0\\nV 2 0").outermost
    {1: False, 2: True}
    >>> read_reply("quabs", 20, "r UNSAT").value
    False
    """
    said = {value for value, pattern in ((True, _TRUE), (False, _FALSE)) if pattern.search(text)}
    if code in (10, 20):
        said.add(code == 10)
    if len(said) > 1:
        raise NotApplicableError(f"{name} contradicts itself: exit code {code}, output {_last_line(text)!r}")
    if not said or code not in (0, 10, 20):
        # What a program says before it crashes is no answer.
        if _MEMORY.search(complaint) or _MEMORY.search(text[-1000:]):
            return Reply(None, cause="memory", output=text)
        how = f"was ended by {_signal(-code)}" if code < 0 else f"ended with exit code {code}"
        last = _last_line(complaint) or _last_line(text)
        raise NotApplicableError(f"{name} {how} and gave no answer" + (f": {last}" if last else ""))
    values: dict[int, bool] = {}
    for match in _VALUES.finditer(text):
        values.update((abs(number), number > 0) for number in map(int, match[1].split()) if number)
    return Reply(said.pop(), values, output=text)


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else ""


def _tail(file: Path) -> str:
    with file.open("rb") as stream:
        stream.seek(max(0, file.stat().st_size - MOST_READ))
        return stream.read(MOST_READ).decode("ascii", "replace")


def _written(formula: Formula, form: Format) -> tuple[str, Mapping[int, int]]:
    """The text of a formula, and of its variables the numbers in the text, as far as they are known."""
    if form == "qcir":
        from zermelo.qbf.qcir import write_qcir

        return write_qcir(formula, numeric=True), {}
    from zermelo.qbf.qdimacs import clauses_text
    from zermelo.qbf.tseitin import clausal

    clauses = clausal(formula)
    # Pulling quantified gates out of parts that do not matter makes another circuit, with other variables.
    same = clauses.formula.circuit is formula.circuit
    return clauses_text(clauses), {variable: number for number, variable in clauses.origin.items()} if same else {}


def _with_outermost(formula: Formula, value: bool, values: Mapping[int, bool], numbers: Mapping[int, int]) -> Answer:
    """The answer with the winner's choice in the outermost block, and with functions where that is all it chooses."""
    winner = "exists" if value else "forall"
    block = formula.prefix[0]
    if block.quantifier != winner or any(variable not in numbers for variable in block.variables):
        return Answer(value)
    # The values may be a part of the choice only, and then it is not the case that any others will do: DepQBF leaves
    # out variables of forall that the clause violated at the end still has.
    chosen = {variable: values[numbers[variable]] for variable in block.variables if numbers[variable] in values}
    if not chosen:
        return Answer(value)
    words = [("" if true else "-") + formula.name(variable) for variable, true in chosen.items()]
    whole = len(formula.prefix) <= 2 and len(chosen) == len(block.variables)
    functions = move_functions(formula, chosen) if whole else None
    return Answer(value, functions, stats={"outermost": " ".join(words)})
