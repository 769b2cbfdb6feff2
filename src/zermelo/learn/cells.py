"""Cells: groups of facts of which one holds at a time, such as what stands on a square, found by looking at play.

A fact like ``(cell 1 2 x)`` has places; those that differ within a group are its free places. For each kind of fact the
free places are chosen so that groups are as large as can be while no state of a few random games holds two facts of a
group. Nothing is proved by that, and nothing needs to be: values are guesses, defined in every state.

>>> from zermelo.gdl.ground import ground
>>> from zermelo.gdl.library import rulesheet
>>> game = ground(rulesheet("tictactoe"))
>>> cells = find_cells(game, sample(game, seed=1))
>>> len(cells.sizes), [cells.named(game, cell) for cell in range(2)]
(10, ['(cell a 1 ?)', '(cell a 2 ?)'])
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from zermelo.gdl.ground import GroundReasoner
from zermelo.gdl.kif import read_term
from zermelo.gdl.syntax import RANDOM, Function

GAMES: Final = 48
"""Random games that show what states are like."""
STEPS: Final = 300
STATES: Final = 8000
_MOST_DIGITS: Final = 2048
NO_CELL: Final = 0xFFFFFFFF


@dataclass(frozen=True)
class Sample:
    """States of random games, a row of bits each, and the goals of the games that ended, a row each."""

    states: NDArray[np.uint8]
    goals: NDArray[np.int64]
    choices: int
    """The most legal moves of a player."""
    length: int
    """Of a game, on average."""


@dataclass(frozen=True)
class Cells:
    """The cell of each fact, its digit there, and the number of digits of each cell."""

    cell_of: NDArray[np.uint32]
    digit_of: NDArray[np.uint32]
    sizes: NDArray[np.uint32]
    numeric: tuple[bool, ...]
    """Whether the digits of a cell stand for numbers, which are in ``number_of``."""
    number_of: NDArray[np.int64]

    def named(self, game: GroundReasoner, cell: int) -> str:
        """A cell as people write it: its facts, with ``?`` where they differ."""
        facts = [read_term(game.fluents[fact]) for fact in np.flatnonzero(self.cell_of == cell)]
        args = zip(*(map(str, fact.args) for fact in facts), strict=True)
        places = [place[0] if len(set(place)) == 1 else "?" for place in args]
        return f"({' '.join([facts[0].name, *places])})" if places else facts[0].name


def sample(game: GroundReasoner, seed: int, games: int = GAMES) -> Sample:
    """States and endings of random games; the same for a seed.

    >>> from zermelo.gdl.ground import ground
    >>> from zermelo.gdl.library import rulesheet
    >>> game = ground(rulesheet("nim", "1,2"))
    >>> seen = sample(game, seed=1)
    >>> seen.states.shape[1] == len(game.fluents), {tuple(row) for row in seen.goals.tolist()}
    (True, {(0, 100), (100, 0)})
    """
    draw, native = random.Random(seed), game.native
    players = [role for role, name in enumerate(game.roles) if name != RANDOM]
    rows: list[bytes] = []
    goals: list[list[int]] = []
    choices, games_played = 1, 0
    for _ in range(games):
        games_played += 1
        state = native.start()
        for _ in range(STEPS):
            rows.append(state)
            if native.terminal(state):
                ends = [native.goals(state, role) for role in players]
                goals.append([end[0] if len(end) == 1 else 50 for end in ends])
                break
            legal = [native.legal(state, role) for role in range(len(game.roles))]
            if not all(legal):
                break
            choices = max(choices, *(len(legal[role]) for role in players))
            state = native.next(state, [draw.choice(moves) for moves in legal])
        if len(rows) >= STATES:
            break
    packed = np.frombuffer(b"".join(rows), dtype=np.uint8).reshape(len(rows), -1)
    bits = np.unpackbits(packed, axis=1, bitorder="little")[:, : len(game.fluents)]
    return Sample(
        bits, np.array(goals, dtype=np.int64).reshape(len(goals), len(players)), choices, len(rows) // games_played
    )


def find_cells(game: GroundReasoner, seen: Sample) -> Cells:
    """The cells of a ground game, by what was seen of it."""
    facts = [read_term(text) for text in game.fluents]
    kinds: dict[tuple[str, int], list[int]] = defaultdict(list)
    for number, fact in enumerate(facts):
        kinds[fact.name, len(fact.args)].append(number)
    groups: list[list[int]] = []
    for members in kinds.values():
        groups += _groups(facts, members, seen.states)
    groups.sort()
    cell_of = np.full(len(facts), NO_CELL, dtype=np.uint32)
    digit_of = np.zeros(len(facts), dtype=np.uint32)
    number_of = np.zeros(len(facts), dtype=np.int64)
    sizes, numeric = [], []
    for cell, group in enumerate(groups):
        always = bool((seen.states[:, group].sum(axis=1) == 1).all()) and len(group) > 1
        cell_of[group] = cell
        digit_of[group] = np.arange(len(group)) + (not always)
        sizes.append(len(group) + (not always))
        numbers = _numbers([facts[number] for number in group])
        numeric.append(numbers is not None)
        if numbers is not None:
            number_of[group] = numbers
    return Cells(cell_of, digit_of, np.array(sizes, dtype=np.uint32), tuple(numeric), number_of)


def _groups(facts: Sequence[Function], members: list[int], states: NDArray[np.uint8]) -> list[list[int]]:
    """The facts of a kind in groups: the fewest of which no state seen holds two facts."""
    places = range(len(facts[members[0]].args))
    best = [[member] for member in members]
    for count in places:
        for free in combinations(places, count + 1):
            groups: dict[tuple[str, ...], list[int]] = defaultdict(list)
            for member in members:
                kept = tuple(str(arg) for place, arg in enumerate(facts[member].args) if place not in free)
                groups[kept].append(member)
            if len(groups) >= len(best) or max(map(len, groups.values())) > _MOST_DIGITS:
                continue
            if all(states[:, group].sum(axis=1).max(initial=0) <= 1 for group in groups.values()):
                best = list(groups.values())
    return best


def _numbers(facts: Sequence[Function]) -> list[int] | None:
    """The numbers that facts of a cell stand for, where they differ in one place that holds numbers, four at least."""
    if len(facts) < 4 or not facts[0].args:
        return None
    columns = [[str(arg) for arg in column] for column in zip(*(fact.args for fact in facts), strict=True)]
    free = [column for column in columns if len(set(column)) > 1]
    if len(free) != 1 or not all(text.lstrip("-").isdecimal() for text in free[0]):
        return None
    numbers = [int(text) for text in free[0]]
    return numbers if max(map(abs, numbers)) < 1 << 20 else None
