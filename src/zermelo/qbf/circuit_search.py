"""The engine ``qbf-search``: native search on the circuit, in the order of the prefix.

Each node of the search is a residual circuit: propagation in both duals, a table of residuals, independent parts
decided one by one, the innermost universal block expanded, a SAT solver where one quantifier is left.
docs/qbf-search.md has the theory and measurements.
"""

from __future__ import annotations

from dataclasses import replace

from zermelo import _native
from zermelo.kernel_thread import control_for, run_native
from zermelo.limits import Limits
from zermelo.progress import Watch, no_watch
from zermelo.qbf.formula import Formula
from zermelo.qbf.functions import Functions
from zermelo.qbf.packed import functions_from, packed
from zermelo.qbf.solver_answer import Answer

ENGINE = "qbf-search"


def solve_by_search(
    formula: Formula,
    limits: Limits | None = None,
    watch: Watch = no_watch,
    *,
    parameters: _native.QbfParameters | None = None,
) -> Answer:
    """Decides a formula in normal form; the answer holds the winner's functions.

    They are missing (``stats["functions"]`` says why) where the proof took more memory than allowed.

    >>> from zermelo.qbf.circuit import Circuit
    >>> from zermelo.qbf.formula import Block
    >>> circuit = Circuit()
    >>> x, y = circuit.variable(), circuit.variable()
    >>> formula = Formula(circuit, (Block("forall", (x >> 1,)), Block("exists", (y >> 1,))), circuit.exclusive(x, y))
    >>> answer = solve_by_search(formula)
    >>> answer.value, answer.functions.replies({x >> 1: True})
    (True, {2: False})
    """
    limits = limits or Limits()
    arrays = packed(formula)
    native = _native.QbfFormula(
        arrays.exists, arrays.first_variable, arrays.kind, arrays.first_input, arrays.input, arrays.output
    )
    settings = parameters or _native.QbfParameters()
    control = control_for(limits)
    result = run_native(ENGINE, lambda c: _native.qbf_search(native, settings, c), control, watch)
    functions = _functions(formula, result)
    stats: dict[str, int | float | str] = {
        "hits": result.hits,
        "splits": result.splits,
        "sat_calls": result.sat_calls,
        "network": result.network,
        "expanded": result.expanded,
    }
    if result.value is not None and functions is None:
        stats["functions"] = _why_none(settings, control)
    cause = control.cause if result.value is None or functions is None else "none"
    return Answer(result.value, functions, result.nodes, cause, stats)


def _why_none(settings: _native.QbfParameters, control: _native.Control) -> str:
    if not settings.functions:
        return "not asked for"
    return "too large for the memory allowed" if control.cause in ("none", "memory") else f"stopped by {control.cause}"


def _functions(formula: Formula, result: _native.QbfResult) -> Functions | None:
    taken = result.functions
    if result.value is None or taken is None:
        return None
    functions = functions_from(formula, "exists" if result.value else "forall", *taken)
    if not result.open:
        return functions
    variables = [variable for block in formula.prefix for variable in block.variables]
    left = tuple(variables[place - 1] for place in result.open)
    outputs = {variable: literal for variable, literal in functions.outputs.items() if variable not in left}
    return replace(functions, outputs=outputs, open=left)


def solve_by_search_openly(formula: Formula, limits: Limits | None = None, watch: Watch = no_watch) -> Answer:
    """Like :func:`solve_by_search`, but the functions of ``forall`` may leave an expanded block open.

    They do where the others are many gates already: its functions take thousands more, and longer to find and check.

    >>> from zermelo.qbf.circuit import Circuit
    >>> from zermelo.qbf.formula import Block
    >>> circuit = Circuit()
    >>> x, y = circuit.variable(), circuit.variable()
    >>> formula = Formula(circuit, (Block("exists", (x >> 1,)), Block("forall", (y >> 1,))), circuit.exclusive(x, y))
    >>> solve_by_search_openly(formula).functions.open
    ()
    """
    settings = _native.QbfParameters()
    settings.complete = False
    return solve_by_search(formula, limits, watch, parameters=settings)
