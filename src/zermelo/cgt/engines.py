"""The engines of sums of games.

``cgt`` works out the canonical value: everything about the sum follows from it. ``sum`` works out the score of a sum in
brackets when Left starts and when Right does, by search with bounds; it takes sums whose value would be far too large.
``sum+cgt`` takes both: the value where it is quickly done, and in any case the score.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from time import monotonic
from typing import Any, TypeVar

from zermelo import _native
from zermelo.answer import Answer, Status, joined
from zermelo.certificate import Claim
from zermelo.cgt.boards.board_value import bounds_of_board, value_by_position, value_of_board
from zermelo.cgt.boards.ruleset import SIDES, Side
from zermelo.cgt.boards.value_proof import board_data, sum_data
from zermelo.cgt.game import BoardSum, WrittenSum, move_name
from zermelo.cgt.scores.sums import BestMove, SumAnswer, best_move, solve_sum
from zermelo.cgt.text.printing import text
from zermelo.cgt.values.value import Value, controlled, start_arena, step_look, value_of
from zermelo.engine import Engine, Task
from zermelo.errors import DisagreementError, InputError, LimitReachedError
from zermelo.game import Game, Score
from zermelo.kernel_thread import HeardControl, run_native
from zermelo.limits import Limits
from zermelo.progress import no_watch

ROOM = "cgt"
QUICK = Limits(seconds=2.0, memory=512 << 20)
"""What the canonical value of a sum in brackets may take where nobody asked for it by name."""
LONGEST_LINE = 40
"""Lines of best play are shown up to so many moves."""
MOST_NAMED = 1000
"""Values of at most so many positions stand in the certificate in brackets as well; reading them takes no time."""
MOST_MOVES = 400
"""Boards with more first moves are not asked what each of them leads to."""

Result = TypeVar("Result")
Sums = BoardSum | WrittenSum


@dataclass(frozen=True)
class SumDetails:
    """What only a sum of games has; ``None`` where it was not worked out.

    ``outcome``, the canonical form as ``value``, ``mean``, ``temperature`` and ``thermograph`` are those of the value;
    ``left_first`` and ``right_first`` the scores by who starts, with bounds, winners, and whether the best move keeps
    the turn; ``moves`` what each first move leads to; ``value_bounds`` what is known of a value not worked out.
    ``more`` holds what a record of Go tells of its regions.
    """

    outcome: str | None = None
    value: str | None = None
    mean: str | None = None
    temperature: str | None = None
    thermograph: Any = None
    left_first: str | None = None
    right_first: str | None = None
    left_first_bounds: tuple[str, str] | None = None
    right_first_bounds: tuple[str, str] | None = None
    left_first_winner: str | None = None
    right_first_winner: str | None = None
    left_first_sente: bool | None = None
    right_first_sente: bool | None = None
    moves: Mapping[str, str] | None = None
    value_bounds: tuple[str | None, str | None] | None = None
    facts: tuple[str, ...] = ()
    """The fields that were worked out, be it to nothing: they stand in JSON, in this order."""
    more: Mapping[str, Any] = field(default_factory=dict)

    @staticmethod
    def of(facts: Mapping[str, Any]) -> SumDetails:
        """The details that facts state by name.

        >>> SumDetails.of({"left_first": "5"}).to_json()
        {'left_first': '5'}
        """
        own = {name: fact for name, fact in facts.items() if name in _FACTS}
        more = {name: fact for name, fact in facts.items() if name not in _FACTS}
        return SumDetails(**own, facts=tuple(facts), more=more)

    def by_name(self) -> dict[str, Any]:
        """The facts that were worked out, by name."""
        return {name: self.more[name] if name in self.more else getattr(self, name) for name in self.facts}

    def to_json(self) -> Mapping[str, Any]:
        """The fields that it adds."""
        return {name: _plain(fact) for name, fact in self.by_name().items()}


_FACTS = frozenset(SumDetails.__dataclass_fields__) - {"facts", "more"}


def _plain(fact: Any) -> Any:
    return list(fact) if isinstance(fact, tuple) else fact


@dataclass(frozen=True)
class _Found:
    """What one way to solve a sum says: facts by the names of :class:`SumDetails`, claims, and what they cost."""

    engine: str
    facts: dict[str, Any]
    claims: tuple[Claim, ...]
    winner: str
    value: Score
    move: Any
    nodes: int
    seconds: float
    line: Sequence[Any] = ()
    note: str = ""


class _Solving:
    """One sum that is solved."""

    def __init__(self, game: Sums, task: Task) -> None:
        self.game, self.target = game, task.target
        self.limits, self.options, self.watch = task.limits, task.options, task.watch
        self.bounds: tuple[Score | None, Score | None] = (None, None)
        self.nodes = 0
        """Those of runs that were stopped."""
        self.facts: dict[str, Any] = {}
        """What is known of a sum whose search was stopped."""

    def answer(self, names: Sequence[str]) -> Answer:
        """The answer; without one, at a limit or after Ctrl-C, one that says so."""
        engine = "+".join(names)
        try:
            return self.by(names)
        except LimitReachedError as error:
            return self.unanswered(engine, str(error))
        except MemoryError:
            return self.unanswered(engine, "out of memory")
        except KeyboardInterrupt:
            return self.unanswered(engine, "interrupted", "interrupt")

    def by(self, names: Sequence[str]) -> Answer:
        if "sum" not in names:
            return self.said([self.by_value(self.limits)])
        if "cgt" not in names:
            return self.said([self.by_score()])
        value = None
        with suppress(LimitReachedError, MemoryError):
            value = self.by_value(self.quick())
        try:
            score = self.by_score()
        except LimitReachedError:
            if value is None:
                raise
            return self.said([value])  # its stops are the scores
        self.need_same(score, value)
        return self.said([score] if value is None else [score, value])

    def need_same(self, score: _Found, value: _Found | None) -> None:
        """The stops of the canonical value are what search finds as scores."""
        for name in ("left_first", "right_first"):
            if value is not None and score.facts[name] != value.facts[name]:
                raise DisagreementError(
                    f"sum and cgt disagree on {self.target}: {score.facts[name]}, {value.facts[name]}"
                )

    def quick(self) -> Limits:
        """At most half of what is left: the search comes after, and has bounds where the value has nothing."""
        left = self.limits.seconds_left()
        seconds = QUICK.seconds or 0.0
        share = seconds if left is None else min(seconds, left / 2)
        return replace(QUICK, stop=self.limits.stop, seconds=share).restarted()

    def native(self, limits: Limits, work: Callable[[], Result], fresh: bool = True) -> tuple[Result, int, float]:
        """Runs work on values under limits, with progress; what it returned, its nodes and its seconds."""
        control = HeardControl(limits)
        if fresh:
            start_arena(limits.bytes_left())

        def call(inner: _native.Control) -> Result:
            with controlled(inner):
                return work()

        began = monotonic()
        try:
            # Progress is shown of the search alone: what comes after it visits no new nodes.
            result = run_native("cgt", call, control, self.watch if fresh else no_watch)
        except LimitReachedError:
            self.nodes += control.nodes
            if control.interrupted or control.cause == "interrupt":
                raise KeyboardInterrupt from None
            raise
        return result, control.nodes, monotonic() - began

    # By canonical value

    def by_value(self, limits: Limits) -> _Found:
        (value, facts), nodes, seconds = self.native(limits, lambda: self.with_facts(limits))
        winner = "left" if not value <= 0 else "right"
        note = ""
        claims: tuple[Claim, ...] = ()
        move: Any = None
        if isinstance(self.game, BoardSum) and self.options.move_values:
            (move, worths), _, _ = self.native(limits, lambda: self.first_move(limits), fresh=False)
            facts |= {"moves": worths} if worths else {}
        if self.options.certify:
            try:
                data = self.data(value)
                named = {"value": facts["value"]} if self.is_named(value, facts["value"]) else {}
                claims = (Claim(winner, 1, rule="value", data=data | named, starts="left", play="normal"),)
            except LimitReachedError as error:
                note = f"no certificate: {error}"
            except KeyboardInterrupt:
                if isinstance(self.game, WrittenSum):
                    raise
                note = "no certificate: interrupted"  # the value is known all the same
        score: Score = 1 if winner == "left" else -1
        if isinstance(self.game, WrittenSum):
            score = value.left_stop
            facts |= {"left_first": str(value.left_stop), "right_first": str(value.right_stop)}
        return _Found("cgt", facts, claims, winner, score, move, nodes, seconds, (), note)

    def with_facts(self, limits: Limits) -> tuple[Value, dict[str, Any]]:
        value = self.value(limits)
        return value, value_facts(value)

    def value(self, limits: Limits) -> Value:
        game = self.game
        if isinstance(game, WrittenSum):
            return value_of(game.expression)
        return value_of_board(game.ruleset, game.positions, limits)

    @staticmethod
    def is_named(value: Value, shown: str) -> bool:
        """Is it small, and written out in brackets?"""
        return value.parts is not None or (value.form_count <= MOST_NAMED and text(value) == shown)

    def data(self, value: Value) -> dict[str, Any]:
        game = self.game
        limits = self.options.proof_limits(self.limits)

        def written() -> dict[str, Any]:
            if isinstance(game, WrittenSum):
                return sum_data(value)
            rules = game.ruleset
            return board_data(rules, game.positions, value, value_by_position(rules, limits), limits)

        return self.native(limits, written, fresh=False)[0]

    def first_move(self, limits: Limits) -> tuple[Any, Mapping[str, Any] | None]:
        """A move with which Left wins, if he can; what each of his moves leads to, where there are not too many."""
        game = self.game
        assert isinstance(game, BoardSum)
        start = game.start()
        moves = game.moves(start)
        if not moves or len(moves) > MOST_MOVES:
            return None, None
        worths: dict[str, Any] = {}
        best: tuple[tuple[bool, Fraction], Any] | None = None
        look = step_look()
        for move in moves:
            look()
            after = game.play(start, move)[0]
            worth = value_of_board(game.ruleset, after, limits)
            worths[game.move_text(move)] = str(worth)
            rank = worth >= 0, worth.right_stop
            if best is None or rank > best[0]:
                best = rank, move
        return None if best is None else best[1], worths

    # By search for the score

    def by_score(self) -> _Found:
        game = self.game
        assert isinstance(game, WrittenSum)
        game.write_out(self.limits)
        answer = solve_sum(game.components, self.limits, watch=self.watch, certify=self.options.certify)
        self.facts = score_facts(answer)
        left = answer.left_first
        if not answer.solved or left.score is None or left.winner is None:
            self.bounds = left.lower[0], left.upper[0]
            self.nodes += answer.nodes
            if answer.stopped == "interrupt":
                raise KeyboardInterrupt
            raise LimitReachedError(f"the {answer.stopped} limit was reached")
        move = None if left.move is None else move_to(game, left.move)
        line = principal_line(game, answer, self.limits)
        return _Found(
            "sum", self.facts, answer.claims, left.winner, left.score, move, answer.nodes, answer.seconds, line
        )

    # Together

    def said(self, found: Sequence[_Found]) -> Answer:
        """The answer that ways to solve a sum give together."""
        first = found[0]
        facts: dict[str, Any] = {}
        note = ""
        for part in found:
            facts |= part.facts
            note = joined(note, part.note)
        return Answer(
            engine=first.engine,
            status="solved",
            value=first.value,
            bounds=(first.value, first.value),
            winner=first.winner,
            move=first.move,
            line=first.line,
            claims=tuple(claim for part in found for claim in part.claims),
            note=note,
            stats={
                "seconds": round(sum(part.seconds for part in found), 6),
                "nodes": sum(part.nodes for part in found),
            },
            details=SumDetails.of(facts),
        )

    def bound_board(self, game: BoardSum) -> None:
        """What the numbers of moves tell of boards whose value is not known: Left, who begins, wins if it is over 0."""
        lower, upper = bounds_of_board(game.ruleset, game.positions)
        if (lower, upper) == (None, None):
            return
        self.facts = {"value_bounds": (_shown(lower), _shown(upper))}
        if upper is not None and upper <= 0:
            self.bounds = -1, -1
        elif lower is not None and lower > 0:
            self.bounds = 1, 1

    def unanswered(self, engine: str, note: str, cause: str = "limit") -> Answer:
        stats = {"seconds": round(monotonic() - self.limits.started, 6), "nodes": self.nodes}
        if isinstance(self.game, BoardSum):
            self.bound_board(self.game)
        proved = self.bounds != (None, None) or "value_bounds" in self.facts
        status: Status = "bounded" if proved else "unknown"
        details = SumDetails.of(self.facts) if self.facts else None
        return Answer(engine, status, bounds=self.bounds, note=note, stopped_by=cause, stats=stats, details=details)


def _shown(bound: int | None) -> str | None:
    return None if bound is None else str(bound)


def has_trees(game: WrittenSum, limits: Limits | None = None) -> bool:
    """Is the sum small enough to be written out as scored trees? Values need not be.

    >>> has_trees(WrittenSum("*5")), has_trees(WrittenSum("*5000"))
    (True, False)
    """
    with suppress(InputError):
        game.write_out(limits or Limits())
        return True
    return False


def value_facts(value: Value) -> dict[str, Any]:
    """What is said of a value: outcome, canonical form, mean, temperature, thermograph.

    >>> facts = value_facts(value_of("{5|-5}"))
    >>> facts["outcome"], facts["value"], facts["mean"], facts["temperature"]
    ('N', '+-5', '0', '5')
    """
    return {
        "outcome": value.outcome,
        "value": str(value),
        "mean": str(value.mean),
        "temperature": str(value.temperature),
        "thermograph": value.thermograph.to_json(),
    }


def score_facts(answer: SumAnswer) -> dict[str, Any]:
    """What is said of a sum that is played for its score: exact scores, or bounds where a limit came first.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> score_facts(solve_sum(trees_of("{5|-5} + 1")))["left_first"]
    '6'
    """
    facts: dict[str, Any] = {}
    for name, played in (("left_first", answer.left_first), ("right_first", answer.right_first)):
        facts[name] = None if played.score is None else str(played.score)
        facts[f"{name}_bounds"] = (str(played.lower[0]), str(played.upper[0]))
        facts[f"{name}_winner"] = played.winner
        facts[f"{name}_sente"] = None if played.move is None else played.move.sente
    return facts


def move_to(game: WrittenSum, best: BestMove, side: Side = "left") -> tuple[int, int, str]:
    """A move of the search as a move of the game."""
    origin = game.components[best.component]
    options = origin.left if side == "left" else origin.right
    number = options.index(best.option)
    return best.component, number, move_name(best.component, number, options)


def principal_line(game: WrittenSum, answer: SumAnswer, limits: Limits, most: int = LONGEST_LINE) -> list[Any]:
    """A line of best play from Left's first move on, as far as it can be worked out quickly."""
    line: list[Any] = []
    position = game.start()
    if position[1] == 1 or answer.left_first.move is None:
        return line
    quick = replace(limits, nodes=None).part(1.0)
    with suppress(LimitReachedError):
        while game.result(position) is None and len(line) < most:
            side = SIDES[position[1]]
            component, option, _ = best_move(position[0], side, quick)
            options = position[0][component].left if side == "left" else position[0][component].right
            number = options.index(option)
            line.append((component, number, move_name(component, number, options)))
            position = game.play(position, line[-1])
    return line


