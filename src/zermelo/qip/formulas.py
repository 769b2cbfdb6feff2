"""Formulas solved as programs: every quantified Boolean formula is one, and a proof of the program proves it."""

from __future__ import annotations

from dataclasses import replace

from zermelo.certificate import Certificate
from zermelo.checked import checked
from zermelo.game import Score
from zermelo.limits import Limits
from zermelo.options import Options
from zermelo.qbf.game import FormulaGame
from zermelo.qbf.order import in_stated_order
from zermelo.qip.fromqbf import program_of_formula
from zermelo.qip.game import ProgramGame
from zermelo.qip.solving import solve_program
from zermelo.run import Watch, no_watch
from zermelo.solution import Solution


def solve_formula_by_program(
    game: FormulaGame,
    engine: str = "qip",
    limits: Limits | None = None,
    options: Options | None = None,
    target: str = "",
    watch: Watch = no_watch,
) -> Solution:
    """Solves a formula by engines for programs.

    >>> from zermelo.qbf.qdimacs import parse_qdimacs
    >>> game = FormulaGame(parse_qdimacs("p cnf 2 2\\na 1 0\\ne 2 0\\n1 2 0\\n-1 -2 0\\n"))
    >>> solution = solve_formula_by_program(game)
    >>> solution.winner, solution.value, solution.verified
    ('exists', 1, True)
    """
    options = options or Options()
    limits = limits or Limits()
    formula, _ = game.remaining
    program = ProgramGame(program_of_formula(in_stated_order(formula)))
    found = solve_program(program, engine, limits, replace(options, verify=False), target or "formula", watch)
    solution = replace(
        found, game=game, bounds=(-1, 1), move=None, line=(), move_values={}, assignment=None, feasible=None
    )
    if found.status != "solved":
        return replace(solution, status="unknown", value=None)
    value: Score = 1 if found.feasible else -1
    claims = [claim for claim in found.certificate.claims if claim.role == found.winner] if found.certificate else []
    certificate = Certificate(found.target, (replace(claims[0], at_least=1),)) if claims else None
    # That the other role has nothing to claim is no gap: a formula is true or false.
    note = found.note if certificate is None else ""
    solved = replace(solution, value=value, bounds=(value, value), certificate=certificate, note=note)
    return checked(solved, options, limits)
