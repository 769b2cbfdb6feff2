"""Rules of k in a row, connect k and Hex, and their native twins."""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo import _native
from zermelo.errors import ArgumentError, IllegalMoveError
from zermelo.game import Game
from zermelo.games import entry_of, make_game
from zermelo.games.hex import Hex
from zermelo.games.mnk import MNK, quality

TWINS = [
    "tictactoe",
    "mnk:4,3,3",
    "mnk:1,1,1",
    "mnk:5,1,2",
    "mnk:2,3,9",
    "mnk:8,7,4",
    "mnk:9,9,5",
    "mnk:3,40,4",
    "gomoku:11",
    "gomoku:19",
    "connect:4,4,4",
    "connect:6,7,4",
    "connect:1,5,2",
    "connect:5,1,3",
    "connect:3,4,1",
    "connect:8,9,5",
    "connect:10,11,4",
    "hex:1",
    "hex:2",
    "hex:4",
    "hex:7",
    "hex:8",
    "hex:11",
    "hex:13",
    "hex:19",
]


def native_of(game: Game) -> _native.Game:
    native = game.native()
    assert native is not None
    return native


def position_of(game: Game, line: str) -> str:
    position = game.start()
    for text in line.split():
        position = game.play(position, game.parse_move(position, text))
    assert isinstance(position, str)
    return position


def alphabeta(target: str) -> int:
    outcome = native_of(make_game(target)).search("alphabeta", _native.SearchParams()).solve(_native.Control())
    assert outcome.solved
    return outcome.lower


def perft(game: Game, position: object, depth: int) -> int:
    if depth == 0:
        return 1
    if game.result(position) is not None:
        return 0
    return sum(perft(game, game.play(position, move), depth - 1) for move in game.moves(position))


@pytest.mark.parametrize("target", TWINS)
def test_native_twin_agrees_on_random_lines(target: str) -> None:
    game, dice = make_game(target), random.Random(target)
    lengthy = len(game.start()) > 60
    for _ in range(3 if lengthy else 40):
        position, native = game.start(), native_of(game)
        while (result := game.result(position)) is None:
            moves = game.moves(position)
            assert (native.over, native.turn, native.move_count) == (
                False,
                game.roles.index(game.turn(position)),
                len(moves),
            )
            index = dice.randrange(len(moves))
            position, native = game.play(position, moves[index]), native.after(index)
        assert (native.over, native.score, native.move_count) == (True, result[0], 0)


@pytest.mark.parametrize(
    ("target", "depth"),
    [
        ("tictactoe", 7),
        ("mnk:4,3,3", 5),
        ("mnk:3,4,2", 4),
        ("connect:4,4,3", 6),
        ("connect:3,5,2", 6),
        ("hex:2", 4),
        ("hex:3", 6),
    ],
)
def test_native_twin_counts_as_many_lines_of_play(target: str, depth: int) -> None:
    game = make_game(target)
    native = native_of(game)
    for plies in range(depth + 1):
        assert native.perft(plies, _native.Control()) == perft(game, game.start(), plies)


@pytest.mark.parametrize(("target", "plies"), [("tictactoe", 3), ("connect:4,4,4", 5), ("hex:4", 6)])
def test_native_playouts_are_as_good_as_random_play_by_the_rules(target: str, plies: int) -> None:
    # The same position, sampled by both; the standard error of each mean is below 1 / sqrt(samples).
    game, dice = make_game(target), random.Random(5)
    position, native = game.start(), native_of(game)
    for _ in range(plies):
        index = dice.randrange(len(game.moves(position)))
        position, native = game.play(position, game.moves(position)[index]), native.after(index)
    assert game.result(position) is None
    samples, total = 4000, 0
    for _ in range(samples):
        here = position
        while (result := game.result(here)) is None:
            here = game.play(here, dice.choice(game.moves(here)))
        total += int(result[0])
    many = 200_000
    mean = native.playouts(many, 1, _native.Control()) / many
    assert abs(mean - total / samples) < 5 / samples**0.5


