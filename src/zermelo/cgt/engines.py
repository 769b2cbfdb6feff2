"""The engines of sums of games.

``cgt`` works out the canonical value: everything about the sum follows from it. ``sum`` works out the score of a sum in
brackets when Left starts and when Right does, by search with bounds; it takes sums whose value would be far too large.
``sum+cgt`` takes both: the value where it is quickly done, and in any case the score. ``easy`` works out the same
scores in polynomial time where there is an algorithm for it; beside ``sum`` it answers where search does not end.
``forced`` plays where temperature alone says where to move, and finds the best selection of many at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import inf
from time import monotonic
from typing import Any, TypeVar

from zermelo import _native
from zermelo.answer import Answer, Status, joined
from zermelo.budget import budgeted
from zermelo.certificate import Claim
from zermelo.cgt.boards.outcome_solving import OutcomeSolving
from zermelo.cgt.boards.region_tables import kept_table
from zermelo.cgt.boards.ruleset import SIDES, Side
from zermelo.cgt.easy import easy_class
from zermelo.cgt.forced import NotForced, forced_answer, why_not_forced
from zermelo.cgt.game import BoardSum, SumGame, WrittenSum
from zermelo.cgt.scores.naming import option_names
from zermelo.cgt.scores.sums import MOST_SEARCHED, BestMove, SumAnswer, best_move, solve_easily, solve_sum
from zermelo.cgt.text.printing import text
from zermelo.cgt.values.arena import controlled, start_arena
from zermelo.cgt.values.value import Value
from zermelo.engine import Engine, Task, or_stopped, to_its_end
from zermelo.errors import DisagreementError, InputError, LimitReachedError
from zermelo.game import Game, Score, taken_as
from zermelo.kernel_thread import HeardControl, run_native
from zermelo.limits import Limits
from zermelo.progress import no_watch

ROOM = "cgt"
QUICK_SECONDS, QUICK_MEMORY = 2.0, 512 << 20
"""What the canonical value of a sum in brackets may take where nobody asked for it by name. Seconds are those of the
processor, here and below: see :mod:`zermelo.budget`."""
BOARD_SECONDS = 10.0
"""So long it may take of boards, and so long who wins is searched for before it."""
IMPARTIAL_SECONDS = 60.0
"""So long the nim-value of impartial boards may take: proof numbers are hardly ever sooner there."""
PROOF_OF_VALUE = 60.0
"""So long it may take to write down what proves the value of boards: who wins may have to be proved after it."""
PROOF_SECONDS = 10.0
"""So long the strategy for an easy sum is searched for: the score is known without it."""
LONGEST_LINE = 40
"""Lines of best play are shown up to so many moves."""
MOST_NAMED = 1000
"""Values of at most so many positions stand in the certificate in brackets as well; reading them takes no time."""

Result = TypeVar("Result")


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

    def __init__(self, game: SumGame, task: Task) -> None:
        self.game, self.target = game, task.target
        self.limits, self.options, self.watch = task.limits, task.options, task.watch
        self.proved = task.proved
        self.bounds: tuple[Score | None, Score | None] = (None, None)
        self.nodes = 0
        """Those of runs that were stopped."""
        self.facts: dict[str, Any] = {}
        """What is known of a sum whose search was stopped."""

    def answer(self, names: Sequence[str]) -> Answer:
        """The answer; without one, at a limit or after Ctrl-C, one that says so."""
        return or_stopped(lambda: self.by(names), lambda note, cause: self.unanswered("+".join(names), note, cause))

    def by(self, names: Sequence[str]) -> Answer:
        names = self.asked(names)
        if "outcome" in names:
            return self.by_outcome_or_value(names)
        if "forced" in names:
            return self.said([self.by_temperature(names)])
        easy = "easy" in names
        if not easy and "sum" not in names:
            return self.said([self.by_value(self.limits)])
        by_score = self.by_score if not easy else self.easily_searched if "sum" in names else self.by_algorithm
        if "cgt" not in names:
            return self.said([by_score()])
        value = None
        with suppress(LimitReachedError, MemoryError):
            value = self.by_value(self.quick(), alone=False)
        try:
            score = by_score()
        except LimitReachedError:
            if value is None:
                raise
            return self.said([value])  # its stops are the scores
        self.need_same(score, value)
        return self.said([score] if value is None else [score, value])

    def asked(self, names: Sequence[str]) -> Sequence[str]:
        """The engines that answer what is asked, where there are any among those that may run."""
        by_value = self.options.ask in ("value", "thermograph")
        fitting = [name for name in names if (name == "cgt") == by_value]
        return fitting if self.options.ask is not None and fitting else names

    def by_outcome_or_value(self, names: Sequence[str]) -> Answer:
        """The value if it is quickly found, else who wins: that is often found where the value is far too large.

        Where nothing but the answer is wanted, who wins is enough. Impartial boards have nim-values, which are sooner.
        """
        value = None
        if "cgt" in names and not self.is_impartial():
            with suppress(LimitReachedError, MemoryError):
                first = self.said([self.by_outcome(self.quick(BOARD_SECONDS, 3, self.limits.nodes), certify=False)])
                if not self.options.certify:
                    return first
                self.proved(first)
        if "cgt" in names:
            with suppress(LimitReachedError, MemoryError):
                most = IMPARTIAL_SECONDS if self.is_impartial() else BOARD_SECONDS
                value = self.by_value(self.quick(most, 3, self.limits.nodes), proof=self.part_for_proof())
        if value is None:
            return self.said([self.by_outcome(self.limits, self.options.certify)])
        if value.claims or not self.options.certify:
            return self.said([value])
        with suppress(LimitReachedError, MemoryError):  # the value is too large to be proved: who wins may not be
            outcome = self.by_outcome(self.limits, self.options.certify)
            if outcome.facts["outcome"] not in (None, value.facts["outcome"]):
                raise DisagreementError(f"outcome and cgt disagree on {self.target}")
            if outcome.claims:
                return self.said([replace(value, note="what is checked is who wins, not the value"), outcome])
        return self.said([value])

    def part_for_proof(self) -> Limits:
        """What the proof of a value may take: who wins may have to be proved after it."""
        whole = self.options.proof_limits(self.limits)
        return budgeted(whole, PROOF_OF_VALUE if whole.seconds is None else inf, 1 / 2)

    def is_impartial(self) -> bool:
        """Whether both sides have the same moves on all boards."""
        game = taken_as(BoardSum, self.game)
        return all(ruleset.impartial for ruleset, _ in game.summands(game.start()))

    def need_same(self, score: _Found, value: _Found | None) -> None:
        """The stops of the canonical value are what search finds as scores."""
        for name in ("left_first", "right_first"):
            if value is not None and score.facts[name] != value.facts[name]:
                raise DisagreementError(
                    f"sum and cgt disagree on {self.target}: {score.facts[name]}, {value.facts[name]}"
                )

    def quick(self, seconds: float = QUICK_SECONDS, share: int = 2, nodes: int | None = None) -> Limits:
        """At most a share of what is left: the search comes after, and has bounds where the value has nothing."""
        memory = min(QUICK_MEMORY, self.limits.bytes_left())
        return replace(budgeted(self.limits, seconds, 1 / share), nodes=nodes, memory=memory)

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

    def by_value(self, limits: Limits, alone: bool = True, proof: Limits | None = None) -> _Found:
        """The value within limits, and its proof within those that are left, or within others."""
        (value, facts), nodes, seconds = self.native(limits, lambda: self.with_facts(limits))
        winner = "left" if not value <= 0 else "right"
        note = ""
        claims: tuple[Claim, ...] = ()
        move: Any = None
        if self.options.move_values:
            (move, worths), _, _ = self.native(limits, lambda: self.game.first_move(limits), fresh=False)
            facts |= {"moves": worths} if worths else {}
        if self.options.certify:
            try:
                rule, data, note = self.proof(value, facts["value"], proof or self.options.proof_limits(self.limits))
                claims = (Claim(winner, 1, rule=rule, data=data, starts="left", play="normal"),)
            except LimitReachedError as error:
                note = f"no certificate: {error}"
            except KeyboardInterrupt:
                if not alone:
                    raise
                note = "no certificate: interrupted"  # the value is known all the same
        score: Score = 1 if winner == "left" else -1
        if (scores := self.game.scores(value)) is not None:
            score = scores[0]
            facts |= {"left_first": str(scores[0]), "right_first": str(scores[1])}
        return _Found("cgt", facts, claims, winner, score, move, nodes, seconds, (), note)

    def with_facts(self, limits: Limits) -> tuple[Value, dict[str, Any]]:
        with kept_table(self.options.table):
            value = self.game.value(limits)
        return value, value_facts(value)

    @staticmethod
    def is_named(value: Value, shown: str) -> bool:
        """Is it small, and written out in brackets?"""
        return value.parts is not None or (value.form_count <= MOST_NAMED and text(value) == shown)

    def proof(self, value: Value, shown: str, limits: Limits) -> tuple[str, dict[str, Any], str]:
        """The rule by which a value is proved, its data, and what else is proved on the way."""
        if (shorter := self.game.shorter_proof(shown)) is not None:
            return shorter
        return "value", self.data(value, limits) | ({"value": shown} if self.is_named(value, shown) else {}), ""

    def data(self, value: Value, limits: Limits) -> dict[str, Any]:
        return self.native(limits, lambda: self.game.value_data(value, limits), fresh=False)[0]

    # Who wins, without the value

    def by_outcome(self, limits: Limits, certify: bool) -> _Found:
        solving = OutcomeSolving(taken_as(BoardSum, self.game), limits, self.options)
        (found, move), nodes, seconds = self.native(limits, solving.found)
        assert found.left_first is not None
        facts = {
            "outcome": found.letter,
            "left_first_winner": found.left_first,
            "right_first_winner": found.right_first,
        }
        note = solving.note
        claims: tuple[Claim, ...] = ()
        score = 1 if found.left_first == "left" else -1
        unproved = _Found("outcome", facts, claims, found.left_first, score, move, nodes, seconds, (), note)
        if certify:
            self.proved(self.said([unproved]))  # writing the proof down may take longer than the search
            limits = self.options.proof_limits(self.limits)
            try:
                claims, _, _ = self.native(limits, lambda: solving.claims(found, limits), fresh=False)
            except LimitReachedError as error:
                note = joined(note, f"no certificate: {error}")
            except KeyboardInterrupt:
                note = joined(note, "no certificate: interrupted")
        return replace(unproved, claims=claims, note=note)

    # The score, by search or by an algorithm for easy sums

    def by_score(self, limits: Limits | None = None) -> _Found:
        components, certify = self.written_out().components, self.options.certify
        answer = solve_sum(components, limits or self.limits, watch=self.watch, certify=certify)
        self.facts = score_facts(answer)
        if not answer.solved:
            self.bounds = answer.left_first.lower[0], answer.left_first.upper[0]
            self.nodes += answer.nodes
            if answer.stopped == "interrupt":
                raise KeyboardInterrupt
            raise LimitReachedError(f"the {answer.stopped} limit was reached")
        return self.scored("sum", answer)

    def by_temperature(self, names: Sequence[str]) -> _Found:
        """The score of a sum whose moves are forced; where some turn out not to be, by search if that may run."""
        try:
            answer = forced_answer(self.written_out().components, self.limits, certify=self.options.certify)
        except NotForced:
            if "sum" not in names:
                raise
            return self.by_score()
        self.facts = score_facts(answer)
        return self.scored("forced", answer)

    def by_algorithm(self) -> _Found:
        """The score of an easy sum, proved by the strategy that search finds for it, where it does."""
        found = self.easily()
        if not self.options.certify:
            return found
        try:
            proof = self.by_score(self.proof_share())
        except (LimitReachedError, MemoryError) as error:
            return replace(found, nodes=self.nodes, note=f"no certificate: {error or 'out of memory'}")
        self.need_same(found, proof)
        return replace(found, claims=proof.claims, nodes=proof.nodes)

    def easily_searched(self) -> _Found:
        """The score of an easy sum by search, which finds a strategy as well; where it does not end, without one."""
        began = monotonic()
        try:
            return self.by_score(self.proof_share())
        except (LimitReachedError, MemoryError) as error:
            note = f"no certificate: {error or 'out of memory'}" if self.options.certify else ""
            found = self.easily()
            return replace(found, nodes=self.nodes, seconds=monotonic() - began, note=note)

    def easily(self) -> _Found:
        answer = solve_easily(self.written_out().components, self.limits)
        self.facts = score_facts(answer)
        return self.scored("easy", answer)

    def proof_share(self) -> Limits:
        return budgeted(self.limits, PROOF_SECONDS if self.limits.seconds is None else inf, 1 / 2)

    def written_out(self) -> WrittenSum:
        game = taken_as(WrittenSum, self.game)
        game.write_out(self.limits)
        return game

    def scored(self, engine: str, answer: SumAnswer) -> _Found:
        game, left = self.written_out(), answer.left_first
        assert left.winner is not None and left.score is not None
        move = None if left.move is None else move_to(game, left.move)
        line = principal_line(game, self.limits) if self.options.certify else []
        return _Found(
            engine, self.facts, answer.claims, left.winner, left.score, move, answer.nodes, answer.seconds, line
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

    def bound_value(self) -> None:
        """What is known without the value: Left, who begins, wins if it is over 0."""
        lower, upper = self.game.bounds()
        if (lower, upper) == (None, None):
            return
        self.facts = {"value_bounds": (_shown(lower), _shown(upper))}
        if upper is not None and upper <= 0:
            self.bounds = -1, -1
        elif lower is not None and lower > 0:
            self.bounds = 1, 1

    def unanswered(self, engine: str, note: str, cause: str) -> Answer:
        stats = {"seconds": round(monotonic() - self.limits.started, 6), "nodes": self.nodes}
        self.bound_value()
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

    >>> from zermelo.cgt.values.value import value_of
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
    return best.component, number, option_names(best.component, options)[number]


def principal_line(game: WrittenSum, limits: Limits, most: int = LONGEST_LINE) -> list[Any]:
    """A line of best play from Left's first move on, as far as it can be worked out quickly."""
    line: list[Any] = []
    position = game.start()
    if position[1] == 1:
        return line
    quick = budgeted(replace(limits, nodes=None), 1.0)
    with suppress(LimitReachedError):
        while game.result(position) is None and len(line) < most:
            side = SIDES[position[1]]
            component, option, _ = best_move(position[0], side, quick)
            options = position[0][component].left if side == "left" else position[0][component].right
            number = options.index(option)
            line.append((component, number, option_names(component, options)[number]))
            position = game.play(position, line[-1])
    return line


