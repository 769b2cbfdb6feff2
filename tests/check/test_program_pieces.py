"""What proofs about programs are made of: programs that are taken up later, and numbers that make terms whole."""

from __future__ import annotations

from fractions import Fraction
from math import gcd

import pytest

from zermelo.check.programmoves import ProgramMoves
from zermelo.check.quantified import QuantifiedProgram, Variable, at_most, whole_scale
from zermelo.errors import InputError, LimitReachedError
from zermelo.limits import Limits

X, Y = (Variable(name, "exists", True, Fraction(0), Fraction(9)) for name in ("x", "y=z"))
PROGRAM = QuantifiedProgram((X, Y))


def test_moves_set_the_first_variables() -> None:
    after = PROGRAM.after_moves(["x=3", "y=z=7/2"])
    assert after.given == (3, Fraction(7, 2))
    assert [(v.lower, v.upper) for v in after.variables] == [(3, 3), (Fraction(7, 2), Fraction(7, 2))]
    assert PROGRAM.after_moves(["x=3"]).variables == (after.variables[0], Y)
    assert PROGRAM.after_moves([]) == PROGRAM


@pytest.mark.parametrize("moves", [["y=z=3"], ["x=3", "x=3"], ["x=3", "y=3"], ["x=3", "y=z=3", "x=3"], ["3"]])
def test_a_move_that_sets_another_variable_than_the_next_one_is_refused(moves: list[str]) -> None:
    with pytest.raises(InputError, match=f"the move '{moves[-1]}' sets no value of the next variable"):
        PROGRAM.after_moves(moves)


@pytest.mark.parametrize("numbers", [(4, 6), (Fraction(1, 2), Fraction(3, 4)), (-3, 0, 6), (5,), (1, 2), (0,)])
def test_terms_are_made_whole_without_a_common_divisor(numbers: tuple[Fraction | int, ...]) -> None:
    scale = whole_scale(list(enumerate(numbers)))
    made = [number * scale for number in numbers]
    assert scale > 0 and all(number.denominator == 1 for number in made)
    assert gcd(*map(int, made)) <= 1


def test_no_terms_are_whole_as_they_are() -> None:
    assert whole_scale(()) == 1


def test_the_moves_of_forall_are_looked_for_within_limits() -> None:
    variables = tuple(Variable(name, "forall", True, Fraction(0), Fraction(9)) for name in "uvw")
    rules = ProgramMoves(QuantifiedProgram(variables, own=at_most([(0, 2), (1, 3), (2, 3)], "=", 12)))
    assert [value for _, value in rules.moves(())] == [0, 3, 6]
    with pytest.raises(LimitReachedError):
        rules.moves((), Limits(nodes=1))
