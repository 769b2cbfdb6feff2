"""Any number of switches beside a few other trees: dynamic programming (Yedwab 1985, sections 3.3.1 and 3.3.2).

*Theorem 3.1, for all sums.* Let the switch of temperature t_1 be the hottest of a sum, and t_i another. After
Left's move in the first, less Left's move in the other, everything cancels but t_1 - {t_1|-t_1} + {t_i|-t_i} - t_i
(erratum 6), which Left wins moving second: whichever switch Right takes, Left takes the other. What else is in the sum
does not matter, so of all switches only the hottest need be looked at.

So the switches are played in order. A left-heavy tree is untouched, a switch, or done (erratum 7); how many plain
switches are gone and whose turn it is completes the state: 3^c (n + 1) 2 states for c trees and n switches. That is
linear in n for constant c and polynomial for c = O(log n). The same goes for other trees, with the positions of each,
up to a number added, in the place of the three states. Which of several equal trees is where does not matter: k copies
of a tree with p states have (k + p - 1 over p - 1) states together, so any number of trees of few kinds is easy too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import comb
from typing import NamedTuple

from zermelo.cgt.easy.outcome import Move, Outcome, total_of
from zermelo.cgt.easy.switches import switch_of
from zermelo.cgt.scored import LEFT_TO_MOVE, RIGHT_TO_MOVE, Stop, Tree, moved_by, positions

MOST_STATES = 200_000
"""Sums with more states than this are left to search."""


class State(NamedTuple):
    """The trees that are not done, up to a number added and in any order, plain switches gone, and whose turn it is."""

    trees: tuple[Tree, ...]
    gone: int
    left_moves: bool


def centred(game: Tree) -> tuple[Fraction, Tree]:
    """The game as a number and a game whose left stop is 0: equal for games that differ by a number.

    >>> from zermelo.cgt.scored import trees_of
    >>> number, game = centred(trees_of("{{9|5}|3}")[0])
    >>> number, str(game)
    (Fraction(5, 1), '{4|0||-2}')
    """
    return game.left_stop, moved_by(game, -game.left_stop)


def states_of(components: Sequence[Tree]) -> int:
    """How many states the dynamic program has at most.

    >>> from zermelo.cgt.scored import trees_of
    >>> states_of(trees_of("{9|5||3} + {8|1||0} + {4|-4} + {3|-3}"))
    54
    """
    switches = sum(switch_of(game) is not None for game in components)
    copies = Counter(centred(game)[1] for game in components if game.number is None and switch_of(game) is None)
    count = 2 * (switches + 1)
    for game, number in copies.items():
        hot = {centred(position)[1] for position in positions(game) if position.number is None}
        count *= comb(number + len(hot), len(hot))
        if count > MOST_STATES:
            break
    return count


def play_few(components: Sequence[Tree], left_starts: bool) -> Outcome:
    """Best play of switches beside other trees; time and memory as :func:`states_of` says.

    >>> from zermelo.cgt.scored import trees_of
    >>> outcome = play_few(trees_of("{20|8||-2} + {15|-15} + {10|-10} + {5|-5} + {2|-2}"), left_starts=True)
    >>> outcome.score, outcome.move.component
    (Fraction(16, 1), 1)
    """
    return _Table(components).outcome(left_starts)


class _Table:
    """The dynamic program of one sum; states are worked out on demand, without recursion."""

    def __init__(self, components: Sequence[Tree]):
        self.components = components
        self.centre: dict[Tree, tuple[Fraction, Tree | None]] = {}
        self.temperature: dict[Tree, Fraction | None] = {}
        self.stops: dict[State, Stop] = {}
        self.score = total_of(components)
        plain: list[tuple[Fraction, int]] = []
        self.others: list[tuple[int, Tree]] = []
        for place, game in enumerate(components):
            switch = switch_of(game)
            if switch is not None:
                plain.append((switch.temperature, place))
                self.score += switch.mean
            elif game.number is None:
                offset, position = self.centred(game)
                assert position is not None
                self.score += offset
                self.others.append((place, position))
        self.plain = sorted(plain, key=lambda entry: (-entry[0], entry[1]))

    def centred(self, game: Tree) -> tuple[Fraction, Tree | None]:
        """A position as a number and what stays of it in the state."""
        if game not in self.centre:
            offset, position = (game.number, None) if game.number is not None else centred(game)
            self.centre[game] = offset, position
            if position is not None:
                switch = switch_of(position)
                self.temperature[position] = None if switch is None else switch.temperature
        return self.centre[game]

    def moves(self, state: State) -> list[tuple[Fraction, State]]:
        """What each move that matters adds to the score, and the state after it."""
        trees, gone, left_moves = state
        found: list[tuple[Fraction, State]] = []
        hottest, at = (self.plain[gone][0], -1) if gone < len(self.plain) else (None, -1)
        for place, position in enumerate(trees):
            if place and position is trees[place - 1]:
                continue  # a copy: the same moves again
            temperature = self.temperature[position]
            if temperature is None:
                rest = trees[:place] + trees[place + 1 :]
                for option in position.left if left_moves else position.right:
                    offset, left_over = self.centred(option)
                    after = rest if left_over is None else in_order((*rest, left_over))
                    found.append((offset, State(after, gone, not left_moves)))
            elif hottest is None or temperature > hottest:
                hottest, at = temperature, place
        if hottest is not None and at < 0:
            found.append((hottest if left_moves else -hottest, State(trees, gone + 1, not left_moves)))
        elif hottest is not None:
            [option] = trees[at].left if left_moves else trees[at].right
            found.append((option.left_stop, State(trees[:at] + trees[at + 1 :], gone, not left_moves)))
        return found

    def stop(self, root: State) -> Stop:
        """Where best play from a state stops, the score counted from 0."""
        stack = [root]
        while stack:
            state = stack[-1]
            if state in self.stops:
                stack.pop()
                continue
            moves = self.moves(state)
            missing = [after for _, after in moves if after not in self.stops]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            over = (Fraction(0), LEFT_TO_MOVE if state.left_moves else RIGHT_TO_MOVE)
            reached = [(gain + self.stops[after][0], self.stops[after][1]) for gain, after in moves]
            self.stops[state] = (max if state.left_moves else min)(reached, default=over)
        return self.stops[root]

    def outcome(self, left_starts: bool) -> Outcome:
        """The answer for one starter."""
        trees = in_order(position for _, position in self.others)
        stop = self.stop(State(trees, 0, left_starts))
        best = (self.score + stop[0], stop[1])
        return Outcome(best, next((move for move, reached in self.first_moves(left_starts) if reached == best), None))

    def first_moves(self, left_starts: bool) -> Iterator[tuple[Move, Stop]]:
        """The first moves that matter, the hottest switch before others, and where best play after each stops."""
        all_trees = [position for _, position in self.others]
        if self.plain:
            temperature, place = self.plain[0]
            game = self.components[place]
            score, turn = self.stop(State(in_order(all_trees), 1, not left_starts))
            gain = temperature if left_starts else -temperature
            yield Move(place, (game.left if left_starts else game.right)[0]), (self.score + gain + score, turn)
        for number, (place, _) in enumerate(self.others):
            game = self.components[place]
            for option in game.left if left_starts else game.right:
                offset, left_over = self.centred(option)
                rest = all_trees[:number] + all_trees[number + 1 :]
                after = State(in_order(rest if left_over is None else [*rest, left_over]), 0, not left_starts)
                score, turn = self.stop(after)
                yield Move(place, option), (self.score - game.left_stop + offset + score, turn)


def in_order(trees: Iterable[Tree]) -> tuple[Tree, ...]:
    """The trees in an order that depends on them alone, so that equal states are equal.

    >>> from zermelo.cgt.scored import trees_of
    >>> one, other = trees_of("{3||2|-1} + {9|5||3}")
    >>> in_order([one, other]) == in_order([other, one])
    True
    """
    return tuple(sorted(trees, key=id))
