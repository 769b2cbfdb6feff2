"""Graphs with their vertices in a circle."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin

from zermelo.draw.pieces import piece
from zermelo.draw.scene import Scene, disc_place, line_place
from zermelo.draw.svg import clipped, label, number

RADIUS = 16.0
_FILLS = {"x": "black", "o": "white"}


def circle_scene(vertices: Sequence[tuple[str, str]], edges: Sequence[tuple[str, str]]) -> Scene:
    """Vertices as discs, with a stone at those that are left to one side; edges can be pointed at as well.

    >>> [place.name for place in circle_scene([("a", ""), ("b", "x")], [("a", "b")]).places]
    ['a-b', 'a', 'b']
    """
    reach = max(40.0, 20.0 * len(vertices) / pi + 20)
    middle = reach + 2 * RADIUS
    points = {}
    for place, (name, _) in enumerate(vertices):
        angle = 2 * pi * place / max(len(vertices), 1) - pi / 2
        points[name] = (middle + reach * cos(angle), middle + reach * sin(angle))
    under, over, places = [], [], []
    for one, other in edges:
        (x0, y0), (x1, y1) = points[one], points[other]
        path = f"M{number(x0)} {number(y0)}L{number(x1)} {number(y1)}"
        under.append(f'<path class="z-rim" stroke-width="3" d="{path}"/>')
        places.append(line_place(f"{one}-{other}", points[one], points[other]))
    for name, tint in vertices:
        x, y = points[name]
        disc = f'cx="{number(x)}" cy="{number(y)}" r="{number(RADIUS)}"'
        over.append(f'<circle class="z-cell" {disc}/><circle class="z-rim" stroke-width="1.5" {disc}/>')
        over.append(label(x, y, clipped(name, 4), 14 if len(name) < 3 else 10))
        if tint:
            over.append(piece(_FILLS[tint], x - 0.8 * RADIUS, y - 0.8 * RADIUS, 0.9 * RADIUS))
        places.append(disc_place(name, x, y, RADIUS, _FILLS.get(tint, "free")))
    if not vertices:
        over.append(label(middle, middle, "no vertex is left", 11, kind="faint"))
    return Scene(2 * middle, 2 * middle, tuple(under), tuple(places), tuple(over), (), "graph")
