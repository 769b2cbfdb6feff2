"""Rulesheets against the same games as Python classes: the same moves, ends and winners along random lines."""

from __future__ import annotations

from random import Random

import pytest

from zermelo.gdl.kif import read_term
from zermelo.gdl.library import rulesheet
from zermelo.gdl.reasoner import Reasoner, State
from zermelo.solving.targets import game_of

PAIRS = [
    ("tictactoe", "", "tictactoe"),
    ("tictactoe", "3,4,3", "mnk:3,4,3"),
    ("gomoku", "7", "gomoku:7"),
    ("connectfour", "4,5,3", "connect:4,5,3"),
    ("connectfour", "", "connect:6,7,4"),
    ("hex", "4", "hex:4"),
    ("breakthrough", "5,4", "breakthrough:5,4"),
    ("breakthrough", "", "breakthrough:8,8"),
    ("othello", "", "othello:8,8"),
    ("dotsandboxes", "", "dotsandboxes:2,2"),
    ("dotsandboxes", "2,3", "dotsandboxes:2,3"),
    ("nim", "3,4,5", "nim:3,4,5"),
    ("geography", "random:9,3,2", "geography:random:9,3,2"),
]


@pytest.mark.parametrize(("name", "arguments", "target"), PAIRS)
def test_the_rulesheet_and_the_class_play_the_same_game(name: str, arguments: str, target: str) -> None:
    reasoner, game, rng = Reasoner(rulesheet(name, arguments)), game_of(target), Random(11)
    assert reasoner.roles == game.roles
    for _ in range(2):
        state, position = reasoner.start(), game.start()
        while (result := game.result(position)) is None:
            assert not reasoner.terminal(state)
            mover = reasoner.roles.index(str(game.turn(position)))
            moves = {spelled(name, move): move for move in reasoner.legal(state, reasoner.roles[mover])}
            ours = {game.move_text(move): move for move in game.moves(position)}
            assert moves.keys() == ours.keys()
            text = rng.choice(sorted(moves))
            state = stepped(reasoner, state, mover, moves[text])
            position = game.play(position, ours[text])
        assert reasoner.terminal(state)
        goals = [int(reasoner.goals(state, role)[0]) for role in reasoner.roles]
        assert goals == [50 if not score else 100 if score > 0 else 0 for score in result]


def spelled(name: str, move: str) -> str:
    """A move as the class writes it: the words of the term without the first, put together."""
    term = read_term(move)
    words = [str(part) for part in term.args] or [term.name]
    if name == "nim":
        return f"{ord(words[0]) - ord('a')},{words[1]}"
    return "".join(words)


def stepped(reasoner: Reasoner, state: State, mover: int, move: str) -> State:
    return reasoner.next(state, [move if role == mover else "noop" for role in range(len(reasoner.roles))])
