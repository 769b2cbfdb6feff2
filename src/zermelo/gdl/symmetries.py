"""Symmetries of a rulesheet, found from its rules: permutations of facts and moves that turn the rules into themselves.

A symmetry turns a state into one with the same future: its legal moves, what comes after them, endings and goals are
those of the first state, turned. So both have the same value, and of all states that symmetries turn into each other a
search needs one. Roles stay as they are. Symmetries are automorphisms of the graph of the ground rules
(``native/gdl/symmetry/automorphism.hpp``), each compared with the rules before it counts, so whatever is found in the
time given is sound.

>>> from zermelo.gdl.ground import ground
>>> from zermelo.gdl.library import rulesheet
>>> found = symmetries(ground(rulesheet("tictactoe")))
>>> found.order, found.complete, found.states.order
(8, True, 8)
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from zermelo import _native
from zermelo.gdl.ground import GroundReasoner
from zermelo.gdl.kif import read_term
from zermelo.gdl.reasoner import State
from zermelo.gdl.syntax import Function
from zermelo.kernel_thread import run_native
from zermelo.limits import MEBIBYTE

SECONDS: Final = 2.0
"""How long symmetries are looked for, unless told otherwise."""
MOST_ELEMENTS: Final = 128
"""To find the form of a state takes time for each element of the group; of a larger group a subgroup is used."""
_MEMORY: Final = 1024 * MEBIBYTE
_CYCLES_SHOWN: Final = 6


@dataclass(frozen=True)
class Symmetry:
    """A permutation of the facts of a ground game and of its moves: the number of each one's image."""

    fluents: tuple[int, ...]
    moves: tuple[int, ...]


@dataclass(frozen=True)
class Symmetries:
    """The symmetries of a ground game.

    ``order`` is how many there are, as far as facts go (two that turn all facts alike count once), and ``complete``
    whether all were found in the time given. ``states`` knows as many as it takes time for, and brings states to one
    form; it is what native searches use.
    """

    game: GroundReasoner
    generators: tuple[Symmetry, ...]
    order: int
    complete: bool
    seconds: float
    states: _native.StateSymmetry

    def canon(self, state: State) -> State:
        """The same state for all states that the known symmetries turn into each other.

        >>> from zermelo.gdl.ground import ground
        >>> from zermelo.gdl.library import rulesheet
        >>> game = ground(rulesheet("nim", "1,1"))
        >>> found = symmetries(game)
        >>> after = [game.next(game.start(), (move, "noop")) for move in ("(take a 1)", "(take b 1)")]
        >>> after[0] == after[1], found.canon(after[0]) == found.canon(after[1])
        (False, True)
        """
        return self.game.unpack(self.states.canon(self.game.pack(state))[0])

    @cached_property
    def described(self) -> tuple[tuple[str, ...], ...]:
        """What each generator does, to each kind of fact and move that it turns; see :func:`describe`."""
        facts, moves = _terms(self.game.fluents), _terms(self.game.moves)
        return tuple(
            tuple(describe([(f, facts[i]) for f, i in zip(facts, one.fluents, strict=True)]))
            + tuple(describe([(m, moves[i]) for m, i in zip(moves, one.moves, strict=True)]))
            for one in self.generators
        )


def symmetries(
    game: GroundReasoner, *, seconds: float = SECONDS, most: int = MOST_ELEMENTS, keep_start: bool = False
) -> Symmetries:
    """The symmetries of a ground game that can be found in so many seconds.

    With ``keep_start`` only those that keep the start state, which turn states that can be reached into such states.
    The others are sound as well, since they are symmetries of what the rules say of all states; but a state that they
    turn need not be one that can be reached. So they are left out where they do not keep the groups of facts that are
    known to exclude each other, on which the kernels rely. Of a group of more than ``most`` elements a subgroup is used
    for the forms of states: it joins fewer states, never wrong ones.

    >>> from zermelo.gdl.ground import ground
    >>> from zermelo.gdl.library import rulesheet
    >>> game = ground(rulesheet("bomberman"))
    >>> symmetries(game, keep_start=True).order, symmetries(game).order
    (1, 2)
    """
    begin = time.perf_counter()
    images, orbits, complete = _find(game, seconds, keep_start)
    if not keep_start and not _native.keep_exclusive(game.native, images):
        left = seconds - (time.perf_counter() - begin)
        images, orbits, complete = _find(game, max(left, seconds / 2), keep_start=True)
    facts, moves = len(game.fluents), len(game.moves)
    rows = images.reshape(-1, facts + moves)
    return Symmetries(
        game,
        tuple(Symmetry(tuple(row[:facts].tolist()), tuple(row[facts:].tolist())) for row in rows),
        prod(orbits),
        complete,
        time.perf_counter() - begin,
        _native.StateSymmetry(facts, moves, np.ascontiguousarray(rows).reshape(-1), most),
    )