def _run(names: Sequence[str], game: Game, task: Task) -> Answer:
    assert isinstance(game, BoardSum | WrittenSum)
    if task.options.depth is not None:
        raise InputError(f"{'+'.join(names)} takes no depth: a sum is solved to its end")
    return _Solving(game, task).answer(names)


def solve_sum_game(game: Sums, engine: str = "", task: Task | None = None) -> Answer:
    """What the engines of this room say of boards under normal play, and of sums in brackets.

    The clock of the limits is not set back: reading the sum, its value and the search share it.

    >>> answer = solve_sum_game(WrittenSum("{5|-5} + {3||2|-1}"))
    >>> answer.details.left_first, answer.details.right_first, answer.details.value
    ('7', '-2', '8||7|4|||-2||-3|-6')
    """
    default = "cgt" if isinstance(game, BoardSum) else "sum+cgt"
    return _run((engine or default).split("+"), game, task or Task())


def engines() -> list[Engine]:
    """The engines of this room.

    >>> [engine.name for engine in engines()]
    ['cgt', 'sum']
    """
    by_value = "the canonical value, from which everything else follows"
    by_score = "the score for either starter, by search with bounds"
    return [Engine("cgt", by_value, ROOM, _run, ("board", "sum")), Engine("sum", by_score, ROOM, _run, ("sum",))]
