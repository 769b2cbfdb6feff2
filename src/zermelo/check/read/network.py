"""Stochastic constraint networks as the checker reads them: JSON that is taken as it stands, or refused.

>>> from zermelo.source import Source
>>> head = '{"format": "zermelo-network", "version": 1, "players": 1,'
>>> text = head + '"variables": [{"name": "x", "domain": ["a", "b"]}]}'
>>> network = read(Source("network", text, "small.json"))
>>> [network.game().move_text(move) for move in network.game().moves(network.game().start())]
['x=a', 'x=b']
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Any, Final

from zermelo.check.read.networkgame import DrawnGame
from zermelo.errors import InputError
from zermelo.game import Game
from zermelo.source import Source

Values = tuple[int, ...]
Vector = tuple[Fraction, ...]
ANY: Final = -1
"""In a row of a table: whatever value."""
MOST_PLAYERS: Final = 1000
LONGEST_NUMBER: Final = 4000
_EXACT = re.compile(r"(-?[0-9]+)(?:/([0-9]+))?")


@dataclass(frozen=True)
class Variable:
    """A variable, which players decide or chance draws."""

    name: str
    domain: tuple[str, ...]
    stochastic: bool


@dataclass(frozen=True)
class Stated:
    """Rows over a scope: what a table allows (without numbers), what players get, or what chance does."""

    scope: Values
    rows: Mapping[Values, Vector]


@dataclass(frozen=True)
class Drawn:
    """How a variable is drawn: by rows over variables before it; or evenly, among the values whose variable is 1."""

    variable: int
    given: Stated
    even: bool = False

    def shares(self, values: Values) -> Vector:
        """The probability of each value of the variable."""
        if not self.even:
            return self.given.rows[values]
        possible = values if any(values) else (1,) * len(values)
        return tuple(Fraction(value, sum(possible)) for value in possible)


@dataclass(frozen=True)
class Network:
    """The checker's own network; ``InputError`` unless it is well formed."""

    players: int
    variables: tuple[Variable, ...]
    tables: tuple[Stated, ...]
    utilities: tuple[Stated, ...]
    drawn: tuple[Drawn, ...]
    threshold: Vector
    stages: Values

    def __post_init__(self) -> None:
        if (fault := _fault(self)) is not None:
            raise InputError(fault)

    def canonical(self) -> str:
        """All that it states, numbers as texts."""
        return json.dumps(
            [
                self.players,
                [[v.name, v.domain, v.stochastic] for v in self.variables],
                [[t.scope, sorted(t.rows)] for t in self.tables],
                [_written(u) for u in self.utilities],
                [[d.variable, d.given.scope if d.even else _written(d.given), d.even] for d in self.drawn],
                [str(number) for number in self.threshold],
                self.stages,
            ],
            separators=(",", ":"),
        )

    def game(self) -> Game:
        """The game of one role, which decides."""
        return self.drawn_game

    @cached_property
    def drawn_game(self) -> DrawnGame:
        """The game, as the checker of policies needs it."""
        return DrawnGame(self)


def _written(stated: Stated) -> list[Any]:
    return [stated.scope, [[row, [str(number) for number in stated.rows[row]]] for row in sorted(stated.rows)]]


def read(source: Source) -> Network:
    """The network that a text states; ``InputError`` where it states none."""
    try:
        data = json.loads(
            source.text, object_pairs_hook=_members, parse_float=_inexact, parse_constant=_inexact, parse_int=_integer
        )
        return _network(data)
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON: {error.msg}", file=source.name, line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise InputError("nested too deeply for a network", file=source.name) from None
    except InputError as error:
        raise InputError(error.message, file=source.name) from None


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise InputError(f"{next(name for name in names if names.count(name) > 1)!r} is there twice in an object")
    return found


def _inexact(text: str) -> Any:
    raise InputError(f'{text[:40]} is not exact, expected a whole number or a text as "1/2"')


def _integer(text: str) -> int:
    try:
        return int(text)
    except ValueError:  # Python reads no number of thousands of digits
        raise InputError("a number is too long") from None


def _is_whole(data: Any, least: int, most: int) -> bool:
    return type(data) is int and least <= data <= most


