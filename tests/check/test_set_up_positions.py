"""Claims about a position that was set up: the checker reads the position by itself, and forged ones are refused."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.faults.processes import ended, start

import zermelo
from zermelo.certificate import Certificate, parse_certificate
from zermelo.check import check_certificate
from zermelo.check.set_up import placed
from zermelo.check.targets import game_to_check
from zermelo.continued import Placed
from zermelo.errors import InputError

TARGETS = ["gdl:tictactoe", "gdl:nim:2,3", "domineering:...|...|...", "dots:1x2", "domineering:1x3+.#|.."]


def later(target: str, seed: int, steps: int) -> tuple[zermelo.Game, Any]:
    """A game, and a position that some random moves lead to."""
    game, chance = zermelo.game_of(target), random.Random(seed)
    position = game.start()
    for _ in range(steps):
        after = game.play(position, chance.choice(list(game.moves(position))))
        if game.result(after) is not None:
            break
        position = after
    return game, position


def proof_of(solution: zermelo.Solution) -> Certificate:
    assert solution.certificate is not None
    return solution.certificate


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("seed", range(3))
def test_an_answer_about_a_position_that_was_set_up_is_verified(target: str, seed: int) -> None:
    game, position = later(target, seed, 1 + seed)
    solution = zermelo.solve(target, position=position)
    assert solution.verified, solution.note
    assert proof_of(solution).claims[0].after == (f"[{game.key(position)}]",)
    whole = zermelo.solve(game.at([]), position=position, options=zermelo.Options(verify=False))
    assert whole.value == solution.value


@pytest.mark.parametrize("target", TARGETS)
def test_the_checker_writes_positions_as_the_game_does(target: str) -> None:
    own = game_to_check(target)
    assert own is not None
    for seed in range(10):
        game, position = later(target, seed, seed)
        key = game.key(position)
        assert own.key(placed(own, key)) == key


@pytest.mark.parametrize("target", TARGETS[:3])
def test_a_certificate_about_another_position_is_refused(target: str) -> None:
    (game, here), (_, there) = later(target, 1, 1), later(target, 2, 3)
    assert here != there
    proof = proof_of(zermelo.solve(target, position=here))
    asked = game.at([Placed(there, game.key(there))])
    assert check_certificate(asked, proof).status == "refuted"
    assert check_certificate(game, proof).status == "refuted"
    forged = replace(proof, claims=tuple(replace(claim, after=(f"[{game.key(there)}]",)) for claim in proof.claims))
    assert check_certificate(asked, forged).status == "refuted"


@pytest.mark.parametrize("target", TARGETS[:3])
def test_a_score_that_is_too_good_is_refused(target: str) -> None:
    game, position = later(target, 1, 1)
    proof = proof_of(zermelo.solve(target, position=position))
    asked = game.at([Placed(position, game.key(position))])
    assert check_certificate(asked, proof).accepted
    for number, claim in enumerate(proof.claims):
        claims = list(proof.claims)
        claims[number] = replace(claim, at_least=claim.at_least + 1)
        assert check_certificate(asked, replace(proof, claims=tuple(claims))).status == "refuted"


@pytest.mark.parametrize(
    "target, key",
    [
        ("gdl:tictactoe", "(turn o) (cell a 1 x)"),
        ("gdl:tictactoe", "(cell a 1 x) (cell a 1 x) (turn o)"),
        ("gdl:tictactoe", "(cell a 1 ?x) (turn o)"),
        ("gdl:tictactoe", "(cell a 1 x"),
        ("gdl:tictactoe", "(cell a 1 x) (turn o) | (mark 1 2)"),
        ("gdl:tictactoe", "(cell  a 1 x) (turn o)"),
        ("gdl:tictactoe", ""),
        ("gdl:tictactoe", "(cell a 1 x)"),
        ("domineering:...|...", "##.|..."),
        ("domineering:...|...", "##.|... nobody"),
        ("domineering:...|...", "##.|.. left"),
        ("domineering:...|...", "##?|... left"),
        ("domineering:...|...", "##.|...+... left"),
        ("domineering:...|...", "2x3 left"),
        ("dots:1x2", "(('..|...|..'),0,2)"),
        ("dots:1x2", "(('..|...|..','.|..|.'),0,1)"),
        ("dots:1x2", "(('1x2'),0,1)"),
        ("dots:1x2", "(('..|..|..'),0,1)"),
        ("dots:1x2", "(('..|...|..'),007,1)"),
    ],
)
def test_a_key_that_is_not_that_of_a_position_is_refused(target: str, key: str) -> None:
    own = game_to_check(target)
    assert own is not None
    with pytest.raises(InputError, match="is no position of this game"):
        placed(own, key)


def test_a_position_that_was_set_up_is_followed_by_moves() -> None:
    game, position = later("gdl:tictactoe", 1, 2)
    there = game.at([Placed(position, game.key(position))])
    move = game.moves(position)[0]
    solution = zermelo.solve(there.at([move]))
    assert solution.verified, solution.note
    assert proof_of(solution).claims[0].after == (f"[{game.key(position)}]", game.move_text(move))


def test_where_the_checker_cannot_read_positions_the_answer_says_so() -> None:
    game = zermelo.game_of("{5|-5} + {3||2|-1}")
    solution = zermelo.solve(game, position=game.play(game.start(), game.moves(game.start())[0]))
    assert not solution.verified
    assert "the checker reads moves alone" in solution.note


def test_a_certificate_that_was_written_to_a_file_is_checked_there(tmp_path: Path) -> None:
    game, position = later("gdl:tictactoe", 1, 2)
    file, key = tmp_path / "proof.json", f"[{game.key(position)}]"
    proof = proof_of(zermelo.solve("gdl:tictactoe", position=position))
    proof.write(file)
    assert parse_certificate(file.read_text()).to_json() == proof.to_json()
    said = ended(start("check", "gdl:tictactoe", str(file), "--after", key))
    assert (said.status, key in said.out) == (0, True), said
    assert ended(start("check", "gdl:tictactoe", str(file))).status == 1
    wrong = ended(start("check", "gdl:tictactoe", str(file), "--after", key[:-1]))
    assert (wrong.status, "expected ]" in wrong.err) == (2, True)
