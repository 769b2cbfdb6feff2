"""Sums of boards of several games and of games in brackets, as the checker reads and plays them.

``domineering:..|.. + clobber:xo + {1|-1} + kayles:5``: a term names its game, or is a board of the game before it, or
else a game in brackets. All are played under normal play: who cannot move loses, and numbers have moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import pairwise
from typing import Any

from zermelo.check.boards import IMPARTIAL, MODULES, rules_named
from zermelo.check.boards.ruleset import Rules
from zermelo.check.inbrackets import shown
from zermelo.check.read.sum import text_as_sum
from zermelo.check.trees import Trees
from zermelo.check.unplayed import Unplayed
from zermelo.errors import InputError
from zermelo.game import Game
from zermelo.source import Source

SHORT = "short"
MOST_WRITTEN = 100_000
"""Positions are named by their brackets; a game in which more numbers and games would stand is refused."""
SIDES = ("left", "right")
INWARDS = {"{": 1, "(": 1, "}": -1, ")": -1}


def terms(text: str) -> list[tuple[int, str]]:
    """What stands between the plus signs outside of brackets, without blanks, and where it begins.

    >>> terms("{1+1|0} + +-1+clobber:xo")
    [(0, '{1+1|0}'), (10, '+-1'), (14, 'clobber:xo')]
    """
    ends, inside = [-1], 0
    for place, letter in enumerate(text):
        inside += INWARDS.get(letter, 0)
        if letter == "+" and inside <= 0 and text[ends[-1] + 1 : place].strip():
            ends.append(place)
    found = [(end, text[begin + 1 : end]) for begin, end in pairwise([*ends, len(text)])]
    return [(end - len(term.lstrip()), term.strip()) for end, term in found]


def name_of(term: str) -> str | None:
    """The game that a term names."""
    word = re.match(r"([a-z][a-z-]*)\s*:", term)
    return word[1] if word and word[1].removeprefix(IMPARTIAL) in MODULES else None


def is_mixed(text: str) -> bool:
    """Whether boards of several games, or boards and games in brackets, are added up.

    >>> is_mixed("cram:2x2+3x3"), is_mixed("cram:2x2 + {1|-1}")
    (False, True)
    """
    found = [term for _, term in terms(text)]
    names = [name_of(term) for term in found]
    named = [name for name in names if name is not None]
    if len(found) < 2 or not named:
        return False
    return names[0] is None or len(named) > 1 or any(set(term) & set("{(^*") for term in found)


def number_moves(number: Fraction, side: int) -> list[Fraction]:
    """The canonical options of a number."""
    if number.denominator == 1:
        return [number - 1] if side == 0 and number > 0 else [number + 1] if side == 1 and number < 0 else []
    part = Fraction(1, number.denominator)
    return [number + part if side else number - part]


class Short:
    """Games in brackets by number, among trees of their own."""

    def __init__(self) -> None:
        self.trees = Trees()
        self.rules = Rules(lambda _, wrong: wrong(0, "no board"), self._moves, self._parts, text=self._text)

    def read(self, text: str) -> list[int]:
        """The games that a text adds up."""
        return text_as_sum(text).components(self.trees)

    def written(self, game: int) -> int:
        """How many numbers and games stand in it if it is written in brackets."""
        trees = self.trees

        def count(tree: int) -> int:
            return 1 + sum(known[option] for option in (*trees.left[tree], *trees.right[tree]))

        known: dict[int, int] = {}
        return trees.folded(game, known, count)

    def _parts(self, game: int) -> list[int]:
        return [] if game == self.trees.zero else [game]

    def _text(self, game: int) -> str:
        return shown(self.trees, game).replace(" ", "")

    def _moves(self, game: int, side: int) -> Iterator[tuple[str, int]]:
        number = self.trees.numbers[game]
        if number is not None:
            options = [self.trees.number(other) for other in number_moves(number, side)]
        else:
            options = list((self.trees.right if side else self.trees.left)[game])
        for option in options:
            yield self._text(option), option


@dataclass(frozen=True)
class MixedBoards:
    """Positions side by side, each under the name of its game.

    >>> mixed = mixed_target("cram:1x2 + 1 + {1|-1}")
    >>> mixed.canonical()
    'cram:.. + short:1 + short:{1|-1}'
    >>> mixed.game().moves(mixed.game().start())
    [(0, 'a1b1'), (1, '0'), (2, '1')]
    """

    text: str
    place: str

    @cached_property
    def ruled_boards(self) -> list[tuple[str, Rules, Any]]:
        """Each position with the name of its game and its rules."""
        short, last = Short(), ""
        found: list[tuple[str, Rules, Any]] = []
        for begin, term in terms(self.text):
            name = name_of(term)
            last = name or last
            board = term.partition(":")[2] if name else term
            at = begin + len(term) - len(board.lstrip())
            try:
                if not last:
                    raise InputError("no game stands before it")
                rules = rules_named(last)
                found.append((last, rules, rules.read(board.strip(), partial(self._wrong, at))))
            except InputError:
                if name:
                    raise
                last = ""
                found += [(SHORT, short.rules, game) for game in short.read(term)]
                if any(short.written(game) > MOST_WRITTEN for _, rules, game in found if rules is short.rules):
                    self._wrong(begin, 0, f"a game with over {MOST_WRITTEN:,} options, expected a shorter one")
        return found

    def _wrong(self, begin: int, at: int, message: str) -> Any:
        raise InputError(message, file=self.place, line=1, column=begin + at + 1)

    def canonical(self) -> str:
        """The names of the games and their positions."""
        return " + ".join(f"{name}:{rules.text(board)}" for name, rules, board in self.ruled_boards)

    def game(self) -> Game:
        """Play in all of them."""
        return Unplayed(SIDES, self._played)

    def _played(self) -> Game:
        from zermelo.check.boardgame import MixedGame

        return MixedGame(self.ruled_boards)


def mixed_target(text: str, place: str = "") -> MixedBoards:
    """The sum that a target names; ``InputError`` where it names none."""
    found = MixedBoards(text, place or text)
    assert found.ruled_boards
    return found


def mixed_sum(source: Source) -> MixedBoards | None:
    """The sum that a text states, if it is one of several games; lines that begin with ``# `` are comments."""
    text = " ".join(line for line in source.text.splitlines() if line[:2] != "# ")
    return mixed_target(text, source.name) if is_mixed(text) else None
