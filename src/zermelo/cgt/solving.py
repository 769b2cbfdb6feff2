"""From a sum of games to a checked solution.

``cgt`` works out the canonical value: everything about the sum follows from it. ``sum`` works out the score of a sum in
brackets when Left starts and when Right does, by search with bounds; it takes sums whose value would be far too large.
``auto`` takes ``cgt`` for boards; for sums in brackets ``sum``, and ``cgt`` as well where that is quickly done.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from time import monotonic
from typing import Any, TypeVar

from zermelo import _native
from zermelo.certificate import Certificate, Claim
from zermelo.cgt.boardvalue import bounds_of_board, value_by_position, value_of_board
from zermelo.cgt.certify import board_data, sum_data
from zermelo.cgt.game import BoardSum, WrittenSum, move_name
from zermelo.cgt.printing import text
from zermelo.cgt.ruleset import SIDES, Side
from zermelo.cgt.sums import BestMove, SumAnswer, best_move, solve_sum
from zermelo.cgt.value import Value, controlled, start_arena, step_look, value_of
from zermelo.checked import checked, joined
from zermelo.errors import DisagreementError, InputError, LimitReachedError, NotApplicableError
from zermelo.game import Score
from zermelo.limits import Limits
from zermelo.options import Options
from zermelo.run import HeardControl, Watch, no_watch, run_native
from zermelo.search.solving import solve_game as search_game
from zermelo.solution import Solution, Status

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


def solve_sum_game(
    game: Sums,
    engine: str = "auto",
    limits: Limits | None = None,
    options: Options | None = None,
    target: str = "",
    watch: Watch = no_watch,
) -> Solution:
    """Solves boards under normal play and sums in brackets.

    The clock of the limits is not set back: reading the sum, its value, the search and the check share it.

    >>> solution = solve_sum_game(WrittenSum("{5|-5} + {3||2|-1}"))
    >>> solution.room["left_first"], solution.room["right_first"], solution.room["value"], solution.verified
    ('7', '-2', '8||7|4|||-2||-3|-6', True)
    """
    task = _Task(game, target, limits or Limits(), options or Options(), watch)
    if options is not None and options.depth is not None:
        raise InputError(f"{engine} takes no depth: a sum is solved to its end")
    try:
        return task.solve(engine)
    except LimitReachedError as error:
        return task.unanswered(engine, str(error))
    except MemoryError:
        return task.unanswered(engine, "out of memory")
    except KeyboardInterrupt:
        return task.unanswered(engine, "interrupted", "interrupt")


@dataclass(frozen=True)
class _Found:
    """What one engine says: facts for the JSON object, claims, and what they cost."""

    engine: str
    room: Mapping[str, Any]
    claims: tuple[Claim, ...]
    winner: str
    value: Score
    move: Any
    nodes: int
    seconds: float
    line: Sequence[Any] = ()
    note: str = ""


class _Task:
    """One sum on its way to a solution."""

    def __init__(self, game: Sums, target: str, limits: Limits, options: Options, watch: Watch) -> None:
        self.game, self.target, self.limits, self.options, self.watch = game, target, limits, options, watch
        self.bounds: tuple[Score | None, Score | None] = (None, None)
        self.nodes = 0
        """Those of runs that were stopped."""
        self.room: dict[str, Any] = {}
        """What is known of a sum whose search was stopped."""

    def solve(self, engine: str) -> Solution:
        game = self.game
        if engine == "all":
            return self.by_all()
        if isinstance(game, BoardSum):
            if engine == "sum":
                raise NotApplicableError("sum takes sums in brackets, not boards: expected --engine cgt")
            return self.said([self.by_value(self.limits)])
        if engine == "cgt" or (engine == "auto" and not has_trees(game, self.limits)):
            return self.said([self.by_value(self.limits)])
        if engine == "sum":
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
            if value is not None and score.room[name] != value.room[name]:
                raise DisagreementError(
                    f"sum and cgt disagree on {self.target}: {score.room[name]}, {value.room[name]}"
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
            start_arena(limits.room())

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
        (value, room), nodes, seconds = self.native(limits, lambda: self.with_facts(limits))
        winner = "left" if not value <= 0 else "right"
        note = ""
        claims: tuple[Claim, ...] = ()
        move: Any = None
        if isinstance(self.game, BoardSum) and self.options.move_values:
            (move, worths), _, _ = self.native(limits, lambda: self.first_move(limits), fresh=False)
            room |= {"moves": worths} if worths else {}
        if self.options.certify:
            try:
                data = self.data(value)
                named = {"value": room["value"]} if self.is_named(value, room["value"]) else {}
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
            room |= {"left_first": str(value.left_stop), "right_first": str(value.right_stop)}
        return _Found("cgt", room, claims, winner, score, move, nodes, seconds, (), note)

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
        self.room = score_facts(answer)
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
            "sum", self.room, answer.claims, left.winner, left.score, move, answer.nodes, answer.seconds, line
        )

    # Together

    def by_all(self) -> Solution:
        """Every engine that takes the sum, those for games move by move among them; they must agree."""
        found = []
        if isinstance(self.game, WrittenSum):
            found.append(self.by_score())
        try:
            found.append(self.by_value(self.limits))
        except LimitReachedError:
            if not found:
                raise
        solution = self.said(found)
        plain = replace(self.options, certify=False, verify=False, move_values=False)
        engines = {part.engine: {"status": "solved", "seconds": part.seconds, "nodes": part.nodes} for part in found}
        with suppress(LimitReachedError, NotApplicableError):
            other = search_game(self.game, "all", self.limits, plain, self.target, self.watch)
            if other.status == "solved" and other.value != solution.value:
                raise DisagreementError(
                    f"{solution.engine} and {other.engine} disagree on {self.target}: {solution.value}, {other.value}"
                )
            engines |= dict(other.stats.get("engines", {}))
        stats = dict(solution.stats) | {"engines": engines}
        return replace(solution, engine="all", stats=stats, note=solution.note or f"{len(engines)} engines agree")

    def said(self, found: Sequence[_Found]) -> Solution:
        """The solution that engines together stand for, checked."""
        first = found[0]
        room: dict[str, Any] = {}
        for part in found:
            room |= part.room
        claims = tuple(claim for part in found for claim in part.claims)
        stats = {
            "seconds": round(sum(part.seconds for part in found), 6),
            "nodes": sum(part.nodes for part in found),
        }
        note = ""
        for part in found:
            note = joined(note, part.note) if part.note else note
        solution = Solution(
            target=self.target,
            game=self.game,
            engine=first.engine,
            status="solved",
            value=first.value,
            bounds=(first.value, first.value),
            winner=first.winner,
            move=first.move,
            line=first.line,
            certificate=Certificate(self.target, claims) if claims else None,
            note=note,
            stats=stats,
            room=room,
        )
        return checked(solution, self.options, self.limits)

    def bound_board(self, game: BoardSum) -> None:
        """What the numbers of moves tell of boards whose value is not known: Left, who begins, wins if it is over 0."""
        lower, upper = bounds_of_board(game.ruleset, game.positions)
        if (lower, upper) == (None, None):
            return
        self.room = {"value_bounds": [_shown(lower), _shown(upper)]}
        if upper is not None and upper <= 0:
            self.bounds = -1, -1
        elif lower is not None and lower > 0:
            self.bounds = 1, 1

    def unanswered(self, engine: str, note: str, cause: str = "limit") -> Solution:
        stats = {"seconds": round(monotonic() - self.limits.started, 6), "nodes": self.nodes}
        if isinstance(self.game, BoardSum):
            self.bound_board(self.game)
        proved = self.bounds != (None, None) or "value_bounds" in self.room
        status: Status = "bounded" if proved else "unknown"
        return Solution(
            self.target,
            self.game,
            engine,
            status,
            bounds=self.bounds,
            note=note,
            stopped_by=cause,
            stats=stats,
            room=self.room,
        )


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

    >>> from zermelo.cgt.scored import trees_of
    >>> score_facts(solve_sum(trees_of("{5|-5} + 1")))["left_first"]
    '6'
    """
    facts: dict[str, Any] = {}
    for name, played in (("left_first", answer.left_first), ("right_first", answer.right_first)):
        facts[name] = None if played.score is None else str(played.score)
        facts[f"{name}_bounds"] = [str(played.lower[0]), str(played.upper[0])]
        facts[f"{name}_winner"] = played.winner
        facts[f"{name}_sente"] = None if played.move is None else played.move.sente
    return facts


def move_to(game: WrittenSum, best: BestMove, side: Side = "left") -> tuple[int, int, str]:
    """A move of the search as a move of the game."""
    origin = game.components[best.component]
    options = origin.left if side == "left" else origin.right
    number = options.index(best.option)
    return best.component, number, move_name(best.component, number, best.option)


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
            line.append((component, number, move_name(component, number, option)))
            position = game.play(position, line[-1])
    return line
