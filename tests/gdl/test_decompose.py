"""Rulesheets taken apart: known cases, and that parts are independent of each other as random play shows."""

from __future__ import annotations

import json
import random

import pytest

from zermelo.cli import main
from zermelo.errors import LimitReachedError
from zermelo.gdl.decompose import Decomposition, decompose
from zermelo.gdl.ground import GroundReasoner, ground
from zermelo.gdl.kif import read_kif
from zermelo.gdl.library import rulesheet

TWO_BOARDS = """(role x) (role o) (board a) (board b) (cell 1) (cell 2)
(init (control x))
(<= (legal ?p (mark ?b ?c)) (true (control ?p)) (board ?b) (cell ?c) (not (taken ?b ?c)))
(<= (legal ?p wait) (role ?p) (not (true (control ?p))))
(<= (taken ?b ?c) (true (marked ?b ?c ?p)))
(<= (next (marked ?b ?c ?p)) (does ?p (mark ?b ?c)))
(<= (next (marked ?b ?c ?p)) (true (marked ?b ?c ?p)))
(<= (next (control x)) (true (control o)))   (<= (next (control o)) (true (control x)))
(<= (full ?b) (taken ?b 1) (taken ?b 2) (board ?b))
(<= terminal (full a) (full b))
(<= (one ?b) (true (marked ?b 1 ?p)) (true (marked ?b 2 ?p)))
(<= (goal x 100) (one a) (one b))   (<= (goal x 0) (not (one a)))   (<= (goal x 0) (one a) (not (one b)))
(<= (goal o 50))"""


@pytest.mark.parametrize(
    ("name", "arguments", "parts"),
    [
        ("nim", "1,2", 2),
        ("nim", "2,2,2", 3),
        ("nim", "4", 1),
        ("tictactoe", "", 1),
        ("connectfour", "", 1),
        ("matchingpennies", "", 1),
        ("hex", "3", 1),
        ("geography", "", 1),
        ("orchard", "", 1),
        ("dotsandboxes", "", 1),
    ],
)
def test_only_heaps_of_the_library_fall_apart(name: str, arguments: str, parts: int) -> None:
    assert len(decompose(ground(rulesheet(name, arguments))).parts) == parts


def test_two_boards_on_which_one_may_move_are_two_games() -> None:
    game = ground(read_kif(TWO_BOARDS))
    found = decompose(game)
    assert [part.described for part in found.parts] == [("(marked a · ·)",), ("(marked b · ·)",)]
    assert found.parts[0].moves == ("x (mark a 1)", "x (mark a 2)", "o (mark a 1)", "o (mark a 2)")
    assert found.common == ("(control o)", "(control x)")
    assert found.idle == ("x wait", "o wait")
    assert (found.over, found.headline) == ("all", "2 games side by side, over when all of them are")


def test_play_that_is_over_when_one_board_is_full_says_so() -> None:
    rules = TWO_BOARDS.replace("(<= terminal (full a) (full b))", "(<= terminal (full a)) (<= terminal (full b))")
    assert decompose(ground(read_kif(rules))).over == "any"


def test_boards_that_the_goal_compares_are_one_game() -> None:
    rules = TWO_BOARDS + "(<= (goal o 10) (true (marked a 1 o)) (true (marked b 1 x)) (true (marked a 2 x)))"
    compared = rules + "(<= (goal o 10) (true (marked a 1 x)) (true (marked b 1 o)))"
    assert len(decompose(ground(read_kif(compared))).parts) == 1


def test_a_move_that_changes_two_boards_makes_them_one_game() -> None:
    rules = TWO_BOARDS + "(<= (legal x both) (true (control x))) (<= (next (marked ?b 1 x)) (does x both) (board ?b))"
    assert len(decompose(ground(read_kif(rules))).parts) == 1


def test_a_move_that_another_board_allows_makes_them_one_game() -> None:
    rules = TWO_BOARDS.replace("(cell ?c) (not (taken", "(cell ?c) (free ?b) (not (taken")
    rules += "(free a) (<= (free b) (taken a 1))"
    assert len(decompose(ground(read_kif(rules))).parts) == 1


def states_of(game: GroundReasoner, seed: int, count: int) -> list[tuple[str, ...]]:
    """States that random play meets."""
    chooser, found = random.Random(seed), set[tuple[str, ...]]()
    for _ in range(count):
        state = game.start()
        while not game.terminal(state):
            found.add(state)
            state = game.next(state, [chooser.choice(game.legal(state, role)) for role in game.roles])
    return sorted(found)


def seen_by(found: Decomposition, number: int, state: tuple[str, ...]) -> tuple[str, ...]:
    """What a part sees of a state."""
    own = {*found.parts[number].facts, *found.common}
    return tuple(fact for fact in state if fact in own)


@pytest.mark.parametrize("rules", [TWO_BOARDS, "nim:2,3", "nim:1,1,2"])
def test_what_becomes_of_a_part_does_not_depend_on_the_others(rules: str) -> None:
    """From any two states that look alike to a part, moves that look alike to it lead to such states again."""
    game = ground(rulesheet("nim", rules[4:]) if rules.startswith("nim:") else read_kif(rules))
    found = decompose(game)
    for number, part in enumerate(found.parts):
        led_to: dict[object, set[tuple[str, ...]]] = {}
        for state in states_of(game, 5, 200):
            joints: list[list[str]] = [[]]
            for role in game.roles:
                joints = [[*joint, move] for joint in joints for move in game.legal(state, role)]
            for joint in joints:
                moves = [f"{role} {move}" for role, move in zip(game.roles, joint, strict=True)]
                own = tuple(move if move in part.moves else "another" for move in moves)
                after = seen_by(found, number, game.next(state, joint))
                led_to.setdefault((seen_by(found, number, state), own), set()).add(after)
        assert len(led_to) > 4
        assert all(len(after) == 1 for after in led_to.values())


def test_rules_that_are_too_many_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.gdl.decompose.MOST_WORK", 100)
    with pytest.raises(LimitReachedError, match="too many to take them apart"):
        decompose(ground(rulesheet("hex", "4")))


def test_the_verb_prints_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gdl", "decompose", "gdl:nim:1,2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [part["described"] for part in told["parts"]] == [["(size a ·)"], ["(size b ·)"]]
    assert told["over"] == "all"
