"""``zermelo gdl``: format and check."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.gdl.sheets import PENNIES
from zermelo.cli import main

UNSAFE = "role(a). legal(a, M) :- not(done(M)). terminal. goal(a, 100).\n"


@pytest.fixture
def pennies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a good rulesheet in the working folder."""
    monkeypatch.chdir(tmp_path)
    Path("pennies.pl").write_text(PENNIES, encoding="utf-8")
    Path("unsafe.pl").write_text(UNSAFE, encoding="utf-8")
    return "pennies.pl"


def test_check_says_that_a_sheet_is_fit(pennies: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gdl", "check", pennies]) == 0
    assert capsys.readouterr().out.startswith("pennies.pl: ok, ")


def test_check_prints_a_line_for_each_finding_and_exits_with_two(
    pennies: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["gdl", "check", "unsafe.pl"]) == 2
    lines = capsys.readouterr().out.splitlines()
    assert "unsafe.pl:1:19: error: ?m of the head has no values: expected it in a positive atom of the body" in lines[2]
    assert [line.rsplit("[", 1)[1] for line in lines] == [
        "no-init]", "no-next]", "unsafe-variable]", "unproduced-relation]",
    ]  # fmt: skip


def test_check_as_json_is_one_object(pennies: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gdl", "check", "unsafe.pl", "--json"]) == 2
    answer = json.loads(capsys.readouterr().out)
    assert (answer["file"], answer["errors"], answer["warnings"]) == ("unsafe.pl", 1, 3)
    error = next(finding for finding in answer["findings"] if finding["severity"] == "error")
    assert (error["code"], error["line"], error["column"]) == ("unsafe-variable", 1, 19)


def test_check_as_json_tells_of_a_sheet_that_cannot_be_read(pennies: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("broken.kif").write_text("(role a", encoding="utf-8")
    assert main(["gdl", "check", "broken.kif", "--json"]) == 2
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert (finding["code"], finding["line"], finding["column"]) == ("syntax", 1, 1)


def test_format_writes_either_syntax_and_back(pennies: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gdl", "format", pennies, "-o", "tidy.pl"]) == 0
    assert main(["gdl", "format", "tidy.pl", "--to", "kif", "-o", "tidy.kif"]) == 0
    assert main(["gdl", "format", "tidy.kif", "--to", "infix"]) == 0
    assert capsys.readouterr().out == Path("tidy.pl").read_text(encoding="utf-8")


def test_format_check_tells_whether_anything_would_change(pennies: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gdl", "format", pennies, "--check"]) == 1
    assert main(["gdl", "format", pennies, "-o", pennies]) == 0
    assert main(["gdl", "format", pennies, "--check"]) == 0
    assert capsys.readouterr().out == "pennies.pl: would be laid out otherwise\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["format", "pennies.pl", "--to", "html"], "--to html is no syntax, expected kif or infix"),
        (["format", "no.pl"], "no.pl: no such file"),
        (["format", "pennies.pl", "-o", "no/where.pl"], "no/where.pl: no such folder for the rulesheet"),
        (["check", "."], ".: a directory, expected a file with a rulesheet"),
        (["check", "pennies.pl", "--time-limit", "-1"], "zermelo: --time-limit -1 is not a positive number"),
        (["dance"], "zermelo: No such command 'dance'"),
    ],
)
def test_mistakes_are_one_line_and_exit_with_two(
    arguments: list[str], words: str, pennies: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["gdl", *arguments]) == 2
    shown = capsys.readouterr()
    assert shown.err.count("\n") == 1
    assert words in shown.err
    assert shown.out == ""


def test_a_flood_of_findings_is_counted_and_not_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = tmp_path / "flood.kif"
    sheet.write_text("\n".join(f"(<= (p{n} ?x) (not (q ?x)))" for n in range(150)))
    assert main(["gdl", "check", str(sheet)]) == 2
    printed = capsys.readouterr().out.splitlines()
    assert main(["gdl", "check", str(sheet), "--json"]) == 2
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert len(printed) == 101
    assert printed[-1] == f"and {len(findings) - 100} more (--json has all of them)"
