"""The reductions from formulas to sums of depth 2, each with the lemma that it comes from (Yedwab 1985, chapter 4).

QBF -> 2P-EXACT-COVER -> 2P-GEN-PARTITION -> 2P-ALT = 2P-SUBSET-SWITCH -> SUM; and for one person PARTITION -> ALT =
SUBSET SWITCH -> SUM, by the same functions. Numbers get exponentially large in the length of the formula, that is,
linearly many digits; Python's integers hold them (erratum 21).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from zermelo.encode.sum.alternating import AlternatingFormula
from zermelo.encode.sum.problems import Alt, ExactCover, GenPartition


def cover_of_formula(formula: AlternatingFormula) -> ExactCover:
    """Lemma 4.2: Left wins the cover exactly if the formula is true.

    The points are the clauses C_j and, for each literal l in C_j, one point l^j. Choosing side 0 (X_i) takes all points
    x_i^j and so means that x_i is *false*: those points can no longer go together with C_j. Side 1 takes all of -x_i.
    The extras are {l^j} and {l^j, C_j} for each. What a false literal has is covered; each point of a true literal
    must be covered by an extra, alone or with its clause, and each clause needs exactly one true literal for that.

    >>> cover_of_formula(AlternatingFormula(("x", "y"), ((1, -2),))).points
    3
    """
    points_of: dict[int, list[int]] = defaultdict(list)
    extras: list[frozenset[int]] = []
    points = len(formula.clauses)
    for j, clause in enumerate(formula.clauses):
        for literal in clause:
            points_of[literal].append(points)
            extras += [frozenset({points}), frozenset({points, j})]
            points += 1
    variables = range(1, len(formula.names) + 1)
    choices = tuple((frozenset(points_of[i]), frozenset(points_of[-i])) for i in variables)
    return ExactCover(points, choices, tuple(extras))


def partition_of_cover(cover: ExactCover) -> GenPartition:
    """Lemma 4.3: sets as numbers with a digit for each point, 1 where the set has it; the target is 11...1.

    The base exceeds the number of sets that any point is in, so that digits never carry. In a formula of clauses with
    three literals every point is in three sets, and the base is 4: the target is (4^k - 1)/3 (erratum 12).

    >>> partition_of_cover(ExactCover(2, (), (frozenset({0}), frozenset({0, 1}))))
    GenPartition(choices=(), extras=(1, 5), target=5)
    """
    uses = Counter(point for pair in cover.choices for part in pair for point in part)
    uses.update(point for part in cover.extras for point in part)
    base = max(3, *uses.values(), 0) + 1

    def number(points: frozenset[int]) -> int:
        return sum(base**point for point in points)

    choices = tuple((number(first), number(second)) for first, second in cover.choices)
    return GenPartition(choices, tuple(map(number, cover.extras)), (base**cover.points - 1) // (base - 1))


def alt_of_partition(partition: GenPartition) -> Alt:
    """Lemmas 4.1 and 4.4: the numbers in the low bits of numbers whose high bits fix the order.

    Let every sum that matters be below 2^w. Extra j of m becomes 2^(s - 2j) + y_j and 2^(s - 2j), with s = w + 2m:
    either both are selected, and add y_j, or neither is. (If the largest that is selected without its companion has the
    high bit 2^h, the alternating sum of it and of all behind it is over 2^h - 2^(h - 2) - 2^w, too far off; the last
    ones have h = w and nothing behind them.) Choice i = 0, 1, ..., n becomes 2^(t - i) + x_i where Left chooses, and
    2^(t - i) - x_i where Right does, whose numbers count negatively; t = s + n. The high bits of the choices add
    2^(t - 1) + 2^(t - 3) + ... + 2^s to the target: the last power is 2^s (erratum 13), n being odd.

    >>> alt_of_partition(GenPartition((), (1, 2), 2))
    Alt(choices=(), extras=(33, 32, 10, 8), target=2)
    """
    pairs = list(partition.choices)
    if len(pairs) % 2:
        pairs.append((0, 0))
    everything = [*partition.extras, partition.target, *(number for pair in pairs for number in pair)]
    if min(everything) < 0:
        raise ValueError("a negative number: the reduction is for natural numbers")
    width = sum(everything).bit_length()
    s = width + 2 * len(partition.extras)
    t = s + len(pairs) - 1
    choices = []
    for i, (first, second) in enumerate(pairs):
        high, sign = 1 << (t - i), -1 if i % 2 else 1
        choices.append((high + sign * first, high + sign * second))
    extras = []
    for j, number in enumerate(partition.extras, 1):
        high = 1 << (s - 2 * j)
        extras += [high + number, high]
    target = partition.target + sum(1 << (t - i) for i in range(1, len(pairs), 2))
    return Alt(tuple(choices), tuple(extras), target)


def partition_of_numbers(numbers: Sequence[int]) -> GenPartition:
    """PARTITION: can natural numbers be parted into two halves of equal sum?

    An odd sum has no half. Twice the numbers have the same answer and an even sum.

    >>> partition_of_numbers([3, 1, 1, 2, 2, 1])
    GenPartition(choices=(), extras=(3, 1, 1, 2, 2, 1), target=5)
    >>> partition_of_numbers([1, 2]).target
    3
    """
    factor = 1 + sum(numbers) % 2
    return GenPartition((), tuple(factor * number for number in numbers), factor * sum(numbers) // 2)
