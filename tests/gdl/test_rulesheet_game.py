"""Rulesheets as games: whose turn it is, scores, boards, and the verbs of the command line."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import pytest

from tests.gdl.samples import CROSS, DICE, NIM, PENNIES, sheet_of
from zermelo import solve
from zermelo.check import check_certificate
from zermelo.cli import main
from zermelo.errors import GameError, InputError, NotApplicableError
from zermelo.game import CHANCE
from zermelo.gdl.game import Halfway, RulesheetGame, why_hidden
from zermelo.gdl.library import rulesheet
from zermelo.gdl.reasoner import Reasoner
from zermelo.solving.targets import game_of


def game_from(text: str) -> RulesheetGame:
    return RulesheetGame(sheet_of(text, "game.kif"))


def test_the_role_with_a_choice_has_the_turn() -> None:
    game = game_from(NIM)
    start = game.start()
    assert game.roles == ("left", "right")
    assert game.turn(start) == "left"
    after = game.play(start, "(reduce a 0)")
    assert game.turn(after) == "right"
    assert [game.move_text(move) for move in game.moves(after)] == ["reduce(b,0)", "reduce(b,1)"]


def test_where_nobody_has_a_choice_the_turn_is_of_the_role_whose_move_says_something() -> None:
    game = game_from(NIM)
    one_left = ("(control right)", "(heap a 0)", "(heap b 1)")
    assert game.turn(one_left) == "right"
    assert game.moves(one_left) == ["(reduce b 0)"]


def test_chance_moves_after_the_player_of_the_same_step() -> None:
    game = game_from(DICE)
    start = game.start()
    assert game.roles == ("player",)
    assert game.turn(start) == "player"
    bet = game.play(start, "low")
    assert bet == Halfway(("betting",), ("low",))
    assert game.turn(bet) == CHANCE
    assert game.chances(bet) == [(f"(roll {n})", Fraction(1, 3)) for n in (1, 2, 3)]
    assert game.result(game.play(bet, "(roll 3)")) == (0,)
    assert game.result(game.play(bet, "(roll 1)")) == (100,)
    assert game.key(bet) == "betting | low"


def test_several_players_with_a_choice_move_at_once() -> None:
    game = game_from(PENNIES)
    start = game.start()
    assert game.turn(start) == ("even", "odd")
    assert game.moves_of(start, "odd") == ["(show heads)", "(show tails)"]
    assert game.result(game.play(start, ("(show heads)", "(show tails)"))) == (0, 100)
    solution = solve(game)
    assert (solution.value, solution.winner) == (50, "draw")


@pytest.mark.parametrize("text", [NIM, CROSS, DICE], ids=["nim", "cross", "dice"])
def test_lines_are_read_back_and_positions_have_keys_of_their_own(text: str) -> None:
    game, rng = game_from(text), random.Random(1)
    keys: dict[str, object] = {}
    for _ in range(5):
        position = game.start()
        while game.result(position) is None:
            assert keys.setdefault(game.key(position), position) == position
            moves = list(game.moves(position))
            assert all(game.parse_move(position, game.move_text(move)) == move for move in moves)
            assert all(game.parse_move(position, str(move)) == move for move in moves)
            assert not any(" " in game.move_text(move) for move in moves)
            position = game.play(position, rng.choice(moves))


def test_nim_is_solved_with_a_checked_certificate() -> None:
    solution = solve(game_from(NIM))
    assert (solution.value, solution.winner, solution.verified) == (100, "left", True)
    assert solution.move == "(reduce b 1)"
    assert solution.certificate is not None
    assert check_certificate(game_from(NIM), solution.certificate).accepted


def test_three_in_a_row_on_two_rows_is_a_draw() -> None:
    solution = solve(game_from(CROSS))
    assert (solution.value, solution.winner, solution.verified) == (50, "draw", True)


def test_the_expected_score_of_a_bet_is_exact() -> None:
    solution = solve(game_from(DICE))
    assert (solution.value, solution.move, solution.verified) == (Fraction(200, 3), "low", True)


def test_a_grid_of_facts_is_shown_as_a_board() -> None:
    game = game_from(CROSS)
    position = game.play(game.play(game.start(), "(mark 1 1)"), "(mark 3 2)")
    board = game.board(position)
    assert board is not None
    assert board.cells == (("", "", "o"), ("x", "", ""))
    assert game.text(position) == ". . o\nx . .\n(control x)"


@pytest.mark.parametrize(
    ("names", "first", "second", "cells"),
    [
        ("?x ?y", "1 2", "1 2 3", (("", "w"), ("", ""), ("b", ""))),
        ("?row ?col", "1 2", "1 2 3", (("b", "", ""), ("", "", "w"))),
        ("?m1 ?n2", "1 2", "1 2 3", (("b", "", ""), ("", "", "w"))),
        ("?i ?j", "1 2", "1 2 3", (("b", "", ""), ("", "", "w"))),
        ("?m ?n", "a b", "1 2 3", (("", "w"), ("", ""), ("b", ""))),
        ("?m ?n", "1 2", "a b c", (("", "", "w"), ("b", "", ""))),
    ],
)
def test_the_words_of_the_rules_say_where_the_first_row_is(
    names: str, first: str, second: str, cells: tuple[tuple[str, ...], ...]
) -> None:
    places = [(a, b) for a in first.split() for b in second.split()]
    content = {places[0]: "black", places[-1]: "white"}
    facts = " ".join(f"(init (cell {a} {b} {content.get((a, b), 'none')}))" for a, b in places)
    sheet = f"(role black) {facts} (<= (next (cell {names} ?what)) (true (cell {names} ?what)))"
    game = game_from(sheet + "(legal black go) (<= terminal (true done)) (goal black 0)")
    shown = game.board(game.start())
    assert shown is not None
    assert tuple(tuple(cell[:1] for cell in row) for row in shown.cells) == cells


def test_cells_that_are_empty_at_the_start_have_their_place() -> None:
    game = RulesheetGame(rulesheet("othello"))
    board = game.board(game.start())
    assert board is not None
    assert [len(row) for row in board.cells] == [8] * 8
    assert board.cells[3][2:6] == ("", "white", "black", ""), "rows are counted from the top, says a comment"


def test_without_a_grid_the_facts_are_listed() -> None:
    game = game_from(NIM)
    assert game.board(game.start()) is None
    assert game.text(game.start()) == "(control left)  (heap a 1)  (heap b 2)"


@pytest.mark.parametrize(
    ("goals", "message"),
    [
        ("", "a has no goal value in the terminal state over"),
        ("(goal a 1) (goal a 2)", "a has the goal values 1 and 2 in the terminal state over"),
        ("(goal a high)", "the goal value high of a is not a whole number"),
    ],
)
def test_a_goal_that_is_missing_double_or_no_number_is_reported(goals: str, message: str) -> None:
    game = game_from(f"(role a) (init over) terminal (legal a wait) {goals}")
    with pytest.raises(GameError, match=f"game.kif: {message}"):
        game.result(game.start())


def test_a_role_without_a_move_is_reported() -> None:
    game = game_from("(role a) (init start)")
    with pytest.raises(GameError, match="a has no legal move in the state start"):
        game.moves(game.start())


def test_a_sheet_without_players_is_refused() -> None:
    with pytest.raises(GameError, match="there is no role to play"):
        game_from("(role random)")


def test_a_role_named_like_chance_gets_another_name() -> None:
    game = game_from(
        "(role chance) (init on) (legal chance a) (legal chance b) (goal chance 1) (<= terminal (not (true on)))"
    )
    assert game.roles == ("chance_role",)
    assert game.turn(game.start()) == "chance_role"
    assert game.result(game.play(game.start(), "a")) == (1,)


@pytest.mark.parametrize(
    ("sees", "hidden"),
    [
        ("(<= (sees ?r (did ?p ?m)) (role ?r) (does ?p ?m))", False),
        ("(<= (sees ?r (did ?p ?m)) (role ?r) (does ?p ?m) (distinct ?r ?p))", False),
        ("(<= (sees a (b ?m)) (does b ?m)) (<= (sees b (a ?m)) (does a ?m))", False),
        ("(<= (sees ?r (b ?m)) (role ?r) (does b ?m)) (<= (sees ?r (a ?m)) (role ?r) (does a ?m))", False),
        ("(<= (sees ?r ?m) (role ?r) (does ?p ?m))", True),  # who did it?
        ("(<= (sees ?p (did ?p ?m)) (does ?p ?m))", True),  # only one's own
        ("(<= (sees ?r (did ?p ?m)) (role ?r) (does ?p ?m) (distinct ?p b))", True),
        ("(<= (sees ?r (did ?p ?m)) (role ?r) (does ?p ?m) (true light))", True),
        ("(<= (sees ?r (did ?p ?m)) (role ?r) (does ?p ?m) (role ?m))", True),
        ("(<= (sees ?r (it ?m)) (role ?r) (does b ?m)) (<= (sees ?r (it ?m)) (role ?r) (does a ?m))", True),
        ("", False),  # no GDL-II at all
        ("(role random)", True),  # nobody is told what chance does
    ],
)
def test_information_is_complete_where_every_move_is_seen(sees: str, hidden: bool) -> None:
    assert (why_hidden(Reasoner(sheet_of(f"(role a) (role b) {sees}"))) is not None) == hidden


def test_exact_engines_and_the_checker_refuse_hidden_information() -> None:
    seen = "(<= (sees ?r (did ?p ?m)) (role ?r) (does ?p ?m))"
    game = game_from(DICE.replace(seen, ""))
    assert game.hidden_information
    with pytest.raises(NotApplicableError, match="does not see every move"):
        solve(game)
    certificate = solve(game_from(DICE)).certificate
    assert certificate is not None
    with pytest.raises(NotApplicableError, match="does not see every move"):
        check_certificate(game, certificate)


@pytest.fixture
def nim(tmp_path: Path) -> str:
    path = tmp_path / "nim.kif"
    path.write_text(NIM, encoding="utf-8")
    return str(path)


def test_rulesheet_files_are_targets(nim: str) -> None:
    assert isinstance(game_of(nim), RulesheetGame)
    with pytest.raises(InputError, match="no such file"):
        game_of("no-such.kif")


def test_solve_check_and_show_take_rulesheets(nim: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    proof = str(tmp_path / "proof.json")
    assert main(["solve", nim, "--certificate", proof]) == 0
    assert "left wins in 3 moves" in capsys.readouterr().out
    assert main(["check", nim, proof]) == 0
    assert capsys.readouterr().out.startswith("accepted: left gets at least 100")
    assert main(["show", nim, "--after", "reduce(b,1) reduce(a,0)"]) == 0
    assert capsys.readouterr().out.rstrip() == "(control left)  (heap a 0)  (heap b 1)"


def test_a_wrong_certificate_is_refuted(nim: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    proof = tmp_path / "proof.json"
    assert main(["solve", nim, "--certificate", str(proof)]) == 0
    proof.write_text(proof.read_text().replace("reduce(b,1)", "reduce(b,0)"))
    capsys.readouterr()
    assert main(["check", nim, str(proof)]) == 1
    assert capsys.readouterr().out.startswith("refuted")
