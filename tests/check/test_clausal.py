"""The program of a formula: the checker's translation against the one that engines use, and what is laid down of it."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from tests.qbf.definition import random_nested
from tests.qbf.randomformulas import random_clauses, random_formula

from zermelo.check.boolean import QuantifiedFormula
from zermelo.check.clausal import program_of
from zermelo.check.quantified import QuantifiedProgram
from zermelo.check.read import qcir
from zermelo.check.read.formulas import of_game
from zermelo.check.read.models import copy_of
from zermelo.qbf.game import FormulaGame
from zermelo.qbf.order import in_stated_order
from zermelo.qbf.qcir import parse_qcir
from zermelo.qip.modelling.from_formula import program_of_formula
from zermelo.source import Source


def formula_of(text: str) -> QuantifiedFormula:
    return qcir.read(Source("qcir", text, "f"))


def rows_of(program: QuantifiedProgram | None) -> list[str]:
    """Rows as sums of literals: a variable by its number, after ``-`` where it is negated."""
    assert program is not None
    rows = []
    for row in program.rows:
        terms = sorted((place, factor) for place, factor in row.terms)
        assert sum(factor > 0 for _, factor in terms) - 1 == row.right
        rows.append(" ".join(f"{'-' if factor > 0 else ''}{place}" for place, factor in terms))
    return rows


def roles_of(program: QuantifiedProgram | None) -> str:
    assert program is not None
    return "".join(variable.role[0] for variable in program.variables)


@pytest.mark.parametrize("chunk", range(6))
def test_the_two_translations_agree_at_any_position(chunk: int) -> None:
    for seed in range(60 * chunk, 60 * chunk + 60):
        chance = random.Random(seed)
        make = (random_formula, random_clauses, random_nested)[seed % 3]
        whole = FormulaGame(make(chance))
        game = FormulaGame(whole.formula, bytes(chance.getrandbits(1) for _ in range(seed % 4))[: len(whole.order)])
        ours = program_of(of_game(game))
        theirs = copy_of(program_of_formula(in_stated_order(game.remaining[0])))
        assert ours is not None
        assert ours.rows == theirs.rows
        assert [(v.role, v.lower, v.upper) for v in ours.variables] == [
            (v.role, v.lower, v.upper) for v in theirs.variables
        ]


ROWS: dict[str, tuple[str, list[str], str]] = {
    "clauses are rows": ("exists(a, b)\noutput(g)\ng = and(h, -a)\nh = or(a, -b)", ["-0", "0 -1"], "ee"),
    "a gate within a clause has a variable": (
        "exists(a, b)\nforall(c)\noutput(g)\ng = or(a, h)\nh = xor(b, c)",
        ["0 3", "1 2 -3", "-1 -2 -3"],
        "eefe",
    ),
    "a conjunct of two conjunctions is one row": (
        "exists(a, b, c)\noutput(o)\np = and(a, b)\nq = and(a, c)\nr = or(b, c)\no = and(p, q, r)",
        ["1 2", "0", "1", "2"],
        "eee",
    ),
    "true has no rows": ("exists(a)\noutput(g)\ng = or(a, -a)", [], "e"),
    "false is an empty row": ("exists(a)\noutput(g)\ng = and(a, -a)", [""], "e"),
    "a variable alone": ("forall(a)\noutput(-a)", ["-0"], "f"),
}


@pytest.mark.parametrize("what", ROWS)
def test_rows_are_as_laid_down(what: str) -> None:
    text, rows, roles = ROWS[what]
    program = program_of(formula_of(text))
    assert (rows_of(program), roles_of(program)) == (rows, roles)


def test_variables_are_binary_and_named_by_their_place() -> None:
    program = program_of(formula_of("exists(a)\nforall(b)\noutput(g)\ng = or(a, b)"))
    assert program is not None
    found = [(v.name, v.role, v.integer, v.lower, v.upper) for v in program.variables]
    assert found == [("x0", "exists", True, Fraction(0), Fraction(1)), ("x1", "forall", True, Fraction(0), Fraction(1))]


def test_what_is_no_formula_has_no_program() -> None:
    assert program_of(7) is None


def test_choices_of_one_depth_are_in_the_order_that_engines_have() -> None:
    """Gates that differ in the order of their inputs alone have names of their own."""
    for seed in range(40):
        chance = random.Random(seed)
        names = ["a", "b", "c", "d"]
        gates = [f"g{n} = ite({', '.join(chance.sample(names, 3))})" for n in range(6)]
        pairs = [f"h{n} = xor(g{2 * n}, g{2 * n + 1})" for n in range(3)]
        text = "\n".join(["exists(a, b)", "forall(c, d)", "output(o)", *gates, *pairs, "o = or(h0, h1, h2)"])
        ours = program_of(formula_of(text))
        theirs = copy_of(program_of_formula(in_stated_order(parse_qcir(text))))
        assert ours is not None and ours.rows == theirs.rows


def test_what_stands_at_both_ends_is_laid_down_alike() -> None:
    """A junction inside of one that is used twice is part of it; what is used by two is not."""
    text = (
        "exists(a, b, c, d)\nforall(e)\noutput(o)\nq = or(b, c)\np = or(a, q)\nr = and(d, e)\n"
        "s = ite(e, p, r)\nt = ite(d, r, p)\no = or(s, t)"
    )
    ours = program_of(formula_of(text))
    theirs = copy_of(program_of_formula(in_stated_order(parse_qcir(text))))
    assert ours is not None and ours.rows == theirs.rows
    assert max(len(row.terms) for row in ours.rows) == 4
