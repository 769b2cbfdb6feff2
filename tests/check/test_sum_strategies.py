"""Strategies for sums, written by hand: what is accepted is true, and every way to cheat is refused."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from zermelo.certificate import Claim
from zermelo.cgt.game import WrittenSum
from zermelo.check import sums
from zermelo.check.sums import check_sum_claim
from zermelo.check.superfluous import Comparison
from zermelo.check.trees import Trees
from zermelo.check.verdict import Fault, Verdict
from zermelo.continued import Continued
from zermelo.limits import Limits

SWITCH = {"positions": ["5", "-5", [[0], [1]]], "moves": [[[2], 2, 0]]}


def checked(text: str, role: str, at_least: Any, starts: str, value: int | str, **more: Any) -> Verdict:
    data = {"starts": starts, "value": str(value), "replies": [], "over": [], "moves": [], "bounds": []} | more
    return check_sum_claim(WrittenSum(text), Claim(role, at_least, rule="sum", data=data), Limits())


@pytest.mark.parametrize(
    ("role", "starts", "value", "at_least", "status"),
    [
        # Left takes 5: scores are counted in halves of the unit 5, and he moves last, which is one more.
        ("left", "left", 3, 5, "accepted"),
        ("left", "left", 2, 5, "accepted"),
        ("left", "left", 1, 5, "refuted"),
        ("left", "left", 1, 0, "accepted"),
        ("left", "left", 4, 5, "refuted"),
        ("left", "left", 5, 10, "refuted"),
        # Right takes -5 if she starts, and moves last.
        ("left", "right", -3, -5, "accepted"),
        ("left", "right", -2, -5, "refuted"),
        ("left", "right", -4, -5, "refuted"),
        ("left", "right", -4, -10, "accepted"),
        ("right", "right", -3, 5, "accepted"),
        ("right", "right", -2, 5, "accepted"),
        ("right", "right", -4, 5, "refuted"),
        ("right", "right", -1, 5, "refuted"),
        ("right", "left", 3, -5, "accepted"),
        ("right", "left", 2, -5, "refuted"),
        ("right", "left", 4, -5, "refuted"),
        ("right", "left", 4, -10, "accepted"),
    ],
)
def test_a_switch_gives_five_to_whoever_starts(role: str, starts: str, value: int, at_least: int, status: str) -> None:
    moves = [[[2], 2, 0 if role == "left" else 1]]
    verdict = checked("{5|-5}", role, at_least, starts, value, positions=SWITCH["positions"], moves=moves)
    assert verdict.status == status and (not verdict.accepted or verdict.positions == 1)


BROKEN: list[tuple[dict[str, Any], str]] = [
    ({"moves": ["abc"]}, "an entry is not [sum, from, to]"),
    ({"moves": [[[2], 2, 0], [[2], 2, 0]]}, "two entries for one sum"),
    ({"moves": [[[2], 2, 0], [[[2, 1]], 2, 0]]}, "two entries for one sum"),
    ({"moves": [[[2], 2, 0, 0]]}, "an entry is not [sum, from, to]"),
    ({"moves": [[[2], 2, -1]]}, "not a pair"),
    ({"moves": [[[2], 2, 3]]}, "not a pair"),
    ({"moves": [[[2], 2, 0.0]]}, "not a pair"),
    ({"bounds": ["abcd"]}, "an entry is not [sum, who is to move, tax, component]"),
    ({"bounds": [[[2], "left", "0"]]}, "an entry is not [sum, who is to move, tax, component]"),
    ({"bounds": [[[2], "left", "0", 2, 2]]}, "an entry is not [sum, who is to move, tax, component]"),
    ({"bounds": [[[2], "right", "0", 2], [[2], "right", "1", 2]]}, "two entries for one sum"),
    ({"bounds": [[[2], "right", "0", 3]]}, "not a pair"),
    ({"bounds": [[[2], "right", "0", -1]]}, "not a pair"),
    ({"bounds": [[[2], "right", 0, 2]]}, "not an exact number"),
    ({"bounds": [dict.fromkeys("abcd", 0)]}, "an entry is not [sum, who is to move, tax, component]"),
    ({"mirrors": [dict.fromkeys("abc", 1)]}, "an entry is not [position, position, pairs]"),
    ({"mirrors": "abc"}, "expected a list"),
    ({"mirrors": ["abc"]}, "an entry is not [position, position, pairs]"),
    ({"mirrors": [[2, 2]]}, "an entry is not [position, position, pairs]"),
    ({"mirrors": [[2, 2, 1, 1]]}, "an entry is not [position, position, pairs]"),
    ({"mirrors": [[2, 2, 0]]}, "an entry is not [position, position, pairs]"),
    ({"mirrors": [[2, 2, -1]]}, "an entry is not [position, position, pairs]"),
    ({"mirrors": [[2, 2, True]]}, "an entry is not [position, position, pairs]"),
    ({"mirrors": [[2, 2, "1"]]}, "an entry is not [position, position, pairs]"),
    ({"mirrors": [[2, 3, 1]]}, "not a pair"),
    ({"mirrors": [[2, 2, 1]]}, "there are no 1 pairs"),
    ({"mirrors": [[0, 1, 1]]}, "are not mirror images"),
    ({"mirrors": [[2, 0, 1]]}, "are not mirror images"),
    ({"moves": [[3, 2, 0]]}, "expected a list"),
    ({"moves": [[[[2]], 2, 0]]}, "neither a number nor [number, copies]"),
    ({"moves": [[[[2, 1, 1]], 2, 0]]}, "neither a number nor [number, copies]"),
    ({"moves": [[[[2, 0]], 2, 0]]}, "neither a number nor [number, copies]"),
    ({"moves": [[[[2, -1]], 2, 0]]}, "neither a number nor [number, copies]"),
    ({"moves": [[[[2, True]], 2, 0]]}, "neither a number nor [number, copies]"),
    ({"moves": [[[[2, 1.0]], 2, 0]]}, "neither a number nor [number, copies]"),
    ({"moves": [[[2, [2, 0]], 2, 0]]}, "neither a number nor [number, copies]"),
    ({"moves": [[["2"], 2, 0]]}, "neither a number nor [number, copies]"),
    ({"moves": [[[-1], 2, 0]]}, "not the number of a position"),
    ({"moves": [[[3], 2, 0]]}, "not the number of a position"),
    ({"moves": [[[2, 3], 2, 0]]}, "not the number of a position"),
    ({"replies": [3]}, "not a pair"),
    ({"replies": ["ab"]}, "not a pair"),
    ({"replies": [[2, 1], [2, 1]]}, "one reply is listed twice"),
    ({"replies": [[2, 0]]}, "there is no reply from position 2 to 0"),
    ({"replies": [[2, 1, 1]]}, "not a pair"),
    ({"over": [[0, 1]], "replies": [[2, 1]]}, "not a pair"),
    ({"positions": ["5", "-5", [[0], [1]], "10"], "moves": [[[2], 2, 3]]}, "there is no move from position 2 to 3"),
    ({"positions": ["5", "-5", [[0], [1]], [[2], [1]]], "moves": [[[2], 3, 2]]}, "there is no move from position 3"),
    ({"positions": ["5", "-5", [[0], [1]], 7]}, "expected a list"),
    ({"positions": ["5", "-5", [[0], [1]], [[0], 1]]}, "expected a list"),
    ({"positions": ["5", "-5", [[0], [1]], [[0], [-1]]]}, "names no game that was listed before"),
    ({"positions": ["5", "-5", [[0], [1]], [[0], [True]]]}, "names no game that was listed before"),
    ({"positions": ["5", "-5", [[0], [1]], [[0], [1], []]]}, "neither a number nor options"),
    ({"positions": ["5", "-5", [[0], [1]], "1/3"]}, "no dyadic rational"),
    ({"positions": ["5", "-5", [[0], [1]], "1/0"]}, "not an exact number"),
    ({"positions": ["5", "-5", [[1], [0]], [[0], [1]]]}, "there is no move"),
]  # fmt: skip


@pytest.mark.parametrize(("more", "reason"), BROKEN)
def test_data_that_is_none_is_refused(more: dict[str, Any], reason: str) -> None:
    assert checked("{5|-5}", "left", 5, "left", 3, **SWITCH).accepted
    verdict = checked("{5|-5}", "left", 5, "left", 3, **SWITCH | more)
    assert verdict.status == "refuted" and reason in verdict.reason


def test_a_sum_after_some_moves_is_another_one() -> None:
    game = WrittenSum("{5|-5} + {5|-5}")
    data = {"starts": "left", "value": "3", "replies": [], "over": [], "bounds": []} | SWITCH
    later = Continued(game, [game.moves(game.start())[0]])
    verdict = check_sum_claim(later, Claim("left", 5, rule="sum", data=data), Limits())
    assert verdict.status == "refuted" and "not after some moves" in verdict.reason


def test_roles_and_starters_are_those_of_the_claim() -> None:
    data = {"starts": "left", "value": "3", "replies": [], "over": [], "bounds": []} | SWITCH
    game = WrittenSum("{5|-5}")
    for role, starts, status in (
        ("left", "", "accepted"),
        ("left", "left", "accepted"),
        ("left", "right", "refuted"),
        ("nobody", "left", "refuted"),
    ):
        claim = Claim(role, 5, rule="sum", data=data, starts=starts)
        assert check_sum_claim(game, claim, Limits()).status == status
    for role, status in (("right", "accepted"), ("nobody", "refuted")):
        claim = Claim(role, -5, rule="sum", data=data | {"moves": [[[2], 2, 1]]})
        assert check_sum_claim(game, claim, Limits()).status == status


def test_moves_for_sums_that_never_come_up_do_no_harm() -> None:
    moves = [[[0], 2, 0], [[2], 2, 0], [[0, 2], 2, 0]]
    assert checked("{5|-5}", "left", 5, "left", 3, positions=SWITCH["positions"], moves=moves).accepted


# Mirrors

PAIR = {"positions": ["5", "-3", "4", "-4", [[0], [1]], [[2], [3]], "1", "-1", [[6], [7]]]}


@pytest.mark.parametrize(
    ("text", "mirrors", "role", "at_least", "value", "status"),
    [
        ("{5|-3} + {4|-4}", [[4, 5, 1]], "left", 1, 2, "accepted"),
        ("{5|-3} + {4|-4}", [[5, 4, 1]], "left", 1, 2, "accepted"),
        ("{5|-3} + {4|-4}", [[4, 5, 1]], "right", -1, 2, "accepted"),
        ("{5|-3} + {4|-4}", [[4, 5, 1]], "left", 2, 4, "refuted"),
        ("{5|-3} + {4|-4}", [[4, 5, 1]], "left", 1, 3, "refuted"),
        ("{5|-3} + {4|-4}", [[4, 5, 1]], "right", 0, 0, "refuted"),
        ("2*{5|-3} + 2*{4|-4}", [[4, 5, 2]], "left", 2, 4, "accepted"),
        ("2*{5|-3} + 2*{4|-4}", [[4, 5, 1], [5, 4, 1]], "left", 2, 4, "accepted"),
        ("2*{5|-3} + 2*{4|-4}", [[4, 5, 2]], "left", 3, 6, "refuted"),
        ("2*{4|-4}", [[5, 5, 1]], "left", 0, 0, "accepted"),
        ("2*{4|-4}", [[5, 5, 1]], "left", 1, 2, "refuted"),
        ("2*{5|-3} + {4|-4}", [[4, 5, 2]], "left", 2, 4, "refuted"),
        ("{5|-3} + 2*{4|-4}", [[4, 5, 2]], "left", 2, 4, "refuted"),
        ("{5|-3} + {4|-4}", [[4, 5, 1], [4, 5, 1]], "left", 1, 2, "refuted"),
        ("{5|-3} + {5|-3}", [[4, 4, 1]], "left", 2, 4, "accepted"),
        ("{5|-3} + {5|-3}", [[4, 4, 1]], "left", 3, 6, "refuted"),
        ("{4|-4} + {1|-1}", [[5, 8, 1]], "left", 0, 0, "refuted"),
        ("1 - 1", [[6, 7, 1]], "left", 0, 0, "refuted"),
    ],
)
def test_pairs_that_mirror_each_other_are_worth_what_they_are_moved_by(
    text: str, mirrors: list[Any], role: str, at_least: int, value: int, status: str
) -> None:
    assert checked(text, role, at_least, "left", value, mirrors=mirrors, **PAIR).status == status


@pytest.mark.parametrize("text", ["2*{5|-3} + {4|-4}", "{5|-3} + 2*{4|-4}", "{5|-3} + {4|-4}"])
def test_there_must_be_as_many_mirrored_pairs_as_are_cancelled(text: str) -> None:
    assert "there are no 2 pairs" in checked(text, "left", 0, "left", 0, mirrors=[[4, 5, 2]], **PAIR).reason


def test_what_mirrored_pairs_are_worth_is_counted_in_units() -> None:
    positions = ["5/2", "-3/2", "2", "-2", [[0], [1]], [[2], [3]]]
    for at_least, value, status in ((Fraction(1, 2), 2, "accepted"), (1, 4, "refuted"), (Fraction(1, 2), 3, "refuted")):
        data = {"positions": positions, "mirrors": [[4, 5, 1]]}
        verdict = checked("{5/2|-3/2} + {2|-2}", "left", at_least, "left", value, **data)
        assert verdict.status == status


# Superfluous replies

TWO = {"positions": ["9", "-9", [[0], [1]], "1", "-1", [[3], [4]]]}
"""{9|-9} is number 2, {1|-1} number 5."""


@pytest.mark.parametrize(
    ("replies", "over", "moves", "value", "status"),
    [
        # Right's move to -9 is better than the one to -1, so only the answer to -9 is needed: -18 + 2, no tempo.
        ([[2, 1], [5, 4]], [[0, 1]], [[[5], 5, 3]], -16, "accepted"),
        ([[2, 1], [5, 4]], [[0, 1]], [[[5], 5, 3]], -15, "refuted"),
        ([[2, 1], [5, 4]], [], [[[5], 5, 3]], -16, "refuted"),
        ([[2, 1], [5, 4]], [[1, 0]], [[[2], 2, 0]], -16, "refuted"),
        ([[2, 1], [5, 4]], [[1, 0]], [[[2], 2, 0], [[5], 5, 3]], -16, "refuted"),
        ([[5, 4], [2, 1]], [[1, 0]], [[[5], 5, 3]], -16, "refuted"),  # what is over it comes later
        ([[5, 4], [2, 1]], [[1, 0]], [[[5], 5, 3], [[2], 2, 0]], -16, "accepted"),
        ([[2, 1], [5, 4]], [[0, 0]], [[[5], 5, 3]], -16, "refuted"),
        ([], [], [[[5], 5, 3], [[2], 2, 0]], -16, "accepted"),
        ([], [], [[[5], 5, 3], [[2], 5, 0]], -16, "refuted"),
        ([], [], [[[5], 5, 3], [[2], 2, 1]], -16, "refuted"),
    ],
)
def test_replies_are_left_out_only_where_an_earlier_one_is_better(
    replies: list[Any], over: list[Any], moves: list[Any], value: int, status: str
) -> None:
    data = {"replies": replies, "over": over, "moves": moves} | TWO
    assert checked("{9|-9} + {1|-1}", "left", -8, "right", value, **data).status == status


def test_replies_are_taken_in_the_order_of_the_list_not_of_the_components() -> None:
    """Here the better reply is in the component with the higher number."""
    data = {"positions": ["1", "-1", [[0], [1]], "9", "-9", [[3], [4]]], "moves": [[[2], 2, 0]],
            "replies": [[5, 4], [2, 1]], "over": [[0, 1]]}  # fmt: skip
    assert checked("{9|-9} + {1|-1}", "left", -8, "right", -16, **data).accepted


def test_a_reply_is_not_left_out_for_one_that_cannot_be_made() -> None:
    """Once Left has taken the 9, Right's reply in {1|-1} has nothing better beside it."""
    data = {"replies": [[2, 1], [5, 4]], "over": [[0, 1]], "moves": [[[2, 5], 2, 0]]} | TWO
    assert checked("{9|-9} + {1|-1}", "left", 8, "left", 16, **data).accepted
    for value, at_least in ((17, 8), (18, 9), (20, 10)):
        assert checked("{9|-9} + {1|-1}", "left", at_least, "left", value, **data).status == "refuted"


