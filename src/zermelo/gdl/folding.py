"""Circuits with some inputs fixed: constants are folded, and equal gates are one.

A literal is twice the number of a node, plus one where it is negated; node 0 is false, then come the inputs, then the
gates. The image of a literal is what is left of it: a constant, an input, or a gate over such. Gates are ANDs, sorted
and flat; an OR is the negation of one. Two literals with the same image are the same function; the converse need not
hold.

>>> gates, always = [(2, 4), (6, 4)], []  # 3 = 1 and 2, 4 = 3 or 2, of inputs 1 and 2
>>> folding = Folding(3, [False, True], gates, [(3, 5, False)], {1: TRUE})
>>> folding.image(6), folding.image(8), folding.support(folding.image(8))
(4, 4, [2])
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

FALSE: Final = 0
TRUE: Final = 1
MOST_FLAT: Final = 64
"""An AND of more inputs than this is not merged into the one above it."""
Block = tuple[int, int, bool]
"""The first node of a block, the one after its last, and whether its gates depend on each other in a circle."""


class Folding:
    """A circuit with some of its inputs fixed."""

    def __init__(
        self,
        first_gate: int,
        is_or: Sequence[bool],
        inputs: Sequence[tuple[int, ...]],
        blocks: Sequence[Block],
        fixed: Mapping[int, int],
    ) -> None:
        self.first_gate, self.is_or, self.inputs, self.blocks = first_gate, is_or, inputs, blocks
        self.images: list[int] = [2 * node for node in range(first_gate)] + [FALSE] * len(inputs)
        for node, value in fixed.items():
            self.images[node] = value
        self._known: dict[object, int] = {}
        self._parts: dict[int, tuple[int, ...]] = {}
        self._bits: dict[int, int] = {}
        self._fresh = first_gate + len(inputs)
        self._readers: dict[int, list[int]] | None = None
        self._read_from: dict[Block, tuple[int, ...]] = {}
        self._circle_of = {node: block for block in blocks if block[2] for node in range(block[0], block[1])}
        for first, last, cyclic in blocks:
            for node in range(first, last):
                self.images[node] = self._circular(node, {}) if cyclic else self._gate(node, {})

    def image(self, literal: int, changed: Mapping[int, int] | None = None) -> int:
        """What is left of a literal, where some images are others than here."""
        node = literal >> 1
        found = self.images[node] if changed is None else changed.get(node, self.images[node])
        return found ^ (literal & 1)

    def support(self, image: int) -> list[int]:
        """The inputs that an image looks at."""
        bits, found = self._support(image >> 1), []
        while bits:
            low = bits & -bits
            found.append(low.bit_length() - 1)
            bits ^= low
        return found

    def parts(self, image: int) -> tuple[int, ...]:
        """The images that an image, negated or not, is the AND of; none where it is no gate, or one of a circle."""
        return self._parts.get(image >> 1, ())

    def above(self, node: int) -> set[int]:
        """The gates that look at an input, near or far."""
        pending, reached = [node], set[int]()
        while pending:
            new = [gate for gate in self._read_by(pending.pop()) if gate not in reached]
            reached.update(new)
            pending.extend(new)
        return reached

    def with_input(self, node: int, value: int, above: set[int]) -> dict[int, int]:
        """The images that are others than here if one more input has this value, by their nodes."""
        changed = {node: value}
        for gate in sorted(above):  # gates come after what they read, circles aside
            image = self._circular(gate, changed) if gate in self._circle_of else self._gate(gate, changed)
            if image != self.images[gate]:
                changed[gate] = image
        return changed

    def _read_by(self, node: int) -> Sequence[int]:
        if self._readers is None:
            readers = defaultdict(list)
            for place, inputs in enumerate(self.inputs):
                for literal in inputs:
                    readers[literal >> 1].append(self.first_gate + place)
            self._readers = dict(readers)
        return self._readers.get(node, ())

    def _gate(self, node: int, changed: Mapping[int, int]) -> int:
        place = node - self.first_gate
        inputs = (self.image(literal, changed) for literal in self.inputs[place])
        return self._and(image ^ 1 for image in inputs) ^ 1 if self.is_or[place] else self._and(inputs)

    def _and(self, images: Iterable[int]) -> int:
        parts = set[int]()
        for image in images:
            if image == FALSE:
                return FALSE
            flat = self._parts.get(image >> 1, ()) if not image & 1 else ()
            if 0 < len(flat) <= MOST_FLAT:
                parts.update(flat)
            elif image != TRUE:
                parts.add(image)
        if any(part ^ 1 in parts for part in parts):
            return FALSE
        if len(parts) < 2:
            return parts.pop() if parts else TRUE
        key = tuple(sorted(parts))
        if key not in self._known:
            self._known[key] = self._new()
            self._parts[self._known[key] >> 1] = key
        return self._known[key]

    def _circular(self, node: int, changed: Mapping[int, int]) -> int:
        """A gate of a circle: nothing is folded in it, but it is the same wherever all that it reads is."""
        read = tuple((literal, self.image(literal, changed)) for literal in self._outside(self._circle_of[node]))
        if (node, read) not in self._known:
            self._known[node, read] = made = self._new()
            bits = 0
            for _, image in read:
                bits |= self._support(image >> 1)
            self._bits[made >> 1] = bits
        return self._known[node, read]

    def _outside(self, block: Block) -> tuple[int, ...]:
        """What the gates of a circle read beside each other."""
        if block not in self._read_from:
            first, last, _ = block
            read = {literal for gate in range(first, last) for literal in self.inputs[gate - self.first_gate]}
            self._read_from[block] = tuple(sorted(each for each in read if not first <= each >> 1 < last))
        return self._read_from[block]

    def _new(self) -> int:
        self._fresh += 1
        return 2 * (self._fresh - 1)

    def _support(self, node: int) -> int:
        """The inputs of a node as bits; its parts have smaller numbers, so that a stack serves."""
        if node < self.first_gate:
            return 1 << node if node else 0
        pending = [node]
        while pending:
            top = pending[-1]
            parts = [part >> 1 for part in self._parts.get(top, ())]
            missing = [part for part in parts if part >= self.first_gate and part not in self._bits]
            if missing and top not in self._bits:
                pending.extend(missing)
                continue
            pending.pop()
            if top not in self._bits:
                bits = 0
                for part in parts:
                    bits |= self._bits[part] if part >= self.first_gate else 1 << part
                self._bits[top] = bits
        return self._bits[node]
