"""How the players of rulesheets choose: exactly, by search, by random games, by what they believe."""

from __future__ import annotations

import os
import random
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.play.ggp_sheets import ALONE, CIRCLE, DOORS, OPEN_BOOK, PENNIES, THREE
from zermelo import _native
from zermelo.decision import Clock, Decision
from zermelo.errors import InputError
from zermelo.gdl.ground import InterpretedReasoner, ground
from zermelo.gdl.kif import read_kif
from zermelo.gdl.library import rulesheet
from zermelo.gdl.reasoner import Reasoner
from zermelo.gdl.syntax import Rulesheet
from zermelo.play.belief import Belief
from zermelo.play.explored import Explored
from zermelo.play.thinker import HiddenThinker, OpenThinker, PlainThinker, hidden_thinker
from zermelo.play.turn import Turn
from zermelo.search.forward import ReasonerModel, RulesheetModel, joint_moves


def after_random_moves(thinker: OpenThinker, steps: int, seed: int) -> None:
    """Plays some random joint moves, as long as the game goes on."""
    chance = random.Random(seed)
    for _ in range(steps):
        model, state = thinker.model, thinker.state
        joint = [chance.choice(moves) for moves in joint_moves(model, state)]
        if model.over(model.play(state, joint)):
            return
        thinker.advance([model.move_text(move) for move in joint])


def chosen(thinker: OpenThinker | PlainThinker | HiddenThinker, seconds: float) -> Decision:
    """What a thinker chooses where it is, with its move as text."""
    clock = Clock(seconds)
    hidden = isinstance(thinker, HiddenThinker)
    decision = thinker.choose(thinker.belief, clock) if hidden else thinker.choose(thinker.state, clock)
    return replace(decision, move=thinker.model.move_text(decision.move))


@pytest.mark.parametrize("seed", range(8))
def test_a_proved_move_keeps_the_value_of_the_position(seed: int) -> None:
    game = ground(rulesheet("tictactoe"))
    thinker = OpenThinker(game, 0)
    after_random_moves(thinker, 2 + 2 * (seed % 2), seed)

    def value(state: bytes) -> int:
        native = game.native.searchable(state)
        assert native is not None
        if native.over:
            return native.score
        return native.search("alphabeta", _native.SearchParams()).solve(_native.Control(10.0)).lower

    before = value(thinker.state)
    thought = chosen(thinker, 5.0)
    assert before == 0 or thought.reason in ("proved", "the only legal move")
    thinker.advance([thought.move, thinker.model.move_text(thinker.model.legal(thinker.state, 1)[0])])
    assert value(thinker.state) == before


def test_a_lost_position_is_searched_and_not_resigned() -> None:
    game = ground(rulesheet("tictactoe"))
    thinker = OpenThinker(game, 1)
    lost = ["(mark b 2)", "noop"], ["noop", "(mark b 1)"], ["(mark a 1)", "noop"]
    for joint in lost:
        thinker.advance(joint)
    thought = chosen(thinker, 0.5)
    assert (thought.move, thought.reason) == ("(mark c 3)", "searched"), "the threat on the diagonal is parried"


@pytest.mark.parametrize("sheet", [rulesheet("nim", "3,4,5"), read_kif(CIRCLE)], ids=["nim", "circle"])
def test_small_games_whose_positions_may_repeat_are_solved(sheet: Rulesheet) -> None:
    game = ground(sheet)
    with pytest.raises(_native.NotSearchable):
        native = game.native.searchable(game.native.start())
        assert native is not None
        native.search("alphabeta", _native.SearchParams()).solve(_native.Control())
    explored = Explored(game, 10.0)
    found = explored.best(game.native.start())
    assert found is not None
    thought = chosen(OpenThinker(game, 0), 10.0 if found[1] > explored.least else 0.5)
    # That nothing better than the worst end can be reached may be proved, and need not be.
    assert thought.reason == "proved" or found[1] == explored.least
    assert found[1] == explored.least or thought.move == game.moves[game.native.legal(game.native.start(), 0)[found[0]]]


def test_the_nim_move_that_is_proved_leaves_a_sum_of_zero() -> None:
    assert chosen(OpenThinker(ground(rulesheet("nim", "3,4,5")), 0), 10.0).move == "(take a 2)"


def test_large_games_whose_positions_may_repeat_are_searched() -> None:
    thinker = OpenThinker(ground(rulesheet("checkers")), 0)
    thought = chosen(thinker, 0.5)
    assert thought.reason == "searched"
    assert thought.simulations > 0


@pytest.mark.parametrize("seconds", [0.0, 0.3])
@pytest.mark.parametrize("sheet", [ALONE, PENNIES, THREE, CIRCLE])
def test_whoever_moves_has_a_legal_move(sheet: str, seconds: float) -> None:
    game = ground(read_kif(sheet))
    for role in range(len(game.roles)):
        thinker = OpenThinker(game, role)
        legal = [thinker.model.move_text(move) for move in thinker.model.legal(thinker.state, role)]
        assert chosen(thinker, seconds).move in legal


