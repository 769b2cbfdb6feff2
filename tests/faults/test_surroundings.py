"""A disk that is full, a folder that cannot be written, a closed output, memory capped from outside: one line each."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from tests.faults.processes import address_space, ended, file_size, left_behind, slow_game, start

TARGETS = (
    "connect:6,7,4",
    "hex:6",
    "gdl:checkers",
    "domineering:.......|.......|.......|.......|.......|.......",
    "gomoku-qip:4,4,4",
)


@pytest.mark.parametrize("verb", ["solve", "encode"])
def test_a_full_disk_costs_the_new_file_only(tmp_path: Path, verb: str) -> None:
    file = tmp_path / "file"
    file.write_text("old")
    calls = {
        "solve": ("solve", "hex:3", "--engine", "alphabeta", "--certificate", str(file)),
        "encode": ("encode", "nim:3,4,5", "--to", "graph", "-o", str(file)),
    }
    said = ended(start(*calls[verb], prepare=file_size(2000)))
    assert said.clean, said
    assert said.status == 2
    assert [line for line in said.err.splitlines() if "cannot be written" in line] == [
        f"{file}: cannot be written: File too large"
    ]
    assert file.read_text() == "old"
    assert left_behind(tmp_path) == []


def test_a_device_without_room_is_named() -> None:
    said = ended(start("encode", "nim:3", "--to", "graph", "-o", "/dev/full"))
    assert (said.status, said.err) == (2, "/dev/full: cannot be written: No space left on device\n")
    with Path("/dev/full").open("w") as full:
        said = ended(start("solve", "nim:3", stdout=full))
    assert (said.status, said.err) == (2, "zermelo: standard output: No space left on device\n")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_found_before_any_work(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        said = ended(start("solve", "connect:6,7,4", "--certificate", str(tmp_path / "proof.json")))
    finally:
        tmp_path.chmod(0o700)
    assert said.status == 2
    assert said.err.count("\n") == 1


def test_a_folder_of_the_system_that_nobody_can_write_is_one_line() -> None:
    said = ended(start("solve", "nim:3,4", "--certificate", "/proc/proof.json"))
    assert said.clean
    assert said.status == 2
    assert said.err.count("\n") == 1


@pytest.mark.parametrize("stream", ["stdout", "stderr", "both"])
def test_closed_streams_are_no_fault(tmp_path: Path, stream: str) -> None:
    file = tmp_path / "proof.json"
    closed = {"stdout": (1,), "stderr": (2,), "both": (1, 2)}[stream]

    def close() -> None:
        for number in closed:
            os.close(number)

    process = start("solve", "hex:3", "--certificate", str(file), prepare=close)
    said = ended(process)
    assert said.clean, said
    assert said.status == 0
    assert json.loads(file.read_text())


def test_a_reader_that_goes_away_costs_no_file(tmp_path: Path) -> None:
    file = tmp_path / "proof.json"
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as pipe:
        said = ended(start("solve", "hex:3", "--certificate", str(file), stdout=pipe))
    assert said.clean, said
    assert said.status == 0
    assert json.loads(file.read_text())


@pytest.mark.parametrize("mebibytes", [400, 700])
@pytest.mark.parametrize("target", TARGETS)
def test_memory_capped_from_outside_is_a_limit(target: str, mebibytes: int) -> None:
    said = ended(start("solve", target, "--time-limit", "5", "--json", prepare=address_space(mebibytes)))
    assert said.clean, said
    assert said.status in (3, 4)  # who wins a board may be found without room for its proof
    statuses = ("unknown", "bounded") if said.status == 3 else ("solved",)
    assert said.out == "" or json.loads(said.out)["status"] in statuses


@pytest.mark.parametrize("mebibytes", [30, 60, 90, 120, 160, 250])
def test_memory_that_is_too_little_to_start_with_is_one_line(mebibytes: int) -> None:
    said = ended(start("solve", "nim:3,4", prepare=address_space(mebibytes)))
    assert "terminate called" not in said.err
    assert said.status != 0 or "wins" in said.out


def test_memory_capped_from_outside_stops_a_game_in_python(tmp_path: Path) -> None:
    said = ended(start("solve", slow_game(tmp_path), "--json", prepare=address_space(400)))
    assert said.clean, said
    assert said.status == 3
    note = json.loads(said.out)["note"]
    assert "out of memory" in note or "limit" in note  # before there is none left, or just then


def test_every_test_that_the_page_on_reliability_names_is_there() -> None:
    root = Path(__file__).parents[2]
    named = set(re.findall(r"`(test_\w+)`", (root / "docs" / "reliability.md").read_text(encoding="utf-8")))
    tests = "".join(path.read_text(encoding="utf-8") for path in sorted((root / "tests").rglob("test_*.py")))
    assert len(named) > 30
    assert [name for name in sorted(named) if f"def {name}(" not in tests] == []
