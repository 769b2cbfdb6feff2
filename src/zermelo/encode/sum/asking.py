"""What is said of a formula by a sum of games: Left, moving first, wins the sum exactly if the formula is true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zermelo.answer import Answer
from zermelo.cgt.engines import engines
from zermelo.cgt.game import WrittenSum
from zermelo.encode.sum.text import text_of_formula
from zermelo.encoding import Encoding
from zermelo.engine import Task
from zermelo.errors import NotApplicableError
from zermelo.game import Game, taken_as
from zermelo.qbf.game import FormulaGame

NAME = "formula-sum"
MOST_COMPONENTS = 30
"""Sums of more games are not searched: no search comes near their end."""
MOST_FORCED = 500
"""Sums of more games are not asked about at all."""


def answer_by_sum(names: Sequence[str], game: Game, task: Task) -> Answer:
    """What engines for sums say of a formula. Their proofs speak of the sum: the formula has no certificate from them.

    >>> from zermelo.qbf.qdimacs import parse_qdimacs
    >>> game = FormulaGame(parse_qdimacs("p cnf 1 1\\ne 1 0\\n1 0\\n"))
    >>> answer = answer_by_sum(["sum"], game, Task())
    >>> answer.winner, answer.value
    ('exists', 1)
    """
    formula, _ = taken_as(FormulaGame, game).remaining
    if formula.output >> 1 == 0:
        raise NotApplicableError(f"{'+'.join(names)}: the formula is a constant, there is no sum to play")
    stated = WrittenSum(text_of_formula(formula, task.target or "the formula"), NAME)
    stated.write_out(task.limits)
    if len(stated.components) > (MOST_FORCED if "forced" in names else MOST_COMPONENTS):
        raise NotApplicableError(f"{'+'.join(names)}: the formula would be a sum of {len(stated.components):,} games")
    by_name = {engine.name: engine for engine in engines()}
    for name in names:
        if (reason := by_name[name].why_not(stated)) is not None:
            raise NotApplicableError(f"{name} does not take the sum that this formula is: {reason}")
    plain = replace(task, options=replace(task.options, certify=False, verify=False, move_values=False))
    found = by_name[names[0]].run(names, stated, plain)
    answer = replace(found, bounds=(None, None), move=None, line=(), move_values={}, claims=(), details=None)
    if found.status != "solved" or found.winner is None:
        return replace(answer, status="unknown", value=None, winner=None)
    value = 1 if found.winner == "left" else -1
    note = "not verified: what the sum proves is no proof about the formula"
    winner = "exists" if value == 1 else "forall"
    return replace(answer, value=value, bounds=(value, value), winner=winner, note=note)


ENCODING = Encoding(
    NAME, "a sum that Left, moving first, wins exactly if the formula is true", "sum", answer_by_sum, ("formula",)
)
