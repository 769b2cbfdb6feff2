"""The engines of formulas: the portfolio ``qbf``, our solvers one by one, and the programs of others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from time import monotonic
from typing import Any

from zermelo.answer import Answer
from zermelo.certificate import Claim
from zermelo.engine import Engine, Task, or_stopped, to_its_end
from zermelo.errors import DisagreementError, InputError, LimitReachedError
from zermelo.limits import step_watch
from zermelo.qbf.aiger import write_aag
from zermelo.qbf.circuit import FALSE, Circuit, Kind
from zermelo.qbf.formula import Formula, Quantifier
from zermelo.qbf.formula_portfolio import portfolio
from zermelo.qbf.functions import Functions
from zermelo.qbf.game import FormulaGame
from zermelo.qbf.recover import Recovered, recovered
from zermelo.qbf.solver_answer import Answer as Found
from zermelo.qbf.solver_answer import Solver

QBF = ROOM = "qbf"
"""The room, and the engine that is its portfolio."""
PARTS: Mapping[str, tuple[str, str]] = {
    "qbf-search": ("zermelo.qbf.circuit_search", "solve_by_search"),
    "qbf-cegar": ("zermelo.qbf.cegar", "solve_by_cegar"),
}
"""The solvers of the portfolio ``qbf`` by engine name: module and function, loaded on first use."""

LONGEST_LINE = 1000


def formula_engines() -> dict[str, Solver]:
    """The solvers of formulas by engine name: our own, and the programs of others that are installed.

    >>> all(name.startswith("qbf-") for name in formula_engines())
    True
    """
    from zermelo.qbf.external import external_solvers

    found: dict[str, Solver] = {}
    for name, (module, function) in PARTS.items():
        found[name] = getattr(import_module(module), function)
    return found | {f"qbf-{name.removeprefix('qbf-')}": solver for name, solver in external_solvers().items()}


def solvers_named(engine: str) -> dict[str, Solver]:
    """The solvers that an engine name stands for: ``qbf`` is the portfolio, ``a+b`` runs two side by side.

    >>> solvers_named("qbf-nobody")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: unknown engine 'qbf-nobody', expected qbf...
    """
    known = formula_engines()
    names = [name for name in PARTS if name in known] if engine == QBF else engine.split("+")
    for name in names:
        if name not in known:
            hint = ": is the program installed?" if name.startswith("qbf-") else ""
            raise InputError(f"unknown engine {name!r}, expected {', '.join(['qbf', *known])}{hint}")
    return {name: known[name] for name in names}


@dataclass(frozen=True)
class FormulaDetails:
    """What only a formula has: what the winner chooses first, before the other role has chosen anything."""

    assignment: Mapping[str, bool]

    def to_json(self) -> Mapping[str, Any]:
        """The field that it adds."""
        return {"assignment": dict(self.assignment)}


class _Solving:
    """One formula that is solved."""

    def __init__(self, game: FormulaGame, task: Task) -> None:
        self.game, self.watch, self.limits, self.options = game, task.watch, task.limits, task.options
        self.began = monotonic()

    def answer(self, engine: str) -> Answer:
        """The answer; without one, at a limit or after Ctrl-C, one that says so."""
        return or_stopped(
            lambda: self.solve_by(engine, solvers_named(engine)),
            lambda note, cause: self.in_words(engine, Found(None, cause=cause), note=note),
        )

    def solve_by(self, engine: str, solvers: Mapping[str, Solver]) -> Answer:
        began = monotonic()
        whole, old = self.game.remaining
        hidden = _recovered(whole, step_watch(replace(self.limits, nodes=None)))
        formula = whole if hidden is None else hidden.formula
        if formula.output >> 1 == 0:
            owner: Quantifier = "exists" if formula.output else "forall"
            name, found = engine, Found(owner == "exists", Functions(owner, Circuit(), {}, {}))
        else:
            # Where gates were recovered, what is open in the one formula need not be of one block in the other.
            chosen = _openly(solvers) if hidden is None else solvers
            name, found = portfolio(chosen, formula, self.limits, self.watch)
            found = self.with_first_choice(formula, found)
        if (functions := found.functions) is not None:
            functions = functions if hidden is None else hidden.extended(functions)
            inputs = {old[variable]: node for variable, node in functions.inputs.items()}
            outputs = {old[variable]: literal for variable, literal in functions.outputs.items()}
            left_open = tuple(old[variable] for variable in functions.open)
            outputs = self.complete(functions.owner, outputs, left_open)
            found = replace(found, functions=replace(functions, inputs=inputs, outputs=outputs, open=left_open))
        return self.in_words(name, found, monotonic() - began)

    def with_first_choice(self, formula: Formula, found: Found) -> Found:
        """What was found, with no variable of the first block left open: what to choose there is part of it."""
        from zermelo.qbf.completion import completed

        functions = found.functions
        if functions is None or not functions.open or not set(functions.open) & set(formula.prefix[0].variables):
            return found
        try:
            return replace(found, functions=completed(formula, functions, self.limits))
        except LimitReachedError:
            return replace(found, functions=None, cause="time" if self.limits.expired() else "memory")

    def complete(self, owner: Quantifier, outputs: Mapping[int, int], left_open: Sequence[int]) -> dict[int, int]:
        """A function for each variable of the owner that is not left open: false where the solver does not care."""
        left = self.game.order[len(self.game.given) :]
        return {v: outputs.get(v, FALSE) for v in left if self.game.quantifiers[v] == owner and v not in left_open}

    def in_words(self, engine: str, found: Found, seconds: float | None = None, note: str = "") -> Answer:
        """The answer that a solver's stands for, with the claim that proves it."""
        game = self.game
        taken = monotonic() - self.began if seconds is None else seconds
        stats: dict[str, Any] = {
            **found.stats,
            "seconds": round(taken, 6),
            "nodes": found.nodes,
            "variables": len(game.order),
            "blocks": len(game.formula.prefix),
        }
        if found.value is None:
            why = "interrupted" if found.cause == "interrupt" else f"the {found.cause} limit was reached"
            why = note or (why if found.cause != "none" else "not proved")
            return Answer(engine, "unknown", note=why, stopped_by=found.cause, stats=stats)
        role: Quantifier = "exists" if found.value else "forall"
        value = 1 if found.value else -1
        answer = Answer(
            engine=engine,
            status="solved",
            value=value,
            bounds=(value, value),
            winner=role,
            stopped_by=found.cause,
            stats=stats,
        )
        if found.functions is None:
            why = stats.pop("functions", "it writes none down")
            return replace(answer, note=f"not verified: no functions by {engine}: {why}")
        return self.with_functions(answer, role, found.functions)

    def with_functions(self, answer: Answer, role: Quantifier, functions: Functions) -> Answer:
        """Adds the claim, the outermost choice and a line of play."""
        game = self.game
        if functions.owner != role:
            raise DisagreementError(f"{answer.engine} says {role} wins, and gives functions of {functions.owner}")
        aag = write_aag(game.formula, functions)
        gates = int(aag[: aag.index("\n")].split()[5])
        line = _line(game, functions)
        claim = Claim(role, 1, rule="functions", data={"aag": aag})
        return replace(
            answer,
            move=line[0] if line else None,
            line=line,
            claims=(claim,) if self.options.certify else (),
            others=answer.engine not in (QBF, *PARTS),
            details=FormulaDetails(_outermost(game, role, line)),
            stats=dict(answer.stats) | {"function_gates": gates, "functions": len(functions.outputs)},
        )


