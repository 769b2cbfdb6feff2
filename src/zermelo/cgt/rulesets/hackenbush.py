"""Hackenbush: cut an edge of one's colour; what no longer stands on the ground falls off (Conway 1976)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from zermelo.cgt.boards.ruleset import Option, Position, Ruleset, Side
from zermelo.draw.shape import column_letters
from zermelo.errors import InputError

if TYPE_CHECKING:
    from zermelo.draw.scene import Scene

GROUND = "0"
COLOURS: dict[Side, str] = {"left": "bg", "right": "rg"}
_EDGE = re.compile(r"(\w+)\s*-\s*(\w+)\s*:\s*([bBrRgG])(?!\w)")
_STALK = re.compile(r"[bBrRgG]*")

Edge = tuple[str, str, str]
"""Two ends and a colour, ``b``, ``r`` or ``g``."""
Picture = tuple[Edge, ...]
"""The edges in alphabetical order, each with its ends in that order."""


def stalk(colours: str) -> Picture:
    """A row of edges on top of each other, from the ground up.

    >>> stalk("br")
    (('0', 'a', 'b'), ('a', 'b', 'r'))
    """
    names = [GROUND, *(column_letters(place) for place in range(len(colours)))]
    return _ordered([(names[place], names[place + 1], colour) for place, colour in enumerate(colours)])


def _ordered(edges: Sequence[Edge]) -> Picture:
    return tuple(sorted((min(one, other), max(one, other), colour) for one, other, colour in edges))


def standing(edges: Sequence[Edge]) -> Picture:
    """The edges that are joined to the ground.

    >>> standing([("0", "a", "b"), ("c", "d", "r")])
    (('0', 'a', 'b'),)
    """
    beside: dict[str, list[str]] = {}
    for one, other, _ in edges:
        beside.setdefault(one, []).append(other)
        beside.setdefault(other, []).append(one)
    reached, stack = {GROUND}, [GROUND]
    while stack:
        for name in beside.get(stack.pop(), []):
            if name not in reached:
                reached.add(name)
                stack.append(name)
    return _ordered([edge for edge in edges if edge[0] in reached])


class Hackenbush(Ruleset):
    """Left cuts blue edges, Right red ones, both cut green ones.

    >>> rules = Hackenbush()
    >>> [option.move for option in rules.options(rules.parse("0-a:b,a-b:r,b-0:g", ""), "left")]
    ['0-a:b', '0-b:g']
    >>> rules.text(rules.parse("brr", ""))
    'brr'
    """

    name = "hackenbush"
    summary = "cut an edge of one's colour; what loses the ground falls off"
    form = "hackenbush:COLOURS of a stalk, or hackenbush:END-END:COLOUR,... with the ground 0; b Left, r Right, g both"
    example = "hackenbush:0-a:b,a-b:r,b-c:g,0-d:r,d-e:b,b-e:b"

    def parse(self, text: str, place: str, column: int = 1) -> Picture:
        """A stalk such as ``brg`` from the ground up, or edges such as ``0-a:b,a-b:r``."""
        if _STALK.fullmatch(text):
            return stalk(text.lower())
        edges: list[Edge] = []
        at = 0
        while True:
            found = _EDGE.match(text, at)
            if not found:
                message = f"unexpected {text[at : at + 12]!r}, expected an edge such as 0-a:b, with colour b, r or g"
                raise InputError(message, file=place, line=1, column=column + at)
            edges.append((found[1], found[2], found[3].lower()))
            at = found.end()
            if at == len(text):
                break
            gap = re.compile(r"\s*,\s*|\s+").match(text, at)
            if not gap:
                message = f"unexpected {text[at]!r}, expected a comma and the next edge"
                raise InputError(message, file=place, line=1, column=column + at)
            at = gap.end()
        kept = standing(edges)
        if len(kept) < len(edges):
            loose = next(edge for edge in edges if _ordered([edge])[0] not in kept)
            message = f"edge {loose[0]}-{loose[1]} does not stand on the ground, expected a way down to 0"
            raise InputError(message, file=place, line=1, column=column)
        return kept

    def options(self, position: Position, side: Side) -> Sequence[Option]:
        """Every edge of the side's once; equal edges between the same ends are as good as each other."""
        found = []
        for index, edge in enumerate(position):
            if edge[2] in COLOURS[side] and (index == 0 or position[index - 1] != edge):
                found.append(Option(_edge_text(edge), standing(position[:index] + position[index + 1 :])))
        return found

    def regions(self, position: Position) -> Sequence[Position]:
        """Pictures that share nothing but the ground, with new names for their ends, so that equal ones look alike."""
        leader: dict[str, str] = {}

        def found(name: str) -> str:
            while leader.setdefault(name, name) != name:
                leader[name] = leader[leader[name]]
                name = leader[name]
            return name

        for one, other, _ in position:
            if GROUND not in (one, other):
                leader[found(one)] = found(other)
        parts: dict[str, list[Edge]] = {}
        for index, (one, other, colour) in enumerate(position):
            inner = other if one == GROUND else one
            key = found(inner) if inner != GROUND else f"-{index}"  # a loop on the ground stands alone
            parts.setdefault(key, []).append((one, other, colour))
        return [_renamed(part) for part in parts.values()]

    def text(self, position: Position) -> str:
        """A stalk as its colours, any other picture as its edges."""
        colours = {one: colour for one, _, colour in position}
        names = [GROUND, *(column_letters(place) for place in range(len(position)))]
        shown = "".join(colours.get(name, "") for name in names)
        if position == stalk(shown):
            return shown
        return ",".join(_edge_text(edge) for edge in position)

    def scene(self, position: Position) -> Scene:
        """The edges over the ground."""
        from zermelo.draw.grid import hackenbush_scene

        return hackenbush_scene(position)


def _edge_text(edge: Edge) -> str:
    return f"{edge[0]}-{edge[1]}:{edge[2]}"


def _renamed(edges: Sequence[Edge]) -> Picture:
    """The same picture with ends a, b, c in the order in which a walk from the ground meets them."""
    beside: dict[str, list[tuple[str, str]]] = {}
    for one, other, colour in edges:
        beside.setdefault(one, []).append((colour, other))
        beside.setdefault(other, []).append((colour, one))
    names = {GROUND: GROUND}
    queue = [GROUND]
    for name in queue:
        for _, other in sorted(beside.get(name, []), key=lambda link: (link[0], len(beside[link[1]]))):
            if other not in names:
                names[other] = column_letters(len(names) - 1)
                queue.append(other)
    return _ordered([(names[one], names[other], colour) for one, other, colour in edges])
