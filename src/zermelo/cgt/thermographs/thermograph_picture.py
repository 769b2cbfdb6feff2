"""Thermographs as pictures: taxes upwards, values to the left, so that Left's wall stands on the left.

Each game has its walls, a mast with an arrow on top, and its corners marked with exact fractions. Several games lie
over each other with lines of their own; scaffolds, what the walls would be without the mast, can be drawn as well.
Positions are worked out with fractions, so numbers of any size can be drawn; only what is put on paper is floating
point.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from zermelo.cgt.thermographs.thermograph import Thermograph
from zermelo.cgt.thermographs.wall import Wall
from zermelo.draw.svg import at, clipped, label, number, picture
from zermelo.errors import InputError

WIDTH, HEIGHT = 380.0, 280.0
LEFT, RIGHT, TOP, BOTTOM = 62.0, 34.0, 26.0, 46.0
DASHES = ("", "7 3", "2 3", "9 3 2 3", "1 4", "12 4")
"""How the lines of the first, second, ... game are drawn; more games than these could not be told apart."""

Spot = tuple[float, float]


def thermograph_svg(
    shapes: Sequence[Thermograph], names: Sequence[str] = (), *, scaffolds: bool = False, title: str = ""
) -> str:
    """The picture of one thermograph, or of several over each other.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> from zermelo.cgt.thermographs.thermograph import thermograph
    >>> svg = thermograph_svg([thermograph(trees_of("{15|{{5|-5}|-20}}")[0])])
    >>> "5/2, 25/2" in svg
    True
    """
    if not 0 < len(shapes) <= len(DASHES):
        raise InputError(f"{len(shapes)} thermographs in one picture, expected 1 to {len(DASHES)}")
    frame = Frame.around(shapes)
    body = axes(frame)
    marks = _Marks()
    for shape, dash in zip(shapes, DASHES, strict=False):
        body += _drawn(frame, shape, dash, scaffolds)
    for shape in shapes:
        body += marks.of(frame, shape)
    rows = [(clipped(name, 48), dash) for name, dash in zip(names, DASHES, strict=False) if name]
    y = TOP + HEIGHT + BOTTOM
    for row, (name, dash) in enumerate(rows):
        body += _legend(name, dash, y + 8 + 18 * row)
    height = y + (18 * len(rows) + 6 if rows else 0)
    words = title or "thermograph" + (f" of {', '.join(name for name, _ in rows)}" if rows else "")
    return picture(LEFT + WIDTH + RIGHT, height, body, words)


@dataclass(frozen=True)
class Frame:
    """The values and taxes that a picture shows, and where they are on paper.

    >>> Frame(Fraction(-2), Fraction(2), Fraction(3)).up(Fraction(1))
    0.5
    """

    low: Fraction
    high: Fraction
    top: Fraction
    bottom: Fraction = Fraction(-1)

    @staticmethod
    def of_values(values: Sequence[Fraction], hottest: Fraction, bottom: Fraction) -> Frame:
        """Values with some room on both sides, and taxes up to some way above the hottest.

        >>> Frame.of_values([Fraction(0), Fraction(7)], Fraction(3), Fraction(-1)).high
        Fraction(8, 1)
        """
        low, high = min(values), max(values)
        margin = (high - low) / 7 or Fraction(1)
        top = max(hottest + (hottest - bottom) / 4, Fraction(1, 2))
        return Frame(low - margin, high + margin, top, bottom)

    @staticmethod
    def around(shapes: Sequence[Thermograph]) -> Frame:
        """The frame that holds thermographs from t = -1 on.

        >>> from zermelo.cgt.thermographs.thermograph import number_thermograph
        >>> Frame.around([number_thermograph(2)]).bottom
        Fraction(-1, 1)
        """
        values = [value for shape in shapes for wall in (shape.left, shape.right) for value, _ in wall.breakpoints]
        return Frame.of_values(values, max(shape.temperature for shape in shapes), Fraction(-1))

    def across(self, value: Fraction) -> float:
        """From 0 on the left, where values are high, to 1.

        >>> Frame(Fraction(-2), Fraction(2), Fraction(3)).across(Fraction(2))
        0.0
        """
        return float((self.high - value) / (self.high - self.low))

    def up(self, t: Fraction) -> float:
        """From 0 at the bottom to 1.

        >>> Frame(Fraction(-2), Fraction(2), Fraction(3)).up(Fraction(3))
        1.0
        """
        return float((t - self.bottom) / (self.top - self.bottom))

    def spot(self, value: Fraction, t: Fraction) -> Spot:
        """Where a value and a tax are on paper.

        >>> Frame(Fraction(-2), Fraction(2), Fraction(3)).spot(Fraction(2), Fraction(-1)) == (LEFT, TOP + HEIGHT)
        True
        """
        return LEFT + WIDTH * self.across(value), TOP + HEIGHT * (1 - self.up(t))


def ticks(low: Fraction, high: Fraction, most: int = 8) -> list[Fraction]:
    """Round numbers between two others, at most so many.

    >>> [str(tick) for tick in ticks(Fraction(-3, 2), Fraction(7, 3), 5)]
    ['-1', '0', '1', '2']
    """
    span = high - low
    # Three tenths of the bits are a little less than all decimal digits.
    step = Fraction(10 ** max(int(span).bit_length() * 3 // 10 - 2, 0))
    while span / step < most / Fraction(2):
        step /= 2
    factors = 0
    while span / step > most:
        step *= (2, Fraction(5, 2), 2)[factors % 3]
        factors += 1
    first = -(-low // step)
    return [tick for k in range(most + 1) if low <= (tick := (first + k) * step) <= high]


def axes(frame: Frame) -> list[str]:
    """The grid of values and taxes, with their numbers.

    >>> "← value" in "".join(axes(Frame(Fraction(-2), Fraction(2), Fraction(3))))
    True
    """
    parts = []
    left, bottom = LEFT, TOP + HEIGHT
    for tick in ticks(frame.low, frame.high):
        x, _ = frame.spot(tick, frame.bottom)
        parts.append(path([(x, TOP), (x, bottom + 4)], "line", 0.5))
        parts.append(label(x, bottom + 14, clipped(str(tick), 11), 10, kind="faint"))
    for tick in ticks(frame.bottom, frame.top):
        _, y = frame.spot(frame.low, tick)
        width = 1.0 if tick == 0 else 0.5
        parts.append(path([(left - 4, y), (left + WIDTH, y)], "line", width))
        parts.append(label(left - 8, y, clipped(str(tick), 9), 10, kind="faint", extra=' text-anchor="end"'))
    parts.append(label(left + WIDTH / 2, bottom + 31, "← value", 11, kind="faint"))
    parts.append(label(16, TOP + HEIGHT / 2, "t", 12, kind="faint"))
    return parts


def _drawn(frame: Frame, shape: Thermograph, dash: str, scaffolds: bool) -> list[str]:
    left, right = (_spots(frame, wall, shape.temperature) for wall in (shape.left, shape.right))
    parts = []
    outline = " ".join(f"{number(x)},{number(y)}" for x, y in left + right[::-1])
    parts.append(f'<polygon class="z-mark" points="{outline}" opacity="0.18"/>')
    if scaffolds:
        for wall, kind in ((shape.left_scaffold, "first-line"), (shape.right_scaffold, "second-line")):
            if wall is not None:
                beyond = _inside(frame, wall, shape.temperature)
                parts.append(path([frame.spot(*corner) for corner in beyond], kind, 1.0, "2 2"))
    parts.append(path(left, "first-line", 2.2, dash))
    parts.append(path(right, "second-line", 2.2, dash))
    foot, head = frame.spot(shape.mean, shape.temperature), frame.spot(shape.mean, frame.top)
    parts.append(path([foot, (head[0], head[1] + 7)], "rim", 1.8, dash))
    x, y = number(head[0]), number(head[1])
    parts.append(f'<path class="z-ink" d="M{x} {y}l-4 9h8z"/>')
    return parts


def _spots(frame: Frame, wall: Wall, up_to: Fraction) -> list[Spot]:
    corners = list(wall.breakpoints)
    if corners[-1][1] < up_to:
        corners.append((wall.at(up_to), up_to))
    return [frame.spot(*corner) for corner in corners]


def _inside(frame: Frame, scaffold: Wall, begin: Fraction) -> list[tuple[Fraction, Fraction]]:
    """A scaffold from the temperature on, as far as it stays in the picture."""
    taxes = [begin, *(t for _, t in scaffold.breakpoints if begin < t < frame.top), frame.top]
    found = [(scaffold.at(begin), begin)]
    for before, t in pairwise(taxes):
        value, slope = scaffold.at(t), scaffold.slope_above(before)
        edge = frame.low if value < frame.low else frame.high if value > frame.high else None
        if edge is not None:
            found.append((edge, before + (edge - found[-1][0]) / slope))
            break
        found.append((value, t))
    return found


@dataclass
class _Marks:
    """Corners with their numbers; a number that would lie over another one is left out."""

    taken: list[tuple[float, float, float, float]] = field(default_factory=list)

    def of(self, frame: Frame, shape: Thermograph) -> list[str]:
        parts = []
        peak = shape.mean, shape.temperature
        corners = [(peak, 1)]
        for wall, side in ((shape.left, -1), (shape.right, 1)):
            corners += [(corner, side) for corner in reversed(wall.breakpoints) if corner != peak]
        for corner, side in corners:
            x, y = frame.spot(*corner)
            parts.append(f'<circle class="z-ink" cx="{number(x)}" cy="{number(y)}" r="2.6"/>')
            words = f"{clipped(str(corner[0]), 12)}, {clipped(str(corner[1]), 12)}"
            parts += self.label(x, y - (7 if corner == peak or corner[1] == frame.bottom else 0), words, side)
        return parts

    def label(self, x: float, y: float, words: str, side: int) -> list[str]:
        width = 5.4 * len(words)
        if not LEFT <= x + side * (7 + width) <= LEFT + WIDTH + RIGHT - 2:
            side = -side
        begin = x + 7 if side > 0 else x - 7 - width
        space = begin - 3, y - 6, begin + width + 3, y + 6
        if any(_overlap(space, other) for other in self.taken):
            return []
        self.taken.append(space)
        anchor = "start" if side > 0 else "end"
        return [label(x + 7 * side, y, words, 10, extra=f' text-anchor="{anchor}"')]


def _overlap(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _legend(name: str, dash: str, y: float) -> list[str]:
    return [
        path([(LEFT, y), (LEFT + 32, y)], "rim", 1.8, dash),
        label(LEFT + 42, y, name, 11, extra=' text-anchor="start"'),
    ]


def path(spots: Iterable[Spot], kind: str, width: float, dash: str = "") -> str:
    """A line through spots.

    >>> path([(0, 0), (3, 4)], "rim", 1)
    '<path class="z-rim" d="M0 0L3 4" stroke-width="1"/>'
    """
    way = "L".join(at(*spot) for spot in spots)
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<path class="z-{kind}" d="M{way}" stroke-width="{number(width)}"{dashed}/>'


def thermograph_text(shape: Thermograph, *, columns: int = 56, rows: int = 16) -> str:
    """A thermograph in letters, for the terminal, with its corners below.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> from zermelo.cgt.thermographs.thermograph import thermograph
    >>> print(thermograph_text(thermograph(trees_of("{5|-5}")[0]), columns=25, rows=9))
     6 |            ^
     5 |            |
     4 |          /   \\
     3 |         /     \\
     2 |       /         \\
     1 |      /           \\
     0 |    /               \\
    -1 |   /                 \\
       +------------+------------
                    0
    mean 0, temperature 5
    Left   6, -1   0, 5
    Right  -6, -1   0, 5
    """
    frame = Frame.around([shape])
    taxes = _levels(frame, rows)
    names = [clipped(str(t), 12) for t in taxes]
    wide = max(map(len, names))
    lines = []
    for place, t in enumerate(taxes):
        cells = [" "] * columns
        if t >= shape.temperature:
            cells[_column(frame, shape.mean, columns)] = "|" if place else "^"
        else:
            for wall, leaning in ((shape.right, "\\"), (shape.left, "/")):
                cells[_column(frame, wall.at(t), columns)] = leaning if wall.slope_above(t) else "|"
        lines.append(f"{names[place]:>{wide}} |{''.join(cells)}".rstrip())
    lines += [" " * (wide + 1) + line for line in _value_axis(frame, columns)]
    lines.append(f"mean {shape.mean}, temperature {shape.temperature}")
    for name, wall in (("Left ", shape.left), ("Right", shape.right)):
        lines.append(f"{name}  " + "   ".join(f"{value}, {t}" for value, t in wall.breakpoints))
    return "\n".join(lines)


def _levels(frame: Frame, rows: int) -> list[Fraction]:
    """Round taxes from the top down, and -1."""
    found = [t for t in ticks(frame.bottom, frame.top, max(rows - 1, 1)) if t > frame.bottom]
    return [*reversed(found), frame.bottom]


def _value_axis(frame: Frame, columns: int) -> tuple[str, str]:
    axis, names = ["-"] * columns, [" "] * (columns + 12)
    for tick in reversed(ticks(frame.low, frame.high, max(columns // 8, 1))):
        place, name = _column(frame, tick, columns), clipped(str(tick), 9)
        begin = max(place - len(name) // 2, 0)
        if all(cell == " " for cell in names[max(begin - 1, 0) : begin + len(name) + 1]):
            axis[place] = "+"
            names[begin : begin + len(name)] = name
    return "+" + "".join(axis), " " + "".join(names).rstrip()


def _column(frame: Frame, value: Fraction, columns: int) -> int:
    return round(frame.across(value) * (columns - 1))
