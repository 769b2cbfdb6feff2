"""Kernels side by side on one problem, within limits: each has its share, and the first with an answer ends the race.

Most questions are small ones: the first kernel is asked by itself before any thread is started.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic

from zermelo import _native
from zermelo.kernel_thread import KernelRun, control_for, race
from zermelo.limits import Limits
from zermelo.options import Options
from zermelo.progress import Progress
from zermelo.search.kernels import KERNELS
from zermelo.search.problem import Problem

PORTFOLIO = ("alphabeta", "pns")
"""Run side by side by ``search``: each beats the other by orders of magnitude on some games."""
PROBE_NODES = 20_000
"""What the first engine may visit before threads are started."""
SIMULATIONS = 1_000_000
"""Where no limit of another kind ends UCT: under chance, endless play or many roles it need not end by itself."""


@dataclass(frozen=True)
class Said:
    """What one engine said, before it is put into words."""

    engine: str
    outcome: _native.Outcome
    search: _native.Search
    nodes: int
    seconds: float
    cause: str
    bounds: tuple[int, int]
    """What all engines of the run have proved together."""
    move: int
    """The move that the mover's bound rests on, or that the engine takes for the best; -1 if there is none."""
    reached: str = ""


@dataclass(frozen=True)
class Race:
    """What kernels are run under, and who watches them."""

    limits: Limits
    options: Options
    watch: Callable[[Progress], None]

    def run(
        self,
        problem: Problem,
        names: list[str],
        seconds: float | None = None,
        shares: Mapping[str, float] | None = None,
    ) -> Said:
        """Runs one engine, or several side by side until one has an answer; within the limits, or fewer seconds."""
        limits = self.limits if seconds is None else self.limits.part(seconds)
        share = self.limits.bytes_left() // (2 * len(names))
        params = self.params(problem, share)
        began = monotonic()
        first = problem.native.search(names[0], params)
        # Most questions are small ones: the first engine often has the answer before a thread would have started.
        if (probe := self.probe(problem, first, names[0], share)) is not None:
            return probe
        searches = {names[0]: first} | {name: problem.native.search(name, params) for name in names[1:]}
        controls = {name: control_for(replace(limits, memory=share)) for name in names}
        for control in controls.values():
            control.meter()
        runs = {name: KernelRun(name, search.solve, controls[name]) for name, search in searches.items()}

        def watch(progress: Progress) -> None:
            lower, upper = progress.bounds
            asked = progress.question
            if asked is not None:
                asked = replace(asked, at_least=problem.exact(int(asked.at_least)))
            bounds = (problem.exact(int(lower)), problem.exact(int(upper)))
            self.watch(replace(progress, bounds=bounds, question=asked))

        def said_of(run: KernelRun[_native.Outcome]) -> Said:
            nodes = sum(other.control.nodes for other in runs.values())
            seconds, cause = monotonic() - began, run.control.cause
            reached = ", ".join(_reached(name, other.control, problem) for name, other in runs.items())
            search, (bounds, move) = (
                searches[run.engine],
                together(problem, run, list(runs.values()), self.options.depth),
            )
            return Said(run.engine, run.result(), search, nodes, seconds, cause, bounds, move, reached)

        def won(run: KernelRun[_native.Outcome]) -> bool:
            return run.result().solved or found_no_line(said_of(run))

        return said_of(race(list(runs.values()), watch, won, shares))

    def probe(self, problem: Problem, search: _native.Search, name: str, memory: int) -> Said | None:
        """What an engine that keeps what it has learnt can say at once; ``None`` if it needs to go on."""
        allowed = min(PROBE_NODES, self.limits.nodes or PROBE_NODES)
        if name not in PORTFOLIO or self.limits.expired():
            return None
        control = _native.Control(0.0, allowed, memory)
        outcome = search.solve(control)
        if outcome.solved or control.cause == "none" or allowed == self.limits.nodes:
            bounds, reached = (outcome.lower, outcome.upper), _reached(name, control, problem)
            move, elapsed = _best_move(problem, name, outcome, self.options.depth), control.elapsed
            return Said(name, outcome, search, control.nodes, elapsed, control.cause, bounds, move, reached)
        return None

    def params(self, problem: Problem, table_bytes: int) -> _native.SearchParams:
        params = _native.SearchParams()
        params.table_bytes = table_bytes
        # An explored game was cut at its horizon when it was explored.
        params.depth_limit = -1 if self.options.depth is None or problem.graph is not None else self.options.depth
        params.simulations = self.simulations()
        params.seed = self.options.seed
        params.symmetry = self.options.symmetry
        return params

    def simulations(self) -> int:
        """How many simulations UCT may make; 0 if a limit of another kind ends it."""
        bounded = self.limits.seconds is not None or self.limits.nodes is not None
        return self.options.simulations or (0 if bounded else SIMULATIONS)


def together(
    problem: Problem, first: KernelRun[_native.Outcome], runs: Sequence[KernelRun[_native.Outcome]], horizon: int | None
) -> tuple[tuple[int, int], int]:
    """What all runs have proved, and the move that goes with it: who ended first need not have the best bounds."""
    ended = {run.engine: run.result() for run in runs if not run.running and not run.failed}
    if first.failed or ended[first.engine].solved:
        outcome = first.result()
        return (outcome.lower, outcome.upper), outcome.move
    bounds = max(outcome.lower for outcome in ended.values()), min(outcome.upper for outcome in ended.values())
    mine = 0 if problem.native.turn == 0 else 1
    named = [name for name, outcome in ended.items() if (outcome.lower, outcome.upper)[mine] == bounds[mine]]
    moves = [_best_move(problem, name, ended[name], horizon) for name in named]
    return bounds, next((move for move in moves if move >= 0), -1)


def _best_move(problem: Problem, engine: str, outcome: _native.Outcome, horizon: int | None) -> int:
    """The move that an engine has at the root, unless it is only the first that it tried.

    Without a horizon, what alpha-beta and its kin have in hand there is worth no more than the bound that they prove.
    """
    if outcome.solved or engine == "uct" or horizon is not None:
        return outcome.move
    mover_first = problem.native.turn == 0
    proved = outcome.lower > problem.native.worst if mover_first else outcome.upper < problem.native.best
    return outcome.move if proved else -1


def _reached(engine: str, control: _native.Control, problem: Problem) -> str:
    """How far an engine got."""
    words = f"{engine} {control.nodes:,} nodes"
    if engine == "alphabeta" and problem.native.acyclic:
        words += f" and {control.depth} of {problem.native.move_count} first moves"
    elif engine == "uct":
        words += f" {control.depth} plies deep"
    return words


def found_no_line(said: Said) -> bool:
    """Whether a puzzle has no line to the best score."""
    return KERNELS[said.engine].puzzles_only and not said.outcome.solved and said.cause == "none"


def limit_note(said: Said, options: Options, simulations: int) -> str:
    """Why there is no value."""
    if said.cause != "none":
        return "interrupted" if said.cause == "interrupt" else f"the {said.cause} limit was reached"
    if said.engine == "uct" and simulations:
        return f"not proved in {simulations:,} simulations"
    return "a horizon was set: the estimate is not a proof" if options.depth is not None else "not proved"
