"""Functions as a certificate states them: read as they stand, and refused line by line where anything is wrong."""

from __future__ import annotations

from random import Random

import pytest

from zermelo.check.andgraph import AndGraph, GraphError, conjunctions, read_and_graph

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
    with pytest.raises(GraphError) as refused:
        read_and_graph(text)
    assert str(refused.value) == message


def value_of(graph: AndGraph, chosen: int) -> list[bool]:
    """The values of all nodes by the definition, the inputs being the bits of a number."""
    value = [False, *(bool(chosen >> place & 1) for place in range(len(graph.inputs)))]
    for one, other in graph.gates:
        value.append((value[one >> 1] != bool(one & 1)) and (value[other >> 1] != bool(other & 1)))
    return value


def test_conjunctions_say_the_same_as_the_gates_that_they_gather() -> None:
    for seed in range(300):
        chance = Random(seed)
        count = chance.randint(1, 6)
        gates = tuple((chance.randrange(2 * node), chance.randrange(2 * node)) for node in range(4, 4 + count))
        outputs = tuple((f"o{k}", chance.randrange(2, 2 * (4 + count))) for k in range(chance.randint(1, 2)))
        graph = AndGraph(("x", "y", "z"), outputs, gates)
        made = list(conjunctions(graph))
        for chosen in range(8):
            wanted = value_of(graph, chosen)
            value = dict(enumerate(wanted[:4]))
            for node, literals in made:
                value[node] = all(value[literal >> 1] != bool(literal & 1) for literal in literals)
                assert value[node] == wanted[node], seed
            assert all(output >> 1 in value for _, output in outputs)


def test_a_gate_that_one_other_uses_as_it_is_is_part_of_that() -> None:
    graph = AndGraph(("x", "y", "z"), (("v", 12),), ((2, 4), (8, 7), (10, 9)))
    assert [(node, sorted(parts)) for node, parts in conjunctions(graph)] == [(4, [2, 4]), (6, [7, 8, 9])]
    graph = AndGraph(("x", "y", "z"), (("v", 10),), ((2, 4), (8, 7)))
    assert [(node, sorted(parts)) for node, parts in conjunctions(graph)] == [(5, [2, 4, 7])]
