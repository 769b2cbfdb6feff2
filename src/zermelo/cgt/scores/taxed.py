"""Play in one game, taxed or not: optimal lines, taxed values, best moves, and who keeps the initiative.

V_L and V_R are ``left_stop`` and ``right_stop`` of a tree. With a tax of t on every move they become tV_L and tV_R, the
walls of the thermograph (Yedwab 1985, sections 2.1, 2.3, 2.6 and 5.1.2). L_n(G) is where n moves of best play lead if
Left starts, R_n(G) if Right does. Of equally good moves the first that was written down is taken.

*Sente* as Go players use the word: who begins a local sequence and need not end it. At an ambient temperature t (what a
move elsewhere is worth) a side answers as long as the position is hotter than t. If the other side makes the last move
of that sequence the first one was sente, else gote; a gote move where the other side's would have been sente is reverse
sente. In the thermograph a sente move is a vertical scaffold just above t, a gote move one that leans. The thesis calls
a move sente if it forces an answer: if it leaves something hotter than what else there is.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction

from zermelo.cgt.boards.ruleset import Side
from zermelo.cgt.scores.scored import Tree, leaf, moved_by, positions, tree
from zermelo.cgt.thermographs.thermograph import thermograph
from zermelo.cgt.thermographs.wall import shift_of
from zermelo.errors import InputError


class Move(StrEnum):
    """What a move is at some ambient temperature.

    >>> Move.REVERSE_SENTE.value
    'reverse sente'
    """

    SENTE = "sente"
    GOTE = "gote"
    REVERSE_SENTE = "reverse sente"


class Kind(StrEnum):
    """What a game is: who can play there and keep the initiative.

    >>> Kind.LEFT_SENTE.value
    "Left's sente"
    """

    GOTE = "gote"
    LEFT_SENTE = "Left's sente"
    RIGHT_SENTE = "Right's sente"
    DOUBLE_SENTE = "double sente"
    SETTLED = "settled"


def options(game: Tree, side: Side) -> tuple[Tree, ...]:
    """What a side may move to.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> [str(option) for option in options(trees_of("{5|-5}")[0], "right")]
    ['-5']
    """
    return game.left if side == "left" else game.right


def other(side: Side) -> Side:
    """The other side.

    >>> other("left")
    'right'
    """
    return "right" if side == "left" else "left"


def taxed_value(game: Tree, starts: Side, t: Fraction | int) -> Fraction:
    """tV_L or tV_R: the score when every move costs t, one side starts and both play well (equation 2.3).

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> twelve = trees_of("{{5|-5}|-20}")[0]
    >>> [str(taxed_value(twelve, "left", t)) for t in (0, 4, 8, 12)]
    ['-5', '-5', '-8', '-10']
    """
    shape = thermograph(game)
    return (shape.left if starts == "left" else shape.right).at(_tax(t))


def best_options(game: Tree, side: Side, t: Fraction | int = 0) -> tuple[Tree, ...]:
    """The t-optimal moves of a side: those it would make if every move cost t; none above the temperature.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> game = trees_of("{12,{20|10}|2}")[0]
    >>> [[str(move) for move in best_options(game, "left", t)] for t in (0, 1, 2, 3, 9)]
    [['12'], ['12'], ['12', '{20|10}'], ['{20|10}'], []]
    """
    if game.number is not None or _tax(t) > thermograph(game).temperature:
        return ()
    return tuple(option for option, _ in _best(game, side, Fraction(t)))


def _best(game: Tree, side: Side, t: Fraction) -> list[tuple[Tree, Fraction]]:
    """A side's best options with what they are worth when the other side goes on, whatever the temperature."""
    worth = [(option, taxed_value(option, other(side), t)) for option in options(game, side)]
    best = (max if side == "left" else min)(value for _, value in worth)
    return [(option, value) for option, value in worth if value == best]


def line(game: Tree, starts: Side, t: Fraction | int | None = None) -> list[Tree]:
    """The positions of best play from a game on, itself first: L_0, L_1, L_2, ... or R_0, R_1, ...

    With a tax, play goes on while the position is at least as hot as the tax (the lines tL_n and tR_n). Without one it
    goes on to a number, and among moves of equal score one is preferred that leaves the other side to move at the end.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> game = trees_of("{{100|{25|20}}|-15}")[0]
    >>> [str(position) for position in line(game, "left")]
    ['{100||25|20|||-15}', '{100||25|20}', '{25|20}', '25']
    """
    played = [game]
    side = starts
    while True:
        now = played[-1]
        moves = _untaxed_best(now, side) if t is None else best_options(now, side, t)
        if not moves:
            return played
        played.append(moves[0])
        side = other(side)


