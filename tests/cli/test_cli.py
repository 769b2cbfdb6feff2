"""The command line as a user meets it."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.faults.processes import let_work

from zermelo.cli import main


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(arguments)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def game_file(tmp_path: Path, body: str) -> str:
    """A Python file with a counting game whose methods can be replaced."""
    lines = [
        "from zermelo import Game, win_for",
        "class Count(Game):",
        "    def start(self): return (6, 0)",
        "    def turn(self, position): return self.roles[position[1]]",
        "    def moves(self, position): return [1, 2] if position[0] > 1 else [1]",
        "    def play(self, position, move): return (position[0] - move, 1 - position[1])",
        "    def result(self, position): return None if position[0] else win_for(1 - position[1])",
        *(f"    {line}" for line in body.splitlines()),
    ]
    path = tmp_path / "count.py"
    path.write_text("\n".join(lines) + "\n")
    return f"{path}:Count"


def test_json_is_one_object_with_the_promised_fields(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "solve", "nim:3,4,5", "--json")
    answer = json.loads(out)
    assert status == 0
    assert err == ""
    assert {
        "target",
        "engine",
        "status",
        "winner",
        "value",
        "bounds",
        "move",
        "line",
        "verified",
        "stats",
    } <= set(answer)
    assert (answer["winner"], answer["value"], answer["verified"]) == ("first", "1", True)
    assert {"seconds", "nodes"} <= set(answer["stats"])


def test_report_says_who_wins_by_which_move_and_what_the_others_lead_to(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, out, _ = run(capsys, "solve", "nim:3,4", "--engine", "alphabeta")
    assert status == 0
    assert "first wins" in out
    assert "first plays 1,1" in out
    assert "second wins" in out
    assert "independent checker" in out


def test_certificate_is_written_and_accepted_and_refused_for_another_game(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    proof = tmp_path / "proof.json"
    assert run(capsys, "solve", "nim:1,2,3", "--engine", "alphabeta", "--certificate", str(proof))[0] == 0
    assert run(capsys, "check", "nim:1,2,3", str(proof))[0] == 0
    status, out, _ = run(capsys, "check", "nim:1,2,4", str(proof))
    assert status == 1
    assert "refuted: the certificate is for another game" in out


def test_python_game_is_solved_by_class_name(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, _ = run(capsys, "solve", game_file(tmp_path, ""), "--json")
    assert status == 0
    assert json.loads(out)["winner"] == "second"


def test_python_game_takes_literals_as_arguments(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    body = "def __init__(self, n=6): self.n = n\ndef start(self): return (self.n, 0)"
    assert json.loads(run(capsys, "solve", game_file(tmp_path, body) + "(7)", "--json")[1])["winner"] == "first"


def test_graph_is_read_from_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("2\n0 1\n1 2\n2\n"))
    status, out, _ = run(capsys, "solve", "-", "--json")
    assert (status, json.loads(out)["winner"]) == (0, "second")
    monkeypatch.setattr(sys, "stdin", io.StringIO("2\n0 7\n"))
    status, _, err = run(capsys, "solve", "-")
    assert status == 2
    assert err.startswith("-:2:3: ")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["solve", "nmi:3"], "did you mean nim"),
        (["solve", "nim:3,x"], "nim:3,x:1:7: 'x' is not a whole number"),
        (["solve", "nim:"], "a number is missing"),
        (["solve", ""], "names no game"),
        (["solve", "nofile.py:Game"], "nofile.py: no such file"),
        (["solve", "nim:3", "--engine", "magic"], "unknown engine 'magic'"),
        (["solve", "nim:3", "--time-limit", "-1"], "--time-limit -1"),
        (["solve", "nim:3", "--memory-limit", "0"], "--memory-limit 0"),
        (["solve", "nim:3", "--certificate", "/nowhere/at/all/c.json"], "no such folder"),
        (["check", "nim:3", "nofile.json"], "nofile.json: no such file"),
        (["slove"], "slove"),
    ],
)
def test_bad_input_gets_one_clear_line_and_status_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], expected: str
) -> None:
    status, out, err = run(capsys, *arguments)
    assert status == 2
    assert out == ""
    assert err.count("\n") == 1
    assert expected in err


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("def moves(self, position): return [1 // 0]", "count.py:8: Count.moves raised ZeroDivisionError"),
        ("def moves(self, position): return []", "returned no move"),
        ("def play(self, position, move): return [1]", "expected a hashable position"),
        ("def play(self, position, move): return (position[0] + move, 0)", "never ends"),
        ("def result(self, position): return 1", "Count.result returned 1"),
        ("def result(self, position): return None if position[0] else (0.5, -0.5)", "Count.result returned"),
        ("def turn(self, position): return 'third'", "Count.turn returned 'third'"),
        ("def start(self): return self.start()", "recursed too deeply"),
        ("roles = ('a', 'a')", "expected a tuple of different names"),
        ("def start(self", "not valid Python"),
        ("raise RuntimeError('no')", "raised RuntimeError when loaded"),
    ],
)
def test_broken_python_game_gets_one_clear_line_and_status_2(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, body: str, expected: str
) -> None:
    status, out, err = run(capsys, "solve", game_file(tmp_path, body))
    assert status == 2
    assert out == ""
    assert err.count("\n") == 1
    assert expected in err


def test_python_game_that_hangs_is_stopped_by_the_time_limit(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    target = game_file(tmp_path, "def moves(self, position):\n    while True: pass")
    status, out, _ = run(capsys, "solve", target, "--time-limit", "1", "--json")
    assert status == 3
    assert json.loads(out)["status"] == "unknown"


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": "zermelo-certificate"}', "\x00", "[" * 100_000])
def test_file_that_is_no_certificate_gets_one_clear_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: str
) -> None:
    proof = tmp_path / "proof.json"
    proof.write_text(content)
    status, _, err = run(capsys, "check", "nim:3", str(proof))
    assert status == 2
    assert err.count("\n") == 1
    assert "proof.json" in err


def test_interrupt_returns_a_move_so_far_and_no_bounds_that_only_the_rules_say(tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "zermelo", "solve", "mnk:6,6,5", "--engine", "alphabeta", "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    let_work(process, 1.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 3, err
    answer = json.loads(out)
    assert answer["bounds"] == [None, None] and answer["move"] is not None and -1 <= answer["estimate"] <= 1
    assert "alphabeta" in answer["reached"]
    assert "Traceback" not in err


def test_a_check_says_how_far_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zermelo.cli.log.FIRST_LOOK", 0.0)
    monkeypatch.setattr("zermelo.watchdog._TICK", 0.001)
    file = tmp_path / "proof.json"
    assert run(capsys, "solve", "connect:4,3,3", "--no-check", "--certificate", str(file))[0] == 0
    status, out, told = run(capsys, "check", "connect:4,3,3", str(file))
    assert status == 0 and out.startswith("accepted")
    assert re.search(r"checker +checking [\d,]+ positions", told)
    assert run(capsys, "check", "connect:4,3,3", str(file), "--quiet")[2] == ""
