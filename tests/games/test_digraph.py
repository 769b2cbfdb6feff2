"""Components, dominators and playable edges against networkx and plain enumeration."""

from __future__ import annotations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from zermelo.games.digraph import NONE, components, dominators, most_steps, playable


@st.composite
def rows(draw: st.DrawFn) -> list[list[int]]:
    nodes = draw(st.integers(1, 9))
    row = st.lists(st.integers(0, nodes - 1), unique=True, max_size=3)
    return draw(st.lists(row, min_size=nodes, max_size=nodes))


def reached(graph: list[list[int]]) -> nx.DiGraph:
    full = nx.DiGraph([(tail, head) for tail, row in enumerate(graph) for head in row])
    full.add_node(0)
    return full.subgraph({0} | nx.descendants(full, 0))


def simple_paths(graph: list[list[int]]) -> list[list[int]]:
    found, longer = [[0]], [[0]]
    while longer:
        longer = [[*path, head] for path in longer for head in graph[path[-1]] if head not in path]
        found += longer
    return found


@given(rows())
def test_components_are_those_of_networkx_in_an_order_no_edge_climbs(graph: list[list[int]]) -> None:
    parts = components(graph, 0)
    expected = {frozenset(part) for part in nx.strongly_connected_components(reached(graph))}
    numbers = {part for part in parts.of if part != NONE}
    assert {frozenset(n for n, p in enumerate(parts.of) if p == part) for part in numbers} == expected
    assert parts.sizes == [parts.of.count(part) for part in range(len(parts.sizes))]
    assert all(parts.of[head] <= parts.of[tail] for tail in reached(graph) for head in graph[tail])


@given(rows())
def test_a_dominator_is_on_every_path(graph: list[list[int]]) -> None:
    immediate = dominators(graph, 0)
    paths = simple_paths(graph)
    for node in range(len(graph)):
        chain, above = set(), immediate[node]
        while above != NONE:
            chain.add(above)
            above = immediate[above]
        ways = [set(path) for path in paths if path[-1] == node]
        assert chain == (set.intersection(*ways) - {node} if ways else set())


@given(rows())
def test_every_edge_that_a_path_takes_is_playable(graph: list[list[int]]) -> None:
    left = playable(graph, 0)
    taken = {(path[-2], path[-1]) for path in simple_paths(graph) if len(path) > 1}
    assert taken <= {(tail, head) for tail, row in enumerate(left) for head in row}
    assert all([head for head in row if head in left[tail]] == list(left[tail]) for tail, row in enumerate(graph))


@given(rows())
def test_no_play_is_longer_than_most_steps(graph: list[list[int]]) -> None:
    left = playable(graph, 0)
    parts = components(left, 0)
    longest = max(len(path) for path in simple_paths(graph)) - 1
    bound = most_steps(left, 0, parts)
    assert longest <= bound
    if max(parts.sizes) == 1:
        assert longest == bound
