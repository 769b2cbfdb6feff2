"""A rule as a list of steps over sets of rows: relational algebra.

The rows of a plan begin with the constants of its rule, so that a constant is looked up like a variable. A literal
that holds joins the rows with those of its relation, one that fails and ``distinct`` leave rows out, and a
disjunction is the union of what its parts make of the rows. Columns that nothing asks for any more are dropped, and
with them rows that differ in nothing else. The order is chosen when a plan is made: what needs no new column first,
then the relation with the fewest rows for what is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any as Anything
from typing import Final, Protocol

from zermelo.check.sheets.normal import All, Any, Literal, Part, bound, literals_of, variables_in
from zermelo.check.sheets.tables import Columns, Row, Table, Terms, getter, row_getter
from zermelo.check.sheets.terms import Atom, Term, is_variable, parts_of, variables
from zermelo.errors import InputError

Rows = Iterable[Row]
Key = tuple[str, ...]
"""What a table is kept by: a relation's name and number of arguments; of facts and moves, also their function."""
MOST_STEPS: Final = 200_000
"""Steps of all plans of one rule; disjunctions that can only be taken apart would multiply."""


class Tables(Protocol):
    """Where a plan finds the rows of relations."""

    most: int
    """No more rows than this at once, or :class:`TooManyRowsError`."""

    def table(self, relation: Key, keys: Columns, wanted: Callable[[], set[Anything]]) -> Table:
        """The rows of a relation, at least those that have a wanted key in their key columns."""

    def is_asked(self, relation: Key) -> bool:
        """Whether only those rows are made that somebody asks for."""

    def is_there(self, relation: Key) -> bool:
        """Whether there are facts or moves of a kind."""


class TooManyRowsError(Exception):
    """A relation is larger than it may be as a whole."""


Step = Callable[[Rows, Tables], Rows]


@dataclass(frozen=True)
class Plan:
    """The steps, and the columns of the head in the rows that are left."""

    constants: Row
    steps: tuple[Step, ...]
    head: Callable[[Row], Row]
    given: tuple[Key, ...]
    """The tables of facts and moves without which there is nothing to find."""

    def rows(self, tables: Tables, given: Rows | None = None) -> set[Row]:
        """The rows of the head; ``given`` are values to begin with, where the plan was made for some."""
        if not all(map(tables.is_there, self.given)):
            return set()
        rows: Rows = [self.constants] if given is None else [self.constants + row for row in given]
        for step in self.steps:
            rows = step(rows, tables)
            if not rows:
                return set()
        return set(map(self.head, rows))


def key_of(atom: Atom) -> tuple[Key, tuple[Term, ...]]:
    """The table that an atom is looked up in, and the terms of its columns.

    Facts and moves are looked up by their function: its arguments are columns.

    >>> key_of(("true", ("cell", "?x", "b"))), key_of(("does", "?r", "noop")), key_of(("true", "?f"))
    ((('true', 'cell', '2'), ('?x', 'b')), (('does', 'noop', '0'), ('?r',)), (('true', '1'), ('?f',)))
    """
    name, *terms = atom
    if (name == "true" and len(terms) == 1) or (name == "does" and len(terms) == 2):
        last = terms[-1]
        if isinstance(last, tuple):
            return (str(name), str(last[0]), str(len(last) - 1)), (*terms[:-1], *last[1:])
        if not is_variable(last):
            return (str(name), last, "0"), tuple(terms[:-1])
    return (str(name), str(len(terms))), tuple(terms)


def plan_of(head: Atom, body: All, terms: Terms, tables: Tables, given: Columns = (), first: Key | None = None) -> Plan:
    """The plan of a rule: for all rows of the head, or for those with given values in some of its columns.

    ``first`` is the table to begin with, that of the new rows where a recursive rule is applied again; it stands for
    the relation in the first literal of the body.
    """
    columns = [head[1:], *(key_of(literal.atom)[1] for literal in literals_of(body))]
    constants = {terms.text(term): None for terms_there in columns for term in _ground_terms(terms_there)}
    planner = _Planner(terms, tables, {text: column for column, text in enumerate(constants)})
    planner.width = len(constants) + len(given)
    planner.needed_at_end = variables(head)
    parts = list(flat(body))
    for place, column in enumerate(given):
        planner.match(len(constants) + place, head[1 + column])
    if first is not None:
        planner.join(parts.pop(0), parts, first)  # type: ignore[arg-type]
    planner.run(parts)
    made = tuple(planner.column(term) for term in head[1:])
    keys = (key_of(part.atom)[0] for part in flat(body) if isinstance(part, Literal) and part.binds)
    return Plan(tuple(constants), tuple(planner.steps), row_getter(made), tuple(key for key in keys if len(key) == 3))


def _ground_terms(columns: Iterable[Term]) -> Iterable[Term]:
    """The ground terms that stand in columns or inside the terms there, none of them inside another one."""
    waiting = list(columns)
    while waiting:
        term = waiting.pop()
        if not variables(term):
            yield term
        elif isinstance(term, tuple):
            waiting.extend(term[1:])


