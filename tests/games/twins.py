"""What tests of a game with a native twin share: walking both along one line; brute force in Python."""

from __future__ import annotations

import random
from collections.abc import Hashable

from zermelo import _native
from zermelo.game import Game


def native_of(game: Game) -> _native.Game:
    """The native twin of a game that must have one."""
    twin = game.native()
    assert twin is not None
    return twin


def assert_same(game: Game, position: object, twin: _native.Game) -> None:
    """Both know the same end and score, or the same turn and number of moves."""
    result = game.result(position)
    assert twin.over == (result is not None)
    if result is not None:
        assert twin.score == result[0] == -result[1]
        assert twin.worst <= twin.score <= twin.best
    else:
        assert game.roles[twin.turn] == game.turn(position)
        assert twin.move_count == len(game.moves(position))


def assert_same_on_random_lines(game: Game, lines: int, seed: int = 1) -> None:
    """Plays random games on both sides of the border and compares every position on the way."""
    dice = random.Random(seed)
    for _ in range(lines):
        position, twin = game.start(), native_of(game)
        assert_same(game, position, twin)
        while game.result(position) is None:
            moves = game.moves(position)
            texts = [game.move_text(move) for move in moves]
            assert len(set(texts)) == len(texts)
            index = dice.randrange(len(moves))
            assert game.parse_move(position, texts[index]) == moves[index]
            position, twin = game.play(position, moves[index]), twin.after(index)
            assert_same(game, position, twin)


def perft(game: Game, depth: int) -> int:
    """The number of lines of exactly that many plies."""

    def count(position: object, left: int) -> int:
        if left == 0:
            return 1
        if game.result(position) is not None:
            return 0
        return sum(count(game.play(position, move), left - 1) for move in game.moves(position))

    return count(game.start(), depth)


def native_perft(game: Game, depth: int) -> int:
    """The same number, counted by the kernel."""
    return native_of(game).perft(depth, _native.Control())


class BruteForce:
    """Values of all positions by minimax with memory, on the Python rules only."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.known: dict[Hashable, int] = {}

    def value(self, position: Hashable) -> int:
        """The first role's score under best play."""
        if position not in self.known:
            result = self.game.result(position)
            if result is not None:
                self.known[position] = int(result[0])
            else:
                values = [self.value(self.game.play(position, move)) for move in self.game.moves(position)]
                best = max if self.game.turn(position) == self.game.roles[0] else min
                self.known[position] = best(values)
        return self.known[position]


def native_value(twin: _native.Game, *, symmetry: bool = True) -> int:
    """The value that alpha-beta finds."""
    params = _native.SearchParams()
    params.symmetry = symmetry
    outcome = twin.search("alphabeta", params).solve(_native.Control())
    assert outcome.solved
    return outcome.lower


def assert_same_values_on_random_lines(game: Game, lines: int, seed: int = 1) -> None:
    """Every position on random lines has the value that brute force gives it, with and without symmetry."""
    dice, exact = random.Random(seed), BruteForce(game)
    for _ in range(lines):
        position, twin = game.start(), native_of(game)
        while game.result(position) is None:
            for symmetry in (True, False):
                assert native_value(twin, symmetry=symmetry) == exact.value(position), game.text(position)
            index = dice.randrange(len(game.moves(position)))
            position, twin = game.play(position, game.moves(position)[index]), twin.after(index)
