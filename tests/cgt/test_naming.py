"""Names of options and keys of positions where trees take too many letters to write out."""

from __future__ import annotations

import random

import pytest

import zermelo
from tests.cgt.randomgames import random_text
from zermelo.cgt.scores.naming import LONGEST_KEY, option_names, ranked, shown, text_length, tree_key
from zermelo.cgt.scores.scored import Tree, key_text, nimber, positions, tree, trees_of, written
from zermelo.errors import LimitReachedError
from zermelo.solving.targets import game_of


def random_trees(seed: str, count: int) -> list[Tree]:
    rng = random.Random(seed)
    return [game for _ in range(count) for game in trees_of(f"{random_text(rng)} + {random_text(rng, 2)}")]


def test_the_length_of_a_text_is_known_before_it_is_written() -> None:
    for game in [*random_trees("lengths", 200), *map(nimber, range(8))]:
        assert text_length(game) == len(key_text(game)) == len(written(game))


def test_options_come_before_what_they_are_options_of_and_each_place_is_taken_once() -> None:
    for game in random_trees("places", 100):
        places = ranked([game])
        assert sorted(places.values()) == list(range(len(positions(game))))
        assert all(places[option] < places[each] for each in places for option in each.left + each.right)


def test_names_and_places_do_not_depend_on_the_order_in_which_options_were_read() -> None:
    heaps = [nimber(size) for size in range(12)]
    for seed in range(20):
        shuffled = random.Random(seed).sample(heaps, len(heaps))
        names = dict(zip(shuffled, option_names(0, shuffled), strict=True))
        assert [names[heap] for heap in heaps] == option_names(0, heaps)
        assert len(set(names.values())) == len(heaps)
        assert ranked(shuffled) == ranked(heaps)


def test_a_long_key_tells_trees_apart_as_a_text_does() -> None:
    heaps = [nimber(size) for size in range(9, 40)]
    large = [tree([heap, nimber(3)], [other]) for heap in heaps[2:6] for other in heaps[2:6]]
    keys = {tree_key(game) for game in heaps + large}
    assert len(keys) == len({*heaps, *large})
    assert all(len(key) < 2 * LONGEST_KEY for key in keys)


@pytest.mark.parametrize("text", ["*40", "*31 + *17 + {3|1}", "{*20,*19|-*18} + {5|*15,{*21|3},*16}"])
def test_sums_of_large_nim_heaps_are_solved_checked_analysed_and_drawn(text: str) -> None:
    solution = zermelo.solve(text, limits=zermelo.Limits(seconds=30))
    assert solution.verified
    rows = zermelo.analyse(text, limits=zermelo.Limits(seconds=30)).moves
    assert any(row.proved for row in rows)
    game = game_of(text)
    assert game.text(game.start()) and game.thermographs(game.start(), zermelo.Limits())
    assert zermelo.solve(text, after=rows[-1].name, limits=zermelo.Limits(seconds=30)).verified


def test_a_tree_that_is_too_long_to_write_is_shown_in_words_and_not_written_as_a_position() -> None:
    assert str(nimber(40)) == shown(nimber(40)) == "a tree of 41 positions"
    with pytest.raises(LimitReachedError, match="letters"):
        nimber(40).position_text()
