"""The engines of exact search: each kernel by its name, closed forms, and ``search``, which chooses among them.

The kernels are native (``native/search``). Here they are chosen and run; what they say is put into the words of the
game, with the claims that prove it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import Any

from zermelo import _native
from zermelo.answer import Answer, Status, joined
from zermelo.certificate import score_text
from zermelo.engine import Engine, Task
from zermelo.errors import InputError, LimitReachedError, NotApplicableError
from zermelo.game import NOBODY, Game, Score, plain_score, winner_of
from zermelo.graph import CHANCE_TURN, GameGraph, Growing, MovesAtOnceError, NotGrownError
from zermelo.kernel_thread import control_for, run_native
from zermelo.limits import Limits
from zermelo.progress import Progress, no_watch
from zermelo.search.certify import claim_of, claimants
from zermelo.search.chance import solve_chance
from zermelo.search.closed import CLOSED_NAMES, ClosedForm, closed_forms
from zermelo.search.growing import decide, grown, owners
from zermelo.search.horizon import HORIZON_ENGINES, problem_at_horizon
from zermelo.search.kernels import KERNELS, Kernel
from zermelo.search.lines import layered_line, main_line
from zermelo.search.partial import Part, proved_by_growing, proved_by_part
from zermelo.search.problem import Problem, native_twin, problem_of, problem_of_graph, too_many_roles
from zermelo.search.proof_parts import ProofForm
from zermelo.search.race import PORTFOLIO, Race, Said, found_no_line, limit_note
from zermelo.user_game import well_behaved

ROOM = SEARCH = "search"
"""The room, and the engine that chooses among its others."""
PROBLEM = "problem"
FIRST_SHARE = 2.0
"""The share of the processor that the first of the portfolio has, the other's being 1."""

EXPLORING = 0.9
"""The share of the time that exploring may take: to label what was explored takes about a tenth of that."""

SHOWN_EVERY = 1024
"""Positions between two looks at an exploration."""

MOST_MOVES = 2000
"""Up to so many first moves have their values worked out where a closed form gave the answer."""


