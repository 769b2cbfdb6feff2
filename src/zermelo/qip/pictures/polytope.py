"""The solutions of a program with two or three variables, as a polytope: its corners are found exactly.

Of the relaxation, in which all variables are continuous, the corners, edges and facets of {x : rows and bounds hold}
are worked out with fractions; only where they are put on paper is floating point. With three variables the polytope is
drawn from two sides: that of the lower bound of the variable set first, and that of its upper bound. What is left of
the solutions there, once the first variable is set, is marked. So are the integer points, and those in which a
strategy ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import cos, pi, sin

from zermelo.draw.svg import at, label, number, picture
from zermelo.errors import InputError
from zermelo.qip.programs.program import Bound, Program, bounds_of

Point = tuple[Fraction, ...]
Vector = Sequence[Fraction]

MOST_ROWS = 60
MOST_INTEGERS = 400
SIDE, MARGIN = 250.0, 70.0


@dataclass(frozen=True)
class Polytope:
    """Corners, edges (pairs of corners) and facets (an outward normal, and corners in order around it).

    ``flat`` says that it has no inside: it is a polygon, a segment or a point in space.
    """

    corners: tuple[Point, ...]
    edges: tuple[tuple[int, int], ...]
    facets: tuple[tuple[Point, tuple[int, ...]], ...]
    flat: bool


def polytope(program: Program) -> Polytope:
    """The solutions of a program of two or three variables when all of them are continuous.

    A corner is a solution in which as many independent rows as there are variables hold with equality; two corners
    share an edge if all but one of such rows are common to them. Takes time cubic in the number of rows.

    >>> from zermelo.qip.programs.program import Row, Variable, terms
    >>> below = Row(terms({0: 1, 1: 1}), "<=", Fraction(1))
    >>> triangle = polytope(Program((Variable("x"), Variable("y")), (below,)))
    >>> [tuple(map(str, corner)) for corner in triangle.corners], len(triangle.edges)
    ([('0', '0'), ('0', '1'), ('1', '0')], 3)
    """
    size = len(program.variables)
    if size not in (2, 3):
        expected = "expected two or three variables for a picture of the solutions"
        raise InputError(f"{program.name}: {size} variable{'s' * (size != 1)}, {expected}")
    planes = _planes(program)
    corners = sorted(_corners(planes, size))
    if not corners:
        raise InputError(f"{program.name}: no point keeps all rows, there is nothing to draw")
    tight = [frozenset(i for i, plane in enumerate(planes) if _left(plane, c) == plane[1]) for c in corners]
    edges = tuple(
        (a, b)
        for a, b in combinations(range(len(corners)), 2)
        if _rank([planes[i][0] for i in tight[a] & tight[b]]) == size - 1
    )
    found: dict[tuple[int, ...], Point] = {}
    for i, (normal, _) in enumerate(planes):
        on = tuple(c for c in range(len(corners)) if i in tight[c])
        if len(on) >= size:
            found.setdefault(on, normal)
    facets = tuple((normal, _around(on, edges)) for on, normal in found.items())
    spread = [tuple(x - y for x, y in zip(c, corners[0], strict=True)) for c in corners[1:]]
    return Polytope(tuple(corners), edges, facets, _rank(spread) < size)


def _planes(program: Program) -> list[tuple[Point, Fraction]]:
    """The rows and bounds as normals and right sides: normal times x is at most the right side."""
    size = len(program.variables)
    made: dict[tuple[Point, Fraction], None] = {}
    bounds: list[Bound] = [bound for row in program.rows for bound in bounds_of(row)]
    for place, variable in enumerate(program.variables):
        if variable.lower is None or variable.upper is None:
            raise InputError(f"variable {variable.name} has no bounds, expected bounds for a picture of the solutions")
        bounds += [Bound(((place, Fraction(1)),), variable.upper), Bound(((place, Fraction(-1)),), -variable.lower)]
    for bound in bounds:
        normal = [Fraction(0)] * size
        for place, coefficient in bound.terms:
            normal[place] = coefficient
        made[tuple(normal), bound.right] = None
    if len(made) > MOST_ROWS:
        raise InputError(f"{program.name}: {len(made)} rows and bounds, too many to draw (at most {MOST_ROWS})")
    return list(made)


def _left(plane: tuple[Point, Fraction], point: Point) -> Fraction:
    return sum((a * x for a, x in zip(plane[0], point, strict=True)), Fraction(0))


def _corners(planes: Sequence[tuple[Point, Fraction]], size: int) -> set[Point]:
    found = set()
    for chosen in combinations(planes, size):
        point = _solution([[*normal, right] for normal, right in chosen])
        if point is not None and all(_left(plane, point) <= plane[1] for plane in planes):
            found.add(point)
    return found


def _solution(rows: list[list[Fraction]]) -> Point | None:
    """The one point in which equations hold, if there is exactly one (Gauss and Jordan)."""
    size = len(rows)
    for column in range(size):
        pivot = next((r for r in range(column, size) if rows[r][column]), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [x / rows[column][column] for x in rows[column]]
        for r in range(size):
            if r != column and (factor := rows[r][column]):
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[column], strict=True)]
    return tuple(row[size] for row in rows)


def _rank(vectors: Iterable[Vector]) -> int:
    rows = [list(vector) for vector in vectors]
    rank = 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((r for r in range(rank, len(rows)) if rows[r][column]), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        for r in range(rank + 1, len(rows)):
            if factor := rows[r][column] / rows[rank][column]:
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[rank], strict=True)]
        rank += 1
    return rank


def _around(corners: Sequence[int], edges: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """Corners of one facet in the order in which its edges join them."""
    inside = set(corners)
    near: dict[int, list[int]] = {corner: [] for corner in corners}
    for a, b in edges:
        if a in inside and b in inside:
            near[a].append(b)
            near[b].append(a)
    way = [corners[0]]
    while len(way) < len(corners):
        following = next((c for c in near[way[-1]] if c not in way), None)
        if following is None:
            break
        way.append(following)
    return tuple(way)


def integer_points(program: Program) -> list[Point]:
    """The integer points that keep all rows; none where there would be too many to draw.

    >>> from zermelo.qip.programs.program import Row, Variable, terms
    >>> below = Row(terms({0: 1, 1: 1}), "<=", Fraction(1))
    >>> len(integer_points(Program((Variable("x"), Variable("y")), (below,))))
    3
    """
    ranges = []
    for variable in program.variables:
        if variable.lower is None or variable.upper is None:
            return []
        ranges.append(range(-(-variable.lower // 1), variable.upper // 1 + 1))
    count = 1
    for values in ranges:
        count *= len(values)
    if count > MOST_INTEGERS:
        return []
    return [tuple(map(Fraction, point)) for point in product(*ranges) if all(row.holds(point) for row in program.rows)]


def polytope_svg(program: Program, strategy: Iterable[Sequence[Fraction | int]] = ()) -> str:
    """The picture of the solutions; ``strategy`` are the points in which a strategy ends.

    >>> from zermelo.qip.programs.program import Row, Variable, terms
    >>> below = Row(terms({0: 1, 1: 1}), "<=", Fraction(1))
    >>> polytope_svg(Program((Variable("x"), Variable("y")), (below,))).count("integer points")
    1
    """
    shape = polytope(program)
    whole = [point for point in integer_points(program) if any(v.integer for v in program.variables)]
    ends = [tuple(map(Fraction, point)) for point in strategy]
    views = (_View.of(program, 0),) if len(program.variables) == 2 else (_View.of(program, 0), _View.of(program, 1))
    body: list[str] = []
    for view in views:
        body += _drawing(program, shape, view, whole, ends)
    width, height = len(views) * (SIDE + 2 * MARGIN), SIDE + 2 * MARGIN + 30
    body += _legend(program, shape, width, height - 22, bool(whole), bool(ends))
    return picture(width, height, body, f"the solutions of {program.name}")


@dataclass(frozen=True)
class _View:
    """How points are put on paper: from the side of the lower bound of the first variable, or of the upper."""

    low: Point
    high: Point
    side: int

    @staticmethod
    def of(program: Program, side: int) -> _View:
        low = tuple(v.lower or Fraction(0) for v in program.variables)
        return _View(low, tuple(v.upper or Fraction(0) for v in program.variables), side)

    def unit(self, point: Point) -> list[float]:
        """Coordinates in a cube whose sides go from -1 to 1."""
        return [
            float(2 * (x - a) / (b - a) - 1) if b > a else 0.0
            for x, a, b in zip(point, self.low, self.high, strict=True)
        ]

    def spot(self, point: Point) -> tuple[float, float]:
        unit = self.unit(point)
        if len(unit) == 2:
            across, up = unit[0], unit[1]
        else:
            (a, b), tilt = self.turned(unit), 0.42
            across, up = a / 1.42, (unit[2] * cos(tilt) + b * sin(tilt)) / 1.42
        return MARGIN + SIDE * (1 + across) / 2 + self.side * (SIDE + 2 * MARGIN), MARGIN + SIDE * (1 - up) / 2

    def turned(self, unit: Sequence[float]) -> tuple[float, float]:
        """To the right, and away from the eye."""
        angle = 0.70 * pi + self.side * pi
        x, y = unit[0], unit[1]
        return x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle)

    def is_front(self, normal: Point) -> bool:
        """Whether a facet with that normal is turned to the eye."""
        if len(normal) == 2:
            return True
        # Normals are stretched the other way round than points are.
        stretched = [float(n * (b - a)) for n, a, b in zip(normal, self.low, self.high, strict=True)]
        _, away = self.turned(stretched)
        return away * cos(0.42) - stretched[2] * sin(0.42) < 0


def _drawing(program: Program, shape: Polytope, view: _View, whole: list[Point], ends: list[Point]) -> list[str]:
    spots = [view.spot(corner) for corner in shape.corners]
    parts = _frame(program, view)
    front = [corners for normal, corners in shape.facets if view.is_front(normal)]
    seen = {frozenset(pair) for corners in front for pair in zip(corners, (*corners[1:], corners[0]), strict=True)}
    parts += [_polygon([spots[c] for c in corners], "cell", "0.55") for corners in front]
    for bound, kind in ((view.low[0], "first"), (view.high[0], "second")):
        face = [c for c, corner in enumerate(shape.corners) if corner[0] == bound]
        joined = [edge for edge in shape.edges if set(edge) <= set(face)]
        if len(face) >= 3:
            parts.append(_polygon([spots[c] for c in _around(face, joined)], kind, "0.35"))
        parts += [_line(spots[a], spots[b], f"{kind}-line", 3.0) for a, b in joined]
    for a, b in shape.edges:
        hidden = bool(front) and not shape.flat and frozenset((a, b)) not in seen and len(program.variables) == 3
        parts.append(_line(spots[a], spots[b], "rim", 1.0, ' stroke-dasharray="3 3"' if hidden else ""))
    parts += [_dot(view.spot(point), 2.6, "ink") for point in whole]
    for point in ends:
        x, y = view.spot(point)
        parts.append(_dot((x, y), 5.0, "mark"))
        parts.append(f'<circle class="z-rim" cx="{number(x)}" cy="{number(y)}" r="5"/>')
        words = ", ".join(str(value) for value in point)
        parts.append(label(x, y - 12, f"({words})", 10, halo=True))
    return parts


def _frame(program: Program, view: _View) -> list[str]:
    """The box of the bounds, with each variable's name and bounds along one side."""
    corners = list(product(*zip(view.low, view.high, strict=True)))
    parts = []
    for a, b in combinations(corners, 2):
        if sum(x != y for x, y in zip(a, b, strict=True)) == 1:
            parts.append(_line(view.spot(a), view.spot(b), "line", 0.7))
    centre = view.spot(tuple((a + b) / 2 for a, b in zip(view.low, view.high, strict=True)))
    for place, variable in enumerate(program.variables):
        begin = _axis_corner(view, place)
        end = (*begin[:place], view.high[place], *begin[place + 1 :])
        (x0, y0), (x1, y1) = view.spot(begin), view.spot(end)
        middle = ((x0 + x1) / 2, (y0 + y1) / 2)
        for share, words in ((0.88, view.low[place]), (-0.88, view.high[place])):
            # A little inside the ends, where the next side of the box begins.
            spot = (middle[0] + share * (x0 - middle[0]), middle[1] + share * (y0 - middle[1]))
            parts.append(label(*_beyond(centre, middle, 13, spot), str(words), 10, kind="faint"))
        name = f"{'∀' if variable.quantifier == 'forall' else '∃'} {variable.name}"
        parts.append(label(*_beyond(centre, middle, 24, middle), name, 12))
    return parts


