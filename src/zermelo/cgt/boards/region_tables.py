"""Values of regions kept in a file: a second run begins where the first ended.

A table holds, for games with native rules, regions and their values. It has a check sum, and what is read is brought
into canonical form anew; that the values are those of their regions is worked out by :func:`values_follow` only, since
that takes as long as working them out. No certificate rests on a table: the checker works out what it needs.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from zermelo import _native
from zermelo.cgt.boards.board_value import native_boards, native_boards_at_work
from zermelo.cgt.values.arena import current_control
from zermelo.errors import InputError, LimitReachedError
from zermelo.files import read_bytes, write_bytes
from zermelo.limits import stopped_at

HEAD = b"zermelo regions 1\n"
MOST_BYTES = 1 << 31
"""Larger tables are refused, packed or not."""
MOST_CELLS = 64


def save_table(path: Path, cells: int = MOST_CELLS) -> dict[str, int]:
    """Writes what the current arena holds of regions of at most so many cells; how many there are, by game.

    >>> import tempfile
    >>> from zermelo.cgt.boards.board_value import value_of_board
    >>> from zermelo.cgt.boards.ruleset import positions_of
    >>> from zermelo.cgt.values.arena import own_arena
    >>> with tempfile.TemporaryDirectory() as folder, own_arena():
    ...     path = Path(folder) / "regions.table"
    ...     value = value_of_board(*positions_of("domineering:3x3"))
    ...     saved = save_table(path)
    ...     with own_arena():
    ...         loaded = load_table(path)
    >>> saved == loaded, saved["domineering"] > 5
    (True, True)
    """
    counts, pieces = {}, []
    for name, boards in sorted(native_boards_at_work().items()):
        count, data = boards.saved(cells)
        if count:
            counts[name] = count
            pieces += [f"{name}:{len(data)}\n".encode(), data]
    write_bytes(path, HEAD + zlib.compress(b"".join(pieces), 9))
    return counts


def load_table(path: Path) -> dict[str, int]:
    """Reads a table into the current arena; how many regions it has, by game. ``InputError`` for other files."""
    data = read_bytes(path, "table of regions", MOST_BYTES, HEAD)
    if not data.startswith(HEAD):
        raise InputError("this is no table of regions, expected one that `zermelo cgt table` wrote", file=str(path))
    control = current_control() or _native.Control()
    counts = {}
    try:
        for name, regions in _sections(_unpacked(data[len(HEAD) :])):
            counts[name] = native_boards(name).load(regions, control)
    except (ValueError, zlib.error) as error:
        raise InputError(f"a table of regions that is damaged: {error}", file=str(path)) from None
    except _native.CgtMemoryError:
        raise LimitReachedError("the values of games need more memory than they may take") from None
    except _native.Stopped:
        raise stopped_at(control.cause) from None
    return counts


def values_follow(control: _native.Control | None = None) -> bool:
    """Do all values of regions in the current arena follow from those of what moves lead to?

    >>> from zermelo.cgt.boards.board_value import value_of_board
    >>> from zermelo.cgt.boards.ruleset import positions_of
    >>> value = value_of_board(*positions_of("clobber:2x3"))
    >>> values_follow()
    True
    """
    control = control or _native.Control()
    try:
        return all(boards.follow(control) for boards in native_boards_at_work().values())
    except _native.Stopped:
        raise stopped_at(control.cause) from None


@contextmanager
def kept_table(path: Path | None) -> Iterator[None]:
    """Within the block regions are those of a table, if there is one yet; what is new is in it afterwards.

    >>> with kept_table(None):
    ...     pass
    """
    if path is None:
        yield
        return
    before = sum(load_table(path).values()) if path.exists() else 0
    try:
        yield
    finally:
        if sum(boards.regions for boards in native_boards_at_work().values()) > before:
            save_table(path)


def _unpacked(packed: bytes) -> bytes:
    unpacking = zlib.decompressobj()
    data = unpacking.decompress(packed, MOST_BYTES)
    if not unpacking.eof or unpacking.unused_data:
        raise ValueError("its end is missing, or something follows it")
    return data


def _sections(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Each game of a table and what is said of it."""
    at = 0
    while at < len(data):
        end = data.find(b"\n", at, at + 200)
        name, _, size = data[at : max(at, end)].decode("ascii").rpartition(":")
        if not name or not size.isdecimal() or len(size) > 12:
            raise ValueError("expected the name of a game and a size")
        at = end + 1 + int(size)
        if at > len(data):
            raise ValueError(f"the regions of {name} are cut off")
        yield name, data[end + 1 : at]
