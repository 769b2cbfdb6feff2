"""An analysis in words and as plain data."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from zermelo.cgt.go.analysis import GoEndgame, kind_of, label_of
from zermelo.cgt.go.ground import BLACK, COLOUR_NAMES, COLOURS, EMPTY, WHITE
from zermelo.cgt.go.region import Region, RegionMove
from zermelo.cgt.scores.scored import written
from zermelo.cgt.scores.taxed import Kind
from zermelo.cgt.thermographs.thermograph import thermograph
from zermelo.limits import Limits

LONGEST_TREE = 60
"""Trees that take more letters to write are left out of the text."""

ORDER_SECONDS = 4.0
"""How long a report looks for the best order of play."""

KINDS = {Kind.LEFT_SENTE: "Black's sente", Kind.RIGHT_SENTE: "White's sente"}


def lead(score: Fraction) -> str:
    """A score as Go players say it.

    >>> lead(Fraction(5, 2)), lead(Fraction(-3)), lead(Fraction(0))
    ('B+2.5', 'W+3', 'even')
    """
    if score == 0:
        return "even"
    points = abs(score)
    number = str(points.numerator) if points.denominator == 1 else f"{float(points):g}"
    if Fraction(number) != points:
        number = str(points)
    return f"{'B' if score > 0 else 'W'}+{number}"


def report(endgame: GoEndgame) -> str:
    """The analysis for a person to read.

    >>> from zermelo.cgt.go.analysis import analyse_position
    >>> from zermelo.cgt.go.record import parse_record
    >>> print(report(analyse_position(parse_record("(;SZ[3]AB[aa][ab][ac]AW[ca][cb][cc]SQ[aa][ca])"))))
    board 3x3, Black to move, territory scoring, komi 0
    settled: even; taken as alive by the record's word: A3, C3
    region a: 3 points at B3 B2 B1
      {0|0}, mean 0, temperature 0, gote
      gote, 0 points: Black at B3, White at B3
    Black first: even
    ...
    """
    position = endgame.position
    side = COLOUR_NAMES[position.to_move]
    lines = [
        f"board {position.size}x{position.size}, {side} to move, {endgame.scoring} scoring, komi {position.komi}",
        f"settled: {lead(Fraction(endgame.settled))}{_words(endgame)}",
        *_trust_lines(endgame),
    ]
    masters = COLOURS if endgame.komaster is None else (endgame.komaster,)
    shapes = {master: endgame.komaster_thermographs(master) for master in masters}
    for region in endgame.regions:
        lines += _region_lines(endgame, region)
        for master in masters:
            if region.name in shapes[master]:
                mean, heat = shapes[master][region.name].mean, shapes[master][region.name].temperature
                who = COLOUR_NAMES[master]
                lines.append(f"  with {who} as komaster and no threats left: mean {mean}, temperature {heat}")
    return "\n".join([*lines, *outcome_lines(endgame), *_order_lines(endgame)])


def _trust_lines(endgame: GoEndgame) -> list[str]:
    """Whether play is over, what rests on answers, what on judgement, and which stones are dead."""
    lines = ["both sides have passed: the game is over"] if endgame.position.ended else []
    answered = sum(len(pocket.points) for pocket in endgame.holding.pockets if pocket.answers)
    if answered:
        lines.append(f"held by answering every intrusion: {answered} points, and the stones around them")
    if endgame.judged:
        lines.append(
            f"judged by playing out, not proved: {len(endgame.judged)} of {len(endgame.labels)} points and stones"
        )
    for colour, owner in ((BLACK, "w"), (WHITE, "b")):
        dead = [p for p, stone in enumerate(endgame.position.stones) if stone == colour and endgame.labels[p] == owner]
        if dead:
            lines.append(f"dead {COLOUR_NAMES[colour].lower()} stones: {' '.join(map(endgame.named, dead))}")
    return lines


def _order_lines(endgame: GoEndgame) -> list[str]:
    """A line of best play, where more than one move is left."""
    from zermelo.cgt.go.order import best_order

    order = best_order(endgame, Limits(seconds=ORDER_SECONDS))
    if len(order) < 2:
        return []
    return ["order of play: " + ", ".join(f"{COLOUR_NAMES[m.colour]} {endgame.named(m.point)}" for m in order)]


def _words(endgame: GoEndgame) -> str:
    """What is taken on trust."""
    position = endgame.position
    said = []
    if position.safe:
        said.append("alive by the record's word: " + ", ".join(endgame.named(p) for p in sorted(position.safe)))
    if position.territory:
        said.append(f"territory by the record's word: {len(position.territory)} points")
    return "".join(f"; taken as {text}" for text in said)


def _region_lines(endgame: GoEndgame, region: Region) -> list[str]:
    shown = " ".join(endgame.named(point) for point in region.points[:12])
    more = " ..." if len(region.points) > 12 else ""
    count = "1 point" if len(region.points) == 1 else f"{len(region.points)} points"
    lines = [f"region {region.name}: {count} at {shown}{more}"]
    if not region.settled:
        return [*lines, f"  unsettled: {region.reason}", f"  {bounds_text(region)}"]
    for game, shape, case in zip(
        dict.fromkeys([region.low, region.high]),
        region.thermographs,
        ("if White wins the ko", "if Black wins it"),
        strict=False,
    ):
        text = written(game) if game is not None else ""
        tree = f"{text}, " if len(text) <= LONGEST_TREE else ""
        suffix = f" {case}" if region.status == "ko" else f", {kind_text(region)}"
        lines.append(f"  {tree}mean {shape.mean}, temperature {shape.temperature}{suffix}")
    return [*lines, *(f"  {line}" for line in player_words(endgame, region))]


def bounds_text(region: Region) -> str:
    """Between what the value of an unsettled region lies: its mean, and what it may come to.

    >>> from zermelo.cgt.go.ground import square
    >>> from zermelo.cgt.go.region import region_of
    >>> bounds_text(region_of(square(5), "." * 25, name="a", size=5))
    'worth between W+25 and B+25'
    """
    assert region.low is not None
    assert region.high is not None
    between = f"worth between {lead(region.low.right_stop)} and {lead(region.high.left_stop)}"
    if region.status == "refused":
        return between
    least, most = (thermograph(game) for game in (region.low, region.high))
    return f"{between}, mean {least.mean} to {most.mean}, temperature {least.temperature} and {most.temperature}"


def player_words(endgame: GoEndgame, region: Region) -> list[str]:
    """What players say of a region: whose sente or gote, how many points between the two first moves, and threats.

    >>> from zermelo.cgt.go.analysis import analyse_position
    >>> from zermelo.cgt.go.record import parse_record
    >>> endgame = analyse_position(parse_record("(;SZ[3]AB[aa][ab][ac]AW[ca][cb][cc]SQ[aa][ca])"))
    >>> player_words(endgame, endgame.regions[0])
    ['gote, 0 points: Black at B3, White at B3']
    """
    if region.status != "exact" or region.tree.number is not None:
        return []
    swing = region.tree.left_stop - region.tree.right_stop
    said = []
    for colour in COLOURS:
        best = best_in(region, colour)
        if best is not None and best.assured is not None:
            threat = best.assured.left_stop - best.assured.right_stop if best.assured.number is None else 0
            then = f" (then {points_of(threat)} more at stake)" if threat > 0 else ""
            said.append(f"{COLOUR_NAMES[colour]} at {endgame.named(best.point)}{then}")
    return [f"{kind_text(region)}, {points_of(swing)}: {', '.join(said)}"] if said else []


def best_in(region: Region, colour: str) -> RegionMove | None:
    """A side's best move in an exact region, as if there were no others: of equal ones one that none replaces."""
    sign = 1 if colour == BLACK else -1
    found = [
        (
            sign * (move.assured.right_stop if colour == BLACK else move.assured.left_stop),
            bool(kind_of(region, move)),
            move,
        )
        for move in region.moves
        if move.colour == colour and move.assured is not None
    ]
    return max(found, key=lambda entry: entry[:2])[2] if found else None


