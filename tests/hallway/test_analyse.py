"""A position analysed: every legal move with its value, best first, and what is proved apart from what is guessed."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo.game import CHANCE, Game
from zermelo.limits import Limits
from zermelo.options import Options
from zermelo.picturing import values_of
from zermelo.solving import analyse_game, analysing, kind_of, solve_game
from zermelo.stop import Stop

EXAMPLES = Path(__file__).parents[2] / "examples"
TARGETS = {
    "game": "nim:3,4",
    "grid": "mnk:3,3,3",
    "columns": "connect:3,4,3",
    "chance": f"{EXAMPLES / 'race.py'}:Race",
    "puzzle": f"{EXAMPLES / 'ferry.py'}:Ferry",
    "graph": str(EXAMPLES / "map.graph"),
    "reliability": str(EXAMPLES / "reliability.dgr"),
    "rulesheet": str(EXAMPLES / "heap.kif"),
    "library rulesheet": "gdl:tictactoe",
    "formula": str(EXAMPLES / "choices.qcir"),
    "program": str(EXAMPLES / "bakery.qlp"),
    "network": str(EXAMPLES / "umbrella.json"),
    "sum": "{5|-5} + {3||2|-1} + *",
    "board": "domineering:...|.#.",
    "dots": "dots:1x2",
    "record": str(EXAMPLES / "corridors.sgf"),
}
PLAIN = Options(certify=False, verify=False)


def value_after(game: Game, move: Any) -> Any:
    """The value after a move, by solving the game there."""
    later = game.at([move])
    result = later.result(later.start())
    return solve_game(later, options=PLAIN).value if result is None else result[0]


def legal(game: Game) -> set[str]:
    start = game.start()
    moves = [move for move, _ in game.chances(start)] if game.turn(start) == CHANCE else game.moves(start)
    return {game.move_text(move) for move in moves}


def worth(game: Game, value: Any) -> Any:
    """How good a value is for the first role: of a program that minimises, less is better."""
    from zermelo.answer import Answer

    return kind_of(game).to_score(game, Answer("", "solved", value))


@pytest.mark.parametrize("name", TARGETS)
def test_every_move_has_the_value_that_solving_after_it_has(name: str) -> None:
    game = zermelo.game_of(TARGETS[name])
    found = zermelo.analyse(game)
    assert {move.name for move in found.moves} == legal(game)
    for move in found.moves:
        assert move.proved, move
        assert move.value == value_after(zermelo.game_of(TARGETS[name]), move.move)
        assert move.bounds == (move.value, move.value)
        assert move.estimate is None


@pytest.mark.parametrize("later", [False, True])
@pytest.mark.parametrize("name", TARGETS)
def test_the_best_move_of_the_role_to_move_comes_first(name: str, later: bool) -> None:
    game = zermelo.game_of(TARGETS[name])
    start = game.start()
    if later:
        game = game.at([game.chances(start)[-1][0] if game.turn(start) == CHANCE else game.moves(start)[-1]])
    if game.result(game.start()) is not None or game.turn(game.start()) == CHANCE:
        pytest.skip("nobody chooses here")
    found = analyse_game(game)
    scores = [worth(game, move.value) for move in found.moves]
    first = game.turn(game.start()) == game.roles[0]
    assert scores == sorted(scores, reverse=first)
    assert worth(game, found.solution.value) == scores[0]


@pytest.mark.parametrize("target", ["connect:6,7,4", "mnk:4,4,4", "gdl:connectfour"])
def test_what_is_proved_is_kept_apart_from_what_is_guessed(target: str) -> None:
    game = zermelo.game_of(target)
    found = zermelo.analyse(game, limits=Limits(seconds=20, nodes=50))
    assert found.solution.status != "solved"
    assert {move.name for move in found.moves} == legal(game)
    assert not all(move.proved for move in found.moves)
    for move in found.moves:
        line = next(row for row in str(found).split("\n")[1:] if row.split()[0] == move.name)
        assert line.endswith(", proved") == move.proved
        assert ("estimated from" in line) != move.proved
        assert (move.estimate is None) == (move.value is not None) == move.proved


def test_estimates_of_a_program_that_minimises_are_ranked_by_what_is_less() -> None:
    found = zermelo.analyse(EXAMPLES / "bakery.qlp", limits=Limits(seconds=20, nodes=1))
    estimates = [move.estimate for move in found.moves if move.estimate is not None]
    assert len(estimates) > 1
    assert estimates == sorted(estimates)


LAST = """MINIMIZE
x + 2 y
SUBJECT TO
x + y >= 1
x - y >= -1
BOUNDS
0 <= x <= 1
0 <= y <= 2
GENERAL
x y
EXISTS
x y
ORDER
x y
END
"""


def test_the_last_moves_of_a_program_are_told_in_terms_of_its_objective() -> None:
    found = zermelo.analyse(LAST, kind="program", after="x=0")
    told = [(move.name, move.value, move.proved) for move in found.moves]
    assert told == [("y=1", 2, True), ("y=0", None, True), ("y=2", None, True)]
    assert [move["proved"] for move in found.to_json()["moves"]] == [True, True, True]
    assert "y=0  infeasible, proved" in str(found)


def test_a_move_that_is_proved_to_win_comes_before_estimates() -> None:
    """The engine is stopped before it has all values; what is over at once is known all the same."""
    found = zermelo.analyse("mnk:5,5,3", after="a1 a5 b1 b5", limits=Limits(seconds=20, nodes=2))
    assert (found.moves[0].name, found.moves[0].value) == ("c1", 1)


@pytest.mark.parametrize("name", TARGETS)
def test_an_analysis_is_written_as_json(name: str) -> None:
    found = zermelo.analyse(TARGETS[name])
    data = json.loads(json.dumps(found.to_json()))
    assert data["target"] == TARGETS[name]
    assert data["status"] == "solved"
    assert [move["move"] for move in data["moves"]] == [move.name for move in found.moves]
    for told, move in zip(data["moves"], found.moves, strict=True):
        assert told["value"] == str(move.value)
        assert told["estimate"] is None


def test_an_analysis_says_after_which_moves() -> None:
    assert zermelo.analyse("nim:3,4", after="0,3 1,1").to_json()["after"] == ["0,3", "1,1"]


def test_a_position_where_the_game_is_over_has_no_moves() -> None:
    found = zermelo.analyse("nim:1", after="0,1")
    assert found.moves == ()
    assert found.solution.value == 1


def test_moves_at_once_have_the_chances_of_the_best_mixture() -> None:
    found = zermelo.analyse(str(EXAMPLES / "rockpaperscissors.kif"))
    told = [(move.role, move.name, move.chance, move.value) for move in found.moves if move.role == "ann"]
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    assert told == [("ann", "paper", half, 50), ("ann", "rock", quarter, 50), ("ann", "scissors", quarter, 50)]
    assert all(move.proved for move in found.moves)
    assert "ann: paper" in str(found) and "50 %, 50 for ann, proved" in str(found)
    assert found.to_json()["moves"][0]["chance"] == "1/2"


def test_roles_that_win_together_get_what_the_table_says() -> None:
    found = zermelo.analyse("gdl:matchingpennies")
    assert [(move.title, move.chance, dict(move.values)) for move in found.moves[:2]] == [
        ("alice: choose(heads)", 1, {"alice": 50, "bob": 50}),
        ("alice: choose(tails)", 0, {"alice": 0, "bob": 0}),
    ]


def test_where_roles_play_for_themselves_a_best_move_looks_like_its_role() -> None:
    together = values_of(zermelo.analyse("gdl:matchingpennies"))
    looks = [(role, told.value, told.chance, told.colour) for (role, _), told in together.items()]
    assert looks == [
        ("alice", 50, 1, "first"),
        ("alice", 0, 0, "draw"),
        ("bob", 50, 1, "second"),
        ("bob", 0, 0, "draw"),
    ]
    cake = zermelo.analyse(str(EXAMPLES / "pirates.py") + ":Pirates")
    told, role = values_of(cake), str(cake.solution.game.turn(cake.solution.game.start()))
    best = max(move.values[role] for move in cake.moves)
    for move in cake.moves:
        assert told[move.move].value == move.values[role]
        assert (told[move.move].colour == "draw") == (move.values[role] < best)
    opposed = zermelo.analyse("goofspiel:4")
    assert {shown.colour for shown in values_of(opposed).values()} == {""}, "the values of opposed roles say who wins"


def test_a_game_that_is_not_solved_has_no_chances() -> None:
    found = zermelo.analyse("goofspiel:9", limits=Limits(nodes=50))
    assert len(found.moves) == 18
    assert not any(move.proved or move.chance is not None or move.value is not None for move in found.moves)


def tables(seed: int) -> tuple[list[list[int]], Game]:
    """A table of what the first of two opposed roles gets, and the game of choosing a row and a column of it."""
    chance = random.Random(seed)
    rows, columns = chance.randint(1, 4), chance.randint(1, 4)
    gain = [[chance.randint(-4, 4) for _ in range(columns)] for _ in range(rows)]

    class Table(Game):
        def start(self) -> Any:
            return None

        def turn(self, position: Any) -> Any:
            return self.roles if chosen_by_first else self.roles[::-1]

        def moves(self, position: Any) -> Any:
            raise AssertionError("two roles move at once")

        def moves_of(self, position: Any, role: str) -> Any:
            return range(rows if role == self.roles[0] else columns)

        def play(self, position: Any, move: Any) -> Any:
            return move if chosen_by_first else move[::-1]

        def result(self, position: Any) -> Any:
            return None if position is None else (gain[position[0]][position[1]], -gain[position[0]][position[1]])

    chosen_by_first = chance.random() < 0.5
    return gain, Table()


def test_what_a_move_comes_to_against_the_mixture_is_what_the_table_says() -> None:
    for seed in range(300):
        gain, game = tables(seed)
        found = analyse_game(game)
        value = found.solution.value
        mixed = {role: {move.move: move for move in found.moves if move.role == role} for role in game.roles}
        first, second = (mixed[role] for role in game.roles)
        assert all(sum(move.chance for move in moves.values()) == 1 for moves in (first, second))
        for row, move in first.items():
            assert move.value == sum(gain[row][column] * other.chance for column, other in second.items())
            assert move.value <= value and (move.value == value or not move.chance), seed
        for column, move in second.items():
            assert move.value == sum(gain[row][column] * other.chance for row, other in first.items())
            assert move.value >= value and (move.value == value or not move.chance), seed
        assert [move.chance for move in first.values()] == sorted((m.chance for m in first.values()), reverse=True)


def test_an_interrupt_leaves_what_is_known_of_the_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0

    def interrupted(*arguments: Any, **others: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise KeyboardInterrupt
        return solve_game(*arguments, **others)

    monkeypatch.setattr(analysing, "solve_game", interrupted)
    found = analyse_game(zermelo.game_of("hex:6"), limits=Limits(nodes=200))
    assert len(found.moves) == 36 and calls == 3
    assert sum(move.estimate is not None for move in found.moves) == 1
    assert sum(move.estimate_from == "interrupted" for move in found.moves) == 35


def test_a_stop_asked_for_before_is_heard_and_every_move_is_listed() -> None:
    stop = Stop()
    stop.request("interrupt")
    found = analyse_game(zermelo.game_of("hex:6"), limits=Limits(seconds=60, stop=stop))
    assert len(found.moves) == 36 and {move.estimate_from for move in found.moves} == {"interrupted"}


def test_an_interrupt_before_anything_is_known_lists_the_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: Any, **others: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(analysing, "solve_game", interrupted)
    found = analyse_game(zermelo.game_of("hex:4"))
    assert found.solution.note == "interrupted" and len(found.moves) == 16
