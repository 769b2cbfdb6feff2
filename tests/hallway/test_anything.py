"""Whatever states a game can be solved, from its start or from a later position, which has a form in JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx
import pytest

import zermelo
from zermelo.errors import IllegalMoveError, InputError, ZermeloError
from zermelo.game import CHANCE, Game
from zermelo.limits import Limits
from zermelo.positions import position_from_json, position_json

EXAMPLES = Path(__file__).parents[2] / "examples"
QDIMACS = "p cnf 2 2\na 1 0\ne 2 0\n1 2 0\n-1 -2 0\n"
TARGETS = {
    "game": "nim:3,4",
    "grid": "mnk:3,3,2",
    "chance": str(EXAMPLES / "race.py") + ":Race",
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
BOARDS = [
    *["connect:4,4,4", "breakthrough:3,4", "hex:3", "othello:4,4", "dotsandboxes:2,2", "treblecross:7", "coins:1,2,3"],
    *["wythoff:3,5", "subtraction:9;1,2", "geography:random:5,1,1", "gomoku-qip:3,3", "clobber:xo|ox"],
    *[
        "amazons:x..|..o",
        "konane:xox|oxo|xox",
        "hackenbush:brg",
        "toads:xx.o",
        "nogo:..|..",
        "octal:0.77:5",
        "kayles:5",
    ],
    *["kayles:5", "col:..|..", "snort:..|..", "cram:...|...", "grundy:5", "wytqueens:2,3", "fission:...|.x."],
    *["gdl:chess", "gdl:backgammon", "gdl:matchingpennies"],
]


def steps(game: Game, most: int) -> list[Any]:
    """Positions of a line of play: always the last of the legal moves."""
    found = [game.start()]
    while len(found) <= most and game.result(found[-1]) is None:
        turn = game.turn(found[-1])
        if isinstance(turn, tuple):
            move: Any = tuple(game.moves_of(found[-1], role)[-1] for role in turn)
        elif turn == CHANCE:
            move = game.chances(found[-1])[-1][0]
        else:
            move = game.moves(found[-1])[-1]
        found.append(game.play(found[-1], move))
    return found


# What states a game


def test_a_game_of_anything_is_the_game_that_is_solved() -> None:
    graph = networkx.DiGraph([("a", "b"), ("b", "c"), ("c", "a"), ("a", "d"), ("d", "b")])
    for thing in ("nim:3,4", EXAMPLES / "map.graph", zermelo.game_of("nim:3,4"), graph):
        assert zermelo.solve(zermelo.game_of(thing)).value == zermelo.solve(thing).value
    assert zermelo.game_of(QDIMACS, kind="formula").kind == "formula"
    with pytest.raises(InputError, match="an object of object states no game"):
        zermelo.game_of(object())


def test_a_target_is_solved() -> None:
    assert zermelo.solve("nim:3,4").winner == "first"


def test_a_path_is_solved() -> None:
    assert zermelo.solve(EXAMPLES / "choices.qcir").winner == "exists"


def test_a_game_is_solved() -> None:
    solution = zermelo.solve(zermelo.make_game("nim:3,3"))
    assert (solution.winner, solution.verified) == ("second", True)


def test_a_model_of_a_program_is_solved_like_the_program() -> None:
    from zermelo.qip import Model

    model = Model("umbrella")
    take, rain, wet = model.exists.binary("take"), model.forall.binary("rain"), model.exists.binary("wet")
    model.add(wet >= rain - take)
    model.minimize(take + 5 * wet)
    by_model, by_program = zermelo.solve(model), zermelo.solve(model.program())
    assert by_model.value == by_program.value == 1
    assert by_model.verified
    assert by_program.verified


def test_a_formula_is_solved() -> None:
    from zermelo.qbf import parse_qdimacs

    assert zermelo.solve(parse_qdimacs(QDIMACS)).winner == "exists"


def test_a_value_is_solved_like_the_sum_that_is_written_so() -> None:
    from zermelo.cgt import value_of

    by_value, by_text = zermelo.solve(value_of("{5|-5} + *")), zermelo.solve("{5|-5} + *")
    assert by_value.value == by_text.value == 5


def test_a_network_is_solved() -> None:
    from zermelo.scsp import read_network

    path = EXAMPLES / "umbrella.json"
    assert zermelo.solve(read_network(path)).value == zermelo.solve(path).value


def test_a_graph_of_networkx_is_solved_as_geography() -> None:
    networkx = pytest.importorskip("networkx")
    path = networkx.DiGraph([("a", "b"), ("b", "c")])
    assert zermelo.solve(path).winner == "second"
    path.add_edge("c", "d")
    assert zermelo.solve(path).winner == "first"


@pytest.mark.parametrize("kind", ["formula", "qdimacs"])
def test_a_text_is_solved_as_the_kind_or_the_format_that_is_named(kind: str) -> None:
    assert zermelo.solve(QDIMACS, kind=kind).winner == "exists"


def test_a_text_of_an_unknown_kind_is_refused() -> None:
    with pytest.raises(InputError, match="no kind of text 'poem'"):
        zermelo.solve(QDIMACS, kind="poem")


def test_what_states_no_game_is_refused() -> None:
    with pytest.raises(InputError, match=r"3\.5 states no game"):
        zermelo.solve(3.5)


# Where it is taken up


def test_moves_are_told_as_people_write_them_or_as_the_game_has_them() -> None:
    told = zermelo.solve("nim:3,4", after="0,3 1,1")
    given = zermelo.solve("nim:3,4", after=[(0, 3), (1, 1)])
    made = zermelo.solve(zermelo.make_game("nim:3,4").at([(0, 3), (1, 1)]))
    assert told.value == given.value == made.value == 1
    assert told.verified
    assert given.verified
    assert made.verified


def test_an_illegal_move_is_refused() -> None:
    with pytest.raises(InputError, match="move 2"):
        zermelo.solve("nim:3,4", after="0,3 0,3")
    with pytest.raises(IllegalMoveError):
        zermelo.make_game("nim:3,4").at([(0, 4)])


def test_moves_and_a_position_together_are_refused() -> None:
    with pytest.raises(InputError, match="not both"):
        zermelo.solve("nim:3,4", after="0,3", position=((0, 4), 1))


@pytest.mark.parametrize("name", TARGETS)
def test_a_position_has_the_value_that_the_moves_to_it_lead_to(name: str) -> None:
    game = zermelo.game_of(TARGETS[name])
    first = game.start()
    move = game.chances(first)[0][0] if game.turn(first) == CHANCE else game.moves(first)[0]
    limits = Limits(seconds=60)
    by_moves = zermelo.solve(zermelo.game_of(TARGETS[name]), limits=limits, after=[move])
    by_position = zermelo.solve(zermelo.game_of(TARGETS[name]), limits=limits, position=game.play(first, move))
    assert by_moves.status == by_position.status == "solved"
    assert by_moves.value == by_position.value
    assert by_moves.winner == by_position.winner
    assert by_moves.verified
    # A checker that reads the game itself can make moves; it cannot set a position up.
    assert by_position.verified or "position" in by_position.note


@pytest.mark.parametrize("target", [TARGETS["formula"], TARGETS["program"]])
def test_a_position_that_no_moves_lead_to_is_refused(target: str) -> None:
    game = zermelo.game_of(target)
    impossible = {"formula": b"\x07", "program": (-99,)}[game.kind]
    with pytest.raises(IllegalMoveError):
        zermelo.solve(game, position=impossible)
    later = game.moves(game.play(game.start(), game.moves(game.start())[0]))[0]
    with pytest.raises(IllegalMoveError, match="next variable"):
        zermelo.solve(game, after=[later])


# Positions as JSON


@pytest.mark.parametrize("target", [*TARGETS.values(), *BOARDS], ids=[*TARGETS, *BOARDS])
def test_positions_are_written_as_json_and_read_back(target: str) -> None:
    game = zermelo.game_of(target)
    for position in steps(game, 5):
        read = position_from_json(game, json.loads(json.dumps(position_json(position))))
        assert read == position
        assert hash(read) == hash(position)
        assert game.key(read) == game.key(position)


def test_a_sum_is_taken_up_at_a_position_that_was_written_as_json() -> None:
    game = zermelo.game_of("{5|-5} + {3||2|-1} + *")
    move = game.moves(game.start())[0]
    data = json.loads(json.dumps(position_json(game.play(game.start(), move))))
    assert zermelo.solve(game, position=position_from_json(game, data)).value == zermelo.solve(game, after=[move]).value


@pytest.mark.parametrize(
    "data",
    [
        1.5,
        {"fraction": "1/0"},
        {"bytes": "xyz"},
        {"unknown": 1},
        {"made": ["os:system", "true"]},
        {"made": ["zermelo.limits:resident"]},
        {"text": ["zermelo.cgt.scores.scored:Tree", "{5|"]},
        {"text": ["zermelo.cgt.scores.scored:Tree", "1 + 2"]},
        {"text": ["pathlib:Path", "x"]},
        {"text": "x"},
        {"set": 5},
    ],
)
def test_json_that_states_no_position_is_refused(data: Any) -> None:
    with pytest.raises(InputError):
        position_from_json(zermelo.game_of("{5|-5}"), data)


def test_numbers_of_a_position_stay_exact() -> None:
    game = zermelo.make_game("nim:1")
    assert position_from_json(game, position_json((Fraction(1, 3), 1 << 80))) == (Fraction(1, 3), 1 << 80)


# The native twin of a game that is taken up later

TWINS = ["nim:3,4", "mnk:3,3,3", "connect:4,4,4", "breakthrough:3,4", "hex:3", "othello:4,4", "dotsandboxes:2,2"]
TWINS += ["treblecross:7", "coins:1,2,3", "wythoff:3,5", "subtraction:9;1,2", "geography:random:5,1,1", "gdl:tictactoe"]


@pytest.mark.parametrize("target", TWINS)
def test_the_native_twin_follows_the_moves(target: str) -> None:
    game = zermelo.game_of(target)
    later, position = game, game.start()
    while game.result(position) is None:
        twin = later.native()
        assert twin is not None
        assert not twin.over
        assert twin.move_count == len(game.moves(position))
        assert game.roles[twin.turn] == game.turn(position)
        move = game.moves(position)[-1]
        later, position = later.at([move]), game.play(position, move)
    twin = later.native()
    assert twin is not None
    assert twin.over


def test_a_position_that_was_set_up_has_no_native_twin() -> None:
    from zermelo.taking_up import taken_up

    assert taken_up(zermelo.make_game("nim:3,4"), position=((2, 2), 0)).native() is None


def test_a_game_taken_up_later_is_searched_by_the_native_kernels() -> None:
    solution = zermelo.solve("mnk:4,4,4", after="a1 b2 c3")
    assert (solution.winner, solution.verified, solution.engine) == ("draw", True, "alphabeta")


WRONG: dict[str, Callable[[], Any]] = {
    "nothing": lambda: zermelo.solve(None),
    "a number": lambda: zermelo.solve(5),
    "a class": lambda: zermelo.solve(Game),
    "bytes": lambda: zermelo.solve(b"nim:1"),
    "an empty target": lambda: zermelo.solve(""),
    "a kind of a game": lambda: zermelo.solve(zermelo.make_game("nim:1"), kind="sum"),
    "an unknown kind": lambda: zermelo.solve("{5|-5}", kind="noise"),
    "an engine by number": lambda: zermelo.solve("nim:1", engine=5),  # type: ignore[arg-type]
    "an engine without a name": lambda: zermelo.solve("nim:1", engine="dp+"),
    "limits by number": lambda: zermelo.solve("nim:1", limits=5),  # type: ignore[arg-type]
    "options by name": lambda: zermelo.solve("nim:1", options={"seed": 1}),  # type: ignore[arg-type]
    "negative seconds": lambda: Limits(seconds=-1),
    "no number of seconds": lambda: Limits(seconds=float("nan")),
    "seconds as text": lambda: Limits(seconds="5"),  # type: ignore[arg-type]
    "memory as text": lambda: Limits(memory="5"),  # type: ignore[arg-type]
    "a seed as text": lambda: zermelo.Options(seed="x"),  # type: ignore[arg-type]
    "moves by number": lambda: zermelo.solve("nim:1", after=5),  # type: ignore[arg-type]
    "a move that is none": lambda: zermelo.solve("nim:3,4", after=["9,9"]),
    "moves and a position": lambda: zermelo.solve("nim:3,4", after=[(0, 1)], position=((1, 1), 0)),
    "a position that is none": lambda: zermelo.solve("nim:3,4", position="x"),
    "a position with lists": lambda: zermelo.solve("nim:3,4", position=[[1, 1], 0]),
    "a text in the place of moves": lambda: zermelo.make_game("nim:3,4").at("0,3"),
    "no moves at all": lambda: zermelo.make_game("nim:3,4").at(None),  # type: ignore[arg-type]
    "a game by number": lambda: zermelo.make_game(5),  # type: ignore[arg-type]
    "a target by number": lambda: zermelo.game_of(5),
    "an analysis of a number": lambda: zermelo.analyse(5),
    "a graph without direction": lambda: zermelo.solve(networkx.Graph([(0, 1)])),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_input_from_python_is_one_clear_error(wrong: str) -> None:
    with pytest.raises(ZermeloError) as error:
        WRONG[wrong]()
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("move", [99, (7, 7), "x", None, -1, [], {}])
@pytest.mark.parametrize("name", TARGETS)
def test_no_game_is_taken_up_after_what_is_no_move_of_it(name: str, move: Any) -> None:
    with pytest.raises(ZermeloError, match=r"not a legal move here|cannot be the value|does not set the next"):
        zermelo.game_of(TARGETS[name]).at([move])


def test_moves_may_be_given_as_the_game_has_them_or_as_people_write_them() -> None:
    mixed = zermelo.solve("nim:3,4", after=["0,3", (1, 2)])
    assert mixed.value == zermelo.solve("nim:3,4", after="0,3 1,2").value


def test_a_solution_of_an_object_is_called_by_the_target_it_was_made_by() -> None:
    assert zermelo.solve(zermelo.make_game("nim:1,2")).target == "nim:1,2"
