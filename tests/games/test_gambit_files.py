"""Gambit's files: trees and tables, read twice, written, and read again."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from importlib import import_module

import pytest
from tests.fuzz.gambittexts import random_table, random_tree

import zermelo
from zermelo.check.instance import READERS
from zermelo.cli import main
from zermelo.errors import InputError
from zermelo.game import CHANCE, Game
from zermelo.games.extensive import parse_extensive
from zermelo.games.strategic import parse_strategic
from zermelo.solving.targets import game_of
from zermelo.source import Source

SEEDS = range(60)


def lines_of_play(game: Game) -> list[object]:
    """Everything that the rules say, along every line of play."""
    found: list[object] = [game.roles]
    waiting = [game.start()]
    while waiting:
        position = waiting.pop()
        scores = game.result(position)
        if scores is not None:
            found.append([Fraction(score) for score in scores])
            continue
        turn = game.turn(position)
        found.append((turn, [game.move_text(move) for move in game.moves(position)]))
        if turn == CHANCE:
            found.append([chance for _, chance in game.chances(position)])
        waiting += [game.play(position, move) for move in game.moves(position)]
    return found


def checkers(form: str, text: str) -> Game:
    game: Game = import_module(READERS[form]).read(Source(form, text, f"x.{form}")).game()
    return game


@pytest.mark.parametrize("seed", SEEDS)
def test_both_readers_read_a_tree_alike(seed: int) -> None:
    rng = random.Random(seed)
    text = random_tree(rng, rng.randint(1, 3), rng.randint(1, 4))
    assert lines_of_play(parse_extensive(text)) == lines_of_play(checkers("efg", text))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_tree_that_is_written_is_the_tree_that_was_read(seed: int) -> None:
    rng = random.Random(seed)
    game = parse_extensive(random_tree(rng, rng.randint(1, 3), rng.randint(1, 4)))
    again = parse_extensive(zermelo.encoded(game, "efg"))
    assert lines_of_play(again) == lines_of_play(game)


@pytest.mark.parametrize("seed", SEEDS)
def test_both_readers_read_a_table_alike_and_it_is_written_as_it_was_read(seed: int) -> None:
    text = random_table(random.Random(seed))
    game = parse_strategic(text)
    assert lines_of_play(game) == lines_of_play(checkers("nfg", text))
    assert lines_of_play(parse_strategic(zermelo.encoded(game, "nfg"))) == lines_of_play(game)


def test_a_game_of_the_library_becomes_a_tree_with_the_same_value() -> None:
    for target in ("nim:1,2,2", "subtraction:4;1,2", "mnk:2,3,2"):
        tree = parse_extensive(zermelo.encoded(target, "efg"))
        assert zermelo.solve(tree).value == zermelo.solve(target).value


def test_moves_made_at_once_become_one_information_set() -> None:
    text = zermelo.encoded("examples/pennies.nfg", "efg")
    assert text.count('p "" 2 1 ') == 2 and text.count('p "" 1 1 ') == 1
    with pytest.raises(InputError, match="would not see everything"):
        parse_extensive(text)


def test_the_toss_is_worth_what_the_house_can_hold_it_to() -> None:
    solution = zermelo.solve("examples/toss.efg")
    assert (solution.value, solution.verified) == (Fraction(1, 2), True)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ('EFG 2 R "" { "A" }\np "" 2 1 "" { "x" } 0', "2:1", "no player 2"),
        ('EFG 2 R "" { "A" "A" } t "" 0', "1:18", "two players"),
        ('EFG 2 R "" { "chance" } t "" 0', "1:14", "no player can be called"),
        ('EFG 2 R "" { "A" }\nc "" 1 "" { "x" 1/2 } 0\nt "" 0', "2:11", "add up to 1/2"),
        ('EFG 2 R "" { "A" }\nt "" 1', "2:6", "outcome 1"),
        ('EFG 2 R "" { "A" }\np "" 1 1 "" { "x" "y" } 0\nt "" 0', "3:6", "the file ends"),
        ('EFG 2 R "" { "A" }\nt "" 0\nt "" 0', "3:1", "something follows"),
        ('EFG 2 R "" { "A', "1:14", "does not end"),
        ('EFG 2 R "" { "A" }\nt "" 1 { x }', "2:10", "expected a payoff"),
        ('EFG 2 R "" { "A" }\nt "" 1 { 1/0 }', "2:10", "denominator 0"),
    ],
)
def test_a_wrong_tree_is_refused_at_its_place(text: str, place: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as refused:
        parse_extensive(text, "x.efg")
    assert str(refused.value).startswith(f"x.efg:{place}: ")
    with pytest.raises(InputError, match=r"x\.efg:\d+:\d+: "):
        checkers("efg", text)


def test_a_text_of_gambit_is_recognised_by_its_first_word(tmp_path: pytest.TempPathFactory) -> None:
    file = tmp_path / "game.txt"  # type: ignore[operator]
    file.write_text('EFG 2 R "" { "A" }\nt "" 1 { 3 }\n')
    assert game_of(str(file)).result(0) == (3,)


def test_deep_trees_are_read_and_written_without_recursion() -> None:
    depth = 20_000
    text = 'EFG 2 R "" { "A" }\n' + "".join(f'p "" 1 {i} "" {{ "x" }} 0\n' for i in range(1, depth)) + 't "" 1 { 1 }\n'
    game = parse_extensive(text)
    assert len(game.nodes) == depth == len(checkers("efg", text).tree.nodes)  # type: ignore[attr-defined]
    assert zermelo.encoded(game, "efg").count("\n") == depth + 1


def test_a_move_whose_name_has_a_blank_is_made_in_quotation_marks(capsys: pytest.CaptureFixture[str]) -> None:
    for line in ("'offer 2' stay", '"offer 2" stay'):
        assert main(["solve", "examples/ultimatum.efg", "--after", line, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["move"] == "accept"
    assert main(["solve", "examples/ultimatum.efg", "--after", "offer 2"]) == 2
    assert "expected one of 'offer 1' 'offer 2'" in capsys.readouterr().err