def _find(game: GroundReasoner, seconds: float, keep_start: bool) -> tuple[NDArray[np.uint32], list[int], bool]:
    control = _native.Control(max(seconds, 1e-6), 0, _MEMORY)
    try:
        return run_native("symmetries", lambda c: _native.symmetries(game.native, keep_start, c), control)
    except _native.Stopped:
        raise KeyboardInterrupt from None


def describe(turned: Iterable[tuple[Function, Function]]) -> list[str]:
    """What a permutation of terms does: by arguments where they explain it, else by its cycles.

    ``?i`` stands for the i-th argument; a place where names are exchanged as well says so in cycles.

    >>> square = [read_term(f"(cell {x} {y})") for x in "abc" for y in "123"]
    >>> describe([(cell, read_term(f"(cell {cell.args[0]} {4 - int(str(cell.args[1]))})")) for cell in square])
    ['(cell ?1 ?2): ?2 by (1 3)']
    >>> describe([(read_term("p"), read_term("q")), (read_term("q"), read_term("p")), (read_term("r"), read_term("r"))])
    ['(p q)']
    """
    kinds: dict[tuple[str, int], list[tuple[Function, Function]]] = {}
    for term, image in dict(turned).items():
        kinds.setdefault((term.name, len(term.args)), []).append((term, image))
    said: list[str] = []
    unexplained: dict[str, str] = {}
    for pairs in kinds.values():
        if all(term == image for term, image in pairs):
            continue
        explained = _by_arguments(pairs)
        if explained is None:
            unexplained.update((str(term), str(image)) for term, image in pairs)
        else:
            said.append(explained)
    if unexplained:
        cycles = _cycles(unexplained)
        more = f" and {len(cycles) - _CYCLES_SHOWN} more" if len(cycles) > _CYCLES_SHOWN else ""
        said.append("".join(cycles[:_CYCLES_SHOWN]) + more)
    return said


def _by_arguments(pairs: Sequence[tuple[Function, Function]]) -> str | None:
    """A permutation of terms of one kind by where each argument comes from and how its names are exchanged."""
    name, size = pairs[0][0].name, len(pairs[0][0].args)
    if size == 0 or any((image.name, len(image.args)) != (name, size) for _, image in pairs):
        return None
    sources, exchanged = [], []
    for place in range(size):
        for source in (place, *(other for other in range(size) if other != place)):
            names = {(str(term.args[source]), str(image.args[place])) for term, image in pairs}
            if len(dict(names)) == len(names):
                break
        else:
            return None
        sources.append(source)
        if any(before != after for before, after in names):
            exchanged.append((source, dict(names)))
    if sorted(sources) != list(range(size)):
        return None
    plain = f"({name} {' '.join(f'?{place + 1}' for place in range(size))})"
    if sources != list(range(size)):
        plain += f" -> ({name} {' '.join(f'?{source + 1}' for source in sources)})"
    by = [f"?{source + 1} by {''.join(_cycles(names))}" for source, names in exchanged]
    return f"{plain}: {', '.join(by)}" if by else plain


def _cycles(images: Mapping[str, str]) -> list[str]:
    """The cycles of a permutation; of a map between different names its arrows."""
    if set(images) != set(images.values()):
        return [f"({before} -> {after})" for before, after in sorted(images.items())]
    cycles, seen = [], set()
    for first in sorted(images):
        cycle = []
        name = first
        while name not in seen:
            seen.add(name)
            cycle.append(name)
            name = images[name]
        if len(cycle) > 1:
            cycles.append(f"({' '.join(cycle)})")
    return cycles


def _terms(texts: Sequence[str]) -> list[Function]:
    return [read_term(text) for text in texts]
