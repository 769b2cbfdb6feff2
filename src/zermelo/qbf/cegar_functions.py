"""The strategy of the winner, from what the refinement loop has recorded.

An *entry* says: where these nodes are spoilt for the loser, play this move in this block. The strategy of a block is
its decision list: the first entry, in the order of recording, whose condition holds; where none does, all variables
are false. Claim: a play that follows the lists and uses an entry is won. By induction over the time of recording. When
the entry was recorded, its move made the nodes of a set N spoilt that the loser's abstraction, with the refinements
known then, cannot do with. So the play, complete, has the winner's output, or it breaks one of these refinements. That
one goes back to an earlier entry, of the same or another block, whose condition holds in the play; there the play used
this entry or one before it, and is won by induction. The empty set at the end of the run says the same of every play.

Compare Hecking-Harbusch and Tentrup, "Solving QBF by Abstraction" (GandALF 2018), for the like in QuAbS.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from zermelo.qbf.cegar_layers import Layers, Node
from zermelo.qbf.circuit import FALSE, TRUE, Circuit, Literal
from zermelo.qbf.formula import Formula, Quantifier
from zermelo.qbf.functions import Functions


@dataclass(frozen=True, slots=True)
class Entry:
    """In block ``level``, where the nodes of ``condition`` are all spoilt for the loser: these variables true."""

    level: int
    condition: tuple[Node, ...]
    move: tuple[int, ...]


def functions_from_entries(formula: Formula, layers: Layers, exists: bool, entries: Sequence[Entry]) -> Functions:
    """The functions of ``exists`` (or else ``forall``) that play the entries.

    As large as the circuit and the entries together: each node becomes one gate over the other role's variables, with
    the owner's functions in the place of its own variables.

    >>> from zermelo.qbf.cegar_layers import layers_of
    >>> from zermelo.qbf.formula import Block
    >>> circuit = Circuit()
    >>> x, y = circuit.variable(), circuit.variable()
    >>> prefix = (Block("forall", (x // 2,)), Block("exists", (y // 2,)))
    >>> formula = Formula(circuit, prefix, circuit.disjunction([x, y]))
    >>> entries = [Entry(2, (1,), ()), Entry(2, (), (2,))]
    >>> functions_from_entries(formula, layers_of(formula), True, entries).replies({x // 2: False})
    {2: True}
    """
    needed = _cone(layers, (node for entry in entries for node in entry.condition))
    circuit = Circuit()
    image: list[Literal] = [FALSE] * len(layers.inputs)
    inputs: dict[int, int] = {}
    outputs: dict[int, Literal] = {}
    flip = 0 if exists else 1
    lists: dict[int, list[Entry]] = {}
    for entry in entries:
        lists.setdefault(entry.level, []).append(entry)

    def of(node: Node) -> Literal:
        return image[node] if node > 0 else image[-node] ^ 1

    for level, variables in enumerate(layers.block):
        if level and layers.exists[level] != exists:
            for variable in variables:
                image[variable] = circuit.variable()
                inputs[layers.variables[variable]] = image[variable] >> 1
        elif level:
            chosen: dict[int, list[Literal]] = {}
            rest = TRUE
            for entry in lists.get(level, ()):
                condition = circuit.conjunction([of(node) ^ flip for node in entry.condition])
                now = circuit.conjunction((rest, condition))
                rest = circuit.conjunction((rest, condition ^ 1))
                for variable in entry.move:
                    chosen.setdefault(variable, []).append(now)
            for variable in variables:
                image[variable] = circuit.disjunction(chosen.get(variable, ()))
                outputs[layers.variables[variable]] = image[variable]
        for gate in layers.gates[level]:
            if needed[gate]:
                made = circuit.conjunction if layers.conjunctive[gate] else circuit.disjunction
                image[gate] = made([of(node) for node in layers.inputs[gate]])
    return Functions("exists" if exists else "forall", circuit, inputs, outputs)


def constant_functions(formula: Formula, value: bool) -> Functions:
    """The winner's functions where the formula's output is constant: any will do, so all are false."""
    return _chosen(formula, "exists" if value else "forall", {})


def move_functions(formula: Formula, chosen: Mapping[int, bool]) -> Functions:
    """The functions of the owner of the first block that give its variables constant values, all others false.

    >>> from zermelo.qbf.formula import Block
    >>> circuit = Circuit()
    >>> x, y = circuit.variable(), circuit.variable()
    >>> prefix = (Block("exists", (x // 2,)), Block("forall", (y // 2,)))
    >>> move_functions(Formula(circuit, prefix, circuit.disjunction([x, y])), {x // 2: True}).replies({y // 2: False})
    {1: True}
    """
    return _chosen(formula, formula.prefix[0].quantifier, chosen)


def _chosen(formula: Formula, owner: Quantifier, chosen: Mapping[int, bool]) -> Functions:
    circuit = Circuit()
    others = [variable for block in formula.prefix if block.quantifier != owner for variable in block.variables]
    inputs = {variable: circuit.variable() >> 1 for variable in others}
    return Functions(owner, circuit, inputs, {variable: TRUE if true else FALSE for variable, true in chosen.items()})


def _cone(layers: Layers, nodes: Iterable[Node]) -> bytearray:
    needed = bytearray(len(layers.inputs))
    pending = [abs(node) for node in nodes]
    while pending:
        gate = pending.pop()
        if not needed[gate]:
            needed[gate] = 1
            pending.extend(map(abs, layers.inputs[gate]))
    return needed
