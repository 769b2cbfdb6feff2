"""Games in brackets as positions: a summand beside boards, under normal play."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from zermelo.cgt.boards.ruleset import Option, Position, Ruleset, Side
from zermelo.cgt.scores.scored import Tree, folded, key_text, leaf, trees_of, written
from zermelo.cgt.values.value import Value, value_of
from zermelo.errors import InputError

if TYPE_CHECKING:
    from zermelo.draw.scene import Scene

SHORT = "short"
MOST_WRITTEN = 100_000
"""Positions are named by their brackets, which for ``*33`` would have thousands of millions of options inside."""


class ShortGames(Ruleset):
    """A game is moved to one of its options. Numbers have moves here, as under normal play: from 2 Left goes to 1.

    >>> rules = ShortGames()
    >>> [(option.move, rules.text(option.position)) for option in rules.options(rules.parse("2", "sum"), "left")]
    [('1', '1')]
    """

    name = SHORT
    summary = "games in brackets"
    form = "{5|-5}"

    def parse(self, text: str, place: str, column: int = 1) -> Tree:
        """One game; sums are read by :meth:`parse_sum`."""
        found = self.parse_sum(text, place, column)
        if len(found) != 1:
            raise InputError("a sum, expected one game", file=place, line=1, column=column)
        return found[0]

    def parse_sum(self, text: str, place: str, column: int = 1) -> list[Tree]:
        """The games that a sum in brackets adds up."""
        try:
            games = trees_of(text, place)
        except InputError as error:
            where = column + (error.column or 1) - 1
            raise InputError(error.message, file=place, line=1, column=where) from None
        if any(
            folded(game, lambda _: 1, lambda left, right: 1 + sum(left) + sum(right)) > MOST_WRITTEN for game in games
        ):
            message = (
                f"a game that takes over {MOST_WRITTEN:,} options to be written in brackets, expected a shorter one"
            )
            raise InputError(message, file=place, line=1, column=column)
        return games

    def options(self, position: Position, side: Side) -> Sequence[Option]:
        """Left's or Right's options; of a number its canonical ones."""
        if position.number is not None:
            found = number_options(position.number, side)
        else:
            found = position.left if side == "left" else position.right
        return [Option(self.text(option), option) for option in sorted(found, key=key_text)]

    def regions(self, position: Position) -> Sequence[Position]:
        """A game is one piece; nothing is left of 0."""
        return () if position.number == 0 else (position,)

    def text(self, position: Position) -> str:
        """In brackets, without blanks."""
        return key_text(position).replace(" ", "")

    def shown(self, position: Position) -> str:
        """The same."""
        return self.text(position)

    def scene_for(self, position: Position, side: Side) -> Scene:
        """A tree, on which the moves of the side can be pointed at."""
        from zermelo.cgt.scores.tree_picture import tree_scene

        options = position.left if side == "left" else position.right
        names = {option.position: option.move for option in self.options(position, side)}
        return tree_scene(position, "", [(names[option], side, place) for place, option in enumerate(options)])

    def scene(self, position: Position) -> Scene:
        """The tree, with Left's moves."""
        return self.scene_for(position, "left")

    def short_value(self, position: Position) -> Value:
        """Its canonical value."""
        return value_of(written(position))


def number_options(number: Fraction, side: Side) -> list[Tree]:
    """The canonical options of a number: n + 1 = {n|}, and m/2^k lies between its neighbours of that denominator.

    >>> [str(option) for option in number_options(Fraction(3, 4), "right")], number_options(Fraction(2), "right")
    (['1'], [])
    """
    step = Fraction(1, number.denominator) * (-1 if side == "left" else 1)
    if number.denominator == 1 and (number == 0 or (number > 0) != (side == "left")):
        return []
    return [leaf(number + step)]
