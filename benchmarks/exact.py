"""Time to the exact value: Zermelo, OpenSpiel's Python solvers and easyAI's Negamax, in one run.

Every measurement is a process of its own, so that memory and caches are not shared; it reports the seconds
from a game object to the value, imports and set-up not counted: the best that a program shows in two seconds of
runs from scratch, or in one run where that takes longer.
"""

from __future__ import annotations

import multiprocessing
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

sys.setrecursionlimit(100_000)


@dataclass(frozen=True)
class Case:
    """One game under the names that each program gives it."""

    name: str
    target: str
    open_spiel: str
    plies: int


CASES = (
    Case("tic-tac-toe", "mnk:3,3,3", "tic_tac_toe", 9),
    Case("mnk 4x3x3", "mnk:4,3,3", "mnk(m=4,n=3,k=3)", 12),
    Case("connect four 4x4", "connect:4,4,4", "connect_four(rows=4,columns=4)", 16),
    Case("connect four 4x5", "connect:4,5,4", "connect_four(rows=4,columns=5)", 20),
    Case("hex 3x3", "hex:3", "hex(board_size=3)", 9),
    Case("breakthrough 4x4", "breakthrough:4,4", "breakthrough(rows=4,columns=4)", 40),
)


@dataclass(frozen=True)
class Measurement:
    """What one program said, how long it took, how much memory it had at its peak; or why there is nothing."""

    value: float | None
    seconds: float | None
    memory: int = 0
    failure: str = ""


def zermelo(case: Case) -> tuple[float, float]:
    """Zermelo's default: the portfolio, value only, as the peers do."""
    from zermelo.options import Options
    from zermelo.solving import solve_game
    from zermelo.solving.targets import game_of

    game = game_of(case.target)
    options = Options(certify=False, verify=False, move_values=False)
    began = time.perf_counter()
    solution = solve_game(game, "alphabeta+pns", options=options)
    seconds = time.perf_counter() - began
    assert solution.value is not None
    return float(solution.value), seconds


def spiel_minimax(case: Case) -> tuple[float, float]:
    """OpenSpiel's minimax_solver: a table keyed by the state's text."""
    import pyspiel
    from open_spiel.python.algorithms import minimax_solver

    solver = minimax_solver.MinimaxSolver(case.open_spiel)
    state = pyspiel.load_game(case.open_spiel).new_initial_state()
    began = time.perf_counter()
    solver.solve()
    return float(solver.values_from_string(str(state))), time.perf_counter() - began


def spiel_alphabeta(case: Case) -> tuple[float, float]:
    """OpenSpiel's alpha-beta, without a table."""
    import pyspiel
    from open_spiel.python.algorithms import minimax

    game = pyspiel.load_game(case.open_spiel)
    began = time.perf_counter()
    value, _ = minimax.alpha_beta_search(game, maximum_depth=200)
    return float(value), time.perf_counter() - began


def easyai(case: Case) -> tuple[float, float]:
    """easyAI's Negamax with its transposition table, on the plain Python rules of the same game."""
    from easyAI import AI_Player, Negamax, TwoPlayerGame
    from easyAI.AI import TranspositionTable

    from zermelo.solving.targets import game_of

    rules = game_of(case.target)

    class Adapted(TwoPlayerGame):  # type: ignore[misc]
        def __init__(self) -> None:
            self.players = [AI_Player(None), AI_Player(None)]
            self.current_player = 1
            self.line = [rules.start()]

        def possible_moves(self) -> list[Any]:
            return list(rules.moves(self.line[-1]))

        def make_move(self, move: Any) -> None:
            self.line.append(rules.play(self.line[-1], move))

        def unmake_move(self, move: Any) -> None:
            self.line.pop()

        def is_over(self) -> bool:
            return rules.result(self.line[-1]) is not None

        def scoring(self) -> float:
            result = rules.result(self.line[-1])
            return 0 if result is None else 100 * float(result[self.current_player - 1])

        def ttentry(self) -> Any:
            return self.line[-1]

    ai = Negamax(case.plies, tt=TranspositionTable())
    game = Adapted()
    began = time.perf_counter()
    ai(game)
    seconds = time.perf_counter() - began
    return float((ai.alpha > 50) - (ai.alpha < -50)), seconds


PROGRAMS: dict[str, Callable[[Case], tuple[float, float]]] = {
    "zermelo": zermelo,
    "OpenSpiel minimax_solver": spiel_minimax,
    "OpenSpiel alpha-beta": spiel_alphabeta,
    "easyAI Negamax + table": easyai,
}


WINDOW = 2.0


def _child(program: str, case: Case, pipe: Connection) -> None:
    """Solves the case from scratch, again and again for two seconds, and reports the best time: noise only adds."""
    try:
        value, seconds = PROGRAMS[program](case)
        total = seconds
        while total < WINDOW:
            again = PROGRAMS[program](case)[1]
            seconds, total = min(seconds, again), total + again
    except Exception as error:
        pipe.send(Measurement(None, None, failure=f"{type(error).__name__}: {error}"))
        return
    pipe.send(Measurement(value, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024))


def measure(program: str, case: Case, limit: float) -> Measurement:
    """Runs one program on one case in a fresh process, for at most ``limit`` seconds."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(program, case, sender))
    process.start()
    sender.close()
    try:
        found = receiver.recv() if receiver.poll(limit) else Measurement(None, None, failure=f"over {limit:.0f} s")
    except EOFError:
        found = Measurement(None, None, failure="died")
    process.kill()
    process.join()
    return found  # type: ignore[no-any-return]


def table(limit: float = 120) -> str:
    """The whole comparison as a Markdown table; raises if two programs disagree on a value."""
    rows = ["| game | zermelo | " + " | ".join(list(PROGRAMS)[1:]) + " | faster than OpenSpiel's best | than easyAI |"]
    rows.append("|---" * 7 + "|")
    for case in CASES:
        found = {program: measure(program, case, limit) for program in PROGRAMS}
        values = {m.value for m in found.values() if m.value is not None}
        if len(values) != 1:
            raise SystemExit(f"{case.name}: the programs disagree: {found}")
        ours = found["zermelo"].seconds
        assert ours is not None
        cells = [_cell(m) for m in found.values()]
        spiel = [found[name] for name in ("OpenSpiel minimax_solver", "OpenSpiel alpha-beta")]
        rows.append(
            f"| {case.name} | " + " | ".join(cells) + f" | {_ratio(spiel, ours, limit)} | "
            f"{_ratio([found['easyAI Negamax + table']], ours, limit)} |"
        )
        print(rows[-1], file=sys.stderr, flush=True)
    return "\n".join(rows)


def _cell(measurement: Measurement) -> str:
    if measurement.seconds is None:
        return measurement.failure
    return f"{measurement.seconds * 1000:.3g} ms, {measurement.memory >> 20} MB"


def _ratio(peers: list[Measurement], ours: float, limit: float) -> str:
    seconds = [m.seconds for m in peers if m.seconds is not None]
    return f"{min(seconds) / ours:,.0f}x" if seconds else f"over {limit / ours:,.0f}x"
