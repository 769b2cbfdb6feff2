"""What a person wrote about a game, before it is read as a scored tree or as a value.

Sugar is gone: ``+-5`` is ``{5|-5}``, ``+_2`` is ``{0||0|-2}``. Nodes are compared by identity: depth costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, eq=False)
class Number:
    """A dyadic rational.

    >>> Number(Fraction(3, 4)).value
    Fraction(3, 4)
    """

    value: Fraction


@dataclass(frozen=True, eq=False)
class Nimber:
    """A nim heap: ``*`` has size 1, ``*4`` size 4.

    >>> Nimber(4).size
    4
    """

    size: int


@dataclass(frozen=True, eq=False)
class Up:
    """That many ups, or downs where the count is negative.

    >>> Up(-2).count
    -2
    """

    count: int


@dataclass(frozen=True, eq=False)
class Options:
    """What Left and what Right may move to.

    >>> len(Options((Number(Fraction(5)),), ()).left)
    1
    """

    left: tuple[Expression, ...]
    right: tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class Sum:
    """Several games side by side.

    >>> len(Sum((Up(1), Nimber(1))).parts)
    2
    """

    parts: tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class Negative:
    """A game with the sides exchanged.

    >>> Negative(Up(1)).of.count
    1
    """

    of: Expression


@dataclass(frozen=True, eq=False)
class Multiple:
    """That many copies of one game side by side.

    >>> Multiple(3, Nimber(2)).count
    3
    """

    count: int
    of: Expression


Expression = Number | Nimber | Up | Options | Sum | Negative | Multiple


def children(node: Expression) -> tuple[Expression, ...]:
    """The expressions that a node is made of.

    >>> len(children(Options((Up(1),), (Nimber(1),))))
    2
    """
    match node:
        case Options(left, right):
            return left + right
        case Sum(parts):
            return parts
        case Negative(of) | Multiple(_, of):
            return (of,)
        case _:
            return ()


def no_look() -> None:
    """Looks at no limits."""


def in_order(root: Expression, look: Callable[[], None] = no_look) -> list[Expression]:
    """Every node of an expression once, children before parents; no recursion, so depth does not matter.

    ``look`` is called at every step and may raise where a limit is reached.

    >>> [type(node).__name__ for node in in_order(Negative(Up(1)))]
    ['Up', 'Negative']
    """
    found: list[Expression] = []
    entered: set[int] = set()
    finished: set[int] = set()
    stack = [root]
    while stack:
        look()
        node = stack[-1]
        if id(node) in finished:
            stack.pop()
        elif id(node) in entered:
            stack.pop()
            finished.add(id(node))
            found.append(node)
        else:
            entered.add(id(node))
            stack.extend(child for child in reversed(children(node)) if id(child) not in finished)
    return found
