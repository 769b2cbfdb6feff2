"""Quantified programs: our engines against the deterministic equivalent by HiGHS, and Yasol where it is installed.

CPU seconds, one run. Families from a seed (:mod:`benchmarks.qip_models`) and public programs where ``ZERMELO_CORPUS``
says where they are. ``qip`` is the value by the portfolio, ``proved`` has both proofs written down and checked. The
peer writes out all scenarios and gives them to HiGHS, one thread. All that answer must answer the same, or the run
fails. ``python -m benchmarks qip``.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from benchmarks.qbf import cpu_seconds
from benchmarks.qip_models import families
from zermelo.errors import LimitReachedError
from zermelo.limits import Limits
from zermelo.qip.formats.qlp import read_qlp, write_qlp
from zermelo.qip.programs.deterministic_equivalent import Equivalent, deterministic
from zermelo.qip.programs.program import Program

INFEASIBLE = "infeasible"


@dataclass(frozen=True)
class Timed:
    """One answer (a value, or that there is none) and what it took; ``None`` where a limit came first."""

    value: Fraction | str | None
    seconds: float
    note: str = ""

    def __str__(self) -> str:
        return f"{self.seconds:.3f}" if self.value is not None else f"> {self.seconds:.1f}"


def timed(solve: Callable[[], tuple[Fraction | str | None, str]]) -> Timed:
    """The answer of a call and its processor time."""
    before = cpu_seconds()
    value, note = solve()
    return Timed(value, cpu_seconds() - before, note)


def by_portfolio(program: Program, limit: float, verify: bool) -> Timed:
    """The engine ``qip``; an answer that should be verified and is not does not count."""
    from zermelo.options import Options
    from zermelo.qip.game import ProgramGame
    from zermelo.solving import solve_game

    def solve() -> tuple[Fraction | str | None, str]:
        options = Options(certify=verify, verify=verify, proof_seconds=limit)
        solution = solve_game(ProgramGame(program), "qip", Limits(limit), options)
        note = f"{solution.engine}, {solution.stats.get('nodes', 0):,} nodes"
        if solution.status != "solved" or (verify and not solution.verified):
            return None, f"{note}; {solution.note}"
        return (INFEASIBLE if solution.winner == "forall" else Fraction(solution.value or 0)), note

    return timed(solve)


def by_equivalent(program: Program, limit: float) -> Timed:
    """All scenarios in one mixed integer program, by HiGHS; the answer is what floating point says."""

    def solve() -> tuple[Fraction | str | None, str]:
        try:
            equivalent = deterministic(program, most=20_000_000)
        except LimitReachedError:
            return None, "too many scenarios"
        status, value = _highs(equivalent, limit)
        if status == INFEASIBLE:
            return INFEASIBLE, ""
        return (None if value is None else Fraction(round(value * 1000), 1000) + equivalent.constant), ""

    return timed(solve)


def _highs(equivalent: Equivalent, limit: float) -> tuple[str, float | None]:
    import highspy
    import numpy as np

    highs = highspy.Highs()
    for option, setting in (("output_flag", False), ("threads", 1), ("time_limit", limit), ("mip_rel_gap", 0.0)):
        highs.setOptionValue(option, setting)
    for column in equivalent.columns:
        highs.addVar(
            -highspy.kHighsInf if column.lower is None else float(column.lower),
            highspy.kHighsInf if column.upper is None else float(column.upper),
        )
    whole = np.array([number for number, column in enumerate(equivalent.columns) if column.integer], np.int32)
    if whole.size:
        kinds = np.full(whole.size, highspy.HighsVarType.kInteger)
        highs.changeColsIntegrality(whole.size, whole, kinds)
    for number, cost in equivalent.objective:
        highs.changeColCost(number, float(cost))
    for row in equivalent.rows:
        right = float(row.right)
        low = right if row.relation in (">=", "=") else -highspy.kHighsInf
        high = right if row.relation in ("<=", "=") else highspy.kHighsInf
        places = np.array([number for number, _ in row.terms], np.int32)
        highs.addRow(low, high, places.size, places, np.array([float(c) for _, c in row.terms], np.float64))
    if equivalent.sense == "max":
        highs.changeObjectiveSense(highspy.ObjSense.kMaximize)
    highs.run()
    status = highs.getModelStatus()
    if status == highspy.HighsModelStatus.kOptimal:
        return "optimal", highs.getInfo().objective_function_value
    return (INFEASIBLE if status == highspy.HighsModelStatus.kInfeasible else "unknown"), None


def by_yasol(program: Program, limit: float) -> Timed | None:
    """The solver Yasol, where it is on the path: a line with its optimum, or that there is none."""
    yasol = shutil.which("yasol")
    if yasol is None:
        return None

    def solve() -> tuple[Fraction | str | None, str]:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "program.qlp"
            file.write_text(write_qlp(program), encoding="utf-8")
            try:
                done = subprocess.run([yasol, str(file)], capture_output=True, text=True, timeout=limit, check=False)
            except subprocess.TimeoutExpired:
                return None, ""
        if re.search(r"infeasible|UNSAT", done.stdout, re.IGNORECASE):
            return INFEASIBLE, ""
        found = re.findall(r"optim\w*[^-\d\n]*(-?\d+(?:\.\d+)?)", done.stdout, re.IGNORECASE)
        return (Fraction(found[-1]) if found else None), ""

    return timed(solve)


def need_agreement(name: str, answers: Mapping[str, Timed]) -> None:
    """Fails where two answers differ by more than floating point explains."""
    known = {who: answer.value for who, answer in answers.items() if answer.value is not None}
    for value in known.values():
        for other in known.values():
            same = value == other if isinstance(value, str) or isinstance(other, str) else abs(value - other) < 1
            if not same:
                raise SystemExit(f"{name}: " + ", ".join(f"{who} {answer}" for who, answer in known.items()))


def rows_of(programs: Iterator[tuple[str, Program, Timed | None]], limit: float) -> Iterator[str]:
    """A line for each program: value, seconds of all, and how many times faster than the peer we are."""
    yield "| program | value | qip | by | proved | equivalent + HiGHS | ratio | Yasol |"
    yield "|---|--:|--:|---|--:|--:|--:|--:|"
    for name, program, known in programs:
        ours = by_portfolio(program, limit, verify=False)
        whole = by_portfolio(program, limit, verify=True)
        peer = by_equivalent(program, limit)
        answers = {"qip": ours, "proved": whole, "HiGHS": peer}
        answers |= {} if (yasol := by_yasol(program, limit)) is None else {"Yasol": yasol}
        need_agreement(name, answers | ({} if known is None else {"known": known}))
        value = next((str(a.value) for a in answers.values() if a.value is not None), "?")
        ratio = f"{'> ' * (peer.value is None)}{peer.seconds / max(ours.seconds, 1e-4):.0f}"
        ratio = peer.note or ("-" if ours.value is None else ratio)
        yield f"| {name} | {value} | {ours} | {ours.note} | {whole} | {peer} | {ratio} | {yasol or '-'} |"


def made() -> Iterator[tuple[str, Program, Timed | None]]:
    """The families, program by program."""
    for programs in families().values():
        for program in programs:
            yield program.name, program, None


def public() -> Iterator[tuple[str, Program, Timed | None]]:
    """The public programs with their known values."""
    folder = Path(os.environ.get("ZERMELO_CORPUS", "no-corpus")) / "qip"
    known = json.loads((folder / "answers.json").read_text(encoding="utf-8")) if folder.is_dir() else {}
    for name, entry in known.items():
        value = INFEASIBLE if entry["status"] == "infeasible" else entry.get("value")
        answer = None if value is None else Timed(value if value == INFEASIBLE else Fraction(value), 0.0)
        yield name, read_qlp(folder / f"{name}.qlp"), answer


def table(limit: float) -> Iterator[str]:
    """All tables, line by line as they come."""
    yield "### Families\n"
    yield from rows_of(made(), limit)
    yield "\n### Public programs\n"
    yield from rows_of(public(), limit)
    yield f"\n{time.strftime('%Y-%m-%d')}, limit {limit:g} s."
