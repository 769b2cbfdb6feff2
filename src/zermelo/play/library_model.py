"""The forward model of any target: a rulesheet's ground game, or a :class:`~zermelo.game.Game` in motion.

>>> model = model_of("tictactoe")
>>> model.roles, model.chance, len(model.legal(model.start(), 0)), model.legal(model.start(), 1)
(('x', 'o'), None, 9, [0])
>>> model_of("gdl:tictactoe").roles
('x', 'o')
"""

from __future__ import annotations

from zermelo.kinds.rulesheet import is_rulesheet
from zermelo.limits import Limits
from zermelo.search.forward import ForwardModel, rulesheet_model
from zermelo.search.game_model import GameModel
from zermelo.solving.targets import game_of


def model_of(target: str, limits: Limits | None = None) -> ForwardModel:
    """The forward model of a rulesheet (``gdl:NAME``, ``rules.kif``) or of any other game that a target names.

    >>> model = model_of("nim:1,2")
    >>> after = model.play(model.start(), [model.legal(model.start(), 0)[-1], 0])
    >>> [model.move_text(move) for move in model.legal(after, 1)]
    ['0,1']
    """
    if is_rulesheet(target):
        from zermelo.gdl.library import sheet_of

        return rulesheet_model(sheet_of(target), limits)
    return GameModel(game_of(target))
