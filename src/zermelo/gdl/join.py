"""Joins: the tables of relations, their indexes, and rules compiled to nested loops of Python.

A ground term is a string (a constant) or a tuple that starts with the name of a function. A row of a table holds the
arguments of an atom. For the rule ``(<= (legal ?p (mark ?x)) (true (control ?p)) (true (cell ?x b)))`` and a state in
which few roles have the control, the compiler writes

    for v0 in i0.get(()):                  # i0: the true (control _), by nothing
        for v1 in i1.get('b'):             # i1: the true (cell _ _), by the second argument
            out.add((v0, ('mark', v1)))

The literals are put in order when a rule is first used, by how many rows each has for what is bound by then.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import prod
from typing import Any, Final

from zermelo.gdl.lower import Literal, PlainRule, Sign
from zermelo.gdl.syntax import Function, Term, Variable, variables_of

Ground = str | tuple["Ground", ...]
"""A ground term: a constant's name, or a function's name followed by its arguments."""
Row = tuple[Ground, ...]
Join = Callable[[Sequence["Table"], set[Row]], None]
"""Adds the head of a rule to a set for every way to satisfy the body in the given tables (one for each literal)."""

LOOPS: Final = 15
"""Loops nested in one function; Python allows twenty blocks."""

COUNTED: Final = 500
"""In tables of up to so many rows, the rows for a key are counted; in larger ones their number is estimated."""

KEY: Final = "key"
SKIP: Final = "skip"
Shape = str | int | tuple["Shape", ...]
"""What an index makes of an argument: ``KEY``, ``SKIP``, the number of a value, or a function's name with shapes."""


@dataclass(frozen=True)
class IndexKind:
    """An index by the arguments marked ``KEY`` that yields the numbered ones; one number twice must be equal.

    Without values an index is the set of keys, else it leads from a key to the list of values. Parts of an argument
    can be marked as well: ``(("cell", KEY, 0),)`` looks into the function term ``cell``.
    """

    shapes: tuple[Shape, ...]
    values: tuple[int, ...]


@dataclass
class Table:
    """The rows of a relation and its indexes, which are built when first asked for and then kept up to date."""

    rows: set[Row] = field(default_factory=set)
    indexes: dict[IndexKind, Any] = field(default_factory=dict)
    counts: dict[int, tuple[int, int]] = field(default_factory=dict)

    def index(self, kind: IndexKind) -> Any:
        """The index of a kind: a set of keys or a mapping from keys to lists of values.

        >>> table = Table({(("cell", "1", "x"),), (("cell", "2", "x"),), ("done",)})
        >>> sorted(table.index(IndexKind((("cell", 0, KEY),), (0,)))["x"])
        ['1', '2']
        """
        found = self.indexes.get(kind)
        if found is None:
            found = {} if kind.values else set()
            _filler(kind)(found, self.rows)
            self.indexes[kind] = found
        return found

    def size(self) -> int:
        """How many rows there are."""
        return len(self.rows)

    def different(self, place: int) -> int:
        """How many different values there are at a place of the rows."""
        found = self.counts.get(place)
        if found is None or found[0] != len(self.rows):
            found = self.counts[place] = (len(self.rows), len({row[place] for row in self.rows}))
        return found[1]

    def complete(self) -> Table:
        """The table with all its rows."""
        return self

    def answers(self, kind: IndexKind) -> bool:
        """Whether a lookup of this kind is answered without computing the whole table."""
        del kind
        return True

    def add(self, rows: Collection[Row]) -> None:
        """Adds rows that are not there yet."""
        self.rows.update(rows)
        for kind, index in self.indexes.items():
            _filler(kind)(index, rows)


@cache
def _filler(kind: IndexKind) -> Callable[[Any, Iterable[Row]], None]:
    """The function that enters rows into an index of this kind."""
    tests: list[str] = []
    keys: list[str] = []
    values: dict[int, str] = {}
    waiting = [(shape, f"row[{place}]") for place, shape in enumerate(kind.shapes)]
    while waiting:
        shape, at = waiting.pop(0)
        if shape == KEY:
            keys.append(at)
        elif isinstance(shape, int):
            if shape in values:
                tests.append(f"{values[shape]} != {at}")
            values.setdefault(shape, at)
        elif isinstance(shape, tuple):
            tests.append(f"{at}.__class__ is not tuple or len({at}) != {len(shape)} or {at}[0] != {shape[0]!r}")
            waiting[:0] = [(part, f"{at}[{place}]") for place, part in enumerate(shape) if place]
    # Function terms are opened before the equalities are tested: the tests stand in the order of the walk.
    lines = ["def fill(index, rows):", "    for row in rows:"]
    lines += [f"        if {test}: continue" for test in tests]
    key = _tuple(keys)
    if kind.values:
        value = _tuple([values[number] for number in kind.values])
        skips = _has_skip(kind.shapes) or len(kind.values) < len(values)
        if skips:
            lines.append(f"        index.setdefault({key}, {{}})[{value}] = None")
        else:
            lines.append(f"        index.setdefault({key}, []).append({value})")
    else:
        lines.append(f"        index.add({key})")
    fill: Callable[[Any, Iterable[Row]], None] = _compiled(lines, {})["fill"]
    return fill


