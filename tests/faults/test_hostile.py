"""Files and words that no friend would give: one line that says where and what, and status 2."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.faults.processes import ended, start
from zermelo.cli import main
from zermelo.solving.tables import formats

DEEP = 100_000
BRACKETS = {"rulesheet": "(", "cgt": "{", "network": "[", "sgf": "(", "qcir": "output(("}
CONTENTS = {
    "empty": b"",
    "blank": b"\n \n\t\n",
    "binary": bytes(range(256)) * 40,
    "a zero byte": b"a\0b",
    "broken UTF-8": b"abc\n d\xff\xfe\n",
    "UTF-16": "hello".encode("utf-16"),
    "one long word": b"a" * 1_000_000,
    "half a character": b'{"format":"\\ud800"}',
}
FORMATS = {suffix: form.name for form in formats() for suffix in form.suffixes}
SUFFIXES = [*FORMATS, ".sgf"]


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line of a call that is refused, as it has to be."""
    status = main(arguments)
    said = capsys.readouterr()
    assert (status, said.out) == (2, ""), said
    assert said.err.count("\n") == 1
    assert len(said.err) < 1000
    assert "internal error" not in said.err
    return said.err


@pytest.mark.parametrize("content", CONTENTS)
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_is_no_game_is_refused_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], suffix: str, content: str
) -> None:
    file = tmp_path / f"file{suffix}"
    file.write_bytes(CONTENTS[content])
    assert refused(capsys, "solve", str(file), "--quiet").startswith(f"{file}:")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_brackets_in_brackets_are_refused_however_deep(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], suffix: str
) -> None:
    file = tmp_path / f"file{suffix}"
    kind = FORMATS.get(suffix, "sgf")
    file.write_text(BRACKETS.get(kind, "(") * DEEP)
    assert refused(capsys, "solve", str(file), "--quiet").startswith(f"{file}:")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_folder_is_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str], suffix: str) -> None:
    folder = tmp_path / f"folder{suffix}"
    folder.mkdir()
    assert "a directory, expected a file" in refused(capsys, "solve", str(folder), "--quiet")


@pytest.mark.parametrize("content", ["empty", "binary", "broken UTF-8", "one long word", "half a character"])
def test_what_is_no_certificate_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str) -> None:
    file = tmp_path / "proof.json"
    file.write_bytes(CONTENTS[content])
    assert refused(capsys, "check", "nim:3,4", str(file)).startswith(f"{file}:")


@pytest.mark.parametrize(
    "call",
    [
        ("solve", "-"),
        ("check", "-", "proof.json"),
        ("check", "nim:3", "-"),
        ("encode", "-", "--to", "graph"),
        ("show", "-"),
        ("play", "-"),
    ],
    ids=" ".join,
)
def test_a_closed_standard_input_is_said(call: tuple[str, ...]) -> None:
    said = ended(start(*call, prepare=lambda: os.close(0), stdin=None))
    assert (said.status, said.out) == (2, "")
    assert said.err.startswith("-: standard input is closed, expected a ")


def test_a_standard_input_that_never_ends_is_refused() -> None:
    with Path("/dev/zero").open("rb") as endless:
        said = ended(start("solve", "-", stdin=endless))
    assert (said.status, said.err) == (2, "-: binary data, expected text in UTF-8\n")


def test_broken_text_on_standard_input_is_said_with_its_place() -> None:
    with subprocess.Popen(["printf", r"0 1\n1 \377"], stdout=subprocess.PIPE) as source:
        said = ended(start("solve", "-", stdin=source.stdout))
    assert (said.status, said.err) == (2, "-:2:3: the byte 0xff, which is not UTF-8, expected text in UTF-8\n")


def test_standard_input_is_not_read_twice(capsys: pytest.CaptureFixture[str]) -> None:
    assert "both come from standard input" in refused(capsys, "check", "-", "-")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (("solve", "nim:3", "--time-limit", "0"), "--time-limit"),
        (("solve", "nim:3", "--time-limit", "nan"), "--time-limit"),
        (("solve", "nim:3", "--memory-limit", "0"), "--memory-limit"),
        (("play", "nim:3", "--memory-limit", "0"), "--memory-limit"),
        (("solve", "nim:3", "--engine", "+"), "unknown engine"),
        (("solve", "nim:3", "--engine", "alphabeta+"), "unknown engine"),
        (("solve", "nim:3", "--engine", "alphabeta+nosuch"), "unknown engine"),
        (("show", "nim:3", "--after", "0,1 zz"), "--after, move 2 ('zz')"),
        (("show", "nim:3", "--after", "x" * 5000), "--after, move 1"),
        (("encode", "nim:3", "--to", "qcir", "--goal", "1/0"), "--goal: '1/0' has the denominator 0"),
        (("solve", "hex:" + "9" * 5000), "is not a whole number"),
        (("solve", "{" * DEEP), "is never closed"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, tuple) else "",
)
def test_wrong_words_on_the_command_line_are_one_line(
    capsys: pytest.CaptureFixture[str], call: tuple[str, ...], words: str
) -> None:
    assert words in refused(capsys, *call)