class _Search:
    """One game that is searched."""

    def __init__(self, game: Game, task: Task) -> None:
        self.game, self.task, self.watch = game, task, task.watch
        self.target = task.target or type(game).__name__
        self.limits, self.options, self.began = task.limits, task.options, monotonic()
        self.race = Race(self.limits, self.options, self.watch)
        self.game.limits = self.limits
        self.explored = GameGraph()  # of a game without a native twin, as far as it goes
        self.growing: Growing | None = None
        """The same, where it is searched and not explored."""
        self.visited = 0
        """Positions met so far where the game is explored."""

    def answer(self, names: Sequence[str]) -> Answer:
        """The answer; without one, at a limit or after Ctrl-C, one that says so."""
        found = self.outcome("+".join(names))
        return replace(found, note=joined(found.note, self.game.remark)) if self.game.remark else found

    def outcome(self, engine: str) -> Answer:
        try:
            if self.options.depth is not None:
                return self.estimate(HORIZON_ENGINES[0] if engine == SEARCH else engine)
            return self.attempt(engine)
        except _native.NotSearchable:
            self.game.native_refused = True
            self.task.shared.pop(PROBLEM, None)
            return self.outcome(engine)
        except LimitReachedError as error:
            return self.unanswered(engine, str(error))
        except MemoryError:
            pass  # what its traceback holds is free once this block is left
        except KeyboardInterrupt:
            return self.unanswered(engine, "interrupted", "interrupt")
        # To see what a part of the game proves takes its edges alone.
        if isinstance(self.explored.positions, list):
            del self.explored.positions[1:]
        if self.growing is not None:
            self.growing.forget()
        return self.unanswered(engine, "out of memory", "memory")

    def attempt(self, engine: str) -> Answer:
        if engine in (*CLOSED_NAMES, SEARCH):
            for form in closed_forms(self.game):
                if engine in (SEARCH, form.engine):
                    return self.by_closed_form(form)
            if engine in CLOSED_NAMES:
                raise NotApplicableError(f"{engine}: no strategy of this kind is known for {self.target}")
        if engine in (SEARCH, "path") and (answer := self.by_line()) is not None:
            return answer
        if engine == SEARCH and (answer := self.by_growing()) is not None:
            return answer
        try:
            problem = self.problem()
        except MovesAtOnceError:
            if engine != SEARCH:
                raise
            return self.by_induction(None)
        if engine != SEARCH:
            return self.by_kernels(problem, engine)
        if problem.graph is None or not needs_induction(problem):
            return self.by_kernels(problem, self.choice(problem), FIRST_SHARE)
        try:
            return self.by_induction(problem.graph)
        except NotApplicableError as error:  # then nothing is proved, but something can be guessed
            answer = self.by_kernels(problem, "uct")
            return replace(answer, note=joined(str(error), answer.note))

    def by_induction(self, graph: GameGraph | None) -> Answer:
        """What each role gets, where kernels that know one score and its opposite do not say."""
        from zermelo.search.induction.engine import solve_by_induction

        return solve_by_induction(self.game, self.task, graph)

    def problem(self) -> Problem:
        """The game made ready for the kernels; engines that are asked one after the other explore it once."""
        shared = self.task.shared
        if PROBLEM not in shared:
            shared[PROBLEM] = problem_of(self.game, self.for_exploring(), self.show_exploration, self.explored)
        problem: Problem = shared[PROBLEM]
        return problem

    def for_exploring(self) -> Limits:
        """The limits of exploring: at their end there is time to see what the part explored proves."""
        left = self.limits.seconds_left()
        return self.limits if left is None else self.limits.part(left * EXPLORING)

    def by_growing(self) -> Answer | None:
        """What a part of a game without a native twin decides; ``None`` where all of it is explored."""
        if PROBLEM in self.task.shared or len(self.game.roles) > 2 or native_twin(self.game) is not None:
            return None
        try:
            self.growing = grown(self.game, self.for_exploring(), self.show_exploration)
            part = decide(self.game, self.growing)
        except NotGrownError:
            self.growing = None
            return None
        if self.growing.growth.open:
            return self.by_part(part)
        self.task.shared[PROBLEM] = problem_of_graph(self.game, self.growing.graph())
        return None

    def by_line(self) -> Answer | None:
        """One line to the best score, in a puzzle whose positions may repeat: all of them might be far too many."""
        puzzle = self.game.puzzle() if native_twin(self.game) is None else None
        if puzzle is None:
            return None
        problem = Problem(self.game, puzzle, None, 0, None, self.game.start())
        left = self.limits.seconds_left()
        said = self.race.run(problem, ["path"], None if left is None else left / 2)
        return self.in_words(problem, said) if said.outcome.solved or said.cause == "interrupt" else None

    def estimate(self, engine: str) -> Answer:
        """What search to a horizon makes of the game: a move and a guess, never a proof."""
        native = native_twin(self.game) is not None
        if native:
            problem = problem_of(self.game, self.limits)
        else:
            assert self.options.depth is not None
            problem = problem_at_horizon(self.game, self.options.depth, self.limits, self.show_exploration)
        if (reason := KERNELS[engine].why_not(problem)) is not None:
            raise NotApplicableError(f"{engine} does not take {self.target}: {reason}")
        said = self.race.run(problem, [engine])
        if native:
            return self.in_words(problem, said)
        outcome, start = said.outcome, self.game.start()
        legal = () if self.game.result(start) is not None else self.game.moves(start)
        move = legal[outcome.move] if 0 <= outcome.move < len(legal) else None
        stats: dict[str, Any] = {"seconds": round(said.seconds, 6), "nodes": said.nodes}
        if outcome.solved:
            stats["estimate"] = float(problem.exact(outcome.lower))
        return Answer(
            engine=engine,
            status="unknown",
            move=move,
            line=() if move is None else (move,),
            note=limit_note(said, self.options, 0),
            stopped_by=said.cause,
            stats=stats,
        )

    def choice(self, problem: Problem) -> str:
        # An explored game lies in memory already: labelling it is linear.
        if problem.graph is not None:
            return "dp"
        if len(self.game.roles) == 2:
            # A draw is disproved twice by proof numbers, as a win of either side; without draws they are often sooner.
            return "+".join(reversed(PORTFOLIO) if self.game.drawless else PORTFOLIO)
        # A puzzle is a search for one path: breadth first where depth first goes astray, and nothing to refute.
        return "alphabeta+path" if "path" in problem.native.engines else "alphabeta+dp"

    def by_kernels(self, problem: Problem, engine: str, first_share: float = 1.0) -> Answer:
        """What the kernels of these names say, the first of which has so many times the share of another."""
        names = engine.split("+")
        for name in names:
            if (reason := KERNELS[name].why_not(problem)) is not None:
                raise NotApplicableError(f"{name} does not take {self.target}: {reason}")
        if engine == "dp" and problem.has_chance:
            return solve_chance(problem, self.limits)
        shares = {name: first_share if name == names[0] else 1.0 for name in names}
        said = self.race.run(problem, names, shares=shares)
        if found_no_line(said) and len(names) > 1:
            said = self.race.run(problem, ["alphabeta", "dp"])  # it takes every position to say how good it gets
        return self.in_words(problem, said)

    def in_words(self, problem: Problem, said: Said) -> Answer:
        """The answer that a native outcome stands for, with the claims that prove it."""
        outcome = said.outcome
        # Bounds hold under chance too: they span all outcomes. Scores of opposed roles are all they speak of.
        exact_game = problem.zero_sum and len(self.game.roles) <= 2
        solved = outcome.solved and exact_game
        lower, upper = (outcome.lower, outcome.upper) if solved else said.bounds
        # What the rules themselves say is nothing that was proved.
        narrower = exact_game and (lower > problem.native.worst or upper < problem.native.best)
        known = solved or narrower
        bounds = (problem.exact(lower), problem.exact(upper)) if known else (None, None)
        status: Status = "solved" if solved else "bounded" if narrower else "unknown"
        value = bounds[0] if solved else None
        legal = () if self.game.result(problem.start) is not None else self.game.moves(problem.start)
        move = legal[said.move] if 0 <= said.move < len(legal) else None
        stats: dict[str, Any] = {
            "seconds": round(said.seconds, 6),
            "nodes": said.nodes,
            "table_bytes": said.search.table_bytes,
        }
        if problem.graph is not None:
            stats["positions"] = len(problem.graph.positions)
        if problem.total:
            stats["total"] = score_text(problem.total)
        if not solved and (self.options.depth is not None or said.engine == "uct"):
            # UCT's means are of scores already; other kernels speak of the places of scores in their order.
            by_mean = said.engine == "uct"
            stats["estimate"] = outcome.estimate if by_mean else problem.between(outcome.estimate)
        answer = Answer(
            engine=said.engine,
            status=status,
            value=value,
            bounds=bounds,
            winner=None if value is None else winner_of(self.game, value, problem.total),
            move=move,
            line=() if move is None else (move,),
            distance=outcome.distance if outcome.distance >= 0 else None,
            note="" if solved else limit_note(said, self.options, self.race.simulations()),
            stopped_by=said.cause,
            stats=stats,
        )
        if not solved and known and lower == upper:
            # One engine has the one bound, another the other: it is solved, and nobody has all of the proof.
            value = problem.exact(lower)
            winner, note = winner_of(self.game, value, problem.total), f"not verified: {answer.note}"
            return replace(answer, status="solved", value=value, winner=winner, note=note)
        if not solved:
            return self.as_far_as(answer, said)
        if said.cause == "interrupt":
            return replace(answer, note="not verified: interrupted")
        self.task.proved(answer)
        try:
            if problem.has_chance:
                note = f"{said.engine} writes no strategy down where chance moves: dp does"
                answer = replace(answer, note=note)
            elif self.options.certify:
                native, value = problem.native, said.outcome.lower
                sides = claimants(self.game, answer.winner, value == native.best, value == native.worst)
                searches = dict.fromkeys(sides, said.search)
                answer = self.with_claims(
                    problem.start, problem.total, searches, value, answer, problem.graph is not None
                )
            if self.options.move_values and legal and answer.stopped_by != "interrupt":
                # About the time that the answer took; what found one line has learnt nothing of the others.
                seconds = 1.0 if KERNELS[said.engine].puzzles_only else max(1.0, 2 * said.seconds)
                values, whole = self.move_values(said.search, problem.exact, legal, seconds)
                cause = answer.stopped_by if whole else "interrupt"
                answer = replace(answer, move_values=values, stopped_by=cause)
        except (KeyboardInterrupt, LimitReachedError, MemoryError) as error:
            # The value is known; only what would explain it is cut short.
            interrupted = isinstance(error, KeyboardInterrupt)
            why = "interrupted" if interrupted else str(error) or "out of memory"
            note = answer.note if answer.claims else joined(answer.note, f"not verified: {why}")
            answer = replace(answer, note=note, stopped_by="interrupt" if interrupted else answer.stopped_by)
        return answer

    def as_far_as(self, answer: Answer, said: Said) -> Answer:
        """An answer that is none, with what its engine takes for the best move and what that rests on."""
        answer = replace(answer, reached=said.reached)
        if "estimate" not in answer.stats:
            return answer
        simulations = sum(said.search.counts()) if said.engine == "uct" else 0
        basis = f"{simulations:,} simulations" if simulations else f"a horizon of {self.options.depth} plies"
        return replace(answer, estimate=answer.stats["estimate"], estimate_from=basis)

    def with_claims(
        self,
        start: Any,
        total: Score,
        searches: Mapping[int, _native.Search],
        bound: int,
        answer: Answer,
        explored: bool,
    ) -> Answer:
        """Adds the claims that prove the value, each by its search, and the line that both sides' tables lead to."""
        began = monotonic()
        limits = self.options.proof_limits(self.limits)
        assert answer.value is not None
        claims = []
        form = ProofForm(self.options.brief, self.options.parts, self.options.checkpoint)
        try:
            for owner, search in searches.items():
                role = (*self.game.roles, NOBODY)[owner]
                share = plain_score(answer.value if owner == 0 else total - answer.value)
                claim = claim_of(
                    self.game, start, search, role, bound, share, limits, self.watch, explored=explored, form=form
                )
                claims.append(claim)
        except LimitReachedError as error:
            return replace(answer, note=f"not verified: {error}")
        except _native.Stopped:
            note = "interrupted while the strategy was written down"
            return replace(answer, note=note, stopped_by="interrupt")
        stats = dict(answer.stats) | {
            "strategy_seconds": round(monotonic() - began, 6),
            "strategy_positions": sum(claim.move_count for claim in claims),
        }
        search = next(iter(searches.values()))
        line = layered_line(self.game, start, claims, lambda: search.line(bound, control_for(limits)))
        line = line or main_line(self.game, start, claims, answer.move)
        move = line[0] if line else answer.move
        return replace(answer, claims=tuple(claims), stats=stats, line=line, move=move)

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
        params.table_bytes = self.limits.bytes_left() // 2
        search = native.search("alphabeta", params)
        values, _ = self.move_values(search, lambda score: score, legal, 1.0)
        if move is not None:
            values[self.game.move_text(move)] = form.value  # the claim's own move keeps what it claims
        return values

    def by_closed_form(self, form: ClosedForm) -> Answer:
        start = self.game.start()
        line = main_line(self.game, start, form.claims, None)
        move = line[0] if line else None
        answer = Answer(
            engine=form.engine,
            status="solved",
            value=form.value,
            bounds=(form.value, form.value),
            winner=winner_of(self.game, form.value),
            move=move,
            line=line,
            claims=form.claims,
            note=form.reason,
            stats={"seconds": round(monotonic() - self.began, 6), "nodes": 0},
        )
        self.task.proved(answer)
        return replace(answer, move_values=self.closed_move_values(form, move))

    def unanswered(self, engine: str, note: str, cause: str = "limit") -> Answer:
        """The answer where no engine got as far as an answer: what the explored part of the game proves."""
        try:
            if self.growing is None:
                part = proved_by_part(self.game, self.explored)
            else:
                part = proved_by_growing(self.game, self.growing)
        except (MemoryError, NotApplicableError, LimitReachedError, KeyboardInterrupt):
            part = Part()
        answer = self.told_by(part, engine)
        looked_at = self.explored.rows if self.growing is None else self.growing.growth.expanded
        return replace(
            answer,
            note=note if answer.value is None else f"not verified: {note}",
            stopped_by=cause,
            reached=f"{max(self.visited, looked_at):,} positions explored",
        )

    def told_by(self, part: Part, engine: str) -> Answer:
        """What a part of the game proves, in words."""
        stats: dict[str, Any] = {"seconds": round(monotonic() - self.began, 6), "nodes": 0}
        if self.growing is not None:
            stats |= {"nodes": self.growing.growth.expanded, "positions": self.growing.growth.nodes}
        elif self.explored.rows:
            stats["positions"] = self.explored.rows
        if part.total:
            stats["total"] = score_text(part.total)
        value = part.value
        if CHANCE_TURN in self.explored.turn and value is not None:
            stats["expected"] = True
        move = None if part.move is None else self.game.moves(self.game.start())[part.move]
        return Answer(
            engine=engine,
            status="unknown" if not part.shown else "bounded" if value is None else "solved",
            value=value,
            bounds=part.bounds if part.shown else (None, None),
            winner=None if value is None else winner_of(self.game, value, part.total),
            move=move,
            line=() if move is None else (move,),
            stats=stats,
        )

    def by_part(self, part: Part) -> Answer:
        """The answer that a part of the game decides, with the claims that prove it and what it says of other moves."""
        answer = self.told_by(part, "pns")
        bound = part.sides[0].outcome.lower
        if answer.status == "solved":
            self.task.proved(answer)
        try:
            if self.options.certify:
                searches = {owner: part.sides[owner].search for owner in owners(self.game, part)}
                answer = self.with_claims(self.game.start(), part.total, searches, bound, answer, explored=True)
            if self.options.move_values and answer.stopped_by != "interrupt":
                names = [self.game.move_text(move) for move in self.game.moves(self.game.start())]
                answer = replace(answer, move_values=dict(zip(names, part.values(len(names)), strict=True)))
        except KeyboardInterrupt:
            note = answer.note if answer.claims else "not verified: interrupted"
            answer = replace(answer, note=note, stopped_by="interrupt")
        return answer

    def show_exploration(self, positions: int) -> None:
        if positions // SHOWN_EVERY > self.visited // SHOWN_EVERY:
            self.watch(Progress("explore", monotonic() - self.began, positions))
        self.visited = max(self.visited, positions)