def _untaxed_best(game: Tree, side: Side) -> tuple[Tree, ...]:
    if side == "left":
        return tuple(option for option in game.left if option.right_first == game.left_first)
    return tuple(option for option in game.right if option.left_first == game.right_first)


def after(game: Tree, starts: Side, moves: int, t: Fraction | int | None = None) -> Tree:
    """L_n(G) or R_n(G), with a tax tL_n(G) or tR_n(G): where that many moves of best play lead.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> str(after(trees_of("{{100|{25|20}}|-15}")[0], "left", 2))
    '{25|20}'
    """
    played = line(game, starts, t)
    if not 0 <= moves < len(played):
        raise InputError(f"{moves} moves in a line of play that has {len(played) - 1}")
    return played[moves]


def cooled(game: Tree, t: Fraction | int) -> Tree:
    """The game in which every move costs t: {cooled left - t | cooled right + t}, its mean where it is colder than t.

    The form recurses (erratum 19 on section 7.2). V_L and V_R of the cooled game are tV_L and tV_R of the game.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> str(cooled(trees_of("{15|{{5|-5}|-20}}")[0], 6))
    '{9||0|-8}'
    """
    t = _tax(t)
    shift_of(t)  # other taxes would leave scores that no game has
    made: dict[Tree, Tree] = {}
    for position in positions(game):
        shape = thermograph(position)
        if position.number is not None or t > shape.temperature:
            made[position] = leaf(shape.mean)
        else:
            left = [moved_by(made[option], -t) for option in position.left]
            made[position] = tree(left, [moved_by(made[option], t) for option in position.right])
    return made[game]


def move_kind(game: Tree, side: Side, option: Tree, t: Fraction | int | None = None) -> Move:
    """Is a move sente, gote or reverse sente at an ambient temperature (the game's own where none is given)?

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> game = trees_of("{{100|20}|-10}")[0]
    >>> move_kind(game, "left", game.left[0]).value, move_kind(game, "right", game.right[0]).value
    ('sente', 'reverse sente')
    """
    if option not in options(game, side):
        raise InputError(f"{option} is no move of {side.capitalize()}'s in {game}")
    ambient = _ambient(game, t)
    if _keeps_initiative(side, [option], ambient):
        return Move.SENTE
    return Move.REVERSE_SENTE if _has_sente(game, other(side), ambient) else Move.GOTE


def game_kind(game: Tree, t: Fraction | int | None = None) -> Kind:
    """Whose sente a game is at an ambient temperature (its own where none is given); gote if nobody's.

    Where a game and the threat in it are equally hot it counts as gote.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> [game_kind(game).value for game in trees_of("{{100|20}|-10} + {5|-5} + {10||0|-99} + 3")]
    ["Left's sente", 'gote', "Right's sente", 'settled']
    >>> game_kind(trees_of("{20|5||-5|-20}")[0], 1).value
    'double sente'
    """
    if game.number is not None:
        return Kind.SETTLED
    ambient = _ambient(game, t)
    return {
        (True, True): Kind.DOUBLE_SENTE,
        (True, False): Kind.LEFT_SENTE,
        (False, True): Kind.RIGHT_SENTE,
        (False, False): Kind.GOTE,
    }[_has_sente(game, "left", ambient), _has_sente(game, "right", ambient)]


def _has_sente(game: Tree, side: Side, t: Fraction) -> bool:
    return _keeps_initiative(side, [option for option, _ in _best(game, side, t)], t)


def _keeps_initiative(side: Side, moves: Sequence[Tree], t: Fraction) -> bool:
    """Does one of the moves lead, by good play at a temperature just above t, to an end that the other side makes?"""
    if side == "left":
        return any(thermograph(move).right.slope_above(t) == 1 for move in moves)
    return any(thermograph(move).left.slope_above(t) == -1 for move in moves)


def _ambient(game: Tree, t: Fraction | int | None) -> Fraction:
    return max(thermograph(game).temperature, Fraction(0)) if t is None else _tax(t)


def _tax(t: Fraction | int) -> Fraction:
    if t < 0:
        raise InputError(f"a tax of {t}, expected 0 or more")
    return Fraction(t)
