"""Scripted games at the terminal."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
import time

import pytest

from zermelo.errors import InputError
from zermelo.game import Game
from zermelo.games import make_game
from zermelo.limits import Limits
from zermelo.play.engine_player import EnginePlayer
from zermelo.play.session import Session
from zermelo.play.terminal import Terminal, humans_of, stream_reader

from .test_session import Coin, Fingers


def transcript(target: str | Game, script: str, humans: str | None = None) -> list[str]:
    """What the terminal says while somebody types a script."""
    game = make_game(target) if isinstance(target, str) else target
    said: list[str] = []
    read = stream_reader(io.StringIO(script), io.StringIO())
    engine = EnginePlayer(game, limits=Limits(20))
    Terminal(Session(game), humans_of(game, humans), engine, read, said.append).run()
    return said


def test_a_good_move_in_nim_wins() -> None:
    said = transcript("nim:1,2", "1,1\n0,1\n1,1\n")
    assert said[-1] == "first wins."


def test_a_bad_move_in_nim_loses() -> None:
    said = transcript("nim:1,2", "0,1\n")
    assert said[-1] == "second wins."
    assert any(line.startswith("second plays 1,2") for line in said)


def test_a_person_can_play_the_second_role() -> None:
    said = transcript("nim:2,2", "0,2\n", "second")
    assert said[0].startswith("You play second; the engine plays first.")
    assert said[-1] in ("second wins.", "first wins.", "second resigns: first wins.")


def test_both_roles_by_people() -> None:
    assert transcript("nim:1,1", "0,1\n1,1\n", "both")[-1] == "second wins."


def test_nobody_at_the_keyboard_lets_the_engine_play_itself() -> None:
    assert transcript("nim:1,2,3", "", "none")[-1] == "second wins."


def test_garbage_gets_one_line_and_another_question() -> None:
    garbage = ["fork", "9,9", "1,", "\x00\x1b[2J", "é" * 1000, "-1,1"]
    said = transcript("nim:1,2", "\n".join([*garbage, "", "resign"]) + "\n")
    complaints = [line for line in said if "is not a legal move here" in line]
    assert len(complaints) == len(garbage)
    assert all("\n" not in line and len(line) < 300 for line in complaints)


def test_undo_takes_back_to_the_persons_last_turn() -> None:
    said = transcript("nim:3,4,5", "0,3\nundo\nundo\nresign\n")
    start = said[2]
    assert said.count(start) == 2
    assert "There is nothing to take back." in said


def test_hint_names_the_best_move_and_the_value_of_every_move() -> None:
    said = transcript("nim:1,2", "hint\nquit\n")
    assert "best: 1,1 (proved: first wins)" in said
    assert "  second wins: 0,1 1,2" in said
    assert "  first wins: 1,1" in said


def test_resigning_gives_the_game_to_the_other_role() -> None:
    assert transcript("nim:1,2", "resign\n")[-1] == "first resigns: second wins."


def test_the_end_of_the_input_resigns() -> None:
    assert transcript("nim:1,2", "")[-1] == "first resigns: second wins."


def test_quitting_leaves_without_a_result() -> None:
    said = transcript("nim:1,2", "quit\n")
    assert not any("wins" in line for line in said)


def test_moves_board_and_help_answer_and_ask_again() -> None:
    said = transcript("nim:1,2", "moves\nboard\nhelp\n:help\nquit\n")
    assert "0,1 1,1 1,2" in said
    assert sum("go back to your last turn" in line for line in said) == 2


class Words(Game):
    """A one-role puzzle whose moves have the names of commands: undo wins, quit does not."""

    roles = ("solver",)

    def start(self) -> str:
        return ""

    def turn(self, position: str) -> str:
        return "solver"

    def moves(self, position: str) -> list[str]:
        return ["quit", "undo"]

    def play(self, position: str, move: str) -> str:
        return move

    def result(self, position: str) -> tuple[int] | None:
        return None if not position else (int(position == "undo"),)


def test_a_move_comes_before_the_command_of_the_same_name() -> None:
    assert transcript(Words(), "undo\n")[-1] == "Solved: the score is 1."
    assert transcript(Words(), ":quit\n")[-1] != "Not solved: the score is 0."


def test_puzzles_have_hints_too() -> None:
    assert any(line.startswith("best: undo") for line in transcript(Words(), "hint\nquit\n"))


def test_chance_moves_by_itself() -> None:
    said = transcript(Coin(), "")
    assert any(line in ("chance: heads", "chance: tails") for line in said)


def test_roles_that_move_at_once_do_not_see_each_other() -> None:
    said = transcript(Fingers(), "hint\n1\n")
    assert said[-1] in ("first wins.", "second wins.")
    assert any(line.startswith("first plays 1, second plays") for line in said)


def test_ctrl_c_at_the_prompt_leaves_politely() -> None:
    def interrupted(prompt: str) -> str:
        raise KeyboardInterrupt

    game = make_game("nim:1,2")
    said: list[str] = []
    Terminal(Session(game), ("first",), EnginePlayer(game), interrupted, said.append).run()
    assert said[-1] == "first resigns: second wins."


def test_an_unknown_role_is_refused_with_the_roles_there_are() -> None:
    with pytest.raises(InputError, match="expected first, second, both or none"):
        humans_of(make_game("nim:1"), "third")


def run(*arguments: str, script: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "zermelo", "play", *arguments],
        input=script,
        capture_output=True,
        check=False,
        timeout=60,
    )


def test_the_command_line_plays_a_game_and_survives_broken_bytes() -> None:
    done = run("nim:1,2", script=b"\xff\xfe\n1,1\n0,1\n1,1\n")
    assert done.returncode == 0
    assert done.stdout.endswith(b"first wins.\n")
    assert done.stderr == b""


def test_the_command_line_says_what_is_wrong_in_one_line() -> None:
    done = run("nim:1,2", "--as", "third")
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1


def test_ctrl_c_while_the_engine_thinks_makes_it_move() -> None:
    command = [sys.executable, "-m", "zermelo", "play", "hex:9", "--as", "second", "--time-limit", "50"]
    game = subprocess.Popen(
        [*command, "--time-limit", "50"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert game.stdout is not None
    for _ in range(11):  # the greeting and the board: from here on the engine thinks
        game.stdout.readline()
    time.sleep(0.5)
    game.send_signal(signal.SIGINT)
    out, err = game.communicate(timeout=40)
    assert b"first plays" in out
    assert game.returncode == 0
    assert err == b""
