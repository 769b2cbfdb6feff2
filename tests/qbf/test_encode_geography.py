"""Geography as a formula: the thesis' own example, every encoding against plain search, bounds and later positions."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from tests.qbf.forced import answer_to, need_same
from zermelo.continued import Continued
from zermelo.encode.qbf import Question, encoder_of, played_back
from zermelo.encode.qbf.geography import GEOGRAPHY_ENCODINGS, encode_geography
from zermelo.errors import InputError
from zermelo.games.geography import Geography, random_graph
from zermelo.games.graphfile import parse_graph
from zermelo.solving import solve_game

EXAMPLE = "3\n0 1 2\n1 0 3 4\n2 0 5\n3 1 6\n4 1 7\n5 2\n6 3\n7 4\n"
"""The graph of the thesis, page 20: at most three rounds, then one line a node."""


@pytest.mark.parametrize("encoding", GEOGRAPHY_ENCODINGS)
def test_the_example_of_the_thesis_is_won_by_going_to_1_and_then_to_6_or_7(encoding: str) -> None:
    game = Geography(parse_graph(EXAMPLE))
    encoded = encode_geography(game, game.start(), Question(3, 1), encoding)
    answer = answer_to(encoded)
    assert answer.value is True
    assert answer.functions is not None
    table = played_back(game, encoded, answer.functions).table
    assert {key[1]: move for key, (move, _) in table.items()} == {"0": "1", "3": "6", "4": "7"}


def test_the_literal_encoding_has_the_variables_of_the_thesis() -> None:
    game = Geography(parse_graph(EXAMPLE))
    formula = encode_geography(game, game.start(), Question(3, 1), "thesis").formula
    blocks = [(block.quantifier, [formula.name(v) for v in block.variables]) for block in formula.prefix]
    quantifiers = ("exists", "forall", "exists")
    assert blocks == [(q, [f"x{r}_{v}" for v in range(1, 8)]) for r, q in enumerate(quantifiers, 1)]


@pytest.mark.parametrize("encoding", GEOGRAPHY_ENCODINGS)
def test_random_graphs_have_the_answer_of_plain_search(encoding: str) -> None:
    for seed in range(25):
        chance = Random(seed)
        nodes = chance.randint(2, 6)
        graph = random_graph(nodes, chance.randint(1, min(3, nodes - 1)), seed)
        game = Geography(replace(graph, bound=chance.choice([None, None, 1, 2, 3, 4])))
        need_same(game, encode_geography(game, game.start(), Question(99, 1), encoding))
        plies, unfinished = chance.randint(0, 4), chance.random() < 0.5
        need_same(game, encode_geography(game, game.start(), Question(plies, 1, unfinished), encoding))


@pytest.mark.parametrize("encoding", GEOGRAPHY_ENCODINGS)
def test_play_can_be_taken_up_on_the_way(encoding: str) -> None:
    for seed in range(12):
        chance = Random(seed)
        game = Geography(replace(random_graph(6, 3, seed), bound=chance.choice([None, 4])))
        position, line = game.start(), []
        for _ in range(chance.randint(1, 3)):
            if game.result(position) is None:
                line.append(chance.choice(game.moves(position)))
                position = game.play(position, line[-1])
        if game.result(position) is None:
            rest = Continued(game, line)
            need_same(rest, encoder_of(rest, encoding).encode(Question(99, 1)))


@pytest.mark.parametrize("bound", range(5))
def test_with_a_bound_the_last_mover_wins(bound: int) -> None:
    # A circle of ten nodes: nobody has a choice, and nobody is stuck before the ninth move.
    rows = [f"{node} {(node + 1) % 10}" for node in range(10)]
    game = Geography(parse_graph("\n".join([str(bound), *rows])))
    for encoding in GEOGRAPHY_ENCODINGS:
        encoded = encode_geography(game, game.start(), Question(99, 1), encoding)
        assert answer_to(encoded).value == (bound % 2 == 1)


def test_the_universal_player_does_not_win_by_breaking_the_rules() -> None:
    # From 1 the second player has one way, to 2, where he has lost: were his rules conjuncts, he would choose no node.
    game = Geography(parse_graph("0 1\n1 2\n2 3\n"))
    for encoding in GEOGRAPHY_ENCODINGS:
        assert answer_to(encode_geography(game, game.start(), Question(9, 1), encoding)).value is True


def test_a_solution_of_a_graph_is_checked_by_the_rules() -> None:
    solution = solve_game(Geography(random_graph(10, 3, 4)), engine="qbf")
    assert solution.verified
    assert solution.move in solution.game.moves(solution.game.start())


def test_an_unknown_encoding_is_refused() -> None:
    with pytest.raises(InputError, match="'binary'"):
        encoder_of(Geography(random_graph(4, 2, 1)), "binary")
