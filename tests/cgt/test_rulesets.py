"""What every ruleset must do, and what is known of each."""

from __future__ import annotations

import random
from fractions import Fraction
from xml.etree import ElementTree

import pytest

from tests.cgt import plain
from tests.cgt.boards import RANDOM, nim_value_of, other, plain_nim_value, random_position, value, whole_value, wins
from zermelo.cgt.boards.board_value import bounds_of_board, has_native_rules, value_of_board
from zermelo.cgt.boards.nim_value import NimValues
from zermelo.cgt.boards.ruleset import RULESETS, SIDES, Position, Ruleset, positions_of, ruleset_named
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
def test_normal_forms_are_worth_the_same(name: str) -> None:
    rng = random.Random(name)
    for _ in range(20):
        ruleset, position = random_position(name, rng)
        normal = ruleset.normal(position)
        assert ruleset.normal(normal) == normal
        assert whole_value(ruleset, normal) is whole_value(ruleset, position)


@pytest.mark.parametrize("name", ALL)
def test_signed_forms_are_worth_the_same_or_the_negative(name: str) -> None:
    rng = random.Random(name)
    for _ in range(20):
        ruleset, position = random_position(name, rng)
        form, negated = ruleset.signed(position)
        worth = whole_value(ruleset, form)
        assert ruleset.signed(form)[0] == form
        assert (plain.negate(worth) if negated else worth) is whole_value(ruleset, position)


@pytest.mark.parametrize("name", ALL)
def test_numbers_of_moves_bound_the_value(name: str) -> None:
    rng = random.Random(name)
    for _ in range(20):
        ruleset, position = random_position(name, rng)
        lower, upper = bounds_of_board(ruleset, [position])
        worth = whole_value(ruleset, position)
        assert lower is None or plain.less_equal(plain.game_of(str(lower)), worth)
        assert upper is None or plain.less_equal(worth, plain.game_of(str(upper)))


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
            scene = ruleset.scene(at)
            assert ElementTree.fromstring(scene.svg()).tag.endswith("svg")
            assert not scene.is_text


@pytest.mark.parametrize("name", ALL)
def test_outcomes_are_those_of_minimax(name: str) -> None:
    rng = random.Random(name)
    for _ in range(40):
        ruleset, position = random_position(name, rng)
        outcome = plain.outcome(value(ruleset, position))
        assert wins(ruleset, position, "left") == (outcome in "LN")
        assert wins(ruleset, position, "right") == (outcome in "RN")


@pytest.mark.parametrize("name", [name for name in ALL if has_native_rules(ruleset_named(name))])
def test_native_rules_find_the_same_values(name: str) -> None:
    rng = random.Random(name)
    for _ in range(60):
        ruleset, position = random_position(name, rng)
        by_rules = value_of_board(ruleset, [position], native=False)
        assert value_of_board(ruleset, [position]) == by_rules, ruleset.text(position)


def test_native_rows_of_animals_fall_apart_as_they_should() -> None:
    rng = random.Random(11)
    ruleset = ruleset_named("gentoads")
    for _ in range(300):
        strides = rng.choice(["1,1,1,0", "1,2,1,1", "2,3,2,0", "1,1,0,0", "1,1,2,1", "1,3,2,1"])
        row = "".join(rng.choice(rng.choice(["..xo", ".xxoo"])) for _ in range(rng.randint(3, 9)))
        position = ruleset.parse(f"{strides}:{row}", "")
        by_rules = value_of_board(ruleset, [position], native=False)
        assert value_of_board(ruleset, [position]) == by_rules, ruleset.text(position)


@pytest.mark.parametrize("name", [name for name in ALL if ruleset_named(name).impartial])
def test_impartial_games_are_nim_heaps(name: str) -> None:
    rng = random.Random(name)
    for _ in range(40):
        ruleset, position = random_position(name, rng)
        assert ruleset.options(position, "left") == ruleset.options(position, "right")
        size = nim_value_of(whole_value(ruleset, position))
        assert size is not None
        assert NimValues(ruleset).value(position) == size


@pytest.mark.parametrize("name", [name for name in ALL if not ruleset_named(name).impartial])
def test_any_rules_can_be_made_impartial(name: str) -> None:
    rng = random.Random(name)
    ruleset = ruleset_named(f"impartial-{name}")
    values = NimValues(ruleset)
    for _ in range(15):
        _, position = random_position(name, rng)
        options = ruleset.options(position, "left")
        assert options == ruleset.options(position, "right")
        assert len({option.move for option in options}) == len(options)
        assert values.value(position) == plain_nim_value(ruleset, position)


