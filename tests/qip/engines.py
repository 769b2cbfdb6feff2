"""What every engine for programs has to do, on random programs of which the value is known by the definition."""

from __future__ import annotations

from fractions import Fraction

from tests.qip.checking import check_derivation, check_proof
from tests.qip.randomprograms import INFEASIBLE, LAWLESS
from zermelo.errors import InputError
from zermelo.limits import Limits
from zermelo.progress import no_watch
from zermelo.qip.programs.program import Program
from zermelo.qip.proofs.derivation import Derivation
from zermelo.qip.proofs.proof import Proof
from zermelo.qip.solvers.solver_answer import Solver


def accepted(program: Program, proof: Proof | Derivation | None) -> bool:
    """Whether there is a proof, and its checker accepts it."""
    if isinstance(proof, Derivation):
        return check_derivation(program, proof).status == "accepted"
    return proof is not None and check_proof(program, proof).status == "accepted"


def fault(solver: Solver, program: Program, value: Fraction | str) -> str | None:
    """What is wrong with the answer of a solver, and with its proofs; ``None`` if nothing is."""
    try:
        answer = solver(program, Limits(), no_watch)
    except InputError as error:
        right = value == LAWLESS and "universal player cannot keep his own rows" in str(error)
        return None if right else f"refused: {error}"
    if value == INFEASIBLE:
        right = answer.status == "infeasible" and answer.value is None
    else:
        right = answer.status == "optimal" and answer.value == value == answer.bounds[0] == answer.bounds[1]
        if right and not accepted(program, answer.exists):
            return "no proof that the value can be reached"
    if not right:
        return f"expected {value}, got {answer.status} {answer.value}"
    return None if accepted(program, answer.forall) else f"no proof that it cannot be beaten: {dict(answer.stats)}"
