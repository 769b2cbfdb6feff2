"""Pockets that a side holds by answering every intrusion, and the chains that live by them.

A *pocket* of a side is a connected set of points without stones of its own. Benson's theorem asks for chains that live
though their owner always passes. Safety under alternating play (Mueller, "Playing it safe: recognizing secure
territories in computer Go by using static rules and search", 1997) asks less: the owner answers in the pocket into
which the other side has just played. Pockets of one side share no point, so one answer is all that is ever needed.

What chains need of a pocket is 0, 1 or 2 eyes. After every answer a chain has a liberty in each pocket that gives it an
eye, and the other side's next move takes away liberties in one pocket alone: so a chain with two eyes, in one pocket or
in two, is never captured. As in Benson's proof the set of chains is the greatest in which all have their two eyes, in
pockets around which only chains of the set stand. A chain may also join, in a pocket, one that needs nothing of it; so
that no two chains live by nothing but each other, there must be an order in which every chain joins earlier ones only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from zermelo import _native
from zermelo.cgt.go.ground import COLOURS, ELSEWHERE, EMPTY, OTHER, SAFE, Ground

if TYPE_CHECKING:
    from zermelo._native import Control

BUDGETS = (20_000, 200_000, 2_000_000)
"""Nodes that a search in one pocket may visit for one question about it: first few for all, then more."""
MOST_VISITS = 4_000_000
"""Nodes that all searches of one side may visit together."""
MOST_ROOM = 20
"""Pockets with more empty points are not searched; they may be held without any answer."""
LARGEST = 64
"""Points and chains of a pocket, at most."""

Answer = tuple[int, int, int, int]
"""Own stones and the other side's as sets of bits, the point of a ko or 64, and the answer or 64 for a pass."""


@dataclass(frozen=True)
class Pocket:
    """Points that chains of one colour enclose, what each chain needs of them, and the answers that give it.

    ``chains`` are named by their first stones. Bits of answers are places among ``points``.
    """

    colour: str
    points: tuple[int, ...]
    chains: tuple[int, ...]
    needs: tuple[int, ...]
    answers: tuple[Answer, ...] = ()

    def credit(self, chain: int) -> int:
        """How many eyes the pocket gives to a chain."""
        return self.needs[self.chains.index(chain)] if chain in self.chains else 0


@dataclass(frozen=True)
class Holding:
    """The stones of safe chains and the pockets that are held.

    >>> from zermelo.cgt.go.ground import square
    >>> found = held(square(4), ".x.x" "xxxx" "oooo" ".o.o", _native.Control())
    >>> sorted(found.stones)[:6], [pocket.points for pocket in found.pockets]
    ([1, 3, 4, 5, 6, 7], [(0,), (2,), (12,), (14,)])
    """

    stones: frozenset[int] = frozenset()
    pockets: tuple[Pocket, ...] = ()


NOTHING_HELD = Holding()


def held(ground: Ground, stones: str, control: Control, budgets: Sequence[int] = BUDGETS) -> Holding:
    """What both sides hold by answers, as far as the control allows; stones in upper case are safe already."""
    safe: set[int] = set()
    pockets: list[Pocket] = []
    for colour in COLOURS:
        found = _Side(ground, stones, colour, control).holding(budgets)
        safe |= found.stones
        pockets += found.pockets
    return Holding(frozenset(safe), tuple(pockets))


