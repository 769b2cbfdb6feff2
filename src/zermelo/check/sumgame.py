"""Play for the score in the components of a sum, move by move: what tables of moves are tried on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from zermelo.check.inbrackets import shown
from zermelo.check.trees import Trees
from zermelo.game import Game, Score

LONGEST_NAME = 60
"""Options that take more letters to write are named by their place among all, in the order of their texts."""

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
            texts = [self._text(option) for option in options[game]]
            found += [(at, number, _name(at, text, texts)) for number, text in enumerate(texts)]
        return sorted(found)

    def _text(self, game: int) -> str:
        if game not in self._texts:
            self._texts[game] = shown(self.trees, game)
        return self._texts[game]

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


def _name(at: int, text: str, texts: Sequence[str]) -> str:
    name = text.replace(" ", "")
    return f"{at + 1}:{name}" if len(name) <= LONGEST_NAME else f"{at + 1}#{sorted(texts).index(text) + 1}"
