"""Go records, whose endgames are sums of regions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from zermelo.game import Game, taken_as
from zermelo.kind import Drawing, Format, Picture
from zermelo.kinds.valued import ValuedKind
from zermelo.source import Source
from zermelo.words import effort_rows, laid_out

if TYPE_CHECKING:
    from zermelo.solution import Solution

MOST_BYTES = 16 << 20
_RECORD = re.compile(r"(?P<file>.+\.sgf)(?::(?P<options>.*))?", re.IGNORECASE | re.DOTALL)
_BEGIN = re.compile(r"\s*\(\s*;")


def _read(source: Source) -> Game:
    from zermelo.cgt.go.game import EndgameGame

    return EndgameGame.stated(source.text, source.name, source.options)


def _named(target: str) -> Source | None:
    """A file with what is said of it behind a colon, as ``game.sgf:area``."""
    from zermelo.files import read_text

    match = _RECORD.fullmatch(target)
    if match is None:
        return None
    text = read_text(match["file"], "game record", MOST_BYTES)
    return Source("sgf", text, match["file"], match["options"] or "")


def _board(drawing: Drawing) -> str:
    """The position with its regions: as a picture, in words, or as a record with remarks."""
    from zermelo.cgt.go.annotated import annotated
    from zermelo.cgt.go.game import EndgameGame
    from zermelo.picturing import PictureOptions, picture

    game = taken_as(EndgameGame, drawing.game)
    if drawing.suffix == ".sgf":
        return annotated(game.endgame)
    if drawing.suffix == ".txt":
        return game.text(drawing.position) + "\n"
    return picture(game, drawing.position, PictureOptions(legal=drawing.legal, size=drawing.size)).svg


class RecordKind(ValuedKind):
    """The endgame of a record, region by region."""

    name, noun, plural = "record", "game record", "game records"
    expected = "a Go record in a .sgf file"
    formats: ClassVar[tuple[Format, ...]] = (
        Format("sgf", "game record", (), _read, lambda text: bool(_BEGIN.match(text)), MOST_BYTES, _named),
    )

    def auto(self, game: Game) -> str:
        """The engine of records."""
        del game
        return "go"

    def by_moves(self, game: Game) -> bool:
        """Never: what is settled is not played out."""
        del game
        return False

    def on_board(self, game: Game, after: str) -> Game | None:
        """The record with further stones: moves of the game are named by regions, stones by points such as E4."""
        from zermelo.cgt.go.game import EndgameGame

        if not after or ":" in after:
            return None
        record = taken_as(EndgameGame, game)
        return EndgameGame(record.position.after(after), record.scoring, record.komaster, record.safe)

    def pictures(self, game: Game) -> Mapping[str, Picture]:
        """The board, also as a record with remarks, and the thermograph."""
        return {**super().pictures(game), "board": Picture("board", _board, (".txt", ".svg", ".sgf"))}

    def told_first(self, solution: Solution) -> str:
        """Nothing: the report of a record begins with its board."""
        del solution
        return ""

    def report(self, solution: Solution) -> str:
        """The endgame, region by region."""
        from zermelo.cgt.go.game import EndgameGame

        return laid_out(str(taken_as(EndgameGame, solution.game).endgame), effort_rows(solution))


RECORD = RecordKind()
