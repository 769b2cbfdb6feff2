"""Graphs with their vertices in a circle."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin

from zermelo.draw.scene import Scene, disc_place, line_place
from zermelo.draw.svg import label, number

RADIUS = 14.0
_FILLS = {"x": "black", "o": "white"}


def circle_scene(vertices: Sequence[tuple[str, str]], edges: Sequence[tuple[str, str]]) -> Scene:
    """Vertices as discs, with ``x`` and ``o`` for those that are left to one side; edges can be pointed at as well.

    >>> [place.name for place in circle_scene([("a", ""), ("b", "x")], [("a", "b")]).places]
    ['a-b', 'a', 'b']
    """
    reach = max(40.0, 17.0 * len(vertices) / pi + 20)
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
        over.append(f'<circle class="z-cell" cx="{number(x)}" cy="{number(y)}" r="{number(RADIUS)}"/>')
        over.append(label(x, y + 4, f"{name}:{tint}" if tint else name, 11))
        places.append(disc_place(name, x, y, RADIUS, _FILLS.get(tint, "")))
    if not vertices:
        over.append(label(middle, middle, "no vertex is left", 11, kind="faint"))
    return Scene(2 * middle, 2 * middle, tuple(under), tuple(places), tuple(over), (), "graph")
