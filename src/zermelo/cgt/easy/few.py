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
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import comb

from zermelo.cgt.easy.outcome import Move, Outcome, total_of
from zermelo.cgt.easy.switches import switch_of
from zermelo.cgt.scores.scored import LEFT_TO_MOVE, RIGHT_TO_MOVE, Stop, Tree, moved_by, positions
from zermelo.cgt.text.written_expression import no_look

MOST_STATES = 200_000
"""Sums with more states than this are left to search."""
MOST_POSITIONS = 1_000
"""Sums with a tree of more positions than this are left to search."""


State = tuple[tuple[int, ...], int, bool]
"""The trees that are not done, by number and in ascending order, plain switches gone, and whether Left is to move."""


def centred(game: Tree) -> tuple[Fraction, Tree]:
    """The game as a number and a game whose left stop is 0: equal for games that differ by a number.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> number, game = centred(trees_of("{{9|5}|3}")[0])
    >>> number, str(game)
    (Fraction(5, 1), '{4|0||-2}')
    """
    return game.left_stop, moved_by(game, -game.left_stop)


def states_of(components: Sequence[Tree]) -> int:
    """How many states the dynamic program has at most.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> states_of(trees_of("{9|5||3} + {8|1||0} + {4|-4} + {3|-3}"))
    54
    """
    copies = Counter(game for game in components if game.number is None and switch_of(game) is None)
    if any(len(positions(game)) > MOST_POSITIONS for game in copies):
        return MOST_STATES + 1
    kinds: Counter[Tree] = Counter()
    for game, number in copies.items():
        kinds[centred(game)[1]] += number
    count = 2 * (1 + sum(switch_of(game) is not None for game in components))
    for game, number in kinds.items():
        hot = {centred(position)[1] for position in positions(game) if position.number is None}
        count *= comb(number + len(hot), len(hot))
        if count > MOST_STATES:
            break
    return count


def play_few(components: Sequence[Tree], left_starts: bool, look: Callable[[], None] = no_look) -> Outcome:
    """Best play of switches beside other trees; time and memory as :func:`states_of` says. ``look`` sees every step.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> outcome = play_few(trees_of("{20|8||-2} + {15|-15} + {10|-10} + {5|-5} + {2|-2}"), left_starts=True)
    >>> outcome.score, outcome.move.component
    (Fraction(16, 1), 1)
    """
    return _Table(components, look).outcome(left_starts)


