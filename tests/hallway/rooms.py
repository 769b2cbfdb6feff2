"""``python -m tests.hallway.rooms``: draws which room imports which, for docs/design.md."""

from __future__ import annotations

from pathlib import Path

from tests.hallway.test_corridor import CORRIDOR, NOUNS, PACKAGE, ROOT, imports, room_of
from zermelo.render.graph import digraph_svg

PICTURE = ROOT / "docs" / "rooms.svg"
EVERYWHERE = (NOUNS, "draw", "exact")
"""Used by everybody: arrows to them would hide the others."""


def uses() -> dict[str, set[str]]:
    """The rooms that each room imports from, reduced: no arrow where a longer way leads there too."""
    found = {room: set[str]() for room in CORRIDOR if room not in EVERYWHERE}
    for room, others in found.items():
        for path in Path(PACKAGE / room).rglob("*.py"):
            others |= {other for module in imports(path) if (other := room_of(module)) in found and other != room}
    reach: dict[str, set[str]] = {}
    for room, others in found.items():  # from the left: those that it uses are known
        reach[room] = set().union(*(reach[other] | {other} for other in others))
    return {
        room: {other for other in others if not any(other in reach[between] for between in others)}
        for room, others in found.items()
    }


def picture() -> str:
    """The graph as SVG, from the command line down to the library."""
    graph = uses()
    names = list(reversed(graph))
    places = [[names.index(other) for other in sorted(graph[name])] for name in names]
    return digraph_svg(names, places)


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