def flat(part: Part) -> Iterable[Part]:
    """The parts of a conjunction, however it is nested."""
    if isinstance(part, All):
        for inner in part.parts:
            yield from flat(inner)
    elif isinstance(part, Any) and len(part.parts) == 1:
        yield from flat(part.parts[0])
    else:
        yield part


@dataclass
class _Planner:
    terms: Terms
    tables: Tables
    constants: dict[str, int]
    columns: dict[str, int] = field(default_factory=dict)
    """The column of each variable that has one."""
    width: int = 0
    steps: list[Step] = field(default_factory=list)
    needed_at_end: set[str] = field(default_factory=set)
    keeps: bool = False
    """Whether columns stay where they are."""
    budget: list[int] = field(default_factory=lambda: [MOST_STEPS])

    def run(self, parts: list[Part]) -> None:
        """Plans all parts, the cheapest first."""
        while parts:
            self.budget[0] -= 1
            if self.budget[0] < 0:
                raise InputError("a rule has disjunctions that can only be taken apart, and too many of them")
            part = min(parts, key=lambda one: self.cost(one, parts))
            if self.cost(part, parts) == _NEVER:
                self.take_apart(parts)
                return
            parts.remove(part)
            if isinstance(part, Literal):
                if part.binds and not variables(part.atom) <= self.columns.keys():
                    self.join(part, parts)
                else:
                    self.test(part)
            else:
                self.unite(part, parts)  # type: ignore[arg-type]
            self.drop(parts)

    def cost(self, part: Part, parts: Sequence[Part]) -> float:
        """How many rows a part makes of one; nothing is better than a comparison."""
        known = self.columns.keys()
        if isinstance(part, Literal):
            if variables(part.atom) <= known:
                return 0.0 if part.atom[0] == "distinct" else 0.1
            return self.fanout(part.atom) if part.binds else _NEVER
        needed = self.needed_by(part, parts)
        return _NEVER if not needed <= known else 0.5 if variables_in(part) <= known else 1000.0

    def needed_by(self, part: Part, parts: Sequence[Part]) -> set[str]:
        """What has to be known before a disjunction: what its parts do not all say, but somebody asks for."""
        others = self.needed_at_end.union(*(variables_in(other) for other in parts if other is not part))
        loose = {name for literal in literals_of(part) if not literal.binds for name in variables(literal.atom)}
        return ((others & variables_in(part)) | loose) - bound(part)

    def fanout(self, atom: Atom) -> float:
        key, columns = key_of(atom)
        known = tuple(place for place, term in enumerate(columns) if variables(term) <= self.columns.keys())
        if self.tables.is_asked(key):
            return 1.0 if known else _LAST
        table = self.tables.table(key, (), lambda: {()})
        if not table.rows:
            # None here, but perhaps in another state; of moves there is one a role at the most.
            return 1.0 if key[0] == "does" else float(min(8, 2 ** (len(columns) - len(known))))
        return len(table.rows) / max(1, len(table.index(known, ())))

    def join(self, literal: Literal, parts: Sequence[Part], source: Key | None = None) -> None:
        """Joins with the rows of a relation."""
        key, terms = key_of(literal.atom)
        wanted = self.needed_at_end.union(*map(variables_in, parts))
        again = [name for term in terms for name in _occurrences(term)]
        keys, columns, values, opened = list[int](), list[int](), list[int](), list[Term]()
        for place, term in enumerate(terms):
            if variables(term) <= self.columns.keys():
                keys.append(place)
                columns.append(self.column(term))
            elif not is_variable(term) or term in wanted or again.count(str(term)) > 1:
                values.append(place)
                opened.append(term)
        self.steps.append(_joining(source or key, tuple(keys), tuple(columns), tuple(values)))
        begin, self.width = self.width, self.width + len(values)
        for place, term in enumerate(opened):
            self.match(begin + place, term)

    def match(self, column: int, term: Term) -> None:
        """Takes the term in a column for one of the rule: variables get their values, all else is compared."""
        waiting: list[tuple[int, Term]] = [(column, term)]
        while waiting:
            at, here = waiting.pop()
            if isinstance(here, str) and is_variable(here) and here not in self.columns:
                self.columns[here] = at
            elif variables(here) <= self.columns.keys():
                self.steps.append(_comparing(at, self.column(here), True))
            else:
                name, arguments = here[0], here[1:]
                self.steps.append(_opening(self.terms, at, str(name), len(arguments)))
                waiting += [(self.width + place, argument) for place, argument in enumerate(arguments)]
                self.width += len(arguments)

    def column(self, term: Term) -> int:
        """The column of a term whose variables are all known; it is made if need be."""
        if isinstance(term, str) and is_variable(term):
            return self.columns[term]
        if not variables(term):
            return self.constants[self.terms.text(term)]
        columns = tuple(self.column(argument) for argument in term[1:])
        self.steps.append(_making(self.terms.maker(str(term[0]), len(columns)), columns))
        self.width += 1
        return self.width - 1

    def test(self, literal: Literal) -> None:
        """Leaves out the rows for which a literal without new variables does not hold."""
        if literal.atom[0] == "distinct":
            one, other = (self.column(term) for term in literal.atom[1:])
            self.steps.append(_comparing(one, other, not literal.holds))
            return
        key, terms = key_of(literal.atom)
        columns = tuple(self.column(term) for term in terms)
        self.steps.append(_testing(key, columns, literal.holds))

    def unite(self, part: Any, parts: Sequence[Part]) -> None:
        """The union of what the parts of a disjunction make of the rows."""
        wanted = self.needed_at_end.union(*map(variables_in, parts))
        fresh = sorted((bound(part) & wanted) - self.columns.keys())
        kept = tuple(range(self.width))
        branches = []
        for alternative in part.parts:
            inner = self.copy(set(fresh) | self.columns.keys())
            inner.run(list(flat(alternative)))
            branches.append((tuple(inner.steps), row_getter((*kept, *(inner.columns[name] for name in fresh)))))
        self.steps.append(_uniting(branches))
        for place, name in enumerate(fresh):
            self.columns[name] = self.width + place
        self.width += len(fresh)

    def take_apart(self, parts: Sequence[Part]) -> None:
        """Where no part can be next: the union over the parts of a disjunction, each with all that is left to do."""
        choice = next((part for part in parts if isinstance(part, Any)), None)
        if choice is None:
            raise InputError(f"a variable of {parts[0]} has no values")
        rest = [part for part in parts if part is not choice]
        wanted = sorted(self.needed_at_end)
        branches = []
        for alternative in choice.parts:
            inner = self.copy(self.needed_at_end)
            inner.run([*flat(alternative), *rest])
            columns = (*range(len(self.constants)), *(inner.columns[name] for name in wanted))
            branches.append((tuple(inner.steps), row_getter(columns)))
        self.steps.append(_uniting(branches))
        self.columns = {name: len(self.constants) + place for place, name in enumerate(wanted)}
        self.width = len(self.constants) + len(wanted)

    def copy(self, needed: set[str]) -> _Planner:
        """A planner that goes on from here by itself, and keeps all columns there are."""
        known = dict(self.columns)
        return _Planner(self.terms, self.tables, self.constants, known, self.width, [], needed, True, self.budget)

    def drop(self, parts: Sequence[Part]) -> None:
        """Drops the columns of variables that nobody asks for any more."""
        needed = self.needed_at_end.union(*map(variables_in, parts))
        if self.keeps or not parts or self.columns.keys() <= needed:
            return
        kept = [name for name in self.columns if name in needed]
        columns = (*range(len(self.constants)), *(self.columns[name] for name in kept))
        self.steps.append(_dropping(columns))
        self.columns = {name: len(self.constants) + place for place, name in enumerate(kept)}
        self.width = len(columns)