def _need(holds: bool, what: str) -> None:
    if not holds:
        raise InputError(f"expected {what}")


def _object(data: Any, what: str, needed: Sequence[str], optional: Sequence[str] = ()) -> dict[str, Any]:
    _need(isinstance(data, dict), f"{what} to be an object")
    _need(set(needed) <= set(data) <= {*needed, *optional}, f"{what} to have {', '.join(needed)} and nothing unknown")
    found: dict[str, Any] = data
    return found


def _list(data: Any, what: str, count: int | None = None) -> list[Any]:
    _need(
        isinstance(data, list) and count in (None, len(data)), f"{what} to be a list{f' of {count}' if count else ''}"
    )
    found: list[Any] = data
    return found


def _text(data: Any, what: str) -> str:
    _need(isinstance(data, str) and not re.search("[\ud800-\udfff]", data), f"{what} to be a text")
    return str(data)


def _exact(data: Any, what: str) -> Fraction:
    if type(data) is int:
        return Fraction(data)
    match = _EXACT.fullmatch(data) if isinstance(data, str) and len(data) <= LONGEST_NUMBER else None
    if match is None or (match[2] is not None and not int(match[2])):
        raise InputError(f'expected {what} to be exact, as "1/2"')
    return Fraction(int(match[1]), int(match[2] or 1))


def _network(data: Any) -> Network:
    optional = ("tables", "utilities", "chances", "threshold", "stages")
    whole = _object(data, "the network", ("format", "version", "players", "variables"), optional)
    _need(whole["format"] == "zermelo-network", '"format" to be "zermelo-network"')
    _need(_is_whole(whole["version"], 1, 1), '"version" to be 1')
    _need(_is_whole(whole["players"], 1, MOST_PLAYERS), f"1 to {MOST_PLAYERS} players")
    variables = tuple(map(_variable, _list(whole["variables"], "variables")))
    reading = _Reading(whole["players"], variables)

    def each(name: str, made: Callable[[Any], Any]) -> tuple[Any, ...]:
        return tuple(map(made, _list(whole.get(name, []), name)))

    threshold = each("threshold", lambda number: _exact(number, "a threshold"))
    stages = each("stages", lambda end: end if _is_whole(end, 1, len(variables)) else None)
    _need(None not in stages, "stages to end at variables")
    return Network(
        whole["players"],
        variables,
        each("tables", reading.table),
        each("utilities", reading.utility),
        each("chances", reading.drawn),
        threshold if "threshold" in whole else (Fraction(0),) * whole["players"],
        stages if "stages" in whole else (len(variables),),
    )


def _variable(data: Any) -> Variable:
    fields = _object(data, "a variable", ("name", "domain"), ("stochastic",))
    stochastic = fields.get("stochastic", False)
    _need(isinstance(stochastic, bool), '"stochastic" to be true or false')
    domain = tuple(_text(value, "a value") for value in _list(fields["domain"], "a domain"))
    return Variable(_text(fields["name"], "a name"), domain, stochastic)


class _Reading:
    """Reads what is stated over variables."""

    def __init__(self, players: int, variables: tuple[Variable, ...]) -> None:
        self.players, self.variables = players, variables
        self.number = {variable.name: number for number, variable in enumerate(variables)}

    def variable(self, data: Any) -> int:
        name = _text(data, "a variable")
        _need(name in self.number, "the name of a variable")
        return self.number[name]

    def scope(self, data: Any) -> Values:
        return tuple(map(self.variable, _list(data, "a scope")))

    def row(self, data: Any, scope: Values, star: bool = False) -> Values:
        found = []
        for value, variable in zip(_list(data, "a row", len(scope)), scope, strict=True):
            last = len(self.variables[variable].domain) - 1
            _need((star and value == "*") or _is_whole(value, 0, last), f"the place of a value, 0 to {last}")
            found.append(ANY if value == "*" else value)
        return tuple(found)

    def table(self, data: Any) -> Stated:
        fields = _object(data, "a table", ("scope", "tuples"))
        scope = self.scope(fields["scope"])
        return Stated(scope, {self.row(row, scope, True): () for row in _list(fields["tuples"], "tuples")})

    def utility(self, data: Any) -> Stated:
        fields = _object(data, "a utility", ("scope", "rows"))
        return self.rows(fields["rows"], self.scope(fields["scope"]), "utility", self.players)

    def drawn(self, data: Any) -> Drawn:
        if isinstance(data, dict) and "even" in data:
            fields = _object(data, "chances", ("variable", "even"))
            return Drawn(self.variable(fields["variable"]), Stated(self.scope(fields["even"]), {}), True)
        fields = _object(data, "chances", ("variable", "scope", "rows"))
        number = self.variable(fields["variable"])
        size = len(self.variables[number].domain)
        return Drawn(number, self.rows(fields["rows"], self.scope(fields["scope"]), "probability", size))

    def rows(self, data: Any, scope: Values, name: str, count: int) -> Stated:
        found: dict[Values, Vector] = {}
        for item in _list(data, "rows"):
            fields = _object(item, "a row", ("values", name))
            row = self.row(fields["values"], scope)
            _need(row not in found, "each row once")
            found[row] = tuple(_exact(number, f"a {name}") for number in _list(fields[name], name, count))
        return Stated(scope, found)


