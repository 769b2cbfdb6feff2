"""Boards as text and as SVG."""

from __future__ import annotations

from html import escape

from zermelo.game import Board

_LETTERS = {"": ".", "x": "x", "o": "o", "black": "x", "white": "o"}


def board_text(board: Board) -> str:
    """A board for the terminal; hexagonal ones lean to the right.

    >>> print(board_text(Board((("x", ""), ("o", "7")))))
    x .
    o 7
    """
    rows = [" ".join(_LETTERS.get(cell, cell) for cell in row) for row in board.cells]
    return "\n".join(" " * (i if board.shape == "hex" else 0) + row for i, row in enumerate(rows))


def board_svg(board: Board) -> str:
    """A board as an SVG picture."""
    return text_svg(board_text(board))


def text_svg(text: str) -> str:
    """Any text as an SVG picture, line by line.

    >>> text_svg("a<b").count("&lt;")
    1
    """
    lines = text.splitlines() or [""]
    width, height = 10 * max(len(line) for line in lines) + 20, 20 * len(lines) + 20
    body = "".join(
        f'<text x="10" y="{25 + 20 * i}" xml:space="preserve">{escape(line)}</text>' for i, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="monospace" font-size="16">{body}</svg>'
    )
