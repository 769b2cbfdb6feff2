"""Writes down how a side wins boards side by side: its move in every sum of parts that the other can bring about.

Sums whose parts all are small need no moves: the certificate says what small parts are worth, and the checker proves
that (:mod:`zermelo.check.boardvalues`) and adds up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from zermelo.cgt.boards.outcome import OutcomeSearch, Summand
from zermelo.cgt.boards.parts import Parts, Signed
from zermelo.cgt.boards.ruleset import SIDES, Ruleset, Side
from zermelo.cgt.boards.value_proof import GameList, Short
from zermelo.errors import LimitReachedError
from zermelo.limits import Limits, step_watch

MOST_SUMS = 200_000
"""Wins that take moves in more different sums get no certificate."""
VALUED_LETTERS = 8
"""Parts that take at most so many letters stand in the certificate by their value."""

Sum = tuple[Signed, ...]
"""Parts by their texts, with the names of their games before them, in order; no part beside its negative."""
OTHER: dict[Side, Side] = {"left": "right", "right": "left"}


def sum_key(parts: Sum) -> str:
    """How a certificate names a sum.

    >>> sum_key((("clobber:xo", False), ("clobber:xxo", True)))
    'clobber:xo + -clobber:xxo'
    """
    return " + ".join(f"{'-' if negated else ''}{text}" for text, negated in parts)


def in_order(parts: Sequence[Signed]) -> Sum:
    """Parts as a sum: a part and its negative are worth nothing together.

    >>> in_order([("b", False), ("a", True), ("a", False), ("a", True)])
    (('a', True), ('b', False))
    """
    counts: Counter[str] = Counter()
    for text, negated in parts:
        counts[text] += -1 if negated else 1
    return tuple(sorted((text, count < 0) for text, count in counts.items() for _ in range(abs(count))))


def _texts(parts: Sum) -> list[str]:
    return [text for text, _ in parts]


@dataclass
class OutcomeProof:
    """What the certificates of one sum of boards share: parts, their moves and their values."""

    search: OutcomeSearch
    value_of: Callable[[Ruleset, Any], Short]
    limits: Limits
    rules: dict[str, Parts] = field(default_factory=dict)
    games: GameList = field(default_factory=GameList)
    valued: dict[str, int] = field(default_factory=dict)

    def start(self, summands: Sequence[Summand]) -> Sum:
        """Boards as a sum of parts."""
        for ruleset, _ in summands:
            self.rules.setdefault(ruleset.name, Parts(ruleset))
        return in_order([part for ruleset, board in summands for part in self._of(ruleset.name, board)])

    def _of(self, game: str, board: Any) -> list[Signed]:
        return [(f"{game}:{text}", negated) for text, negated in self.rules[game].of(board)]

    def _position(self, part: str) -> tuple[str, Any]:
        game, _, text = part.partition(":")
        return game, self.rules[game].positions[text]

    def moves(self, parts: Sum, side: Side) -> list[tuple[str, str, Sum]]:
        """What a side can do in a sum: in which part, by which move of the part, and what it leads to."""
        found = []
        for text, negated in dict.fromkeys(parts):
            rest = list(parts)
            rest.remove((text, negated))
            game, position = self._position(text)
            mover = OTHER[side] if negated else side
            for option in self.rules[game].rules.options(position, mover):
                after = [(part, sign != negated) for part, sign in self._of(game, option.position)]
                found.append((sum_key(((text, negated),)), option.move, in_order([*rest, *after])))
        return found

    def data(self, start: Sum, starts: Side, winner: Side) -> dict[str, Any]:
        """What a claim says: what small parts are worth, and the winner's moves."""
        self.games, self.valued = GameList(), {}
        moves: dict[str, list[str]] = {}
        seen: set[tuple[Sum, Side]] = set()
        look = step_watch(self.limits)
        stack = [(start, starts)]
        while stack:
            entry = stack.pop()
            parts, side = entry
            if entry in seen or self._is_valued(parts):
                continue
            look()
            seen.add(entry)
            if len(seen) > MOST_SUMS:
                raise LimitReachedError(f"the win takes over {MOST_SUMS:,} sums to write down")
            if side == winner:
                part, move, after = self._winning(parts, side)
                moves[sum_key(parts)] = [part, move]
                stack.append((after, OTHER[side]))
            else:
                stack.extend((after, OTHER[side]) for _, _, after in self.moves(parts, side))
        return {"games": self.games.entries, "parts": self.valued, "moves": moves}

    def _winning(self, parts: Sum, side: Side) -> tuple[str, str, Sum]:
        moves = self.moves(parts, side)
        if (found := self._leaving_zero(moves)) is not None:
            return found
        totals = [self._total(after) for _, _, after in moves]
        for move, total in zip(moves, totals, strict=True):
            if self.search.known(total, OTHER[side]) is False:
                return move
        for move, total in zip(moves, totals, strict=True):
            if not self.search.wins(total, OTHER[side]):
                return move
        raise LimitReachedError("the search has no winning move")

    def _leaving_zero(self, moves: Sequence[tuple[str, str, Sum]]) -> tuple[str, str, Sum] | None:
        """A winning move where both sides have the same ones: what is known comes first, most parts need no value."""
        if not all(parts.rules.impartial for parts in self.rules.values()):
            return None
        for known in (True, False):
            for move in moves:
                left = [(self.rules[game].rules, position) for game, position in map(self._position, _texts(move[2]))]
                if not left or self.search.first_loses(left, known=known):
                    return move
        return None

    def _total(self, parts: Sum) -> Any:
        found = [(self._position(text), negated) for text, negated in parts]
        return self.search.signed_total(
            [((self.rules[game].rules, position), negated) for (game, position), negated in found]
        )

    def _is_valued(self, parts: Sum) -> bool:
        """Are all parts small? Their values are written down then, and those of what they lead to."""
        if any(len(text.partition(":")[2]) > VALUED_LETTERS for text, _ in parts):
            return False
        stack = [text for text, _ in parts]
        while stack:
            text = stack.pop()
            if text in self.valued:
                continue
            if len(self.valued) >= MOST_SUMS:
                raise LimitReachedError(f"over {MOST_SUMS:,} values to write down")
            game, position = self._position(text)
            self.valued[text] = self.games.place(self.value_of(self.rules[game].rules, position))
            for side in SIDES:
                for option in self.rules[game].rules.options(position, side):
                    stack.extend(part for part, _ in self._of(game, option.position))
        return True
