"""What boards are worth: the canonical value of a position, from those of what can be moved to.

Parts are worked out once each, options before what they are options of; nothing recurses on the length of play. Parts
of at most 64 cells of a game that has native rules are worked out by those (native/cgt/boards).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import reduce

from zermelo import _native
from zermelo.cgt.boards.ruleset import SIDES, Position, Ruleset
from zermelo.cgt.rulesets.cells import mask_of
from zermelo.cgt.values.arena import current_arena, current_control
from zermelo.cgt.values.value import Value, nimber, number, options
from zermelo.errors import LimitReachedError
from zermelo.kernel_thread import control_for, run_native
from zermelo.limits import Limits, step_watch, stopped_at
from zermelo.progress import Watch, no_watch

MOST_NATIVE_CELLS = 64

Cells = tuple[int, int, int, int, int]
"""A board for the native rules: rows, columns, then the empty cells, Left's and Right's, row by row from bit 0."""


@dataclass(frozen=True)
class Known:
    """What has been worked out in one arena, held as long as that is the current one.

    Rulesets of the library go by their name, others by themselves, for they may differ in what they hold. What the
    ruleset alone has found is told apart from what native rules have, so that the two can be compared.
    """

    arena: _native.CgtArena
    parts: dict[tuple[Ruleset | str, bool], dict[Position, Value]] = field(default_factory=dict)
    native: dict[str, _native.CgtBoards] = field(default_factory=dict)

    def boards(self, name: str) -> _native.CgtBoards:
        """What native rules have worked out of a game."""
        if name not in self.native:
            self.native[name] = _native.CgtBoards(name, self.arena)
        return self.native[name]


_known: list[Known] = []


def value_of_board(
    ruleset: Ruleset,
    positions: Sequence[Position],
    limits: Limits | None = None,
    *,
    watch: Watch = no_watch,
    native: bool = True,
) -> Value:
    """The value of a sum of positions of one game; ``LimitReachedError`` where a limit comes first.

    Without ``native`` only the ruleset itself is asked, which takes longer.

    >>> from zermelo.cgt.boards.ruleset import positions_of
    >>> str(value_of_board(*positions_of("domineering:..|..+..")))
    '0|-2'
    """
    work = _Work(ruleset, _known_now(), limits or Limits(), watch, native)
    return _total([work.value(position) for position in positions])


def value_by_position(ruleset: Ruleset, limits: Limits) -> Callable[[Position], Value]:
    """The values of many positions of one game, asked for one by one under common limits.

    >>> from zermelo.cgt.boards.ruleset import positions_of
    >>> rules, positions = positions_of("domineering:..|..+..")
    >>> [str(value) for value in map(value_by_position(rules, Limits()), positions)]
    ['+-1', '-1']
    """
    return _Work(ruleset, _known_now(), limits, no_watch, native=True).value


def bounds_of_board(ruleset: Ruleset, positions: Sequence[Position]) -> tuple[int | None, int | None]:
    """Whole numbers between which the value lies, without a search; None where the rules give none.

    If Left never gets more than n moves, the value is at most n: moving second in the position less n, Right answers
    each of Left's moves by one of the n free moves that are his.

    >>> from zermelo.cgt.boards.ruleset import positions_of
    >>> bounds_of_board(*positions_of("domineering:...|...+..#"))
    (-3, 3)
    """
    parts = [part for position in positions for part in ruleset.regions(position)]
    left, right = ([ruleset.most_moves(part, side) for part in parts] for side in SIDES)
    most_left = None if None in left else sum(count or 0 for count in left)
    most_right = None if None in right else sum(count or 0 for count in right)
    return None if most_right is None else -most_right, most_left


def native_boards_at_work() -> dict[str, _native.CgtBoards]:
    """What native rules have worked out in the current arena, by game.

    >>> from zermelo.cgt.boards.ruleset import positions_of
    >>> value = value_of_board(*positions_of("domineering:2x3"))
    >>> native_boards_at_work()["domineering"].regions > 0
    True
    """
    return _known_now().native


def native_boards(name: str) -> _native.CgtBoards:
    """The boards of a game in the current arena; ``ValueError`` for a game without native rules.

    >>> native_boards("domineering") is native_boards("domineering")
    True
    """
    return _known_now().boards(name)


def _known_now() -> Known:
    arena = current_arena()
    if not _known or _known[0].arena is not arena:
        _known[:] = [Known(arena)]
    return _known[0]


def has_native_rules(ruleset: Ruleset) -> bool:
    """Whether a kernel knows the rules; it does not know those of a class of one's own, whatever its name.

    >>> from zermelo.cgt.boards.ruleset import ruleset_named
    >>> has_native_rules(ruleset_named("domineering")), has_native_rules(ruleset_named("hackenbush"))
    (True, False)
    """
    return _of_library(ruleset) and ruleset.name in _native.cgt_native_games()


def _of_library(ruleset: Ruleset) -> bool:
    return type(ruleset).__module__.startswith("zermelo.cgt.")


def native_cells(board: str) -> Cells | None:
    """The board in the form that native rules take; None if it has too many cells.

    >>> native_cells("x.|.o")
    (2, 2, 6, 1, 8)
    """
    rows = board.split("|")
    if len(rows) * len(rows[0]) > MOST_NATIVE_CELLS:
        return None
    cells = "".join(rows)
    return len(rows), len(rows[0]), mask_of(cells, "."), mask_of(cells, "x"), mask_of(cells, "o")


class _Work:
    """One run over the positions that can come up."""

    def __init__(self, ruleset: Ruleset, known: Known, limits: Limits, watch: Watch, native: bool) -> None:
        self.ruleset, self.limits, self.watch = ruleset, limits, watch
        self.arena = known.arena
        self.boards = known.boards if native and has_native_rules(ruleset) else None
        self.known = known.parts.setdefault((ruleset.name if _of_library(ruleset) else ruleset, native), {})
        self.look = step_watch(limits)

    def value(self, position: Position) -> Value:
        """The value of one position: of its parts together."""
        whole = self.by_kernel(position)
        return _total([self.part(region) for region in self.ruleset.regions(position)]) if whole is None else whole

    def by_kernel(self, position: Position) -> Value | None:
        """What the native rules find; None where there are none, or the board is too large for them."""
        if self.boards is None:
            return None
        name, board = self.ruleset.name, position
        if isinstance(position, tuple):  # what the rules leave open stands before the board
            name, board = f"{name} {position[0]}", position[1]
        cells = native_cells(board)
        if cells is None:
            return None
        boards = self.boards(name)
        control = current_control()
        try:
            if control is not None:
                return Value(self.arena, boards.value(*cells, control))
            control = control_for(self.limits)
            return Value(self.arena, run_native("cgt", lambda c: boards.value(*cells, c), control, self.watch))
        except _native.CgtMemoryError:
            raise LimitReachedError("the values of games need more memory than they may take") from None
        except _native.Stopped:
            cause = "memory" if control is None else control.cause
            raise stopped_at(cause) from None

    def part(self, root: Position) -> Value:
        known = self.known
        moves: dict[Position, list[list[Sequence[Position]]]] = {}
        stack = [root]
        while stack:
            part = stack[-1]
            if part in known or self.easy(part):
                stack.pop()
                continue
            if part not in moves:
                self.look()
                rules = self.ruleset
                moves[part] = [[rules.regions(o.position) for o in rules.options(part, side)] for side in SIDES]
                missing = {r for side in moves[part] for regions in side for r in regions if r not in known}
                if missing:
                    stack.extend(missing)
                    continue
            left, right = ([_total([known[r] for r in regions]) for regions in side] for side in moves.pop(part))
            known[part] = options(left, right)
            stack.pop()
        return known[root]

    def easy(self, part: Position) -> bool:
        """Whether the value is known now without a look at the options."""
        nim_value = getattr(self.ruleset, "nim_value", None)
        found = self.by_kernel(part) if nim_value is None else nimber(nim_value(part))
        if found is not None:
            self.known[part] = found
        return found is not None


def _total(values: Sequence[Value]) -> Value:
    return reduce(lambda total, value: total + value, values) if values else number(0)
