"""The engine ``qip-table``: native search in the order of the prefix, with a table of residual problems.

Bounds are propagated on all rows, universal variables at their worst; residual problems are looked up by their exact
right sides; the objective is bisected. docs/qip-search.md has the theory and measurements.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import cast

import numpy as np
from numpy.typing import NDArray

from zermelo import _native
from zermelo.errors import InputError, NotApplicableError
from zermelo.kernel_thread import control_for, run_native
from zermelo.limits import Limits
from zermelo.progress import Progress, Watch, no_watch
from zermelo.qip.programs.packed import MOST, Packed, packed
from zermelo.qip.programs.program import Program, Quantifier, minimised, normal, tightened
from zermelo.qip.proofs.proof import Branch, Case, Choose, Node, Proof, Refute, Scenario
from zermelo.qip.solvers.solver_answer import Answer, Status

ENGINE = "qip-table"

Arrays = tuple[NDArray[np.uint8], NDArray[np.uint32], NDArray[np.uint64], NDArray[np.int64]]
"""A proof as it comes from the kernel: kinds of nodes, where they begin, where their numbers begin, the numbers."""


def solve_by_table(
    program: Program,
    limits: Limits | None = None,
    watch: Watch = no_watch,
    *,
    parameters: _native.QipTableParameters | None = None,
) -> Answer:
    """The value of an integer program, with both proofs.

    They are missing (``stats["proofs"]`` says why) where they took more memory than allowed.

    >>> from zermelo.qip.programs.program import Objective, Row, Variable, terms
    >>> x, y = Variable("x", "forall"), Variable("y", upper=Fraction(2))
    >>> rows = (Row(terms({0: 1, 1: -1}), "<=", Fraction(-1)),)
    >>> answer = solve_by_table(Program((x, y), rows, Objective("min", terms({1: 1}))))
    >>> answer.status, str(answer.value), answer.exists.nodes
    ('optimal', '2', (Choose(at=1, values=(2,), then=-1),))
    """
    limits = limits or Limits()
    program = tightened(program)
    need_whole_values(program)
    for variable in program.variables:
        if variable.lower is not None and variable.upper is not None and variable.lower > variable.upper:
            raise InputError(f"no value lies between the bounds of {variable.name}")
    arrays = packed(normal(program))
    native, settings = arrays.native(), parameters or _native.QipTableParameters()
    control = control_for(limits)
    result = run_native(
        ENGINE, lambda c: _native.qip_table_search(native, settings, c), control, _own(program, arrays, watch)
    )
    if result.status == _native.QipTableStatus.lawless:
        raise InputError("the universal player cannot keep his own rows")
    return _answer(program, arrays, result, control, settings)


def need_whole_values(program: Program, engine: str = ENGINE) -> None:
    """Raises ``NotApplicableError`` unless whole numbers are enough for all variables, also the continuous ones.

    They are where the continuous variables come last and each row but the objective holds one of them at most, with all
    other numbers of the row multiples of its coefficient: then each lies between whole numbers that the others set, and
    an end of that interval is as good as any value.

    >>> from zermelo.qip.programs.program import Row, Variable, terms
    >>> variables = (Variable("x"), Variable("z", upper=Fraction(9), integer=False))
    >>> need_whole_values(Program(variables, (Row(terms({0: 3, 1: -1}), "<=", Fraction(2)),)))
    >>> need_whole_values(Program(variables, (Row(terms({0: 3, 1: -2}), "<=", Fraction(2)),)))
    Traceback (most recent call last):
        ...
    zermelo.errors.NotApplicableError: qip-table takes z as a whole number, which row 0 does not let it be
    """
    places = range(len(program.variables))
    first = next((place for place in reversed(places) if program.variables[place].integer), -1) + 1
    for variable in program.variables[:first]:
        if not variable.integer:
            raise NotApplicableError(f"{engine} takes continuous variables after all others, not {variable.name}")
    for variable in program.variables[first:]:
        if variable.quantifier == "forall":
            raise NotApplicableError(f"{engine} takes integers only of the universal player, not {variable.name}")
    for number, row in enumerate(program.rows):
        held = [(place, coefficient) for place, coefficient in row.terms if place >= first]
        for place, own in held:
            numbers = (row.right, *(coefficient for _, coefficient in row.terms))
            if len(held) > 1 or any((other / own).denominator != 1 for other in numbers):
                name = program.variables[place].name
                raise NotApplicableError(
                    f"{engine} takes {name} as a whole number, which row {number} does not let it be"
                )


def _answer(
    program: Program,
    arrays: Packed,
    result: _native.QipTableResult,
    control: _native.Control,
    settings: _native.QipTableParameters,
) -> Answer:
    ends = [_value(program, arrays, end) for end in (result.lower, result.upper)]
    bounds: tuple[Fraction | None, Fraction | None] = (ends[0], ends[1] if result.feasible else None)
    if minimised(program) < 0:
        bounds = (bounds[1], bounds[0])
    status = cast(Status, result.status.name)
    value = ends[1] if status == "optimal" else None
    if status == "infeasible":
        bounds = (None, None)
    exists = _proof("exists", value, arrays, result.exists)
    forall = _proof("forall", value, arrays, result.forall)
    stats: dict[str, int | float | str] = {
        "hits": result.hits,
        "entries": result.entries,
        "questions": result.questions,
    }
    if result.table_full:
        stats["table"] = "full"
    if status != "unknown" and (forall is None or (exists is None and status == "optimal")):
        stopped = "too large to be written down" if result.proof_full else f"stopped by {control.cause}"
        stats["proofs"] = stopped if settings.proofs else "not asked for"
    cause = "none" if status != "unknown" and "proofs" not in stats else control.cause
    return Answer(status, value, bounds, exists, forall, result.nodes, cause, stats)


def _value(program: Program, arrays: Packed, scaled: int) -> Fraction:
    """The program's own objective, from the kernel's."""
    return minimised(program) * Fraction(scaled) / arrays.scale[0] + program.objective.constant


def _own(program: Program, arrays: Packed, watch: Watch) -> Watch:
    """Shows the bounds of the program's own objective."""

    def show(progress: Progress) -> None:
        low, high = progress.bounds
        if -MOST < low <= high < MOST:
            own = sorted(_value(program, arrays, int(bound)) for bound in (low, high))
            progress = replace(progress, bounds=(own[0], own[1]))
        watch(progress)

    return show