def _openly(solvers: Mapping[str, Solver]) -> dict[str, Solver]:
    """The solvers, free to leave a last choice open where that is sooner done."""
    from zermelo.qbf.circuit_search import solve_by_search, solve_by_search_openly

    return {name: solve_by_search_openly if solver is solve_by_search else solver for name, solver in solvers.items()}


def _recovered(formula: Formula, step: Callable[[], None]) -> Recovered | None:
    """The gates that clauses hide, where the formula is made of clauses and hides some."""
    circuit, output = formula.circuit, formula.output
    clauses = circuit.inputs[output >> 1] if circuit.kind[output >> 1] == Kind.AND and not output & 1 else ()
    for clause in clauses:
        step()
        parts = circuit.inputs[clause >> 1] if circuit.kind[clause >> 1] == Kind.OR and not clause & 1 else (clause,)
        if any(circuit.kind[part >> 1] != Kind.VARIABLE for part in parts):
            return None
    if not clauses:
        return None
    found = recovered(formula, step)
    same = found.original.circuit is circuit and found.original.prefix == formula.prefix
    return found if found.definitions and same else None


def _line(game: FormulaGame, functions: Functions) -> tuple[int, ...]:
    """A line of play in which the other role chooses 0 throughout, up to where the winner has left a choice open."""
    chosen = dict.fromkeys(functions.inputs, False)
    chosen |= game.chosen(game.given)
    chosen |= functions.replies({variable: chosen[variable] for variable in functions.inputs})
    begin = len(game.given)
    end = min([begin + LONGEST_LINE, *(game.order.index(variable) for variable in functions.open)])
    left: Sequence[int] = game.order[begin:end]
    return tuple(2 * variable + (not chosen.get(variable, False)) for variable in left)


def _outermost(game: FormulaGame, role: Quantifier, line: Sequence[int]) -> dict[str, bool]:
    """What the winner chooses before the other role has chosen anything; nothing where the other begins."""
    choice: dict[str, bool] = {}
    for move in line:
        if game.quantifiers[move >> 1] != role:
            break
        choice[game.formula.name(move >> 1)] = not move & 1
    return choice


def _solve(game: FormulaGame, names: Sequence[str], task: Task) -> Answer:
    return _Solving(game, task).answer("+".join(names))


_run = to_its_end(FormulaGame, "a formula", _solve)


def engines() -> list[Engine]:
    """The engines of this room; programs of others are among them if they are installed.

    >>> engines()[0].name
    'qbf'
    """
    from zermelo.qbf.external import external_solvers

    summaries = {
        QBF: "our solvers side by side",
        "qbf-search": "search on the circuit with learning (docs/qbf-search.md)",
        "qbf-cegar": "expansion of one role's moves, refined by the other's (docs/qbf-cegar.md)",
    }
    names = (*summaries, *external_solvers())
    return [
        Engine(name, summaries.get(name, "a program of others"), ROOM, _run, ("formula",), portfolio=name == QBF)
        for name in names
    ]
