"""The optimal strategy of solitaire yahtzee: against brute force, and against the rulesheet."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import pytest
from benchmarks.yahtzee_optimum import BOXES, LOWER, UPPER, Card, Optimum

from zermelo.gdl.ground import ground
from zermelo.gdl.library import rulesheet
from zermelo.gdl.reasoner import State

ALL = frozenset(BOXES)


@cache
def rolls(count: int) -> dict[tuple[int, ...], Fraction]:
    """All throws of some dice with their chances."""
    found = Counter(tuple(sorted(throw)) for throw in product(range(1, 7), repeat=count))
    return {throw: Fraction(number, 6**count) for throw, number in found.items()}


@cache
def brute_value(card: Card, forced: bool = True) -> Fraction:
    """By the definition, in fractions."""
    if len(card.filled) == len(BOXES):
        return Fraction(0)

    @cache
    def worth(dice: tuple[int, ...], throws: int) -> Fraction:
        if throws == 0:
            after = [card.filling(box, dice) for box in card.open_to(dice, forced)]
            return max(gain + brute_value(later, forced) for later, gain in after)
        kept = {option for size in range(6) for option in combinations(dice, size)}
        return max(thrown(option, throws - 1) for option in kept)

    @cache
    def thrown(kept: tuple[int, ...], throws: int) -> Fraction:
        chances = rolls(5 - len(kept)).items()
        return sum((chance * worth(tuple(sorted(kept + throw)), throws) for throw, chance in chances), Fraction(0))

    return thrown((), 2)


def close(value: float, exact: Fraction) -> bool:
    return abs(Fraction(value) - exact) < Fraction(1, 10**9)


@pytest.mark.parametrize("box", ["sixes", "three_alike", "full_house", "large_straight", "yahtzee"])
def test_one_box_is_worth_what_brute_force_says(box: str) -> None:
    assert close(Optimum([box]).value(Card(ALL - {box})), brute_value(Card(ALL - {box})))


@pytest.mark.parametrize("forced", [True, False])
def test_jokers_and_bonuses_are_worth_what_brute_force_says(forced: bool) -> None:
    card = Card(ALL - {"sixes", "full_house"}, 40, fifty=True)
    assert close(Optimum(["sixes", "full_house"], forced=forced).value(card), brute_value(card, forced))


def test_a_yahtzee_comes_in_three_throws_with_the_known_chance() -> None:
    # 347897/7558272, Pascal and others; the box is worth fifty times that.
    assert brute_value(Card(ALL - {"yahtzee"})) == 50 * Fraction(347_897, 7_558_272)


def test_freedom_never_costs() -> None:
    boxes = ["fours", "yahtzee", "large_straight"]
    card = Card(ALL - set(boxes))
    assert Optimum(boxes, forced=False).value(card) >= Optimum(boxes, forced=True).value(card)


def test_more_open_boxes_are_worth_more() -> None:
    optimum = Optimum(["yahtzee", "chance", "sixes"])
    values = [optimum.value(Card(ALL - set(boxes))) for boxes in (["chance"], ["chance", "sixes"])]
    assert 0 < values[0] < values[1] < optimum.value(Card(ALL - {"yahtzee", "chance", "sixes"}))


def test_the_best_moves_attain_the_value() -> None:
    boxes = ["fives", "full_house"]
    optimum, card = Optimum(boxes), Card(ALL - set(boxes), 45)
    dice, total, games = random.Random(5), 0.0, 400
    for _ in range(games):
        here = card
        while len(here.filled) < len(BOXES):
            shown: tuple[int, ...] = tuple(sorted(dice.choices(range(1, 7), k=5)))
            for throws in (2, 1):
                kept = optimum.kept(here, shown, throws)
                shown = tuple(sorted(kept + tuple(dice.choices(range(1, 7), k=5 - len(kept)))))
            here, gain = here.filling(optimum.box(here, shown), shown)
            total += gain
    # Deviations are at most 85 a game: six standard errors.
    assert abs(total / games - optimum.value(card)) < 6 * 25 / games**0.5


def written_score(state: State) -> int:
    weights = {"hundreds": 100, "tens": 10, "ones": 1}
    facts = [fact.strip("()").split() for fact in state]
    return sum(weights[fact[0]] * int(fact[2]) for fact in facts if fact[0] in weights)


def test_cards_follow_the_rulesheet() -> None:
    """Whole games at random, with many yahtzees: the same boxes are open and the same scores come of them."""
    game, chance, seen = ground(rulesheet("yahtzee", "1")), random.Random(2), 0
    for _ in range(6):
        state, card, score = game.start(), Card(), 0
        while not game.terminal(state):
            facts = [tuple(fact.strip("()").split()) for fact in state]
            if any(fact[0] == "loose" for fact in facts):
                # Loaded dice: most show four, so that there are jokers.
                roll = "(roll 4)" if chance.random() < 0.9 else chance.choice(game.legal(state, "random"))
                state = game.next(state, ["noop", roll])
                continue
            dice = tuple(sorted(int(fact[2]) for fact in facts if fact[0] == "shows"))
            legal = [move for move in game.legal(state, "red") if move.startswith("(score")]
            assert sorted(move[len("(score ") : -1] for move in legal) == sorted(card.open_to(dice))
            move = chance.choice(legal)
            seen += "yahtzee" in card.filled and len(set(dice)) == 1
            card, gain = card.filling(move[len("(score ") : -1], dice)
            score += gain
            state = game.next(state, [move, "noop"])
            assert score == written_score(state)
        assert game.goals(state, "red") == [str(min(score // 5, 100))]
    assert seen > 5


@pytest.mark.slow
def test_the_whole_game_is_worth_what_verhoeff_found() -> None:
    assert round(Optimum(forced=False).value(Card()), 4) == 254.5896


def test_boxes_are_those_of_the_rulesheet() -> None:
    moves = ground(rulesheet("yahtzee", "1")).moves
    assert {move[len("(score ") : -1] for move in moves if move.startswith("(score")} == set(UPPER) | set(LOWER)