def points_of(count: Fraction | int) -> str:
    """A number of points in words.

    >>> points_of(1), points_of(Fraction(3, 2))
    ('1 point', '3/2 points')
    """
    return "1 point" if count == 1 else f"{count} points"


def kind_text(region: Region) -> str:
    """Whose sente an exact region is, or that it is a seki."""
    if region.status == "seki":
        return region.status
    kind = region.kind
    assert kind is not None
    return KINDS.get(kind, kind.value)


def outcome_lines(endgame: GoEndgame) -> list[str]:
    """The score for either starter and the best move, a line each."""
    if endgame.scores is None:
        return ["no score and no best move: the limit was reached"]
    lines = []
    unsettled = [region.name for region in endgame.regions if not region.settled]
    for colour in COLOURS:
        low, high = endgame.scores[colour]
        why = "" if unsettled else ", by who wins the ko"
        between = lead(low) if low == high else f"between {lead(low)} and {lead(high)}{why}"
        lines.append(f"{COLOUR_NAMES[colour]} first: {between}")
    if unsettled:
        regions = "region" if len(unsettled) == 1 else "regions"
        lines.append(f"no best move is proved: unsettled {regions} {', '.join(unsettled)}")
        lines += hottest_first(endgame)
    elif any(region.status == "ko" for region in endgame.regions):
        lines.append("no best move is proved: a ko depends on threats and on the rule of repetition (superko or not)")
        lines += hottest_first(endgame)
    elif endgame.best is None:
        lines.append("best move: pass, nothing is left to gain")
    else:
        kind = label_of(endgame, endgame.best)
        how = f", {kind}" if kind else ""
        best = endgame.best
        side = COLOUR_NAMES[endgame.position.to_move]
        lines.append(
            f"best move: {side} {endgame.named(best.point)} in region {best.region}{how}, to {lead(best.score)}"
        )
        equal = [endgame.named(c.point) for c in endgame.candidates[1:] if c.score == best.score]
        if equal:
            lines.append(f"as good: {' '.join(equal)}")
    return lines