def test_partizan_rules_have_no_nim_values() -> None:
    with pytest.raises(ValueError, match="domineering is partizan"):
        NimValues(ruleset_named("domineering"))


def test_cram_is_impartial_domineering() -> None:
    rng = random.Random(3)
    for _ in range(30):
        cram, board = random_position("cram", rng)
        assert NimValues(cram).value(board) == NimValues(ruleset_named("impartial-domineering")).value(board)


def test_rectangles_of_cram() -> None:
    values = NimValues(ruleset_named("cram"))
    sizes = {"2x6": 0, "2x7": 1, "3x4": 1, "3x6": 4, "4x4": 0}
    for size, expected in sizes.items():
        assert values.value(positions_of(f"cram:{size}")[1][0]) == expected, size


def test_a_row_longer_than_calls_nest_is_no_trouble() -> None:
    values = NimValues(ruleset_named("cram"))
    assert values.value("." * 40) == ruleset_named("dawson").nim_value((40,))


def stalk_value(colours: str) -> Fraction:
    """Berlekamp's rule for a stalk of two colours: edges count whole up to the first change, then halve."""
    total, step = Fraction(0), Fraction(1)
    changed = False
    for colour in colours:
        changed = changed or colour != colours[0]
        if changed:
            step /= 2
        total += step if colour == "b" else -step
    return total


def test_stalks_follow_berlekamps_rule() -> None:
    rng = random.Random(1)
    for _ in range(60):
        colours = "".join(rng.choice("br") for _ in range(rng.randint(0, 9)))
        assert value_of(f"hackenbush:{colours}") is plain.number(stalk_value(colours)), colours


def test_green_stalks_are_nim_heaps_and_a_flower_is_up_and_star() -> None:
    assert is_worth("hackenbush:gggg", "*4")
    assert is_worth("hackenbush:0-a:g,a-b:b", "^*")


def test_a_green_cycle_is_worth_what_fusion_says() -> None:
    # The fusion principle: a cycle of odd length is one edge, of even length none (Winning Ways, chapter 7).
    assert is_worth("hackenbush:0-a:g,a-b:g,b-0:g", "*")
    assert is_worth("hackenbush:0-a:g,a-b:g,b-c:g,c-0:g", "0")


@pytest.mark.parametrize(
    ("target", "literal"),
    [
        # Winning Ways, chapter 5; On Numbers and Games, chapter 10: rows x columns, Left upright.
        ("domineering:1x2", "-1"),
        ("domineering:2x2", "{1|-1}"),
        ("domineering:2x3", "{2|-1/2}"),
        ("domineering:3x2", "{1/2|-2}"),
        ("domineering:3x3", "{1|-1}"),
        ("domineering:2x4", "{2|0||0}"),
        ("domineering:3x4", "-3/2"),
        ("domineering:..|.#", "*"),
        # Albert, Grossman, Nowakowski, Wolfe, An introduction to Clobber.
        ("clobber:xo", "*"),
        ("clobber:xxo", "^"),
        ("clobber:xxxo", "^^*"),
        ("clobber:xxoo", "0"),
        ("clobber:2x3", "0"),
        # Winning Ways, chapter 1.
        ("toads:x.o", "*"),
        ("toads:xx.oo", "*"),
        ("toads:xxx.ooo", "*"),
        ("toads:xx.o", "{1/2|0}"),
        ("toads:xx..o", "1"),
        # On Numbers and Games, chapter 8: a row of Col is 0 but for a single cell.
        ("col:1x1", "*"),
        ("col:1x5", "0"),
        ("snort:1x2", "{1|-1}"),
        ("snort:1x3", "{2|-2}"),
        # A queen by itself has as many moves as there are cells to fill, in a row.
        ("amazons:x....", "4"),
        ("amazons:x.o", "*"),
        ("konane:xo.", "1"),
        ("konane:.ox.", "*"),
        ("elephants:x...", "3"),
        ("elephants:x.o", "*"),
        ("fission:1x3", "-1"),
        ("nimheaps:1+2+3", "0"),
        ("nimheaps:5,6", "*3"),
        ("cannibal:xx", "1"),
    ],
)
def test_values_that_are_known(target: str, literal: str) -> None:
    assert is_worth(target, literal)


