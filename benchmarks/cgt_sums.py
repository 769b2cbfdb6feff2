"""Sums of scored trees: nodes and seconds of every variant of the search, by class, median over seeds.

Left starts. ``table`` is alpha-beta with a table alone, then bounds as cut-offs (Hanner's, thermostatic) and moves
struck out because another one makes them superfluous; all these find the value. B* finds a best move only. A variant
that reached the limit shows ``>``; all that answer must answer the same, or the run fails.
``python -m benchmarks.cgt_sums``.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from statistics import median
from typing import Any

from zermelo.cgt.scores.scored import Stop, Tree, leaf, tree
from zermelo.cgt.scores.sums import solve_sum
from zermelo.encode.sum import sum_of_numbers
from zermelo.limits import Limits

SPREAD = 100

VARIANTS: dict[str, dict[str, Any]] = {
    "table": {"cut": "none", "strike": "none"},
    "+ Hanner": {"cut": "mean", "strike": "none"},
    "+ thermostatic": {"cut": "tax", "strike": "none"},
    "+ hottest switch": {"cut": "tax", "strike": "switches"},
    "+ comparisons": {"cut": "tax", "strike": "all"},
    "B*, Berliner": {"method": "berliner"},
    "B*, Palay": {"method": "palay"},
}


def left_heavy(rng: random.Random) -> Tree:
    """{{x|y}|z} with x > y > z."""
    z, y, x = sorted(rng.sample(range(-SPREAD, SPREAD + 1), 3))
    return tree([tree([leaf(x)], [leaf(y)])], [leaf(z)])


def switch(rng: random.Random) -> Tree:
    """{x|y} with x > y."""
    y, x = sorted(rng.sample(range(-SPREAD, SPREAD + 1), 2))
    return tree([leaf(x)], [leaf(y)])


def full(rng: random.Random, depth: int) -> Tree:
    """Two options for either side down to that depth, no position a number before."""
    if depth == 0:
        return leaf(rng.randint(-SPREAD, SPREAD))
    while True:
        made = tree([full(rng, depth - 1) for _ in range(2)], [full(rng, depth - 1) for _ in range(2)])
        if not made.is_number:
            return made


def partition(rng: random.Random, size: int) -> list[Tree]:
    """Whether so many numbers part into two halves of equal sum, as a sum (Yedwab 1985, chapter 4)."""
    return sum_of_numbers([rng.randint(1, 9) for _ in range(size)]).games


CLASSES: dict[str, tuple[Callable[[random.Random, int], list[Tree]], tuple[int, ...]]] = {
    "left-heavy": (lambda rng, n: [left_heavy(rng) for _ in range(n)], (8, 16, 24, 32, 40)),
    "depth 2, two options": (lambda rng, n: [full(rng, 2) for _ in range(n)], (8, 16, 24)),
    "full depth 3": (lambda rng, n: [full(rng, 3) for _ in range(n)], (8, 12, 16)),
    "switches + left-heavy": (lambda rng, n: [(left_heavy, switch)[i % 2](rng) for i in range(n)], (20, 40)),
    "hard: PARTITION of numbers": (partition, (4, 6)),
}


@dataclass(frozen=True)
class Row:
    """One variant on one class: medians, and how many of the runs reached the limit."""

    nodes: float
    seconds: float
    stopped: int
    values: tuple[Stop | None, ...]

    def __str__(self) -> str:
        more = "> " if 2 * self.stopped >= len(self.values) else ""
        return f"{more}{self.nodes:,.0f} / {self.seconds:.3f}"


def measured(games: list[list[Tree]], options: dict[str, Any], limit: float) -> Row:
    """The medians of one variant over sums."""
    answers = [solve_sum(sum_, Limits(seconds=limit), starters=("left",), best=False, **options) for sum_ in games]
    exact = tuple(answer.left_first.lower if answer.left_first.exact else None for answer in answers)
    nodes, seconds = median(a.nodes for a in answers), median(a.seconds for a in answers)
    return Row(nodes, seconds, sum(bool(a.stopped) for a in answers), exact)


def table(limit: float = 5.0, seeds: int = 9, classes: Iterable[str] = tuple(CLASSES)) -> Iterator[str]:
    """The lines of the table, as they are found."""
    yield "| sum | " + " | ".join(VARIANTS) + " |"
    yield "|---" * (len(VARIANTS) + 1) + "|"
    for name in classes:
        make, sizes = CLASSES[name]
        given_up: set[str] = set()
        for size in sizes:
            games = [make(random.Random(f"{name} {size} {seed}"), size) for seed in range(seeds)]
            cells = []
            known: list[Stop | None] = [None] * seeds
            for variant, options in VARIANTS.items():
                if variant in given_up:
                    cells.append("-")
                    continue
                row = measured(games, options, limit)
                if 2 * row.stopped >= seeds:  # larger sums of the class would only reach the limit again
                    given_up.add(variant)
                for number, value in enumerate(row.values):
                    if value is not None and known[number] not in (None, value):
                        raise AssertionError(f"{variant} disagrees on {name} {size}, seed {number}: {value}")
                    known[number] = value or known[number]
                cells.append(str(row))
            yield f"| {name}, {size} | " + " | ".join(cells) + " |"


def bounded(components: int = 1000) -> float:
    """Seconds until both starters' bounds of so many left-heavy trees are known."""
    rng = random.Random(components)
    games = [left_heavy(rng) for _ in range(components)]
    answer = solve_sum(games, Limits(nodes=1), best=False)
    widths = [played.upper[0] - played.lower[0] for played in (answer.left_first, answer.right_first)]
    assert all(Fraction(0) <= width <= 2 * SPREAD for width in widths)
    return answer.seconds


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=5.0, help="seconds that one sum may take")
    parser.add_argument("--seeds", type=int, default=9)
    arguments = parser.parse_args()
    for line in table(arguments.limit, arguments.seeds):
        print(line, flush=True)
    print(f"\n1,000 components bounded in {bounded():.3f} s")


if __name__ == "__main__":
    main()
