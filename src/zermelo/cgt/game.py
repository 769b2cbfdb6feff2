"""Sums as games that can be played and searched: boards under normal play, and sums in brackets played for a score."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from zermelo.cgt.boards.board_value import bounds_of_board, value_by_position, value_of_board
from zermelo.cgt.boards.large_heaps import large_heaps, nimber_data, periods_in_words, winning_move
from zermelo.cgt.boards.outcome import Summand
from zermelo.cgt.boards.ruleset import SIDES, Option, Position, Ruleset, positions_of
from zermelo.cgt.boards.value_proof import board_data, sum_data
from zermelo.cgt.scores.naming import option_names, shown, tree_key
from zermelo.cgt.scores.scored import Tree, leaf, trees_of
from zermelo.cgt.text.notation import parse
from zermelo.cgt.text.written_expression import Expression
from zermelo.cgt.values.arena import step_look
from zermelo.cgt.values.value import Value, value_of
from zermelo.errors import IllegalMoveError
from zermelo.game import Game, Score, win_for
from zermelo.limits import Limits, step_watch

if TYPE_CHECKING:
    from zermelo.cgt.thermographs.thermograph import Thermograph
    from zermelo.draw.scene import Scene

MOST_MOVES = 400
"""Boards with more first moves are not asked what each of them leads to."""

Boards = tuple[tuple[Position, ...], int]
"""The summands and whose turn it is."""
Components = tuple[tuple[Tree, ...], int]
"""The components, those that are over as 0, and at the end the score of all that are; whose turn it is."""


class SumGame(Game):
    """A game whose positions have values as combinatorial games, between Left, who begins, and Right."""

    roles: tuple[str, ...] = SIDES
    engine: str
    """The engines to take if nobody named any."""

    @abstractmethod
    def value(self, limits: Limits) -> Value:
        """The canonical value."""

    @abstractmethod
    def value_data(self, value: Value, limits: Limits) -> dict[str, Any]:
        """What the checker needs to see that this is the value."""

    @abstractmethod
    def thermographs(self, position: Any, limits: Limits) -> list[tuple[str, Thermograph]]:
        """Names and thermographs of a position, that of the whole sum first."""

    def scores(self, value: Value) -> tuple[Fraction, Fraction] | None:
        """What Left gets if he starts and if Right does, where the game is played for a score."""
        del value
        return None

    def first_move(self, limits: Limits) -> tuple[Any, Mapping[str, str]]:
        """A best first move, and what each leads to; ``None`` and nothing where that is not worked out."""
        del limits
        return None, {}

    def shorter_proof(self, value: str) -> tuple[str, dict[str, Any], str] | None:
        """A rule that proves a value without a list of positions, its data, and what it rests on, if there is one."""
        del value
        return None

    def bounds(self) -> tuple[int | None, int | None]:
        """What is known of the value without working it out."""
        return None, None


class BoardSum(SumGame):
    """Boards side by side: a move is a move on one of them, and who cannot move has lost. Left begins.

    >>> game = BoardSum.named("domineering:..|.#")
    >>> [game.move_text(move) for move in game.moves(game.start())]
    ['a1a2']
    """

    kind = "board"
    engine = "outcome+cgt"

    def __init__(self, ruleset: Ruleset, positions: Sequence[Position], target: str = "") -> None:
        self.ruleset, self.positions, self.target = ruleset, tuple(positions), target

    @classmethod
    def named(cls, target: str) -> BoardSum:
        """The boards that a target names."""
        return cls(*positions_of(target), target)

    def start(self) -> Boards:
        return self.positions, 0

    def summands(self, position: Boards) -> list[Summand]:
        """The boards of a position, each with its rules."""
        return [(self.ruleset, board) for board in position[0]]

    def turn(self, position: Boards) -> str:
        return self.roles[position[1]]

    def _options(self, position: Boards, index: int) -> Sequence[Option]:
        return self.ruleset.options(position[0][index], SIDES[position[1]])

    def moves(self, position: Boards) -> list[tuple[int, str]]:
        boards = range(len(position[0]))
        return [(index, option.move) for index in boards for option in self._options(position, index)]

    def some_move(self, position: Boards) -> tuple[int, str] | None:
        for index, (rules, board) in enumerate(self.summands(position)):
            option = rules.some_option(board, SIDES[position[1]])
            if option is not None:
                return index, option.move
        return None

    def play(self, position: Boards, move: tuple[int, str]) -> Boards:
        index, name = move
        boards, turn = position
        for option in self._options(position, index):
            if option.move == name:
                return (*boards[:index], option.position, *boards[index + 1 :]), 1 - turn
        raise IllegalMoveError(f"{name} is not a legal move here")

    def result(self, position: Boards) -> tuple[int, int] | None:
        turn = position[1]
        over = not any(rules.can_move(board, SIDES[turn]) for rules, board in self.summands(position))
        return win_for(1 - turn) if over else None

    def move_text(self, move: tuple[int, str]) -> str:
        return move[1] if len(self.positions) == 1 else f"{move[0] + 1}:{move[1]}"

    def key(self, position: Boards) -> str:
        return "+".join(self.ruleset.text(board) for board in position[0]) + f" {self.roles[position[1]]}"

    def text(self, position: Boards) -> str:
        return "\n\n".join(self.ruleset.shown(board) for board in position[0])

    def scene(self, position: Boards) -> Scene:
        from zermelo.draw.scene import beside, named_places

        scenes = self.scenes(position)
        prefixes = [f"{index + 1}:" if len(scenes) > 1 else "" for index in range(len(scenes))]
        ways = {}
        for index, scene in enumerate(scenes):
            for option in self._options(position, index):
                names = scene.ways.get(option.move) or named_places(scene, option.move)
                if names:
                    ways[index, option.move] = tuple(prefixes[index] + name for name in names)
        return replace(beside(scenes, prefixes), ways=ways, title=self.title_of_scene())

    def scenes(self, position: Boards) -> list[Scene]:
        """A picture of each board."""
        return [self.ruleset.scene_for(board, SIDES[position[1]]) for board in position[0]]

    def title_of_scene(self) -> str:
        """What stands over the picture of the whole."""
        return self.ruleset.name

    def value_after(self, position: Boards, limits: Limits) -> Value:
        """The canonical value of a later position."""
        return value_of_board(self.ruleset, position[0], limits)

    def value(self, limits: Limits) -> Value:
        return value_of_board(self.ruleset, self.positions, limits)

    def value_data(self, value: Value, limits: Limits) -> dict[str, Any]:
        return board_data(self.ruleset, self.positions, value, value_by_position(self.ruleset, limits), limits)

    def thermographs(self, position: Boards, limits: Limits) -> list[tuple[str, Thermograph]]:
        from zermelo.cgt.thermographs.sum_pictures import shapes_of_boards

        return shapes_of_boards(self.ruleset, position[0], limits)

    def first_move(self, limits: Limits) -> tuple[Any, Mapping[str, str]]:
        """A move with which Left wins, if he can; what each of his moves leads to, where there are not too many."""
        if (heaps := large_heaps(self.summands(self.start()))) is not None:
            return winning_move(heaps), {}
        start = self.start()
        moves = self.moves(start)
        worths: dict[str, str] = {}
        best: tuple[tuple[bool, Fraction], Any] | None = None
        look = step_look()
        for move in moves if len(moves) <= MOST_MOVES else ():
            look()
            worth = self.value_after(self.play(start, move), limits)
            worths[self.move_text(move)] = str(worth)
            rank = worth >= 0, worth.right_stop
            if best is None or rank > best[0]:
                best = rank, move
        return None if best is None else best[1], worths

    def shorter_proof(self, value: str) -> tuple[str, dict[str, Any], str] | None:
        """Of large heaps, by the sequence of nim-values."""
        heaps = large_heaps(self.summands(self.start()))
        return None if heaps is None else ("nimbers", nimber_data(heaps, value), periods_in_words(heaps))

    def bounds(self) -> tuple[int | None, int | None]:
        """What the numbers of moves tell."""
        return bounds_of_board(self.ruleset, self.positions)


class WrittenSum(SumGame):
    """A sum in brackets, played for a score; Left begins. Play ends when every component is a number.

    >>> game = WrittenSum("{5|-5} + {3||2|-1}")
    >>> [game.move_text(move) for move in game.moves(game.start())]
    ['1:5', '2:3']
    """

    kind = "sum"
    engine = "sum+cgt"

    def __init__(self, source: Expression | str, name: str = "literal") -> None:
        self.expression = parse(source, name) if isinstance(source, str) else source
        self.name = name

    @cached_property
    def components(self) -> tuple[Tree, ...]:
        """The sum as it was written."""
        return tuple(trees_of(self.expression, self.name))

    def write_out(self, limits: Limits) -> None:
        """Makes the components now, within limits; ``LimitReachedError`` where one comes first."""
        if "components" not in self.__dict__:
            self.__dict__["components"] = tuple(
                trees_of(self.expression, self.name, step_watch(replace(limits, nodes=None)))
            )

    def start(self) -> Components:
        return settled((*self.components, leaf(0))), 0

    def turn(self, position: Components) -> str:
        return self.roles[position[1]]

    def moves(self, position: Components) -> list[tuple[int, int, str]]:
        """Every move once: of equal components the first stands for all."""
        components, turn = position
        found = []
        first: dict[Tree, int] = {}
        for index, game in enumerate(components):
            if game.number is None and first.setdefault(game, index) == index:
                options = game.left if turn == 0 else game.right
                found += [(index, number, name) for number, name in enumerate(option_names(index, options))]
        return found

    def play(self, position: Components, move: tuple[int, int, str]) -> Components:
        components, turn = position
        index, number, _ = move
        options = components[index].left if turn == 0 else components[index].right
        return settled((*components[:index], options[number], *components[index + 1 :])), 1 - turn

    def result(self, position: Components) -> tuple[Fraction, Fraction] | None:
        if any(game.number is None for game in position[0]):
            return None
        score = position[0][-1].number
        assert score is not None
        return score, -score

    def verdict(self, value: Score) -> tuple[str, str] | None:
        """A score alone does not tell who moved last."""
        return None if value else ("draw", "score 0: who moved last has won")

    def move_text(self, move: tuple[int, int, str]) -> str:
        return move[2]

    def key(self, position: Components) -> str:
        return " + ".join(map(tree_key, position[0])) + f" {self.roles[position[1]]}"

    def text(self, position: Components) -> str:
        lines = [f"{index + 1}: {shown(game)}" for index, game in enumerate(position[0]) if game.number is None]
        return "\n".join([*lines, f"score: {position[0][-1]}"])

    def scene(self, position: Components) -> Scene:
        from zermelo.cgt.scores.tree_picture import tree_scene
        from zermelo.draw.scene import Scene, beside, stacked
        from zermelo.draw.svg import label

        components, turn = position
        moves: dict[int, list[tuple[str, str, int]]] = {}
        for index, number, name in self.moves(position):
            moves.setdefault(index, []).append((name, SIDES[turn], number))
        scenes = [
            tree_scene(game, str(index + 1), moves.get(index, []))
            for index, game in enumerate(components[:-1])
            if game.number is None
        ]
        score = f"score so far {components[-1]}" if scenes else f"over: score {components[-1]}"
        words = Scene(8.0 * len(score) + 30, 30, over=(label(4.0 * len(score) + 15, 14, score, 13),))
        return replace(stacked([beside(scenes), words] if scenes else [words]), title="sum")

    def value(self, limits: Limits) -> Value:
        del limits  # the arena's own control has them
        return value_of(self.expression)

    def value_data(self, value: Value, limits: Limits) -> dict[str, Any]:
        del limits
        return sum_data(value)

    def scores(self, value: Value) -> tuple[Fraction, Fraction]:
        """The stops of the value."""
        return value.left_stop, value.right_stop

    def thermographs(self, position: Components, limits: Limits) -> list[tuple[str, Thermograph]]:
        from zermelo.cgt.thermographs.sum_pictures import shapes_of_trees

        del limits
        # Without components it is a record with a region that is no tree, whose components say so.
        return shapes_of_trees(position[0] or self.components)


def settled(components: tuple[Tree, ...]) -> tuple[Tree, ...]:
    """Scores of components that are over go to the end, so that equal sums are equal positions.

    >>> [str(game) for game in settled(tuple(trees_of("3 + {5|-5} + 1")))]
    ['0', '{5|-5}', '4']
    """
    score = sum((game.number for game in components if game.number is not None), Fraction(0))
    return (*(leaf(0) if game.number is not None else game for game in components[:-1]), leaf(score))
