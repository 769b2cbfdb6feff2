"""Games on graphs: col and snort, whose coloured vertices tint their neighbours and are gone; node and arc kayles."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial

from zermelo.check.boards.ruleset import STONES, Moves, Rules, Wrong
from zermelo.check.groups import groups

Graph = tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]
"""Names with who alone may still colour them (``x``, ``o`` or nothing), and edges, in order."""
MOST_VERTICES = 10_000


def _made(vertices: Iterable[tuple[str, str]], edges: Iterable[tuple[str, str]]) -> Graph:
    """Edges whose ends are not both there are left out."""
    names = dict(vertices)
    pairs = {tuple(sorted(edge)) for edge in edges if set(edge) <= names.keys()}
    return tuple(sorted(names.items())), tuple(sorted((one, other) for one, other in pairs))


def _beside(graph: Graph, name: str) -> set[str]:
    return {one if other == name else other for one, other in graph[1] if name in (one, other)}


def _read(tinted: bool, single: bool, text: str, wrong: Wrong) -> Graph:
    vertices: dict[str, str] = {}
    edges: list[tuple[str, str]] = []
    at = 0
    while at < len(text):
        found = re.compile(r"(\w+)(?:\s*-\s*(\w+)|\s*:\s*([xXoO])(?!\w))?").match(text, at)
        if found is None or found[1] == found[2] or (found[3] and not tinted) or len(vertices) > MOST_VERTICES:
            wrong(at, f"unexpected {text[at : at + 12]!r}, expected an edge such as a-b or a vertex such as a")
        vertices |= {name: vertices.get(name, "") for name in found.group(1, 2) if name}
        edges += [(found[1], found[2])] if found[2] else []
        vertices |= {found[1]: found[3].lower()} if found[3] else {}
        gap = re.compile(r"\s*,\s*|\s+|$").match(text, found.end())
        if gap is None:
            wrong(found.end(), f"unexpected {text[found.end()]!r}, expected a comma and the next edge")
        at = gap.end()
    graph = _made(vertices.items(), edges)
    return graph if single else _bare(graph)


def _bare(graph: Graph) -> Graph:
    """Without single vertices."""
    return _made([(name, "") for edge in graph[1] for name in edge], graph[1])


def _colour(left_leaves: str, graph: Graph, side: int) -> Moves:
    """Left's colour leaves neighbours to one side alone, and Right's to the other."""
    keeps = left_leaves if side == 0 else STONES[1 - STONES.index(left_leaves)]
    for name, tint in graph[0]:
        if tint in ("", STONES[side]):
            beside = _beside(graph, name)
            far = [vertex for vertex in graph[0] if vertex[0] != name and vertex[0] not in beside]
            near = [(other, keeps) for other, tinted in graph[0] if other in beside and tinted in ("", keeps)]
            yield name, _made(far + near, graph[1])


def _nodes(graph: Graph, side: int) -> Moves:
    del side
    for name, _ in graph[0]:
        gone = {name} | _beside(graph, name)
        yield name, _made([vertex for vertex in graph[0] if vertex[0] not in gone], graph[1])


def _arcs(graph: Graph, side: int) -> Moves:
    del side
    for one, other in graph[1]:
        yield f"{one}-{other}", _bare(_made([v for v in graph[0] if v[0] not in (one, other)], graph[1]))


def _parts(graph: Graph) -> list[Graph]:
    tints = dict(graph[0])
    found = groups([name for name, _ in graph[0]], partial(_beside, graph))
    return [_made([(name, tints[name]) for name in part], graph[1]) for part in sorted(found, key=min)]


def _text(graph: Graph) -> str:
    joined = {name for edge in graph[1] for name in edge}
    single = [f"{name}:{tint}" if tint else name for name, tint in graph[0] if tint or name not in joined]
    return ",".join(single + [f"{one}-{other}" for one, other in graph[1]])


RULES = {
    "arckayles": Rules(partial(_read, False, False), _arcs, _parts, text=_text),
    "graphcol": Rules(partial(_read, True, True), partial(_colour, "o"), _parts, text=_text),
    "graphsnort": Rules(partial(_read, True, True), partial(_colour, "x"), _parts, text=_text),
    "nodekayles": Rules(partial(_read, False, True), _nodes, _parts, text=_text),
}
"""The rules of each game by its name."""