def test_right_leaves_out_replies_of_lefts_in_the_same_way() -> None:
    data = {"replies": [[2, 0], [5, 3]], "over": [[0, 1]], "moves": [[[5], 5, 4]]} | TWO
    assert checked("{9|-9} + {1|-1}", "right", -8, "left", 16, **data).accepted
    assert checked("{9|-9} + {1|-1}", "right", -8, "left", 15, **data).status == "refuted"
    other = data | {"over": [[1, 0]], "moves": [[[2], 2, 1]], "replies": [[5, 3], [2, 0]]}
    assert checked("{9|-9} + {1|-1}", "right", -8, "left", 16, **other).status == "refuted"


def naive_wins(trees: Trees, plus: list[int], minus: list[int], left_moves: bool) -> bool:
    """Does Left win a sum with some components turned round? Who has the better score, at 0 who moved last."""
    afters = []
    for games, others, turned in ((plus, minus, False), (minus, plus, True)):
        for at, game in enumerate(games):
            side = trees.left if left_moves != turned else trees.right
            for option in side[game]:
                rest = [*games[:at], option, *games[at + 1 :]]
                afters.append((others, rest) if turned else (rest, others))
    if afters:
        outcomes = [naive_wins(trees, one, other, not left_moves) for one, other in afters]
        return any(outcomes) if left_moves else all(outcomes)
    score = sum(trees.numbers[n] or 0 for n in plus) - sum(trees.numbers[n] or 0 for n in minus)
    return score > 0 or (score == 0 and not left_moves)


