"""The steps of a proof about a program, strictly read from the data of a claim; what they prove is not looked at here.

The rule ``program`` has a graph of choices, cases and refutations, the rule ``clauses`` a list of derived clauses;
``docs/certificates.md`` describes both. A number is a whole number or a text ``"p/q"``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

from zermelo.certificate import parse_score
from zermelo.check.quantified import Number, Role

END = -1
"""In the place of a step: whatever is left may take any value, and all rows hold."""

T = TypeVar("T")


class ShapeError(ValueError):
    """The data has not the form of a proof."""


@dataclass(frozen=True, slots=True)
class Choose:
    """The owner's next variables at or after ``at`` get these values; go on at step ``then``."""

    at: int
    values: tuple[Number, ...]
    then: int


@dataclass(frozen=True, slots=True)
class Case:
    """Values from ``lower`` to ``upper``: go on at step ``then``, or ``forall`` breaks row ``breaks`` of his own."""

    lower: Number
    upper: Number
    then: int = END
    breaks: int | None = None


@dataclass(frozen=True, slots=True)
class Branch:
    """The other role has set variable ``at``."""

    at: int
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class Scenario:
    """``forall`` sets his next variables to ``choices``; rows by number, with what they are multiplied by."""

    choices: tuple[Number, ...]
    multipliers: Mapping[int, Number]


@dataclass(frozen=True, slots=True)
class Refute:
    """From variable ``at`` on, the sum of the rows over all scenarios leaves no slack."""

    at: int
    scenarios: tuple[Scenario, ...]


@dataclass(frozen=True)
class Proof:
    """``exists`` gets the objective to ``value`` at the worst, or ``forall`` does; ``None``: rows cannot be kept.

    Steps come after those that they lead to: the last one is the root.
    """

    owner: Role
    value: Fraction | None
    nodes: tuple[Choose | Branch | Refute, ...]

    @property
    def root(self) -> int:
        """The number of the root; ``END`` where there are no steps."""
        return len(self.nodes) - 1


@dataclass(frozen=True, slots=True)
class Literal:
    """``variable >= bound``, or ``variable <= bound`` where ``upper``; of the copy that belongs to a scenario."""

    variable: int
    upper: bool
    bound: Number
    scenario: int = 0


@dataclass(frozen=True, slots=True)
class FromRow:
    """An antecedent: a row in a scenario. Row 0 says that the objective is better than the value."""

    row: int
    scenario: int = 0


@dataclass(frozen=True, slots=True)
class FromClause:
    """An antecedent: an earlier clause."""

    clause: int


@dataclass(frozen=True, slots=True)
class FromSum:
    """An antecedent: rows times their multipliers, added up."""

    parts: tuple[tuple[FromRow, Number], ...]


@dataclass(frozen=True, slots=True)
class Clause:
    """One of the literals holds, by the antecedents, after those in ``dropped`` have been left out."""

    literals: tuple[Literal, ...]
    antecedents: tuple[FromRow | FromClause | FromSum, ...]
    dropped: tuple[Literal, ...] = ()


@dataclass(frozen=True)
class Derivation:
    """A refutation by clauses, in lines of play of ``forall`` if there are scenarios; ``value`` as in a proof."""

    value: Fraction | None
    scenarios: tuple[tuple[Number, ...], ...]
    clauses: tuple[Clause, ...]


def read_proof(owner: Role, data: Mapping[str, Any]) -> Proof:
    """The proof that data states; ``ShapeError`` if it states none.

    >>> read_proof("exists", {"value": 3, "nodes": [["c", 0, [1, "1/2"], -1]]}).nodes
    (Choose(at=0, values=(1, Fraction(1, 2)), then=-1),)
    >>> read_proof("exists", {"value": 3, "nodes": [["c", 0, [0.5], -1]]})
    Traceback (most recent call last):
        ...
    zermelo.check.steps.ShapeError: node 0: 0.5 is not a whole number or a text "p/q"
    """
    value, nodes = _fields(data, "value", "nodes")
    return Proof(owner, _value(value), _numbered("node", nodes, _node))


