"""Claims by the rule ``forced``: what they say, the three theorems to their last unit, and selections one by one."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from zermelo.certificate import Claim
from zermelo.cgt.forced import forced_answer
from zermelo.cgt.game import WrittenSum
from zermelo.cgt.scores.scored import trees_of
from zermelo.check import forced, selections
from zermelo.check.forced import Leaves, best_places, check_forced_claim
from zermelo.check.instance import keep_reading
from zermelo.check.read.sgf import record
from zermelo.check.selections import End, Selection, selection_among
from zermelo.check.verdict import Fault, Undecided, Verdict
from zermelo.continued import Continued
from zermelo.games import make_game
from zermelo.limits import Limits
from zermelo.source import Source

TWO = "{7|-7} + {2|-3}"
ONE_PAIR = "{3|-3||-301} + {0|-301} + {80|-80}"
CHOICE = "{29|-3,{3|-7}} + {1|-1}"


def checked(text: str, value: Any = "8", strategy: Any = None, **more: Any) -> Verdict:
    claim = Claim("left", -(10**9), rule="forced", data={"starts": "left", "value": value, "strategy": strategy})
    return check_forced_claim(WrittenSum(text), replace(claim, **more), Limits())


# What a claim says


def data(**more: Any) -> dict[str, Any]:
    return {"starts": "left", "value": "8", "strategy": None} | more


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({"data": {"starts": "left", "value": "8"}}, "is not starts, strategy, value"),
        ({"data": data(more=1)}, "is not starts, strategy, value"),
        ({"data": data(starts="black")}, "neither"),
        ({"data": data(value=8)}, "not an exact number"),
        ({"data": data(value="1/2")}, "not a whole number"),
        ({"data": data(strategy=[])}, "goes on where play has ended"),
        ({"data": data(value="9")}, "1 short of the value"),
        ({"data": data(value="11")}, "3 short of the value"),
        ({"role": "nobody"}, "not a role"),
        ({"role": "Left"}, "not a role"),
        ({"starts": "right"}, "speaks of play that right starts"),
        ({"at_least": 5}, "the strategy promises 4, the claim is at least 5"),
        ({"role": "right", "at_least": -3}, "the strategy promises -4, the claim is at least -3"),
        ({"role": "right", "data": data(value="7")}, "1 short of the value"),
        ({"data": data(starts="right")}, "18 short of the value"),
    ],
)
def test_claims_that_say_something_else_are_refused(said: dict[str, Any], reason: str) -> None:
    verdict = checked(TWO, **said)
    assert verdict.status == "refuted" and reason in verdict.reason


@pytest.mark.parametrize(
    "said",
    [
        {"at_least": 4},
        {"starts": "left"},
        {"role": "right", "at_least": -4},
        {"data": data(value="7"), "at_least": 3},
        {"data": data(starts="right", value="-10"), "at_least": -5},
        {"role": "right", "data": data(starts="right", value="-9"), "at_least": 4},
    ],
)
def test_claims_that_say_no_more_than_what_is_true_are_accepted(said: dict[str, Any]) -> None:
    verdict = checked(TWO, **said)
    assert verdict.accepted and verdict.positions == 3
    assert verdict.how == f"forced moves, {said.get('data', data())['starts'].title()} starts"


def test_a_sum_after_some_moves_is_another_one_for_forced_moves_too() -> None:
    game = WrittenSum(TWO)
    later = Continued(game, [game.moves(game.start())[0]])
    claim = Claim("left", -9, rule="forced", data=data())
    assert "not after some moves" in check_forced_claim(later, claim, Limits()).reason


def test_forced_moves_are_for_sums_of_trees() -> None:
    claim = Claim("left", -9, rule="forced", data=data())
    assert "for sums in brackets, not Nim" in check_forced_claim(make_game("nim:3"), claim, Limits()).reason
    empty = record("(;SZ[9])").game()
    keep_reading(empty, record("(;SZ[9])"), Source("sgf", "(;SZ[9])", "an empty board"))
    verdict = check_forced_claim(empty, claim, Limits())
    assert verdict.status == "refuted" and "empty points is not played out" in verdict.reason
    assert "no theorem says where to move among 2 games" in checked("{9|1||-3} + {8|2||-3}").reason


def test_where_all_scores_are_0_only_the_last_move_counts() -> None:
    assert checked("{0|0}", "1", at_least=0).accepted
    assert not checked("{0|0}", "2").accepted
    assert checked("{0|0}", data=data(starts="right", value="-1")).accepted


def test_scores_are_counted_in_the_largest_unit() -> None:
    half = Fraction(1, 2)
    for text, value, at_least in (
        ("{3/2|-3/2} + {1|-1}", "2", half),
        ("{6|-6} + {3|-3}", "2", 3),
        ("1/4 + 1/2", "6", 3 * half / 2),
    ):
        assert checked(text, value, at_least=at_least).status == "accepted", text
        assert checked(text, value, at_least=at_least + half / 2).status == "refuted"
        assert checked(text, str(int(value) + 1)).status == "refuted"


def test_trees_that_are_too_large_to_be_written_out_are_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    deep = "0"
    for size in range(1, 9):
        deep = f"{{{3**size}|{deep}}}"
    assert "too many moves" not in checked(deep, "0").reason
    assert "too many moves" in checked(f"{{{3**9}|{deep}}}", "0").reason
    assert "too many moves" in checked(f"-{{{3**9}|{deep}}}", "-99999").reason
    assert "too many moves" not in checked(f"-{deep}", "-99999").reason
    monkeypatch.setattr(forced, "MOST_LEAVES", 3)
    assert checked("{5,{4|3}|-5}").status == "limit"
    assert checked("{{4|3}|-5}", "-99").status != "limit"


# The strategy


@pytest.mark.parametrize(
    ("strategy", "reason"),
    [
        (None, "names no move where its owner has to choose"),
        ([{"move": 0, "then": None}], "names no move"),
        ({"move": 0}, "names no move"),
        ({"move": 0, "then": None, "more": 1}, "names no move"),
        ({"move": -1, "then": None}, "the place of no move"),
        ({"move": 2, "then": None}, "the place of no move"),
        ({"move": True, "then": None}, "the place of no move"),
        ({"move": "0", "then": None}, "the place of no move"),
        ({"move": 0, "then": []}, "goes on where play has ended"),
        ({"move": 0, "then": None}, "short of the value"),
        ({"move": 1, "then": None}, ""),
    ],
)
def test_the_owner_makes_the_move_that_is_named(strategy: Any, reason: str) -> None:
    verdict = checked(CHOICE, role="right", data=data(starts="right", value="-4", strategy=strategy))
    assert verdict.accepted if reason == "" else reason in verdict.reason, verdict


@pytest.mark.parametrize(
    ("strategy", "reason"),
    [
        (None, "does not answer each of 2 moves"),
        ([None], "does not answer each of 2 moves"),
        ([None, None, None], "does not answer each of 2 moves"),
        ([None, []], "goes on where play has ended"),
        ([[], None], "goes on where play has ended"),
        ([None, None], ""),
    ],
)
def test_all_moves_of_the_other_side_are_answered(strategy: Any, reason: str) -> None:
    verdict = checked(CHOICE, strategy=strategy, data=data(starts="right", value="-4", strategy=strategy))
    assert verdict.accepted if reason == "" else reason in verdict.reason, verdict


def test_more_choices_in_a_row_than_can_be_followed_are_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    said = data(starts="right", value="-4", strategy=[None, None])
    monkeypatch.setattr(forced, "MOST_CHOICES", 1)
    assert checked(CHOICE, data=said).accepted
    monkeypatch.setattr(forced, "MOST_CHOICES", 0)
    assert "choices come one after the other" in checked(CHOICE, data=said).reason


# The theorems


def switch(half: int) -> Leaves:
    return (half,), (-half,)


THREAT = (10,), (((0,), (-9,)),)  # its swing is 10, its spread 19
REST = (switch(0), 5), (-5,)


@pytest.mark.parametrize(
    ("games", "places"),
    [
        ([switch(3)], [0]),
        ([((9,), (((8,), (-8,)),))], [0]),
        ([((((5,), (-20,)),), (0,))], [0]),  # alone, though moving there is no gain
        ([((10, 3), (0,)), ((((5,), (4,)),), (-5,))], [0]),
        ([((3,), (-7, 1)), ((((5,), (4,)),), (-5,))], [0]),
        ([THREAT, ((((5,), (4,)),), (-5,))], [0]),  # a spread of 10
        ([((((5,), (4,)),), (-5,)), THREAT], [1]),
        ([THREAT, ((((6,), (4,)),), (-5,))], [0, 1]),  # 11: the third theorem alone
        ([switch(4), switch(5), ((((5,), (4,)),), (-5,))], [1]),  # the widest switch
        ([switch(4), switch(5), ((((6,), (4,)),), (-5,))], [1, 2]),
        ([((switch(2),), (-20,)), ((0,), (-20,)), switch(8)], [1, 0]),
        ([((switch(2),), (-20,)), ((0,), (-20,)), switch(9)], []),
        ([((switch(2), 1), (-20, -19)), ((0, -1), (-20, -19)), switch(6)], []),
        ([((switch(2), 1), (-20, -19)), ((0,), (-20,)), switch(6)], [1, 0]),
        ([((switch(2), 1), (-20,)), ((0, -1), (-20, -19)), switch(6)], [0, 1]),
    ],
)
def test_a_theorem_says_where_to_move_up_to_its_last_unit(games: list[Leaves], places: list[int]) -> None:
    assert sorted(best_places(games)) == sorted(places)


def test_a_spread_is_that_of_all_leaves() -> None:
    assert forced.spread(((((5,), (-20,)),), (0,))) == 25 and forced.spread(((0,), (((30,), (-1,)),))) == 31
    assert forced.spread(7) == 0


def test_games_with_the_same_least_and_greatest_leaf_have_an_order_as_well() -> None:
    one, other = ((9, 1), (-9,)), ((9, 2), (-9,))
    assert forced.by_leaves(one) < forced.by_leaves(other)


def test_a_switch_is_between_two_numbers() -> None:
    assert forced.is_switch(switch(3)) and not forced.is_switch(5)
    assert not forced.is_switch(((3, 2), (-3,))) and not forced.is_switch(((switch(1),), (-3,)))


def least_of(game: Leaves, sign: int) -> int:
    return sign * game if isinstance(game, int) else min(least_of(option, sign) for side in game for option in side)


def worth(games: tuple[Leaves, ...], left_moves: bool, memory: dict[Any, int]) -> int:
    """Who moves as well as can be."""
    key = games, left_moves
    if key not in memory:
        found = [
            worth((*games[:at], option, *games[at + 1 :]), not left_moves, memory)
            for at, game in enumerate(games)
            if not isinstance(game, int)
            for option in game[0 if left_moves else 1]
        ]
        memory[key] = (max if left_moves else min)(found) if found else sum(game for game in games)
    return memory[key]


def random_leaves(rng: random.Random, height: int) -> Leaves:
    if height == 0 or rng.random() < 0.3:
        return rng.randint(-6, 6)
    while True:
        left, right = ([random_leaves(rng, height - 1) for _ in range(rng.randint(1, 2))] for _ in "lr")
        found = tuple(sorted(set(left), key=forced.by_leaves)), tuple(sorted(set(right), key=forced.by_leaves))
        if min(map(least_leaf, found[0])) > max(map(greatest_leaf, found[1])):
            return found


def least_leaf(game: Leaves) -> int:
    return least_of(game, 1)


def greatest_leaf(game: Leaves) -> int:
    return -least_of(game, -1)


def test_where_a_theorem_says_to_move_both_sides_have_a_best_move() -> None:
    rng = random.Random("places")
    told = 0
    for _ in range(120):
        games = tuple(game for game in (random_leaves(rng, 2) for _ in range(3)) if not isinstance(game, int))
        places = best_places(games) if games else []
        for side, left_moves in enumerate((True, False)):
            memory: dict[Any, int] = {}
            here = [
                worth((*games[:at], option, *games[at + 1 :]), not left_moves, memory)
                for at in places
                for option in games[at][side]
            ]
            assert not here or worth(games, left_moves, memory) in here, games
            told += bool(here)
    assert told > 100


# Selections

ENDS = [
    End(1, (0, 0)),
    End(-1, (3, -2)),
    End(of_left=True, ways=(End(1, (-4, 1)), End(-1, (5, 5)))),
    End(of_left=False, ways=(End(1, (-4, 1)), End(-1, (5, 5)))),
    End(of_left=False, ways=(End(of_left=True, ways=(End(1, (0, 2)), End(-1, (9, 8)))), End(1, (-3, -3)))),
    End(of_left=True, ways=(End(of_left=False, ways=(End(1, (0, 2)), End(-1, (9, 8)))), End(-1, (3, 2)))),
    # Spans that lie within each other.
    *(
        End(of_left=True, ways=tuple(End(ways=(End(1, (-a, -a)), End(-1, (b, b)))) for a, b in spans))
        for spans in (((9, 14), (11, 12)), ((0, 3), (4, 20), (8, 9)), ((2, 30), (5, 6), (9, 10)))
    ),
]


@pytest.mark.parametrize("end", ENDS)
def test_a_total_is_reached_exactly_where_some_selection_comes_to_it(end: End) -> None:
    rng = random.Random(repr(end))
    for _ in range(40):
        fixed = tuple(sorted((rng.randint(0, 12) for _ in range(rng.randint(0, 3))), reverse=True))
        offered = tuple(sorted((rng.randint(0, 12) for _ in range(rng.randint(1, 5))), reverse=True))
        found = Selection(fixed, offered, end, lambda: None)
        totals = {found.total("".join(digits)) for digits in product("01", repeat=len(offered))}
        best = max(totals)
        for total in (min(totals) - 1, best - 3, best - 1, best):
            reached = found.reaches(total)
            assert reached in totals and reached >= total
        assert found.reaches(best + 1) is None


def test_what_a_selection_comes_to_is_its_alternating_sum() -> None:
    found = Selection((7, 2), (9, 5, 1), End(1, (100, 200)), lambda: None)
    assert found.total("000") == 105 and found.total("100") == 200 + 9 - 7 + 2
    assert found.total("011") == 100 + 7 - 5 + 2 - 1 and found.total("111") == 200 + 9 - 7 + 5 - 2 + 1
    for wrong in (None, 0, "", "00", "0000", "002", ["0", "0", "0"]):
        with pytest.raises(Fault, match="3 digits 0 or 1"):
            found.total(wrong)


def test_too_many_selections_are_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Selection((), tuple(3**n for n in range(12, 0, -1)), End(1, (0, 0)), lambda: None)
    monkeypatch.setattr(selections, "MOST_SUMS", 3)
    with pytest.raises(Undecided, match="too many selections"):
        found.reaches(3**12 - 3**11 + 3**9 - 3)


def test_ranges_that_are_joined_change_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    end = End(of_left=True, ways=tuple(End(sign, (c, -c)) for sign in (1, -1) for c in (-40, -7, 0, 31)))
    found = Selection((25, 11), (40, 21, 13, 6, 2), end, lambda: None)
    best = max(found.total("".join(digits)) for digits in product("01", repeat=5))
    for most in (1, 2, 64):
        monkeypatch.setattr(selections, "MOST_RANGES", most)
        assert found.reaches(best) == best and found.reaches(best + 1) is None


PAIR = [((switch(6),), (-602,)), ((0,), (-602,))]


def test_a_pair_offers_a_switch_where_both_ways_come_to_the_same_total() -> None:
    others = [switch(8), switch(3), switch(4)]
    found = selection_among([*PAIR, *others], 3, lambda: None)
    assert found is not None
    assert (found.fixed, found.open) == ((4, 3), (6,))
    totals = [found.total(digit) for digit in "01"]
    memory: dict[Any, int] = {}
    assert max(totals) == worth((*PAIR, *others, 3), True, memory)


@pytest.mark.parametrize(
    "games",
    [
        [switch(5), switch(3)],
        [((switch(6),), (-602,)), ((1,), (-602,)), switch(160)],  # one unit more for the switch
        [((switch(6),), (-602,)), ((0,), (-601,)), switch(160)],
        [((switch(6), 1), (-602,)), ((0,), (-602,)), switch(160)],
        [((((6,), (switch(1),)),), (-602,)), ((0,), (-602,)), switch(160)],
        [((switch(6),), (-602,)), ((switch(5),), (-602,)), switch(160)],
        [((switch(6),), (-602,)), ((0,), (((-601,), (-603,)),)), switch(160)],
        # What is left after the pair is not forced, ...
        [*PAIR, ((switch(6),), (-10,))],
        [*PAIR, ((((9,), (1,)),), (-4,)), ((((8,), (2,)),), (-5,))],
        # ... or leaves other switches where somebody chooses otherwise.
        [*PAIR, ((switch(4), switch(3)), (-300,))],
        [*PAIR, ((switch(4), ((((9,), (1,)),), (-4,))), (-300,))],
        [*PAIR, ((((9,), (1,)),), (-4,))],  # a spread of 13, the switches have 12
    ],
)
def test_what_is_no_such_pair_is_no_selection(games: list[Leaves]) -> None:
    assert selection_among(games, 0, lambda: None) is None


LAST = (((5, 4), (1,)),), (-2,)


def test_what_comes_after_the_switches_is_no_wider_and_not_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(*games: Leaves) -> bool:
        return selection_among([*PAIR, *games], 0, lambda: None) is not None

    assert found(((((9,), (1,)),), (-3,)))  # a spread of 12
    assert found(switch(3), ((((3,), (1,)),), (-3,))) and not found(switch(2), ((((3,), (1,)),), (-3,)))
    two, three = ((((2,), (1,)),), (-2,)), ((((((2,), (1,)),), (0,)), 1), (-2,))
    for most, expected in ((5, True), (4, False)):
        monkeypatch.setattr(selections, "LONGEST_LAST", most)
        assert found(two, three) is expected


def offered(rng: random.Random) -> list[Leaves]:
    """A pair, and what may come after it."""
    size, shift = rng.choice((200, 300)), rng.randint(-2, 2)
    half, low = rng.randint(3, 7), -size - rng.randint(0, 4)
    games: list[Leaves] = [((((half + shift,), (shift - half,)),), (low,)), ((shift,), (low,))]
    for _ in range(rng.randint(0, 2)):
        width, middle = rng.randint(1, 8), rng.randint(-3, 3)
        games.append(((middle + width,), (middle - width,)))
    if rng.random() < 0.4:
        games.append(rng.choice([LAST, ((2, 1), (((0,), (-2,)), -1)), ((((1,), (0,)), 1), (-1, -2))]))
    if rng.random() < 0.4:
        small = [random_leaves(rng, rng.randint(0, 1)) for _ in range(rng.randint(1, 2))]
        games.append((tuple(sorted(set(small), key=forced.by_leaves)), (-90,)))
    if rng.random() < 0.3:
        games.append(((90,), tuple(sorted({switch(2), rng.choice([switch(2), -1])}, key=forced.by_leaves))))
    return games


def test_the_best_selection_comes_to_what_playing_everything_out_gives() -> None:
    rng = random.Random("selections")
    found = 0
    while found < 60:
        games = offered(rng)
        selection = selection_among(games, 0, lambda: None)
        if selection is not None:
            totals = [selection.total("".join(digits)) for digits in product("01", repeat=len(selection.open))]
            assert max(totals) == worth(tuple(games), True, {}), games
            found += 1


@pytest.mark.parametrize("strategy", [None, [], {}, {"select": "0", "more": 1}, {"move": 0, "then": None}, "0"])
def test_the_owner_says_what_he_selects(strategy: Any) -> None:
    said = data(value="-441", strategy=strategy)
    assert "selects nothing where its owner may" in checked(ONE_PAIR, data=said).reason
    assert checked(ONE_PAIR, data=data(value="-441", strategy={"select": "0"})).accepted


@pytest.mark.parametrize("strategy", [[], {}, {"select": "0"}, [None, None]])
def test_nothing_is_answered_where_the_other_side_selects(strategy: Any) -> None:
    verdict = checked(ONE_PAIR, role="right", data=data(value="-441", strategy=strategy))
    assert verdict.reason == "the strategy goes on where the other side selects"
    assert checked(ONE_PAIR, role="right", data=data(value="-441")).accepted
    better = checked(ONE_PAIR, role="right", data=data(value="-442"))
    assert better.reason == "the other side can select switches with which play ends at -441"


# Against brute force

SUMS = [
    TWO,
    ONE_PAIR,
    CHOICE,
    "{3|-3||-301} + {0|-301} + {5|-5||-2001} + {0|-2001} + {80|-80} + {29|-3,{3|-7}} + ^",
    "{301||3|-3} + {301|0} + {80|-80}",
    "{301||3|-3} + {301|0} + {2001||5|-5} + {2001|0} + {80|-80} + {{7|-3},3|-29} + v",
    "{3|-3||-301} + {0|-301} + {60|40||-60} + {1|-1}",
    "{3|-3||-301} + {0|-301} + {90|-20,{-10|-99}} + *",
    "{4|2||-301} + {0|-298} + {7|-7} + {2|-2}",
    "{3|1||-9} + 5",
    "4 - 7",
]


def taken_apart(text: str) -> tuple[Leaves, ...]:
    """The games by their leaves, twice the score, with a bonus of 1 for every move."""

    def leaves(tree: Any, bonus: int) -> Leaves:
        if tree.is_number:
            return int(2 * tree.number) + bonus
        return tuple(tuple(leaves(o, bonus + by) for o in side) for side, by in ((tree.left, 1), (tree.right, -1)))

    return tuple(leaves(tree, 0) for tree in trees_of(text))


@pytest.mark.parametrize("text", SUMS)
def test_exactly_the_value_is_accepted(text: str) -> None:
    """Which is that of brute force, in units that are whole numbers in all of these sums."""
    game, memory = WrittenSum(text), dict[Any, int]()
    for claim in forced_answer(trees_of(text), certify=True).claims:
        value = worth(taken_apart(text), claim.data["starts"] == "left", memory)
        assert check_forced_claim(game, claim, Limits()).accepted
        assert int(claim.data["value"]) == value
        for strategy in (claim.data["strategy"], None, [], [None, None], {"select": "0"}, {"select": "1"}):
            further = {**claim.data, "value": str(value + (1 if claim.role == "left" else -1)), "strategy": strategy}
            forged = replace(claim, data=further, at_least=-(10**9))
            assert check_forced_claim(game, forged, Limits()).status == "refuted"
