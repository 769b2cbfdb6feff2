"""The rules of a ground game as a circuit without circles.

A recursive relation (a cyclic block of the ground circuit) means its least fixpoint. It is written out in layers from
"nothing holds": a shortest derivation meets no OR gate twice and every layer takes it one OR gate further, so as many
layers as the block has OR gates are enough, and one more for what reads them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from zermelo.encode.qbf.ground import by_rounds
from zermelo.gdl.ground import GroundReasoner
from zermelo.gdl.syntax import RANDOM

Literal = int
FALSE: Literal = 0
TRUE: Literal = 1


@dataclass(frozen=True)
class Rules:
    """A ground game. Node 0 is false, nodes 1.. are facts, then moves, then gates over literals of nodes before them.

    A literal is twice its node, and one more where it is negated (as in ``native/gdl/circuit/circuit.hpp``).
    """

    roles: tuple[str, ...]
    fluents: tuple[str, ...]
    moves: tuple[str, ...]
    first_move: tuple[int, ...]
    start: bytes
    is_or: tuple[bool, ...]
    inputs: tuple[tuple[Literal, ...], ...]
    next: tuple[Literal, ...]
    legal: tuple[Literal, ...]
    terminal: Literal
    goals: tuple[tuple[int, int, Literal], ...]
    recursive: frozenset[int]
    """Gates that stand for a layer of a recursive relation."""

    @property
    def first_gate(self) -> int:
        """The node of the first gate."""
        return 1 + len(self.fluents) + len(self.moves)

    @property
    def chance(self) -> int | None:
        """The role that chance plays."""
        return self.roles.index(RANDOM) if RANDOM in self.roles else None

    @property
    def seats(self) -> tuple[int, ...]:
        """The roles that players take."""
        return tuple(role for role in range(len(self.roles)) if role != self.chance)

    def moves_of(self, role: int) -> range:
        """The numbers of the moves of a role."""
        return range(self.first_move[role], self.first_move[role + 1])

    def cone(self, roots: Iterable[Literal]) -> list[int]:
        """The gates that the roots depend on, in order."""
        pending = [literal >> 1 for literal in roots]
        found: set[int] = set()
        while pending:
            node = pending.pop()
            if node >= self.first_gate and node not in found:
                found.add(node)
                pending.extend(literal >> 1 for literal in self.inputs[node - self.first_gate])
        return sorted(found)

    def holds_at_start(self, fluent: int) -> bool:
        """Whether a fact holds where play begins."""
        return bool(self.start[fluent // 8] >> fluent % 8 & 1)


def rules_of(game: GroundReasoner) -> Rules:
    """The rules of a ground game, recursive relations written out.

    >>> from zermelo.gdl.ground import ground
    >>> from zermelo.gdl.library import rulesheet
    >>> rules = rules_of(ground(rulesheet("hex", "2")))
    >>> len(rules.fluents), rules.roles, len(rules.recursive) > 0
    (10, ('first', 'second'), True)
    """
    native = game.native
    kind, first_input, flat, block, following, legal, terminal, goal = native.circuit()
    first_gate = 1 + len(game.fluents) + native.first_move[-1]
    writing = _Writing(kind.tobytes(), first_input.tolist(), flat.tolist(), first_gate)
    for first, last, cyclic in block.reshape(-1, 3).tolist():
        if cyclic:
            writing.layers(range(first, last))
        else:
            for node in range(first, last):
                writing.image[node] = writing.gate(node)
    read = writing.literal
    return Rules(
        roles=tuple(game.roles),
        fluents=game.fluents,
        moves=game.moves,
        first_move=tuple(native.first_move),
        start=native.start(),
        is_or=tuple(writing.is_or),
        inputs=tuple(writing.inputs),
        next=tuple(map(read, following.tolist())),
        legal=tuple(map(read, legal.tolist())),
        terminal=read(terminal),
        goals=tuple((role, value, read(when)) for role, value, when in goal.reshape(-1, 3).tolist()),
        recursive=frozenset(writing.recursive),
    )


class _Writing:
    """A circuit without circles under way: ``image`` has for each node of the old one its literal in the new one."""

    def __init__(self, kind: bytes, first_input: list[int], flat: list[Literal], first_gate: int) -> None:
        self.kind, self.first_gate = kind, first_gate
        self.old = [tuple(flat[first_input[gate] : first_input[gate + 1]]) for gate in range(len(kind))]
        self.image: list[Literal] = [2 * node for node in range(first_gate)] + [FALSE] * len(kind)
        self.is_or: list[bool] = []
        self.inputs: list[tuple[Literal, ...]] = []
        self.recursive: set[int] = set()
        self._known: dict[tuple[bool, tuple[Literal, ...]], Literal] = {}

    def literal(self, old: Literal) -> Literal:
        return self.image[old >> 1] ^ (old & 1)

    def gate(self, node: int) -> Literal:
        """The gate of an old node over the images of its inputs, folded with constants and shared."""
        either = bool(self.kind[node - self.first_gate])
        deciding = TRUE if either else FALSE
        inputs = {self.literal(old) for old in self.old[node - self.first_gate]} - {deciding ^ 1}
        if deciding in inputs or any(literal ^ 1 in inputs for literal in inputs):
            return deciding
        if len(inputs) < 2:
            return next(iter(inputs), deciding ^ 1)
        key = (either, tuple(sorted(inputs)))
        if key not in self._known:
            self._known[key] = 2 * (self.first_gate + len(self.inputs))
            self.is_or.append(either)
            self.inputs.append(key[1])
        return self._known[key]

    def layers(self, block: range) -> None:
        """A cyclic block from "nothing holds" on, until a layer adds nothing or a derivation can be no longer."""
        gates = by_rounds(block, self.kind, self.old, self.first_gate)
        begin = self.first_gate + len(self.inputs)
        for _ in range(1 + sum(self.kind[node - self.first_gate] for node in gates)):
            before = [self.image[node] for node in gates]
            for node in gates:
                self.image[node] = self.gate(node)
            if before == [self.image[node] for node in gates]:
                break
        self.recursive |= set(range(begin, self.first_gate + len(self.inputs)))
