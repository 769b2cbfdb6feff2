"""Loopy games with an onside and an offside: ``on & off``, ``1 & 0`` (Conway 1978; Siegel 2013, chapter VI).

A play that never ends is a draw. Counted as a win for Left, the game G is worth its *onside*, counted as a win for
Right its *offside*; one writes ``onside & offside``. For most games both are stoppers, and then they say everything:
G >= H exactly if it holds for both sides, and the sides of a sum are the sides of the sums of the sides.

>>> dud, tis = sided("dud"), sided("tis")
>>> str(dud), str(tis), str(tis + tis), dud.outcome, tis > sided("off"), dud + tis == dud
('dud', '1 & 0', '2 & 0', ('draw', 'draw'), True, True)

There are games whose sides are no stoppers, Bach's carousel for one (Siegel 2013, section VI.5). They are compared and
added like the others; only :attr:`Sided.onside` and :attr:`Sided.offside` refuse.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from zermelo.brief import shown_in_brief
from zermelo.cgt.loopy.graph import Loopy, is_stopper, lost, negative, summed
from zermelo.cgt.loopy.order import at_least_offside, at_least_onside, onside_order
from zermelo.cgt.loopy.stopper import Stopper, of_value, redirected, renumbered, replaced, simplest, spelled
from zermelo.cgt.values.value import Value
from zermelo.errors import InputError

MOST_STEPS = 5_000
"""Steps of simplification of one side, at most; what is left then is right, if not simplest."""


@dataclass(frozen=True, eq=False)
class Sided:
    """A loopy game: one form that is equal to it if draws count for Left, and one if they count for Right."""

    upper: Loopy
    lower: Loopy

    _repr_html_ = shown_in_brief

    def __le__(self, other: Sided) -> bool:
        return other >= self

    def __ge__(self, other: Sided) -> bool:
        return at_least_onside(self.upper, other.upper) and at_least_offside(self.lower, other.lower)

    def __lt__(self, other: Sided) -> bool:
        return self <= other and not self >= other

    def __gt__(self, other: Sided) -> bool:
        return other < self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sided) and self <= other and self >= other

    def __hash__(self) -> int:
        return hash(self.outcome)  # equal games have equal outcomes; forms that are no stoppers are not unique

    def __neg__(self) -> Sided:
        return Sided(negative(self.lower), negative(self.upper))

    def __add__(self, other: Sided) -> Sided:
        return Sided(_upper(summed(self.upper, other.upper)), _lower(summed(self.lower, other.lower)))

    def __sub__(self, other: Sided) -> Sided:
        return self + -other

    @property
    def outcome(self) -> tuple[str, str]:
        """Who wins when Left begins and when Right does: left, right or draw.

        >>> sided("over").outcome, sided("on + off").outcome
        (('left', 'left'), ('draw', 'draw'))
        """
        left, right = lost(self.upper, 0), lost(self.lower, 1)
        who = ["right" if (0, side) in left else "left" if (0, side) in right else "draw" for side in (0, 1)]
        return who[0], who[1]

    @cached_property
    def onside(self) -> Stopper:
        """What the game is worth if draws count for Left.

        >>> str(sided("{0|{dud|},*}").onside)
        '^'
        """
        return _stopper(self.upper, "onside")

    @cached_property
    def offside(self) -> Stopper:
        """What the game is worth if draws count for Right.

        >>> str(sided("{0|{dud|},*}").offside)
        'v*'
        """
        return _stopper(self.lower, "offside")

    @property
    def is_stopper_sided(self) -> bool:
        """Whether both sides are stoppers.

        >>> sided("dud").is_stopper_sided
        True
        """
        return is_stopper(self.upper) and is_stopper(self.lower)

    @cached_property
    def stopper(self) -> Stopper | None:
        """The stopper that the game is equal to, if there is one: both sides are the same.

        >>> str(sided("on + 1").stopper), sided("on + off").stopper
        ('on', None)
        """
        if self.is_stopper_sided and self.onside == self.offside:
            return self.onside
        return None

    @property
    def value(self) -> Value | None:
        """The value, where it is one of a game that ends; else ``None``.

        >>> str(sided("{over|}").value)
        '1'
        """
        return None if self.stopper is None else self.stopper.value

    def __str__(self) -> str:
        if self.stopper is not None:
            return str(self.stopper)
        sides = [str(simplest(form)) if is_stopper(form) else spelled(form) for form in (self.upper, self.lower)]
        return "dud" if sides == ["on", "off"] else " & ".join(sides)

    def __repr__(self) -> str:
        return f"<Sided {self}>"


def sided(text: str, known: Mapping[str, Sided] | None = None) -> Sided:
    """The loopy game that a text states: ``dud``, ``a{{|a}|}``, ``on - over``, ``1 & 0``; with names that are known.

    >>> sided("on & off") == sided("dud"), str(sided("over - over")), str(sided("{pass|3/2}"))
    (True, 'over & under', '3/2 + under')
    """
    from zermelo.cgt.loopy.reading import read_graph

    parts = text.split("&")
    if len(parts) == 1 and text.strip() in (known or {}):
        return (known or {})[text.strip()]
    # A known game takes part by a form of it, another one on each side; so each side is read by itself.
    upper = {name: game.upper for name, game in (known or {}).items()}
    lower = {name: game.lower for name, game in (known or {}).items()}
    if len(parts) == 1:
        return Sided(_upper(read_graph(text, upper)), _lower(read_graph(text, lower)))
    if len(parts) != 2:
        raise InputError(f"{text}: more than one &, expected onside & offside")
    made = Sided(_upper(read_graph(parts[0], upper)), _lower(read_graph(parts[1], lower)))
    if not made.onside >= made.offside:
        raise InputError(f"{text}: the onside is not at least the offside, so no game has these sides")
    return made


def of_graph(game: Loopy) -> Sided:
    """The loopy game of a graph, by its sides.

    >>> str(of_graph(Loopy((((0,), (0,)),))))
    'dud'
    """
    return Sided(_upper(game), _lower(game))


def sided_value(value: Value) -> Sided:
    """A game that ends as a loopy game; both of its sides are itself.

    >>> from zermelo.cgt.values.value import value_of
    >>> str(sided_value(value_of("{1|-1}")))
    '+-1'
    """
    form = of_value(value).form
    return Sided(form, form)


def _stopper(form: Loopy, side: str) -> Stopper:
    if not is_stopper(form):
        raise InputError(f"the {side} of {spelled(form)} is no stopper that was found")
    return simplest(form)


def _lower(game: Loopy) -> Loopy:
    return negative(_upper(negative(game)))


def _upper(game: Loopy) -> Loopy:
    """A form of the onside: a stopper where one is found, with as few positions and moves as were found.

    Equal positions are made one, dominated moves dropped, reversible ones bypassed, in the order of onsides. If Left
    answers a move of Right's by going back to what is as good as where he came from, over and over, that never ends,
    and she wins; so such a move of his is dropped. Each step is made only if the game stays equal: in loopy games these
    steps are not always right, because what dominates a move may lead back to that move.
    """
    game = renumbered(game.nodes)
    tried = {game}
    for _ in range(MOST_STEPS):
        if is_stopper(game):
            return simplest(game).form
        better = _simpler(game, tried)
        if better is None:
            return game
        game = better
    return game


def _simpler(game: Loopy, tried: set[Loopy]) -> Loopy | None:
    """Another form, found by one step, that has not been tried; the smaller ones first."""
    more = onside_order(game, game)
    for form in sorted({*_fusions(game, more), *_replacements(game, more)} - tried, key=_size):
        tried.add(form)
        if at_least_onside(form, game) and at_least_onside(game, form):
            return form
    return None


def _size(game: Loopy) -> tuple[int, int, object]:
    return len(game.nodes), sum(len(left) + len(right) for left, right in game.nodes), game.nodes


def _fusions(game: Loopy, more: list[list[bool]]) -> list[Loopy]:
    count = len(game.nodes)
    return [
        redirected(game, gone, kept)
        for gone in range(count)
        for kept in range(count)
        if kept != gone and more[gone][kept] and more[kept][gone]
    ]


def _replacements(game: Loopy, more: list[list[bool]]) -> list[Loopy]:
    found = []
    for node, moves in enumerate(game.nodes):
        for side in (0, 1):
            for option in moves[side]:
                others = [o for o in moves[side] if o != option]
                if any(more[o][option] if side == 0 else more[option][o] for o in others):
                    found.append(replaced(game, node, side, others))
                for reply in game.nodes[option][1 - side]:
                    if more[node][reply] if side == 0 else more[reply][node]:
                        further = [o for o in game.nodes[reply][side] if o != option]
                        found.append(replaced(game, node, side, [*others, *further]))
    return found
