"""Limits hold whatever the process is doing."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.faults.processes import slow_game, start
from zermelo import watchdog
from zermelo.answer import Answer
from zermelo.certificate import Claim
from zermelo.check.read.qcir import read as read_qcir
from zermelo.check.read.qdimacs import read as read_qdimacs
from zermelo.errors import LimitReachedError
from zermelo.kernel_thread import KernelRun, control_for
from zermelo.limits import MEBIBYTE, READING_STEPS, Limits, reading_under, resident, resident_ceiling
from zermelo.options import Options
from zermelo.qbf.game import FormulaGame
from zermelo.qbf.normal import normalized
from zermelo.qbf.qcir import parse_qcir
from zermelo.qbf.qdimacs import parse_qdimacs
from zermelo.solving import solve
from zermelo.solving.verifying import checked, solution_of
from zermelo.source import Source
from zermelo.stop import Stop
from zermelo.watchdog import deadline


def most_held(*arguments: str, **settings: Any) -> tuple[str, int, float]:
    """What a process said, its status, and the most mebibytes that it held."""
    # A process that is started counts what its parent held: so a small one is put between.
    between = (
        "import resource, subprocess, sys\n"
        "done = subprocess.run([sys.executable, '-m', 'zermelo', *sys.argv[1:]])\n"
        "print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)"
    )
    call = [sys.executable, "-c", between, *arguments]
    done = subprocess.run(call, capture_output=True, text=True, check=True, **settings)
    status, most = (int(word) for word in done.stderr.split()[-2:])
    return done.stdout, status, most / 1024


@pytest.mark.parametrize("limit", [100, 160])
def test_the_memory_limit_bounds_what_the_process_holds(tmp_path: Path, limit: int) -> None:
    said, status, most = most_held("solve", slow_game(tmp_path), "--memory-limit", str(limit), "--json", "--quiet")
    answer = json.loads(said)
    assert status == 3
    assert "memory" in answer["note"] or "limit" in answer["note"]
    assert answer["stats"]["interpreter_bytes"] < 70 * MEBIBYTE
    assert most < limit * 1.1


@pytest.mark.parametrize(
    "call",
    [
        ("solve", "FILE", "--quiet"),
        ("check", "FILE", "FILE"),
        ("show", "FILE", "--as", "graph"),
        ("play", "FILE", "--as", "none"),
        ("encode", "FILE", "--to", "graph"),
    ],
    ids=lambda call: call[0],
)
def test_the_memory_limit_holds_while_a_large_file_is_read(tmp_path: Path, call: tuple[str, ...]) -> None:
    file = tmp_path / "large.graph"
    file.write_text("".join(f"{a} {(a * 7 + b) % 200_000}\n" for a in range(200_000) for b in (1, 2, 3)))
    arguments = (str(file) if word == "FILE" else word for word in call)
    _, status, most = most_held(*arguments, "--memory-limit", "100", stdin=subprocess.DEVNULL)
    assert status == 3
    assert most < 170  # reading it takes 255; how far it gets beyond 100 depends on the machine


def test_the_time_limit_holds_in_every_phase() -> None:
    """A phase of plain Python that looks at nothing."""
    with pytest.raises(LimitReachedError, match="time limit"), deadline(Limits(seconds=0.05)):
        while True:
            pass


def test_who_goes_on_after_the_time_was_up_is_told_again() -> None:
    told = 0
    with deadline(Limits(seconds=0.05)):
        while told < 2:
            try:
                while True:
                    pass
            except LimitReachedError:
                told += 1
    assert told == 2


class Slow:
    """What takes long to be taken apart, so that the alarm strikes where Python cannot raise an error."""

    def __del__(self) -> None:
        while True:
            time.sleep(0.01)


def test_an_alarm_in_a_destructor_is_neither_lost_nor_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", shown.append)
    monkeypatch.setattr(watchdog, "AGAIN", 1000.0)
    ends = time.monotonic() + 60
    with pytest.raises(LimitReachedError, match="time limit"), deadline(Limits(seconds=0.05)):
        for _ in range(2):
            Slow()
        while time.monotonic() < ends:
            pass
    assert shown == []
    assert sys.unraisablehook == shown.append


def test_an_error_of_another_in_a_destructor_is_still_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda found: shown.append(type(found.exc_value)))

    class Broken:
        def __del__(self) -> None:
            raise LimitReachedError("not the alarm's")

    with deadline(Limits()):
        Broken()
    assert shown == [LimitReachedError]


def test_an_interrupt_that_nobody_heard_is_told_by_the_alarm() -> None:
    """As one that struck in a destructor: there Python cannot raise it."""
    stop = Stop()
    stop.request("interrupt")
    with pytest.raises(LimitReachedError, match="interrupted"), deadline(Limits(stop=stop)):
        while True:
            pass


def test_a_deadline_around_others_outlives_them() -> None:
    with pytest.raises(LimitReachedError), deadline(Limits(seconds=0.6)):
        with deadline(Limits()):
            pass
        while True:
            time.sleep(0.01)


def test_memory_beyond_the_ceiling_asks_for_the_stop() -> None:
    stop = Stop()
    with resident_ceiling(1) as ceiling, pytest.raises(LimitReachedError, match="memory"), deadline(Limits(stop=stop)):
        held = bytearray(ceiling - resident() + 64 * MEBIBYTE)
        while held:
            time.sleep(0.01)
    assert stop.reason == "memory"


def test_a_stop_reaches_a_kernel_at_work() -> None:
    from zermelo import _native
    from zermelo.games import make_game

    stop = Stop()
    game = make_game("connect:6,7,4").native()
    assert game is not None
    run = KernelRun(
        "alphabeta", game.search("alphabeta", _native.SearchParams()).solve, control_for(Limits(stop=Stop(stop)))
    )
    stop.request("interrupt")
    run.wait(60)
    assert not run.running
    assert run.control.cause == "interrupt"


def test_a_stop_that_was_asked_for_before_is_heard_too() -> None:
    stop = Stop()
    stop.request("interrupt")
    solution = solve("connect:6,7,4", limits=Limits(stop=stop))
    assert (solution.status, solution.stopped_by, solution.note) == ("unknown", "interrupt", "interrupted")


@pytest.mark.parametrize(
    "target", ["gomoku-qip:4,4,4", "hex:6", "gdl:checkers", "domineering:7x6", "examples/bakery.qlp", "nim:3,4"]
)
@pytest.mark.parametrize(
    "limits", [{"memory": 1}, {"nodes": 1}, {"seconds": 1e-6}], ids=lambda limits: next(iter(limits))
)
def test_no_limit_is_so_small_that_a_kernel_breaks(target: str, limits: dict[str, Any]) -> None:
    target = str(Path(__file__).parents[2] / target) if "/" in target else target
    try:
        assert solve(target, limits=Limits(**{"seconds": 5} | limits)).status in ("unknown", "bounded", "solved")
    except LimitReachedError as error:
        assert "limit" in str(error)


def test_no_certificate_is_computed_where_none_is_checked_or_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "proof.json"
    plain = start("solve", "hex:3", "--engine", "alphabeta", "--no-check", "--json")
    asked = start("solve", "hex:3", "--engine", "alphabeta", "--no-check", "--json", "--certificate", str(file))
    without, with_file = (json.loads(process.communicate(timeout=120)[0]) for process in (plain, asked))
    assert "strategy_positions" not in without["stats"]
    assert with_file["stats"]["strategy_positions"] > 0
    assert json.loads(file.read_text())["claims"]


LONG = READING_STEPS + 1000
CLAUSES = f"p cnf {LONG} {LONG}\n" + "".join(f"{n} -{n % LONG + 1} 0\n" for n in range(1, LONG + 1))
GATES = (
    "#QCIR-G14\nexists(x)\noutput(g0)\n"
    + "".join(f"g{n} = xor(x, g{n + 1})\n" for n in range(LONG))
    + f"g{LONG} = forall(y; x)\n"
)


@pytest.mark.parametrize(
    "read",
    [
        lambda: parse_qdimacs(CLAUSES),
        lambda: parse_qcir(GATES),
        lambda: read_qdimacs(Source("qdimacs", CLAUSES, "f")),
        lambda: read_qcir(Source("qcir", GATES, "f")),
    ],
    ids=["qdimacs", "qcir", "the checker's qdimacs", "the checker's qcir"],
)
def test_readers_of_formulas_look_at_the_limits_in_any_thread(read: Callable[[], object]) -> None:
    ends: list[object] = []

    def work(seconds: float | None) -> None:
        try:
            with reading_under(Limits(seconds=seconds)):
                ends.append(read())
        except LimitReachedError as error:
            ends.append(str(error))

    for seconds in (0.0, None):
        thread = threading.Thread(target=work, args=(seconds,))
        thread.start()
        thread.join()
    assert ends[0] == "stopped at the limit of time"
    assert not isinstance(ends[1], str)


def test_the_normal_form_looks_at_the_limits() -> None:
    formula = parse_qcir(GATES)
    with reading_under(Limits(seconds=0.0)), pytest.raises(LimitReachedError, match="time"):
        normalized(formula)
    assert normalized(formula).is_normal


def test_an_answer_stays_when_the_checker_has_no_time_to_read_the_game() -> None:
    game = FormulaGame(parse_qdimacs(CLAUSES))
    game.source = Source("qdimacs", CLAUSES, "f")
    claims = (Claim("exists", 1, rule="functions", data={"aag": ""}),)
    found = solution_of(game, Answer("cegar", "solved", value=1, claims=claims), "f")
    late = checked(found, Options(), Limits(seconds=0.0))
    assert (late.status, late.value, late.verified, late.certificate) == ("solved", 1, False, None)
    assert "before the checker had read the game" in late.note
