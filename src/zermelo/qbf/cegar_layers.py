"""Circuits in layers: what each block of the prefix settles, and what it hands on to the blocks after it.

The circuit is brought into negation normal form: AND and OR gates over *leaves*, which are variables and negated
variables. The *level* of a node is the last block that it depends on. An AND or an OR whose inputs have several levels
is split into a chain, so that what the outer blocks contribute to it is a node of its own: for a clause that is the
fact "satisfied by the outer blocks", the interface of clausal abstraction (Rabe and Tentrup, "CAQE: A Certifying QBF
Solver", FMCAD 2015), and for other circuits that of Tentrup ("Non-prenex QBF Solving Using Abstraction", SAT 2016).

Nodes are integers as a SAT solver wants them: ``v`` and ``-v`` for the variable number ``v`` (from 1, in the order of
the prefix) and its negation, larger positive numbers for gates. Inputs have smaller numbers than their gate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from zermelo.gdl.reader import no_garbage
from zermelo.qbf.circuit import Circuit, Kind, Literal, cone
from zermelo.qbf.formula import Formula

Node = int

STRIDE = 1 << 14
"""Gates between two looks at the limits."""


@dataclass(frozen=True)
class Layers:
    """A formula's circuit in layers; lists go by the number of a variable or gate, entry 0 stands for the constant.

    >>> from zermelo.qbf.formula import Block
    >>> circuit = Circuit()
    >>> x, y, z = (circuit.variable() for _ in range(3))
    >>> prefix = (Block("exists", (x // 2, y // 2)), Block("forall", (z // 2,)))
    >>> layers = layers_of(Formula(circuit, prefix, circuit.conjunction([x, y ^ 1, z])))
    >>> layers.inputs[4], layers.inputs[layers.root], layers.level[layers.root]
    ((1, -2), (4, 3), 2)
    """

    exists: tuple[bool, ...]
    """Of each block whether ``exists`` owns it; blocks count from 1."""
    block: tuple[tuple[int, ...], ...]
    """The variables of each block, as nodes; block 0 has none."""
    variables: tuple[int, ...]
    """The formula's own number of each variable."""
    conjunctive: bytearray
    inputs: list[tuple[Node, ...]]
    level: list[int]
    gates: tuple[tuple[int, ...], ...]
    """The gates of each level, inputs first."""
    reach: list[int]
    """The last level at which a gate or (by its positive node) a variable is an input; of the root, one more."""
    handed: tuple[tuple[Node, ...], ...]
    """The nodes of each level that some later level takes as an input: leaves in the polarity that occurs."""
    root: Node

    @property
    def depth(self) -> int:
        """The number of blocks that matter."""
        return self.level[abs(self.root)]


def layers_of(formula: Formula, look: Callable[[], None] = lambda: None) -> Layers:
    """The layers of a formula in normal form whose output is not constant; linear in the size of the circuit.

    ``look`` is called now and then, and may raise to stop.
    """
    if not formula.is_normal:
        raise ValueError("the formula is not in normal form")
    if formula.output >> 1 == 0:
        raise ValueError("the formula is constant")
    with no_garbage():
        build = _Build(formula, look)
        return build.finished(build.node_of(formula.output))


class _Build:
    """The nodes made so far. Only polarities that the output needs are made."""

    def __init__(self, formula: Formula, look: Callable[[], None]) -> None:
        self.formula, self.look = formula, look
        self.variables = [0]
        self.level = [0]
        self.block: list[tuple[int, ...]] = [()]
        for number, block in enumerate(formula.prefix, 1):
            first = len(self.variables)
            self.variables.extend(block.variables)
            self.level.extend([number] * len(block.variables))
            self.block.append(tuple(range(first, len(self.variables))))
        self.inputs: list[tuple[Node, ...]] = [()] * len(self.variables)
        self.conjunctive = bytearray(len(self.variables))
        self.known: dict[tuple[bool, tuple[Node, ...]], Node] = {}

    def node_of(self, output: Literal) -> Node:
        circuit = self.formula.circuit
        image: list[Node] = [0] * (2 * len(circuit))
        for place, variable in enumerate(self.variables):
            image[2 * variable], image[2 * variable + 1] = place, -place
        order = cone(circuit, [output])
        wanted = _polarities(circuit, order, output)
        for count, node in enumerate(order):
            if count % STRIDE == 0:
                self.look()
            kind = circuit.kind[node]
            if kind == Kind.VARIABLE:
                if not image[2 * node]:
                    raise ValueError(f"variable {self.formula.name(node)} is bound by no block")
                continue
            for flip in (0, 1):
                if wanted[2 * node + flip]:
                    image[2 * node + flip] = self.gate(kind, circuit.inputs[node], flip, image)
        return image[output]

    def gate(self, kind: int, inputs: Sequence[Literal], flip: int, image: Sequence[Node]) -> Node:
        """The node of a gate, or of its negation where ``flip`` is 1."""
        if kind in (Kind.AND, Kind.OR):
            return self.junction((kind == Kind.AND) != bool(flip), [image[i ^ flip] for i in inputs])
        cases = []
        for first, second in _branches(kind, inputs, flip):
            cases.append(self.junction(True, [image[first], image[second]]))
        return self.junction(False, cases)

    def junction(self, conjunctive: bool, nodes: Iterable[Node]) -> Node:
        """An AND or OR as a chain by level, outermost first."""
        level = self.level
        ordered = sorted({(level[abs(node)], abs(node), node) for node in nodes})
        if ordered[0][0] == ordered[-1][0]:
            group = tuple(node for _, _, node in ordered)
            return group[0] if len(group) == 1 else self.stored(conjunctive, group)
        made: tuple[Node, ...] = ()
        for _, several in groupby(ordered, key=itemgetter(0)):
            group = (*made, *(node for _, _, node in several))
            made = group if len(group) == 1 else (self.stored(conjunctive, group),)
        return made[0]

    def stored(self, conjunctive: bool, inputs: tuple[Node, ...]) -> Node:
        node = self.known.setdefault((conjunctive, inputs), len(self.inputs))
        if node == len(self.inputs):
            self.inputs.append(inputs)
            self.conjunctive.append(conjunctive)
            self.level.append(self.level[abs(inputs[-1])])
        return node

    def finished(self, root: Node) -> Layers:
        depth = len(self.block)
        reach = [0] * len(self.inputs)
        gates: list[list[int]] = [[] for _ in range(depth)]
        handed: list[dict[Node, None]] = [{} for _ in range(depth)]
        for gate in range(len(self.variables), len(self.inputs)):
            if gate % STRIDE == 0:
                self.look()
            here = self.level[gate]
            gates[here].append(gate)
            for node in self.inputs[gate]:
                below = abs(node)
                if self.level[below] < here:
                    reach[below] = max(reach[below], here)
                    handed[self.level[below]][node] = None
        reach[abs(root)] = self.level[abs(root)] + 1
        handed[self.level[abs(root)]][root] = None
        return Layers(
            (False, *(block.quantifier == "exists" for block in self.formula.prefix)),
            tuple(self.block),
            tuple(self.variables),
            self.conjunctive,
            self.inputs,
            self.level,
            tuple(map(tuple, gates)),
            reach,
            tuple(map(tuple, handed)),
            root,
        )


def _branches(kind: int, inputs: Sequence[Literal], flip: int) -> tuple[tuple[Literal, Literal], ...]:
    """An XOR or a choice as a disjunction of two conjunctions."""
    if kind == Kind.XOR:
        one, other = inputs
        return ((one, other ^ 1 ^ flip), (one ^ 1, other ^ flip))
    condition, then, otherwise = inputs
    return ((condition, then ^ flip), (condition ^ 1, otherwise ^ flip))


def _polarities(circuit: Circuit, order: Sequence[int], output: Literal) -> bytearray:
    """Marks the literals that the output depends on once negations are pushed down to the variables."""
    wanted = bytearray(2 * len(circuit))
    wanted[output] = 1
    for node in reversed(order):
        kind, inputs = circuit.kind[node], circuit.inputs[node]
        for flip in (0, 1):
            if not wanted[2 * node + flip]:
                continue
            if kind in (Kind.AND, Kind.OR):
                for i in inputs:
                    wanted[i ^ flip] = 1
            elif kind in (Kind.XOR, Kind.ITE):
                for first, second in _branches(kind, inputs, flip):
                    wanted[first] = wanted[second] = 1
    return wanted
