"""``python -m benchmarks.networks``: the sizes of networks of one round, beside those of Koriche et al. (2016).

Theirs are the figures of their Table 2 (a Pentium of 3.4 GHz); rules differ in detail from game to game. Each of ours
is made in a process of its own, whose memory is the most that it held.
"""

from __future__ import annotations

import multiprocessing
import resource
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

PAPER = {
    "oware": (19, 37, 73, 94),
    "backgammon": (76, 768, 86, 347),
    "bomberman": (145, 64, 42, 31),
    "cantstop": (16, 1296, 409, 248),
    "checkers": (86, 262144, 52, 43),
    "chess": (71, 4096, 50, 76),
    "chinesecheckers": (103, 192, 87, 54),
    "hex": (22, 6561, 27, 91),
    "kaseklau": (18, 7776, 106, 35),
    "orchard": (9, 146410, 40, 12),
    "othello": (81, 65, 29, 51),
    "pacman": (93, 64, 22, 36),
    "pickomino": (29, 1679616, 223, 172),
    "tictactoe": (19, 18, 37, 0),
    "yahtzee": (12, 30, 8862, 182),
}
"""Variables, largest domain, constraints and seconds, by the names of our rulesheets."""


@dataclass(frozen=True)
class Size:
    """The network of one round: ``derived`` of the variables follow from the others of the same round."""

    variables: int
    derived: int
    largest: int
    constraints: int
    rows: int
    seconds: float
    megabytes: int


def size_of(name: str) -> Size:
    """The size of a game's network of one round."""
    from zermelo.encode.scsp import micro_network
    from zermelo.gdl.ground import ground
    from zermelo.gdl.library import rulesheet

    begin = time.perf_counter()
    micro = micro_network(ground(rulesheet(name)))
    seconds = time.perf_counter() - begin
    network = micro.network
    plain = {micro.terminal, *micro.state_variables, *micro.later_variables, *micro.move_variables}
    return Size(
        len(network.variables),
        len(network.variables) - len(plain),
        max(variable.size for variable in network.variables),
        len(network.tables) + len(network.utilities) + len(network.chances),
        sum(len(table.tuples) for table in network.tables),
        seconds,
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    )


def table() -> Iterator[str]:
    """The lines of the table, each as soon as it is known."""
    yield "| game | theirs: #vars | maxDom | #const | s | ours: #vars | derived | maxDom | #const | rows | s | MB |"
    yield "|---|---|---|---|---|---|---|---|---|---|---|---|"
    for name, (variables, largest, constraints, seconds) in PAPER.items():
        fresh = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(max_workers=1, mp_context=fresh) as pool:
            own = pool.submit(size_of, name).result()
        yield (
            f"| {name} | {variables} | {largest:,} | {constraints:,} | {seconds} | {own.variables:,} | {own.derived:,} "
            f"| {own.largest:,} | {own.constraints:,} | {own.rows:,} | {own.seconds:.1f} | {own.megabytes:,} |"
        )


if __name__ == "__main__":
    for line in table():
        print(line, flush=True)
