"""Scenes: what a position looks like, with named places that can be pointed at.

A scene knows nothing of values, legal moves or the last move; :mod:`zermelo.picturing` adds those.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from zermelo.draw.svg import at, box, label, number, picture, text_of

Point = tuple[float, float]


@dataclass(frozen=True)
class Place:
    """A place that can be pointed at: a cell, a node, a heap, an edge.

    ``shape`` is its outline, an SVG element without its brackets and class; ``size`` is the width that something drawn
    at its centre may have; ``content`` tells what is there, and differs where that does.
    """

    name: str
    x: float
    y: float
    shape: str
    size: float
    content: str = ""
    shift: Point = (0.0, 0.0)
    """How far the outline has been moved since it was made."""

    def outline(self, kind: str, extra: str = "") -> str:
        """The outline, drawn in a colour.

        >>> disc_place("a", 5, 5, 2).outline("mark")
        '<circle cx="5" cy="5" r="2" class="z-mark"/>'
        """
        moved_by = f' transform="translate({at(*self.shift)})"' if self.shift != (0.0, 0.0) else ""
        return f'<{self.shape} class="z-{kind}"{moved_by}{extra}/>'


@dataclass(frozen=True)
class Scene:
    """What is drawn, from bottom to top: ``under``, marks on places, ``over``; ``labels`` may be left out.

    ``ways`` says which places a move touches where its text does not name them: one; or where it leads from and to, and
    perhaps one more. ``sets`` has choices of several places that mean a move as well, such as pairs of dice. ``tools``
    names the place that a move is made with, such as the die in backgammon.
    """

    width: float
    height: float
    under: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    over: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    title: str = ""
    ways: Mapping[Any, tuple[str, ...]] = field(default_factory=dict)
    is_text: bool = False
    """Whether this is text in a box, for want of a picture."""
    sets: Mapping[Any, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    tools: Mapping[Any, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Scene: {self.width:.0f} x {self.height:.0f}, {len(self.places)} places>"

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of the places."""
        return frozenset(place.name for place in self.places)

    def svg(self) -> str:
        """The scene as a picture."""
        return picture(self.width, self.height, [*self.under, *self.over, *self.labels], self.title)

    def _repr_svg_(self) -> str:
        return self.svg()

    def place(self, name: str) -> Place | None:
        """The place of that name."""
        return next((place for place in self.places if place.name == name), None)


def square_place(name: str, x: float, y: float, width: float, height: float, content: str = "") -> Place:
    """A rectangle, by its upper left corner.

    >>> square_place("a1", 0, 0, 10, 20).size
    10
    """
    shape = f'rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
    return Place(name, x + width / 2, y + height / 2, shape, min(width, height), content)


def disc_place(name: str, x: float, y: float, radius: float, content: str = "") -> Place:
    """A disc, by its centre.

    >>> disc_place("a", 3, 4, 2).shape
    'circle cx="3" cy="4" r="2"'
    """
    return Place(name, x, y, f'circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"', 2 * radius, content)


def polygon_place(name: str, points: Sequence[Point], size: float, content: str = "") -> Place:
    """A polygon; its centre is the middle of its corners.

    >>> polygon_place("a", [(0, 0), (4, 0), (4, 4), (0, 4)], 4).x
    2.0
    """
    x, y = (sum(point[i] for point in points) / len(points) for i in (0, 1))
    corners = " ".join(f"{number(px)},{number(py)}" for px, py in points)
    return Place(name, x, y, f'polygon points="{corners}"', size, content)


def line_place(name: str, start: Point, end: Point, content: str = "", thick: float = 14) -> Place:
    """A straight line, as thick as a finger needs: a parallelogram around it, a little shorter than the line.

    >>> line_place("ab", (0, 0), (100, 0)).shape
    'polygon points="12,-7 88,-7 88,7 12,7"'
    """
    (x0, y0), (x1, y1) = start, end
    length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5 or 1.0
    ux, uy = (x1 - x0) / length, (y1 - y0) / length
    cut, half = min(0.12 * length, 14.0), thick / 2
    a, b = (x0 + cut * ux, y0 + cut * uy), (x1 - cut * ux, y1 - cut * uy)
    sides = [(half * uy, -half * ux), (-half * uy, half * ux)]
    points = [
        (a[0] + sides[0][0], a[1] + sides[0][1]),
        (b[0] + sides[0][0], b[1] + sides[0][1]),
        (b[0] + sides[1][0], b[1] + sides[1][1]),
        (a[0] + sides[1][0], a[1] + sides[1][1]),
    ]
    return polygon_place(name, points, thick + 10, content)


_WORDS = re.compile(r"[A-Za-z_]+|\d+")


def named_places(scene: Scene, text: str) -> tuple[str, ...]:
    """The places that the text of a move names: ``b2``, ``a2a3``, ``move(a,2,a,3)``.

    >>> scene = Scene(9, 9, places=(disc_place("a2", 0, 0, 1), disc_place("a3", 0, 0, 1)))
    >>> named_places(scene, "a2a3"), named_places(scene, "move(a,2,a,3)"), named_places(scene, "pass")
    (('a2', 'a3'), ('a2', 'a3'), ())
    >>> named_places(Scene(9, 9, places=(disc_place("die 2", 0, 0, 1),)), "keep(2)")
    ('die 2',)
    """
    names = scene.names
    if text in names:
        return (text,)
    words = _WORDS.findall(text[text.find("(") + 1 :])
    found: list[str] = []
    at_word = 0
    while at_word < len(words):
        for count in (4, 3, 2, 1):
            name = "".join(words[at_word : at_word + count])
            if at_word + count <= len(words) and name in names:
                found.append(name)
                at_word += count
                break
        else:
            at_word += 1
    if not found and len(text) > 1 and names.issuperset(text):  # a row of cells with one letter each
        return tuple(text)
    if not found and len(words) == 1:  # keep(2) is about the die with that face
        found = [name for name in names if name.endswith(f" {words[0]}")]
        return tuple(found) if len(found) == 1 else ()
    return tuple(found)


