"""Sums of games in brackets, played for a score."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from zermelo.answer import Guess
from zermelo.game import Game, taken_as
from zermelo.kind import Drawing, Format, Picture
from zermelo.kinds.valued import ValuedKind
from zermelo.limits import Limits
from zermelo.source import Source

if TYPE_CHECKING:
    from zermelo.cgt.game import WrittenSum
    from zermelo.decision import Adviser

_SUM = re.compile(r"[\d\s{}|,()+\-*/^v._±−∗★·↑↓⇑⇓⧾⧿]*|.*[{}].*", re.DOTALL)
"""How a sum in brackets looks; whatever has braces is taken for one, so that slips are shown with their place."""


def _read(source: Source) -> Game:
    from zermelo.cgt.game import BoardSum, WrittenSum
    from zermelo.cgt.mixed import MixedSum, game_named, is_mixed, one_sum, placed

    text = one_sum(source.text)
    if is_mixed(text):
        with placed(source):
            return MixedSum.named(text, source.name)
    if game_named(text) is not None:  # boards of one game, too large to be written as a target
        with placed(source):
            return BoardSum.named(text)
    return WrittenSum(source.text, source.name)


def _literal(target: str) -> Source | None:
    return Source("cgt", target, "literal") if _SUM.fullmatch(target) and target.strip() else None


class SumKind(ValuedKind):
    """A sum in brackets."""

    name, noun, plural = "sum", "sum of games", "sums of games"
    expected = "a sum such as {5|-5} + *, or a .cgt file"
    picture = "thermograph"
    formats: ClassVar[tuple[Format, ...]] = (
        Format("cgt", "sum of games", (".cgt",), _read, lambda text: "|" in text and "{" in text, ways=_literal),
    )

    def stated_by(self, thing: object) -> Game | None:
        """A value of a short game or a scored tree, as a sum of one."""
        from zermelo.cgt.game import WrittenSum
        from zermelo.cgt.scores.naming import written_out
        from zermelo.cgt.scores.scored import Tree
        from zermelo.cgt.text.printing import text
        from zermelo.cgt.values.value import Value

        if isinstance(thing, Tree):
            return WrittenSum(written_out(thing))
        return WrittenSum(text(thing)) if isinstance(thing, Value) else None

    def auto(self, game: Game) -> str:
        """The score by search, and the value as well where that is quickly done; values alone where trees are many."""
        from zermelo.cgt.engines import default_engines

        return default_engines(_stated(game))

    def guess(self, game: Game, limits: Limits, seed: int) -> Guess:
        """By random play, once the sum is written out."""
        _stated(game).write_out(limits)
        return super().guess(game, limits, seed)

    def pictures(self, game: Game) -> Mapping[str, Picture]:
        """The thermograph, and the bounds by thermostats."""
        return {**super().pictures(game), "bounds": Picture("bounds", bounds)}

    def adviser(self, game: Game, engine: str, limits: Limits) -> Adviser | None:
        """Sums are played exactly, or by the thermostat."""
        from zermelo.cgt.scores.sum_player import SUM_PLAYERS, SumPlayer

        return SumPlayer(_stated(game), engine, limits) if engine in SUM_PLAYERS else None


def bounds(drawing: Drawing) -> str:
    """What either side can make sure of by a thermostat, for every setting of it, if the side to move starts."""
    from zermelo.cgt.boards.ruleset import SIDES
    from zermelo.cgt.scores.bounds_picture import bounds_svg

    components, turn = drawing.position
    return bounds_svg(components, SIDES[turn])


def _stated(game: Game) -> WrittenSum:
    from zermelo.cgt.game import WrittenSum

    return taken_as(WrittenSum, game)


SUM = SumKind()
