"""The games of He, Saffidine and Thielscher (Solving two-player games with QBF solvers in general game playing, AAMAS
2024, Table 2) by the formula of their rulesheet, against search.

The horizon is the paper's. Breakthrough has two rows of pawns a side there: only then do its boards last 21, 19 and 25
plies at most.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from zermelo.encode.qbf import Question, encoder_of
from zermelo.encode.qbf.ground import GROUND_ENCODINGS
from zermelo.limits import Limits
from zermelo.options import Options
from zermelo.qbf.engines import formula_engines
from zermelo.solving import solve_game
from zermelo.solving.targets import game_of

if TYPE_CHECKING:
    from benchmarks.qbf import Timed


@dataclass(frozen=True)
class Case:
    """A game, the plies its formula speaks of, whether the first role wins within them, and the game for search."""

    name: str
    target: str
    plies: int
    won: bool
    twin: str


CASES = (
    Case("connect-3 4x4", "gdl:connectfour:4,4,3", 9, True, "connect:4,4,3"),
    Case("connect-3 5x5", "gdl:connectfour:5,5,3", 9, True, "connect:5,5,3"),
    Case("connect-3 6x6", "gdl:connectfour:6,6,3", 9, True, "connect:6,6,3"),
    Case("connect-4 4x4", "gdl:connectfour:4,4,4", 15, False, "connect:4,4,4"),
    Case("breakthrough 2x5", "gdl:breakthrough:5,2,2", 21, False, "breakthrough:5,2,2"),
    Case("breakthrough 3x4", "gdl:breakthrough:4,3,2", 19, False, "breakthrough:4,3,2"),
    Case("breakthrough 4x4", "gdl:breakthrough:4,4,2", 25, False, "breakthrough:4,4,2"),
    Case("tic-tac-toe 4x4 elly", "gdl:polyomino:4,4,elly", 7, True, "gdl:polyomino:4,4,elly"),
    Case("tic-tac-toe 4x4 tippy", "gdl:polyomino:4,4,tippy", 9, True, "gdl:polyomino:4,4,tippy"),
    Case("dots and boxes 2x2", "gdl:dotsandboxes:2,2", 12, True, "dotsandboxes:2,2"),
)


def table(limit: float, cases: Sequence[Case] = CASES, encodings: Sequence[str] = GROUND_ENCODINGS) -> Iterator[str]:
    """A row a game: the size of its formula, seconds of search and of each solver on each encoding."""
    from benchmarks.qbf import by_solver, columns_of, need_agreement, timed

    solvers = formula_engines()
    columns = columns_of(list(solvers), encodings)
    yield "| game | plies | won | variables | gates | search | " + " | ".join(f"{e} {c}" for e, c in columns) + " |"
    yield "|---|--:|---|--:|--:|--:|" + "--:|" * len(columns)
    for case in cases:
        answers: dict[str, Timed] = {"search": timed(lambda case=case: searched(case, limit))}
        sizes = {}
        for encoding in encodings:
            encoded = encoder_of(game_of(case.target), encoding).encode(Question(case.plies, 100))
            sizes[encoding] = encoded.sizes
            for engine in (engine for engine, wanted in columns if wanted == encoding):
                answers[f"{engine} {encoding}"] = by_solver(solvers[engine], encoded.formula, limit)
        need_agreement(case.name, answers)
        if any(answer.value not in (None, case.won) for answer in answers.values()):
            raise SystemExit(f"{case.name}: {answers}")
        size = sizes[encodings[0]]
        cells = " | ".join(str(answers[f"{e} {c}"]) for e, c in columns)
        yield (
            f"| {case.name} | {case.plies} | {str(case.won).lower()} | {size['variables']} | {size['gates']} "
            f"| {answers['search']} | {cells} |"
        )


def searched(case: Case, limit: float) -> bool | None:
    """Whether the first role wins, by plain search on the game itself."""
    options = Options(certify=False, verify=False, move_values=False)
    solution = solve_game(game_of(case.twin), "auto", Limits(limit), options)
    return None if solution.winner is None else solution.winner == solution.game.roles[0]
