"""Whether a circuit can come out true, by a proof that clauses contradict each other.

The proof comes from a SAT solver, which is asked through ``PROVER`` and believed in nothing: its steps are followed
(:mod:`zermelo.check.lrat`), and if what it says is no proof, nothing is decided. If it finds values instead, it is for
whoever asked to see what they do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module

from zermelo.check.circuit import Circuit
from zermelo.check.clauses import clauses_of
from zermelo.check.lrat import fault_of
from zermelo.check.verdict import Undecided

PROVER = "zermelo.qbf.refutation"
"""The module that answers whether clauses can be satisfied: ``answer_of(clauses, look)`` is ``("values", literals)`` or
``("proof", steps)``. Not trusted; loaded where it is needed."""


def values_or_proof(circuit: Circuit, output: int, look: Callable[[], None]) -> tuple[str, Mapping[int, int] | None]:
    """Values of variables that are said to make a literal true; or, with ``None``, how it was proved that none do."""
    clauses = list(clauses_of(circuit, output))
    try:
        kind, found = import_module(PROVER).answer_of(clauses, look)
    except ImportError as error:
        raise Undecided(f"there are too many plays to try, and no SAT solver to find a proof: {error}") from None
    if kind == "values":
        true = set(found)
        return "", {n: int(n + 1 in true) for n in circuit.below(output) if circuit.kinds[n] == "variable"}
    fault = fault_of(clauses, found, look)
    if fault is not None:
        raise Undecided(f"what the SAT solver takes for a proof is none: {fault}")
    return f"by a proof of {len(found):,} steps from {len(clauses):,} clauses", None
