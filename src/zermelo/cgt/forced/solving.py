"""The score of a sum in which every move is forced by temperature, up to choices of either side and selections.

Moves are looked for only where :mod:`zermelo.cgt.forced.steps` says that a best one is. Where one side selects
switches, in as many pairs of games as there may be, the selections are not tried one by one: the best of them is found
by its alternating sum (:mod:`zermelo.cgt.forced.selecting`). So the sums that formulas become are decided
(docs/cgt-hardness.md), which no search by score comes near. The proof is docs/cgt-forced.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from time import monotonic
from typing import Any

from zermelo.certificate import Claim
from zermelo.cgt.boards.ruleset import SIDES, Side
from zermelo.cgt.forced.counted import Counted, counted
from zermelo.cgt.forced.ending import Selection, intervals, selectable, selection_of
from zermelo.cgt.forced.selecting import selections, taken
from zermelo.cgt.forced.steps import forced_among
from zermelo.cgt.scores.scored import Stop, Tree
from zermelo.cgt.scores.sums import BestMove, Played, SumAnswer, stop_of, unit_of
from zermelo.cgt.text.written_expression import no_look
from zermelo.errors import NotApplicableError
from zermelo.limits import Limits, step_watch

MOST_GAMES = 5_000
"""Sums of more games are not looked at."""
MOST_CHOICES = 16
"""So many choices may come one after the other; each doubles the work."""

State = tuple[tuple[Counted, ...], int]
"""The games that are not over, in one order, and the total of those that are."""


class NotForced(NotApplicableError):  # noqa: N818  (it says what the sum is not)
    """Temperature alone does not say where to move."""


@dataclass(frozen=True)
class Node:
    """What a sum is worth, and how it was found: by ``ways``, one a move, or by a selection of switches."""

    total: int
    left_moves: bool
    ways: tuple[Node, ...] = ()
    chosen: int = 0
    selected: tuple[bool, ...] | None = None
    """Of a selection the switches that are taken, largest first, of those that may be left out."""
    first: tuple[Counted, Counted] | None = None
    """The game that the first move is in, and what it becomes there; of a selection any of the pair, as selected."""


class ForcedSum:
    """A sum with the tempo counted in.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> ForcedSum(trees_of("{100|-100} + {7|-7} + {2|-3}")).node(True).total // 2
    95
    """

    def __init__(self, components: Sequence[Tree], look: Callable[[], None] = no_look) -> None:
        if len(components) > MOST_GAMES:
            raise NotForced(f"a sum of {len(components):,} games, at most {MOST_GAMES:,} are looked at")
        self.components, self.look, self.nodes = list(components), look, 0
        self.unit = unit_of(list(Counter(components)), look)
        self.games: list[Counted] = []
        made: dict[Tree, Counted] = {}
        for tree in components:
            if tree not in made:
                if (game := counted(tree, self.unit, look)) is None:
                    raise NotForced("a game of the sum takes too many moves to be looked at leaf by leaf")
                made[tree] = game
            self.games.append(made[tree])

    def node(self, left_starts: bool) -> Node:
        """What it is worth if that side starts; ``NotForced`` where temperature does not tell."""
        return self._node(_state(self.games, 0), left_starts, MOST_CHOICES)

    def _node(self, state: State, left_moves: bool, choices: int) -> Node:
        """Single moves are made at once; choices are tried, at most :data:`MOST_CHOICES` deep."""
        games, number = state
        first: tuple[Counted, Counted] | None = None
        while games:
            self.look()
            self.nodes += 1
            places = forced_among(games)
            if not places:
                raise NotForced("temperature alone does not say where to move")
            if len(places) == 2 and (found := self._selected(games, number, left_moves)) is not None:
                return replace(found, first=first or found.first)
            moves = [(games[at], option) for at in places for option in games[at].options(left_moves)]
            if len(moves) > 1:
                break
            first = first or moves[0]
            games, number = _after(games, number, *moves[0])
            left_moves = not left_moves
        else:
            return Node(number, left_moves, first=first)
        if choices == 0:
            raise NotForced(f"more than {MOST_CHOICES} choices come one after the other")
        ways = [self._node(_after(games, number, *move), not left_moves, choices - 1) for move in moves]
        totals = [way.total for way in ways]
        best = max(totals) if left_moves else min(totals)
        chosen = totals.index(best)
        return Node(best, left_moves, tuple(ways), chosen, first=first or moves[chosen])

    def _selected(self, games: tuple[Counted, ...], number: int, left_moves: bool) -> Node | None:
        """By a selection of the side that moves; it is Left's after the sides have been exchanged."""
        turned = games if left_moves else _state([game.turned() for game in games], 0)[0]
        selection = selection_of(turned, number if left_moves else -number)
        if selection is None:
            return None
        total, select = best_selection(selection, self.look)
        first = _first_of(turned, dict(zip(selection.offered, select, strict=True)))
        if not left_moves:
            total, first = -total, (first[0].turned(), first[1].turned())
        return Node(total, left_moves, selected=select, first=first)

    def move(self, node: Node, left_moves: bool) -> BestMove | None:
        """The first move of a node as one in the components of the sum."""
        if node.first is None:
            return None
        component = self.games.index(node.first[0])
        tree = self.components[component]
        for option in tree.left if left_moves else tree.right:
            if counted(option, self.unit, self.look, 1 if left_moves else -1) == node.first[1]:
                return BestMove(component, option, None)
        raise AssertionError("a move that no component has")


