"""From a formula, or from the numbers of PARTITION, all the way to a sum of games, and its answer read back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from zermelo.cgt.scores.scored import Tree
from zermelo.cgt.text.notation import MOST_DIGITS
from zermelo.encode.sum.alternating import AlternatingFormula, alternating
from zermelo.encode.sum.chain import alt_of_partition, cover_of_formula, partition_of_cover, partition_of_numbers
from zermelo.encode.sum.problems import Alt, ExactCover, GenPartition
from zermelo.encode.sum.sums import EncodedSum, sum_of_switches
from zermelo.errors import LimitReachedError
from zermelo.qbf.formula import Formula


@dataclass(frozen=True)
class FormulaSum:
    """A formula and what each reduction made of the one before it; Left, moving first, wins ``sum`` iff it is true.

    >>> from zermelo.qbf.qdimacs import parse_qdimacs
    >>> made = sum_of_formula(parse_qdimacs("p cnf 1 1\\ne 1 0\\n1 0\\n"))
    >>> made.cover.points, len(made.alt.extras), len(made.sum.components)
    (2, 4, 14)
    """

    formula: AlternatingFormula
    cover: ExactCover
    partition: GenPartition
    alt: Alt
    sum: EncodedSum

    def values_chosen(self, moves: Iterable[tuple[int, Tree]]) -> dict[str, bool]:
        """Of the moves of a play (component, option), the values that they give to variables of the formula.

        The first side of a choice means false (lemma 4.2); variables without a name only fill a place.

        >>> from zermelo.qbf.qdimacs import parse_qdimacs
        >>> made = sum_of_formula(parse_qdimacs("p cnf 1 1\\ne 1 0\\n1 0\\n"))
        >>> [made.values_chosen([(1, option)]) for option in made.sum.components[1].game.left]
        [{'1': False}, {'1': True}]
        """
        sides = self.sum.sides_chosen(moves)
        return {self.formula.names[place]: side == 1 for place, side in sides.items() if self.formula.names[place]}

    def selection(self, values: Sequence[bool]) -> tuple[int, ...] | None:
        """The switches (extras of ``alt``, by place) that Left selects to win when the variables have these values.

        Each clause is covered with its first true literal, others by themselves; None where a clause has no
        true literal: then no selection wins.

        >>> from zermelo.qbf.qdimacs import parse_qdimacs
        >>> made = sum_of_formula(parse_qdimacs("p cnf 2 1\\ne 1 0\\na 2 0\\n1 2 0\\n"))
        >>> made.selection([True, False]), made.selection([False, False])
        ((2, 3), None)
        """
        found: list[int] = []
        extra = 0
        for clause in self.formula.clauses:
            covered = False
            for literal in clause:
                if values[abs(literal) - 1] == (literal > 0):
                    number = extra + (not covered)  # {l} stands before {l, C}
                    found += [2 * number, 2 * number + 1]
                    covered = True
                extra += 2
            if not covered:
                return None
        return tuple(found)


def sum_of_formula(formula: Formula, *, three: bool = False) -> FormulaSum:
    """The whole chain; ``three`` brings the clauses to three literals first, as the thesis does.

    >>> from zermelo.qbf.qdimacs import parse_qdimacs
    >>> text = "p cnf 2 1\\ne 1 0\\na 2 0\\n1 2 0\\n"
    >>> [len(sum_of_formula(parse_qdimacs(text), three=three).sum.components) for three in (False, True)]
    [22, 32]
    """
    start = alternating(formula, three=three)
    cover = cover_of_formula(start)
    longest = max(map(len, start.clauses), default=0)
    _need_short_numbers(cover.points * max(3, longest).bit_length(), len(cover.extras), len(cover.choices))
    partition = partition_of_cover(cover)
    alt = alt_of_partition(partition)
    return FormulaSum(start, cover, partition, alt, sum_of_switches(alt))


def sum_of_numbers(numbers: Sequence[int]) -> EncodedSum:
    """PARTITION as a sum: Left, moving first, wins iff the numbers can be parted into two halves of equal sum.

    >>> len(sum_of_numbers([3, 1, 1, 2, 2, 1]).components)
    28
    """
    partition = partition_of_numbers(numbers)
    _need_short_numbers(sum(numbers).bit_length(), len(numbers), 0)
    return sum_of_switches(alt_of_partition(partition))


def _need_short_numbers(bits: int, extras: int, choices: int) -> None:
    """Refuses what would need numbers too long to be read again; an extra takes six bits more, a choice three."""
    digits = (bits + 6 * extras + 3 * choices) * 3 // 10
    if digits > MOST_DIGITS:
        raise LimitReachedError(
            f"the sum would have {2 * (2 * extras) + choices + 4:,} games with numbers of some {digits:,} digits, "
            f"at most {MOST_DIGITS:,} digits can be read again"
        )
