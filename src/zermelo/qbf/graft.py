"""Parts of one circuit copied into another on demand, each gate once however often it is asked for.

>>> one, other = Circuit(), Circuit()
>>> x, y = one.variable(), one.variable()
>>> graft = Graft(one, other, {x >> 1: other.variable()})
>>> graft.literal(x) == 2
True
>>> graft.image[y >> 1] = 1
>>> graft.literal(one.conjunction([x, y])) == 2
True
"""

from __future__ import annotations

from zermelo.qbf.circuit import Circuit, Kind, Literal, gate_of


class Graft:
    """``image`` has the literal of the target for each node of the source that is copied; variables are given to it."""

    def __init__(self, source: Circuit, into: Circuit, image: dict[int, Literal]) -> None:
        self.source, self.into = source, into
        self.image = {0: 0} | image

    def literal(self, literal: Literal) -> Literal:
        """The copy of a literal; ``KeyError`` where it depends on a variable that has no image yet."""
        image, inputs = self.image, self.source.inputs
        pending = [literal >> 1]
        while pending:
            node = pending[-1]
            if node in image:
                pending.pop()
                continue
            kind = self.source.kind[node]
            if kind == Kind.VARIABLE:
                raise KeyError(node)
            missing = [i >> 1 for i in inputs[node] if i >> 1 not in image]
            if missing:
                pending += missing
            else:
                image[node] = gate_of(self.into, Kind(kind), [image[i >> 1] ^ (i & 1) for i in inputs[node]])
                pending.pop()
        return image[literal >> 1] ^ (literal & 1)
