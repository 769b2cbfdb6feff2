"""Which polynomial algorithm takes a sum, if one does, and what it says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from enum import StrEnum

from zermelo.cgt.easy.coins import play_greedily, stack_of
from zermelo.cgt.easy.few import MOST_STATES, play_few, states_of
from zermelo.cgt.easy.leftheavy import left_heavy_of, play_one_heavy
from zermelo.cgt.easy.outcome import Method, Move, Outcome
from zermelo.cgt.easy.switches import play_switches, switch_of
from zermelo.cgt.scores.scored import Tree, negative
from zermelo.cgt.text.written_expression import no_look


class EasyClass(StrEnum):
    """Sums that are played well in polynomial time."""

    SWITCHES = "switches"
    COINS = "stacks of at most two coins"
    ONE_HEAVY = "one left-heavy or right-heavy tree beside switches"
    FEW_HEAVY = "a few left-heavy and right-heavy trees beside switches"
    FEW = "a few trees beside switches"


SORTING: dict[EasyClass, Method] = {
    EasyClass.SWITCHES: play_switches,
    EasyClass.COINS: play_greedily,
    EasyClass.ONE_HEAVY: play_one_heavy,
}
"""What plays the classes that take no more than sorting; the others are played by a dynamic program."""


def easy_class(components: Sequence[Tree], most_states: int = MOST_STATES) -> EasyClass | None:
    """The class that a sum belongs to, the cheapest first, or None where it is left to search.

    Numbers among the components do not matter. ``most_states`` bounds the dynamic program of the last two classes.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> [easy_class(trees_of(text)) for text in ("{5|-5} + 2", "{9|5||3} + {4|-4}")]
    [<EasyClass.SWITCHES: 'switches'>, <EasyClass.ONE_HEAVY: 'one left-heavy or right-heavy tree beside switches'>]
    """
    copies = Counter(components)
    others = [game for game in copies if game.number is None and switch_of(game) is None]
    if not others:
        return EasyClass.SWITCHES
    if all(map(_is_short_stack, others)):
        return EasyClass.COINS
    heavy = all(map(_is_heavy, others))
    if heavy and sum(copies[game] for game in others) == 1:
        return EasyClass.ONE_HEAVY
    if states_of(components) > most_states:
        return None
    return EasyClass.FEW_HEAVY if heavy else EasyClass.FEW


def play_easily(
    components: Sequence[Tree], left_starts: bool, most_states: int = MOST_STATES, look: Callable[[], None] = no_look
) -> Outcome | None:
    """Where best play of a sum stops and a best first move, or None where the sum is in no easy class.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> play_easily(trees_of("{5|-5} + {3|-3}"), left_starts=False).score
    Fraction(-2, 1)
    """
    kind = easy_class(components, most_states)
    if kind is None:
        return None
    return SORTING[kind](components, left_starts) if kind in SORTING else play_few(components, left_starts, look)


def easy_policy(components: Sequence[Tree], left_moves: bool) -> Move | None:
    """A best move in a sum of an easy class, None where play is over; classes are closed under moves of either side.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> easy_policy(trees_of("{5|-5} + {7|-7}"), left_moves=True).component
    1
    """
    outcome = play_easily(components, left_moves)
    if outcome is None:
        raise ValueError("the sum is in no easy class")
    return outcome.move


def _is_short_stack(game: Tree) -> bool:
    stack = stack_of(game)
    return stack is not None and len(stack.coins) <= 2


def _is_heavy(game: Tree) -> bool:
    return left_heavy_of(game) is not None or left_heavy_of(negative(game)) is not None
