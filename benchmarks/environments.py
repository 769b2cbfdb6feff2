"""``python -m benchmarks.environments``: moves a second of environments in which random agents play Connect Four.

Ours, one game and many at a time, beside PettingZoo's own ``connect_four_v3`` (packages ``pettingzoo`` and ``pygame``),
each through the interface of PettingZoo, by turns in one process; processor time, the best of several runs.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from time import process_time
from typing import Any

import numpy

from zermelo.bridges.pettingzoo import env


def moves_of(table: Any, seconds: float, rng: Any) -> float:
    """Moves a second of random agents."""
    made, begin, seed = 0, process_time(), 0
    while process_time() < begin + seconds:
        seed += 1
        table.reset(seed=seed)
        for _ in table.agent_iter():
            observation, _, ended, cut, info = table.last()
            mask = observation["action_mask"]
            if ended or cut:
                table.step(None)
                continue
            made += 1 if mask.ndim == 1 else int((~info["over"]).sum())
            table.step(int(rng.choice(numpy.flatnonzero(mask))) if mask.ndim == 1 else any_of(mask, rng))
    return made / (process_time() - begin)


def any_of(mask: Any, rng: Any) -> Any:
    """A random legal action in each game."""
    return (rng.random(mask.shape) * mask).argmax(axis=1)


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="of each run (2)")
    parser.add_argument("--rounds", type=int, default=3, help="how often by turns (3)")
    given = parser.parse_args()
    tables: dict[str, Callable[[], Any]] = {"connect:6,7,4, one game": lambda: env("connect:6,7,4")}
    for games in (1, 64, 512, 4096):
        tables[f"gdl:connectfour:6,7,4, {games} at once"] = lambda games=games: env(
            "gdl:connectfour:6,7,4", games=games
        )  # type: ignore[misc]
    try:
        from pettingzoo.classic import connect_four_v3  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError:
        print("PettingZoo's own Connect Four needs the packages pettingzoo and pygame")
    else:
        tables["PettingZoo connect_four_v3, one game"] = connect_four_v3.env
    made = {name: table() for name, table in tables.items()}
    rng = numpy.random.default_rng(1)
    best = dict.fromkeys(made, 0.0)
    for _ in range(given.rounds):
        for name, table in made.items():
            best[name] = max(best[name], moves_of(table, given.seconds, rng))
    for name, rate in best.items():
        print(f"| {name} | {rate:,.0f} |")


if __name__ == "__main__":
    main()
