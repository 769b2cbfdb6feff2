"""The referee of matches: between random players, players that fail, and our own players over real sockets."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.play.ggp_sheets import ALONE, DOORS, OPEN_BOOK, PENNIES, THREE
from zermelo.arena import referee
from zermelo.arena.referee import Clocks, play_match
from zermelo.arena.remote import NoAnswerError, Peer, RandomPlayer, RemotePlayer
from zermelo.cli import main
from zermelo.errors import ArgumentError, GameError, InputError
from zermelo.gdl.ground import InterpretedReasoner, ground
from zermelo.gdl.kif import read_kif
from zermelo.gdl.library import rulesheet
from zermelo.gdl.reasoner import Reasoner
from zermelo.gdl.syntax import Rulesheet
from zermelo.play.ggp_message import Message, Perceive, Play, Start, Stop
from zermelo.play.ggp_player import GgpPlayer
from zermelo.play.ggp_server import make_server

REASONERS: dict[str, Callable[[Rulesheet], referee.Rules]] = {
    "plain": Reasoner,
    "ground": ground,
    "interpreted": lambda sheet: InterpretedReasoner(sheet, "to try it"),
}


@dataclass
class Scripted:
    """Answers as a function says, and remembers what it was told."""

    reply: Callable[[Message, list[str]], str]
    name: str = "scripted"

    def __post_init__(self) -> None:
        self.told: list[Message] = []

    def tell(self, message: Message, seconds: float, legal: list[str]) -> str:
        self.told.append(message)
        return self.reply(message, legal)


@contextmanager
def served(seed: int = 1) -> Iterator[str]:
    """The address of a player in this process, behind a socket."""
    player = GgpPlayer("tester", seed=seed)
    server = make_server(player, port=0)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
        player.close()


@pytest.mark.parametrize("kind", REASONERS)
@pytest.mark.parametrize("sheet", [ALONE, PENNIES, THREE, DOORS], ids=["alone", "pennies", "three", "doors"])
def test_every_reasoner_referees_the_same_match(kind: str, sheet: str) -> None:
    rules = read_kif(sheet)

    def played(game: referee.Rules) -> tuple[list[tuple[str, ...]], dict[str, int]]:
        seats = sum(role != "random" for role in game.roles)
        record = play_match(game, [RandomPlayer(seat) for seat in range(seats)], seed=3)
        assert record.finished
        assert not record.mistakes
        return record.moves, record.goals

    assert played(REASONERS[kind](rules)) == played(Reasoner(rules))


def test_players_of_open_games_are_told_the_joint_move() -> None:
    player = Scripted(lambda message, legal: legal[0] if legal else "READY")
    record = play_match(Reasoner(read_kif(THREE)), [player, RandomPlayer(), RandomPlayer()], match="m7")
    start, first, second, *_, stop = player.told
    assert isinstance(start, Start)
    assert (start.match, start.role) == ("m7", "a")
    assert first == Play("m7", None)
    assert second == Play("m7", record.moves[0])
    assert stop == Stop("m7", Play("m7", record.moves[-1]))


def test_players_of_games_with_percepts_are_told_what_they_see() -> None:
    player = Scripted(lambda message, legal: legal[0] if legal else "READY")
    record = play_match(Reasoner(read_kif(DOORS)), [player], match="m7")
    opened = record.moves[1][0].removeprefix("(open ").removesuffix(")")
    assert player.told[1:4] == [
        Perceive("m7", 0, None, ()),
        Perceive("m7", 1, "(choose 1)", ()),
        Perceive("m7", 2, "wait", (f"(opened {opened})",)),
    ]


def test_an_illegal_move_is_replaced_and_noted() -> None:
    record = play_match(Reasoner(read_kif(ALONE)), [Scripted(lambda message, legal: "(fly away)")])
    assert record.finished
    assert record.mistakes == ["step 0: you (scripted) played '(fly away)', which is not legal"]
    assert record.replaced == {"you": len(record.moves)}


def test_a_late_answer_is_replaced_and_noted() -> None:
    def slow(message: Message, legal: list[str]) -> str:
        if isinstance(message, Play) and message.moves is None:
            time.sleep(1.1)
        return legal[0] if legal else "READY"

    record = play_match(Reasoner(read_kif(THREE)), [Scripted(slow), RandomPlayer(), RandomPlayer()], Clocks(1, 1))
    assert record.finished
    assert record.replaced == {"a": 1}
    assert [mistake.split(" answered")[0] for mistake in record.mistakes] == ["step 0: a (scripted)"]


def test_who_never_answers_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()
    monkeypatch.setattr(referee, "LATE_SECONDS", 0.1)

    def silent(message: Message, legal: list[str]) -> str:
        released.wait(20)
        return "too late"

    record = play_match(Reasoner(read_kif(PENNIES)), [Scripted(silent), RandomPlayer()], Clocks(1, 1))
    released.set()
    assert record.finished
    assert record.replaced == {"even": 1}
    assert len(record.mistakes) == 1


def unused_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def test_a_player_that_cannot_be_reached_is_one_line() -> None:
    away = RemotePlayer(f"127.0.0.1:{unused_port()}")
    record = play_match(Reasoner(read_kif(ALONE)), [away], Clocks(1, 1))
    assert record.finished
    assert len(record.mistakes) == 1
    assert "gave no answer" in record.mistakes[0]


@pytest.mark.parametrize(
    "answer", [b"", b"garbage\r\n\r\n", b"HTTP/1.0 500 no\r\n\r\nba\x00d", b"HTTP/1.0 200 OK\r\n\r\n(("]
)
def test_nonsense_on_the_line_is_noted(answer: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def speak() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                with connection:
                    connection.recv(65536)
                    connection.sendall(answer)

        threading.Thread(target=speak, daemon=True).start()
        player = RemotePlayer(f"127.0.0.1:{listener.getsockname()[1]}")
        record = play_match(Reasoner(read_kif(PENNIES)), [player, RandomPlayer()], Clocks(1, 1))
        listener.shutdown(socket.SHUT_RDWR)
    assert record.finished
    assert record.replaced == {"even": 1}
    assert all(mistake.isprintable() for mistake in record.mistakes)


def test_rules_that_break_down_are_one_clear_error() -> None:
    stuck = read_kif("(role a) (init p) (<= (legal a go) (true p)) (<= terminal (true q)) (goal a 100)")
    with pytest.raises(GameError, match="a has no legal move after 1 steps"):
        play_match(Reasoner(stuck), [RandomPlayer()])
    goals = read_kif("(role a) (init p) (legal a go) (<= terminal (not (true p))) (goal a 1) (goal a 2)")
    with pytest.raises(GameError, match="the goal of a at the end of a match is 1 and 2, expected one number"):
        play_match(Reasoner(goals), [RandomPlayer()])
    with pytest.raises(ArgumentError, match="1 players, expected 2"):
        play_match(Reasoner(read_kif(PENNIES)), [RandomPlayer()])


def test_a_match_without_end_is_cut() -> None:
    endless = read_kif("(role a) (init p) (legal a go) (<= (next p) (true p)) (<= terminal (true q)) (goal a 0)")
    record = play_match(Reasoner(endless), [RandomPlayer()], max_steps=5)
    assert (record.finished, len(record.moves), record.goals) == (False, 5, {})


@pytest.mark.parametrize(
    "url", ["ftp://host", "http://", "http://host:port", "http://--json", "http://a b", "http://ä"]
)
def test_addresses_that_are_none_are_refused(url: str) -> None:
    with pytest.raises(InputError, match="expected http://HOST:PORT"):
        RemotePlayer(url)


@pytest.mark.parametrize(("sheet", "role"), [(OPEN_BOOK, "guest"), (ALONE, "you")])
def test_our_player_gets_what_there_is_to_get(sheet: str, role: str) -> None:
    with served() as url:
        record = play_match(ground(read_kif(sheet)), [RemotePlayer(url)], Clocks(2, 1))
    assert not record.mistakes
    assert record.goals == {role: 100}


@pytest.mark.parametrize(("target", "games"), [(("tictactoe", ""), 6), (("connectfour", "4,4,3"), 8)])
def test_our_player_is_clearly_better_than_chance(target: tuple[str, str], games: int) -> None:
    game = ground(rulesheet(*target))
    points = 0
    with served() as url:
        for number in range(games):
            players: list[Peer] = [RemotePlayer(url), RandomPlayer(number)]
            ours = game.roles[number % 2]
            record = play_match(game, players[:: 1 - 2 * (number % 2)], Clocks(5, 1), match=f"m{number}", seed=number)
            assert not record.mistakes
            points += record.goals[ours]
    # Every other game is lost by then if the other side plays well, which chance does now and then.
    assert points >= 65 * games, "a random player gets about 50"


@contextmanager
def started_player(*options: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """``zermelo ggp`` in a process of its own, stopped by Ctrl-C at the end."""
    # Where a shell runs the tests in the background, Ctrl-C is ignored by all that is started; a handler undoes that.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(
        [sys.executable, "-m", "zermelo", "ggp", "--port", "0", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    signal.signal(signal.SIGINT, before)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().split()[-1], process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        try:
            process.communicate(timeout=20)
        finally:
            process.kill()


def test_two_players_in_processes_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    with started_player() as (first, one), started_player("--seed", "2", "--name", "other") as (second, two):
        clocks = ["--start-clock", "5", "--play-clock", "2"]
        for number in range(2):
            code = main(
                [
                    "match",
                    "gdl:tictactoe",
                    "--remote",
                    first,
                    "--remote",
                    second,
                    *clocks,
                    "--json",
                    "--name",
                    f"m{number}",
                ]
            )
            said = json.loads(capsys.readouterr().out)
            assert code == 0
            assert said["mistakes"] == []
            assert said["goals"] == {"x": 50, "o": 50}, "tic-tac-toe is a draw"
            assert said["players"] == [first, second]
        for process in (one, two):
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=20)
            assert process.returncode == 0
            assert "Traceback" not in out + err
            assert err.splitlines()[-1] == "stopped"


def test_a_player_stopped_in_the_middle_of_a_thought_leaves_no_traceback() -> None:
    with started_player() as (url, process):
        player = RemotePlayer(url)
        sheet = rulesheet("connectfour")
        assert player.tell(Start("m1", "x", sheet, 5, 30), 5.0, []) == "READY"

        def ask() -> None:
            with suppress(NoAnswerError):
                player.tell(Play("m1", None), 30.0, [])

        asked = threading.Thread(target=ask)
        asked.start()
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
        asked.join()
    assert process.returncode == 0
    assert "Traceback" not in out + err
    assert "terminate" not in err


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("match", "gdl:nothing"),
        ("match", "nowhere.kif"),
        ("match", "gdl:tictactoe", "--remote", "ftp://host"),
        ("match", "gdl:tictactoe", *["--remote", "random"] * 3),
        ("match", "gdl:tictactoe", "--play-clock", "0"),
        ("match", "gdl:tictactoe", "--name", "two words"),
        ("match", "gdl:tictactoe", "--name", ""),
        ("ggp", "--port", "70000"),
        ("ggp", "--port", "0", "--name", "two words"),
        ("ggp", "--port", "0", "--host", "no.such.host.invalid"),
    ],
)
def test_bad_arguments_are_one_line_and_status_2(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1


def test_a_port_that_is_taken_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with served() as url:
        code, _, err = run(capsys, "ggp", "--port", url.rsplit(":", 1)[1])
    assert code == 2
    assert err.startswith("zermelo: cannot listen on 127.0.0.1:")


def test_a_match_of_percepts_on_the_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "doors.kif").write_text(DOORS)
    code, out, _ = run(capsys, "match", str(tmp_path / "doors.kif"), "--seed", "4")
    assert code == 0
    assert out in ("guest: 100 (random)\n", "guest: 0 (random)\n")


def test_a_player_that_cannot_be_reached_is_told_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "match", "gdl:tictactoe", "--remote", f"127.0.0.1:{unused_port()}")
    assert code == 0
    first, *scores = out.splitlines()
    assert "gave no answer" in first
    assert [score.split(":")[0] for score in scores] == ["x", "o"]
