"""Grounding for a match that is called off, or waits for another one."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.play.ggp_served import TICTACTOE, Served, thoughts, until
from zermelo.gdl.kif import read_kif
from zermelo.gdl.library import rulesheet
from zermelo.play import ggp_match
from zermelo.play.ggp_match import Match
from zermelo.play.ggp_message import Start, write_message
from zermelo.play.thinker import OpenThinker

ENDLESS = """
; In any position there are some forty moves, but in the ground game hundreds of millions: nobody waits for that.
(role you) (init (at 1)) (init (at 2))
(<= (legal you (stand ?x)) (n ?x))
(<= (legal you (go ?a ?b ?c ?d ?e)) (true (at ?a)) (true (at ?b)) (true (at ?c)) (true (at ?d)) (true (at ?e)))
(<= (next (at ?x)) (does you (stand ?x))) (<= (next (at 1)) (does you (stand ?x)))
(<= (next (at ?a)) (does you (go ?a ?b ?c ?d ?e)))
(<= terminal (not (true (at 1)))) (goal you 50)
"""
ENDLESS += " ".join(f"(n {number})" for number in range(60))


def resident() -> int:
    """The memory of this process, in pages."""
    return int(Path("/proc/self/statm").read_text().split()[1])


def grounding() -> bool:
    return any(match.ground.error is None and not match.ground.ready for match in STARTED)


STARTED: list[Match] = []


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Match]]:
    """All matches that were begun, also those that the player has forgotten."""
    made = Match.__init__

    def note(self: Match, *arguments: Any, **more: Any) -> None:
        STARTED.append(self)
        made(self, *arguments, **more)

    monkeypatch.setattr(Match, "__init__", note)
    yield STARTED
    STARTED.clear()


@pytest.mark.parametrize("end", ["(ABORT m1)", "(STOP m1 NIL)"])
@pytest.mark.parametrize("ready", [False, True], ids=["before READY", "after READY"])
def test_a_match_that_is_called_off_stops_grounding(
    served: Served, started: list[Match], end: str, ready: bool
) -> None:
    start = write_message(Start("m1", "you", read_kif(ENDLESS), 1 if ready else 60, 5))
    starting = threading.Thread(target=served.post, args=(start,))
    starting.start()
    if ready:
        starting.join()
    assert until(lambda: bool(started) and resident() > 0 and not started[0].ground.ready)
    assert served.say(end) in ("ABORTED", "DONE")
    starting.join(10)
    assert not starting.is_alive(), "who waits for READY is told"
    assert until(lambda: thoughts() == 0), "no thread goes on"
    before = resident()
    time.sleep(0.3)
    assert resident() <= before + 256, "memory does not grow"


def test_a_match_that_is_called_off_gives_its_memory_back(served: Served) -> None:
    served.start("m1", "x", rulesheet("connectfour"), 5, 1)
    assert served.say("(PLAY m1 NIL)").startswith("(drop ")
    thinker = served.player.matches["m1"].ground.thinker
    assert isinstance(thinker, OpenThinker)
    game, tree = weakref.ref(thinker.game), weakref.ref(thinker)
    del thinker
    gc.disable()  # circles of references would be found some time later
    try:
        assert served.say("(ABORT m1)") == "ABORTED"
        assert until(lambda: tree() is None and game() is None)
    finally:
        gc.enable()


def test_a_new_match_stops_the_grounding_of_one_that_waits_and_its_next_turn_resumes_it(
    served: Served, started: list[Match]
) -> None:
    served.start("m1", "you", read_kif(ENDLESS), 1, 1)
    assert grounding()
    served.start("m2", "x", TICTACTOE)
    assert until(lambda: started[0].ground.error is not None), "one at a time"
    assert served.say("(PLAY m1 NIL)")
    assert until(grounding)


def test_a_master_that_goes_away_stops_grounding(
    served: Served, started: list[Match], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ggp_match, "LATEST_NEWS", 0.1)
    served.start("m1", "you", read_kif(ENDLESS), 1, 1)
    assert until(lambda: not grounding())
    assert served.say("(PLAY m1 NIL)")
    assert until(lambda: not grounding())
