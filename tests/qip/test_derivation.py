"""Derivations of the empty clause: what is accepted is true, and what is true can be derived."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from tests.qip.checking import check_derivation
from tests.qip.randomprograms import INFEASIBLE, LAWLESS, brute_force, random_program
from zermelo.qip.programs.program import Program, Row, Variable, minimised, normal, terms
from zermelo.qip.proofs.derivation import Clause, Derivation, FromClause, FromRow, Literal


def expansion(program: Program, value: Fraction | None) -> Derivation | None:
    """A derivation with all scenarios, by trying values of all copies one after the other; ``None`` where it fails."""
    universal = [number for number, v in enumerate(program.variables) if v.quantifier == "forall"]
    choices = product(*(range(_low(program, n), _high(program, n) + 1) for n in universal))
    scenarios = tuple(choice for choice in choices if _legal(program, universal, choice))
    copies: dict[tuple[int, tuple[int, ...]], Literal] = {}
    for scenario, choice in enumerate(scenarios):
        for number, variable in enumerate(program.variables):
            if variable.quantifier == "exists":
                before = choice[: sum(1 for n in universal if n < number)]
                copies.setdefault((number, before), Literal(number, True, _low(program, number), scenario))
    every_row = tuple(
        FromRow(row, scenario)
        for row in range(value is None, len(normal(program).rows))
        for scenario in range(len(scenarios))
    )
    derived: list[Clause] = []
    order = list(copies.values())

    def refute(assumed: tuple[Literal, ...]) -> int | None:
        """Derives that one of the assumed values is not taken."""
        if len(assumed) == 2 * len(order):
            clause = Clause(assumed, every_row)
            if check_derivation(program, Derivation(value, scenarios, (clause,))).reason.startswith("clause 0"):
                return None
            derived.append(clause)
            return len(derived) - 1
        variable = order[len(assumed) // 2]
        cases = []
        for number in range(_low(program, variable.variable), _high(program, variable.variable) + 1):
            is_not = (replace(variable, bound=number - 1), replace(variable, upper=False, bound=number + 1))
            case = refute((*assumed, *is_not))
            if case is None:
                return None
            cases.append(case)
        derived.append(Clause(assumed, tuple(FromClause(case) for case in cases)))
        return len(derived) - 1

    return None if refute(()) is None else Derivation(value, scenarios, tuple(derived))


def _low(program: Program, number: int) -> int:
    return int(program.variables[number].lower or 0)


def _high(program: Program, number: int) -> int:
    return int(program.variables[number].upper or 0)


def _legal(program: Program, universal: list[int], choice: tuple[int, ...]) -> bool:
    values = [0] * len(program.variables)
    for number, value in zip(universal, choice, strict=True):
        values[number] = value
    return all(row.holds(values) for row in program.uncertainty)


def small(seed: int) -> Program:
    """A program of few scenarios: the next one from this seed on that has at most two universal variables."""
    while True:
        program = random_program(Random(seed), variables=5, rows=5, blocks=3, widest=1)
        if sum(variable.quantifier == "forall" for variable in program.variables) <= 2:
            return program
        seed += 100_000


@pytest.mark.parametrize("chunk", range(4))
def test_what_cannot_be_kept_or_beaten_has_a_derivation_and_nothing_else_has(chunk: int) -> None:
    refuted = 0
    for seed in range(100 * chunk, 100 * chunk + 100):
        program = small(seed)
        known = brute_force(program)
        if known == LAWLESS:
            continue
        value = None if known == INFEASIBLE else Fraction(known)
        made = expansion(program, value)
        assert made is not None and check_derivation(program, made).accepted, seed
        refuted += 1
        if value is not None:
            assert expansion(program, None) is None, seed
            better = value + minimised(program) * Fraction(1, 6)
            assert expansion(program, better) is None, seed
    assert refuted > 80


def damaged(chance: Random, derivation: Derivation) -> Derivation:
    clauses = list(derivation.clauses)
    place = chance.randrange(len(clauses))
    clause = clauses[place]
    match chance.randrange(5):
        case 0:
            clauses[place] = replace(clause, literals=clause.literals[:-1])
        case 1 if clause.literals:
            literals = list(clause.literals)
            which = chance.randrange(len(literals))
            literals[which] = replace(literals[which], bound=literals[which].bound + chance.choice((-1, 1)))
            clauses[place] = replace(clause, literals=tuple(literals))
        case 2:
            clauses[place] = replace(clause, antecedents=clause.antecedents[:-1])
        case 3:
            del clauses[place]
        case _:
            return replace(derivation, value=(derivation.value or 0) + chance.choice((-1, 1)))
    return replace(derivation, clauses=tuple(clauses))


def test_a_damaged_derivation_is_accepted_only_where_it_still_says_the_truth() -> None:
    refused = 0
    for seed in range(100):
        program = small(seed)
        known = brute_force(program)
        if known == LAWLESS:
            continue
        value = None if known == INFEASIBLE else Fraction(known)
        made = expansion(program, value)
        assert made is not None
        chance = Random(seed)
        for _ in range(10):
            wrong = damaged(chance, made)
            if not check_derivation(program, wrong).accepted:
                refused += 1
            elif value is None:
                continue  # infeasible: nothing that forall claims is wrong
            else:
                assert wrong.value is not None
                assert minimised(program) * wrong.value <= minimised(program) * value, seed
    assert refused > 250


def test_a_bound_is_dropped_only_where_forall_can_make_it_fail() -> None:
    program = small(3)
    universal = next(n for n, v in enumerate(program.variables) if v.quantifier == "forall")
    always = Clause((), (), (Literal(universal, True, _high(program, universal)),))
    assert "always holds" in check_derivation(program, Derivation(None, (), (always,))).reason


def test_a_variable_under_forall_s_own_rows_is_dropped_only_with_a_way_to_keep_them() -> None:
    """If he could set both ``u`` and ``v``, no ``x`` would do."""
    variables = (Variable("u", "forall"), Variable("v", "forall"), Variable("x"))
    rows = (Row(terms({0: 1, 2: -1}), "<=", Fraction(0)), Row(terms({1: 1, 2: 1}), "<=", Fraction(1)))
    own = (Row(terms({0: 1, 1: 1}), "<=", Fraction(1)),)
    stricter = (*rows, Row(terms({0: -1, 1: -1, 2: 1}), "<=", Fraction(-1)))

    def verdict(rows: tuple[Row, ...], *dropped: Literal) -> str:
        antecedents = tuple(FromRow(number) for number in range(1, len(rows) + 1))
        derivation = Derivation(None, (), (Clause((), antecedents, dropped),))
        return check_derivation(Program(variables, rows, uncertainty=own), derivation).reason or "accepted"

    u_is_1, v_is_1, u_is_0, v_is_0 = (
        Literal(0, True, 0),
        Literal(1, True, 0),
        Literal(0, False, 1),
        Literal(1, False, 1),
    )
    assert verdict(rows, u_is_1, v_is_1) == "clause 0: what is dropped breaks a row of forall's own"
    assert verdict(rows, u_is_1) == "clause 0: forall is not free to set variable 0"
    assert verdict(rows, u_is_1, v_is_0) == "clause 0: the antecedents leave room"
    assert verdict(stricter, u_is_0, v_is_0) == "accepted"


def test_forall_s_own_rows_may_be_antecedents() -> None:
    variables = (Variable("x"), Variable("u", "forall"))
    rows = (Row(terms({0: 1, 1: 1}), "=", Fraction(1)), Row(terms({0: 1}), ">=", Fraction(1)))
    program = Program(variables, rows, uncertainty=(Row(terms({1: 1}), ">=", Fraction(1)),))
    derivation = Derivation(None, (), (Clause((), (FromRow(4), FromRow(1), FromRow(3))),))
    assert check_derivation(program, derivation).status == "accepted"
    derivation = Derivation(None, (), (Clause((), (FromRow(1), FromRow(3))),))
    assert check_derivation(program, derivation).status == "refuted"
