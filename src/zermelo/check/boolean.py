"""A quantified Boolean formula as the checker has it: blocks of variables over a circuit.

It is a game of ``exists`` and ``forall``. They choose the values of the variables, in the order of the blocks;
``exists`` wins where the circuit comes out true.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from itertools import groupby
from typing import Any

from zermelo.check.circuit import Circuit, outcome
from zermelo.errors import InputError
from zermelo.game import Game, Role, canonical_text, win_for


@dataclass(frozen=True)
class Block:
    """Variables, as numbers of nodes, that one role chooses one after the other."""

    quantifier: str
    variables: tuple[int, ...]


@dataclass(frozen=True)
class QuantifiedFormula:
    """Alternating blocks over a circuit; ``given`` are the values of the first variables.

    >>> circuit = Circuit()
    >>> x, y = circuit.variable(), circuit.variable()
    >>> blocks = (Block("forall", (1,)), Block("exists", (2,)))
    >>> formula = QuantifiedFormula(circuit, blocks, circuit.gate("xor", [x, y]), {1: "x", 2: "y"})
    >>> formula.canonical()[:29]
    "('forall','x')\\n('exists','y')"
    >>> game = formula.game()
    >>> game.result(b"\\x01\\x00"), game.move_text(("y", 1))
    ((1, -1), 'y=1')
    """

    circuit: Circuit
    blocks: tuple[Block, ...]
    output: int
    names: Mapping[int, str]
    given: bytes = b""

    @cached_property
    def order(self) -> tuple[int, ...]:
        """All variables, the first to be chosen first."""
        return tuple(variable for block in self.blocks for variable in block.variables)

    @cached_property
    def owner(self) -> dict[int, str]:
        """Who chooses each variable."""
        return {variable: block.quantifier for block in self.blocks for variable in block.variables}

    @cached_property
    def nodes(self) -> list[int]:
        """The nodes that the output depends on, each after its inputs."""
        return self.circuit.below(self.output)

    def holds(self, chosen: Mapping[int, int]) -> bool:
        """Whether the circuit comes out true under values of all variables."""
        return self.circuit.carried(self.nodes, chosen, outcome)[self.output >> 1] != self.output & 1

    def after_moves(self, moves: Sequence[str]) -> QuantifiedFormula:
        """The formula in which the first variables have the values that moves such as ``x=1`` give them."""
        values = []
        for place, move in enumerate(moves):
            name, _, value = move.rpartition("=")
            if place >= len(self.order) or name != self.names[self.order[place]] or value not in ("0", "1"):
                raise InputError(f"the move {move!r} sets no value of the next variable")
            values.append(int(value))
        return replace(self, given=bytes(values))

    def canonical(self) -> str:
        """The blocks by name, the values that are given, and a hash of the circuit, made gate by gate."""
        lines = [canonical_text((b.quantifier, *(self.names[v] for v in b.variables))) for b in self.blocks]
        given = ["given " + "".join(map(str, self.given))] if self.given else []
        return "\n".join([*lines, *given, self._hash()])

    def _hash(self) -> str:
        hashed: dict[int, str] = {}
        for node in self.nodes:
            kind, inputs = self.circuit.kinds[node], self.circuit.inputs[node]
            parts = ["-" * (literal & 1) + hashed[literal >> 1] for literal in inputs]
            if kind == "variable":
                parts = [canonical_text(self.names[node])]
            elif kind != "ite":
                parts.sort()
            hashed[node] = sha256(" ".join([kind, *parts]).encode("utf-8", "surrogatepass")).hexdigest()
        return "-" * (self.output & 1) + hashed[self.output >> 1]

    def game(self) -> Game:
        """The game, its positions and moves as certificates name them."""
        return FormulaPlay(self)


def joined(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Alternating blocks: neighbours of one quantifier are one.

    >>> joined([Block("exists", (1,)), Block("forall", ()), Block("exists", (2,))])
    (Block(quantifier='exists', variables=(1, 2)),)
    """
    runs = groupby((block for block in blocks if block.variables), key=lambda block: block.quantifier)
    return tuple(Block(quantifier, tuple(v for block in run for v in block.variables)) for quantifier, run in runs)


class FormulaPlay(Game):
    """A position is the values chosen so far, a byte each; a move is the name of the next variable and its value."""

    roles: tuple[Role, ...] = ("exists", "forall")

    def __init__(self, formula: QuantifiedFormula) -> None:
        self.formula = formula
        self.longest = max(Game.longest, len(formula.order) + 1)

    def start(self) -> bytes:
        return self.formula.given

    def turn(self, position: bytes) -> Role:
        return self.formula.owner[self.formula.order[len(position)]]

    def moves(self, position: bytes) -> Sequence[tuple[str, int]]:
        if len(position) == len(self.formula.order):
            return ()
        name = self.formula.names[self.formula.order[len(position)]]
        return ((name, 0), (name, 1))

    def play(self, position: bytes, move: tuple[str, int]) -> bytes:
        return position + bytes([move[1]])

    def result(self, position: bytes) -> tuple[int, int] | None:
        if len(position) < len(self.formula.order):
            return None
        chosen = dict(zip(self.formula.order, position, strict=True))
        return win_for(int(not self.formula.holds(chosen)))

    def move_text(self, move: Any) -> str:
        return f"{move[0]}={move[1]}"

    def key(self, position: bytes) -> str:
        return "".join(map(str, position))
