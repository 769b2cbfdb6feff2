"""Boards of different rules side by side, and brackets among them, as the checker reads them (docs/formats/boards.md).

A term begins with the name of its rules, or with a bracket; one that begins with neither has the rules of the board
before it. A game in brackets is played like a board: it is a position of the rules ``brackets``, and its text is its
canonical form with every option written out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any, NoReturn

from zermelo.check.boards import IMPARTIAL, MODULES, rules_named
from zermelo.check.boards.ruleset import Moves, Rules, Wrong
from zermelo.check.games import Games
from zermelo.check.read.sum import text_as_sum
from zermelo.check.sumvalues import value_of_sum
from zermelo.check.trees import folded
from zermelo.errors import InputError
from zermelo.game import Game
from zermelo.limits import Limits

BRACKETS = "brackets"
LONGEST, LONGEST_NAME = 4000, 60
"""Letters of a game in brackets, and of the name of a move: longer moves are named by their place."""
_TERM = re.compile(r"\s*(?:(?P<rules>[A-Za-z-]+)\s*:)?\s*(?P<board>.*?)\s*", re.DOTALL)


@dataclass(frozen=True)
class MixedBoards:
    """Positions side by side, each with the name of its rules.

    >>> mixed_target("clobber: 1x2 + domineering:.. + (+-1)").canonical()
    'clobber:xo+domineering:..+{1|-1}'
    """

    positions: tuple[Any, ...]

    @property
    def rules(self) -> Rules:
        """The rules of every term."""
        return Rules(_read, _moves, _parts, _signed, text=_text)

    def canonical(self) -> str:
        """The terms, each with the name of its rules."""
        return "+".join(map(_text, self.positions))

    def game(self) -> Game:
        """Play on all of them, by rules of the checker's own."""
        from zermelo.check.boardgame import BoardGame

        return BoardGame(self.rules, self.positions)


def mixed_target(text: str, name: str = "") -> MixedBoards:
    """The terms that a target names; ``InputError`` with the place where one cannot be read."""
    found = ((rules, _named(rules).read(board, partial(_wrong, name or text, at))) for rules, board, at in terms(text))
    return MixedBoards(tuple(found))


def terms(text: str) -> Iterator[tuple[str, str, int]]:
    """Every term: the name of its rules, its text, and where that begins.

    >>> list(terms("toads:x.o+o.+(*)"))
    [('toads', 'x.o', 6), ('toads', 'o.', 10), ('brackets', '(*)', 13)]
    """
    last = ""
    for begin, end in _spans(text):
        piece = text[begin:end]
        if piece.lstrip()[:1] in ("{", "("):
            yield BRACKETS, piece.strip(), begin + len(piece) - len(piece.lstrip())
            continue
        found = _TERM.fullmatch(piece)
        assert found is not None  # every part of it may be empty
        if found["rules"] is not None and (found["rules"].removeprefix(IMPARTIAL) in MODULES or not last):
            last = found["rules"]
            yield last, found["board"], begin + found.start("board")
        else:
            yield last, piece.strip(), begin + len(piece) - len(piece.lstrip())


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Where the terms are: between the signs that stand in no bracket."""
    begin = inside = 0
    for sign in re.finditer(r"[{(})+]", text):
        if sign[0] == "+" and inside <= 0:
            yield begin, sign.start()
            begin = sign.end()
        inside += {"{": 1, "(": 1, "}": -1, ")": -1, "+": 0}[sign[0]]
    yield begin, len(text)


def _named(name: str) -> Rules:
    """The rules of that name, brackets among them."""
    if name == BRACKETS:
        return Rules(_read_brackets, _options)
    if name.removeprefix(IMPARTIAL) not in MODULES:
        raise InputError(f"no rules {name!r}, expected one of {', '.join(sorted(MODULES))}")
    return rules_named(name)


def _read(text: str, wrong: Wrong) -> Any:
    ((name, board, _),) = terms(text)
    return name, _named(name).read(board, wrong)


def _moves(position: Any, side: int) -> Moves:
    return [(move, (position[0], after)) for move, after in _named(position[0]).moves(position[1], side)]


def _parts(position: Any) -> list[Any]:
    return [(position[0], part) for part in _named(position[0]).parts(position[1])]


def _signed(position: Any) -> tuple[Any, bool]:
    part, negative = _named(position[0]).signed(position[1])
    return (position[0], part), negative


def _text(position: Any) -> str:
    name, board = position
    return str(board) if name == BRACKETS else f"{name}:{_named(name).text(board)}"


def _read_brackets(text: str, wrong: Wrong) -> str:
    """A game in brackets as it stands in a certificate."""
    games = Games(Limits())
    try:
        return in_full(games, value_of_sum(games, text_as_sum(text)))
    except InputError as error:
        wrong((error.column or 1) - 1, error.message)


def in_full(games: Games, game: int) -> str:
    """A game in canonical form with every option written out, in the order of their texts.

    >>> games = Games(Limits())
    >>> in_full(games, games.nimber(2))
    '{0,{0|0}|0,{0|0}}'
    """
    texts: dict[int, str] = {}

    def written(one: int) -> str:
        if (number := games.numbers[one]) is not None:
            return str(number)
        sides = (",".join(sorted(texts[option] for option in side)) for side in (games.left[one], games.right[one]))
        text = f"{{{'|'.join(sides)}}}"
        if len(text) > LONGEST:
            raise InputError(f"a game in brackets takes over {LONGEST:,} letters to write")
        return text

    return folded(game, lambda one: games.left[one] + games.right[one], texts, written)


@lru_cache(maxsize=4096)
def _options(position: str, side: int) -> tuple[tuple[str, str], ...]:
    """Names of moves and what they lead to; a number has the options of its canonical form."""
    games = Games(Limits())
    game = value_of_sum(games, text_as_sum(position))
    number = games.numbers[game]
    if number is None:
        texts = sorted(in_full(games, option) for option in (games.left, games.right)[side][game])
    else:
        texts = [str(option) for option in _of_number(number, side)]
    return tuple((text if len(text) <= LONGEST_NAME else f"#{place}", text) for place, text in enumerate(texts, 1))


def _of_number(number: Fraction, side: int) -> list[Fraction]:
    """{n-1|} is a whole number n > 0, {|n+1} one below 0; any other is halfway between its options.

    >>> _of_number(Fraction(3), 0), _of_number(Fraction(3), 1), _of_number(Fraction(3, 4), 1)
    ([Fraction(2, 1)], [], [Fraction(1, 1)])
    """
    towards = -1 if side == 0 else 1
    if number.denominator > 1 or number * towards < 0:
        return [number + Fraction(towards, number.denominator)]
    return []


def _wrong(name: str, begin: int, at: int, message: str) -> NoReturn:
    raise InputError(message, file=name, line=1, column=begin + at + 1)
