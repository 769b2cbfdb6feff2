"""Nodes and edges of trees and graphs: the shape says who moves, the colour who wins."""

from __future__ import annotations

from math import hypot

from zermelo.certificate import score_text
from zermelo.draw.svg import at, label, number
from zermelo.game import CHANCE, Game, Score
from zermelo.picturing import colour_of_value

RADIUS = 13.0


def colour_of(game: Game, value: Score | None, total: Score = 0) -> str:
    """The colour of a value: the winner's, grey for a draw, blank where it is not known.

    >>> from zermelo.games import make_game
    >>> [colour_of(make_game("nim:1"), value) for value in (1, -1, 0, None)]
    ['first', 'second', 'draw', 'open']
    """
    return "open" if value is None else colour_of_value(game, value, total)


def mover_of(game: Game, position: object) -> str:
    """Who moves: ``first``, ``second`` (which stands for every other role), ``chance`` or ``over``."""
    if game.result(position) is not None:
        return "over"
    turn = game.turn(position)
    if turn == CHANCE:
        return "chance"
    return "first" if turn == game.roles[0] else "second"


def node_svg(x: float, y: float, mover: str, colour: str, text: str = "", *, radius: float = RADIUS) -> str:
    """A node: a disc where the first role moves, a square for another, a diamond for chance, small at an end.

    >>> node_svg(0, 0, "first", "draw").startswith('<circle class="z-draw"')
    True
    """
    r = radius * (0.8 if mover == "over" else 1.0)
    if mover in ("first", "over"):
        where = f'cx="{number(x)}" cy="{number(y)}" r="{number(r)}"'
        shape = f'<circle class="z-{colour}" {where}/><circle class="z-rim" {where}/>'
    else:
        if mover == "chance":
            points = [(x, y - r * 1.2), (x + r * 1.2, y), (x, y + r * 1.2), (x - r * 1.2, y)]
        else:
            s = r * 0.92
            points = [(x - s, y - s), (x + s, y - s), (x + s, y + s), (x - s, y + s)]
        path = " ".join(f"{number(px)},{number(py)}" for px, py in points)
        shape = f'<polygon class="z-{colour}" points="{path}"/><polygon class="z-rim" points="{path}"/>'
    if not text:
        return shape
    kind = "ink" if colour in ("open", "mark", "shade") else "paper"
    return shape + label(x, y, text, min(11.0, 2.6 * r / len(text)), kind=kind)


def value_text(value: Score | None) -> str:
    """A value as it fits into a node."""
    return "" if value is None else score_text(value)


def arrow_svg(start: tuple[float, float], end: tuple[float, float], bend: float = 0.0, gap: float = RADIUS + 2) -> str:
    """A line with a head from one node to another, bent to one side by so many pixels.

    >>> arrow_svg((0, 0), (100, 0)).count("<path")
    2
    """
    (x0, y0), (x1, y1) = start, end
    length = hypot(x1 - x0, y1 - y0) or 1.0
    side = ((y1 - y0) / length, (x0 - x1) / length)
    control = ((x0 + x1) / 2 + 2 * bend * side[0], (y0 + y1) / 2 + 2 * bend * side[1])
    tail, head = towards((x0, y0), control, gap), towards((x1, y1), control, gap)
    back = towards(head, control, 7.0)
    dx, dy = (head[0] - back[0]) / 2.2, (head[1] - back[1]) / 2.2
    wings = f"L{at(back[0] - dy, back[1] + dx)}L{at(back[0] + dy, back[1] - dx)}"
    return (
        f'<path class="z-line" d="M{at(*tail)}Q{at(*control)} {at(*back)}"/>'
        f'<path class="z-faint" d="M{at(*head)}{wings}z"/>'
    )


def loop_svg(x: float, y: float) -> str:
    """An edge from a node to itself.

    >>> loop_svg(0, 0)
    '<path class="z-line" d="M7.8 -13C31.2 -39 39 -2.6 16 0"/>'
    """
    r = RADIUS
    bow = f"{at(x + 2.4 * r, y - 3 * r)} {at(x + 3 * r, y - 0.2 * r)} {at(x + r + 3, y)}"
    return f'<path class="z-line" d="M{at(x + 0.6 * r, y - r)}C{bow}"/>'


def legend_svg(game: Game, width: float, y: float, *, chance: bool = False, unknown: bool = False) -> list[str]:
    """What shapes and colours stand for, in one row centred in a width."""
    items: list[tuple[str, str, str]] = [("first", "open", f"{game.roles[0]} to move")]
    if len(game.roles) > 1:
        items.append(("second", "open", f"{game.roles[1] if len(game.roles) == 2 else 'another'} to move"))
    if chance:
        items.append(("chance", "open", "chance"))
    items.append(("over", "first", f"{game.roles[0]} wins"))
    if len(game.roles) == 2:
        items += [("over", "second", f"{game.roles[1]} wins"), ("over", "draw", "draw")]
    else:
        items.append(("over", "second", "not won"))
    if unknown:
        items.append(("over", "open", "not known"))
    widths = [24 + 6.2 * len(text) + 14 for _, _, text in items]
    x = max(10.0, (width - sum(widths)) / 2)
    parts = []
    for (mover, colour, text), step in zip(items, widths, strict=True):
        parts.append(node_svg(x + 8, y, mover, colour, radius=7))
        parts.append(label(x + 20, y, text, 11, kind="faint", extra=' text-anchor="start"'))
        x += step
    return parts


def legend_width(game: Game, *, chance: bool = False, unknown: bool = False) -> float:
    """The least width that holds the legend."""
    words = 6.2 * (sum(len(role) for role in game.roles[:2]) * 2 + 40)
    return words + 38 * (5 + chance + unknown) + 20


def towards(point: tuple[float, float], other: tuple[float, float], distance: float) -> tuple[float, float]:
    """The point so far from a point on the way to another, and never all the way.

    >>> towards((0.0, 0.0), (0.0, 10.0), 2.0)
    (0.0, 2.0)
    """
    length = hypot(other[0] - point[0], other[1] - point[1]) or 1.0
    share = min(distance / length, 0.9)
    return point[0] + (other[0] - point[0]) * share, point[1] + (other[1] - point[1]) * share
