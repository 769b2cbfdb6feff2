"""A proof by the rule ``program`` as it is stated: a graph of choices, cases and refutations.

``docs/certificates.md`` describes it. Whether it proves anything is not looked at here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from zermelo.check.quantified import Number, Role
from zermelo.check.shapes import fields, listed, number, numbered, several, value, whole
from zermelo.check.verdict import Fault

END = -1
"""In the place of a step: whatever is left may take any value, and all rows hold."""


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


def read_proof(owner: Role, data: Mapping[str, Any]) -> Proof:
    """The proof that data states; a fault if it states none.

    >>> read_proof("exists", {"value": 3, "nodes": [["c", 0, [1, "1/2"], -1]]}).nodes
    (Choose(at=0, values=(1, Fraction(1, 2)), then=-1),)
    >>> read_proof("exists", {"value": 3, "nodes": [["c", 0, [0.5], -1]]})
    Traceback (most recent call last):
        ...
    zermelo.check.verdict.Fault: node 0: 0.5 is not a whole number or a text "p/q"
    """
    stated, nodes = fields(data, "value", "nodes")
    return Proof(owner, value(stated), numbered("node", nodes, _node))


def _node(item: object) -> Choose | Branch | Refute:
    kind, at, *rest = listed(item, 3, 4)
    if kind == "c" and len(rest) == 2:
        return Choose(whole(at), several(rest[0], number), whole(rest[1]))
    if kind == "b" and len(rest) == 1:
        return Branch(whole(at), several(rest[0], _case))
    if kind == "r" and len(rest) == 1:
        return Refute(whole(at), several(rest[0], _scenario))
    raise Fault("not a choice, cases or a refutation")


def _case(item: object) -> Case:
    lower, upper, then, *breaks = listed(item, 3, 4)
    return Case(number(lower), number(upper), whole(then), whole(breaks[0]) if breaks else None)


def _scenario(item: object) -> Scenario:
    choices, pairs = listed(item, 2)
    flat = listed(pairs)
    rows = several(flat[::2], whole)
    if len(flat) % 2 or len(set(rows)) < len(rows):
        raise Fault("the multipliers are not [row, multiplier, ...] with each row once")
    return Scenario(several(choices, number), dict(zip(rows, several(flat[1::2], number), strict=True)))
