"""Random explicit games through every engine, against the definition of their value."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from tests.randomgames import TableGame, oracle_values, random_game
from zermelo.game import CHANCE, Score, winner_of
from zermelo.limits import Limits
from zermelo.options import Options
from zermelo.search.kernels import KERNELS
from zermelo.solving import solve_game

EXACT = tuple(name for name, engine in KERNELS.items() if engine.complete)
MANY: tuple[Score, ...] = (-5, -2, Fraction(-1, 3), 0, Fraction(1, 2), 1, 7, 10**30)


@dataclass(frozen=True)
class Run:
    """One engine with its limits; without limits it must give the value."""

    engine: str
    nodes: int | None = None
    memory: int | None = None
    simulations: int | None = None
    move_values: bool = False


@dataclass(frozen=True)
class Case:
    """A game and the runs that are compared on it."""

    game: TableGame
    runs: tuple[Run, ...]


def draw(rng: random.Random) -> Case:
    """A random game of a random kind, with every engine that takes it."""
    kind = rng.choice(("plain", "plain", "many", "constant", "chance", "puzzle"))
    cyclic = rng.random() < 0.5 and kind != "chance"
    nodes = rng.choice((4, 8, 14, 40, 120))
    values = {"many": MANY, "puzzle": (0, 50, 100), "chance": (-2, 0, 1, Fraction(1, 3))}.get(kind, (-1, 0, 1))
    roles = ("first",) if kind == "puzzle" else ("first", "second")
    game = random_game(
        rng.getrandbits(48), nodes=nodes, cyclic=cyclic, chance=kind == "chance", values=values, roles=roles
    )
    if kind == "constant":
        share, total = rng.choice(((-1, 0), (0, 0), (1, 0), (1, 1), (Fraction(1, 2), 3), (5, 0), (-5, 2)))
        game = replace(game, total=total, endless=(share, total - share))
    if has_chance(game):
        return Case(game, (Run("dp"), Run("auto"), Run("uct", simulations=100), Run("dp", nodes=rng.randint(1, 50))))
    full = [Run(engine, move_values=rng.random() < 0.2) for engine in EXACT]
    full += [Run("auto"), Run("+".join(rng.sample(EXACT, 2)))]
    limited = [Run(engine, nodes=rng.randint(1, 3 * nodes)) for engine in (*EXACT, "auto")]
    limited += [Run(engine, nodes=2000, memory=rng.choice((1, 100, 1000, 5000))) for engine in EXACT]
    limited += [Run("uct", simulations=rng.randint(1, 400)), Run("uct", nodes=500, memory=2000)]
    return Case(game, (*full, *limited))


def has_chance(game: TableGame) -> bool:
    """Whether chance moves anywhere in play."""
    return any(game.turns[node] == CHANCE and game.scores[node] is None for node in reachable(game))


def check(case: Case) -> None:
    """Every run gives the value, or bounds around it if a limit could stop it."""
    values = oracle_values(case.game)
    for run in case.runs:
        check_run(case.game, run, values)


def check_run(game: TableGame, run: Run, values: list[Score]) -> None:
    """One run against the values of all nodes by definition."""
    limits = Limits(nodes=run.nodes) if run.memory is None else Limits(memory=run.memory, nodes=run.nodes)
    options = Options(move_values=run.move_values, simulations=run.simulations)
    solution = solve_game(game, run.engine, limits, options)
    value = values[0]
    low, high = solution.bounds
    assert low is None or low <= value, f"{run}: lower bound {low}, the value is {value}"
    assert high is None or value <= high, f"{run}: upper bound {high}, the value is {value}"
    if solution.status == "solved":
        assert solution.value == value, f"{run}: {solution.value}, the value is {value}"
        assert solution.winner == winner_of(game, value, game.total), f"{run}: {solution.winner} wins"
        certain = run.nodes is None and not (run.engine == "uct" and has_chance(game))
        assert solution.verified or not certain, f"{run}: not verified: {solution.note}"
    elif run.nodes is None and run.engine != "uct":
        raise AssertionError(f"{run}: {solution.status} without a limit")
    check_line(game, run, list(solution.line))
    for move, found in solution.move_values.items():
        expected = values[game.successors[0][int(move)]]
        assert found in (None, expected), f"{run}: move {move} has {found}, its value is {expected}"


def check_line(game: TableGame, run: Run, line: list[int]) -> None:
    """The main line is legal."""
    position = game.start()
    for move in line:
        assert game.result(position) is None and move in game.moves(position), f"{run}: illegal line {line}"
        position = game.play(position, move)


def smaller(case: Case) -> Iterator[Case]:
    """One run instead of many; then fewer nodes, fewer edges, plainer scores."""
    if len(case.runs) > 1:
        yield from (Case(case.game, (run,)) for run in case.runs)
        return
    for game in smaller_games(case.game):
        yield Case(game, case.runs)
    for run in case.runs:
        if run.nodes is not None and run.nodes > 1:
            yield Case(case.game, (replace(run, nodes=run.nodes // 2),))


def smaller_games(game: TableGame) -> Iterator[TableGame]:
    """The game without its unreachable nodes, with a node made an end, with an edge less."""
    reached = reachable(game)
    if len(reached) < len(game.turns):
        yield restricted(game, reached)
    for node in range(1, len(game.turns)):
        if game.scores[node] is None:
            yield changed(game, node, (), 0)
    for node, row in enumerate(game.successors):
        if len(row) > 1:
            for edge in range(len(row)):
                yield changed(game, node, row[:edge] + row[edge + 1 :], None)
    for node, score in enumerate(game.scores):
        if score not in (None, 0, 1, -1):
            yield changed(game, node, (), 1)


def changed(game: TableGame, node: int, row: tuple[int, ...], score: Score | None) -> TableGame:
    """The game with another row and score for one node; where chance moves, all outcomes alike."""
    weights = tuple(Fraction(1, len(row)) for _ in row)
    return replace(
        game,
        successors=(*game.successors[:node], row, *game.successors[node + 1 :]),
        scores=(*game.scores[:node], score, *game.scores[node + 1 :]),
        weights=(*game.weights[:node], weights, *game.weights[node + 1 :]),
    )


def reachable(game: TableGame) -> list[int]:
    """The nodes that play can reach, in order."""
    seen, todo = {0}, [0]
    while todo:
        for child in game.successors[todo.pop()]:
            if child not in seen:
                seen.add(child)
                todo.append(child)
    return sorted(seen)


def restricted(game: TableGame, nodes: list[int]) -> TableGame:
    """The game on some of its nodes, numbered anew."""
    number = {node: place for place, node in enumerate(nodes)}
    return replace(
        game,
        turns=tuple(game.turns[node] for node in nodes),
        successors=tuple(tuple(number[child] for child in game.successors[node]) for node in nodes),
        scores=tuple(game.scores[node] for node in nodes),
        weights=tuple(game.weights[node] for node in nodes),
    )


def show(case: Case) -> str:
    """The game and the runs, as Python."""
    return f"{case.game!r}, {case.runs!r}"
