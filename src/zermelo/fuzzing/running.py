"""Goes through cases by their seeds; a case that fails is made smaller and kept as a file."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from pathlib import Path
from time import monotonic, process_time

from zermelo.errors import InputError, ZermeloError
from zermelo.files import read_text, write_text
from zermelo.fuzzing import cases as asked
from zermelo.fuzzing.cases import Case, Count, broken_law, case_from, drawn, game_after, smaller
from zermelo.limits import Limits
from zermelo.stop import PROCESS

SHRINKING = 60.0
"""Seconds for making a case smaller."""
SLICE = 500
"""So many seeds a worker takes at a time."""
REPLAYING = Limits(seconds=60.0)
"""What each route may take about a case that is tried again: a busy machine must not hide what is wrong."""


@dataclass
class Report:
    """What a run has found."""

    seed: int
    cases: int = 0
    answers: int = 0
    skipped: int = 0
    cpu_seconds: float = 0.0
    kinds: dict[str, int] = field(default_factory=dict)
    routes: dict[str, int] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        found = f"{len(self.failures)} disagreements" if self.failures else "no disagreement"
        return (
            f"{self.cases:,} games from seed {self.seed}, {self.answers:,} answers by {len(self.routes)} routes, "
            f"{self.skipped:,} not compared, {self.cpu_seconds:.0f} s of processor time: {found}"
        )

    def add(self, other: Report) -> None:
        """Takes in what another process has found."""
        self.cases += other.cases
        self.answers += other.answers
        self.skipped += other.skipped
        self.cpu_seconds += other.cpu_seconds
        for mine, more in ((self.kinds, other.kinds), (self.routes, other.routes)):
            for name, number in more.items():
                mine[name] = mine.get(name, 0) + number
        self.failures += other.failures


def fuzz(
    seed: int,
    cases: int,
    folder: Path,
    tell: Callable[[str], None],
    seconds: float | None = None,
    workers: int = 1,
) -> Report:
    """Tries the cases of so many seeds in a row, or until the time is up; case number i has the seed ``seed + i``.

    Several workers are processes, which take the seeds in slices.

    >>> print(fuzz(1, 2, Path(), print))  # doctest: +ELLIPSIS
    2 games from seed 1, ... no disagreement
    """
    if workers == 1:
        return _fuzz_in_a_row(seed, cases, folder, tell, seconds)
    report, ends = Report(seed), None if seconds is None else monotonic() + seconds
    with ProcessPoolExecutor(workers, get_context("fork")) as pool:
        slices = [
            pool.submit(_fuzz_slice, first, min(SLICE, seed + cases - first), folder, ends)
            for first in range(seed, seed + cases, SLICE)
        ]
        for done in as_completed(slices):
            part, told = done.result()
            report.add(part)
            for line in [*told, str(report)] if part.cases else told:
                tell(line)
    return report


def _fuzz_slice(seed: int, cases: int, folder: Path, ends: float | None) -> tuple[Report, list[str]]:
    told: list[str] = []
    left = None if ends is None else ends - monotonic()
    return _fuzz_in_a_row(seed, cases, folder, told.append, left, cases + 1), told


def _fuzz_in_a_row(
    seed: int, cases: int, folder: Path, tell: Callable[[str], None], seconds: float | None, often: int = 1000
) -> Report:
    report = Report(seed)
    began, ends = process_time(), None if seconds is None else monotonic() + seconds
    for number in range(seed, seed + cases):
        if PROCESS.asked or (ends is not None and monotonic() > ends):
            break
        case, count = drawn(number), Count(routes=report.routes)
        error = broken_law(case, count)
        report.cases += 1
        report.answers += count.answers
        report.skipped += count.skipped
        report.kinds[case.kind] = report.kinds.get(case.kind, 0) + 1
        if error is not None:
            file = kept(shrunk(_with_routes(case)), number, error, folder)
            report.failures.append(str(file))
            tell(f"seed {number}, {case.kind}: {error}; zermelo fuzz replay {file}")
        report.cpu_seconds = process_time() - began
        if report.cases % often == 0:
            tell(str(report))
    return report


def _with_routes(case: Case) -> Case:
    """The case with the routes written out that its seed draws."""
    if case.routes:
        return case
    try:
        return replace(case, routes=asked.routes_drawn(game_after(case), case.seed))
    except ZermeloError:
        return case


def shrunk(case: Case, seconds: float = SHRINKING) -> Case:
    """A smaller case that fails as well: greedy descent until nothing smaller fails or the time is up."""
    ends, improved = monotonic() + seconds, True
    if (cause := _cause(broken_law(case))) is None:
        return case  # it fails no more: by chance, or at a limit
    while improved and monotonic() < ends:
        improved = False
        for candidate in smaller(case):
            if monotonic() > ends:
                break
            if _cause(broken_law(candidate)) == cause:
                case, improved = candidate, True
                break
    return case


def _cause(error: str | None) -> str | None:
    """The class of what went wrong: a smaller case that fails in another way is another case."""
    return None if error is None else error.partition(":")[0]


def kept(case: Case, seed: int, error: str, folder: Path) -> Path:
    """Writes a case to a file."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"fuzz-{seed}.json"
    write_text(file, json.dumps({**case.to_json(), "error": error}, indent=2) + "\n")
    return file


def replayed(file: str) -> tuple[Case, str | None, Count]:
    """The case in a file, what is wrong with it today, and whether anything could be compared.

    >>> replayed("nowhere.json")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: nowhere.json: no such file
    """
    text = read_text(file, "fuzz case", 16 << 20)
    try:
        case = case_from(text)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"not a case of zermelo fuzz: {error}", file=file) from None
    count = Count()
    return case, broken_law(case, count, REPLAYING), count
