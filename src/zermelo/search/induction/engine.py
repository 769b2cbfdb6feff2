"""The engine ``induction``: subgame-perfect values of games with any number of roles, any scores, and chance.

Exact: fractions throughout. Linear in the positions and moves of a game in which no position repeats, up to the size of
the fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import inf, prod
from time import monotonic
from typing import Any, Final

from zermelo.answer import Answer, joined
from zermelo.certificate import Claim, score_text
from zermelo.engine import Engine, Task
from zermelo.errors import GameError, InputError, LimitReachedError, NotApplicableError
from zermelo.game import Game, Role, Score, plain_score, winner_of
from zermelo.graph import AT_ONCE_TURN, CHANCE_TURN, OVER_TURN, GameGraph, graph_of
from zermelo.limits import Limits, step_watch
from zermelo.progress import Progress
from zermelo.search.induction.claims import equilibrium_claim, expectation_claim, mixture_text
from zermelo.search.induction.order import inside_out, repeats
from zermelo.search.induction.payoffs import Induction, Interests, Payoffs, Vector, interests_of, replies
from zermelo.search.induction.repeating import Component
from zermelo.search.induction.ties import Box, Possible, possible_vectors, unknown
from zermelo.search.problem import native_twin
from zermelo.user_game import well_behaved
from zermelo.words import Row, shares

NAME: Final = "induction"
EXPLORING: Final = 0.8
"""The share of the time that exploring may take."""
SHOWN_EVERY: Final = 1024
EXACT_BITS: Final = 3000
"""Where the fractions of a game grow longer than this, its value is enclosed instead, between two that differ by"""
PRECISION: Final = 128
"""about so many halvings."""
LONGEST_CHANCE: Final = 12
"""Longer fractions are shown as decimals."""


@dataclass(frozen=True)
class RolePayoffs:
    """What an answer of backward induction has beside the values: which ones other choices between ties lead to."""

    roles: tuple[Role, ...]
    ties: str = ""
    equilibria: tuple[Vector, ...] = ()
    """The vectors of all pure subgame-perfect equilibria, where they are few."""
    ranges: tuple[tuple[Score | None, Score | None], ...] = ()
    """Else what each role gets in them, at least and at most; of a game that is not solved, what is proved of that."""
    mixtures: Mapping[Role, Mapping[str, str]] = field(default_factory=dict)
    """How the roles mix their moves, where several move at once."""
    against: Mapping[Role, Mapping[str, Vector]] = field(default_factory=dict)
    """What all roles get after each move of one of them, while the others mix theirs in this way."""

    def to_json(self) -> Mapping[str, Any]:
        """The fields of the answer."""
        ranges = {
            role: [None if bound is None else score_text(bound) for bound in both]
            for role, both in zip(self.roles, self.ranges, strict=False)
        }
        equilibria = [
            {role: score_text(score) for role, score in zip(self.roles, vector, strict=True)}
            for vector in self.equilibria
        ]
        against = {
            role: {move: dict(zip(self.roles, map(score_text, vector), strict=True)) for move, vector in moves.items()}
            for role, moves in self.against.items()
        }
        return {
            "ties": self.ties or None,
            "equilibria": equilibria,
            "ranges": ranges,
            "mixtures": self.mixtures,
            "against": against,
        }

    def rows(self) -> list[Row]:
        """The lines of a report."""
        found: list[Row] = []
        if len(self.equilibria) == 1 and self.ties:
            found.append(("ties", "whatever is chosen between equal moves, the roles get the same"))
        elif self.equilibria:
            found.append(("ties", f"taken {self.ties}; choices between equal moves lead to"))
            found += [("", self._vector(vector)) for vector in self.equilibria]
        elif self.ranges and self.ties:
            found.append(("ties", f"taken {self.ties}; choices between equal moves lead to scores within"))
        for role, (low, high) in zip(self.roles, () if self.equilibria else self.ranges, strict=False):
            lower, upper = ("?" if bound is None else score_text(bound) for bound in (low, high))
            found.append(("" if self.ties else "proved", f"{lower} .. {upper} for {role}"))
        for role, moves in self.mixtures.items():
            told = ", ".join(f"{move} ({_short(chance)})" for move, chance in moves.items())
            found.append(("mixes", f"{role}: {told}") if len(moves) > 1 else ("plays", f"{role}: {''.join(moves)}"))
        return found

    def _vector(self, vector: Vector) -> str:
        return shares(dict(zip(self.roles, vector, strict=True)))


class _TooLong(Exception):  # noqa: N818  (nobody outside sees it)
    """Fractions have become too long to go on exactly."""


class _Run:
    """One game that is solved by backward induction."""

    def __init__(self, game: Game, task: Task, graph: GameGraph | None) -> None:
        self.game, self.task, self.limits = game, task, task.limits
        self.roles = len(game.roles)
        self.endless: Vector = game.endless or (0,) * self.roles
        self.explored = graph is not None
        self.graph = GameGraph() if graph is None else graph
        self.began = monotonic()
        self.shown = 0
        self.settled = 0

    def answer(self) -> Answer:
        try:
            return self.solved()
        except LimitReachedError as error:
            return self.unanswered(str(error), "limit")
        except MemoryError:
            return self.unanswered("out of memory", "memory")
        except KeyboardInterrupt:
            return self.unanswered("interrupted", "interrupt")

    def solved(self) -> Answer:
        if not self.explored:
            left = self.limits.seconds_left()
            limits = self.limits if left is None else self.limits.part(left * EXPLORING)
            self.graph = graph_of(self.game, limits, self.show, self.graph, at_once=True)
        self.need_whole_rows()
        graph, step = self.graph, step_watch(replace(self.limits, nodes=None), often=1024)
        components = inside_out(graph.first_edge, graph.target, step)
        circles = [each for each in components if repeats(each, graph.first_edge, graph.target)]
        self.need_values(circles)
        found = self.induced(components, bool(circles), step)
        return self.certified(self.in_words(found, components, bool(circles)), found)

    def show(self, positions: int) -> None:
        if positions // SHOWN_EVERY > self.shown // SHOWN_EVERY:
            self.task.watch(Progress("explore", monotonic() - self.began, positions))
        self.shown = max(self.shown, positions)

    def need_whole_rows(self) -> None:
        graph = self.graph
        for node, turn in enumerate(graph.turn):
            if turn != OVER_TURN and graph.first_edge[node] == graph.first_edge[node + 1]:
                raise GameError("a position that is not over has no moves")

    def need_values(self, circles: Sequence[Sequence[int]]) -> None:
        """Refuses games whose values are not defined, or not by fractions."""
        if not circles:
            return
        interests = interests_of(self.graph, self.roles)
        if self.roles > 1 and interests is not Interests.OPPOSED:
            raise NotApplicableError(
                "positions repeat, and the roles have interests of their own: backward induction has nowhere to begin "
                "there (with one role, or two whose scores always add up to the same, it does)"
            )
        if any(self.graph.turn[node] == AT_ONCE_TURN for circle in circles for node in circle):
            raise NotApplicableError(
                "positions repeat where two roles move at once: their values need not be fractions"
            )
        total = sum(next(iter(self.graph.results.values()), self.endless))
        if self.roles == 2 and sum(self.endless) != total:
            raise GameError(f"positions repeat, so `endless` must say two scores that add up to {total}")

    def induced(self, components: Sequence[Sequence[int]], circles: bool, step: Callable[[], None]) -> list[Payoffs]:
        """The payoffs; two where they are enclosed: what the first role gets at least, and at most."""
        interests = interests_of(self.graph, self.roles)
        enclosable = self.roles == 1 or interests is Interests.OPPOSED
        try:
            return [self.swept(components, circles, step, 0, enclosable)]
        except _TooLong:
            return [self.swept(components, circles, step, side, False) for side in (-1, 1)]

    def swept(
        self, components: Sequence[Sequence[int]], circles: bool, step: Callable[[], None], side: int, watched: bool
    ) -> Payoffs:
        """Backward induction over all components; rounded to one side if ``side`` is not 0."""
        graph, induction = self.graph, Induction(self.graph, self.roles, self.task.options.ties)
        found = induction.found
        total, known = sum(next(iter(graph.results.values()), self.endless)), found.values

        def beyond(node: int) -> Fraction:
            return _rounded(Fraction(known[node][0]), side)

        def worth(first: Fraction) -> Vector:
            return (first,) if self.roles == 1 else (first, total - first)

        for component in components:
            step()
            if circles and repeats(component, graph.first_edge, graph.target):
                part = Component(graph, component, beyond, Fraction(self.endless[0]))
                for node, first in part.solve(step).items():
                    found.values[node], found.edges[node] = worth(first), part.policy.get(node, -1)
                found.known += len(component)
            else:
                node = component[0]
                induction.settle(node)
                if side and graph.turn[node] in (CHANCE_TURN, AT_ONCE_TURN):
                    found.values[node] = worth(_rounded(Fraction(found.values[node][0]), side))
            self.settled = found.known
            if watched and Fraction(found.values[component[0]][0]).denominator.bit_length() > EXACT_BITS:
                raise _TooLong
        return found

    def in_words(self, found: Sequence[Payoffs], components: Sequence[Sequence[int]], circles: bool) -> Answer:
        """The answer without its claims."""
        game, graph = self.game, self.graph
        low, high = (plain_score(each.values[0][0]) for each in (found[0], found[-1]))
        solved = low == high
        opposed = self.roles == 2 and interests_of(graph, 2) is Interests.OPPOSED
        vector = tuple(plain_score(score) for score in found[0].values[0])
        decided = self.roles == 1 or opposed
        stats: dict[str, Any] = {
            "seconds": round(monotonic() - self.began, 6),
            "nodes": len(graph.turn),
            "positions": len(graph.turn),
        }
        if CHANCE_TURN in graph.turn or graph.together:
            stats["expected"] = True
        if opposed and (total := sum(vector)):
            stats["total"] = score_text(total)
        answer = Answer(
            engine=NAME,
            status="solved" if solved else "bounded",
            value=low if solved else None,
            bounds=(low, high),
            winner=winner_of(game, low, sum(vector)) if solved and decided else None,
            values=dict(zip(game.roles, vector, strict=True)) if solved else {},
            note="" if solved else f"the exact value has more than {EXACT_BITS} digits in base 2",
            stats=stats,
            details=self.details(found, components, circles, decided),
        )
        return self.with_moves(answer, found) if graph.turn[0] != OVER_TURN else answer

    def with_moves(self, answer: Answer, found: Sequence[Payoffs]) -> Answer:
        """The answer with the first move, the line of play that it begins, and what the others are worth."""
        game, graph, payoffs = self.game, self.graph, found[0]
        start = graph.positions[0]
        if graph.turn[0] in (CHANCE_TURN, AT_ONCE_TURN):
            return answer
        moves = list(game.moves(start))
        row = range(graph.first_edge[0], graph.first_edge[1])
        line, node = list[Any](), 0
        while 0 <= graph.turn[node] < self.roles and len(line) < len(graph.turn):
            line.append(game.moves(graph.positions[node])[payoffs.edges[node] - graph.first_edge[node]])
            node = graph.target[payoffs.edges[node]]
        answer = replace(answer, move=line[0], line=tuple(line))
        if len(found) > 1:
            return answer
        after = {
            game.move_text(move): tuple(plain_score(score) for score in payoffs.values[graph.target[edge]])
            for move, edge in zip(moves, row, strict=True)
        }
        by_role = {move: dict(zip(game.roles, vector, strict=True)) for move, vector in after.items()}
        return replace(answer, move_values={move: vector[0] for move, vector in after.items()}, moves_by_role=by_role)

    def details(
        self, found: Sequence[Payoffs], components: Sequence[Sequence[int]], circles: bool, decided: bool
    ) -> RolePayoffs | None:
        """What ties leave open, and how moves are mixed at the start."""
        game, graph = self.game, self.graph
        mixtures: dict[Role, Mapping[str, str]] = {}
        if graph.turn[0] == AT_ONCE_TURN:
            for mover, chances in zip(graph.together[0][0], found[0].mixtures[0], strict=True):
                mixtures[game.roles[mover]] = mixture_text(game, graph.positions[0], game.roles[mover], chances)
        if decided or circles or graph.together:
            against = self.against(found[0]) if mixtures and len(found) == 1 else {}
            return RolePayoffs(game.roles, mixtures=mixtures, against=against) if mixtures else None
        step = step_watch(replace(self.limits, nodes=None), often=1024)
        order = (node for component in components for node in component)
        possible = possible_vectors(graph, order, self.roles, step)
        ties = self.task.options.ties
        if isinstance(possible, Box):
            return RolePayoffs(game.roles, ties, ranges=_ranges(possible, self.roles))
        listed = sorted(tuple(plain_score(score) for score in vector) for vector in possible)
        return RolePayoffs(game.roles, ties, tuple(reversed(listed)))

    def against(self, found: Payoffs) -> dict[Role, dict[str, Vector]]:
        """What every move at the start comes to while the other roles mix theirs."""
        game, graph = self.game, self.graph
        movers, sizes = graph.together[0]
        weighed = replies(found.mixtures[0], [found.values[child] for child in graph.target[: prod(sizes)]])
        told: dict[Role, dict[str, Vector]] = {}
        for mover, vectors in zip(movers, weighed, strict=True):
            role = game.roles[mover]
            moves = map(game.move_text, game.moves_of(graph.positions[0], role))
            told[role] = dict(zip(moves, vectors, strict=True))
        return told

    def certified(self, answer: Answer, found: Sequence[Payoffs]) -> Answer:
        """The answer with the claims that prove it."""
        options = self.task.options
        if not options.certify:
            return answer
        limits = options.proof_limits(self.limits)
        try:
            return replace(answer, claims=self.claims(found, limits))
        except (LimitReachedError, MemoryError) as error:
            return replace(answer, note=joined(answer.note, f"not verified: {str(error) or 'out of memory'}"))
        except KeyboardInterrupt:
            return replace(answer, note=joined(answer.note, "not verified: interrupted"), stopped_by="interrupt")

    def claims(self, found: Sequence[Payoffs], limits: Limits) -> tuple[Claim, ...]:
        if self.roles == 1 or (self.roles == 2 and interests_of(self.graph, 2) is Interests.OPPOSED):
            sides = enumerate((found[0], found[-1]))
            return tuple(expectation_claim(self.game, self.graph, each, owner, limits) for owner, each in sides)
        return (equilibrium_claim(self.game, self.graph, found[0], self.task.options.ties, limits),)

    def unanswered(self, note: str, cause: str) -> Answer:
        """What the part that was explored proves."""
        answer = Answer(
            NAME,
            "unknown",
            note=note,
            stopped_by=cause,
            reached=f"{max(self.shown, self.graph.rows):,} positions explored",
            stats={"seconds": round(monotonic() - self.began, 6), "nodes": self.settled, "positions": self.graph.rows},
        )
        try:
            box = self.proved_box()
        except (MemoryError, NotApplicableError, KeyboardInterrupt):
            return answer
        ranges = _ranges(box, self.roles)
        if all(both == (None, None) for both in ranges):
            return answer
        details = RolePayoffs(self.game.roles, ranges=ranges)
        return replace(answer, status="bounded", bounds=ranges[0], details=details)

    def proved_box(self) -> Possible:
        """What each role gets at least and at most, whatever lies in the part that was not explored."""
        rows = self.graph.rows
        if not rows or (interests_of(self.graph, self.roles) is Interests.OPPOSED and self.graph.together):
            return unknown(self.roles)
        components = inside_out(self.graph.first_edge, self.graph.target, lambda: None)
        order = (each[0] for each in components if not repeats(each, self.graph.first_edge, self.graph.target))
        return possible_vectors(self.graph, order, self.roles)


def _short(chance: str) -> str:
    """A chance as people read it."""
    return chance if len(chance) <= LONGEST_CHANCE else f"about {float(Fraction(chance)):.5g}"


def _rounded(value: Fraction, side: int) -> Fraction:
    """The value, or the next one on that side with a short denominator."""
    if not side:
        return value
    whole = value * (1 << PRECISION)
    return Fraction(whole.__floor__() if side < 0 else whole.__ceil__(), 1 << PRECISION)


def _ranges(possible: Possible, roles: int) -> tuple[tuple[Score | None, Score | None], ...]:
    from zermelo.search.induction.ties import least, most

    both = [(least(possible, role), most(possible, role)) for role in range(roles)]
    return tuple(
        (None if low == -inf else plain_score(low), None if high == inf else plain_score(high)) for low, high in both
    )


def why_not(game: Game) -> str | None:
    """Why the engine does not take a game; ``None`` if it does.

    >>> from zermelo.games import make_game
    >>> why_not(make_game("nim:1")) is None
    True
    """
    if game.hidden_information:
        return "some role does not see every move: backward induction takes games of complete information"
    return None


def solve_by_induction(game: Game, task: Task, graph: GameGraph | None = None) -> Answer:
    """What every role gets, in a game that may have been explored before.

    >>> from zermelo.games import make_game
    >>> solve_by_induction(make_game("nim:1,2"), Task()).values
    {'first': 1, 'second': -1}
    """
    return _Run(well_behaved(game), task, graph).answer()


def _run(names: Sequence[str], game: Game, task: Task) -> Answer:
    if task.options.depth is not None:
        raise InputError(f"{'+'.join(names)} takes no depth: games are solved to their end")
    game = well_behaved(game)
    game.limits = task.limits
    if len(game.roles) <= 2 and native_twin(game) is not None:
        raise NotApplicableError(
            f"{NAME} does not take {task.target}: the kernels know its rules, and dp does the same"
        )
    return solve_by_induction(game, task)


ENGINE = Engine(
    NAME,
    "backward induction: what each of any number of roles gets, with chance, moves at once and repeated positions",
    NAME,
    _run,
    (),
    "Zermelo 1913; Kuhn 1953; Luckhardt and Irani 1986; Hoffman and Karp 1966",
    "linear in positions and moves where none repeat, up to the size of the fractions",
    why_not=why_not,
)
