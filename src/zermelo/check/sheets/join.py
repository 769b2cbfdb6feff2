"""A conjunction as a list of steps over sets of rows: relational algebra.

The rows begin with the constants of the rule, so that a constant is looked up like a variable. A literal that holds
joins the rows with those of its table, one that fails and ``distinct`` leave rows out. Columns that nothing asks for
any more are dropped, and with them rows that differ in nothing else. The order is chosen when a plan is made: what
needs no new column first, then the table with the fewest rows for what is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from typing import Any, Final

from zermelo.check.sheets.terms import Atom, Literal, Term, is_variable, parts_of, variables
from zermelo.errors import InputError

Row = tuple[Term, ...]
Rows = Iterable[Row]
Columns = tuple[int, ...]
Key = tuple[str, ...]
"""What a table is kept by: a relation's name and number of arguments; of facts and moves, also their function."""
_NEVER: Final = 1e18


def key_of(atom: Atom) -> tuple[Key, Row]:
    """The table that an atom is looked up in, and the terms of its columns.

    Facts and moves are looked up by their function: its arguments are columns.

    >>> key_of(("true", ("cell", "?x", "b"))), key_of(("does", "?r", "noop")), key_of(("true", "?f"))
    ((('true', 'cell', '2'), ('?x', 'b')), (('does', 'noop', '0'), ('?r',)), (('true', '1'), ('?f',)))
    """
    name, *terms = atom
    if name in ("true", "does") and terms and not is_variable(last := terms[-1]):
        function, *arguments = last if isinstance(last, tuple) else (last,)
        return (str(name), str(function), str(len(arguments))), (*terms[:-1], *arguments)
    return (str(name), str(len(terms))), tuple(terms)


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
    return (lambda row: (row[columns[0]],)) if len(columns) == 1 else getter(columns)


class Table:
    """The rows of a relation. Indexes are made when they are first asked for and kept up to date.

    >>> table = Table({("1", "x"), ("2", "x"), ("3", "o")})
    >>> sorted(table.index((1,), (0,))["x"]), sorted(table.index((1,), ())["o"])
    ([('1',), ('2',)], [()])
    """

    __slots__ = ("_indexes", "rows")

    def __init__(self, rows: Rows = ()) -> None:
        self.rows: set[Row] = set(rows)
        self._indexes: dict[tuple[Columns, Columns], dict[Any, set[Row]]] = {}

    def index(self, keys: Columns, values: Columns) -> dict[Any, set[Row]]:
        """From what stands in some columns to what stands in some others."""
        found = self._indexes.get((keys, values))
        if found is None:
            found = self._indexes[keys, values] = {}
            _enter(found, keys, values, self.rows)
        return found

    def add(self, rows: Set[Row]) -> None:
        """Adds rows that are not there yet."""
        self.rows |= rows
        for (keys, values), index in self._indexes.items():
            _enter(index, keys, values, rows)


def _enter(index: dict[Any, set[Row]], keys: Columns, values: Columns, rows: Rows) -> None:
    key, value = getter(keys), row_getter(values)
    for row in rows:
        index.setdefault(key(row), set()).add(value(row))


Look = Callable[[Key], Table]
"""Where a plan finds the rows of a table."""
Step = Callable[[Rows, Look], Rows]


@dataclass(frozen=True)
class Plan:
    """The steps, and the columns of the head in the rows that are left."""

    constants: Row
    steps: tuple[Step, ...]
    head: Callable[[Row], Row]
    needed: tuple[Key, ...]
    """The tables without rows of which there is nothing to find."""

    def rows(self, look: Look) -> set[Row]:
        """The rows of the head."""
        if not all(look(key).rows for key in self.needed):
            return set()
        rows: Rows = [self.constants]
        for step in self.steps:
            rows = step(rows, look)
            if not rows:
                return set()
        return set(map(self.head, rows))


def plan_of(head: Atom, body: Sequence[Literal], look: Look, first: Key | None = None) -> Plan:
    """The plan of a rule.

    ``first`` is the table to begin with, that of the new rows where a recursive rule is applied again; it stands for
    the table of the first literal.
    """
    planner = _Planner(head, body, look)
    rest = list(body)
    if first is not None:
        planner.join(rest.pop(0).atom, rest, first)
    while rest:
        literal = min(rest, key=planner.cost)
        if planner.cost(literal) == _NEVER:
            raise InputError(f"a variable of {literal.atom} has no values")
        rest.remove(literal)
        if literal.binds and not planner.knows(literal.atom):
            planner.join(literal.atom, rest)
        else:
            planner.test(literal)
        planner.drop(rest)
    made = tuple(planner.column(term) for term in head[1:])
    needed = [key_of(literal.atom)[0] for literal in body if literal.binds]
    return Plan(planner.constants, tuple(planner.steps), row_getter(made), tuple(needed[first is not None :]))


