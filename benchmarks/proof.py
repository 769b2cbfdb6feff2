"""``python -m benchmarks.proof``: what a proof costs beside the search, in processor time.

Every target is solved by one engine, its certificate of version 2 is written by the same kernel, and both checkers read
it: ``zermelo-check`` and the one in Python. Search and writing are one process, each check is another, so that peaks of
memory are its own. ``--parts N`` writes and checks in N files, with all processors.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from benchmarks.proof_kinds import SOLVE, Stated, stated_in

TARGETS = (
    "connect:4,4,4", "connect:4,5,4", "connect:5,5,4", "connect:5,6,4", "connect:6,5,4", "hex:4", "hex:5",
    "breakthrough:5,4", "mnk:4,4,4", "mnk:5,5,4", "othello:4,4", "dotsandboxes:2,3",
)  # fmt: skip

SEARCH = """
import sys, time
from zermelo import _native
from zermelo.games import make_game
from zermelo.limits import Limits
game, file, memory = make_game(sys.argv[1]), sys.argv[2], int(sys.argv[3])
params = _native.SearchParams()
params.table_bytes = memory << 20
search = game.native().search("alphabeta", params)
control = _native.Control()
began = time.process_time()
outcome = search.solve(control)
searched = time.process_time() - began
written = 0.0
if file:
    from pathlib import Path
    from zermelo.certificate import Certificate, Claim, about
    from zermelo.check.instance import digest_of
    from zermelo.search.certify import claimants
    from zermelo.search.proof_parts import ProofForm, layers_of, with_parts
    parts, limits = int(sys.argv[4]), Limits(memory=16 << 30)
    winner = None if outcome.lower == 0 else game.roles[outcome.lower < 0]
    native = game.native()
    owners = claimants(game, winner or "draw", outcome.lower == native.best, outcome.lower == native.worst)
    began = time.process_time()
    claims = []
    for owner in owners:
        if parts == 1:
            layers = layers_of(search.layers(owner, outcome.lower, _native.Control(), sys.argv[5] == "brief"))
        else:
            trunk = search.trunk(owner, outcome.lower, _native.Control(), 64 * parts)
            layers = with_parts(game, search, trunk, "", ProofForm(sys.argv[5] == "brief", parts), limits)
        score = outcome.lower if owner == 0 else -outcome.lower
        claims.append(about(game, Claim(game.roles[owner], score, layers=layers)))
    Certificate(sys.argv[1], tuple(claims), digest_of(game)).write(Path(file))
    written = time.process_time() - began
print(searched, written, control.nodes)
"""
CHECK = """
import sys, time
from pathlib import Path
from zermelo.certificate import read_certificate
from zermelo.check import check_certificate
from zermelo.check.targets import game_to_check
began = time.process_time()
verdict = check_certificate(game_to_check(sys.argv[1]), read_certificate(Path(sys.argv[2])))
assert verdict.accepted, verdict
print(time.process_time() - began, verdict.positions)
"""


@dataclass(frozen=True)
class Row:
    """What was measured of one target: seconds, positions, bytes, megabytes."""

    target: str
    nodes: int
    search: float
    write: float
    native: float
    python: float | None
    positions: int
    bytes: int
    memory: tuple[int, int, int]
    second: bool = True
    """Whether ``zermelo-check`` reads such certificates."""

    def text(self) -> str:
        """A row of the table."""
        rate = "" if self.python is None or not self.positions else f", {self.positions / self.python:,.0f}/s"
        python = "" if self.python is None else f"{self.python:.2f} s{rate}"
        peaks = " / ".join(map(str, self.memory))
        speed = f", {self.positions / max(self.native, 1e-9) / 1e6:.1f} M/s" if self.positions else ""
        second = f"{self.native:.3f} s{speed}" if self.second else ""
        each = f"{self.bytes / self.positions:.2f}" if self.positions else f"{self.bytes:,} in all"
        return (
            f"| `{self.target}` | {self.nodes:,} | {self.search:.3f} s | {self.write:.3f} s "
            f"| {second} | {python} | {self.positions:,} | {each} | {peaks} MB |"
        )


def run(arguments: Sequence[str]) -> tuple[str, float, int]:
    """What a process prints, its processor time, and its peak of memory in megabytes."""
    timed = [sys.executable, "-c", _PEAK, *arguments]
    done = subprocess.run(timed, capture_output=True, text=True, check=True)
    *said, usage = done.stdout.splitlines()
    seconds, peak = usage.split()
    return "\n".join(said), float(seconds), int(peak)


_PEAK = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], capture_output=True, text=True)
sys.stderr.write(done.stderr)
sys.stdout.write(done.stdout)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss >> 10)
sys.exit(done.returncode)
"""