def _has_skip(shapes: Iterable[Shape]) -> bool:
    return any(shape == SKIP or (isinstance(shape, tuple) and _has_skip(shape[1:])) for shape in shapes)


def _tuple(parts: Sequence[str]) -> str:
    """One part stands for itself: shorter keys are faster to look up."""
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


def _compiled(lines: Sequence[str], names: dict[str, Any]) -> dict[str, Any]:
    # The text holds nothing of the rulesheet but names quoted by repr().
    exec("\n".join(lines), names)
    return names


def fanout(table: Table, kind: IndexKind) -> float:
    """How many values an index has for one of its keys, on average.

    Counted in small tables; in large ones, as if the arguments were independent of each other.
    """
    if not kind.values:
        return 0.5
    if not table.answers(kind):
        return 1e9  # possible, but the last thing to do
    index: Any = table.indexes.get(kind)
    if index is None:
        if len(table.rows) > COUNTED and not any(isinstance(shape, tuple) for shape in kind.shapes):
            places = [place for place, shape in enumerate(kind.shapes) if shape == KEY]
            return len(table.rows) / prod(table.different(place) for place in places)
        index = {}
        _filler(kind)(index, table.rows)
    if len(index) == 0:
        return float(2 ** len(kind.values))  # empty here, but not in every state
    return sum(map(len, index.values())) / len(index)


def compile_rule(rule: PlainRule, tables: Sequence[Table], first: int | None = None) -> Join:
    """A rule as a function; the tables (one for each literal) are what the order of the loops is chosen by.

    ``first`` is the literal to begin with: that of the new rows, where a recursive rule is applied again.
    """
    return _Writer(rule, _order(rule, tables, first)[0]).join()


def estimate(rule: PlainRule, tables: Sequence[Table]) -> float:
    """About how many ways there are to satisfy the body of a rule: the product of the rows met at each loop.

    >>> from zermelo.gdl.kif import read_kif
    >>> from zermelo.gdl.lower import lower
    >>> table = Table({(name,) for name in "abcd"})
    >>> estimate(lower(read_kif("(<= (pair ?x ?y) (p ?x) (p ?y))"))[0], [table, table])
    16.0
    """
    return _order(rule, tables, None)[1]


def _order(rule: PlainRule, tables: Sequence[Table], first: int | None) -> tuple[list[int], float]:
    """Tests as soon as their variables are bound, else the atom with the fewest rows for what is bound.

    With the order comes the product of these numbers of rows.
    """
    left = list(range(len(rule.body)))
    order: list[int] = []
    bound: set[str] = set()
    ways = 1.0

    def take(place: int) -> None:
        left.remove(place)
        order.append(place)
        if rule.body[place].sign is Sign.HOLDS:
            bound.update(variables_of(rule.body[place].atom))

    if first is not None:
        take(first)
    while left:
        tests = [place for place in left if variables_of(rule.body[place].atom) <= bound]
        if tests:
            # Comparing two terms is cheaper than looking up a row.
            take(min(tests, key=lambda place: rule.body[place].sign is not Sign.DISTINCT))
            continue
        atoms = [place for place in left if rule.body[place].sign is Sign.HOLDS]
        costs = {}
        for place in atoms:
            kind, _, _ = _lookup(rule.body[place].atom, bound, variables_of(rule.body[place].atom) - bound)
            costs[place] = fanout(tables[place], kind)
        cheapest = min(atoms, key=lambda place: costs[place])
        ways *= costs[cheapest]
        take(cheapest)
    return order, ways


def _lookup(atom: Function, bound: Collection[str], wanted: Collection[str]) -> tuple[IndexKind, list[Term], list[str]]:
    """The index for an atom where some variables are bound and some values wanted; the keys; the names of the values.

    The largest parts without free variables are the keys.
    """
    keys: list[Term] = []
    numbers: dict[str, int] = {}
    free = [name for name in _occurrences(atom) if name not in bound]

    def shape(term: Term) -> Shape:
        if variables_of(term) <= set(bound):
            keys.append(term)
            return KEY
        if isinstance(term, Variable):
            if term.name not in wanted and free.count(term.name) == 1:
                return SKIP
            return numbers.setdefault(term.name, len(numbers))
        return (term.name, *map(shape, term.args))

    shapes = tuple(map(shape, atom.args))
    names = [name for name in numbers if name in wanted]
    return IndexKind(shapes, tuple(numbers[name] for name in names)), keys, names


def _occurrences(term: Term) -> list[str]:
    if isinstance(term, Variable):
        return [term.name]
    return [name for arg in term.args for name in _occurrences(arg)]


