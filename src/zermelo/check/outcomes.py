"""Checks how a side is said to win boards side by side: plain Python, no engine, no native code.

A certificate has a move of the winner's for every sum of parts that can come up, and says what small parts are worth.
The checker plays every move of the loser, by its own rules, and the winner's moves, until all parts of a sum have
values; these are proved (:mod:`zermelo.check.boardvalues`) and added up. That a position is the sum of its parts, that
symmetric parts are equal or negative, and that a part and its negative are worth nothing together is all that is used
besides: who wins depends on the value of a sum alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from zermelo.certificate import Claim
from zermelo.check.boards.ruleset import Rules
from zermelo.check.boardvalues import PartsOf, need_values
from zermelo.check.games import Games
from zermelo.check.instance import instance_of
from zermelo.check.listed import listed, listed_games
from zermelo.check.onboards import SIDES, boards_of
from zermelo.check.verdict import Fault, Verdict, judged
from zermelo.game import Game
from zermelo.limits import Limits

Part = tuple[str, bool]
"""A part under its game's name and its text, and whether the sum has the negative of it."""
Sum = tuple[Part, ...]


def check_outcome_claim(game: Game, claim: Claim, limits: Limits) -> Verdict:
    """Checks a claim of the rule ``outcome``: this role wins the boards when that one starts.

    >>> from zermelo.solving.targets import game_of
    >>> data = {"games": [], "parts": {}, "moves": {"clobber:ox": ["clobber:ox", "b1a1"]}}
    >>> claim = Claim("left", 1, rule="outcome", data=data, starts="left", play="normal")
    >>> check_outcome_claim(game_of("clobber:xo"), claim, Limits()).status
    'accepted'
    """
    return judged(lambda: _checked(game, claim, Games(limits)))


def _checked(game: Game, claim: Claim, games: Games) -> Verdict:
    if game.line:
        raise Fault("the claim is about boards as they were stated, not after some moves")
    if claim.role not in SIDES or claim.starts not in SIDES:
        raise Fault(f"{claim.role!r} and {claim.starts!r} are not both roles of the game: {', '.join(SIDES)}")
    if claim.at_least > 1:
        raise Fault(f"nobody can get {claim.at_least}: who wins gets 1")
    ids = listed_games(claim.data.get("games"), '"games"', games, games.canonical)
    table, moves = claim.data.get("parts"), claim.data.get("moves")
    if not isinstance(table, dict) or not isinstance(moves, dict):
        raise Fault('"parts" and "moves" are not both objects')
    sums = _Sums(games, moves, {text: listed(ids, index, '"parts"') for text, index in table.items()})
    start = sums.start(boards_of(game, instance_of(game)))
    positions = _walked(sums, start, SIDES.index(claim.starts), SIDES.index(claim.role))
    return Verdict("accepted", positions=positions)


def _walked(sums: _Sums, start: Sum, starts: int, winner: int) -> int:
    """Plays everything that the loser can do; how many sums came up."""
    seen: set[tuple[Sum, int]] = set()
    stack = [(start, starts)]
    while stack:
        parts, side = stack.pop()
        if (parts, side) in seen:
            continue
        seen.add((parts, side))
        sums.games.tick()
        if all(text in sums.worth for text, _ in parts):
            sums.need_won(parts, side, winner)
        elif side == winner:
            stack.append((sums.answered(parts, side), 1 - side))
        else:
            stack.extend((after, 1 - side) for _, _, after in sums.moves(parts, side))
    return len(seen)


@dataclass
class _Sums:
    """Sums of parts, by the checker's rules and the certificate's moves and values."""

    games: Games
    table: Mapping[str, Any]
    worth: Mapping[str, int]

    def __post_init__(self) -> None:
        self.rules: dict[str, PartsOf] = {}
        self.proved: dict[str, set[str]] = {}

    def start(self, boards: Sequence[tuple[str, Rules, Any]]) -> Sum:
        """The boards as a sum."""
        for name, rules, _ in boards:
            self.rules.setdefault(name, PartsOf(rules))
        return _settled(part for name, _, board in boards for part in self._of(name, board))

    def _of(self, name: str, board: Any) -> list[Part]:
        return [(f"{name}:{text}", negated) for text, negated in self.rules[name].of(board)]

    def moves(self, parts: Sum, side: int) -> Iterator[tuple[str, str, Sum]]:
        """Every move of a side: the part, the name of the move in it, what it leads to."""
        for at, (text, negated) in enumerate(parts):
            name, _, own = text.partition(":")
            known = self.rules[name]
            for move, after in known.rules.moves(known.positions[own], 1 - side if negated else side):
                made = [(part, sign != negated) for part, sign in self._of(name, after)]
                yield _key([(text, negated)]), move, _settled([*parts[:at], *made, *parts[at + 1 :]])

    def answered(self, parts: Sum, side: int) -> Sum:
        """What the winner's move leads to."""
        said = self.table.get(_key(parts))
        if said is None:
            raise Fault(f"no move is given in {_key(parts) or 'a sum of nothing'}")
        for part, move, after in self.moves(parts, side):
            if [part, move] == said:
                return after
        raise Fault(f"{said} is not a legal move in {_key(parts)}")

    def need_won(self, parts: Sum, side: int, winner: int) -> None:
        """A sum of parts with values is won by who is said to win it."""
        total = self.games.zero
        for text, negated in parts:
            name, _, own = text.partition(":")
            seen = self.proved.setdefault(name, set())
            need_values(self.games, self.rules[name], [own], self.worth, seen, f"{name}:")
            worth = self.worth[text]
            total = self.games.add(total, self.games.negate(worth) if negated else worth)
        zero = self.games.number(Fraction(0))
        # Who moves first loses exactly if the value is at most 0 for him.
        lost = self.games.less_equal(total, zero) if side == 0 else self.games.less_equal(zero, total)
        if lost != (side != winner):
            raise Fault(f"{SIDES[1 - winner]} wins {_key(parts) or 'a sum of nothing'} when {SIDES[side]} moves")


def _settled(parts: Iterator[Part] | Sequence[Part]) -> Sum:
    """Parts in order; a part and its negative are left out."""
    counts: Counter[str] = Counter()
    for text, negated in parts:
        counts[text] += -1 if negated else 1
    return tuple(sorted((text, count < 0) for text, count in counts.items() for _ in range(abs(count))))


def _key(parts: Sequence[Part]) -> str:
    return " + ".join(f"{'-' if negated else ''}{text}" for text, negated in parts)