class _Table:
    """The dynamic program of one sum; states are worked out on demand, without recursion.

    Positions up to a number added have numbers, and scores are whole numbers of ``1/scale``: states are many.
    """

    def __init__(self, components: Sequence[Tree], look: Callable[[], None]) -> None:
        self.components, self.look = components, look
        self.scale = 2 * max(
            (p.number.denominator for p in _all_positions(components) if p.number is not None), default=1
        )
        self.numbers: dict[Tree, int] = {}
        self.temperature: list[int | None] = []
        self.left: list[list[tuple[int, int]]] = []
        self.right: list[list[tuple[int, int]]] = []
        self.stops: dict[State, tuple[int, int]] = {}
        self.score = self.scaled(total_of(components))
        plain: list[tuple[int, int]] = []
        self.others: list[tuple[int, int]] = []
        for place, game in enumerate(components):
            switch = switch_of(game)
            if switch is not None:
                plain.append((self.scaled(switch.temperature), place))
                self.score += self.scaled(switch.mean)
            elif game.number is None:
                self.score += self.scaled(game.left_stop)
                self.others.append((place, self.numbered(game)[1]))
        self.plain = sorted(plain, key=lambda entry: (-entry[0], entry[1]))

    def scaled(self, number: Fraction) -> int:
        """A number of the sum, or half of one, in units of ``1/scale``."""
        return number.numerator * (self.scale // number.denominator)

    def numbered(self, game: Tree) -> tuple[int, int]:
        """A position as a score and the number of what stays of it in the state, -1 for nothing."""
        if game.number is not None:
            return self.scaled(game.number), -1
        centre = centred(game)[1]
        if centre not in self.numbers:
            # Positions come before what they are positions of: no recursion deeper than one option.
            for position in positions(centre):
                if position.number is None:
                    self.enter(centred(position)[1])
        return self.scaled(game.left_stop), self.numbers[centre]

    def enter(self, centre: Tree) -> None:
        """Numbers a position whose options have numbers already."""
        if centre in self.numbers:
            return
        left, right = ([self.numbered(option) for option in side] for side in (centre.left, centre.right))
        switch = switch_of(centre)
        self.numbers[centre] = len(self.left)
        self.temperature.append(None if switch is None else self.scaled(switch.temperature))
        self.left.append(left)
        self.right.append(right)

    def moves(self, state: State) -> list[tuple[int, State]]:
        """What each move that matters adds to the score, and the state after it."""
        trees, gone, left_moves = state
        found: list[tuple[int, State]] = []
        options = self.left if left_moves else self.right
        hottest, at = (self.plain[gone][0], -1) if gone < len(self.plain) else (-1, -1)
        for place, number in enumerate(trees):
            if place and number == trees[place - 1]:
                continue  # a copy: the same moves again
            temperature = self.temperature[number]
            if temperature is None:
                rest = trees[:place] + trees[place + 1 :]
                for gain, reached in options[number]:
                    after = rest if reached < 0 else tuple(sorted((*rest, reached)))
                    found.append((gain, (after, gone, not left_moves)))
            elif temperature > hottest:
                hottest, at = temperature, place
        if at >= 0:
            found.append((options[trees[at]][0][0], (trees[:at] + trees[at + 1 :], gone, not left_moves)))
        elif hottest >= 0:
            found.append((hottest if left_moves else -hottest, (trees, gone + 1, not left_moves)))
        return found

    def stop(self, root: State) -> tuple[int, int]:
        """Where best play from a state stops, the score counted from 0, and who is to move then."""
        stops, stack = self.stops, [root]
        while stack:
            self.look()
            state = stack[-1]
            if state in stops:
                stack.pop()
                continue
            moves = self.moves(state)
            missing = [after for _, after in moves if after not in stops]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            over = (0, LEFT_TO_MOVE if state[2] else RIGHT_TO_MOVE)
            reached = [(gain + stops[after][0], stops[after][1]) for gain, after in moves]
            stops[state] = (max if state[2] else min)(reached, default=over)
        return stops[root]

    def outcome(self, left_starts: bool) -> Outcome:
        """The answer for one starter."""
        score, turn = self.stop((self.all_trees(), 0, left_starts))
        best = Fraction(self.score + score, self.scale), turn
        return Outcome(best, next((move for move, reached in self.first_moves(left_starts) if reached == best), None))

    def all_trees(self) -> tuple[int, ...]:
        return tuple(sorted(number for _, number in self.others))

    def first_moves(self, left_starts: bool) -> Iterator[tuple[Move, Stop]]:
        """The first moves that matter, the hottest switch before others, and where best play after each stops."""
        if self.plain:
            temperature, place = self.plain[0]
            game = self.components[place]
            score, turn = self.stop((self.all_trees(), 1, not left_starts))
            total = self.score + score + (temperature if left_starts else -temperature)
            yield Move(place, (game.left if left_starts else game.right)[0]), (Fraction(total, self.scale), turn)
        for index, (place, _) in enumerate(self.others):
            game = self.components[place]
            rest = [number for other, (_, number) in enumerate(self.others) if other != index]
            for option in game.left if left_starts else game.right:
                gain, reached = self.numbered(option)
                after = rest if reached < 0 else [*rest, reached]
                score, turn = self.stop((tuple(sorted(after)), 0, not left_starts))
                total = self.score - self.scaled(game.left_stop) + gain + score
                yield Move(place, option), (Fraction(total, self.scale), turn)


def _all_positions(components: Sequence[Tree]) -> Iterator[Tree]:
    for game in set(components):
        yield from positions(game)
