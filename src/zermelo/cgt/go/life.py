"""What is settled: stones that can never be captured, territory in which the other side can never live.

Benson's theorem ("Life in the game of Go", Information Sciences 10, 1976): a set of chains of one colour is alive,
even if its owner always passes, when each of them has two vital regions: regions enclosed by the set all of whose
empty points are liberties of the chain. Two conditions are added here, so that what is found safe stays safe while
*both* sides play elsewhere, and so that parts of the board do not depend on each other:

- only regions in which the other side can never live are counted, so that the owner never has to move in them;
- stones that are given as safe (by their owner's eyes elsewhere, or by the user's word) are safe without eyes here.

A region enclosed by safe stones of one colour is that side's territory when no two points of it that touch no safe
stone lie apart: a chain of the invader needs two eyes, eyes are at points that touch no safe stone of the owner, and
two points that touch each other are in the same eye.
"""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.cgt.go.ground import BLACK, COLOURS, ELSEWHERE, EMPTY, OTHER, SAFE, SIGN, Ground

TERRITORY = {BLACK: "b", OTHER[BLACK]: "w"}
"""How settled territory is labelled."""


@dataclass(frozen=True)
class Settled:
    """A position taken apart.

    ``labels`` has for every point ``X`` or ``O`` (a safe stone), ``b`` or ``w`` (territory, with whatever stands in
    it), ``.``, ``x`` or ``o`` where nothing is settled. ``score`` is the area that became settled, ``parts`` the
    positions of what is left, each with the safe stones around it.
    """

    labels: str
    score: int
    parts: tuple[str, ...]


def settle(ground: Ground, stones: str) -> Settled:
    """What is settled in a position, and the independent parts that are not.

    >>> from zermelo.cgt.go.ground import square
    >>> settle(square(4), ".x.x" "xxxx" "...." "....").labels
    'bXbXXXXX........'
    """
    labels = list(stones)
    for colour in COLOURS:
        for point in _alive(ground, stones, colour):
            labels[point] = SAFE[colour]
    score = sum(SIGN[new] for new, old in zip(labels, stones, strict=True) if new.isupper() and not old.isupper())
    parts = []
    unsettled = (p for p, label in enumerate(labels) if not label.isupper() and label != ELSEWHERE)
    for piece in ground.pieces(unsettled):
        around = {labels[near] for point in piece for near in ground.neighbours[point]}
        owners = [colour for colour in COLOURS if SAFE[colour] in around]
        if len(owners) == 1 and _no_room(ground, piece, labels, SAFE[owners[0]]):
            score += len(piece) * SIGN[owners[0]]
            for point in piece:
                labels[point] = TERRITORY[owners[0]]
        else:
            parts.append(_part(ground, labels, piece))
    return Settled("".join(labels), score, tuple(parts))


def _part(ground: Ground, labels: list[str], piece: list[int]) -> str:
    kept = set(piece)
    kept.update(near for point in piece for near in ground.neighbours[point])
    return "".join(label if point in kept else ELSEWHERE for point, label in enumerate(labels))


def _no_room(ground: Ground, piece: list[int], stones: list[str] | str, walls: str) -> bool:
    """Is there no place for two eyes among points that touch none of the walls?"""
    inner = [point for point in piece if not any(stones[near] in walls for near in ground.neighbours[point])]
    return len(inner) <= 1 or (len(inner) == 2 and inner[1] in ground.neighbours[inner[0]])


@dataclass(frozen=True)
class _Region:
    """An area without stones of a colour: the chains around it, and those of them that touch all its empty points."""

    borders: frozenset[int]
    vital_to: frozenset[int]


def _alive(ground: Ground, stones: str, colour: str) -> list[int]:
    """The stones of a colour that are safe: the greatest set of chains in which each has two regions, or is given."""
    own = colour + SAFE[colour]
    chains = ground.pieces(point for point, stone in enumerate(stones) if stone in own)
    chain_of = {point: number for number, chain in enumerate(chains) for point in chain}
    given = {number for number, chain in enumerate(chains) if any(stones[point].isupper() for point in chain)}
    regions = _regions(ground, stones, colour, chain_of)
    alive = set(range(len(chains)))
    while True:
        counted = [region for region in regions if region.borders <= alive]
        kept = {c for c in alive if c in given or sum(c in region.vital_to for region in counted) >= 2}
        if kept == alive:
            return [point for number in sorted(alive) for point in chains[number]]
        alive = kept


def _regions(ground: Ground, stones: str, colour: str, chain_of: dict[int, int]) -> list[_Region]:
    own = colour + SAFE[colour]
    found = []
    for area in ground.pieces(p for p, stone in enumerate(stones) if stone not in own and stone != ELSEWHERE):
        if any(stones[point] == SAFE[OTHER[colour]] for point in area) or not _no_room(ground, area, stones, own):
            continue
        borders = frozenset(chain_of[near] for p in area for near in ground.neighbours[p] if near in chain_of)
        vital = borders
        for point in area:
            if stones[point] == EMPTY:
                vital &= {chain_of[near] for near in ground.neighbours[point] if near in chain_of}
        found.append(_Region(borders, vital))
    return found
