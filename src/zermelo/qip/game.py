"""A program as a game: ``exists`` and ``forall`` set variables, one a move, in the order of the prefix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import TYPE_CHECKING

from zermelo.certificate import Claim, parse_score
from zermelo.continued import need_end_with, position_after
from zermelo.errors import IllegalMoveError, InputError, NotApplicableError
from zermelo.game import Game, Role
from zermelo.limits import Limits
from zermelo.qip.formats.qlp import expression_text
from zermelo.qip.programs.legal import Law
from zermelo.qip.programs.program import Program, Quantifier, minimised, tightened, value_of
from zermelo.qip.programs.wellformed import need_wellformed
from zermelo.qip.proofs.derivation import Derivation
from zermelo.qip.proofs.proof import Proof
from zermelo.qip.proofs.proof_json import derivation_from_data, proof_from_data
from zermelo.strategy import Strategy

if TYPE_CHECKING:
    from zermelo.draw.scene import Scene

Number = Fraction | int
Values = tuple[Number, ...]
Setting = tuple[int, Number]
"""A move: the number of a variable and the value that it gets."""

PROOFS = ("program", "clauses")
"""The rules of claims that state a proof of a program."""
UNLAWFUL = "the universal player cannot keep his own rows"
MOST_LINES = 30
"""So many rows of a program are written out with a position, and so many blocks of its prefix."""
MOST_WORDS = 24
MOST_VALUES = 1_000_000
"""An integer variable with more values than this has too many moves to be listed."""


class ProgramGame(Game):
    """The game of a program. A position is the values set so far; a move is a variable and its value.

    ``exists`` gets the objective, with the sign that makes more of it better, and if a row is broken, less than for any
    values that keep all rows; ``forall`` gets the opposite. ``forall`` may only set values that leave him a way to keep
    his own rows. ``given`` are the values of the first variables, for play that is taken up on the way.

    >>> from zermelo.qip.programs.program import Objective, Row, Variable, terms
    >>> x, y = Variable("x", "forall"), Variable("y", upper=Fraction(2))
    >>> rows = (Row(terms({0: 1, 1: -1}), "<=", Fraction(-1)),)
    >>> game = ProgramGame(Program((x, y), rows, Objective("min", terms({1: 1}))))
    >>> [game.move_text(move) for move in game.moves((1,))]
    ['y=0', 'y=1', 'y=2']
    >>> game.result((1, 2)), game.result((1, 1))
    ((-2, 2), (-3, 3))
    """

    kind = "program"
    roles: tuple[Role, ...] = ("exists", "forall")

    def __init__(self, program: Program, given: Values = ()) -> None:
        need_wellformed(program)
        self.program = tightened(program)
        self.given = given
        self.longest = max(Game.longest, len(program.variables) + 1)
        self.law = Law(program)
        self._read: tuple[Claim, Proof | Derivation] | None = None

    def start(self) -> Values:
        return self.given

    def turn(self, position: Values) -> Role:
        return self.program.variables[len(position)].quantifier

    def moves(self, position: Values) -> Sequence[Setting]:
        number = len(position)
        if number == len(self.program.variables):
            return ()
        variable = self.program.variables[number]
        if not variable.integer or variable.lower is None or variable.upper is None:
            raise NotApplicableError(f"variable {variable.name} is continuous: its values cannot be listed as moves")
        low, high = int(variable.lower), int(variable.upper)
        if high - low >= MOST_VALUES:
            raise NotApplicableError(f"variable {variable.name} has too many values to list them as moves")
        found = [(number, value) for value in range(low, high + 1)]
        if variable.quantifier == "forall" and self.program.uncertainty:
            if not self.is_lawful:
                raise InputError(UNLAWFUL)
            if number in self.law.columns:
                found = [move for move in found if self.law.allows((*position, move[1]), self.limits)]
        return found

    @cached_property
    def is_lawful(self) -> bool:
        """Whether ``forall`` can keep his own rows."""
        return self.law.allows(self.given, self.limits)

    def play(self, position: Values, move: Setting) -> Values:
        return (*position, move[1])

    def result(self, position: Values) -> tuple[Number, Number] | None:
        if len(position) < len(self.program.variables):
            return None
        kept = all(row.holds(position) for row in self.program.rows)
        score = self.score(self.objective(position) if kept else None)
        return score, -score

    def at(self, moves: Sequence[Setting]) -> ProgramGame:
        """The same program, with the variables that these moves set given."""
        rest = ProgramGame(self.program, position_after(self, moves))
        # Also where a position was set up: the checker is told the moves that lead to it.
        rest.source, rest.title, rest.line = self.source, self.title, tuple(enumerate(rest.given))
        need_end_with(rest.line, moves)
        known = len(self.given) if rest.given[: len(self.given)] == self.given else 0
        for number, value in enumerate(rest.given[known:], known):
            if number >= len(self.program.variables) or self.fault(rest.given[:number], value) is not None:
                raise IllegalMoveError(f"{value} cannot be the value of variable {number + 1}")
        return rest

    def strategy(self, claim: Claim) -> Strategy | None:
        """The strategy that a proof states."""
        from zermelo.qip.proofs.proof_strategy import strategy_of_claim

        return strategy_of_claim(self, claim) if claim.rule in PROOFS else super().strategy(claim)

    def rule_move(self, position: Values, claim: Claim) -> Setting | None:
        """The value that the claimer's proof gives the next variable. ``data``: see ``zermelo.qip.proofs.proof_json``.

        >>> from zermelo.qip.programs.program import Variable
        >>> data = {"value": 0, "nodes": [["c", 0, [1], -1]]}
        >>> ProgramGame(Program((Variable("x"),))).rule_move((), Claim("exists", 0, rule="program", data=data))
        (0, 1)
        """
        from zermelo.qip.proofs.proof_strategy import strategy_of_claim

        if claim.rule not in PROOFS or self.turn(position) != claim.role:
            return None
        strategy = strategy_of_claim(self, claim)
        return None if strategy is None else strategy(position)

    def objective(self, position: Values) -> Fraction:
        """The program's own objective, when all variables are set."""
        return value_of(self.program.objective.terms, position) + self.program.objective.constant

    def score(self, value: Fraction | None) -> Number:
        """What ``exists`` gets for a value of the program's own objective; for ``None``: a row is broken."""
        if value is None:
            return self.worst
        score = -minimised(self.program) * value
        return score.numerator if score.denominator == 1 else score

    def value(self, score: Number) -> Fraction | None:
        """The inverse of :meth:`score`."""
        return None if score == self.worst else -minimised(self.program) * Fraction(score)

    def verdict(self, value: Number) -> tuple[Role, str]:
        own = self.value(value)
        return ("forall", "a row is broken") if own is None else ("exists", f"the objective is {own}")

    @cached_property
    def worst(self) -> Number:
        """What ``exists`` gets where a row is broken: less than any objective within the bounds.

        A variable without bounds in the objective leaves no such number; there it is one that nobody takes for an
        objective, as programs with continuous variables are not played out move by move.
        """
        goal = self.program.objective
        sign = minimised(self.program)
        worst = sign * goal.constant
        for number, coefficient in goal.terms:
            variable = self.program.variables[number]
            bound = variable.upper if sign * coefficient > 0 else variable.lower
            worst += sign * coefficient * (bound or 0)
        return -floor(worst) - 1

    def move_text(self, move: Setting) -> str:
        return f"{self.program.variables[move[0]].name}={move[1]}"

    def parse_move(self, position: Values, text: str) -> Setting:
        """The move that people write so: the name and the value, or the value alone."""
        number = len(position)
        if number == len(self.program.variables):
            raise IllegalMoveError("all variables are set")
        variable = self.program.variables[number]
        name, equals, word = text.strip().rpartition("=")
        if equals and name.strip() != variable.name:
            raise IllegalMoveError(f"{name.strip()!r} is not set here, the next variable is {variable.name}")
        try:
            exact = parse_score(word.strip())
        except ValueError:
            raise IllegalMoveError(f"{word.strip()!r} is not a number such as 3 or -1/2") from None
        value = exact.numerator if exact.denominator == 1 else exact
        if (fault := self.fault(position, value)) is not None:
            raise IllegalMoveError(f"{variable.name}={value} is not a legal move here: {fault}")
        return (number, value)

    def fault(self, position: Values, value: Number) -> str | None:
        """Why the next variable cannot get a value; ``None`` if it can."""
        variable = self.program.variables[len(position)]
        low, high = variable.lower, variable.upper
        if (low is not None and value < low) or (high is not None and value > high):
            return f"it lies between {'-inf' if low is None else low} and {'inf' if high is None else high}"
        if variable.integer and value.denominator != 1:
            return "it is a whole number"
        if variable.quantifier == "forall" and not self.law.allows((*position, value), self.limits):
            return "forall could not keep his own rows"
        return None

    def key(self, position: Values) -> str:
        return " ".join(str(value) for value in position)

    def text(self, position: Values) -> str:
        """A line for each block with its values, question marks where they are open; the objective and the rows."""
        lines = self._block_lines(position)
        program = self.program
        names = [variable.name for variable in program.variables]
        goal = program.objective
        lines.append(
            f"{'minimize' if goal.sense == 'min' else 'maximize'}  {expression_text(goal.terms, names, goal.constant)}"
        )
        for word, rows in (("subject to", program.rows), ("forall keeps", program.uncertainty)):
            for number, row in enumerate(rows[:MOST_LINES]):
                states = (" " * len(word), word)
                mark = "" if len(position) < len(names) or row.holds(position) else "   (broken)"
                form = expression_text(row.terms, names)
                lines.append(f"{states[number == 0]}  {form} {row.relation} {row.right}{mark}")
            if len(rows) > MOST_LINES:
                lines.append(f"... ({len(rows)} rows)")
        if (result := self.result(position)) is not None:
            value = self.value(result[0])
            lines.append("a row is broken" if value is None else f"all rows hold, the objective is {value}")
        return "\n".join(lines)

    def scene(self, position: Values) -> Scene:
        from zermelo.qip.pictures.rows import program_scene

        return program_scene(self, position)

    def _block_lines(self, position: Values) -> list[str]:
        lines, here = [], 0
        for number, block in enumerate(self.program.blocks):
            here = number if block.first <= len(position) else here
            words = []
            for place in range(block.first, min(block.end, block.first + MOST_WORDS)):
                value = position[place] if place < len(position) else "?"
                words.append(f"{self.program.variables[place].name}={value}")
            more = f" ... ({block.end - block.first} variables)" if block.end - block.first > MOST_WORDS else ""
            lines.append(f"{block.quantifier}  {' '.join(words)}{more}")
        if len(lines) <= MOST_LINES:
            return lines
        begin = max(0, min(here - MOST_LINES // 2, len(lines) - MOST_LINES))
        end = begin + MOST_LINES
        return [*["..."] * (begin > 0), *lines[begin:end], *["..."] * (end < len(lines))]

    @cached_property
    def remaining(self) -> Program:
        """The program in which the given values are all that the first variables can have."""
        return restricted(self.program, self.given)

    def proof(self, claim: Claim) -> Proof | Derivation:
        """The proof that a claim states, read once however often it is asked."""
        if self._read is None or self._read[0] is not claim:
            role: Quantifier = "exists" if claim.role == "exists" else "forall"
            read = derivation_from_data(claim.data) if claim.rule == "clauses" else proof_from_data(role, claim.data)
            self._read = (claim, read)
        return self._read[1]

    def need_lawful(self, limits: Limits | None = None) -> None:
        """Makes sure that ``forall`` can keep his own rows.

        >>> from zermelo.qip.programs.program import Row, Variable, terms
        >>> own = (Row(terms({0: 1}), ">=", Fraction(2)),)
        >>> ProgramGame(Program((Variable("u", "forall"),), uncertainty=own)).need_lawful()
        Traceback (most recent call last):
            ...
        zermelo.errors.InputError: the universal player cannot keep his own rows
        """
        if not self.law.allows(self.given, limits):
            raise InputError(UNLAWFUL)


def restricted(program: Program, given: Sequence[Number]) -> Program:
    """The program in which the first variables have these values: their bounds say so.

    >>> from zermelo.qip.programs.program import Variable
    >>> [str(v.upper) for v in restricted(Program((Variable("x"), Variable("y"))), (0,)).variables]
    ['0', '1']
    """
    variables = list(program.variables)
    for number, value in enumerate(given):
        exact = Fraction(value)
        variables[number] = replace(variables[number], lower=exact, upper=exact)
    return replace(program, variables=tuple(variables))
