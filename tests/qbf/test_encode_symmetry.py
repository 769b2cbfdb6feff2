"""Symmetry of geography: automorphisms against all permutations, one move of each class against the whole game."""

from __future__ import annotations

from itertools import permutations, product
from random import Random

import pytest

from tests.qbf.forced import need_same
from zermelo.continued import Continued
from zermelo.encode.qbf import Question, encoder_of
from zermelo.encode.qbf.geography import encode_geography
from zermelo.encode.qbf.symmetry import automorphism, branch_at, lines_of_representatives, rooted
from zermelo.games.geography import Geography
from zermelo.games.graphfile import Graph
from zermelo.options import Options
from zermelo.solving import solve, solve_game

Edges = set[tuple[int, int]]


def both_ways(nodes: int, edges: Edges) -> Graph:
    """The graph with each edge in both directions."""
    all_edges = edges | {(head, tail) for tail, head in edges}
    rows = tuple(tuple(sorted(head for tail, head in all_edges if tail == node)) for node in range(nodes))
    return Graph(tuple(map(str, range(nodes))), rows)


def cycle(nodes: int, *chords: int) -> Graph:
    return both_ways(nodes, {(node, (node + step) % nodes) for node in range(nodes) for step in (1, *chords)})


def grid(width: int, height: int) -> Graph:
    right = {(x + width * y, x + 1 + width * y) for x, y in product(range(width - 1), range(height))}
    down = {(x + width * y, x + width * (y + 1)) for x, y in product(range(width), range(height - 1))}
    return both_ways(width * height, right | down)


def hypercube(dimensions: int) -> Graph:
    nodes = 1 << dimensions
    return both_ways(nodes, {(node, node ^ 1 << k) for node in range(nodes) for k in range(dimensions)})


def complete(nodes: int) -> Graph:
    return both_ways(nodes, {(one, other) for one in range(nodes) for other in range(one)})


def petersen() -> Graph:
    outer = {(node, (node + 1) % 5) for node in range(5)}
    inner = {(5 + node, 5 + (node + 2) % 5) for node in range(5)}
    return both_ways(10, outer | inner | {(node, 5 + node) for node in range(5)})


SYMMETRIC = {
    "cycle of 7": cycle(7),
    "cycle of 8 with diameters": cycle(8, 4),
    "grid 3x3": grid(3, 3),
    "grid 4x2": grid(4, 2),
    "cube": hypercube(3),
    "complete graph of 6": complete(6),
    "Petersen graph": petersen(),
}


@pytest.mark.parametrize("name", SYMMETRIC)
def test_symmetric_graphs_have_the_answer_of_the_game_and_a_strategy_for_every_reply(name: str) -> None:
    game = Geography(SYMMETRIC[name])
    need_same(game, encode_geography(game, game.start(), Question(99, 1), "symmetry"))
    for plies, unfinished in ((2, False), (3, True), (5, False)):
        need_same(game, encode_geography(game, game.start(), Question(plies, 1, unfinished), "symmetry"))


@pytest.mark.parametrize("name", SYMMETRIC)
def test_a_strategy_for_representatives_is_checked_by_the_rules(name: str) -> None:
    game = Geography(SYMMETRIC[name])
    solution = solve_game(game, "qbf", options=Options(encoding="symmetry"))
    assert solution.verified
    assert solution.value == solve(game).value


def random_symmetric(chance: Random) -> Graph:
    """Edges in whole orbits of some permutation of the nodes, so that there is something to find."""
    nodes = chance.randint(2, 7)
    turn = [*range(1, nodes)]
    chance.shuffle(turn)
    turned = [0, *turn]
    edges: Edges = set()
    for _ in range(chance.randint(1, nodes)):
        tail, head = chance.sample(range(nodes), 2)
        while (tail, head) not in edges:
            edges.add((tail, head))
            tail, head = turned[tail], turned[head]
    rows = tuple(tuple(head for head in range(nodes) if (node, head) in edges) for node in range(nodes))
    return Graph(tuple(map(str, range(nodes))), rows)


def test_hundreds_of_random_graphs_have_the_answer_of_the_game() -> None:
    broken = 0
    for seed in range(300):
        chance = Random(seed)
        game = Geography(random_symmetric(chance))
        encoded = encode_geography(game, game.start(), Question(chance.choice([99, 99, 1, 2, 3]), 1), "symmetry")
        need_same(game, encoded)
        broken += encoded.followed(game) is not game
    assert broken > 50


def test_play_is_taken_up_on_the_way_with_the_symmetry_that_is_left() -> None:
    game = Geography(hypercube(3))
    for line in ([1], [1, 3], [1, 3, 2]):
        rest = Continued(game, line)
        need_same(rest, encoder_of(rest, "symmetry").encode(Question(99, 1)))


def test_all_automorphisms_of_small_graphs_are_found_and_nothing_else() -> None:
    for seed in range(150):
        graph = random_symmetric(Random(seed))
        rows = rooted(graph.successors, 0, frozenset())
        if len(rows) > 6:
            continue
        edges = {(tail, head) for tail, row in rows.items() for head in row}
        nodes = sorted(rows)
        all_turns = [dict(zip(nodes, turned, strict=True)) for turned in permutations(nodes)]
        turns = [turn for turn in all_turns if {(turn[tail], turn[head]) for tail, head in edges} == edges]
        for one, other in product(nodes, nodes):
            found = automorphism(rows, [(0, 0), (one, other)])
            expected = [turn for turn in turns if turn[0] == 0 and turn[one] == other]
            assert (found in expected) if expected else found is None


def test_vertex_transitive_graphs_begin_with_one_move() -> None:
    for graph in (petersen(), hypercube(3), hypercube(4), complete(6), cycle(9)):
        assert len(branch_at(graph.successors, (0,), frozenset()).moves) == 1


def test_a_graph_without_symmetry_is_encoded_as_unary() -> None:
    game = Geography(Graph(("a", "b", "c", "d"), ((1, 2), (2, 3), (3,), ())))
    assert lines_of_representatives(game.graph.successors, 0, frozenset(), 9) == []
    plain = encode_geography(game, game.start(), Question(9, 1), "unary")
    assert encode_geography(game, game.start(), Question(9, 1), "symmetry").sizes == plain.sizes
