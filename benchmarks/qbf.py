"""Formulas: random geography in every encoding, public game formulas, and the games of another paper, in one run.

CPU seconds of this process and of the programs that it starts; the limit is by the clock. Geography of r rounds is the
game with a bound of 2r plies: after those the player to move, the first, has lost. Plain search plays the same game.
All that answer must answer the same, or the run fails. ``python -m benchmarks qbf``.
"""

from __future__ import annotations

import json
import os
import resource
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from zermelo.encode.qbf import Encoded, Question, encoder_of
from zermelo.encode.qbf.geography import thesis_size
from zermelo.games.geography import Geography, random_graph
from zermelo.limits import Limits
from zermelo.progress import no_watch
from zermelo.qbf.engines import formula_engines
from zermelo.qbf.formula import Formula
from zermelo.qbf.normal import normalized
from zermelo.qbf.solver_answer import Answer, Solver

GEOGRAPHY = ((20, 5), (20, 10), (30, 12), (40, 15))
"""Nodes and rounds; every node has three successors."""
ENCODINGS = ("unary", "index", "rank", "thesis")
THESIS_TABLE = ((5, 3, 103, 92), (8, 4, 213, 190), (8, 6, 297, 262), (10, 5, 382, 343), (20, 10, 2524, 2328))
"""Nodes, rounds, variables with those of gates, lines of the file: as the thesis has them."""


@dataclass(frozen=True)
class Timed:
    """One answer and what it took; ``None`` where the limit came first."""

    value: bool | None
    seconds: float

    def __str__(self) -> str:
        return f"{self.seconds:.3f}" if self.value is not None else "-"


def cpu_seconds() -> float:
    """Processor time of this process and of the ones it has waited for."""
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in spent)


def timed(solve: Callable[[], bool | None]) -> Timed:
    """The answer of a call and its processor time."""
    before = cpu_seconds()
    value = solve()
    return Timed(value, cpu_seconds() - before)


def by_solver(solver: Solver, formula: Formula, limit: float) -> Timed:
    """One solver on one formula."""

    def solve() -> bool | None:
        answer: Answer = solver(formula, Limits(limit), no_watch)
        return answer.value

    return timed(solve)


def by_search(game: Geography, limit: float) -> Timed:
    """Plain search on the game itself, the value alone."""
    from zermelo.options import Options
    from zermelo.solving import solve_game

    options = Options(certify=False, verify=False, move_values=False)

    def solve() -> bool | None:
        value = solve_game(game, "alphabeta", Limits(limit), options).value
        return None if value is None else value > 0

    return timed(solve)


def need_agreement(name: str, answers: Mapping[str, Timed]) -> None:
    """Fails where two answers differ."""
    if len({answer.value for answer in answers.values() if answer.value is not None}) > 1:
        found = ", ".join(f"{who} {answer.value}" for who, answer in answers.items())
        raise SystemExit(f"{name}: {found}")


def columns_of(solvers: Sequence[str], encodings: Sequence[str]) -> list[tuple[str, str]]:
    """Who is measured on what: the first solver on every encoding, the others on the first, for comparison."""
    return [(solvers[0], encoding) for encoding in encodings] + [(engine, encodings[0]) for engine in solvers[1:]]


def checked_by_portfolio(formula: Formula, limit: float) -> Timed:
    """The engine ``qbf`` with the independent check of its functions, all in one; unverified answers do not count."""
    from zermelo.qbf.game import FormulaGame
    from zermelo.solving import solve_game

    def solve() -> bool | None:
        solution = solve_game(FormulaGame(formula), "qbf", Limits(limit))
        return solution.winner == "exists" if solution.verified else None

    return timed(solve)


