"""Exact values of small games of every kind, by backward induction over a forward model.

Chance is averaged. What players do depends on the game: one player, or several whose scores agree at every end, take
the joint move that is best for them all; two players whose scores always add up to the same take the minimax move or,
where both move at once, an optimal mixture (von Neumann 1928); others take turns, each for its own score (max^n,
Luckhardt and Irani 1986), which is an equilibrium but no guarantee.

>>> from zermelo.play.library_model import model_of
>>> model = model_of("gdl:matchingpennies")
>>> Backward(model, model.start()).values(model.start())
(Fraction(1, 2), Fraction(1, 2))
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from enum import Enum
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from zermelo.errors import NotApplicableError
from zermelo.exact.matrix_game import matrix_game
from zermelo.search.expectation import mean
from zermelo.search.forward import ForwardModel, joint_moves

Mixture = dict[int, Fraction]
"""Moves with the chances at which they are played."""


class Interests(Enum):
    """How the scores of the players of a game relate."""

    COMMON = "common"
    """One player, or several that always have the same."""
    OPPOSED = "opposed"
    """Two, and what one gains the other loses."""
    MIXED = "mixed"
    """Everything else."""


class Backward:
    """Every position from one on, with the exact value of each for each player, in the order of the model's seats.

    ``step`` is called at every position and may raise an error to stop; ``score`` says what a seat has at an end, if
    that is not what the model says. :class:`NotApplicableError` where positions repeat, or where players with interests
    of their own move at once. Linear in the joint moves.

    >>> from zermelo.play.library_model import model_of
    >>> model = model_of("gdl:orchard:1,1,1")
    >>> Backward(model, model.start()).values(model.start())
    (Fraction(2, 3),)
    """

    def __init__(
        self,
        model: ForwardModel,
        root: Any,
        step: Callable[[], None] = lambda: None,
        score: Callable[[Any, int], Fraction] | None = None,
    ):
        self.model = model
        self._score = score or model.score
        self._node: dict[Any, int] = {root: 0}
        self._legal: list[list[list[int]]] = []
        self._first = array("Q", [0])
        self._target = array("Q")
        self._scores: dict[int, tuple[Fraction, ...]] = {}
        self._expand(root, step)
        self.interests = self._related()
        self._value: list[tuple[Fraction, ...]] = [()] * len(self._legal)
        self._best: list[Sequence[int] | None] = [None] * len(self._legal)
        for node in reversed(self._order()):
            step()
            self._induct(node)

    def __len__(self) -> int:
        return len(self._legal)

    def __contains__(self, position: object) -> bool:
        return position in self._node

    def values(self, position: Any) -> tuple[Fraction, ...]:
        """What each seat can expect from a position on."""
        return self._value[self._node[position]]

    def mixture(self, position: Any, seat: int) -> Mixture:
        """How a seat best plays there: one move, or several at certain chances.

        >>> from zermelo.play.library_model import model_of
        >>> model = model_of("gdl:matchingpennies")
        >>> Backward(model, model.start()).mixture(model.start(), 0)
        {0: Fraction(1, 1)}
        """
        node = self._node[position]
        best, legal = self._best[node], self._legal[node]
        if best is not None:
            return {legal[seat][best[seat]]: Fraction(1)}
        solved = matrix_game(self._matrix(node))
        chances = solved.rows if seat == self.model.seats[0] else solved.columns
        return {move: chance for move, chance in zip(legal[seat], chances, strict=True) if chance}

    def _expand(self, root: Any, step: Callable[[], None]) -> None:
        model = self.model
        positions = [root]
        for position in positions:
            step()
            node = len(self._legal)
            if model.over(position):
                self._legal.append([])
                self._scores[node] = tuple(self._score(position, seat) for seat in model.seats)
            else:
                legal = joint_moves(model, position)
                self._legal.append(legal)
                for joint in product(*legal):
                    after = model.play(position, joint)
                    number = self._node.setdefault(after, len(positions))
                    if number == len(positions):
                        positions.append(after)
                    self._target.append(number)
            self._first.append(len(self._target))

    def _related(self) -> Interests:
        if all(len(set(scores)) == 1 for scores in self._scores.values()):
            return Interests.COMMON
        if len(self.model.seats) == 2 and len({sum(scores) for scores in self._scores.values()}) == 1:
            return Interests.OPPOSED
        return Interests.MIXED

    def _order(self) -> list[int]:
        """Every node before its successors (Kahn 1962)."""
        waiting = [0] * len(self._legal)
        for target in self._target:
            waiting[target] += 1
        order = [node for node, count in enumerate(waiting) if count == 0]
        for node in order:
            for target in self._target[self._first[node] : self._first[node + 1]]:
                waiting[target] -= 1
                if waiting[target] == 0:
                    order.append(target)
        if len(order) < len(self._legal):
            raise NotApplicableError("positions repeat: backward induction takes games in which they do not")
        return order

    def _induct(self, node: int) -> None:
        if node in self._scores:
            self._value[node] = self._scores[node]
            return
        legal, seats = self._legal[node], self.model.seats
        choosing = [seat for seat in range(len(seats)) if len(legal[seats[seat]]) > 1]
        if self.interests is not Interests.COMMON and len(choosing) > 1:
            if self.interests is Interests.MIXED:
                raise NotApplicableError("several players whose interests differ move at once")
            first = matrix_game(self._matrix(node)).value
            total = sum(next(iter(self._scores.values())))
            self._value[node] = (first, total - first)
            return
        mover = choosing[0] if choosing else 0
        values = self._after(node)
        best = max(range(len(values)), key=lambda joint: values[joint][mover])  # the first of equals: all agree on it
        self._value[node] = values[best]
        self._best[node] = self._places(node, best)

    def _after(self, node: int) -> list[tuple[Fraction, ...]]:
        """What each joint move of the players is worth, in the order of their product, chance averaged."""
        legal, chance = self._legal[node], self.model.chance
        targets = self._target[self._first[node] : self._first[node + 1]]
        draws = 1 if chance is None else len(legal[chance])
        # The place of a joint move is a number in the mixed radix of all roles; chance is one of its digits.
        lower = 1 if chance is None else prod(len(moves) for moves in legal[chance + 1 :])
        values = []
        for place in range(len(targets) // draws):
            base = place // lower * lower * draws + place % lower
            drawn = [self._value[targets[base + draw * lower]] for draw in range(draws)]
            values.append(drawn[0] if draws == 1 else tuple(map(mean, zip(*drawn, strict=True))))
        return values

    def _places(self, node: int, joint: int) -> list[int]:
        """Which of its legal moves each role makes in a joint move of the players; chance makes the first."""
        places = []
        for role in reversed(range(len(self.model.roles))):
            count = 1 if role == self.model.chance else len(self._legal[node][role])
            joint, place = divmod(joint, count)
            places.append(place)
        return places[::-1]

    def _matrix(self, node: int) -> list[list[Fraction]]:
        """What the first player gets, by its own move and that of the second."""
        firsts = [values[0] for values in self._after(node)]
        columns = len(self._legal[node][self.model.seats[1]])
        return [firsts[place : place + columns] for place in range(0, len(firsts), columns)]
