"""The player of the GGP protocol over real sockets: what it answers, when, and what it does not fall over."""

from __future__ import annotations

import http.client
import random
import socket
import sys
import threading
import time

import pytest

from tests.play.ggp_served import TICTACTOE, Served, thoughts, until
from tests.play.ggp_sheets import DOORS, PENNIES, THREE
from zermelo.decision import Decision
from zermelo.gdl.ground import InterpretedReasoner, ground
from zermelo.gdl.kif import read_kif
from zermelo.gdl.library import rulesheet
from zermelo.gdl.syntax import Rulesheet
from zermelo.play import ggp_match
from zermelo.play.ggp_match import Record
from zermelo.play.ggp_message import Start, write_message
from zermelo.play.ggp_player import KEPT_MATCHES
from zermelo.play.ggp_server import MAX_BYTES, seconds_since_arrival
from zermelo.play.thinker import GROUND, OpenThinker
from zermelo.play.turn import Turn


def test_a_match_from_info_to_stop(served: Served) -> None:
    assert served.say("(INFO)") == "((name tester) (status available))"
    assert served.say(f"(PREVIEW ({' '.join(map(str, TICTACTOE.rules))}) 5)") == "READY"
    served.start("m1", "x", TICTACTOE)
    assert served.say("(info)") == "((name tester) (status busy))"
    assert served.say("(PLAY m1 NIL)").startswith("(mark ")
    assert served.say("(PLAY m1 ((mark b 2) noop))") == "noop"
    assert served.say("(PLAY m1 (noop (mark a 1)))").startswith("(mark ")
    assert served.say("(STOP m1 ((mark c 1) noop))") == "DONE"
    assert served.say("(INFO)") == "((name tester) (status available))"


def test_an_aborted_match_is_forgotten(served: Served) -> None:
    served.start("m1", "x", TICTACTOE)
    assert served.say("(ABORT m1)") == "ABORTED"
    assert served.post("(PLAY m1 NIL)") == (400, "no match 'm1' is under way")


def test_a_match_all_in_capitals(served: Served) -> None:
    start = write_message(Start("m1", "x", TICTACTOE, 5, 2)).upper()
    assert served.say(start) == "READY"
    assert served.say("(PLAY M1 NIL)").startswith("(MARK ")
    assert served.say("(PLAY M1 ((MARK B 2) NOOP))") == "NOOP"


def test_rules_in_small_letters_and_moves_in_capitals(served: Served) -> None:
    served.start("m1", "X", TICTACTOE)
    assert served.say("(PLAY M1 NIL)").startswith("(mark ")
    assert served.say("(PLAY M1 ((MARK B 2) NOOP))") == "noop"


def test_a_match_with_percepts(served: Served) -> None:
    served.start("m1", "guest", read_kif(DOORS), playclock=3)
    assert served.say("(PLAY m1 0 NIL NIL)").startswith("(choose ")
    assert served.say("(PLAY m1 1 (choose 2) ())") == "wait"
    assert served.say("(PLAY M1 2 WAIT ((OPENED 3)))") == "switch"
    assert served.say("(PLAY m1 2 wait ((opened 3)))") == "switch", "a message that comes twice is one turn"
    assert served.say("(STOP m1 3 switch NIL)") == "DONE"


def test_a_match_with_percepts_uses_its_time(served: Served) -> None:
    sheet = read_kif("\n".join([*map(str, rulesheet("connectfour").rules), "(<= (sees ?r ping) (role ?r))"]))
    simulations = 0
    for clock in (1, 10):  # others may keep the machine busy
        served.start(f"m{clock}", "x", sheet, playclock=clock)
        begin = time.monotonic()
        assert served.say(f"(PLAY m{clock} 0 NIL NIL)").startswith("(drop ")
        assert time.monotonic() - begin > 0.4, "who has been replaced by the ground game does not answer for it"
        turn = served.player.matches[f"m{clock}"]._turn
        assert turn is not None
        assert turn.answered is not None
        assert turn.answered.reason == "best on average"
        simulations = max(simulations, turn.answered.simulations)
        if simulations > 512:
            break
    assert simulations > 512, "what was found by then, not what will be a moment later"


