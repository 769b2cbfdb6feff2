"""A whole endgame: what is settled, what every region is worth, the best move and the score.

The board is a sum of games, one for each region (Yedwab 1985, chapter 6). Regions are independent because the stones
between them are safe whatever happens (:mod:`zermelo.cgt.go.life`); what cannot be shown is refused, not guessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from zermelo.brief import shown_in_brief
from zermelo.cgt.boards.ruleset import Side
from zermelo.cgt.go.ground import BLACK, COLOUR_NAMES, COLOURS, ELSEWHERE, EMPTY, OTHER, SAFE, SIGN, square
from zermelo.cgt.go.komaster import MastedWalls, komaster_thermograph
from zermelo.cgt.go.life import TERRITORY, settle
from zermelo.cgt.go.record import GoPosition, point_name, point_named, read_record
from zermelo.cgt.go.region import Region, RegionMove, Scoring, region_of
from zermelo.cgt.scores.scored import Tree, leaf
from zermelo.cgt.scores.sums import solve_sum
from zermelo.cgt.scores.taxed import move_kind
from zermelo.draw.shape import column_letters
from zermelo.errors import InputError, LimitReachedError
from zermelo.limits import Limits, memory_watch


@dataclass(frozen=True)
class Candidate:
    """A move of the side to move, where it is, and the score that it leads to (komi included)."""

    region: str
    point: int
    score: Fraction

    _repr_html_ = shown_in_brief


@dataclass(frozen=True)
class GoEndgame:
    """The analysis of a position; scores are Black's points less White's.

    >>> from zermelo.cgt.go.record import parse_record
    >>> endgame = analyse_position(parse_record("(;SZ[3]AB[aa][ab][ac]AW[ca][cb][cc]SQ[aa][ca])"))
    >>> [str(region.tree) for region in endgame.regions], endgame.named(endgame.best.point)
    (['{0|0}'], 'B3')
    """

    position: GoPosition
    scoring: Scoring
    labels: str
    """What is settled: ``X``, ``O`` safe stones, ``b``, ``w`` territory, ``.``, ``x``, ``o`` what is in a region."""
    settled: int
    """What is settled already, with prisoners by territory; komi not counted."""
    regions: tuple[Region, ...]
    scores: dict[str, tuple[Fraction, Fraction]] | None
    """For each starter the least and the most that the score may be, komi counted; None with refused regions."""
    candidates: tuple[Candidate, ...]
    """The moves of the side to move, best first; empty where a region is refused or a ko matters."""
    komaster: str | None = None
    limited: bool = False
    """Was a limit reached before all was found out?"""

    @property
    def exact(self) -> bool:
        """Is every region valued exactly?"""
        return self.scores is not None and all(region.status == "exact" for region in self.regions)

    @property
    def score(self) -> Fraction | None:
        """The score with best play from here, komi counted; None where it is not exact."""
        if self.scores is None:
            return None
        low, high = self.scores[self.position.to_move]
        return low if low == high else None

    @property
    def best(self) -> Candidate | None:
        """The best move; None where there is none to make, or none that can be proved."""
        return self.candidates[0] if self.candidates else None

    @property
    def trees(self) -> list[Tree]:
        """The sum: what is settled, with komi, and the regions; only where all are exact."""
        return [leaf(self.settled - self.position.komi), *(region.tree for region in self.regions)]

    def named(self, point: int) -> str:
        """A point as Go players write it."""
        return point_name(point, self.position.size)

    def komaster_thermographs(self) -> dict[str, MastedWalls]:
        """For each region with a ko its threat-free thermograph, if a komaster is given."""
        if self.komaster is None:
            return {}
        found = {}
        for region in self.regions:
            if region.status == "ko" and region.lines is not None:
                taxed = self.scoring == "territory"
                shape = komaster_thermograph(region.lines, self.komaster, taxed=taxed, offset=region.offset)
                if shape is not None:
                    found[region.name] = shape
        return found

    def to_json(self) -> dict[str, Any]:
        """The analysis as plain data, numbers as exact strings."""
        from zermelo.cgt.go.report import as_data

        return as_data(self)

    def __str__(self) -> str:
        from zermelo.cgt.go.report import report

        return report(self)

    def _repr_svg_(self) -> str:
        from zermelo.cgt.go.picture import endgame_svg

        return endgame_svg(self)


def analyse(
    path: str | Path,
    *,
    move: int | None = None,
    scoring: Scoring = "territory",
    safe: Sequence[str] = (),
    komaster: str | None = None,
    limits: Limits | None = None,
) -> GoEndgame:
    """The endgame at the end of a record, or after a number of moves.

    ``safe`` names stones, such as ``c3``, whose chains are to be taken as alive; ``komaster`` (``black`` or ``white``)
    asks for thermographs of kos as if that side had more threats.

    >>> analyse("no/such.sgf")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: no/such.sgf: no such file
    """
    return analyse_position(read_record(path, move), scoring=scoring, safe=safe, komaster=komaster, limits=limits)


def analyse_position(
    position: GoPosition,
    *,
    scoring: Scoring = "territory",
    safe: Sequence[str] = (),
    komaster: str | None = None,
    limits: Limits | None = None,
) -> GoEndgame:
    """The endgame of a position.

    >>> from zermelo.cgt.go.record import parse_record
    >>> position = parse_record("(;SZ[3]AB[aa][ab][ac]AW[ca][cb][cc]SQ[aa][ca])")
    >>> analyse_position(position).regions[0].status
    'exact'
    """
    _check_options(scoring, komaster)
    limits = limits or Limits()
    memory_out = memory_watch(limits.memory)
    looked = 0

    def stop() -> bool:
        nonlocal looked
        looked += 1
        return limits.expired() or (limits.nodes is not None and looked > limits.nodes) or memory_out()

    ground = square(position.size)
    marked = _marked(position, safe)
    found = settle(ground, marked)
    regions = []
    for number, part in enumerate(found.parts):
        name = column_letters(number)
        regions.append(region_of(ground, part, name=name, size=position.size, scoring=scoring, stop=stop))
    labels = _labels(position, marked, found.labels)
    settled = _settled_score(position, labels, scoring)
    scores: dict[str, tuple[Fraction, Fraction]] | None = None
    candidates: tuple[Candidate, ...] = ()
    limited = stop()
    if all(region.status != "refused" for region in regions):
        try:
            scores, candidates = _played(position, settled, regions, limits)
        except LimitReachedError:
            limited = True
    return GoEndgame(position, scoring, labels, settled, tuple(regions), scores, candidates, _colour(komaster), limited)


def _check_options(scoring: str, komaster: str | None) -> None:
    if scoring not in ("territory", "area"):
        raise InputError(f"scoring {scoring!r}, expected territory or area")
    if komaster is not None and _colour(komaster) is None:
        raise InputError(f"komaster {komaster!r}, expected black or white")


def _colour(name: str | None) -> str | None:
    return next((colour for colour in COLOURS if COLOUR_NAMES[colour].lower() == name), None)


def _marked(position: GoPosition, safe: Sequence[str]) -> str:
    """The stones with those that are alive by somebody's word as safe, and marked territory out of the way."""
    ground = square(position.size)
    named = [point_named(name, position.size) for name in safe]
    for point, name in zip(named, safe, strict=True):
        if position.stones[point] == EMPTY:
            raise InputError(f"no stone at {name} to be taken as alive, expected one")
    alive = [*position.safe, *named]
    for point, colour in position.territory.items():
        alive += [near for near in ground.neighbours[point] if position.stones[near] == colour]
    board = list(position.stones)
    for point in alive:
        for stone in ground.chain(position.stones, point):
            board[stone] = SAFE[position.stones[point]]
    for point in position.territory:
        board[point] = ELSEWHERE
    return "".join(board)


