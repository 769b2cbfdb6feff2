"""The reference itself: its answer is the definition's, and its functions win against every reply."""

from __future__ import annotations

from itertools import product
from random import Random

from tests.qbf.bruteforce import brute_functions
from tests.qbf.randomformulas import random_formula
from zermelo.qbf.circuit import holds, values
from zermelo.qbf.formula import truth


def test_the_functions_by_brute_force_win_against_every_reply() -> None:
    for seed in range(200):
        formula = random_formula(Random(seed))
        answer = brute_functions(formula)
        assert answer.value == truth(formula)
        functions = answer.functions
        assert functions is not None
        others = [v for block in formula.prefix if block.quantifier != functions.owner for v in block.variables]
        for bits in product((False, True), repeat=len(others)):
            chosen = dict(zip(others, bits, strict=True))
            line = chosen | functions.replies(chosen)
            assert holds(values(formula.circuit, line), formula.output) == answer.value
