"""Lines of play, taxed values, best moves and sente: the examples of chapter 2, and what the definitions entail."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cgt.randomgames import brute_force, random_sum, random_tree
from zermelo.cgt.boards.ruleset import SIDES
from zermelo.cgt.scores.scored import LEFT_TO_MOVE, RIGHT_TO_MOVE, Tree, leaf, negative, sum_tree, tree, trees_of
from zermelo.cgt.scores.taxed import (
    Kind,
    Move,
    after,
    best_options,
    cooled,
    game_kind,
    line,
    move_kind,
    options,
    other,
    taxed_value,
)
from zermelo.cgt.thermographs.thermograph import thermograph
from zermelo.cgt.values.value import value_of
from zermelo.errors import InputError

seeds = st.integers(0, 2**32 - 1).map(random.Random)
taxes = st.builds(lambda top, bits: Fraction(top, 1 << bits), st.integers(0, 12), st.integers(0, 3))


def game(text: str) -> Tree:
    (found,) = trees_of(text)
    return found


def test_figure_2_1_left_prefers_20_to_15() -> None:
    one = game("{20,{100|15}|-7}")
    assert (one.left_stop, one.right_stop) == (20, -7)
    assert after(one, "left", 1) is leaf(20)


def test_figure_2_2_lines_of_play() -> None:
    two = game("{{100|{25|20}}|-15}")
    assert (two.left_stop, two.right_stop) == (25, -15)
    assert [str(after(two, "left", n)) for n in (1, 2, 3)] == ["{100||25|20}", "{25|20}", "25"]
    assert str(after(two, "right", 1)) == "-15"
    with pytest.raises(InputError, match="4 moves in a line of play that has 3"):
        after(two, "left", 4)


def test_section_2_6_a_tax_of_3_changes_the_best_move() -> None:
    eight = game("{12,{20|10}|2}")
    assert [str(option) for option in best_options(eight, "left", 0)] == ["12"]
    assert [str(option) for option in best_options(eight, "left", 3)] == ["{20|10}"]
    assert taxed_value(eight, "left", 3) == 10
    assert [str(position) for position in line(eight, "left", 3)] == ["{12,{20|10}|2}", "{20|10}", "10"]


def test_figure_5_2_optimal_moves_by_tax() -> None:
    """Erratum 3: the temperature is 6.5, so that a tax of 9 leaves no move, and neither does one of 7."""
    game_22 = game("{12,{20|10}|2}")
    moves = {t: [str(best_options(game_22, side, t)[0]) for side in SIDES] for t in (0, 1, 3)}
    assert moves == {0: ["12", "2"], 1: ["12", "2"], 3: ["{20|10}", "2"]}
    for t in (7, 9):
        assert best_options(game_22, "left", t) == best_options(game_22, "right", t) == ()


def test_section_2_6_2_right_answers_only_a_move_worth_the_tax() -> None:
    twelve = game("{{5|-5}|-20}")
    assert [str(position) for position in line(twelve, "left", 5)][1:] == ["{5|-5}", "-5"]
    assert [str(position) for position in line(twelve, "left", 6)][1:] == ["{5|-5}"]


@given(seeds, taxes)
def test_equation_2_3(rng: random.Random, t: Fraction) -> None:
    found = random_tree(rng, 4, 3)
    if found.is_number or t > thermograph(found).temperature:
        assert taxed_value(found, "left", t) == taxed_value(found, "right", t) == thermograph(found).mean
        return
    for option in best_options(found, "left", t):
        assert taxed_value(found, "left", t) == taxed_value(option, "right", t) - t
    for option in best_options(found, "right", t):
        assert taxed_value(found, "right", t) == taxed_value(option, "left", t) + t


@given(seeds)
def test_lines_end_at_the_stops(rng: random.Random) -> None:
    found = random_tree(rng, 4, 3)
    assert line(found, "left")[-1].number == found.left_stop
    assert line(found, "right")[-1].number == found.right_stop


@given(seeds, taxes)
def test_cooling_gives_the_taxed_values_and_a_lower_thermograph(rng: random.Random, t: Fraction) -> None:
    found = random_tree(rng, 3, 2)
    cool = cooled(found, t)
    for s in (Fraction(0), Fraction(1, 2), Fraction(3)):
        assert thermograph(cool).at(s) == thermograph(found).at(s + t)
    assert thermograph(cool).mean == thermograph(found).mean


@given(seeds, taxes)
@settings(max_examples=60, deadline=None)
def test_cooling_is_linear(rng: random.Random, t: Fraction) -> None:
    """What is left of cooled components minus the cooled sum is 0: whoever starts there loses."""
    games = random_sum(rng, 2, 2)
    rest = [cooled(part, t) for part in games] + [negative(cooled(sum_tree(games), t))]
    assert brute_force(rest, True) <= (Fraction(0), LEFT_TO_MOVE)
    assert brute_force(rest, False) >= (Fraction(0), RIGHT_TO_MOVE)


@given(seeds, taxes)
@settings(max_examples=60)
def test_cooling_a_tree_cools_its_value(rng: random.Random, t: Fraction) -> None:
    found = random_tree(rng, 3, 2, 6)
    assert value_of(str(cooled(found, t))) == value_of(str(found)).cooled(t)


def test_cooling_recurses() -> None:
    """Erratum 19 on section 7.2."""
    assert str(cooled(game("{{20|0}|-40}"), 2)) == "{16|0||-38}"
    assert str(cooled(game("{{20|0}|-40}"), 11)) == "{-1|-29}"
    assert str(cooled(game("{{20|0}|-40}"), 26)) == "-15"
    with pytest.raises(InputError, match="no dyadic rational"):
        cooled(game("{5|-5}"), Fraction(1, 3))


@pytest.mark.parametrize(
    ("text", "kind", "left", "right"),
    [
        ("{5|-5}", Kind.GOTE, Move.GOTE, Move.GOTE),
        ("{{100|20}|-10}", Kind.LEFT_SENTE, Move.SENTE, Move.REVERSE_SENTE),
        ("{10|{-20|-100}}", Kind.RIGHT_SENTE, Move.REVERSE_SENTE, Move.SENTE),
        ("{{20|0}|-40}", Kind.GOTE, Move.GOTE, Move.GOTE),
        # Left threatens, Right answers with a threat of his own, Left has to answer that: Left ends in gote.
        ("{{200|{0|-200}}|-10}", Kind.GOTE, Move.GOTE, Move.GOTE),
    ],
)
def test_what_go_players_call_a_game(text: str, kind: Kind, left: Move, right: Move) -> None:
    found = game(text)
    assert game_kind(found) == kind
    assert move_kind(found, "left", found.left[0]) == left
    assert move_kind(found, "right", found.right[0]) == right


def test_threats_on_both_sides_are_double_sente_while_it_is_cool() -> None:
    found = game("{20|5||-5|-20}")
    assert [game_kind(found, t) for t in (0, 7, Fraction(15, 2), 12)] == [Kind.DOUBLE_SENTE] * 2 + [Kind.GOTE] * 2
    assert game_kind(leaf(3)) == Kind.SETTLED


def test_section_2_3_the_forcing_move_is_not_the_one_that_is_best_locally() -> None:
    games = trees_of("{15,{100|12}|-20} + {-10|-40}")
    collect, threaten = games[0].left
    assert thermograph(collect).temperature < thermograph(games[0]).temperature < thermograph(threaten).temperature
    assert brute_force([threaten, games[1]], False)[0] == 2
    assert brute_force([collect, games[1]], False)[0] < 0
    assert move_kind(games[0], "left", threaten, thermograph(games[1]).temperature) == Move.SENTE
    with pytest.raises(InputError, match="no move of Right's"):
        move_kind(games[0], "right", threaten)


@given(seeds, taxes)
@settings(max_examples=120)
def test_a_move_is_sente_if_the_other_side_ends_the_local_sequence(rng: random.Random, t: Fraction) -> None:
    found = random_tree(rng, 4, 2)
    just_above = t + Fraction(1, 1 << 20)  # no two corners of such small trees are nearer to each other
    for side in SIDES:
        for option in options(found, side):
            answers = len(line(option, other(side), just_above)) - 1
            assert (move_kind(found, side, option, t) == Move.SENTE) == (answers % 2 == 1)


def test_numbers_at_two_to_the_200() -> None:
    huge = Fraction(1 << 200)
    found = tree([tree([leaf(5 * huge)], [leaf(huge)])], [leaf(-huge / 2)])
    assert game_kind(found) == Kind.LEFT_SENTE
    assert taxed_value(found, "right", huge) == huge / 2
    assert cooled(found, 2 * huge) is leaf(huge)