def _labels(position: GoPosition, marked: str, labels: str) -> str:
    """Labels with territory that the record marks."""
    return "".join(
        TERRITORY[position.territory[point]] if marked[point] == ELSEWHERE else label
        for point, label in enumerate(labels)
    )


def _settled_score(position: GoPosition, labels: str, scoring: Scoring) -> int:
    """Area: a point each. Territory: the area less the stones on it, so that dead stones count twice, and prisoners."""
    owners = {SAFE[colour]: SIGN[colour] for colour in COLOURS} | {TERRITORY[c]: SIGN[c] for c in COLOURS}
    area = sum(owners.get(label, 0) for label in labels)
    if scoring == "area":
        return area
    stones = sum(SIGN[s] for s, label in zip(position.stones, labels, strict=True) if s in SIGN and label in owners)
    return area - stones + position.prisoners


def _played(
    position: GoPosition, settled: int, regions: Sequence[Region], limits: Limits
) -> tuple[dict[str, tuple[Fraction, Fraction]], tuple[Candidate, ...]]:
    """The score for either starter, and the moves of the side to move with what they lead to."""
    base = settled - position.komi
    low = [region.low for region in regions if region.low is not None]
    high = [region.high for region in regions if region.high is not None]
    scores = {}
    for colour in COLOURS:
        scores[colour] = base + _score(low, colour, limits), base + _score(high, colour, limits)
    if any(region.status != "exact" for region in regions):
        return scores, ()
    side = position.to_move
    found = []
    for region in regions:
        if region.tree.number is not None:
            continue  # moving in what is worth a number only loses
        others = [other.tree for other in regions if other is not region]
        for move in region.moves:
            if move.colour == side and move.point != position.banned and move.assured is not None:
                score = base + _score([*others, move.assured], OTHER[side], limits)
                found.append((Candidate(region.name, move.point, score), _rank(region, move)))
    found.sort(key=lambda entry: (-SIGN[side] * entry[0].score, entry[1]))
    return scores, tuple(candidate for candidate, _ in found)


def _score(games: Sequence[Tree], starts: str, limits: Limits) -> Fraction:
    side: Side = "left" if starts == BLACK else "right"
    answer = solve_sum(games, limits, starters=(side,), best=False)
    score = (answer.left_first if starts == BLACK else answer.right_first).score
    if score is None:
        raise LimitReachedError("the limit was reached while the sum of the regions was searched")
    return score


def _rank(region: Region, move: RegionMove) -> tuple[bool, Fraction, str, int]:
    """Of moves to the same score first those that no other replaces, then those in hotter regions."""
    replaced = move.assured not in (region.tree.left if move.colour == BLACK else region.tree.right)
    return replaced, -region.thermographs[0].temperature, region.name, move.point


def label_of(endgame: GoEndgame, candidate: Candidate) -> str:
    """Is a move sente, gote or reverse sente in its region? Empty where it is a move that a better one replaces."""
    region = next(region for region in endgame.regions if region.name == candidate.region)
    move = next(m for m in region.moves if m.point == candidate.point and m.colour == endgame.position.to_move)
    return kind_of(region, move)


def kind_of(region: Region, move: RegionMove) -> str:
    """Sente, gote or reverse sente, for moves that no better one replaces; else nothing."""
    side = "left" if move.colour == BLACK else "right"
    options = region.tree.left if side == "left" else region.tree.right
    if move.assured is None or move.assured not in options:
        return ""
    return move_kind(region.tree, "left" if move.colour == BLACK else "right", move.assured).value
