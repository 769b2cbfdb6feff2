"""Boards drawn row by row: ``x`` and ``o`` stones, ``X`` and ``O`` safe ones, ``b`` and ``w`` marked territory."""

from __future__ import annotations

from zermelo.cgt.go.ground import Ground


def rectangle(rows: int, columns: int) -> Ground:
    """A board that need not be square."""
    neighbours = []
    for row in range(rows):
        for column in range(columns):
            near = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
            neighbours.append(tuple(r * columns + c for r, c in near if 0 <= r < rows and 0 <= c < columns))
    return Ground(tuple(neighbours))


def drawn(picture: str) -> tuple[Ground, str]:
    """The ground and the position of a drawing."""
    rows = picture.split()
    assert len({len(row) for row in rows}) == 1
    return rectangle(len(rows), len(rows[0])), "".join(rows)


def record(picture: str, root: str = "") -> str:
    """A drawing of a square board as a record; capital letters are marked as safe."""
    rows = picture.split()

    def points(letters: str) -> str:
        return "".join(
            f"[{chr(97 + c)}{chr(97 + r)}]"
            for r, row in enumerate(rows)
            for c, cell in enumerate(row)
            if cell in letters
        )

    properties = (("AB", "xX"), ("AW", "oO"), ("SQ", "XO"), ("TB", "b"), ("TW", "w"))
    said = "".join(name + points(letters) for name, letters in properties if points(letters))
    return f"(;SZ[{len(rows)}]{root}{said})"