def _proof(owner: Quantifier, value: Fraction | None, arrays: Packed, taken: Arrays | None) -> Proof | None:
    if taken is None or (owner == "exists" and value is None):
        return None
    return Proof(owner, value, tuple(_nodes(arrays, *taken)))


def _nodes(
    arrays: Packed,
    kinds: NDArray[np.uint8],
    begins: NDArray[np.uint32],
    firsts: NDArray[np.uint64],
    data: NDArray[np.int64],
) -> Iterator[Node]:
    numbers, ends = data.tolist(), firsts.tolist()
    for kind, at, first, end in zip(kinds.tolist(), begins.tolist(), ends, ends[1:], strict=False):
        if kind == 0:
            yield Choose(at, tuple(numbers[first + 1 : end]), numbers[first])
        elif kind == 1:
            yield Branch(at, tuple(_cases(numbers[first:end])))
        elif numbers[first] == 1:
            yield Refute(at, (Scenario(tuple(numbers[first + 3 : end]), {numbers[first + 1]: 1}),))
        else:
            begin = first + 1 + 2 * numbers[first]
            weights, choices = numbers[first + 1 : begin], numbers[begin:end]
            total: dict[int, Fraction | int] = {}
            for row, multiplier in zip(weights[::2], weights[1::2], strict=True):
                total[row] = total.get(row, 0) + multiplier * arrays.scale[row]
            yield Refute(at, (Scenario(tuple(choices), total),))


def _cases(numbers: Sequence[int]) -> Iterator[Case]:
    for lower, upper, then, breaks in zip(*(numbers[place::4] for place in range(4)), strict=True):
        yield Case(lower, upper, then, None if breaks < 0 else breaks)