def hottest_first(endgame: GoEndgame) -> list[str]:
    """The regions in the order of their temperatures, kos by the larger of both komasters': a rule of thumb.

    >>> from zermelo.cgt.go.analysis import analyse_position
    >>> from zermelo.cgt.go.record import parse_record
    >>> hottest_first(analyse_position(parse_record("(;SZ[3]AB[aa][ab][ac]AW[ca][cb][cc]SQ[aa][ca])")))
    []
    """
    shapes = [endgame.komaster_thermographs(master) for master in COLOURS]
    heat: dict[str, Fraction] = {}
    for region in endgame.regions:
        if region.status == "refused":
            continue
        masted = [found[region.name].temperature for found in shapes if region.name in found]
        heat[region.name] = max(masted or [shape.temperature for shape in region.thermographs])
    order = sorted((name for name in heat if heat[name] >= 0), key=lambda name: -heat[name])
    told = ", ".join(f"{name} ({heat[name]})" for name in order)
    return [f"hottest first, by temperature: {told}"] if len(order) > 1 else []


def as_data(endgame: GoEndgame) -> dict[str, Any]:
    """The analysis as plain data for JSON, numbers as exact strings.

    >>> from zermelo.cgt.go.analysis import analyse_position
    >>> from zermelo.cgt.go.record import parse_record
    >>> data = as_data(analyse_position(parse_record("(;SZ[3]AB[aa][ab][ac]AW[ca][cb][cc]SQ[aa][ca])")))
    >>> data["scores"]["black"], data["regions"][0]["status"]
    (['0', '0'], 'exact')
    """
    position = endgame.position
    best = endgame.best
    names = {BLACK: "black", WHITE: "white"}
    return {
        "size": position.size,
        "to_move": names[position.to_move],
        "scoring": endgame.scoring,
        "komi": str(position.komi),
        "settled": str(endgame.settled),
        "exact": endgame.exact,
        "regions": [_region_data(endgame, region) for region in endgame.regions],
        "scores": None
        if endgame.scores is None
        else {names[colour]: [str(score) for score in endgame.scores[colour]] for colour in COLOURS},
        "move": None if best is None else endgame.named(best.point),
        "move_kind": None if best is None else label_of(endgame, best) or None,
        "candidates": [
            {"move": endgame.named(c.point), "region": c.region, "score": str(c.score)} for c in endgame.candidates
        ],
        "limited": endgame.limited,
        "ended": position.ended,
        "proved": endgame.proved,
        "judged": [endgame.named(point) for point in sorted(endgame.judged)],
        "dead": [
            endgame.named(point)
            for point, stone in enumerate(position.stones)
            if (stone, endgame.labels[point]) in ((BLACK, "w"), (WHITE, "b"))
        ],
    }


def _region_data(endgame: GoEndgame, region: Region) -> dict[str, Any]:
    data: dict[str, Any] = {
        "name": region.name,
        "points": [endgame.named(point) for point in region.points],
        "empty": sum(endgame.position.stones[point] == EMPTY for point in region.points),
        "status": region.status,
        "reason": region.reason or None,
        "positions": region.positions,
    }
    if region.status == "refused":
        return data | {"bounds": [str(game.number) for game in (region.low, region.high) if game is not None]}
    trees = [game for game in dict.fromkeys([region.low, region.high]) if game is not None]
    data["values"] = [written(game) for game in trees]
    data["means"] = [str(shape.mean) for shape in region.thermographs]
    data["temperatures"] = [str(shape.temperature) for shape in region.thermographs]
    data["thermographs"] = [shape.to_json() for shape in region.thermographs]
    if region.status == "exact":
        data["kind"] = kind_text(region)
        data["words"] = player_words(endgame, region)
        data["moves"] = [
            {
                "move": endgame.named(move.point),
                "side": COLOUR_NAMES[move.colour].lower(),
                "leaves": None if move.assured is None else written(move.assured),
                "kind": kind_of(region, move) or None,
            }
            for move in region.moves
        ]
    shape = endgame.komaster_thermographs().get(region.name)
    if shape is not None:
        data["komaster"] = {
            "side": COLOUR_NAMES[endgame.komaster or BLACK].lower(),
            "mean": str(shape.mean),
            "temperature": str(shape.temperature),
        }
    return data
