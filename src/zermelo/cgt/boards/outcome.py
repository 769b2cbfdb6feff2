"""Who wins boards side by side, without their value: the native search over sums of regions (native/cgt/outcome).

Games with native rules are searched by these, on boards of at most 64 cells; of others the ruleset lists the options of
a part when the search asks for them. Where both sides have the same moves, parts are nim heaps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from zermelo import _native
from zermelo.cgt.boards.board_value import has_native_rules, native_cells
from zermelo.cgt.boards.native_nim import native_is_worth, native_nim_value
from zermelo.cgt.boards.nim_value import NimValued
from zermelo.cgt.boards.parts import Parts
from zermelo.cgt.boards.ruleset import Position, Ruleset, Side
from zermelo.cgt.rulesets.impartial import Impartial
from zermelo.cgt.values.arena import current_arena
from zermelo.cgt.values.value import Value, nimber
from zermelo.errors import LimitReachedError
from zermelo.limits import stopped_at

VALUED_LETTERS = 10
"""Parts without native rules that take at most so many letters are replaced by their values."""
MOST_WORTH = 1 << 20
"""A bound for the moves of a part whose rules give none."""

Summand = tuple[Ruleset, Position]
"""A position and the rules that it is played by."""


@dataclass(frozen=True)
class Outcome:
    """Who wins with either side to start; ``None`` where a limit came first.

    >>> Outcome("left", "left").letter
    'L'
    """

    left_first: str | None
    right_first: str | None

    @property
    def letter(self) -> str | None:
        """The outcome class: L, R, N or P."""
        return _CLASSES.get((self.left_first, self.right_first))


_CLASSES: dict[tuple[str | None, str | None], str] = {
    ("left", "left"): "L",
    ("right", "right"): "R",
    ("left", "right"): "N",
    ("right", "left"): "P",
}


@runtime_checkable
class ShortValued(Protocol):
    """Rules whose positions are games in brackets."""

    def short_value(self, position: Position) -> Value:
        """The value of a position."""


class _ListedRules:
    """Parts of a game without native rules, by number."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset, self.parts = ruleset, Parts(ruleset)
        self.texts: list[str] = []
        self.numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        if text not in self.numbers:
            self.numbers[text] = len(self.texts)
            self.texts.append(text)
        return self.numbers[text]

    def terms(self, position: Position) -> list[int]:
        return [2 * self.number(text) + negated for text, negated in self.parts.of(position)]

    def options(self, part: int, left: bool) -> list[list[int]]:
        after = self.parts.after(self.texts[part], "left" if left else "right")
        return [[2 * self.number(text) + negated for text, negated in terms] for terms in after]

    def facts(self, part: int) -> tuple[int, int, int]:
        position = self.parts.positions[self.texts[part]]
        left, right = (self.ruleset.most_moves(position, side) for side in ("left", "right"))
        bounds = (-(MOST_WORTH if right is None else right), MOST_WORTH if left is None else left)
        return *bounds, len(self.texts[part])


