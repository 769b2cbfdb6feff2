"""The optimal strategy of solitaire yahtzee, by dynamic programming over all score cards.

The rules are those of the rulesheet ``gdl:yahtzee``: 35 for 63 or more in the upper section, 100 for each further
yahtzee after one that counted 50; such a yahtzee is a joker, which counts as a house or straight once its upper box is
filled. ``forced`` jokers go into their upper box if that is open, else into a lower one; others go anywhere. A score
card is which boxes are filled, the sum of the upper section as far as 63, and whether the box for yahtzees holds 50.
Its value is the score that is still to be expected under best play, by backward induction from full cards (Verhoeff
1999; Glenn 2006). For the empty card it is 254.5877 with forced jokers and 254.5896, Verhoeff's number, without.

Values are double-precision numbers. A step adds or averages at most 6 numbers below 1600 and there are 13 * 11 of them
on a path, so that rounding changes none by more than 1e-9.

>>> optimum = Optimum(boxes=("chance",))   # one box only: the sum of five dice after two more throws
>>> round(optimum.value(Card()), 4)
23.3333
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")
LOWER = ("three_alike", "four_alike", "full_house", "small_straight", "large_straight", "yahtzee", "chance")
BOXES = UPPER + LOWER
"""The boxes, as the rulesheet names them."""
YAHTZEE = BOXES.index("yahtzee")
ENOUGH, BONUS, FIFTY, FURTHER = 63, 35, 50, 100
JOKER_POINTS = {"full_house": 25, "small_straight": 30, "large_straight": 40}
CHUNK = 1024
"""So many score cards are worked on at once."""

Dice = tuple[int, ...]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Card:
    """A score card: the filled boxes, the sum of the upper section as far as 63, whether yahtzee holds 50.

    >>> Card().filling("sixes", (6, 6, 6, 6, 1))
    (Card(filled=frozenset({'sixes'}), upper=24, fifty=False), 24)
    """

    filled: frozenset[str] = frozenset()
    upper: int = 0
    fifty: bool = False

    def open_to(self, dice: Dice, forced: bool = True) -> list[str]:
        """The boxes that these dice may go into.

        >>> Card(frozenset({"yahtzee"})).open_to((4, 4, 4, 4, 4))
        ['fours']
        """
        free = [box for box in BOXES if box not in self.filled]
        if not (forced and self._is_joker(dice)):
            return free
        own = UPPER[dice[0] - 1]
        return [own] if own in free else [box for box in free if box in LOWER] or free

    def filling(self, box: str, dice: Dice) -> tuple[Card, int]:
        """The card after the dice went into a box, and what that scores, with bonuses."""
        joker = self._is_joker(dice)
        gain = _points(box, dice)
        if joker and UPPER[dice[0] - 1] in self.filled:
            gain = JOKER_POINTS.get(box, gain)
        upper = min(self.upper + gain, ENOUGH) if box in UPPER else self.upper
        bonus = BONUS if self.upper < ENOUGH <= upper else 0
        further = FURTHER if joker and self.fifty else 0
        fifty = self.fifty or (box == "yahtzee" and gain == FIFTY)
        return Card(self.filled | {box}, upper, fifty), gain + bonus + further

    def _is_joker(self, dice: Dice) -> bool:
        return len(set(dice)) == 1 and "yahtzee" in self.filled


def _points(box: str, dice: Dice) -> int:
    """What dice score in a box, bonuses and jokers apart.

    >>> [_points(box, (2, 3, 3, 4, 5)) for box in ("threes", "full_house", "small_straight", "chance")]
    [6, 0, 30, 17]
    """
    counts = [dice.count(face) for face in range(1, 7)]
    if box in UPPER:
        face = UPPER.index(box)
        return counts[face] * (face + 1)
    faces = "".join("x" if count else " " for count in counts)
    return {
        "three_alike": sum(dice) if max(counts) >= 3 else 0,
        "four_alike": sum(dice) if max(counts) >= 4 else 0,
        "full_house": 25 if sorted(counts)[-2:] == [2, 3] else 0,
        "small_straight": 30 if "xxxx" in faces else 0,
        "large_straight": 40 if "xxxxx" in faces else 0,
        "yahtzee": FIFTY if max(counts) == 5 else 0,
        "chance": sum(dice),
    }[box]


class _Throws:
    """All ways to keep up to five dice, by number, and how they are connected by adding and leaving one die."""

    def __init__(self) -> None:
        self.kept = [list(combinations_with_replacement(range(1, 7), size)) for size in range(6)]
        self.number = [{dice: place for place, dice in enumerate(kept)} for kept in self.kept]
        self.all_dice = self.kept[5]
        # Row r of more[s]: the six ways to add a die to what is kept.
        self.more = [
            np.array([[self.number[size + 1][_sorted(dice, face)] for face in range(1, 7)] for dice in self.kept[size]])
            for size in range(5)
        ]
        # Row r of less[s]: the ways to leave a die of it, some of them alike.
        self.less = [np.zeros((1, 0), np.int64)] + [
            np.array([[self.number[size - 1][fewer] for fewer in _fewer(dice)] for dice in self.kept[size]])
            for size in range(1, 6)
        ]

    def thrown(self, values: Floats) -> list[Floats]:
        """What it is worth to keep some dice and throw the rest, by the values of all five: a list by number kept."""
        worth = [values]
        for size in reversed(range(5)):
            after, more = worth[-1], self.more[size]
            total = after[more[:, 0]]
            for face in range(1, 6):
                total += after[more[:, face]]
            total /= 6
            worth.append(total)
        return worth[::-1]

    def best_kept(self, worth: list[Floats]) -> Floats:
        """What all five dice are worth where any of them may be kept."""
        best = worth[0]
        for size in range(1, 6):
            less, here = self.less[size], worth[size].copy()
            for place in range(size):
                np.maximum(here, best[less[:, place]], out=here)
            best = here
        return best


@cache
def _throws() -> _Throws:
    return _Throws()


def _fewer(dice: Dice) -> list[Dice]:
    return [dice[:place] + dice[place + 1 :] for place in range(len(dice))]


def _sorted(dice: Dice, face: int) -> Dice:
    return tuple(sorted((*dice, face)))


class Optimum:
    """The values of all score cards on which only some boxes are open at the start: by default all thirteen.

    All of them take a quarter of a minute.
    """

    def __init__(self, boxes: Iterable[str] = BOXES, *, forced: bool = True):
        self.forced = forced
        self._throws = _throws()
        self._start = sum(1 << box for box in range(len(BOXES)) if BOXES[box] not in set(boxes))
        self._points = np.array([[_points(box, dice) for dice in self._throws.all_dice] for box in BOXES], np.float64)
        dice = self._throws.all_dice
        self._counts = np.array([[throw.count(face) for throw in dice] for face in range(1, 7)])
        self._alike = [self._throws.number[5][(face,) * 5] for face in range(1, 7)]
        # By filled boxes, whether yahtzee holds 50, and the upper sum.
        self._value = np.zeros((1 << len(BOXES), 2, ENOUGH + 1))
        for level in self._levels():
            for chunk in _chunks(level):
                self._induct(chunk)

    def value(self, card: Card) -> float:
        """What is still to be expected before the first throw of a turn."""
        return float(self._value[self._mask(card), int(card.fifty), card.upper])

    def box(self, card: Card, dice: Dice) -> str:
        """The best box for five dice."""
        worth = self.worth_of_boxes(card, dice)
        return max(worth, key=worth.__getitem__)

    def worth_of_boxes(self, card: Card, dice: Dice) -> dict[str, float]:
        """What is to be expected from now on if five dice go into a box, for each that they may go into."""
        after = {box: card.filling(box, dice) for box in card.open_to(dice, self.forced)}
        return {box: gain + self.value(later) for box, (later, gain) in after.items()}

    def kept(self, card: Card, dice: Dice, throws: int) -> Dice:
        """Which dice best to keep while there are one or two throws to come.

        >>> Optimum(boxes=("yahtzee",)).kept(Card(frozenset(BOXES) - {"yahtzee"}), (1, 3, 3, 5, 6), 2)
        (3, 3)
        """
        worth = self.worth_of_keeping(card, dice, throws)
        return max(worth, key=lambda option: (worth[option], option))

    def worth_of_keeping(self, card: Card, dice: Dice, throws: int) -> dict[Dice, float]:
        """What is to be expected from now on if some dice are kept and the rest is thrown, for each choice of them."""
        final = np.empty((len(self._throws.all_dice), 1))
        self._fill(final, self._mask(card), int(card.fifty), np.array([card.upper]))
        worth = self._throws.thrown(final)
        if throws == 2:
            worth = self._throws.thrown(self._throws.best_kept(worth))
        number = self._throws.number
        options = {option for size in range(6) for option in combinations(tuple(sorted(dice)), size)}
        return {option: float(worth[len(option)][number[len(option)][option], 0]) for option in options}

    def _mask(self, card: Card) -> int:
        return sum(1 << place for place, box in enumerate(BOXES) if box in card.filled) | self._start

    def _levels(self) -> Iterator[list[tuple[int, int]]]:
        """The cards by number of filled boxes, from the last but one: filled boxes and whether yahtzee holds 50."""
        masks = [mask for mask in range(1 << len(BOXES)) if mask & self._start == self._start]
        for filled in reversed(range(self._start.bit_count(), len(BOXES))):
            yield [
                (mask, fifty)
                for mask in masks
                if mask.bit_count() == filled
                for fifty in range(2 if mask >> YAHTZEE & 1 else 1)
            ]

    def _induct(self, chunk: Sequence[tuple[int, int, tuple[int, ...]]]) -> None:
        columns = sum(len(uppers) for _, _, uppers in chunk)
        final = np.empty((len(self._throws.all_dice), columns))
        begin = 0
        for mask, fifty, uppers in chunk:
            self._fill(final[:, begin : begin + len(uppers)], mask, fifty, np.array(uppers))
            begin += len(uppers)
        twice = self._throws.best_kept(self._throws.thrown(final))
        once = self._throws.best_kept(self._throws.thrown(twice))
        values = self._throws.thrown(once)[0][0]
        begin = 0
        for mask, fifty, uppers in chunk:
            self._value[mask, fifty, list(uppers)] = values[begin : begin + len(uppers)]
            begin += len(uppers)

    def _fill(self, final: Floats, mask: int, fifty: int, uppers: NDArray[np.int64]) -> None:
        """What the best box makes of all dice, for some upper sums."""
        free = [box for box in range(len(BOXES)) if not mask >> box & 1]
        filled = {box: self._filled(box, mask, fifty, uppers) for box in free}
        final[:] = filled[free[0]]
        for box in free[1:]:
            np.maximum(final, filled[box], out=final)
        if mask >> YAHTZEE & 1:
            for face, row in enumerate(self._alike):
                final[row] = self._joker(face, {box: values[row] for box, values in filled.items()}) + FURTHER * fifty

    def _filled(self, box: int, mask: int, fifty: int, uppers: NDArray[np.int64]) -> Floats:
        """What all dice make of one box, for some upper sums."""
        after = mask | 1 << box
        if box < len(UPPER):
            gains = np.arange(6)[:, None] * (box + 1)
            table = gains + self._value[after, fifty, np.minimum(uppers + gains, ENOUGH)]
            table += np.where((uppers < ENOUGH) & (uppers + gains >= ENOUGH), BONUS, 0)
            worth: Floats = table[self._counts[box]]
            return worth
        worth = self._points[box][:, None] + self._value[after, fifty, uppers]
        if box == YAHTZEE:
            worth[self._alike] = FIFTY + self._value[after, 1, uppers]
        return worth

    def _joker(self, face: int, filled: dict[int, Floats]) -> Floats:
        """What five dice of a face are worth where the box for yahtzees is filled, by what they are worth elsewhere."""
        lower = [box for box in filled if box >= len(UPPER)]
        boxes = list(filled) if not self.forced else [face] if face in filled else lower or list(filled)
        more = {} if face in filled else JOKER_POINTS
        best: Floats = np.maximum.reduce([filled[box] + more.get(BOXES[box], 0) for box in boxes])
        return best


def _chunks(level: Iterable[tuple[int, int]]) -> Iterator[list[tuple[int, int, tuple[int, ...]]]]:
    chunk: list[tuple[int, int, tuple[int, ...]]] = []
    columns = 0
    for mask, fifty in level:
        uppers = _upper_sums(mask & (1 << len(UPPER)) - 1)
        chunk.append((mask, fifty, uppers))
        columns += len(uppers)
        if columns >= CHUNK:
            yield chunk
            chunk, columns = [], 0
    if chunk:
        yield chunk


@cache
def _upper_sums(mask: int) -> tuple[int, ...]:
    """What the upper section can come to where these of its boxes are filled.

    >>> _upper_sums(0b11)[:6]
    (0, 1, 2, 3, 4, 5)
    """
    sums = {0}
    for box in range(len(UPPER)):
        if mask >> box & 1:
            sums = {min(before + (box + 1) * count, ENOUGH) for before in sums for count in range(6)}
    return tuple(sorted(sums))
