"""The exact score of a sum of scored trees under best play, and who is to move when it is reached.

Alpha-beta over the hot components (native): what is known of a sum is kept relative to its numbers in a table; bounds
by the thermostatic strategy at all taxes cut off; moves whose incentive another move's dominates are not tried; moves
that gain most at the going rate come first. Equal components are counted, and copies of mirror images cancel
(``zermelo.cgt.scores.mirrors``), so many copies cost no more than a few. The tempo is counted as part of the score, so
winners are exact: with scores whole and doubled, every move earns its player 1, and the total tells who moved last
(``native/cgt/sums/forest.hpp``). With ``method="berliner"`` or ``"palay"`` only a best move is looked for, by B*. Worst
case exponential: the problem is PSPACE-complete (Yedwab 1985, theorem 4.2).

References: Berlekamp, Conway and Guy, *Winning Ways*, chapter 6; Yedwab, *On Playing Well in a Sum of Games* (1985),
chapter 5 with errata; Berliner, *The B\\* Tree Search Algorithm* (1979); Palay, *Searching with Probabilities* (1985).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce
from math import gcd, lcm
from time import monotonic
from typing import Any, Literal

import numpy as np

from zermelo import _native
from zermelo.brief import fields_in_brief, shown_in_brief
from zermelo.certificate import Claim
from zermelo.cgt.boards.ruleset import SIDES, Side
from zermelo.cgt.easy import play_easily
from zermelo.cgt.scores.mirrors import without_mirrors
from zermelo.cgt.scores.scored import LEFT_TO_MOVE, RIGHT_TO_MOVE, Stop, Tree, leaf, positions
from zermelo.cgt.text.written_expression import no_look
from zermelo.errors import ArgumentError, LimitReachedError, NotApplicableError
from zermelo.kernel_thread import control_for, run_native
from zermelo.limits import Limits, step_watch
from zermelo.progress import Watch, no_watch

Method = Literal["alphabeta", "berliner", "palay"]
Cut = Literal["none", "mean", "tax"]
Strike = Literal["none", "switches", "all"]

MOST_REPEATED = 3
"""More copies of one component are written with their number in a certificate."""

MOST_SEARCHED = 16
"""Best moves in sums of more games are looked for by temperature first."""


@dataclass(frozen=True)
class BestMove:
    """A best move: which component, what it becomes, and whether it is sente (``None`` where nobody looked).

    Sente: the other side gets less if it answers in any other component (Yedwab 1985, section 2.3).
    """

    component: int
    option: Tree
    sente: bool | None

    __repr__ = fields_in_brief


@dataclass(frozen=True)
class Played:
    """What is known of a sum when one side starts.

    ``lower`` and ``upper`` are stops: the score, and who is to move then (at equal scores Left would rather have it
    Right). They are equal where the sum is solved. ``claims`` are those of a certificate: Left gets at least the lower
    bound, Right at most the upper one.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> played = solve_sum(trees_of("{5|-5} + {3||2|-1}")).left_first
    >>> played.exact, str(played.score), played.to_move, played.winner
    (True, '7', 'right', 'left')
    """

    starts: Side
    lower: Stop
    upper: Stop
    move: BestMove | None = None
    claims: tuple[Claim, ...] = ()

    __repr__ = fields_in_brief

    @property
    def exact(self) -> bool:
        """Whether the value is known."""
        return self.lower == self.upper

    @property
    def score(self) -> Fraction | None:
        """The score under best play, where it is known (it may be while who moves last is not)."""
        return self.lower[0] if self.lower[0] == self.upper[0] else None

    @property
    def to_move(self) -> Side | None:
        """Who is to move when play has stopped, where that is known."""
        if not self.exact:
            return None
        return "left" if self.lower[1] == LEFT_TO_MOVE else "right"

    @property
    def winner(self) -> Side | None:
        """Who wins, where that is known: the sign of the score says it, and at 0 the player to move has lost."""
        zero = Fraction(0), RIGHT_TO_MOVE
        if self.lower >= zero:
            return "left"
        return "right" if self.upper < zero else None


@dataclass(frozen=True)
class SumAnswer:
    """The answer for both starters, and what it took.

    ``statistics``: nodes, hits in the table, cut-offs by bounds, entries, positions looked at to compare moves, bits of
    the numbers used (0: any number), hot positions, taxes.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> answer = solve_sum(trees_of("{{10|2}|-4} + {6|0} + {3|1}"))
    >>> str(answer.left_first.score), str(answer.right_first.score), answer.left_first.move.sente
    ('9', '3', True)
    """

    left_first: Played
    right_first: Played
    solved: bool
    nodes: int
    seconds: float
    stopped: str = ""
    """The limit that was reached, if one was."""
    statistics: dict[str, int] = field(default_factory=dict)

    __repr__ = fields_in_brief
    _repr_html_ = shown_in_brief

    @property
    def claims(self) -> tuple[Claim, ...]:
        """All claims of the certificate, Left starting first."""
        return self.left_first.claims + self.right_first.claims


def solve_sum(
    components: Sequence[Tree],
    limits: Limits | None = None,
    *,
    watch: Watch = no_watch,
    certify: bool = False,
    starters: Sequence[Side] = ("left", "right"),
    method: Method = "alphabeta",
    cut: Cut = "tax",
    strike: Strike = "all",
    best: bool = True,
) -> SumAnswer:
    """The score of a sum when Left starts and when Right does; proved bounds where a limit comes first.

    ``cut`` and ``strike`` turn parts of the search off: bounds (``mean`` is Hanner's) and the striking out of moves
    (``switches``: all plain switches but the hottest). ``best`` asks for a best move and whether it is sente.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> answer = solve_sum(trees_of("{2|-1} + {3|0} + 1/2"))
    >>> [str(played.score) for played in (answer.left_first, answer.right_first)], answer.left_first.move.component
    (['5/2', '5/2'], 0)
    """
    limits = limits or Limits()
    look = step_watch(replace(limits, nodes=None))
    try:
        question = _Question(tuple(components), tuple(starters), method, cut, strike, best, certify, look)
        problem = question.problem(look)
    except LimitReachedError:
        stopped = "time" if limits.expired() else "memory"
        left, right = (milnor(side, components) for side in SIDES)
        return SumAnswer(left, right, left.exact and right.exact, 0, monotonic() - limits.started, stopped, {})
    return question.answer(problem, limits, watch)


def solve_easily(components: Sequence[Tree], limits: Limits | None = None) -> SumAnswer:
    """The answer of the polynomial algorithms (:mod:`zermelo.cgt.easy`) for a sum that one of them takes.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> answer = solve_easily(trees_of("{5|-5} + {3|-3}"))
    >>> str(answer.left_first.score), str(answer.right_first.score), answer.left_first.move.component
    ('2', '-2', 0)
    """
    limits = limits or Limits()
    look, began = step_watch(replace(limits, nodes=None)), monotonic()
    left, right = (_easily(components, side, look) for side in SIDES)
    return SumAnswer(left, right, True, 0, monotonic() - began)


def _easily(components: Sequence[Tree], starts: Side, look: Callable[[], None]) -> Played:
    outcome = play_easily(components, starts == "left", look=look)
    if outcome is None:
        raise NotApplicableError("the sum is in no easy class")
    move = None if outcome.move is None else BestMove(outcome.move.component, outcome.move.option, None)
    return Played(starts, outcome.stop, outcome.stop, move)


def best_move(components: Sequence[Tree], side: Side, limits: Limits | None = None) -> tuple[int, Tree, Fraction]:
    """A best move of a side that is to move, and the score that it leads to.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> component, option, score = best_move(trees_of("{2|-1} + {5|-5}"), "right")
    >>> component, str(option), str(score)
    (1, '-5', '-3')
    """
    if (easy := play_easily(components, side == "left", most_states=0)) is not None and easy.move is not None:
        return easy.move.component, easy.move.option, easy.score  # where sorting suffices
    if (played := _by_temperature(components, side, limits)) is not None and played.move is not None:
        assert played.score is not None
        return played.move.component, played.move.option, played.score
    answer = solve_sum(components, limits, starters=(side,))
    played = answer.left_first if side == "left" else answer.right_first
    if all(game.is_number for game in components):
        raise ArgumentError("every component is a number: there is no move")
    if played.score is None or played.move is None:
        raise LimitReachedError(f"{answer.stopped}: the best move is not known")
    return played.move.component, played.move.option, played.score


def _by_temperature(components: Sequence[Tree], side: Side, limits: Limits | None) -> Played | None:
    """What forced moves lead to, in a sum of so many games that search is not likely to end."""
    from zermelo.cgt.forced import NotForced, forced_play  # which counts in the nouns of this module

    if sum(not game.is_number for game in components) <= MOST_SEARCHED:
        return None
    try:
        return forced_play(components, side, limits)
    except NotForced:
        return None


def unit_of(components: Sequence[Tree], look: Callable[[], None] = no_look) -> Fraction:
    """The largest number of which every score that can be reached in the components is a multiple; 1 if all are 0.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> unit_of(trees_of("{6|4} + {1/2|-3}"))
    Fraction(1, 2)
    """
    numbers = {p.number for root in set(components) for p in positions(root, look) if p.number}
    common = lcm(*(number.denominator for number in numbers))
    return Fraction(reduce(gcd, (int(number * common) for number in numbers), 0) or common, common)


def stop_of(value: int, unit: Fraction, starts: Side) -> Stop:
    """The stop that a value stands for: twice the score in units, 1 more or less if the starter also moves last.

    >>> stop_of(5, Fraction(1, 2), "left"), stop_of(5, Fraction(1, 2), "right")
    ((Fraction(1, 1), 1), (Fraction(3, 2), -1))
    """
    if starts == "left":
        return value // 2 * unit, RIGHT_TO_MOVE if value % 2 else LEFT_TO_MOVE
    return -(-value // 2) * unit, LEFT_TO_MOVE if value % 2 else RIGHT_TO_MOVE


def milnor(starts: Side, components: Sequence[Tree]) -> Played:
    """What follow-the-leader gives both sides (Milnor 1953).

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> played = milnor("left", trees_of("{5|-5} + {3||2|-1}"))
    >>> str(played.lower[0]), str(played.upper[0])
    ('-3', '8')
    """
    copies = Counter(components)
    low = sum((tree.right_stop * count for tree, count in copies.items()), Fraction(0))
    high = sum((tree.left_stop * count for tree, count in copies.items()), Fraction(0))
    return Played(starts, (low, LEFT_TO_MOVE), (high, RIGHT_TO_MOVE))


def copies_named(position: int, copies: int) -> list[int | list[int]]:
    """So many copies of a position as a certificate lists them: repeated, or with their number.

    >>> copies_named(7, 2), copies_named(7, 100)
    ([7, 7], [[7, 100]])
    """
    return [position] * copies if copies <= MOST_REPEATED else [[position, copies]]


class _Question:
    """One sum on its way through the native search."""

    def __init__(
        self,
        components: tuple[Tree, ...],
        starters: tuple[Side, ...],
        method: Method,
        cut: Cut,
        strike: Strike,
        best: bool,
        certify: bool,
        look: Callable[[], None] = no_look,
    ) -> None:
        copies = Counter(components)
        self.components, self.unit, self.certify = components, unit_of(list(copies), look), certify
        self.copies, self.mirrors = without_mirrors(copies, look)
        cancelled = sum((pair.score * pair.pairs for pair in self.mirrors), Fraction(0))
        if cancelled:
            self.copies[leaf(cancelled)] = self.copies.get(leaf(cancelled), 0) + 1
        self.trees: list[Tree] = []
        self.numbers: dict[Tree, int] = {}
        for root in self.copies:
            for position in positions(root, look):
                if position not in self.numbers:
                    self.numbers[position] = len(self.trees)
                    self.trees.append(position)
        parameters = _native.SumParameters()
        parameters.method = _native.SumMethod[method]
        parameters.cut = _native.SumCut[cut]
        parameters.strike = _native.SumStrike[strike]
        parameters.left_starts, parameters.right_starts = "left" in starters, "right" in starters
        parameters.best, parameters.strategies = best, certify
        self.parameters, self.starters = parameters, starters

    def problem(self, look: Callable[[], None]) -> _native.SumProblem:
        scores = []
        for tree in self.trees:
            look()
            scores.append(0 if tree.number is None else int(tree.number / self.unit))
        width = max((score.bit_length() for score in scores), default=0) // 8 + 1
        raw = b"".join(score.to_bytes(width, "little", signed=True) for score in scores)
        first_left, left = self.options([tree.left for tree in self.trees])
        first_right, right = self.options([tree.right for tree in self.trees])
        roots = np.array([self.numbers[tree] for tree in self.copies], dtype=np.uint32)
        copies = np.array(list(self.copies.values()), dtype=np.uint32)
        numbers = np.frombuffer(raw, dtype=np.uint8)
        return _native.SumProblem(numbers, width, first_left, left, first_right, right, roots, copies)

    def options(self, sides: list[tuple[Tree, ...]]) -> tuple[Any, Any]:
        first = np.zeros(len(sides) + 1, dtype=np.uint32)
        np.cumsum([len(side) for side in sides], out=first[1:])
        return first, np.array([self.numbers[option] for side in sides for option in side], dtype=np.uint32)

    def answer(self, problem: _native.SumProblem, limits: Limits, watch: Watch) -> SumAnswer:
        began = monotonic()
        control = control_for(limits)
        result = run_native("sum", lambda inner: _native.sum_solve(problem, self.parameters, inner), control, watch)
        stopped = "" if control.cause == "none" else control.cause
        sides: tuple[tuple[Side, _native.SumAnswer], ...] = (("left", result.left_first), ("right", result.right_first))
        played = {side: self.played(side, told, result.scale) for side, told in sides}
        statistics = {
            name: getattr(result, name)
            for name in ("nodes", "hits", "cuts", "entries", "compared", "bits", "positions", "taxes")
        }
        solved = all(played[side].exact for side in self.starters)
        seconds = monotonic() - began
        return SumAnswer(played["left"], played["right"], solved, result.nodes, seconds, stopped, statistics)

    def played(self, starts: Side, told: _native.SumAnswer, scale: int) -> Played:
        if not told.bounded:  # stopped before the first bound: what follow-the-leader gives (Milnor)
            return milnor(starts, self.components)
        lower, upper = (int.from_bytes(raw, "little", signed=True) for raw in (told.lower, told.upper))
        move = None
        if told.best_known:
            origin, option = self.trees[told.from_position], self.trees[told.to_position]
            move = BestMove(self.components.index(origin), option, told.sente)
        claims = self.claims(starts, told, lower, upper, scale) if self.certify else ()
        return Played(starts, stop_of(lower, self.unit, starts), stop_of(upper, self.unit, starts), move, claims)

    def claims(self, starts: Side, told: _native.SumAnswer, lower: int, upper: int, scale: int) -> tuple[Claim, ...]:
        left, right = told.left, told.right
        if left is None or right is None:
            return ()
        at_least = stop_of(lower, self.unit, starts)[0]
        at_most = stop_of(upper, self.unit, starts)[0]
        return (
            Claim("left", at_least, rule="sum", data=self.data(starts, lower, left, scale), starts=starts),
            Claim("right", -at_most, rule="sum", data=self.data(starts, upper, right, scale), starts=starts),
        )

    def data(self, starts: Side, value: int, arrays: _native.SumStrategyArrays, scale: int) -> dict[str, Any]:
        """The strategy as ``docs/formats/sum-certificate.md`` describes it."""
        taxes = arrays[7]
        first, components, copies, left_moves, bounded, origin, target = (array.tolist() for array in arrays[:7])
        reply_from, reply_to, over, under = (array.tolist() for array in arrays[8:])
        moves, bounds = [], []
        for number, is_bound in enumerate(bounded):
            parts = range(first[number], first[number + 1])
            key = [entry for at in parts for entry in copies_named(components[at], copies[at])]
            if is_bound:
                tax = Fraction(int.from_bytes(taxes[number], "little", signed=True), 1 << scale)
                bounds.append([key, "left" if left_moves[number] else "right", str(tax), origin[number]])
            else:
                moves.append([key, origin[number], target[number]])
        return {
            "starts": starts,
            "value": str(value),
            "positions": [self.shown(tree) for tree in self.trees],
            "replies": [list(pair) for pair in zip(reply_from, reply_to, strict=True)],
            "over": [list(pair) for pair in zip(over, under, strict=True)],
            "moves": moves,
            "bounds": bounds,
        } | ({"mirrors": self.cancelled()} if self.mirrors else {})

    def cancelled(self) -> list[list[int]]:
        return [[self.numbers[pair.one], self.numbers[pair.other], pair.pairs] for pair in self.mirrors]

    def shown(self, tree: Tree) -> Any:
        if tree.number is not None:
            return str(tree.number)
        return [[self.numbers[option] for option in side] for side in (tree.left, tree.right)]
