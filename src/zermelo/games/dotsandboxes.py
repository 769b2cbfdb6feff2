"""Dots and boxes: draw edges between dots; completing a box owns it and moves again (Lucas 1889)."""

from __future__ import annotations

from string import ascii_lowercase
from typing import TYPE_CHECKING

from zermelo.errors import ArgumentError
from zermelo.game import Game
from zermelo.games.entry import Entry, integers

if TYPE_CHECKING:
    from zermelo import _native
    from zermelo.closing import ClosingRule, Images
    from zermelo.draw.scene import Scene

DotsAndBoxesPosition = tuple[int, int, int]
"""The drawn edges as bits, the boxes of the first minus those of the second so far, the role to move."""


class DotsAndBoxes(Game):
    """Dots and boxes on rows x columns boxes.

    Players draw edges in turn; one who draws the fourth side of a box, or of two, owns it and moves again.
    The score is the boxes of the first player minus those of the second. Dots are named from the top left
    corner ``a1``, and an edge by its two dots, in either order: ``a1b1`` runs to the right of ``a1``,
    ``a1a2`` down from it.

    >>> game = DotsAndBoxes(1, 1)
    >>> game.moves(game.start())
    ['a1b1', 'a2b2', 'a1a2', 'b1b2']
    >>> position = game.start()
    >>> for move in ("a1b1", "a2b2", "a1a2"):
    ...     position = game.play(position, move)
    >>> print(game.text(position))
      a   b
    1 o---o
      |
    2 o---o
    >>> game.result(game.play(position, "b1b2"))
    (-1, 1)
    """

    def __init__(self, rows: int, columns: int) -> None:
        if rows < 1 or columns < 1 or columns >= len(ascii_lowercase):
            limit = len(ascii_lowercase) - 1
            raise ArgumentError(f"dots and boxes needs a row of boxes and 1 to {limit} columns, not {rows} x {columns}")
        self.rows, self.columns = rows, columns
        across = [((r, c), (r, c + 1)) for r in range(rows + 1) for c in range(columns)]
        down = [((r, c), (r + 1, c)) for r in range(rows) for c in range(columns + 1)]
        self._ends = across + down
        self._names = [self._dot(*one) + self._dot(*other) for one, other in self._ends]
        self._edges = {name: edge for edge, name in enumerate(self._names)}
        self._all = (1 << len(self._names)) - 1
        self._boxes = {(r, c): self._sides(r, c) for r in range(rows) for c in range(columns)}
        self._beside = [[box for box in self._boxes.values() if box >> edge & 1] for edge in range(len(self._names))]

    @staticmethod
    def _dot(row: int, column: int) -> str:
        return f"{ascii_lowercase[column]}{row + 1}"

    def _sides(self, row: int, column: int) -> int:
        top = row * self.columns + column
        left = (self.rows + 1) * self.columns + row * (self.columns + 1) + column
        return 1 << top | 1 << (top + self.columns) | 1 << left | 1 << (left + 1)

    def start(self) -> DotsAndBoxesPosition:
        return (0, 0, 0)

    def turn(self, position: DotsAndBoxesPosition) -> str:
        return self.roles[position[2]]

    def moves(self, position: DotsAndBoxesPosition) -> list[str]:
        return [name for edge, name in enumerate(self._names) if not position[0] >> edge & 1]

    def play(self, position: DotsAndBoxesPosition, move: str) -> DotsAndBoxesPosition:
        edges, lead, role = position
        edge = self._edges[move]
        edges |= 1 << edge
        boxes = sum(edges & box == box for box in self._beside[edge])
        if boxes:
            return (edges, lead + (boxes if role == 0 else -boxes), role)
        return (edges, lead, 1 - role)

    def result(self, position: DotsAndBoxesPosition) -> tuple[int, int] | None:
        edges, lead, _ = position
        return (lead, -lead) if edges == self._all else None

    def open_boxes(self, position: DotsAndBoxesPosition) -> int:
        """How many boxes nobody owns yet.

        >>> DotsAndBoxes(2, 2).open_boxes((0, 0, 0))
        4
        """
        return sum(position[0] & box != box for box in self._boxes.values())

    def parse_move(self, position: DotsAndBoxesPosition, text: str) -> str:
        """The legal move that people write so: the two dots of the edge in either order.

        >>> game = DotsAndBoxes(2, 2)
        >>> game.parse_move(game.start(), "B1A1")
        'a1b1'
        """
        wanted = text.strip().lower()
        second = next((at for at in range(1, len(wanted)) if wanted[at].isalpha()), 0)
        swapped = wanted[second:] + wanted[:second]
        name: str = super().parse_move(position, swapped if swapped in self._edges else text)
        return name

    def text(self, position: DotsAndBoxesPosition) -> str:
        """The board with its dots named; boxes that are owned are filled.

        >>> game = DotsAndBoxes(1, 2)
        >>> print(game.text((0b110101, 1, 0)))
          a   b   c
        1 o---o   o
          |###|
        2 o---o   o
        """
        edges, width = position[0], len(str(self.rows + 1))
        drawn = {self._ends[edge] for edge in range(len(self._ends)) if edges >> edge & 1}
        lines = [" " * (width + 1) + "   ".join(ascii_lowercase[: self.columns + 1])]
        for r in range(self.rows + 1):
            dots = "".join("o" + ("---" if ((r, c), (r, c + 1)) in drawn else "   ") for c in range(self.columns))
            lines.append(f"{r + 1:>{width}} {dots}o")
            if r < self.rows:
                sides = ["|" if ((r, c), (r + 1, c)) in drawn else " " for c in range(self.columns + 1)]
                boxes = [
                    "###" if edges & self._boxes[r, c] == self._boxes[r, c] else "   " for c in range(self.columns)
                ]
                body = "".join(side + box for side, box in zip(sides, [*boxes, ""], strict=True))
                lines.append((" " * (width + 1) + body).rstrip())
        return "\n".join(lines)

    def scene(self, position: DotsAndBoxesPosition) -> Scene:
        """The board: drawn edges black, closed boxes shaded, the lead and whose turn it is below."""
        from zermelo.draw.grid import dots_scene

        edges, lead, role = position
        drawn = {self._ends[edge] for edge in range(len(self._ends)) if edges >> edge & 1}
        rows = []
        for r in range(self.rows + 1):
            rows.append("".join("#" if ((r, c), (r, c + 1)) in drawn else "." for c in range(self.columns)))
            rows.append("".join("#" if ((r, c), (r + 1, c)) in drawn else "." for c in range(self.columns + 1)))
        state = "" if edges == self._all else f", {self.roles[role]} to move"
        return dots_scene(rows[:-1], note=f"lead {lead:+d}{state}")

    def images(self) -> Images:
        from zermelo.games.board_images import turned_edges

        return turned_edges(self._ends, self.rows, self.columns)

    def closing(self, rule: str) -> ClosingRule | None:
        from zermelo.games.closing_rules import DOTS_AND_BOXES

        return DOTS_AND_BOXES[rule](self) if rule in DOTS_AND_BOXES else None

    def native(self) -> _native.Game | None:
        from zermelo import _native

        return _native.game("dotsandboxes", [self.rows, self.columns])


_USAGE = "dotsandboxes:R,C"

ENTRIES = (
    Entry(
        "dotsandboxes",
        _USAGE,
        "draw edges; whoever completes a box owns it and moves again",
        "dotsandboxes:2,2",
        lambda text: DotsAndBoxes(*integers(text, _USAGE, count=2)),
    ),
)
