"""Sums in brackets, boards with values and Go records on the command line."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from zermelo.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(list(words))
    out = capsys.readouterr()
    return status, out.out, out.err


def solved(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    status, out, _ = run(capsys, "solve", *words, "--json")
    assert status == 0
    found: dict[str, Any] = json.loads(out)
    return found


def test_a_board_has_an_outcome_a_value_a_mean_a_temperature_and_a_thermograph(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = solved(capsys, "domineering:....|....|.#..")
    assert (found["outcome"], found["value"]) == ("R", "3/2|-1/2||-1|-3")
    assert (found["mean"], found["temperature"], found["verified"]) == ("-3/4", "5/4", True)
    assert found["thermograph"]["right"] == [["-1", "-1"], ["-1", "1"], ["-3/4", "5/4"]]


@pytest.mark.parametrize(
    ("target", "outcome", "value"),
    [
        ("domineering:..|..+..|..", "P", "0"),
        ("kayles:12", "N", "*4"),
        ("clobber:xo", "N", "*"),
        ("hackenbush:brb", "L", "3/4"),
        ("toads:x.o", "N", "*"),
        ("^ + *", "N", "^*"),
        ("{0|*} + {0|*} + *", "L", "^^*"),
        ("1/2 - 1/4", "L", "1/4"),
        ("*3 + *5 + *6", "P", "0"),
    ],
)
def test_known_values(capsys: pytest.CaptureFixture[str], target: str, outcome: str, value: str) -> None:
    found = solved(capsys, target)
    assert (found["outcome"], found["value"], found["verified"]) == (outcome, value, True)


def test_a_sum_in_brackets_has_scores_for_either_starter_and_a_move(capsys: pytest.CaptureFixture[str]) -> None:
    found = solved(capsys, "{5|-5} + {3||2|-1}")
    assert (found["left_first"], found["right_first"], found["move"]) == ("7", "-2", "1:5")
    assert (found["winner"], found["verified"], found["engine"]) == ("left", True, "sum")


def test_at_score_0_who_moved_last_wins(capsys: pytest.CaptureFixture[str]) -> None:
    assert solved(capsys, "{0|0}", "--engine", "sum")["winner"] == "left"
    assert solved(capsys, "{0|0} + {0|0}", "--engine", "sum")["winner"] == "right"


def test_every_engine_agrees_on_an_endgame(capsys: pytest.CaptureFixture[str]) -> None:
    found = solved(capsys, str(EXAMPLES / "endgame.cgt"), "--engine", "all")
    assert found["left_first"] == "35/2" and found["verified"]
    assert {"sum", "cgt", "dp", "alphabeta"} <= set(found["stats"]["engines"])


@pytest.mark.parametrize("target", ["{5|-5} + {3||2|-1}", "domineering:....|....|.#..", "clobber:xo.|oxo+xo"])
def test_certificates_are_accepted_again_and_damaged_ones_are_not(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, target: str
) -> None:
    file = tmp_path / "c.json"
    solved(capsys, target, "--certificate", str(file))
    assert run(capsys, "check", target, str(file))[0] == 0
    certificate = json.loads(file.read_text())
    for claim in certificate["claims"]:
        claim["at_least"] = str(int(claim["at_least"]) + 1)
    file.write_text(json.dumps(certificate))
    assert run(capsys, "check", target, str(file))[0] == 1


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("{5|-5", "literal:1:1: this { is never closed"),
        ("{5|x}", "literal:1:4: unexpected 'x'"),
        ("domineering:..|.x", "domineering:..|.x:1:17: unexpected 'x'"),
        ("clobber:xo|z", "clobber:xo|z:1:12: unexpected 'z'"),
        ("kayles:x", "kayles:x:1:8: unexpected 'x'"),
        ("1/3 + {1|0}", "literal:1:1: 1/3 is no dyadic rational"),
    ],
)
def test_bad_input_gets_one_line_with_its_place(capsys: pytest.CaptureFixture[str], target: str, message: str) -> None:
    status, out, err = run(capsys, "solve", target)
    assert status == 2 and not out
    assert err.startswith(message) and err.count("\n") == 1


def test_a_file_with_a_slip_is_refused_with_line_and_column(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "sum.cgt"
    file.write_text("{5|-5} # hot\n+ {3||2|-1\n")
    status, _, err = run(capsys, "solve", str(file))
    assert status == 2 and err.startswith(f"{file}:2:3: this {{ is never closed")


def test_a_record_with_an_illegal_move_is_refused_with_line_and_column(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "game.sgf"
    file.write_text("(;SZ[5]\n;B[cc]\n;W[cc])")
    status, _, err = run(capsys, "solve", str(file))
    assert status == 2 and err.startswith(f"{file}:3:")


def test_a_thermograph_as_text_and_as_a_picture(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, _ = run(capsys, "show", "{15|||5|-5||-20}")
    assert status == 0 and "mean 5/2, temperature 25/2" in out
    file = tmp_path / "t.svg"
    assert run(capsys, "show", "domineering:4x3", "--as", "thermograph", "-o", str(file))[0] == 0
    assert file.read_text().startswith("<svg")


def test_huge_numbers_stay_exact(capsys: pytest.CaptureFixture[str]) -> None:
    huge = 2**200
    found = solved(capsys, f"{{{huge}|-{huge}}} + {{{huge + 1}|-{huge + 1}}} + 1/{huge}")
    assert found["left_first"] == f"{huge + 1}/{huge}" and found["verified"]


def test_limits_give_bounds_and_exit_status_3(capsys: pytest.CaptureFixture[str]) -> None:
    many = " + ".join(f"{{{{{a * 7919 % 997 + 40}|{a * 31 % 37}}}|-{a * 101 % 89}}}" for a in range(1, 61))
    status, out, _ = run(capsys, "solve", many, "--engine", "sum", "--node-limit", "1000", "--json")
    found = json.loads(out)
    assert status == 3 and found["status"] == "bounded"
    low, high = found["left_first_bounds"]
    assert found["left_first"] is None and low != high


def test_dots_and_boxes_is_a_scored_sum(capsys: pytest.CaptureFixture[str]) -> None:
    found = solved(capsys, "dots:1x1 + .|#.|.")
    assert found["left_first"] == str(-int(found["right_first"])) and found["verified"]


def test_the_end_of_a_sum_at_score_0_says_who_has_won(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1:0\n"))
    assert run(capsys, "play", "{0|0}")[1].rstrip().endswith("Score 0: who moved last has won.")


@pytest.mark.parametrize(
    ("literal", "score"),
    [("-{5|-5}", "5"), ("-3 + {1|-1}", "-2"), ("--{4|1}", "4"), ("-(2 + {1|0})", "-2"), ("-5", "-5"), ("-^", "0")],
)
def test_a_literal_may_begin_with_a_minus_sign(capsys: pytest.CaptureFixture[str], literal: str, score: str) -> None:
    found = solved(capsys, literal)
    assert (found["target"], found["left_first"]) == (literal, score)


def test_errors_in_such_a_literal_point_at_their_column(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "solve", "-3 + {1|-1")[::2] == (2, "literal:1:6: this { is never closed, expected }\n")


@pytest.mark.parametrize("words", [("-x", "nim:3"), ("--sed", "3", "nim:3"), ("-v", "nim:3"), ("nim:3", "--seed=x")])
def test_mistaken_options_are_still_mistakes(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    status, out, err = run(capsys, "solve", *words)
    assert (status, out, err.count("\n")) == (2, "", 1)


def test_a_board_stopped_by_a_limit_says_between_what_its_value_lies(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "solve", "domineering:7x7", "--node-limit", "2000", "--quiet")
    assert status == 3
    assert "value    -21 .. 21" in out and " 0 nodes" not in out


def test_who_asks_for_a_thermograph_where_there_is_none_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "solve", "nim:3,4", "--ask", "thermograph")
    assert (status, out) == (2, "")
    assert err == "zermelo: nim:3,4 has no thermograph, expected a sum or a board to ask for one\n"
