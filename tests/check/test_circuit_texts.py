"""Functions as a certificate states them: read as they stand, and refused line by line where anything is wrong."""

from __future__ import annotations

import pytest

from zermelo.check.andgraph import AndGraph, read_and_graph
from zermelo.check.verdict import Fault

TEXT = "aag 5 2 0 2 2\n2\n4\n9\n6\n6 2 5\n8 7 4\ni0 x\ni1 u\no0 y\no1 v\n"


def test_a_graph_is_read_as_it_stands() -> None:
    assert read_and_graph(TEXT) == AndGraph(("x", "u"), (("y", 9), ("v", 6)), ((2, 5), (7, 4)))


def test_nodes_are_numbered_in_the_order_of_the_text() -> None:
    text = "aag 9 2 0 2 2\n14\n6\n18\n5\n4 15 6\n18 5 0\ni0 x\ni1 u\no0 y\no1 v\n"
    assert read_and_graph(text) == AndGraph(("x", "u"), (("y", 8), ("v", 7)), ((3, 4), (7, 0)))


def test_a_name_may_hold_spaces_and_what_follows_a_comment_is_not_read() -> None:
    text = "aag 1 1 0 1 0\n2\n3\no0 the other\ni0 x y\nc\ni0 z\nwhatever\n"
    assert read_and_graph(text) == AndGraph(("x y",), (("the other", 3),), ())


def test_the_smallest_graphs_are_read() -> None:
    assert read_and_graph("aag 0 0 0 0 0") == AndGraph((), (), ())
    assert read_and_graph("aag 0 0 0 1 0\n1\no0 y") == AndGraph((), (("y", 1),), ())
    assert read_and_graph("aag 1 1 0 0 0\n2\ni0 x") == AndGraph(("x",), (), ())


HEADER = "aag:1: the numbers of the header do not fit"
NAMES = "the names are not those of all inputs and outputs"
WRONG = {
    "nothing": ("", "aag:1: expected aag and five numbers"),
    "another format": (TEXT.replace("aag", "aig"), "aag:1: expected aag and five numbers"),
    "four numbers": ("aag 0 0 0 0\n", "aag:1: expected 5 numbers"),
    "six numbers": ("aag 0 0 0 0 0 0\n", "aag:1: expected 5 numbers"),
    "a number that is negative": ("aag 0 0 0 -1 0\n", "aag:1: expected 5 numbers"),
    "latches": (TEXT.replace("5 2 0", "5 2 1"), HEADER),
    "more gates than numbers": (TEXT.replace("aag 5", "aag 3"), HEADER),
    "fewer lines than gates": ("aag 5 2 0 2 2\n2\n4\n9\n6\n6 2 5", HEADER),
    "an input of two numbers": (TEXT.replace("\n4\n", "\n4 4\n"), "aag:3: expected 1 number"),
    "an input that is negated": (TEXT.replace("\n4\n", "\n5\n"), "aag:3: 5 cannot be defined here"),
    "an input twice": (TEXT.replace("\n4\n", "\n2\n"), "aag:3: 2 cannot be defined here"),
    "an input that is the constant": (TEXT.replace("\n4\n", "\n0\n"), "aag:3: 0 cannot be defined here"),
    "an input beyond the highest": (TEXT.replace("\n4\n", "\n12\n"), "aag:3: 12 cannot be defined here"),
    "a gate of two numbers": (TEXT.replace("6 2 5", "6 2"), "aag:6: expected 3 numbers"),
    "a gate that is negated": (TEXT.replace("6 2 5", "7 2 5"), "aag:6: 7 cannot be defined here"),
    "a gate that is an input": (TEXT.replace("6 2 5", "4 2 5"), "aag:6: 4 cannot be defined here"),
    "a gate twice": (TEXT.replace("8 7 4", "6 7 4"), "aag:7: 6 cannot be defined here"),
    "a gate of itself": (TEXT.replace("6 2 5", "6 6 5"), "aag:6: 6 is not defined before"),
    "a gate of itself, on the other side": (TEXT.replace("6 2 5", "6 2 7"), "aag:6: 7 is not defined before"),
    "a gate of a later one": (TEXT.replace("6 2 5", "6 2 8"), "aag:6: 8 is not defined before"),
    "an output of nothing": (TEXT.replace("\n9\n", "\n10\n"), "aag:4: 10 is not defined before"),
    "a name twice": (TEXT.replace("i1 u", "i0 u"), "aag:9: expected a new place and its name"),
    "no name": (TEXT.replace("i1 u", "i1 "), "aag:9: expected a new place and its name"),
    "a name too few": (TEXT.replace("o1 v\n", ""), f"aag:10: {NAMES}"),
    "a name too many": (TEXT + "o2 w\n", f"aag:12: {NAMES}"),
    "names behind a comment": (TEXT.replace("o1 v", "c\no1 v"), f"aag:12: {NAMES}"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_refused_where_it_stands(what: str) -> None:
    text, message = WRONG[what]
    with pytest.raises(Fault) as refused:
        read_and_graph(text)
    assert str(refused.value) == message
