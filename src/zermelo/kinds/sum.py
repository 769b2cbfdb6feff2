"""Sums of games in brackets, played for a score."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from zermelo.answer import Answer, Guess
from zermelo.errors import one_line
from zermelo.game import Game
from zermelo.kind import Drawing, Format, Picture
from zermelo.kinds.game import GameKind
from zermelo.limits import Limits
from zermelo.source import Source
from zermelo.words import Row, headline

if TYPE_CHECKING:
    from zermelo.cgt.engines import SumDetails
    from zermelo.cgt.game import WrittenSum
    from zermelo.decision import Adviser
    from zermelo.solution import Solution

LONGEST_VALUE = 400
OUTCOMES = {
    "L": "left wins, whoever starts",
    "R": "right wins, whoever starts",
    "N": "whoever starts wins",
    "P": "whoever starts loses",
}
_SUM = re.compile(r"[\d\s{}|,()+\-*/^v._±−∗★·↑↓⇑⇓⧾⧿]*|.*[{}].*", re.DOTALL)
"""How a sum in brackets looks; whatever has braces is taken for one, so that slips are shown with their place."""


def _read(source: Source) -> Game:
    from zermelo.cgt.game import WrittenSum

    return WrittenSum(source.text, source.name)


def _literal(target: str) -> Source | None:
    return Source("cgt", target, "literal") if _SUM.fullmatch(target) and target.strip() else None


def details_of(solution: Solution) -> SumDetails:
    """What only a sum has; nothing where that was not worked out."""
    from zermelo.cgt.engines import SumDetails

    return solution.details if isinstance(solution.details, SumDetails) else SumDetails()


class SumKind(GameKind):
    """A sum in brackets."""

    name, noun, plural = "sum", "sum of games", "sums of games"
    expected = "a sum such as {5|-5} + *"
    picture = "thermograph"
    formats: ClassVar[tuple[Format, ...]] = (
        Format("cgt", "sum of games", (".cgt",), _read, lambda text: "|" in text and "{" in text, ways=_literal),
    )

    def stated_by(self, thing: object) -> Game | None:
        """A value of a short game, as a sum of one."""
        from zermelo.cgt.game import WrittenSum
        from zermelo.cgt.text.printing import text
        from zermelo.cgt.values.value import Value

        return WrittenSum(text(thing)) if isinstance(thing, Value) else None

    def auto(self, game: Game) -> str:
        """The score by search, and the value as well where that is quickly done; values alone where trees are many."""
        from zermelo.cgt.engines import has_trees

        return "sum+cgt" if has_trees(_stated(game), game.limits) else "cgt"

    def together(self, best: Answer, answers: Sequence[Answer]) -> Answer:
        """Scores from one engine, the value from another."""
        from zermelo.cgt.engines import SumDetails

        facts: dict[str, Any] = {}
        for answer in answers:
            if answer.status == "solved" and isinstance(answer.details, SumDetails):
                facts |= answer.details.by_name()
        return replace(best, details=SumDetails.of(facts)) if facts else best

    def guess(self, game: Game, limits: Limits, seed: int) -> Guess:
        """By random play, once the sum is written out."""
        _stated(game).write_out(limits)
        return super().guess(game, limits, seed)

    def adviser(self, game: Game, engine: str, limits: Limits) -> Adviser | None:
        """Sums are played exactly, or by the thermostat."""
        from zermelo.cgt.scores.sum_player import SUM_PLAYERS, SumPlayer

        return SumPlayer(_stated(game), engine, limits) if engine in SUM_PLAYERS else None

    def headline(self, solution: Solution) -> str:
        """Who wins if Left starts, and who wins whoever starts, where the value is known."""
        details = details_of(solution)
        if solution.status == "solved" and details.outcome is not None:
            return f"{one_line(solution.target)}: {OUTCOMES[details.outcome]}"
        return headline(solution)

    def value_rows(self, solution: Solution) -> list[Row]:
        """Scores, canonical value, mean and temperature."""
        details, rows = details_of(solution), []
        if "left_first" in details.facts:
            scores = (
                _score(details.left_first, details.left_first_bounds),
                _score(details.right_first, details.right_first_bounds),
            )
            rows.append(("score", f"{scores[0]} if left starts, {scores[1]} if right starts"))
        if details.outcome is not None and details.value is not None:
            shown = details.value if len(details.value) <= LONGEST_VALUE else details.value[: LONGEST_VALUE - 3] + "..."
            rows += [("value", shown), ("mean", f"{details.mean}, temperature {details.temperature}")]
        elif details.mean is not None:
            rows.append(("mean", details.mean))
        elif details.value_bounds is not None:
            lower, upper = details.value_bounds
            rows.append(("value", f"{'?' if lower is None else lower} .. {'?' if upper is None else upper}"))
        return rows or super().value_rows(solution)

    def pictures(self, game: Game) -> Mapping[str, Picture]:
        """The thermograph, with those of the components."""
        del game
        return {"thermograph": Picture("thermograph", thermograph, (".txt", ".svg"))}


def _stated(game: Game) -> WrittenSum:
    from zermelo.cgt.game import WrittenSum

    assert isinstance(game, WrittenSum)
    return game


def _score(score: str | None, bounds: tuple[str, str] | None) -> str:
    """A score, or what it lies between."""
    return score if score is not None else " .. ".join(bounds or ("?", "?"))


def thermograph(drawing: Drawing) -> str:
    """The thermograph of a sum in brackets or of boards; as a picture with those of the components."""
    from zermelo.cgt.game import BoardSum, WrittenSum
    from zermelo.cgt.thermographs.sum_pictures import shapes_of
    from zermelo.cgt.thermographs.thermograph_picture import thermograph_svg, thermograph_text

    assert isinstance(drawing.game, BoardSum | WrittenSum)
    shapes = shapes_of(drawing.game, drawing.position, drawing.limits)
    if drawing.suffix == ".txt":
        return thermograph_text(shapes[0][1]) + "\n"
    return thermograph_svg([shape for _, shape in shapes], [name for name, _ in shapes])


SUM = SumKind()
