"""Scenes of heaps of counters and of stacks of coins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zermelo.draw.scene import Place, Scene, disc_place, square_place
from zermelo.draw.svg import box, label, number

STACK = 10
"""Counters on top of each other; a larger heap stands in several columns."""
MOST_DRAWN = 40
"""A larger heap is drawn as its lowest and its topmost counters."""
RADIUS = 9.0
PITCH = 21.0
TOP = 16.0


def counter(heap: object, take: int, size: int) -> str:
    """The name of the counter that is pointed at to take so many from a heap: it and all above it go.

    >>> counter(0, 1, 3), counter(0, 3, 3)
    ('0.3', '0.1')
    """
    return f"{heap}.{size - take + 1}"


def heaps_scene(
    heaps: Sequence[int],
    names: Sequence[object] = (),
    ways: Mapping[Any, tuple[str, ...]] | None = None,
    *,
    note: str = "",
) -> Scene:
    """Heaps side by side, with their names and sizes below; counters are places, and so are whole heaps.

    Heaps are called 1, 2, 3 unless ``names`` says otherwise.

    >>> scene = heaps_scene([3, 1], ["a", "b"])
    >>> [place.name for place in scene.places]
    ['a', 'a.1', 'a.2', 'a.3', 'b', 'b.1']
    """
    called = list(names) or list(range(1, len(heaps) + 1))
    rows = min(max(heaps, default=1), STACK) if max(heaps, default=1) <= MOST_DRAWN else STACK
    floor = TOP + max(rows, 2) * PITCH
    body: list[str] = []
    labels: list[str] = []
    places: list[Place] = []
    x = 14.0
    for name, size in zip(called, heaps, strict=True):
        counters = _counters(size)
        columns = max(1, (len(counters) + STACK - 1) // STACK)
        wide = max(columns * PITCH, 10.0 + 8.0 * len(str(size)), 30.0)
        middle = x + wide / 2
        body.append(box(x - 2, floor, wide + 4, 3, "shade"))
        body.append(label(middle, floor + 15, str(size), 14))
        labels.append(label(middle, floor + 32, str(name), 12, kind="faint"))
        places.append(square_place(str(name), x - 2, floor, wide + 4, 40, str(size)))
        for index, level in enumerate(counters):
            cx = middle + (index // STACK - (columns - 1) / 2) * PITCH
            cy = floor - PITCH / 2 - (index % STACK) * PITCH
            if level is None:
                body.append(label(cx, cy, "⋮", 16, kind="faint"))
                continue
            body.append(counter_svg(cx, cy))
            place = disc_place(f"{name}.{level}", cx, cy, PITCH / 2, "")
            places.append(Place(place.name, cx, cy, place.shape, 28.0))
        x += wide + 22
    if not heaps:
        body.append(label(40, floor - 12, "no heaps", 13, kind="faint"))
    width, height = max(x - 6, 80.0), floor + 44
    if note:
        width, height = max(width, 7.2 * len(note) + 24), height + 18
        body.append(label(width / 2, height - 14, note, 13, kind="faint"))
    return Scene(width, height, (), tuple(places), tuple(body), tuple(labels), "heaps", dict(ways or {}))


def _counters(size: int) -> list[int | None]:
    """Which counters of a heap are drawn, from the bottom; ``None`` stands for those left out."""
    if size <= MOST_DRAWN:
        return list(range(1, size + 1))
    return [1, 2, 3, 4, None, *range(size - 4, size + 1)]


def counter_svg(x: float, y: float, radius: float = RADIUS, kind: str = "amber") -> str:
    """One counter.

    >>> counter_svg(5, 5).count("<circle")
    2
    """
    disc = f'cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"'
    return f'<circle class="z-{kind}" {disc}/><circle class="z-rim" {disc}/>'


MOST_COINS = 24


def coins_scene(values: Sequence[int]) -> Scene:
    """A stack of coins with their values, the topmost first; a coin is the place of taking it and all above it.

    >>> [place.name for place in coins_scene([2, 2, 1]).places]
    ['1', '2', '3']
    """
    wide = 60.0 + 8.0 * max((len(str(value)) for value in values), default=0)
    body: list[str] = []
    labels: list[str] = []
    places: list[Place] = []
    y = TOP
    for place, value in enumerate(values[:MOST_COINS], 1):
        coin = box(40, y, wide, 22, "amber").replace("/>", ' rx="9"/>')
        rim = box(40, y, wide, 22, "rim").replace("/>", ' rx="9"/>')
        body.append(coin + rim + f'<text class="z-black" x="{number(40 + wide / 2)}" y="{number(y + 16)}" '
                    f'font-size="14" font-weight="600">{value}</text>')  # fmt: skip
        labels.append(label(24, y + 11, str(place), 12, kind="faint"))
        coin_place = square_place(str(place), 40, y, wide, 22)
        places.append(Place(coin_place.name, 40 + wide - 14, y + 11, coin_place.shape, 30))
        y += 24
    if len(values) > MOST_COINS:
        body.append(label(40 + wide / 2, y + 10, f"and {len(values) - MOST_COINS} more", 12, kind="faint"))
        y += 22
    if not values:
        body.append(label(40 + wide / 2, y + 12, "no coins", 13, kind="faint"))
        y += 24
    body.append(box(30, y, wide + 20, 3, "shade"))
    return Scene(wide + 70, y + 18, (), tuple(places), tuple(body), tuple(labels), "coins")
