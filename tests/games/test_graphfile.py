"""Graph files: both formats, every error with its place, and writing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.errors import InputError
from zermelo.games.geography import random_graph
from zermelo.games.graphfile import Graph, parse_graph, read_graph, write_graph


def test_rounds_and_rows() -> None:
    graph = parse_graph("# a comment\n\n 3 # rounds\n5 0 7\n0 5\n7\n")
    assert graph == Graph(("5", "0", "7"), ((1, 2), (0,), ()), start=1, bound=3)


def test_without_a_node_0_play_starts_at_the_first_row() -> None:
    assert parse_graph("3\n4 2\n2").start == 0


def test_an_edge_list_starts_at_the_first_node_mentioned_or_at_0() -> None:
    assert parse_graph("b a\na c").start == 1
    assert parse_graph("b a\na 0").names[parse_graph("b a\na 0").start] == "0"


def test_windows_line_ends_tabs_and_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    file = tmp_path / "map.graph"
    file.write_bytes(b"\xef\xbb\xbf3\r\n0\t1\r\n1\r\n")
    assert read_graph(file) == Graph(("0", "1"), ((1,), ()), bound=3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "graph:1:1: no data, expected the maximum number of rounds or an edge"),
        ("# only this\n\n", "graph:1:1: no data, expected the maximum number of rounds or an edge"),
        ("3\n", "graph:1:1: no nodes, expected a line for each node after the number of rounds"),
        ("3\n0 1\n1 2", "graph:3:3: unknown node 2, expected one that has a line of its own"),
        ("3\n0 1\n1\n 0", "graph:4:2: node 0 has a line already, expected one line for each node"),
        ("3\n0\n0", "graph:3:1: node 0 has a line already, expected one line for each node"),
        ("3\n0 1  1\n1", "graph:2:6: 1 is a successor already, expected each once"),
        ("three\n0 1\n1", "graph:1:1: 'three' is not a whole number, expected the maximum number of rounds"),
        ("-3\n0", "graph:1:1: '-3' is not a whole number, expected the maximum number of rounds"),
        ("3\n0 1\n1 x", "graph:3:3: 'x' is not a whole number, expected a node's number"),
        ("3\n0 ٣\n", "graph:2:3: '٣' is not a whole number, expected a node's number"),
        (
            "3\n" + "7" * 5000,
            f"graph:2:1: '{'7' * 40}...' is not a whole number, expected a node's number",
        ),
        (
            "0 1 2\n1\n2",
            "graph:1:1: 3 words, expected the maximum number of rounds alone on the first line, or an edge FROM TO",
        ),
        ("a b\na c d", "graph:2:5: 3 words, expected an edge FROM TO, as the first line is one"),
        ("a b\n c", "graph:2:2: 1 word, expected an edge FROM TO, as the first line is one"),
        ("a b\nb a\na b", "graph:3:3: 'b' is a successor already, expected each edge once"),
        ("3\n0\x00 1", "graph:2:2: control character '\\x00', expected a text file"),
    ],
)
def test_errors_name_the_place_what_is_wrong_and_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        parse_graph(text)
    assert str(error.value) == message


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    garbage = tmp_path / "garbage.graph"
    garbage.write_bytes(b"3\n0 \xff\xfe\n")
    for path, message in (
        (garbage, f"{garbage}:2:3: the byte 0xff, which is not UTF-8, expected text in UTF-8"),
        (tmp_path, f"{tmp_path}: a directory, expected a file with a graph"),
        (tmp_path / "none.graph", f"{tmp_path / 'none.graph'}: no such file"),
    ):
        with pytest.raises(InputError) as error:
            read_graph(path)
        assert str(error.value) == message


@given(st.text("0123456789 \n#ax\t-", max_size=60))
def test_any_text_is_a_graph_or_one_line_of_complaint(text: str) -> None:
    try:
        graph = parse_graph(text)
    except InputError as error:
        assert str(error).startswith("graph:")
        assert "\n" not in str(error)
    else:
        assert parse_graph(write_graph(graph)) == graph


@given(st.binary(max_size=80))
def test_any_bytes_are_a_graph_or_one_line_of_complaint(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    file = tmp_path_factory.getbasetemp() / "any.graph"
    file.write_bytes(data)
    try:
        read_graph(file)
    except InputError as error:
        assert "\n" not in str(error)


@st.composite
def bounded_graphs(draw: st.DrawFn) -> Graph:
    names = draw(st.lists(st.integers(1, 10**18 - 1), min_size=1, max_size=8, unique=True))
    row = st.lists(st.integers(0, len(names) - 1), unique=True).map(tuple)
    rows = draw(st.lists(row, min_size=len(names), max_size=len(names)))
    return Graph(tuple(map(str, names)), tuple(rows), bound=draw(st.integers(0, 100)))


@given(bounded_graphs())
def test_reading_what_was_written_gives_the_graph_with_a_bound_back(graph: Graph) -> None:
    assert parse_graph(write_graph(graph)) == graph


LETTERS = st.characters(codec="utf-8", exclude_categories=["Z", "C"], exclude_characters="#")
WORDS = st.text(LETTERS, min_size=1, max_size=5)


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, unique=True))
def test_an_edge_list_survives_writing_and_reading(edges: list[tuple[str, str]]) -> None:
    graph = parse_graph("".join(f"{tail} {head}\n" for tail, head in edges))
    assert {(graph.names[tail], graph.names[head]) for tail, row in enumerate(graph.successors) for head in row} == set(
        edges
    )
    try:
        text = write_graph(graph)
    except InputError:  # node 0 has no way on, and another node's edges come first only after it
        assert not graph.successors[graph.start]
    else:
        assert parse_graph(text) == graph


def test_random_graphs_can_be_written() -> None:
    graph = random_graph(30, 3, 7)
    assert parse_graph(write_graph(graph)) == graph


@pytest.mark.parametrize(
    "graph",
    [
        Graph(("a", "b"), ((1,), ()), bound=3),
        Graph(("0", "1"), ((1,), ()), start=1, bound=3),
        Graph(("a b", "c"), ((1,), ())),
        Graph(("a", "#b"), ((1,), ())),
        Graph(("a", "b", "c"), ((1,), (), ())),
    ],
)
def test_a_graph_that_the_format_cannot_hold_is_not_written(graph: Graph) -> None:
    with pytest.raises(InputError, match="cannot hold this graph"):
        write_graph(graph)


def test_a_large_file_is_read(tmp_path: Path) -> None:
    count = 50_000
    file = tmp_path / "path.graph"
    rows = "".join(f"{node} {node + 1}\n" for node in range(count - 1))
    file.write_text(f"{count}\n{rows}{count - 1}\n", encoding="utf-8")
    assert len(read_graph(file).names) == count
