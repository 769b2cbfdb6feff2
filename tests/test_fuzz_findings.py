"""What fuzzing has found, each as one case."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from tests.randomgames import TableGame
from zermelo.certificate import parse_certificate
from zermelo.cli import main
from zermelo.errors import CertificateError, UnknownGameError
from zermelo.game import CHANCE
from zermelo.options import Options
from zermelo.solving import solve_game
from zermelo.solving.targets import game_of

ONE = (Fraction(1),)


@pytest.mark.parametrize(
    "arguments",
    [
        ["solve", "nim:3", "--engine", "uct", "--seed", "-1"],
        ["solve", "nim:3", "--engine", "uct", "--simulations", "-1"],
        ["solve", "nim:3", "--depth", "4294967296"],
        ["solve", "nim:3", "--certificate", "."],
        ["solve", "nim:3", "--certificate", "x" * 300],
        ["play", "nim:3", "--as", "second", "--seed", "-1"],
        ["solve", "x" * 300 + ".py:Game"],
        ["solve", "\n.py"],
    ],
)
def test_what_no_kernel_and_no_file_system_takes_is_bad_input(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "internal error" not in err


def test_more_nodes_than_a_kernel_can_count_are_no_limit(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "nim:3", "--engine", "dp", "--node-limit", "99999999999999999999"]) == 0
    assert "first wins" in capsys.readouterr().out


def test_file_whose_name_is_not_unicode_is_solved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("\udcff.graph").write_text("1\n0\n")
    assert main(["solve", "\udcff.graph"]) == 0
    assert b"\\udcff.graph: second wins" in capfdbinary.readouterr().out


@pytest.mark.parametrize("score", ['"1e999999999"', '"0.5"', '"' + "9" * 5000 + '"', "9" * 5000, '" 1"', '"1_0"'])
def test_scores_of_a_certificate_are_plain_fractions(score: str) -> None:
    head = '{"format":"zermelo-certificate","version":1,"target":"nim:1",' + f'"digest":"{32 * "0a"}","claims":'
    with pytest.raises(CertificateError, match=r"at_least|too long"):
        parse_certificate(f'{head}[{{"role":"first","at_least":{score},"table":{{}}}}]}}')


def test_errors_keep_to_one_line_whatever_they_quote() -> None:
    with pytest.raises(UnknownGameError) as error:
        game_of("\n.py")
    assert str(error.value).startswith("\\n.py: name the class as well")


def test_uct_may_prove_a_game_of_chance_but_writes_no_strategy_down() -> None:
    game = TableGame(("second", CHANCE, "first"), ((1,), (2,), ()), (None, None, 1), (ONE, ONE, ()))
    solution = solve_game(game, "uct", options=Options(simulations=100))
    assert (solution.status, solution.value, solution.certificate) == ("solved", 1, None)
    assert "dp does" in solution.note


def test_game_without_an_end_is_worth_what_endless_play_scores() -> None:
    endless = (Fraction(1, 2), Fraction(5, 2))
    game = TableGame(("first", "second"), ((1,), (0,)), (None, None), (ONE, ONE), total=3, endless=endless)
    solution = solve_game(game, "dp")
    assert (solution.value, solution.winner, solution.verified) == (Fraction(1, 2), "second", True)
