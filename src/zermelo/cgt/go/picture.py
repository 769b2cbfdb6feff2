"""Go boards as pictures: stones, settled territory, regions with their values, the best move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from zermelo.draw.svg import at, box, label, number, picture

if TYPE_CHECKING:
    from zermelo.cgt.go.analysis import GoEndgame
    from zermelo.cgt.go.record import GoPosition
    from zermelo.cgt.go.region import Region

CELL = 34.0
MARGIN = 30.0
LINE = 20.0
"""The height of a line of the legend."""
LETTER = 6.6
"""The width of a letter there, on average."""
LONGEST_LINE, MOST_LINES = 60, 4

# Hues that can be told apart side by side, on light and on dark paper.
_TINTS = ("#e07b39", "#4f9d69", "#7a6fd0", "#c9a227", "#c2527f", "#3fa0b5", "#8c8c3a", "#a0634a")


def endgame_svg(endgame: GoEndgame, order: Sequence[int] = ()) -> str:
    """A position with its regions coloured, their values below, and the best move ringed.

    ``order`` are points at which both sides play in turn: they are numbered, on small stones of who plays there.

    >>> from zermelo.cgt.go.analysis import analyse_position
    >>> from zermelo.cgt.go.record import parse_record
    >>> svg = endgame_svg(analyse_position(parse_record("(;SZ[3]AB[aa][ab][ac]AW[ca][cb][cc]SQ[aa][ca])")))
    >>> "region a" in svg, 'class="z-first-line"' in svg
    (True, True)
    """
    size = endgame.position.size
    board = 2 * MARGIN + (size - 1) * CELL
    legend = _legend(endgame)
    width = max(board, 30 + max(len(line) for _, line in legend) * LETTER)
    left = (width - board) / 2
    body = [f'<g transform="translate({number(left)} 0)">', *_grid(size), *_regions(endgame)]
    body += [*_stones(endgame.position), *_last(endgame.position), *_territory(endgame)]
    body += [*_names(endgame, order), *_best(endgame)]
    body += [*_numbers(endgame.position, order), *_points(endgame.position), "</g>"]
    for place, (tint, line) in enumerate(legend):
        y = board + 12 + place * LINE
        if tint:
            body.append(f'<rect fill="{tint}" fill-opacity="0.55" x="10" y="{number(y - 6)}" width="12" height="12"/>')
        body.append(label(28 if tint else 10, y, line, 12, extra=' text-anchor="start"'))
    return picture(width, board + 16 + len(legend) * LINE, body, "a Go endgame")


def position_svg(position: GoPosition) -> str:
    """A position alone, with a ring on the stone that was played last.

    >>> from zermelo.cgt.go.record import parse_record
    >>> position_svg(parse_record("(;SZ[3];B[bb];W[aa])")).count('class="z-rim"')
    3
    """
    board = 2 * MARGIN + (position.size - 1) * CELL
    body = [*_grid(position.size), *_stones(position), *_last(position), *_points(position)]
    return picture(board, board, body, "a Go position")


def _place(point: int, size: int) -> tuple[float, float]:
    row, column = divmod(point, size)
    return MARGIN + column * CELL, MARGIN + row * CELL


def _grid(size: int) -> Iterable[str]:
    from zermelo.cgt.go.record import COLUMNS

    far = MARGIN + (size - 1) * CELL
    yield box(MARGIN - CELL / 2, MARGIN - CELL / 2, size * CELL, size * CELL, "cell")
    across = (f"M{at(MARGIN, MARGIN + i * CELL)}H{number(far)}" for i in range(size))
    down = (f"M{at(MARGIN + i * CELL, MARGIN)}V{number(far)}" for i in range(size))
    yield f'<path class="z-line" d="{"".join(across)}{"".join(down)}"/>'
    for i in range(size):
        yield label(MARGIN + i * CELL, far + CELL / 2 + 7, COLUMNS[i], 10, kind="faint")
        yield label(MARGIN - CELL / 2 - 7, MARGIN + i * CELL, str(size - i), 10, kind="faint")


def _stones(position: GoPosition) -> Iterable[str]:
    for point, stone in enumerate(position.stones):
        if stone != ".":
            x, y = _place(point, position.size)
            disc = f'cx="{number(x)}" cy="{number(y)}" r="{number(CELL * 0.46)}"'
            yield f'<circle class="z-{"black" if stone == "x" else "white"}" {disc}/><circle class="z-rim" {disc}/>'


def _last(position: GoPosition) -> Iterable[str]:
    """A ring on the stone that was played last."""
    if position.last is not None:
        x, y = _place(position.last, position.size)
        ring = "pale" if position.stones[position.last] == "x" else "rim"
        circle = f'cx="{number(x)}" cy="{number(y)}" r="{number(CELL * 0.24)}"'
        yield f'<circle class="z-{ring}" stroke-width="2.5" {circle}/>'


def _points(position: GoPosition) -> Iterable[str]:
    """What a click on a point meets, on top of everything."""
    from zermelo.cgt.go.record import point_name

    for point in range(position.size * position.size):
        x, y = _place(point, position.size)
        name = point_name(point, position.size)
        hit = box(x - CELL / 2, y - CELL / 2, CELL, CELL, "hit")
        yield f'<g class="z-place" data-cell="{name}"><title>{name}</title>{hit}</g>'


def _regions(endgame: GoEndgame) -> Iterable[str]:
    for place, region in enumerate(endgame.regions):
        for point in region.points:
            x, y = _place(point, endgame.position.size)
            corner = f'x="{number(x - CELL / 2)}" y="{number(y - CELL / 2)}"'
            tint = f'fill="{_TINTS[place % len(_TINTS)]}" fill-opacity="0.45"'
            yield f'<rect {tint} {corner} width="{number(CELL)}" height="{number(CELL)}"/>'


def _territory(endgame: GoEndgame) -> Iterable[str]:
    for point, owner in enumerate(endgame.labels):
        if owner in "bw":
            x, y = _place(point, endgame.position.size)
            kind = "black" if owner == "b" else "white"
            half = 2.5 if point in endgame.judged else 4  # what is judged, not proved, is marked smaller
            side = number(2 * half)
            yield box(x - half, y - half, 2 * half, 2 * half, kind)
            if owner == "w":
                yield f'<path class="z-rim" d="M{at(x - half, y - half)}h{side}v{side}h-{side}z"/>'


def _names(endgame: GoEndgame, order: Sequence[int]) -> Iterable[str]:
    best = endgame.best.point if endgame.best is not None else None
    for region in endgame.regions:
        free = [p for p in region.points if endgame.position.stones[p] == "." and p != best]
        free = [p for p in free if p not in order] or free
        if free:
            x, y = _place(free[len(free) // 2], endgame.position.size)
            yield label(x, y, region.name, 14, extra=' font-weight="bold"')


def _best(endgame: GoEndgame) -> Iterable[str]:
    if endgame.best is not None:
        x, y = _place(endgame.best.point, endgame.position.size)
        disc = f'cx="{number(x)}" cy="{number(y)}"'
        kind = "black" if endgame.position.to_move == "x" else "white"
        yield f'<circle class="z-{kind}" {disc} r="{number(CELL * 0.2)}"/>'
        yield f'<circle class="z-first-line" stroke-width="3" {disc} r="{number(CELL * 0.4)}"/>'


def _numbers(position: GoPosition, order: Sequence[int]) -> Iterable[str]:
    """The order in which points are played: of one that is played twice the first time."""
    for place, point in reversed(list(enumerate(order))):
        x, y = _place(point, position.size)
        black = (position.to_move == "x") == (place % 2 == 0)
        disc = f'cx="{number(x)}" cy="{number(y)}" r="{number(CELL * 0.3)}"'
        yield f'<circle class="z-{"black" if black else "white"}" {disc}/><circle class="z-rim" {disc}/>'
        yield label(x, y, str(place + 1), 12, kind="white" if black else "black")


def _legend(endgame: GoEndgame) -> list[tuple[str, str]]:
    from zermelo.cgt.go.report import outcome_lines

    told = [(_TINTS[place % len(_TINTS)], _region_line(region)) for place, region in enumerate(endgame.regions)]
    told += [("", line) for line in outcome_lines(endgame)]
    if endgame.judged:
        told.append(("", f"judged, not proved: {len(endgame.judged)} points and stones (small squares)"))
    # A long line goes on below; what still does not end is cut off.
    width = max(LONGEST_LINE, int((endgame.position.size + 1) * CELL / LETTER))
    return [
        (tint if place == 0 else "", part)
        for tint, line in told
        for place, part in enumerate(wrap(line, width, max_lines=MOST_LINES, placeholder=" …"))
    ]


def _region_line(region: Region) -> str:
    from zermelo.cgt.go.report import bounds_text, kind_text

    if not region.settled:
        return f"region {region.name}: {bounds_text(region)}; unsettled, {region.reason}"
    worth = " or ".join(f"mean {shape.mean}, temperature {shape.temperature}" for shape in region.thermographs)
    return f"region {region.name}: {worth}, {'ko' if region.status == 'ko' else kind_text(region)}"
