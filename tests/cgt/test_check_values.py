"""The checker of values accepts what is so and refuses what is not, on boards and on sums in brackets."""

from __future__ import annotations

import copy
import random
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from tests.cgt import plain
from tests.cgt.randomgames import random_text
from zermelo.certificate import Claim
from zermelo.cgt.boards.board_value import value_by_position, value_of_board
from zermelo.cgt.boards.ruleset import SIDES, Option, Ruleset, Side
from zermelo.cgt.boards.value_proof import board_data, sum_data
from zermelo.cgt.game import BoardSum, WrittenSum
from zermelo.cgt.scores.scored import simplest_number, sum_tree, trees_of
from zermelo.cgt.values.value import value_of
from zermelo.check.values import Games, check_value_claim
from zermelo.check.verdict import Verdict
from zermelo.limits import Limits
from zermelo.solving.targets import game_of


class Dominoes(Ruleset):
    """Domineering on sets of free cells, as plain as it can be."""

    name, summary, form = "dominoes", "", ""

    def parse(self, text: str, place: str) -> frozenset[tuple[int, int]]:
        rows = text.split("|")
        return frozenset((r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell == ".")

    def options(self, position: frozenset[tuple[int, int]], side: Side) -> Sequence[Option]:
        step = (1, 0) if side == "left" else (0, 1)
        found = []
        for r, c in sorted(position):
            other = (r + step[0], c + step[1])
            if other in position:
                found.append(Option(f"{r},{c}", position - {(r, c), other}))
        return found

    def regions(self, position: frozenset[tuple[int, int]]) -> list[frozenset[tuple[int, int]]]:
        left, found = set(position), []
        while left:
            part, stack = set(), [left.pop()]
            while stack:
                r, c = stack.pop()
                part.add((r, c))
                near = {(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)} & left
                left -= near
                stack.extend(near)
            found.append(frozenset(part))
        return found

    def text(self, position: frozenset[tuple[int, int]]) -> str:
        return " ".join(f"{r},{c}" for r, c in sorted(position))

    def svg(self, position: frozenset[tuple[int, int]]) -> str:
        return ""


class Shown:
    """A plain game as the certificate writer takes it."""

    def __init__(self, game: plain.Game) -> None:
        self.game = game

    def __hash__(self) -> int:
        return hash(self.game)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shown) and other.game is self.game

    @property
    def number(self) -> Fraction | None:
        return number_of(self.game)

    @property
    def left(self) -> list[Shown]:
        return [Shown(option) for option in self.game.left]

    @property
    def right(self) -> list[Shown]:
        return [Shown(option) for option in self.game.right]


@cache
def number_of(game: plain.Game) -> Fraction | None:
    """The number that a plain game is, or None."""
    left, right = [[number_of(o) for o in side] for side in (game.left, game.right)]
    if None in left or None in right:
        return None
    above = max(((x, 1) for x in left if x is not None), default=None)
    below = min(((x, -1) for x in right if x is not None), default=None)
    return simplest_number(above, below)


RULES = Dominoes()


@cache
def plain_value(position: frozenset[tuple[int, int]]) -> plain.Game:
    total = plain.ZERO
    parts = RULES.regions(position)
    if len(parts) == 1:
        sides = [[plain_value(o.position) for o in RULES.options(position, side)] for side in SIDES]
        return plain.canonical(*sides)
    for part in parts:
        total = plain.add(total, plain_value(part))
    return total


def board_claim(boards: list[Any]) -> tuple[BoardSum, Claim]:
    total = plain.ZERO
    for board in boards:
        total = plain.add(total, plain_value(board))
    data = board_data(RULES, boards, Shown(total), lambda part: Shown(plain_value(part)), Limits())
    winner = "right" if plain.less_equal(total, plain.ZERO) else "left"
    return BoardSum(RULES, boards), Claim(winner, 1, rule="value", data=data)


def checked(game: Any, claim: Claim) -> Verdict:
    return check_value_claim(game, claim, Limits())


def random_board(rng: random.Random) -> frozenset[tuple[int, int]]:
    return frozenset((r, c) for r in range(3) for c in range(3) if rng.random() < 0.8)


def test_values_of_boards_are_accepted() -> None:
    rng = random.Random(1)
    for _ in range(40):
        assert checked(*board_claim([random_board(rng) for _ in range(rng.randint(1, 2))])).accepted


def test_the_other_side_does_not_win_with_that_value() -> None:
    rng = random.Random(2)
    for _ in range(20):
        game, claim = board_claim([random_board(rng)])
        loser = "left" if claim.role == "right" else "right"
        assert checked(game, Claim(loser, 1, rule="value", data=claim.data)).status == "refuted"


def test_another_value_of_any_part_is_refused() -> None:
    rng = random.Random(3)
    tried = 0
    for _ in range(60):
        game, claim = board_claim([random_board(rng)])
        data = copy.deepcopy(dict(claim.data))
        if len(data["games"]) < 2:
            continue
        part = rng.choice(sorted(data["parts"]))
        data["parts"][part] = rng.choice([n for n in range(len(data["games"])) if n != data["parts"][part]])
        tried += 1
        assert checked(game, Claim(claim.role, 1, rule="value", data=data)).status == "refuted"
    assert tried > 40


