"""The problems between formulas and sums solved by their definition: plain search through the play."""

from __future__ import annotations

from itertools import combinations
from typing import TypeVar

from zermelo.encode.sum.alternating import AlternatingFormula
from zermelo.encode.sum.problems import Problem

Taken = TypeVar("Taken")


def is_true(formula: AlternatingFormula) -> bool:
    """The answer of an alternating formula, trying all values."""

    def decide(values: tuple[bool, ...]) -> bool:
        place = len(values)
        if place == len(formula.names):
            return all(any(values[abs(i) - 1] == (i > 0) for i in clause) for clause in formula.clauses)
        answers = (decide((*values, value)) for value in (False, True))
        return all(answers) if place % 2 else any(answers)

    return decide(())


def left_wins(problem: Problem[Taken]) -> bool:
    """Does Left win a problem for two persons?"""
    places = range(len(problem.extras))
    subsets = [chosen for size in range(len(places) + 1) for chosen in combinations(places, size)]

    def decide(sides: tuple[int, ...]) -> bool:
        if len(sides) == len(problem.choices):
            return any(problem.is_won(sides, selected) for selected in subsets)
        answers = (decide((*sides, side)) for side in (0, 1))
        return all(answers) if len(sides) % 2 else any(answers)

    return decide(())
