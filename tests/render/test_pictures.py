"""Pictures are well-formed, show what they should, and refuse what nobody could read."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from zermelo.cli import main
from zermelo.draw.board import Board, board_svg, board_text
from zermelo.draw.scene import text_scene
from zermelo.draw.svg import picture
from zermelo.errors import InputError
from zermelo.games import entries, make_game
from zermelo.graph import graph_of
from zermelo.limits import Limits
from zermelo.render.graph import digraph_svg, game_graph_svg
from zermelo.render.tree import strategy_svg, tree_svg

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    """The texts of a picture, which must be well-formed."""
    return [element.text or "" for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def count(svg: str, tag: str, kind: str) -> int:
    """How many elements of a kind a picture holds."""
    return sum(element.get("class") == f"z-{kind}" for element in ElementTree.fromstring(svg).iter(f"{SVG}{tag}"))


cells = st.one_of(st.sampled_from(["", "x", "o", "black", "white"]), st.text(max_size=20))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(cells, max_size=5), max_size=5), st.sampled_from(["square", "hex"]))
def test_every_board_is_a_well_formed_picture(rows: list[list[str]], shape: str) -> None:
    board = Board(tuple(map(tuple, rows)), "hex" if shape == "hex" else "square")
    ElementTree.fromstring(board_svg(board, [(0, 0), (9, 9)]))
    board_text(board)


@given(st.text())
def test_every_text_is_a_well_formed_picture(text: str) -> None:
    ElementTree.fromstring(picture(1, 1, text_scene(text).under))


def test_a_square_board_shows_stones_names_and_marks() -> None:
    svg = board_svg(Board((("x", "o", ""), ("black", "white", "7"))), [(0, 2)])
    assert count(svg, "circle", "second-line") == 1
    assert count(svg, "path", "first-line") == 1
    assert count(svg, "circle", "black") == count(svg, "circle", "white") == 1
    assert count(svg, "rect", "mark") == 1
    assert set(texts(svg)) == {"7", "a", "b", "c", "1", "2"}


def test_a_hexagonal_board_has_a_hexagon_for_each_cell_and_four_sides() -> None:
    svg = board_svg(Board((("black", ""), ("", "white")), "hex"))
    assert count(svg, "polygon", "cell") == 4
    assert count(svg, "polyline", "rim") == 4
    assert count(svg, "polyline", "pale") == 2


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.name)
def test_every_library_game_can_be_drawn(entry: zermelo.games.Entry) -> None:
    game = make_game(entry.example)
    ElementTree.fromstring(game.svg(game.start()))
    assert game.text(game.start())


LABELLED = ["breakthrough:4,3", "mnk:4,3,3", "hex:3", "othello:4,4", "treblecross:5"]
RULESHEETS = ["amazons", "breakthrough", "checkers", "chess", "hex", "othello", "tictactoe"]


@pytest.mark.parametrize("target", [*LABELLED, *(f"gdl:{name}" for name in RULESHEETS)])
def test_rows_and_columns_are_labelled_as_moves_name_them(target: str) -> None:
    game = zermelo.game_of(target)
    start = game.start()
    board = game.board(start)
    assert board is not None
    columns = board.columns or tuple("abcdefghij"[: len(board.cells[0])])
    rows = board.rows or tuple(str(row + 1) for row in range(len(board.cells)))
    assert {*rows, *columns} - {""} <= set(texts(board_svg(board)))
    for move in game.moves(start):
        after = game.board(game.play(start, move))
        assert after is not None
        changed = [
            columns[c] + rows[r]
            for r, row in enumerate(after.cells)
            for c, cell in enumerate(row)
            if cell != board.cells[r][c]
        ]
        named = "".join(filter(str.isalnum, game.move_text(move)))
        assert any(cell in named for cell in changed), (named, changed)


def test_a_tree_has_a_node_for_each_line_and_a_colour_for_each_value() -> None:
    game = make_game("nim:1,1")
    svg = tree_svg(game, depth=2, values={game.key(game.start()): -1})
    assert texts(svg).count("0,1") == texts(svg).count("1,1") == 2
    assert texts(svg).count("-1") == 3


def test_a_tree_too_large_to_read_is_refused() -> None:
    with pytest.raises(InputError, match="smaller depth"):
        tree_svg(make_game("nim:30,30,30"), depth=2)


def test_the_tree_of_a_strategy_has_one_move_of_its_own_and_every_reply() -> None:
    solution = zermelo.solve("nim:1,2", "alphabeta")
    assert solution.certificate is not None
    labels = texts(strategy_svg(solution.game, solution.certificate.claims[0]))
    assert labels.count("1,1") == 3
    assert "1,2" not in labels


def test_the_graph_of_a_game_shows_each_position_once() -> None:
    game = make_game("nim:1,1")
    labels = texts(game_graph_svg(game, graph_of(game, Limits())))
    assert labels.count("((0,0),0)") == 1


def test_a_graph_may_hold_loops_pairs_and_nodes_out_of_reach() -> None:
    labels = texts(digraph_svg(["a", "b", "c", "lonely"], [[0, 1], [0, 2], [0], []]))
    assert labels == ["a", "b", "c", "lonely"]


def test_a_graph_too_large_to_read_is_refused() -> None:
    with pytest.raises(InputError, match="too many to draw"):
        digraph_svg([str(node) for node in range(1000)], [[] for _ in range(1000)])


def test_a_solution_shows_itself_in_a_notebook() -> None:
    solution = zermelo.solve("tictactoe", "alphabeta")
    assert {"tictactoe", "a draw", "value 0 for x"} <= set(texts(solution._repr_svg_()))


def test_show_prints_the_board_after_moves(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "tictactoe", "--after", "b2 a1"]) == 0
    assert capsys.readouterr().out == "o . .\n. x .\n. . .\n"


@pytest.mark.parametrize("kind", ["board", "tree", "graph"])
def test_show_writes_pictures(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "picture.svg"
    assert main(["show", "nim:1,2", "--as", kind, "-o", str(file)]) == 0
    ElementTree.fromstring(file.read_text(encoding="utf-8"))


def test_show_marks_the_last_move(tmp_path: Path) -> None:
    file = tmp_path / "picture.svg"
    assert main(["show", "tictactoe", "--after", "b2 a1", "-o", str(file)]) == 0
    assert count(file.read_text(encoding="utf-8"), "rect", "mark") == 1


def test_values_of_a_tree_are_worked_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "nim:1,2", "--as", "tree", "--depth", "1"]) == 0
    assert sorted(text for text in texts(capsys.readouterr().out) if text in ("1", "-1")) == [
        "-1",
        "-1",
        "1",
        "1",
    ]


@pytest.mark.parametrize(
    "arguments",
    [
        ["nim:1,2", "-o", "x.gif"],
        ["nim:1,2", "-o", "no/such/folder/x.svg"],
        ["nim:1,2", "--after", "9,9"],
        ["nim:1", "--after", "0,1 0,1"],
        ["nim:1,2", "--as", "tree", "-o", "x.txt"],
        ["nim:1,2", "--depth", "-1"],
        ["nim:1,2", "--as", "painting"],
        ["hex:5", "--as", "graph", "--time-limit", "2"],
    ],
)
def test_show_refuses_with_one_line_and_status_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", *arguments]) == 2
    assert capsys.readouterr().err.count("\n") == 1
