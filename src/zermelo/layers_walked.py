"""A strategy in layers followed along lines of play: only what somebody looks at is found again.

To know the owner's move in a position of a layer, the layers before it are walked, for they say by their order which
position a move belongs to. Nothing else is: of images only those on the line, of closed positions the plan of the one
that the line meets, of parts the one in which the line goes on. So the work does not depend on how many positions the
strategy meets, but on how many are written down up to there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zermelo.closing import Plan
from zermelo.errors import LimitReachedError
from zermelo.game import Game, Role, Score
from zermelo.layers_played import LeftOut
from zermelo.move_layers import Layers


class _Stretch:
    """Layers that follow on one another, walked as deep as somebody has looked.

    A layer has, for each position or all its images, one of them and the place of the owner's move.
    """

    def __init__(self, left_out: LeftOut, layers: Layers, begun: dict[Any, Any]) -> None:
        self.left_out, self.layers = left_out, layers
        self.walked = [self.chosen(begun, 0)]
        self.part: tuple[int, _Stretch] | None = None
        """The part that was looked at last: others are walked anew, which costs less than to keep them all."""

    def chosen(self, written: dict[Any, Any], number: int) -> dict[Any, tuple[Any, int | None]]:
        """The positions of a layer, each with the place of the owner's move; of what follows them there is none yet."""
        if number == len(self.layers.moves):
            return {key: (position, None) for key, position in written.items()}
        game, role, places = self.left_out.game, self.left_out.role, iter(self.layers.places(number))
        return {
            key: (position, next(places) if game.turn(position) == role else None) for key, position in written.items()
        }

    def layer(self, number: int, most: int) -> dict[Any, tuple[Any, int | None]]:
        """A layer, or the positions with which the parts begin; so many positions may be walked for it."""
        if sum(self.layers.positions[: number + 1]) > most:
            raise LimitReachedError(f"more than {most:,} positions have to be walked")
        while len(self.walked) <= number:
            self.walked.append(self.chosen(self.following(), len(self.walked)))
        return self.walked[number]

    def following(self) -> dict[Any, Any]:
        """What is written down of the positions after the last layer that was walked."""
        left_out, found = self.left_out, dict[Any, Any]()
        game = left_out.game
        for position, place in self.walked[-1].values():
            legal = game.moves(position)
            for move in legal if place is None else (legal[place],):
                after = game.play(position, move)
                if game.result(after) is None and not left_out.closes(after):
                    found.setdefault(left_out.least(after), after)
        return found

    def part_with(self, key: Any, most: int) -> _Stretch | None:
        """The part that goes on from a position of the last layer."""
        if not self.layers.parts:
            return None
        last = self.layer(len(self.layers.moves), most)
        first, place = 0, next((place for place, other in enumerate(last) if other == key), len(last))
        for number, part in enumerate(self.layers.parts):
            count = part.positions[0] if part.positions else 0
            if first <= place < first + count:
                if self.part is None or self.part[0] != number:
                    begun = {each: here for each, (here, _) in list(last.items())[first : first + count]}
                    self.part = number, _Stretch(self.left_out, part, begun)
                return self.part[1]
            first += count
        return None


class Walk:
    """What a strategy in layers plays after a line, whatever it leaves out.

    >>> from zermelo.games import make_game
    >>> nim = make_game("nim:1,1")
    >>> walk = Walk(nim, "second", Layers((1, 2), (b"", b"\\0\\0\\0\\0")))
    >>> walk.move([(0, 1)]), walk.move([(0, 1), (1, 1)])
    ((1, 1), None)
    """

    def __init__(self, game: Game, role: Role, layers: Layers, at_least: Score = 0) -> None:
        self.game, self.role = game, role
        self._left_out = LeftOut(game, role, layers, at_least)
        start = game.start()
        begins = game.result(start) is None and bool(layers.moves)
        self._first = _Stretch(self._left_out, layers, {self._left_out.least(start): start}) if begins else None

    def move(self, line: Sequence[Any], most: int = 1 << 62) -> Any:
        """The move after a line; ``None`` where the strategy does not lead there, or somebody else moves.

        ``most`` is how many positions may be walked in layers that follow on one another; where these are too few, a
        ``LimitReachedError`` says so.
        """
        game, left_out = self.game, self._left_out
        position, stretch, number = game.start(), self._first, 0
        plan: Plan | None = None
        own: Any = None
        for ply in range(len(line) + 1):
            if game.result(position) is not None:
                return None
            mine = game.turn(position) == self.role
            if plan is None:
                plan = left_out.plan_for(position) if ply == 0 else None
                if plan is None:
                    stretch, number = self._met(stretch, number, position, most)
                    plan = left_out.plan_of_image(position) if stretch is None and ply else None
                if plan is not None:
                    own = plan.begin(position) if mine else None
                elif stretch is None:
                    return None
                else:
                    own = self._written(stretch, number, position) if mine else None
            if ply == len(line):
                return own
            if plan is not None and mine and line[ply] != own:
                return None  # the plan promises nothing after other moves
            before, position, number = position, game.play(position, line[ply]), number + 1
            if plan is not None and game.result(position) is None:
                answered = game.turn(position) == self.role
                own = (
                    None if not answered else plan.begin(position) if mine else plan.answer(before, line[ply], position)
                )
        return None

    def _met(self, stretch: _Stretch | None, number: int, position: Any, most: int) -> tuple[_Stretch | None, int]:
        """Where a position is written down: the layers, and which of them; none where it is not."""
        key = self._left_out.least(position)
        while stretch is not None and number == len(stretch.layers.moves):
            stretch, number = stretch.part_with(key, most), 0
        found = stretch is not None and key in stretch.layer(number, most)
        return (stretch, number) if found else (None, 0)

    def _written(self, stretch: _Stretch, number: int, position: Any) -> Any:
        """The move that is written down for a position, or for an image of it."""
        game, least = self.game, self._left_out.least
        written, place = stretch.walked[number][least(position)]
        chosen = game.moves(written)[place or 0]
        if written == position:
            return chosen
        wanted = least(game.play(written, chosen))
        return next(move for move in game.moves(position) if least(game.play(position, move)) == wanted)