def test_a_role_alone_finds_the_way() -> None:
    thinker = OpenThinker(ground(read_kif(ALONE)), 0)
    assert chosen(thinker, 0.3).move == "up"


@pytest.mark.parametrize("make", [Reasoner, lambda sheet: InterpretedReasoner(sheet, "to try it")])
def test_rules_without_a_ground_game_are_played_by_random_games(
    make: Callable[..., Reasoner | InterpretedReasoner],
) -> None:
    thinker = PlainThinker(ReasonerModel(make(rulesheet("tictactoe"))), 0)
    for joint in (["(mark a 1)", "noop"], ["noop", "(mark b 1)"], ["(mark a 2)", "noop"], ["noop", "(mark b 2)"]):
        thinker.advance(joint)
    thought = chosen(thinker, 0.5)
    assert thought.move == "(mark a 3)", "three in a line"
    assert thought.simulations > 0


@pytest.mark.parametrize(
    "joint", [["noop"], ["noop", "noop"], ["(mark a 1)", "(mark a 2)"], ["(mark z 9)", "noop"], []]
)
def test_joint_moves_that_are_not_legal_change_nothing(joint: list[str]) -> None:
    thinker = OpenThinker(ground(rulesheet("tictactoe")), 0)
    before = thinker.state
    with pytest.raises(InputError):
        thinker.advance(joint)
    assert thinker.state == before


def hidden(sheet: str, role: int) -> list[HiddenThinker]:
    rules = read_kif(sheet)
    return [hidden_thinker(ground(rules), role), HiddenThinker(ReasonerModel(Reasoner(rules)), role)]


@pytest.mark.parametrize("kind", [0, 1], ids=["ground", "plain"])
def test_the_guest_switches_doors(kind: int) -> None:
    thinker = hidden(DOORS, 1)[kind]
    thinker.advance("(choose 1)", [])
    thinker.advance("wait", ["(opened 3)"])
    assert sorted(thinker.belief.weights.values()) == pytest.approx([1 / 3, 2 / 3]), "Bayes' rule"
    assert chosen(thinker, 1.0).move == "switch"


def test_a_thinker_whose_place_was_taken_settles_nothing() -> None:
    thinker = HiddenThinker(ReasonerModel(Reasoner(rulesheet("tictactoe"))), 0)
    turn = Turn(1, time.monotonic() + 60, time.monotonic() + 90)
    thread = threading.Thread(target=thinker.think, args=(turn,))
    thread.start()
    thinker.close()
    thread.join()
    assert not turn.settled
    assert turn.best() is not None, "a legal move is known all the same"


def test_percepts_that_name_a_move_are_followed_among_many() -> None:
    game = ground(read_kif(OPEN_BOOK))
    thinker = hidden_thinker(game, 1)
    thinker.advance("wait", ["(did random (name 3 1 4 7))", "(did guest wait)"], 5.0)
    assert len(thinker.belief.weights) == 1
    assert chosen(thinker, 1.0).move == "(name 7)"


def test_percepts_in_capitals_are_understood() -> None:
    belief = Belief(RulesheetModel(ground(read_kif(DOORS))), 1)
    belief.advance("(CHOOSE 1)", [])
    belief.advance("WAIT", ["(OPENED 2)"])
    assert len(belief.weights) == 2
    assert {belief.model.move_text(move) for move in belief.legal()} == {"stay", "switch"}


def test_percepts_that_nothing_explains_leave_a_legal_move() -> None:
    thinker = hidden(DOORS, 1)[0]
    thinker.advance("(choose 1)", ["(a miracle)"], 0.1)
    thinker.advance("wait", [], 0.1)
    assert chosen(thinker, 0.2).move in ("stay", "switch")


CARD = """
; Chance draws one of 32 cards, which we see, and have to name.
(role random) (role you) (init (phase 1)) (follows 1 2) (follows 2 3)
(<= (card ?a ?b ?c) (bit ?a) (bit ?b) (four ?c)) (bit 0) (bit 1) (four 0) (four 1) (four 2) (four 3)
(four 4) (four 5) (four 6) (four 7)
(<= (legal random (draw ?a ?b ?c)) (true (phase 1)) (card ?a ?b ?c)) (<= (legal random wait) (true (phase 2)))
(<= (legal you wait) (true (phase 1))) (<= (legal you (name ?a ?b ?c)) (true (drawn ?a ?b ?c)))
(<= (sees you (drawn ?a ?b ?c)) (does random (draw ?a ?b ?c)))
(<= (next (drawn ?a ?b ?c)) (does random (draw ?a ?b ?c)))
(<= (next (phase ?m)) (true (phase ?n)) (follows ?n ?m))
(<= terminal (true (phase 3)))
(goal random 50) (goal you 100)
"""


