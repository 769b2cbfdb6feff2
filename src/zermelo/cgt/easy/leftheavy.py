"""Left-heavy trees ``{{x|y}|z}``, x >= y >= z: one beside switches by a formula, and how pairs of them compare.

(Yedwab 1985, sections 3.3.1 and 3.3.3, with errata 5 and 8.) Sums with a few of them are in
:mod:`zermelo.cgt.easy.few`. A *right-heavy* tree is the negative of a left-heavy one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from zermelo.cgt.easy.outcome import Move, Outcome, to_move_after, total_of
from zermelo.cgt.easy.switches import Switch, switch_of
from zermelo.cgt.scores.scored import Stop, Tree, leaf, negative, tree


@dataclass(frozen=True)
class LeftHeavy:
    """``{{x|y}|z}``: Left's move there threatens x, and Right's answer leaves y.

    >>> str(LeftHeavy(Fraction(9), Fraction(5), Fraction(3)).tree)
    '{9|5||3}'
    """

    x: Fraction
    y: Fraction
    z: Fraction

    @property
    def tree(self) -> Tree:
        """The scored tree.

        >>> str(LeftHeavy(Fraction(9), Fraction(5), Fraction(3)).tree)
        '{9|5||3}'
        """
        return tree([tree([leaf(self.x)], [leaf(self.y)])], [leaf(self.z)])


def left_heavy_of(game: Tree) -> LeftHeavy | None:
    """The three numbers of a left-heavy tree, or None where the game is none.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> [left_heavy_of(game) for game in trees_of("{9|5||3} + {3||2|-1}")]
    [LeftHeavy(x=Fraction(9, 1), y=Fraction(5, 1), z=Fraction(3, 1)), None]
    """
    if len(game.left) != 1 or len(game.right) != 1 or game.right[0].number is None:
        return None
    threat = game.left[0]
    if len(threat.left) != 1 or len(threat.right) != 1:
        return None
    high, low = threat.left[0].number, threat.right[0].number
    return None if high is None or low is None else LeftHeavy(high, low, game.right[0].number)


@dataclass(frozen=True)
class OneLeftHeavy:
    """A left-heavy tree and unbiased switches of descending temperatures; ``sign`` is 1 if Left starts, else -1.

    Moves are counted from 1; t_i is the temperature of switch i, which is taken at move i as long as nobody has moved
    in the tree. ``LeftScore(i)`` is the score if Left moves in the tree at move i, ``RightScore(i)`` if Right does.

    >>> temperatures = tuple(map(Fraction, (15, 10, 5, 2)))
    >>> sum_ = OneLeftHeavy(LeftHeavy(Fraction(20), Fraction(8), Fraction(-2)), temperatures, 1)
    >>> [int(sum_.score(i)) for i in range(1, 6)]
    [6, 20, 16, 10, 16]
    """

    heavy: LeftHeavy
    temperatures: tuple[Fraction, ...]
    sign: int

    def signed(self) -> list[Fraction]:
        """Prefix sums of the switches as they count when they are taken in order: entry j is [1, j] of the thesis."""
        sums, sign = [Fraction(0)], self.sign
        for temperature in self.temperatures:
            sums.append(sums[-1] + sign * temperature)
            sign = -sign
        return sums

    def left_moves_at(self, i: int) -> bool:
        """Is it Left who makes move i?"""
        return (i % 2 == 1) == (self.sign == 1)

    def score(self, i: int) -> Fraction:
        """LeftScore(i) or RightScore(i), according to whose move it is."""
        return self.stops()[i - 1][0]

    def stops(self) -> list[Stop]:
        """The stops if the first move in the tree is move 1, 2, ..., n + 1."""
        sums = self.signed()
        n = len(self.temperatures)
        threat = Switch((self.heavy.x + self.heavy.y) / 2, (self.heavy.x - self.heavy.y) / 2)
        k = sum(temperature >= threat.temperature for temperature in self.temperatures)
        found: list[Stop] = []
        for i in range(1, n + 2):
            if not self.left_moves_at(i):
                # From switch i on everybody takes what the other would have taken.
                score, moves = sums[n] + self.heavy.z - 2 * (sums[n] - sums[i - 1]), n + 1
            elif i > k:
                score, moves = sums[n] + self.heavy.y, n + 2  # Right answers at once: m_0 - t_0 is y
            else:
                sign = self.sign * (-1) ** (k + 1)  # the threat is taken two moves after switch k, by the same side
                score = sums[n] - 2 * (sums[k] - sums[i - 1]) + threat.mean + sign * threat.temperature
                moves = n + 2
            found.append((score, to_move_after(moves, self.sign == 1)))
        return found

    def first_move_in_the_tree(self) -> tuple[int, Stop]:
        """At which move the tree is entered under best play, and where play stops then.

        Backwards: at move i the mover enters or leaves it to the other at move i + 1, whichever stop is better. By
        erratum 5 it comes to the same to compare with entering at move i + 1 alone: see :meth:`enters`.
        """
        stops = self.stops()
        best, at = stops[-1], len(stops)
        for i in range(len(stops) - 1, 0, -1):
            if stops[i - 1] >= best if self.left_moves_at(i) else stops[i - 1] <= best:
                best, at = stops[i - 1], i
        return at, best

    def enters(self, i: int) -> bool:
        """The rule of erratum 5: Left enters at i iff LeftScore(i) >= RightScore(i + 1), Right iff RightScore(i) <=
        LeftScore(i + 1); who makes the last move must."""
        if i > len(self.temperatures):
            return True
        here, next_ = self.score(i), self.score(i + 1)
        return here >= next_ if self.left_moves_at(i) else here <= next_


def play_one_heavy(components: Sequence[Tree], left_starts: bool) -> Outcome:
    """Best play of one left-heavy or right-heavy tree beside switches, in the time that sorting takes.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> outcome = play_one_heavy(trees_of("{20|8||-2} + {15|-15} + {10|-10} + {5|-5} + {2|-2}"), left_starts=True)
    >>> outcome.score, outcome.move.component
    (Fraction(16, 1), 1)
    """
    score = total_of(components)
    hot: list[tuple[Fraction, int]] = []
    at, heavy, mirrored = -1, None, False
    for place, game in enumerate(components):
        if game.number is not None:
            continue
        switch = switch_of(game)
        if switch is not None:
            score += switch.mean
            hot.append((switch.temperature, place))
            continue
        found = left_heavy_of(game)
        mirrored = found is None
        found = found or left_heavy_of(negative(game))
        if found is None or heavy is not None:
            raise ValueError(f"component {place} is one too many: {game}")
        at, heavy = place, found
    if heavy is None:
        raise ValueError("no left-heavy tree among the components")
    hot.sort(key=lambda entry: (-entry[0], entry[1]))
    sign = 1 if left_starts != mirrored else -1
    entered, (gain, turn) = OneLeftHeavy(heavy, tuple(t for t, _ in hot), sign).first_move_in_the_tree()
    place = at if entered == 1 else hot[0][1]
    move = Move(place, (components[place].left if left_starts else components[place].right)[0])
    return Outcome((score - gain, -turn) if mirrored else (score + gain, turn), move)


def with_zero_answer(heavy: LeftHeavy) -> tuple[Fraction, LeftHeavy]:
    """``{{x|y}|z}`` as the number y and ``{{x - y|0}|z - y}`` (erratum 8: plus y, not minus).

    >>> with_zero_answer(LeftHeavy(Fraction(9), Fraction(5), Fraction(3)))
    (Fraction(5, 1), LeftHeavy(x=Fraction(4, 1), y=Fraction(0, 1), z=Fraction(-2, 1)))
    """
    return heavy.y, LeftHeavy(heavy.x - heavy.y, Fraction(0), heavy.z - heavy.y)


def left_prefers(one: LeftHeavy, other: LeftHeavy) -> bool:
    """Is a best move of Left's in the sum of just these two in the first? Not transitive.

    >>> a, b, c = (LeftHeavy(Fraction(x), Fraction(0), Fraction(z)) for x, z in [(1, -1), (2, -1), (2, -2)])
    >>> left_prefers(a, b), left_prefers(b, c), left_prefers(a, c)
    (True, True, False)
    """
    (_, first), (_, second) = with_zero_answer(one), with_zero_answer(other)
    return min(second.z + first.x, Fraction(0)) >= min(first.z + second.x, Fraction(0))


def right_prefers(one: LeftHeavy, other: LeftHeavy) -> bool:
    """Is a best move of Right's in the sum of just these two in the first? He takes the larger gain (erratum 8).

    >>> a, b = (LeftHeavy(Fraction(x), Fraction(0), Fraction(z)) for x, z in [(18, -95), (4, -61)])
    >>> right_prefers(a, b), right_prefers(b, a)
    (True, False)
    """
    return with_zero_answer(one)[1].z <= with_zero_answer(other)[1].z