def geography_table(
    limit: float, seeds: Sequence[int] = range(1, 6), sizes: Sequence[tuple[int, int]] = GEOGRAPHY
) -> Iterator[str]:
    """A row an instance: seconds of every solver on every encoding, and of search.

    A solver that has reached the limit on one size is not asked for larger ones of the same encoding.
    """
    solvers = formula_engines()
    columns = columns_of(list(solvers), ENCODINGS)
    yield "| nodes, rounds | seed | first wins | search | " + " | ".join(f"{e} {c}" for e, c in columns) + " |"
    yield "|---|--:|---|--:|" + "--:|" * len(columns)
    slow: dict[tuple[str, str], int] = {}
    for place, (nodes, rounds) in enumerate(sizes):
        for seed in seeds:
            game = Geography(replace(random_graph(nodes, 3, seed), bound=2 * rounds))
            formulas: dict[str, Encoded] = {}
            for encoding in ENCODINGS:
                encoder = encoder_of(game, encoding)
                formulas[encoding] = encoder.encode(Question(encoder.length, 1))
            answers = {"search": by_search(game, limit)}
            for engine, encoding in columns:
                if slow.get((engine, encoding), place) < place:
                    continue
                found = by_solver(solvers[engine], formulas[encoding].formula, limit)
                answers[f"{engine} {encoding}"] = found
                if found.value is None:
                    slow.setdefault((engine, encoding), place)
            need_agreement(f"({nodes}, {rounds}) seed {seed}", answers)
            value = next((str(a.value).lower() for a in answers.values() if a.value is not None), "?")
            cells = [str(answers.get(f"{e} {c}", "-")) for e, c in columns]
            yield f"| {nodes}, {rounds} | {seed} | {value} | {answers['search']} | {' | '.join(cells)} |"


def corpus_table(limit: float) -> Iterator[str]:
    """A row for each public formula: seconds of every solver, next to the best of the others' figures.

    The column ``checked`` is the portfolio with the check of its certificate included.
    """
    from zermelo.qbf.reading import read_formula

    corpus = os.environ.get("ZERMELO_CORPUS")
    folder = Path(corpus or "") / "qbf"
    if corpus is None or not folder.is_dir():
        yield "The public formulas are not at hand: ZERMELO_CORPUS says where they are."
        return
    known = json.loads((folder / "answers.json").read_text(encoding="utf-8"))
    solvers = formula_engines()
    yield "| formula | answer | " + " | ".join([*solvers, "checked"]) + " | best of others |"
    yield "|---|---|" + "--:|" * (len(solvers) + 2)
    for name, entry in known.items():
        formula = normalized(read_formula(folder / name))
        answers = {engine: by_solver(solver, formula, limit) for engine, solver in solvers.items()}
        answers["checked"] = checked_by_portfolio(formula, limit)
        expected = Timed(entry["answer"] == "true", 0.0)
        need_agreement(name, answers | {"others": expected})
        best = min(entry["cpu_seconds"].values(), default=None)
        cells = " | ".join(str(answer) for answer in answers.values())
        yield f"| {name} | {entry['answer']} | {cells} | {'-' if best is None else best} |"


def size_table() -> Iterator[str]:
    """The thesis' table of sizes, next to the same encoding and the smaller ones of ours.

    The graphs of the thesis are not known. Ours are random with three successors a node; the printed encoding does not
    depend on them.
    """
    yield "| nodes | rounds | thesis: variables | lines | as printed: variables | lines | unary | | index | |"
    yield "|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    for nodes, rounds, variables, lines in THESIS_TABLE:
        cells = [nodes, rounds, variables, lines, *thesis_size(nodes, rounds)]
        game = Geography(replace(random_graph(nodes, 3, 1), bound=rounds))
        for encoding in ("unary", "index"):
            encoder = encoder_of(game, encoding)
            sizes = encoder.encode(Question(rounds, 1)).sizes
            cells += [sizes["variables"] + sizes["gates"], sizes["gates"] + sizes["blocks"] + 2]
        yield "| " + " | ".join(map(str, cells)) + " |"


def table(limit: float) -> Iterator[str]:
    """All tables, line by line as they come."""
    from benchmarks import qbf_games

    yield "### Sizes\n"
    yield from size_table()
    yield "\n### Random geography\n"
    yield from geography_table(limit)
    yield "\n### Games\n"
    yield from qbf_games.table(limit)
    yield "\n### Public formulas\n"
    yield from corpus_table(limit)
    yield f"\n{time.strftime('%Y-%m-%d')}, limit {limit:g} s."
