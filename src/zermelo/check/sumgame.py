"""Play for the score in the components of a sum, move by move: what tables of moves are tried on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import groupby

from zermelo.check.inbrackets import shown
from zermelo.check.trees import Trees
from zermelo.game import Game, Score

LONGEST_NAME, LONGEST_KEY = 60, 10_000
"""Options that take more letters to write are named by their place, and trees in keys as lists of their positions."""

Components = tuple[tuple[int, ...], Fraction, int]
"""The components, those that are over as 0; the score of all that are; whose turn it is."""


class SumGame(Game):
    """Play in the components of a sum, for the score; it ends when every component is a number.

    >>> from zermelo.check.read.sum import text_as_sum
    >>> game = text_as_sum("{5|-5} + {3||2|-1}").game()
    >>> [game.move_text(move) for move in game.moves(game.start())], game.key(game.start())
    (['1:5', '2:3'], '{5|-5} + {3||2|-1} + 0 left')
    """

    def __init__(
        self,
        components: Callable[[Trees], Sequence[int]],
        roles: tuple[str, ...] = ("left", "right"),
        first: int = 0,
    ) -> None:
        self.trees, self.roles = Trees(), roles
        self._components, self._first = components, first
        self._texts: dict[int, str] = {}
        self._inner: dict[int, tuple[int, int]] = {}

    def start(self) -> Components:
        """The components are made when play begins: claims that are no tables never ask for them."""
        return self._settled(tuple(self._components(self.trees)), Fraction(0), self._first)

    def _settled(self, components: Sequence[int], score: Fraction, turn: int) -> Components:
        numbers = [self.trees.numbers[game] for game in components]
        over = [number is not None for number in numbers]
        rest = tuple(self.trees.zero if done else game for game, done in zip(components, over, strict=True))
        return rest, score + sum((number for number in numbers if number is not None), Fraction(0)), turn

    def turn(self, position: Components) -> str:
        return self.roles[position[2]]

    def moves(self, position: Components) -> list[tuple[int, int, str]]:
        """Every move once: of equal components the first stands for all. A move is a component, an option, a name."""
        components, _, turn = position
        options = self.trees.right if turn else self.trees.left
        found = []
        for game, at in {game: at for at, game in reversed(list(enumerate(components)))}.items():
            names = self._names(options[game])
            found += [(at, number, f"{at + 1}{name}") for number, name in enumerate(names)]
        return sorted(found)

    def _names(self, options: Sequence[int]) -> list[str]:
        long = {option for option in options if self._length(option) > LONGEST_NAME}
        in_order = [game for game in self._ordered(long and options) if game in options]
        return [f"#{in_order.index(o) + 1}" if o in long else f":{self._text(o)}" for o in options]

    def _ordered(self, games: Iterable[int]) -> dict[int, int]:
        """All positions below some games with their places: shorter texts first, then by the places of the options.

        No text is made for it: that of a nim heap of 40 has more than 3**40 letters, in 41 positions.
        """
        below: dict[int, int] = {}
        for game in games:
            self.trees.folded(game, below, self._length)
        places: dict[int, int] = {}
        for _, alike in groupby(sorted(below, key=below.__getitem__), below.__getitem__):
            for game in sorted(alike, key=lambda game: (self.trees.numbers[game] or 0, *self._sides(game, places))):
                places[game] = len(places)
        return places

    def _sides(self, game: int, places: dict[int, int]) -> list[list[int]]:
        return [sorted(places[option] for option in side[game]) for side in (self.trees.left, self.trees.right)]

    def _length(self, game: int) -> int:
        letters, strokes = self.trees.folded(game, self._inner, self._letters)
        return letters + 2 * (strokes > 0)

    def _letters(self, game: int) -> tuple[int, int]:
        """How many letters a game has between its outer brackets, and strokes in its bar, if its options are known."""
        if self.trees.numbers[game] is not None:
            return len(str(self.trees.numbers[game])), 0
        letters, strokes = 0, 1
        for side in (self.trees.left[game], self.trees.right[game]):
            inner = [self._inner[option] for option in side]
            if len(inner) == 1 and inner[0][1] < 3:
                letters, strokes = letters + inner[0][0], max(strokes, inner[0][1] + 1)
            else:
                letters += sum(size + 2 * (bars > 0) for size, bars in inner) + len(inner) - 1
        return letters + strokes, strokes

    def _text(self, game: int) -> str:
        if game not in self._texts:
            self._texts[game] = shown(self.trees, game) if self._length(game) <= LONGEST_KEY else self._listed(game)
        return self._texts[game]

    def _listed(self, game: int) -> str:
        places, rows = self._ordered([game]), list[str]()
        for each in places:
            number, sides = self.trees.numbers[each], self._sides(each, places)
            rows.append("|".join(",".join(map(str, side)) for side in sides) if number is None else str(number))
        return f"[{';'.join(rows)}]"

    def play(self, position: Components, move: tuple[int, int, str]) -> Components:
        components, score, turn = position
        at, number, _ = move
        option = (self.trees.right if turn else self.trees.left)[components[at]][number]
        return self._settled((*components[:at], option, *components[at + 1 :]), score, 1 - turn)

    def result(self, position: Components) -> tuple[Score, ...] | None:
        if any(self.trees.numbers[game] is None for game in position[0]):
            return None
        return position[1], -position[1]

    def move_text(self, move: tuple[int, int, str]) -> str:
        return move[2]

    def key(self, position: Components) -> str:
        return " + ".join([*map(self._text, position[0]), str(position[1])]) + f" {self.roles[position[2]]}"
