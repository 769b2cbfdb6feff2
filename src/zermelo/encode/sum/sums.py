"""2P-SUBSET-SWITCH as a sum of games of depth 2 (Yedwab 1985, theorems 4.1 and 4.2, with errata 9, 10 and 14).

    J    {{oo | A_1 + ... + A_m - C} | -oo}     Left must begin here, and Right must answer
    K_i  {{x|-x}, {x'|-x'} | -F_i}              choice i of Left's, i odd: whoever does not play here in time
         {F_i | {x|-x}, {x'|-x'}}               or of Right's, i even: loses F_i
    G_j  {{y_j|-y_j} | -A_j} + {0 | -A_j}       extra j: Left moves in the first to select it, in the second not to
    H    {C | -C}                               then Left must take C
    I    {D | -S, {S | -E}}                     and Right decides whether S - L or L - S is counted
    up   {0 | {0|0}}                            so that at a score of 0 Right is to move, and Left has won

with L the value V_L of the switches that are left when Right moves in I. After -S Left starts on the switches, and the
score is L - S. After {S|-E} Left answers S, Right starts, and it is S - L. Left wins iff both are at least 0 (erratum
9): iff L = S. Each constant is more than all that comes after it is worth, so nobody can play out of turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from zermelo.cgt.scores.scored import Tree, leaf, tree
from zermelo.encode.sum.problems import Alt


@dataclass(frozen=True)
class Component:
    """One game of the sum, its name in the proof, and what its role is."""

    name: str
    game: Tree
    role: str


@dataclass(frozen=True)
class Constants:
    """Numbers that force the order of play, from the largest to the smallest.

    >>> constants_of(Alt((), (2, 1), 1)).e
    7
    """

    infinity: int
    f: tuple[int, ...]
    a: tuple[int, ...]
    c: int
    d: int
    e: int
    s: int


@dataclass(frozen=True)
class EncodedSum:
    """A sum that Left, moving first, wins exactly if he wins ``problem``.

    >>> encoded = sum_of_switches(Alt((), (2, 1), 1))
    >>> [component.name for component in encoded.components]
    ['J', 'G1', "G1'", 'G2', "G2'", 'H', 'I', 'up']
    """

    problem: Alt
    constants: Constants
    components: tuple[Component, ...]
    first_choice: int = 1
    """The place of K_1 among the components; choice i is the one at ``first_choice + i``."""
    sides: Mapping[tuple[int, Tree], int] = field(default_factory=dict)
    """Of the component and the option there that a choice is made by: the side that is chosen, 0 or 1."""

    @property
    def games(self) -> list[Tree]:
        """The components alone.

        >>> len(sum_of_switches(Alt((), (2, 1), 1)).games)
        8
        """
        return [component.game for component in self.components]

    def sides_chosen(self, moves: Iterable[tuple[int, Tree]]) -> dict[int, int]:
        """Of each choice made by these moves (component, option), counted from 0, the side that was taken.

        >>> encoded = sum_of_switches(Alt(((5, 4), (3, 2)), (1,), 3))
        >>> encoded.sides_chosen([(1, encoded.components[1].game.left[1])])
        {0: 1}
        """
        return {
            component - self.first_choice: self.sides[component, option]
            for component, option in moves
            if (component, option) in self.sides
        }


def constants_of(problem: Alt) -> Constants:
    """The smallest constants that satisfy the inequalities of theorem 4.2, with erratum 14.

    The thesis's sum of all x stands for all numbers of the problem. A target that no selection can reach, since it is
    negative or more than all of them together, is replaced by one just out of reach: then S <= sum + 1 (erratum 10).
    """
    everything = sum(problem.extras) + sum(number for pair in problem.choices for number in pair)
    s = problem.target if 0 <= problem.target <= everything else everything + 1
    total = max(everything, s)
    e = 2 * total + 1
    d = 4 * e + 1
    c = d + total + 1
    last = c + d + e + s + total
    a = _descending(last, len(problem.extras))
    f = _descending(a[0] if a else last, len(problem.choices))
    # More than the largest leaves of all other components together; J itself has A_1 + ... + A_m - C as well.
    infinity = 2 * (sum(f) + 2 * sum(a) + c + d + total + s) + 1
    return Constants(infinity, f, a, c, d, e, s)


def _descending(last: int, count: int) -> tuple[int, ...]:
    """That many numbers, each more than four times the one behind it, the last more than four times the given."""
    found = []
    for _ in range(count):
        last = 4 * last + 1
        found.append(last)
    return tuple(reversed(found))


def sum_of_switches(problem: Alt, constants: Constants | None = None) -> EncodedSum:
    """Theorem 4.2, and theorem 4.1 where there are no choices: the problem as a sum of games of depth at most 2.

    >>> encoded = sum_of_switches(Alt((), (3,), 3))
    >>> [str(game) for game in encoded.games[1:]]
    ['{3|-3||-301}', '{0|-301}', '{33|-33}', '{29|-3,{3|-7}}', '{0||0|0}']
    """
    if len(problem.choices) % 2:
        raise ValueError("an odd number of choices: the last one must be Right's")
    if any(number <= 0 for number in (*problem.extras, *(n for pair in problem.choices for n in pair))):
        raise ValueError("a switch without temperature: the reduction is for positive numbers")
    k = constants or constants_of(problem)
    threat = tree([leaf(k.infinity)], [leaf(sum(k.a) - k.c)])
    components = [Component("J", tree([threat], [leaf(-k.infinity)]), "Left begins here, Right answers")]
    sides: dict[tuple[int, Tree], int] = {}
    for i, (pair, bar) in enumerate(zip(problem.choices, k.f, strict=True), 1):
        options = [_switch(number) for number in pair]
        sides |= {(i, option): side for side, option in reversed(list(enumerate(options)))}
        game = tree(options, [leaf(-bar)]) if i % 2 else tree([leaf(bar)], options)
        components.append(Component(f"K{i}", game, f"{'Left' if i % 2 else 'Right'} chooses a switch"))
    for j, (number, bar) in enumerate(zip(problem.extras, k.a, strict=True), 1):
        components.append(Component(f"G{j}", tree([_switch(number)], [leaf(-bar)]), "Left moves here to select"))
        components.append(Component(f"G{j}'", tree([leaf(0)], [leaf(-bar)]), "and here not to"))
    components.append(Component("H", _switch(k.c), "Left moves here when he has selected"))
    decision = tree([leaf(k.d)], [leaf(-k.s), tree([leaf(k.s)], [leaf(-k.e)])])
    components.append(Component("I", decision, "Right decides which difference counts"))
    up = tree([leaf(0)], [tree([leaf(0)], [leaf(0)])])
    components.append(Component("up", up, "at a score of 0 Right is to move"))
    return EncodedSum(problem, k, tuple(components), 1, sides)


def _switch(number: int) -> Tree:
    return tree([leaf(number)], [leaf(-number)])