def _solve(game: SumGame, names: Sequence[str], task: Task) -> Answer:
    return _Solving(game, task).answer(names)


_run = to_its_end(SumGame, "a sum", _solve)  # type: ignore[type-abstract]


def solve_sum_game(game: SumGame, engine: str = "", task: Task | None = None) -> Answer:
    """What the engines of this room say of boards under normal play, and of sums in brackets.

    The clock of the limits is not set back: reading the sum, its value and the search share it.

    >>> answer = solve_sum_game(WrittenSum("{5|-5} + {3||2|-1}"))
    >>> answer.details.left_first, answer.details.right_first, answer.details.value
    ('7', '-2', '8||7|4|||-2||-3|-6')
    """
    return _run((engine or game.engine).split("+"), game, task or Task())


def default_engines(game: WrittenSum) -> str:
    """The score by search, and the value as well where that is quickly done; values alone where trees are many.

    Sums of many games go by temperature first, if it says where to move.

    >>> [default_engines(WrittenSum(text)) for text in ("{5|-5}", "{5|4||3|||2||1|0}", "*5000")]
    ['easy+sum+cgt', 'easy+sum+cgt', 'cgt']
    """
    if not has_trees(game, game.limits):
        return "cgt"
    if why_not_easy(game) is None:
        return "easy+sum+cgt"
    many = sum(not tree.is_number for tree in game.components) > MOST_SEARCHED
    return "forced+sum" if many and why_not_forced(game.components) is None else "sum+cgt"


