"""``python -m benchmarks.proof_peer``: the search of Connect Four beside a public solver, in one run.

BitBully (``pip install bitbully``) is a strong solver of Connect Four that PyPI has: C++, one thread, an opening book
that is not loaded here. Both programs say who wins random positions after some moves, or with ``--moves 0`` the empty
board; what they say must agree. Each works in a process of its own, with an empty table for each position, and its
processor time is taken for each. Neither program writes a proof here.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys

from zermelo.games import make_game

TARGET = "connect:6,7,4"
OURS = """
import sys, time
from zermelo import _native
from zermelo.games import make_game
from zermelo.taking_up import taken_up
for line in sys.argv[2:]:
    game = taken_up(make_game("connect:6,7,4"), " ".join("abcdefg"[int(column)] for column in line))
    began = time.process_time()
    params = _native.SearchParams()
    params.table_bytes = int(sys.argv[1]) << 20
    search, control = game.native().search("alphabeta", params), _native.Control()
    value = search.solve(control).lower * (-1) ** len(line)
    print(value, time.process_time() - began, control.nodes, flush=True)
"""
PEERS = """
import sys, time
from bitbully import bitbully_core as core
solver = core.BitBullyCore()
assert not solver.isBookLoaded()
for line in sys.argv[2:]:
    board = core.BoardCore()
    assert not line or board.play(line)
    solver.resetTranspositionTable()
    solver.resetNodeCounter()
    began = time.process_time()
    score = solver.negamax(board, -1, 1, 0)
    print((score > 0) - (score < 0), time.process_time() - began, solver.getNodeCounter(), flush=True)
"""
Said = tuple[int, float, int]
"""Who wins (1: whoever is to move), seconds, nodes."""


def random_lines(moves: int, count: int, seed: int) -> list[str]:
    """Moves after which the game is not over and nobody can end it at once, as digits of columns."""
    game, rng, found = make_game(TARGET), random.Random(seed), set[str]()
    while len(found) < (count if moves else 1):
        position, line = game.start(), ""
        while len(line) < moves and game.result(position) is None:
            column = rng.choice(list(game.moves(position)))
            position, line = game.play(position, column), f"{line}{column}"
        nexts = [game.play(position, column) for column in game.moves(position)]
        if game.result(position) is None and all(game.result(after) is None for after in nexts):
            found.add(line)
    return sorted(found)


def asked(program: str, memory: int, lines: list[str]) -> list[Said]:
    """What a program says of positions."""
    done = subprocess.run(
        [sys.executable, "-c", program, str(memory), *lines], capture_output=True, text=True, check=True
    )
    rows = [line.split() for line in done.stdout.splitlines()]
    return [(int(value), float(seconds), int(nodes)) for value, seconds, nodes in rows]


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=12, help="moves before the positions (12)")
    parser.add_argument("--count", type=int, default=20, help="positions (20)")
    parser.add_argument("--seed", type=int, default=1, help="of the positions (1)")
    parser.add_argument("--memory", type=int, default=64, help="megabytes of our table (64); BitBully has its own")
    given = parser.parse_args()
    lines = random_lines(given.moves, given.count, given.seed)
    both = [asked(program, given.memory, lines) for program in (OURS, PEERS)]
    values = [[value for value, _, _ in rows] for rows in both]
    assert values[0] == values[1], f"they disagree: {list(zip(lines, *values, strict=True))}"
    faster = sum(mine[1] < other[1] for mine, other in zip(*both, strict=True))
    print("| program | positions | nodes | processor time | faster in |")
    print("|---|--:|--:|--:|--:|")
    for name, rows, wins in (("zermelo", both[0], faster), ("BitBully", both[1], len(lines) - faster)):
        seconds, nodes = sum(row[1] for row in rows), sum(row[2] for row in rows)
        print(f"| {name} | {len(rows)} | {nodes:,} | {seconds:.2f} s | {wins} |")


if __name__ == "__main__":
    main()
