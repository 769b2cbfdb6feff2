"""Recorded walks: those of the reference reasoner, our own, and broken ones."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.gdl.samples import CROSS, DICE, NIM, PENNIES, sheet_of
from zermelo.cli import main
from zermelo.errors import InputError
from zermelo.gdl.reader import read_rulesheet
from zermelo.gdl.reasoner import Reasoner
from zermelo.gdl.trace import read_lines, replay, walks

CORPUS = Path(os.environ.get("ZERMELO_CORPUS", "no-corpus")) / "gdl"
TRACES = sorted((CORPUS / "traces").glob("*.jsonl.gz"))
OUR_READING = {"base_test__test_case_3a"}
"""Here the reference takes (open2) and open2 for two relations, which its authors call unclear: for us they are one."""
UNSAFE = {"base_test__test_case_3b", "base_test__test_case_3e", "base_test__test_case_3f"}
"""Invalid on purpose: variables without values."""


def name_of(path: Path) -> str:
    return path.name.removesuffix(".jsonl.gz")


@pytest.mark.skipif(not TRACES, reason="the corpus of rulesheets is not there")
@pytest.mark.parametrize("trace", [path for path in TRACES if name_of(path) not in UNSAFE | OUR_READING], ids=name_of)
def test_every_rulesheet_gives_what_the_reference_recorded(trace: Path) -> None:
    rules = Reasoner(read_rulesheet(CORPUS / "rules" / f"{name_of(trace)}.kif"))
    result = replay(rules, read_lines(trace), trace.name)
    assert result.difference is None, str(result)
    assert result.states > 0


@pytest.mark.skipif(not TRACES, reason="the corpus of rulesheets is not there")
@pytest.mark.parametrize("name", sorted(UNSAFE))
def test_unsafe_rulesheets_are_refused_with_the_place(name: str) -> None:
    with pytest.raises(InputError, match=r"kif:\d+:\d+: unsafe rule"):
        Reasoner(read_rulesheet(CORPUS / "rules" / f"{name}.kif"))


@pytest.mark.parametrize("text", [NIM, DICE, PENNIES, CROSS], ids=["nim", "dice", "pennies", "cross"])
def test_our_own_walks_replay(text: str) -> None:
    rules = Reasoner(sheet_of(text))
    lines = list(walks(rules, playouts=5, seed=3, percepts=True))
    assert str(replay(rules, lines)) == f"ok {len(lines) - 2} states"
    assert lines == list(walks(Reasoner(sheet_of(text)), playouts=5, seed=3, percepts=True))


def test_walks_are_cut_at_the_number_of_steps() -> None:
    endless = Reasoner(sheet_of("(role a) (legal a wait)"))
    records = [json.loads(line) for line in walks(endless, playouts=2, steps=3)]
    assert [record.get("stop") for record in records[1:-1]] == [None, None, None, "cut"] * 2
    assert records[-1]["cut"]


def changed(line: int, **values: object) -> list[str]:
    lines = list(walks(Reasoner(sheet_of(NIM)), playouts=1, seed=1))
    lines[line] = json.dumps({**json.loads(lines[line]), **values})
    return lines


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        (changed(0, roles=["left", "up"]), "the roles differ"),
        (changed(0, roles=["right", "left"]), "the order of the roles"),
        (changed(1, state=["(heap a 1)"]), "the facts of the state differ"),
        (changed(2, state=["(heap a 1)"]), "the facts of the state differ"),
        (changed(1, terminal=True), "whether play is over"),
        (changed(1, goal=[["100"], ["0"]]), "the goal values of left differ"),
        (changed(1, legal=[["(reduce a 0)"], ["noop"]]), "the legal moves of left differ (1 in common)"),
        (changed(1, move=["(reduce a 9)", "noop"]), "the move of left"),
        (changed(1, sees=[["light"], []]), "the percepts of left differ"),
    ],
)
def test_the_first_difference_is_named(lines: list[str], what: str) -> None:
    difference = replay(Reasoner(sheet_of(NIM)), lines).difference
    assert difference is not None
    assert difference.what.startswith(what)


def test_terms_are_compared_not_their_spelling() -> None:
    lines = changed(1, state=["( heap  a 1 )", "(heap b 2)", "(control left)"])
    assert replay(Reasoner(sheet_of(NIM)), lines).difference is None


def test_a_recording_that_broke_off_is_replayed_as_far_as_it_goes() -> None:
    lines = [*list(walks(Reasoner(sheet_of(NIM)), seed=1))[:2], '{"type": "error", "error": "out of time"}']
    assert str(replay(Reasoner(sheet_of(NIM)), lines)) == "ok 1 states (the recording broke off: out of time)"


@settings(max_examples=60)
@given(st.data())
def test_a_damaged_record_is_a_difference_or_one_clear_line(data: st.DataObject) -> None:
    rules = Reasoner(sheet_of(NIM))
    lines = list(walks(rules, playouts=1, seed=1))
    place = data.draw(st.integers(0, len(lines) - 1))
    begin = data.draw(st.integers(0, len(lines[place]) - 1))
    end = data.draw(st.integers(begin, min(len(lines[place]), begin + 5)))
    lines[place] = lines[place][:begin] + data.draw(st.text(max_size=3)) + lines[place][end:]
    try:
        replay(rules, lines, "walk.jsonl")
    except InputError as error:
        assert str(error).startswith(f"walk.jsonl:{place + 1}:") and "\n" not in str(error)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    rules, walk = tmp_path / "nim.kif", tmp_path / "walk.jsonl.gz"
    rules.write_text(NIM, encoding="utf-8")
    return rules, walk


def test_the_command_line_records_and_replays(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    rules, walk = files
    assert main(["gdl", "trace", str(rules), "--playouts", "3", "--seed", "5", "-o", str(walk)]) == 0
    states = sum('"type":"state"' in line for line in read_lines(walk))
    assert main(["gdl", "replay", str(rules), str(walk)]) == 0
    assert capsys.readouterr().out == f"ok {states} states\n"


def test_the_command_line_shows_a_difference(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    rules, walk = files
    with gzip.open(walk, "wt", encoding="utf-8") as file:
        file.write("\n".join(changed(1, legal=[["(reduce a 0)"], ["noop"]])))
    assert main(["gdl", "replay", str(rules), str(walk)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{walk}: line 2, playout 0, step 0: the legal moves of left differ (1 in common)",
        "  in the record: nothing more",
        "  by the rules:  (reduce b 0) (reduce b 1) (only there)",
        "  in the state:  (control left) (heap a 1) (heap b 2)",
    ]


@pytest.mark.parametrize("data", [b"{", b"[]", b'{"type":"state"}', b"\xff", b'{"type":"game","roles":3}'])
def test_what_is_no_walk_is_one_line_and_exit_status_2(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str], data: bytes
) -> None:
    rules, walk = files
    plain = walk.with_suffix("")
    plain.write_bytes(data)
    walk.write_bytes(gzip.compress(data)[:-4])
    for file in (plain, walk):
        assert main(["gdl", "replay", str(rules), str(file)]) == 2
        shown = capsys.readouterr()
        assert not shown.out
        assert shown.err.startswith(str(file)) and shown.err.count("\n") == 1
