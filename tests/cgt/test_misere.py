"""Misere play: canonical forms and genus by plain play, quotients by brute force, values of the literature."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.cgt.boards.octal import OctalCode
from zermelo.cgt.calculator import Calculator
from zermelo.cgt.misere.form import MisereGame, game_of, heap, misere_game, of_parts
from zermelo.cgt.misere.quotient import misere_quotient
from zermelo.errors import InputError, LimitReachedError

Plain = frozenset["Plain"]  # a game as the set of its options, not simplified


def plain_games() -> st.SearchStrategy[Plain]:
    return st.recursive(st.just(frozenset()), lambda games: st.frozensets(games, max_size=3), max_leaves=8)


@cache
def lost(game: Plain) -> bool:
    """Whether the player to move loses; who cannot move wins."""
    return bool(game) and not any(lost(option) for option in game)


@cache
def added(g: Plain, h: Plain) -> Plain:
    return frozenset({added(o, h) for o in g} | {added(g, o) for o in h})


def simplified(game: Plain) -> MisereGame:
    return game_of(map(simplified, game))


def plain(game: MisereGame) -> Plain:
    return frozenset(map(plain, game.options))


@cache
def plain_heap(size: int) -> Plain:
    return frozenset(map(plain_heap, range(size)))


COMPANY = [frozenset(), *map(plain_heap, (1, 2, 3)), added(plain_heap(2), plain_heap(2)), frozenset([plain_heap(2)])]


@given(plain_games())
def test_a_canonical_form_has_the_outcome_of_the_game_in_any_company(game: Plain) -> None:
    form = plain(simplified(game))
    assert all(lost(added(game, other)) == lost(added(form, other)) for other in COMPANY)
    assert simplified(game).is_previous == lost(game)


@settings(max_examples=50)
@given(plain_games(), plain_games())
def test_sums_of_forms_are_forms_of_sums(g: Plain, h: Plain) -> None:
    assert simplified(g) + simplified(h) is simplified(added(g, h))


@cache
def misere_value(game: Plain) -> int:
    """The least number that no option has; 1 for the game without options."""
    values = set(map(misere_value, game))
    return next(n for n in range(len(values) + 1) if n not in values) if game else 1


@settings(max_examples=50)
@given(plain_games())
def test_a_genus_has_the_values_with_heaps_of_two(game: Plain) -> None:
    genus = simplified(game).genus
    row = list(genus.misere)
    while len(row) < 5:
        row.append(row[-2])
    for count in range(4):
        assert row[count] == misere_value(game)
        game = added(game, plain_heap(2))


def test_there_are_22_misere_games_born_by_day_four() -> None:
    games = [heap(0)]
    counts = []
    for _ in range(4):
        games = list({game_of(some) for size in range(len(games) + 1) for some in combinations(games, size)})
        counts.append(len(games))
    assert counts == [2, 3, 5, 22]  # Conway, On Numbers and Games, chapter 12


GENUS = [
    # On Numbers and Games, chapter 12; and the tests of CGSuite, which leaves out what follows from tameness.
    ("0", "0^120"),
    ("*", "1^031"),
    ("*2", "2^20"),
    ("*3", "3^31"),
    ("*2 + *2", "0^02"),
    ("*2 + *3", "1^13"),
    ("*[[2]]", "0^02"),
    ("*[[[2]]]", "1^13"),
    ("*[[2],0]", "1^20"),
    ("*[[2],1]", "2^1420"),
    ("*[[[2]],[[2],1]]", "0^02"),
    ("*[[*[4]+*[2]]]", "0^02"),
    ("*[*[[2],1]+*[1],[[2],*[[2]]+*[1],[[2],0]]]", "0^120"),
    ("*[[[2],2,0],[[2],3],1]", "0^20"),
]


@pytest.mark.parametrize(("text", "genus"), GENUS)
def test_a_genus_of_the_literature(text: str, genus: str) -> None:
    assert str(misere_game(text).genus) == genus


@given(plain_games())
def test_what_is_printed_is_read_back(game: Plain) -> None:
    form = simplified(game)
    assert misere_game(str(form)) is form


def heaps_lost(code: OctalCode, heaps: Sequence[int]) -> bool:
    return _heaps_lost(code, tuple(sorted(heap for heap in heaps if heap)))


@cache
def _heaps_lost(code: OctalCode, heaps: tuple[int, ...]) -> bool:
    moved = [
        heaps_lost(code, heaps[:place] + left + heaps[place + 1 :])
        for place, size in enumerate(heaps)
        for left in code.options(size)
    ]
    return bool(moved) and not any(moved)


@pytest.mark.parametrize(("code", "largest"), [("0.3", 6), ("0.333", 6), ("0.75", 8), ("0.123", 9), ("0.77", 9)])
def test_a_quotient_has_the_outcomes_of_brute_force(code: str, largest: int) -> None:
    rules, quotient = OctalCode.parse(code), misere_quotient(code, largest)
    for count in range(4):
        for heaps in combinations_with_replacement(range(1, largest + 1), count):
            assert (quotient.outcome(heaps) == "P") == heaps_lost(rules, heaps)


@pytest.mark.parametrize("code", ["0.71", "0.123", "0.34", "0.13"])
def test_a_period_of_a_quotient_holds_beyond_what_proved_it(code: str) -> None:
    quotient = misere_quotient(code)
    assert quotient.period is not None
    rules, last = OctalCode.parse(code), quotient.period.checked
    for heaps in ((last,), (last + 1, 3), (last + 5, 2, 1)):
        assert (quotient.outcome(heaps) == "P") == heaps_lost(rules, heaps)


@pytest.mark.parametrize(
    ("code", "order", "previous", "period"),
    [
        # Plambeck 2005; Plambeck and Siegel 2008; a game of nim heaps up to 2^n - 1 has a quotient of order 2^n + 2.
        ("0.3", 2, 1, (0, 2)),
        ("0.333", 6, 2, (0, 4)),
        ("0.3333333", 10, 2, (0, 8)),
        ("0.75", 8, 2, (8, 2)),
        ("0.123", 20, 5, (5, 5)),
    ],
)
def test_a_quotient_of_the_literature(code: str, order: int, previous: int, period: tuple[int, int]) -> None:
    found = misere_quotient(code)
    assert found.period is not None
    assert (found.order, len(found.previous)) == (order, previous)
    assert (found.period.preperiod, found.period.length) == period


KAYLES = """aa=1 bbb=b bcc=b ccc=c bd=bc cd=bb ddd=d be=bc ce=bb ee=de bf=ab cf=abbc ddf=f ff=bb bbg=g ccg=g dg=cg eg=cg
fg=ag gg=bb"""


def test_misere_kayles_has_the_forty_classes_of_plambeck_and_siegel() -> None:
    kayles = misere_quotient("0.77", 30)
    assert kayles.order == 40 and kayles.generators == (1, 2, 5, 9, 12, 25, 27)
    assert set(kayles.previous) == {"a", "b^2", "ac", "ac^2", "d", "ad^2", "e", "ade", "adf"}

    def element(word: str) -> int:
        return kayles.element(kayles.generators["abcdefg".index(letter)] for letter in word if letter != "1")

    for relation in KAYLES.split():
        one, other = relation.split("=")
        assert element(one) == element(other), relation


def test_octal_heaps_have_the_outcomes_of_their_forms() -> None:
    code = OctalCode.parse("0.77")
    for size in range(8):
        assert of_parts(size, code.options).is_previous == heaps_lost(code, [size])


def test_the_calculator_answers_about_misere_play() -> None:
    said = Calculator().said
    assert said("misere *2+*2") == "*[3,2], genus 0^02; the previous player wins"
    assert said("genus kayles:5") == str(of_parts(5, OctalCode.parse("0.77").options).genus)
    assert said("quotient 0.3").startswith("order 2, P = {a}\n")


WRONG = """genus {1|-1}; misere *[1; misere *[,]; genus domineering:..|..; genus *2 +; quotient 0.9; quotient 4.7;
quotient 0.77 x; misere 5000**2; genus *5000"""


@pytest.mark.parametrize("line", [line.strip() for line in WRONG.split(";")])
def test_a_wrong_line_is_refused_in_one_line(line: str) -> None:
    with pytest.raises(InputError) as refused:
        Calculator().said(line)
    assert "\n" not in str(refused.value)


def test_heaps_beyond_a_quotient_are_refused() -> None:
    with pytest.raises(LimitReachedError, match="known up to 4"):
        misere_quotient("0.77", 4).outcome([5])
