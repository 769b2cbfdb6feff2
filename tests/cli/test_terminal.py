"""What a terminal sees, and what a pipe sees: the tests open a pseudo-terminal and run the command in it."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from zermelo.cli.log import SolverLog, line_of
from zermelo.cli.screen import NARROWEST, folded
from zermelo.progress import Progress

if sys.platform == "win32":
    pytest.skip("there are no pseudo-terminals here", allow_module_level=True)

import fcntl
import pty
import termios

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
LONG_REPORT = ("solve", "gdl:tictactoe", "--quiet")
GAME = ("play", "gdl:tictactoe", "--seed", "1")


def environment(**settings: str) -> dict[str, str]:
    """The tests' own, without what would decide about colours and widths."""
    own = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES")}
    return own | {"TERM": "xterm"} | settings


def on_a_terminal(arguments: Sequence[str], typed: str = "", columns: int = 80, **settings: str) -> str:
    """Everything that the command writes to a terminal of that width, escape codes and all."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    command = [sys.executable, "-m", "zermelo", *arguments]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment(**settings))
    os.close(theirs)
    os.write(ours, typed.encode())
    parts = []
    try:
        while part := os.read(ours, 1 << 16):
            parts.append(part)
    except OSError:  # how Linux says that the other end is closed
        pass
    finally:
        os.close(ours)
        process.wait()
    return b"".join(parts).decode().replace("\r\n", "\n")


def in_a_pipe(arguments: Sequence[str], typed: str = "", **settings: str) -> str:
    """What the command writes where nobody looks."""
    command = [sys.executable, "-m", "zermelo", *arguments]
    done = subprocess.run(command, input=typed, capture_output=True, text=True, env=environment(**settings), check=True)
    return done.stdout + done.stderr


@pytest.mark.parametrize("columns", [60, 80])
def test_the_lines_of_a_report_fit_the_terminal(columns: int) -> None:
    lines = ESCAPE.sub("", on_a_terminal(LONG_REPORT, columns=columns)).splitlines()
    assert max(map(len, lines)) <= columns
    others = next(at for at, line in enumerate(lines) if line.startswith("  others"))
    assert lines[others + 1].startswith(" " * 11 + "mark(")


def test_the_headline_is_strong_and_the_verdict_green() -> None:
    lines = on_a_terminal(LONG_REPORT).splitlines()
    assert lines[0] == "\x1b[1mgdl:tictactoe: a draw\x1b[0m"
    assert lines[-1].startswith("\x1b[32m  checked  yes") and lines[-1].endswith("\x1b[0m")


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_colours_can_be_turned_off(name: str, value: str) -> None:
    said = on_a_terminal(LONG_REPORT, **{name: value})  # type: ignore[arg-type]
    assert "\x1b" not in said
    assert "checked  yes" in said


def test_an_empty_no_color_forbids_nothing() -> None:
    assert "\x1b[1m" in on_a_terminal(LONG_REPORT, NO_COLOR="")


def test_a_pipe_gets_plain_text_whose_lines_are_not_broken() -> None:
    said = in_a_pipe(LONG_REPORT)
    assert "\x1b" not in said and "\r" not in said
    assert "mark(a,2) mark(a,3) mark(b,1) mark(b,2) mark(b,3) mark(c,1) mark(c,2) mark(c,3): 50 for x" in said


def long_run(seconds: str) -> tuple[str, ...]:
    """A run into a limit, which shows its progress meanwhile."""
    return ("solve", "connect:6,7,4", "--time-limit", seconds, "--no-check")


ENOUGH = ("1.5", "10", "60")
"""Seconds in which progress is shown; on a machine that others keep busy it takes longer until there is some."""


def test_the_progress_of_a_long_run_is_one_line_that_is_wiped() -> None:
    runs = (on_a_terminal(long_run(seconds), NO_COLOR="1") for seconds in ENOUGH)
    said = next((said for said in runs if " nodes (" in said.partition("connect:6,7,4")[0]), "")
    drawn, report = said[: said.index("connect:6,7,4")], said[said.index("connect:6,7,4") :]
    assert "\n" not in drawn
    frames = [frame for frame in drawn.split("\r") if frame.strip()]
    assert frames and all(len(frame) < 80 for frame in frames)
    assert re.match(r"\d+\.\ds  .* nodes \(.*/s\)", frames[0])
    assert drawn.endswith("\r") and drawn.split("\r")[-2].strip() == ""
    assert "not solved" in report.splitlines()[0]


def test_elsewhere_the_progress_is_a_log_of_plain_lines() -> None:
    for seconds in ENOUGH:
        command = [sys.executable, "-m", "zermelo", *long_run(seconds)]
        done = subprocess.run(command, capture_output=True, text=True, env=environment(), check=False)
        assert done.returncode == 3
        if done.stderr:
            break
    assert done.stderr.splitlines()[0].split() == ["time", "engine", "nodes", "nodes/s", "depth", "memory", "bounds"]
    assert "\r" not in done.stderr and "\x1b" not in done.stderr


def test_the_log_says_how_far_the_checker_is() -> None:
    command = [sys.executable, "-m", "zermelo", "solve", "connect:5,6,4"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), check=False)
    assert done.returncode == 0
    found = [re.search(r"checker +checking ([\d,]+) of ([\d,]+) positions$", line) for line in done.stderr.splitlines()]
    told = [(int(each[1].replace(",", "")), each[2]) for each in found if each]
    assert told and told == sorted(told), "it only goes forward"
    assert f"({told[0][1]} positions)" in done.stdout, "as many as it said in advance"


def test_json_is_plain_on_a_terminal() -> None:
    said = on_a_terminal((*LONG_REPORT, "--json"))
    assert "\x1b" not in said and said.count("\n") == 1


def test_a_game_fits_the_terminal_and_its_board_has_names() -> None:
    said = ESCAPE.sub("", on_a_terminal(GAME, "moves\nmark(b,2)\nhint\nquit\n", columns=60))
    assert max(len(line.rpartition("\r")[2]) for line in said.splitlines()) <= 60
    assert "  a b c\n1 . . .\n2 . . .\n3 . . .\n" in said
    assert "o is thinking ..." in said


def test_a_game_in_a_pipe_says_nothing_of_thinking() -> None:
    said = in_a_pipe(GAME, "mark(b,2)\nquit\n")
    assert "thinking" not in said and "\x1b" not in said and "\r" not in said


def test_a_certificate_is_accepted_in_green(tmp_path: Path) -> None:
    proof = str(tmp_path / "nim.json")
    in_a_pipe(("solve", "nim:1,2", "--certificate", proof))
    assert on_a_terminal(("check", "nim:1,2", proof)).startswith("\x1b[32maccepted\x1b[0m: ")
    assert in_a_pipe(("check", "nim:1,2", proof)).startswith("accepted: ")


def test_engines_side_by_side_share_a_line_and_the_best_bounds() -> None:
    runs = {"alphabeta": Progress("alphabeta", 2.0, 1000, 7, (0, 5)), "pns": Progress("pns", 1.5, 500, 0, (-1, 3))}
    assert line_of(runs) == "2.0s  1.50k nodes (750/s)  depth 7  0 .. 3  alphabeta+pns"


def test_words_longer_than_the_line_are_not_broken() -> None:
    assert folded("a " + "b" * 50, NARROWEST, 2) == "a\n  " + "b" * 50


def test_a_quiet_log_draws_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    log = SolverLog("nim:1", sys.stderr, quiet=True)
    log.show(Progress("dp", 9.0))
    log.wipe()
    assert capsys.readouterr().err == ""
