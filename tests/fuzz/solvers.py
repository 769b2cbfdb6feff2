"""Random formulas through every solver, and their functions damaged: what is said, and what is accepted, is true."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from tests.fuzz.damage import damaged_text
from tests.qbf.bruteforce import winning
from tests.qbf.definition import random_nested, value_of
from tests.qbf.randomformulas import random_clauses, random_formula
from tests.qbf.terms import parse_decisions
from zermelo.certificate import Certificate, Claim
from zermelo.check import check_certificate
from zermelo.errors import InputError, NotApplicableError
from zermelo.qbf.aiger import write_aag
from zermelo.qbf.decisions import write_decisions
from zermelo.qbf.engines import PARTS, formula_engines
from zermelo.qbf.formula import Formula, Quantifier, truth
from zermelo.qbf.game import FormulaGame, FunctionsStrategy
from zermelo.qbf.qcir import parse_qcir, write_qcir
from zermelo.qbf.qdimacs import parse_qdimacs, write_qdimacs
from zermelo.solution import Solution
from zermelo.solving import solve_game

KINDS = ("circuit", "clauses", "nested")


@dataclass(frozen=True)
class Case:
    """The kind, seed and size of a formula, and the seed of the damage done to its functions."""

    kind: str
    seed: int
    variables: int
    gates: int
    blocks: int
    damage: int


def draw(rng: random.Random) -> Case:
    """A random case."""
    kind = rng.choice(KINDS)
    sizes = rng.randint(1, 4 if kind == "nested" else 9), rng.randint(1, 16), rng.randint(1, 6)
    return Case(kind, rng.getrandbits(32), *sizes, damage=rng.getrandbits(32))


def formula_of(case: Case) -> tuple[Formula, bool]:
    """The formula of a case, written as a file and read again, and whether it is true."""
    rng = random.Random(case.seed)
    if case.kind == "clauses":
        formula = random_clauses(rng, max(2, case.variables), case.gates, case.blocks)
        return parse_qdimacs(write_qdimacs(formula)), truth(formula)
    if case.kind == "nested":
        formula = random_nested(rng, case.variables, case.gates)
        return parse_qcir(write_qcir(formula)), value_of(formula)
    formula = random_formula(rng, case.variables, case.gates, case.blocks)
    return parse_qcir(write_qcir(formula)), truth(formula)


def check(case: Case) -> None:
    """Every solver is right, and whatever functions the checker accepts win against every reply."""
    formula, value = formula_of(case)
    game = FormulaGame(formula)
    winner = "exists" if value else "forall"
    for engine in formula_engines():
        if engine not in PARTS and case.damage % 16:
            continue  # to start a program takes as long as many formulas do
        try:
            solution = solve_game(game, engine)
        except NotApplicableError:
            assert engine not in PARTS, f"{engine} does not take it"
            continue  # programs of others may crash
        assert solution.winner == winner, f"{engine} says {solution.winner}, not {winner}"
        if solution.certificate is not None:
            assert solution.verified, solution.note
            if len(game.order) <= 10:
                check_damaged(game, solution, random.Random(case.damage))


def check_damaged(game: FormulaGame, solution: Solution, rng: random.Random) -> None:
    """Functions with their text changed are refused, or still win."""
    assert solution.certificate is not None
    (claim,) = solution.certificate.claims
    role: Quantifier = "exists" if claim.role == "exists" else "forall"
    text = damaged_text(claim.data["aag"], rng)
    verdict = check_certificate(game, Certificate("", (Claim(role, 1, rule="functions", data={"aag": text}),)))
    assert not verdict.accepted or winning(game.formula, role, text), f"accepted: {text!r}"
    strategy = solution.strategy
    assert isinstance(strategy, FunctionsStrategy)
    terms = write_decisions(game.formula, strategy.functions)
    again = parse_decisions(terms, game.formula, role)
    assert winning(game.formula, role, write_aag(game.formula, again)), f"read: {terms}"
    with suppress(InputError):
        parse_decisions(damaged_text(terms, rng), game.formula)


def smaller(case: Case) -> Iterator[Case]:
    """Fewer variables, gates and blocks."""
    for name in ("variables", "gates", "blocks"):
        for number in range(1, getattr(case, name)):
            yield replace(case, **{name: number})


def show(case: Case) -> str:
    """The case as text."""
    return repr(case)
