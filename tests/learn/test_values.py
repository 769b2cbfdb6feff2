"""Values of ground games: the kernel against plain Python, and the file that keeps them."""

from __future__ import annotations

import io
import math
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from zermelo.errors import InputError
from zermelo.gdl.ground import GroundReasoner, ground
from zermelo.gdl.library import rulesheet
from zermelo.learn.cells import NO_CELL, find_cells, sample
from zermelo.learn.features import choose_features
from zermelo.learn.self_play import learn
from zermelo.learn.values import Values, read_values, untaught, write_values

SHEETS = ("tictactoe", "connectfour", "nim", "breakthrough:4,4", "yahtzee:1", "matchingpennies", "kaseklau")


def game_of(name: str) -> GroundReasoner:
    base, _, arguments = name.partition(":")
    return ground(rulesheet(base, arguments))


def random_states(game: GroundReasoner, count: int) -> list[bytes]:
    """States of random games, in no order, and some that no play reaches."""
    draw, native = random.Random(5), game.native
    states, state = [], native.start()
    while len(states) < count:
        states.append(state)
        legal = [native.legal(state, role) for role in range(len(game.roles))]
        over = native.terminal(state) or not all(legal)
        state = native.start() if over else native.next(state, [draw.choice(moves) for moves in legal])
    draw.shuffle(states)
    return states


def with_random_weights(values: Values) -> Values:
    weights = np.random.default_rng(3).integers(-(1 << 20), 1 << 20, len(values.weights), dtype=np.int32)
    return replace(values, weights=weights)


def plain_value(values: Values, game: GroundReasoner, state: bytes, role: int) -> float:
    """The value of a state from the definition, without anything native but the count of legal moves."""
    parts, weights = values.features, values.weights.tolist()
    bits = int.from_bytes(state, "little")
    holds = [fact for fact in range(len(parts.cell_of)) if bits >> fact & 1]
    digits = [0] * len(parts.cell_size)
    for fact in holds:
        if parts.cell_of[fact] != NO_CELL:
            digits[parts.cell_of[fact]] += int(parts.digit_of[fact])
    digits = [digit % int(size) for digit, size in zip(digits, parts.cell_size, strict=True)]
    tables: dict[int, int] = {}
    spans = [parts.tuple_cells[a:b].tolist() for a, b in zip(parts.tuple_first, parts.tuple_first[1:], strict=False)]
    for cells, table in zip(spans, parts.tuple_table.tolist(), strict=True):
        tables[table] = math.prod(int(parts.cell_size[cell]) for cell in cells) * parts.outputs
    start, places = 0, {}
    for table in range(parts.tables):
        places[table] = start
        start += tables[table]
    counts = [0] * len(parts.count_most)
    for fact in holds:
        for at in range(parts.count_first[fact], parts.count_first[fact + 1]):
            counts[parts.count_of[at]] += int(parts.count_by[at])
    counts += [len(game.native.legal(state, int(one))) for one in parts.mobility]
    size = start + len(counts) * parts.outputs
    base = 0 if parts.context < 0 else digits[parts.context] * size
    output = int(parts.role_output[role])
    if output < 0:
        return 0.5
    total = 0
    for cells, table in zip(spans, parts.tuple_table.tolist(), strict=True):
        index, stride = 0, 1
        for cell in cells:
            index += digits[cell] * stride
            stride *= int(parts.cell_size[cell])
        total += weights[base + places[table] + index * parts.outputs + output]
    for number, count in enumerate(counts):
        total += count * weights[base + start + number * parts.outputs + output]
    z = total / (1 << 24)
    value = 1 / (1 + math.exp(-z)) if parts.logistic else min(max(0.5 + z, 0.0), 1.0)
    return 1 - value if parts.role_against[role] else value


@pytest.mark.parametrize("name", SHEETS)
def test_the_kernel_values_states_as_the_definition_does(name: str) -> None:
    game = game_of(name)
    values = with_random_weights(untaught(game, tuples=40))
    states = random_states(game, 60)
    told = values.of(game, states)
    for state, row in zip(states, told.tolist(), strict=True):
        assert row == pytest.approx([plain_value(values, game, state, role) for role in range(len(game.roles))])


@pytest.mark.parametrize("name", ["connectfour", "yahtzee:1"])
def test_a_value_does_not_depend_on_the_states_before(name: str) -> None:
    game = game_of(name)
    values = with_random_weights(untaught(game))
    states = random_states(game, 200)
    alone = [values.of(game, [state])[0].tolist() for state in states]
    assert values.of(game, states).tolist() == alone


@pytest.mark.parametrize("name", SHEETS)
def test_no_state_of_play_holds_two_facts_of_a_cell_that_was_seen(name: str) -> None:
    game = game_of(name)
    seen = sample(game, 1)
    cells = find_cells(game, seen)
    for cell in range(len(cells.sizes)):
        assert seen.states[:, cells.cell_of == cell].sum(axis=1).max() <= 1


def test_features_of_connect_four_hold_all_its_lines() -> None:
    game = game_of("connectfour")
    cells = find_cells(game, sample(game, 1))
    features = choose_features(game, sample(game, 1))
    spans = zip(features.tuple_first, features.tuple_first[1:], strict=False)
    named = {frozenset(cells.named(game, int(cell)) for cell in features.tuple_cells[a:b]) for a, b in spans}
    squares = [(x, y) for x in range(7) for y in range(6)]
    lines = [
        [(x + k * dx, y + k * dy) for k in range(4)] for x, y in squares for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    ]
    on_board = [line for line in lines if set(line) <= set(squares)]
    assert len(on_board) == 69
    for line in on_board:
        assert frozenset(f"(cell {'abcdefg'[x]} {y + 1} ?)" for x, y in line) in named


