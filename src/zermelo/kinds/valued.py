"""What has a value as a combinatorial game: sums in brackets, boards, the endgames of records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from zermelo.answer import Answer
from zermelo.errors import one_line
from zermelo.game import Game, taken_as
from zermelo.kind import Drawing, Picture
from zermelo.kinds.game import PlayedKind
from zermelo.words import Row, headline

if TYPE_CHECKING:
    from zermelo.cgt.engines import SumDetails
    from zermelo.solution import Solution

LONGEST_VALUE = 400
OUTCOMES = {
    "L": "left wins, whoever starts",
    "R": "right wins, whoever starts",
    "N": "whoever starts wins",
    "P": "whoever starts loses",
}


def details_of(solution: Solution) -> SumDetails:
    """What only a sum has; nothing where that was not worked out."""
    from zermelo.cgt.engines import SumDetails

    return solution.details if isinstance(solution.details, SumDetails) else SumDetails()


class ValuedKind(PlayedKind):
    """Games with a value: an answer tells it, or the scores of either starter, and the thermograph can be drawn."""

    def together(self, best: Answer, answers: Sequence[Answer]) -> Answer:
        """Scores from one engine, the value from another."""
        from zermelo.cgt.engines import SumDetails

        facts: dict[str, Any] = {}
        for answer in answers:
            if answer.status == "solved" and isinstance(answer.details, SumDetails):
                facts |= answer.details.by_name()
        return replace(best, details=SumDetails.of(facts)) if facts else best

    def headline(self, solution: Solution) -> str:
        """Who wins if Left starts, and who wins whoever starts, where the value is known."""
        details = details_of(solution)
        if solution.status == "solved" and details.outcome is not None:
            return f"{one_line(solution.target)}: {OUTCOMES[details.outcome]}"
        return headline(solution)

    def value_rows(self, solution: Solution) -> list[Row]:
        """Scores, canonical value, mean and temperature."""
        return value_rows(solution) or super().value_rows(solution)

    def pictures(self, game: Game) -> Mapping[str, Picture]:
        """The thermograph, with those of the components."""
        del game
        return {"thermograph": Picture("thermograph", thermograph, (".txt", ".svg"))}


def value_rows(solution: Solution) -> list[Row]:
    """Scores, canonical value, mean and temperature, as far as they were worked out."""
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
    return rows


def _score(score: str | None, bounds: tuple[str, str] | None) -> str:
    """A score, or what it lies between."""
    return score if score is not None else " .. ".join(bounds or ("?", "?"))


def thermograph(drawing: Drawing) -> str:
    """The thermograph of a sum in brackets or of boards; as a picture with those of the components."""
    from zermelo.cgt.game import SumGame
    from zermelo.cgt.thermographs.thermograph_picture import thermograph_svg, thermograph_text

    shapes = taken_as(SumGame, drawing.game).thermographs(drawing.position, drawing.limits)  # type: ignore[type-abstract]
    if drawing.suffix == ".txt":
        return thermograph_text(shapes[0][1]) + "\n"
    return thermograph_svg([shape for _, shape in shapes], [name for name, _ in shapes])
