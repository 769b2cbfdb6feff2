"""From a game to a checked solution: chooses engines, runs them, writes the certificate, has it checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import monotonic
from typing import Any

from zermelo import _native
from zermelo.certificate import Certificate, score_text
from zermelo.checked import checked, joined, need_agreement, summary_of
from zermelo.encode.graph import CHANCE_TURN, GameGraph, MovesAtOnceError
from zermelo.errors import InputError, LimitReachedError, NotApplicableError
from zermelo.game import NOBODY, Game, Score, plain_score, winner_of
from zermelo.guard import guarded
from zermelo.limits import Limits
from zermelo.options import Options
from zermelo.run import Progress, Run, Watch, control_for, no_watch, race, run_native
from zermelo.search.certify import claim_of
from zermelo.search.chance import solve_chance
from zermelo.search.closed import CLOSED_NAMES, ClosedForm, closed_forms
from zermelo.search.engine import ENGINES
from zermelo.search.horizon import HORIZON_ENGINES, problem_at_horizon
from zermelo.search.lines import main_line
from zermelo.search.partial import Part, proved_by_part
from zermelo.search.problem import Problem, native_twin, problem_of
from zermelo.solution import Solution, Status

PORTFOLIO = ("alphabeta", "pns")
"""Run side by side by ``auto``: each beats the other by orders of magnitude on some games."""
PROBE_NODES = 20_000
"""What the first engine may visit before threads are started."""

SIMULATIONS = 1_000_000
"""Where no limit of another kind ends UCT: under chance, endless play or many roles it need not end by itself."""

EXPLORING = 0.9
"""The share of the time that exploring may take: to label what was explored takes about a tenth of that."""

MOST_MOVES = 2000
"""Up to so many first moves have their values worked out where a closed form gave the answer."""


def solve_game(
    game: Game,
    engine: str = "auto",
    limits: Limits | None = None,
    options: Options | None = None,
    target: str = "",
    watch: Watch = no_watch,
) -> Solution:
    """Solves a game with the engine of that name, ``auto`` or ``all``; ``a+b`` runs two engines side by side.

    >>> from zermelo.games import make_game
    >>> solve_game(make_game("nim:1,2,3"), "alphabeta").winner
    'second'
    """
    if engine not in ("auto", "all", *CLOSED_NAMES) and any(name not in ENGINES for name in engine.split("+")):
        known = ", ".join(("auto", "all", *ENGINES, *CLOSED_NAMES))
        raise InputError(f"unknown engine {engine!r}, expected one of {known}")
    if options is not None and options.depth is not None and engine not in ("auto", *HORIZON_ENGINES):
        raise InputError(f"{engine} takes no depth: a horizon is for {', '.join(HORIZON_ENGINES)}")
    return _Task(guarded(game), target or type(game).__name__, limits, options, watch).solve(engine)


@dataclass(frozen=True)
class _Answer:
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


class _Task:
    """One game on its way to a solution."""

    def __init__(self, game: Game, target: str, limits: Limits | None, options: Options | None, watch: Watch) -> None:
        self.game, self.target, self.watch = game, target, watch
        self.limits, self.began = limits or Limits(), monotonic()
        self.game.limits = self.limits
        self.options = options or Options()
        self.explored = GameGraph()  # of a game without a native twin, as far as it goes
        self.visited = 0
        """Positions met so far where the game is explored."""

    def solve(self, engine: str) -> Solution:
        """The answer; without one, at a limit or after Ctrl-C, a solution that says so."""
        solution = self.outcome(engine)
        return replace(solution, note=joined(solution.note, self.game.remark)) if self.game.remark else solution

    def outcome(self, engine: str) -> Solution:
        try:
            if self.options.depth is not None:
                return self.estimate(HORIZON_ENGINES[0] if engine == "auto" else engine)
            return self.attempt(engine)
        except _native.NotSearchable:
            self.game.native_refused = True
            return self.outcome(engine)
        except LimitReachedError as error:
            return self.unanswered(engine, str(error))
        except MemoryError:
            pass  # what its traceback holds is free once this block is left
        except KeyboardInterrupt:
            return self.unanswered(engine, "interrupted", "interrupt")
        if isinstance(self.explored.positions, list):
            del self.explored.positions[1:]  # to see what the part explored proves takes its edges alone
        return self.unanswered(engine, "out of memory", "memory")

    def attempt(self, engine: str) -> Solution:
        if engine in (*CLOSED_NAMES, "auto"):
            for form in closed_forms(self.game):
                if engine in ("auto", form.engine):
                    return self.checked(self.closed_solution(form))
            if engine in CLOSED_NAMES:
                raise NotApplicableError(f"{engine}: no strategy of this kind is known for {self.target}")
        if engine in ("auto", "path") and (solution := self.puzzle_solution()) is not None:
            return self.checked(solution)
        try:
            problem = problem_of(self.game, self.for_exploring(), self.show_exploration, self.explored)
        except MovesAtOnceError:
            if engine not in ("auto", "dp"):
                raise
            from zermelo.search.at_once import solve_at_once

            return solve_at_once(self.game, self.target, self.limits)
        if engine == "all":
            return self.solve_by_all(problem)
        return self.checked(self.solve_by(problem, self.choice(problem) if engine == "auto" else engine))

    def for_exploring(self) -> Limits:
        """The limits of exploring: at their end there is time to see what the part explored proves."""
        left = self.limits.seconds_left()
        return self.limits if left is None else self.limits.part(left * EXPLORING)

    def puzzle_solution(self) -> Solution | None:
        """One line to the best score, in a puzzle whose positions may repeat: all of them might be far too many."""
        puzzle = self.game.puzzle() if native_twin(self.game) is None else None
        if puzzle is None:
            return None
        problem = Problem(self.game, puzzle, None, 0, None, self.game.start())
        left = self.limits.seconds_left()
        answer = self.answer(problem, ["path"], None if left is None else left / 2)
        return self.in_words(problem, answer) if answer.outcome.solved or answer.cause == "interrupt" else None

    def estimate(self, engine: str) -> Solution:
        """What search to a horizon makes of the game: a move and a guess, never a proof."""
        native = native_twin(self.game) is not None
        if native:
            problem = problem_of(self.game, self.limits)
        else:
            assert self.options.depth is not None
            problem = problem_at_horizon(self.game, self.options.depth, self.limits, self.show_exploration)
        if (reason := ENGINES[engine].why_not(problem)) is not None:
            raise NotApplicableError(f"{engine} does not take {self.target}: {reason}")
        answer = self.answer(problem, [engine])
        if native:
            return self.in_words(problem, answer)
        outcome, start = answer.outcome, self.game.start()
        legal = () if self.game.result(start) is not None else self.game.moves(start)
        move = legal[outcome.move] if 0 <= outcome.move < len(legal) else None
        stats: dict[str, Any] = {"seconds": round(answer.seconds, 6), "nodes": answer.nodes}
        if outcome.solved:
            stats["estimate"] = float(problem.exact(outcome.lower))
        return Solution(
            target=self.target,
            game=self.game,
            engine=engine,
            status="unknown",
            move=move,
            line=() if move is None else (move,),
            note=limit_note(answer, self.options, 0),
            stopped_by=answer.cause,
            stats=stats,
        )

    def choice(self, problem: Problem) -> str:
        if len(self.game.roles) > 2 or not problem.zero_sum:
            return "uct"
        # An explored game lies in memory already: labelling it is linear.
        if problem.graph is not None:
            return "dp"
        if len(self.game.roles) == 2:
            return "+".join(PORTFOLIO)
        # A puzzle is a search for one path: breadth first where depth first goes astray, and nothing to refute.
        return "alphabeta+path" if "path" in problem.native.engines else "alphabeta+dp"

    def solve_by(self, problem: Problem, engine: str) -> Solution:
        names = engine.split("+")
        for name in names:
            if (reason := ENGINES[name].why_not(problem)) is not None:
                raise NotApplicableError(f"{name} does not take {self.target}: {reason}")
        if engine == "dp" and problem.has_chance:
            return solve_chance(problem, self.target, self.limits)
        answer = self.answer(problem, names)
        if _found_no_line(answer) and len(names) > 1:
            answer = self.answer(problem, ["alphabeta", "dp"])  # it takes every position to say how good it gets
        return self.in_words(problem, answer)

    def solve_by_all(self, problem: Problem) -> Solution:
        solutions: list[Solution] = [self.closed_solution(form) for form in closed_forms(self.game)]
        takers = [engine.name for engine in ENGINES.values() if engine.why_not(problem) is None]
        for name in takers:
            if not any(solution.stopped_by == "interrupt" for solution in solutions):
                solutions.append(self.solve_by(problem, name))
        solved = [solution for solution in solutions if solution.status == "solved"]
        need_agreement(solutions)
        if not solutions:
            raise NotApplicableError(f"no engine takes {self.target}")
        best = self.checked((solved or solutions)[0])
        stats = dict(best.stats) | {"engines": {s.engine: summary_of(s) for s in solutions}}
        return replace(best, engine="all", stats=stats, note=best.note or _agreement(len(solved)))

    def answer(self, problem: Problem, names: list[str], seconds: float | None = None) -> _Answer:
        """Runs one engine, or several side by side until one has an answer; within the limits, or fewer seconds."""
        limits = self.limits if seconds is None else self.limits.part(seconds)
        share = self.limits.room() // (2 * len(names))
        params = self.params(problem, share)
        began = monotonic()
        first = problem.native.search(names[0], params)
        # Most questions are small ones: the first engine often has the answer before a thread would have started.
        if (probe := self.probe(problem, first, names[0], share)) is not None:
            return probe
        searches = {names[0]: first} | {name: problem.native.search(name, params) for name in names[1:]}
        runs = {
            name: Run(name, search.solve, control_for(replace(limits, memory=share)))
            for name, search in searches.items()
        }

        def watch(progress: Progress) -> None:
            lower, upper = progress.bounds
            self.watch(replace(progress, bounds=(problem.exact(int(lower)), problem.exact(int(upper)))))

        def answer_of(run: Run[_native.Outcome]) -> _Answer:
            nodes = sum(other.control.nodes for other in runs.values())
            seconds, cause = monotonic() - began, run.control.cause
            reached = ", ".join(_reached(name, other.control, problem) for name, other in runs.items())
            search, (bounds, move) = (
                searches[run.engine],
                _together(problem, run, list(runs.values()), self.options.depth),
            )
            return _Answer(run.engine, run.result(), search, nodes, seconds, cause, bounds, move, reached)

        def won(run: Run[_native.Outcome]) -> bool:
            return run.result().solved or _found_no_line(answer_of(run))

        return answer_of(race(list(runs.values()), watch, won))

    def probe(self, problem: Problem, search: _native.Search, name: str, memory: int) -> _Answer | None:
        """What an engine that keeps what it has learnt can say at once; ``None`` if it needs to go on."""
        allowed = min(PROBE_NODES, self.limits.nodes or PROBE_NODES)
        if name not in PORTFOLIO or self.limits.expired():
            return None
        control = _native.Control(0.0, allowed, memory)
        outcome = search.solve(control)
        if outcome.solved or control.cause == "none" or allowed == self.limits.nodes:
            bounds, reached = (outcome.lower, outcome.upper), _reached(name, control, problem)
            move, elapsed = _best_move(problem, name, outcome, self.options.depth), control.elapsed
            return _Answer(name, outcome, search, control.nodes, elapsed, control.cause, bounds, move, reached)
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

    def in_words(self, problem: Problem, answer: _Answer) -> Solution:
        """The solution that a native outcome stands for, with its certificate but not yet checked."""
        outcome = answer.outcome
        # Bounds hold under chance too: they span all outcomes. Scores of opposed roles are all they speak of.
        exact_game = problem.zero_sum and len(self.game.roles) <= 2
        lower, upper = (outcome.lower, outcome.upper) if outcome.solved else answer.bounds
        # What the rules themselves say is nothing that was proved.
        narrower = exact_game and (lower > problem.native.worst or upper < problem.native.best)
        known = exact_game and (outcome.solved or narrower)
        bounds = (problem.exact(lower), problem.exact(upper)) if known else (None, None)
        status: Status = "solved" if outcome.solved else "bounded" if narrower else "unknown"
        value = bounds[0] if outcome.solved else None
        legal = () if self.game.result(problem.start) is not None else self.game.moves(problem.start)
        move = legal[answer.move] if 0 <= answer.move < len(legal) else None
        stats: dict[str, Any] = {
            "seconds": round(answer.seconds, 6),
            "nodes": answer.nodes,
            "table_bytes": answer.search.table_bytes,
        }
        if problem.graph is not None:
            stats["positions"] = len(problem.graph.positions)
        if problem.total:
            stats["total"] = score_text(problem.total)
        if not outcome.solved and (self.options.depth is not None or answer.engine == "uct"):
            # UCT's means are of scores already; other kernels speak of the places of scores in their order.
            by_mean = answer.engine == "uct"
            stats["estimate"] = outcome.estimate if by_mean else problem.between(outcome.estimate)
        solution = Solution(
            target=self.target,
            game=self.game,
            engine=answer.engine,
            status=status,
            value=value,
            bounds=bounds,
            winner=None if value is None else winner_of(self.game, value, problem.total),
            move=move,
            line=() if move is None else (move,),
            distance=outcome.distance if outcome.distance >= 0 else None,
            note="" if outcome.solved else limit_note(answer, self.options, self.simulations()),
            stopped_by=answer.cause,
            stats=stats,
        )
        if not outcome.solved and known and lower == upper:
            # One engine has the one bound, another the other: it is solved, and nobody has all of the proof.
            value = problem.exact(lower)
            winner, note = winner_of(self.game, value, problem.total), f"not verified: {solution.note}"
            return replace(solution, status="solved", value=value, winner=winner, note=note)
        if not outcome.solved:
            return self.as_far_as(solution, answer)
        if answer.cause == "interrupt":
            return replace(solution, note="not verified: interrupted")
        try:
            if problem.has_chance:
                note = f"{answer.engine} writes no strategy down where chance moves: dp does"
                solution = replace(solution, note=note)
            elif self.options.certify:
                solution = self.with_certificate(problem, answer, solution)
            if self.options.move_values and legal and solution.stopped_by != "interrupt":
                # About the time that the answer took; what found one line has learnt nothing of the others.
                seconds = 1.0 if ENGINES[answer.engine].puzzles_only else max(1.0, 2 * answer.seconds)
                values, whole = self.move_values(answer.search, problem.exact, legal, seconds)
                cause = solution.stopped_by if whole else "interrupt"
                solution = replace(solution, move_values=values, stopped_by=cause)
        except (KeyboardInterrupt, LimitReachedError, MemoryError) as error:
            # The value is known; only what would explain it is cut short.
            interrupted = isinstance(error, KeyboardInterrupt)
            why = "interrupted" if interrupted else str(error) or "out of memory"
            note = solution.note if solution.certificate else joined(solution.note, f"not verified: {why}")
            solution = replace(solution, note=note, stopped_by="interrupt" if interrupted else solution.stopped_by)
        return solution

    def as_far_as(self, solution: Solution, answer: _Answer) -> Solution:
        """A solution that is none, with what its engine takes for the best move and what that rests on."""
        solution = replace(solution, reached=answer.reached)
        if "estimate" not in solution.stats:
            return solution
        simulations = sum(answer.search.counts()) if answer.engine == "uct" else 0
        basis = f"{simulations:,} simulations" if simulations else f"a horizon of {self.options.depth} plies"
        return replace(solution, estimate=solution.stats["estimate"], estimate_from=basis)

    def with_certificate(self, problem: Problem, answer: _Answer, solution: Solution) -> Solution:
        """Adds the claims that prove the value, and the line that both sides' tables lead to."""
        began = monotonic()
        limits = self.options.proof_limits(self.limits)
        value = answer.outcome.lower
        # A win with the best score that any end has says it all; a draw, or a puzzle that cannot be won, takes the
        # claim that it is no more: which ends there are is something that only the engines have seen.
        won, lost = solution.winner == self.game.roles[0], solution.winner not in (self.game.roles[0], "draw")
        if won and value == problem.native.best:
            owners = [0]
        else:
            owners = [1] if lost and value == problem.native.worst else [0, 1]
        claims = []
        try:
            for owner in owners:
                role = (*self.game.roles, NOBODY)[owner]
                share = problem.exact(value) if owner == 0 else problem.total - problem.exact(value)
                claims.append(claim_of(problem, answer.search, role, value, plain_score(share), limits, self.watch))
        except LimitReachedError as error:
            return replace(solution, note=f"not verified: {error}")
        except _native.Stopped:
            note = "interrupted while the strategy was written down"
            return replace(solution, note=note, stopped_by="interrupt")
        certificate = Certificate(self.target, tuple(claims))
        stats = dict(solution.stats) | {
            "strategy_seconds": round(monotonic() - began, 6),
            "strategy_positions": sum(len(claim.table) for claim in claims),
        }
        line = main_line(self.game, problem.start, claims, solution.move)
        move = line[0] if line else solution.move
        return replace(solution, certificate=certificate, stats=stats, line=line, move=move)

    def move_values(
        self, search: _native.Search, exact: Callable[[int], Score], legal: Sequence[Any], seconds: float
    ) -> tuple[dict[str, Score | None], bool]:
        """The value after each first move, as far as it can be had in the time; and whether nobody interrupted."""
        limits = replace(self.limits, nodes=None).part(seconds)
        values: dict[str, Score | None] = {self.game.move_text(move): None for move in legal}
        for index, move in enumerate(legal):
            if limits.expired():
                break
            # Each move gets its share of what is left, so that one hard move does not hide all the others.
            control = control_for(limits, 1 / (len(legal) - index))
            outcome = run_native("moves", partial(search.solve_move, index), control, no_watch)
            if outcome.solved:
                values[self.game.move_text(move)] = exact(outcome.lower)
            if control.cause == "interrupt":
                return values, False
        return values, True

    def closed_move_values(self, form: ClosedForm, move: Any) -> Mapping[str, Score | None]:
        """The value after each first move where a closed form gave the answer: by reason, else by search."""
        start = self.game.start()
        legal = () if self.game.result(start) is not None else self.game.moves(start)
        if not legal or len(legal) > MOST_MOVES or not self.options.move_values:
            return {}
        if winner_of(self.game, form.value) not in (self.game.turn(start), "draw"):
            # The other side wins whatever is played. (Closed forms are about games of win, draw and loss.)
            return {self.game.move_text(other): form.value for other in legal}
        native = native_twin(self.game)
        if native is None:
            return {}
        params = _native.SearchParams()
        params.table_bytes = self.limits.room() // 2
        search = native.search("alphabeta", params)
        values, _ = self.move_values(search, lambda score: score, legal, 1.0)
        if move is not None:
            values[self.game.move_text(move)] = form.value  # the claim's own move keeps what it claims
        return values

    def closed_solution(self, form: ClosedForm) -> Solution:
        start = self.game.start()
        line = main_line(self.game, start, form.claims, None)
        move = line[0] if line else None
        return Solution(
            target=self.target,
            game=self.game,
            engine=form.engine,
            status="solved",
            value=form.value,
            bounds=(form.value, form.value),
            winner=winner_of(self.game, form.value),
            move=move,
            line=line,
            move_values=self.closed_move_values(form, move),
            certificate=Certificate(self.target, form.claims),
            note=form.reason,
            stats={"seconds": round(monotonic() - self.began, 6), "nodes": 0},
        )

    def checked(self, solution: Solution) -> Solution:
        """The solution after the independent checker has read its certificate."""
        return checked(solution, self.options, self.limits)

    def unanswered(self, engine: str, note: str, cause: str = "limit") -> Solution:
        """The solution where no engine got as far as an answer: what the explored part of the game proves."""
        try:
            part = proved_by_part(self.game, self.explored)
        except (MemoryError, NotApplicableError, LimitReachedError, KeyboardInterrupt):
            part = Part()
        lower, upper = part.bounds
        value = lower if lower == upper else None
        stats: dict[str, Any] = {"seconds": round(monotonic() - self.began, 6), "nodes": 0}
        if self.explored.rows:
            stats["positions"] = self.explored.rows
        if part.total:
            stats["total"] = score_text(part.total)
        if CHANCE_TURN in self.explored.turn and value is not None:
            stats["expected"] = True
        move = None if part.move is None else self.game.moves(self.explored.positions[0])[part.move]
        return Solution(
            target=self.target,
            game=self.game,
            engine=engine,
            status="unknown" if lower is None and upper is None else "bounded" if value is None else "solved",
            value=value,
            bounds=part.bounds,
            winner=None if value is None else winner_of(self.game, value, part.total),
            move=move,
            line=() if move is None else (move,),
            note=note if value is None else f"not verified: {note}",
            stopped_by=cause,
            stats=stats,
            reached=f"{max(self.visited, self.explored.rows):,} positions explored",
        )

    def show_exploration(self, positions: int) -> None:
        self.visited = max(self.visited, positions)
        if positions and positions % 1024 == 0:
            seconds = monotonic() - self.began
            self.watch(Progress("explore", seconds, positions))


def _together(
    problem: Problem, first: Run[_native.Outcome], runs: Sequence[Run[_native.Outcome]], horizon: int | None
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


def _found_no_line(answer: _Answer) -> bool:
    """Whether a puzzle has no line to the best score."""
    return ENGINES[answer.engine].puzzles_only and not answer.outcome.solved and answer.cause == "none"


def limit_note(answer: _Answer, options: Options, simulations: int) -> str:
    """Why there is no value."""
    if answer.cause != "none":
        return "interrupted" if answer.cause == "interrupt" else f"the {answer.cause} limit was reached"
    if answer.engine == "uct" and simulations:
        return f"not proved in {simulations:,} simulations"
    return "a horizon was set: the estimate is not a proof" if options.depth is not None else "not proved"


def _agreement(engines: int) -> str:
    return f"{engines} engines agree" if engines > 1 else "one engine answered" if engines else ""
