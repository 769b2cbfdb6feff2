"""A solution as a small card: the board, who wins, by which move, and whether it was checked."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from zermelo.draw.svg import clipped, number, picture, text_of

if TYPE_CHECKING:
    from zermelo.solution import Solution

WIDTH = 250.0
LINE = 22.0
TALLEST_BOARD = 220.0
MOST_ROLES = 8


def solution_svg(solution: Solution) -> str:
    """The card of a solution.

    >>> import zermelo
    >>> "first wins" in solution_svg(zermelo.solve("nim:1,2"))
    True
    """
    rows = solution_rows(solution)
    scene = solution.game.scene(solution.game.start())
    body, left, height = [], 16.0, LINE * (len(rows) + 1) + 18
    if not scene.is_text:
        scale = min(1.0, TALLEST_BOARD / max(scene.width, scene.height))
        drawn = "".join((*scene.under, *scene.over, *scene.labels))
        body.append(f'<g transform="scale({scale:.3f})">{drawn}</g>')
        left, height = scene.width * scale + 12, max(height, scene.height * scale)
    body.append(_line(left, 28, clipped(solution.target, 30), 16, "ink", bold=True))
    for i, (kind, text) in enumerate(rows):
        body.append(_line(left, 30 + LINE * (i + 1), clipped(text, 38), 13, kind))
    return picture(left + WIDTH, height, body, f"solution of {solution.target}")


def solution_rows(solution: Solution) -> list[tuple[str, str]]:
    """The lines of a card, each with the colour it is written in."""
    game, kind = solution.game, solution.kind
    of_whom = kind.unit(game)
    if solution.status != "solved":
        lower, upper = ("?" if bound is None else _exact(bound) for bound in solution.bounds)
        rows = [("ink", "not solved"), ("faint", f"between {lower} and {upper}{of_whom}")]
        if solution.note:
            rows.append(("faint", solution.note))
    elif (own := kind.card(solution)) is not None:
        rows = [own]
    elif solution.winner == "draw":
        rows = [("ink", "a draw")]
    elif solution.winner is None and len(solution.values) > 1:
        rows = [("ink", f"{role} gets {_exact(value)}") for role, value in solution.values.items()][:MOST_ROLES]
    elif solution.winner is None:
        rows = [("ink", "cannot be won")]
    else:
        rows = [("first" if solution.winner == game.roles[0] else "second", f"{solution.winner} wins")]
    if solution.value is not None:
        rows.append(("faint", f"value {_exact(solution.value)}{of_whom}"))
    if solution.move is not None:
        rows.append(("faint", f"best move {game.move_text(solution.move)}"))
    checked = "verified by the checker" if solution.verified else "not verified"
    rows.append(("faint", f"{solution.engine}, {checked}"))
    return rows


def _line(x: float, y: float, text: str, size: float, kind: str, *, bold: bool = False) -> str:
    weight = ' font-weight="600"' if bold else ""
    place = f'x="{number(x)}" y="{number(y)}" font-size="{number(size)}" text-anchor="start"'
    return f'<text class="z-{kind}" {place}{weight}>{text_of(text)}</text>'


def _exact(score: int | Fraction) -> str:
    return str(Fraction(score))
