"""Impartial games under misere play: canonical forms and genus symbols (Conway 1976, chapter 12; Siegel 2013, ch. V).

Whoever cannot move wins. Then a nim heap of two beside another is not nothing, and games seldom cancel; but every game
still has one simplest form. An option can be left out if it leads back to the rest of the game: {G's options, X, ...}
is G if every X has G as an option; where G is 0, one of the X must also be lost for the player to move.

>>> two = heap(2)
>>> str(two + two), (two + two).outcome, two.genus, (two + two).genus, misere_game("*[[2],1]").genus
('*[3,2]', 'P', Genus(nim=2, misere=(2, 0)), Genus(nim=0, misere=(0, 2)), Genus(nim=2, misere=(1, 4, 2, 0)))

*Genus*: the nim value under normal play, with the misere nim values of the game, of the game with a heap of two, with
two heaps of two, and so on, until they alternate between two numbers that differ by two.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from zermelo.brief import shown_in_brief
from zermelo.cgt.boards.ruleset import Position, Ruleset
from zermelo.cgt.values.arena import step_look
from zermelo.errors import InputError, LimitReachedError

LARGEST_HEAP = 1_000
"""Larger nim heaps are refused; their options are held one by one."""
MOST_PARTS = 1_000_000
"""Positions of one game, at most."""
LONGEST = 20_000
"""Forms whose text would have more characters are described instead."""


class Genus(NamedTuple):
    """A genus symbol, written ``0^120``: the last two misere values alternate for ever."""

    nim: int
    misere: tuple[int, ...]

    def __str__(self) -> str:
        comma = "," if max(self.misere) > 9 else ""
        return f"{self.nim}^{comma.join(map(str, self.misere))}"

    def _repr_latex_(self) -> str:
        return f"${str(self).replace('^', '^{')}}}$"


class MisereGame:
    """An impartial game in canonical form under misere play; equal games are one object."""

    options: frozenset[MisereGame]
    is_previous: bool
    """Does the previous player win?"""
    nim_value: int
    """Under normal play."""
    serial: int
    """Greater than those of the options."""

    _repr_html_ = shown_in_brief

    def __init__(self, options: frozenset[MisereGame], serial: int) -> None:
        self.options, self.serial = options, serial
        self.is_previous = bool(options) and not any(option.is_previous for option in options)
        self.nim_value = _least_missing({option.nim_value for option in options})
        self.birthday: int = 1 + max((option.birthday for option in options), default=-1)
        heaps = {option.heap for option in options}
        self.heap: int | None = len(options) if heaps == set(range(len(options))) else None
        """The size of the nim heap that the game is, or ``None``."""

    @property
    def outcome(self) -> str:
        """N if whoever moves next wins under misere play, P if the previous player does.

        >>> heap(0).outcome, heap(1).outcome, heap(2).outcome
        ('N', 'P', 'N')
        """
        return "P" if self.is_previous else "N"

    @cached_property
    def genus(self) -> Genus:
        """The genus symbol.

        >>> str(heap(0).genus), str(heap(1).genus), str(misere_game("*[[2],0]").genus)
        ('0^120', '1^031', '1^20')
        """
        return _genus(self)

    def __add__(self, other: MisereGame) -> MisereGame:
        return _sum(self, other)

    def __str__(self) -> str:
        return _written(self)

    def __repr__(self) -> str:
        return f"<MisereGame {self}>"


_GAMES: dict[frozenset[MisereGame], MisereGame] = {}


def game_of(options: Iterable[MisereGame]) -> MisereGame:
    """The canonical form of the game with these options.

    >>> game_of([heap(1)]) is heap(0), game_of([heap(2)]) is heap(0), str(game_of([heap(2)]))
    (True, False, '*[[2]]')
    """
    found = frozenset(options)
    for simpler in {further for option in found for further in option.options}:
        extra = found - simpler.options
        if not simpler.options <= found or not all(simpler in option.options for option in extra):
            continue
        if simpler.options or any(option.is_previous for option in found):
            return simpler
    return _GAMES.setdefault(found, MisereGame(found, len(_GAMES)))


def _least_missing(values: set[int]) -> int:
    least = 0
    while least in values:
        least += 1
    return least


_HEAPS: list[MisereGame] = []


def heap(size: int) -> MisereGame:
    """A nim heap.

    >>> str(heap(3)), heap(1) + heap(1) is heap(0)
    ('*[3]', True)
    """
    if not 0 <= size <= LARGEST_HEAP:
        raise InputError(f"a heap of {size} under misere play, expected 0 to {LARGEST_HEAP}")
    while len(_HEAPS) <= size:
        _HEAPS.append(game_of(_HEAPS))
    return _HEAPS[size]


_SUMS: dict[tuple[MisereGame, MisereGame], MisereGame] = {}


def _sum(one: MisereGame, other: MisereGame) -> MisereGame:
    """Both games side by side, from the smallest positions up; no recursion."""
    look, stack = step_look(), [_ordered(one, other)]
    while stack:
        look()
        pair = stack[-1]
        g, h = pair
        if pair in _SUMS:
            stack.pop()
            continue
        after = [_ordered(o, h) for o in g.options] + [_ordered(g, o) for o in h.options]
        if missing := [each for each in after if each not in _SUMS]:
            stack += missing
        else:
            _SUMS[pair] = game_of(_SUMS[each] for each in after)
    return _SUMS[_ordered(one, other)]


def _ordered(one: MisereGame, other: MisereGame) -> tuple[MisereGame, MisereGame]:
    return (one, other) if one.serial <= other.serial else (other, one)


def positions(game: MisereGame) -> list[MisereGame]:
    """The game and all that it leads to, options before those that have them.

    >>> len(positions(heap(4)))
    5
    """
    found, stack = {game}, [game]
    while stack:
        fresh = stack.pop().options - found
        found |= fresh
        stack += fresh
    return sorted(found, key=lambda each: each.serial)


def _genus(game: MisereGame) -> Genus:
    """The values with 0, 1, 2, ... heaps of two, of all positions at once.

    A heap of two can be taken, or made a heap of one, which changes the last bit of the misere value. From where the
    values of all options alternate, those of the game depend on the two before alone, so that they alternate as soon as
    they do so once.
    """
    rows: dict[MisereGame, list[int]] = {}
    settled: dict[MisereGame, int] = {}
    for each in positions(game):
        begin = max((settled[option] for option in each.options), default=0)
        row: list[int] = []
        while len(row) < begin + 4 or not (row[-1] ^ 2 == row[-2] == row[-3] ^ 2 and row[-4] == row[-2]):
            values = {_entry(rows[option], len(row)) for option in each.options}
            if row:
                values |= {row[-1], row[-1] ^ 1}
            row.append(_least_missing(values) if values else 1)
        while len(row) > 2 and row[-3] == row[-1] == row[-2] ^ 2:
            row.pop()
        rows[each], settled[each] = row, len(row) - 2
    return Genus(game.nim_value, tuple(rows[game]))


def _entry(row: list[int], place: int) -> int:
    return row[place] if place < len(row) else row[-1 - (place - len(row) + 1) % 2]


def _written(game: MisereGame) -> str:
    texts: dict[MisereGame, str] = {}
    for each in positions(game):
        if (size := each.heap) is not None:
            texts[each] = str(size)
            continue
        parts = sorted((texts[option] for option in each.options), key=lambda text: (len(text), text), reverse=True)
        texts[each] = f"[{','.join(parts)}]"
        if len(texts[each]) > LONGEST:
            return f"a game of {len(positions(game)):,} positions, genus {game.genus}"
    return f"*{texts[game]}" if len(game.options) > 1 and game.heap is None else f"*[{texts[game]}]"


def misere_game(text: str, known: Callable[[str], MisereGame] | None = None) -> MisereGame:
    """The game that a text states: ``*2 + *2``, ``*[[2],0]``; what stands in brackets are options, numbers nim heaps.

    One game between ``*[`` and ``]`` is that game, as in CGSuite: ``*[2]`` is a heap, ``*[[2]]`` leads to that heap.

    >>> misere_game("*[3,2]") is misere_game("*2+*2"), str(misere_game("*[0,1,[2]]"))
    (True, '*[2]')
    """
    from zermelo.cgt.misere.reading import read

    return read(text, known)


def of_parts(start: Hashable, options: Callable[..., Iterable[Sequence[Hashable]]]) -> MisereGame:
    """The game of a position that may fall into parts: ``options`` says into which parts each move turns one part.

    >>> str(of_parts(5, lambda n: [(n - k,) for k in (1, 2) if k <= n]))         # take one or two
    '*[2]'
    """
    made: dict[Hashable, MisereGame] = {}
    look, stack = step_look(), [start]
    while stack:
        look()
        part = stack[-1]
        if part in made:
            stack.pop()
            continue
        after = [tuple(parts) for parts in options(part)]
        if missing := {each for parts in after for each in parts} - made.keys():
            stack += missing
            if len(stack) > MOST_PARTS:
                raise LimitReachedError(f"a game with more than {MOST_PARTS:,} positions")
        else:
            made[part] = game_of(total(made[each] for each in parts) for parts in after)
    return made[start]


def total(games: Iterable[MisereGame]) -> MisereGame:
    """Games side by side.

    >>> str(total([heap(1), heap(2), heap(3)]))
    '*[3,2]'
    """
    found = heap(0)
    for game in games:
        found += game
    return found


def of_board(board: Ruleset, position: Position) -> MisereGame:
    """The game of a position of an impartial ruleset, under misere play.

    >>> from zermelo.cgt.boards.ruleset import ruleset_named
    >>> kayles = ruleset_named("kayles")
    >>> str(of_board(kayles, kayles.parse("5", "kayles")).genus)
    '4^146'
    """
    if not board.impartial:
        raise InputError(f"{board.name} is not impartial, expected a game in which both sides have the same moves")

    def options(part: Position) -> list[Sequence[Position]]:
        return [board.regions(option.position) for option in board.options(part, "left")]

    return total(of_parts(part, options) for part in board.regions(position))