def text_scene(text: str) -> Scene:
    """Any text, line by line: what is left where there is no picture.

    >>> text_scene("a<b").under[0].count("&lt;")
    1
    """
    lines = text.splitlines() or [""]
    width, height = 9.7 * max(map(len, lines)) + 24, 20.0 * len(lines) + 20
    body = (
        f'<text class="z-ink" x="12" y="{number(25 + 20 * i)}" xml:space="preserve" text-anchor="start" '
        f'font-family="ui-monospace,monospace" font-size="16">{text_of(line)}</text>'
        for i, line in enumerate(lines)
    )
    return Scene(max(width, 40), height, tuple(body), is_text=True)


_SIZE = re.compile(r'<svg [^>]*viewBox="0 0 ([\d.]+) ([\d.]+)"')


def embedded_scene(svg: str) -> Scene:
    """A picture that somebody drew by hand, as a scene without places.

    >>> embedded_scene('<svg viewBox="0 0 30 40" width="30"></svg>').height
    40.0
    """
    found = _SIZE.search(svg)
    width, height = (float(found[1]), float(found[2])) if found else (400.0, 300.0)
    start = svg.find("<svg")
    return Scene(width, height, (svg[max(start, 0) :],))


def moved(scene: Scene, dx: float, dy: float, prefix: str = "") -> Scene:
    """The same scene elsewhere, the names of its places with something before them."""

    def shifted(parts: Sequence[str]) -> tuple[str, ...]:
        return (f'<g transform="translate({at(dx, dy)})">{"".join(parts)}</g>',) if parts else ()

    places = tuple(
        replace(
            place,
            name=prefix + place.name,
            x=place.x + dx,
            y=place.y + dy,
            shift=(place.shift[0] + dx, place.shift[1] + dy),
        )
        for place in scene.places
    )
    return replace(
        scene, under=shifted(scene.under), places=places, over=shifted(scene.over), labels=shifted(scene.labels)
    )


def beside(scenes: Sequence[Scene], prefixes: Sequence[str] = (), *, sign: str = "+", widest: float = 900) -> Scene:
    """Several scenes in one, side by side with a sign between them, in as many rows as they need.

    >>> one = Scene(30, 20, places=(disc_place("a", 5, 5, 2),))
    >>> both = beside([one, one], ["1:", "2:"])
    >>> [place.name for place in both.places], both.place("2:a").x > 40
    (['1:a', '2:a'], True)
    """
    if len(scenes) == 1:
        return scenes[0]
    rows: list[list[int]] = [[]]
    filled = 0.0
    for index, scene in enumerate(scenes):
        if rows[-1] and filled + scene.width + 24 > widest:
            rows.append([])
            filled = 0.0
        filled += scene.width + 24
        rows[-1].append(index)
    parts: list[Scene] = []
    signs, y, width = [], 0.0, 0.0
    for row in rows:
        height, x = max(scenes[index].height for index in row), 0.0
        for index in row:
            if index and sign:
                signs.append(label(x + 12, y + height / 2, sign, 17))
                x += 24
            elif index:
                x += 8
            scene = scenes[index]
            parts.append(moved(scene, x, y + (height - scene.height) / 2, prefixes[index] if prefixes else ""))
            x += scene.width
        y, width = y + height, max(width, x)
    return Scene(
        width,
        y,
        sum((part.under for part in parts), ()) + tuple(signs),
        sum((part.places for part in parts), ()),
        sum((part.over for part in parts), ()),
        sum((part.labels for part in parts), ()),
        scenes[0].title,
        {move: places for scene in scenes for move, places in scene.ways.items()},
        is_text=any(part.is_text for part in parts),
        sets={move: sets for scene in scenes for move, sets in scene.sets.items()},
        tools={move: tool for scene in scenes for move, tool in scene.tools.items()},
    )


def stacked(scenes: Sequence[Scene], gap: float = 4) -> Scene:
    """Scenes under each other, each in the middle.

    >>> stacked([Scene(30, 20), Scene(10, 10)]).height
    34.0
    """
    width = max((scene.width for scene in scenes), default=40.0)
    parts: list[Scene] = []
    y = 0.0
    for scene in scenes:
        parts.append(moved(scene, (width - scene.width) / 2, y))
        y += scene.height + gap
    return Scene(
        width,
        max(y - gap, 20.0) if scenes else 40.0,
        sum((part.under for part in parts), ()),
        sum((part.places for part in parts), ()),
        sum((part.over for part in parts), ()),
        sum((part.labels for part in parts), ()),
        scenes[0].title if scenes else "",
        {move: places for scene in scenes for move, places in scene.ways.items()},
        any(part.is_text for part in parts),
        {move: sets for scene in scenes for move, sets in scene.sets.items()},
        {move: tool for scene in scenes for move, tool in scene.tools.items()},
    )


def chip(x: float, y: float, width: float, height: float, text: str, kind: str = "cell") -> str:
    """A small button with a text.

    >>> chip(0, 0, 40, 20, "stop").count("<rect")
    2
    """
    round_box = box(x, y, width, height, kind).replace("/>", ' rx="6"/>')
    rim = box(x, y, width, height, "line").replace("/>", ' rx="6"/>')
    return f"{round_box}{rim}{label(x + width / 2, y + height / 2, text, 12)}"
