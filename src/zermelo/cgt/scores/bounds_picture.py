"""Bounds on a sum as a picture: what either side can make sure of, for every setting of the thermostat.

Taxes upwards and values to the left, as in thermographs. The value of the sum lies between the two lines at every tax;
what the best taxes leave open is shaded.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from zermelo.cgt.boards.ruleset import Side
from zermelo.cgt.scores.bounds import Bound, by_tax, temperatures, thermostatic
from zermelo.cgt.scores.scored import Tree
from zermelo.cgt.thermographs.thermograph_picture import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, Frame, axes, path
from zermelo.cgt.thermographs.wall import Wall
from zermelo.draw.svg import box, clipped, label, number, picture


def bounds_svg(games: Sequence[Tree], starts: Side, *, value: Fraction | None = None) -> str:
    """The picture of the bounds on V_L or V_R over all taxes; with the exact value, if it is known, as a line.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> svg = bounds_svg(trees_of("{25,{50|0}|-75} + {20|-20}"), "left")
    >>> "V_L" in svg, svg.count("z-first-line") > 1
    (True, True)
    """
    hottest = temperatures(games)[0]
    curves = [_corners(wall, hottest) for wall in by_tax(games, starts)]
    best = thermostatic(games, starts)
    frame = Frame.of_values([v for curve in curves for v, _ in curve], hottest, Fraction(0))
    left, right = frame.spot(best.upper.value, frame.top)[0], frame.spot(best.lower.value, frame.top)[0]
    body = axes(frame)
    body.append(box(left, TOP, max(right - left, 1.0), HEIGHT, "mark").replace("/>", ' opacity="0.25"/>'))
    for curve, kind in zip(curves, ("first-line", "second-line"), strict=True):
        body.append(path([frame.spot(*corner) for corner in curve], kind, 2.2))
    if value is not None:
        x, _ = frame.spot(value, frame.top)
        body.append(path([(x, TOP), (x, TOP + HEIGHT)], "rim", 1.2, "2 3"))
        body.append(label(x, TOP - 9, f"V_{starts[0].upper()} = {clipped(str(value), 16)}", 11))
    inwards = 1 if right - left > 240 else -1  # between the two lines, where both words fit there
    body += _mark(frame, best.upper, inwards) + _mark(frame, best.lower, -inwards)
    return picture(LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM, body, f"bounds for every tax: {best}")


def _corners(wall: Wall, hottest: Fraction) -> list[tuple[Fraction, Fraction]]:
    between = [corner for corner in wall.breakpoints if 0 < corner[1] < hottest]
    return [(wall.at(0), Fraction(0)), *between, (wall.at(hottest), hottest)]


def _mark(frame: Frame, bound: Bound, side: int) -> list[str]:
    x, y = frame.spot(bound.value, bound.t)
    words = f"{clipped(str(bound.value), 12)} at t = {clipped(str(bound.t), 12)}"
    if not LEFT <= x + side * (8 + 5.4 * len(words)) <= LEFT + WIDTH + RIGHT:
        side = -side
    anchor = "start" if side > 0 else "end"
    return [
        f'<circle class="z-ink" cx="{number(x)}" cy="{number(y)}" r="3.4"/>',
        label(x + 8 * side, y - 8, words, 10, extra=f' text-anchor="{anchor}"'),
    ]
