"""Rows of relations, looked up by some of their columns; and ground terms as texts that can be taken apart again.

A ground term is its text in KIF. So terms are compared and hashed as texts, and a state is made of what it is
written with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from functools import cache
from operator import itemgetter
from typing import Any, Final

from zermelo.check.sheets.terms import DEEPEST, Term
from zermelo.errors import GameError

Row = tuple[str, ...]
Columns = tuple[int, ...]
MOST_SYMBOLS: Final = 4096
"""A term of more symbols, or nested deeper than in a rulesheet, is taken for one that grows without end."""


@cache
def getter(columns: Columns) -> Callable[[Row], Any]:
    """What picks columns out of a row: one of them as it is, any other number as a tuple.

    >>> getter((1,))(("a", "b")), getter((1, 0))(("a", "b")), getter(())(("a", "b"))
    ('b', ('b', 'a'), ())
    """
    return itemgetter(*columns) if columns else lambda row: ()


@cache
def row_getter(columns: Columns) -> Callable[[Row], Row]:
    """What picks columns out of a row, always as a tuple.

    >>> row_getter((1,))(("a", "b"))
    ('b',)
    """
    if len(columns) == 1:
        (only,) = columns
        return lambda row: (row[only],)
    return getter(columns)


class Table:
    """The rows of a relation. Indexes are made when they are first asked for and kept up to date.

    >>> table = Table({("1", "x"), ("2", "x"), ("3", "o")})
    >>> sorted(table.index((1,), (0,))["x"]), sorted(table.index((1,), ()))
    ([('1',), ('2',)], ['o', 'x'])
    """

    __slots__ = ("_indexes", "rows")

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self.rows: set[Row] = set(rows)
        self._indexes: dict[tuple[Columns, Columns], Any] = {}

    def index(self, keys: Columns, values: Columns) -> Any:
        """From what stands in some columns to the rows of some others; the set of keys if there are no others."""
        found = self._indexes.get((keys, values))
        if found is None:
            found = self._indexes[keys, values] = {} if values else set()
            self._enter(found, keys, values, self.rows)
        return found

    def has(self, columns: int) -> Set[Any]:
        """The rows as :func:`getter` of all columns writes them."""
        found: Set[Any] = self.rows if columns != 1 else self.index((0,), ())
        return found

    def add(self, rows: Set[Row]) -> None:
        """Adds rows that are not there yet."""
        self.rows |= rows
        for (keys, values), index in self._indexes.items():
            self._enter(index, keys, values, rows)

    @staticmethod
    def _enter(index: Any, keys: Columns, values: Columns, rows: Iterable[Row]) -> None:
        key = getter(keys)
        if not values:
            index.update(map(key, rows))
            return
        value = row_getter(values)
        for row in rows:
            at = key(row)
            if at in index:
                index[at].add(value(row))
            else:
                index[at] = {value(row)}


class Terms:
    """The function terms that have come up: each text with its parts."""

    def __init__(self) -> None:
        self.parts: dict[str, tuple[str, Row]] = {}
        self._makers: dict[tuple[str, int], _Maker] = {}
        self._size: dict[str, tuple[int, int]] = {}

    def text(self, term: Term) -> str:
        """The text of a ground term, whose parts are known from then on.

        >>> terms = Terms()
        >>> terms.text(("mark", "1", ("at", "b"))), terms.parts["(at b)"]
        ('(mark 1 (at b))', ('at', ('b',)))
        """
        if isinstance(term, str):
            return term
        return self.made(str(term[0]), tuple(map(self.text, term[1:])))

    def made(self, name: str, arguments: Row) -> str:
        """The text of a function applied to terms."""
        text = f"({name} {' '.join(arguments)})"
        if text not in self.parts:
            sizes = [self._size.get(argument, (1, 0)) for argument in arguments]
            symbols, depth = 1 + sum(size for size, _ in sizes), 1 + max(level for _, level in sizes)
            if symbols > MOST_SYMBOLS or depth > DEEPEST:
                raise GameError(f"terms of {name} grow beyond {MOST_SYMBOLS} symbols or {DEEPEST} levels")
            self._size[text] = symbols, depth
            self.parts[text] = name, arguments
        return text

    def maker(self, name: str, count: int) -> dict[Any, str]:
        """From arguments, as :func:`getter` picks them, to the text of a function applied to them."""
        return self._makers.setdefault((name, count), _Maker(self, name, count))


class _Maker(dict[Any, str]):
    """Texts of one function, made when they are first asked for."""

    def __init__(self, terms: Terms, name: str, count: int) -> None:
        super().__init__()
        self._terms, self._name, self._count = terms, name, count

    def __missing__(self, key: Any) -> str:
        text = self[key] = self._terms.made(self._name, (key,) if self._count == 1 else key)
        return text
