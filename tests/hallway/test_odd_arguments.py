"""What the public functions say to somebody who gives them something else: one line with what was expected."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo import cgt, gdl, qbf, qip, scsp
from zermelo.errors import ZermeloError

NIM = zermelo.make_game("nim:1,2")
PROOF = zermelo.solve("nim:1,2").certificate
ODD = [None, 5, -1.5, True, [], {}, object(), b"abc", {"a": 1}, float("nan"), int, zermelo]
OPTIONAL = [odd for odd in ODD if odd is not None]

REQUIRED: dict[str, Callable[[Any], object]] = {
    "solve": zermelo.solve,
    "analyse": zermelo.analyse,
    "encoded": lambda odd: zermelo.encoded(odd, "qcir"),
    "encoded to": lambda odd: zermelo.encoded("nim:1", odd),
    "game_of": zermelo.game_of,
    "make_game": zermelo.make_game,
    "picture": zermelo.picture,
    "check_certificate of a game": lambda odd: zermelo.check_certificate(odd, PROOF),
    "check_certificate": lambda odd: zermelo.check_certificate(NIM, odd),
    "read_certificate": zermelo.read_certificate,
    "read_formula": qbf.read_formula,
    "read_qlp": qip.read_qlp,
    "read_network": scsp.read_network,
    "read_rulesheet": gdl.read_rulesheet,
    "parse_formula": qbf.parse_formula,
    "parse_qcir": qbf.parse_qcir,
    "parse_qdimacs": qbf.parse_qdimacs,
    "parse_qlp": qip.parse_qlp,
    "parse_network": scsp.parse_network,
    "read_rules": gdl.read_rules,
    "rulesheet": gdl.rulesheet,
}
WORDS: dict[str, Callable[..., object]] = {
    "solve": partial(zermelo.solve, "nim:1,2"),
    "analyse": partial(zermelo.analyse, "nim:1,2"),
    "encoded": partial(zermelo.encoded, "nim:1", "qcir"),
    "check_certificate": partial(zermelo.check_certificate, NIM, PROOF),
    "picture": partial(zermelo.picture, NIM),
}
OPTIONS = [
    *(("solve", word) for word in ("engine", "limits", "options", "kind", "position")),
    *(("analyse", word) for word in ("engine", "limits", "kind", "position")),
    *(("encoded", word) for word in ("limits", "goal", "encoding", "kind")),
    ("check_certificate", "limits"),
    ("picture", "options"),
    ("picture", "position"),
]


def refusal(call: Callable[[], object]) -> str:
    """The line that says what is wrong."""
    with pytest.raises(ZermeloError) as raised:
        call()
    return str(raised.value)


@pytest.mark.parametrize("name", REQUIRED)
def test_an_argument_of_a_wrong_type_is_refused_in_one_line(name: str) -> None:
    for odd in ODD:
        said = refusal(partial(REQUIRED[name], odd))
        assert said and "\n" not in said
        assert "object has no attribute" not in said


@pytest.mark.parametrize("name, word", OPTIONS)
def test_an_option_of_a_wrong_type_is_refused_in_one_line(name: str, word: str) -> None:
    for odd in OPTIONAL:
        said = refusal(partial(WORDS[name], **{word: odd}))
        assert said and "\n" not in said


@pytest.mark.parametrize("horizon", ["5", 2.5, True, [], -1])
def test_a_horizon_is_a_number_of_plies(horizon: Any) -> None:
    assert "horizon" in refusal(lambda: zermelo.encoded("nim:1", "qcir", horizon=horizon))


@pytest.mark.parametrize("number", ["1", None, [], 0.5])
def test_a_value_is_made_of_a_whole_number_or_a_fraction(number: Any) -> None:
    assert "expected a whole number or a Fraction" in refusal(lambda: cgt.number(number))
    assert "expected a whole number or a Fraction" in refusal(lambda: cgt.switch(number, number))


def test_what_was_expected_is_named() -> None:
    assert "expected one as of zermelo.read_certificate" in refusal(lambda: zermelo.check_certificate(NIM, 5))  # type: ignore[arg-type]
    assert "expected that of a certificate" in refusal(lambda: zermelo.read_certificate(5))  # type: ignore[arg-type]
    assert "expected a zermelo.Game" in refusal(lambda: zermelo.picture("nim:1"))  # type: ignore[arg-type]
    assert "is no position of this game" in refusal(lambda: zermelo.picture(NIM, 5))


def test_a_path_that_is_a_text_is_a_path(tmp_path: Path) -> None:
    assert "no such file" in refusal(lambda: zermelo.read_certificate(str(tmp_path / "none")))  # type: ignore[arg-type]