class _Planner:
    def __init__(self, head: Atom, body: Sequence[Literal], look: Look) -> None:
        self.look, self.steps = look, list[Step]()
        self.of_head = variables(head)
        terms = [*head[1:], *(term for literal in body for term in key_of(literal.atom)[1])]
        ground = (part for term in terms for part in parts_of(term) if not variables(part))
        self.constants: Row = tuple(dict.fromkeys(ground))
        self.columns: dict[Term, int] = {term: column for column, term in enumerate(self.constants)}
        self.width = len(self.constants)

    def knows(self, term: Term) -> bool:
        """Whether all variables of a term or atom have columns."""
        return variables(term) <= self.columns.keys()

    def cost(self, literal: Literal) -> float:
        """How many rows a literal makes of one; nothing is better than a comparison."""
        if self.knows(literal.atom):
            return 0.0 if literal.atom[0] == "distinct" else 0.1
        if not literal.binds:
            return _NEVER
        key, terms = key_of(literal.atom)
        known = tuple(place for place, term in enumerate(terms) if self.knows(term))
        table = self.look(key)
        if not table.rows:  # none here, but perhaps in another state; of moves there is one a role at the most
            return 1.0 if key[0] == "does" else float(min(8, 2 ** (len(terms) - len(known))))
        return len(table.rows) / len(table.index(known, ()))

    def join(self, atom: Atom, rest: Sequence[Literal], source: Key | None = None) -> None:
        """Joins with the rows of a table; what the rest does not ask for gets no column."""
        key, terms = key_of(atom)
        asked = [name for other in (*(literal.atom for literal in rest), *terms) for name in parts_of(other)]
        keys = [place for place, term in enumerate(terms) if self.knows(term)]
        columns = tuple(self.column(terms[place]) for place in keys)
        values = [
            place
            for place, term in enumerate(terms)
            if place not in keys and not (is_variable(term) and term not in self.of_head and asked.count(term) == 1)
        ]
        self.steps.append(_joining(source or key, tuple(keys), columns, tuple(values)))
        begin, self.width = self.width, self.width + len(values)
        for column, place in enumerate(values, begin):
            self.match(column, terms[place])

    def match(self, column: int, term: Term) -> None:
        """Takes what stands in a column for a term of the rule: variables get their values, all else is compared."""
        if is_variable(term) and term not in self.columns:
            self.columns[term] = column
        elif self.knows(term):
            self.steps.append(_comparing(column, self.column(term), True))
        else:
            self.steps.append(_opening(column, str(term[0]), len(term)))
            begin, self.width = self.width, self.width + len(term) - 1
            for place, argument in enumerate(term[1:], begin):
                self.match(place, argument)

    def column(self, term: Term) -> int:
        """The column of a term whose variables are all known; it is made if need be."""
        if term not in self.columns:
            columns = tuple(self.column(argument) for argument in term[1:])
            self.steps.append(_making(str(term[0]), columns))
            self.columns[term] = self.width
            self.width += 1
        return self.columns[term]

    def test(self, literal: Literal) -> None:
        """Leaves out the rows for which a literal without new variables does not hold."""
        if literal.atom[0] == "distinct":
            one, other = map(self.column, literal.atom[1:])
            self.steps.append(_comparing(one, other, not literal.holds))
        else:
            key, terms = key_of(literal.atom)
            self.steps.append(_testing(key, tuple(map(self.column, terms)), literal.holds))

    def drop(self, rest: Sequence[Literal]) -> None:
        """Drops the columns of variables that nobody asks for any more, and those of terms, which can be made again."""
        asked = self.of_head.union(*(variables(literal.atom) for literal in rest))
        kept = [term for term in self.columns if term in asked]
        if rest and len(self.constants) + len(kept) < self.width:
            columns = (*range(len(self.constants)), *(self.columns[term] for term in kept))
            self.steps.append(_dropping(columns))
            self.width = len(columns)
            self.columns = {term: column for column, term in enumerate((*self.constants, *kept))}


def _joining(key: Key, keys: Columns, columns: Columns, values: Columns) -> Step:
    pick = getter(columns)

    def join(rows: Rows, look: Look) -> Rows:
        index = look(key).index(keys, values)
        return [row + more for row in rows for more in index.get(pick(row), ())]

    return join


def _testing(key: Key, columns: Columns, holds: bool) -> Step:
    pick = row_getter(columns)

    def test(rows: Rows, look: Look) -> Rows:
        there = look(key).rows
        return [row for row in rows if (pick(row) in there) == holds]

    return test


def _comparing(one: int, other: int, equal: bool) -> Step:
    return lambda rows, look: [row for row in rows if (row[one] == row[other]) == equal]


def _making(name: str, columns: Columns) -> Step:
    pick = row_getter(columns)
    return lambda rows, look: [(*row, (name, *pick(row))) for row in rows]


def _opening(column: int, name: str, length: int) -> Step:
    def opened(rows: Rows, look: Look) -> Rows:
        found = ((row, row[column]) for row in rows)
        return [row + t[1:] for row, t in found if isinstance(t, tuple) and t[0] == name and len(t) == length]

    return opened


def _dropping(columns: Columns) -> Step:
    pick = row_getter(columns)
    return lambda rows, look: set(map(pick, rows))
