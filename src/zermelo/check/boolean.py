"""A quantified Boolean formula as the checker has it: blocks of variables over a circuit.

It is a game of ``exists`` and ``forall``. They choose the values of the variables, in the order of the blocks;
``exists`` wins where the circuit comes out true.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256

from zermelo.check.circuit import QUANTIFIERS, Circuit
from zermelo.errors import InputError
from zermelo.game import Game, canonical_text


@dataclass(frozen=True)
class Block:
    """Variables, as numbers of nodes, that one role chooses one after the other."""

    quantifier: str
    variables: tuple[int, ...]


@dataclass(frozen=True)
class QuantifiedFormula:
    """Alternating blocks over a circuit without quantified gates; ``given`` are the values of the first variables.

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
    order: tuple[int, ...] = field(init=False)
    """All variables, the first to be chosen first."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "order", tuple(v for block in self.blocks for v in block.variables))

    @cached_property
    def owner(self) -> dict[int, str]:
        """Who chooses each variable."""
        return {variable: block.quantifier for block in self.blocks for variable in block.variables}

    @cached_property
    def nodes(self) -> list[int]:
        """The nodes that the output depends on, each after its inputs."""
        return self.circuit.below(self.output)

    def holds(self, chosen: Mapping[int, bool]) -> bool:
        """Whether the circuit comes out true under values of all variables."""
        return self.circuit.holds(self.output, self.nodes, chosen)

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
        """The game, for claims that are tables."""
        from zermelo.check.formulaplay import FormulaPlay

        return FormulaPlay(self)


@dataclass(frozen=True)
class Stated:
    """A formula as it is stated: free variables, blocks, and a circuit that may have quantified gates."""

    circuit: Circuit
    free: tuple[int, ...]
    blocks: tuple[Block, ...]
    output: int
    names: Mapping[int, str]

    def name(self, variable: int) -> str:
        """What a variable is called."""
        return self.names.get(variable) or f"v{variable}"

    @cached_property
    def nodes(self) -> list[int]:
        """The nodes that the output depends on, each after its inputs."""
        return self.circuit.below(self.output)


def in_front(stated: Stated) -> QuantifiedFormula:
    """The formula with all quantifiers in front; free variables are chosen by ``exists`` before all others.

    >>> circuit = Circuit()
    >>> x, y = circuit.variable(), circuit.variable()
    >>> inner = circuit.gate("forall", [y, circuit.gate("or", [x, y])])
    >>> found = in_front(Stated(circuit, (), (Block("exists", (1,)),), inner ^ 1, {1: "x", 2: "y"}))
    >>> [(block.quantifier, *(found.names[v] for v in block.variables)) for block in found.blocks]
    [('exists', 'x', 'y')]
    """
    bound = {*stated.free, *(v for block in stated.blocks for v in block.variables)}
    kinds = stated.circuit.kinds
    if any(kinds[n] in QUANTIFIERS or (kinds[n] == "variable" and n not in bound) for n in stated.nodes):
        from zermelo.check.prenex import prenex  # where all quantifiers are in front nobody need trust it

        return prenex(stated)
    blocks = joined([Block("exists", stated.free), *stated.blocks])
    names = {variable: stated.name(variable) for block in blocks for variable in block.variables}
    return QuantifiedFormula(stated.circuit, blocks, stated.output, names)


def joined(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Alternating blocks: neighbours of one quantifier are one, and the last binding of a variable holds.

    >>> joined([Block("exists", (1,)), Block("forall", ()), Block("exists", (2,))])
    (Block(quantifier='exists', variables=(1, 2)),)
    """
    kept = list(blocks)
    while True:
        runs: list[tuple[str, dict[int, None]]] = []
        for block in kept:
            if block.variables and (not runs or runs[-1][0] != block.quantifier):
                runs.append((block.quantifier, {}))
            if block.variables:
                runs[-1][1].update(dict.fromkeys(block.variables))
        last = {variable: place for place, (_, run) in enumerate(runs) for variable in run}
        kept = [Block(q, tuple(v for v in run if last[v] == place)) for place, (q, run) in enumerate(runs)]
        if all(block.variables for block in kept):
            return tuple(kept)
