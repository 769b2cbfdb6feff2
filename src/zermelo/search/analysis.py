"""A game explored once and searched from any of its positions: what players and pictures need.

:func:`zermelo.solve` answers for the start; an :class:`Analysis` follows a line of play and answers where
it stands, on the native twin of the game or on its explicit graph, without exploring anything twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

from zermelo import _native
from zermelo.certificate import Claim
from zermelo.errors import IllegalMoveError, InputError, LimitReachedError, NotApplicableError
from zermelo.game import CHANCE, Game, Score, plain_score
from zermelo.graph import NotGrownError
from zermelo.kernel_thread import KernelRun, control_for, race, run_native
from zermelo.limits import Limits
from zermelo.search.certify import claim_of
from zermelo.search.closed import CLOSED_NAMES
from zermelo.search.expectation import expected_values
from zermelo.search.growing import decide, grown
from zermelo.search.kernels import KERNELS
from zermelo.search.problem import Problem, native_twin, problem_of, problem_of_graph
from zermelo.search.race import PORTFOLIO
from zermelo.user_game import well_behaved

SIMULATIONS = 100_000


@dataclass(frozen=True)
class Finding:
    """What a search found in a position. ``value`` is the first role's score, ``None`` if not proved."""

    value: Score | None = None
    move: Any = None
    move_values: Mapping[Any, Score | None] = field(default_factory=dict)
    claim: Claim | None = None
    engine: str = ""
    interrupted: bool = False