def test_tic_tac_toe_playouts_win_as_often_as_counted_by_hand() -> None:
    # Of 9! orders of play x wins 212256 and o 104544 (lines of play weighted by the moves never made).
    many = 400_000
    mean = native_of(make_game("tictactoe")).playouts(many, 3, _native.Control()) / many
    assert abs(mean - (212256 - 104544) / 362880) < 5 / many**0.5


@pytest.mark.parametrize(
    ("target", "value"),
    [
        ("mnk:3,3,3", 0),
        ("tictactoe", 0),
        ("mnk:3,4,3", 1),
        ("mnk:4,3,3", 1),
        ("mnk:4,4,4", 0),
        ("mnk:2,2,2", 1),
        ("mnk:1,2,2", 0),
        ("mnk:1,1,1", 1),
        ("mnk:3,3,7", 0),
        ("gomoku:4", 0),
        ("connect:4,4,4", 0),
        ("connect:4,5,4", 0),
        ("connect:5,4,4", 0),
        ("connect:4,4,3", 1),
        ("connect:3,3,3", 0),
        ("hex:1", 1),
        ("hex:2", 1),
        ("hex:3", 1),
        ("hex:4", 1),
    ],
)
def test_known_values(target: str, value: int) -> None:
    assert alphabeta(target) == value


def plain_value(game: Game, position: str, known: dict[str, int]) -> int:
    if position not in known:
        result = game.result(position)
        if result is not None:
            known[position] = int(result[0])
        else:
            best = max if game.turn(position) == game.roles[0] else min
            known[position] = best(plain_value(game, game.play(position, m), known) for m in game.moves(position))
    return known[position]


@pytest.mark.parametrize(
    "target", ["tictactoe", "mnk:2,5,3", "connect:4,3,3", "connect:3,4,3", "connect:5,3,3", "connect:2,6,4", "hex:3"]
)
def test_narrowing_ordering_and_symmetry_keep_every_value(target: str) -> None:
    game, known, dice = make_game(target), dict[str, int](), random.Random(7)
    plain_value(game, game.start(), known)
    for _ in range(60):
        position, native = game.start(), native_of(game)
        while game.result(position) is None:
            for symmetry in (False, True):
                params = _native.SearchParams()
                params.symmetry = symmetry
                outcome = native.search("alphabeta", params).solve(_native.Control())
                assert outcome.lower == outcome.upper == plain_value(game, position, known)
            moves = game.moves(position)
            index = dice.randrange(len(moves))
            position, native = game.play(position, moves[index]), native.after(index)


def test_cells_are_named_by_column_letters_and_row_numbers() -> None:
    assert position_of(MNK(2, 3, 3), "c1 a2") == "..xo.."
    assert MNK(30, 30, 5).move_text(29 * 30 + 27) == "ab30"


def test_connect_columns_are_named_by_letters_and_stones_fall_down() -> None:
    assert position_of(make_game("connect:3,2,3"), "b b a") == "...oxx"


def test_full_column_is_not_a_legal_move() -> None:
    game = make_game("connect:2,2,2")
    with pytest.raises(IllegalMoveError, match="'a' is not a legal move here"):
        position_of(game, "a a a")


def test_more_than_k_in_a_row_wins() -> None:
    game, line = MNK(2, 6, 5), "a1 a2 b1 b2 d1 d2 e1 e2 f1 f2"
    assert game.result(position_of(game, line)) is None
    assert game.result(position_of(game, line + " c1")) == (1, -1)


def test_line_longer_than_both_sides_makes_a_draw() -> None:
    game = make_game("mnk:2,2,3")
    assert game.result("xoxo") == (0, 0)
    assert game.result("xox.") is None


