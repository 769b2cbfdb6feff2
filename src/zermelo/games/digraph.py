"""What the structure of a directed graph says about paths from one node. Nothing here recurses.

Graphs are lists of successors; nodes that the start does not reach take no part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Rows = Sequence[Sequence[int]]

NONE = -1
"""No node, no component."""


@dataclass(frozen=True)
class Components:
    """Strongly connected components: ``of[node]`` is a number, ``NONE`` where the start does not lead.

    No edge leads to a component with a higher number.
    """

    of: list[int]
    sizes: list[int]


def components(rows: Rows, start: int) -> Components:
    """The strongly connected components of what the start reaches (Tarjan 1972), in O(nodes + edges).

    >>> components([[1], [2], [1], [0]], 0)
    Components(of=[1, 0, 0, -1], sizes=[2, 1])
    """
    order = [0] * len(rows)  # place in the order of discovery, from 1 on; 0: not discovered
    low = [0] * len(rows)
    taken = [0] * len(rows)  # how many edges of each node have been followed
    of = [NONE] * len(rows)
    sizes: list[int] = []
    order[start] = low[start] = found = 1
    unassigned, path = [start], [start]
    while path:
        node = path[-1]
        row = rows[node]
        edge = taken[node]
        while edge < len(row):
            head = row[edge]
            edge += 1
            if not order[head]:
                found += 1
                order[head] = low[head] = found
                unassigned.append(head)
                path.append(head)
                break
            if of[head] == NONE and order[head] < low[node]:
                low[node] = order[head]
        else:
            path.pop()
            if low[node] < order[node]:
                low[path[-1]] = min(low[path[-1]], low[node])
                continue
            size = 0
            member = NONE
            while member != node:
                member = unassigned.pop()
                of[member] = len(sizes)
                size += 1
            sizes.append(size)
        taken[node] = edge
    return Components(of, sizes)


def most_steps(rows: Rows, start: int, parts: Components) -> int:
    """No path from the start without a repeated node has more steps; exact where every component is one node.

    >>> most_steps([[1, 2], [2], []], 0, components([[1, 2], [2], []], 0))
    2
    """
    members: list[list[int]] = [[] for _ in parts.sizes]
    for node, part in enumerate(parts.of):
        if part != NONE:
            members[part].append(node)
    nodes_ahead: list[int] = []
    for part, inside in enumerate(members):
        after = (parts.of[head] for node in inside for head in rows[node])
        ahead = max((nodes_ahead[other] for other in after if other != part), default=0)
        nodes_ahead.append(len(inside) + ahead)
    return nodes_ahead[parts.of[start]] - 1


def dominators(rows: Rows, start: int) -> list[int]:
    """The immediate dominator of each node: the last node but itself on every path to it.

    ``NONE`` for the start and for nodes that it does not reach. Lengauer and Tarjan (1979) with path
    compression, in O(edges log nodes).

    >>> dominators([[1, 2], [3], [3], [0]], 0)
    [-1, 0, 0, 0]
    """
    order, parent, place = _depth_first(rows, start)  # from here on nodes are places in that order
    before: list[list[int]] = [[] for _ in order]
    for i, node in enumerate(order):
        for head in rows[node]:
            before[place[head]].append(i)
    semi = list(range(len(order)))
    label = list(range(len(order)))
    ancestor = [NONE] * len(order)
    waiting: list[list[int]] = [[] for _ in order]
    immediate = [NONE] * len(order)
    for i in range(len(order) - 1, 0, -1):
        for tail in before[i]:
            best = semi[_lowest(tail, ancestor, label, semi)]
            semi[i] = min(semi[i], best)
        waiting[semi[i]].append(i)
        ancestor[i] = parent[i]
        for other in waiting[parent[i]]:
            least = _lowest(other, ancestor, label, semi)
            immediate[other] = least if semi[least] < semi[other] else parent[i]
        waiting[parent[i]].clear()
    result = [NONE] * len(rows)
    for i in range(1, len(order)):
        if immediate[i] != semi[i]:
            immediate[i] = immediate[immediate[i]]
        result[order[i]] = order[immediate[i]]
    return result


def _depth_first(rows: Rows, start: int) -> tuple[list[int], list[int], list[int]]:
    """Nodes in order of discovery, the place of each one's parent there, and the place of each node."""
    order, parent = [start], [NONE]
    place, taken = [NONE] * len(rows), [0] * len(rows)
    place[start] = 0
    path = [start]
    while path:
        node = path[-1]
        row = rows[node]
        edge = taken[node]
        while edge < len(row) and place[row[edge]] != NONE:
            edge += 1
        taken[node] = edge
        if edge == len(row):
            path.pop()
            continue
        place[row[edge]] = len(order)
        parent.append(place[node])
        order.append(row[edge])
        path.append(row[edge])
    return order, parent, place


def _lowest(node: int, ancestor: list[int], label: list[int], semi: list[int]) -> int:
    """The node of least semidominator on the way up through the forest, compressing the way."""
    if ancestor[node] == NONE:
        return label[node]
    way = []
    here = node
    while ancestor[ancestor[here]] != NONE:
        way.append(here)
        here = ancestor[here]
    for step in reversed(way):
        above = ancestor[step]
        if semi[label[above]] < semi[label[step]]:
            label[step] = label[above]
        ancestor[step] = ancestor[above]
    return label[node]


def playable(rows: Rows, start: int) -> list[tuple[int, ...]]:
    """The edges that some path from the start without a repeated node might take, row by row.

    An edge to a node that dominates its tail never can: every path to the tail has met that node.

    >>> playable([[1, 0], [0, 2], [1], [0]], 0)       # there and back again: only there
    [(1,), (2,), (), ()]
    """
    immediate = dominators(rows, start)
    below: list[list[int]] = [[] for _ in rows]
    for node, above in enumerate(immediate):
        if above != NONE:
            below[above].append(node)
    # A node dominates another iff its interval in a walk around the dominator tree holds the other's.
    enter, leave, clock = [NONE] * len(rows), [NONE] * len(rows), 0
    path = [start]
    while path:
        node = path.pop()
        if node < 0:
            leave[~node] = clock
            continue
        enter[node] = clock
        clock += 1
        path.append(~node)
        path.extend(below[node])

    def is_open(tail: int, head: int) -> bool:
        return enter[tail] != NONE and not enter[head] <= enter[tail] < leave[head]

    return [tuple([head for head in row if is_open(node, head)]) for node, row in enumerate(rows)]
