"""Parts of a picture that stand beside boards or instead of them: heaps, pits, tracks, dice, tiles, cards, numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, Final

from zermelo.draw.heaps import counter, heaps_scene
from zermelo.draw.pieces import piece
from zermelo.draw.scene import Place, Scene, disc_place, square_place
from zermelo.draw.svg import at, box, label, number
from zermelo.draw.tokens import DIE, coin_svg, die_svg, line_svg, rounded, seeds_svg, tile_svg
from zermelo.gdl.view.sight import Sight, in_order, words_of

Settings = Mapping[str, Any]


def _number(text: str) -> int:
    return int(text) if text.isdigit() else 0


def heaps(sight: Sight, settings: Settings) -> Scene:
    """Heaps of counters; a move that takes some is one of the counters."""
    sizes = {found["H"]: _number(found["N"]) for found in sight.facts(settings["facts"])}
    if settings.get("counter") == "fruit":
        return _trees(sizes)
    names = in_order(list(sizes))
    ways = {
        move: (counter(found["H"], int(found["N"]), sizes[found["H"]]),)
        for move, found in (sight.moves(settings["take"]) if "take" in settings else ())
        if found["H"] in sizes and found["N"].isdigit()
    }
    return heaps_scene([sizes[name] for name in names], names, ways)


_FRUITS: Final = ("first", "third", "amber", "fourth", "second")


def _trees(sizes: Mapping[str, int]) -> Scene:
    """Trees with their fruits on them."""
    under, body, places, labels = [], [], [], []
    spots = [(0, -30), (-24, -20), (24, -20), (-12, -4), (14, -2), (-32, 6), (34, 8), (-6, 16), (18, 22), (-22, 26)]
    for place, name in enumerate(in_order(list(sizes))):
        x, y = 64 + 112 * place, 62.0
        crown = f'cx="{number(x)}" cy="{number(y)}" r="50"'
        under.append(f'<path class="z-shade" d="M{at(x - 7, y + 44)}h14l5 38h-24z"/><circle class="z-cell" {crown}/>')
        body.append(f'<circle class="z-third-line" stroke-width="3" {crown}/>')
        for dx, dy in spots[: sizes[name]]:
            disc = f'cx="{number(x + dx)}" cy="{number(y + dy)}" r="7"'
            body.append(f'<circle class="z-{_FRUITS[place % 5]}" {disc}/><circle class="z-rim" {disc}/>')
        labels.append(label(x, y + 98, f"{name}: {sizes[name]}", 13))
        places.append(disc_place(name, x, y, 52, str(sizes[name])))
    return Scene(112 * len(sizes) + 16, 176, tuple(under), tuple(places), tuple(body), tuple(labels), "trees")


def pits(sight: Sight, settings: Settings) -> Scene:
    """Rows of pits with seeds, and a store for each role at the ends."""
    seeds = {found["P"]: _number(found["N"]) for found in sight.facts(settings["facts"])}
    stores = {found["WHO"]: _number(found["N"]) for found in sight.facts(settings.get("stores", ""))}
    rows = [words_of(str(row)) for row in settings["rows"]]
    step, edge = 66.0, 84.0 if stores else 14.0
    wide, tall = max(map(len, rows)) * step, len(rows) * (step + 18)
    body = [rounded(6, 6, wide + 2 * edge - 12, tall + 20, "cell", 26)]
    body.append(rounded(6, 6, wide + 2 * edge - 12, tall + 20, "line", 26))
    places: list[Place] = []
    over: list[str] = []
    for r, row in enumerate(rows):
        for c, name in enumerate(row):
            x, y = edge + step * (c + 0.5), 16 + (step + 18) * r + step / 2
            if r == 0 and len(rows) > 1:
                y += 18
            disc = disc_place(name, x, y, 29, str(seeds.get(name, 0)))
            places.append(disc)
            body += [disc.outline("shade"), disc.outline("line")]
            over.append(seeds_svg(x, y, seeds.get(name, 0), 29))
            outer = y - 39 if r == 0 and len(rows) > 1 else y + 39
            over.append(label(x, outer, f"{name}  {seeds.get(name, 0)}", 12, kind="ink"))
    for place, (who, count) in enumerate(sorted(stores.items(), key=lambda item: sight.game.roles.index(item[0]))):
        x = wide + 2 * edge - 48 if place == 0 else 48.0
        body.append(rounded(x - 26, 30, 52, tall - 28, "shade", 24) + rounded(x - 26, 30, 52, tall - 28, "line", 24))
        over.append(seeds_svg(x, 16 + tall / 2, count, 24))
        over.append(label(x, tall - 10, str(count), 14) + label(x, 20, who, 11, kind="faint"))
    return Scene(wide + 2 * edge, tall + 34, tuple(body), tuple(places), tuple(over), title="pits")


def tracks(sight: Sight, settings: Settings) -> Scene:
    """Columns of different length, with how far each role has climbed and where the runners are."""
    lengths = {found["C"]: _number(found["L"]) for found in sight.static(settings["length"])}
    camps = [(f["C"], f["WHO"], _number(f["N"])) for f in sight.facts(settings["camps"])]
    runners = {f["C"]: _number(f["N"]) for f in sight.facts(settings.get("runners", ""))}
    names, longest = in_order(list(lengths)), max(lengths.values(), default=1)
    wide, pitch = 40.0, 22.0
    height = longest * pitch + 64
    over, places, labels = [], [], []
    for place, name in enumerate(names):
        x, length = 12 + place * wide, lengths[name]
        top = 16 + (longest - length) * pitch / 2
        foot = top + length * pitch
        for level in range(1, length + 1):
            y = foot - level * pitch
            over.append(rounded(x + 3, y + 2, wide - 6, pitch - 4, "cell", 8))
            over.append(rounded(x + 3, y + 2, wide - 6, pitch - 4, "line", 8))
        labels.append(label(x + wide / 2, foot + 14, name, 14))
        for column, who, at_level in camps:
            if column == name and at_level:
                side = -8 if who == sight.game.roles[0] else 8
                over.append(piece(sight.tokens.get(who, who), x + wide / 2 + side, foot - (at_level - 0.5) * pitch, 20))
        if name in runners:
            cy = foot - (runners[name] - 0.5) * pitch
            disc = f'cx="{number(x + wide / 2)}" cy="{number(cy)}" r="8"'
            over.append(f'<circle class="z-open" {disc}/><circle class="z-rim" stroke-width="2.5" {disc}/>')
        content = " ".join(f"{who} {at_level}" for column, who, at_level in camps if column == name and at_level)
        places.append(square_place(name, x + 1, top, wide - 2, length * pitch + 24, content))
    return Scene(wide * len(names) + 24, height, (), tuple(places), tuple(over), tuple(labels), "columns")


def rooms(sight: Sight, settings: Settings) -> Scene:
    """Rooms with small tiles in them, and whoever is there."""
    tiles: dict[str, list[str]] = {}
    for found in sight.facts(settings["tiles"]):
        tiles.setdefault(found["R"], []).extend([found["V"]] * _number(found["N"]))
    guests: dict[str, list[str]] = {}
    for entry in settings.get("tokens", ()):
        for found in sight.facts(entry["facts"] if isinstance(entry, dict) else entry):
            guests.setdefault(found["R"], []).append(entry.get("piece", "dot") if isinstance(entry, dict) else "dot")
    body, over, places, labels = [], [], [], []
    for index, name in enumerate(in_order([*tiles, *guests])):
        x = 12 + 116 * index
        body.append(rounded(x, 12, 106, 120, "cell") + rounded(x, 12, 106, 120, "line"))
        for place, value in enumerate(sorted(tiles.get(name, []))):
            tx, ty = x + 10 + 22 * (place % 4), 22 + 26 * (place // 4)
            over.append(rounded(tx, ty, 19, 22, "amber", 3) + rounded(tx, ty, 19, 22, "rim", 3))
            over.append(label(tx + 9.5, ty + 11, value, 12, kind="black"))
        for place, guest in enumerate(guests.get(name, [])):
            over.append(piece(guest, x + 30 + 46 * place, 106, 42))
        labels.append(label(x + 53, 146, name, 13, kind="faint"))
        places.append(square_place(name, x, 12, 106, 120, " ".join([*guests.get(name, []), *tiles.get(name, [])])))
    return Scene(116 * len(places) + 14, 160, tuple(body), tuple(places), tuple(over), tuple(labels), "rooms")


def dice(sight: Sight, settings: Settings) -> Scene | None:
    """Dice: each by its name, or as many as show each face; loose ones have no face."""
    shown: list[tuple[str, str, bool]] = []
    kept = {found["F"] for found in sight.facts(settings.get("kept", ""))}
    if "facts" in settings:
        faces = {found["I"]: found["F"] for found in sight.facts(settings["facts"])}
        faces |= {found["I"]: "" for found in sight.facts(settings.get("loose", "")) if found["I"] not in faces}
        shown += [(name, faces[name], faces[name] in kept) for name in in_order(list(faces))]
    if "counts" in settings:
        counts = {found["F"]: _number(found["N"]) for found in sight.facts(settings["counts"])}
        for face in in_order(list(counts)):
            shown += [(face, face, face in kept)] * counts[face]
    if not shown:
        return None
    body, labels = [], []
    places: list[Place] = []
    for place, (name, face, held) in enumerate(shown):
        x = 12 + (DIE + 8) * place
        body.append(die_svg(x, 10, face, kept=held))
        if "facts" in settings:
            labels.append(label(x + DIE / 2, DIE + 20, name, 11, kind="faint"))
        if all(known.name != f"die {name}" for known in places):
            places.append(square_place(f"die {name}", x, 10, DIE, DIE, face))
    wide = (DIE + 8) * len(shown) + 16
    scene = Scene(wide, DIE + (30 if labels else 20), (), tuple(places), tuple(body), tuple(labels), "dice")
    pairs = _paired(sight, settings["pairs"], shown) if "pairs" in settings else {}
    tools = {move: f"die {found['D']}" for move, found in (sight.moves(settings["with"]) if "with" in settings else ())}
    return replace(scene, sets=pairs, tools=tools)


def _paired(
    sight: Sight, patterns: Sequence[str], shown: Sequence[tuple[str, str, bool]]
) -> dict[str, tuple[tuple[str, ...], ...]]:
    """The pairs of dice that tell each move: it names their sum, and perhaps that of the others."""
    moves = [(move, (found["A"], found.get("B"))) for pattern in patterns for move, found in sight.moves(pattern)]
    total = sum(_number(face) for _, face, _ in shown)
    sets: dict[str, list[tuple[str, ...]]] = {}
    for one, other in combinations(shown, 2):
        both = _number(one[1]) + _number(other[1])
        here, rest = str(both), str(total - both)
        for sums in ({(here, None), (here, rest), (rest, here)}, {(rest, None)}):
            if fitting := [move for move, named in moves if named in sums]:
                sets.setdefault(fitting[0], []).append((f"die {one[0]}", f"die {other[0]}"))
                break
    return {move: tuple(pairs) for move, pairs in sets.items()}


def tiles(sight: Sight, settings: Settings) -> Scene:
    """A row of numbered tiles: those that lie there, those that somebody owns, and those that are gone."""
    known = sight.static(settings["all"])
    there = {found["T"] for found in sight.facts(settings["facts"])}
    owner = {found["T"]: found["WHO"] for found in sight.facts(settings.get("owned", ""))}
    marks = str(settings.get("marks", ""))
    worth = {found["T"]: marks * _number(next((v for k, v in found.items() if k != "T"), "0")) for found in known}
    body, places = [], []
    for place, name in enumerate(in_order(list(worth))):
        x, y = 12 + 40 * (place % 8), 10 + 60 * (place // 8)
        colour = sight.colour(owner[name]) if name in owner else "open"
        gone = name not in there and name not in owner
        body.append(tile_svg(x, y, name, worth[name], kind=colour, faded=gone))
        places.append(square_place(name, x, y, 34, 52, owner.get(name, "there" if name in there else "gone")))
    rows = (len(worth) + 7) // 8
    return Scene(40 * min(len(worth), 8) + 18, 60 * rows + 14, (), tuple(places), tuple(body), title="tiles")


def card(sight: Sight, settings: Settings) -> Scene:
    """A card with a line for each box and a column for each role: which boxes are filled."""
    boxes = [found["B"] for pattern in settings["rows"] for found in _in_sheet_order(sight, pattern)]
    filled = {(found["WHO"], found["B"]) for found in sight.facts(settings["filled"])}
    roles = sight.game.roles
    half = (len(boxes) + 1) // 2
    wide = 120 + 44 * len(roles)
    under, body, places = [], [], []
    for index, name in enumerate(boxes):
        x, y = 12 + (index // half) * (wide + 16), 34 + 24 * (index % half)
        under.append(box(x, y, wide, 24, "cell"))
        body.append(box(x, y, wide, 24, "line"))
        body.append(label(x + 8, y + 12, name.replace("_", " "), 12, extra=' text-anchor="start"'))
        for place, who in enumerate(roles):
            if (who, name) in filled:
                body.append(piece(sight.tokens.get(who, who), x + 142 + 44 * place, y + 12, 20))
        content = " ".join(who for who in roles if (who, name) in filled)
        spot = square_place(name, x, y, wide, 24, content)
        places.append(Place(name, x + 104, y + 12, spot.shape, 32, content))
    for column in range(2):
        for place, who in enumerate(roles):
            body.append(label(12 + column * (wide + 16) + 142 + 44 * place, 22, who, 11, kind="faint"))
    return Scene(2 * wide + 40, 34 + 24 * half + 12, tuple(under), tuple(places), tuple(body), title="card")


def _in_sheet_order(sight: Sight, pattern: str) -> list[dict[str, str]]:
    """What always holds, in the order in which the rulesheet states it."""
    found = sight.static(pattern)
    stated = [words_of(str(rule.head)) for rule in sight.game.sheet.rules if not rule.body]
    order = {words[1]: place for place, words in enumerate(stated) if words[0] == words_of(pattern)[0]}
    return sorted(found, key=lambda match: order.get(match["B"], len(order)))


def coins(sight: Sight, settings: Settings) -> Scene:
    """A coin for each role and for chance, and which side it shows."""
    sides = {found["WHO"]: found["SIDE"] for found in sight.facts(settings["facts"])}
    body, labels, places = [], [], []
    for place, (who, side) in enumerate(sides.items()):
        x = 48 + 76 * place
        body.append(coin_svg(x, 40, side))
        labels.append(label(x, 80, "chance" if who == "random" else who, 12, kind="faint"))
        places.append(disc_place(who, x, 40, 28, side))
    return Scene(76 * len(sides) + 20, 94, (), tuple(places), tuple(body), tuple(labels), "coins")


def numbers(sight: Sight, settings: Settings) -> Scene | None:
    """Numbers with a name before each: one for every role where the facts name one; digits are put together."""
    values: dict[str, int] = {}
    for pattern in settings.get("digits", [settings["facts"]] if "facts" in settings else []):
        for found in sight.facts(pattern):
            who = next((value for variable, value in found.items() if variable != "N"), "")
            values[who] = 10 * values.get(who, 0) + _number(found["N"])
    if not values:
        return None
    order = {role: place for place, role in enumerate(sight.game.roles)}
    values = dict(sorted(values.items(), key=lambda item: order.get(item[0], len(order))))
    caption = str(settings.get("label", ""))
    return lines_scene(
        [
            (" ".join(filter(None, (who, caption, str(value)))), sight.tokens.get(who, ""))
            for who, value in values.items()
        ]
    )


def lines_scene(lines: list[tuple[str, str]]) -> Scene:
    """Lines of text, each perhaps with a token before it, side by side as far as they fit.

    >>> lines_scene([("white 3", "white")]).height
    34.0
    """
    body, x, y, widest = [], 12.0, 16.0, 0.0
    for text, token in lines:
        wide = 7.8 * len(text) + (30 if token else 8) + 18
        if x > 12 and x + wide > 420:
            x, y = 12.0, y + 26
        body.append(line_svg(x, y, text, token))
        x += wide
        widest = max(widest, x)
    return Scene(widest, y + 18, tuple(body))


def track(sight: Sight, settings: Settings) -> Scene:
    """A row of steps with a piece on one of them."""
    steps = in_order(["0", *(found["N"] for found in sight.static(settings["steps"]))])
    here = [found["N"] for found in sight.facts(settings["facts"])]
    body, over = [], []
    caption = str(settings.get("label", ""))
    for place, name in enumerate(steps):
        x = 12 + 32 * place
        body.append(rounded(x, 18, 28, 28, "cell") + rounded(x, 18, 28, 28, "line"))
        empty = label(x + 14, 32, name, 11, kind="faint")
        over.append(piece(str(settings.get("piece", "dot")), x + 14, 32, 28) if name in here else empty)
    wide = max(32 * len(steps) + 20, 7.4 * len(caption) + 24)
    body.append(label(12, 9, caption, 12, kind="faint", extra=' text-anchor="start"'))
    return Scene(wide, 54, tuple(body), (), tuple(over), title="track")


TABLES: Final[Mapping[str, Callable[[Sight, Settings], Scene | None]]] = {
    "heaps": heaps,
    "pits": pits,
    "tracks": tracks,
    "rooms": rooms,
    "dice": dice,
    "tiles": tiles,
    "card": card,
    "coins": coins,
    "numbers": numbers,
    "track": track,
}
"""The parts that are not boards."""
