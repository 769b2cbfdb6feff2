"""Boards in a file, of one game or of several, as the checker reads them (docs/formats/boards.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.check.mixed import mixed_sum, name_of
from zermelo.check.read.board import Boards, board_target
from zermelo.source import Source

if TYPE_CHECKING:
    from zermelo.check.dots import Dots
    from zermelo.check.mixed import MixedBoards


def boards_in(source: Source) -> MixedBoards | Boards | Dots | None:
    r"""The boards that a text of several lines states; ``None`` where it names no game.

    >>> boards_in(Source("cgt", "# a row\nkayles: 5,\n3", "row.cgt")).canonical()
    'kayles:5,3'
    """
    if (mixed := mixed_sum(source)) is not None:
        return mixed
    text = " ".join(line for line in source.text.splitlines() if line[:2] != "# ")
    return board_target(text, source.name) if name_of(text.lstrip()) else None
