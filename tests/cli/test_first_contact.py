"""What a newcomer may do to the command line: odd games, closed pipes, Ctrl-C, tiny limits. Never a traceback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.test_cli import game_file, run
from tests.faults.processes import let_work

Capture = pytest.CaptureFixture[str]


def start(*arguments: str, **settings: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "zermelo", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=dict(os.environ) | settings,
    )


def interrupted(process: subprocess.Popen[str], after: float) -> tuple[int, str, str]:
    let_work(process, after)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert "Traceback" not in err
    return process.returncode, out, err


def test_what_a_game_prints_does_not_mix_with_the_answer(capsys: Capture, tmp_path: Path) -> None:
    target = game_file(tmp_path, "def moves(self, position): print('noise'); return [1]")
    status, out, err = run(capsys, "solve", target, "--json", "--certificate", str(tmp_path / "proof.json"))
    assert status == 0
    assert json.loads(out)["verified"]
    assert "noise" in err
    status, out, err = run(capsys, "check", target, str(tmp_path / "proof.json"), "--json")
    assert (status, json.loads(out)["status"]) == (0, "accepted")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("def moves(self, position): raise SystemExit(0)", "sys.exit"),
        ("def __init__(self): raise SystemExit(0)", "SystemExit"),
        ("roles = ('draw', 'win')", "a meaning of its own"),
        ("roles = tuple(str(n) for n in range(300))", "at most"),
        ("endless = (1,)", "endless"),
        ("longest = 'long'", "longest"),
        (
            "def chances(self, position): return [(1, 0.5), (2, 0.5)]\ndef turn(self, position): return 'chance'",
            "Fraction",
        ),
        ("def move_text(self, move): return 'same'", "cannot be read back"),
    ],
)
def test_a_game_that_breaks_its_contract_gets_one_line(capsys: Capture, tmp_path: Path, body: str, words: str) -> None:
    status, out, err = run(capsys, "solve", game_file(tmp_path, body), "--json")
    assert (status, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


def test_a_file_that_leaves_when_loaded_is_bad_input(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "leaves.py"
    file.write_text("import sys\nsys.exit(0)\n")
    status, out, err = run(capsys, "solve", f"{file}:Game")
    assert (status, out) == (2, "")
    assert "SystemExit" in err


def test_a_game_that_hangs_is_found_out(capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.watchdog.PATIENCE", 1)
    file = tmp_path / "hangs.py"
    file.write_text("while True: pass\n")
    status, _, err = run(capsys, "solve", f"{file}:Game")
    assert status == 2
    assert "hangs" in err
    target = game_file(tmp_path, "def moves(self, position):\n    while True: pass")
    status, _, err = run(capsys, "solve", target)
    assert status == 2
    assert "Count.moves" in err


@pytest.mark.parametrize("limit", [("--time-limit", "0.001"), ("--node-limit", "1"), ("--memory-limit", "1")])
def test_no_limit_is_reached_silently_in_an_infinite_game(
    capsys: Capture, tmp_path: Path, limit: tuple[str, str]
) -> None:
    body = (
        "longest = 10**9\n"
        "def moves(self, position): return [1, 2]\n"
        "def play(self, position, move): return (2 * position[0] + move, 1 - position[1])\n"
        "def result(self, position): return None if position[0] < 2**60 else win_for(0)"
    )
    status, out, _ = run(capsys, "solve", game_file(tmp_path, body), "--json", "--time-limit", "20", *limit)
    answer = json.loads(out)
    assert (status, answer["status"], answer["bounds"]) == (3, "unknown", [None, None])
    assert "limit" in answer["note"]


def test_the_time_limit_holds_while_a_large_game_is_made(capsys: Capture) -> None:
    begun = time.monotonic()
    status, out, _ = run(capsys, "solve", "geography:random:1000000,10,1", "--json", "--time-limit", "0.6")
    assert (status, json.loads(out)["status"]) == (3, "unknown")
    assert time.monotonic() - begun < 30


def test_a_row_too_long_to_write_down_is_refused(capsys: Capture) -> None:
    status, _, err = run(capsys, "solve", "treblecross:1000000000")
    assert status == 2
    assert "1..100000" in err


@pytest.mark.parametrize(
    "option", [("--simulations", "0"), ("--depth", "0"), ("--seed", "-1"), ("--depth", str(1 << 40))]
)
def test_numbers_out_of_range_are_wrong_usage(capsys: Capture, option: tuple[str, str]) -> None:
    status, out, err = run(capsys, "solve", "nim:3", *option)
    assert (status, out) == (2, "")
    assert option[0].removeprefix("--") in err


def test_a_certificate_is_not_written_over_a_folder(capsys: Capture, tmp_path: Path) -> None:
    status, out, err = run(capsys, "solve", "nim:3", "--certificate", str(tmp_path))
    assert (status, out) == (2, "")
    assert "folder" in err
    assert not tmp_path.with_name(tmp_path.name + ".part").exists()


def test_without_an_answer_there_is_no_certificate_and_it_is_said(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "proof.json"
    status, _, err = run(capsys, "solve", "connect:6,7,4", "--node-limit", "10", "--certificate", str(file))
    assert status == 3
    assert "not written" in err
    assert not file.exists()


def test_a_horizon_gives_an_estimate_and_exit_status_3(capsys: Capture) -> None:
    status, out, _ = run(capsys, "solve", "mnk:3,3,3", "--depth", "2")
    assert status == 3
    assert "x plays b2" in out
    assert "estimate" in out


def test_encode_writes_the_whole_graph(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "nim.json"
    assert run(capsys, "encode", "nim:2,1", "--to", "graph", "-o", str(file))[:2] == (0, "")
    status, out, _ = run(capsys, "encode", "nim:2,1", "--to", "graph")
    graph = json.loads(out)
    assert status == 0
    assert json.loads(file.read_text()) == graph
    assert graph["roles"] == ["first", "second"]
    assert graph["nodes"][0] == {"key": "((2,1),0)", "turn": "first", "result": None}
    # Zermelo's backward induction by anybody's program gives the value that solve gives.
    values: dict[int, int] = {}
    while len(values) < len(graph["nodes"]):
        for number, node in enumerate(graph["nodes"]):
            after = [edge["to"] for edge in graph["edges"] if edge["from"] == number]
            if node["result"]:
                values[number] = int(node["result"][0])
            elif all(to in values for to in after):
                values[number] = (max if node["turn"] == "first" else min)(values[to] for to in after)
    assert values[0] == 1


def test_encode_names_outcomes_of_chance_with_their_probabilities(capsys: Capture, tmp_path: Path) -> None:
    target = game_file(tmp_path, "def turn(self, position): return 'chance' if position[0] > 5 else 'first'")
    status, out, _ = run(capsys, "encode", target, "--to", "graph")
    graph = json.loads(out)
    assert status == 0
    assert graph["nodes"][0]["turn"] == "chance"
    assert graph["edges"][0] == {"from": 0, "to": 1, "move": "1", "probability": "1/2"}


def test_encode_obeys_its_limits(capsys: Capture) -> None:
    status, out, err = run(capsys, "encode", "connect:6,7,4", "--to", "graph", "--node-limit", "10")
    assert (status, out) == (3, "")
    assert "10 positions" in err


def test_ctrl_c_while_a_python_game_is_explored_leaves_one_object(tmp_path: Path) -> None:
    body = (
        "longest = 10**9\n"
        "def play(self, position, move): return (2 * position[0] + move, 1 - position[1])\n"
        "def result(self, position): return None"
    )
    status, out, _ = interrupted(start("solve", game_file(tmp_path, body), "--json"), after=4)
    assert (status, json.loads(out)["note"]) == (3, "interrupted")


def test_ctrl_c_while_verbs_are_loaded_leaves_no_traceback() -> None:
    status, out, _ = interrupted(start("solve", "connect:6,7,4", "--json"), after=1.5)
    assert status == 3
    assert json.loads(out)["status"] in ("unknown", "bounded")


def test_ctrl_c_stops_all_engines_not_only_the_one_at_work() -> None:
    status, out, _ = interrupted(start("solve", "connect:6,7,4", "--engine", "all", "--json"), after=4)
    assert (status, json.loads(out)["status"]) == (3, "unknown")


def test_who_watches_two_engines_can_leave() -> None:
    status, _, _ = interrupted(start("play", "connect:6,7,4", "--as", "none", "--time-limit", "60"), after=4)
    assert status == 0


def test_a_reader_that_goes_away_is_no_failure() -> None:
    process = start("games")
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait(timeout=60) == 0


def test_names_in_any_script_are_shown_on_any_terminal(tmp_path: Path) -> None:
    file = tmp_path / "names.graph"
    file.write_text("é ü\n", encoding="utf-8")
    out, err = start("solve", str(file), PYTHONIOENCODING="ascii", LC_ALL="C").communicate(timeout=60)
    assert "\\xfc" in out
    assert err == ""


def test_the_arguments_of_a_class_may_end_with_a_comma_as_in_python(capsys: Capture) -> None:
    nim = Path(__file__).parents[2] / "examples" / "nim.py"
    assert run(capsys, "solve", f"{nim}:Nim(2,)", "--quiet")[0] == 0
    status, _, err = run(capsys, "solve", f"{nim}:Nim(,)", "--quiet")
    assert (status, err.count("\n")) == (2, 1) and "Python literals" in err


def test_the_help_names_every_kind_of_file_and_the_manual_every_command(capsys: Capture) -> None:
    from zermelo.solving.tables import KINDS

    said = run(capsys, "--help")[1]
    first = {form.suffixes[0] for name in KINDS for form in KINDS[name].formats if form.suffixes}
    assert {suffix for suffix in first if f"{suffix}" not in said} == set()
    assert "open_spiel:" in said and "domineering:" in said and ".sgf" in said and ".py:" in said
    manual = (Path(__file__).parents[2] / "docs" / "command-line.md").read_text(encoding="utf-8")
    listed = said.partition("Commands:")[2].splitlines()
    commands = {line.split()[0] for line in listed if line.startswith("  ") and line[2].isalpha()}
    assert len(commands) > 15
    assert {command for command in commands if f"\nzermelo {command} " not in manual} == set()


VERBS = [
    *(f"gdl {verb}" for verb in ("format", "check", "bench", "replay", "symmetries", "decompose", "trace")),
    *("arena", "arena run", "arena resume", "arena report", "cgt", "cgt table", "gdl", "solve", "check", "analyse"),
    *("certificate", "certificate info", "certificate export", "certificate slice", "play", "encode", "show", "games"),
    *("engines", "match", "learn", "ggp", "serve", "fuzz", ""),
]


@pytest.mark.parametrize("verb", VERBS)
def test_all_help_fits_80_columns_and_breaks_off_no_sentence(verb: str, capsys: Capture) -> None:
    status, said, err = run(capsys, *verb.split(), "--help")
    assert (status, err) == (0, "")
    assert [line for line in said.splitlines() if len(line) > 80] == []
    listed = said.partition("\nCommands:\n")[2]
    assert "..." not in listed, "a short help that does not fit the list"
    assert "\x1b" not in said
