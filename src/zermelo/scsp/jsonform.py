"""Networks as JSON, read and written; docs/formats/network.md describes the form.

>>> from zermelo.scsp import read_network
>>> parse_network(write_network(read_network("examples/onestage.json"))) == read_network("examples/onestage.json")
True
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, TypeVar

from zermelo.errors import InputError, need
from zermelo.files import read_text
from zermelo.scsp.network import ANY, Chance, EvenChance, Network, Table, Utility, Values, Variable

FORMAT: Final = "zermelo-network"
VERSION: Final = 1
MOST_BYTES: Final = 1 << 28
STAR: Final = "*"
"""Any value, in a tuple."""
_LONGEST_NUMBER: Final = 4000
"""Characters of an exact number; Python reads no longer ones."""

T = TypeVar("T")


def read_network(path: str | Path) -> Network:
    """The network of a file; :class:`InputError` with the place where it is wrong.

    >>> read_network("no/such.json")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: no/such.json: no such file
    """
    return parse_network(read_text(path, "network", MOST_BYTES), str(path))


def parse_network(text: str, name: str = "network") -> Network:
    """The network that a text states; :class:`InputError` with the place where it is wrong.

    >>> parse_network('{"format": "zermelo-network", "version": 1, "players": 0, "variables": []}')
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: network: players: 0, expected a number from 1 to 1000
    """
    need(text, str, "network", "a text")
    try:
        data = json.loads(text, object_pairs_hook=_members)
    except RecursionError:
        raise InputError("nested too deeply for a network", file=name) from None
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON: {error.msg}", file=name, line=error.lineno, column=error.colno) from None
    except InputError as error:
        raise InputError(error.message, file=name) from None
    except ValueError:  # Python refuses to read numbers of thousands of digits
        raise InputError("a number is too long", file=name) from None
    try:
        return _network(_Place(data, ""))
    except InputError as error:
        raise InputError(error.message, file=name) from None


def write_network(network: Network) -> str:
    """The network as JSON, one table, utility or chance a line; equal networks give equal text.

    >>> from zermelo.scsp.network import Variable
    >>> print(write_network(Network(1, (Variable("a", ("0", "1")),), (Table((0,), frozenset({(1,)})),))))
    {
      "format": "zermelo-network",
      "version": 1,
      "players": 1,
      "threshold": ["0"],
      "stages": [1],
      "variables": [
        {"name": "a", "domain": ["0", "1"]}
      ],
      "tables": [
        {"scope": ["a"], "tuples": [[1]]}
      ],
      "utilities": [],
      "chances": []
    }
    <BLANKLINE>
    """
    names = [variable.name for variable in network.variables]

    def scope(values: Values) -> list[str]:
        return [names[v] for v in values]

    variables = [
        {"name": v.name, "domain": list(v.domain), **({"stochastic": True} if v.stochastic else {})}
        for v in network.variables
    ]
    tables = [
        {
            "scope": scope(t.scope),
            "tuples": [[STAR if entry == ANY else entry for entry in row] for row in sorted(t.tuples)],
        }
        for t in network.tables
    ]
    utilities = [
        {
            "scope": scope(u.scope),
            "rows": [{"values": list(row), "utility": list(map(str, u.table[row]))} for row in sorted(u.table)],
        }
        for u in network.utilities
    ]
    chances = [
        {"variable": names[c.variable], "even": scope(c.scope)}
        if isinstance(c, EvenChance)
        else {
            "variable": names[c.variable],
            "scope": scope(c.scope),
            "rows": [{"values": list(row), "probability": list(map(str, c.table[row]))} for row in sorted(c.table)],
        }
        for c in network.chances
    ]
    head = {
        "format": FORMAT,
        "version": VERSION,
        "players": network.players,
        "threshold": list(map(str, network.threshold)),
        **({"stages": list(network.stages)} if names else {}),  # without variables there is no stage to end
    }
    lines = [f"  {json.dumps(key)}: {_one_line(value)}" for key, value in head.items()]
    parts: list[tuple[str, list[dict[str, Any]]]] = [
        ("variables", variables),
        ("tables", tables),
        ("utilities", utilities),
        ("chances", chances),
    ]
    for key, items in parts:
        inside = ",\n".join(f"    {_one_line(item)}" for item in items)
        lines.append(f'  "{key}": [\n{inside}\n  ]' if items else f'  "{key}": []')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _one_line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


class _Place:
    """A value in the text and the path that leads to it, for errors that say where."""

    def __init__(self, data: object, path: str) -> None:
        self.data, self.path = data, path

    def wrong(self, expected: str) -> InputError:
        """That something else was expected here."""
        found = json.dumps(self.data)
        found = found if len(found) <= 40 else f"{found[:37]}..."
        return InputError(f"{self.path + ': ' if self.path else ''}{found}, expected {expected}")

    def fields(self, needed: Sequence[str], optional: Sequence[str] = ()) -> dict[str, _Place]:
        """The members of an object, which has these and no others."""
        if not isinstance(self.data, dict):
            raise self.wrong("an object")
        for key in self.data:
            if key not in needed and key not in optional:
                raise InputError(f"{self._below(key)}: unknown, expected one of {', '.join((*needed, *optional))}")
        for key in needed:
            if key not in self.data:
                raise InputError(f"{self._below(key)}: missing")
        return {key: _Place(value, self._below(key)) for key, value in self.data.items()}

    def _below(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key

    def items(self, what: str, count: int | None = None) -> Iterator[_Place]:
        """The elements of a list, which has so many if that is said."""
        if not isinstance(self.data, list) or (count is not None and len(self.data) != count):
            raise self.wrong(f"a list of {'' if count is None else f'{count} '}{what}")
        for number, item in enumerate(self.data):
            yield _Place(item, f"{self.path}[{number}]")

    def integer(self, least: int, most: int, more: str = "") -> int:
        """A whole number in a range."""
        if type(self.data) is not int or not least <= self.data <= most:
            raise self.wrong(f"a number from {least} to {most}{more}")
        return self.data

    def text(self) -> str:
        """A string that can be written: JSON can also hold halves of characters."""
        if not isinstance(self.data, str) or any("\ud800" <= letter <= "\udfff" for letter in self.data):
            raise self.wrong("a string")
        return self.data

    def fraction(self) -> Fraction:
        """An exact number: a whole number, or a string as "3" or "1/2"."""
        if type(self.data) is int:
            return Fraction(self.data)
        text = self.data if isinstance(self.data, str) and len(self.data) <= _LONGEST_NUMBER else ""
        above, slash, below = text.partition("/")
        digits = above.removeprefix("-")
        if not _is_number(digits) or (slash and (not _is_number(below) or not int(below))):
            raise self.wrong('an exact number as "1/2"')
        return Fraction(int(above), int(below) if slash else 1)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal()


def _members(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object whose members all have different names; which of two would be meant nobody knows."""
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise InputError(f"{json.dumps(key)} is there twice in an object, expected each member once")
        found[key] = value
    return found


