"""The rows of ``forall`` in a derivation: what they leave him and what they connect, by trying all values."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from zermelo.check.law import Law
from zermelo.check.quantified import AtMost, QuantifiedProgram, Variable, at_most

COUNT = 4
"""Variables of a program."""


def random_own(chance: Random, rows: int) -> QuantifiedProgram:
    variables, own = [], list[AtMost]()
    for number in range(COUNT):
        low = chance.randint(-2, 1)
        variables.append(Variable(f"u{number}", "forall", True, Fraction(low), Fraction(low + chance.randint(1, 2))))
    for _ in range(rows):
        held = chance.sample(range(COUNT), chance.randint(1, 2))
        terms = [(number, Fraction(chance.choice((-3, -2, -1, 1, 2, 3)), chance.choice((1, 2)))) for number in held]
        own += at_most(terms, "<=", Fraction(chance.randint(-4, 4), chance.choice((1, 2))))
    return QuantifiedProgram(tuple(variables), own=tuple(own))


def values_of(program: QuantifiedProgram) -> list[tuple[int, ...]]:
    return list(product(*(range(int(v.lower or 0), int(v.upper or 0) + 1) for v in program.variables)))


def keeps(row: AtMost, values: tuple[int, ...]) -> bool:
    return sum((c * values[number] for number, c in row.terms), Fraction(0)) <= row.right


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_the_law_leaves_what_the_rows_leave(rows: int) -> None:
    narrowed = 0
    for seed in range(150):
        program = random_own(Random(seed), rows)
        legal = [values for values in values_of(program) if all(keeps(row, values) for row in program.own)]
        if not legal:
            continue
        law = Law(program)
        assert law.rows == [row for row in program.own if not all(keeps(row, v) for v in values_of(program))], seed
        for number, (low, high) in law.box.items():
            left = {values[number] for values in legal}
            assert low <= min(left) and max(left) <= high, seed
            variable = program.variables[number]
            narrowed += (low, high) != (variable.lower, variable.upper)
            if rows == 1:
                assert (low, high) == (min(left), max(left)), seed
    assert narrowed > 10


def test_variables_are_of_one_part_if_rows_that_can_be_broken_connect_them() -> None:
    for seed in range(200):
        law = Law(random_own(Random(seed), 3))
        joined = [{number for number, _ in row.terms} for row in law.rows]
        for _ in range(COUNT):
            joined = [one.union(*(other for other in joined if one & other)) for one in joined]
        assert law.part.keys() == set().union(*joined)
        for one, other in product(law.part, repeat=2):
            assert (law.part[one] == law.part[other]) == any({one, other} <= part for part in joined), seed


def test_rows_are_kept_by_what_is_chosen_for_all_of_their_variables() -> None:
    for seed in range(60):
        program = random_own(Random(seed), 2)
        law = Law(program)
        for values in values_of(program):
            for part in {*law.part.values()}:
                chosen = {number: values[number] for number, its in law.part.items() if its == part}
                asked = [row for row in law.rows if row.terms[0][0] in chosen]
                assert law.keeps(chosen) == all(keeps(row, values) for row in asked), seed
