"""A strategy in layers followed along lines of play: it keeps its promise, whatever is left out, however it is cut."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.check.test_brief_layers import SMALL, proved

from zermelo.certificate import Claim
from zermelo.errors import LimitReachedError
from zermelo.game import Game
from zermelo.games import make_game
from zermelo.layers_played import played_out
from zermelo.layers_walked import Walk
from zermelo.search.proof_parts import ProofForm

FORMS = {
    "plain": ProofForm(),
    "brief": ProofForm(brief=True),
    "parts": ProofForm(parts=3),
    "brief parts": ProofForm(brief=True, parts=3),
}
LEFT_OUT = ("plain", "brief")


def walked(game: Game, claim: Claim) -> Walk:
    assert claim.layers is not None
    return Walk(game, claim.role, claim.layers, claim.at_least)


def follow(game: Game, claim: Claim, walk: Walk, dice: random.Random) -> list[Any]:
    """A game in which the other role moves at random; the owner gets what was promised."""
    line: list[Any] = []
    position = game.start()
    while (scores := game.result(position)) is None:
        mine = game.turn(position) == claim.role
        move = walk.move(line) if mine else dice.choice(game.moves(position))
        assert move in game.moves(position), (game.title, line)
        line.append(move)
        position = game.play(position, move)
    assert scores[game.roles.index(claim.role)] >= claim.at_least, (game.title, line)
    return line


@pytest.mark.parametrize("form", LEFT_OUT)
@pytest.mark.parametrize("target", SMALL)
def test_the_promise_is_kept_in_random_games(target: str, form: str) -> None:
    game, dice = make_game(target), random.Random(f"{target} {form}")
    for claim in proved(target, FORMS[form]).claims:
        walk = walked(game, claim)
        for _ in range(40):
            follow(game, claim, walk, dice)


@pytest.mark.parametrize("form", LEFT_OUT)
@pytest.mark.parametrize("target", ["connect:3,3,3", "mnk:2,4,3", "hex:2", "breakthrough:3,2", "dotsandboxes:1,2"])
def test_the_promise_is_kept_against_every_reply(target: str, form: str) -> None:
    game = make_game(target)
    for claim in proved(target, FORMS[form]).claims:
        walk, waiting = walked(game, claim), [((), game.start())]
        while waiting:
            line, position = waiting.pop()
            if (scores := game.result(position)) is not None:
                assert scores[game.roles.index(claim.role)] >= claim.at_least, line
                continue
            moves = [walk.move(line)] if game.turn(position) == claim.role else game.moves(position)
            waiting += [((*line, move), game.play(position, move)) for move in moves]


@pytest.mark.parametrize("target", ["connect:4,3,3", "mnk:3,3,3", "hex:3"])
def test_what_leaves_nothing_out_plays_what_its_table_says(target: str) -> None:
    game, dice = make_game(target), random.Random(target)
    for claim in proved(target, FORMS["plain"]).claims:
        assert claim.layers is not None
        table, walk = played_out(game, claim.role, claim.layers, claim.at_least), walked(game, claim)
        for _ in range(30):
            line, position = follow(game, claim, walk, dice), game.start()
            for ply, move in enumerate(line):
                if game.turn(position) == claim.role:
                    assert table[ply, position] == move
                position = game.play(position, move)


def test_a_line_that_leaves_the_strategy_has_no_move() -> None:
    game = make_game("connect:4,4,4")
    [first, *_] = proved("connect:4,4,4", FORMS["plain"]).claims
    walk = walked(game, first)
    wrong = next(move for move in game.moves(game.start()) if move != walk.move([]))
    assert walk.move([]) is not None
    assert walk.move([wrong]) is None, "the other role moves"
    assert walk.move([wrong, wrong]) is None, "the strategy does not lead there"


@pytest.mark.parametrize("form", ["parts", "brief parts"])
def test_a_proof_in_parts_is_walked_from_part_to_part(form: str) -> None:
    game, dice = make_game("connect:4,5,4"), random.Random(form)
    claim = next(each for each in proved("connect:4,5,4", FORMS[form]).claims if each.layers and each.layers.parts)
    walk, whole = walked(game, claim), claim.layers
    for _ in range(40):
        follow(game, claim, walk, dice)
    assert whole is not None and len(whole.parts) == 3
    assert walk._first is not None and walk._first.part is not None, "some games went on into a part"


@pytest.mark.parametrize("form", LEFT_OUT)
def test_no_more_is_walked_than_allowed(form: str) -> None:
    game = make_game("connect:4,4,4")
    for claim in proved("connect:4,4,4", FORMS[form]).claims:
        walk = walked(game, claim)
        line = follow(game, claim, walked(game, claim), random.Random(1))
        ply = next(n for n in range(6, 16) if game.turn(game.at(line[:n]).start()) == claim.role)
        with pytest.raises(LimitReachedError, match="more than 3 positions"):
            walk.move(line[:ply], most=3)