def test_comparisons_are_what_playing_everything_out_gives() -> None:
    rng = random.Random("comparisons")
    won = 0
    for _ in range(60):
        trees = Trees()
        listed = [trees.number(Fraction(n)) for n in range(-3, 4)]
        while len(listed) < 12:
            game = trees.node(rng.sample(listed, rng.randint(1, 2)), rng.sample(listed, rng.randint(1, 2)))
            if game not in listed:
                listed.append(game)
        strategy: Any = type("Listed", (), {"store": trees, "trees": listed})
        forest = sums.Forest(strategy, Fraction(1))
        comparison = Comparison(forest)
        for _ in range(5):
            plus, minus = ([rng.randrange(12) for _ in range(2)] for _ in range(2))
            if sum(forest.height[n] for n in plus + minus) <= 7:
                expected = naive_wins(trees, [listed[n] for n in plus], [listed[n] for n in minus], False)
                assert comparison.second_wins(plus, minus) == expected
                won += expected
    assert 20 < won < 250


def test_comparisons_that_take_too_long_are_refused() -> None:
    trees = Trees()
    listed = [trees.number(Fraction(n)) for n in (9, -9)]
    while len(listed) < 80:
        listed.append(trees.node([listed[0]], [listed[-1] if len(listed) > 2 else listed[1]]))
    strategy: Any = type("Listed", (), {"store": trees, "trees": listed})
    comparison = Comparison(sums.Forest(strategy, Fraction(1)))
    with pytest.raises(Fault, match="too many moves"):
        comparison.second_wins([79, 78], [77, 76])
    assert comparison.second_wins([79, 78], [78, 79])


