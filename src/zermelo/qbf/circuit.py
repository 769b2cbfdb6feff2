"""Boolean circuits: AND, OR, XOR and if-then-else gates over variables, each distinct gate stored once.

A *literal* is twice the number of a node, plus one where it is negated; ``FALSE`` and ``TRUE`` are the literals of
node 0. The inputs of a gate have smaller numbers than the gate, so the order of the nodes is a topological one, and
whatever has to be done to a whole circuit is one loop over its nodes: no recursion, however deep the circuit is.

>>> circuit = Circuit()
>>> x, y = circuit.variable(), circuit.variable()
>>> circuit.conjunction([x, y]) == circuit.conjunction([y, x, y])
True
>>> circuit.conjunction([x, negate(x)]) == FALSE
True
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from functools import reduce
from operator import and_, or_
from typing import Final

from zermelo.brief import counted, introduced, shown_in_brief

Literal = int

FALSE: Final = 0
TRUE: Final = 1


class Kind(IntEnum):
    """What a node is. Quantified gates say "there is (or: for all) values of these variables such that"."""

    CONSTANT = 0
    VARIABLE = 1
    AND = 2
    OR = 3
    XOR = 4
    ITE = 5
    EXISTS = 6
    FORALL = 7


QUANTIFIED: Final = (Kind.EXISTS, Kind.FORALL)


def negate(literal: Literal) -> Literal:
    """The opposite literal.

    >>> negate(negate(6)), negate(FALSE) == TRUE
    (6, True)
    """
    return literal ^ 1


def node_of(literal: Literal) -> int:
    """The node that a literal is about.

    >>> node_of(6), node_of(7)
    (3, 3)
    """
    return literal >> 1


def is_negated(literal: Literal) -> bool:
    """Whether a literal is the negation of its node.

    >>> is_negated(6), is_negated(7)
    (False, True)
    """
    return bool(literal & 1)


class Circuit:
    """A circuit that grows: every method returns a literal, of an old node where an equal one is there already."""

    _repr_html_ = shown_in_brief

    def __init__(self) -> None:
        self.kind = bytearray([Kind.CONSTANT])
        self.inputs: list[tuple[Literal, ...]] = [()]
        """Of each node: literals; of a quantified gate, its variables as positive literals and then its body."""
        # By kind: a key is then the tuple that is stored anyway, and the (slow) hash of an enumeration is not needed.
        self._known: list[dict[tuple[Literal, ...], int]] = [{} for _ in Kind]

    def __repr__(self) -> str:
        return introduced(self, counted(len(self), "node"))

    def __len__(self) -> int:
        """The number of nodes, the constant and the variables included."""
        return len(self.kind)

    def variable(self) -> Literal:
        """A new variable."""
        self.kind.append(Kind.VARIABLE)
        self.inputs.append(())
        return 2 * (len(self.kind) - 1)

    def conjunction(self, literals: Iterable[Literal]) -> Literal:
        """All of them.

        >>> Circuit().conjunction([]) == TRUE
        True
        """
        return self._junction(Kind.AND, literals)

    def disjunction(self, literals: Iterable[Literal]) -> Literal:
        """At least one of them.

        >>> Circuit().disjunction([]) == FALSE
        True
        """
        return self._junction(Kind.OR, literals)

    def implication(self, premise: Literal, conclusion: Literal) -> Literal:
        """The conclusion wherever the premise holds."""
        return self.disjunction((negate(premise), conclusion))

    def exclusive(self, one: Literal, other: Literal) -> Literal:
        """Exactly one of two.

        >>> circuit = Circuit()
        >>> x = circuit.variable()
        >>> circuit.exclusive(x, TRUE) == negate(x), circuit.exclusive(x, negate(x)) == TRUE
        (True, True)
        """
        if node_of(one) == node_of(other):
            return TRUE if one != other else FALSE
        flips = (one & 1) ^ (other & 1)
        low, high = sorted((one & ~1, other & ~1))
        return (high if low == FALSE else self._node(Kind.XOR, (low, high))) ^ flips

    def equivalence(self, one: Literal, other: Literal) -> Literal:
        """Both or neither."""
        return negate(self.exclusive(one, other))

    def choice(self, condition: Literal, then: Literal, otherwise: Literal) -> Literal:
        """``then`` where the condition holds, else ``otherwise``.

        >>> circuit = Circuit()
        >>> x, y = circuit.variable(), circuit.variable()
        >>> circuit.choice(x, y, y) == y, circuit.choice(x, TRUE, FALSE) == x
        (True, True)
        """
        if is_negated(condition):
            condition, then, otherwise = negate(condition), otherwise, then
        if condition == FALSE:
            return otherwise
        if then == otherwise:
            return then
        if then == negate(otherwise):
            return self.equivalence(condition, then)
        # A branch that is constant, or repeats the condition, leaves an AND or an OR.
        if then in (TRUE, condition):
            return self.disjunction((condition, otherwise))
        if then in (FALSE, negate(condition)):
            return self.conjunction((negate(condition), otherwise))
        if otherwise in (FALSE, condition):
            return self.conjunction((condition, then))
        if otherwise in (TRUE, negate(condition)):
            return self.disjunction((negate(condition), then))
        # The negation goes outside, so that a choice and its opposite are one gate.
        flip = then & 1
        return self._node(Kind.ITE, (condition, then ^ flip, otherwise ^ flip)) ^ flip

    def quantified(self, kind: Kind, variables: Sequence[Literal], body: Literal) -> Literal:
        """A gate that binds variables; the body itself where there are none or it is constant."""
        if kind not in QUANTIFIED:
            raise ValueError(f"{kind.name} binds no variables")
        if not variables or node_of(body) == 0:
            return body
        return self._node(kind, (*dict.fromkeys(variables), body))

    def _junction(self, kind: Kind, literals: Iterable[Literal]) -> Literal:
        neutral, absorbing = (TRUE, FALSE) if kind == Kind.AND else (FALSE, TRUE)
        inputs = set(literals)
        inputs.discard(neutral)
        # Two literals of one node are opposite ones.
        if absorbing in inputs or len({literal >> 1 for literal in inputs}) < len(inputs):
            return absorbing
        if len(inputs) <= 1:
            return inputs.pop() if inputs else neutral
        return self._node(kind, tuple(sorted(inputs)))

    def _node(self, kind: Kind, inputs: tuple[Literal, ...]) -> Literal:
        size = len(self.kind)
        node = self._known[kind].setdefault(inputs, size)
        if node == size:
            self.kind.append(kind)
            self.inputs.append(inputs)
        return 2 * node


def cone(circuit: Circuit, outputs: Iterable[Literal]) -> list[int]:
    """The nodes that some literals depend on, in order.

    >>> circuit = Circuit()
    >>> x, y, z = (circuit.variable() for _ in range(3))
    >>> gate = circuit.disjunction([x, z])
    >>> cone(circuit, [gate]) == [node_of(x), node_of(z), node_of(gate)]
    True
    """
    needed = bytearray(len(circuit))
    pending = [node_of(literal) for literal in outputs]
    while pending:
        node = pending.pop()
        if not needed[node]:
            needed[node] = 1
            pending.extend(literal >> 1 for literal in circuit.inputs[node])
    return [node for node in range(len(circuit)) if needed[node]]


def substituted(
    source: Circuit, outputs: Sequence[Literal], into: Circuit, leaves: Mapping[int, Literal]
) -> list[Literal]:
    """Copies what outputs depend on into another circuit, with its literals in the place of the variables.

    Quantified gates keep their variables, so these must stand for variables of the other circuit.

    >>> one, other = Circuit(), Circuit()
    >>> x, y = one.variable(), one.variable()
    >>> z = other.variable()
    >>> substituted(one, [one.conjunction([x, y])], other, {node_of(x): z, node_of(y): TRUE}) == [z]
    True
    """
    image: dict[int, Literal] = {0: FALSE}
    for node in cone(source, outputs):
        kind = source.kind[node]
        if kind == Kind.VARIABLE:
            image[node] = leaves[node]
        elif kind != Kind.CONSTANT:
            image[node] = gate_of(into, Kind(kind), [image[i >> 1] ^ (i & 1) for i in source.inputs[node]])
    return [image[node_of(output)] ^ (output & 1) for output in outputs]


def gate_of(circuit: Circuit, kind: Kind, inputs: Sequence[Literal]) -> Literal:
    """The gate of a kind on some inputs, simplified.

    >>> circuit = Circuit()
    >>> x = circuit.variable()
    >>> gate_of(circuit, Kind.AND, [x, TRUE]) == x
    True
    """
    match kind:
        case Kind.AND:
            return circuit.conjunction(inputs)
        case Kind.OR:
            return circuit.disjunction(inputs)
        case Kind.XOR:
            return circuit.exclusive(*inputs)
        case Kind.ITE:
            return circuit.choice(*inputs)
        case Kind.EXISTS | Kind.FORALL:
            return circuit.quantified(kind, inputs[:-1], inputs[-1])
        case _:
            raise ValueError(f"{kind.name} is not a gate")


def values(circuit: Circuit, assignment: Mapping[int, bool]) -> bytearray:
    """The value of every node, 0 or 1, of a circuit without quantified gates, given those of its variables.

    >>> circuit = Circuit()
    >>> x, y = circuit.variable(), circuit.variable()
    >>> gate = circuit.exclusive(x, y)
    >>> holds(values(circuit, {node_of(x): True, node_of(y): False}), gate)
    True
    """
    value = bytearray(len(circuit))
    for node in range(1, len(circuit)):
        inputs = circuit.inputs[node]
        match circuit.kind[node]:
            case Kind.VARIABLE:
                value[node] = assignment.get(node, False)
            case Kind.AND:
                value[node] = all(value[i >> 1] != i & 1 for i in inputs)
            case Kind.OR:
                value[node] = any(value[i >> 1] != i & 1 for i in inputs)
            case Kind.XOR:
                value[node] = value[inputs[0] >> 1] ^ value[inputs[1] >> 1]
            case Kind.ITE:
                branch = inputs[1] if value[inputs[0] >> 1] != inputs[0] & 1 else inputs[2]
                value[node] = value[branch >> 1] ^ (branch & 1)
            case _:
                raise ValueError("a quantified gate has no value of its own: make the formula prenex first")
    return value


def bits_of_gate(kind: int, inputs: Sequence[int], ones: int) -> int:
    """The values of a gate in many lines at once, each a bit of a whole number, given those of its inputs.

    >>> bits_of_gate(Kind.AND, [0b0011, 0b0101], 0b1111), bits_of_gate(Kind.ITE, [0b0011, 0b0101, 0b1100], 0b1111)
    (1, 13)
    """
    match kind:
        case Kind.AND:
            return reduce(and_, inputs, ones)
        case Kind.OR:
            return reduce(or_, inputs, 0)
        case Kind.XOR:
            return inputs[0] ^ inputs[1]
        case Kind.ITE:
            condition, then, otherwise = inputs
            return (condition & then) | (~condition & ones & otherwise)
        case _:
            raise ValueError("a quantified gate has no value of its own: make the formula prenex first")


def holds(value: bytearray, literal: Literal) -> bool:
    """Whether a literal is true under the values of all nodes.

    >>> holds(bytearray([0, 1]), 3), holds(bytearray([0, 1]), TRUE)
    (False, True)
    """
    return bool(value[literal >> 1]) != bool(literal & 1)
