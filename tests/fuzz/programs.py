"""Random programs through every solver, and their proofs damaged: what is said, and what is accepted, is true."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from tests.qip.damage import damaged
from tests.qip.engines import accepted
from tests.qip.randomprograms import INFEASIBLE, LAWLESS, brute_force, random_program
from zermelo.errors import InputError, NotApplicableError
from zermelo.limits import Limits
from zermelo.progress import no_watch
from zermelo.qip.engines import PARTS, program_solvers
from zermelo.qip.formats.qlp import parse_qlp, write_qlp
from zermelo.qip.programs.program import Program, minimised
from zermelo.qip.proofs.proof import Proof

SLOW = ("qip-cegar", "qip-dep")
"""Solvers that start HiGHS: asked every eighth time."""


@dataclass(frozen=True)
class Case:
    """The seed and size of a program, and the seed of the damage done to its proofs."""

    seed: int
    variables: int
    rows: int
    blocks: int
    widest: int
    damage: int


def draw(rng: random.Random) -> Case:
    """A random case."""
    sizes = rng.randint(1, 9), rng.randint(0, 7), rng.randint(1, 5), rng.choice((1, 1, 2, 4))
    return Case(rng.getrandbits(32), *sizes, damage=rng.getrandbits(32))


def program_of(case: Case) -> Program:
    """The program of a case, written as a file and read again."""
    widest = case.widest if case.variables <= 7 else 1
    made = random_program(random.Random(case.seed), case.variables, case.rows, case.blocks, widest=widest)
    return parse_qlp(write_qlp(made))


def check(case: Case) -> None:
    """Every solver is right, and whatever proof a checker accepts says the truth."""
    program = program_of(case)
    known = brute_force(program)
    for name in PARTS:
        if name in SLOW and case.damage % 8:
            continue
        try:
            answer = program_solvers(name)[name](program, Limits(), no_watch)
        except NotApplicableError:
            continue
        except InputError:
            assert known == LAWLESS, f"{name} refuses a program of value {known}"
            continue
        assert known != LAWLESS, f"{name} answers {answer.status} where forall has no legal choice"
        found = INFEASIBLE if answer.status == "infeasible" else answer.value
        assert found == known, f"{name} says {found}, the definition {known}"
        if known != INFEASIBLE:
            assert accepted(program, answer.exists), f"{name}: the proof of exists is refused"
        if answer.forall is not None:
            assert accepted(program, answer.forall), f"{name}: the proof of forall is refused"
        for proof in (answer.exists, answer.forall):
            if isinstance(proof, Proof):
                _damage(program, proof, known, random.Random(case.damage))


def _damage(program: Program, proof: Proof, known: Fraction | str, chance: random.Random) -> None:
    for _ in range(3):
        wrong = damaged(chance, program, proof)
        if accepted(program, wrong):
            assert _true(program, wrong, known), f"{wrong} is accepted, the value is {known}"


def _true(program: Program, proof: Proof, known: Fraction | str) -> bool:
    """Whether a proof says the truth about a program of known value."""
    sign = minimised(program)
    if isinstance(known, str):
        return proof.owner == "forall"
    if proof.value is None:
        return False
    better = sign * proof.value < sign * known
    return not better if proof.owner == "exists" else better or proof.value == known


def smaller(case: Case) -> Iterator[Case]:
    """Fewer rows, variables, blocks, values."""
    for field in ("rows", "variables", "blocks", "widest"):
        if getattr(case, field) > (field != "rows"):
            yield replace(case, **{field: getattr(case, field) - 1})


def show(case: Case) -> str:
    """The program as a file."""
    return f"{case}\n{write_qlp(program_of(case))}"
