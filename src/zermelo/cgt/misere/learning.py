"""Learns the misere quotient of games that are sums of letters, from the outcomes of words.

The letters are games; the options of each are words in earlier letters. Words are counts of letters, and whoever cannot
move wins. The method is Angluin's for automata (1987), with the search for counterexamples of Rivest and Schapire
(1993); since words commute, the automaton is a commutative monoid.

>>> star = learned([[(0,)]], 100)          # one letter, which leads to nothing: a heap of one
>>> star.words, star.previous
(((0,), (1,)), (False, True))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from zermelo.cgt.values.arena import step_look
from zermelo.errors import LimitReachedError

Word = tuple[int, ...]


@dataclass(frozen=True)
class Monoid:
    """A finite commutative monoid: a word for each element, the element after one more letter, and who wins."""

    words: tuple[Word, ...]
    after: tuple[tuple[int, ...], ...]
    previous: tuple[bool, ...]

    def element(self, word: Word, start: int = 0) -> int:
        """The element of a word, or of an element times a word."""
        found = start
        for letter, count in enumerate(word):
            for _ in range(count):
                found = self.after[found][letter]
        return found

    def product(self, one: int, other: int) -> int:
        """The product of two elements."""
        if one == 0 or other == 0:
            return one + other
        return self._products[one][other]

    @cached_property
    def _products(self) -> list[list[int]]:
        return [[self.element(word, one) for word in self.words] for one in range(len(self.words))]


def plus(one: Word, other: Word) -> Word:
    """Two words side by side.

    >>> plus((1, 0), (1, 2))
    (2, 2)
    """
    return tuple(a + b for a, b in zip(one, other, strict=True))


def learned(options: Sequence[Sequence[Word]], most: int) -> Monoid:
    """The reduced quotient of the sums of some letters, given by their options; refused beyond ``most`` elements."""
    player = _Player(options)
    tests = [0]
    while True:
        guess = _guess(player, tests, most)
        fresh = _not_commuting(player, tests, guess)
        if fresh is None:
            fresh = _counterexample(player, guess)
        if fresh is None:
            words = tuple(_unpacked(word, len(options)) for word in guess.words)
            return Monoid(words, tuple(map(tuple, guess.after)), tuple(guess.previous))
        tests.append(fresh)


# Inside, a word is one whole number, eight bits for each letter: side by side is plus.

_BITS = 8
_MOST_LETTERS = 250  # copies of one letter in a word


def _packed(word: Word) -> int:
    return sum(count << (_BITS * letter) for letter, count in enumerate(word))


def _unpacked(word: int, letters: int) -> Word:
    return tuple(word >> (_BITS * letter) & 255 for letter in range(letters))


class _Player:
    """Who wins words, by playing them out."""

    def __init__(self, options: Sequence[Sequence[Word]]) -> None:
        self.options = [[_packed(word) for word in each] for each in options]
        # Heaps of one cancel in pairs: of their number only the last bit counts.
        self.mask = sum((1 if each == [0] else 255) << (_BITS * i) for i, each in enumerate(self.options))
        self.known = {0: False}

    def previous_wins(self, word: int) -> bool:
        known = self.known
        word &= self.mask
        if word in known:
            return known[word]
        look, stack = step_look(), [(word, self.moves(word))]
        while stack:
            look()
            top, after = stack[-1]
            lost = True
            for each in after:
                if each not in known:
                    stack.append((each, self.moves(each)))
                    lost = False
                    break
                if known[each]:
                    known[top] = lost = False
                    stack.pop()
                    break
            if lost:
                known[top] = bool(after)
                stack.pop()
        return known[word]

    def moves(self, word: int) -> list[int]:
        found = []
        for letter, options in enumerate(self.options):
            count = word >> (_BITS * letter) & 255
            if count > _MOST_LETTERS:
                raise LimitReachedError("words of the misere quotient grow too long")
            if count:
                rest = word - (1 << (_BITS * letter))
                found += [(rest + option) & self.mask for option in options]
        return found


@dataclass
class _Guess:
    """A monoid as far as tests tell words apart: a word for each element, and the element after one more letter."""

    words: list[int]
    after: list[list[int]]
    previous: list[bool]

    def element(self, word: int) -> int:
        found = 0
        for letter in range(len(self.after[0])):
            for _ in range(word >> (_BITS * letter) & 255):
                found = self.after[found][letter]
        return found


def _row(player: _Player, tests: Sequence[int], word: int) -> tuple[bool, ...]:
    return tuple([player.previous_wins(word + test) for test in tests])


def _guess(player: _Player, tests: Sequence[int], most: int) -> _Guess:
    words, rows, after = [0], {_row(player, tests, 0): 0}, []
    for word in words:
        reached = []
        for letter in range(len(player.options)):
            further = word + (1 << (_BITS * letter))
            key = _row(player, tests, further)
            if key not in rows:
                rows[key] = len(words)
                words.append(further)
                if len(words) > most:
                    raise LimitReachedError(f"a misere quotient of more than {most:,} elements")
            reached.append(rows[key])
        after.append(reached)
    return _Guess(words, after, [player.previous_wins(word) for word in words])


def _not_commuting(player: _Player, tests: Sequence[int], guess: _Guess) -> int | None:
    """One more test, if letters do not commute in a guess."""
    words, after = guess.words, guess.after
    for element, reached in enumerate(after):
        for i in range(len(reached)):
            for j in range(i):
                if after[reached[i]][j] == after[reached[j]][i]:
                    continue
                first, second = 1 << (_BITS * i), 1 << (_BITS * j)
                for test in tests:
                    truth = player.previous_wins(words[element] + first + second + test)
                    if player.previous_wins(words[reached[i]] + second + test) != truth:
                        return second + test
                    if player.previous_wins(words[reached[j]] + first + test) != truth:
                        return first + test
    return None


def _counterexample(player: _Player, guess: _Guess) -> int | None:
    """A test that shows that a guess is wrong; ``None`` if the transition algebra proves it."""
    count = len(guess.words)
    times = [[guess.element(guess.words[x] + guess.words[y]) for y in range(count)] for x in range(count)]
    heaps = [
        (guess.after[0][letter], frozenset(map(guess.element, options)))
        for letter, options in enumerate(player.options)
    ]
    start: tuple[int, frozenset[int]] = (0, frozenset())
    found: dict[tuple[int, frozenset[int]], int] = {start: 0}
    look = step_look()
    for pair in (waiting := [start]):
        look()
        for letter, (other, others) in enumerate(heaps):
            row = times[pair[0]]
            options = frozenset([*[times[o][other] for o in pair[1]], *[row[o] for o in others]])
            made = row[other], options
            if made in found:
                continue
            word = found[pair] + (1 << (_BITS * letter))
            lost = bool(options) and not any(guess.previous[o] for o in options)
            if guess.previous[made[0]] != lost:
                wrong = next(w for w in (word, *player.moves(word)) if _misjudged(player, guess, w))
                return _telling_test(player, guess, wrong)
            found[made] = word
            waiting.append(made)
    return None


def _misjudged(player: _Player, guess: _Guess, word: int) -> bool:
    return guess.previous[guess.element(word)] != player.previous_wins(word)


def _telling_test(player: _Player, guess: _Guess, word: int) -> int:
    """Of a word that a guess misjudges, the rest after the first letter that it takes wrongly."""
    element, rest = 0, word
    truth = player.previous_wins(word)
    while True:
        letter = next(i for i in range(len(player.options)) if rest >> (_BITS * i) & 255)
        rest -= 1 << (_BITS * letter)
        element = guess.after[element][letter]
        if player.previous_wins(guess.words[element] + rest) != truth:
            return rest