def needs_induction(problem: Problem) -> bool:
    """Whether a game has more than one score and its opposite, or positions that repeat under chance.

    >>> from zermelo.games import make_game
    >>> [needs_induction(problem_of(make_game(target), Limits())) for target in ("nim:1", "pig:2")]
    [False, True]
    """
    circles = problem.has_chance and not problem.native.acyclic
    return len(problem.game.roles) > 2 or not problem.zero_sum or circles


def _run(names: Sequence[str], game: Game, task: Task) -> Answer:
    """Searches a game by the kernels of these names, side by side; by what fits, where the name is ``search``."""
    depth = task.options.depth
    if depth is not None and (len(names) > 1 or names[0] not in (SEARCH, *HORIZON_ENGINES)):
        raise InputError(f"{'+'.join(names)} takes no depth: a horizon is for {', '.join(HORIZON_ENGINES)}")
    return _Search(well_behaved(game), task).answer(names)


def engines() -> list[Engine]:
    """The engines of this room.

    >>> [engine.name for engine in engines()][:2]
    ['search', 'dp']
    """
    chooser = "closed forms where there are any; alphabeta and pns side by side; else the part of the game that decides"
    found = [Engine(SEARCH, chooser, ROOM, _run, portfolio=True)]
    found += [
        Engine(
            kernel.name, kernel.summary, ROOM, _run, (), kernel.reference, kernel.complexity,
            why_not=_why_no_puzzle if kernel.puzzles_only else partial(_why_not_kernel, kernel),
        )
        for kernel in KERNELS.values()
    ]  # fmt: skip
    return found + [
        Engine(name, f"who wins without search, by {name}", ROOM, _run, why_not=partial(_why_not_closed, name))
        for name in CLOSED_NAMES
    ]


def _why_no_puzzle(game: Game) -> str | None:
    return None if len(game.roles) == 1 else "it takes rulesheets with one role"


def _why_not_kernel(kernel: Kernel, game: Game) -> str | None:
    several = len(game.roles) > 2 and not kernel.takes_many_roles
    return too_many_roles(len(game.roles)) if several else None


def _why_not_closed(name: str, game: Game) -> str | None:
    known = name in (form.engine for form in closed_forms(game))
    return None if known else "no strategy of this kind is known for it"
