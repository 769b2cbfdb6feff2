"""A rule as a list of steps over sets of rows: relational algebra.

Rows begin with the values that are asked about and the constants of the rule, so that a constant is looked up like a
variable. An atom that holds joins the rows with those of its relation, one that fails and ``distinct`` leave rows out.
Columns that nothing asks for any more are dropped, and with them rows that differ in nothing else. The order is chosen
when a plan is made: what needs no new column first, then the relation with the fewest rows for what is known.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from copy import copy
from functools import cache
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from zermelo.check.sheets.rules import Body, Either, Literal, bound, literals_of
from zermelo.check.sheets.terms import Atom, Relation, Term, is_variable, parts_of, relation_of, variables

if TYPE_CHECKING:
    from zermelo.check.sheets.reason import View

NEW: Final = "new "
"""What the name of a relation begins with that holds the rows which a round of a recursion found new."""
Row = tuple[Term, ...]
Rows = Collection[Row]
Columns = tuple[int, ...]
Index = dict[Row, set[Row]]
"""The rows of a relation by what stands in some columns."""


class Mode(NamedTuple):
    """A way of asking for rows of a relation: which arguments are given."""

    relation: Relation
    given: Columns


Step = Callable[[Rows, "View"], Rows]


def split(atom: Atom) -> Atom:
    """The atom that is looked up: facts and moves are kept by their function.

    >>> split(("true", ("cell", "?x", "b"))), split(("does", "?r", "noop")), split(("true", "?f"))
    (('true cell', '?x', 'b'), ('does noop', '?r'), ('true', '?f'))
    """
    if atom[0] not in ("true", "does") or is_variable(last := atom[-1]):
        return atom
    function, *arguments = last if isinstance(last, tuple) else (last,)
    return (f"{atom[0]} {function}", *atom[1:-1], *arguments)


@cache
def picker(columns: Columns) -> Callable[[Row], Row]:
    """What picks columns out of a row.

    >>> picker((1,))(("a", "b")), picker((1, 0))(("a", "b")), picker(())(("a", "b"))
    (('b',), ('b', 'a'), ())
    """
    if len(columns) > 1:
        return itemgetter(*columns)
    return (lambda row: (row[columns[0]],)) if columns else (lambda row: ())


class Plan:
    """The steps of a rule for one way of asking for its head; ``columns`` says where each term stands meanwhile."""

    def __init__(self, head: Atom, body: Body, given: Columns, view: View) -> None:
        terms = chain(head[1:], *(split(literal.atom)[1:] for literal in literals_of(body)))
        ground = (part for term in terms for part in parts_of(term) if not variables(part))
        self.constants: Row = tuple(dict.fromkeys(ground))
        self.columns: dict[Term, int] = {term: column for column, term in enumerate(self.constants, len(given))}
        self.fixed = self.width = len(given) + len(self.constants)
        """So many columns are there, and so many of them are never dropped."""
        self.steps: list[Step] = []
        self.view = view
        for column, place in enumerate(given):
            self.match(column, head[1 + place])
        self.conjunction(body, variables(head))
        self.head = picker(tuple(map(self.column, head[1:])))

    def rows(self, keys: Iterable[Row], view: View) -> Iterable[Row]:
        """The rows of the head for some keys."""
        return map(self.head, self.run([key + self.constants for key in keys], view))

    def run(self, rows: Rows, view: View) -> Rows:
        """What the steps make of rows."""
        for step in self.steps:
            if not rows:
                break
            rows = step(rows, view)
        return rows

    def knows(self, term: Term) -> bool:
        """Whether all variables of a term or atom have columns."""
        return variables(term) <= self.columns.keys()

    def conjunction(self, body: Body, asked: set[str]) -> None:
        """The steps of a conjunction after which some variables are asked for."""
        rest = list(body)
        while rest:
            part = min(rest, key=self.cost)
            rest.remove(part)
            after = asked.union(*(variables(literal.atom) for literal in literals_of(tuple(rest))))
            if isinstance(part, Literal):
                self.literal(part)
            elif self.stands_alone(part, after):
                self.either(part.branches, after)
            else:
                self.either([(*branch, *rest) for branch in part.branches], asked)
                rest = []
            self.keep(after if rest else asked)

    def cost(self, part: Literal | Either) -> float:
        """How many rows a part makes of one; nothing is better than a comparison."""
        if isinstance(part, Either):
            return 0.2 if all(self.knows(literal.atom) for literal in literals_of((part,))) else 1e17
        if self.knows(part.atom):
            return 0.0 if part.atom[0] == "distinct" else 0.1
        return self.view.cost(self.mode(part.atom)) if part.binds else 1e18

    def mode(self, atom: Atom) -> Mode:
        """How the rows of an atom are asked for."""
        given = (place for place, term in enumerate(split(atom)[1:]) if self.knows(term))
        return Mode(relation_of(split(atom)), tuple(given))

    def literal(self, literal: Literal) -> None:
        """Joins rows with those of a relation, or leaves out those for which a literal does not hold."""
        name, *terms = split(literal.atom)
        if self.knows(literal.atom):
            columns = tuple(map(self.column, terms))
            if name == "distinct":
                self.compare(columns[0], columns[1], equal=not literal.holds)
            else:
                self.steps.append(_testing(self.mode(literal.atom), picker(columns), literal.holds))
            return
        assert literal.binds, "in a valid rule every other literal has its values by now"
        mode = self.mode(literal.atom)
        self.steps.append(_joining(mode, picker(tuple(self.column(terms[place]) for place in mode.given))))
        begin, self.width = self.width, self.width + len(terms)
        for place, term in enumerate(terms):
            if place not in mode.given:
                self.match(begin + place, term)

    def stands_alone(self, part: Either, after: set[str]) -> bool:
        """Whether its branches can be worked out each by itself: all give values to the variables of the rest."""
        used = set[str]().union(*(variables(literal.atom) for literal in literals_of((part,))))
        return (used & after) - bound((part,)) <= self.columns.keys()

    def either(self, branches: Sequence[Body], asked: set[str]) -> None:
        """The rows of all branches; where these do not stand alone, the rest of the conjunction is in each of them."""
        ways = [copy(self) for _ in branches]
        for way, branch in zip(ways, branches, strict=True):
            way.steps, way.columns = [], dict(self.columns)
            way.conjunction(branch, asked)
            way.keep(asked)
        for way in ways[:1]:
            self.columns, self.width = way.columns, way.width  # as in all others
        self.steps.append(lambda rows, view: set[Row]().union(*(way.run(rows, view) for way in ways)))

    def match(self, column: int, term: Term) -> None:
        """Takes what stands in a column for a term of the rule: variables get their values, all else is compared."""
        if self.knows(term):
            self.compare(column, self.column(term), equal=True)
        elif isinstance(term, str):
            self.columns[term] = column
        else:
            self.steps.append(_opening(column, term[0], len(term)))
            begin, self.width = self.width, self.width + len(term) - 1
            for place, argument in enumerate(term[1:], begin):
                self.match(place, argument)

    def compare(self, one: int, other: int, equal: bool) -> None:
        """Keeps the rows in which two columns have the same value, or those in which they have not."""
        self.steps.append(lambda rows, view: [row for row in rows if (row[one] == row[other]) == equal])

    def column(self, term: Term) -> int:
        """The column of a term whose variables are all known; it is made if need be."""
        if term not in self.columns:
            name, pick = term[0], picker(tuple(map(self.column, term[1:])))
            self.steps.append(lambda rows, view: [(*row, (name, *pick(row))) for row in rows])
            self.columns[term] = self.width
            self.width += 1
        return self.columns[term]

    def keep(self, asked: set[str]) -> None:
        """Drops the columns of variables that nobody asks for any more, and those of terms, which can be made again."""
        kept = sorted(name for name in asked if self.columns.get(name, -1) >= self.fixed)
        columns = (*range(self.fixed), *(self.columns[name] for name in kept))
        if columns != tuple(range(self.width)):
            pick = picker(columns)
            self.steps.append(lambda rows, view: set(map(pick, rows)))
        self.columns = {term: column for term, column in self.columns.items() if column < self.fixed}
        self.columns |= {name: column for column, name in enumerate(kept, self.fixed)}
        self.width = len(columns)


def _joining(mode: Mode, pick: Callable[[Row], Row]) -> Step:
    def join(rows: Rows, view: View) -> Rows:
        index = view.index(mode, map(pick, rows))
        return [row + more for row in rows for more in index.get(pick(row), ())]

    return join


def _testing(mode: Mode, pick: Callable[[Row], Row], holds: bool) -> Step:
    def test(rows: Rows, view: View) -> Rows:
        index = view.index(mode, map(pick, rows))
        return [row for row in rows if (pick(row) in index) == holds]

    return test


def _opening(column: int, name: Term, length: int) -> Step:
    def opened(rows: Rows, view: View) -> Rows:
        found = ((row, row[column]) for row in rows)
        return [row + t[1:] for row, t in found if isinstance(t, tuple) and t[0] == name and len(t) == length]

    return opened
