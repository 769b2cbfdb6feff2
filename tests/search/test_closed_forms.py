"""Who wins without search: each closed form against brute force, and all the way through `solve`."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo
from zermelo.certificate import Claim
from zermelo.check.named.lines import _lines
from zermelo.errors import IllegalMoveError, NotApplicableError
from zermelo.game import Game
from zermelo.games.coins import Coins
from zermelo.games.connect import Connect
from zermelo.games.mnk import MNK
from zermelo.games.nim import Nim
from zermelo.games.subtraction import Subtraction
from zermelo.games.treblecross import Treblecross
from zermelo.games.wythoff import Wythoff
from zermelo.search.closed import closed_forms
from zermelo.search.form import ClosedForm
from zermelo.search.pairing import PERIOD, matched_pairs, pairing, pairs_for, plane_pattern
from zermelo.search.parity import labels_of, parity
from zermelo.search.symmetry import symmetry
from zermelo.strategy import RuleStrategy


def values_of(game: Game) -> dict[Any, int]:
    """The first role's score in every position, by plain minimax with memory."""
    values: dict[Any, int] = {}

    def value(position: Any) -> int:
        if position not in values:
            result = game.result(position)
            if result is not None:
                values[position] = int(result[0])
            else:
                best = max if game.turn(position) == game.roles[0] else min
                values[position] = best(value(game.play(position, move)) for move in game.moves(position))
        return values[position]

    value(game.start())
    return values


def is_right(game: Game, form: ClosedForm | None) -> bool:
    return form is not None and form.value == values_of(game)[game.start()]


@pytest.mark.parametrize("size", range(1, 16, 2))
def test_odd_treblecross_is_won_by_the_first_player(size: int) -> None:
    game = Treblecross(size)
    form = symmetry(game)
    assert form is not None and form.value == 1
    assert is_right(game, form)


def test_even_treblecross_is_left_to_search() -> None:
    assert all(symmetry(Treblecross(size)) is None for size in range(2, 20, 2))


def test_nim_is_decided_by_the_nim_sum() -> None:
    for heaps in itertools.product(range(5), repeat=3):
        assert is_right(Nim(*heaps), parity(Nim(*heaps)))


def test_heaps_equal_in_pairs_are_decided_by_symmetry() -> None:
    decided = 0
    for heaps in itertools.product(range(4), repeat=4):
        form = symmetry(Nim(*heaps))
        if form is not None:
            decided += 1
            assert is_right(Nim(*heaps), form)
    assert decided > 200
    assert symmetry(Nim(1, 2, 3)) is None


def test_wythoff_table_is_the_one_of_the_course_notes() -> None:
    table = ["FTTTTT", "TTFTTT", "TFTTTT", "TTTTTF", "TTTTTT", "TTTFTT"]
    for left, row in enumerate(table):
        for right, label in enumerate(row):
            form = parity(Wythoff(left, right))
            assert form is not None
            assert form.value == (1 if label == "T" else -1)


def test_wythoff_is_decided_by_the_golden_ratio() -> None:
    size = 30
    values = values_of(Wythoff(size, size))
    for left, right in itertools.product(range(size + 1), repeat=2):
        form = parity(Wythoff(left, right))
        assert form is not None
        assert form.value == values.get(((left, right), 0), form.value)


def test_equal_heaps_of_wythoff_are_taken_at_once() -> None:
    assert symmetry(Wythoff(0, 0)) is None
    assert symmetry(Wythoff(3, 4)) is None
    assert is_right(Wythoff(4, 4), symmetry(Wythoff(4, 4)))


def test_coins_are_decided_by_the_single_coins_on_top() -> None:
    for size in range(1, 8):
        for coins in itertools.product((1, 2, 3), repeat=size):
            assert is_right(Coins(*coins), parity(Coins(*coins)))


@given(st.sets(st.integers(1, 9), min_size=1, max_size=4), st.integers(0, 60))
def test_subtraction_is_decided_by_its_period(takes: set[int], size: int) -> None:
    game = Subtraction(size, tuple(takes))
    assert is_right(game, parity(game))


