"""One forward model and one kind of player, whoever asks: matches, the terminal, the protocol."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from zermelo.cgt.game import WrittenSum
from zermelo.cgt.scores.sum_player import SumPlayer
from zermelo.decision import Clock, Decision, Player
from zermelo.games import make_game
from zermelo.gdl.ground import ground
from zermelo.gdl.library import rulesheet
from zermelo.gdl.reasoner import Reasoner
from zermelo.play import player as players
from zermelo.play.belief import Belief
from zermelo.play.engine_player import EnginePlayer
from zermelo.play.player import make_player
from zermelo.play.thinker import HiddenThinker, OpenThinker, PlainThinker, hidden_thinker
from zermelo.search.forward import ForwardModel, ReasonerModel, RulesheetModel, joint_moves
from zermelo.search.game_model import GameModel

PACKAGE = Path(__file__).parents[2] / "src" / "zermelo"


def protocols() -> Iterator[tuple[str, set[str]]]:
    """The protocols of the package, each with the names of its methods."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and any("Protocol" in ast.unparse(base) for base in node.bases):
                yield node.name, {part.name for part in node.body if isinstance(part, ast.FunctionDef)}


def test_one_protocol_drives_a_game() -> None:
    # A state machine is what a reasoner is: it speaks of one rulesheet, in its own words.
    assert {name for name, methods in protocols() if {"start", "legal"} <= methods} == {"ForwardModel", "StateMachine"}


def test_whoever_chooses_moves_is_a_player() -> None:
    assert {name for name, methods in protocols() if "choose" in methods} == {"Player", "Adviser"}


def models() -> list[ForwardModel]:
    """One game in three ways: its ground game, its rules as they stand, the game of the library."""
    sheet = rulesheet("tictactoe")
    return [RulesheetModel(ground(sheet)), ReasonerModel(Reasoner(sheet)), GameModel(make_game("tictactoe"))]


def cell_of(model: ForwardModel, move: int) -> str:
    """``a1``, which the rulesheet writes ``(mark a 1)``."""
    return model.move_text(move).removeprefix("(mark ").removesuffix(")").replace(" ", "")


def test_all_forward_models_of_a_game_say_the_same() -> None:
    said = []
    for model in models():
        position, legal = model.start(), []
        for cell in ("a1", "b1", "a2", "b2", "a3"):
            moves = joint_moves(model, position)
            legal.append([len(own) for own in moves])
            joint = [next((move for move in own if cell_of(model, move) == cell), own[0]) for own in moves]
            assert not model.over(position)
            position = model.play(position, joint)
        assert model.over(position)
        said.append((model.roles, model.seats, model.chance, legal, [model.score(position, seat) for seat in (0, 1)]))
    assert said[0] == said[1] == said[2]


def thinkers_and_advisers() -> Iterator[tuple[Player, Any]]:
    """Players that are known by no name, each with a position to be asked about."""
    sheet = rulesheet("tictactoe")
    rules = ReasonerModel(Reasoner(sheet))
    yield OpenThinker(ground(sheet), 0), RulesheetModel(ground(sheet)).start()
    yield PlainThinker(rules, 0), rules.start()
    yield HiddenThinker(rules, 0), Belief(rules, 0)
    yield hidden_thinker(ground(sheet), 0), Belief(RulesheetModel(ground(sheet)), 0)
    yield EnginePlayer(make_game("tictactoe")), []
    yield SumPlayer(WrittenSum("{5|-5} + {3||2|-1}")), []


def test_players_of_every_kind_answer_the_same_question() -> None:
    model = RulesheetModel(ground(rulesheet("tictactoe")))
    players._load()
    named = [(make_player(name, model, 0, 1), model.start()) for name in sorted(players._makers)]
    for player, position in [*named, *thinkers_and_advisers()]:
        assert isinstance(player, Player)
        decision = player.choose(position, Clock(seconds=0.1))
        assert isinstance(decision, Decision)
        assert decision.move is not None