def test_simultaneous_moves_and_three_roles(served: Served) -> None:
    served.start("pennies", "odd", read_kif(PENNIES), playclock=1)
    assert served.say("(PLAY pennies NIL)") in ("(show heads)", "(show tails)")
    served.start("three", "b", read_kif(THREE), playclock=1)
    assert served.say("(PLAY three NIL)") == "wait"
    assert served.say("(PLAY three ((say 1) wait wait))") == "(say 2)"


def test_several_matches_at_once(served: Served) -> None:
    answers: dict[str, str] = {}

    def play(name: str, role: str) -> None:
        served.start(name, role, TICTACTOE)
        served.say(f"(PLAY {name} NIL)")
        answers[name] = served.say(f"(PLAY {name} ((mark b 2) noop))")

    threads = [threading.Thread(target=play, args=(f"m{i}", "xo"[i % 2])) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answers[f"m{i}"] == "noop" for i in range(4)] == [True, False, True, False]


def test_matches_that_are_never_stopped_are_forgotten_in_the_end(served: Served) -> None:
    for number in range(KEPT_MATCHES + 2):
        served.start(f"m{number}", "x", TICTACTOE)
    assert list(served.player.matches) == [f"m{number}" for number in range(2, KEPT_MATCHES + 2)]
    assert served.post("(PLAY m0 NIL)")[0] == 400


@pytest.mark.parametrize(
    "joint", ["()", "(noop)", "(noop noop noop)", "((mark a 1) (mark a 2))", "((mark z z) noop)", "((mark ?x 1) noop)"]
)
def test_a_joint_move_that_cannot_be_is_refused_and_the_match_goes_on(served: Served, joint: str) -> None:
    served.start("m1", "x", TICTACTOE)
    served.say("(PLAY m1 NIL)")
    status, answer = served.post(f"(PLAY m1 {joint})")
    assert joint == "()" or (status == 400 and "\n" not in answer)
    assert served.say("(PLAY m1 ((mark b 2) noop))") == "noop"


MALFORMED = [
    "",
    "(",
    ")",
    "()",
    "(())",
    "(PLAY)",
    "(PLAY m1)",
    "(PLAY m1 NIL",
    "(PLAY unknown NIL)",
    "(PLAY (m1) NIL)",
    "(PLAY m1 x NIL NIL)",
    "(PLAY m1 1 NIL noop)",
    "(START m1 x",
    "(START m1 x () 5 5)",
    "(START m1 x ((role x)) 5 5)",
    "(START m1 x ((role x)) five 5)",
    "(START m1 x ((role x)) -5 5)",
    "(START m1 nobody ((role x) (init p) (legal x go) (<= terminal (true p)) (goal x 100)) 5 5)",
    "(START m1 random ((role random) (init p) (legal random go) (<= terminal (true p)) (goal random 9)) 5 5)",
    "(START m1 x ((role x) (<= (p ?y) (not (q ?y)))) 5 5)",
    "(JUMP m1)",
    "(?x)",
    "((((" * 5000,
    "x" * 1_000_000,
    f"(PLAY {'m' * 1_000_000} NIL)",
    f"(PLAY m1 ({'a ' * 300_000}))",
    f"(START m1 {'x' * 1_000_000} ((role x) (init p) (legal x go) (<= terminal (true p)) (goal x 100)) 5 5)",
    "\x00\x01\x02",
    "(PLAY m\u202e1 NIL)",
]


@pytest.mark.parametrize("text", MALFORMED, ids=range(len(MALFORMED)))
def test_malformed_messages_get_one_line(served: Served, text: str) -> None:
    status, answer = served.post(text)
    assert status == 400
    assert 0 < len(answer) < 300
    assert answer.isprintable()
    assert served.say("(INFO)").startswith("((name tester)")


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\r\n\r\n",
        b"POST",
        b"POST / HTTP/1.0\r\nContent-Length: 100\r\n\r\n(INFO)",
        b"POST / HTTP/1.0\r\nContent-Length: -1\r\n\r\n(INFO)",
        b"POST / HTTP/1.0\r\nContent-Length: six\r\n\r\n(INFO)",
        b"POST / HTTP/1.0\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n(INFO)",
        f"POST / HTTP/1.0\r\nContent-Length: {MAX_BYTES + 1}\r\n\r\n(INFO)".encode(),
        b"POST / HTTP/1.0\r\n\r\n(INFO)",
        b"POST / HTTP/1.0\r\nContent-Length: 2\r\n\r\n\xff\xfe",
        b"POST / HTTP/9.9\r\n\r\n",
        b"POST / " + b"x" * 100_000 + b"\r\n\r\n",
        b"POST / HTTP/1.0\r\n" + b"a: b\r\n" * 500 + b"\r\n",
        b"BREW / HTTP/1.0\r\n\r\n",
        bytes(range(256)) * 8,
    ],
    ids=range(15),
)
def test_broken_requests_leave_the_player_well(served: Served, sent: bytes) -> None:
    answer = served.raw(sent)
    assert b" 200 " not in answer.split(b"\r\n")[0] or b"Content-Length: 100" in sent
    assert b"Traceback" not in answer
    assert served.say("(INFO)").startswith("((name tester)")


