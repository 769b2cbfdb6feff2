"""Random sums in which temperature says where to move, or nearly does."""

from __future__ import annotations

import random

from zermelo.cgt.scores.scored import Tree, leaf, negative, tree, trees_of


def switch(rng: random.Random, most: int) -> Tree:
    """A switch, which may turn out to be a number."""
    low, high = sorted(rng.randint(-most, most) for _ in range(2))
    return tree([leaf(high)], [leaf(low)])


def hot_sum(rng: random.Random) -> list[Tree]:
    """Games of the shapes that formulas become, with constants that lie apart or nearly so."""
    most = rng.choice((2, 4, 9))
    games = [switch(rng, most) for _ in range(rng.randint(0, 3))]
    if rng.random() < 0.5:
        games += trees_of("^")
    size = 12 * most
    for _ in range(rng.randint(0, 4)):
        size = size * rng.choice((1, 2, 3, 4)) + rng.randint(0, 2)
        small = [rng.choice([leaf(rng.randint(-most, most)), switch(rng, most), switch(rng, size // 4)]) for _ in "ab"]
        half, shift, more = rng.randint(1, most), rng.choice((0, 0, 0, 1)), rng.choice((0, 0, 1))
        offered = tree([leaf(half + shift)], [leaf(shift - half)])
        shapes = [
            [tree([leaf(size)], [leaf(-size)])],
            [tree(small[: rng.randint(1, 2)], [leaf(-size)])],
            [tree([offered], [leaf(-size)]), tree([leaf(0)], [leaf(-size - more)])],
            [tree([leaf(size)], [leaf(-half), tree([leaf(half)], [leaf(-size // 2)])])],
        ]
        found = rng.choice(shapes)
        games += [negative(game) for game in found] if rng.random() < 0.5 else found
    return games