def test_hex_has_exactly_one_winner_on_every_full_board() -> None:
    game = make_game("hex:5")
    dice = random.Random(11)
    for _ in range(200):
        cells = list("b" * 13 + "w" * 12)
        dice.shuffle(cells)
        full = "".join(cells)
        turned = "".join("bw"[cells[c * 5 + r] == "b"] for r in range(5) for c in range(5))
        result = game.result(full)
        assert result in ((1, -1), (-1, 1))
        # Reflected in the long diagonal with the colours exchanged, the other side wins.
        assert game.result(turned) == result[::-1]


def test_hex_neighbours_are_six_and_lean_to_the_right() -> None:
    game = Hex(3)
    centre = {game.move_text(cell) for cell in game.neighbours[4]}
    assert centre == {"b1", "c1", "a2", "c2", "a3", "b3"}


@pytest.mark.parametrize(
    ("position", "value"),
    [
        (".........", 0),  # 8 lines each
        ("x........", 8 - 5),
        ("....x....", 8 - 4),
        ("x...x...o", (0 + 5) - (0 + 2)),  # the diagonal is blocked
        ("xx..o....", (200 + 4) - (0 + 4)),  # c1 would complete a row
        ("x.x.o.x.o", (300 + 2) - (0 + 2)),  # two lines lack one mark
        ("xxxoo....", (600 + 3) - (200 + 2)),  # a complete line outweighs what o threatens
    ],
)
def test_quality_of_tic_tac_toe_positions_counted_by_hand(position: str, value: int) -> None:
    assert quality(MNK(3, 3, 3), position) == value


@given(st.lists(st.integers(0, 15), max_size=16))
def test_quality_changes_sign_when_the_sides_change_marks(line: list[int]) -> None:
    game = MNK(4, 4, 3)
    position = game.start()
    for choice in line:
        moves = game.moves(position)
        position = game.play(position, moves[choice % len(moves)])
    assert quality(game, position) == -quality(game, position.translate(str.maketrans("xo", "ox")))


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(["mnk:3,4,3", "connect:3,4,3", "hex:3"]), st.lists(st.integers(0, 30), max_size=12))
def test_moves_can_be_written_and_read_back(target: str, choices: list[int]) -> None:
    game = make_game(target)
    position = game.start()
    for choice in choices:
        if game.result(position) is not None:
            break
        moves = game.moves(position)
        assert [game.parse_move(position, game.move_text(move)) for move in moves] == list(moves)
        position = game.play(position, moves[choice % len(moves)])
        board = game.board(position)
        assert board is not None
        shown = Counter(cell for row in board.cells for cell in row)
        assert shown[""] == position.count(".")


@pytest.mark.parametrize(
    "target",
    [
        "mnk:0,3,3",
        "mnk:3,3,-1",
        "mnk:3,3",
        "mnk:3,3,3,3",
        "mnk:a,3,3",
        "mnk",
        "mnk:101,3,3",
        "gomoku:0",
        "gomoku:15,15",
        "tictactoe:3",
        "connect:6,7",
        "connect:6,0,4",
        "connect:",
        "hex:0",
        "hex:-4",
        "hex:3,3",
        "hex:x",
    ],
)
def test_bad_arguments_are_named_with_their_place(target: str) -> None:
    name = target.partition(":")[0]
    with pytest.raises(ArgumentError, match=rf"^{name}:.*:1:\d+: .*expected"):
        make_game(target)


def test_boards_too_large_for_the_kernels_have_no_native_twin() -> None:
    for target in ("mnk:20,20,5", "mnk:100,100,5", "connect:100,100,4", "hex:20", "hex:100"):
        assert make_game(target).native() is None


@pytest.mark.parametrize("name", ["mnk", "gomoku", "tictactoe", "connect", "hex"])
def test_examples_of_the_library_can_be_made_and_played(name: str) -> None:
    entry = entry_of(name)
    game = make_game(entry.example)
    for move in islice(game.moves(game.start()), 3):
        assert game.turn(game.play(game.start(), move)) == game.roles[1]
