"""Sums of games: two sides, Left and Right, play on several boards, and each moves on whichever it likes.

Under *normal play* who cannot move loses. A position then has a :class:`Value`; the value of a sum is the sum of the
values, and equal values may stand for each other. Some are numbers, some are nimbers (``*``), some are *hot*: both
sides want to move there. How much that is worth is the temperature, read off the :class:`Thermograph`. In *scored
play* a game is a :class:`Tree` with numbers at its leaves, and a sum of trees is worth what its leaves add up to; see
:func:`solve_sum`. A :class:`Ruleset` is a game on a board that falls into such parts: a :class:`BoardSum`.

>>> from zermelo.cgt import solve_sum, trees_of, value_of
>>> hot = value_of("{3||2|-1}")
>>> hot, hot.outcome, hot.thermograph, value_of("*") + value_of("*") == 0
(<Value 3||2|-1>, 'L', <Thermograph: mean 2, temperature 1>, True)
>>> str(solve_sum(trees_of("{5|-5} + {3|-1}")).left_first.score)
'4'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.lazy import lazy

if TYPE_CHECKING:
    from zermelo.cgt.boards.octal import NimSequence, OctalCode
    from zermelo.cgt.boards.ruleset import Ruleset
    from zermelo.cgt.game import BoardSum, WrittenSum
    from zermelo.cgt.loopy.sided import Sided, sided
    from zermelo.cgt.loopy.stopper import Stopper, stopper
    from zermelo.cgt.misere.form import MisereGame, misere_game
    from zermelo.cgt.misere.quotient import MisereQuotient, misere_quotient
    from zermelo.cgt.scores.bounds import Bounds
    from zermelo.cgt.scores.scored import Tree, trees_of
    from zermelo.cgt.scores.sums import SumAnswer, solve_sum
    from zermelo.cgt.thermographs.thermograph import Thermograph
    from zermelo.cgt.values.compounds import conjunctive_sum, conway_product, selective_sum
    from zermelo.cgt.values.infinitesimals import (
        Uptimal,
        companion,
        frozen,
        power,
        power_to,
        subordinate,
        up_power,
        up_powers,
        uptimal_expansion,
    )
    from zermelo.cgt.values.nimbers import nim_inverse, nim_product
    from zermelo.cgt.values.transfinite import TransfiniteNimber, transfinite
    from zermelo.cgt.values.value import Value, miny, nimber, number, switch, tiny, ups, value_of

# Imported on first use: the modules of this package are needed one by one.
__getattr__, __dir__ = lazy(
    __name__,
    {
        "BoardSum": "game",
        "Bounds": "scores.bounds",
        "MisereGame": "misere.form",
        "MisereQuotient": "misere.quotient",
        "NimSequence": "boards.octal",
        "OctalCode": "boards.octal",
        "Ruleset": "boards.ruleset",
        "Sided": "loopy.sided",
        "Stopper": "loopy.stopper",
        "SumAnswer": "scores.sums",
        "Thermograph": "thermographs.thermograph",
        "TransfiniteNimber": "values.transfinite",
        "Tree": "scores.scored",
        "Uptimal": "values.infinitesimals",
        "Value": "values.value",
        "WrittenSum": "game",
        "companion": "values.infinitesimals",
        "conjunctive_sum": "values.compounds",
        "conway_product": "values.compounds",
        "frozen": "values.infinitesimals",
        "miny": "values.value",
        "misere_game": "misere.form",
        "misere_quotient": "misere.quotient",
        "nim_inverse": "values.nimbers",
        "nim_product": "values.nimbers",
        "nimber": "values.value",
        "number": "values.value",
        "power": "values.infinitesimals",
        "power_to": "values.infinitesimals",
        "selective_sum": "values.compounds",
        "sided": "loopy.sided",
        "solve_sum": "scores.sums",
        "stopper": "loopy.stopper",
        "subordinate": "values.infinitesimals",
        "switch": "values.value",
        "tiny": "values.value",
        "transfinite": "values.transfinite",
        "trees_of": "scores.scored",
        "up_power": "values.infinitesimals",
        "up_powers": "values.infinitesimals",
        "ups": "values.value",
        "uptimal_expansion": "values.infinitesimals",
        "value_of": "values.value",
    },
)

__all__ = [
    "BoardSum",
    "Bounds",
    "MisereGame",
    "MisereQuotient",
    "NimSequence",
    "OctalCode",
    "Ruleset",
    "Sided",
    "Stopper",
    "SumAnswer",
    "Thermograph",
    "TransfiniteNimber",
    "Tree",
    "Uptimal",
    "Value",
    "WrittenSum",
    "companion",
    "conjunctive_sum",
    "conway_product",
    "frozen",
    "miny",
    "misere_game",
    "misere_quotient",
    "nim_inverse",
    "nim_product",
    "nimber",
    "number",
    "power",
    "power_to",
    "selective_sum",
    "sided",
    "solve_sum",
    "stopper",
    "subordinate",
    "switch",
    "tiny",
    "transfinite",
    "trees_of",
    "up_power",
    "up_powers",
    "ups",
    "uptimal_expansion",
    "value_of",
]
