"""Symmetries of rulesheets: how many there are, and that rules and symmetries commute."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

from zermelo import _native
from zermelo.cli import main
from zermelo.gdl.ground import GroundReasoner, ground
from zermelo.gdl.kif import read_kif
from zermelo.gdl.library import rulesheet
from zermelo.gdl.symmetries import Symmetries, symmetries

ORDERS = [
    ("tictactoe", "", 8),
    ("tictactoe", "3,4,3", 4),
    ("gomoku", "", 8),
    ("connectfour", "", 2),
    ("breakthrough", "", 2),
    ("hex", "4", 2),
    ("polyomino", "", 8),
    ("matchingpennies", "", 2),
    ("cantstop", "", 2),
    ("orchard", "", 24),
    ("nim", "1,2", 1),
    ("nim", "2,2,2", 6),
    ("checkers", "", 1),
    ("geography", "", 1),
]


@pytest.mark.parametrize(("name", "arguments", "order"), ORDERS)
def test_the_order_of_the_group(name: str, arguments: str, order: int) -> None:
    found = symmetries(ground(rulesheet(name, arguments)), seconds=60.0)
    assert (found.order, found.complete, found.states.order) == (order, True, order)


def test_counts_at_the_end_hide_no_symmetry() -> None:
    """Boxes are counted one after the other, but who has more does not depend on the order.

    The board can be turned and mirrored, and in each corner the two outer edges of the box can be exchanged.
    """
    assert symmetries(ground(rulesheet("dotsandboxes")), seconds=60.0).order == 8 * 2**4


def test_some_symmetries_keep_the_start_and_some_do_not() -> None:
    game = ground(rulesheet("othello"))
    assert symmetries(game, seconds=60.0, keep_start=True).order == 4
    assert symmetries(game, seconds=60.0).order == 8


def test_a_connection_has_two_ends_that_are_alike() -> None:
    rules = """(role a) (cell 1) (cell 2) (cell 3) (next_to 1 2) (next_to 2 3) (next_to 2 1) (next_to 3 2)
    (<= (legal a (mark ?c)) (cell ?c) (not (true (marked ?c))))
    (<= (next (marked ?c)) (does a (mark ?c)))   (<= (next (marked ?c)) (true (marked ?c)))
    (<= (linked 1) (true (marked 1)))
    (<= (linked ?d) (linked ?c) (next_to ?c ?d) (true (marked ?d)))
    (<= won (linked 3)) (<= terminal won) (<= (goal a 100) won) (<= (goal a 0) (not won))"""
    found = symmetries(ground(read_kif(rules)))
    assert (found.order, found.described) == (2, (("(marked ?1): ?1 by (1 3)", "(mark ?1): ?1 by (1 3)"),))


def test_goals_that_differ_are_told_apart() -> None:
    rules = """(role a) (init ready) (<= (legal a ?m) (true ready) (option ?m)) (option x) (option y) (option z)
    (<= (next (took ?m)) (does a ?m)) (<= terminal (true (took ?m)))
    (<= (goal a 100) (true (took x))) (<= (goal a {score}) (true (took y))) (<= (goal a 0) (true (took z)))
    (<= (goal a 0) (true ready))"""
    assert symmetries(ground(read_kif(rules.format(score=100)))).order == 2
    assert symmetries(ground(read_kif(rules.format(score=50)))).order == 1


def _image(found: Symmetries, element: int, state: bytes, game: GroundReasoner) -> bytes:
    image = found.states.turn(element, state)
    assert bin(int.from_bytes(image, "little")).count("1") == bin(int.from_bytes(state, "little")).count("1")
    assert len(image) == len(game.native.start())
    return image


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("tictactoe", ""),
        ("connectfour", ""),
        ("hex", "5"),
        ("dotsandboxes", ""),
        ("orchard", ""),
        ("othello", ""),
        ("breakthrough", ""),
        ("bomberman", ""),
        ("kaseklau", ""),
        ("cantstop", ""),
        ("matchingpennies", ""),
        ("nim", "2,2,3"),
    ],
)
def test_rules_and_symmetries_commute_along_random_games(name: str, arguments: str) -> None:
    game = ground(rulesheet(name, arguments))
    native = game.native
    found = symmetries(game, seconds=60.0)
    assert found.states.order > 1
    chance = random.Random(1)
    state = native.start()
    for _ in range(60):
        element = chance.randrange(found.states.order)
        image = _image(found, element, state, game)
        assert native.terminal(image) == native.terminal(state)
        for role in range(len(game.roles)):
            assert native.goals(image, role) == native.goals(state, role)
        legal = [native.legal(state, role) for role in range(len(game.roles))]
        for role, moves in enumerate(legal):
            assert sorted(found.states.move_to(element, move) for move in moves) == native.legal(image, role)
        assert found.states.canon(image)[0] == found.states.canon(state)[0]
        if native.terminal(state) or not all(legal):
            state = native.start()
            continue
        joint = [chance.choice(moves) for moves in legal]
        turned = [found.states.move_to(element, move) for move in joint]
        assert [found.states.move_from(element, move) for move in turned] == joint
        state = native.next(state, joint)
        assert native.next(image, turned) == found.states.turn(element, state)


def test_the_form_of_a_state_comes_by_the_element_that_is_named() -> None:
    game = ground(rulesheet("tictactoe"))
    found = symmetries(game)
    after = [game.native.next(game.native.start(), [move, game.native.legal(game.native.start(), 1)[0]])
             for move in game.native.legal(game.native.start(), 0)]  # fmt: skip
    forms = [found.states.canon(state) for state in after]
    assert len({form for form, _ in forms}) == 3
    assert [found.states.turn(element, state) for state, (_, element) in zip(after, forms, strict=True)] == [
        form for form, _ in forms
    ]


def test_symmetries_that_break_what_kernels_rely_on_are_left_out() -> None:
    """Pac-Man's maze can be mirrored, but not with the groups of facts that are known to exclude each other."""
    game = ground(rulesheet("pacman"))
    images, orbits, _ = _native.symmetries(game.native, False, _native.Control())
    assert orbits == [2]
    assert not _native.keep_exclusive(game.native, images)
    assert _native.keep_exclusive(game.native, np.arange(len(images), dtype=np.uint32))
    assert symmetries(game, seconds=60.0).order == 1


def test_of_a_large_group_a_subgroup_is_used() -> None:
    game = ground(rulesheet("nim", "1,1,1,1,1,1"))
    found = symmetries(game, most=100)
    assert found.order == 720
    assert 1 < found.states.order <= 100
    assert 720 % found.states.order == 0


def test_without_time_there_is_no_symmetry_and_no_claim() -> None:
    found = symmetries(ground(rulesheet("chess")), seconds=0.0)
    assert (found.order, found.complete, found.states.order) == (1, False, 1)


def test_the_command_prints_generators(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gdl", "symmetries", "gdl:connectfour"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("gdl:connectfour: 2 symmetries (")
    assert lines[1:] == [
        "    1  (cell ?1 ?2 ?3): ?1 by (a g)(b f)(c e)",
        "       (drop ?1): ?1 by (a g)(b f)(c e)",
    ]


def test_the_command_says_so_where_there_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gdl", "symmetries", "gdl:geography"]) == 0
    assert capsys.readouterr().out.startswith("gdl:geography: no symmetry (")


def test_the_command_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gdl", "symmetries", "gdl:othello", "--keep-start", "--seconds", "60", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["order"], answer["used"], answer["complete"], len(answer["generators"])) == (4, 4, True, 2)