def test_random_bytes_in_a_good_envelope(served: Served) -> None:
    chance = random.Random(4)
    good = write_message(Start("m1", "x", TICTACTOE, 1, 1)).encode()
    for _ in range(150):
        body = bytearray(good[: chance.randrange(1, len(good))] if chance.random() < 0.5 else good)
        for _ in range(chance.randrange(1, 20)):
            body[chance.randrange(len(body))] = chance.choice(b"()? ;\x00\xffxX0<=") if chance.random() < 0.9 else 255
        answer = served.raw(b"POST / HTTP/1.0\r\nContent-Length: %d\r\n\r\n" % len(body) + bytes(body))
        assert answer.split(b" ")[1] in (b"200", b"400"), answer
    assert served.say("(INFO)").startswith("((name tester)")


def test_a_browser_may_ask(served: Served) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=20)
    connection.request("OPTIONS", "/")
    assert connection.getresponse().getheader("Access-Control-Allow-Origin") == "*"
    connection.close()


def answered_within(served: Served, text: str, clock: float) -> str:
    begin = time.monotonic()
    answer = served.say(text)
    assert time.monotonic() - begin < clock
    return answer


def test_the_player_thinks_until_its_clock_but_not_longer(served: Served) -> None:
    served.start("m1", "x", rulesheet("connectfour"), 5, 2)
    assert answered_within(served, "(PLAY m1 NIL)", 2).startswith("(drop ")


def test_a_clock_without_any_time_is_answered_all_the_same(served: Served) -> None:
    served.start("m1", "x", TICTACTOE, 0, 0)
    assert served.say("(PLAY m1 NIL)")


def test_a_legal_move_is_ready_before_the_first_turn_asks_for_it(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Record] = []

    def first_move(self: Record) -> str:
        asked.append(self)
        return "(mark 1 1)"

    monkeypatch.setattr(Record, "first_move", first_move)
    served.start("m", "x", TICTACTOE)
    assert until(lambda: bool(asked))


@pytest.mark.skipif(sys.platform != "linux", reason="no other system tells when a message came")
def test_the_clock_of_a_message_runs_from_its_arrival_however_late_it_is_read() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as master:
        player = server.accept()[0]
        with player:
            master.sendall(b"(PLAY m NIL)")
            time.sleep(0.3)
            assert player.recv(100)
            assert seconds_since_arrival(player) > 0.2


@pytest.mark.parametrize("kept", ["GET / HTTP/1.1\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: 6\r\n\r\n(INFO)"])
def test_an_answer_goes_out_in_one_piece(served: Served, kept: str) -> None:
    with socket.create_connection(("127.0.0.1", served.port), timeout=20) as connection:
        connection.sendall(kept.encode())
        assert b"(name tester)" in connection.recv(65536)


