"""A run that ends without an answer still tells: a legal move, an estimate, what is proved, how far it got."""

from __future__ import annotations

import json
import os
import random
import signal
import threading
import time
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

import zermelo
from zermelo.answer import Answer
from zermelo.engine import Task
from zermelo.game import CHANCE, Game, win_for
from zermelo.games import make_game
from zermelo.limits import Limits
from zermelo.options import Options
from zermelo.qbf.game import FormulaGame
from zermelo.qbf.qdimacs import parse_qdimacs
from zermelo.qip.game import ProgramGame
from zermelo.qip.programs.program import Objective, Program, Row, Variable, terms
from zermelo.scsp.game import NetworkGame
from zermelo.scsp.network import Chance, Network, Utility
from zermelo.scsp.network import Variable as NetworkVariable
from zermelo.solution import Solution
from zermelo.solving import solve_game
from zermelo.solving.guesses import guess
from zermelo.solving.routes import Route
from zermelo.solving.targets import game_of


class Pebbles(Game):
    """Roles in turn put a pebble on a free place; who has the best sum of the numbers of places wins. No twin."""

    def __init__(self, players: int = 2, places: int = 14, dice: bool = False) -> None:
        self.roles = tuple(f"p{number}" for number in range(players))
        self.places, self.dice = places, dice

    def start(self) -> tuple[int, ...]:
        return ()

    def turn(self, position: tuple[int, ...]) -> str:
        if self.dice and len(position) % 3 == 0:
            return CHANCE
        return self.roles[len(position) % len(self.roles)]

    def moves(self, position: tuple[int, ...]) -> list[int]:
        return [place for place in range(self.places) if place not in position]

    def play(self, position: tuple[int, ...], move: int) -> tuple[int, ...]:
        return (*position, move)

    def result(self, position: tuple[int, ...]) -> tuple[int, ...] | None:
        if len(position) < self.places:
            return None
        sums = [
            sum(place * place % 7 for place in position[number :: len(self.roles)]) for number in range(len(self.roles))
        ]
        if len(sums) == 2:
            return win_for(0) if sums[0] > sums[1] else win_for(1)
        return tuple(sums)


def formula(seed: int = 1, variables: int = 60) -> FormulaGame:
    chance = random.Random(seed)
    lines = [f"p cnf {variables} {4 * variables}"]
    lines += [f"{'ea'[block % 2]} {' '.join(str(10 * block + n + 1) for n in range(10))} 0" for block in range(6)]
    for _ in range(4 * variables):
        chosen = chance.sample(range(1, 11), 1) + chance.sample(range(11, 41), 1) + chance.sample(range(41, 51), 2)
        lines.append(" ".join(str(v if chance.random() < 0.5 else -v) for v in chosen) + " 0")
    return FormulaGame(parse_qdimacs("\n".join(lines) + "\n"))


