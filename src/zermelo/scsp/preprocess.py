"""Smaller networks with the same solutions: section 4.1 of Koriche, Lagrue, Piette and Tabary (2016).

Each step takes a network and returns one with the same consistent instantiations and the same feasible policies of the
same utilities, where values are known by their names: a variable may lose values, and then tables, utilities and
probabilities are numbered anew. Two kinds of variables never lose any, and keep a unary table instead. A stochastic
variable: chance does not ask what is allowed, so a value that breaks a rule makes policies infeasible and does not
vanish. And a variable that even chances depend on, which has to have two values. Where nothing is consistent at all,
the network has a table without tuples afterwards.

>>> from zermelo.scsp import read_network
>>> [variable.domain for variable in preprocessed(read_network("examples/onestage.json")).variables]
[('1', '2', '3'), ('0', '1', '2'), ('0', '1', '2')]
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from itertools import product
from math import prod
from typing import TypeVar

from zermelo.limits import Limits
from zermelo.scsp.mac import Solver
from zermelo.scsp.network import ANY, Chance, EvenChance, Network, Table, Utility, Values
from zermelo.scsp.policy import LEAF, Policy

T = TypeVar("T")

MOST_EXPANDED = 30_000
"""Short tuples are written out to compare relations only where that gives no more tuples."""


def preprocessed(network: Network, limits: Limits | None = None) -> Network:
    """All steps. Values go first, which the paper has last: the others have less to do then.

    >>> from zermelo.scsp.network import Variable
    >>> both = (Table((0, 1), frozenset({(0, 0), (1, 1)})), Table((1, 0), frozenset({(0, 0), (1, 0)})))
    >>> network = preprocessed(Network(1, (Variable("a", ("0", "1")), Variable("b", ("0", "1"))), both))
    >>> network.tables, [variable.domain for variable in network.variables]
    ((), [('0',), ('0',)])
    """
    narrow = project_unary(singleton_consistent(network, limits))
    merged = merge_scopes(narrow)
    if len(merged.tables) < len(narrow.tables):  # intersections may refute more
        merged = project_unary(singleton_consistent(merged, limits))
    return without_universal_variables(merged)


def in_terms_of(network: Network, small: Network, policy: Policy) -> Policy:
    """A policy of the smaller network as one of the network that it was made from: values are known by their names.

    >>> from zermelo.scsp import read_network
    >>> network = read_network("examples/onestage.json")
    >>> small = restricted(network, [{1}, {1, 2}, {0, 1, 2}])
    >>> list(in_terms_of(network, small, Policy({0: Policy({1: Policy({0: LEAF, 1: LEAF, 2: LEAF})})})).branches)
    [1]
    """
    numbers = [
        [variable.domain.index(value) for value in left.domain]
        for variable, left in zip(network.variables, small.variables, strict=True)
    ]
    # What is shared stays shared, and nothing recurses: networks may have thousands of variables.
    made: dict[int, Policy] = {id(LEAF): LEAF}
    stack = [(policy, 0)]
    while stack:
        node, number = stack[-1]
        waiting = [(below, number + 1) for below in node.branches.values() if id(below) not in made]
        if waiting and id(node) not in made:
            stack += waiting
            continue
        stack.pop()
        if id(node) not in made:
            made[id(node)] = Policy({numbers[number][v]: made[id(below)] for v, below in node.branches.items()})
    return made[id(policy)]


def merge_scopes(network: Network) -> Network:
    """One table for all those over the same variables, in whatever order: the intersection of their relations.

    >>> from zermelo.scsp.network import Variable
    >>> pair = (Variable("a", ("0", "1")), Variable("b", ("0", "1")))
    >>> tables = (Table((0, 1), frozenset({(0, ANY)})), Table((1, 0), frozenset({(1, ANY)})))
    >>> merge_scopes(Network(1, pair, tables)).tables
    (Table(scope=(0, 1), tuples=frozenset({(0, 1)})),)
    """
    relations: dict[Values, list[frozenset[Values]]] = defaultdict(list)
    for table in network.tables:
        order = sorted(range(len(table.scope)), key=table.scope.__getitem__)
        rows = frozenset(tuple(row[place] for place in order) for row in table.tuples)
        relations[tuple(sorted(table.scope))].append(rows)
    merged = tuple(Table(scope, reduce(_intersection, parts)) for scope, parts in relations.items())
    return replace(network, tables=merged)


def _intersection(one: frozenset[Values], other: frozenset[Values]) -> frozenset[Values]:
    rows = set(one & other)
    short_one, short_other = ([row for row in part if ANY in row] for part in (one, other))
    rows.update(filter(None, (_common(a, b) for a in short_one for b in other)))
    rows.update(filter(None, (_common(a, b) for a in one for b in short_other)))
    return frozenset(rows)


def _common(one: Values, other: Values) -> Values | None:
    if any(a != b and ANY not in (a, b) for a, b in zip(one, other, strict=True)):
        return None
    return tuple(b if a == ANY else a for a, b in zip(one, other, strict=True))


def project_unary(network: Network) -> Network:
    """Tables of one variable become its domain.

    >>> from zermelo.scsp.network import Variable
    >>> project_unary(Network(1, (Variable("a", ("0", "1")),), (Table((0,), frozenset({(1,)})),))).variables[0].domain
    ('1',)
    """
    allowed = [set(range(variable.size)) for variable in network.variables]
    for table in network.tables:
        if len(table.scope) == 1 and (ANY,) not in table.tuples:
            allowed[table.scope[0]] &= {row[0] for row in table.tuples}
    return restricted(replace(network, tables=tuple(t for t in network.tables if len(t.scope) != 1)), allowed)


def without_universal_variables(network: Network) -> Network:
    """Scopes without the variables that do not matter: those whose every value allows the same of the others.

    Relations with short tuples are compared tuple by tuple where they would be too large when written out; then a
    variable that does not matter may stay.

    >>> from zermelo.scsp.network import Variable
    >>> pair = (Variable("a", ("0", "1")), Variable("b", ("0", "1")))
    >>> without_universal_variables(Network(1, pair, (Table((0, 1), frozenset({(0, 1), (1, 1)})),))).tables
    (Table(scope=(1,), tuples=frozenset({(1,)})),)
    """
    tables = (_without_universal(network, table) for table in network.tables)
    return replace(network, tables=tuple(table for table in tables if table.scope or not table.tuples))


def _without_universal(network: Network, table: Table) -> Table:
    sizes = [network.variables[v].size for v in table.scope]
    if any(ANY in row for row in table.tuples):
        written_out = sum(
            prod(size for entry, size in zip(row, sizes, strict=True) if entry == ANY) for row in table.tuples
        )
        if written_out <= MOST_EXPANDED:
            expanded = Table(table.scope, frozenset(full for row in table.tuples for full in _expansions(row, sizes)))
            kept = _dropped_columns(expanded, sizes)
            if len(kept.scope) < len(table.scope):
                return kept
            return table
    return _dropped_columns(table, sizes)


def _expansions(row: Values, sizes: Sequence[int]) -> Iterable[Values]:
    return product(*(range(size) if entry == ANY else (entry,) for entry, size in zip(row, sizes, strict=True)))


def _dropped_columns(table: Table, sizes: Sequence[int]) -> Table:
    scope, rows, left = list(table.scope), set(table.tuples), list(sizes)
    for variable in table.scope:
        place = scope.index(variable)
        others = _others_if_universal(rows, place, left[place])
        if others is not None:
            rows = others
            del scope[place], left[place]
    return Table(tuple(scope), frozenset(rows))


def _others_if_universal(rows: set[Values], place: int, size: int) -> set[Values] | None:
    """What a table allows of the other columns, if it is the same for all values of this one."""
    # Counts are quick to take and rule most columns out; then mostly one row of the second value does.
    counts = Counter(row[place] for row in rows)
    any_value = counts.pop(ANY, 0)
    if len(set(counts.values())) > 1 or 0 < len(counts) < size:
        return None
    by_value: dict[int, list[Values]] = defaultdict(list)
    for row in rows:
        by_value[row[place]].append(row)

    def rest(row: Values) -> Values:
        return (*row[:place], *row[place + 1 :])

    whatever = set(map(rest, by_value[ANY])) if any_value else set()
    first = whatever.union(map(rest, by_value[0]))
    for value in range(1, size):
        if (
            not all(rest(row) in first for row in by_value[value])
            or whatever.union(map(rest, by_value[value])) != first
        ):
            return None
    return first


def singleton_consistent(network: Network, limits: Limits | None = None) -> Network:
    """Without the values that arc consistency refutes when they are assumed (Debruyne and Bessiere 1997).

    >>> from zermelo.scsp.network import Variable
    >>> less = frozenset({(0, 1), (0, 2), (1, 2)})
    >>> three = tuple(Variable(name, ("0", "1", "2")) for name in "abc")
    >>> network = singleton_consistent(Network(1, three, (Table((0, 1), less), Table((1, 2), less))))
    >>> [variable.domain for variable in network.variables]
    [('0',), ('1',), ('2',)]
    """
    solver = Solver(network, limits=limits)
    if not solver.make_singleton_consistent():
        return replace(network, tables=(*network.tables, Table((), frozenset())))
    return restricted(network, solver.domains())


def restricted(network: Network, allowed: Sequence[Iterable[int]]) -> Network:
    """The network whose variables have only these values left; for which that cannot be, it has unary tables.

    >>> from zermelo.scsp import read_network
    >>> small = restricted(read_network("examples/onestage.json"), [{1}, {1, 2}, {0, 1, 2}])
    >>> small.variables[0].domain, sorted(small.tables[2].tuples)
    (('2',), [(0, 1)])
    """
    whole = [tuple(range(variable.size)) for variable in network.variables]
    wanted = [tuple(sorted(values)) for values in allowed]
    fixed = set(network.stochastic)
    for chance in network.chances:
        if isinstance(chance, EvenChance):
            fixed.update(chance.scope)
    kept = [whole[v] if v in fixed or not wanted[v] else wanted[v] for v in range(len(whole))]
    numbers = [{old: new for new, old in enumerate(values)} for values in kept]
    unary = tuple(
        Table((v,), frozenset((numbers[v][value],) for value in wanted[v]))
        for v in range(len(whole))
        if wanted[v] != kept[v]
    )
    return replace(
        network,
        variables=tuple(
            replace(variable, domain=tuple(variable.domain[value] for value in values))
            for variable, values in zip(network.variables, kept, strict=True)
        ),
        tables=tuple(
            Table(t.scope, frozenset(_renumbered(t.scope, t.tuples, numbers).values())) for t in network.tables
        )
        + unary,
        utilities=tuple(Utility(u.scope, _rows(u.scope, u.table, numbers)) for u in network.utilities),
        chances=tuple(
            c if isinstance(c, EvenChance) else Chance(c.variable, c.scope, _rows(c.scope, c.table, numbers))
            for c in network.chances
        ),
    )


def _renumbered(scope: Values, rows: Iterable[Values], numbers: Sequence[Mapping[int, int]]) -> dict[Values, Values]:
    """The rows that have no lost value, each with its new form."""
    return {
        row: tuple(ANY if entry == ANY else numbers[v][entry] for v, entry in zip(scope, row, strict=True))
        for row in rows
        if all(entry == ANY or entry in numbers[v] for v, entry in zip(scope, row, strict=True))
    }


def _rows(scope: Values, table: Mapping[Values, T], numbers: Sequence[Mapping[int, int]]) -> dict[Values, T]:
    return {new: table[old] for old, new in _renumbered(scope, table, numbers).items()}