def test_cells_that_symmetries_turn_into_each_other_share_a_table() -> None:
    game = game_of("tictactoe")
    cells = find_cells(game, sample(game, 1))
    features = choose_features(game, sample(game, 1))
    tables: dict[str, int] = {}
    for number in range(features.tuples):
        inside = features.tuple_cells[features.tuple_first[number] : features.tuple_first[number + 1]]
        if len(inside) == 1:
            tables[cells.named(game, int(inside[0]))] = int(features.tuple_table[number])
    corners = {tables[f"(cell {column} {row} ?)"] for column in "ac" for row in "13"}
    edges = {tables[f"(cell {square} ?)"] for square in ("a 2", "b 1", "b 3", "c 2")}
    assert (len(corners), len(edges), len({*corners, *edges, tables["(cell b 2 ?)"]})) == (1, 1, 3)


def saved(values: Values, path: Path) -> dict[str, Any]:
    write_values(path, values)
    with np.load(path) as parts:
        return dict(parts)


def test_a_file_gives_back_what_was_written(tmp_path: Path) -> None:
    game = game_of("tictactoe")
    values = learn(game, untaught(game), games=100)
    write_values(tmp_path / "v.npz", values)
    read = read_values(tmp_path / "v.npz", game)
    assert (read.games, read.practice, read.digest) == (values.games, values.practice, values.digest)
    assert (read.weights == values.weights).all()
    assert (read.coherence == values.coherence).all()
    assert (read.history == values.history).all()
    states = random_states(game, 20)
    assert read.of(game, states).tolist() == values.of(game, states).tolist()


def test_values_of_another_game_are_refused(tmp_path: Path) -> None:
    write_values(tmp_path / "v.npz", untaught(game_of("tictactoe")))
    with pytest.raises(InputError, match=r"v\.npz: values of another game, expected those of gdl:nim"):
        read_values(tmp_path / "v.npz", game_of("nim"))


def test_a_cut_file_is_refused_wherever_it_is_cut(tmp_path: Path) -> None:
    game = game_of("nim")
    file = tmp_path / "v.npz"
    write_values(file, untaught(game))
    whole = file.read_bytes()
    for end in (0, 1, 2, 100, len(whole) // 2, len(whole) - 1):
        file.write_bytes(whole[:end])
        with pytest.raises(InputError, match=r"v\.npz: "):
            read_values(file, game)


def test_a_changed_byte_is_refused_or_leaves_values_that_fit(tmp_path: Path) -> None:
    game = game_of("nim")
    file = tmp_path / "v.npz"
    write_values(file, untaught(game))
    whole = bytearray(file.read_bytes())
    draw = random.Random(1)
    refused = 0
    for _ in range(60):
        changed = bytearray(whole)
        changed[draw.randrange(len(whole))] ^= 1 << draw.randrange(8)
        file.write_bytes(changed)
        try:
            values = read_values(file, game)
        except InputError:
            refused += 1
        else:
            assert values.of(game, [game.native.start()]).shape == (1, 2)
    assert refused > 0


@pytest.mark.parametrize(
    ("part", "wrong"),
    [
        ("format", np.array("other")),
        ("weights", np.zeros(3, dtype=np.int32)),
        ("weights", np.zeros((2, 2), dtype=np.int32)),
        ("weights", np.zeros(3)),
        ("coherence", np.zeros(3, dtype=np.float32)),
        ("games", np.array(-1)),
        ("games", np.array("many")),
        ("history", np.zeros(3)),
        ("practice_trace", np.array(7.0)),
        ("feature_outputs", np.array(9)),
        ("feature_context", np.array(1000)),
        ("feature_tables", np.array(1 << 40)),
        ("feature_tuple_cells", np.array([1 << 30], dtype=np.uint32)),
        ("feature_cell_size", np.zeros(3, dtype=np.uint32)),
        ("feature_role_output", np.array([5, 5], dtype=np.int32)),
    ],
)
def test_a_file_with_a_wrong_part_is_refused(part: str, wrong: Any, tmp_path: Path) -> None:
    game = game_of("nim")
    parts = saved(untaught(game), tmp_path / "v.npz")
    np.savez(tmp_path / "wrong.npz", **{**parts, part: wrong})
    with pytest.raises(InputError, match=r"wrong\.npz: [^\n]+$"):
        read_values(tmp_path / "wrong.npz", game)
    del parts[part]
    np.savez(tmp_path / "less.npz", **parts)
    with pytest.raises(InputError, match=r"less\.npz: [^\n]+$"):
        read_values(tmp_path / "less.npz", game)


def test_a_file_that_would_run_code_is_refused(tmp_path: Path) -> None:
    game = game_of("nim")
    parts = saved(untaught(game), tmp_path / "v.npz")
    packed = io.BytesIO()
    np.savez(packed, **{**parts, "weights": np.array([print], dtype=object)})
    (tmp_path / "v.npz").write_bytes(packed.getvalue())
    with pytest.raises(InputError):
        read_values(tmp_path / "v.npz", game)
