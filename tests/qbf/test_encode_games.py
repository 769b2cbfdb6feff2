"""Rulesheets and Python games as formulas, against plain search and against their own rules."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.gdl.samples import NIM, PENNIES
from tests.qbf.forced import answer_to, need_same
from tests.randomgames import random_game
from zermelo import solve
from zermelo.continued import Continued
from zermelo.encode.qbf import Question, encoder_of, need_turns
from zermelo.encode.qbf.ground import GROUND_ENCODINGS, encode_ground
from zermelo.errors import NotApplicableError
from zermelo.game import Game
from zermelo.gdl.game import RulesheetGame
from zermelo.gdl.kif import read_kif
from zermelo.limits import Limits
from zermelo.qbf.circuit import Kind, cone, substituted
from zermelo.qbf.engines import PARTS, formula_engines
from zermelo.qbf.formula_portfolio import portfolio
from zermelo.solving import solve_game
from zermelo.solving.targets import game_of

RING = """
; A token on a ring of five; walls can be put behind it. Who is to move with the token at home, walls all around, wins.
(role me) (role you) (init (at 1)) (init (turn me)) (init (clock 0))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(ring 1 2) (ring 2 3) (ring 3 4) (ring 4 5) (ring 5 1)
(<= (open ?x ?y) (ring ?x ?y) (not (true (wall ?x ?y))))
(<= (joined ?x ?y) (open ?x ?y)) (<= (joined ?x ?z) (joined ?x ?y) (joined ?y ?z))
(<= (legal ?p go) (true (turn ?p)))
(<= (legal ?p (block ?x ?y)) (true (turn ?p)) (open ?x ?y))
(<= (legal ?p noop) (role ?p) (not (true (turn ?p))))
(<= moved (does ?p go))
(<= (next (at ?y)) (true (at ?x)) moved (open ?x ?y))
(<= (next (at ?x)) (true (at ?x)) moved (not (free ?x)))
(<= (next (at ?x)) (true (at ?x)) (not moved))
(<= (free ?x) (open ?x ?y))
(<= (next (wall ?x ?y)) (does ?p (block ?x ?y)))
(<= (next (wall ?x ?y)) (true (wall ?x ?y)))
(<= (next (turn me)) (true (turn you))) (<= (next (turn you)) (true (turn me)))
(<= (next (clock ?n)) (true (clock ?m)) (succ ?m ?n))
(<= home (true (at ?x)) (joined ?x 1))
(<= terminal (not home)) (<= terminal (true (clock 5)))
(<= (goal me 100) (not home) (true (turn you))) (<= (goal you 0) (not home) (true (turn you)))
(<= (goal me 0) (not home) (true (turn me))) (<= (goal you 100) (not home) (true (turn me)))
(<= (goal me 40) home) (<= (goal you 60) home)
"""
"""Reachability is recursive, so its circuit has a cyclic block; three different scores."""

SMALL = ("gdl:nim:1,2", "gdl:hex:2", "gdl:dotsandboxes:1,1", "gdl:breakthrough:3,2", "gdl:geography:random:5,2,3")


def some_moves(game: Game, chance: Random, most: int) -> list[Any]:
    """A random line to a position in which play is not over."""
    position, line = game.start(), list[Any]()
    while len(line) < most:
        move = chance.choice(game.moves(position))
        position = game.play(position, move)
        if game.result(position) is not None:
            break
        line.append(move)
    return line


@pytest.mark.parametrize("encoding", GROUND_ENCODINGS)
@pytest.mark.parametrize("target", SMALL)
def test_a_rulesheet_has_the_answer_of_plain_search(target: str, encoding: str) -> None:
    encoder = encoder_of(game_of(target), encoding)
    for plies in range(5):
        for score in encoder.scores[1:]:
            need_same(encoder.play, encoder.encode(Question(plies, score)))
            need_same(encoder.play, encoder.encode(Question(plies, score, unfinished=True)))


@pytest.mark.parametrize("encoding", GROUND_ENCODINGS)
def test_a_recursive_relation_means_its_least_fixpoint(encoding: str) -> None:
    encoder = encoder_of(RulesheetGame(read_kif(RING)), encoding)
    assert encoder.scores == (0, 40, 100)
    for plies in (1, 3, 4):
        for score in (40, 100):
            need_same(encoder.play, encoder.encode(Question(plies, score)))


@pytest.mark.parametrize("encoding", GROUND_ENCODINGS)
def test_positions_in_the_middle_of_a_rulesheet(encoding: str) -> None:
    game, chance = game_of("gdl:tictactoe"), Random(5)
    for plies in (3, 4, 5):
        encoder = encoder_of(Continued(game, some_moves(game, chance, plies)), encoding)
        for score in (50, 100):
            need_same(encoder.play, encoder.encode(Question(4, score)))


def test_random_python_games_have_the_answer_of_plain_search() -> None:
    for seed in range(40):
        game = random_game(seed, nodes=10)
        if game.result(0) is not None:
            continue
        encoder = encoder_of(game)
        for score in encoder.scores[1:]:
            need_same(game, encoder.encode(Question(encoder.length, score)))
            need_same(game, encoder.encode(Question(2, score, unfinished=seed % 2 == 0)))


@pytest.mark.parametrize(
    "target",
    [
        "gdl:nim:2,2,1",
        "gdl:connectfour:3,3,3",
        "gdl:dotsandboxes:1,2",
        "gdl:breakthrough:3,3",
        "wythoff:2,3",
        "hex:3",
        "treblecross:5",
    ],
)
def test_the_value_by_formulas_is_that_of_search_and_is_checked(target: str) -> None:
    solution = solve_game(game_of(target), target=target, engine="qbf")
    assert solution.verified
    assert solution.value == solve(target).value
    assert solution.certificate is not None
    assert solution.line


@pytest.mark.parametrize("encoding", GROUND_ENCODINGS)
@pytest.mark.parametrize("target", ["connect:3,3,3", "mnk:3,3,3", "hex:2", "breakthrough:4,2,2", "breakthrough:3,3"])
def test_a_library_game_goes_by_the_circuit_of_its_rulesheet(target: str, encoding: str) -> None:
    game, chance = game_of(target), Random(7)
    for plies in (0, 2):
        encoder = encoder_of(Continued(game, some_moves(game, chance, plies)), encoding)
        assert encoder.encoding == encoding
        for score in encoder.scores[1:]:
            need_same(encoder.play, encoder.encode(Question(4, score)))
            need_same(encoder.play, encoder.encode(Question(3, score, unfinished=True)))


@pytest.mark.parametrize(
    ("target", "plies", "won"),
    [
        ("gdl:connectfour:4,4,3", 9, True),
        ("gdl:connectfour:4,4,3", 7, False),
        ("gdl:connectfour:5,5,3", 9, True),
        ("gdl:connectfour:6,6,3", 9, True),
        ("gdl:connectfour:4,4,4", 15, False),
        ("gdl:polyomino:4,4,elly", 7, True),
        ("gdl:polyomino:4,4,tippy", 9, True),
        ("gdl:dotsandboxes:2,2", 12, True),
        ("gdl:breakthrough:5,2,2", 21, False),
        ("gdl:breakthrough:4,3,2", 19, False),
        ("gdl:breakthrough:4,4,2", 25, False),
    ],
)
def test_games_of_another_paper_have_its_verdicts(target: str, plies: int, won: bool) -> None:
    # He, Saffidine and Thielscher, AAMAS 2024, Table 2.
    engines = formula_engines()
    formula = encoder_of(game_of(target)).encode(Question(plies, 100)).formula
    _, answer = portfolio({name: engines[name] for name in PARTS}, formula, Limits(60))
    assert answer.value == won


def test_scores_between_win_and_loss_are_found_by_thresholds() -> None:
    game = RulesheetGame(read_kif(RING))
    solution = solve_game(game, engine="qbf")
    assert (solution.value, solution.verified) == (solve(game).value, True)


def test_the_second_role_may_move_first() -> None:
    game = game_of("gdl:nim:1,2")
    rest = Continued(game, [game.moves(game.start())[0]])
    assert encoder_of(rest).encode(Question(3, 100)).formula.prefix[0].quantifier == "forall"
    assert solve_game(rest, engine="qbf").verified


@pytest.mark.parametrize("encoding", GROUND_ENCODINGS)
def test_what_is_left_of_a_formula_depends_on_the_position_alone(encoding: str) -> None:
    # Two orders of the same four marks lead to one position, so they must leave one formula.
    encoder = encoder_of(game_of("gdl:tictactoe"), encoding)
    encoded = encoder.encode(Question(7, 100))
    left = []
    for line in (("a 1", "b 2", "c 3", "a 2"), ("c 3", "a 2", "a 1", "b 2")):
        position, values = encoder.play.start(), dict[int, bool]()
        for ply, cell in enumerate(line):
            choice = encoded.plies[ply][ply % 2]
            assert choice is not None
            move = f"(mark {cell})"
            values |= dict(zip(choice.variables, choice.values(encoder.play, position, move), strict=True))
            position = encoder.play.play(position, move)
        circuit = encoded.formula.circuit
        leaves = {
            node: int(values[node]) if node in values else 2 * node
            for node in range(len(circuit))
            if circuit.kind[node] == Kind.VARIABLE
        }
        left.append(substituted(circuit, [encoded.formula.output], circuit, leaves)[0])
    assert left[0] == left[1]
    assert len(cone(encoded.formula.circuit, left[:1])) > 10


def test_games_of_chance_and_of_moves_at_once_are_refused() -> None:
    for sheet in (PENNIES, NIM.replace("(role right)", "(role right) (role third)")):
        with pytest.raises(NotApplicableError):
            encoder_of(RulesheetGame(read_kif(sheet)))
    with pytest.raises(NotApplicableError):
        encoder_of(game_of("gdl:backgammon"))


def test_choices_at_once_are_found_wherever_they_are() -> None:
    # Only after two waits may both show a side; random games would hardly tell.
    sheet = """
    (role a) (role b) (init (turn a)) (init (clock 0)) (succ 0 1) (succ 1 2) (succ 2 3)
    (<= (legal ?p wait) (role ?p)) (<= (legal ?p (go 1)) (true (turn ?p)))
    (<= (legal ?p (show ?n)) (role ?p) (true both) (succ ?m ?n))
    (<= (next both) (true (clock 1)) (does a wait) (does b wait) (true waited))
    (<= (next waited) (does a wait) (does b wait))
    (<= (next (turn b)) (true (turn a))) (<= (next (turn a)) (true (turn b)))
    (<= (next (clock ?n)) (true (clock ?m)) (succ ?m ?n))
    (<= terminal (true (clock 3)))
    (<= (goal a 100) (true waited)) (<= (goal b 0) (true waited))
    (<= (goal a 0) (not (true waited))) (<= (goal b 100) (not (true waited)))
    """
    ground = RulesheetGame(read_kif(sheet)).ground
    assert ground is not None
    need_turns(encode_ground(ground, ("a", "b"), ground.native.start(), Question(2, 100)))
    with pytest.raises(NotApplicableError, match="at once"):
        need_turns(encode_ground(ground, ("a", "b"), ground.native.start(), Question(3, 100)))
    boxes = encoder_of(game_of("gdl:dotsandboxes:1,2")).encode(Question(7, 100))
    need_turns(boxes)
    assert boxes.clash > 1


def test_play_without_an_end_is_given_up() -> None:
    sheet = """
    (role you) (role me) (init (at 1)) (init (turn you)) (step 1 2) (step 2 1) (step 2 3)
    (<= (legal ?p (go ?y)) (true (turn ?p)) (true (at ?x)) (step ?x ?y))
    (<= (legal ?p wait) (role ?p) (not (true (turn ?p))))
    (<= (next (at ?y)) (does ?p (go ?y)))
    (<= (next (turn me)) (true (turn you))) (<= (next (turn you)) (true (turn me)))
    (<= terminal (true (at 3))) (<= (goal you 100) (true (turn you))) (<= (goal you 0) (true (turn me)))
    (<= (goal me 0) (true (turn you))) (<= (goal me 100) (true (turn me)))
    """
    game = RulesheetGame(read_kif(sheet))
    assert answer_to(encoder_of(game).encode(Question(3, 100))).value is False
    solution = solve_game(game, engine="qbf")
    assert solution.value is None
    assert "not decided" in solution.note