def program(seed: int = 3, size: int = 40, objective: bool = True) -> ProgramGame:
    chance = random.Random(seed)
    variables = tuple(
        Variable(f"x{n}", "forall" if n // 5 % 2 else "exists", Fraction(0), Fraction(3)) for n in range(size)
    )
    rows = tuple(
        Row(terms({n: chance.randint(-5, 9) for n in chance.sample(range(size), 8)}), "<=", Fraction(60))
        for _ in range(30)
    )
    goal = Objective("max", terms({n: chance.randint(1, 9) for n in range(0, size, 2)})) if objective else Objective()
    return ProgramGame(Program(variables, rows, goal))


def network(size: int = 14, players: int = 1) -> NetworkGame:
    variables = tuple(NetworkVariable(f"v{n}", ("a", "b", "c"), stochastic=n % 2 == 1) for n in range(size))
    chances = tuple(Chance(n, (), {(): (Fraction(1, 3),) * 3}) for n in range(1, size, 2))
    gains = tuple(
        Utility((n, n + 1), {(v, v): (Fraction(v + 1),) * players for v in range(3)}) for n in range(0, size, 2)
    )
    return NetworkGame(Network(players, variables, (), gains, chances, (Fraction(size // 4),) * players))


def told(solution: Solution, timed: bool = False) -> None:
    """What a solution without an answer has to tell; under a clock, on a busy machine, the estimate may be missing."""
    game = solution.game
    assert solution.status in ("bounded", "unknown") and solution.value is None
    assert solution.reached and any(letter.isdigit() for letter in solution.reached)
    start = game.start()
    turn = game.turn(start)
    if turn != CHANCE:
        assert solution.move in game.moves(start)
    assert solution.estimate_from and (timed or solution.estimate is not None)
    data = solution.to_json()
    json.dumps(data)
    assert data["estimate"] == solution.estimate and data["reached"] == solution.reached
    assert turn == CHANCE or data["move"] == game.move_text(solution.move)
    said = str(solution)
    assert "not proved" in said and "reached" in said
    if solution.bounds == (None, None):
        assert data["bounds"] == [None, None]
        assert "no bounds proved" in said or solution.details is not None


@pytest.mark.parametrize("target", ["connect:6,7,4", "hex:6", "othello:6,6", "dotsandboxes:3,3"])
def test_a_search_that_runs_out_of_nodes_tells(target: str) -> None:
    told(zermelo.solve(target, limits=Limits(nodes=30_000)))


def test_a_search_that_runs_out_of_memory_tells() -> None:
    told(zermelo.solve("connect:6,7,4", "dp", limits=Limits(memory=3 << 20)))


def test_a_limit_of_nodes_leaves_the_same_guess_every_time() -> None:
    one, other = (zermelo.solve("hex:6", limits=Limits(nodes=20_000)) for _ in range(2))
    assert (one.move, one.estimate, one.estimate_from) == (other.move, other.estimate, other.estimate_from)


@pytest.mark.parametrize("engine", ["dp", "alphabeta", "pns", "mtdf", "minimax", "uct", "alphabeta+pns"])
def test_every_engine_tells(engine: str) -> None:
    told(zermelo.solve("connect:6,7,4", engine, limits=Limits(nodes=20_000)))


@pytest.mark.parametrize(
    "target", ["domineering:7x7", "clobber:5x6", "nogo:5x5", "amazons:x....|.....|.....|.....|....o", "clobber:4x4+5x5"]
)
def test_boards_that_run_out_of_nodes_tell(target: str) -> None:
    told(zermelo.solve(target, limits=Limits(nodes=300)))


@pytest.mark.parametrize("target", ["gdl:checkers", "gdl:othello", "gdl:tictactoe", "gdl:pacman", "gdl:orchard"])
def test_rulesheets_that_run_out_of_nodes_tell(target: str) -> None:
    told(zermelo.solve(target, limits=Limits(nodes=300)))


@pytest.mark.parametrize("game", [Pebbles(), Pebbles(3), Pebbles(2, dice=True)], ids=["two", "three", "dice"])
def test_python_games_that_run_out_of_nodes_or_time_tell(game: Game) -> None:
    told(zermelo.solve(game, limits=Limits(nodes=500)))
    told(zermelo.solve(game, limits=Limits(seconds=0.3)), timed=True)


def test_one_random_game_is_played_however_little_time_is_left() -> None:
    spent = Limits(seconds=1e-9, started=time.monotonic() - 5)
    assert guess(Pebbles(3), spent).estimate is not None


def test_formulas_tell() -> None:
    told(zermelo.solve(formula(), limits=Limits(nodes=1)))


def test_programs_tell() -> None:
    for game in (program(), program(objective=False)):
        told(zermelo.solve(game, limits=Limits(nodes=1)))


@pytest.mark.parametrize("players", [1, 2, 3])
def test_networks_tell(players: int) -> None:
    told(zermelo.solve(network(players=players), limits=Limits(nodes=5)))


def test_the_guess_for_several_players_is_a_move_with_which_all_of_them_do_well() -> None:
    variables = (NetworkVariable("a", ("0", "1")), NetworkVariable("b", ("0", "1"), stochastic=True))
    gains = (Utility((0, 1), {(1, 0): (Fraction(1), Fraction(1)), (0, 0): (Fraction(1), Fraction(0))}),)
    chances = (Chance(1, (), {(): (Fraction(1, 2),) * 2}),)
    found = guess(NetworkGame(Network(2, variables, (), gains, chances, (Fraction(1), Fraction(1)))), Limits(seconds=1))
    assert found.move == (0, 1)
    assert found.estimate is not None and -0.5 < found.estimate < 0.5


def test_sums_tell() -> None:
    told(zermelo.solve(" + ".join(f"{{{n + 7}||{n}|-{n + 3}}}" for n in range(1, 40)), limits=Limits(nodes=50)))


def test_a_game_taken_up_later_tells() -> None:
    told(zermelo.solve(later_of("hex:6"), limits=Limits(nodes=3000)))


def later_of(target: str) -> Game:
    from zermelo.continued import Continued

    game = make_game(target)
    return Continued(game, [game.moves(game.start())[0]])


def test_time_limits_are_kept_with_a_guess_too(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Limits] = []
    run = Route.answer

    def seen(route: Route, game: Game, task: Task) -> Answer:
        given.append(task.limits)
        return run(route, game, task)

    monkeypatch.setattr(Route, "answer", seen)
    solution = zermelo.solve("hex:6", limits=Limits(seconds=1))
    told(solution, timed=True)
    assert given[0].seconds is not None and given[0].seconds <= 0.95


def test_what_was_used_up_before_is_taken_off_the_time() -> None:
    spent = Limits(seconds=100, started=time.monotonic() - 99.8)
    solution = solve_game(game_of("hex:6"), limits=spent)
    assert solution.stats["seconds"] < 50
    told(solution, timed=True)


def test_a_solved_game_has_no_estimate() -> None:
    solution = zermelo.solve("nim:3,4,5")
    assert solution.estimate is None and not solution.reached and "estimate" not in str(solution)


def test_without_a_guess_there_is_none() -> None:
    solution = solve_game(game_of("hex:6"), limits=Limits(nodes=3000), options=Options(guess=False))
    assert solution.move is None and solution.estimate is None


def test_ctrl_c_leaves_a_move_and_an_estimate() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.4, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        solution = zermelo.solve("hex:7", limits=Limits(seconds=60))
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)
    assert solution.stopped_by == "interrupt"
    told(solution, timed=True)


def ended(**outcomes: tuple[int, int, int]) -> list[Any]:
    """Runs that have ended without an answer, with their bounds and moves."""
    made = []
    for engine, (lower, upper, move) in outcomes.items():
        outcome = SimpleNamespace(solved=False, lower=lower, upper=upper, move=move)
        made.append(SimpleNamespace(engine=engine, running=False, failed=False, result=lambda outcome=outcome: outcome))
    return made


def test_bounds_of_all_engines_count_and_the_move_is_one_that_they_rest_on() -> None:
    from zermelo.search.race import together

    problem: Any = SimpleNamespace(native=SimpleNamespace(turn=0, worst=-9, best=9))
    runs = ended(alphabeta=(-9, 5, 3), pns=(1, 9, 2))
    assert together(problem, runs[0], runs, None) == ((1, 5), 2)
    runs = ended(alphabeta=(-9, 9, 3), pns=(-9, 9, -1))
    assert together(problem, runs[0], runs, None) == ((-9, 9), -1)