@cache
def checker() -> str:
    """The second checker, as it was installed with the package, or compiled once for its sources as they are now."""
    installed = shutil.which("zermelo-check", path=str(Path(sys.executable).parent))
    if installed:
        return installed
    root = Path(__file__).parents[1]
    sources = sorted((root / "checker").glob("*.?pp"))
    digest = sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]
    made = root / "build" / f"zermelo-check-{digest}"
    if not made.exists():
        made.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=made.parent) as scratch:
            fresh = Path(scratch) / made.name
            compiled = [str(source) for source in sources if source.suffix == ".cpp"]
            subprocess.run(["c++", "-std=c++20", "-O2", *compiled, "-o", str(fresh)], check=True)
            fresh.replace(made)
    return str(made)


def measure(target: str, memory: int, file: Path, parts: int, *, with_python: bool, brief: bool = True) -> Row:
    """One target, all four steps; ``brief`` leaves images and closed positions out of the proof."""
    form = [str(parts), "brief" if brief else "plain"]
    said, _, writing_peak = run([sys.executable, "-c", SEARCH, target, str(file), str(memory), *form])
    search, write, nodes = said.split()
    said, native, native_peak = run([checker(), str(file), target])
    positions = int(said.split()[-2])
    python, python_peak = None, 0
    if with_python:
        said, _, python_peak = run([sys.executable, "-c", CHECK, target, str(file)])
        python = float(said.split()[0])
        assert int(said.split()[1]) == positions
    peaks = writing_peak, native_peak, python_peak
    size = sum(each.stat().st_size for each in (file, *file.parent.glob(f"{file.stem}.*{file.suffix}")))
    return Row(target, int(nodes), float(search), float(write), native, python, positions, size, peaks)


def measure_kind(kind: Stated, target: str, file: Path) -> Row:
    """A game of another kind, all steps that there are for it."""
    said, _, writing_peak = run([sys.executable, "-c", SOLVE, target, str(file)])
    search, write, nodes = map(float, said.split()[-3:])
    native, native_peak = (run([checker(), str(file), target])[1:]) if kind.by_second else (0.0, 0)
    said, _, python_peak = run([sys.executable, "-c", CHECK, target, str(file)])
    python, positions = said.split()
    peaks = writing_peak, native_peak, python_peak
    size = file.stat().st_size
    return Row(kind.name, int(nodes), search, write, native, float(python), int(positions), size, peaks, kind.by_second)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", help="of the library; if none is named, all, and those of other kinds")
    parser.add_argument("--memory", type=int, default=1024, help="megabytes of the search's table")
    parser.add_argument("--parts", type=int, default=1, help="files of each certificate")
    parser.add_argument("--keep", type=Path, help="a folder for the certificates")
    parser.add_argument("--no-python", action="store_true", help="leave the checker in Python out")
    parser.add_argument("--plain", action="store_true", help="proofs without images and closed positions")
    given = parser.parse_args()
    print("| target | nodes | search | writing | zermelo-check | Python | positions | bytes each | memory |")
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for target in given.targets or TARGETS:
            file = folder / (target.replace(":", "-").replace(",", "-") + ".zc")
            form = {"with_python": not given.no_python, "brief": not given.plain}
            print(measure(target, given.memory, file, given.parts, **form).text(), flush=True)
        for kind, target in () if given.targets else stated_in(folder):
            print(measure_kind(kind, target, folder / "proof.zc").text(), flush=True)


if __name__ == "__main__":
    main()
