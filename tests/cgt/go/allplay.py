"""The whole board by brute force: every move and every pass of both sides, by area, until two passes in a row.

Nothing here knows of regions, life or values. Positions may repeat without end: what Black can force is worked out with
endless play counted as the worst for Black, and what White can force with endless play counted as the worst for White.
"""

from __future__ import annotations

from zermelo.cgt.go.ground import BLACK, EMPTY, WHITE, Ground, played, standing_score

Node = tuple[str, str, bool]
"""The stones, who is to move, and whether the other side has just passed."""


def successors(ground: Ground, node: Node) -> list[Node | int]:
    """What the side to move may make of a position; a whole number is the score of a game that is over."""
    stones, colour, passed = node
    other = WHITE if colour == BLACK else BLACK
    found: list[Node | int] = [standing_score(ground, stones) if passed else (stones, other, True)]
    for point, stone in enumerate(stones):
        if stone == EMPTY:
            after = played(ground, stones, point, colour)
            if after is not None:
                found.append((after[0], other, False))
    return found


class TooManyError(Exception):
    """More positions than somebody has patience for."""


def all_positions(
    ground: Ground, stones: str, colour: str, patience: int | None = None
) -> dict[Node, list[Node | int]]:
    """Every position that can arise, with what follows it."""
    found: dict[Node, list[Node | int]] = {}
    waiting: list[Node] = [(stones, colour, False)]
    while waiting:
        node = waiting.pop()
        if node not in found:
            if patience is not None and len(found) >= patience:
                raise TooManyError
            found[node] = successors(ground, node)
            waiting += [after for after in found[node] if not isinstance(after, int)]
    return found


def forced(ground: Ground, stones: str, colour: str, most: int = 1_000, patience: int | None = None) -> tuple[int, int]:
    """The area score that Black can force and the one that White can force when ``colour`` starts."""
    graph = all_positions(ground, stones, colour, patience)
    root = stones, colour, False
    return _fixpoint(graph, -most)[root], _fixpoint(graph, most)[root]


def _fixpoint(graph: dict[Node, list[Node | int]], endless: int) -> dict[Node, int]:
    value = dict.fromkeys(graph, endless)
    before: dict[Node, set[Node]] = {node: set() for node in graph}
    for node, afters in graph.items():
        for after in afters:
            if not isinstance(after, int):
                before[after].add(node)
    waiting = set(graph)
    while waiting:
        node = waiting.pop()
        choices = [after if isinstance(after, int) else value[after] for after in graph[node]]
        best = max(choices) if node[1] == BLACK else min(choices)
        if best != value[node]:
            value[node] = best
            waiting |= before[node]
    return value
