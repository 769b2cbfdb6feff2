"""Names of options, and keys of positions, that stay short where a tree takes far too many letters to write out.

A nim heap of 40 is a tree of 41 positions, but in brackets it has more than ``3**40`` letters. So the length of a text
is reckoned before the text is made. What is too long gets a name by its place in an order that needs no texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import groupby

from zermelo.cgt.scores.scored import Tree, key_text, positions, written
from zermelo.errors import LimitReachedError

LONGEST_NAME = 60
"""Options that take more letters to write are named by their place."""
LONGEST_KEY = 10_000
"""Trees that take more letters are written in keys as lists of their positions."""
LONGEST_TEXT = 1_000_000
"""More letters are never written."""


def text_length(game: Tree) -> int:
    """How many letters the tree takes in brackets.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> [text_length(game) for game in trees_of("{3||2|-1} + {5,7|2} + *40")]
    [9, 7, 24315330918113857601]
    """
    return _lengths([game])[game]


def _lengths(games: Iterable[Tree]) -> dict[Tree, int]:
    """The lengths of the texts of all positions below some games."""
    inner: dict[Tree, tuple[int, int]] = {}
    for game in games:
        for position in positions(game):
            if position not in inner:
                inner[position] = _inner_length(position, inner)
    return {position: letters + 2 * (strokes > 0) for position, (letters, strokes) in inner.items()}


def _inner_length(position: Tree, made: dict[Tree, tuple[int, int]]) -> tuple[int, int]:
    """The letters between the outer brackets, and how many strokes the bar has."""
    if position.number is not None:
        return len(str(position.number)), 0
    letters, strokes = 0, 1
    for side in (position.left, position.right):
        if len(side) == 1 and made[side[0]][1] < 3:
            strokes = max(strokes, made[side[0]][1] + 1)
            letters += made[side[0]][0]
        else:
            letters += sum(made[option][0] + 2 * (made[option][1] > 0) for option in side) + len(side) - 1
    return letters + strokes, strokes


def ranked(games: Iterable[Tree]) -> dict[Tree, int]:
    """Every position below some games, with its place in an order: shorter texts first, then by the places of options.

    The text of an option is shorter than that of the position, so its place is known first.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> [(str(game), place) for game, place in ranked(trees_of("*2")).items()]
    [('0', 0), ('{0|0}', 1), ('{0,{0|0}|0,{0|0}}', 2)]
    """
    lengths = _lengths(games)
    places: dict[Tree, int] = {}

    def order(game: Tree) -> tuple[Fraction, list[int], list[int]]:
        left, right = (sorted(places[option] for option in side) for side in (game.left, game.right))
        return game.number if game.number is not None else Fraction(0), left, right

    for _, alike in groupby(sorted(lengths, key=lengths.__getitem__), lengths.__getitem__):
        for game in sorted(alike, key=order):
            places[game] = len(places)
    return places


def option_names(index: int, options: Sequence[Tree]) -> list[str]:
    """How the moves to some options of a component are written: the component, and what it becomes.

    Where that is long it is the place of the option among all, in the order of :func:`ranked`: the order in which a
    tree has its options depends on what was read before.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> option_names(0, trees_of("5 + {3||2|-1} + *40"))
    ['1:5', '1:{3||2|-1}', '1#3']
    """
    lengths = _lengths(options)
    places = ranked(options) if any(lengths[option] > LONGEST_NAME for option in options) else {}
    in_order = sorted(options, key=lambda option: places.get(option, 0))
    return [
        f"{index + 1}:{key_text(option)}"
        if lengths[option] <= LONGEST_NAME
        else f"{index + 1}#{in_order.index(option) + 1}"
        for option in options
    ]


def tree_key(game: Tree) -> str:
    """A text that only this tree has: in brackets, or where that is long its positions in the order of :func:`ranked`.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> switch, heap = trees_of("{5|-5} + *30")
    >>> tree_key(switch), tree_key(heap)[:30]
    ('{5|-5}', '[0;0|0;0,1|0,1;0,1,2|0,1,2;0,1')
    """
    if text_length(game) <= LONGEST_KEY:
        return key_text(game)
    places = ranked([game])

    def named(side: Sequence[Tree]) -> str:
        return ",".join(map(str, sorted(places[option] for option in side)))

    rows = (
        str(each.number) if each.number is not None else f"{named(each.left)}|{named(each.right)}" for each in places
    )
    return f"[{';'.join(rows)}]"


def shown(game: Tree) -> str:
    """The tree in brackets, or where that is long in a few words.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> [shown(game) for game in trees_of("{5|-5} + *40")]
    ['{5|-5}', 'a tree of 41 positions']
    """
    return written(game) if text_length(game) <= LONGEST_KEY else f"a tree of {len(positions(game)):,} positions"


def written_out(game: Tree) -> str:
    """The tree in brackets, the same text for equal trees; refused where that is far too long.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> written_out(trees_of("*40")[0])
    Traceback (most recent call last):
    ...
    zermelo.errors.LimitReachedError: written out, the position has 24,315,330,918,113,857,601 letters
    """
    if (letters := text_length(game)) > LONGEST_TEXT:
        raise LimitReachedError(f"written out, the position has {letters:,} letters")
    return key_text(game)