class _Side:
    """One side's chains and pockets."""

    def __init__(self, ground: Ground, stones: str, colour: str, control: Control) -> None:
        self.ground, self.stones, self.colour, self.control = ground, stones, colour, control
        own = colour + SAFE[colour]
        pieces = ground.pieces(point for point, stone in enumerate(stones) if stone in own)
        self.chain = {piece[0]: piece for piece in pieces}
        self.chain_of = {point: piece[0] for piece in pieces for point in piece}
        self.given = {first for first, piece in self.chain.items() if any(stones[p].isupper() for p in piece)}
        self.begun, self.stopped = control.nodes, False
        self.found: dict[tuple[int, ...], Pocket] = {}
        self.refused: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
        self.pockets: list[Pocket] = []
        for area in ground.pieces(p for p, stone in enumerate(stones) if stone not in own and stone != ELSEWHERE):
            beside = {
                self.chain_of[near] for point in area for near in ground.neighbours[point] if near in self.chain_of
            }
            fits = len(area) + len(beside) <= LARGEST and beside
            if fits and not any(stones[point] == SAFE[OTHER[colour]] for point in area):
                chains = tuple(sorted(beside))
                self.pockets.append(Pocket(colour, tuple(area), chains, (0,) * len(chains)))

    def holding(self, budgets: Sequence[int]) -> Holding:
        """Eyes for all where that works, then what single chains still need, then territory behind safe chains."""
        for nodes in budgets:
            for pocket in self.pockets:
                if pocket.points not in self.found:
                    self.ask(pocket, [0 if chain in self.given else 1 for chain in pocket.chains], nodes)
            before = -1
            while before != len(safe := self.safe()):
                before = len(safe)
                for pocket in self.pockets:
                    if not set(pocket.chains) <= safe:
                        self.ask(pocket, self.lacking(pocket), nodes)
                        safe = self.safe()
            for pocket in self.pockets:
                if pocket.points not in self.found and set(pocket.chains) <= safe:
                    self.ask(pocket, [0] * len(pocket.chains), nodes)
        safe = self.safe()
        kept = tuple(pocket for pocket in self.found.values() if set(pocket.chains) <= safe)
        return Holding(frozenset(point for first in safe for point in self.chain[first]), kept)

    def lacking(self, pocket: Pocket) -> list[int]:
        """What the chains around a pocket need of it, by what other pockets give them."""
        others = [other for other in self.found.values() if other.points != pocket.points]
        eyes = {chain: sum(other.credit(chain) for other in others) for chain in pocket.chains}
        needs = {chain: 0 if chain in self.given else max(0, 2 - eyes[chain]) for chain in pocket.chains}
        for chain in pocket.chains:
            leaning = {other for other, need in needs.items() if need > 0}
            if needs[chain] == 0 and chain not in self.given and leaning & self.leans_on(others, chain):
                needs[chain] = 1
        return list(needs.values())

    def leans_on(self, pockets: Sequence[Pocket], chain: int) -> set[int]:
        """All chains on whose life that of a chain may rest, through chains that they may join."""
        met = [chain]
        for one in met:
            for pocket in pockets:
                if pocket.credit(one):
                    met += [
                        other
                        for other, need in zip(pocket.chains, pocket.needs, strict=True)
                        if need == 0 and other not in self.given and other not in met
                    ]
        return set(met)

    def safe(self) -> set[int]:
        """The greatest set of chains with two eyes each, in pockets that only such chains surround."""
        safe = set(self.chain)
        while True:
            counted = [pocket for pocket in self.found.values() if set(pocket.chains) <= safe]
            kept = {c for c in safe if c in self.given or sum(pocket.credit(c) for pocket in counted) >= 2}
            if kept == safe:
                return safe
            safe = kept

    def ask(self, pocket: Pocket, needs: Sequence[int], nodes: int) -> None:
        """Searches a pocket once for each question and budget; what is found replaces what was known."""
        asked = pocket.points, tuple(needs)
        known = self.found.get(pocket.points)
        if self.refused.get(asked, 0) >= nodes or (known is not None and known.needs == tuple(needs)):
            return
        answers = self.search(pocket, needs, nodes)
        if answers is None:
            self.refused[asked] = nodes
        else:
            self.found[pocket.points] = replace(pocket, needs=tuple(needs), answers=tuple(answers))

    def search(self, pocket: Pocket, needs: Sequence[int], nodes: int) -> list[Answer] | None:
        near, others = graph_of(self.ground, self.stones, pocket, self.chain_of)
        count = len(pocket.points)
        if _native.go_settled(near, count, list(needs), 0, others):
            return []
        room = sum(self.stones[point] == EMPTY for point in pocket.points)
        if self.stopped or room > MOST_ROOM or self.control.nodes - self.begun > MOST_VISITS:
            return None
        try:
            return _native.go_hold(near, count, list(needs), others, nodes, self.control)
        except _native.Stopped:
            self.stopped = True
            return None


def graph_of(ground: Ground, stones: str, pocket: Pocket, chain_of: dict[int, int]) -> tuple[list[int], int]:
    """The graph of a pocket, each chain around it one node after its points, and the other side's stones in it."""
    number = {point: place for place, point in enumerate(pocket.points)}
    node = {chain: len(number) + place for place, chain in enumerate(pocket.chains)}
    near = [0] * (len(number) + len(node))
    for place, point in enumerate(pocket.points):
        for beside in ground.neighbours[point]:
            other = number.get(beside, node.get(chain_of.get(beside, -1)))
            if other is not None:
                near[place] |= 1 << other
                near[other] |= 1 << place
    others = sum(1 << place for place, point in enumerate(pocket.points) if stones[point] != EMPTY)
    return near, others


def as_data(pockets: Sequence[Pocket]) -> list[dict[str, object]]:
    """Pockets as a certificate lists them (docs/formats/sum-certificate.md)."""
    return [
        {
            "side": pocket.colour,
            "at": pocket.points[0],
            "needs": list(pocket.needs),
            "answers": [_row(pocket, answer) for answer in pocket.answers],
        }
        for pocket in pockets
    ]


def _row(pocket: Pocket, answer: Answer) -> list[str | int]:
    own, others, banned, point = answer
    letter = {(True, False): pocket.colour, (False, True): OTHER[pocket.colour]}
    places = range(len(pocket.points))
    stones = "".join(letter.get((bool(own >> at & 1), bool(others >> at & 1)), EMPTY) for at in places)
    return [stones, banned if banned < len(pocket.points) else -1, point]
