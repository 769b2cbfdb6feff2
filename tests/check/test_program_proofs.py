"""Proofs about programs: those by the definition are accepted, one better than the truth and every trick refused."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from zermelo.certificate import Claim
from zermelo.check import verdict
from zermelo.check.derivation import check_clauses_claim
from zermelo.check.program import check_program_claim, check_proof
from zermelo.check.quantified import AtMost, QuantifiedProgram, Role, Variable, at_most
from zermelo.check.rules import check_rule
from zermelo.check.steps import END, Branch, Case, Choose, Proof, Refute, Scenario
from zermelo.games import make_game
from zermelo.limits import Limits
from zermelo.qip import Model
from zermelo.qip.game import ProgramGame
from zermelo.wrapper import GameWrapper

Node = Choose | Branch | Refute
BROKEN = Fraction(10**6)


def left(terms: AtMost, values: tuple[int, ...]) -> Fraction:
    return sum((c * values[v] for v, c in terms.terms), Fraction(0))


def worth(program: QuantifiedProgram, values: tuple[int, ...] = ()) -> Fraction:
    """What ``exists``, who wants little, comes to; by trying all values."""
    if len(values) == len(program.variables):
        if any(left(row, values) > row.right for row in program.rows):
            return BROKEN
        return left(AtMost(program.goal, Fraction(0)), values)
    variable = program.variables[len(values)]
    found = [worth(program, (*values, v)) for v in range(int(variable.lower or 0), int(variable.upper or 0) + 1)]
    return min(found) if variable.role == "exists" else max(found)


def proof_of(program: QuantifiedProgram, owner: Role) -> Proof:
    """The whole tree of play in which the owner plays well."""
    nodes: list[Node] = []

    def step(values: tuple[int, ...]) -> int:
        at = len(values)
        if at == len(program.variables):
            if owner == "exists":
                return END
            rows = [number for number, row in enumerate(program.rows, 1) if left(row, values) > row.right]
            nodes.append(Refute(at, (Scenario((), {rows[0] if rows else 0: 1}),)))
            return len(nodes) - 1
        variable = program.variables[at]
        found = range(int(variable.lower or 0), int(variable.upper or 0) + 1)
        if variable.role == owner:
            best = next(v for v in found if worth(program, (*values, v)) == worth(program, values))
            nodes.append(Choose(at, (best,), step((*values, best))))
        else:
            nodes.append(Branch(at, tuple(Case(v, v, step((*values, v))) for v in found)))
        return len(nodes) - 1

    step(())
    value = worth(program)
    return Proof(owner, None if value == BROKEN else value, tuple(nodes))


def random_program(chance: Random) -> QuantifiedProgram:
    variables = []
    for number in range(chance.randint(1, 3)):
        low = chance.randint(-1, 0)
        role: Role = chance.choice(("exists", "forall"))
        variables.append(Variable(f"v{number}", role, True, Fraction(low), Fraction(low + chance.randint(1, 2))))
    rows: list[AtMost] = []
    for _ in range(3):
        terms = [(v, Fraction(chance.choice((-3, -1, 1, 2)), chance.choice((1, 2)))) for v in range(len(variables))]
        held = chance.sample(terms, chance.randint(1, len(terms)))
        rows += at_most(held, "<=", Fraction(chance.randint(-1, 6), chance.choice((1, 2))))
    return QuantifiedProgram(tuple(variables), tuple(rows[1:]), goal=rows[0].terms)


@pytest.mark.parametrize("chunk", range(6))
def test_proofs_by_the_definition_are_accepted_and_prove_nothing_better(chunk: int) -> None:
    kept = broken = 0
    for seed in range(20 * chunk, 20 * chunk + 20):
        program = random_program(Random(seed))
        forall, value = proof_of(program, "forall"), worth(program)
        assert check_proof(program, forall).accepted, seed
        if value == BROKEN:
            broken += 1
            assert not check_proof(program, Proof("exists", Fraction(10**5), ())).accepted, seed
            continue
        kept += 1
        assert not check_proof(program, replace(forall, value=value + Fraction(1, 2))).accepted, seed
        assert not check_proof(program, replace(forall, value=None)).accepted, seed
        exists = proof_of(program, "exists")
        assert check_proof(program, exists).accepted, seed
        assert check_proof(program, replace(exists, value=value + 1)).accepted, seed
        assert not check_proof(program, replace(exists, value=value - Fraction(1, 2))).accepted, seed
    assert kept > 2 and broken > 0


X = Variable("x", "exists", True, Fraction(0), Fraction(1))
U = Variable("u", "forall", True, Fraction(0), Fraction(1))
PROGRAM = QuantifiedProgram((X, U), at_most([(0, 1)], "<=", 5), goal=((0, Fraction(1)),))
ONE = Choose(0, (1,), END)
BOTH = (Case(0, 0), Case(1, 1))


def refute(multipliers: dict[Any, Any], *choices: int, at: int = 0) -> Refute:
    return Refute(at, (Scenario(choices, multipliers),))


FORGED: dict[str, tuple[Proof, str]] = {
    "no value": (Proof("exists", None, ()), "a proof of exists has no value"),
    "no step of forall": (Proof("forall", None, ()), "a proof of forall without a step proves nothing"),
    "a multiplier below 0": (Proof("forall", None, (refute({1: -1}),)), "the multiplier of row 1 is negative"),
    "a small multiplier below 0": (
        Proof("forall", None, (refute({1: Fraction(-1, 2)}),)),
        "the multiplier of row 1 is negative",
    ),
    "a row from the end": (Proof("forall", None, (refute({-1: 1}),)), "-1 is not the number of a row"),
    "a row above": (Proof("forall", None, (refute({2: 1}),)), "2 is not the number of a row"),
    "no row": (Proof("forall", None, (refute({}),)), "no contradiction"),
    "no row that counts": (Proof("forall", None, (refute({1: 0}),)), "no contradiction"),
    "the objective": (Proof("forall", None, (refute({0: 1}),)), "the objective contradicts nothing in a proof"),
    "no contradiction": (Proof("forall", None, (refute({1: 1}),)), "its signs changed, may come to 5, the limit is 0"),
    "a refutation by exists": (Proof("exists", Fraction(1), (refute({1: 1}),)), "a proof of exists refutes nothing"),
    "a line of forall without contradiction": (
        Proof("forall", Fraction(0), (Choose(0, (1,), END),)),
        "a line of a proof of forall ends without a contradiction",
    ),
    "cases of forall without contradiction": (
        Proof("forall", Fraction(0), (Branch(0, BOTH),)),
        "a line of a proof of forall ends without a contradiction",
    ),
    "a step to itself": (
        Proof("exists", Fraction(1), (Choose(0, (1,), 0),)),
        "node 0: it leads to 0, expected an earlier",
    ),
    "a step from the end": (
        Proof("exists", Fraction(1), (Choose(0, (1,), -2),)),
        "node 0: it leads to -2, expected an",
    ),
    "cases to itself": (
        Proof("exists", Fraction(1), (Branch(1, (Case(0, 1, 0),)),)),
        "node 0: it leads to 0, expected an earlier node",
    ),
    "a place above": (Proof("exists", Fraction(1), (Choose(3, (), END),)), "begins at 3, which is not the number of"),
    "a place below": (Proof("exists", Fraction(1), (Choose(-1, (), END),)), "begins at -1, which is not the number"),
    "a place of cases above": (
        Proof("exists", Fraction(1), (Branch(2, BOTH),)),
        "cases of a variable that is not there",
    ),
    "a place of a refutation": (Proof("forall", None, (refute({1: 1}, at=3),)), "begins at 3, which is not the number"),
    "a value above": (Proof("exists", Fraction(2), (Choose(0, (2,), END),)), "x = 2 is not within its bounds"),
    "a value below": (Proof("exists", Fraction(-1), (Choose(0, (-1,), END),)), "x = -1 is not within its bounds"),
    "half a value": (
        Proof("exists", Fraction(1, 2), (Choose(0, (Fraction(1, 2),), END),)),
        "x = 1/2 is not a whole number",
    ),
    "a value too many": (
        Proof("exists", Fraction(1), (Choose(0, (1, 1), END),)),
        "node 0: it has 2 values for 1 variables of exists",
    ),
    "a choice of forall too many": (
        Proof("forall", None, (refute({1: 1}, 0, 0),)),
        "node 0: it has 2 values for 1 variables of forall",
    ),
    "cases of an own variable": (Proof("exists", Fraction(1), (Branch(0, BOTH),)), "cases of x, which exists sets"),
    "a case left out": (Proof("forall", None, (refute({1: 1}, at=1), Branch(0, (Case(0, 0, 0),)))), "no case of x = 1"),
    "the first case left out": (
        Proof("forall", None, (refute({1: 1}, at=1), Branch(0, (Case(1, 1, 0),)))),
        "no case of x = 0",
    ),
    "no case": (Proof("forall", None, (Branch(0, ()),)), "no case of x = 0"),
    "an empty case": (
        Proof("forall", None, (refute({1: 1}, at=1), Branch(0, (Case(1, 0, 0),)))),
        "a case of x is empty",
    ),
    "a case beyond the bounds": (
        Proof("exists", Fraction(1), (Branch(1, (Case(0, 2),)),)),
        "u = 2 is not within its bounds",
    ),
    "back to an earlier variable": (
        Proof("exists", Fraction(0), (Choose(0, (0,), END), Branch(1, (Case(0, 1, 0),)))),
        "node 1: it leads to node 0, which begins before it is done",
    ),
    "a variable again": (
        Proof("exists", Fraction(0), (Choose(0, (0,), END), Choose(0, (1,), 0))),
        "node 1: it leads to node 0, which begins before it is done",
    ),
    "cases of a variable again": (
        Proof("forall", None, (refute({1: 1}, at=0), Branch(0, (Case(0, 1, 0),)))),
        "node 1: it leads to node 0, which begins before it is done",
    ),
    "a row of forall that is not there": (
        Proof("exists", Fraction(0), (Branch(1, (Case(0, 1, END, 0),)),)),
        "0 is not the number of a row of forall",
    ),
    "exists breaks a row of forall": (
        Proof("forall", None, (Branch(0, (Case(0, 1, END, 0),)),)),
        "a case of exists cannot break a row of forall",
    ),
    "too little": (Proof("exists", Fraction(0), (ONE,)), "row 0 may come to 1, the limit is 0"),
    "too little without a step": (Proof("exists", Fraction(0), ()), "row 0 may come to 1, the limit is 0"),
}


@pytest.mark.parametrize("what", FORGED)
def test_a_forged_proof_is_refuted(what: str) -> None:
    proof, reason = FORGED[what]
    verdict = check_proof(PROGRAM, proof)
    assert verdict.status == "refuted" and reason in verdict.reason


def test_an_objective_times_nothing_does_not_count() -> None:
    program = replace(PROGRAM, rows=at_most([(0, 1)], ">=", 2))
    assert check_proof(program, Proof("forall", None, (refute({0: 0, 1: 1}),))).accepted
    assert check_proof(program, Proof("forall", None, (refute({1: Fraction(1, 3)}),))).how == "forall in 1 step"


OWN = replace(PROGRAM, own=(*at_most([(1, 1)], "<=", 0), *at_most([(1, 1)], "<=", 1)), goal=((1, Fraction(1)),))


@pytest.mark.parametrize(
    ("row", "then", "reason"),
    [
        (0, END, ""),
        (1, END, "no contradiction"),
        (-1, END, "-1 is not the number of a row of forall"),
        (2, END, "2 is not the number of a row of forall"),
        (0, 0, "0 is not the number of a row of forall"),
    ],
)
def test_a_case_ends_where_forall_breaks_one_of_his_rows(row: int, then: int, reason: str) -> None:
    nodes = (Choose(2, (), END), Branch(1, (Case(0, 0, 0), Case(1, 1, then, row))))
    verdict = check_proof(OWN, Proof("exists", Fraction(0), nodes))
    assert verdict.accepted == (not reason) and reason in verdict.reason


def test_a_case_in_which_forall_keeps_his_rows_does_not_end() -> None:
    verdict = check_proof(OWN, Proof("exists", Fraction(0), (Branch(1, (Case(0, 0, END, 0), Case(1, 1, END, 0))),)))
    assert "no contradiction" in verdict.reason


def claim(role: str, at_least: int, rule: str, value: int | None, **more: Any) -> Claim:
    return Claim(role, at_least, rule=rule, data={"value": value, **more})


def test_a_claim_is_for_a_program_and_one_of_its_roles() -> None:
    model = Model()
    model.maximize(model.exists("y", 0, 2))
    game = ProgramGame(model.program())
    right = claim("exists", 2, "program", 2, nodes=[["c", 0, [2], -1]])
    assert check_program_claim(game, right, Limits()).accepted
    for other in (GameWrapper(game), make_game("nim:1")):
        reason = check_program_claim(other, right, Limits()).reason
        assert reason == f"the rule 'program' is for programs, not {type(other).__name__}"
    for wrong, reason in (
        (replace(right, role="nobody"), "'nobody' is not a role of the game: exists, forall"),
        (replace(right, at_least=3), "the proof promises 2, the claim is at least 3"),
        (claim("exists", -9, "program", None, nodes=[]), "such a proof is none of exists"),
        (claim("exists", -9, "clauses", 0, scenarios=[], clauses=[]), "such a proof is none of exists"),
        (claim("exists", -9, "clauses", None, scenarios=[], clauses=[]), "such a proof is none of exists"),
        (claim("forall", -2, "clauses", 2, scenarios=[], clauses=[]), "the last clause is not empty"),
        (
            claim("forall", -1, "clauses", 2, scenarios=[], clauses=[]),
            "the proof promises -2, the claim is at least -1",
        ),
    ):
        assert check_rule(game, wrong, Limits()).reason == reason
    empty = claim("forall", -2, "clauses", 2, scenarios=[], clauses=[[[], [[0, 0]], []]])
    assert check_clauses_claim(game, empty, Limits()).accepted


def test_a_check_ends_at_its_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    proof = Proof("exists", Fraction(1), (ONE,))
    assert check_proof(PROGRAM, proof, Limits(seconds=1e-9)).status == "limit"
    monkeypatch.setattr(verdict, "memory_watch", lambda memory: lambda: True)
    assert check_proof(PROGRAM, proof).status == "limit"
