"""What is left behind at the end of a process: nothing that the kernels would complain of."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
TARGETS = [
    "mnk:3,3,3",
    "nim:3,4",
    "gdl:tictactoe",
    "{5|-5} + *",
    "domineering:...|...",
    *(str(EXAMPLES / name) for name in ("answers.qcir", "bakery.qlp", "corridors.sgf", "map.graph", "umbrella.json")),
]
SOLVES = f"""
import zermelo


def test_something_of_every_room_is_solved():
    for target in {TARGETS!r}:
        assert zermelo.solve(target).verified, target
"""


@pytest.mark.parametrize("run", [[], ["-m", "pytest", "-p", "no:cacheprovider", "-c", "/dev/null"]], ids=["", "pytest"])
def test_a_process_that_solved_something_of_every_room_ends_in_silence(tmp_path: Path, run: list[str]) -> None:
    file = tmp_path / "test_rooms.py"
    file.write_text(SOLVES if run else SOLVES + "\n\ntest_something_of_every_room_is_solved()\n")
    ended = subprocess.run([sys.executable, *run, str(file)], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "nanobind" not in ended.stdout
