"""A game as a formula, and how the formula's variables are read as moves.

The first role of the game is ``exists``, the second ``forall``, whoever moves first. The formula is true exactly if
the first role can force what :class:`Question` asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from zermelo.certificate import score_text
from zermelo.errors import NotApplicableError
from zermelo.game import Game, Score
from zermelo.qbf.circuit import FALSE, TRUE, Circuit, Kind, Literal, cone
from zermelo.qbf.formula import Block, Formula, Quantifier

ROLES: tuple[Quantifier, Quantifier] = ("exists", "forall")
"""Who chooses for the first and for the second role of a game."""


@dataclass(frozen=True)
class Question:
    """Can the first role force a score of ``at_least`` within so many ``plies``?

    A line that is not over by then counts as lost, unless ``unfinished``: then the question is whether the second
    role can be kept from ending the game below that score in time.

    >>> print(Question(9, 100))
    the first role gets at least 100 within 9 plies
    """

    plies: int
    at_least: Score
    unfinished: bool = False

    def __str__(self) -> str:
        text = f"the first role gets at least {score_text(self.at_least)} within {self.plies} plies"
        return f"{text}, or play goes on" if self.unfinished else text


class Choice(Protocol):
    """What one role chooses in one ply: some variables, and how their values are read as moves."""

    @property
    def variables(self) -> tuple[int, ...]:
        """Nodes of the formula's circuit."""

    def move(self, game: Game, position: Any, values: Sequence[bool]) -> Any:
        """The legal move that the values say; ``None`` where they say none."""

    def values(self, game: Game, position: Any, move: Any) -> Sequence[bool]:
        """Values that say a move; a move of ``None`` is the only one of a role that is not to move."""


@dataclass(frozen=True)
class Encoded:
    """A formula in normal form, the question it asks, and for each ply the choice of each role, if it has one.

    ``clash`` is true on lines in which both roles have a choice at once, where one would see what the other does;
    :func:`need_turns` makes sure that there are none. ``followed`` is the game whose positions the choices are asked
    about: its own rules, with whatever else they have to know of the line so far.
    """

    formula: Formula
    question: Question
    plies: tuple[tuple[Choice | None, Choice | None], ...]
    clash: Literal = FALSE
    followed: Callable[[Game], Game] = lambda game: game

    @property
    def sizes(self) -> dict[str, int]:
        """How large the formula is: variables, blocks, gates and their inputs."""
        return size_of(self.formula)


def size_of(formula: Formula) -> dict[str, int]:
    """How large a formula is.

    >>> size_of(Formula(Circuit(), (), FALSE))
    {'variables': 0, 'blocks': 0, 'gates': 0, 'inputs': 0}
    """
    circuit = formula.circuit
    gates = [node for node in cone(circuit, [formula.output]) if circuit.inputs[node]]
    return {
        "variables": sum(len(block.variables) for block in formula.prefix),
        "blocks": len(formula.prefix),
        "gates": len(gates),
        "inputs": sum(len(circuit.inputs[node]) for node in gates),
    }


def need_turns(encoded: Encoded) -> None:
    """Raises ``NotApplicableError`` if in some line both roles have a choice at once.

    Strategies need no such test: the rules of the game refuse them where it fails.

    >>> need_turns(Encoded(Formula(Circuit(), (), FALSE), Question(1, 1), ()))
    """
    circuit, clash = encoded.formula.circuit, encoded.clash
    if clash == FALSE:
        return
    from pysat.solvers import Solver

    from zermelo.qbf.tseitin import clausal

    variables = tuple(node for node in cone(circuit, [clash]) if circuit.kind[node] == Kind.VARIABLE)
    clauses = clausal(Formula(circuit, (Block("exists", variables),), clash)).clauses
    with Solver(name="cadical195", bootstrap_with=clauses) as solver:
        if clash == TRUE or solver.solve():
            raise NotApplicableError("several roles move at once: formulas need one move at a time")


def formula_of(
    circuit: Circuit,
    output: Literal,
    plies: Iterable[tuple[Choice | None, Choice | None]],
    names: dict[int, str],
    *,
    all_variables: bool = False,
) -> Formula:
    """The formula whose prefix asks for the choices ply by ply; variables that do not matter are left out."""
    used = set(range(len(circuit))) if all_variables else set(cone(circuit, [output]))
    blocks: list[tuple[Quantifier, list[int]]] = []
    for choices in plies:
        for quantifier, choice in zip(ROLES, choices, strict=True):
            variables = [] if choice is None else [variable for variable in choice.variables if variable in used]
            if variables and blocks and blocks[-1][0] == quantifier:
                blocks[-1][1].extend(variables)
            elif variables:
                blocks.append((quantifier, variables))
    prefix = tuple(Block(quantifier, tuple(variables)) for quantifier, variables in blocks)
    bound = {variable for block in prefix for variable in block.variables}
    return Formula(circuit, prefix, output, {variable: name for variable, name in names.items() if variable in bound})


def at_most_one(circuit: Circuit, literals: Sequence[Literal]) -> list[Literal]:
    """Conditions that all hold where at most one literal does: pairs of a few, a ladder of many (Sinz 2005).

    >>> circuit = Circuit()
    >>> len(at_most_one(circuit, [circuit.variable() for _ in range(4)]))
    6
    """
    if len(literals) <= 5:
        return [
            circuit.disjunction((one ^ 1, other ^ 1))
            for place, one in enumerate(literals)
            for other in literals[place + 1 :]
        ]
    before = literals[0]
    conditions = []
    for literal in literals[1:]:
        conditions.append(circuit.disjunction((literal ^ 1, before ^ 1)))
        before = circuit.disjunction((before, literal))
    return conditions
