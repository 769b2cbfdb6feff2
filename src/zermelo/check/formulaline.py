"""The line of play that refutes functions of a formula: what the other role chooses, and what the functions answer."""

from __future__ import annotations

from collections.abc import Mapping

from zermelo.check.boolean import QuantifiedFormula
from zermelo.check.circuit import Circuit, outcome
from zermelo.check.verdict import Undecided
from zermelo.errors import IllegalMoveError
from zermelo.game import Game


def line_of(
    game: Game, formula: QuantifiedFormula, role: str, made: Circuit, image: Mapping[int, int], found: Mapping[int, int]
) -> tuple[object, ...]:
    """The moves, where values were found for the variables of a circuit, whose literals stand for those of a formula.

    Nobody is believed that the claimer loses then: it is seen here.
    """
    value = made.carried(range(len(made.kinds)), found, outcome)
    # What was left open loses whatever is chosen; false is such a choice.
    literal = {variable: image.get(variable, 0) for variable in formula.order}
    chosen = {variable: value[one >> 1] ^ (one & 1) for variable, one in literal.items()}
    if formula.holds(chosen) == (role == "exists"):
        raise Undecided("what the SAT solver takes for a counterexample is none")
    position, line = game.start(), list[object]()
    try:
        for variable in formula.order[len(formula.given) :]:
            line.append(game.parse_move(position, f"{formula.names[variable]}={chosen[variable]}"))
            position = game.play(position, line[-1])
    except IllegalMoveError:  # it was read as another game
        return ()
    return tuple(line)
