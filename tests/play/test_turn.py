"""Turns: a thought counts in the turn that it was told to, and nowhere else."""

from __future__ import annotations

import threading
import time

import pytest

from zermelo import _native
from zermelo.decision import Clock, Decision
from zermelo.errors import InputError
from zermelo.gdl.ground import ground
from zermelo.gdl.library import rulesheet
from zermelo.play.bandits import MAC_UCB, UCT, bandit_tree, ongoing_search
from zermelo.play.delays import Delays
from zermelo.play.thinker import GROUND, PLAIN, OpenThinker
from zermelo.play.turn import Turn
from zermelo.search.forward import RulesheetModel

FIRST, PLAYED, SEARCHED = Decision("a", "first"), Decision("b", "played", 10), Decision("c", "searched", 5)


def later(seconds: float = 60.0) -> float:
    return time.monotonic() + seconds


def test_a_thought_that_comes_late_is_not_in_the_next_turn() -> None:
    turns = [Turn(number, later()) for number in (1, 2)]
    turns[0].close()
    turns[0].tell(PLAYED)
    turns[0].settle(SEARCHED)
    assert turns[1].best() is None
    assert not turns[1].settled


def test_who_has_the_ground_game_counts_as_soon_as_it_has_searched() -> None:
    turn = Turn(1, later())
    turn.tell(PLAYED, PLAIN)
    turn.tell(FIRST, GROUND)
    assert turn.best() == PLAYED
    turn.ask(lambda: SEARCHED, GROUND)
    assert turn.best() == SEARCHED


def test_a_search_that_has_nothing_of_this_turn_leaves_what_was_told() -> None:
    turn = Turn(1, later())
    turn.tell(FIRST, GROUND)
    turn.ask(lambda: None, GROUND)
    assert turn.best() == FIRST


def test_nobody_waits_for_the_end_of_a_turn_that_is_settled_or_refused() -> None:
    settled, refused = Turn(1, later(3600)), Turn(2, later(3600))
    settled.settle(SEARCHED)
    assert settled.answer() == SEARCHED
    refused.settle(SEARCHED)
    refused.refuse(InputError("cannot be"))
    with pytest.raises(InputError, match="cannot be"):
        refused.answer()


def test_the_first_thought_is_waited_for_beyond_the_end() -> None:
    turn = Turn(1, later(0))
    threading.Timer(0.05, turn.tell, (FIRST,)).start()
    assert turn.answer(latest=later()) == FIRST


def test_where_nothing_is_known_in_time_there_is_no_answer() -> None:
    assert Turn(1, later(0)).answer(latest=later(0.01)) is None


def test_a_turn_that_is_closed_stops_what_works_for_it() -> None:
    turn, before, after = Turn(1, later()), _native.Control(), _native.Control()
    turn.heard_by(before)
    turn.close()
    turn.heard_by(after)
    tree = bandit_tree(ground(rulesheet("tictactoe")), 1, UCT)
    for control in (before, after):
        assert tree.run(10**9, 0.0, control) <= 512
        assert control.cause == "interrupt"


def test_kernels_that_are_called_off_while_they_are_made_stop() -> None:
    native = ground(rulesheet("othello")).native
    control = _native.Control()
    control.stop()
    with pytest.raises(_native.Stopped):
        _native.BanditRules(native, control)


def test_what_a_run_has_published_is_a_legal_move_of_the_turn_it_names() -> None:
    game = ground(rulesheet("connectfour"))
    model = RulesheetModel(game)
    run = ongoing_search(game, 0, 1, MAC_UCB)
    states = [model.start()]
    for move in ("d", "d", "d", "d", "d", "d", "c", "c"):
        joint = [f"(drop {move})", "noop"] if len(states) % 2 else ["noop", f"(drop {move})"]
        states.append(model.play(states[-1], game.joint(joint)))
    for turn in range(300):
        run.search(turn, states[turn % len(states)], 0.5)
        if turn % 7 == 0:
            time.sleep(0.002)
        found = run.best()
        assert found.turn <= turn
        assert found.turn < 0 or found.move in model.legal(states[found.turn % len(states)], 0)
    run.close()
    assert not run.searching


def test_a_thinker_never_answers_with_what_the_search_has_of_another_turn() -> None:
    thinker = OpenThinker(ground(rulesheet("connectfour")), 0, exact=False)
    thinker.choose(thinker.state, Clock(0.05))
    assert thinker.run.best().simulations > 0
    assert thinker._found(thinker.run.best().turn + 1) is None
    thinker.close()


class LateCondition(threading.Condition):
    """On which whoever waits is woken late."""

    def wait(self, timeout: float | None = None) -> bool:
        return super().wait(None if timeout is None else timeout + 0.03)


def test_how_late_a_wait_ends_is_measured_while_it_lasts() -> None:
    delays, steps = Delays(), iter([1.0, 1.0, 0.0])
    changed = LateCondition()
    with changed:
        delays.wait(changed, lambda: False, lambda: next(steps))
    assert delays.reserve(60.0) >= 0.09


def test_where_waits_end_late_a_turn_ends_earlier() -> None:
    delays = Delays()
    delays.note(600.0)
    turn = Turn(1, end := later(1000.0))
    turn.tell(FIRST)
    assert turn.answer(delays=delays, clock=3000.0) == FIRST  # or it would take a quarter of an hour
    assert turn.end == end - 1000.0
    delays.fade()
    assert delays.reserve(1e6) == 3 * 0.9 * 600.0
