"""Boards that have values as combinatorial games; dots and boxes, which is played for boxes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from zermelo.answer import Answer
from zermelo.game import Game
from zermelo.kind import Format
from zermelo.kinds.game import PlayedKind
from zermelo.kinds.valued import ValuedKind, value_rows
from zermelo.source import Source
from zermelo.words import Row

if TYPE_CHECKING:
    from zermelo.solution import Solution


def _read(source: Source) -> Game:
    from zermelo.cgt.game import BoardSum
    from zermelo.cgt.mixed import MixedSum, is_mixed
    from zermelo.cgt.rulesets.dots import DotsSum

    if is_mixed(source.text):
        return MixedSum.named(source.text)
    return DotsSum.named(source.text) if source.text.partition(":")[0] == DOTS else BoardSum.named(source.text)


def _named(target: str) -> Source | None:
    from zermelo.games import is_library_game

    name = target.partition(":")[0]
    if is_library_game(name):
        return None
    from zermelo.cgt.boards.ruleset import is_ruleset  # here, since a game of the library does without this room

    if name == DOTS or is_ruleset(name):
        return Source("board", target, target)
    if ":" not in target or "+" not in target:
        return None
    from zermelo.cgt.mixed import is_mixed

    return Source("board", target, target) if is_mixed(target) else None


DOTS = "dots"


class BoardKind(ValuedKind):
    """Boards side by side under normal play."""

    name, noun, plural = "board", "board", "boards"
    expected = "a board such as domineering:....|.#.."
    formats: ClassVar[tuple[Format, ...]] = (Format("board", "board", (), _read, ways=_named),)

    def auto(self, game: Game) -> str:
        """The canonical value where it is quickly found, else who wins."""
        del game
        return "outcome+cgt"


class DotsKind(PlayedKind):
    """Dots and boxes: searched, since its scores are no sums of values."""

    name, noun, plural = DOTS, "board", "boards"
    expected = "a board such as dots:2x2"
    formats: ClassVar[tuple[Format, ...]] = ()  # read as boards are

    def in_own_terms(self, game: Game, answer: Answer) -> Answer:
        """With the scores of either starter: boxes are the same for both, so one is the other's negative."""
        from zermelo.cgt.engines import SumDetails

        if answer.value is None:
            return answer
        scores = {"left_first": str(answer.value), "right_first": str(-answer.value)}
        return replace(answer, details=SumDetails.of(scores))

    def value_rows(self, solution: Solution) -> list[Row]:
        """The scores of either starter."""
        return value_rows(solution) or super().value_rows(solution)


BOARDS = (BoardKind(), DotsKind())
