"""The endgame of a Go record as a game that can be solved, shown and played: the sum of its regions."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from zermelo.cgt.game import Components, WrittenSum, settled
from zermelo.cgt.go.analysis import GoEndgame, analyse_position
from zermelo.cgt.go.ground import BLACK
from zermelo.cgt.go.record import GoPosition, parse_record, record_text
from zermelo.cgt.go.region import Scoring
from zermelo.cgt.scores.scored import Tree, leaf
from zermelo.errors import ArgumentError, NotApplicableError
from zermelo.limits import Limits

if TYPE_CHECKING:
    from zermelo.draw.scene import Scene

_TARGET = re.compile(r"(?P<file>.+\.sgf)(?::(?P<options>.*))?", re.IGNORECASE | re.DOTALL)
_OPTIONS = "move=30, line=2/1, area, territory, komaster=black, komaster=white, safe=C3/D4"
_LINE = re.compile("[1-9][0-9]{0,3}(/[1-9][0-9]{0,3})*")


def named_file(target: str) -> tuple[str, str]:
    """The file and the options of a target.

    >>> named_file("late.sgf:area,move=30")
    ('late.sgf', 'area,move=30')
    """
    match = _TARGET.fullmatch(target)
    assert match is not None
    return match["file"], match["options"] or ""


class EndgameGame(WrittenSum):
    """Black and White play the regions of a late endgame; the score counts what is settled, prisoners and komi.

    >>> from zermelo.cgt.go.record import parse_record
    >>> game = EndgameGame(parse_record("(;SZ[3]AB[aa][ab][ac]AW[ca][cb][cc]SQ[aa][ca])"))
    >>> [game.move_text(move) for move in game.moves(game.start())]
    ['2:0']
    """

    kind = "record"
    roles = ("black", "white")

    def __init__(
        self,
        position: GoPosition,
        scoring: Scoring | None = None,
        komaster: str | None = None,
        safe: tuple[str, ...] = (),
    ) -> None:
        self.position, self.komaster, self.safe = position, komaster, safe
        self.scoring: Scoring = scoring or position.scoring

    @classmethod
    def named(cls, target: str) -> EndgameGame:
        """The endgame that a target names: ``game.sgf``, with options after a colon."""
        file, options = named_file(target)
        return cls.stated(record_text(file), file, options)

    @classmethod
    def stated(cls, text: str, file: str, options: str = "") -> EndgameGame:
        """The endgame that a record states, under options such as ``move=30,area,line=2``."""
        chosen: dict[str, Any] = {}
        move, line = None, list[int]()
        for option in filter(None, options.split(",")):
            key, _, value = option.strip().partition("=")
            if re.fullmatch("(move=)?[0-9]{1,9}", option.strip()):
                move = int(value or key)
            elif key == "line" and _LINE.fullmatch(value):
                line = [int(number) for number in value.split("/")]
            elif key in ("area", "territory") and not value:
                chosen["scoring"] = key
            elif key == "komaster" and value in ("black", "white"):
                chosen["komaster"] = value
            elif key == "safe" and value:
                chosen["safe"] = tuple(value.split("/"))
            else:
                raise ArgumentError(f"unknown option {option.strip()!r}, expected {_OPTIONS}", file=f"{file}:{options}")
        return cls(parse_record(text, file, move, line), **chosen)

    @cached_property
    def endgame(self) -> GoEndgame:
        """What is settled, the regions and what they are worth."""
        return analyse_position(
            self.position, scoring=self.scoring, komaster=self.komaster, safe=self.safe, limits=self.limits
        )

    @cached_property
    def components(self) -> tuple[Tree, ...]:
        """What is settled and the regions, where all of them are exact."""
        for region in self.endgame.regions:
            if region.status != "exact":
                raise NotApplicableError(f"region {region.name} is not a tree: {region.reason or 'a ko matters'}")
        return tuple(self.endgame.trees)

    def write_out(self, limits: Limits) -> None:
        """Its regions are written out when they are analysed."""
        self.limits = limits

    def start(self) -> Components:
        """Where a region is no tree, a position without components: it can be shown, but not played."""
        turn = 0 if self.position.to_move == BLACK else 1
        known = all(region.status == "exact" for region in self.endgame.regions)
        return settled((*self.components, leaf(0))) if known else (), turn

    def _playable(self, position: Components) -> Components:
        """A position that has components; ``NotApplicableError`` names the region that is no tree."""
        return position if position[0] else (self.components, position[1])

    def moves(self, position: Components) -> list[tuple[int, int, str]]:
        return super().moves(self._playable(position))

    def play(self, position: Components, move: tuple[int, int, str]) -> Components:
        return super().play(self._playable(position), move)

    def result(self, position: Components) -> tuple[Fraction, Fraction] | None:
        return super().result(self._playable(position))

    def key(self, position: Components) -> str:
        return super().key(self._playable(position))

    def text(self, position: Components) -> str:
        return super().text(position) if position[0] else str(self.endgame)

    def scene(self, position: Components) -> Scene:
        from zermelo.cgt.go.picture import endgame_svg
        from zermelo.draw.scene import embedded_scene

        del position
        return embedded_scene(endgame_svg(self.endgame))
