"""Gambit's files as the checker reads them: everything that a text says, and each mistake at its place."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from zermelo.check.read import gambit
from zermelo.check.read.gambit import Cells, Tree, cells_of, tree_of
from zermelo.errors import InputError
from zermelo.games.extensive import parse_extensive
from zermelo.games.strategic import parse_strategic
from zermelo.source import Source

TREE = """EFG 2 R "a title" { "A" "" } "a comment"
c "" 1 "" { "heads" 1/2 "tails" 0.5 } 0
p "" 1 1 "" { "x" "x" } 1 "paid on the way" { 1, -1 }
t "" 2 "" { 3 4 }
t "" 0
c "again" 1 0
p "" 2 1 { "" "" } 0
t "" 2
t "" 1
t "" 0
"""
NODES = [
    ["chance", ["heads", "tails"], [1, 4], ["1/2", "1/2"], []],
    ["A", ["x#1", "x#2"], [2, 3], [], []],
    ["", [], [], [], ["4", "3"]],
    ["", [], [], [], ["1", "-1"]],
    ["chance", ["heads", "tails"], [5, 8], ["1/2", "1/2"], []],
    ["player 2", ["1", "2"], [6, 7], [], []],
    ["", [], [], [], ["3", "4"]],
    ["", [], [], [], ["1", "-1"]],
    ["", [], [], [], ["0", "0"]],
]
TABLE = 'NFG 1 D "t" { "A" "B" } { { "u" "d" } 3 } "a comment" { { "win" 1 0 } { "" 0, 1 } } 1 2 0 1 2 2'
CELLS = [["1", "0"], ["0", "1"], ["0", "0"], ["1", "0"], ["0", "1"], ["0", "1"]]


def read(form: str, text: str) -> Any:
    return gambit.read(Source(form, text, f"x.{form}"))


def test_a_tree_is_read_node_by_node() -> None:
    tree = read("efg", TREE)
    assert isinstance(tree, Tree)
    assert json.loads(tree.canonical()) == [["A", "player 2"], NODES]


def test_a_table_is_read_cell_by_cell() -> None:
    table = read("nfg", TABLE)
    assert isinstance(table, Cells)
    assert json.loads(table.canonical()) == [["A", "B"], [["u", "d"], ["1", "2", "3"]], CELLS]
    listed = 'NFG 1 R "" { "A" "B" } { 2 2 } 1 2 3 4 5/2 6e1 .5 -8'
    assert read("nfg", listed).cells == [(1, 2), (3, 4), (Fraction(5, 2), 60), (Fraction(1, 2), -8)]


def test_a_game_without_a_text_is_the_one_that_its_text_states() -> None:
    assert tree_of(parse_extensive(TREE)).canonical() == read("efg", TREE).canonical()
    assert cells_of(parse_strategic(TABLE)).canonical() == read("nfg", TABLE).canonical()


def test_all_choose_at_once_and_get_what_the_cell_says() -> None:
    game = read("nfg", TABLE).game()
    assert game.start() == () and game.result(()) is None and game.turn(()) == ("A", "B")
    assert game.moves(()) == [(a, b) for a in ("u", "d") for b in ("1", "2", "3")]
    assert (game.moves_of((), "A"), game.moves_of((), "B")) == (["u", "d"], ["1", "2", "3"])
    assert game.result(game.play((), ("d", "1"))) == (0, 1)
    assert game.result(game.play((), ("u", "2"))) == (0, 0)


def test_one_player_chooses_alone() -> None:
    game = read("nfg", 'NFG 1 R "" { "A" } { { "u" "d" } } 5 7').game()
    assert (game.turn(()), game.moves(()), game.moves_of((), "A")) == ("A", ["u", "d"], ["u", "d"])
    assert game.result(game.play((), "d")) == (7,)


def test_what_is_told_apart_by_names_and_chances_of_nothing_is_taken_as_it_is() -> None:
    nodes = read("efg", 'EFG 2 D "" { "A" } c "" 1 "" { "x" 1 "y" 0 } 0 t "" 1 { 1e2 } t "" 0').nodes
    assert nodes[0] == ("chance", ["x", "y"], [1, 2], [1, 0], ())


def test_numbers_have_300_characters_at_most() -> None:
    text = 'EFG 2 R "" { "A" } t "" 1 { %s }'
    assert read("efg", text % ("1" * 300)).nodes[0][4] == (int("1" * 300),)
    with pytest.raises(InputError, match=r"^x\.efg:1:29: '1{40}', expected a number$"):
        read("efg", text % ("1" * 301))


def test_tables_have_so_many_cells_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gambit, "MOST_CELLS", 4)
    assert len(read("nfg", 'NFG 1 R "" { "A" "B" } { 2 2 } 1 1 1 1 1 1 1 1').cells) == 4
    with pytest.raises(InputError, match=r"a table of 6 cells, expected 1\.\.4"):
        read("nfg", 'NFG 1 R "" { "A" "B" } { 2 3 }')


HEAD = 'EFG 2 R "" { "A" "B" }\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "1:1: 'the end of the file', expected EFG"),
        ("NFG 2", "1:1: expected EFG"),
        ("EFG 1", "1:5: expected 2"),
        ("\nEFG 1", "2:5: expected 2"),
        ("EFG\n2 X", "2:3: expected R or D"),
        ('EFG 2 R { "A" }', "1:9: '{', expected the title in quotes"),
        ('EFG 2 R ""\n\n "A', "3:2: a text in quotes does not end"),
        ('EFG 2 R "" "A"', "1:12: 'A', expected {"),
        ('EFG 2 R "" { A }', "1:14: 'A', expected a text in quotes"),
        ('EFG 2 R "" { "A" ', "1:18: 'the end of the file', expected a text in quotes"),
        ('EFG 2 R "" { }', "1:14: expected players with names of their own"),
        ('EFG 2 R "" { "A" "A" }', "1:22: expected players with names of their own"),
        ('EFG 2 R "" { "nobody" }', "1:23: expected players with names of their own"),
        (HEAD + 'x "" 0', "2:1: 'x', expected p, c or t"),
        (HEAD + "t 0", "2:3: '0', expected the name of a node in quotes"),
        (HEAD + 't "" 0.', "2:6: '0.', expected the number of an outcome"),
        (HEAD + 't "" 1', "2:6: the payoffs of outcome 1 are missing"),
        (HEAD + 't "" 1 { 1 }', "2:12: '}', expected a number"),
        (HEAD + 't "" 1 { 1 2 3 }', "2:14: '3', expected }"),
        (HEAD + 't "" 1 { 1 1/00 }', "2:12: '1/00', expected a number"),
        (HEAD + 't "" 1 { 1 0x1 }', "2:12: '0x1', expected a number"),
        (HEAD + 't "" 0 "a name"', "2:8: something follows the game"),
        (HEAD + 't "" 0 { 1 1 }', "2:8: something follows the game"),
        (HEAD + 'p "" 0 1 "" { "x" } 0 t "" 0', "2:6: there is no player 0"),
        (HEAD + 'p "" 3 1 "" { "x" } 0 t "" 0', "2:6: there is no player 3"),
        (HEAD + 'p "" 1 1 "" 0', "2:10: no moves"),
        (HEAD + 'p "" 1 1 "" { } 0', "2:15: no moves"),
        (HEAD + 'c "" 1 "" { "x" 1/2 "y" 1/3 } 0', "2:29: these are no probabilities, expected such that add up to 1"),
        (HEAD + 'c "" 1 "" { "x" 3/2 "y" -1/2 } 0', "2:30: these are no probabilities, expected such that add up to 1"),
        (
            HEAD + 'p "" 1 1 "" { "x" } 0\np "" 1 1 "" { "x" } 0\nt "" 0',
            "3:8: an information set has a second node, expected a game of perfect information",
        ),
    ],
)
def test_a_mistake_in_a_tree_is_told_at_its_place(text: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        read("efg", text)
    assert str(refused.value) == f"x.efg:{said}"
    with pytest.raises(InputError):
        parse_extensive(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("EFG 1", "1:1: expected NFG"),
        ('NFG 1 R "" { "A" } { 0 }', "1:22: a table of 0 cells, expected 1..10000000"),
        ('NFG 1 R "" { "A" } { } 1', "1:22: '}', expected how many strategies a player has"),
        ('NFG 1 R "" { "A" } { 2 2 } 1', "1:24: '2', expected }"),
        ('NFG 1 R "" { "A" } { 2 } 1', "1:27: 'the end of the file', expected a number"),
        ('NFG 1 R "" { "A" } { 2 } 1 2 3', "1:30: something follows the game"),
        ('NFG 1 R "" { "A" } { 2 } { { 1 } } 1 1', "1:30: '1', expected the name of an outcome in quotes"),
        ('NFG 1 R "" { "A" } { 2 } { { "" 1 } } 0 2', "1:41: there is no outcome 2"),
        ('NFG 1 R "" { "A" } { 2 } { { "" 1 2 } } 0 1', "1:35: '2', expected }"),
        ('NFG 1 R "" { "A" } { 2 } { "" } 0 1', "1:28: '', expected }"),
    ],
)
def test_a_mistake_in_a_table_is_told_at_its_place(text: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        read("nfg", text)
    assert str(refused.value) == f"x.nfg:{said}"
    with pytest.raises(InputError):
        parse_strategic(text)
