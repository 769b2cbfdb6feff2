"""Stacks of coins: who moves takes the top coin of a stack (Yedwab 1985, section 3.2).

A stack whose top coin x is at most the coin y below it is 0 where there are just the two: nobody wants to uncover y.
The thesis says that taking the largest top coin of a stack that is no number is best. That is so for stacks of at
most two coins and fails from three on: with (18, 35, 29), (27, 17, 16) and (18), top coin first, Left can get 22
but gets 20 by greed (erratum 4 of the thesis as this project reads it).

*Why greed is right up to two coins.* The stacks that are no numbers are single coins and pairs with x > y. So the
largest coin of all is always on top, and Left can always take it. In the sum of switches with one switch for every
coin that is his best strategy; among stacks Right has fewer answers to it than there. So Left gets at least what the
switches are worth, Right holds him to it in the same way, and the value is the alternating sum of all these coins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heapify, heappop, heappush

from zermelo.cgt.easy.outcome import Move, Outcome, to_move_after
from zermelo.cgt.scores.scored import Tree, leaf, moved_by, positions, tree


@dataclass(frozen=True)
class Stack:
    """A number and coins, top coin first.

    >>> Stack(Fraction(0), (Fraction(3), Fraction(1))).coins[0]
    Fraction(3, 1)
    """

    offset: Fraction
    coins: tuple[Fraction, ...]


def stack_tree(coins: Sequence[Fraction | int]) -> Tree:
    """The scored tree of a stack, top coin first.

    >>> str(stack_tree([3, 1])), str(stack_tree([25, 30]))
    ('{4|2||-2|-4}', '0')
    """
    game = leaf(0)
    for coin in reversed(coins):
        game = tree([moved_by(game, coin)], [moved_by(game, -coin)])
    return game


def stack_of(game: Tree) -> Stack | None:
    """The game as a stack of coins, or None where it is none. Coins below a number are not seen.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> stack_of(trees_of("{5|3||-1|-3}")[0])
    Stack(offset=Fraction(1, 1), coins=(Fraction(3, 1), Fraction(1, 1)))
    >>> stack_of(trees_of("{5|3||-1}")[0]) is None
    True
    """
    found: dict[Tree, Stack] = {}
    for position in positions(game):
        if position.number is not None:
            found[position] = Stack(position.number, ())
            continue
        if len(position.left) != 1 or len(position.right) != 1:
            return None
        high, low = found[position.left[0]], found[position.right[0]]
        if high.coins != low.coins:
            return None
        found[position] = Stack((high.offset + low.offset) / 2, ((high.offset - low.offset) / 2, *high.coins))
    return found[game]


def play_greedily(components: Sequence[Tree], left_starts: bool) -> Outcome:
    """What comes of it when both sides take the largest top coin of the stacks that are no numbers.

    This is best play where no stack has more than two coins, and may not be where one has.

    >>> stacks = [stack_tree(coins) for coins in [(25, 30), (20, 5), (10,)]]
    >>> outcome = play_greedily(stacks, left_starts=True)
    >>> outcome.score, outcome.move.component
    (Fraction(15, 1), 1)
    """
    stacks = [_stack(game, place) for place, game in enumerate(components)]
    tops = [(-stack.coins[0], place, 0) for place, stack in enumerate(stacks) if stack.coins]
    heapify(tops)
    move = None
    if tops:
        first = components[tops[0][1]]
        move = Move(tops[0][1], (first.left if left_starts else first.right)[0])
    score, moves, sign = sum((stack.offset for stack in stacks), Fraction(0)), 0, 1 if left_starts else -1
    while tops:
        minus_coin, place, taken = heappop(tops)
        score, sign, moves = score - sign * minus_coin, -sign, moves + 1
        if taken + 1 < len(stacks[place].coins):
            heappush(tops, (-stacks[place].coins[taken + 1], place, taken + 1))
    return Outcome((score, to_move_after(moves, left_starts)), move)


def _stack(game: Tree, place: int) -> Stack:
    stack = stack_of(game)
    if stack is None:
        raise ValueError(f"component {place} is no stack of coins: {game}")
    return stack