@pytest.mark.parametrize("kind", [0, 1], ids=["ground", "plain"])
def test_on_a_machine_that_leaves_no_time_a_belief_still_explains_what_was_seen(
    kind: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    thinker = hidden(CARD, 1)[kind]
    starved = count()
    hurried = SimpleNamespace(monotonic=lambda: float(next(starved)))  # a second passes at each look
    monkeypatch.setattr("zermelo.play.belief.time", hurried)
    thinker.advance("wait", ["(drawn 1 0 5)"], 0.5, 1000.0)
    assert [thinker.model.move_text(move) for move in thinker.belief.legal()] == ["(name 1 0 5)"]


DICE = """
; Roll a die up to three times; keep what it shows, or roll again. The last roll counts as it is.
(role random) (role you) (init (left 3)) (init rolling) (less 3 2) (less 2 1) (less 1 0)
(side 1 10) (side 2 20) (side 3 60) (side 4 100)
(<= (legal random (roll ?s)) (true rolling) (side ?s ?v)) (<= (legal random wait) (not (true rolling)))
(<= (legal you wait) (true rolling)) (<= (legal you keep) (not (true rolling)))
(<= (legal you again) (not (true rolling)) (true (left ?n)) (distinct ?n 0))
(<= (sees ?r (did ?p ?m)) (role ?r) (does ?p ?m))
(<= (next (shows ?s)) (does random (roll ?s)))
(<= (next (left ?m)) (true rolling) (true (left ?n)) (less ?n ?m))
(<= (next (left ?n)) (not (true rolling)) (true (left ?n)))
(<= (next rolling) (does you again)) (<= (next kept) (does you keep))
(<= (next (shows ?s)) (does you keep) (true (shows ?s)))
(<= terminal (true kept))
(<= (goal you ?v) (true kept) (true (shows ?s)) (side ?s ?v)) (<= (goal you 0) (not (true kept)))
"""


@pytest.mark.parametrize(("side", "left", "move"), [(2, 2, "again"), (3, 2, "again"), (3, 1, "keep"), (2, 1, "again")])
def test_a_small_game_of_chance_is_solved(side: int, left: int, move: str) -> None:
    """One roll is worth 47.5 and two are worth 63.75, with the choice to keep 60 or 100 in between."""
    sheet = read_kif(DICE)
    told = OpenThinker(ground(sheet), 1)
    seeing = hidden_thinker(ground(sheet), 1)
    rolled = [1] * (2 - left) + [side]
    for number, shown in enumerate(rolled):
        told.advance([f"(roll {shown})", "wait"])
        seeing.advance("wait", [f"(did random (roll {shown}))", "(did you wait)"])
        if number < len(rolled) - 1:
            told.advance(["wait", "again"])
            seeing.advance("again", ["(did random wait)", "(did you again)"])
    thought = chosen(told, 10.0)
    assert (thought.move, thought.reason) == (move, "proved")
    assert chosen(seeing, 4.0).move == move


def test_what_was_searched_is_kept_for_the_next_move() -> None:
    thinker = OpenThinker(ground(rulesheet("connectfour")), 0, exact=False)
    thinker.advance(["(drop d)", "noop"])
    turn = Turn(1, time.monotonic(), time.monotonic() + 60)  # wants no answer: this is the time of the others
    thread = threading.Thread(target=thinker.think, args=(turn,))
    thread.start()
    while thinker.run.best().simulations < 30_000:
        time.sleep(0.01)
    turn.close()
    thread.join()
    thinker.advance(["noop", "(drop d)"])
    while (found := thinker.run.best()).turn == turn.number:  # a busy machine may give the search no time at all
        chosen(thinker, 0.05)
    assert found.visits > found.simulations + 500
    thinker.close()


def test_the_search_goes_on_from_turn_to_turn_until_it_is_told_to_rest() -> None:
    thinker = OpenThinker(ground(rulesheet("connectfour")), 0, exact=False)
    for number in (1, 2, 3):
        turn = Turn(number, time.monotonic(), time.monotonic() + 60)
        thread = threading.Thread(target=thinker.think, args=(turn,))
        thread.start()
        while (found := thinker.run.best()).turn != number or found.simulations < 5000:
            time.sleep(0.01)
        turn.close()
        thread.join()
        assert thinker.run.searching
        assert found.visits >= 5000 * number, "the position is the same: all that was found counts"
    thinker.rest()
    while thinker.run.searching:
        time.sleep(0.01)
    thinker.close()


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priority of their own")
def test_whoever_may_hold_the_lock_of_the_interpreter_has_the_priority_of_all_others() -> None:
    """A thread that gives way while it holds the lock makes whoever has to answer late."""

    def niceness(thread: int) -> int:
        with suppress(ProcessLookupError):  # it has just ended
            return os.getpriority(os.PRIO_PROCESS, thread)
        return own

    own = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    thinker = OpenThinker(ground(rulesheet("connectfour")), 0)
    turn = Turn(1, time.monotonic() + 60)
    thread = threading.Thread(target=thinker.think, args=(turn,))
    thread.start()
    while not any(niceness(int(task.name)) > own for task in Path("/proc/self/task").iterdir()):
        time.sleep(0.01)  # until the proof is looked for: natively, and giving way
    assert {niceness(known.native_id) for known in threading.enumerate() if known.native_id is not None} == {own}
    turn.close()
    thread.join()
    thinker.close()
