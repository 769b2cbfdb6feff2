"""Small instances of every library game: engines against plain minimax, native rules against Python rules."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.games.twins import BruteForce, assert_same_on_random_lines, native_perft, perft
from zermelo.errors import ZermeloError
from zermelo.game import Game, winner_of
from zermelo.games import make_game
from zermelo.limits import Limits
from zermelo.options import Options
from zermelo.search.kernels import KERNELS
from zermelo.solving import solve_game

EXACT = tuple(name for name, engine in KERNELS.items() if engine.complete)


def _numbers(rng: random.Random, count: int, least: int, most: int) -> str:
    return ",".join(str(rng.randint(least, most)) for _ in range(count))


def _grid(rng: random.Random, cells: int, least: int = 1) -> tuple[int, int]:
    rows = rng.randint(least, max(least, min(6, cells // least)))
    return rows, rng.randint(least, max(least, min(6, cells // rows)))


def _mnk(rng: random.Random) -> str:
    rows, columns = _grid(rng, 9)
    return f"{rows},{columns},{rng.randint(1, 4)}"


def _connect(rng: random.Random) -> str:
    rows, columns = _grid(rng, 12)
    return f"{rows},{columns},{rng.randint(1, 4)}"


def _geography(rng: random.Random) -> str:
    nodes = rng.randint(1, 9)
    return f"random:{nodes},{rng.randint(0, min(3, nodes - 1))},{rng.randrange(10**6)}"


ARGUMENTS: dict[str, Callable[[random.Random], str]] = {
    "breakthrough": lambda rng: rng.choice(("2,2", "2,3", "3,2", "3,3", "4,2", "4,3", "5,2", "3,4")),
    "coins": lambda rng: _numbers(rng, rng.randint(1, 9), 0, 2),
    "connect": _connect,
    "dotsandboxes": lambda rng: rng.choice(("1,1", "1,2", "2,1", "1,3", "3,1", "2,2")),
    "geography": _geography,
    "gomoku": lambda rng: str(rng.randint(1, 3)),
    "hex": lambda rng: str(rng.randint(1, 3)),
    "mnk": _mnk,
    "nim": lambda rng: _numbers(rng, rng.randint(1, 4), 0, 4),
    "othello": lambda rng: "4,4",
    "subtraction": lambda rng: f"{rng.randint(0, 40)};{_numbers(rng, rng.randint(1, 3), 1, 9)}",
    "tictactoe": lambda rng: "",
    "treblecross": lambda rng: str(rng.randint(1, 11)),
    "wythoff": lambda rng: _numbers(rng, 2, 0, 9),
}
"""Arguments of instances that plain Python solves in a moment, for every name of the library."""


@dataclass(frozen=True)
class Case:
    """A library game and what is done with it."""

    target: str
    engines: tuple[str, ...]
    seed: int
    plies: int = 0  # of a random line after which the engines begin


def draw(rng: random.Random) -> Case:
    """A small instance with every engine on it; of Othello only the last plies."""
    name = rng.choice(sorted(ARGUMENTS))
    arguments = ARGUMENTS[name](rng)
    plies = rng.randint(6, 11) if name == "othello" else rng.choice((0, 0, 1, 2, 3))
    target = f"{name}:{arguments}" if arguments else name
    return Case(target, ("auto", *EXACT, "uct", "all"), rng.getrandbits(32), plies)


def check(case: Case) -> None:
    """Both sides of the border play the same game, and every engine finds the value that minimax finds."""
    try:
        game = make_game(case.target)
    except ZermeloError:
        return
    if game.native() is not None:
        assert_same_on_random_lines(game, 3, case.seed)
        assert perft(game, 3) == native_perft(game, 3), "the numbers of lines of three plies differ"
        check_kernels(game, case)
    if case.plies == 0:
        value = BruteForce(game).value(game.start())
        for engine in case.engines:
            check_engine(game, case, engine, value)


def check_engine(game: Game, case: Case, engine: str, value: int) -> None:
    """The engine gives the value and a certificate that is accepted; under a limit, bounds around the value."""
    rng = random.Random(case.seed)
    options = Options(simulations=200, symmetry=rng.random() < 0.5, move_values=False)
    solution = solve_game(game, engine, Limits(), options, case.target)
    if solution.status == "solved":
        assert solution.value == value, f"{engine}: {solution.value}, minimax: {value}"
        assert solution.winner == winner_of(game, value)
        assert solution.verified, f"{engine}: not verified: {solution.note}"
    else:
        assert engine == "uct", f"{engine}: {solution.status} without a limit"
    limits = Limits(nodes=rng.randint(1, 300), memory=rng.choice((1, 3000, 1 << 20)))
    low, high = solve_game(game, engine, limits, options, case.target).bounds
    assert low is None or low <= value, f"{engine}: lower bound {low}, minimax: {value}"
    assert high is None or value <= high, f"{engine}: upper bound {high}, minimax: {value}"


def check_kernels(game: Game, case: Case) -> None:
    """From a later position, with a table far too small, kernels still find the value that minimax finds."""
    from zermelo import _native

    rng = random.Random(case.seed)
    position, twin = game.start(), game.native()
    for _ in range(case.plies):
        if game.result(position) is not None:
            return
        index = rng.randrange(len(game.moves(position)))
        assert twin is not None
        position, twin = game.play(position, game.moves(position)[index]), twin.after(index)
    if game.result(position) is not None:
        return
    assert twin is not None
    value = BruteForce(game).value(position)
    for engine in (name for name in case.engines if name in twin.engines):
        params = _native.SearchParams()
        params.table_bytes = rng.choice((0, 500, 5000, 1 << 20))
        params.symmetry = rng.random() < 0.5
        params.simulations = 300
        outcome = twin.search(engine, params).solve(_native.Control(0.0, 20_000, 1 << 24))
        bounds = (outcome.lower, outcome.upper)
        assert bounds[0] <= value <= bounds[1], f"{engine} after {case.plies} plies: {bounds}, minimax: {value}"


def smaller(case: Case) -> Iterator[Case]:
    """One engine instead of many, then smaller numbers in the target."""
    if len(case.engines) > 1:
        yield from (Case(case.target, (engine,), case.seed, case.plies) for engine in case.engines)
        yield Case(case.target, (), case.seed, case.plies)
        return
    for plies in range(case.plies):
        yield Case(case.target, case.engines, case.seed, plies)
    yield from (Case(target, case.engines, case.seed, case.plies) for target in smaller_targets(case.target))


def smaller_targets(target: str) -> Iterator[str]:
    """The target with a number lowered or left out."""
    for match in re.finditer(r"\d+", target):
        number = int(match.group())
        for less in (0, number // 2, number - 1):
            if 0 <= less < number:
                yield f"{target[: match.start()]}{less}{target[match.end() :]}"
    for match in re.finditer(r",\d+", target):
        yield target[: match.start()] + target[match.end() :]


def show(case: Case) -> str:
    """The case, as Python."""
    return repr(case)