class Analysis:
    """Searches a game from the end of any line of play.

    >>> from zermelo.games import make_game
    >>> analysis = Analysis(make_game("nim:1,2"))
    >>> analysis.find([(1, 1)], Limits()).value
    1
    """

    def __init__(self, game: Game, engine: str = "auto", seed: int = 1) -> None:
        known = ("auto", *KERNELS, *CLOSED_NAMES)
        if engine not in known:
            raise InputError(f"unknown engine {engine!r}, expected one of {', '.join(known)}")
        self.game = well_behaved(game)
        # A closed form speaks of the start only; away from it its strategy is searched like any other game.
        self.engine = "auto" if engine in CLOSED_NAMES else engine
        self.seed = seed
        self._total: Score = 0
        self._path: list[tuple[Any, Problem]] = []

    def explore(self, limits: Limits) -> Problem:
        """The game made ready for search, explored on the first call; ``LimitReachedError`` if too large."""
        if not self._path:
            problem = problem_of(self.game, limits)
            self._names(problem)
            self._path.append((None, problem))
        return self._path[0][1]

    @property
    def explored(self) -> bool:
        """Whether the game was made ready for search."""
        return bool(self._path)

    def decide(self, limits: Limits, *, with_claim: bool = False) -> Finding | None:
        """What a part of the game proves, where it would have to be explored; ``None`` if it proves no value in time.

        A game that turned out to be small is explored afterwards.

        >>> from zermelo.gdl.game import RulesheetGame
        >>> from zermelo.gdl.library import rulesheet
        >>> chess = RulesheetGame(rulesheet("chess", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - -"))
        >>> Analysis(chess).decide(Limits()).move
        '(move d 1 d 8)'
        """
        game, start = self.game, self.game.start()
        if len(game.roles) > 2 or game.result(start) is not None or native_twin(game) is not None:
            return None
        try:
            growing = grown(game, limits, lambda count: None)
            part = decide(game, growing)
        except (NotGrownError, LimitReachedError):
            return None
        if not growing.growth.open:
            self._path.append((None, problem_of_graph(game, growing.graph())))
            return None
        self._total = part.total
        moves = game.moves(start)
        values = dict(zip(moves, part.values(len(moves)), strict=True))
        move = None if part.move is None else moves[part.move]
        finding = Finding(part.value, move, values, engine="pns")
        side = part.sides[part.turn]
        if part.value is None or not with_claim or not side.shown:
            return finding
        role, share = game.roles[part.turn], part.value if part.turn == 0 else part.total - part.value
        claim = claim_of(game, start, side.search, role, side.outcome.lower, share, limits, explored=True)
        return replace(finding, claim=claim)

    def at(self, line: Sequence[Any], limits: Limits) -> Problem:
        """The problem after a line, walked move by move from what it shares with the line before."""
        self.explore(limits)
        common = 0
        for (move, _), wanted in zip(self._path[1:], line, strict=False):
            if move != wanted:
                break
            common += 1
        del self._path[common + 1 :]
        for move in line[common:]:
            self._path.append((move, _after(self._path[-1][1], move)))
        return self._path[-1][1]

    def find(
        self, line: Sequence[Any], limits: Limits, *, every_move: bool = False, with_claim: bool = False
    ) -> Finding:
        """Searches the position after a line: its value and a move that attains it.

        On request also the value after every move, or the claim of the role to move, if the limits allow.
        """
        try:
            return self._found(line, limits, every_move, with_claim)
        except _native.NotSearchable:
            self.game.native_refused = True
            self._path.clear()
            return self._found(line, limits, every_move, with_claim)

    def _found(self, line: Sequence[Any], limits: Limits, every_move: bool, with_claim: bool) -> Finding:
        problem = self.at(line, limits)
        result = self.game.result(problem.start)
        if result is not None:
            return Finding(plain_score(result[0]))
        names = self._names(problem)
        if problem.has_chance and names == ["dp"]:
            return self._expect(problem)
        share = limits.bytes_left() // (2 * len(names))
        searches = {name: problem.native.search(name, self._params(limits, share)) for name in names}
        runs = [
            KernelRun(name, search.solve, control_for(replace(limits, memory=share)))
            for name, search in searches.items()
        ]
        winner = race(runs, won=lambda run: run.result().solved)
        outcome, search = winner.result(), searches[winner.engine]
        legal = self.game.moves(problem.start)
        move = legal[outcome.move] if 0 <= outcome.move < len(legal) else None
        if not outcome.solved:
            return Finding(move=move, engine=winner.engine, interrupted=winner.control.cause == "interrupt")
        finding = Finding(problem.exact(outcome.lower), move, engine=winner.engine)
        if with_claim:
            finding = self._with_claim(problem, search, outcome, finding, limits)
        return self._with_values(problem, search, finding, limits) if every_move else finding

    def simulate(self, line: Sequence[Any], limits: Limits) -> tuple[Any, int]:
        """The move that UCT visits most within the limits, and the number of its visits.

        ``NotApplicableError`` where the game has no UCT kernel.
        """
        problem = self.at(line, limits)
        if "uct" not in problem.native.engines:
            raise NotApplicableError("uct does not take this game")
        params = self._params(limits, limits.bytes_left() // 2)
        search = problem.native.search("uct", params)
        outcome = run_native("uct", search.solve, control_for(limits))
        counts = search.counts()
        best = max(range(len(counts)), key=counts.__getitem__, default=0)
        # A proved move need not be the one most visited.
        index = outcome.move if outcome.move >= 0 else best
        return self.game.moves(problem.start)[index], counts[best] if counts else 0

    def values_below(self, line: Sequence[Any], depth: int, limits: Limits) -> dict[str, Score | None]:
        """The value of every position up to a depth below a line, by position key; ``None`` if not known.

        >>> from zermelo.games import make_game
        >>> Analysis(make_game("nim:2")).values_below((), 1, Limits())
        {'((2),0)': 1, '((0),1)': 1, '((1),1)': -1}
        """
        values: dict[str, Score | None] = {}
        waiting: list[tuple[Any, ...]] = [tuple(line)]
        shallowest: dict[str, int] = {}
        try:
            while waiting and not limits.expired():
                here = waiting.pop()
                position = self.at(here, limits).start
                key, plies = self.game.key(position), len(here) - len(line)
                if key not in values:
                    finding = self.find(here, limits)
                    values[key] = finding.value
                    if finding.interrupted:
                        break
                if plies < depth and plies < shallowest.get(key, plies + 1) and self.game.result(position) is None:
                    shallowest[key] = plies
                    waiting.extend((*here, move) for move in _options(self.game, position))
        except (LimitReachedError, NotApplicableError):
            pass  # what is known so far is the answer
        return values

    @property
    def has_chance(self) -> bool:
        """Whether values are expectations; ``False`` before the game is explored."""
        return bool(self._path) and self._path[0][1].has_chance

    def total(self) -> Score:
        """What the scores of both roles add up to; 0 before the game is explored or decided."""
        return self._path[0][1].total if self._path else self._total

    def _names(self, problem: Problem) -> list[str]:
        """The engines that answer, side by side."""
        if self.engine != "auto":
            reason = KERNELS[self.engine].why_not(problem)
            if reason is None and self.engine not in problem.native.engines:
                reason = f"it offers only {', '.join(problem.native.engines)}"
            if reason is not None:
                raise NotApplicableError(f"{self.engine} does not take this game: {reason}")
            return [self.engine]
        if problem.has_chance and len(self.game.roles) <= 2 and problem.zero_sum:
            return ["dp"]
        exact = problem.why_not_exact() is None
        wanted = ("uct",) if not exact else ("dp",) if problem.graph is not None else PORTFOLIO
        usable = [name for name in wanted if name in problem.native.engines]
        if not usable and not exact:
            raise NotApplicableError(f"no engine takes this game: {problem.why_not_exact()}")
        return usable or problem.native.engines[:1]

    def _params(self, limits: Limits, table_bytes: int) -> _native.SearchParams:
        params = _native.SearchParams()
        params.table_bytes = table_bytes
        # UCT need not end by itself: without a limit of another kind it gets one here.
        params.simulations = SIMULATIONS if limits.seconds is None and limits.nodes is None else 0
        params.seed = self.seed
        return params

    def _with_claim(
        self,
        problem: Problem,
        search: _native.Search,
        outcome: _native.Outcome,
        finding: Finding,
        limits: Limits,
    ) -> Finding:
        """Adds what the role to move can be sure of, unless it is sure of that without a strategy."""
        role = self.game.turn(problem.start)
        first = role == self.game.roles[0]
        nothing = problem.native.worst if first else problem.native.best
        if not isinstance(role, str) or outcome.lower == nothing:
            return finding
        assert finding.value is not None
        share = plain_score(finding.value if first else problem.total - finding.value)
        try:
            return replace(
                finding,
                claim=claim_of(
                    problem.game,
                    problem.start,
                    search,
                    role,
                    outcome.lower,
                    share,
                    limits,
                    explored=problem.graph is not None,
                ),
            )
        except LimitReachedError:
            return finding

    def _with_values(self, problem: Problem, search: _native.Search, finding: Finding, limits: Limits) -> Finding:
        values: dict[Any, Score | None] = {}
        for index, move in enumerate(self.game.moves(problem.start)):
            values[move] = None
            if not limits.expired():
                control = control_for(limits)
                outcome = run_native("moves", partial(search.solve_move, index), control)
                values[move] = problem.exact(outcome.lower) if outcome.solved else None
                if control.cause == "interrupt":
                    break
        return replace(finding, move_values=values)

    def _expect(self, problem: Problem) -> Finding:
        graph = problem.graph
        assert graph is not None
        values, choice = self._expectations
        node = self._nodes[problem.start]
        if self.game.turn(problem.start) == CHANCE:
            return Finding(plain_score(values[node]))
        moves = list(self.game.moves(problem.start))
        begin = graph.first_edge[node]
        after = {move: plain_score(values[graph.target[begin + i]]) for i, move in enumerate(moves)}
        return Finding(plain_score(values[node]), moves[choice[node] - begin], after)

    @cached_property
    def _nodes(self) -> dict[Any, int]:
        graph = self._path[0][1].graph
        assert graph is not None
        return {position: node for node, position in enumerate(graph.positions)}

    @cached_property
    def _expectations(self) -> Any:
        graph = self._path[0][1].graph
        assert graph is not None
        scores = [
            Fraction(graph.results[node][0]) if node in graph.results else Fraction(0)
            for node in range(len(graph.turn))
        ]
        return expected_values(graph.first_edge, graph.target, graph.turn, scores, graph.probability)


def _after(problem: Problem, move: Any) -> Problem:
    """The problem after a move, or after an outcome where chance moves."""
    game, position = problem.game, problem.start
    if game.result(position) is not None:
        raise IllegalMoveError("the game is over")
    moves = _options(game, position)
    if move not in moves:
        raise IllegalMoveError(f"{game.move_text(move)} is not a legal move here")
    return replace(problem, native=problem.native.after(moves.index(move)), start=game.play(position, move))


def _options(game: Game, position: Any) -> list[Any]:
    """The ways on, in the order of the kernels: outcomes where chance moves, else moves."""
    if game.turn(position) == CHANCE:
        return [outcome for outcome, _ in game.chances(position)]
    return list(game.moves(position))