def _network(whole: _Place) -> Network:
    if not isinstance(whole.data, dict) or whole.data.get("format") != FORMAT:
        raise InputError(f'expected an object with "format": "{FORMAT}"')
    if whole.data.get("version") != VERSION or type(whole.data["version"]) is not int:
        raise InputError(f"version {whole.data.get('version')!r}, expected {VERSION}")
    needed = ("format", "version", "players", "variables")
    fields = whole.fields(needed, ("tables", "utilities", "chances", "threshold", "stages"))
    players = fields["players"].integer(1, 1000)
    variables = tuple(_variable(place) for place in fields["variables"].items("variables"))
    _need_different(variables)
    reader = _Reader(players, variables)

    def many(key: str, read: Callable[[_Place], T]) -> tuple[T, ...]:
        return tuple(read(place) for place in fields[key].items(key)) if key in fields else ()

    tables = many("tables", reader.table)
    utilities = many("utilities", reader.utility)
    chances = many("chances", reader.chance)
    threshold = many("threshold", _Place.fraction)
    stages = many("stages", lambda place: place.integer(1, len(variables)))
    for name, found, count in (("threshold", threshold, f"{players}"), ("stages", stages, "at least one")):
        if name in fields and not found:
            raise fields[name].wrong(f"a list of {count}, or nothing at all")
    return Network(players, variables, tables, utilities, chances, threshold, stages)


