"""Which thermographs show a sum: its own, and those of its components where they are few."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zermelo.cgt.game import BoardSum, WrittenSum
from zermelo.cgt.scores.scored import Tree, written
from zermelo.cgt.thermographs.thermograph import Thermograph, sum_thermograph, thermograph
from zermelo.errors import InputError, LimitReachedError
from zermelo.kernel_thread import control_for
from zermelo.limits import Limits

MOST_COMPONENTS = 3
"""With more components the picture shows the sum alone."""


def shapes_of(game: BoardSum | WrittenSum, position: Any, limits: Limits) -> list[tuple[str, Thermograph]]:
    """Names and thermographs, that of the whole sum first.

    >>> game = WrittenSum("{5|-5} + {3||2|-1}")
    >>> [(name, str(shape.temperature)) for name, shape in shapes_of(game, game.start(), Limits())]
    [('the sum', '5'), ('{5|-5}', '5'), ('{3||2|-1}', '1')]
    """
    if isinstance(game, WrittenSum):
        # Without components it is a record with a region that is no tree, whose components say so.
        return _of_trees(position[0] or game.components)
    from zermelo.cgt.boards.board_value import value_of_board
    from zermelo.cgt.values.value import controlled

    boards = position[0]
    with controlled(control_for(limits)):
        values = [value_of_board(game.ruleset, (board,), limits) for board in boards]
        total = sum(values[1:], values[0])
        whole = (str(total) if len(str(total)) <= 40 else "the board", total.thermograph)
        if len(boards) == 1 or len(boards) > MOST_COMPONENTS:
            return [whole]
        parts = [(game.ruleset.text(b), v.thermograph) for b, v in zip(boards, values, strict=True)]
    return [("the sum", whole[1]), *parts]


def _of_trees(components: Sequence[Tree]) -> list[tuple[str, Thermograph]]:
    hot = [game for game in components if game.number is None]
    if len(components) == 1:
        return [(written(components[0]), thermograph(components[0]))]
    parts = [(written(game), thermograph(game)) for game in hot] if len(hot) <= MOST_COMPONENTS else []
    try:
        whole = sum_thermograph(components)
    except InputError:
        if not parts:
            raise LimitReachedError("the sum is too large for one thermograph, and has too many components") from None
        return parts
    return [("the sum", whole), *parts]
