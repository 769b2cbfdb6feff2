"""Simulations a second: Zermelo's uct and OpenSpiel's C++ MCTSBot, in turn, in one process.

Both search from the start position with the same number of simulations, one random game a simulation, the
same exploration and no solver, again and again with fresh trees. Rates are per second of processor time, so
that other work on the machine favours neither; the best of the rounds counts.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass

from zermelo import _native

# OpenSpiel multiplies its constant with rewards in [-1, 1]; Zermelo scales rewards to [0, 1] first.
UCT_C = 2.0
ROUNDS = 3


@dataclass(frozen=True)
class Case:
    """One game under both names, and the simulations of one search."""

    name: str
    native: str
    arguments: tuple[int, ...]
    open_spiel: str
    simulations: int


CASES = (
    Case("tic-tac-toe", "mnk", (3, 3, 3), "tic_tac_toe", 20_000),
    Case("connect four", "connect", (6, 7, 4), "connect_four", 20_000),
    Case("breakthrough", "breakthrough", (8, 8, 2), "breakthrough", 5_000),
    Case("hex 11", "hex", (11,), "hex(board_size=11)", 5_000),
    Case("othello", "othello", (8, 8), "othello", 2_000),
)


@dataclass(frozen=True)
class Rates:
    """Simulations a second of both programs; None where a program has no such game or is not installed."""

    case: Case
    ours: float | None
    peer: float | None

    @property
    def ratio(self) -> float | None:
        """How many times faster Zermelo is."""
        return self.ours / self.peer if self.ours and self.peer else None


def zermelo_search(case: Case) -> Callable[[int], None] | None:
    """One search by uct from the start, as a function of its seed; None if there is no such native game."""
    game = _native.game(case.native, list(case.arguments))
    if game is None:
        return None
    params = _native.SearchParams()
    params.simulations = case.simulations
    params.exploration = UCT_C / 2
    params.prove = False

    def search(seed: int) -> None:
        params.seed = seed
        game.search("uct", params).solve(_native.Control())

    return search


def spiel_search(case: Case) -> Callable[[int], None] | None:
    """One search by OpenSpiel's MCTSBot from the start; None if OpenSpiel is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game(case.open_spiel)
    state = game.new_initial_state()
    megabytes = 1024

    def search(seed: int) -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(game, evaluator, UCT_C, case.simulations, megabytes, False, seed, False)
        bot.mcts_search(state)

    return search


def rate(search: Callable[[int], None], simulations: int, seconds: float) -> float:
    """Simulations a second of processor time, over as many whole searches as it takes to fill `seconds`."""
    searches = 0
    began = time.process_time()
    while True:
        searches += 1
        search(searches)
        spent = time.process_time() - began
        if spent >= seconds:
            return searches * simulations / spent


def measure(case: Case, seconds: float) -> Rates:
    """Both programs in turn, ROUNDS times; `seconds` is the time of all rounds of one program."""
    programs = (zermelo_search(case), spiel_search(case))
    best: list[float | None] = [None, None]
    for _ in range(ROUNDS):
        for i, search in enumerate(programs):
            if search is not None:
                best[i] = max(best[i] or 0.0, rate(search, case.simulations, seconds / ROUNDS))
    return Rates(case, best[0], best[1])


def table(seconds: float = 2.0, cases: tuple[Case, ...] = CASES) -> str:
    """The comparison as a Markdown table, with a line below it on what could not be measured."""
    lines = ["| game | zermelo uct/s | OpenSpiel MCTSBot/s | ratio |", "|---|--:|--:|--:|"]
    results = [measure(case, seconds) for case in cases]
    for result in results:
        ours, peer = (f"{r:,.0f}" if r else "-" for r in (result.ours, result.peer))
        ratio = f"{result.ratio:.1f}" if result.ratio else "-"
        lines.append(f"| {result.case.name} | {ours} | {peer} | {ratio} |")
    if all(result.peer is None for result in results):
        lines.append("\nOpenSpiel is not installed: `pip install open_spiel` to measure against it.")
    absent = [result.case.name for result in results if result.ours is None]
    if absent:
        lines.append(f"\nNo native rules for: {', '.join(absent)}.")
    return "\n".join(lines)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="processor time of a program on a game")
    print(table(parser.parse_args().seconds))


if __name__ == "__main__":
    main()
