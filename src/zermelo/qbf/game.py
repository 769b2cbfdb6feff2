"""A formula as a game: ``exists`` and ``forall`` choose values, one variable a move, in the order of the prefix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from zermelo.brief import counted, introduced, shown_in_brief
from zermelo.certificate import Claim
from zermelo.continued import need_end_with, position_after
from zermelo.errors import IllegalMoveError
from zermelo.game import Game, Role, win_for
from zermelo.qbf.aiger import parse_aag
from zermelo.qbf.circuit import FALSE, QUANTIFIED, TRUE, Circuit, Literal, holds, substituted, values
from zermelo.qbf.formula import Block, Formula, Quantifier, quantifiers, variables_by_name
from zermelo.qbf.functions import Functions
from zermelo.strategy import Strategy

if TYPE_CHECKING:
    from zermelo.draw.scene import Scene

MOST_LINES = 40
"""So many blocks of a position are written out; of longer prefixes, those around the next choice."""
MOST_WORDS = 24


class FormulaGame(Game):
    """The game of a formula. A position is the values chosen so far, a byte each; a move is a literal.

    The blocks are those of the formula's normal form. ``given`` are the values of the first variables, for play that is
    taken up on the way.

    >>> from zermelo.qbf.circuit import Circuit
    >>> circuit = Circuit()
    >>> x, y = circuit.variable() // 2, circuit.variable() // 2
    >>> prefix = (Block("forall", (x,)), Block("exists", (y,)))
    >>> game = FormulaGame(Formula(circuit, prefix, circuit.exclusive(2 * x, 2 * y), {x: "x", y: "y"}))
    >>> [game.move_text(move) for move in game.moves(game.start())]
    ['x=0', 'x=1']
    >>> game.result(b"\\x01\\x00")
    (1, -1)
    """

    kind = "formula"
    roles: tuple[Role, ...] = ("exists", "forall")

    def __init__(self, formula: Formula, given: bytes = b"") -> None:
        self.written = formula
        """The formula as it was stated; its free variables are chosen by ``exists`` before all others."""
        self.formula = _normal(formula)
        self.given = given
        self.order = tuple(variable for block in self.formula.prefix for variable in block.variables)
        self.quantifiers = quantifiers(self.formula)
        self.longest = max(Game.longest, len(self.order) + 1)
        variables_by_name(self.formula)  # moves are told apart by names
        self._read: tuple[str, str, Functions] | None = None

    def start(self) -> bytes:
        return self.given

    def turn(self, position: bytes) -> Role:
        return self.quantifiers[self.order[len(position)]]

    def moves(self, position: bytes) -> Sequence[Literal]:
        if len(position) == len(self.order):
            return ()
        variable = self.order[len(position)]
        return (2 * variable + 1, 2 * variable)

    def play(self, position: bytes, move: Literal) -> bytes:
        return position + (b"\x00" if move & 1 else b"\x01")

    def result(self, position: bytes) -> tuple[int, int] | None:
        if len(position) < len(self.order):
            return None
        value = values(self.formula.circuit, self.chosen(position))
        return win_for(0 if holds(value, self.formula.output) else 1)

    def chosen(self, position: bytes) -> dict[int, bool]:
        """The value of each variable that has one in a position."""
        return {variable: bool(value) for variable, value in zip(self.order, position, strict=False)}

    def move_text(self, move: Literal) -> str:
        return f"{self.formula.name(move >> 1)}={1 - (move & 1)}"

    def key(self, position: bytes) -> str:
        return position.translate(_DIGITS).decode("ascii")

    def text(self, position: bytes) -> str:
        """A line for each block: its values, and a question mark where they are open."""
        prefix, first = self.formula.prefix, 0
        lines, here = [], 0
        for number, block in enumerate(prefix):
            words = []
            for place, variable in enumerate(block.variables[: MOST_WORDS + 1], first):
                value = str(position[place]) if place < len(position) else "?"
                words.append(f"{self.formula.name(variable)}={value}")
            if len(block.variables) > MOST_WORDS:
                words[MOST_WORDS:] = [f"... ({len(block.variables)} variables)"]
            if first <= len(position):
                here = number
            first += len(block.variables)
            lines.append(f"{block.quantifier}  {' '.join(words)}")
        if len(lines) > MOST_LINES:
            begin = max(0, min(here - MOST_LINES // 2, len(lines) - MOST_LINES))
            end = begin + MOST_LINES
            lines = [*["..."] * (begin > 0), *lines[begin:end], *["..."] * (end < len(lines))]
        result = self.result(position)
        if result is not None:
            lines.append(f"the formula is {'true' if result[0] > 0 else 'false'}")
        return "\n".join(lines)

    def scene(self, position: bytes) -> Scene:
        from zermelo.qbf.picture import formula_scene

        return formula_scene(self, position)

    def at(self, moves: Sequence[Literal]) -> FormulaGame:
        """The same formula, with the variables that these moves set given."""
        rest = FormulaGame(self.written, position_after(self, moves))
        rest.source, rest.title, rest.line = self.source, self.title, self.moves_to(rest.given)
        need_end_with(rest.line, moves)
        return rest

    def moves_to(self, position: bytes) -> tuple[Literal, ...]:
        """The moves that lead to a position: also to one that was set up, so that the checker can make them.

        >>> from zermelo.qbf.qdimacs import parse_qdimacs
        >>> game = FormulaGame(parse_qdimacs("p cnf 2 1\\na 1 0\\ne 2 0\\n1 2 0\\n"))
        >>> [game.move_text(move) for move in game.moves_to(b"\\x01\\x00")]
        ['1=1', '2=0']
        """
        if len(position) > len(self.order) or any(value > 1 for value in position):
            raise IllegalMoveError(f"expected a position of at most {len(self.order)} values, 0 or 1 each")
        return tuple(2 * variable + 1 - value for variable, value in zip(self.order, position, strict=False))

    def strategy(self, claim: Claim) -> Strategy | None:
        """The strategy that functions state; a proof of the formula as a program shows no way to play."""
        if claim.rule == "functions":
            return FunctionsStrategy(self, self._functions_of(claim))
        return None if claim.rule in ("program", "clauses") else super().strategy(claim)

    def rule_move(self, position: bytes, claim: Claim) -> Literal | None:
        """The value that the claimer's functions give the next variable. ``data``: ``{"aag": AIGER text}``.

        >>> from zermelo.qbf.circuit import Circuit
        >>> circuit = Circuit()
        >>> x = circuit.variable()
        >>> game = FormulaGame(Formula(circuit, (Block("exists", (x >> 1,)),), x, {x >> 1: "x"}))
        >>> data = {"aag": "aag 0 0 0 1 0\\n1\\no0 x\\n"}
        >>> game.move_text(game.rule_move(b"", Claim("exists", 1, rule="functions", data=data)))
        'x=1'
        """
        if claim.rule != "functions" or self.turn(position) != claim.role:
            return None
        return function_move(self, position, self._functions_of(claim))

    def _functions_of(self, claim: Claim) -> Functions:
        return self.functions("exists" if claim.role == "exists" else "forall", claim.data["aag"])

    @cached_property
    def remaining(self) -> tuple[Formula, Mapping[int, int]]:
        """The formula that is left once the given values are put in, and what each of its variables was before."""
        if not self.given:
            return self.formula, {variable: variable for variable in self.order}
        return restricted(self.formula, self.chosen(self.given))

    def functions(self, role: Quantifier, aag: str) -> Functions:
        """The functions of a role that an AIGER text states, read once however often it is asked.

        Those of variables that the text leaves open are worked out here.
        """
        if self._read is None or self._read[:2] != (role, aag):
            functions = parse_aag(aag, self.formula, role)
            left = self.order[len(self.given) :]
            if gap := tuple(v for v in left if self.quantifiers[v] == role and v not in functions.outputs):
                from zermelo.qbf.completion import completed

                rest, old = self.remaining
                new = {variable: number for number, variable in old.items()}
                inputs = {new[variable]: node for variable, node in functions.inputs.items()}
                outputs = {new[variable]: literal for variable, literal in functions.outputs.items()}
                total = completed(rest, Functions(role, functions.circuit, inputs, outputs, tuple(new[v] for v in gap)))
                inputs = {old[number]: node for number, node in total.inputs.items()}
                functions = Functions(role, total.circuit, inputs, {old[n]: one for n, one in total.outputs.items()})
            self._read = (role, aag, functions)
        return self._read[2]


_DIGITS = bytes.maketrans(b"\x00\x01", b"01")


def function_move(game: FormulaGame, position: bytes, functions: Functions) -> Literal:
    """The move that functions make in a position; a variable without a function is false.

    >>> from zermelo.qbf.circuit import Circuit
    >>> circuit = Circuit()
    >>> x = circuit.variable() // 2
    >>> game = FormulaGame(Formula(circuit, (Block("exists", (x,)),), 2 * x, {x: "x"}))
    >>> game.move_text(function_move(game, b"", Functions("exists", Circuit(), {}, {x: TRUE})))
    'x=1'
    """
    variable = game.order[len(position)]
    # Functions look only at what was chosen before, so any value will do for the rest.
    chosen = dict.fromkeys(functions.inputs, False) | game.chosen(position)
    return 2 * variable + (not functions.replies(chosen).get(variable, False))


def restricted(formula: Formula, chosen: Mapping[int, bool]) -> tuple[Formula, Mapping[int, int]]:
    """The formula with values in the place of some variables, and the old number of each new variable.

    >>> from zermelo.qbf.circuit import Circuit
    >>> circuit = Circuit()
    >>> x, y = circuit.variable() // 2, circuit.variable() // 2
    >>> prefix = (Block("forall", (x,)), Block("exists", (y,)))
    >>> rest, old = restricted(Formula(circuit, prefix, circuit.exclusive(2 * x, 2 * y)), {x: True})
    >>> [[old[variable] for variable in block.variables] for block in rest.prefix] == [[y]]
    True
    """
    circuit = Circuit()
    leaves: dict[int, Literal] = {variable: TRUE if value else FALSE for variable, value in chosen.items()}
    prefix, names, old = [], {}, {}
    for block in formula.prefix:
        left = []
        for variable in block.variables:
            if variable not in chosen:
                leaves[variable] = circuit.variable()
                left.append(leaves[variable] >> 1)
                old[left[-1]] = variable
                names[left[-1]] = formula.name(variable)
        if left:
            prefix.append(Block(block.quantifier, tuple(left)))
    (output,) = substituted(formula.circuit, [formula.output], circuit, leaves)
    return Formula(circuit, tuple(prefix), output, names), old


def _normal(formula: Formula) -> Formula:
    # Ends are evaluated gate by gate, so that there must be no quantified gate, not even one that nothing uses.
    if formula.is_normal and not any(kind in formula.circuit.kind for kind in QUANTIFIED):
        return formula
    from zermelo.qbf.normal import normalized

    return normalized(formula)


@dataclass(frozen=True)
class FunctionsStrategy:
    """A strategy for a formula: a function of the other role's earlier choices for each variable of its own."""

    game: FormulaGame
    functions: Functions

    _repr_html_ = shown_in_brief

    def __repr__(self) -> str:
        return introduced(self, self.role, counted(len(self.functions.outputs), "function"))

    @property
    def role(self) -> Role:
        """Who plays so."""
        return self.functions.owner

    def __call__(self, position: bytes) -> int:
        """The move to play.

        >>> from zermelo.qbf.circuit import TRUE, Circuit
        >>> from zermelo.qbf.formula import Block, Formula
        >>> from zermelo.qbf.functions import Functions
        >>> circuit = Circuit()
        >>> x = circuit.variable() // 2
        >>> game = FormulaGame(Formula(circuit, (Block("exists", (x,)),), 2 * x, {x: "x"}))
        >>> strategy = FunctionsStrategy(game, Functions("exists", Circuit(), {}, {x: TRUE}))
        >>> game.move_text(strategy(game.start()))
        'x=1'
        """
        if self.game.result(position) is not None or self.game.turn(position) != self.role:
            raise IllegalMoveError(f"{self.role} does not move here")
        return function_move(self.game, position, self.functions)
