"""Stoppers: loopy games that have values, brought to their simplest form, compared, added and named.

A stopper has a simplest form: no option is dominated or reversible, and no two nodes are equal. Equal stoppers have the
same simplest form (Siegel 2013, section VI.2). Each step below is made only if the game stays a stopper and stays
equal to what it was, by comparison.

>>> on, over = stopper("on"), stopper("over")
>>> on + on == on, over + over == over, over > stopper("0"), over < stopper("1/16"), str(stopper("{0|over}"))
(True, True, True, True, 'over')
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial

from zermelo.brief import shown_in_brief
from zermelo.cgt.loopy.graph import (
    Loopy,
    Options,
    at_least,
    graph_of_options,
    graph_of_value,
    is_stopper,
    lost,
    negative,
    outcome,
    summed,
)
from zermelo.cgt.values.value import Value, options
from zermelo.cgt.values.value import number as number_value
from zermelo.errors import InputError

NAMED: dict[str, tuple[dict[str, tuple[list[str], list[str]]], str]] = {
    "on": ({"on": (["on"], [])}, "Left may always move, Right never"),
    "off": ({"off": ([], ["off"])}, "Right may always move, Left never"),
    "over": ({"over": (["0"], ["over"]), "0": ([], [])}, "{0|over}, more than 0 and less than every positive number"),
    "under": ({"under": (["under"], ["0"]), "0": ([], [])}, "{under|0}, the negative of over"),
    "upon": ({"upon": (["upon"], ["*"]), "*": (["0"], ["0"]), "0": ([], [])}, "{upon|*}"),
    "downon": ({"downon": (["*"], ["downon"]), "*": (["0"], ["0"]), "0": ([], [])}, "{*|downon}, the negative of upon"),
    "dud": ({"dud": (["dud"], ["dud"])}, "a deathless universal draw, on & off"),
    "tis": ({"tis": (["tisn"], []), "tisn": ([], ["tis"])}, "{tisn|}, 1 & 0"),
    "tisn": ({"tis": (["tisn"], []), "tisn": ([], ["tis"])}, "{|tis}, 0 & -1"),
    "uponth": ({"uponth": (["0"], ["a"]), "a": (["0"], ["0", "a"]), "0": ([], [])}, "{0||0|0,pass}, written ^<on>"),
    "downonth": ({"downonth": (["a"], ["0"]), "a": (["0", "a"], ["0"]), "0": ([], [])}, "the negative of uponth"),
}
"""Loopy games with names of their own."""


@dataclass(frozen=True)
class Stopper:
    """A stopper in its simplest form."""

    form: Loopy

    _repr_html_ = shown_in_brief

    def __le__(self, other: Stopper) -> bool:
        return at_least(other.form, self.form)

    def __ge__(self, other: Stopper) -> bool:
        return at_least(self.form, other.form)

    def __lt__(self, other: Stopper) -> bool:
        return self <= other and not self >= other

    def __gt__(self, other: Stopper) -> bool:
        return other < self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stopper) and self <= other and self >= other

    def __hash__(self) -> int:
        return hash(len(self.form.nodes))  # equal stoppers have the same simplest form

    def __neg__(self) -> Stopper:
        return Stopper(negative(self.form))

    def __add__(self, other: Stopper) -> Stopper:
        return simplest(summed(self.form, other.form))

    def __sub__(self, other: Stopper) -> Stopper:
        return self + -other

    @property
    def outcome(self) -> tuple[str, str]:
        """Who wins when Left begins and when Right does: left, right or draw."""
        return outcome(self.form)

    @cached_property
    def value(self) -> Value | None:
        """The value, where play always ends; else ``None``."""
        return _value(self.form)

    def __str__(self) -> str:
        if self.value is not None:
            return str(self.value)
        return _name(self.form) or spelled(self.form)

    def __repr__(self) -> str:
        return f"<Stopper {self}>"


def stopper(text: str) -> Stopper:
    """The stopper of that name, or that a text states: ``over``, ``{0|over}``, ``a{0|a}``, ``{1|*}``.

    Names that stand before braces are nodes, and may be used inside them.

    >>> str(stopper("a{a|}")), str(stopper("{on|off}")), stopper("a{0|a}") == stopper("over")
    ('on', '{on|off}', True)
    >>> stopper("dud")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: dud: play may go on for ever, and both sides move in turn: it is no stopper
    """
    from zermelo.cgt.loopy.reading import read_graph

    return simplest(read_graph(text), text)


def simplest(game: Loopy, name: str = "the sum") -> Stopper:
    """The simplest form of a stopper.

    >>> simplest(summed(stopper("over").form, stopper("*").form)) == stopper("over")
    True
    """
    game = renumbered(game.nodes)  # without what cannot be reached
    if not is_stopper(game):
        raise InputError(f"{name}: play may go on for ever, and both sides move in turn: it is no stopper")
    while (better := _fused(game) or _step(game)) is not None:
        game = better
    return Stopper(game)


def _relation(game: Loopy) -> list[list[bool]]:
    """Which nodes are at least which, all at once: Left survives in x - y when Right begins."""
    count = len(game.nodes)
    lefts: list[Options] = []
    rights: list[Options] = []
    for x, (left, right) in enumerate(game.nodes):
        for y, (other_left, other_right) in enumerate(game.nodes):
            lefts.append(tuple(o * count + y for o in left) + tuple(x * count + o for o in other_right))
            rights.append(tuple(o * count + y for o in right) + tuple(x * count + o for o in other_left))
    loses = lost(Loopy(tuple(zip(lefts, rights, strict=True))), 0)
    return [[(x * count + y, 1) not in loses for y in range(count)] for x in range(count)]


def _fused(game: Loopy) -> Loopy | None:
    """The game with two equal nodes made one; ``None`` if there are none.

    Which of the two is kept matters: {over|over} equals over, but with its own options in the place of over it would
    go on for ever.
    """
    more = _relation(game)
    for gone in range(len(game.nodes)):
        for kept in range(len(game.nodes)):
            equal = kept != gone and more[gone][kept] and more[kept][gone]
            if equal and _same(tried := redirected(game, gone, kept), game):
                return tried
    return None


def redirected(game: Loopy, gone: int, kept: int) -> Loopy:
    """The game with one node in the place of another."""
    led = [kept if node == gone else node for node in range(len(game.nodes))]
    nodes = [(tuple(led[o] for o in left), tuple(led[o] for o in right)) for left, right in game.nodes]
    return renumbered(nodes, led[0])


def _same(tried: Loopy, game: Loopy) -> bool:
    """Whether a game is a stopper, another form than before, and equal to it."""
    return tried.nodes != game.nodes and is_stopper(tried) and at_least(tried, game) and at_least(game, tried)


def renumbered(nodes: Sequence[tuple[Options, Options]], start: int = 0) -> Loopy:
    """The game from a node on, without what cannot be reached from there."""
    names = {str(node): ([str(o) for o in left], [str(o) for o in right]) for node, (left, right) in enumerate(nodes)}
    return graph_of_options(names, str(start))


def _step(game: Loopy) -> Loopy | None:
    """The game with one more dominated option dropped or reversible one bypassed; ``None`` in simplest form."""
    more = _relation(game)
    for node, options_of in enumerate(game.nodes):
        for side in (0, 1):
            for option in options_of[side]:
                others = [o for o in options_of[side] if o != option]
                if any(more[o][option] if side == 0 else more[option][o] for o in others):
                    tried = replaced(game, node, side, others)
                elif (reply := _reversing(game, more, node, side, option)) is not None:
                    tried = replaced(game, node, side, [*others, *game.nodes[reply][side]])
                else:
                    continue
                if _same(tried, game):
                    return tried
    return None


def _reversing(game: Loopy, more: list[list[bool]], node: int, side: int, option: int) -> int | None:
    """A reply to an option that is at least as good for the other side as the node itself."""
    for reply in game.nodes[option][1 - side]:
        if reply != node and (more[node][reply] if side == 0 else more[reply][node]):
            return reply
    return None


def replaced(game: Loopy, node: int, side: int, chosen: Sequence[int]) -> Loopy:
    """The game with other moves of one side from a node."""
    nodes = list(game.nodes)
    pair = list(nodes[node])
    pair[side] = tuple(dict.fromkeys(chosen))
    nodes[node] = (pair[0], pair[1])
    return renumbered(nodes)


def _value(game: Loopy) -> Value | None:
    """The value of a graph without a cycle."""
    made: dict[int, Value] = {}
    on_path, stack = set[int](), [(0, False)]
    while stack:
        node, done = stack.pop()
        if done:
            left, right = game.nodes[node]
            made[node] = options([made[o] for o in left], [made[o] for o in right])
            on_path.discard(node)
        elif node not in made:
            if node in on_path:
                return None
            on_path.add(node)
            stack.append((node, True))
            for option in {*game.nodes[node][0], *game.nodes[node][1]}:
                if option in on_path:
                    return None
                stack.append((option, False))
    return made[0]


def spelled(game: Loopy) -> str:
    """A game in braces; nodes that are met again have letters, as ``a{0|a}``."""
    letters = iter("abcdefghijklmnopqrstuwxyz")
    known: dict[int, str] = {}
    entered = set[int]()
    again = set[int]()

    def part(node: int) -> Loopy:
        return renumbered(game.nodes, node)

    def spell(node: int) -> str:
        if node in entered:
            again.add(node)
            return known[node]
        small = part(node)
        if (value := _value(small)) is not None:
            return str(value)
        if node != 0 and is_stopper(small) and (name := _name(small)) is not None:
            return name
        entered.add(node)
        known[node] = next(letters, f"n{node}")
        left, right = (",".join(spell(o) for o in options) for options in game.nodes[node])
        entered.discard(node)
        mark = known[node] if node in again else ""
        return f"{mark}{{{left}|{right}}}"

    return spell(0)


def _name(game: Loopy) -> str | None:
    """The name of a stopper that has one; with a number before it, if it is one of those near a number."""
    for name, form in _named_stoppers().items():
        if len(form.nodes) <= len(game.nodes) and at_least(form, game) and at_least(game, form):
            return name
    numbers = [value.number for value in map(partial(_value_from, game), range(len(game.nodes))) if value is not None]
    for number in sorted({each for each in numbers if each is not None}):
        rest = summed(game, negative(graph_of_value(number_value(number))))
        for name in ("over", "under", "upon", "downon"):
            form = _named_stoppers()[name]
            if number and at_least(form, rest) and at_least(rest, form):
                return f"{number} + {name}"
    return None


def _value_from(game: Loopy, node: int) -> Value | None:
    return _value(renumbered(game.nodes, node))


@cache
def _named_stoppers() -> dict[str, Loopy]:
    graphs = {name: graph_of_options(options, name) for name, (options, _) in NAMED.items()}
    return {name: graph for name, graph in graphs.items() if is_stopper(graph)}


def of_value(value: Value) -> Stopper:
    """A game that ends, as a stopper.

    >>> from zermelo.cgt.values.value import value_of
    >>> str(of_value(value_of("{1|*}")))
    '1|*'
    """
    return Stopper(graph_of_value(value))
