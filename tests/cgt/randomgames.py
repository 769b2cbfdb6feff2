"""Random games in brackets: scored trees, sums, and values with nimbers and ups among the leaves."""

from __future__ import annotations

import random
from fractions import Fraction

from zermelo.cgt.scores.scored import LEFT_TO_MOVE, RIGHT_TO_MOVE, Stop, Tree, leaf, tree


def random_score(rng: random.Random, spread: int = 12) -> Fraction:
    """A whole number most of the time, else a half or a quarter."""
    denominator = rng.choice([1, 1, 1, 2, 4])
    return Fraction(rng.randint(-spread, spread), denominator)


def random_tree(rng: random.Random, depth: int = 3, options: int = 2, spread: int = 12) -> Tree:
    """A scored tree of at most that depth; it may turn out to be a number."""
    if depth == 0 or rng.random() < 0.2:
        return leaf(random_score(rng, spread))
    left = [random_tree(rng, depth - 1, options, spread) for _ in range(rng.randint(1, options))]
    right = [random_tree(rng, depth - 1, options, spread) for _ in range(rng.randint(1, options))]
    return tree(left, right)


def random_sum(rng: random.Random, components: int = 3, depth: int = 2, options: int = 2) -> list[Tree]:
    """Up to that many random trees."""
    return [random_tree(rng, depth, options) for _ in range(rng.randint(1, components))]


def left_heavy(rng: random.Random, spread: int = 100) -> Tree:
    """A left-heavy tree {{x|y}|z} with x > y > z (Yedwab 1985, section 3.3)."""
    z, y, x = sorted(rng.sample(range(-spread, spread + 1), 3))
    return tree([tree([leaf(x)], [leaf(y)])], [leaf(z)])


def random_text(rng: random.Random, depth: int = 3) -> str:
    """A game in brackets with all sorts of leaves, empty sides included."""
    if depth == 0 or rng.random() < 0.25:
        leaves = ["0", "1", "-1", "2", "-3", "1/2", "-3/4", "*", "*2", "*3", "^", "v", "^*", "vv", "1*", "+-1", "+_1"]
        return rng.choice(leaves)
    sides = [",".join(random_text(rng, depth - 1) for _ in range(rng.randint(0, 2))) for _ in range(2)]
    return f"{{{sides[0]}|{sides[1]}}}"


def brute_force(games: list[Tree], left_starts: bool) -> Stop:
    """The score of a sum under best play and who is to move then, by trying everything."""
    memory: dict[tuple[tuple[Tree, ...], bool], Stop] = {}

    def best(hot: tuple[Tree, ...], left_moves: bool) -> Stop:
        key = hot, left_moves
        if key not in memory:
            found: list[Stop] = []
            for index, game in enumerate(hot):
                for option in game.left if left_moves else game.right:
                    rest = hot[:index] + hot[index + 1 :]
                    if option.number is None:
                        found.append(best(tuple(sorted((*rest, option), key=id)), not left_moves))
                    else:
                        score, turn = best(rest, not left_moves)
                        found.append((score + option.number, turn))
            over = (Fraction(0), LEFT_TO_MOVE if left_moves else RIGHT_TO_MOVE)
            memory[key] = (max if left_moves else min)(found, default=over)
        return memory[key]

    score, turn = best(tuple(sorted((g for g in games if g.number is None), key=id)), left_starts)
    return score + sum((g.number for g in games if g.number is not None), Fraction(0)), turn
