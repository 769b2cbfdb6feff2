"""Stochastic constraint networks: what they are and what they say of an assignment.

A network has variables in a fixed order, some of them stochastic; hard constraints as tables of allowed tuples; soft
constraints that give each player a utility; a conditional probability table for each stochastic variable; and a
threshold for each player (Koriche, Lagrue, Piette and Tabary 2016, definition 2). Variables and values are numbers in
all tables: places in ``Network.variables`` and in ``Variable.domain``. All utilities and probabilities are exact.

>>> coins = (Variable("bet", ("heads", "tails")), Variable("coin", ("heads", "tails"), stochastic=True))
>>> same = Utility((0, 1), {(0, 0): (Fraction(1),), (1, 1): (Fraction(1),)})
>>> network = Network(1, coins, utilities=(same,), chances=(Chance(1, (), {(): (HALF, HALF)}),), threshold=(HALF,))
>>> network.probability((0, 0)), network.utility((0, 0)), network.utility((0, 1))
(Fraction(1, 2), (Fraction(1, 1),), (Fraction(0, 1),))
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product

from zermelo.brief import counted, fields_in_brief, introduced, shown_in_brief
from zermelo.errors import InputError

ANY = -1
"""In a tuple of a hard constraint: whatever value (a short tuple: Jefferson and Nightingale 2013)."""
HALF = Fraction(1, 2)

Values = tuple[int, ...]
Instantiation = Sequence[int]
"""The value of each variable in order; of the first few variables where it is partial."""


@dataclass(frozen=True)
class Variable:
    """A variable: decided by the players together, or drawn by chance.

    >>> Variable("coin", ("heads", "tails"), stochastic=True).size
    2
    """

    name: str
    domain: tuple[str, ...]
    stochastic: bool = False

    __repr__ = fields_in_brief
    _repr_html_ = shown_in_brief

    @property
    def size(self) -> int:
        """How many values it has."""
        return len(self.domain)


@dataclass(frozen=True)
class Table:
    """A hard constraint: the tuples that its scope may take. A tuple may hold :data:`ANY`.

    >>> Table((0, 1), frozenset({(0, ANY), (1, 1)})).allows((1, 0))
    False
    """

    scope: Values
    tuples: frozenset[Values]

    __repr__ = fields_in_brief
    _repr_html_ = shown_in_brief

    def allows(self, values: Values) -> bool:
        """Whether the values of the scope, in its order, are allowed."""
        if values in self.tuples:
            return True
        return any(
            all(entry in (ANY, value) for entry, value in zip(row, values, strict=True)) for row in self._short_tuples
        )

    @property
    def _short_tuples(self) -> Iterator[Values]:
        return (row for row in self.tuples if ANY in row)


@dataclass(frozen=True)
class Utility:
    """A soft constraint: what each player gets for the values of its scope; nothing for those not listed.

    >>> Utility((0,), {(1,): (Fraction(1), HALF)}).of((0,), players=2)
    (Fraction(0, 1), Fraction(0, 1))
    """

    scope: Values
    table: Mapping[Values, tuple[Fraction, ...]]

    __repr__ = fields_in_brief
    _repr_html_ = shown_in_brief

    def of(self, values: Values, players: int) -> tuple[Fraction, ...]:
        """What each player gets."""
        return self.table.get(values) or (Fraction(0),) * players


@dataclass(frozen=True)
class Chance:
    """The probabilities of a stochastic variable, by the values of variables before it.

    >>> Chance(1, (0,), {(0,): (HALF, HALF), (1,): (Fraction(1), Fraction(0))}).given((1,))
    (Fraction(1, 1), Fraction(0, 1))
    """

    variable: int
    scope: Values
    table: Mapping[Values, tuple[Fraction, ...]]

    __repr__ = fields_in_brief
    _repr_html_ = shown_in_brief

    def given(self, values: Values) -> tuple[Fraction, ...]:
        """The probability of each value of the variable."""
        return self.table[values]


@dataclass(frozen=True)
class EvenChance:
    """A stochastic variable that takes each possible value with the same probability.

    ``scope`` has one variable of two values for each value of ``variable``: 1 says that it is possible. Where nothing
    is possible every value is, with the same probability: a hard constraint has to rule that out.

    >>> EvenChance(3, (0, 1, 2)).given((1, 0, 1))
    (Fraction(1, 2), Fraction(0, 1), Fraction(1, 2))
    """

    variable: int
    scope: Values

    __repr__ = fields_in_brief
    _repr_html_ = shown_in_brief

    def given(self, values: Values) -> tuple[Fraction, ...]:
        """The probability of each value of the variable."""
        possible = sum(values)
        if not possible:
            return (Fraction(1, len(values)),) * len(values)
        return tuple(Fraction(value, possible) for value in values)


@dataclass(frozen=True)
class Network:
    """A stochastic constraint network of ``players`` players.

    ``threshold`` is what each player has to get on average. ``stages`` says where each stage ends (definition 3): a
    network of one stage has all its decisions before the stochastic variables, but for those that follow from them.
    """

    players: int
    variables: tuple[Variable, ...]
    tables: tuple[Table, ...] = ()
    utilities: tuple[Utility, ...] = ()
    chances: tuple[Chance | EvenChance, ...] = ()
    threshold: tuple[Fraction, ...] = ()
    stages: Values = field(default=())

    def __post_init__(self) -> None:
        if not self.threshold:
            object.__setattr__(self, "threshold", (Fraction(0),) * self.players)
        if not self.stages:
            object.__setattr__(self, "stages", (len(self.variables),))
        _check(self)

    def __repr__(self) -> str:
        drawn = len(self.stochastic)
        return introduced(
            self,
            counted(len(self.variables), "variable"),
            f"{drawn} by chance",
            counted(len(self.tables), "table"),
            counted(self.players, "player"),
        )

    def _repr_svg_(self) -> str:
        from zermelo.scsp.game import NetworkGame

        return NetworkGame(self)._repr_svg_()

    @property
    def stochastic(self) -> tuple[int, ...]:
        """The numbers of the stochastic variables, in order."""
        return tuple(number for number, variable in enumerate(self.variables) if variable.stochastic)

    @property
    def decisions(self) -> tuple[int, ...]:
        """The numbers of the decision variables, in order."""
        return tuple(number for number, variable in enumerate(self.variables) if not variable.stochastic)

    def number(self, name: str) -> int:
        """The place of the variable of that name."""
        for number, variable in enumerate(self.variables):
            if variable.name == name:
                return number
        raise InputError(f"the network has no variable {name!r}")

    def instantiations(self) -> Iterator[Values]:
        """All complete ones, consistent or not, in lexical order."""
        return product(*(range(variable.size) for variable in self.variables))

    def consistent(self, values: Instantiation) -> bool:
        """Whether no hard constraint is broken whose variables all have a value."""
        given = len(values)
        return all(
            table.allows(tuple(values[v] for v in table.scope))
            for table in self.tables
            if all(v < given for v in table.scope)
        )

    def utility(self, values: Instantiation) -> tuple[Fraction, ...]:
        """What each player gets from the soft constraints whose variables all have a value."""
        given = len(values)
        total = [Fraction(0)] * self.players
        for soft in self.utilities:
            if all(v < given for v in soft.scope):
                for player, part in enumerate(soft.of(tuple(values[v] for v in soft.scope), self.players)):
                    total[player] += part
        return tuple(total)

    def probability(self, values: Instantiation) -> Fraction:
        """That of the stochastic variables among those that have a value."""
        result = Fraction(1)
        for chance in self.chances:
            if chance.variable < len(values):
                result *= chance.given(tuple(values[v] for v in chance.scope))[values[chance.variable]]
        return result

    def chance_of(self, variable: int) -> Chance | EvenChance:
        """The probability table of a stochastic variable."""
        return next(chance for chance in self.chances if chance.variable == variable)


def frontiers(network: Network) -> list[Values]:
    """For each variable: those before it which something ties to it or to a later one.

    >>> from zermelo.scsp import read_network
    >>> frontiers(read_network("examples/onestage.json"))
    [(), (0,), (0, 1)]
    """
    count = len(network.variables)
    last = list(range(count))
    scopes = [table.scope for table in network.tables]
    scopes += [soft.scope for soft in network.utilities]
    scopes += [(*chance.scope, chance.variable) for chance in network.chances]
    for scope in scopes:
        for variable in scope:
            last[variable] = max(last[variable], *scope)
    return [tuple(v for v in range(number) if last[v] >= number) for number in range(count)]


def _check(network: Network) -> None:
    """Raises :class:`InputError` unless the network is well formed."""
    names = [variable.name for variable in network.variables]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"two variables are called {twice!r}, expected different names")
    for variable in network.variables:
        if not variable.domain:
            raise InputError(f"{variable.name} has no values")
        if len(set(variable.domain)) < variable.size:
            raise InputError(f"{variable.name} has a value twice")
    if len(network.threshold) != network.players:
        raise InputError(f"a threshold of {len(network.threshold)} numbers for {network.players} players")
    if list(network.stages) != sorted(set(network.stages)) or network.stages[-1] != len(network.variables):
        raise InputError("stages have to end one after the other, the last with the last variable")
    for table in network.tables:
        _check_rows(network, table.scope, table.tuples, "a table", short=True)
    for soft in network.utilities:
        _check_rows(network, soft.scope, soft.table, "a utility", short=False)
        if any(len(row) != network.players for row in soft.table.values()):
            raise InputError(f"a utility over {_scope_text(network, soft.scope)} is not of {network.players} players")
    _check_chances(network)


def _check_chances(network: Network) -> None:
    drawn = [chance.variable for chance in network.chances]
    if sorted(drawn) != sorted(network.stochastic):
        raise InputError("expected one probability table for each stochastic variable and for no other")
    for chance in network.chances:
        variable = network.variables[chance.variable]
        if any(v >= chance.variable for v in chance.scope):
            raise InputError(f"the probabilities of {variable.name} depend on a variable that is not before it")
        if isinstance(chance, EvenChance):
            if len(chance.scope) != variable.size or any(network.variables[v].size != 2 for v in chance.scope):
                raise InputError(
                    f"even chances of {variable.name} need a variable of two values for each of its values"
                )
            continue
        _check_rows(network, chance.scope, chance.table, f"the probabilities of {variable.name}", short=False)
        expected = 1
        for v in chance.scope:
            expected *= network.variables[v].size
        if len(chance.table) != expected:
            raise InputError(f"the probabilities of {variable.name} have {len(chance.table)} rows, expected {expected}")
        for row in chance.table.values():
            if len(row) != variable.size or sum(row) != 1 or min(row) < 0:
                raise InputError(f"a row of the probabilities of {variable.name} is no distribution over its values")


def _check_rows(
    network: Network, scope: Values, rows: Mapping[Values, object] | frozenset[Values], what: str, *, short: bool
) -> None:
    if len(set(scope)) < len(scope):
        raise InputError(f"{what} has a variable twice in its scope")
    if any(not 0 <= v < len(network.variables) for v in scope):
        raise InputError(f"{what} is over a variable that the network does not have")
    sizes = [network.variables[v].size for v in scope]
    least = ANY if short else 0

    def is_wrong(row: Values) -> bool:
        return len(row) != len(scope) or any(not least <= v < size for v, size in zip(row, sizes, strict=True))

    # Column by column, which is several times faster; row by row only to name one that is wrong.
    if all(len(row) == len(scope) for row in rows):
        columns = zip(zip(*rows, strict=True), sizes, strict=True) if rows else ()
        if all(least <= min(column) and max(column) < size for column, size in columns):
            return
    wrong = next(row for row in rows if is_wrong(row))
    raise InputError(f"{what} over {_scope_text(network, scope)} has the row {wrong}, which its scope does not allow")


def _scope_text(network: Network, scope: Values) -> str:
    return f"({', '.join(network.variables[v].name for v in scope)})"
