"""Which thermographs show a sum: its own, and those of its components where they are few."""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.cgt.boards.board_value import value_of_board
from zermelo.cgt.boards.ruleset import Position, Ruleset
from zermelo.cgt.scores.naming import shown
from zermelo.cgt.scores.scored import Tree
from zermelo.cgt.thermographs.thermograph import Thermograph, sum_thermograph, thermograph
from zermelo.cgt.values.arena import controlled
from zermelo.errors import InputError, LimitReachedError
from zermelo.kernel_thread import control_for
from zermelo.limits import Limits

MOST_COMPONENTS = 3
"""With more components the picture shows the sum alone."""


def shapes_of_boards(ruleset: Ruleset, boards: Sequence[Position], limits: Limits) -> list[tuple[str, Thermograph]]:
    """Names and thermographs of boards side by side, that of the whole sum first.

    >>> from zermelo.cgt.boards.ruleset import positions_of
    >>> [name for name, _ in shapes_of_boards(*positions_of("domineering:..|..+.|."), Limits())]
    ['the sum', '..|..', '.|.']
    """
    with controlled(control_for(limits)):
        values = [value_of_board(ruleset, (board,), limits) for board in boards]
        total = sum(values[1:], values[0])
        whole = (str(total) if len(str(total)) <= 40 else "the board", total.thermograph)
        if len(boards) == 1 or len(boards) > MOST_COMPONENTS:
            return [whole]
        parts = [(ruleset.text(b), v.thermograph) for b, v in zip(boards, values, strict=True)]
    return [("the sum", whole[1]), *parts]


def shapes_of_trees(components: Sequence[Tree]) -> list[tuple[str, Thermograph]]:
    """Names and thermographs of trees, that of the whole sum first.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> [(name, str(shape.temperature)) for name, shape in shapes_of_trees(trees_of("{5|-5} + {3||2|-1}"))]
    [('the sum', '5'), ('{5|-5}', '5'), ('{3||2|-1}', '1')]
    """
    hot = [game for game in components if game.number is None]
    if len(components) == 1:
        return [(shown(components[0]), thermograph(components[0]))]
    parts = [(shown(game), thermograph(game)) for game in hot] if len(hot) <= MOST_COMPONENTS else []
    try:
        whole = sum_thermograph(components)
    except InputError:
        if not parts:
            raise LimitReachedError("the sum is too large for one thermograph, and has too many components") from None
        return parts
    return [("the sum", whole), *parts]