@given(st.sets(st.integers(1, 12), min_size=1, max_size=4), st.integers(0, 1500))
def test_labels_repeat_as_they_say(takes: set[int], size: int) -> None:
    ordered = tuple(sorted(takes))
    found = labels_of(ordered, 10**9)
    assert found is not None
    labels, period = found
    plain: list[bool] = []
    for n in range(size + 1):
        plain.append(any(take <= n and not plain[n - take] for take in ordered))
    here = size if size < len(labels) else len(labels) - period + (size - len(labels)) % period
    assert labels[here] == ("W" if plain[size] else "L")


def test_odd_takes_are_a_matter_of_parity_only_if_one_may_be_taken() -> None:
    odd, even = parity(Subtraction(7, (1, 3, 5))), parity(Subtraction(8, (1, 3, 5)))
    assert odd is not None and even is not None
    assert "parity" in odd.reason and (odd.value, even.value) == (1, -1)
    assert is_right(Subtraction(4, (3, 5)), parity(Subtraction(4, (3, 5))))


def test_a_subtraction_game_without_a_short_period_is_left_to_search() -> None:
    assert parity(Subtraction(10**9, (1, 7, 9_999_998))) is None


@pytest.mark.parametrize("board", [(1, 3, 3), (2, 2, 3), (2, 5, 3), (1, 9, 4), (2, 4, 4), (3, 3, 4), (1, 2, 2)])
def test_pairing_draws_are_draws(board: tuple[int, int, int]) -> None:
    assert is_right(MNK(*board), pairing(MNK(*board)))


def test_connect_k_with_fewer_than_k_columns_is_a_draw() -> None:
    for rows, columns, k in itertools.product((1, 2, 3, 4), (1, 2, 3), (2, 3, 4)):
        form = pairing(Connect(rows, columns, k))
        assert (form is not None) == (columns < k)
        assert form is None or is_right(Connect(rows, columns, k), form)
    assert pairing(Connect(3, 1, 1)) is None


def test_boards_that_somebody_wins_have_no_pairing() -> None:
    for board in ((3, 3, 3), (1, 3, 2), (1, 1, 1), (3, 4, 3), (6, 6, 4)):
        assert pairing(MNK(*board)) is None


@given(st.integers(1, 14), st.integers(1, 14), st.integers(1, 15))
def test_pairs_are_disjoint_and_every_line_holds_one(rows: int, columns: int, k: int) -> None:
    pairs = pairs_for(rows, columns, k)
    if pairs is None:
        return
    cells = [cell for pair in pairs for cell in pair]
    assert len(set(cells)) == len(cells)
    board = range(rows * columns)
    assert set(cells) <= set(board)
    for line in MNK(rows, columns, k).lines:
        assert any(one in board[line] and two in board[line] for one, two in pairs)


@pytest.mark.parametrize("side", [9, 12, 19, 40])
def test_nine_in_a_row_is_a_draw_on_every_board(side: int) -> None:
    form = pairing(MNK(side, side, 9))
    assert form is not None and form.value == 0


def test_plane_pattern_uses_every_cell_of_the_torus_once() -> None:
    cells = [
        ((row + down * half) % PERIOD, (column + right * half) % PERIOD)
        for (row, column), steps in plane_pattern().items()
        for down, right in steps
        for half in (0, 1)
    ]
    assert sorted(cells) == sorted(itertools.product(range(PERIOD), repeat=2))