def _need_different(variables: tuple[Variable, ...]) -> None:
    """Names come first: what is said of variables would be read wrongly otherwise."""
    first: dict[str, int] = {}
    for number, variable in enumerate(variables):
        earlier = first.setdefault(variable.name, number)
        if earlier != number:
            raise InputError(f"variables[{number}].name: {variable.name!r} is the name of variables[{earlier}] too")


def _variable(place: _Place) -> Variable:
    fields = place.fields(("name", "domain"), ("stochastic",))
    stochastic = fields["stochastic"].data if "stochastic" in fields else False
    if not isinstance(stochastic, bool):
        raise fields["stochastic"].wrong("true or false")
    domain = tuple(item.text() for item in fields["domain"].items("values"))
    if not domain:
        raise fields["domain"].wrong("at least one value")
    return Variable(fields["name"].text(), domain, stochastic)


class _Reader:
    """Reads what is stated over variables."""

    def __init__(self, players: int, variables: tuple[Variable, ...]) -> None:
        self.players, self.variables = players, variables
        self.number = {variable.name: number for number, variable in enumerate(variables)}

    def variable(self, place: _Place) -> int:
        number = self.number.get(place.text())
        if number is None:
            raise place.wrong("the name of a variable")
        return number

    def scope(self, place: _Place) -> Values:
        return tuple(self.variable(item) for item in place.items("names of variables"))

    def values(self, place: _Place, scope: Values, *, short: bool = False) -> Values:
        more = f' or "{STAR}"' if short else ""
        return tuple(
            ANY if short and item.data == STAR else item.integer(0, self.variables[v].size - 1, more)
            for v, item in zip(scope, place.items("values", len(scope)), strict=True)
        )

    def table(self, place: _Place) -> Table:
        fields = place.fields(("scope", "tuples"))
        scope = self.scope(fields["scope"])
        rows = [self.values(item, scope, short=True) for item in fields["tuples"].items("tuples")]
        return Table(scope, frozenset(rows))

    def utility(self, place: _Place) -> Utility:
        fields = place.fields(("scope", "rows"))
        scope = self.scope(fields["scope"])
        return Utility(scope, self.rows(fields["rows"], scope, "utility", self.players))

    def chance(self, place: _Place) -> Chance | EvenChance:
        if isinstance(place.data, dict) and "even" in place.data:
            fields = place.fields(("variable", "even"))
            return EvenChance(self.variable(fields["variable"]), self.scope(fields["even"]))
        fields = place.fields(("variable", "scope", "rows"))
        number, scope = self.variable(fields["variable"]), self.scope(fields["scope"])
        return Chance(number, scope, self.rows(fields["rows"], scope, "probability", self.variables[number].size))

    def rows(self, place: _Place, scope: Values, what: str, count: int) -> dict[Values, tuple[Fraction, ...]]:
        rows: dict[Values, tuple[Fraction, ...]] = {}
        for item in place.items("rows"):
            fields = item.fields(("values", what))
            values = self.values(fields["values"], scope)
            if values in rows:
                raise fields["values"].wrong("each row once")
            rows[values] = tuple(part.fraction() for part in fields[what].items("exact numbers", count))
        return rows