def why_not_easy(game: Game) -> str | None:
    """Why there is no polynomial algorithm for a sum; ``None`` where there is one.

    >>> why_not_easy(WrittenSum("{5|-5} + {3||2|-1}"))
    """
    written = taken_as(WrittenSum, game)
    if not has_trees(written, game.limits):
        return "it is too large to be written out as trees"
    if easy_class(written.components) is None:
        return "it is none of the sums that are easy (docs/cgt-easy.md), as switches beside a few other games are"
    return None


def why_not_by_temperature(game: Game) -> str | None:
    """Why temperature does not say where to move in a sum; ``None`` where it seems to.

    >>> why_not_by_temperature(WrittenSum("{100|-100} + {7|-7} + {3||2|-3}"))
    """
    written = taken_as(WrittenSum, game)
    if not has_trees(written, game.limits):
        return "it is too large to be written out as trees"
    return why_not_forced(written.components)


def engines() -> list[Engine]:
    """The engines of this room.

    >>> [engine.name for engine in engines()]
    ['cgt', 'outcome', 'sum', 'easy', 'forced']
    """
    by_value = "the canonical value, from which everything else follows"
    by_score = "the score for either starter, by search with bounds"
    by_outcome = "who wins boards with either side to start, without their value: proof numbers over sums of regions"
    easily = "the score of switches, of low stacks of coins and of a few games beside switches, in polynomial time"
    forced = "the score where temperature says where to move: threats larger than all else are answered at once"
    return [
        Engine("cgt", by_value, ROOM, _run, ("board", "sum")),
        Engine("outcome", by_outcome, ROOM, _run, ("board",)),
        Engine("sum", by_score, ROOM, _run, ("sum",)),
        Engine("easy", easily, ROOM, _run, ("sum",), why_not=why_not_easy),
        Engine("forced", forced, ROOM, _run, ("sum",), why_not=why_not_by_temperature),
    ]