@given(st.lists(st.sets(st.integers(0, 9), max_size=5).map(sorted), max_size=5))
def test_matching_finds_two_cells_for_each_group_whenever_hall_allows(groups: list[list[int]]) -> None:
    hall = all(
        len(set().union(*chosen)) >= 2 * len(chosen)
        for count in range(1, len(groups) + 1)
        for chosen in itertools.combinations([set(group) for group in groups], count)
    )
    pairs = matched_pairs(groups)
    assert (pairs is not None) == hall
    if pairs is not None:
        assert all(set(pair) <= set(group) for pair, group in zip(pairs, groups, strict=True))
        assert len({cell for pair in pairs for cell in pair}) == 2 * len(groups)


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 10))
def test_checker_and_rules_know_the_same_lines(rows: int, columns: int, k: int) -> None:
    game = MNK(rows, columns, k)
    board = range(rows * columns)
    assert {tuple(line) for line in _lines(game)} == {tuple(board[line]) for line in game.lines}


ANSWERS = [
    ("treblecross:9", "symmetry", "first"),
    ("treblecross:101", "symmetry", "first"),
    ("nim:4,4", "symmetry", "second"),
    ("nim:100000", "symmetry", "first"),
    ("nim:100000,99999,3", "parity", "first"),
    ("nim:1,2,3", "parity", "second"),
    ("wythoff:7,7", "symmetry", "first"),
    ("wythoff:3,5", "parity", "second"),
    ("wythoff:987,1597", "parity", "second"),
    ("subtraction:21;1,2,3", "parity", "first"),
    ("subtraction:1000000000;1,3,4", "parity", "first"),
    ("coins:1,2,2,1", "parity", "second"),
    ("mnk:5,5,5", "pairing", "draw"),
    ("mnk:3,3,4", "pairing", "draw"),
    ("gomoku:4", "pairing", "draw"),
    ("connect:10,3,4", "pairing", "draw"),
]


@pytest.mark.parametrize(("target", "engine", "winner"), ANSWERS)
def test_auto_tries_closed_forms_first_and_has_them_checked(target: str, engine: str, winner: str) -> None:
    solution = zermelo.solve(target)
    assert (solution.engine, solution.winner, solution.verified) == (engine, winner, True)
    assert solution.note
    assert solution.stats["nodes"] == 0


@pytest.mark.parametrize(
    "target", ["nim:2,3", "nim:3,3", "wythoff:2,3", "coins:1,2,2,1,1", "treblecross:7", "mnk:2,3,3"]
)
def test_closed_forms_agree_with_every_engine(target: str) -> None:
    assert zermelo.solve(target, "all").status == "solved"


@pytest.mark.parametrize(
    ("target", "engine"), [("tictactoe", "pairing"), ("nim:1,2,3", "symmetry"), ("treblecross:8", "parity")]
)
def test_a_technique_that_says_nothing_is_an_error_when_asked_by_name(target: str, engine: str) -> None:
    with pytest.raises(NotApplicableError):
        zermelo.solve(target, engine)


@pytest.mark.parametrize("target", [target for target, _, _ in ANSWERS])
def test_the_strategy_of_a_closed_form_keeps_its_promise_against_random_play(target: str) -> None:
    game = zermelo.game_of(target)
    for form in closed_forms(game):
        for claim in form.claims:
            strategy = RuleStrategy(game, claim)
            rng = random.Random(target)
            position, plies = game.start(), 0
            while (result := game.result(position)) is None and plies < 300:
                own = game.turn(position) == strategy.role
                position = game.play(position, strategy(position) if own else rng.choice(game.moves(position)))
                plies += 1
            assert result is None or result[game.roles.index(claim.role)] >= claim.at_least


def test_solution_offers_the_rule_as_its_strategy() -> None:
    solution = zermelo.solve("nim:3,4,5")
    assert solution.strategy is not None
    assert solution.strategy.role == "first"
    assert solution.strategy(solution.game.start()) == solution.move


def test_a_rule_says_nothing_after_the_end_or_in_another_game() -> None:
    for game in (Nim(0), Wythoff(1, 1)):
        with pytest.raises(IllegalMoveError):
            RuleStrategy(game, Claim("first", 1, rule="nim-sum"))(game.start())


def test_reasons_are_one_sentence_each() -> None:
    for target, _, _ in ANSWERS:
        for form in closed_forms(zermelo.game_of(target)):
            assert form.reason and "\n" not in form.reason and not form.reason.endswith(".")
