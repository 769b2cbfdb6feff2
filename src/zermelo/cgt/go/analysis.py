"""A whole endgame: what is settled, what every region is worth, the best move and the score.

The board is a sum of games, one for each region (Yedwab 1985, chapter 6). Regions are independent because the stones
between them are safe: whatever happens (:mod:`zermelo.cgt.go.life`), or as long as their owner answers intrusions
(:mod:`zermelo.cgt.go.holding`). Where that does not go far enough the rest is judged (:mod:`zermelo.cgt.go.judging`),
which is said and never called verified; what cannot be judged either stays unsettled.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from zermelo import _native
from zermelo.brief import shown_in_brief
from zermelo.cgt.boards.ruleset import Side
from zermelo.cgt.go.ground import BLACK, COLOUR_NAMES, COLOURS, ELSEWHERE, EMPTY, OTHER, SAFE, SIGN, square
from zermelo.cgt.go.holding import BUDGETS, NOTHING_HELD, Holding, held
from zermelo.cgt.go.judging import balance_of, judged, stages
from zermelo.cgt.go.komaster import MastedWalls, komaster_thermograph
from zermelo.cgt.go.life import TERRITORY, settle
from zermelo.cgt.go.record import GoPosition, point_name, point_named, read_record
from zermelo.cgt.go.region import Region, RegionMove, Scoring, region_of
from zermelo.cgt.scores.scored import Tree, leaf
from zermelo.cgt.scores.sums import solve_sum
from zermelo.cgt.scores.taxed import move_kind
from zermelo.draw.shape import column_letters
from zermelo.errors import InputError, LimitReachedError
from zermelo.kernel_thread import control_for
from zermelo.limits import Limits, memory_watch

SMALL = 8
"""Parts with at most so many empty points are played out before anything else is tried."""
HOLDING_SHARE = 0.25
"""The part of the time that is left in which pockets are searched."""


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
    """For each starter the least and the most that the score may be, komi counted; None where a limit was reached."""
    candidates: tuple[Candidate, ...]
    """The moves of the side to move, best first; empty where a region is unsettled or a ko matters."""
    komaster: str | None = None
    limited: bool = False
    """Was a limit reached before all was found out?"""
    holding: Holding = NOTHING_HELD
    """What is settled because one side answers every intrusion there."""
    judged: frozenset[int] = frozenset()
    """Stones and points that are settled by judgement alone."""

    @property
    def proved(self) -> bool:
        """Does nothing rest on judgement, nor on what a rule says of sekis?"""
        return not self.judged and all(region.status != "seki" for region in self.regions)

    @property
    def exact(self) -> bool:
        """Is every region valued exactly?"""
        return self.scores is not None and all(region.valued for region in self.regions)

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

    def komaster_thermographs(self, master: str | None = None) -> dict[str, MastedWalls]:
        """For each region with a ko its threat-free thermograph, if a komaster is given, here or in the analysis."""
        master = master or self.komaster
        if master is None:
            return {}
        found = {}
        for region in self.regions:
            if region.status == "ko" and region.lines is not None:
                taxed = self.scoring == "territory"
                shape = komaster_thermograph(region.lines, master, taxed=taxed, offset=region.offset)
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
    scoring: Scoring | None = None,
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
    scoring: Scoring | None = None,
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
    scoring = scoring or position.scoring
    _check_options(scoring, komaster)
    limits = limits or Limits()
    analyst = _Analyst(position, scoring, limits)
    analyst.mark(safe)
    analyst.settle()
    return analyst.endgame(_colour(komaster))


def analyse_again(endgame: GoEndgame, later: GoPosition, limits: Limits | None = None) -> GoEndgame:
    """The endgame some moves later: what was settled stays settled, what was open is played out anew.

    >>> from zermelo.cgt.go.record import parse_record
    >>> endgame = analyse_position(parse_record("(;SZ[3]AB[aa][ab][ac]AW[ca][cb][cc]SQ[aa][ca])"))
    >>> [len(region.points) for region in analyse_again(endgame, endgame.position.after("B3")).regions]
    [2]
    """
    analyst = _Analyst(later, endgame.scoring, limits or Limits())
    analyst.resume(endgame)
    analyst.play_out()
    return analyst.endgame(endgame.komaster)


class _Analyst:
    """One analysis: what is marked, what is held, what is played out, and what only can be judged."""

    def __init__(self, position: GoPosition, scoring: Scoring, limits: Limits) -> None:
        self.position, self.scoring, self.limits = position, scoring, limits
        self.ground = square(position.size)
        self.memory_out = memory_watch(limits.memory)
        self.looked = 0
        self.owned = dict(position.territory)
        self.judged: set[int] = set()
        self.holding = NOTHING_HELD
        self.regions: list[Region] = []
        self.settled = ""
        self.known: dict[str, Region] = {}

    def stop(self) -> bool:
        """Is a limit reached?"""
        self.looked += 1
        nodes = self.limits.nodes
        return self.limits.expired() or (nodes is not None and self.looked > nodes) or self.memory_out()

    def mark(self, safe: Sequence[str]) -> None:
        """What is settled by somebody's word."""
        self.board = list(_marked(self.position, safe))

    def resume(self, endgame: GoEndgame) -> None:
        """What was settled before; points that were judged to be somebody's are walls to what is open."""
        self.board = list(self.position.stones)
        self.holding, self.judged = endgame.holding, set(endgame.judged)
        colours = {mark: colour for colour, mark in TERRITORY.items()}
        for point, label in enumerate(endgame.labels):
            if label in colours:
                self.owned[point] = colours[label]
                self.board[point] = SAFE[colours[label]] if point in self.judged else ELSEWHERE
            elif label.isupper():
                self.board[point] = label

    def settle(self) -> None:
        """Plays out what is small, after a short look at what is held; then all means are tried, judgement last."""
        marked = list(self.board)
        parts = settle(self.ground, "".join(marked)).parts
        if any(part.count(EMPTY) > SMALL for part in parts):
            self.hold(BUDGETS[:1])
        self.play_out()
        if self.unsettled():
            self.board = marked
            self.hold(BUDGETS)
            self.play_out()
        if self.unsettled():
            self.judge()

    def unsettled(self) -> list[int]:
        """The points of regions that cannot be played out, or only to bounds."""
        return [point for region in self.regions if not region.settled for point in region.points]

    def hold(self, budgets: Sequence[int]) -> None:
        """What is settled because one side can answer everything there."""
        control = control_for(self.limits, HOLDING_SHARE)
        self.holding = held(self.ground, "".join(self.board), control, budgets)
        self.take(self.holding.stones, {p: pocket.colour for pocket in self.holding.pockets for p in pocket.points})

    def take(self, alive: Iterable[int], owned: dict[int, str]) -> None:
        """Takes stones for safe and points for somebody's."""
        for point in alive:
            self.board[point] = SAFE[self.position.stones[point]]
        for point in owned:
            self.board[point] = ELSEWHERE
        self.owned |= owned

    def play_out(self) -> None:
        """The independent parts that are left, each as a region."""
        found = settle(self.ground, "".join(self.board))
        self.settled = found.labels
        self.regions = []
        for number, part in enumerate(found.parts):
            if part not in self.known:
                size = self.position.size
                self.known[part] = region_of(
                    self.ground, part, name="", size=size, scoring=self.scoring, stop=self.stop
                )
            self.regions.append(replace(self.known[part], name=column_letters(number)))

    def judge(self) -> None:
        """Regions that cannot be played out are judged, as little as makes the rest small enough to be played out."""
        try:
            balance = balance_of(self.position, control_for(self.limits, HOLDING_SHARE))
        except _native.Stopped:
            return
        for sure, depth in stages(self.position):
            points = self.unsettled()
            if not points or self.stop():
                return
            found = judged(self.ground, balance, "".join(self.board), points, sure, depth)
            if found.alive or found.owned:
                self.judged |= {*found.alive, *found.owned}
                self.owned |= found.owned
                for point, colour in found.owned.items():  # to what is open it is as good as a wall
                    self.board[point] = SAFE[colour]
                self.take(found.alive, {})
                self.play_out()

    def endgame(self, komaster: str | None) -> GoEndgame:
        """All that was found, with the score of the sum of the regions."""
        labels = self.labels()
        settled = _settled_score(self.position, labels, self.scoring)
        scores: dict[str, tuple[Fraction, Fraction]] | None = None
        candidates: tuple[Candidate, ...] = ()
        limited = self.stop()
        try:
            scores, candidates = _played(self.position, settled, self.regions, self.limits)
        except LimitReachedError:
            limited = True
        return GoEndgame(
            self.position,
            self.scoring,
            labels,
            settled,
            tuple(self.regions),
            scores,
            candidates,
            komaster,
            limited,
            self.holding,
            frozenset(self.judged),
        )

    def labels(self) -> str:
        """The labels of what is settled, in whatever way."""
        return "".join(
            TERRITORY[self.owned[point]] if point in self.owned else label for point, label in enumerate(self.settled)
        )


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
    if not all(region.valued for region in regions):
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
