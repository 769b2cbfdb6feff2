"""Scored trees: games whose leaves are numbers, played to a final score (Yedwab 1985, chapter 2).

Left's options and Right's options stand at every position. A position between whose options a number fits is that
number (the simplicity theorem: Conway, *On Numbers and Games*); at all others V_L >= V_R, and nobody wants to wait.
A sum ends when every component is a number; who is to move then has lost if the total is 0.

Trees are hash-consed: equal trees are one object, and nothing here recurses, so depth does not matter.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import TypeVar

from zermelo.brief import cut
from zermelo.cgt.text.notation import parse
from zermelo.cgt.text.written_expression import (
    Expression,
    Multiple,
    Negative,
    Nimber,
    Number,
    Options,
    Sum,
    Up,
    in_order,
    no_look,
)
from zermelo.errors import InputError

LEFT_TO_MOVE, RIGHT_TO_MOVE = -1, 1
"""Who is to move when play has stopped; at equal scores Left would rather have it Right."""

Stop = tuple[Fraction, int]
"""The score at which alternating play stops, and who is to move then."""

MOST_COPIES = 1_000_000
"""More components than this are taken for a mistake."""


class Tree:
    """A number, or Left's and Right's options; made by :func:`leaf` and :func:`tree` only.

    >>> game = tree([leaf(20), tree([leaf(100)], [leaf(15)])], [leaf(-7)])
    >>> game.left_stop, game.right_stop
    (Fraction(20, 1), Fraction(-7, 1))
    """

    __slots__ = ("__weakref__", "left", "left_first", "number", "right", "right_first")

    number: Fraction | None
    left: tuple[Tree, ...]
    right: tuple[Tree, ...]
    left_first: Stop
    right_first: Stop

    @property
    def left_stop(self) -> Fraction:
        """V_L: the score when Left starts and both play well.

        >>> leaf(3).left_stop
        Fraction(3, 1)
        """
        return self.left_first[0]

    @property
    def right_stop(self) -> Fraction:
        """V_R: the score when Right starts and both play well.

        >>> tree([leaf(5)], [leaf(-5)]).right_stop
        Fraction(-5, 1)
        """
        return self.right_first[0]

    @property
    def is_number(self) -> bool:
        """Is the game over here?

        >>> tree([leaf(0)], [leaf(1)]).is_number
        True
        """
        return self.number is not None

    def __str__(self) -> str:
        from zermelo.cgt.scores.naming import shown

        return shown(self)

    def _repr_svg_(self) -> str:
        from zermelo.cgt.scores.tree_picture import tree_scene

        return tree_scene(self, "game", ()).svg()

    def position_text(self) -> str:
        """The tree as text, for positions written as JSON; equal trees have equal texts."""
        from zermelo.cgt.scores.naming import written_out

        return written_out(self)

    @classmethod
    def from_position_text(cls, text: str) -> Tree:
        """The tree that was written so.

        >>> Tree.from_position_text("{3||2|-1}") is tree([leaf(3)], [tree([leaf(2)], [leaf(-1)])])
        True
        """
        (found,) = trees_of(text, "position")
        return found

    def __repr__(self) -> str:
        return cut(f"<Tree {self}>") if self.is_number or len(positions(self)) < 200 else "<Tree>"


_LEAVES: weakref.WeakValueDictionary[Fraction, Tree] = weakref.WeakValueDictionary()
_TREES: weakref.WeakValueDictionary[tuple[tuple[int, ...], tuple[int, ...]], Tree] = weakref.WeakValueDictionary()


def leaf(score: Fraction | int) -> Tree:
    """The game that is over with this score.

    >>> leaf(3) is leaf(Fraction(3))
    True
    """
    score = Fraction(score)
    found = _LEAVES.get(score)
    if found is None:
        found = Tree()
        found.number, found.left, found.right = score, (), ()
        found.left_first, found.right_first = (score, LEFT_TO_MOVE), (score, RIGHT_TO_MOVE)
        _LEAVES[score] = found
    return found


def tree(left: Iterable[Tree], right: Iterable[Tree]) -> Tree:
    """The game with these options; a number where one fits between them.

    >>> str(tree([leaf(0)], [leaf(3)])), str(tree([leaf(2)], []))
    ('1', '3')
    >>> str(tree([leaf(5)], [leaf(-5)]))
    '{5|-5}'
    """
    lefts = tuple({id(option): option for option in left}.values())
    rights = tuple({id(option): option for option in right}.values())
    above = max((option.right_first for option in lefts), default=None)
    below = min((option.left_first for option in rights), default=None)
    number = simplest_number(above, below)
    if number is not None:
        return leaf(number)
    assert above is not None and below is not None  # else a number would have fitted
    key = tuple(sorted(map(id, lefts))), tuple(sorted(map(id, rights)))
    found = _TREES.get(key)
    if found is None:
        found = Tree()
        found.number, found.left, found.right = None, lefts, rights
        found.left_first, found.right_first = above, below
        _TREES[key] = found
    return found


def simplest_number(above: Stop | None, below: Stop | None) -> Fraction | None:
    """The simplest number that neither side's best option reaches, or None where there is none.

    An option of Left's bars the score at which Right's first move there makes it stop, if Right is then to move: Left
    would have got it without a fight. If Left is to move there, the score itself still fits (``{*|1}`` is 0).

    >>> simplest_number((Fraction(0), RIGHT_TO_MOVE), (Fraction(1), LEFT_TO_MOVE))
    Fraction(1, 2)
    """
    if above is not None and below is not None:
        strict = above[1] == RIGHT_TO_MOVE or below[1] == LEFT_TO_MOVE
        if above[0] > below[0] or (above[0] == below[0] and strict):
            return None

    def fits(number: Fraction) -> bool:
        over = above is None or number > above[0] or (number == above[0] and above[1] == LEFT_TO_MOVE)
        return over and (below is None or number < below[0] or (number == below[0] and below[1] == RIGHT_TO_MOVE))

    if fits(Fraction(0)):
        return Fraction(0)
    mirrored = below is not None and below[0] <= 0  # then every number that fits is negative: look at its mirror image
    nearest = above[0] if above is not None and not mirrored else None
    nearest = -below[0] if mirrored and below is not None else nearest
    assert nearest is not None
    sign = -1 if mirrored else 1
    step = Fraction(1)
    while True:
        candidate = Fraction(-((-nearest) // step)) * step
        for number in (candidate, candidate + step):
            if fits(sign * number):
                return sign * number
        step /= 2


def positions(root: Tree, look: Callable[[], None] = no_look) -> list[Tree]:
    """Every position of a game once, options before what they are options of; ``look`` is called at every step.

    >>> [str(position) for position in positions(tree([leaf(5)], [leaf(-5)]))]
    ['5', '-5', '{5|-5}']
    """
    found: list[Tree] = []
    entered: set[Tree] = set()
    finished: set[Tree] = set()
    stack = [root]
    while stack:
        look()
        node = stack[-1]
        if node in finished:
            stack.pop()
        elif node in entered:
            stack.pop()
            finished.add(node)
            found.append(node)
        else:
            entered.add(node)
            stack.extend(option for option in reversed(node.left + node.right) if option not in finished)
    return found


Result = TypeVar("Result")


def folded(
    root: Tree,
    at_leaf: Callable[[Fraction], Result],
    at_node: Callable[[list[Result], list[Result]], Result],
    look: Callable[[], None] = no_look,
) -> Result:
    """Works a function out from the leaves to the root, once for each position; ``look`` is called at every step.

    >>> folded(tree([leaf(5)], [leaf(-5)]), lambda score: 0, lambda left, right: 1 + max(left + right))
    1
    """
    made: dict[Tree, Result] = {}
    for position in positions(root, look):
        look()
        if position.number is not None:
            made[position] = at_leaf(position.number)
        else:
            made[position] = at_node([made[o] for o in position.left], [made[o] for o in position.right])
    return made[root]


def negative(game: Tree, look: Callable[[], None] = no_look) -> Tree:
    """The game with the sides exchanged.

    >>> str(negative(tree([tree([leaf(10)], [leaf(5)])], [leaf(-4)])))
    '{4||-5|-10}'
    """
    return _negative(game, {}, look)


def _negative(game: Tree, mirrored: dict[Tree, Tree], look: Callable[[], None]) -> Tree:
    """With a table of those made before, both ways: signs inside of signs do not turn everything below round again."""
    stack = [game]
    while stack:
        look()
        node = stack[-1]
        missing = [option for option in node.left + node.right if option not in mirrored]
        if node not in mirrored and missing:
            stack.extend(missing)
            continue
        stack.pop()
        if node not in mirrored:
            turned = (
                tree([mirrored[o] for o in node.right], [mirrored[o] for o in node.left])
                if node.number is None
                else leaf(-node.number)
            )
            mirrored[node], mirrored[turned] = turned, node
    return mirrored[game]


def moved_by(game: Tree, score: Fraction | int, look: Callable[[], None] = no_look) -> Tree:
    """The game with a number added to every leaf (number translation).

    >>> str(moved_by(tree([leaf(5)], [leaf(-5)]), 2))
    '{7|-3}'
    """
    return folded(game, lambda old: leaf(old + score), tree, look)


def depth(game: Tree) -> int:
    """How many moves the longest play takes.

    >>> depth(tree([tree([leaf(10)], [leaf(5)])], [leaf(-4)]))
    2
    """
    return folded(game, lambda score: 0, lambda left, right: 1 + max(left + right))


def written(game: Tree) -> str:
    """The game in brackets, bars of more strokes instead of inner brackets where that is enough.

    >>> written(tree([leaf(3)], [tree([leaf(2)], [leaf(-1)])]))
    '{3||2|-1}'
    """
    inner, strokes = folded(game, lambda score: (str(score), 0), _join)
    return inner if strokes == 0 else f"{{{inner}}}"


def key_text(game: Tree) -> str:
    """The game in brackets with the options of each side in alphabetical order: the same text for equal games.

    Equal trees are one object with the options in the order of whoever wrote it first, perhaps in another game.

    >>> key_text(tree([leaf(8), tree([leaf(9)], [leaf(2)])], [leaf(1)])) == key_text(
    ...     tree([tree([leaf(9)], [leaf(2)]), leaf(8)], [leaf(1)])
    ... )
    True
    """
    inner, strokes = folded(game, lambda score: (str(score), 0), lambda left, right: _join(sorted(left), sorted(right)))
    return inner if strokes == 0 else f"{{{inner}}}"


def _join(left: list[tuple[str, int]], right: list[tuple[str, int]]) -> tuple[str, int]:
    strokes = 1
    sides = []
    for side in (left, right):
        if len(side) == 1 and side[0][1] < 3:
            strokes = max(strokes, side[0][1] + 1)
            sides.append(side[0][0])
        else:
            sides.append(",".join(text if bars == 0 else f"{{{text}}}" for text, bars in side))
    return f"{sides[0]}{'|' * strokes}{sides[1]}", strokes


def nimber(size: int) -> Tree:
    """A nim heap as a scored tree: every move leaves less of it, the score is 0.

    >>> str(nimber(1))
    '{0|0}'
    """
    heaps = [leaf(0)]
    for _ in range(size):
        heaps.append(tree(heaps, heaps))
    return heaps[size]


def ups(count: int) -> list[Tree]:
    """That many ups side by side, or downs.

    >>> [str(game) for game in ups(-1)]
    ['{0|0||0}']
    """
    up = tree([leaf(0)], [nimber(1)])
    return [up if count > 0 else negative(up)] * abs(count)


def trees_of(source: Expression | str, name: str = "literal", look: Callable[[], None] = no_look) -> list[Tree]:
    """The components of a sum as scored trees; ``look`` is called at every step.

    >>> [str(game) for game in trees_of("{5|-5} + 2*{3||2|-1} - 1/2")]
    ['{5|-5}', '{3||2|-1}', '{3||2|-1}', '-1/2']
    """
    root = parse(source, name) if isinstance(source, str) else source
    made: dict[int, list[Tree]] = {}
    mirrored: dict[Tree, Tree] = {}

    def one(node: Expression) -> Tree:
        """A sum inside of brackets is one game: moves in any part of it lead to sums of what is left."""
        games = made[id(node)]
        return games[0] if len(games) == 1 else sum_tree(games, name, look)

    for node in in_order(root, look):
        look()
        if isinstance(node, Options):
            made[id(node)] = [tree([one(option) for option in node.left], [one(option) for option in node.right])]
        else:
            made[id(node)] = _components(node, made, mirrored, name, look)
    return made[id(root)]


def _components(
    node: Number | Nimber | Up | Sum | Negative | Multiple,
    made: dict[int, list[Tree]],
    mirrored: dict[Tree, Tree],
    name: str,
    look: Callable[[], None],
) -> list[Tree]:
    match node:
        case Number(value):
            return [leaf(value)]
        case Nimber(size):
            if size > 1000:
                raise InputError(f"*{size} as a scored tree is too large, expected at most *1000", file=name)
            return [nimber(size)]
        case Up(count):
            _not_too_many(abs(count), name)
            return ups(count)
        case Sum(parts):
            _not_too_many(sum(len(made[id(part)]) for part in parts), name)
            return [game for part in parts for game in made[id(part)]]
        case Negative(of):
            turned = {game: _negative(game, mirrored, look) for game in dict.fromkeys(made[id(of)])}
            return [turned[game] for game in made[id(of)]]
        case Multiple(count, of):
            _not_too_many(count * len(made[id(of)]), name)
            return made[id(of)] * count


def _not_too_many(count: int, name: str) -> None:
    if count > MOST_COPIES:
        raise InputError(f"a sum of {count:,} games, expected at most {MOST_COPIES:,}", file=name)


MOST_POSITIONS = 100_000
"""Sums inside of brackets are written out as trees up to this size."""


def sum_tree(games: Sequence[Tree], name: str = "literal", look: Callable[[], None] = no_look) -> Tree:
    """The sum of games written out as one tree; refused where that would be too large.

    >>> str(sum_tree([leaf(2), tree([leaf(5)], [leaf(-5)])]))
    '{7|-3}'
    """
    total = sum((game.number for game in games if game.number is not None), Fraction(0))
    root = tuple(sorted((game for game in games if game.number is None), key=id))
    made: dict[tuple[tuple[Tree, ...], Fraction], Tree] = {}
    stack = [(root, total)]
    while stack:
        key = stack[-1]
        if key in made:
            stack.pop()
            continue
        hot, score = key
        if not hot:
            made[key] = leaf(score)
            continue
        sides: list[list[tuple[tuple[Tree, ...], Fraction]]] = [[], []]
        for index, game in enumerate(hot):
            for options, found in zip((game.left, game.right), sides, strict=True):
                look()
                found.extend(_after(hot, score, index, option) for option in options)
        missing = [next_key for side in sides for next_key in side if next_key not in made]
        if missing:
            stack.extend(missing)
        else:
            made[key] = tree([made[k] for k in sides[0]], [made[k] for k in sides[1]])
        if len(made) + len(stack) > MOST_POSITIONS:
            raise InputError(
                f"a sum inside of brackets with over {MOST_POSITIONS:,} positions, too many for a tree", file=name
            )
    return made[root, total]


def _after(hot: tuple[Tree, ...], score: Fraction, index: int, option: Tree) -> tuple[tuple[Tree, ...], Fraction]:
    rest = hot[:index] + hot[index + 1 :]
    if option.number is not None:
        return rest, score + option.number
    return tuple(sorted((*rest, option), key=id)), score
