"""Sums of boards of several games and games in brackets: read twice, valued, solved, checked, drawn and played."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cgt.boards import RANDOM, random_position
from zermelo import Options, solve
from zermelo.cgt.boards.board_value import value_of_board
from zermelo.cgt.boards.ruleset import positions_of
from zermelo.cgt.mixed import MixedSum, is_mixed
from zermelo.cgt.values.value import number, value_of
from zermelo.check import check_certificate
from zermelo.check.instance import instance_of
from zermelo.check.mixed import is_mixed as is_mixed_to_the_checker
from zermelo.check.mixed import mixed_target
from zermelo.check.targets import game_to_check
from zermelo.errors import InputError
from zermelo.limits import Limits
from zermelo.picturing import picture
from zermelo.solving.targets import game_of

EXAMPLE = "domineering:..|.. + clobber:xo + {1|-1} + 2*^ + kayles:5"
BRACKETS = ("{1|-1}", "*2", "^", "-1/2", "3", "{2||1|0}", "+-1", "0")


def random_sum(rng: random.Random) -> str:
    """Two boards and a game in brackets, in any order."""
    terms = [rng.choice(BRACKETS)]
    for _ in range(2):
        name = rng.choice(list(RANDOM))
        ruleset, position = random_position(name, rng)
        terms.append(f"{name}:{ruleset.text(position)}")
    rng.shuffle(terms)
    return " + ".join(terms)


def test_both_readers_read_the_same_sums_and_play_the_same_moves() -> None:
    rng = random.Random(3)
    for _ in range(25):
        text = random_sum(rng)
        assert is_mixed(text) and is_mixed_to_the_checker(text)
        game, own = MixedSum.named(text), mixed_target(text).game()
        position, checked = game.start(), own.start()
        while True:
            assert game.key(position) == own.key(checked)
            moves = sorted(game.move_text(move) for move in game.moves(position))
            assert moves == sorted(own.move_text(move) for move in own.moves(checked)), text
            assert game.result(position) == own.result(checked)
            if not moves or len(moves) > 60:
                break
            name = rng.choice(moves)
            position = game.play(position, next(m for m in game.moves(position) if game.move_text(m) == name))
            checked = own.play(checked, next(m for m in own.moves(checked) if own.move_text(m) == name))


def test_the_value_of_a_sum_is_that_of_its_terms_together() -> None:
    terms = ("domineering:..|..", "clobber:xo", "kayles:5")
    boards = [MixedSum.named(f"{term} + 0").value(Limits()) for term in terms]
    assert MixedSum.named(EXAMPLE).value(Limits()) == sum(boards, number(0)) + value_of("{1|-1} + 2*^")


@pytest.mark.parametrize("seed", range(6))
def test_sums_of_several_games_are_solved_and_checked(seed: int) -> None:
    text = random_sum(random.Random(seed))
    solution = solve(text, options=Options(ask="outcome"))
    value = MixedSum.named(text).value(Limits())
    assert (solution.details.outcome, solution.verified) == (value.outcome, True), text


def test_a_certificate_of_another_sum_is_refused() -> None:
    solution = solve("clobber:xo + {1|-1}", options=Options(ask="outcome"))
    assert solution.certificate is not None
    other = game_of("clobber:xo + {1|-2}")
    assert check_certificate(other, solution.certificate).status == "refuted"
    lie = replace(solution.certificate.claims[0], role="right" if solution.winner == "left" else "left")
    forged = replace(solution.certificate, claims=(lie,))
    assert check_certificate(game_of("clobber:xo + {1|-1}"), forged).status == "refuted"


def test_values_of_several_games_together_are_no_claim() -> None:
    solution = solve(EXAMPLE)
    assert (solution.details.value, solution.verified) == ("2^*4", True)
    assert {claim.rule for claim in solution.certificate.claims} == {"outcome"}


def test_a_sum_stands_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "several.cgt"
    file.write_text("# two games\ndomineering:...|..#\n  + clobber:xoxo\n  + {2|-1}\n", encoding="utf-8")
    assert solve(file).verified
    assert instance_of(game_of(str(file))).canonical() == "domineering:...|..# + clobber:xoxo + short:{2|-1}"


def test_a_graph_stands_in_a_file_of_several_lines(tmp_path: Path) -> None:
    file = tmp_path / "graph.cgt"
    file.write_text("# a cycle\nnodekayles:a-b,b-c,\n  c-d,d-a\n  + e-f\n", encoding="utf-8")
    solution = solve(file)
    assert (str(solution.details.value), solution.verified) == ("*", True)
    assert instance_of(game_of(str(file))).canonical() == "nodekayles:a-b,a-d,b-c,c-d+e-f"
    played = game_to_check(str(file))
    assert played is not None and len(played.moves(played.start())) == 6


@pytest.mark.parametrize(
    ("text", "place"),
    [("graphcol:a-b,b-c\n + a-b,\n  b-?", "3:4"), ("# x\nclobber:xo\n  + kayles:q", "3:12"), ("kayles:q", "1:8")],
)
def test_mistakes_in_a_file_are_shown_in_their_line(text: str, place: str, tmp_path: Path) -> None:
    file = tmp_path / "wrong.cgt"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=f"wrong.cgt:{place}: "):
        game_of(str(file))


def test_terms_without_a_name_are_boards_of_the_game_before_or_else_games() -> None:
    assert mixed_target("kayles:5 + 3 + {1|-1} + 3").canonical() == "kayles:5 + kayles:3 + short:{1|-1} + short:3"
    game = MixedSum.named("kayles:5 + 3 + {1|-1} + 3")
    assert game.key(game.start()) == "kayles:5 + kayles:3 + short:{1|-1} + short:3 left"


@pytest.mark.parametrize(
    ("text", "place"), [("clobber:xo + domineering:.q", "1:27"), ("clobber:xo + {1|-", "1:14"), ("1 + cram:q", "1:10")]
)
def test_mistakes_are_shown_with_their_place(text: str, place: str) -> None:
    with pytest.raises(InputError, match=f":{place}: "):
        game_of(text)


def test_sums_of_one_game_are_read_as_before() -> None:
    assert not is_mixed("kayles:5+3") and not is_mixed_to_the_checker("kayles:5+3")
    assert value_of_board(*positions_of("kayles:5+3")) == value_of("*7")


def test_a_sum_of_several_games_has_a_picture() -> None:
    drawn = str(picture(game_of("clobber:xo + domineering:..|.. + {1|-1}")).svg)
    assert drawn.startswith("<svg") and "{1|-1}" in drawn


@pytest.mark.parametrize(
    "target", ["domineering:..|.. + clobber:xo + {1|-1}", "clobber:xo + kayles:3 + *2", "{1|-1} + domineering:.."]
)
def test_play_goes_on_until_no_board_has_a_move(target: str) -> None:
    game = game_of(target)
    position = game.start()
    while (moves := list(game.moves(position))) or game.result(position) is None:
        assert game.result(position) is None
        position = game.play(position, moves[-1])
    assert sorted(game.result(position)) == [-1, 1]


@pytest.mark.parametrize("target", ["kayles:300 + nimheaps:5", "nimheaps:5 + kayles:300", "kayles:300 + clobber:xo"])
def test_a_large_heap_beside_another_game_is_won_by_a_move(target: str) -> None:
    solution = solve(target)
    assert (solution.winner, solution.verified) == ("left", True)
    game = game_of(target)
    assert game.value_after(game.play(game.start(), solution.move), Limits()) == number(0)  # type: ignore[attr-defined]


@pytest.mark.parametrize("game", ["*33", "*17", "{*20|-30} + *"])
def test_a_game_whose_brackets_nobody_could_write_is_refused_by_both_readers(game: str) -> None:
    with pytest.raises(InputError, match="100,000 options"):
        MixedSum.named(f"{game} + clobber:xo")
    with pytest.raises(InputError, match="100,000 options"):
        mixed_target(f"{game} + clobber:xo")
    assert mixed_target("*9 + clobber:xo").canonical().startswith("short:{0,{0,")
