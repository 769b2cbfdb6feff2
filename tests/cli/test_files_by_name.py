"""What a file holds is told by the end of its name, in any case, and by its content where the end says nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.test_cli import run

EXAMPLES = Path(__file__).parents[2] / "examples"
CLAUSES = "c true\np cnf 2 2\na 1 0\ne 2 0\n1 -2 0\n-1 2 0\n"
NAMES = ("bakery.qlp", "choices.qcir", "corridors.sgf", "endgame.cgt", "heap.kif", "map.graph", "reliability.dgr")

Capture = pytest.CaptureFixture[str]


def answer(capsys: Capture, target: Path) -> dict[str, object]:
    """What a target is worth, solved, written down and checked."""
    proof = target.with_suffix(".proof")
    status, out, err = run(capsys, "solve", str(target), "--json", "--certificate", str(proof))
    assert (status, err) == (0, "")
    assert run(capsys, "check", str(target), str(proof))[0] == 0
    said = json.loads(out)
    return {key: said[key] for key in ("status", "winner", "value", "verified")}


@pytest.mark.parametrize("name", [*NAMES, "umbrella.json"])
def test_the_end_of_a_name_may_be_in_capitals(capsys: Capture, tmp_path: Path, name: str) -> None:
    small, large = tmp_path / name, tmp_path / name.upper()
    for copy in (small, large):
        copy.write_bytes((EXAMPLES / name).read_bytes())
    assert answer(capsys, large) == answer(capsys, small)


@pytest.mark.parametrize("name", ["choices.qcir", "bakery.qlp", "umbrella.json", "endgame.cgt", "map.graph"])
def test_a_txt_file_is_what_its_content_says(capsys: Capture, tmp_path: Path, name: str) -> None:
    named, plain = tmp_path / name, tmp_path / "plain.txt"
    for copy in (named, plain):
        copy.write_bytes((EXAMPLES / name).read_bytes())
    assert answer(capsys, plain) == answer(capsys, named)


def test_clauses_in_a_txt_file_are_a_formula(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "clauses.txt"
    file.write_text(CLAUSES)
    status, out, _ = run(capsys, "solve", str(file))
    assert status == 0
    assert "the formula is true" in out
