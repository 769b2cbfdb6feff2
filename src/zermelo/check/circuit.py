"""Boolean circuits as the checker has them.

A *literal* is twice the number of a node, plus one where it is negated. Node 0 is the constant false; the others are
variables and gates, each gate after its inputs. Gates are simplified as they are made, and equal ones made once:

* ``and``, ``or``: inputs count once, in any order; a neutral constant is left out; an absorbing one, or an input
  together with its negation, is all there is to say; a gate with one input is that input;
* ``xor``: negations go outside, a constant input or two equal ones leave no gate;
* ``ite``: the condition and the second input stand plain; where an input is constant, or repeats the condition, an
  ``and`` or an ``or`` is left; where the two branches are opposite, an ``xor``;
* ``exists``, ``forall``: without variables, or over a constant, the gate is its body.

Formulas with quantified gates depend on this list: it says which gates are one, and so which of their variables need a
copy (:mod:`zermelo.check.prenex`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from operator import and_, or_, xor

OTHER = {"exists": "forall", "forall": "exists"}
"""The other role."""
QUANTIFIERS = tuple(OTHER)
_FOLDED: dict[str, Callable[[int, int], int]] = {"and": and_, "or": or_, "xor": xor}


class Circuit:
    """A circuit that grows; every gate is a literal, of an old node where an equal one is there.

    >>> circuit = Circuit()
    >>> x, y = circuit.variable(), circuit.variable()
    >>> circuit.gate("and", [x, y]) == circuit.gate("and", [y, x, y, 1])
    True
    >>> circuit.gate("ite", [x, y, 0]) == circuit.gate("and", [x, y]), circuit.gate("or", [x, x ^ 1])
    (True, 1)
    """

    def __init__(self) -> None:
        self.kinds = ["false"]
        self.inputs: list[tuple[int, ...]] = [()]
        """Literals; of a quantified gate its variables, plain, and then its body."""
        self._known: dict[tuple[str, tuple[int, ...]], int] = {}

    def variable(self) -> int:
        """A new variable."""
        self.kinds.append("variable")
        self.inputs.append(())
        return 2 * len(self.kinds) - 2

    def gate(self, kind: str, inputs: Sequence[int]) -> int:
        """The gate of a kind on some inputs; ``xor`` takes two or more, an odd number of which must hold."""
        if kind in ("and", "or"):
            return self._junction(kind, inputs)
        if kind == "xor":
            return reduce(self._exclusive, inputs)
        if kind == "ite":
            return self._choice(*inputs)
        *variables, body = inputs
        return self._node(kind, (*dict.fromkeys(variables), body)) if variables and body > 1 else body

    def _junction(self, kind: str, inputs: Iterable[int]) -> int:
        neutral = 1 if kind == "and" else 0
        left = set(inputs)
        left.discard(neutral)
        if neutral ^ 1 in left or any(literal ^ 1 in left for literal in left):
            return neutral ^ 1
        if len(left) < 2:
            return left.pop() if left else neutral
        return self._node(kind, tuple(sorted(left)))

    def _exclusive(self, one: int, other: int) -> int:
        flip = (one ^ other) & 1
        low, high = sorted((one & ~1, other & ~1))
        if low == high:
            return flip
        return (high if low == 0 else self._node("xor", (low, high))) ^ flip

    def _choice(self, condition: int, then: int, otherwise: int) -> int:
        if condition & 1:
            condition, then, otherwise = condition ^ 1, otherwise, then
        if condition == 0:
            return otherwise
        # Where the condition holds it is true, and else false.
        then = 1 ^ (then & 1) if then | 1 == condition | 1 else then
        otherwise = otherwise & 1 if otherwise | 1 == condition | 1 else otherwise
        if then == otherwise:
            return then
        if then == otherwise ^ 1:
            return self._exclusive(condition, otherwise)
        if then < 2:
            return self._junction("or" if then else "and", (condition ^ then ^ 1, otherwise))
        if otherwise < 2:
            return self._junction("or" if otherwise else "and", (condition ^ otherwise, then))
        flip = then & 1
        return self._node("ite", (condition, then ^ flip, otherwise ^ flip)) ^ flip

    def _node(self, kind: str, inputs: tuple[int, ...]) -> int:
        found = self._known.setdefault((kind, inputs), len(self.kinds))
        if found == len(self.kinds):
            self.kinds.append(kind)
            self.inputs.append(inputs)
        return 2 * found

    def below(self, output: int) -> list[int]:
        """The nodes that a literal depends on, each after its inputs.

        >>> circuit = Circuit()
        >>> x, y, z = (circuit.variable() for _ in range(3))
        >>> [circuit.kinds[node] for node in circuit.below(circuit.gate("or", [x, z]))]
        ['variable', 'variable', 'or']
        """
        seen, pending = {output >> 1}, [output >> 1]
        while pending:
            for literal in self.inputs[pending.pop()]:
                if literal >> 1 not in seen:
                    seen.add(literal >> 1)
                    pending.append(literal >> 1)
        return sorted(seen)

    def carried(
        self, nodes: Iterable[int], image: Mapping[int, int], make: Callable[[str, list[int]], int], ones: int = 1
    ) -> dict[int, int]:
        """What stands for nodes, besides what is known: ``make`` has it for a kind and what stands for the inputs.

        That may be literals of another circuit, or values; many at once are the bits of an integer. ``ones`` negates.

        >>> circuit = Circuit()
        >>> either = circuit.gate("or", [circuit.variable(), circuit.variable() ^ 1])
        >>> bin(circuit.carried(circuit.below(either), {1: 0b0011, 2: 0b0101}, outcome, 0b1111)[either >> 1])
        '0b1011'
        """
        found = {0: 0, **image}
        for node in nodes:
            if node not in found:
                inputs = [found[one >> 1] ^ ones if one & 1 else found[one >> 1] for one in self.inputs[node]]
                found[node] = make(self.kinds[node], inputs)
        return found


def outcome(kind: str, values: Sequence[int]) -> int:
    """What comes out of a gate bit by bit; variables without a value are false.

    >>> [bin(outcome(kind, [0b0011, 0b0101])) for kind in ("and", "or", "xor")]
    ['0b1', '0b111', '0b110']
    """
    if kind in _FOLDED:
        return reduce(_FOLDED[kind], values)
    if kind == "ite":
        condition, then, otherwise = values
        return otherwise ^ (condition & (then ^ otherwise))
    return 0