@pytest.mark.parametrize(("left", "right"), [(1, 1), (2, 1), (2, 2), (4, 2), (3, 5)])
def test_rows_of_equal_dominoes_make_switches(left: int, right: int) -> None:
    # Fink, Nowakowski, Siegel, Wolfe, Toppling Conjectures: x^a o^b = {a-1|1-b}.
    assert is_worth(f"dominoes:{'x' * left}{'o' * right}", f"{{{left - 1}|{1 - right}}}")


def test_rows_of_one_kind_of_dominoes_count_and_a_palindrome_is_a_half() -> None:
    assert is_worth("dominoes:xxxx", "4")
    assert is_worth("dominoes:####", "*4")
    assert is_worth("dominoes:xox", "1/2")
    assert is_worth("dominoes:xoox", "^")
    assert is_worth("dominoes:", "0")


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("domineering:..|.?", "1:17: unexpected '?', expected '.' (empty) or '#' (blocked)"),
        ("domineering:..|...", "1:18: row 2 has 3 cells, expected 2 as in row 1"),
        ("domineering:...|..", "1:19: row 2 has 2 cells, expected 3 as in row 1"),
        ("domineering:..+..|.z", "1:20: unexpected 'z'"),
        ("domineering:.. + .|..", "1:21: row 2 has 2 cells, expected 1 as in row 1"),
        ("domineering:", "1:13: no board, expected rows of cells"),
        ("domineering:|", "1:13: row 1 has 0 cells, expected at least 1"),
        ("domineering:0x4", "1:13: a board of 0 x 4"),
        ("domineering:1000x1000", "1:13: a board of 1000 x 1000"),
        ("clobber:xoz", "1:11: unexpected 'z', expected '.' (empty), 'x' (Left), 'o' (Right) or '#' (blocked)"),
        ("amazons:4x4", "1:9: amazons has no board to start from"),
        ("dominoes:x|o", "1:11: unexpected '|', expected 'x' (Left), 'o' (Right) or '#' (both sides')"),
        ("toads:x#", "1:8: unexpected '#'"),
        ("nogo:.xo", "1:8: a block without a liberty"),
        ("gentoads:x..o", "1:10: unexpected 'x..o', expected least slide"),
        ("gentoads:2,1,1,0:x.", "1:10: slides of 2 to 1"),
        ("gentoads:1,1,1,0: x?", "1:20: unexpected '?'"),
        ("hackenbush:brx", "1:12: unexpected 'brx', expected an edge"),
        ("hackenbush:0-a:b,a-c:y", "1:18: unexpected 'a-c:y', expected an edge"),
        ("hackenbush:0-a:b;a-c:r", "1:17: unexpected ';', expected a comma"),
        ("hackenbush:a-c:r", "1:12: edge a-c does not stand on the ground"),
        ("kayles:x", "1:8: unexpected 'x', expected the size of a heap"),
        ("kayles:3, -4", "1:11: unexpected '-4'"),
        ("octal:0.9G:3", "1:10: unexpected 'G' in a code"),
        ("octal:0.77", "1:7: unexpected '0.77', expected a code, a colon and heaps"),
        ("octal:3.7:4", "1:7: unexpected code '3.7'"),
        ("octal:0.7:q", "1:11: unexpected 'q'"),
        ("wytqueens:3", "1:11: 1 heaps, expected two"),
    ],
)
def test_mistakes_are_pointed_at(target: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        positions_of(target)
    assert str(error.value).startswith(f"{target}:{message}")


def test_unknown_rules_are_named_with_the_known_ones() -> None:
    with pytest.raises(UnknownGameError, match="no ruleset 'checkers', expected one of amazons, "):
        positions_of("checkers:..")


def test_capital_letters_are_read_too() -> None:
    assert positions_of("clobber:XO|ox")[1] == ["xo|ox"]
    assert positions_of("hackenbush:BRG")[1] == positions_of("hackenbush:brg")[1]


def test_wythoffs_lost_positions_are_beattys() -> None:
    # Wythoff 1907: the n-th lost pair is the least number not used before, and that plus n.
    ruleset = ruleset_named("wytqueens")
    used: set[int] = set()
    for n in range(1, 12):
        small = next(number for number in range(1, 100) if number not in used)
        used |= {small, small + n}
        assert ruleset.nim_value((small, small + n)) == 0
        assert ruleset.nim_value((small + 1, small + n)) != 0
