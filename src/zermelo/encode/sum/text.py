"""Encoded sums as text that can be read again: one game a line, comments say what each is for."""

from __future__ import annotations

from collections.abc import Iterable

from zermelo.cgt.scores.scored import written
from zermelo.encode.sum.formula_sum import FormulaSum, sum_of_formula, sum_of_numbers
from zermelo.encode.sum.sums import EncodedSum
from zermelo.errors import InputError
from zermelo.qbf.formula import Formula

ANSWER = "Left, moving first, wins exactly if {}: the score is 0 then, and negative if not"


def text_of_formula(formula: Formula, target: str, *, three: bool = False) -> str:
    """A formula as a sum.

    >>> from zermelo.qbf.qdimacs import parse_qdimacs
    >>> print(text_of_formula(parse_qdimacs("p cnf 1 1\\na 1 0\\n1 0\\n"), "all.qdimacs"))  # doctest: +ELLIPSIS
    # all.qdimacs: exists is Left, forall is Right
    # Left, moving first, wins exactly if the formula is true: the score is 0 then, and negative if not
    # 1 clause, 2 variables in turn; an exact cover of 2 points by 4 sets and 2 extras; 4 switches to select from
    # J: Left begins here, Right answers
      {...
    """
    made = sum_of_formula(formula, three=three)
    start = made.formula
    sizes = (
        f"{_counted(len(start.clauses), 'clause')}, {_counted(len(start.names), 'variable')} in turn; "
        f"an exact cover of {_counted(made.cover.points, 'point')} by {2 * len(made.cover.choices)} sets and "
        f"{_counted(len(made.cover.extras), 'extra')}; {_counted(len(made.alt.extras), 'switch', 'switches')} "
        "to select from"
    )
    head = [f"{target}: exists is Left, forall is Right", ANSWER.format("the formula is true"), sizes]
    return _written(made.sum, head, [_choice(made, place) for place in range(len(start.names))])


def text_of_partition(target: str) -> str:
    """The sum that a target such as ``partition:3,1,1,2,2,1`` stands for.

    >>> print(text_of_partition("partition:1,1").splitlines()[1])
    # Left, moving first, wins exactly if the numbers part into equal halves: the score is 0 then, and negative if not
    """
    numbers = []
    for word in target.partition(":")[2].split(","):
        if not (word.strip().isascii() and word.strip().isdigit()) or len(word) > 1000:
            raise InputError(
                f"{word.strip()[:40]!r} is no natural number, expected partition:3,1,1,2", file=target[:80]
            )
        numbers.append(int(word))
    head = [target, ANSWER.format("the numbers part into equal halves")]
    return _written(sum_of_numbers(numbers), head, [])


def _counted(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def _choice(made: FormulaSum, place: int) -> str:
    """What a choice is about, and which of its switches means what."""
    role, name = "forall" if place % 2 else "exists", made.formula.names[place]
    false, true = made.alt.choices[place]
    if not name or false == true:
        return f"{role} has nothing to choose"
    return f"{role} chooses {name}, the {'larger' if true > false else 'smaller'} switch for true"


def _written(encoded: EncodedSum, head: Iterable[str], choices: list[str]) -> str:
    lines = [f"# {' '.join(line.split())}" for line in head]
    for place, component in enumerate(encoded.components):
        choice = place - encoded.first_choice
        role = choices[choice] if 0 <= choice < len(choices) else component.role
        lines.append(f"# {component.name}: {role}")
        lines.append(f"{'+' if place else ' '} {written(component.game)}")
    return "\n".join(lines) + "\n"
