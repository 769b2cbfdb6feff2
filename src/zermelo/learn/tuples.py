"""Tuples: which cells are looked at together. They are those that the rules look at together.

Cells are together where a ground rule depends on them, or a move: on its being legal, or in what it
changes. What goals and endings depend on comes first. Further tuples are grown from cell to cell along such links. A
tuple brings with it what the symmetries of the rules turn it into, and all of these share one table of weights.

>>> from zermelo.gdl.ground import ground
>>> from zermelo.gdl.library import rulesheet
>>> from zermelo.learn.cells import find_cells, sample
>>> game = ground(rulesheet("tictactoe"))
>>> seen = sample(game, seed=1)
>>> cells = find_cells(game, seen)
>>> chosen = choose_tuples(game, cells, context_of(game, cells, seen), seed=1, most=200)
>>> len(chosen) > 20, sorted(cells.named(game, cell) for cell in max(chosen[:20], key=lambda one: len(one.cells)).cells)
(True, ['(cell a 1 ?)', '(cell a 2 ?)', '(cell a 3 ?)'])
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import Final

import numpy as np

from zermelo import _native
from zermelo.gdl.ground import GroundReasoner
from zermelo.gdl.symmetries import symmetries
from zermelo.gdl.syntax import RANDOM
from zermelo.learn.cells import NO_CELL, Cells, Sample

MOST_CELLS: Final = 6
MOST_ENTRIES: Final = 4096
"""Of a tuple: its cells, the entries of its table."""
MOST_IMAGES: Final = 128
SYMMETRY_SECONDS: Final = 2.0
_MOST_CONTEXTS: Final = 8
_DEPTH: Final = 5
_MOST_RULES: Final = 30_000
_MOST_ATOMS: Final = 400


@dataclass(frozen=True)
class Tuple:
    """Some cells in order, and the number of their table."""

    cells: tuple[int, ...]
    table: int


class _Rules:
    """The ground rules of a game, asked which cells an atom or a rule depends on."""

    def __init__(self, game: GroundReasoner, cells: Cells):
        head, first, body, nexts, legal, ends = _native.ground_rules(game.native)
        self.cell_of = cells.cell_of.tolist()
        self.fluents, self.derived = len(game.fluents), len(game.fluents) + len(game.moves)
        bounds, atoms = first.tolist(), (body >> 1).tolist()
        self.head: list[int] = head.tolist()
        self.body = [atoms[bounds[rule] : bounds[rule + 1]] for rule in range(len(self.head))]
        self.rules_of: dict[int, list[int]] = defaultdict(list)
        for rule, atom in enumerate(self.head):
            self.rules_of[atom].append(rule)
        self.nexts: list[int] = nexts.tolist()
        self.legal: list[int] = legal.tolist()
        self.ends: list[int] = ends.tolist()

    def support(self, atoms: Iterable[int], most: int) -> tuple[frozenset[int], frozenset[int]]:
        """The cells and moves that atoms depend on: as deep as they are few."""
        cells: set[int] = set()
        moves: set[int] = set()
        level = list(atoms)
        met = set(level)
        for _ in range(_DEPTH):
            found_cells, found_moves, deeper = set(cells), set(moves), []
            for atom in level:
                if atom < self.fluents:
                    if self.cell_of[atom] != NO_CELL:
                        found_cells.add(self.cell_of[atom])
                elif atom < self.derived:
                    found_moves.add(atom - self.fluents)
                else:
                    for rule in self.rules_of[atom]:
                        deeper += [other for other in self.body[rule] if other not in met]
                        met.update(self.body[rule])
            if len(found_cells) > most or len(met) > _MOST_ATOMS:
                break
            cells, moves, level = found_cells, found_moves, deeper
            if not level:
                break
        return frozenset(cells), frozenset(moves)

    def cone(self, atoms: Iterable[int]) -> set[int]:
        """The rules that atoms depend on, at any depth."""
        met: set[int] = set()
        rules: set[int] = set()
        stack = list(atoms)
        while stack:
            atom = stack.pop()
            if atom in met:
                continue
            met.add(atom)
            for rule in self.rules_of.get(atom, ()):
                rules.add(rule)
                stack += self.body[rule]
        return rules


def context_of(game: GroundReasoner, cells: Cells, seen: Sample) -> int | None:
    """A small cell on which most moves of players depend, such as whose turn it is; ``None`` where there is none.

    >>> from zermelo.gdl.ground import ground
    >>> from zermelo.gdl.library import rulesheet
    >>> from zermelo.learn.cells import find_cells, sample
    >>> game = ground(rulesheet("connectfour"))
    >>> seen = sample(game, seed=1)
    >>> cells = find_cells(game, seen)
    >>> cells.named(game, context_of(game, cells, seen))
    '(turn ?)'
    """
    rules = _Rules(game, cells)
    met: Counter[int] = Counter()
    asked = 0
    first = game.native.first_move
    for role, name in enumerate(game.roles):
        if name == RANDOM:
            continue
        for move in range(first[role], first[role + 1]):
            asked += 1
            met.update(rules.support([rules.legal[move]], 16)[0])
    fit = [cell for cell, count in met.items() if 1 < cells.sizes[cell] <= _MOST_CONTEXTS and 2 * count >= asked]
    return max(fit, key=lambda cell: (round(_entropy(cells, seen, cell), 6), -cell), default=None)


def _entropy(cells: Cells, seen: Sample, cell: int) -> float:
    """How evenly the states that were seen are spread over the digits of a cell, in bits."""
    facts = np.flatnonzero(cells.cell_of == cell)
    digits = seen.states[:, facts].astype(np.int64) @ cells.digit_of[facts].astype(np.int64)
    shares = np.bincount(digits) / len(digits)
    return float(-(shares[shares > 0] * np.log2(shares[shares > 0])).sum())


def choose_tuples(game: GroundReasoner, cells: Cells, context: int | None, seed: int, most: int) -> list[Tuple]:
    """Single cells, sets of cells that the rules look at together, and sets grown from them: about so many."""
    rules = _Rules(game, cells)
    images = _Images(game, cells)
    chosen: dict[frozenset[int], Tuple] = {}
    tables = 0

    def add(one: tuple[int, ...]) -> None:
        nonlocal tables
        if frozenset(one) in chosen:
            return
        for image in images.of(one):
            chosen.setdefault(frozenset(image), Tuple(image, tables))
        tables += 1

    add(())
    for cell in range(len(cells.sizes)):
        if cell != context:
            add((cell,))
    sets, links = _together(rules, cells, context)
    shares = ((0.5, map(sorted, sets)), (0.75, _pairs(links, cells)), (1.0, _grown(links, cells, seed, tries=8 * most)))
    first = len(chosen)
    for share, offered in shares:
        for one in offered:
            if len(chosen) >= first + share * most:
                break
            add(tuple(one))
    return list(chosen.values())


def _fits(cells: Cells, one: Iterable[int]) -> bool:
    members = list(one)
    return 2 <= len(members) <= MOST_CELLS and prod(int(cells.sizes[cell]) for cell in members) <= MOST_ENTRIES


def _together(rules: _Rules, cells: Cells, context: int | None) -> tuple[list[frozenset[int]], dict[int, Counter[int]]]:
    """Sets of cells that rules and moves depend on, what goals ask first; and how often each two are in one."""
    near: Counter[frozenset[int]] = Counter()
    ends = rules.cone(rules.ends)
    others = [rule for rule in range(len(rules.head)) if rule not in ends]
    stride = 1 + len(others) // _MOST_RULES
    hide = {context}
    for rule in [*sorted(ends)[:_MOST_RULES], *others[::stride]]:
        found, _ = rules.support(rules.body[rule], MOST_CELLS + 1)
        near[found - hide] += 1000 if rule in ends else 1
    for one in _by_moves(rules):
        near[one - hide] += 1
    links: dict[int, Counter[int]] = defaultdict(Counter)
    for one, count in near.items():
        if 2 <= len(one) <= 2 * MOST_CELLS:
            for a, b in combinations(sorted(one), 2):
                links[a][b] += min(count, 8)
                links[b][a] += min(count, 8)
    fit = [one for one in near if _fits(cells, one)]
    return sorted(fit, key=lambda one: (-near[one], len(one), sorted(one))), links


def _by_moves(rules: _Rules) -> Iterator[frozenset[int]]:
    """For each move the cells that it depends on or changes."""
    touched: dict[int, set[int]] = defaultdict(set)
    for move, atom in enumerate(rules.legal):
        touched[move] |= rules.support([atom], 2 * MOST_CELLS)[0]
    for fact, atom in enumerate(rules.nexts):
        if rules.cell_of[fact] == NO_CELL:
            continue
        for move in rules.support([atom], 4 * MOST_CELLS)[1]:
            touched[move].add(rules.cell_of[fact])
    for cells in touched.values():
        if len(cells) <= 2 * MOST_CELLS:
            yield frozenset(cells)


def _pairs(links: dict[int, Counter[int]], cells: Cells) -> list[tuple[int, int]]:
    """Two cells that are linked, those linked most first."""
    pairs = [(-count, a, b) for a in sorted(links) for b, count in links[a].items() if a < b and _fits(cells, (a, b))]
    return [(a, b) for _, a, b in sorted(pairs)]


def _grown(links: dict[int, Counter[int]], cells: Cells, seed: int, tries: int) -> Iterator[tuple[int, ...]]:
    """Tuples of three cells or more, grown from each cell in turn along links."""
    draw = random.Random(seed)
    starts = sorted(links)
    for attempt in range(tries if starts else 0):
        one = [starts[attempt % len(starts)]]
        size = draw.randint(3, MOST_CELLS)
        while len(one) < size:
            near: Counter[int] = Counter()
            for cell in one:
                near.update(links[cell])
            options = [cell for cell in sorted(near) if cell not in one and _fits(cells, [*one, cell])]
            if not options:
                break
            one.append(draw.choices(options, [near[cell] for cell in options])[0])
        if len(one) > 1:
            yield tuple(sorted(one))


class _Images:
    """What the symmetries of the rules turn tuples into; only those that keep the digits of cells are used."""

    def __init__(self, game: GroundReasoner, cells: Cells):
        self.turns: list[list[int]] = []
        found = symmetries(game, seconds=SYMMETRY_SECONDS, keep_start=True)
        if not found.complete:
            return
        for one in found.generators:
            image = np.array(one.fluents)
            turned: dict[int, int] = {}
            kept = bool((cells.digit_of[image] == cells.digit_of).all())
            for cell, other in zip(cells.cell_of.tolist(), cells.cell_of[image].tolist(), strict=True):
                kept = kept and turned.setdefault(cell, other) == other
            kept = kept and all(
                cells.sizes[cell] == cells.sizes[other] for cell, other in turned.items() if cell != NO_CELL
            )
            if kept:
                self.turns.append([turned[cell] for cell in range(len(cells.sizes))])

    def of(self, one: tuple[int, ...]) -> list[tuple[int, ...]]:
        """The tuple and its images, in order."""
        images, at = [one], 0
        met = {one}
        while at < len(images) and len(images) < MOST_IMAGES:
            for turn in self.turns:
                image = tuple(turn[cell] for cell in images[at])
                if image not in met:
                    met.add(image)
                    images.append(image)
            at += 1
        return images
