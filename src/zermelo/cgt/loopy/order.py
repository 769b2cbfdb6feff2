"""The order of loopy games, stoppers or not (Siegel 2013, section VI.1).

A play that never ends is a draw. Let G+ be the game G in which Left wins such a play, and G- the one in which Right
wins it. Then G >= H holds exactly if G+ >= H+ and G- >= H-; and G+ >= H+ holds exactly if Left, moving second, survives
G+ - H+ (the swivel chair theorem, *Winning Ways*, chapter 11). In that difference a play without end is lost for Left
only if moves in G come to an end: then she has lost H+ turned round, and nothing makes up for it. So Left survives
if she always has a move and either the play ends or there are moves in G again and again. That is a Buechi game, and
it is solved by two nested fixed points.

>>> from zermelo.cgt.loopy.reading import read_graph
>>> dud, on = read_graph("dud"), read_graph("on")
>>> at_least_onside(dud, on), at_least_loopy(dud, on), at_least_loopy(on, dud)
(True, False, True)
"""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.cgt.loopy.graph import Loopy, negative
from zermelo.cgt.values.arena import step_look
from zermelo.errors import ArgumentError

MOST_PAIRS = 1_000_000
"""Pairs of positions that are compared at once, at most."""


def onside_order(g: Loopy, h: Loopy) -> list[list[bool]]:
    """Whether x+ >= y+, for all positions x of one game and y of another.

    The states are x, y and who is to move. From a set of states that Left may hope for, those are kept from which she
    can force a next move in G into the set, or the end of play with Right to move; until nothing changes. Each round
    takes time linear in the moves, and there are at most as many rounds as states.
    """
    wide = len(h.nodes)
    if len(g.nodes) * wide > MOST_PAIRS:
        raise ArgumentError(f"loopy games with {len(g.nodes):,} and {wide:,} positions are too large to be compared")
    before = _entered(h)
    hoped = bytearray(b"\1") * (2 * len(g.nodes) * wide)
    while True:
        kept = _forced(g, h, before, hoped)
        if kept == hoped:
            return [[bool(kept[2 * (x * wide + y) + 1]) for y in range(wide)] for x in range(len(g.nodes))]
        hoped = kept


def _entered(h: Loopy) -> tuple[list[list[int]], list[list[int]]]:
    """From which positions Left and Right move to each position."""
    found: tuple[list[list[int]], list[list[int]]] = ([[] for _ in h.nodes], [[] for _ in h.nodes])
    for y, options in enumerate(h.nodes):
        for side in (0, 1):
            for option in options[side]:
                found[side][option].append(y)
    return found


def _forced(g: Loopy, h: Loopy, before: Sequence[Sequence[Sequence[int]]], hoped: bytearray) -> bytearray:
    """The states from which Left forces a next move in G to a hoped-for state, or the end of play."""
    look, wide = step_look(), len(h.nodes)
    kept = bytearray(len(hoped))
    missing = [0] * len(hoped)  # Right's moves that do not yet suit Left
    waiting: list[int] = []
    for x, (lefts, rights) in enumerate(g.nodes):
        look()
        for y in range(wide):
            state = 2 * (x * wide + y)
            if any(hoped[2 * (o * wide + y) + 1] for o in lefts):
                kept[state] = 1
                waiting.append(state)
            bad = sum(not hoped[2 * (o * wide + y)] for o in rights) + len(
                h.nodes[y][0]
            )  # in -H Right has Left's moves
            missing[state + 1] = bad
            if bad == 0:
                kept[state + 1] = 1
                waiting.append(state + 1)
    while waiting:
        state = waiting.pop()
        pair, to_move = divmod(state, 2)
        x, y = divmod(pair, wide)
        for earlier in before[to_move][y]:  # the other side moved in -H, where the sides are exchanged
            source = 2 * (x * wide + earlier) + 1 - to_move
            if kept[source]:
                continue
            if to_move == 0:
                missing[source] -= 1
                if missing[source]:
                    continue
            kept[source] = 1
            waiting.append(source)
    return kept


def at_least_onside(g: Loopy, h: Loopy) -> bool:
    """Whether G+ >= H+: draws count for Left."""
    return onside_order(g, h)[0][0]


def at_least_offside(g: Loopy, h: Loopy) -> bool:
    """Whether G- >= H-: draws count for Right."""
    return at_least_onside(negative(h), negative(g))


def at_least_loopy(g: Loopy, h: Loopy) -> bool:
    """Whether G >= H, for any loopy games."""
    return at_least_onside(g, h) and at_least_offside(g, h)
