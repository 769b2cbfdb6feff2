"""Ctrl-C and SIGTERM at any moment of any verb: what was found so far, a status that says what happened, no debris."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.faults.processes import Ended, ended, left_behind, signalled, slow_game, start
from zermelo.signals import Signals
from zermelo.stop import Stop

INT, TERM, KILL = signal.SIGINT, signal.SIGTERM, signal.SIGKILL
MOMENTS = [
    0.4,
    1.0,
    2.0,
    *(
        pytest.param(after, marks=pytest.mark.slow)
        for after in (0.05, 0.2, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 1.2, 1.4, 1.7, 2.5)
    ),
]
"""From the start of the interpreter over reading and searching to writing and checking, on fast machines and slow."""


@pytest.mark.parametrize("apart", [0.02, 0.05, 0.2])
def test_two_interrupts_in_a_row_end_the_run_cleanly(apart: float) -> None:
    for after in (1.0, 1.5, 2.0):
        said = signalled(start("solve", "connect:6,7,4"), after, INT, INT, apart=apart)
        assert said.clean, said
        assert said.status in (3, 130)


@pytest.mark.parametrize("apart", [0.02, 0.2])
def test_two_interrupts_in_a_row_leave_the_report_its_time(apart: float) -> None:
    for _ in range(5):  # on a busy machine a report may take longer than the second that it is given
        said = signalled(start("solve", "connect:6,7,4", "--json"), 2.0, INT, INT, apart=apart)
        if said.status == 3:
            break
    assert said.status == 3, said
    assert json.loads(said.out)["note"] == "interrupted"
    assert json.loads(said.out)["bounds"]


@pytest.mark.parametrize("times, apart", [(2, 0.05), (2, 0.5), (2, 1.2), (3, 0.05)])
def test_interrupts_in_a_row_do_not_wait_for_a_program_that_hears_nothing(
    tmp_path: Path, times: int, apart: float
) -> None:
    file = tmp_path / "deaf.py"
    file.write_text(
        "import time\n"
        "print('deaf', flush=True)\n"
        "while True:\n"
        "    try:\n"
        "        time.sleep(1)\n"
        "    except BaseException:\n"
        "        pass\n"
    )
    process = start("solve", f"{file}:Game")
    assert process.stderr is not None
    assert "deaf" in process.stderr.readline()
    said = signalled(process, 0.1, *[INT] * times, apart=apart)
    assert said.status == 130
    assert said.err == "zermelo: interrupted\n"


def test_the_third_interrupt_does_not_wait_for_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[int] = []
    monkeypatch.setattr("zermelo.signals.leave", left.append)
    monkeypatch.setattr("zermelo.signals.REPORT_SECONDS", 3600.0)
    monkeypatch.setattr(threading.Timer, "start", lambda timer: None)
    monkeypatch.setattr("zermelo.signals.SAME_MOMENT", -1.0)
    signals = Signals(Stop())
    signals._hear(INT)
    signals._hear(INT)
    assert left == []
    signals._hear(INT)
    assert left == [130]


def test_a_delayed_interrupt_comes_right_after_the_block() -> None:
    code = (
        "import os, signal\n"
        "from zermelo.signals import SIGNALS\n"
        "SIGNALS.install()\n"
        "try:\n"
        "    with SIGNALS.delayed():\n"
        "        signal.raise_signal(signal.SIGINT)\n"
        "        print('whole')\n"
        "    print('not interrupted')\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', flush=True)\n"
        "os._exit(0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.split() == ["whole", "interrupted"], done


@pytest.mark.parametrize("number", [INT, signal.SIGALRM], ids=["interrupt", "alarm"])
@pytest.mark.parametrize("call", [1, 1200, 1450, 1700, 2000, 2200])
def test_nothing_is_raised_while_the_kernels_are_loaded(number: int, call: int) -> None:
    """C++ ends the process where the making of its classes is interrupted, which takes some two thousand calls."""
    code = (
        "import importlib.util, os, signal, sys, enum, numpy\n"
        "from zermelo.errors import LimitReachedError\n"
        "from zermelo.limits import Limits\n"
        "from zermelo.signals import SIGNALS\n"
        "from zermelo.watchdog import deadline\n"
        "spec = importlib.util.find_spec('zermelo._native')\n"
        "calls = 0\n"
        "def strike(frame, event, argument):\n"
        "    global calls\n"
        "    calls += 1\n"
        f"    if calls == {call}:\n"
        f"        sys.setprofile(None)\n"
        f"        signal.raise_signal({int(number)})\n"
        "SIGNALS.install()\n"
        "try:\n"
        "    with deadline(Limits(seconds=1e-9, started=0.0)):\n"
        "        sys.setprofile(strike)\n"
        "        module = importlib.util.module_from_spec(spec)\n"
        "        spec.loader.exec_module(module)\n"
        "        print('loaded', module.Control)\n"
        "        while True: pass\n"
        "except (KeyboardInterrupt, LimitReachedError) as error:\n"
        "    print(type(error).__name__, flush=True)\n"
        "os._exit(0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[-1] == ("KeyboardInterrupt" if number == INT else "LimitReachedError")


def test_an_interrupt_while_a_field_is_told_its_name_is_no_other_error() -> None:
    code = (
        "import os, signal\n"
        "from zermelo.signals import SIGNALS\n"
        "SIGNALS.install()\n"
        "class Field:\n"
        "    def __set_name__(self, owner, name):\n"
        "        signal.raise_signal(signal.SIGINT)\n"
        "        print('told', name)\n"
        "try:\n"
        "    class Owner:\n"
        "        field = Field()\n"
        "    os.getpid(), (lambda: None)()\n"
        "except BaseException as error:\n"
        "    print(type(error).__name__, flush=True)\n"
        "os._exit(0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.split() == ["told", "field", "KeyboardInterrupt"], done


@pytest.mark.parametrize("after", MOMENTS)
@pytest.mark.parametrize(
    "target", ["connect:6,7,4", "hex:6", "gdl:checkers", "domineering:......|......|......|......"]
)
def test_an_interrupt_reports_what_was_found_so_far(target: str, after: float) -> None:
    said = signalled(start("solve", target, "--json"), after, INT)
    assert _ended_by_interrupt(said), said
    if said.out:
        answer = json.loads(said.out)
        assert answer["status"] in ("unknown", "bounded", "solved")
        assert answer["status"] == "solved" or "interrupted" in answer["note"]


@pytest.mark.parametrize("after", MOMENTS)
def test_an_interrupt_leaves_the_old_certificate_or_the_new_one_whole(tmp_path: Path, after: float) -> None:
    file = tmp_path / "proof.json"
    file.write_text("old")
    said = signalled(start("solve", "hex:4", "--certificate", str(file)), after, INT)
    assert _ended_by_interrupt(said) or (said.clean and said.status in (0, 4)), said
    assert file.read_text() == "old" or json.loads(file.read_text())
    assert left_behind(tmp_path) == []


@pytest.mark.parametrize("after", MOMENTS)
@pytest.mark.parametrize(
    "arguments", [("encode", "hex:4", "--to", "graph"), ("encode", "gdl:connectfour", "--to", "qcir")]
)
def test_an_interrupt_leaves_the_old_encoding_whole(tmp_path: Path, arguments: tuple[str, ...], after: float) -> None:
    file = tmp_path / "encoded"
    file.write_text("old")
    said = signalled(start(*arguments, "-o", str(file)), after, INT)
    assert _ended_by_interrupt(said) or (said.clean and said.status == 0), said
    assert (file.read_text() == "old") == (said.status != 0)
    assert left_behind(tmp_path) == []


def test_an_interrupt_while_a_python_game_is_explored_reports_its_part(tmp_path: Path) -> None:
    said = signalled(start("solve", slow_game(tmp_path), "--json"), 1.2, INT)
    assert _ended_by_interrupt(said), said
    assert "interrupted" in json.loads(said.out)["note"]


@pytest.mark.parametrize("target", ["connect:6,7,4", "gomoku-qip:4,4,4"])
def test_the_systems_wish_to_end_is_heard_as_ctrl_c_is(target: str) -> None:
    said = signalled(start("solve", target), 2.0, TERM)
    assert said.clean, said
    assert said.status == 143


def test_one_signal_that_comes_twice_at_once_is_one_signal() -> None:
    """As ``timeout -s INT`` sends it: to the process, and to its group."""
    for _ in range(5):  # on a busy machine the process may hear the two of them well apart
        said = signalled(start("solve", "connect:6,7,4", "--json"), 2.0, INT, INT, apart=0)
        if said.status == 3:
            break
    assert said.status == 3
    assert json.loads(said.out)["note"] == "interrupted"


def test_an_ignored_interrupt_stays_ignored() -> None:
    process = start("solve", "nim:3,4", prepare=lambda: signal.signal(INT, signal.SIG_IGN) and None)
    said = signalled(process, 0.1, INT)
    assert (said.status, said.err) == (0, "")


@pytest.mark.parametrize("after", [0.4, 0.8, 1.1, 1.4, 1.8, 2.5])
def test_a_killed_process_leaves_the_old_file_whole_and_the_next_one_sweeps_up(tmp_path: Path, after: float) -> None:
    file = tmp_path / "graph.json"
    file.write_text("old")
    call = ("encode", "connect:3,3,3", "--to", "graph", "-o", str(file))
    signalled(start(*call), after, KILL)
    assert file.read_text() == "old" or json.loads(file.read_text())
    assert ended(start(*call)).status == 0
    assert json.loads(file.read_text())
    assert left_behind(tmp_path) == []


@pytest.mark.parametrize("after", [0.5, 1.0, 1.5, 2.2])
def test_a_killed_solve_leaves_the_old_certificate_whole(tmp_path: Path, after: float) -> None:
    file = tmp_path / "proof.json"
    assert ended(start("solve", "nim:3,4", "--certificate", str(file))).status == 0
    before = file.read_text()
    signalled(start("solve", "hex:3", "--engine", "alphabeta", "--certificate", str(file)), after, KILL)
    assert file.read_text() == before or json.loads(file.read_text())["target"] == "hex:3"


@pytest.mark.parametrize("after", [1.5, 3.0])
def test_a_killed_tournament_goes_on_where_it_was(tmp_path: Path, after: float) -> None:
    example = Path(__file__).parents[2] / "examples" / "cup.toml"
    plan = tmp_path / "cup.toml"
    plan.write_text(example.read_text())
    call = (str(plan), "--store", str(tmp_path / "cup.db"), "--workers", "1", "--quiet")
    signalled(start("arena", "run", *call), after, KILL)
    said = signalled(start("arena", "resume", *call), after, INT)
    assert said.clean, said
    if (tmp_path / "cup.db").exists():
        report = ended(start("arena", "report", str(plan), "--store", str(tmp_path / "cup.db"), "--json"))
        assert report.clean, report


def _ended_by_interrupt(said: Ended) -> bool:
    """An interrupt so early that Python itself was still starting is Python's to report."""
    early = said.status in (1, -INT, 130) and "in run\n" not in said.err and not said.out
    return early or (said.clean and said.status in (3, 4))