def _fault(network: Network) -> str | None:
    """Why a network is not well formed; ``None`` if it is."""
    names = [variable.name for variable in network.variables]
    if len(set(names)) < len(names):
        return "two variables have the same name"
    for variable in network.variables:
        if not variable.domain or len(set(variable.domain)) < len(variable.domain):
            return f"{variable.name} has no values, or one twice"
    if len(network.threshold) != network.players:
        return f"a threshold of {len(network.threshold)} numbers for {network.players} players"
    ends = list(network.stages)
    if not ends or ends != sorted(set(ends)) or ends[-1] != len(names):
        return "stages have to end one after the other, the last with the last variable"
    for stated in network.tables:
        if (fault := _scope_fault(network, stated, None)) is not None:
            return fault
    for stated in network.utilities:
        if (fault := _scope_fault(network, stated, network.players)) is not None:
            return fault
    return _chance_fault(network)


def _scope_fault(network: Network, stated: Stated, count: int | None) -> str | None:
    """What is wrong with rows; with a count of numbers a row has no ``ANY``."""
    if len(set(stated.scope)) < len(stated.scope):
        return "a variable is twice in a scope"
    if not all(0 <= variable < len(network.variables) for variable in stated.scope):
        return "a scope has a variable that the network does not have"
    sizes = [len(network.variables[variable].domain) for variable in stated.scope]
    least = ANY if count is None else 0
    for row, numbers in stated.rows.items():
        if len(row) != len(sizes) or not all(least <= v < size for v, size in zip(row, sizes, strict=True)):
            return f"the row {row} does not fit its scope"
        if count is not None and len(numbers) != count:
            return f"the row {row} has {len(numbers)} numbers, expected {count}"
        if not all(isinstance(number, int | Fraction) for number in numbers):
            return f"the row {row} has a number that is not exact"
    return None


def _chance_fault(network: Network) -> str | None:
    stochastic = [number for number, variable in enumerate(network.variables) if variable.stochastic]
    if sorted(drawn.variable for drawn in network.drawn) != stochastic:
        return "expected one table of probabilities for each stochastic variable and for no other"
    for drawn in network.drawn:
        variable, scope = network.variables[drawn.variable], drawn.given.scope
        sizes = [len(network.variables[v].domain) for v in scope if 0 <= v < drawn.variable]
        if len(sizes) < len(scope):
            return f"the probabilities of {variable.name} depend on a variable that is not before it"
        if drawn.even:
            if sizes != [2] * len(variable.domain):
                return f"even chances of {variable.name} need a variable of two values for each of its values"
            continue
        if (fault := _scope_fault(network, drawn.given, len(variable.domain))) is not None:
            return fault
        if len(drawn.given.rows) != prod(sizes):
            return f"the probabilities of {variable.name} have {len(drawn.given.rows)} rows, expected {prod(sizes)}"
        for row in drawn.given.rows.values():
            if sum(row) != 1 or min(row) < 0:
                return f"the probabilities of {variable.name} are no distribution: {', '.join(map(str, row))}"
    return None