def test_a_part_that_is_left_out_is_noticed() -> None:
    game, claim = board_claim([RULES.parse("...|...", "")])
    for part in claim.data["parts"]:
        data = dict(claim.data) | {"parts": {key: v for key, v in claim.data["parts"].items() if key != part}}
        assert checked(game, Claim(claim.role, 1, rule="value", data=data)).status == "refuted"


LIBRARY = [
    "domineering:...|...|..#",
    "clobber:xox|oxo",
    "amazons:x..|.#o",
    "konane:xox|o.o|xox",
    "nogo:...|.#.",
    "snort:...|.#.",
    "col:...|...",
    "cram:...|...",
    "toads:xx..oo",
    "elephants:x.x..o",
    "dominoes:xo#ox",
    "fission:...|.x.|...",
    "hackenbush:0-a:b,a-b:r,b-c:g",
    "domineering:..|..+...|...",
]


def library_claim(target: str) -> tuple[BoardSum, Claim]:
    game = BoardSum.named(target)
    total = value_of_board(game.ruleset, game.positions)
    data = board_data(game.ruleset, game.positions, total, value_by_position(game.ruleset, Limits()), Limits())
    return game, Claim("right" if total <= 0 else "left", 1, rule="value", data=data)


@pytest.mark.parametrize("target", LIBRARY)
def test_certificates_of_the_library_are_accepted_and_refused_when_damaged(target: str) -> None:
    game, claim = library_claim(target)
    assert checked(game, claim).accepted
    for part, index in claim.data["parts"].items():
        without = {key: place for key, place in claim.data["parts"].items() if key != part}
        other = (index + 1) % len(claim.data["games"])
        for parts in (without, *([claim.data["parts"] | {part: other}] if other != index else [])):
            data = dict(claim.data) | {"parts": parts}
            assert checked(game, Claim(claim.role, 1, rule="value", data=data)).status == "refuted", part


def test_of_parts_that_are_negatives_of_each_other_one_is_listed() -> None:
    _, claim = library_claim("domineering:..+.|.")
    assert list(claim.data["parts"]) == [".."]


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"games": 3},
        {"games": ["0"], "root": 1},
        {"games": [[[0], []]], "root": 0},
        {"games": ["1/3"], "root": 0},
        {"games": ["x"], "root": 0},
        {"games": [None], "root": 0},
        {"games": ["0"], "root": True},
        {"games": ["0"], "root": 0, "parts": []},
    ],
)
def test_data_of_another_shape_is_refused(data: dict[str, Any]) -> None:
    game, _ = board_claim([RULES.parse("..|..", "")])
    assert checked(game, Claim("left", 1, rule="value", data=data)).status == "refuted"


def test_sums_in_brackets_are_worked_out_by_the_definitions() -> None:
    rng = random.Random(4)
    for _ in range(300):
        text = f"({random_text(rng)}) + ({random_text(rng, 2)})"
        value = plain.game_of(text)
        winner = "right" if plain.less_equal(value, plain.ZERO) else "left"
        data = sum_data(Shown(value))
        assert checked(WrittenSum(text), Claim(winner, 1, rule="value", data=data, play="normal")).accepted, text
        other = sum_data(Shown(plain.add(value, plain.game_of("*"))))
        assert not checked(WrittenSum(text), Claim(winner, 1, rule="value", data=other, play="normal")).accepted, text


def test_large_numbers_cost_nothing() -> None:
    huge = 2**200
    text = f"{{{huge}|{-huge}}} + {huge} + 1/{huge}"
    games = Games(Limits())
    hot = games.node([games.number(Fraction(2 * huge) + Fraction(1, huge))], [games.number(Fraction(1, huge))])
    assert games.less_equal(games.zero, hot) and not games.less_equal(hot, games.zero)
    data = {"games": [str(2 * huge + Fraction(1, huge)), f"1/{huge}", [[0], [1]]], "root": 2}
    assert checked(WrittenSum(text), Claim("left", 1, rule="value", data=data, play="normal")).accepted
    assert sum_tree(trees_of(text)).right_stop == Fraction(1, huge)


@pytest.mark.parametrize("said", ["*2", "{", "1/3", 7, None, "*" * 50])
def test_a_value_in_brackets_must_be_the_game_that_is_proved(said: object) -> None:
    game = WrittenSum("{0|0}")
    data = sum_data(value_of("*")) | {"value": "*"}
    assert (
        check_value_claim(game, Claim("left", 1, rule="value", data=data, play="normal"), Limits()).status == "accepted"
    )
    lie = Claim("left", 1, rule="value", data=data | {"value": said}, play="normal")
    assert check_value_claim(game, lie, Limits()).status == "refuted"


@pytest.mark.parametrize("other", ["1", "-1"])
def test_a_value_that_is_only_above_or_below_that_of_the_sum_is_not_its_value(other: str) -> None:
    claim = Claim("left", -1, rule="value", data={"games": [other], "root": 0, "value": other}, play="normal")
    verdict = check_value_claim(game_of("{0|0}"), claim, Limits())
    assert verdict.reason == "the sum is not equal to the game that the certificate names"
    right = Claim("left", -1, rule="value", data={"games": ["0", [[0], [0]]], "root": 1, "value": other}, play="normal")
    assert check_value_claim(game_of("{0|0}"), right, Limits()).reason == f"the value is not {other}"
