"""The checker's rules of boards against those of the engines, and against values that take no board apart."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from typing import Any

import pytest
from tests.cgt.boards import RANDOM, random_position

from zermelo.cgt.boards.parts import Parts
from zermelo.cgt.boards.ruleset import SIDES, Ruleset, ruleset_named
from zermelo.check.boards import MODULES, rules_named
from zermelo.check.boards.ruleset import Rules
from zermelo.check.games import Games
from zermelo.check.read.board import board_target
from zermelo.errors import InputError
from zermelo.limits import Limits
from zermelo.solving.targets import game_of

NAMES = [*sorted(RANDOM), *(f"impartial-{name}" for name in sorted(RANDOM))]


def some_boards(name: str, count: int, seed: str) -> list[str]:
    rng = random.Random(f"{seed} {name}")
    rules = ruleset_named(name)
    found = []
    while len(found) < count:
        plain, position = random_position(name.removeprefix("impartial-"), rng)
        found.append(plain.text(position))
    assert rules is not None
    return found


def stated(name: str, text: str) -> tuple[Rules, Any]:
    reading = board_target(f"{name}:{text}")
    return rules_named(name), reading.positions[0]  # type: ignore[union-attr]


def test_the_checker_knows_the_rules_of_every_game() -> None:
    assert sorted(RANDOM) == sorted(MODULES)


@pytest.mark.parametrize("name", NAMES)
def test_moves_and_parts_are_those_of_the_engines(name: str) -> None:
    theirs = ruleset_named(name)
    parts = Parts(theirs)
    for text in some_boards(name, 30, "moves"):
        rules, ours = stated(name, text)
        position = theirs.parse(text, "")
        for side, word in enumerate(SIDES):
            found = sorted((move, rules.text(after)) for move, after in rules.moves(ours, side))
            assert found == sorted((o.move, theirs.text(o.position)) for o in theirs.options(position, word)), text
        signed = [rules.signed(part) for part in rules.parts(ours)]
        assert [(rules.text(part), negated) for part, negated in signed] == list(parts.of(position)), text


_KNOWN: dict[tuple[str, Any], int] = {}


def by_parts(games: Games, name: str, rules: Rules, position: Any) -> int:
    """The value as the checker sees it: part by part, with signs."""
    total = games.zero
    for part in rules.parts(position):
        named, negated = rules.signed(part)
        key = f"{name} parts", named
        if key not in _KNOWN:
            sides = [[by_parts(games, name, rules, after) for _, after in rules.moves(named, side)] for side in (0, 1)]
            _KNOWN[key] = games.canonical(*sides)
        total = games.add(total, games.negate(_KNOWN[key]) if negated else _KNOWN[key])
    return total


def whole(games: Games, rules: Ruleset, position: Any) -> int:
    """The value by the moves of the engines' rules alone; nothing is taken apart."""
    key = f"{rules.name} whole", position
    if key not in _KNOWN:
        sides = [[whole(games, rules, option.position) for option in rules.options(position, side)] for side in SIDES]
        _KNOWN[key] = games.canonical(*sides)
    return _KNOWN[key]


GAMES = Games(Limits())


@pytest.mark.parametrize("name", NAMES)
def test_values_by_parts_are_those_of_whole_boards(name: str) -> None:
    for text in some_boards(name, 60, "values"):
        rules, ours = stated(name, text)
        theirs = ruleset_named(name)
        assert by_parts(GAMES, name, rules, ours) == whole(GAMES, theirs, theirs.parse(text, "")), text


@pytest.mark.parametrize(
    "target", ["domineering:..|..+...", "toads:xx..o", "dots:.|..|#", "dots:#|..|.+1x1", "kayles:3,2"]
)
def test_play_is_that_of_the_engines(target: str) -> None:
    """Keys of positions, texts of moves and scores along random lines."""
    theirs, reading = game_of(target), board_target(target)
    ours = reading.game()
    rng = random.Random(target)
    for _ in range(20):
        one, other = theirs.start(), ours.start()
        while True:
            assert theirs.key(one) == ours.key(other) and theirs.result(one) == ours.result(other)
            if theirs.result(one) is not None:
                break
            texts = [theirs.move_text(move) for move in theirs.moves(one)]
            assert texts == [ours.move_text(move) for move in ours.moves(other)]
            assert theirs.turn(one) == ours.turn(other)
            text = rng.choice(texts)
            one = theirs.play(one, theirs.parse_move(one, text))
            other = ours.play(other, ours.parse_move(other, text))


def test_numbers_between_options_are_the_simplest() -> None:
    games = Games(Limits())
    for above in range(-9, 10):
        for below in range(above + 1, 10):
            low, high = Fraction(above, 4), Fraction(below, 4)
            made = games.numbers[games.node([games.number(low)], [games.number(high)])]
            fitting = [Fraction(n, d) for d in (1, 2, 4, 8) for n in range(-24, 25) if low < Fraction(n, d) < high]
            simplest = min(fitting, key=lambda x: (x.denominator, abs(x)))
            assert made == simplest


def test_a_board_that_is_none_is_refused_with_its_place() -> None:
    with pytest.raises(InputError, match=re.escape("domineering:..|.x:1:17")):
        board_target("domineering:..|.x")
