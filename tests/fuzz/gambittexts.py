"""Random files of Gambit's: trees and tables."""

from __future__ import annotations

import random
from math import prod


def random_tree(rng: random.Random, players: int, depth: int) -> str:
    """A file with a random tree, with payoffs on the way, shared outcomes, and names that are alike."""
    lines = [f'EFG 2 {rng.choice("RD")} "t" {{ {_players(players)} }}']
    sets = [0] * (players + 1)
    outcomes: list[str] = []

    def outcome() -> str:
        if rng.random() < 0.4:
            return "0"
        if outcomes and rng.random() < 0.3:
            return str(rng.randrange(len(outcomes)) + 1)
        outcomes.append(", ".join(rng.choice(("1", "-2", "1/3", "0.25", "1e1", "7")) for _ in range(players)))
        return f'{len(outcomes)} "" {{ {outcomes[-1]} }}'

    def node(left: int) -> None:
        if left == 0 or rng.random() < 0.15:
            lines.append(f't "" {outcome()}')
            return
        player = rng.randrange(players + 1)
        sets[player] += 1
        count = rng.randint(1, 3)
        names = [rng.choice(("a", "b", "", 'q\\"')) for _ in range(count)]
        if player == 0:
            inner = " ".join(f'"{name}" 1/{count}' for name in names)
            lines.append(f'c "" {sets[0]} "" {{ {inner} }} {outcome()}')
        else:
            inner = " ".join(f'"{name}"' for name in names)
            lines.append(f'p "" {player} {sets[player]} "" {{ {inner} }} {outcome()}')
        for _ in range(count):
            node(left - 1)

    node(depth)
    return "\n".join(lines) + "\n"


def random_table(rng: random.Random) -> str:
    """A file with a random table, by payoffs or by outcomes."""
    sizes = [rng.randint(1, 3) for _ in range(rng.randint(2, 3))]
    head, cells = f'NFG 1 {rng.choice("RD")} "t" {{ {_players(len(sizes))} }}', prod(sizes)
    if rng.random() < 0.5:
        payoffs = " ".join(str(rng.randint(-3, 3)) for _ in range(cells * len(sizes)))
        return f"{head} {{ {' '.join(map(str, sizes))} }}\n{payoffs}\n"
    names = " ".join("{ " + " ".join(f'"s{i}"' for i in range(size)) + " }" for size in sizes)
    outcomes = "\n".join(f'{{ "o" {", ".join(str(rng.randint(-3, 3)) for _ in sizes)} }}' for _ in range(4))
    chosen = " ".join(str(rng.randint(0, 4)) for _ in range(cells))
    return f'{head} {{ {names} }}\n"a comment"\n{{\n{outcomes}\n}}\n{chosen}\n'


def _players(count: int) -> str:
    return " ".join(f'"P{i}"' for i in range(count))
