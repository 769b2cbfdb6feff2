"""Geography: rules against the plain ones that remember every node, bounds, random graphs, native twin."""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo import _native
from zermelo.errors import ArgumentError, IllegalMoveError
from zermelo.games import make_game
from zermelo.games.geography import Geography, Position, random_graph
from zermelo.games.graphfile import Graph, parse_graph

THESIS = "3\n0 1 2\n1 0 3 4\n2 0 5\n3 1 6\n4 1 7\n5 2\n6 3\n7 4\n"


def graph_of(rows: list[list[int]], start: int = 0, bound: int | None = None) -> Graph:
    return Graph(tuple(str(node) for node in range(len(rows))), tuple(tuple(row) for row in rows), start, bound)


@st.composite
def graphs(draw: st.DrawFn, most: int = 7) -> Graph:
    """Any small graph: cycles, loops, nodes out of reach, nodes without a way on; with or without a bound."""
    nodes = draw(st.integers(1, most))
    row = st.lists(st.integers(0, nodes - 1), unique=True, max_size=4)
    rows = draw(st.lists(row, min_size=nodes, max_size=nodes))
    return graph_of(rows, draw(st.integers(0, nodes - 1)), draw(st.none() | st.integers(0, nodes)))


def plain_winner(graph: Graph) -> int:
    """The first role's score by brute force over lines of play: nothing forgotten, nothing struck out."""

    @cache
    def mover_wins(node: int, visited: frozenset[int], plies: int) -> bool:
        if plies == graph.bound:
            return False
        return any(
            not mover_wins(head, visited | {head}, plies + 1) for head in graph.successors[node] if head not in visited
        )

    return 1 if mover_wins(graph.start, frozenset({graph.start}), 0) else -1


def python_winner(game: Geography, position: Position | None = None) -> int:
    @cache
    def value(here: Position) -> int:
        result = game.result(here)
        if result is not None:
            return result[0]
        after = [value(game.play(here, move)) for move in game.moves(here)]
        return max(after) if game.turn(here) == "first" else min(after)

    return value(game.start() if position is None else position)


def native_winner(game: Geography) -> int:
    kernel = game.native()
    assert kernel is not None
    outcome = kernel.search("alphabeta", _native.SearchParams()).solve(_native.Control())
    assert outcome.solved
    return int(outcome.lower)


@given(graphs())
def test_forgetting_other_components_does_not_change_the_winner(graph: Graph) -> None:
    game = Geography(graph)
    assert python_winner(game) == plain_winner(graph) == native_winner(game)


@pytest.mark.parametrize("seed", range(150))
def test_random_graphs_are_solved_as_by_brute_force(seed: int) -> None:
    graph = random_graph(4 + seed % 7, 1 + seed % 3, seed)
    game = Geography(graph)
    assert native_winner(game) == plain_winner(graph) == python_winner(game)


@given(graphs(12), st.integers(0, 2**32))
def test_moves_along_a_line_are_those_of_the_plain_rules_in_both_languages(graph: Graph, seed: int) -> None:
    choice = random.Random(seed)
    game = Geography(graph)
    position, kernel, line = game.start(), game.native(), [graph.start]
    assert kernel is not None
    while True:
        ways = [head for head in graph.successors[line[-1]] if head not in line]
        over = not ways or len(line) - 1 == graph.bound
        mover = (len(line) - 1) % 2
        assert (game.result(position) is not None) == kernel.over == over
        if over:
            assert game.result(position) == ((-1, 1) if mover == 0 else (1, -1))
            assert kernel.score == (-1 if mover == 0 else 1)
            return
        assert game.moves(position) == ways
        assert kernel.move_count == len(ways)
        assert game.turn(position) == game.roles[mover]
        assert kernel.turn == mover
        index = choice.randrange(len(ways))
        position, kernel = game.play(position, ways[index]), kernel.after(index)
        line.append(ways[index])


def test_first_wins_the_graph_of_the_thesis_by_1_and_then_6_or_7() -> None:
    game = Geography(parse_graph(THESIS))
    start = game.start()
    values = {game.move_text(move): python_winner(game, game.play(start, move)) for move in game.moves(start)}
    assert values == {"1": 1, "2": -1}
    for reply, answer in (("3", "6"), ("4", "7")):
        after_reply = game.play(game.play(start, 1), game.parse_move(game.play(start, 1), reply))
        assert [game.move_text(move) for move in game.moves(after_reply)] == [answer]
        assert game.result(game.play(after_reply, int(answer))) == (1, -1)


