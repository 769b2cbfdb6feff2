"""The calculator: lines about values of games, as ``zermelo cgt`` reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from zermelo.cgt.calculator import Calculator, help_text
from zermelo.cgt.values.arena import controlled
from zermelo.errors import InputError, ZermeloError
from zermelo.kernel_thread import control_for
from zermelo.limits import Limits
from zermelo.web.tasks import Desk

if TYPE_CHECKING:
    from zermelo.web.worker import Emit

MOST_LINES: Final = 100
LONGEST_LINE: Final = 2_000
LONGEST_ANSWER: Final = 20_000


def calculate(desk: Desk, asked: dict[str, Any], limits: Limits, emit: Emit) -> dict[str, Any]:
    """What each line comes to, with the names that the lines before it gave.

    >>> told = calculate(Desk(), {"lines": ["G = {3|1}", "G + G", "G +"]}, Limits(), print)
    >>> [answer.get("said") for answer in told["answers"]]
    ['G = 3|1', '4', None]
    """
    del desk, emit
    lines = asked.get("lines")
    if not isinstance(lines, list) or not 1 <= len(lines) <= MOST_LINES or not all(isinstance(x, str) for x in lines):
        raise InputError(f'"lines" is not a list of one to {MOST_LINES} texts')
    if any(len(line) > LONGEST_LINE for line in lines):
        raise InputError(f"a line is longer than {LONGEST_LINE} characters")
    calculator = Calculator()
    with controlled(control_for(limits)):
        return {"answers": [{"line": line} | _answer(calculator, line) for line in lines]}


def _answer(calculator: Calculator, line: str) -> dict[str, str]:
    """What a line comes to, or what is wrong with it."""
    try:
        said = help_text() if line.strip() == "help" else calculator.said(line)
    except ZermeloError as error:
        return {"error": error.message if isinstance(error, InputError) else str(error)}
    if len(said) > LONGEST_ANSWER:
        return {"error": f"the answer has {len(said):,} characters, too many to show"}
    return {"said": said}
