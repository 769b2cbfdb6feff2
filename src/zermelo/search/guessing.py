"""A move and an estimate where nothing is proved: by UCT where there are native rules, else by random play."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import replace

from zermelo import _native
from zermelo.answer import Guess
from zermelo.brief import counted
from zermelo.errors import LimitReachedError
from zermelo.game import Game
from zermelo.kernel_thread import control_for, run_native
from zermelo.limits import MEBIBYTE, Limits
from zermelo.search.problem import native_twin
from zermelo.search.sampling import Sample, sample
from zermelo.watchdog import watchdog

SHARE = 0.05
"""Of a limit of nodes, this part may be simulations of a guess,"""
FEWEST, MOST = 1000, (1 << 62) - 1
"""but these at the least."""
FEWEST_RANDOM = 64
"""The same of random games by rules in Python."""
FIRST_SECONDS = 0.25
"""What the first random game may take in any case: one is wanted however busy the machine is."""
TREE_BYTES = 16 * MEBIBYTE


def simulations(limits: Limits, fewest: int = FEWEST) -> int:
    """How many simulations a guess may take.

    >>> simulations(Limits(nodes=10**6)), simulations(Limits(nodes=10))
    (50000, 1000)
    """
    return MOST if limits.nodes is None else max(fewest, int(SHARE * limits.nodes))


def tree_limits(limits: Limits) -> Limits:
    """The limits of a small tree: whatever else was used up, there is room for it.

    >>> tree_limits(Limits(nodes=5)).memory // MEBIBYTE
    16
    """
    return replace(limits, memory=max(MEBIBYTE, min(TREE_BYTES, limits.memory)), nodes=None)


def by_native_rules(game: Game, limits: Limits, seed: int) -> Guess | None:
    """By UCT, if there are native rules and somebody has a move."""
    native = native_twin(game)
    if native is None or native.over or "uct" not in native.engines:
        return None
    params = _native.SearchParams()
    small = tree_limits(limits)
    params.table_bytes, params.seed, params.simulations = small.memory, seed, simulations(limits)
    search = native.search("uct", params)
    try:
        outcome = run_native("uct", search.solve, control_for(small))
    except _native.NotSearchable:
        return None
    legal = game.moves(game.start())
    played = sum(search.counts())
    if not played or not 0 <= outcome.move < len(legal):
        return None
    return Guess(legal[outcome.move], outcome.estimate, counted(played, "simulation"))


def at_random(game: Game, limits: Limits, seed: int) -> Guess:
    """By random play; a game whose end is not reached in time has a legal move and no estimate."""
    quick = game.explorer(limits)
    start = quick.start()
    if quick.result(start) is not None:
        return Guess()
    # Where even one random game takes too long, a legal move is what is left to say.
    found = Sample(quick.some_move(start) if quick.turn(start) in quick.roles else None, None, 0, 0)
    first = replace(limits, seconds=max(limits.seconds or 0, FIRST_SECONDS)).restarted()
    with suppress(LimitReachedError), watchdog(first, lambda: int(1000 * (first.seconds_left() or 0))):
        found = sample(quick, start, limits, random.Random(seed), simulations(limits, FEWEST_RANDOM), first=first)
    if found.means is None:
        return Guess(found.move, None, "no random game came to its end in time")
    return Guess(found.move, found.means[0], counted(found.playouts, "random game"))
