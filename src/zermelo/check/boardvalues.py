"""Checks what boards are said to be worth: each part of them that can come up in play is compared with a game.

A certificate says of each part of a board that can come up in play which of its games the part equals. That P equals v
is proved part by part, smaller ones first: it is enough that the player who moves second wins P - v (Conway, *On
Numbers and Games*, theorem 1 ff.), that is

* no option of Left's in P is at least v, and none of Right's is at most v: an answer exists to every move on the board;
* every option of Left's in v is at most one of P, every option of Right's in v at least one of P: then every move in -v
  has an answer too.

Options of P fall into parts whose games are added and compared here, by the definitions. A position that is left out is
noticed, because moves come from the rules and never from the certificate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any

from zermelo.check.boards.ruleset import Rules
from zermelo.check.games import Games
from zermelo.check.instance import Instance
from zermelo.check.listed import listed
from zermelo.check.onboards import boards_of
from zermelo.check.trees import simplest_between
from zermelo.check.verdict import Fault
from zermelo.game import Game

MOST_REMEMBERED = 1 << 18
"""Positions whose parts are remembered: most are reached by several moves, soon after each other."""
Signed = tuple[str, bool]
"""The text of a part, and whether a position has the negative of it."""


class PartsOf:
    """What positions fall into, each part under the text of the one that stands for all that are alike."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.positions: dict[str, Any] = {}
        self._known: dict[Any, tuple[Signed, ...]] = {}

    def of(self, position: Any) -> tuple[Signed, ...]:
        found = self._known.get(position)
        if found is None:
            if len(self._known) >= MOST_REMEMBERED:
                self._known.clear()
            found = self._known[position] = tuple([self._named(part) for part in self.rules.parts(position)])
        return found

    def _named(self, region: Any) -> Signed:
        part, negated = self.rules.signed(region)
        text = self.rules.text(part)
        self.positions.setdefault(text, part)
        return text, negated

    def after(self, text: str, side: int) -> set[tuple[Signed, ...]]:
        """What the moves of a side in a part lead to."""
        return {self.of(after) for _, after in self.rules.moves(self.positions[text], side)}


def check_boards(
    game: Game, stated: Instance | None, games: Games, ids: Sequence[int], data: Mapping[str, Any], root: int
) -> int:
    """Raises a fault unless the boards of the game are worth the root; how many parts were looked at."""
    boards = boards_of(game, stated)
    if len({name for name, _, _ in boards}) != 1:
        raise Fault("a value is proved for boards of one game")
    table = data.get("parts")
    if not isinstance(table, dict):
        raise Fault('"parts" is not an object')
    worth = {text: listed(ids, index, '"parts"') for text, index in table.items()}
    parts = PartsOf(boards[0][1])
    found = [part for _, _, board in boards for part in parts.of(board)]
    if _worth(games, found, worth) != root:
        raise Fault("the boards do not add up to the game that the certificate names")
    seen: set[str] = set()
    need_values(games, parts, [text for text, _ in found], worth, seen)
    return len(seen)


def need_values(
    games: Games, parts: PartsOf, roots: Sequence[str], worth: Mapping[str, int], seen: set[str], prefix: str = ""
) -> None:
    """Raises a fault unless parts are worth what is said, and all that they lead to; those in ``seen`` are proved."""
    stack = list(roots)
    while stack:
        text = stack.pop()
        if text in seen:
            continue
        seen.add(text)
        games.tick()
        reached: list[set[int]] = []
        for side in (0, 1):
            options = parts.after(text, side)
            reached.append({_worth(games, option, worth, prefix) for option in options})
            stack.extend([part for option in options for part, _ in option if part not in seen])
        _need_equal(games, text, worth[prefix + text], *reached)


def _worth(games: Games, position: Sequence[Signed], parts: Mapping[str, int], prefix: str = "") -> int:
    """What a position is worth if its parts are worth what the certificate says."""
    total = games.zero
    for text, negated in position:
        worth = parts.get(prefix + text)
        if worth is None:
            raise Fault(f"nothing is said of {text}")
        total = games.add(total, games.negate(worth) if negated else worth)
    return total


def _need_equal(games: Games, text: str, worth: int, left: Set[int], right: Set[int]) -> None:
    """The player who moves second wins P - v, given what the options of P are worth."""
    for option in left:
        if games.less_equal(worth, option):
            raise Fault(f"{text} is worth more than is said: left has a better move")
    for option in right:
        if games.less_equal(option, worth):
            raise Fault(f"{text} is worth less than is said: right has a better move")
    if games.numbers[worth] is not None:
        value = games.numbers[worth]
        above = max((games.right_first[option] for option in left), default=None)
        below = min((games.left_first[option] for option in right), default=None)
        if simplest_between(above, below) != value:
            raise Fault(f"{text} is not worth {value}")
        return
    for option in games.left[worth]:
        if not any(games.less_equal(option, found) for found in left):
            raise Fault(f"{text} is worth less than is said: left lacks a move")
    for option in games.right[worth]:
        if not any(games.less_equal(found, option) for found in right):
            raise Fault(f"{text} is worth more than is said: right lacks a move")