def _axis_corner(view: _View, place: int) -> Point:
    """Where the side of the box begins along which a variable is written: at its rim, as seen."""
    others = [i for i in range(len(view.low)) if i != place]
    best: tuple[float, Point] | None = None
    for choice in product((0, 1), repeat=len(others)):
        corner = list(view.low)
        for i, high in zip(others, choice, strict=True):
            corner[i] = view.high[i] if high else view.low[i]
        begin = tuple(corner)
        end = (*begin[:place], view.high[place], *begin[place + 1 :])
        (x0, y0), (x1, y1) = view.spot(begin), view.spot(end)
        # The lowest side for what lies flat, the leftmost for what stands.
        rank = -(x0 + x1) if place == 2 or (len(view.low) == 2 and place == 1) else y0 + y1
        if best is None or rank > best[0]:
            best = (rank, begin)
    assert best is not None
    return best[1]


def _beyond(
    centre: tuple[float, float], middle: tuple[float, float], distance: float, spot: tuple[float, float]
) -> tuple[float, float]:
    """A spot moved outwards, as the middle of its side lies from the centre."""
    dx, dy = middle[0] - centre[0], middle[1] - centre[1]
    length = (dx * dx + dy * dy) ** 0.5 or 1.0
    return spot[0] + dx / length * distance, spot[1] + dy / length * distance


