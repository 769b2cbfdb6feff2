"""Formulas on the command line: every verb, exit statuses, errors, Ctrl-C."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from zermelo.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"
CHOICES, ANSWERS = str(EXAMPLES / "choices.qcir"), str(EXAMPLES / "answers.qcir")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(arguments)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def false_formula(folder: Path) -> str:
    path = folder / "false.qcir"
    path.write_text("#QCIR-G14\nfree(f)\nexists(y)\nforall(x)\noutput(-g)\ng = xor(x, y)\n")
    return str(path)


def test_the_report_says_who_wins_what_to_choose_first_and_that_it_was_checked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, out, _ = run(capsys, "solve", CHOICES)
    assert status == 0
    assert out.splitlines()[0] == f"{CHOICES}: exists wins, the formula is true"
    assert "exists chooses x1=0 x2=1" in out
    assert "2 functions, 0 and-gates" in out
    assert "by the independent checker (by " in out


def test_a_false_formula_is_won_by_forall_and_free_variables_are_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    status, out, _ = run(capsys, "solve", false_formula(tmp_path))
    assert status == 0
    assert "forall wins, the formula is false" in out
    assert "f, chosen by exists before all others" in out
    assert "forall answers whatever is chosen" in out


def test_the_exit_status_of_solvers_is_given_on_request(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(capsys, "solve", CHOICES, "--solver-exit-codes")[0] == 10
    assert run(capsys, "solve", false_formula(tmp_path), "--solver-exit-codes")[0] == 20
    status, out, err = run(capsys, "solve", "nim:1,2", "--solver-exit-codes")
    assert (status, out) == (2, "")
    assert err == "zermelo: --solver-exit-codes is for formulas, expected a .qcir or .qdimacs file\n"


def test_json_has_the_outermost_assignment(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, err = run(capsys, "solve", CHOICES, "--json")
    answer = json.loads(out)
    assert (status, err) == (0, "")
    assert answer["assignment"] == {"x1": False, "x2": True}
    assert (answer["winner"], answer["value"], answer["verified"]) == ("exists", "1", True)
    assert answer["move"] == "x1=0"
    assert answer["line"][:2] == ["x1=0", "x2=1"]
    assert {"seconds", "nodes", "function_gates"} <= set(answer["stats"])
    assert json.loads(run(capsys, "solve", false_formula(tmp_path), "--json")[1])["assignment"] == {}
    assert "assignment" not in json.loads(run(capsys, "solve", "nim:1,2", "--json")[1])


def test_a_formula_may_come_on_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(Path(ANSWERS).read_text()))
    status, out, _ = run(capsys, "solve", "-")
    assert (status, out.splitlines()[0]) == (0, "-: exists wins, the formula is true")


CLAUSES = "c for all 1 there is 2 that differs\np cnf 2 2\na 1 0\ne 2 0\n1 2 0\n-1 -2 0\n"


def test_clauses_are_formulas_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "f.qdimacs"
    path.write_text(CLAUSES)
    assert run(capsys, "solve", str(path), "--solver-exit-codes")[0] == 10
    assert run(capsys, "show", str(path), "--as", "strategy")[1] == "list(list(2, ite(1, false(), true())))\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(CLAUSES))
    assert run(capsys, "solve", "-", "--solver-exit-codes")[0] == 10


def test_a_graph_is_played_by_formulas(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    status, out, _ = run(capsys, "play", str(EXAMPLES / "map.graph"), "--engine", "qbf", "--as", "none")
    assert status == 0
    assert "second plays castle (proved: second wins)" in out
    assert out.rstrip().endswith("second wins.")


def test_a_certificate_is_written_and_checked_and_a_wrong_one_is_refuted_by_a_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    proof = tmp_path / "proof.json"
    assert run(capsys, "solve", ANSWERS, "--certificate", str(proof))[0] == 0
    status, out, _ = run(capsys, "check", ANSWERS, str(proof))
    assert status == 0
    assert out.startswith("accepted: exists gets at least 1 if exists starts (by ")
    data = json.loads(proof.read_text())
    lines = data["claims"][0]["data"]["aag"].split("\n")
    lines[3] = str(1 - int(lines[3]))  # the choice of start
    data["claims"][0]["data"]["aag"] = "\n".join(lines)
    proof.write_text(json.dumps(data))
    status, out, _ = run(capsys, "check", ANSWERS, str(proof))
    assert status == 1
    assert out.splitlines()[0] == "refuted: the formula comes out false against the functions of exists"
    assert "start=0" in out.splitlines()[1]
    status, out, _ = run(capsys, "check", CHOICES, str(proof))
    assert (status, out.startswith("refuted: ")) == (1, True)


def test_a_strategy_is_shown_as_terms_as_aiger_and_as_a_tree(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    status, out, _ = run(capsys, "show", CHOICES, "--as", "strategy")
    assert (status, out) == (0, "list(list(x1, false()), list(x2, true()))\n")
    aag, svg = tmp_path / "s.aag", tmp_path / "s.svg"
    assert run(capsys, "show", ANSWERS, "--as", "strategy", "-o", str(aag))[0] == 0
    assert aag.read_text().startswith("aag ")
    assert run(capsys, "show", ANSWERS, "--as", "strategy", "-o", str(svg))[0] == 0
    assert "start=1" in svg.read_text()
    assert run(capsys, "show", "nim:1,2", "--as", "strategy", "-o", str(svg))[0] == 0
    status, _, err = run(capsys, "show", "nim:1,2", "--as", "strategy", "-o", str(aag))
    assert (status, "a strategy is not written as .aag, expected .svg" in err) == (2, True)
    assert run(capsys, "show", "nim:1,2", "--as", "strategy", "-o", str(tmp_path / "s.txt"))[0] == 2


def test_functions_in_a_file_of_their_own_are_checked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    aag = tmp_path / "s.aag"
    assert run(capsys, "show", ANSWERS, "--as", "strategy", "-o", str(aag))[0] == 0
    status, out, _ = run(capsys, "check", ANSWERS, str(aag))
    assert (status, out.startswith("accepted: exists gets at least 1")) == (0, True)
    aag.write_text(aag.read_text().replace("\n3\n", "\n2\n"))
    assert run(capsys, "check", ANSWERS, str(aag))[0] == 1
    aag.write_text("aag 0 0 0 1\n")
    status, _, err = run(capsys, "check", ANSWERS, str(aag))
    assert (status, err.startswith(f"{aag}:1: expected 5 numbers")) == (2, True)
    assert run(capsys, "check", "nim:1", str(aag))[0] == 2


def test_a_position_of_a_formula_is_shown_block_by_block(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "show", ANSWERS, "--after", "start=1 a=0 b=1")
    assert status == 0
    assert out.splitlines() == ["exists  start=1", "forall  a=0", "exists  b=1", "forall  c=?", "exists  d=?"]


def test_a_person_plays_against_the_functions_and_loses(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("a=1\nc=1\n"))
    status, out, _ = run(capsys, "play", ANSWERS, "--as", "forall")
    assert status == 0
    assert "exists plays start=1 (proved: exists wins)" in out
    assert out.rstrip().endswith("exists wins.")


def test_the_engine_takes_its_chance_when_a_person_goes_wrong(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("start=1\nb=0\nd=0\n"))
    out = run(capsys, "play", ANSWERS, "--as", "exists")[1]
    assert out.rstrip().endswith("forall wins.")
    assert "proved: forall wins" in out


def test_bad_files_and_engines_get_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    bad = tmp_path / "bad.qcir"
    bad.write_text("#QCIR-G14\nexists(x)\noutput(g)\ng = and(x, y)\n")
    for arguments, said in (
        (("solve", str(bad)), f"{bad}:4:12: unknown name 'y'"),
        (("solve", str(tmp_path / "none.qcir")), "no such file"),
        (("solve", CHOICES, "--engine", "qbf-abacus"), "unknown engine 'qbf-abacus'"),
        (("solve", CHOICES, "--depth", "3"), "takes no depth"),
        (("check", CHOICES, str(bad)), "not JSON"),
    ):
        status, out, err = run(capsys, *arguments)
        assert (status, out) == (2, "")
        assert said in err
        assert err.count("\n") == 1


def hard(folder: Path) -> str:
    """Pigeons and holes: no solver is done with fifteen of them in a moment."""
    holes = 15
    lines = ["#QCIR-G14"]
    names = [[f"p{pigeon}_{hole}" for hole in range(holes)] for pigeon in range(holes + 1)]
    lines.append(f"exists({', '.join(name for row in names for name in row)})")
    lines.append("forall(u)")
    lines.append("output(all)")
    gates = []
    for pigeon, row in enumerate(names):
        lines.append(f"h{pigeon} = or({', '.join(row)})")
        gates.append(f"h{pigeon}")
        for other in range(pigeon):
            for hole in range(holes):
                gates.append(f"a{pigeon}_{other}_{hole}")
                lines.append(f"{gates[-1]} = or(-{row[hole]}, -{names[other][hole]})")
    lines.append("any = or(u, -u)")
    lines.append(f"all = and({', '.join(gates)}, any)")
    path = folder / "hard.qcir"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_the_time_limit_ends_a_hard_formula_with_status_3(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, _ = run(capsys, "solve", hard(tmp_path), "--time-limit", "0.5", "--solver-exit-codes")
    assert status == 3
    assert "not solved" in out
    assert "the time limit was reached" in out


def test_ctrl_c_ends_a_hard_formula_with_status_3_and_an_object(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "zermelo", "solve", hard(tmp_path), "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        process.stderr.readline()  # the header of the log: the search is under way
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 3
    assert json.loads(out)["status"] == "unknown"
    assert "Traceback" not in err
