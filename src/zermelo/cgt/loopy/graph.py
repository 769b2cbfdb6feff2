"""Loopy games as graphs, and who survives in them (Conway 1978; Siegel 2013, chapter VI).

Positions may repeat, and play that never ends is a draw. A *stopper* is a game in which no play of alternating moves
goes on for ever, from no position of it. A sum of stoppers may well go on for ever; but for stoppers G and H, G >= H
holds exactly if Left, moving second, *survives* in G - H, that is, does not lose (Siegel 2013, section VI.2).

>>> on, off = graph_of_options({"on": (["on"], [])}, "on"), graph_of_options({"off": ([], ["off"])}, "off")
>>> is_stopper(on), is_stopper(summed(on, off)), at_least(on, off), at_least(off, on)
(True, False, True, False)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from zermelo.cgt.values.arena import step_look
from zermelo.cgt.values.value import Value
from zermelo.errors import ArgumentError

MOST_NODES = 200_000
"""Larger graphs are refused."""

Options = tuple[int, ...]


@dataclass(frozen=True)
class Loopy:
    """A graph: for each node the nodes that Left and Right may move to; play begins at node 0.

    >>> Loopy((((0,), ()),)).nodes          # on, in which Left may always move and Right never
    (((0,), ()),)
    """

    nodes: tuple[tuple[Options, Options], ...]


def graph_of_options(options: Mapping[str, tuple[Sequence[str], Sequence[str]]], start: str) -> Loopy:
    """The game whose nodes have names: what Left and Right may move to from each.

    >>> graph_of_options({"over": (["0"], ["over"]), "0": ([], [])}, "over").nodes
    (((1,), (0,)), ((), ()))
    """
    return _reached(start, lambda name: (tuple(options[name][0]), tuple(options[name][1])))


def graph_of_value(value: Value) -> Loopy:
    """A game that ends, as a graph."""
    return _reached(value, lambda each: (each.left, each.right))


def _reached(start: object, options: Callable[..., tuple[Sequence[object], Sequence[object]]]) -> Loopy:
    """The graph of what can be reached, in the order in which it is met."""
    look = step_look()
    number: dict[object, int] = {start: 0}
    nodes: list[tuple[Options, Options]] = []
    order = [start]
    for each in order:
        look()
        sides = []
        for side in options(each):
            for option in side:
                if option not in number:
                    number[option] = len(order)
                    order.append(option)
            sides.append(tuple(dict.fromkeys(number[option] for option in side)))
        nodes.append((sides[0], sides[1]))
        if len(order) > MOST_NODES:
            raise ArgumentError(f"a loopy game with more than {MOST_NODES:,} positions")
    return Loopy(tuple(nodes))


def negative(game: Loopy) -> Loopy:
    """The game with Left and Right exchanged."""
    return Loopy(tuple((right, left) for left, right in game.nodes))


def summed(g: Loopy, h: Loopy) -> Loopy:
    """Both games side by side; a move is a move in one of them."""

    def options(pair: tuple[int, int]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        x, y = pair
        left, right = ([(o, y) for o in g.nodes[x][side]] + [(x, o) for o in h.nodes[y][side]] for side in (0, 1))
        return left, right

    return _reached((0, 0), options)


def is_stopper(game: Loopy) -> bool:
    """Whether alternating play always ends, from whatever position and whoever begins."""
    # A walk on (node, side to move); a cycle is a play that goes on for ever. (Kahn's algorithm.)
    moves = {(node, side): [(o, 1 - side) for o in options[side]] for node, options in enumerate(game.nodes)
             for side in (0, 1)}  # fmt: skip
    open_moves = {state: len(after) for state, after in moves.items()}
    before: dict[tuple[int, int], list[tuple[int, int]]] = {state: [] for state in moves}
    for state, after in moves.items():
        for other in after:
            before[other].append(state)
    ended = [state for state, count in open_moves.items() if count == 0]
    for state in ended:
        for earlier in before[state]:
            open_moves[earlier] -= 1
            if open_moves[earlier] == 0:
                ended.append(earlier)
    return len(ended) == len(moves)


def lost(game: Loopy, for_side: int) -> set[tuple[int, int]]:
    """The positions, each with the side to move, that a side (0 Left, 1 Right) loses against best play.

    A side loses where it is to move and every move leads to a loss, or none is left; and where the other side is to
    move and can move to a loss. What is left out can be won or drawn: the side survives.

    >>> lost(graph_of_options({"0": ([], [])}, "0"), 0)
    {(0, 0)}
    """
    look = step_look()
    mine = {node: len(options[for_side]) for node, options in enumerate(game.nodes)}
    into: tuple[list[list[int]], list[list[int]]] = ([[] for _ in game.nodes], [[] for _ in game.nodes])
    for node, options in enumerate(game.nodes):
        for side in (0, 1):
            for option in options[side]:
                into[side][option].append(node)
    found = {(node, for_side) for node, count in mine.items() if count == 0}
    waiting = list(found)
    while waiting:
        look()
        node, side = waiting.pop()
        if side == for_side:  # the other side, to move before, moves here
            fresh = {(earlier, 1 - for_side) for earlier in into[1 - for_side][node]} - found
        else:
            fresh = set()
            for earlier in into[for_side][node]:
                mine[earlier] -= 1
                if mine[earlier] == 0:
                    fresh.add((earlier, for_side))
        found |= fresh
        waiting += fresh
    return found


def at_least(g: Loopy, h: Loopy) -> bool:
    """Whether G >= H, for stoppers: Left survives in G - H when Right begins."""
    return (0, 1) not in lost(summed(g, negative(h)), 0)


def outcome(game: Loopy) -> tuple[str, str]:
    """Who wins when Left begins and when Right does: left, right or draw.

    >>> outcome(summed(Loopy((((0,), ()),)), Loopy((((), (0,)),))))        # on + off
    ('draw', 'draw')
    """
    left, right = lost(game, 0), lost(game, 1)

    def who(side: int) -> str:
        return "right" if (0, side) in left else "left" if (0, side) in right else "draw"

    return who(0), who(1)