@dataclass
class _Writer:
    """Writes the loops of one rule, literal by literal in the given order."""

    rule: PlainRule
    order: Sequence[int]
    opening: list[str] = field(default_factory=list)
    functions: list[list[str]] = field(default_factory=list)
    constants: dict[IndexKind, str] = field(default_factory=dict)
    locals: dict[str, str] = field(default_factory=dict)

    def join(self) -> Join:
        body = self.steps(0, set(), 1, 0, False)
        lines = ["def join(tables, out):", *self.opening]
        if not variables_of(self.rule.head):
            lines.insert(1, f"    if {self.head()} in out: return")
        for function in self.functions:
            lines += function
        lines += body
        join: Join = _compiled(lines, {name: kind for kind, name in self.constants.items()})["join"]
        return join

    def steps(self, start: int, bound: set[str], indent: int, loops: int, exists: bool) -> list[str]:
        """The code for the literals from ``start`` on.

        Inside ``exists`` the head is bound and one way to satisfy the rest is enough: success returns True.
        """
        lines: list[str] = []
        pad = "    " * indent
        leave = "continue" if loops else "return"
        head = variables_of(self.rule.head)
        bound = set(bound)
        for step in range(start, len(self.order)):
            place = self.order[step]
            literal = self.rule.body[place]
            atom = literal.atom
            needed = head.union(*(variables_of(self.rule.body[later].atom) for later in self.order[step + 1 :]))
            if literal.sign is not Sign.HOLDS or variables_of(atom) <= bound:
                lines.append(f"{pad}if {self.failure(literal, place)}: {leave}")
                continue
            kind, keys, names = _lookup(atom, bound, (variables_of(atom) - bound) & needed)
            index = self.index(place, kind)
            key = _tuple([self.value(term) for term in keys])
            if not names:
                lines.append(f"{pad}if {key} not in {index}: {leave}")
                continue
            if not exists and head <= bound and loops:
                return lines + self.tail(step, bound, pad)
            if loops == LOOPS:
                return lines + self.rest(step, bound, pad, exists)
            lines.append(f"{pad}for {', '.join(self.local(name) for name in names)} in {index}.get({key}, ()):")
            inner = self.steps(step + 1, bound | set(names), indent + 1, loops + 1, exists)
            return lines + inner
        if exists:
            return [*lines, f"{pad}return True"]
        lines.append(f"{pad}out.add({self.head()})")
        if loops == 0 or not head:
            lines.append(f"{pad}return")
        return lines

    def tail(self, step: int, bound: set[str], pad: str) -> list[str]:
        """A search for one way to satisfy the rest, asked for heads that are not known yet."""
        call = self.function(step, bound, True)
        return [f"{pad}head = {self.head()}", f"{pad}if head not in out and {call}: out.add(head)"]

    def rest(self, step: int, bound: set[str], pad: str, exists: bool) -> list[str]:
        """The rest in a function of its own: Python does not nest blocks deeper."""
        call = self.function(step, bound, exists)
        return [f"{pad}if {call}: return True"] if exists else [f"{pad}{call}"]

    def function(self, step: int, bound: set[str], exists: bool) -> str:
        """Writes a function for the literals from ``step`` on; the call to it."""
        arguments = ", ".join(self.local(name) for name in sorted(bound))
        body = self.steps(step, bound, 2, 0, exists)
        name = f"part{len(self.functions)}"
        self.functions.append([f"    def {name}({arguments}):", *body])
        return f"{name}({arguments})"

    def failure(self, literal: Literal, place: int) -> str:
        """The condition under which a literal without free variables does not hold."""
        atom = literal.atom
        if literal.sign is Sign.DISTINCT:
            return f"{self.value(atom.args[0])} == {self.value(atom.args[1])}"
        rows = f"r{place}"
        opening = f"    {rows} = tables[{place}].rows"
        if opening not in self.opening:
            self.opening.append(opening)
        row = f"({''.join(self.value(arg) + ', ' for arg in atom.args)})"
        return f"{row} {'not in' if literal.sign is Sign.HOLDS else 'in'} {rows}"

    def index(self, place: int, kind: IndexKind) -> str:
        constant = self.constants.setdefault(kind, f"K{len(self.constants)}")
        self.opening.append(f"    i{place} = tables[{place}].index({constant})")
        self.opening.append(f"    if not i{place}: return")
        return f"i{place}"

    def head(self) -> str:
        return f"({''.join(self.value(arg) + ', ' for arg in self.rule.head.args)})"

    def value(self, term: Term) -> str:
        if isinstance(term, Variable):
            return self.local(term.name)
        if not term.args:
            return repr(term.name)
        return f"({', '.join([repr(term.name), *map(self.value, term.args)])})"

    def local(self, name: str) -> str:
        return self.locals.setdefault(name, f"v{len(self.locals)}")
