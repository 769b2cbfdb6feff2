"""One suite that every game of the library passes."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET
from itertools import pairwise, product

import pytest

from zermelo.game import CHANCE, Game
from zermelo.games import entries, make_game
from zermelo.games.entry import Entry

ENTRIES = entries()
EXAMPLES = [entry.example for entry in ENTRIES]


def random_line(game: Game, rng: random.Random, longest: int = 400) -> list[object]:
    """Positions of one random game, the start first."""
    positions = [game.start()]
    while game.result(positions[-1]) is None and len(positions) < longest:
        positions.append(game.play(positions[-1], rng.choice(list(game.moves(positions[-1])))))
    return positions


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_entry_names_itself_and_its_example(entry: Entry) -> None:
    assert entry.example.partition(":")[0] == entry.name
    assert entry.usage.partition(":")[0] == entry.name
    assert entry.summary


@pytest.mark.parametrize("target", EXAMPLES)
def test_random_games_end_with_scores_that_add_up(target: str) -> None:
    game, rng = make_game(target), random.Random(1)
    totals = set()
    for _ in range(10):
        result = game.result(random_line(game, rng)[-1])
        assert result is not None
        assert len(result) == len(game.roles)
        totals.add(sum(result))
    assert len(totals) == 1


@pytest.mark.parametrize("target", EXAMPLES)
def test_moves_are_legal_distinct_and_readable(target: str) -> None:
    game, rng = make_game(target), random.Random(2)
    for position in random_line(game, rng)[:-1]:
        moves = list(game.moves(position))
        assert moves
        turn = game.turn(position)
        assert turn in (game.roles, *game.roles, CHANCE)
        if turn == game.roles:
            assert moves == list(product(*(game.moves_of(position, role) for role in turn)))
        texts = [game.move_text(move) for move in moves]
        assert len(set(texts)) == len(texts)
        assert not any(" " in text or not text for text in texts)
        chosen = rng.choice(moves)
        assert game.parse_move(position, game.move_text(chosen)) == chosen


@pytest.mark.parametrize("target", EXAMPLES)
def test_positions_are_values_with_keys_of_their_own(target: str) -> None:
    game, rng = make_game(target), random.Random(3)
    seen: dict[str, object] = {}
    for _ in range(10):
        line = random_line(game, rng)
        for position in line:
            assert seen.setdefault(game.key(position), position) == position
            assert hash(position) == hash(seen[game.key(position)])
        for before, after in pairwise(line):
            assert before != after


@pytest.mark.parametrize("target", EXAMPLES)
def test_native_twin_plays_the_same_game(target: str) -> None:
    game, rng = make_game(target), random.Random(4)
    for _ in range(20):
        native = game.native()
        if native is None:
            pytest.skip("this game is explored move by move")
        position = game.start()
        while True:
            result = game.result(position)
            assert native.over == (result is not None)
            if result is not None:
                assert native.score == result[0]
                assert native.worst <= native.score <= native.best
                break
            moves = list(game.moves(position))
            assert native.turn == game.roles.index(str(game.turn(position)))
            assert native.move_count == len(moves)
            index = rng.randrange(len(moves))
            position, native = game.play(position, moves[index]), native.after(index)


@pytest.mark.parametrize("target", EXAMPLES)
def test_pictures_are_well_formed(target: str) -> None:
    game, rng = make_game(target), random.Random(5)
    for position in random_line(game, rng)[::3]:
        assert game.text(position)
        assert ET.fromstring(game.svg(position)).tag.endswith("svg")


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
@pytest.mark.parametrize("arguments", ["", "x", "1,,2", "-1", "999999999999999999999", "1;2;3", "\x00", "1.5"])
def test_wrong_arguments_get_one_clear_line(entry: Entry, arguments: str) -> None:
    try:
        entry.make(arguments)
    except ValueError as error:
        assert "\n" not in str(error)
        assert entry.name in str(error)
