"""Formulas as programs: every quantified Boolean formula is one, and a proof of the program proves it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zermelo.answer import Answer
from zermelo.encoding import Encoding
from zermelo.engine import Task
from zermelo.game import Game, Score, taken_as
from zermelo.qbf.game import FormulaGame
from zermelo.qbf.order import in_stated_order
from zermelo.qip.engines import CONTINUOUS_ONLY, solve_program
from zermelo.qip.game import ProgramGame
from zermelo.qip.modelling.from_formula import program_of_formula


def answer_by_program(names: Sequence[str], game: Game, task: Task) -> Answer:
    """What engines for programs say of a formula.

    >>> from zermelo.qbf.qdimacs import parse_qdimacs
    >>> game = FormulaGame(parse_qdimacs("p cnf 2 2\\na 1 0\\ne 2 0\\n1 2 0\\n-1 -2 0\\n"))
    >>> answer = answer_by_program(["qip"], game, Task())
    >>> answer.winner, answer.value, len(answer.claims)
    ('exists', 1, 1)
    """
    formula, _ = taken_as(FormulaGame, game).remaining
    program = ProgramGame(program_of_formula(in_stated_order(formula)))
    found = solve_program(program, "+".join(names), task)
    answer = replace(found, bounds=(-1, 1), move=None, line=(), move_values={}, details=None, complete=True)
    if found.status != "solved":
        return replace(answer, status="unknown", value=None, claims=())
    value: Score = -1 if found.value is None else 1
    # That the other role has nothing to claim is no gap: a formula is true or false.
    claims = tuple(replace(claim, at_least=1) for claim in found.claims if claim.role == found.winner)
    return replace(answer, value=value, bounds=(value, value), claims=claims, note="" if claims else found.note)


ENCODING = Encoding(
    "formula-program", "a program that is feasible exactly if the formula is true", "program", answer_by_program,
    ("formula",), never=CONTINUOUS_ONLY,
)  # fmt: skip
