"""``zermelo cgt``: what lines come to."""

from __future__ import annotations

import io
import sys

import pytest

from zermelo.cgt.calculator import FUNCTIONS, QUESTIONS, Calculator, help_text
from zermelo.cgt.values.value import value_of
from zermelo.cli import main
from zermelo.errors import InputError


def test_names_are_kept_from_line_to_line() -> None:
    calculator = Calculator()
    assert calculator.said("G = {3|1}") == "G = 3|1"
    assert calculator.said("H = G + *") == "H = 3*|1*"
    assert calculator.said("H - G == *") == "H - G == *: true"
    assert calculator.said("G = 2") == "G = 2" and calculator.said("G + G") == "4"


@pytest.mark.parametrize("text", ["{3|^*}", "1/2", "*3", "{2||1|-5}", "^^*"])
def test_every_question_has_the_answer_of_the_value(text: str) -> None:
    value, calculator = value_of(text), Calculator()
    assert calculator.said(f"mean {text}") == str(value.mean)
    assert calculator.said(f"temperature {text}") == str(value.temperature)
    assert calculator.said(f"stops {text}") == f"{value.left_stop}, {value.right_stop}"
    assert calculator.said(f"birthday {text}") == str(value.birthday)
    for word in set(QUESTIONS) - {"weight"}:
        assert calculator.said(f"{word} {text}")


def test_functions_may_stand_inside_one_another() -> None:
    calculator = Calculator()
    calculator.said("X = {2|-2}")
    assert calculator.said("cool(cool(X, 1), 1)") == str(value_of("{2|-2}").cooled(2))
    assert calculator.said("ordinal(*, 1) + norton(1, ^)") == str(value_of("*").ordinal_sum(1) + value_of("^"))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("mean = 3", "means something"),
        ("G +", "expected"),
        ("cool(1)", "cool\\(G, t\\)"),
        ("cool(*, *)", "no number"),
        ("cool(1, 2", "not closed"),
        ("unheard", "nothing is called unheard"),
        ("temperature on + off", "may go on for ever"),
        ("temperature over", "may go on for ever"),
        ("", "nothing to work out|expected"),
    ],
)
def test_a_wrong_line_is_refused_in_one_line(line: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Calculator().said(line)


def test_a_game_that_names_itself_is_loopy() -> None:
    calculator = Calculator()
    assert calculator.said("H = {0|H}") == "H = over"
    assert calculator.said("H > ^") == "H > ^: true"
    assert calculator.said("outcome H - 1") == "left first: right wins; right first: right wins"


def test_the_verb_reads_lines_or_takes_expressions(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["cgt", "G = {1|-1}", "temperature G"]) == 0
    assert capsys.readouterr().out.splitlines() == ["G = +-1", "1"]
    monkeypatch.setattr(sys, "stdin", io.StringIO("# a remark\nG = 1/2\n\nG + G\nquit\nnever"))
    assert main(["cgt"]) == 0
    assert capsys.readouterr().out.splitlines() == ["G = 1/2", "1"]
    assert main(["cgt", "{1|"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_help_lists_everything_that_can_be_asked() -> None:
    shown = help_text()
    assert all(f"{word} G" in shown for word in QUESTIONS) and all(f"{name}(" in shown for name in FUNCTIONS)
