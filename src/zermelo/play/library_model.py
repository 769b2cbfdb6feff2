"""The forward model of any target: a rulesheet's ground game, or a :class:`~zermelo.game.Game` in motion.

>>> model = model_of("tictactoe")
>>> model.roles, model.chance, len(model.legal(model.start(), 0)), model.legal(model.start(), 1)
(('x', 'o'), None, 9, [0])
>>> model_of("gdl:tictactoe").roles
('x', 'o')
"""

from __future__ import annotations

from pathlib import Path

from zermelo.limits import Limits
from zermelo.search.forward import ForwardModel, rulesheet_model
from zermelo.search.game_model import GameModel
from zermelo.statements import RULES_SUFFIXES
from zermelo.targets import game_of


def model_of(target: str, limits: Limits | None = None) -> ForwardModel:
    """The forward model of a rulesheet (``gdl:NAME``, ``rules.kif``) or of any other game that a target names.

    >>> model = model_of("nim:1,2")
    >>> after = model.play(model.start(), [model.legal(model.start(), 0)[-1], 0])
    >>> [model.move_text(move) for move in model.legal(after, 1)]
    ['0,1']
    """
    if target.startswith("gdl:") or Path(target).suffix.lower() in RULES_SUFFIXES:
        from zermelo.gdl.library import sheet_of

        return rulesheet_model(sheet_of(target), limits)
    return GameModel(game_of(target))
