"""Proofs of ``forall`` that need no search: no values within the bounds make the objective better."""

from __future__ import annotations

from fractions import Fraction

from zermelo.limits import Limits
from zermelo.qip.game import Number, ProgramGame
from zermelo.qip.programs.program import minimised
from zermelo.qip.proofs.proof import Proof, Refute, Scenario
from zermelo.qip.proofs.proof_strategy import best_value


def obvious_refutation(game: ProgramGame, value: Fraction, limits: Limits | None = None) -> Proof | None:
    """The proof of ``forall`` by one line of play and the bounds of the others; ``None`` where that is not enough.

    Programs without an objective, which are only feasible or not, have such a proof.

    >>> from zermelo.qip.programs.program import Program, Variable
    >>> obvious_refutation(ProgramGame(Program((Variable("x"),))), Fraction(0)).nodes
    (Refute(at=0, scenarios=(Scenario(choices=(), multipliers={0: 1}),)),)
    """
    completed = game.law.completion(game.given, limits)
    if completed is None:
        return None
    later = [number for number in game.law.held if number >= len(game.given)]
    chosen: dict[int, Number] = dict(enumerate(game.given))
    chosen.update(zip(later, completed, strict=True))
    variables = game.remaining.variables
    universal = [number for number, variable in enumerate(variables) if variable.quantifier == "forall"]
    for number in universal:
        chosen.setdefault(number, best_value(game, number))
    sign = minimised(game.program)
    least = sign * game.program.objective.constant
    for number, coefficient in game.program.objective.terms:
        bounds = variables[number]
        end = chosen.get(number, bounds.lower if sign * coefficient > 0 else bounds.upper)
        if end is None:
            return None
        least += sign * coefficient * end
    if least < sign * value:
        return None
    line = tuple(chosen[number] for number in universal)
    return Proof("forall", value, (Refute(0, (Scenario(line, {0: 1}),)),))
