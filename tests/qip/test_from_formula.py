"""A quantified Boolean formula is a quantified program."""

from __future__ import annotations

from random import Random

from tests.qbf.randomformulas import random_clauses, random_formula
from tests.qip.randomprograms import INFEASIBLE, brute_force
from zermelo.qbf.formula import truth
from zermelo.qbf.qcir import parse_qcir
from zermelo.qbf.qdimacs import parse_qdimacs
from zermelo.qip.formats.qlp import parse_qlp, write_qlp
from zermelo.qip.modelling.from_formula import program_of_formula


def test_a_program_is_feasible_exactly_if_its_formula_is_true() -> None:
    chance = Random(2)
    seen = set()
    for number in range(120):
        formula = random_clauses(chance, 6, 9, 3) if number % 2 else random_formula(chance, 4, 4, 3)
        program = program_of_formula(formula)
        if len(program.variables) <= 11:
            feasible = brute_force(program) != INFEASIBLE
            assert feasible == truth(formula)
            assert parse_qlp(write_qlp(program)) == program
            seen.add((number % 2, feasible))
    assert len(seen) == 4


def test_names_are_kept_where_a_program_can_have_them() -> None:
    program = program_of_formula(
        parse_qcir("exists(a, end, x2)\nforall(u)\noutput(g)\ng = or(a, h)\nh = and(end, x2, u)")
    )
    names = [variable.name for variable in program.variables]
    assert names[:3] == ["a", "x2_", "x2"]
    assert names[3:] == ["u", "g5"]


def test_free_variables_belong_to_exists() -> None:
    program = program_of_formula(parse_qdimacs("p cnf 2 1\na 1 0\n1 2 0\n"), "free")
    assert [(v.name, v.quantifier) for v in program.variables] == [("x2", "exists"), ("x1", "forall")]
    assert program.name == "free"


def test_an_empty_clause_cannot_be_kept() -> None:
    assert brute_force(program_of_formula(parse_qdimacs("p cnf 1 1\n0\n"))) == INFEASIBLE