class OutcomeSearch:
    """A search over sums; what it has found stays for the next question, in the arena of values that is current now.

    Parts of at most ``valued`` cells are replaced by their values; if it is not given, of as many as suits the game.

    >>> from zermelo.cgt.boards.ruleset import positions_of
    >>> rules, positions = positions_of("clobber:3x4")
    >>> OutcomeSearch().outcome([(rules, position) for position in positions])
    Outcome(left_first='right', right_first='left')
    """

    def __init__(
        self, control: _native.Control | None = None, *, native: bool = True, valued: int | None = None
    ) -> None:
        self.arena = current_arena()
        self.control = control or _native.Control()
        self.native, self.valued = native, valued
        self._search = _native.CgtOutcome(self.arena)
        self._sources: dict[str, int] = {}
        self._listed: dict[int, tuple[int, _ListedRules]] = {}

    @property
    def positions(self) -> int:
        """How many sums have been looked into."""
        return self._search.positions

    def total(self, summands: Sequence[Summand], values: Sequence[Value] = ()) -> _native.CgtSum:
        """Positions and values side by side, as the search holds them."""
        return self.signed_total([(summand, False) for summand in summands], values)

    def signed_total(self, summands: Sequence[tuple[Summand, bool]], values: Sequence[Value] = ()) -> _native.CgtSum:
        """The same with the negatives of some positions: those marked so."""
        total = self._search.zero()
        try:
            for (ruleset, position), negated in summands:
                self._add(total, ruleset, position, negated)
            for value in values:
                self._search.add_value(total, value.id_in(self.arena), self.control)
        except _native.CgtMemoryError:
            raise LimitReachedError("the values of games need more memory than they may take") from None
        except _native.Stopped:
            raise stopped_at(self.control.cause) from None
        return total

    def _add(self, total: _native.CgtSum, ruleset: Ruleset, position: Position, negated: bool) -> None:
        if isinstance(ruleset, ShortValued):
            value = ruleset.short_value(position)
            self._search.add_value(total, (-value if negated else value).id_in(self.arena), self.control)
            return
        if (heap := self._nim_value(ruleset, position)) is not None:
            self._search.add_value(total, nimber(heap).id_in(self.arena), self.control)
            return
        name, board = ruleset.name, position
        if isinstance(position, tuple) and len(position) == 2:  # what the rules leave open stands before the board
            name, board = f"{name} {position[0]}", position[1]
        cells = native_cells(board) if self.native and has_native_rules(ruleset) else None
        if cells is not None:
            rows, columns = cells[:2]
            width = 8 if max(rows, columns) <= 8 else columns
            key = f"{name} {width}"
            if key not in self._sources:
                self._sources[key] = self._search.source(name, rows, columns, self.valued)
            self._search.add_board(total, self._sources[key], *cells, negated, self.control)
            return
        if id(ruleset) not in self._listed:
            rules = _ListedRules(ruleset)
            valued = VALUED_LETTERS if self.valued is None else self.valued
            source = self._search.listed_source(rules.options, rules.facts, valued)
            self._listed[id(ruleset)] = source, rules
        source, rules = self._listed[id(ruleset)]
        for term in rules.terms(position):
            self._search.add_part(total, source, term // 2, bool(term % 2) != negated, self.control)

    def _nim_value(self, ruleset: Ruleset, position: Position) -> int | None:
        """Where both sides have the same moves, parts are nim heaps."""
        if isinstance(ruleset, NimValued):
            return ruleset.nim_value(position)
        return native_nim_value(ruleset, position) if self.native and ruleset.impartial else None

    def first_loses(self, summands: Sequence[Summand], *, known: bool = False) -> bool | None:
        """Where both sides have the same moves: does who moves first lose? ``None`` where this is not the way to ask.

        The hardest board is only asked whether it is worth what the others are. With ``known`` it is not searched.

        >>> from zermelo.cgt.boards.ruleset import positions_of
        >>> rules, positions = positions_of("impartial-clobber:xo|ox+xo")
        >>> OutcomeSearch().first_loses([(rules, position) for position in positions])
        False
        """
        if not summands or not self.native or not all(ruleset.impartial for ruleset, _ in summands):
            return None
        hardest = max(range(len(summands)), key=lambda at: len(summands[at][0].text(summands[at][1])))
        heap = 0
        for at, summand in enumerate(summands):
            if at != hardest:
                if (worth := self._nim_value(*summand)) is None:
                    return None
                heap ^= worth
        ruleset, position = summands[hardest]
        if isinstance(ruleset, Impartial):
            return native_is_worth(ruleset.rules, position, heap, both=True, known=known)
        return native_is_worth(ruleset, position, heap, known=known)

    def wins(self, total: _native.CgtSum, side: Side) -> bool:
        """Does the side win, moving first? ``LimitReachedError`` where a limit comes first."""
        try:
            return self._search.wins(total, side == "left", self.control)
        except _native.CgtMemoryError:
            raise LimitReachedError("the values of games need more memory than they may take") from None
        except _native.Stopped:
            raise stopped_at(self.control.cause) from None

    def known(self, total: _native.CgtSum, side: Side) -> bool | None:
        """Does the side win, moving first, as far as that is known without a search?"""
        return self._search.known(total, side == "left")

    def outcome(self, summands: Sequence[Summand], values: Sequence[Value] = ()) -> Outcome:
        """Who wins with either side to start."""
        if not values and (lost := self.first_loses(summands)) is not None:
            return Outcome("right", "left") if lost else Outcome("left", "right")
        total = self.total(summands, values)
        return Outcome(*(self.winner(total, side) for side in ("left", "right")))

    def winner(self, total: _native.CgtSum, side: Side) -> Side:
        """Who wins when a side moves first."""
        other: Side = "right" if side == "left" else "left"
        return side if self.wins(total, side) else other
