"""What ``exists`` might set first in a program that is not solved: the best against one line of play of ``forall``."""

from __future__ import annotations

from fractions import Fraction

from zermelo.errors import ZermeloError
from zermelo.limits import Limits
from zermelo.qip.exact_lp.mip import Meter, OutOfLimitError
from zermelo.qip.game import ProgramGame, Setting
from zermelo.qip.proofs.proof_strategy import any_value
from zermelo.qip.solvers.expansion import Expansion
from zermelo.qip.solvers.refinement import Search


def guessed(game: ProgramGame, limits: Limits) -> tuple[Setting | None, Fraction | None, str]:
    """A legal first move, what the objective comes to against one line of play, if that is known, and what it rests on.

    The line is one that leaves the rows little slack; others may be worse, so nothing is proved. Where ``forall``
    begins, the move is his in that line.

    >>> from zermelo.qip.programs.program import Objective, Program, Row, Variable, terms
    >>> x, u, y = Variable("x"), Variable("u", "forall"), Variable("y")
    >>> rows = (Row(terms({0: 1, 1: 1, 2: 1}), ">=", Fraction(2)),)
    >>> guessed(ProgramGame(Program((x, u, y), rows, Objective("min", terms({0: 3, 2: 1})))), Limits())
    ((0, 1), Fraction(4, 1), 'one line of play of forall')
    """
    number = len(game.given)
    if number == len(game.program.variables):
        return None, None, ""
    try:
        search = Search(game.remaining, Meter(limits, lambda calls: None))
        start = search.start(0)
        line = search.some_line(start)
        expansion = Expansion(search.of, 0, start.slack, optimised=True)
        expansion.add(line)
        values = search.solved(expansion, 0.0)
    except (ZermeloError, OutOfLimitError, MemoryError, KeyboardInterrupt):
        return (number, any_value(game, game.given)), None, "no line of play was worked out"
    if values is None:
        return (number, any_value(game, game.given)), None, "one line of play of forall seems to break a row"
    value = search.of.value(expansion.cost_of(values)) if expansion.cost else game.program.objective.constant
    basis = "one line of play of forall"
    if game.turn(game.given) == "forall":
        return (number, line[search.tree.universals.index(number)]), value, basis
    return (number, expansion.move(values)[number]), value, basis
