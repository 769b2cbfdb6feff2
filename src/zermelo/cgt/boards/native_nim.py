"""Nim-values of boards by the native search (native/cgt/outcome/nimbers.hpp), for games that have native rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from zermelo import _native
from zermelo.cgt.boards.board_value import Cells, has_native_rules, native_cells
from zermelo.cgt.boards.ruleset import IMPARTIAL, Position, Ruleset
from zermelo.cgt.values.arena import current_arena, current_control
from zermelo.errors import LimitReachedError
from zermelo.limits import stopped_at

Found = TypeVar("Found", int, bool)

_known: list[tuple[_native.CgtArena, dict[tuple[str, int], _native.CgtNimbers]]] = []
"""The searches of the current arena, by game and width: what they have found stays with it."""


def native_nim_value(ruleset: Ruleset, position: Position, *, both: bool = False) -> int | None:
    """The nim-value of a board; ``None`` where there are no native rules, or the board has over 64 cells.

    With ``both``, it is that of the ruleset made impartial.

    >>> from zermelo.cgt.boards.ruleset import ruleset_named
    >>> native_nim_value(ruleset_named("cram"), "...|...|..#")
    2
    >>> native_nim_value(ruleset_named("clobber"), "xoxo|oxox", both=True)
    0
    >>> native_nim_value(ruleset_named("kayles"), (12,))
    """
    return _asked(ruleset, position, both, lambda search, cells, control: search.value(*cells, control))


def native_is_worth(
    ruleset: Ruleset, position: Position, heap: int, *, both: bool = False, known: bool = False
) -> bool | None:
    """Is a board worth a nim heap of this size? That is found sooner than its nim-value.

    ``None`` where there is no nim-value by native rules, and with ``known`` where it is not known without a search.

    >>> from zermelo.cgt.boards.ruleset import ruleset_named
    >>> [native_is_worth(ruleset_named("cram"), "...|...|..#", heap) for heap in (0, 1, 2)]
    [False, False, True]
    """
    return _asked(ruleset, position, both, lambda search, cells, control: search.worth(*cells, heap, known, control))


def _asked(
    ruleset: Ruleset,
    position: Position,
    both: bool,
    question: Callable[[_native.CgtNimbers, Cells, _native.Control], Found | None],
) -> Found | None:
    if not has_native_rules(ruleset) or not (both or ruleset.impartial):
        return None
    name, board = f"{IMPARTIAL if both else ''}{ruleset.name}", position
    if isinstance(position, tuple):  # what the rules leave open stands before the board
        name, board = f"{name} {position[0]}", position[1]
    if (cells := native_cells(board)) is None:
        return None
    control = current_control() or _native.Control()
    try:
        return question(_search(name, cells[0], cells[1]), cells, control)
    except OverflowError:  # over 63, where a word has no bit for it
        return None
    except _native.CgtMemoryError:
        raise LimitReachedError("the values of games need more memory than they may take") from None
    except _native.Stopped:
        raise stopped_at(control.cause) from None


def _search(name: str, rows: int, columns: int) -> _native.CgtNimbers:
    arena = current_arena()
    if not _known or _known[0][0] is not arena:
        _known[:] = [(arena, {})]
    key = name, 8 if max(rows, columns) <= 8 else columns
    if key not in _known[0][1]:
        _known[0][1][key] = _native.CgtNimbers(arena, name, rows, columns)
    return _known[0][1][key]
