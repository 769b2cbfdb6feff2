"""The nodes of a graph in the order of backward induction: whatever a node leads to comes before it.

Nodes that lead to each other form a component; without circles every node is one by itself (Tarjan 1972).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence


def inside_out(first_edge: Sequence[int], target: Sequence[int], step: Callable[[], None]) -> list[list[int]]:
    """The components of the nodes that have rows, each after all others that it leads to. Linear in the edges.

    >>> [sorted(nodes) for nodes in inside_out([0, 2, 3, 3], [1, 2, 0], lambda: None)]
    [[2], [0, 1]]
    """
    nodes = len(first_edge) - 1
    number, lowest = [0] * nodes, [0] * nodes  # 0: not met
    next_edge = list(first_edge[:nodes])
    on_stack, waiting, path = bytearray(nodes), list[int](), list[int]()
    found: list[list[int]] = []
    met = 0
    for root in range(nodes):
        if number[root]:
            continue
        path.append(root)
        while path:
            node = path[-1]
            if not number[node]:
                step()
                met += 1
                number[node] = lowest[node] = met
                on_stack[node] = 1
                waiting.append(node)
            below = lowest[node]
            edge, end = next_edge[node], first_edge[node + 1]
            while edge < end:
                child = target[edge]
                if child < nodes:
                    if not number[child]:
                        break
                    if on_stack[child] and lowest[child] < below:
                        below = lowest[child]
                edge += 1
            next_edge[node], lowest[node] = edge, below
            if edge < end:
                path.append(target[edge])
                continue
            path.pop()
            if below == number[node]:
                place = len(waiting) - 1
                while waiting[place] != node:
                    place -= 1
                found.append(waiting[place:])
                for member in waiting[place:]:
                    on_stack[member] = 0
                del waiting[place:]
    return found


def repeats(component: Sequence[int], first_edge: Sequence[int], target: Sequence[int]) -> bool:
    """Whether play can come back to a node of a component.

    >>> repeats([0], [0, 1], [0]), repeats([0], [0, 0], [])
    (True, False)
    """
    only = component[0]
    return len(component) > 1 or only in target[first_edge[only] : first_edge[only + 1]]
