"""Hackenbush: edges on the ground; one cuts an edge of one's own colour, or a green one, and what hangs on it falls."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from zermelo.check.boards.ruleset import Moves, Rules, Wrong, letters
from zermelo.check.groups import groups

Edge = tuple[str, str, str]
"""Two ends in alphabetical order, and a colour."""
Picture = tuple[Edge, ...]
LONGEST_STALK = 27
"""Longer stalks are written edge by edge: after z the names of their ends are no longer in alphabetical order."""


def picture(edges: Iterable[Edge]) -> Picture:
    """What stands on the ground, which is 0, in alphabetical order.

    >>> picture([("a", "0", "b"), ("c", "d", "r")])
    (('0', 'a', 'b'),)
    """
    beside: dict[str, list[str]] = {}
    edges = list(edges)
    for one, other, _ in edges:
        beside.setdefault(one, []).append(other)
        beside.setdefault(other, []).append(one)
    ends = ["0"]
    standing = {"0"}
    for end in ends:
        new = [other for other in dict.fromkeys(beside.get(end, ())) if other not in standing]
        ends += new
        standing.update(new)
    return tuple(sorted((min(edge[:2]), max(edge[:2]), edge[2]) for edge in edges if edge[0] in standing))


def stalk(colours: str) -> Picture:
    """Edges on top of each other, from the ground up.

    >>> stalk("br")
    (('0', 'a', 'b'), ('a', 'b', 'r'))
    """
    ends = ["0", *map(letters, range(len(colours)))]
    return picture(zip(ends, ends[1:], colours, strict=False))


def _moves(position: Picture, side: int) -> Moves:
    for edge in dict.fromkeys(position):
        if edge[2] in ("g", "br"[side]):
            rest = list(position)
            rest.remove(edge)
            yield _edge_text(edge), picture(rest)


def _pictures(position: Picture) -> list[Picture]:
    """Pictures that share nothing but the ground; equal ones should look alike, so their ends get new names."""
    ends: dict[str, list[int]] = {}
    for at, edge in enumerate(position):
        for end in set(edge[:2]) - {"0"}:
            ends.setdefault(end, []).append(at)
    parts = groups(
        set(range(len(position))), lambda at: [n for end in set(position[at][:2]) for n in ends.get(end, ())]
    )
    return [_renamed([position[at] for at in sorted(part)]) for part in parts]


def _renamed(edges: Sequence[Edge]) -> Picture:
    """Ends are named in the order in which a walk from the ground meets them: by colours, then those of few edges."""
    beside: dict[str, list[tuple[str, str]]] = {}
    for one, other, colour in edges:
        beside.setdefault(one, []).append((colour, other))
        beside.setdefault(other, []).append((colour, one))
    names, walk = {"0": "0"}, ["0"]
    for end in walk:
        for _, other in sorted(beside.get(end, ()), key=lambda link: (link[0], len(beside[link[1]]))):
            if other not in names:
                names[other] = letters(len(names) - 1)
                walk.append(other)
    return picture((names[one], names[other], colour) for one, other, colour in edges)


def _edge_text(edge: Edge) -> str:
    return f"{edge[0]}-{edge[1]}:{edge[2]}"


def _picture_text(position: Picture) -> str:
    """A stalk by its colours, any other picture by its edges."""
    if len(position) <= LONGEST_STALK:
        ends = ["0", *map(letters, range(len(position)))]
        colours = {edge[:2]: edge[2] for edge in position}
        shown = "".join(colours.get((min(pair), max(pair)), "") for pair in pairwise(ends))
        if stalk(shown) == position:
            return shown
    return ",".join(map(_edge_text, position))


def _read(text: str, wrong: Wrong) -> Picture:
    """A stalk by its colours, or edges ``END-END:COLOUR`` with commas or blanks between them."""
    if not text.strip("bBrRgG"):
        return stalk(text.lower())
    edges = []
    for piece in re.split(r",|\s+", re.sub(r"\s*([-:,])\s*", r"\1", text)):
        found = re.fullmatch(r"(\w+)-(\w+):([bBrRgG])", piece)
        if found is None:
            wrong(0, f"unexpected {piece[:12]!r}, expected an edge such as 0-a:b, with colour b, r or g")
        edges.append((found[1], found[2], found[3].lower()))
    standing = picture(edges)
    if len(standing) < len(edges):
        wrong(0, "an edge does not stand on the ground, expected a way down to 0")
    return standing


RULES = {"hackenbush": Rules(_read, _moves, _pictures, text=_picture_text)}
"""The rules of each game by its name."""
