"""From a formula to a checked solution: chooses solvers, runs them, writes the functions down, has them checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from time import monotonic
from typing import Any

from zermelo.certificate import Certificate, Claim
from zermelo.checked import checked, need_agreement, summary_of
from zermelo.errors import DisagreementError, InputError, LimitReachedError, NotApplicableError
from zermelo.limits import Limits, step_watch
from zermelo.options import Options
from zermelo.qbf.aiger import write_aag
from zermelo.qbf.answer import Answer, Solver
from zermelo.qbf.circuit import FALSE, Circuit, Kind
from zermelo.qbf.formula import Formula, Quantifier
from zermelo.qbf.functions import Functions
from zermelo.qbf.game import FormulaGame
from zermelo.qbf.portfolio import portfolio
from zermelo.qbf.recover import Recovered, recovered
from zermelo.run import Watch, no_watch
from zermelo.search.engine import ENGINES
from zermelo.search.solving import solve_game
from zermelo.solution import Solution

PARTS: Mapping[str, tuple[str, str]] = {
    "qbf-search": ("zermelo.qbf.search", "solve_by_search"),
    "qbf-cegar": ("zermelo.qbf.cegar", "solve_by_cegar"),
}
"""The solvers of the portfolio ``qbf`` by engine name: module and function, loaded on first use."""

FEW_VARIABLES = 12
"""Up to so many, ``all`` has the engines for games try every line of the formula as well."""

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


def is_formula_engine(engine: str) -> bool:
    """Whether an engine name speaks of solvers of formulas.

    >>> is_formula_engine("qbf"), is_formula_engine("qbf-search+qbf-cegar"), is_formula_engine("dp")
    (True, True, False)
    """
    return engine == "qbf" or engine.startswith("qbf-")


def solvers_named(engine: str) -> dict[str, Solver]:
    """The solvers that an engine name stands for: ``qbf`` is the portfolio, ``a+b`` runs two side by side.

    >>> solvers_named("qbf-nobody")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: unknown engine 'qbf-nobody', expected qbf...
    """
    known = formula_engines()
    names = [name for name in PARTS if name in known] if engine in ("auto", "qbf") else engine.split("+")
    for name in names:
        if name not in known:
            hint = ": is the program installed?" if name.startswith("qbf-") else ""
            raise InputError(f"unknown engine {name!r}, expected {', '.join(['qbf', *known])}{hint}")
    return {name: known[name] for name in names}


def solve_formula(
    game: FormulaGame,
    engine: str = "auto",
    limits: Limits | None = None,
    options: Options | None = None,
    target: str = "",
    watch: Watch = no_watch,
) -> Solution:
    """Solves a formula with the portfolio (``auto``, ``qbf``), one solver, or ``all`` of them.

    >>> from zermelo.qbf.circuit import Circuit
    >>> from zermelo.qbf.formula import Block, Formula
    >>> circuit = Circuit()
    >>> x, y = circuit.variable() // 2, circuit.variable() // 2
    >>> prefix = (Block("forall", (x,)), Block("exists", (y,)))
    >>> game = FormulaGame(Formula(circuit, prefix, circuit.exclusive(2 * x, 2 * y), {x: "x", y: "y"}))
    >>> solution = solve_formula(game)
    >>> solution.winner, solution.value, solution.verified
    ('exists', 1, True)
    """
    if options is not None and options.depth is not None:
        raise InputError(f"{engine} takes no depth: a formula is solved to its end")
    return _Task(game, target or "formula", limits, options, watch).solve(engine)


class _Task:
    """One formula on its way to a solution."""

    def __init__(
        self, game: FormulaGame, target: str, limits: Limits | None, options: Options | None, watch: Watch
    ) -> None:
        self.game, self.target, self.watch = game, target, watch
        self.limits, self.began = limits or Limits(), monotonic()
        self.options = options or Options()

    def solve(self, engine: str) -> Solution:
        """The answer; without one, at a limit or after Ctrl-C, a solution that says so."""
        try:
            if engine == "all":
                return self.solve_by_all()
            name = "qbf" if engine == "auto" else engine
            return self.checked(self.solve_by(name, solvers_named(engine)))
        except LimitReachedError as error:
            return self.in_words(engine, Answer(None, cause="limit"), note=str(error))
        except MemoryError:
            return self.in_words(engine, Answer(None, cause="memory"), note="out of memory")
        except KeyboardInterrupt:
            return self.in_words(engine, Answer(None, cause="interrupt"))

    def solve_by(self, engine: str, solvers: Mapping[str, Solver]) -> Solution:
        began = monotonic()
        whole, old = self.game.remaining
        found = _recovered(whole, step_watch(replace(self.limits, nodes=None)))
        formula = whole if found is None else found.formula
        if formula.output >> 1 == 0:
            owner: Quantifier = "exists" if formula.output else "forall"
            name, answer = engine, Answer(owner == "exists", Functions(owner, Circuit(), {}, {}))
        else:
            # Where gates were recovered, what is open in the one formula need not be of one block in the other.
            chosen = _openly(solvers) if found is None else solvers
            name, answer = portfolio(chosen, formula, self.limits, self.watch)
            answer = self.with_first_choice(formula, answer)
        if (functions := answer.functions) is not None:
            functions = functions if found is None else found.extended(functions)
            inputs = {old[variable]: node for variable, node in functions.inputs.items()}
            outputs = {old[variable]: literal for variable, literal in functions.outputs.items()}
            left_open = tuple(old[variable] for variable in functions.open)
            outputs = self.complete(functions.owner, outputs, left_open)
            answer = replace(answer, functions=replace(functions, inputs=inputs, outputs=outputs, open=left_open))
        return self.in_words(name, answer, monotonic() - began)

    def with_first_choice(self, formula: Formula, answer: Answer) -> Answer:
        """The answer, with no variable of the first block left open: what to choose there is part of it."""
        from zermelo.qbf.completion import completed

        functions = answer.functions
        if functions is None or not functions.open or not set(functions.open) & set(formula.prefix[0].variables):
            return answer
        try:
            return replace(answer, functions=completed(formula, functions, self.limits))
        except LimitReachedError:
            return replace(answer, functions=None, cause="time" if self.limits.expired() else "memory")

    def complete(self, owner: Quantifier, outputs: Mapping[int, int], left_open: Sequence[int]) -> dict[int, int]:
        """A function for each variable of the owner that is not left open: false where the solver does not care."""
        left = self.game.order[len(self.game.given) :]
        return {v: outputs.get(v, FALSE) for v in left if self.game.quantifiers[v] == owner and v not in left_open}

    def solve_by_all(self) -> Solution:
        plain = replace(self.options, certify=False, verify=False, move_values=False)
        runs: dict[str, Callable[[], Solution]] = {}
        for name, solver in formula_engines().items():
            runs[name] = partial(self.solve_by, name, {name: solver})
        if len(self.game.order) - len(self.game.given) <= FEW_VARIABLES:
            for name in ENGINES:
                runs[name] = partial(solve_game, self.game, name, self.limits, plain, self.target)
        solutions: list[Solution] = []
        for run in runs.values():
            if not any(solution.stopped_by == "interrupt" for solution in solutions):
                with suppress(NotApplicableError):  # an engine for other games, a program that crashes
                    solutions.append(run())
        solved = [solution for solution in solutions if solution.status == "solved"]
        need_agreement(solutions)
        if not solutions:
            raise NotApplicableError(f"no engine takes {self.target}")
        # The first that can show its functions, if there is one.
        best = self.checked(min(solved or solutions, key=lambda solution: solution.certificate is None))
        stats = dict(best.stats) | {"engines": {solution.engine: summary_of(solution) for solution in solutions}}
        return replace(best, engine="all", stats=stats, note=best.note or f"{len(solved)} engines agree")

    def in_words(self, engine: str, answer: Answer, seconds: float | None = None, note: str = "") -> Solution:
        """The solution that an answer stands for, with its certificate but not yet checked."""
        game = self.game
        taken = monotonic() - self.began if seconds is None else seconds
        stats: dict[str, Any] = {
            **answer.stats,
            "seconds": round(taken, 6),
            "nodes": answer.nodes,
            "variables": len(game.order),
            "blocks": len(game.formula.prefix),
        }
        if answer.value is None:
            why = "interrupted" if answer.cause == "interrupt" else f"the {answer.cause} limit was reached"
            why = note or (why if answer.cause != "none" else "not proved")
            return Solution(self.target, game, engine, "unknown", note=why, stopped_by=answer.cause, stats=stats)
        role: Quantifier = "exists" if answer.value else "forall"
        value = 1 if answer.value else -1
        solution = Solution(
            target=self.target,
            game=game,
            engine=engine,
            status="solved",
            value=value,
            bounds=(value, value),
            winner=role,
            stopped_by=answer.cause,
            stats=stats,
        )
        if answer.functions is None:
            why = stats.pop("functions", "it writes none down")
            return replace(solution, note=f"not verified: no functions by {engine}: {why}")
        return self.with_functions(solution, role, answer.functions)

    def with_functions(self, solution: Solution, role: Quantifier, functions: Functions) -> Solution:
        """Adds the claim, the outermost choice and a line of play."""
        game = self.game
        if functions.owner != role:
            raise DisagreementError(f"{solution.engine} says {role} wins, and gives functions of {functions.owner}")
        aag = write_aag(game.formula, functions)
        gates = int(aag[: aag.index("\n")].split()[5])
        line = _line(game, functions)
        claim = Claim(role, 1, rule="functions", data={"aag": aag})
        return replace(
            solution,
            move=line[0] if line else None,
            line=line,
            assignment=_outermost(game, role, line),
            certificate=Certificate(self.target, (claim,)) if self.options.certify else None,
            stats=dict(solution.stats) | {"function_gates": gates, "functions": len(functions.outputs)},
        )

    def checked(self, solution: Solution) -> Solution:
        """The solution after the independent checker has read its certificate."""
        try:
            return checked(solution, self.options, self.limits)
        except DisagreementError:
            if solution.engine in (*PARTS, "qbf"):
                raise
            # A program of others may be right about the answer and careless about the strategy that it prints.
            note = f"not verified: the checker refutes the strategy that {solution.engine} printed"
            return replace(solution, certificate=None, note=note, line=(), move=None, assignment=None)


def _openly(solvers: Mapping[str, Solver]) -> dict[str, Solver]:
    """The solvers, free to leave a last choice open where that is sooner done."""
    from zermelo.qbf.search import solve_by_search, solve_by_search_openly

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
