"""What stands on boards: stones, marks, chess men, draughtsmen, and words where nothing else is known.

Every drawing is made for a square of 100 by 100 around the middle of its place, in the colours of the style sheet.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zermelo.draw.svg import clipped, label, number

_FOOT: Final = "M26 80h48l4 10H22z"
_PATHS: Final = {
    "pawn": (
        "M50 16a14 14 0 0 1 8 25c7 2 9 7 6 11h-5c0 12 4 20 13 28H28c9-8 13-16 13-28h-5c-3-4-1-9 6-11a14 14 0 0 1 8-25z"
    ),
    "rook": "M27 16h11v8h7v-8h10v8h7v-8h11v20l-8 7 3 37H32l3-37-8-7z",
    "knight": (
        "M32 80c2-17 15-22 16-33-3 3-7 3-10 4-5 2-8 8-13 7-5-1-7-6-5-11 6-14 14-25 27-28l7-9 3 11c14 10 20 32 16 59z"
    ),
    "bishop": "M50 11a6 6 0 0 1 4 10c12 8 18 20 12 32l-6 8 6 19H34l6-19-6-8c-6-12 0-24 12-32a6 6 0 0 1 4-10z",
    "queen": "M20 30l13 20 3-28 14 25 14-25 3 28 13-20-12 50H32z",
    "king": "M46 8h8v7h8v8h-8v8c22-8 36 12 15 37l-2 12H33l-2-12C10 43 24 23 46 31v-8h-8v-8h8z",
}
_INNER: Final = {
    "knight": "M37 39h2",
    "bishop": "M50 32v18M42 41h16M39 61h22",
    "queen": "M35 68h30",
    "king": "M50 34v30M33 68h34",
    "rook": "M35 43h30",
}
_BALLS: Final = ((20, 27), (36, 19), (64, 19), (80, 27))

ROLE_COLOURS: Final = ("first", "second", "third", "fourth")
"""The colours of the roles, in their order."""


def piece(name: str, x: float, y: float, size: float) -> str:
    """What a word in a cell looks like; a word that is not known is written there.

    >>> piece("black", 5, 5, 10).count("<circle")
    2
    >>> "<path" in piece("white-knight", 50, 50, 100), ">7<" in piece("7", 5, 5, 10)
    (True, True)
    """
    drawn = drawing(name)
    if drawn is None:
        shown = clipped(name, 12)
        return label(x, y, shown, min(size * 0.42, 1.5 * size / max(len(shown), 1)))
    scale = size / 100
    place = f"translate({number(x - size / 2)} {number(y - size / 2)}) scale({scale:.3f})"
    return f'<g transform="{place}">{drawn}</g>' if drawn else ""


def drawing(name: str) -> str | None:
    """The drawing of a piece in its square of 100 by 100; ``None`` if there is none of that name."""
    if name == "":
        return ""
    if name in _PLAIN:
        return _PLAIN[name]
    colour, _, man = name.partition("-")
    if colour in ("white", "black"):
        if man in _PATHS:
            return _chess(man, colour)
        if man in ("man", "crown"):
            return _draughtsman(colour, man)
    return None


def _stone(kind: str) -> str:
    disc = 'cx="50" cy="50" r="38"'
    return f'<circle class="z-{kind}" {disc}/><circle class="z-rim" {disc} stroke-width="2.5"/>'


def _chess(man: str, colour: str) -> str:
    outline = f'class="z-{colour}" stroke-linejoin="round"'
    rim = 'class="z-rim" stroke-width="3.5" stroke-linejoin="round"'
    inner = "pale" if colour == "black" else "rim"
    drawn = f'<path {outline} d="{_PATHS[man]}{_FOOT}"/><path {rim} d="{_PATHS[man]}{_FOOT}"/>'
    if man == "queen":
        for bx, by in _BALLS:
            ball = f'cx="{bx}" cy="{by}" r="5.5"'
            drawn += f'<circle class="z-{colour}" {ball}/><circle {rim} {ball}/>'
    if man in _INNER:
        drawn += f'<path class="z-{inner}" stroke-width="3.5" stroke-linecap="round" d="{_INNER[man]}"/>'
    return drawn


def _draughtsman(colour: str, man: str) -> str:
    inner = "pale" if colour == "black" else "rim"
    ring = f'<circle class="z-{inner}" cx="50" cy="50" r="27" stroke-width="2.5"/>'
    path = "M33 62l-4-24 11 10 10-15 10 15 11-10-4 24z"
    crown = f'<path class="z-{inner}" stroke-width="4" stroke-linejoin="round" d="{path}"/>'
    return _stone(colour) + (ring if man == "man" else crown)


def _stone_of(colour: str, mark: str) -> str:
    """A token in the colour of a role, with a mark that tells it apart in black and white."""
    return (
        f'<circle class="z-{colour}" cx="50" cy="50" r="36"/><circle class="z-rim" cx="50" cy="50" r="36" '
        f'stroke-width="2.5"/><path class="z-pale" stroke-width="5" stroke-linejoin="round" d="{mark}"/>'
    )


def _ghost(colour: str) -> str:
    eyes = "".join(
        f'<circle class="z-white" cx="{x}" cy="45" r="9"/><circle class="z-black" cx="{x + 3}" cy="47" r="4.5"/>'
        for x in (38, 62)
    )
    body = "M20 88V48a30 30 0 0 1 60 0v40l-10-9-10 9-10-9-10 9-10-9z"
    return f'<path class="z-{colour}" d="{body}"/><path class="z-rim" stroke-width="2.5" d="{body}"/>{eyes}'


def _bomb(left: str) -> str:
    fuse = (
        '<path class="z-rim" stroke-width="5" d="M64 30c4-10 10-14 18-12"/>'
        '<circle class="z-first" cx="83" cy="17" r="6"/>'
    )
    count = f'<text class="z-white" x="46" y="68" font-size="36" font-weight="600">{left}</text>'
    disc = 'cx="46" cy="56" r="32"'
    return f'<circle class="z-black" {disc}/><circle class="z-rim" {disc}/>{fuse}{count}'


_MARKS: Final = {
    "first": "M50 50m-14 0a14 14 0 1 0 28 0a14 14 0 1 0-28 0",
    "second": "M38 38h24v24H38z",
    "third": "M50 34l16 28H34z",
    "fourth": "M36 36l28 28M64 36L36 64",
    "amber": "M34 50h32",
}
_PLAIN: Final[dict[str, str]] = {
    "x": '<path class="z-first-line" stroke-width="10" stroke-linecap="round" d="M22 22L78 78M78 22L22 78"/>',
    "o": '<circle class="z-second-line" stroke-width="10" cx="50" cy="50" r="31"/>',
    "black": _stone("black"),
    "white": _stone("white"),
    "block": (
        '<path class="z-shade" d="M2 2h96v96H2z"/>'
        '<path class="z-line" stroke-width="4" d="M8 92L92 8M8 50L50 8M50 92L92 50"/>'
    ),
    "crate": (
        '<path class="z-amber" d="M14 14h72v72H14z"/><path class="z-rim" stroke-width="4" stroke-linejoin="round" '
        'd="M14 14h72v72H14zM14 14l72 72M86 14L14 86"/>'
    ),
    "ring": '<circle class="z-third-line" stroke-width="6" stroke-dasharray="10 6" cx="50" cy="50" r="45"/>',
    "dot": '<circle class="z-ink" cx="50" cy="50" r="9"/>',
    "pacman": (
        '<path class="z-amber" d="M50 50L80 32A35 35 0 1 0 80 68z"/>'
        '<path class="z-rim" stroke-width="3" d="M50 50L80 32A35 35 0 1 0 80 68z"/>'
        '<circle class="z-black" cx="52" cy="30" r="5"/>'
    ),
    "monster": (
        '<path class="z-fourth" d="M20 80V40l10 12 8-22 12 16 12-16 8 22 10-12v40z"/>'
        '<path class="z-rim" stroke-width="2.5" d="M20 80V40l10 12 8-22 12 16 12-16 8 22 10-12v40z"/>'
        '<circle class="z-white" cx="40" cy="62" r="6"/><circle class="z-white" cx="60" cy="62" r="6"/>'
    ),
    "cat": (
        '<path class="z-black" d="M20 14l18 16h24l18-16v40a30 28 0 0 1-60 0z"/>'
        '<path class="z-pale" stroke-width="4" stroke-linecap="round" '
        'd="M36 48h4M60 48h4M44 64l6 5 6-5M28 62l-16-4M72 62l16-4"/>'
    ),
    "mouse": (
        '<path class="z-draw" d="M50 84c-20 0-30-16-30-30a15 15 0 1 1 17-17h26a15 15 0 1 1 17 17c0 14-10 30-30 30z"/>'
        '<path class="z-pale" stroke-width="5" stroke-linecap="round" d="M40 52h3M57 52h3M50 72v2"/>'
    ),
    "raven": (
        '<path class="z-black" d="M12 34l22-12c22-10 40 6 40 26l14 26-22-6c-16 12-40 8-40-16z"/>'
        '<circle class="z-white" cx="37" cy="32" r="5"/>'
    ),
    "fire": (
        '<path class="z-first" '
        'd="M50 8c4 20 28 28 26 54a26 26 0 0 1-52 2c0-14 8-20 12-32 6 6 8 10 9 16 6-10 8-22 5-40z"/>'
        '<path class="z-amber" d="M50 52c3 9 12 13 11 24a11 11 0 0 1-22 0c0-8 6-14 11-24z"/>'
    ),
    **{f"token-{colour}": _stone_of(colour, mark) for colour, mark in _MARKS.items()},
    **{f"ghost-{colour}": _ghost(colour) for colour in _MARKS},
    **{f"bomb-{left}": _bomb(str(left)) for left in range(10)},
}

_NAMED_COLOURS: Final = {
    "red": "first",
    "orange": "first",
    "blue": "second",
    "green": "third",
    "purple": "fourth",
    "pink": "fourth",
    "violet": "fourth",
    "yellow": "amber",
}


def colours_of_roles(roles: Sequence[str]) -> dict[str, str]:
    """The colour of each role: that of its name if that is a colour, else one that is left.

    >>> colours_of_roles(["red", "green", "blue"]), colours_of_roles(["first", "second"])
    ({'red': 'first', 'green': 'third', 'blue': 'second'}, {'first': 'first', 'second': 'second'})
    """
    plain = {"black": "black", "white": "white"}
    found = {role: colour for role in roles if (colour := {**plain, **_NAMED_COLOURS}.get(role))}
    left = [colour for colour in (*ROLE_COLOURS, "amber") if colour not in found.values()]
    for role in roles:
        if role not in found:
            found[role] = left.pop(0) if left else "draw"
    return found


def tokens_of_roles(roles: Sequence[str]) -> dict[str, str]:
    """The piece of each role: the one of its own name if there is one, else a token in its colour.

    >>> tokens_of_roles(["x", "o"]), tokens_of_roles(["red", "blue"])
    ({'x': 'x', 'o': 'o'}, {'red': 'token-first', 'blue': 'token-second'})
    """
    colours = colours_of_roles(roles)
    return {role: role if role in ("x", "o", "black", "white") else f"token-{colours[role]}" for role in roles}
