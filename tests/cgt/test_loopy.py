"""Stoppers: who survives, by the definition; the order and the sums of games that end; values of the literature."""

from __future__ import annotations

import random

import pytest

from zermelo.cgt.loopy.graph import Loopy, at_least, graph_of_value, is_stopper, lost, negative, summed
from zermelo.cgt.loopy.stopper import Stopper, of_value, simplest, stopper
from zermelo.cgt.values.value import value_of
from zermelo.errors import InputError


def random_graph(rng: random.Random, size: int) -> Loopy:
    def some() -> tuple[int, ...]:
        return tuple(sorted(rng.sample(range(size), rng.choice((0, 1, 1, 2)) % (size + 1))))

    return Loopy(tuple((some(), some()) for _ in range(size)))


def loses_within(game: Loopy, node: int, side: int, for_side: int, plies: int) -> bool:
    """Whether a side loses within so many plies: the definition, by plain recursion."""
    options = game.nodes[node][side]
    if side == for_side:
        return not options or (plies > 0 and all(loses_within(game, o, 1 - side, for_side, plies - 1) for o in options))
    return plies > 0 and any(loses_within(game, o, 1 - side, for_side, plies - 1) for o in options)


@pytest.mark.parametrize("seed", range(150))
def test_a_side_loses_exactly_where_it_loses_within_as_many_plies_as_there_are_positions(seed: int) -> None:
    rng = random.Random(seed)
    game = random_graph(rng, rng.randint(1, 4))
    for for_side in (0, 1):
        found = lost(game, for_side)
        for node in range(len(game.nodes)):
            for side in (0, 1):
                plain = loses_within(game, node, side, for_side, 2 * len(game.nodes))
                assert plain == ((node, side) in found)


def random_stoppers(seed: int, count: int) -> list[Loopy]:
    rng = random.Random(seed)
    found: list[Loopy] = []
    while len(found) < count:
        game = random_graph(rng, rng.randint(1, 4))
        if is_stopper(game):
            found.append(game)
    return found


@pytest.mark.parametrize("seed", range(15))
def test_the_simplest_form_equals_the_game_and_is_not_larger(seed: int) -> None:
    for game in random_stoppers(seed, 4):
        form = simplest(game).form
        assert at_least(form, game) and at_least(game, form) and len(form.nodes) <= len(game.nodes)


@pytest.mark.parametrize("seed", range(6))
def test_equal_stoppers_have_simplest_forms_of_one_shape(seed: int) -> None:
    simple = [simplest(game) for game in random_stoppers(seed, 12)]
    for g in simple:
        for h in simple:
            if g == h:
                assert len(g.form.nodes) == len(h.form.nodes) and hash(g) == hash(h) and str(g) == str(h)


@pytest.mark.parametrize("seed", range(15))
def test_stoppers_are_ordered_and_adding_keeps_the_order(seed: int) -> None:
    games = random_stoppers(seed, 5)
    more = [[at_least(g, h) for h in games] for g in games]
    for i in range(5):
        assert more[i][i]
        for j in range(5):
            for k in range(5):
                assert not (more[i][j] and more[j][k]) or more[i][k]
            if more[i][j]:
                sums = [summed(each, games[0]) for each in (games[i], games[j])]
                if all(map(is_stopper, sums)):
                    assert at_least(*sums)


@pytest.mark.parametrize("text", ["0", "1/2", "*2", "^^*", "{3|-1}", "{1|*}", "+_2", "{2||1|-5}", "v*"])
def test_games_that_end_are_what_they_are_elsewhere(text: str) -> None:
    value = value_of(text)
    game = stopper(text)
    assert game.value == value and str(game) == str(value)
    for other in ("0", "*", "^", "1/4", "{1|-1}"):
        assert (game <= of_value(value_of(other))) == (value <= value_of(other))
        assert (game + of_value(value_of(other))).value == value + value_of(other)


KNOWN = [
    # Berlekamp, Conway and Guy, Winning Ways, chapter 11; Conway, On Numbers and Games, chapter 14; Siegel, chapter VI.
    ("over + over", "over"),
    ("over + *", "over"),
    ("over + ^", "over"),
    ("on + 5", "on"),
    ("on + on", "on"),
    ("{over|}", "1"),
    ("{0|over}", "over"),
    ("upon + *", "a{a,0|0}"),
]


@pytest.mark.parametrize(("said", "known"), KNOWN)
def test_a_sum_of_the_literature(said: str, known: str) -> None:
    total: Stopper | None = None
    for term in said.split(" + "):
        total = stopper(term) if total is None else total + stopper(term)
    assert total == stopper(known)


def test_over_lies_between_every_infinitesimal_and_every_positive_number() -> None:
    over = stopper("over")
    assert all(over > stopper(text) for text in ("0", "^", "^^*", "+_1", "upon"))
    assert all(over < stopper(text) for text in ("1/1024", "1", "on"))


def test_on_is_above_everything_and_off_is_its_negative() -> None:
    on, off = stopper("on"), stopper("off")
    assert -on == off and on > stopper("1000") and off < stopper("-1000")
    with pytest.raises(InputError, match="no stopper"):
        _ = on + off


def test_a_game_is_equal_to_the_negative_of_its_negative() -> None:
    for game in random_stoppers(3, 10):
        assert negative(negative(game)) == game


@pytest.mark.parametrize("text", ["", "{", "{0|b}", "a{0|a", "a{0|a}}", "over over", "{0,|}", "dud", "{" * 200 + "a"])
def test_a_wrong_text_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(InputError) as refused:
        stopper(text)
    assert "\n" not in str(refused.value)


def test_what_is_printed_is_read_back() -> None:
    for seed in range(8):
        for game in random_stoppers(seed, 3):
            form = simplest(game)
            assert stopper(str(form)) == form


def test_a_value_as_a_graph_has_its_options() -> None:
    assert graph_of_value(value_of("1")).nodes == (((1,), ()), ((), ()))
