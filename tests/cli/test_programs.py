"""Quantified programs on the command line: every verb, exit statuses, errors."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from zermelo.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"
BAKERY = str(EXAMPLES / "bakery.qlp")
HOPELESS = "MINIMIZE\nx\nSUBJECT TO\nx - u = 0\nBINARIES\nx u\nEXISTS\nx\nALL\nu\nORDER\nx u\nEND\n"
LINEAR = (
    "MINIMIZE\n2 x + y\nSUBJECT TO\nx + y >= 3 u + 1\ny <= 2 + v\nBOUNDS\n0 <= x <= inf\n0 <= y <= inf\n"
    "0 <= u <= 1\n0 <= v <= 2\nEXISTS\nx y\nALL\nu v\nORDER\nx u v y\nEND\n"
)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(arguments)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def written(folder: Path, text: str) -> str:
    path = folder / "program.qlp"
    path.write_text(text)
    return str(path)


def test_the_report_says_what_is_best_what_to_set_first_and_that_it_was_checked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, out, _ = run(capsys, "solve", BAKERY)
    assert status == 0
    lines = out.splitlines()
    assert lines[0] == f"{BAKERY}: feasible, the least objective is 7"
    assert "  first    exists sets early=1" in lines
    assert "yes, by the independent checker (exists in" in lines[-1]


def test_an_infeasible_program_is_answered_not_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = written(tmp_path, HOPELESS)
    status, out, _ = run(capsys, "solve", file)
    assert status == 0 and out.startswith(f"{file}: infeasible")
    status, out, _ = run(capsys, "solve", file, "--json")
    data = json.loads(out)
    assert (status, data["feasible"], data["value"], data["winner"], data["verified"]) == (
        0,
        False,
        None,
        "forall",
        True,
    )


def test_json_has_the_value_as_an_exact_text(capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(run(capsys, "solve", BAKERY, "--json")[1])
    assert (data["feasible"], data["value"], data["bounds"]) == (True, "7", ["7", "7"])
    assert data["assignment"] == {"early": "1"} and data["line"][0] == data["move"] == "early=1"


def test_a_program_comes_on_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for comment in ("", "\\ a comment\n", "// one\n/* two\nthree */\n"):
        monkeypatch.setattr("sys.stdin", io.StringIO(comment + LINEAR))
        data = json.loads(run(capsys, "solve", "-", "--json")[1])
        assert (data["value"], data["engine"], data["verified"]) == ("6", "qlp", True)


def test_a_certificate_is_written_and_checked_and_a_wrong_one_refuted(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    proof = tmp_path / "proof.json"
    assert run(capsys, "solve", BAKERY, "--certificate", str(proof))[0] == 0
    status, out, _ = run(capsys, "check", BAKERY, str(proof))
    assert status == 0
    assert out.startswith("accepted: exists satisfies all rows, with an objective of at most 7 and forall forces")
    data = json.loads(proof.read_text())
    for claim in data["claims"]:
        wrong = dict(claim) | {"data": dict(claim["data"]) | {"value": 6 if claim["role"] == "exists" else 8}}
        wrong["at_least"] = "-6" if claim["role"] == "exists" else "8"
        proof.write_text(json.dumps(data | {"claims": [wrong]}))
        status, out, _ = run(capsys, "check", BAKERY, str(proof))
        assert status == 1 and out.startswith("refuted: ")


def test_the_strategy_is_shown_in_every_form(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, _ = run(capsys, "show", BAKERY, "--as", "strategy")
    assert status == 0
    assert "exists sets early=1" in out and "ask2=1: forall breaks row few of his own" in out
    for suffix, begin in ((".svg", "<svg"), (".dot", "digraph"), (".json", '{\n "role": "exists"'), (".txt", "exists")):
        file = tmp_path / f"strategy{suffix}"
        assert run(capsys, "show", BAKERY, "--as", "strategy", "-o", str(file))[0] == 0
        assert file.read_text().startswith(begin)
    status, out, _ = run(capsys, "show", BAKERY, "--as", "strategy", "--after", "early=2")
    assert status == 0 and "objective of at most 10" in out
    status, _, err = run(capsys, "show", BAKERY, "--as", "strategy", "-o", str(tmp_path / "strategy.aag"))
    assert status == 2 and "a strategy is not written as .aag" in err


def test_play_ends_with_the_objective(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("early=4\n2\nlate=0\nleft=2\n"))
    status, out, _ = run(capsys, "play", BAKERY)
    assert status == 0
    assert "early=4 is not a legal move here: it lies between 0 and 3" in out
    assert "forall plays ask1=0 (proved: the objective is 10)" in out
    assert out.rstrip().endswith("The objective is 10.")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "MAXIMIZE\nx\nSUBJECT TO\nx >= u\nBOUNDS\n0 <= x <= inf\nBINARIES\nu\nEXISTS\nx\nALL\nu\nORDER\nu x\nEND\n",
            "unbounded",
        ),
        (LINEAR.replace("0 <= v <= 2", "2 <= v <= 0"), "expected the lower bound first"),
        (LINEAR.replace("ORDER\nx u v y", "ORDER\nx u y"), "ORDER"),
        (
            LINEAR.replace("BOUNDS", "BOUNDS\n0 <= z <= 1")
            .replace("EXISTS", "GENERALS\nz\nEXISTS\nz")
            .replace("ORDER", "ORDER\nz"),
            "continuous",
        ),
        (LINEAR.replace("3 u + 1", "3 u + 1e400"), "digits"),
        (
            HOPELESS.replace("BINARIES", "UNCERTAINTY SUBJECT TO\nu >= 2\nBINARIES"),
            "the universal player cannot keep his own rows",
        ),
    ],
)
def test_a_program_that_cannot_be_is_one_line_and_status_2(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, message: str
) -> None:
    status, out, err = run(capsys, "solve", written(tmp_path, text))
    assert (status, out) == (2, "")
    assert message in err and err.count("\n") == 1


def test_an_engine_that_does_not_take_the_program_says_so(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, _, err = run(capsys, "solve", written(tmp_path, LINEAR), "--engine", "dp")
    assert status == 2 and "x is continuous" in err
    status, _, err = run(capsys, "solve", BAKERY, "--engine", "qlp")
    assert status == 2 and "continuous" in err
