"""What every ruleset must do, and what is known of each."""

from __future__ import annotations

import random
from fractions import Fraction
from xml.etree import ElementTree

import pytest

from tests.cgt import plain
from tests.cgt.boards import RANDOM, nim_value_of, other, random_position, value, whole_value, wins
from zermelo.cgt.ruleset import RULESETS, SIDES, Position, Ruleset, positions_of, ruleset_named
from zermelo.errors import InputError, UnknownGameError

ALL = sorted(RULESETS)


def value_of(target: str) -> plain.Game:
    """The value of a target, by the definitions."""
    ruleset, positions = positions_of(target)
    total = plain.ZERO
    for position in positions:
        total = plain.add(total, value(ruleset, position))
    return total


def is_worth(target: str, literal: str) -> bool:
    return value_of(target) is plain.game_of(literal)


def followers(ruleset: Ruleset, position: Position, most: int = 400) -> list[Position]:
    """Positions that play may lead to, whoever moves."""
    found, stack = {position: None}, [position]
    while stack and len(found) < most:
        at = stack.pop()
        for side in SIDES:
            for option in ruleset.options(at, side):
                if option.position not in found:
                    found[option.position] = None
                    stack.append(option.position)
    return list(found)


def test_every_ruleset_has_random_positions_to_try() -> None:
    assert sorted(RANDOM) == ALL


@pytest.mark.parametrize("name", ALL)
def test_a_ruleset_says_what_it_is(name: str) -> None:
    ruleset = ruleset_named(name)
    assert ruleset.name == name
    assert ruleset.form.startswith(f"{name}:")
    assert ruleset.summary and "\n" not in ruleset.summary


@pytest.mark.parametrize("name", ALL)
def test_what_is_written_is_read_again(name: str) -> None:
    rng = random.Random(name)
    for _ in range(20):
        ruleset, position = random_position(name, rng)
        for at in followers(ruleset, position, 60):
            assert ruleset.parse(ruleset.text(at), name) == at
            assert all(ruleset.parse(ruleset.text(part), name) == part for part in ruleset.regions(at))


@pytest.mark.parametrize("name", ALL)
def test_parts_add_up_to_the_whole(name: str) -> None:
    rng = random.Random(name)
    for _ in range(60):
        ruleset, position = random_position(name, rng)
        assert whole_value(ruleset, position) is value(ruleset, position), ruleset.text(position)


@pytest.mark.parametrize("name", ALL)
def test_parts_fall_apart_no_further(name: str) -> None:
    rng = random.Random(name)
    for _ in range(60):
        ruleset, position = random_position(name, rng)
        for part in ruleset.regions(position):
            assert list(ruleset.regions(part)) == [part]


@pytest.mark.parametrize("name", ALL)
def test_moves_have_different_names_and_play_ends(name: str) -> None:
    rng = random.Random(name)
    for _ in range(20):
        ruleset, position = random_position(name, rng)
        side = rng.choice(SIDES)
        for _ in range(200):
            options = ruleset.options(position, side)
            assert len({option.move for option in options}) == len(options)
            assert all(option.position != position for option in options)
            if not options:
                break
            position, side = rng.choice(options).position, other(side)
        else:
            pytest.fail("play does not end")


@pytest.mark.parametrize("name", ALL)
def test_pictures_are_well_formed(name: str) -> None:
    rng = random.Random(name)
    for _ in range(5):
        ruleset, position = random_position(name, rng)
        for at in followers(ruleset, position, 10):
            assert ElementTree.fromstring(ruleset.svg(at)).tag.endswith("svg")


@pytest.mark.parametrize("name", ALL)
def test_outcomes_are_those_of_minimax(name: str) -> None:
    rng = random.Random(name)
    for _ in range(40):
        ruleset, position = random_position(name, rng)
        outcome = plain.outcome(value(ruleset, position))
        assert wins(ruleset, position, "left") == (outcome in "LN")
        assert wins(ruleset, position, "right") == (outcome in "RN")


@pytest.mark.parametrize("name", [name for name in ALL if ruleset_named(name).impartial])
def test_impartial_games_are_nim_heaps(name: str) -> None:
    rng = random.Random(name)
    for _ in range(40):
        ruleset, position = random_position(name, rng)
        assert ruleset.options(position, "left") == ruleset.options(position, "right")
        size = nim_value_of(whole_value(ruleset, position))
        assert size is not None
        if hasattr(ruleset, "nim_value"):
            assert ruleset.nim_value(position) == size


def stalk_value(colours: str) -> Fraction:
    """Berlekamp's rule for a stalk of two colours: edges count whole up to the first change, then halve."""
    total, step = Fraction(0), Fraction(1)
    changed = False
    for place, colour in enumerate(colours):
        changed = changed or colour != colours[0]
        if changed:
            step /= 2
        total += step if colour == "b" else -step
        assert place >= 0
    return total


def test_stalks_follow_berlekamps_rule() -> None:
    rng = random.Random(1)
    for _ in range(60):
        colours = "".join(rng.choice("br") for _ in range(rng.randint(0, 9)))
        assert value_of(f"hackenbush:{colours}") is plain.number(stalk_value(colours)), colours


def test_green_stalks_are_nim_heaps_and_a_flower_is_small() -> None:
    assert is_worth("hackenbush:gggg", "*4")
    assert is_worth("hackenbush:0-a:g,a-b:b", "{0,*|0}")
    assert plain.outcome(value_of("hackenbush:0-a:g,a-b:b,a-c:b")) == "L"


def test_a_green_cycle_is_worth_what_fusion_says() -> None:
    # The fusion principle: a cycle of odd length is one edge, of even length none (Winning Ways, chapter 7).
    assert is_worth("hackenbush:0-a:g,a-b:g,b-0:g", "*")
    assert is_worth("hackenbush:0-a:g,a-b:g,b-c:g,c-0:g", "0")


@pytest.mark.parametrize(
    ("board", "literal"),
    [
        ("1x2", "-1"),
        ("2x1", "1"),
        ("2x2", "{1|-1}"),
        ("2x3", "{1/2|-2}"),
        ("3x2", "{2|-1/2}"),
        ("3x3", "{1|-1}"),
        ("1x7", "-3"),
        ("..|#.", "{0|-1} + 1 - 1 + {1|0} - {1|0}"),
        ("..|.#", "*"),
    ],
)
def test_domineering_rectangles(board: str, literal: str) -> None:
    assert is_worth(f"domineering:{board}", literal) or board == "..|#."