def read_derivation(data: Mapping[str, Any]) -> Derivation:
    """The derivation that data states; ``ShapeError`` if it states none.

    >>> read_derivation({"value": None, "scenarios": [[0, 1]], "clauses": [[[], [[1, 0]], []]]}).clauses
    (Clause(literals=(), antecedents=(FromRow(row=1, scenario=0),), dropped=()),)
    """
    value, scenarios, clauses = _fields(data, "value", "scenarios", "clauses")
    lines = _several(scenarios, lambda line: _several(line, _number))
    return Derivation(_value(value), lines, _numbered("clause", clauses, _clause))


def _fields(data: Mapping[str, Any], *names: str) -> list[Any]:
    if set(data) != set(names):
        raise ShapeError(f"the data has not just the fields {', '.join(names)}")
    return [data[name] for name in names]


def _numbered(what: str, items: object, read: Callable[[object], T]) -> tuple[T, ...]:
    """A list, of which errors say the number of the item."""
    made = []
    for number, item in enumerate(_list(items)):
        try:
            made.append(read(item))
        except ShapeError as error:
            raise ShapeError(f"{what} {number}: {error}") from None
    return tuple(made)


def _node(item: object) -> Choose | Branch | Refute:
    kind, at, *rest = _list(item, 3, 4)
    if kind == "c" and len(rest) == 2:
        return Choose(_whole(at), _several(rest[0], _number), _whole(rest[1]))
    if kind == "b" and len(rest) == 1:
        return Branch(_whole(at), _several(rest[0], _case))
    if kind == "r" and len(rest) == 1:
        return Refute(_whole(at), _several(rest[0], _scenario))
    raise ShapeError("not a choice, cases or a refutation")


def _case(item: object) -> Case:
    lower, upper, then, *breaks = _list(item, 3, 4)
    return Case(_number(lower), _number(upper), _whole(then), _whole(breaks[0]) if breaks else None)


def _scenario(item: object) -> Scenario:
    choices, pairs = _list(item, 2)
    flat = _list(pairs)
    rows = _several(flat[::2], _whole)
    if len(flat) % 2 or len(set(rows)) < len(rows):
        raise ShapeError("the multipliers are not [row, multiplier, ...] with each row once")
    return Scenario(_several(choices, _number), dict(zip(rows, _several(flat[1::2], _number), strict=True)))


def _clause(item: object) -> Clause:
    literals, antecedents, dropped = _list(item, 3)
    return Clause(_several(literals, _literal), _several(antecedents, _antecedent), _several(dropped, _literal))


def _literal(item: object) -> Literal:
    variable, upper, bound, scenario = _list(item, 4)
    if type(upper) is not int or upper not in (0, 1):
        raise ShapeError("a bound is not [variable, 0 or 1, number, scenario]")
    return Literal(_whole(variable), upper == 1, _number(bound), _whole(scenario))


def _antecedent(item: object) -> FromRow | FromClause | FromSum:
    if not isinstance(item, list):
        return FromClause(_whole(item))
    if item and isinstance(item[0], list):
        return FromSum(_several(item, _part))
    return _row(item)


def _row(item: object) -> FromRow:
    row, scenario = _list(item, 2)
    return FromRow(_whole(row), _whole(scenario))


def _part(item: object) -> tuple[FromRow, Number]:
    *row, multiplier = _list(item, 3)
    return _row(row), _number(multiplier)


def _value(item: object) -> Fraction | None:
    return None if item is None else Fraction(_number(item))


def _several(item: object, read: Callable[[Any], T]) -> tuple[T, ...]:
    return tuple(map(read, _list(item)))


def _list(item: object, *lengths: int) -> list[Any]:
    if not isinstance(item, list) or (lengths and len(item) not in lengths):
        expected = f" of {' or '.join(map(str, lengths))}" if lengths else ""
        raise ShapeError(f"{item!r:.40} is not a list{expected}")
    return item


def _number(item: object) -> Number:
    if type(item) is int:
        return item
    try:
        if isinstance(item, str):
            return parse_score(item)
    except (ValueError, ZeroDivisionError):
        pass
    raise ShapeError(f'{item!r:.40} is not a whole number or a text "p/q"')


def _whole(item: object) -> int:
    if type(item) is not int:
        raise ShapeError(f"{item!r:.40} is not a whole number")
    return item