def test_a_thought_that_never_ends_is_not_waited_for_and_gets_into_no_other_turn(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    released, dreams = threading.Event(), []

    def dream(self: OpenThinker, turn: Turn) -> None:
        dreams.append(turn)
        released.wait(20)
        turn.tell(Decision("(mark a 1)", "dreamt", 1_000_000), GROUND)
        turn.settle(Decision("(mark a 1)", "dreamt", 1_000_000))

    monkeypatch.setattr(OpenThinker, "think", dream)
    served.start("m1", "x", TICTACTOE, 5, 1)
    assert until(lambda: len(dreams) == 1), "on the time before the first turn"
    assert answered_within(served, "(PLAY m1 NIL)", 1) == "(mark a 1)", "the first legal move"
    assert answered_within(served, "(PLAY m1 ((mark a 1) noop))", 1) == "noop", "while the dream still goes on"
    assert answered_within(served, "(PLAY m1 (noop (mark b 2)))", 1) == "(mark a 2)", "the first that is legal now"
    monkeypatch.undo()
    released.set()
    assert answered_within(served, "(PLAY m1 ((mark a 2) noop))", 1) == "noop", "no move was lost"
    assert answered_within(served, "(PLAY m1 (noop (mark c 1)))", 1) == "(mark a 3)", "and it thinks again"


def test_rules_that_are_not_ground_in_time_are_interpreted_until_they_are(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    released = threading.Event()

    def slow(sheet: Rulesheet, control: object) -> object:
        del control
        released.wait(20)
        return ground(sheet)

    monkeypatch.setattr(ggp_match, "ground", slow)
    begin = time.monotonic()
    served.start("m1", "x", TICTACTOE, 1, 1)
    assert time.monotonic() - begin < 1
    assert answered_within(served, "(PLAY m1 NIL)", 1).startswith("(mark ")
    match = served.player.matches["m1"]
    thinker = match.plain.thinker
    assert thinker is not None
    assert isinstance(thinker.model, ggp_match.InterpretedModel)
    assert isinstance(thinker.model.reasoner, InterpretedReasoner)
    released.set()
    assert until(lambda: match.ground.ready)
    assert answered_within(served, "(PLAY m1 ((mark b 2) noop))", 1) == "noop"
    assert until(lambda: match.plain.thinker is None), "the ground game has taken over"
    assert isinstance(match.ground.thinker, OpenThinker)


def test_while_rules_are_ground_a_joint_move_that_cannot_be_is_refused_at_once(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    released = threading.Event()
    monkeypatch.setattr(ggp_match, "ground", lambda sheet, control: released.wait(20))
    served.start("m1", "x", TICTACTOE, 1, 1)
    assert served.say("(PLAY m1 NIL)").startswith("(mark ")
    assert served.post("(PLAY m1 ((mark z z) noop))") == (400, "(mark z z) is not a legal move here")
    assert served.say("(PLAY m1 ((mark b 2) noop))") == "noop"
    released.set()


def searching(served: Served) -> list[str]:
    """The matches whose search is under way."""
    thinkers = {name: match.ground.thinker for name, match in served.player.matches.items()}
    return [name for name, thinker in thinkers.items() if isinstance(thinker, OpenThinker) and thinker.run.searching]


@pytest.mark.parametrize("end", ["STOP", "ABORT"])
def test_the_player_thinks_on_the_time_of_others_until_the_match_ends(served: Served, end: str) -> None:
    served.start("m1", "o", rulesheet("connectfour"), 5, 1)
    assert answered_within(served, "(PLAY m1 NIL)", 1) == "noop"
    thinker = served.player.matches["m1"].ground.thinker
    assert isinstance(thinker, OpenThinker)
    assert until(lambda: thinker.run.best().nodes > 1000)
    assert answered_within(served, "(PLAY m1 ((drop d) noop))", 1).startswith("(drop ")
    served.say(f"({end} m1 (noop (drop d)))" if end == "STOP" else f"({end} m1)")
    assert until(lambda: thoughts() == 0), "an idle player is idle"


def test_what_was_found_on_the_time_of_others_counts_in_the_next_turn(served: Served) -> None:
    served.start("m1", "o", rulesheet("connectfour"), 5, 1)
    assert served.say("(PLAY m1 NIL)") == "noop"
    thinker = served.player.matches["m1"].ground.thinker
    assert isinstance(thinker, OpenThinker)
    assert until(lambda: thinker.run.best().visits > 100_000)
    before = thinker.run.best().turn
    assert served.say("(PLAY m1 ((drop d) noop))").startswith("(drop ")
    assert until(lambda: thinker.run.best().turn > before)
    found = thinker.run.best()
    assert found.visits > found.simulations + 1000, "visits that the position had when play got there"


def test_only_one_match_thinks_on_the_time_of_others(served: Served) -> None:
    for name in ("m1", "m2"):
        served.start(name, "o", rulesheet("connectfour"), 5, 1)
    for name in ("m1", "m2", "m1"):
        assert served.say(f"(PLAY {name} NIL)") == "noop"
        assert until(lambda name=name: searching(served) == [name])


def test_a_master_that_goes_away_leaves_an_idle_player(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ggp_match, "LATEST_NEWS", 0.1)
    served.start("m1", "o", rulesheet("connectfour"), 5, 1)
    assert served.say("(PLAY m1 NIL)") == "noop"
    assert until(lambda: searching(served) == ["m1"])
    assert until(lambda: searching(served) == [])


def test_a_joint_move_that_is_refused_leaves_an_idle_player(served: Served) -> None:
    served.start("m1", "o", rulesheet("connectfour"), 5, 1)
    assert served.say("(PLAY m1 NIL)") == "noop"
    assert until(lambda: searching(served) == ["m1"])
    assert served.post("(PLAY m1 ((drop z) noop))")[0] == 400
    assert until(lambda: searching(served) == [])
    assert served.say("(PLAY m1 ((drop d) noop))").startswith("(drop ")


# --- messages that come twice, late or not at all ---


def test_a_message_that_comes_twice_is_one_turn(served: Served) -> None:
    served.start("m1", "x", TICTACTOE, 5, 1)
    first = served.say("(PLAY m1 NIL)")
    assert served.say("(PLAY m1 NIL)") == first
    assert served.say("(PLAY m1 ((mark b 2) noop))") == "noop"
    assert served.say("(PLAY m1 ((mark b 2) noop))") == "noop"
    second = served.say("(PLAY m1 (noop (mark a 1)))")
    assert served.say("(PLAY m1 (noop (mark a 1)))") == second
    assert served.say(f"(PLAY m1 ({second} noop))") == "noop"


def test_a_message_that_comes_again_while_it_is_thought_about_gets_the_same_answer(served: Served) -> None:
    served.start("m1", "x", rulesheet("connectfour"), 5, 1)
    answers: list[str] = []
    threads = [threading.Thread(target=lambda: answers.append(served.say("(PLAY m1 NIL)"))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 4
    assert len(set(answers)) == 1
    assert served.say(f"(PLAY m1 ({answers[0]} noop))") == "noop"


AGAIN = """
; Two choose over and over: the same joint move may come many times.
(role a) (role b) (init (step 1)) (next_step 1 2) (next_step 2 3) (next_step 3 4) (move c) (move d)
(<= (legal ?r ?m) (role ?r) (move ?m))
(<= (next (step ?m)) (true (step ?n)) (next_step ?n ?m))
(<= (next (score ?s)) (does a c) (true (step ?n)) (next_step ?n ?s))
(<= (next (score ?s)) (true (score ?s)))
(<= terminal (true (step 4)))
(<= (goal a 100) (true (score 4))) (<= (goal a 0) (not (true (score 4))))
(<= (goal b 100) (true (score 4))) (<= (goal b 0) (not (true (score 4))))
"""


def test_a_joint_move_that_is_made_twice_is_two_turns(served: Served) -> None:
    served.start("m1", "a", read_kif(AGAIN), 5, 1)
    move = served.say("(PLAY m1 NIL)")
    for _ in range(2):
        move = served.say(f"(PLAY m1 ({move} c))")
    assert move == "c", "only the last move counts"
    assert served.post(f"(PLAY m1 ({move} c))")[0] == 200, "the game is over now, and rules may allow moves there"


def test_percepts_of_a_turn_that_is_over_are_refused(served: Served) -> None:
    served.start("m1", "guest", read_kif(DOORS), playclock=1)
    assert served.say("(PLAY m1 0 NIL NIL)").startswith("(choose ")
    assert served.say("(PLAY m1 1 (choose 2) ())") == "wait"
    assert served.say("(PLAY m1 2 wait ((opened 3)))") == "switch"
    assert served.post("(PLAY m1 1 (choose 2) ())") == (400, "turn 1 is over, expected turn 2 or a later one")
    assert served.post("(PLAY m1 ((hide 1) (choose 2)))")[0] == 400, "the other form of the message"
    assert served.say("(PLAY m1 2 wait ((opened 3)))") == "switch"


def test_a_start_that_comes_twice_is_one_match_and_another_one_replaces_it(served: Served) -> None:
    served.start("m1", "x", TICTACTOE)
    first = served.player.matches["m1"]
    served.start("m1", "x", TICTACTOE)
    assert served.player.matches["m1"] is first
    assert served.say("(PLAY m1 NIL)").startswith("(mark ")
    served.start("m1", "o", TICTACTOE)
    assert served.player.matches["m1"] is not first
    assert served.say("(PLAY m1 NIL)") == "noop"
    assert until(lambda: thoughts() <= 4), "nothing is left of the first"
