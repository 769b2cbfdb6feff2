"""Formulas: damaged texts of both formats, and transformations against the definition of truth."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from tests.fuzz.damage import damaged_bytes, damaged_text, random_text
from tests.fuzz.part import shorter
from tests.qbf.clauses import formula_of
from tests.qbf.definition import is_won_by, random_nested, value_of, winning_functions
from tests.qbf.randomformulas import random_clauses, random_formula
from zermelo.errors import InputError, LimitReachedError
from zermelo.qbf.formula import Formula, truth
from zermelo.qbf.normal import normalized
from zermelo.qbf.qcir import parse_qcir, write_qcir
from zermelo.qbf.qdimacs import parse_qdimacs, write_qdimacs
from zermelo.qbf.recover import recovered
from zermelo.qbf.tseitin import clausal

FORMATS = {"qcir": (parse_qcir, write_qcir), "qdimacs": (parse_qdimacs, write_qdimacs)}
MOST_VARIABLES = 9
"""Formulas with more are not decided by the definition."""


@dataclass(frozen=True)
class Case:
    """A text in a format, perhaps a wrong one."""

    form: str
    text: str


def draw(rng: random.Random) -> Case:
    """A formula as it is written, with damage in two cases of three, or noise."""
    form = rng.choice(sorted(FORMATS))
    kind = rng.randrange(10)
    if kind == 0:
        return Case(form, random_text(rng))
    made = random_nested(rng) if kind < 5 else random_formula(rng, 5, 6) if kind < 8 else random_clauses(rng, 6, 9)
    text = write_qcir(made, numeric=rng.random() < 0.2) if form == "qcir" else write_qdimacs(made)
    if rng.random() < 0.3:
        return Case(form, text)
    text = damaged_text(text, rng)
    if rng.random() < 0.2:
        text = damaged_bytes(text.encode(), rng).decode("utf-8", "replace")
    return Case(form, text)


def check(case: Case) -> None:
    """A clean error of one line, or a formula that keeps its text, its truth and its strategies."""
    parse, write = FORMATS[case.form]
    try:
        formula = parse(case.text, "file")
    except InputError as error:
        assert "\n" not in str(error), f"more than one line: {error}"
        assert str(error).startswith("file:"), f"no place: {error}"
        return
    text = write(formula)
    again = parse(text, "written")
    assert write(again) == text, "writing is no fixpoint"
    if len(formula.circuit) < 40 and sum(kind == 1 for kind in formula.circuit.kind) <= MOST_VARIABLES:
        _check_truth(formula, again)


def _check_truth(formula: Formula, again: Formula) -> None:
    expected = value_of(formula)
    if sum(kind == 1 for kind in again.circuit.kind) <= MOST_VARIABLES:
        assert value_of(again) == expected, "reading what was written"
    try:
        normal = normalized(formula, most_gates=10_000)
    except LimitReachedError:
        return
    assert normal.is_normal, "not normal"
    if _size(normal) > MOST_VARIABLES:
        return
    assert truth(normal) == expected, "normalized"
    clauses = clausal(normal)
    plain = formula_of(clauses)
    if _size(plain) <= MOST_VARIABLES:
        assert truth(plain) == expected, "clausal"
        assert is_won_by(clauses.formula, clauses.original(winning_functions(plain))), "functions of clauses"
    gates = recovered(plain)
    if _size(gates.formula) <= MOST_VARIABLES:
        functions = winning_functions(gates.formula)
        assert (functions.owner == "exists") == expected, "recovered"
        if _size(plain) <= MOST_VARIABLES:
            assert is_won_by(gates.original, gates.extended(functions)), "functions of recovered gates"


def _size(formula: Formula) -> int:
    return sum(len(block.variables) for block in formula.prefix)


def smaller(case: Case) -> Iterator[Case]:
    """The text without some of its lines, then without some of its characters."""
    for lines in shorter(tuple(case.text.splitlines(keepends=True))):
        yield Case(case.form, "".join(lines))
    if len(case.text) < 400:
        for characters in shorter(tuple(case.text)):
            yield Case(case.form, "".join(characters))


def show(case: Case) -> str:
    """The case as Python."""
    return repr(case)
