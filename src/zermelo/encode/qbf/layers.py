"""Any game as a formula by its positions: those that so many plies reach are a layer.

For games in Python, which have no circuit. In every layer the moves of a position are numbered as the game lists
them and the number is written in bits that all positions of the layer share. The value of a position is the value of
the position that the bits lead to, so the formula is the game's graph with if-then-else gates for edges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.encode.qbf.codes import bits_for, codes, number_of, selected
from zermelo.encode.qbf.encoded import Encoded, Question, formula_of
from zermelo.errors import LimitReachedError, NotApplicableError
from zermelo.game import CHANCE, Game, Score
from zermelo.limits import Limits, memory_watch
from zermelo.qbf.circuit import FALSE, TRUE, Circuit, Literal


@dataclass(frozen=True)
class NumberedMove:
    """The number of a move in the game's own list of the legal ones, in bits."""

    role: str
    variables: tuple[int, ...]

    def move(self, game: Game, position: Any, values: Sequence[bool]) -> Any:
        """The move that the bits say."""
        moves = game.moves(position)
        return moves[number_of(len(moves), values)]

    def values(self, game: Game, position: Any, move: Any) -> Sequence[bool]:
        """The bits of a move; any bits where another role is to move."""
        if move is None:
            return (False,) * len(self.variables)
        moves = list(game.moves(position))
        code = codes(len(moves))[moves.index(move)]
        return (*code, *(False for _ in range(len(self.variables) - len(code))))


@dataclass(frozen=True)
class Layer:
    """Positions after so many plies: whose turn it is in each (0, 1; -1 where play is over), and where moves lead."""

    turn: tuple[int, ...]
    scores: tuple[Score, ...]
    """Of the first role, where play is over."""
    children: tuple[tuple[int, ...], ...]
    """Places in the next layer."""


class Layers:
    """The layers of a game from its start, explored as far as they are asked for.

    >>> from zermelo.games import make_game
    >>> layers = Layers(make_game("nim:2,1"))
    >>> layers.upto(10), layers.finished, sorted(layers.scores)
    (3, True, [-1, 1])
    """

    def __init__(self, game: Game, limits: Limits | None = None) -> None:
        self.game, self.limits = game, limits or Limits()
        self.layers: list[Layer] = []
        self.scores: set[Score] = set()
        self.totals: set[Score] = set()
        self._frontier: list[Any] = [game.start()]
        self._met: set[Any] = {game.start()}
        self._memory = memory_watch(self.limits.memory)
        self._visited = 0

    @property
    def finished(self) -> bool:
        """Whether every line has ended."""
        return not self._frontier

    @property
    def repeat(self) -> bool:
        """Whether some line goes through more positions than there are: then one of them comes again."""
        return len(self.layers) > len(self._met)

    def upto(self, plies: int) -> int:
        """Explores the positions that so many plies reach; returns the plies of the last ones there are."""
        while self._frontier and len(self.layers) <= plies:
            self._explore()
        return min(plies, len(self.layers) - 1)

    def _explore(self) -> None:
        game, roles = self.game, self.game.roles
        index: dict[Any, int] = {}
        turn, scores, children = list[int](), list[Score](), list[tuple[int, ...]]()
        for position in self._frontier:
            self._visited += 1
            if self._visited % 256 == 0 and (self.limits.expired() or self._memory()):
                raise LimitReachedError(f"limit reached after {self._visited} positions")
            result = game.result(position)
            if result is not None:
                self.scores.add(result[0])
                self.totals.add(sum(result))
                turn.append(-1)
                scores.append(result[0])
                children.append(())
                continue
            mover = game.turn(position)
            if mover == CHANCE or isinstance(mover, tuple):
                raise NotApplicableError("formulas need games without chance in which one role moves at a time")
            turn.append(roles.index(mover))
            scores.append(0)
            after = (game.play(position, move) for move in game.moves(position))
            children.append(tuple(index.setdefault(child, len(index)) for child in after))
        self.layers.append(Layer(tuple(turn), tuple(scores), tuple(children)))
        self._frontier = list(index)
        self._met.update(index)


def encode_layers(layers: Layers, question: Question) -> Encoded:
    """The question about a game as a formula over the numbers of its moves.

    >>> from zermelo.games import make_game
    >>> encoded = encode_layers(Layers(make_game("nim:2,1")), Question(3, 1))
    >>> encoded.sizes["variables"], [block.quantifier for block in encoded.formula.prefix]
    (3, ['exists', 'forall'])
    """
    game, circuit = layers.game, Circuit()
    last = layers.upto(question.plies)
    names: dict[int, str] = {}
    plies: list[tuple[NumberedMove | None, NumberedMove | None]] = []
    bits: list[tuple[list[Literal], list[Literal]]] = []
    for ply in range(last):
        layer = layers.layers[ply]
        pair: tuple[list[Literal], list[Literal]] = ([], [])
        for role in range(2):
            most = max((len(c) for c, t in zip(layer.children, layer.turn, strict=True) if t == role), default=0)
            for place in range(bits_for(most)):
                literal = circuit.variable()
                names[literal >> 1] = f"{'xy'[role]}{ply + 1}_{place + 1}"
                pair[role].append(literal)
        bits.append(pair)
        first, second = (
            NumberedMove(game.roles[role], tuple(bit >> 1 for bit in pair[role])) if pair[role] else None
            for role in range(2)
        )
        plies.append((first, second))
    below: list[Literal] = []
    for ply in range(last, -1, -1):
        layer = layers.layers[ply]
        value: list[Literal] = []
        for turn, score, children in zip(layer.turn, layer.scores, layer.children, strict=True):
            if turn < 0:
                value.append(TRUE if score >= question.at_least else FALSE)
            elif ply == last:
                value.append(TRUE if question.unfinished else FALSE)
            else:
                value.append(selected(circuit, bits[ply][turn], [below[child] for child in children]))
        below = value
    return Encoded(formula_of(circuit, below[0], plies, names), question, tuple(plies))
