"""Formulas as the engines have them, for comparison with what the checker reads."""

from __future__ import annotations

from zermelo.check.boolean import QuantifiedFormula
from zermelo.check.read.formulas import copied
from zermelo.qbf.game import FormulaGame


def of_engines(game: FormulaGame) -> QuantifiedFormula:
    """The formula that the engines work on: in the normal form that *they* made of it."""
    return copied(game.formula, game.given)