def _legend(program: Program, shape: Polytope, width: float, y: float, whole: bool, ends: bool) -> list[str]:
    first = program.variables[0]
    items = []
    for bound, kind in ((first.lower, "first"), (first.upper, "second")):
        if any(corner[0] == bound for corner in shape.corners):
            items.append((kind, f"{first.name} = {bound}"))
    items += [("ink", "integer points")] * whole + [("mark", "the strategy's ends")] * ends
    widths = [26 + 6.4 * len(words) for _, words in items]
    x = (width - sum(widths)) / 2
    parts = []
    for (kind, words), step in zip(items, widths, strict=True):
        parts.append(_dot((x + 6, y), 5.0, kind))
        parts.append(label(x + 16, y, words, 11, kind="faint", extra=' text-anchor="start"'))
        x += step
    return parts


def _polygon(spots: Sequence[tuple[float, float]], kind: str, opacity: str) -> str:
    points = " ".join(f"{number(x)},{number(y)}" for x, y in spots)
    return f'<polygon class="z-{kind}" points="{points}" opacity="{opacity}"/>'


def _line(a: tuple[float, float], b: tuple[float, float], kind: str, width: float, extra: str = "") -> str:
    return f'<path class="z-{kind}" d="M{at(*a)}L{at(*b)}" stroke-width="{number(width)}"{extra}/>'


def _dot(spot: tuple[float, float], radius: float, kind: str) -> str:
    return f'<circle class="z-{kind}" cx="{number(spot[0])}" cy="{number(spot[1])}" r="{number(radius)}"/>'
