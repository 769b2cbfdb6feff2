"""A sum in brackets as the checker plays it: its components as scored trees, and play for the score, move by move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from zermelo.check.trees import Trees
from zermelo.errors import LimitReachedError
from zermelo.game import Game, Score

if TYPE_CHECKING:
    from zermelo.check.read.sum import Node, WrittenSum

MOST_COMPONENTS = 1_000_000
"""Sums of more components are not played."""
LARGEST_HEAP = 1_000
"""Larger nim heaps are not written out as trees."""
MOST_POSITIONS = 100_000
"""Sums inside of brackets are played out as one tree up to this size."""
LONGEST_NAME = 60
"""Options that take more letters to write are named by their number."""

Components = tuple[tuple[int, ...], Fraction, int]
"""The components, those that are over as 0; the score of all that are; whose turn it is."""


def components_of(trees: Trees, written: WrittenSum) -> list[int]:
    """The components of a sum as it was written; ``LimitReachedError`` where there are too many to play.

    >>> from zermelo.check.read.sum import text_as_sum
    >>> trees = Trees()
    >>> [shown(trees, game) for game in components_of(trees, text_as_sum("{5|-5} + 2*{3||2|-1} - 1/2"))]
    ['{5|-5}', '{3||2|-1}', '{3||2|-1}', '-1/2']
    """
    made: list[list[int]] = []
    for node in written.nodes:
        trees.tick()
        made.append(_components(trees, node, made))
    return made[-1]


def _components(trees: Trees, node: Node, made: list[list[int]]) -> list[int]:
    match node.kind:
        case "number":
            return [trees.number(node.amount)]
        case "star":
            if node.amount > LARGEST_HEAP:
                raise LimitReachedError(f"*{node.amount} as a tree is too large, at most *{LARGEST_HEAP}")
            return [trees.nimber(int(node.amount))]
        case "up":
            up = trees.up()
            return [up if node.amount > 0 else trees.negate(up)] * _not_too_many(abs(node.amount))
        case "options":
            left, right = ([one_tree(trees, made[part]) for part in side] for side in (node.left, node.right))
            return [trees.node(left, right)]
        case "sum":
            _not_too_many(sum(len(made[part]) for part in node.left))
            return [game for part in node.left for game in made[part]]
        case "minus":
            return [trees.negate(game) for game in made[node.left[0]]]
        case "copies":
            copied = made[node.left[0]]
            _not_too_many(node.amount * len(copied))
            return copied * int(node.amount)


def _not_too_many(count: Fraction | int) -> int:
    if count > MOST_COMPONENTS:
        raise LimitReachedError(f"a sum of {count:,} games, at most {MOST_COMPONENTS:,} are played")
    return int(count)


def one_tree(trees: Trees, games: Sequence[int]) -> int:
    """A sum inside of brackets is one game: a move in any part of it leads to the sum of what is left."""
    if len(games) == 1:
        return games[0]
    root = _parted(trees, games, Fraction(0))
    made: dict[
        tuple[tuple[int, ...], Fraction], int
    ] = {}  # by the parts that are no numbers, and what the others score
    stack = [root]
    while stack:
        position = stack[-1]
        trees.tick()
        hot, score = position
        sides = [
            [
                _parted(trees, (*hot[:at], option, *hot[at + 1 :]), score)
                for at, game in enumerate(hot)
                for option in options[game]
            ]
            for options in (trees.left, trees.right)
        ]
        missing = [after for side in sides for after in side if after not in made]
        if position not in made and missing:
            stack += missing
        else:
            stack.pop()
            left, right = ([made[after] for after in side] for side in sides)
            made[position] = trees.node(left, right) if hot else trees.number(score)
        if len(made) + len(stack) > MOST_POSITIONS:
            raise LimitReachedError(f"a sum inside of brackets with over {MOST_POSITIONS:,} positions")
    return made[root]


def _parted(trees: Trees, games: Sequence[int], score: Fraction) -> tuple[tuple[int, ...], Fraction]:
    """The games that are no numbers, in one order, and what the numbers add to a score."""
    hot = tuple(sorted(game for game in games if trees.numbers[game] is None))
    return hot, sum((trees.numbers[game] or Fraction(0) for game in games), score)


def shown(trees: Trees, game: int) -> str:
    """A tree in brackets, the options of each side in alphabetical order; longer bars save some inner brackets."""
    made: dict[int, tuple[str, int]] = {}

    def text(tree: int) -> tuple[str, int]:
        if trees.numbers[tree] is not None:
            return str(trees.numbers[tree]), 0
        strokes, sides = 1, list[str]()
        for options in (sorted(made[o] for o in side[tree]) for side in (trees.left, trees.right)):
            if len(options) == 1 and options[0][1] < 3:
                strokes = max(strokes, options[0][1] + 1)
                sides.append(options[0][0])
            else:
                sides.append(",".join(f"{{{inner}}}" if bars else inner for inner, bars in options))
        return ("|" * strokes).join(sides), strokes

    inner, bars = trees.folded(game, made, text)
    return f"{{{inner}}}" if bars else str(inner)


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
            found += [(at, number, self._name(at, number, option)) for number, option in enumerate(options[game])]
        return sorted(found)

    def _name(self, at: int, number: int, option: int) -> str:
        name = self._text(option).replace(" ", "")
        return f"{at + 1}:{name}" if len(name) <= LONGEST_NAME else f"{at + 1}#{number + 1}"

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
