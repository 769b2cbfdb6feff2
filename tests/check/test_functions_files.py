"""Functions in a file of their own: whose they are is said by the first output."""

from __future__ import annotations

from pathlib import Path

import pytest

from zermelo.certificate import Certificate, Claim
from zermelo.check import check_certificate
from zermelo.check.instance import digest_of
from zermelo.check.read.aag import read_functions
from zermelo.check.targets import game_to_check
from zermelo.errors import CertificateError
from zermelo.game import Game

NOTHING = "aag 0 0 0 0 0\n"
ANSWER = "aag 1 1 0 1 0\n2\n3\ni0 x\no0 y\n"
REPLY = "aag 0 0 0 1 0\n1\no0 x\n"
BOTH = "aag 0 0 0 2 0\n1\n0\no0 y\no1 x\n"


def game_of(folder: Path, text: str = "forall(x)\nexists(y)\noutput(g)\ng = xor(x, y)") -> Game:
    path = folder / "f.qcir"
    path.write_text(text, encoding="utf-8")
    game = game_to_check(str(path))
    assert game is not None
    return game


def functions(folder: Path, text: str) -> Path:
    path = folder / "s.aag"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "role"), [(ANSWER, "exists"), (REPLY, "forall"), (BOTH, "exists"), (NOTHING, "forall")]
)
def test_the_claim_is_that_of_the_role_whose_variable_comes_first(text: str, role: str, tmp_path: Path) -> None:
    game, path = game_of(tmp_path), functions(tmp_path, text)
    claim = Claim(role, 1, rule="functions", data={"aag": text})
    assert read_functions(game, path) == Certificate(str(path), (claim,), digest_of(game))


def test_such_a_claim_is_checked_like_any_other(tmp_path: Path) -> None:
    game = game_of(tmp_path)
    assert check_certificate(game, read_functions(game, functions(tmp_path, ANSWER))).accepted
    wrong = functions(tmp_path, ANSWER.replace("\n3\n", "\n2\n"))
    assert check_certificate(game, read_functions(game, wrong)).status == "refuted"


def test_functions_are_of_formulas_alone(tmp_path: Path) -> None:
    game = game_to_check("nim:3")
    assert game is not None
    with pytest.raises(CertificateError, match=r"s\.aag: functions of a formula, expected a certificate of the game"):
        read_functions(game, functions(tmp_path, ANSWER))


@pytest.mark.parametrize(
    ("formula", "text", "message"),
    [
        ("forall(x)\nexists(y)\noutput(y)", "aag 0 0 0 1 0\n1\no0 z\n", "the output 'z' is no variable of the formula"),
        ("output(g)\ng = and()", NOTHING, "the output '' is no variable of the formula"),
        ("exists(x)\noutput(x)", "aag 0 0 0 1\n", "1: expected 5 numbers"),
        ("exists(x)\noutput(x)", "aag 0 0 0 1 0\n1\no0 x\no0 x\n", "4: expected a new place and its name"),
    ],
)
def test_what_names_no_variable_is_refused_where_it_stands(
    formula: str, text: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(CertificateError) as refused:
        read_functions(game_of(tmp_path, formula), functions(tmp_path, text))
    assert str(refused.value).startswith(f"{tmp_path / 's.aag'}:") and message in str(refused.value)
