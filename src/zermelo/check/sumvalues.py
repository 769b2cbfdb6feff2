"""What a sum in brackets is worth, worked out by the definitions."""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.check.games import Games
from zermelo.check.read.sum import Node, text_as_sum
from zermelo.check.verdict import Fault
from zermelo.errors import InputError


def value_of_text(games: Games, text: str) -> int:
    """What a text is worth; a fault where it states no sum."""
    try:
        return value_of_sum(games, text_as_sum(text, "value").nodes)
    except InputError as error:
        raise Fault(str(error)) from None


def value_of_sum(games: Games, nodes: Sequence[Node]) -> int:
    """What a sum in brackets is worth, worked out by the definitions.

    >>> from zermelo.limits import Limits
    >>> games = Games(Limits())
    >>> value_of_sum(games, text_as_sum("+-5 + +-5").nodes) == games.zero
    True
    """
    made: list[int] = []
    for node in nodes:
        made.append(_value(games, node, made))
    return made[-1]


def _value(games: Games, node: Node, made: Sequence[int]) -> int:
    parts = [made[part] for part in node.left]
    match node.kind:
        case "number":
            return games.number(node.amount)
        case "star":
            return games.nimber(int(node.amount))
        case "up":
            return games.times(abs(int(node.amount)), games.up() if node.amount > 0 else games.negate(games.up()))
        case "options":
            return games.canonical(parts, [made[part] for part in node.right])
        case "sum":
            total = games.zero
            for part in parts:
                total = games.add(total, part)
            return total
        case "minus":
            return games.negate(*parts)
        case "copies":
            return games.times(int(node.amount), *parts)