def _first_of(games: Sequence[Counted], selected: Mapping[int, bool]) -> tuple[Counted, Counted]:
    """The move of Left's in the first pair that does what was selected."""
    pair = [games[at] for at in forced_among(games)]
    _, half = selectable(*pair) or (0, 0)
    for game in pair:
        if game.left[0].is_over != selected[half]:
            return game, game.left[0]
    raise AssertionError("a pair in which nothing is selected")


def best_selection(selection: Selection, look: Callable[[], None]) -> tuple[int, tuple[bool, ...]]:
    """The most that Left gets by selecting switches, and those that may be left out and are taken, largest first.

    Selections near the best that could be hoped for are looked at first, then those in ever larger circles around it.
    """
    coins, end = selection.coins, selection.end
    fixed = [size for size, optional in coins if not optional]
    least = end.total(sum(fixed[0::2]) - sum(fixed[1::2]), len(fixed) % 2)
    best = _highest(selection, least)
    radius = 0
    while True:
        within = intervals(end, max(least, best - radius))
        found = [
            (end.total(total, odd), clue)
            for total, odd, clue in selections(coins, (_clipped(within[0]), _clipped(within[1])), look)
        ]
        if found:
            total, clue = max(found, key=lambda one: one[0])
            select = tuple(is_taken for is_taken, (_, optional) in zip(taken(clue), coins, strict=True) if optional)
            return total, select
        radius = 16 * radius + 15


def _highest(selection: Selection, least: int) -> int:
    """The most that any alternating sum between 0 and the largest switch comes to; at least ``least`` is reached."""
    largest = selection.coins[0][0]

    def possible(total: int) -> bool:
        within = intervals(selection.end, total)
        return any(low <= largest and high >= 0 for side in within for low, high in side)

    step = 1
    while possible(least + step):
        step *= 2
    low, high = least, least + step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if possible(middle) else (low, middle)
    return low


def _clipped(within: list[tuple[int, int]]) -> list[tuple[int, int]]:
    return [(max(low, 0), high) for low, high in within if high >= 0]


def _state(games: Sequence[Counted], number: int) -> State:
    hot = sorted((game for game in games if not game.is_over), key=lambda game: game.key)
    return tuple(hot), number + sum(game.low for game in games if game.is_over)


def _after(games: tuple[Counted, ...], number: int, game: Counted, option: Counted) -> State:
    at = games.index(game)
    return _state([*games[:at], option, *games[at + 1 :]], number)


def forced_answer(components: Sequence[Tree], limits: Limits | None = None, *, certify: bool = False) -> SumAnswer:
    """The exact scores for both starters; ``NotForced`` where temperature does not say where to move.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> answer = forced_answer(trees_of("{100|-100} + {7|-7} + {2|-3}"))
    >>> str(answer.left_first.score), answer.left_first.move.component, str(answer.right_first.score)
    ('95', 0, '-96')
    """
    limits = limits or Limits()
    began = monotonic()
    told = ForcedSum(components, step_watch(limits))
    left, right = (_played(told, side, certify) for side in SIDES)
    return SumAnswer(left, right, True, told.nodes, monotonic() - began)


def forced_play(components: Sequence[Tree], starts: Side, limits: Limits | None = None) -> Played:
    """The score if one side starts, and its best move; ``NotForced`` where temperature does not say where to move.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> forced_play(trees_of("{100|-100} + {7|-7}"), "right").move.component
    0
    """
    return _played(ForcedSum(components, step_watch(limits or Limits())), starts, False)


def _played(told: ForcedSum, starts: Side, certify: bool) -> Played:
    left = starts == "left"
    node = told.node(left)
    stop: Stop = stop_of(node.total, told.unit, starts)
    claims = _claims(node, starts, stop) if certify else ()
    return Played(starts, stop, stop, told.move(node, left), claims)


def _claims(node: Node, starts: Side, stop: Stop) -> tuple[Claim, ...]:
    """What Left gets at least, and Right."""

    def claim(role: Side, score: Fraction) -> Claim:
        data = {"starts": starts, "value": str(node.total), "strategy": strategy(node, role == "left")}
        return Claim(role, score, rule="forced", data=data, starts=starts)

    return claim("left", stop[0]), claim("right", -stop[0])


def strategy(node: Node, left_owns: bool) -> Any:
    """How one side chooses, as ``docs/formats/forced-certificate.md`` describes it."""
    owns = node.left_moves == left_owns
    if node.selected is not None:
        return {"select": "".join("01"[is_taken] for is_taken in node.selected)} if owns else None
    if not node.ways:
        return None
    if owns:
        return {"move": node.chosen, "then": strategy(node.ways[node.chosen], left_owns)}
    return [strategy(way, left_owns) for way in node.ways]


def why_not_forced(components: Sequence[Tree]) -> str | None:
    """Why temperature does not say where to move, as far as one line of play shows it; ``None`` if it seems to.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> why_not_forced(trees_of("{100|-100} + {7|-7} + {2|-3}"))
    >>> why_not_forced(trees_of("{9|1||-3} + {8|2||-3}"))
    'temperature alone does not say where to move'
    """
    try:
        told = ForcedSum(components)
        games, number = _state(told.games, 0)
        left_moves = True
        while games:
            places = forced_among(games)
            if not places:
                return "temperature alone does not say where to move"
            if len(places) == 2:
                turned = games if left_moves else _state([game.turned() for game in games], 0)[0]
                if selection_of(turned, 0) is not None:
                    return None
            game = games[places[0]]
            games, number = _after(games, number, game, game.options(left_moves)[0])
            left_moves = not left_moves
    except NotForced as reason:
        return str(reason)
    return None
