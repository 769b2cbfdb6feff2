"""The finer points of yahtzee: exact values, and what the rules say in odd positions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement
from random import Random

import pytest

from tests.gdl.chance import after, facts, rules, state
from zermelo.gdl.reasoner import State

UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")
LOWER = ("three_alike", "four_alike", "full_house", "small_straight", "large_straight", "yahtzee", "chance")


def scored(dice: Sequence[int], joker: bool) -> dict[str, int]:
    """The points of each box by the plain words of the rules."""
    counts, pips = [dice.count(face) for face in range(1, 7)], sum(dice)
    runs = "".join("x" if count else " " for count in counts).split()
    longest = max(map(len, runs))
    points = {box: (face + 1) * counts[face] for face, box in enumerate(UPPER)}
    points["three_alike"] = pips if max(counts) >= 3 else 0
    points["four_alike"] = pips if max(counts) >= 4 else 0
    points["full_house"] = 25 if sorted(counts)[-2:] == [2, 3] or joker else 0
    points["small_straight"] = 30 if longest >= 4 or joker else 0
    points["large_straight"] = 40 if longest == 5 or joker else 0
    points["yahtzee"] = 50 if max(counts) == 5 else 0
    points["chance"] = pips
    return points


def sheet(
    dice: Sequence[int], filled: Sequence[str] = (), *more: str, score: Sequence[str] = "000", upper: int = 0
) -> State:
    """Red's turn after the last throw; the score in three digits."""
    shown = [f"(shows {die} {face})" for die, face in zip("abcde", dice, strict=True)]
    boxes = [f"(filled red {box})" for box in filled]
    digits = [f"({name} red {digit})" for name, digit in zip(("hundreds", "tens", "ones"), score, strict=True)]
    others = ("(hundreds blue 0)", "(tens blue 0)", "(ones blue 0)", "(upper_sum blue 0)", "(turn red)", "(throws 0)")
    return state(*shown, *boxes, *digits, f"(upper_sum red {upper})", *others, *more)


def red_score(here: State) -> int:
    table = facts(here)
    digits = (dict(table[name])["red"] for name in ("hundreds", "tens", "ones"))
    return sum(int(digit) * weight for digit, weight in zip(digits, (100, 10, 1), strict=True))


class TestYahtzee:
    """Two players, with the bonus for further yahtzees and the forced joker rule."""

    @pytest.mark.parametrize("filled", [(), ("yahtzee", "twos")], ids=["fresh", "yahtzee-filled"])
    def test_every_throw_counts_in_every_box_what_the_rules_say(self, filled: tuple[str, ...]) -> None:
        throws = list(combinations_with_replacement(range(1, 7), 5))
        assert len(throws) == 252
        for place, throw in enumerate(throws):
            dice = Random(place).sample(throw, 5)
            points = rules("yahtzee").holds("points", sheet(dice, filled))
            joker = bool(filled) and len(set(throw)) == 1
            assert sorted(points) == sorted(f"(points {box} {count})" for box, count in scored(throw, joker).items())

    def test_all_but_keeping_all_dice_can_be_done_with_a_throw(self) -> None:
        here = state(*(fact.replace("(throws 0)", "(throws 2)") for fact in sheet((1, 2, 3, 4, 6))))
        assert len(rules("yahtzee").legal(here, "red")) == 31 + 13
        here = after("yahtzee", here, red="(throw keep keep roll keep roll)")
        assert facts(here)["loose"] == [("c",), ("e",)] and "(throws 1)" in here
        here = after("yahtzee", here, random="(roll 5)")
        assert "(shows c 5)" in here and facts(here)["loose"] == [("e",)]

    def test_after_the_last_throw_a_box_is_filled(self) -> None:
        here = sheet((1, 2, 3, 4, 6), score="095")
        assert rules("yahtzee").legal(here, "red") == sorted(f"(score {box})" for box in UPPER + LOWER)
        here = after("yahtzee", here, red="(score chance)")
        assert red_score(here) == 111
        assert {"(turn blue)", "(throws 2)", "(filled red chance)"} <= set(here) and len(facts(here)["loose"]) == 5

    @pytest.mark.parametrize(("upper", "gained"), [(44, 18), (45, 53), (62, 53), (63, 18)])
    def test_the_upper_bonus_comes_once_at_sixty_three(self, upper: int, gained: int) -> None:
        here = after("yahtzee", sheet((6, 6, 6, 1, 2), upper=upper, score="190"), red="(score sixes)")
        assert red_score(here) == 190 + gained
        assert ("red", str(min(63, upper + 18))) in facts(here)["upper_sum"]

    def test_a_joker_goes_into_its_upper_box_if_that_is_open(self) -> None:
        assert rules("yahtzee").legal(sheet((4,) * 5, ["yahtzee"]), "red") == ["(score fours)"]

    def test_a_joker_goes_else_into_a_lower_box_and_counts_there(self) -> None:
        here = sheet((4,) * 5, ["yahtzee", "fours", "chance"], "(fifty red)", score="970")
        boxes = ("four_alike", "full_house", "large_straight", "small_straight", "three_alike")
        assert rules("yahtzee").legal(here, "red") == [f"(score {box})" for box in boxes]
        assert red_score(after("yahtzee", here, red="(score large_straight)")) == 970 + 100 + 40

    def test_a_joker_without_a_lower_box_is_nothing_in_an_upper_box(self) -> None:
        here = sheet((4,) * 5, [*LOWER, "fours"], "(fifty red)", score="200")
        assert len(rules("yahtzee").legal(here, "red")) == 5
        assert red_score(after("yahtzee", here, red="(score twos)")) == 300

    def test_a_yahtzee_after_a_nought_has_no_bonus(self) -> None:
        here = sheet((4,) * 5, ["yahtzee", "fours"], score="200")
        assert red_score(after("yahtzee", here, red="(score full_house)")) == 225

    def test_only_a_real_yahtzee_is_remembered_as_one(self) -> None:
        assert "(fifty red)" in after("yahtzee", sheet((4,) * 5), red="(score yahtzee)")
        assert "(fifty red)" not in after("yahtzee", sheet((4, 4, 4, 4, 1)), red="(score yahtzee)")

    @pytest.mark.parametrize(("score", "goals"), [("000", "50 50"), ("009", "100 0"), ("1500", "100 0")])
    def test_the_higher_score_wins(self, score: str, goals: str) -> None:
        full = [f"(filled {role} {box})" for role in ("red", "blue") for box in UPPER + LOWER]
        here = sheet((1, 2, 3, 4, 6), (), *full, score=(score[:-2], score[-2], score[-1]))
        assert rules("yahtzee").terminal(here)
        assert [rules("yahtzee").goals(here, role)[0] for role in ("red", "blue")] == goals.split()
