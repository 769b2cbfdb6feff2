"""Misere quotients: what sums of heaps are worth under misere play (Plambeck 2005; Plambeck and Siegel 2008).

Two sums of heaps are equivalent if they have the same outcome in company of every further heaps. The classes form a
commutative monoid, the *misere quotient*; some of its elements are the ones from which the previous player wins.
Whoever knows it plays the game perfectly, and it is often finite where canonical forms are hopeless.

>>> game = misere_quotient("0.123")
>>> game.order, game.previous, game.period
(20, ('a', 'c', 'ae', 'b^2', 'bf'), Period(preperiod=5, length=5, checked=23))
>>> game.outcome([3, 3]), game.outcome([1, 10**9])
('P', 'N')

A quotient is guessed and proved. The guess is learned as an automaton is from examples (Angluin 1987): words of heaps
are told apart by their outcomes in company of test words, which are found by playing. The proof is finite. To every sum
belongs the pair of its own class and the classes of its options; such pairs multiply, and those of single heaps
generate finitely many, the *transition algebra*. The guess is right if in each pair with options the class is one from
which the previous player wins exactly if no option is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from zermelo.brief import fields_in_brief, shown_in_brief
from zermelo.cgt.boards.octal import OctalCode, Period
from zermelo.cgt.misere.learning import Monoid, Word, learned, plus
from zermelo.cgt.values.arena import step_look
from zermelo.errors import InputError, LimitReachedError

MOST_ELEMENTS = 1_000
"""Larger quotients are given up."""
MOST_TRANSITIONS = 200_000
"""Larger transition algebras are given up."""
MOST_HEAP = 600
"""Heaps that are looked at in search of a period, at most."""

Pair = tuple[int, frozenset[int]]


@dataclass(frozen=True)
class MisereQuotient:
    """The quotient of an octal game, of all its heaps or of those up to ``largest``."""

    code: str
    monoid: Monoid
    heaps: tuple[int, ...]
    """The element of each heap, from the empty one on."""
    generators: tuple[int, ...]
    """The heaps that the letters a, b, c, ... stand for."""
    period: Period | None
    """How the elements of the heaps repeat; then the quotient is that of all heaps."""

    __repr__ = fields_in_brief
    _repr_html_ = shown_in_brief

    @property
    def order(self) -> int:
        """How many elements there are."""
        return len(self.monoid.words)

    @cached_property
    def previous(self) -> tuple[str, ...]:
        """The elements from which the previous player wins, as words.

        >>> misere_quotient("0.3").previous
        ('a',)
        """
        return tuple(self.word(element) for element in range(self.order) if self.monoid.previous[element])

    def word(self, element: int) -> str:
        """An element as a product of letters; the first heaps that are no products are a, b, c, ...

        >>> nim = misere_quotient("0.333", 3)
        >>> [nim.word(nim.heaps[size]) for size in range(4)]
        ['1', 'a', 'b', 'ab']
        """
        letters = "abcdefghijklmnopqrstuvwxyz"
        names = [letters[i] if i < 26 else f"h{heap}" for i, heap in enumerate(self.generators)]
        powers = zip(names, self.monoid.words[element], strict=True)
        return "".join(name if power == 1 else f"{name}^{power}" for name, power in powers if power) or "1"

    def element(self, heaps: Iterable[int]) -> int:
        """The element of a sum of heaps."""
        found = 0
        for heap in heaps:
            found = self.monoid.product(found, self.heaps[self._within(heap)])
        return found

    def outcome(self, heaps: Iterable[int]) -> str:
        """Who wins a sum of heaps under misere play: N, whoever moves next, or P, the previous player.

        >>> misere_quotient("0.3").outcome([1, 1, 1])
        'P'
        """
        return "P" if self.monoid.previous[self.element(heaps)] else "N"

    def _within(self, heap: int) -> int:
        if heap < 0:
            raise InputError(f"a heap of {heap}, expected 0 or more")
        if heap < len(self.heaps):
            return heap
        if self.period is None:
            message = f"a heap of {heap} of {self.code}, whose quotient is known up to {len(self.heaps) - 1}"
            raise LimitReachedError(message)
        return self.period.preperiod + (heap - self.period.preperiod) % self.period.length


def misere_quotient(code: str | OctalCode, largest: int | None = None) -> MisereQuotient:
    """The misere quotient of an octal game; with ``largest``, of its heaps up to that one.

    Without ``largest`` heaps are added until their elements repeat; then the period is proven for all heaps, as in the
    periodicity theorem of Guy and Smith: two heaps that are left of a large one include a large one.

    >>> misere_quotient("0.123").order, misere_quotient("0.75").order
    (20, 8)
    """
    rules = OctalCode.parse(code) if isinstance(code, str) else code
    if not rules.is_octal or rules.unequal:
        raise InputError(f"{rules} is no plain octal code, expected digits 0 to 7 such as 0.77")
    if rules.digits[0]:
        raise InputError(f"{rules} breaks heaps without taking from them, expected a code that begins with 0")
    search = _Search(rules)
    for size in range(1, (MOST_HEAP if largest is None else largest) + 1):
        search.add(size)
        if largest is None and (period := _period(search.elements, len(rules.digits) - 1)) is not None:
            return search.found(period)
    if largest is None:
        raise LimitReachedError(f"no period of the misere quotient of {rules} up to heaps of {MOST_HEAP}")
    return search.found(None)


def _period(elements: Sequence[int], taken: int) -> Period | None:
    """The period that the elements of the heaps prove: those from 2 n0 + 2 p + k on have the options of p fewer."""
    known = len(elements)
    for length in range(1, (known - taken) // 2 + 1):
        start = known - length
        while start > 0 and elements[start - 1] == elements[start - 1 + length]:
            start -= 1
        if 2 * start + 2 * length + taken <= known:
            return Period(start, length, 2 * start + 2 * length + taken)
    return None


class _Search:
    """The quotient of the heaps so far, with its proof."""

    def __init__(self, rules: OctalCode) -> None:
        self.rules = rules
        self.generators: list[int] = []
        self.words: list[Word] = [()]  # how heaps are expressed by generators
        self.elements = [0]
        self.monoid = Monoid(((),), ((),), (False,))
        self.proof = _Transitions(self.monoid)

    def found(self, period: Period | None) -> MisereQuotient:
        return MisereQuotient(str(self.rules), self.monoid, tuple(self.elements), tuple(self.generators), period)

    def add(self, size: int) -> None:
        """The quotient with one more heap: as it is, if some element does for the heap, else learned anew."""
        self.words.append(self._zero())
        if not self._placed(size):
            self.generators.append(size)
            self._learn(size)

    def _zero(self) -> Word:
        return (0,) * len(self.generators)

    def _options(self, size: int) -> frozenset[int]:
        product = self.monoid.product
        found = set()
        for left in self.rules.options(size):
            element = 0
            for heap in left:
                element = product(element, self.elements[heap])
            found.add(element)
        return frozenset(found)

    def _placed(self, size: int) -> bool:
        """Gives a heap an element that proves right, if there is one."""
        options = self._options(size)
        for element in self._likely(size, options):
            if self.proof.holds_with((element, options)):
                self.elements.append(element)
                if element != self.monoid.element(self._padded(self.words[size])):
                    self.words[size] = self.monoid.words[element]
                return True
        return False

    def _likely(self, size: int, options: frozenset[int]) -> list[int]:
        """Elements that no company shows to be wrong at once; the one that the heap had before first."""
        if size in self.generators:
            return [self.monoid.element(self._letter(size))]
        product, previous = self.monoid.product, self.monoid.previous
        count = len(self.monoid.words)
        fine = [
            element
            for element in range(count)
            if not any(
                previous[product(element, z)] and any(previous[product(option, z)] for option in options)
                for z in range(count)
            )
        ]
        before = self.monoid.element(self._padded(self.words[size]))
        return sorted(fine, key=lambda element: element != before)

    def _letter(self, size: int) -> Word:
        return tuple(int(heap == size) for heap in self.generators)

    def _padded(self, word: Word) -> Word:
        return word + (0,) * (len(self.generators) - len(word))

    def _learn(self, size: int) -> None:
        """Learns the quotient of the generators, and places all heaps anew.

        A heap that finds no place becomes a generator. If it is one already, then either some heap has got another
        word meanwhile, and the generators are learned anew; or some heap is not quite what its word says in company of
        this generator, and becomes a generator as well.
        """
        while True:
            used = list(self.words)
            self.monoid = learned([self._option_words(heap) for heap in self.generators], MOST_ELEMENTS)
            self.proof = _Transitions(self.monoid)
            self.elements = [0]
            failed = next((heap for heap in range(1, size + 1) if not self._placed(heap)), None)
            if failed is None:
                return
            if failed not in self.generators:
                self._promote(failed)
            elif self.words == used:
                pairs = [(self.elements[heap], self._options(heap)) for heap in range(len(self.elements))]
                blamed = [pairs.index(pair) for pair in self.proof.blamed if pair in pairs]
                if not (others := [heap for heap in blamed if heap not in self.generators]):
                    raise LimitReachedError(f"no misere quotient of {self.rules} was found for heaps up to {failed}")
                self._promote(max(others))

    def _promote(self, heap: int) -> None:
        """Makes a heap a generator, and rewrites the words of all."""
        old = self.generators
        self.generators = sorted([*old, heap])
        for size, word in enumerate(self.words):
            powers = dict(zip(old, word, strict=False))
            self.words[size] = tuple(powers.get(generator, 0) for generator in self.generators)

    def _option_words(self, size: int) -> list[Word]:
        found = []
        for left in self.rules.options(size):
            word = self._zero()
            for heap in left:
                letters = self._letter(heap) if heap in self.generators else self._padded(self.words[heap])
                word = plus(word, letters)
            found.append(word)
        return list(dict.fromkeys(found))


class _Transitions:
    """The transition algebra: what pairs of a class and the classes of its options sums of heaps have."""

    def __init__(self, monoid: Monoid) -> None:
        self.monoid = monoid
        self.heaps: list[Pair] = []
        self.pairs: dict[Pair, tuple[Pair, Pair] | None] = {(0, frozenset()): None}
        """Each with the pair and the heap that it is the product of."""
        self.blamed: list[Pair] = []
        """The heaps of a sum whose outcome was wrong, when a heap was tried last."""

    def holds_with(self, heap: Pair) -> bool:
        """Whether all sums have the right outcome with one more sort of heaps; if so, it is taken in."""
        if heap in self.heaps:
            return True
        look, heaps = step_look(), [*self.heaps, heap]
        known = dict(self.pairs)
        waiting = [(pair, [heap]) for pair in self.pairs]
        while waiting:
            look()
            pair, factors = waiting.pop()
            for factor in factors:
                made = self._times(pair, factor)
                if made in known:
                    continue
                known[made] = pair, factor
                if not self._right(made):
                    self.blamed = self._factors(made, known)
                    return False
                if len(known) > MOST_TRANSITIONS:
                    raise LimitReachedError(f"a transition algebra of more than {MOST_TRANSITIONS:,} elements")
                waiting.append((made, heaps))
        self.heaps, self.pairs = heaps, known
        return True

    def _factors(self, pair: Pair, known: dict[Pair, tuple[Pair, Pair] | None]) -> list[Pair]:
        found = []
        while (made := known[pair]) is not None:
            pair, factor = made
            found.append(factor)
        return found

    def _times(self, pair: Pair, heap: Pair) -> Pair:
        product = self.monoid.product
        element, options = pair
        other, others = heap
        moved = {product(option, other) for option in options} | {product(element, option) for option in others}
        return product(element, other), frozenset(moved)

    def _right(self, pair: Pair) -> bool:
        previous = self.monoid.previous
        element, options = pair
        if not options:
            return not previous[element]  # who cannot move wins
        return previous[element] == (not any(previous[option] for option in options))