_LAST: Final = 1e9
_NEVER: Final = 1e18


def _occurrences(term: Term) -> list[str]:
    return [part for part in parts_of(term) if isinstance(part, str) and part.startswith("?")]


def _joining(key: Key, keys: Columns, columns: Columns, values: Columns) -> Step:
    pick = getter(columns)

    def join(rows: Rows, tables: Tables) -> Rows:
        index = tables.table(key, keys, lambda: set(map(pick, rows))).index(keys, values)
        if not values:
            return [row for row in rows if pick(row) in index]
        find = index.get
        found = [row + more for row in rows for more in find(pick(row), ())]
        if len(found) > tables.most:
            raise TooManyRowsError
        return found

    return join


def _testing(key: Key, columns: Columns, holds: bool) -> Step:
    pick, count = getter(columns), len(columns)
    keys = tuple(range(count))

    def test(rows: Rows, tables: Tables) -> Rows:
        there = tables.table(key, keys, lambda: set(map(pick, rows))).has(count)
        if holds:
            return [row for row in rows if pick(row) in there]
        return [row for row in rows if pick(row) not in there]

    return test


def _comparing(one: int, other: int, equal: bool) -> Step:
    if equal:
        return lambda rows, tables: [row for row in rows if row[one] == row[other]]
    return lambda rows, tables: [row for row in rows if row[one] != row[other]]


def _making(maker: dict[Anything, str], columns: Columns) -> Step:
    pick = getter(columns)
    return lambda rows, tables: [(*row, maker[pick(row)]) for row in rows]


def _opening(terms: Terms, column: int, name: str, count: int) -> Step:
    parts = terms.parts

    def opened(rows: Rows, tables: Tables) -> Rows:
        found = [(row, parts.get(row[column])) for row in rows]
        return [row + part[1] for row, part in found if part and part[0] == name and len(part[1]) == count]

    return opened


def _dropping(columns: Columns) -> Step:
    pick = row_getter(columns)
    return lambda rows, tables: set(map(pick, rows))


def _uniting(branches: Sequence[tuple[Sequence[Step], Callable[[Row], Row]]]) -> Step:
    def unite(rows: Rows, tables: Tables) -> Rows:
        found: set[Row] = set()
        for steps, pick in branches:
            here = rows
            for step in steps:
                here = step(here, tables)
            found.update(map(pick, here))
        return found

    return unite
