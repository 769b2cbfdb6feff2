"""Tables that are computed only where they are looked at.

A relation such as ``(count ?x ?y ?z ?n)`` over all triples of cells can have a million rows in a state, of which the
rules ask for three. Instead of all rows such a table computes, for the values that a lookup binds, the rows with just
these values, and remembers them (top-down evaluation with memory: Vieille 1986; Tamaki and Sato 1986).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zermelo.gdl.join import KEY, Ground, IndexKind, Row, Table

Ask = Callable[[tuple[int, ...], Row], set[Row]]
"""The rows of a relation that have the given values at the given places."""


class DemandTable(Table):
    """A table that asks for its rows: by key where a lookup has one, else all of them, once.

    >>> squares = {(str(n), str(n * n)) for n in range(4)}
    >>> table = DemandTable(2, lambda places, key: {r for r in squares if all(r[p] == k for p, k in zip(places, key))},
    ...                     lambda: Table(squares))
    >>> table.index(IndexKind((KEY, 0), (0,))).get("3", ()), ("2", "4") in table.rows
    (['9'], True)
    """

    def __init__(self, arity: int, ask: Ask, whole: Callable[[], Table]):
        super().__init__(_AskedRows(tuple(range(arity)), ask))
        self._ask = ask
        self._whole = whole
        self._complete: Table | None = None

    def complete(self) -> Table:
        """The table with all its rows."""
        if self._complete is None:
            self._complete = self._whole()
        return self._complete

    def size(self) -> int:
        """More rows than anybody wants to know of, or the table would be another."""
        return 1_000_000 if self._complete is None else self._complete.size()

    def index(self, kind: IndexKind) -> Any:
        """An index that computes what is looked up in it."""
        if self._complete is None and self.answers(kind):
            found = self.indexes.get(kind)
            if found is None:
                found = self.indexes[kind] = _AskedIndex(kind, self._ask)
            return found
        return self.complete().index(kind)

    def answers(self, kind: IndexKind) -> bool:
        """Whether a lookup of this kind binds whole arguments, so that it can be asked for."""
        return KEY in kind.shapes and not any(isinstance(shape, tuple) for shape in kind.shapes)


class _AskedRows(set[Row]):
    """Says of any row whether the relation has it."""

    def __init__(self, places: tuple[int, ...], ask: Ask):
        super().__init__()
        self._places = places
        self._ask = ask
        self._known: dict[Row, bool] = {}

    def __contains__(self, row: object) -> bool:
        assert isinstance(row, tuple)
        found = self._known.get(row)
        if found is None:
            found = self._known[row] = bool(self._ask(self._places, row))
        return found


class _AskedIndex(dict[Any, Any]):
    """An index of one kind, filled key by key."""

    def __init__(self, kind: IndexKind, ask: Ask):
        super().__init__()
        self._kind = kind
        self._places = tuple(place for place, shape in enumerate(kind.shapes) if shape == KEY)
        self._ask = ask

    def __bool__(self) -> bool:
        return True  # nobody knows before looking

    def get(self, key: Any, default: Any = None) -> Any:
        if not super().__contains__(key):
            self[key] = self._found(key)
        return self[key]

    def __contains__(self, key: object) -> bool:
        return bool(self.get(key))

    def _found(self, key: Any) -> Any:
        """The values for a key; for an index without values, whether there is a row."""
        values: tuple[Ground, ...] = (key,) if len(self._places) == 1 else key
        index = Table(self._ask(self._places, values)).index(self._kind)
        return index.get(key, ()) if self._kind.values else key in index
