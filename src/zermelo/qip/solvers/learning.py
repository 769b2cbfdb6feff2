"""The engine ``qip-learn``: native search that learns from failures and successes.

Each conflict becomes a clause over bounds that every winning strategy of ``exists`` satisfies; each success says for
which values of the universal variables the same replies win. docs/qip-learning.md has the theory and measurements.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from zermelo import _native
from zermelo.errors import InputError
from zermelo.kernel_thread import control_for, run_native
from zermelo.limits import Limits
from zermelo.progress import Progress, Watch, no_watch
from zermelo.qip.programs.packed import packed
from zermelo.qip.programs.program import Program, minimised, normal, tightened
from zermelo.qip.proofs.derivation import Clause, Derivation, FromClause, FromRow, Literal
from zermelo.qip.proofs.proof import Branch, Case, Choose, Node, Proof
from zermelo.qip.solvers.solver_answer import Answer
from zermelo.qip.solvers.table_search import need_whole_values

ENGINE = "qip-learn"
_TOO_LARGE = "not asked for, or too large for the memory allowed"


def solve_by_learning(
    program: Program,
    limits: Limits | None = None,
    watch: Watch = no_watch,
    *,
    parameters: _native.QipLearnParameters | None = None,
) -> Answer:
    """Solves a program for whose variables whole numbers are enough.

    >>> from zermelo.qip.programs.program import Objective, Row, Variable, terms
    >>> x, y = Variable("x", "forall"), Variable("y", upper=Fraction(2))
    >>> rows = (Row(terms({0: 1, 1: -1}), "<=", Fraction(-1)),)
    >>> answer = solve_by_learning(Program((x, y), rows, Objective("min", terms({1: 1}))))
    >>> answer.status, answer.value, answer.exists.nodes
    ('optimal', Fraction(2, 1), (Choose(at=1, values=(2,), then=-1),))
    """
    limits = limits or Limits()
    program = tightened(program)
    need_whole_values(program, ENGINE)
    arrays = packed(normal(program))
    native = arrays.native()
    settings = parameters or _native.QipLearnParameters()
    control = control_for(limits)

    def value(whole: int) -> Fraction:
        return minimised(program) * (whole / arrays.scale[0]) + program.objective.constant

    def look(progress: Progress) -> None:
        low, high = progress.bounds
        known = isinstance(low, int) and low > -(1 << 63)
        watch(replace(progress, bounds=_ordered(value(int(low)), value(int(high)))) if known else progress)

    result = run_native(ENGINE, lambda c: _native.qip_learn(native, settings, c), control, look)
    if result.status == "lawless":
        raise InputError("the universal player cannot keep his own rows")
    stats: dict[str, int | float | str] = {
        "conflicts": result.conflicts,
        "successes": result.successes,
        "clauses": result.clauses,
        "literals": result.literals,
        "skipped": result.skipped,
        "searches": result.searches,
    }
    if result.status == "unknown":
        bounds = (value(result.lower), value(result.upper) if result.feasible else None)
        exists = exists_proof(value(result.upper), result.strategy) if result.feasible else None
        ordered = bounds if minimised(program) > 0 else bounds[::-1]
        return Answer("unknown", None, ordered, exists, None, result.nodes, control.cause, stats)
    best = value(result.upper) if result.status == "optimal" else None
    exists = None if best is None else exists_proof(best, result.strategy)
    found = _forall_proof(best, result)
    if isinstance(found, str):
        stats["forall"] = found
    if best is not None and exists is None:
        stats["exists"] = _TOO_LARGE
    forall = None if isinstance(found, str) else found
    return Answer(result.status, best, (best, best), exists, forall, result.nodes, "none", stats)


def _forall_proof(value: Fraction | None, result: _native.QipLearnResult) -> Derivation | str:
    """Why nothing better can be reached, or why there is no proof of it."""
    if result.status == "optimal" and result.at_best:
        return Derivation(value, (), (Clause((), (FromRow(0),)),))
    arrays = result.derivation
    if arrays is None:
        return _TOO_LARGE
    return forall_derivation(value, arrays)


def _ordered(one: Fraction, other: Fraction) -> tuple[Fraction, Fraction]:
    return (one, other) if one <= other else (other, one)


def exists_proof(
    value: Fraction, arrays: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]] | None
) -> Proof | None:
    """The proof that the arrays of a native strategy spell.

    >>> whole = lambda *numbers: np.array(numbers, np.int64)
    >>> exists_proof(Fraction(2), (whole(0, 1, 0, 1, -1), whole(2), whole())).nodes
    (Choose(at=0, values=(2,), then=-1),)
    """
    if arrays is None:
        return None
    node, values, cases = (array.tolist() for array in arrays)
    made: list[Node] = []
    for i in range(0, len(node), 5):
        at, choose, first, end, then = node[i : i + 5]
        if choose:
            made.append(Choose(at, tuple(values[first:end]), then))
        else:
            made.append(Branch(at, tuple(_case(*cases[4 * c : 4 * c + 4]) for c in range(first, end))))
    return Proof("exists", value, tuple(made))


def forall_derivation(
    value: Fraction | None,
    arrays: tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64]],
) -> Derivation:
    """The derivation that the arrays of the kernel spell.

    >>> whole, ends = np.array([3, 0], np.int64), lambda *numbers: np.array(numbers, np.uint64)
    >>> forall_derivation(None, (whole, ends(0), ends(1), ends(2), ends(1))).clauses
    (Clause(literals=(), antecedents=(FromRow(row=1, scenario=0),), dropped=(Literal(variable=1, upper=True, ...
    """
    numbers, literal_end, dropped_end, antecedent, antecedent_end = (array.tolist() for array in arrays)
    literals = [_literal(numbers[i], numbers[i + 1]) for i in range(0, len(numbers), 2)]
    # The same ones again and again: each is made once.
    made = {code: FromClause(code // 2) if code % 2 else FromRow(code // 2) for code in set(antecedent)}
    sources = [made[code] for code in antecedent]
    clauses, first, first_source = list[Clause](), 0, 0
    for middle, end, end_source in zip(literal_end, dropped_end, antecedent_end, strict=True):
        clauses.append(
            Clause(tuple(literals[first:middle]), tuple(sources[first_source:end_source]), tuple(literals[middle:end]))
        )
        first, first_source = end, end_source
    return Derivation(value, (), tuple(clauses))


@lru_cache(maxsize=1 << 16)
def _literal(code: int, bound: int) -> Literal:
    return Literal(code // 2, code % 2 == 1, bound)


def _case(lower: int, upper: int, then: int, breaks: int) -> Case:
    return Case(lower, upper, then, None if breaks < 0 else breaks)
