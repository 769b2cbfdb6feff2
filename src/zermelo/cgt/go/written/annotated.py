"""An analysed position as a record with remarks, for any editor of Go records."""

from __future__ import annotations

from collections.abc import Iterable

from zermelo.cgt.go.analysis import GoEndgame
from zermelo.cgt.go.ground import BLACK, COLOURS, WHITE, square
from zermelo.cgt.go.region import Region
from zermelo.cgt.go.report import best_in, report

_SGF_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def annotated(endgame: GoEndgame) -> str:
    """The position as SGF: regions are labelled, the best move has a ring, and the comment is the report.

    A region's best moves are labelled with its temperature, its other points with its name. Territory that is judged
    and not enclosed by stones is left out: no reader would take it.

    >>> from zermelo.cgt.go.analysis import analyse_position
    >>> from zermelo.cgt.go.record import parse_record
    >>> text = annotated(analyse_position(parse_record("(;SZ[3]AB[aa][ab][ac]AW[ca][cb][cc]SQ[aa][ca])")))
    >>> "LB[bb:a][bc:a]" in text, "CR[ba]" in text
    (True, True)
    >>> parse_record(text).stones
    'x.ox.ox.o'
    """
    position = endgame.position
    size, stones = position.size, position.stones
    best = None if endgame.best is None else endgame.best.point
    labels = [
        f"{_point(point, size)}:{text}"
        for region in endgame.regions
        for point, text in _labels(region)
        if stones[point] == "." and point != best
    ]
    # The format has no prisoners: where they count they go into the komi, so that the record has the same score again.
    komi = position.komi - (position.prisoners if endgame.scoring == "territory" else 0)
    owners = {"b": "TB", "w": "TW"}
    territory = _enclosed(endgame)
    rules = position.rules if position.scoring == endgame.scoring else endgame.scoring.replace("area", "AGA")
    parts = [
        f"(;GM[1]FF[4]CA[UTF-8]AP[zermelo]SZ[{size}]KM[{float(komi):g}]{f'RU[{_escaped(rules)}]' if rules else ''}",
        f"PL[{'B' if position.to_move == BLACK else 'W'}]",
        _listed("AB", (_point(p, size) for p, stone in enumerate(stones) if stone == "x")),
        _listed("AW", (_point(p, size) for p, stone in enumerate(stones) if stone == "o")),
        *(
            _listed(name, (_point(p, size) for p in sorted(territory) if endgame.labels[p] == mark))
            for mark, name in owners.items()
        ),
        _listed("SQ", (_point(p, size) for p in sorted(position.safe))),
        _listed("LB", labels),
        _listed("CR", () if best is None else (_point(best, size),)),
        f"C[{_escaped(report(endgame))}])",
    ]
    return "\n".join(part for part in parts if part) + "\n"


def _labels(region: Region) -> Iterable[tuple[int, str]]:
    values = {}
    if region.status == "exact" and region.tree.number is None:
        moves = [best_in(region, colour) for colour in COLOURS]
        values = {move.point: str(region.thermographs[0].temperature) for move in moves if move is not None}
    return [(point, values.get(point, region.name)) for point in region.points]


def _enclosed(endgame: GoEndgame) -> set[int]:
    """The territory that stones of its owner and other such points enclose."""
    owner = {"b": BLACK, "w": WHITE}
    stones, labels = endgame.position.stones, endgame.labels
    near = square(endgame.position.size).neighbours
    kept = {p for p, label in enumerate(labels) if label in owner and stones[p] != owner[label]}
    while True:
        open_ = {
            p
            for p in kept
            if any(stones[n] != owner[labels[p]] and not (n in kept and labels[n] == labels[p]) for n in near[p])
        }
        if not open_:
            return kept
        kept -= open_


def _point(point: int, size: int) -> str:
    row, column = divmod(point, size)
    return _SGF_LETTERS[column] + _SGF_LETTERS[row]


def _listed(name: str, values: Iterable[str]) -> str:
    listed = "".join(f"[{value}]" for value in values)
    return f"{name}{listed}" if listed else ""


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