# Bounds

POOL = [(7, 1), (4, -2), (3, 0)]
SUM = "{7|1} + {4|-2} + {3|0}"
POSITIONS = ["7", "1", [[0], [1]], "4", "-2", [[3], [4]], "3", "0", [[6], [7]]]
HOT = [2, 5, 8]


def walls(switch: tuple[int, int], tax: Fraction) -> tuple[Fraction, Fraction]:
    """Of a switch in half units, where a move earns one: the walls fall by the tax until they meet."""
    left, right = 2 * switch[0], 2 * switch[1]
    mean = Fraction(left + right, 2)
    return max(mean, left + 1 - tax), min(mean, right - 1 + tax)


def promise(role: str, starts: str, tax: Fraction, opens: int) -> int:
    """What the thermostatic bound at that tax gives the role, rounded to the whole number that it must be."""
    pairs = [walls(switch, tax) for switch in POOL]
    own = 1 if role == "left" else 0
    total = sum(pair[own] for pair in pairs)
    if role == starts:
        total += pairs[HOT.index(opens)][1 - own] - pairs[HOT.index(opens)][own]
    else:
        total += -tax if role == "left" else tax
    return -(-total.numerator // total.denominator) if role == "left" else total.numerator // total.denominator


@pytest.mark.parametrize(("role", "starts"), product(("left", "right"), repeat=2))
def test_a_bound_promises_what_the_walls_say_and_no_more(role: str, starts: str) -> None:
    sign = 1 if role == "left" else -1
    for halves in range(17):
        tax = Fraction(halves, 2)
        for opens in HOT:
            data = {"positions": POSITIONS, "bounds": [[HOT, starts, str(tax), opens]]}
            reached = promise(role, starts, tax, opens)
            assert checked(SUM, role, -100, starts, reached, **data).accepted
            assert checked(SUM, role, -100, starts, reached + sign, **data).status == "refuted"


@pytest.mark.parametrize(
    ("tax", "opens", "starts", "status"),
    [
        ("0", 2, "left", "accepted"),
        ("1/2", 2, "left", "accepted"),
        ("1/4", 2, "left", "refuted"),
        ("1/3", 2, "left", "refuted"),
        ("-1/2", 2, "left", "refuted"),
        ("-1", 2, "left", "refuted"),
        ("0", 0, "left", "refuted"),
        ("0", 0, "right", "accepted"),  # who does not move opens nothing
        ("-1", 2, "right", "refuted"),
        ("1/4", 2, "right", "refuted"),
    ],
)
def test_taxes_are_those_of_the_positions_and_what_is_opened_is_there(
    tax: str, opens: int, starts: str, status: str
) -> None:
    data = {"positions": POSITIONS, "bounds": [[HOT, starts, tax, opens]]}
    assert checked(SUM, "left", -100, starts, -20, **data).status == status


def test_a_bound_is_for_the_side_that_is_to_move() -> None:
    data = {"positions": POSITIONS, "bounds": [[HOT, "right", "0", 2]]}
    assert "there is no move for the sum" in checked(SUM, "left", -100, "left", -20, **data).reason


# The most that anything before a sum needs


@pytest.mark.parametrize("options", [[2, 3], [3, 2]])
@pytest.mark.parametrize(("value", "status"), [(6, "accepted"), (7, "refuted"), (8, "refuted")])
def test_a_sum_that_two_lines_reach_must_give_what_either_needs(options: list[int], value: int, status: str) -> None:
    """Right moves {9|1,0} to 1 or to 0, in either order of the list, and Left takes 3 of {3|-3} each time."""
    positions = ["9", "3", "1", "0", "-3", [[0], options], [[1], [4]]]
    text = "{9|" + ",".join(positions[option] for option in options) + "} + {3|-3}"  # type: ignore[misc]
    moves = [[[6], 6, 1], [[5], 5, 0]]
    assert checked(text, "left", 3, "right", value, positions=positions, moves=moves).status == status
    turned = ["-9", "-3", "-1", "0", "3", [options, [0]], [[4], [1]]]
    text = "{" + ",".join(turned[option] for option in options) + "|-9} + {3|-3}"  # type: ignore[misc]
    assert checked(text, "right", 3, "left", -value, positions=turned, moves=moves).status == status


# The smallest of everything


@pytest.mark.parametrize(
    ("target", "data", "at_least"),
    [
        ("5", {"value": "2", "positions": ["5"], "moves": []}, 5),  # every position is a component
        ("{0|0}", {"value": "1", "positions": ["0", [[0], [0]]], "moves": [[[1], 1, 0]]}, 0),  # no score but 0
        (
            "{5|-5} + {5|-5}",
            {"value": "0", "positions": ["5", "-5", [[0], [1]]], "moves": [[[2, 2], 2, 0]], "bounds": True},
            0,
        ),
    ],
)
def test_strategies_of_the_smallest_sums(target: str, data: dict[str, Any], at_least: int) -> None:
    bounds = [[[2], "right", "0", 2]] if data.get("bounds") else []
    whole = {"starts": "left", "replies": [], "over": []} | data | {"bounds": bounds}
    claim = Claim("left", at_least, rule="sum", data=whole)
    assert check_sum_claim(WrittenSum(target), claim, Limits()).reason == ""
    more = Claim("left", at_least + 1, rule="sum", data=whole)
    assert check_sum_claim(WrittenSum(target), more, Limits()).status == "refuted"