def test_the_bound_of_the_thesis_is_the_longest_play_and_is_dropped() -> None:
    assert Geography(parse_graph(THESIS)).bound is None


@pytest.mark.parametrize(("bound", "score"), [(0, -1), (1, 1), (2, -1), (3, 1), (4, -1), (5, -1), (None, -1)])
def test_a_bound_that_cuts_play_gives_the_win_to_the_last_mover(bound: int | None, score: int) -> None:
    path = graph_of([[1], [2], [3], [4], []], bound=bound)
    assert python_winner(Geography(path)) == native_winner(Geography(path)) == score


def test_a_position_on_an_acyclic_graph_is_a_node_and_a_turn() -> None:
    game = Geography(graph_of([[1, 2], [2], [3], []]))
    assert game.play(game.play(game.start(), 1), 2) == (2, frozenset(), 0)


def test_both_ways_along_a_tree_only_the_ways_out_are_left() -> None:
    game = Geography(graph_of([[1, 2], [0, 3], [0], [1]]))
    position = game.play(game.play(game.start(), 1), 3)
    assert position == (3, frozenset(), 0)
    assert game.result(position) == (-1, 1)


def test_a_component_beyond_the_kernel_is_left_to_interning() -> None:
    # Both ways round from a node on the ring: no node but the start dominates another.
    ring = graph_of([[1, 1999], *([node - 1, (node + 1) % 2000] for node in range(1, 2000))])
    assert Geography(ring).native() is None


def test_a_path_of_a_hundred_thousand_nodes_both_ways_is_answered() -> None:
    count = 100_000
    rows = [[node for node in (i - 1, i + 1) if 0 <= node < count] for i in range(count)]
    assert native_winner(Geography(graph_of(rows))) == 1


def test_random_graphs_are_the_same_everywhere() -> None:
    assert random_graph(5, 2, 1).successors == ((3, 4), (0, 4), (0, 4), (0, 1), (0, 2))


@given(st.integers(1, 12), st.integers(0, 11), st.integers(0, 2**60))
def test_random_successors_are_distinct_and_never_the_node_itself(nodes: int, degree: int, seed: int) -> None:
    degree = min(degree, nodes - 1)
    for node, row in enumerate(random_graph(nodes, degree, seed).successors):
        assert len(set(row)) == len(row) == degree
        assert set(row) <= set(range(nodes)) - {node}


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("geography:", "geography::1:11: '' is not 'random', expected"),
        ("geography:walk:3,1,1", "geography:walk:3,1,1:1:11: 'walk' is not 'random', expected"),
        (
            "geography:random:3,1",
            "geography:random:3,1:1:18: 2 numbers, expected 3: geography:random:N,DEG,SEED",
        ),
        ("geography:random:3,x,1", "geography:random:3,x,1:1:20: 'x' is not a whole number, expected"),
        ("geography:random:0,0,1", "geography:random:0,0,1:1:18: 0 nodes, expected 1..1000000"),
        (
            "geography:random:3,3,1",
            "geography:random:3,3,1:1:20: 3 successors a node, expected 0..2 for 3 nodes",
        ),
    ],
)
def test_wrong_arguments_are_pointed_at(target: str, message: str) -> None:
    with pytest.raises(ArgumentError) as error:
        make_game(target)
    assert str(error.value).startswith(message)


def test_moves_are_written_as_names_and_case_matters() -> None:
    game = Geography(parse_graph("s a\ns A\n"))
    start = game.start()
    assert [game.move_text(move) for move in game.moves(start)] == ["a", "A"]
    assert [game.move_text(game.parse_move(start, text)) for text in ("A", " a ")] == ["A", "a"]
    with pytest.raises(IllegalMoveError):
        game.parse_move(start, "s")


def test_a_position_reads_and_draws_itself() -> None:
    game = Geography(graph_of([[1, 2], [0, 2], [1, 3], []], bound=2))
    position = game.play(game.play(game.start(), 1), 2)
    assert game.text(position) == "the token is on 2\n0 rounds to go\nvisited: 1\nways on: none"
    contents = {place.name: place.content for place in game.scene(position).places}
    assert contents == {"0": "visited", "1": "visited", "2": "token", "3": "free"}


def test_of_a_large_graph_what_two_moves_reach_is_drawn() -> None:
    game = Geography(graph_of([[node + 1] for node in range(300)] + [[]]))
    assert [place.name for place in game.scene(game.start()).places] == ["0", "1", "2"]
    assert "3 of 301 nodes" in game.svg(game.start())
