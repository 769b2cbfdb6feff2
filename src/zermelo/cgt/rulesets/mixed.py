"""Boards of different rules side by side, and games in brackets among them, all under normal play.

``domineering:..|.. + clobber:xo + {1|-1}``: a term that begins with the name of rules is a board of these. One without
a name has the rules of the board before it, and one that begins with a bracket is a game in brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from zermelo.cgt.boards.ruleset import Option, Position, Ruleset, Side, is_ruleset, ruleset_named
from zermelo.cgt.boards.value_proof import GameList
from zermelo.cgt.text.notation import parse as parse_sum
from zermelo.cgt.values.value import Value, value_of
from zermelo.errors import InputError
from zermelo.limits import Limits

if TYPE_CHECKING:
    from zermelo.draw.scene import Scene

BRACKETS: Final = "brackets"
LONGEST: Final = 4000
"""Letters of a game in brackets that is played beside boards, written with every option in full."""
LONGEST_NAME: Final = 60
"""Options that take more letters to write are named by their place among all."""
_BEGIN: Final = re.compile(r"\s*(?:([A-Za-z][A-Za-z-]*)\s*:|[{(])")

Term = tuple[str, Position]
"""The name of the rules, and a position of them."""


def terms_of(target: str) -> Iterator[tuple[str, str, int]]:
    """The terms of a target: the rules of each, its text, and the column in which it begins.

    >>> list(terms_of("toads:x.o + xo. + {1|0}"))
    [('toads', 'x.o', 7), ('toads', 'xo.', 13), ('brackets', '{1|0}', 19)]
    """
    name, begin, depth = "", 0, 0
    for place, letter in enumerate(target + "+"):
        depth += (letter in "{(") - (letter in "})")
        if letter != "+" or (depth > 0 and place < len(target)):
            continue
        text, rules = target[begin:place], name
        found = _BEGIN.match(text)
        if found and found[1] is None:
            rules, text = BRACKETS, text.lstrip()
        elif found and (is_ruleset(found[1]) or not name):
            name = rules = found[1]
            text = text[found.end() :].lstrip()
        else:
            text = text.lstrip()
        yield rules, text.rstrip(), place - len(text) + 1
        begin = place + 1


def is_mixed(target: str) -> bool:
    """Whether a board after the first says its own rules, or is a game in brackets.

    >>> is_mixed("toads:x.o+xx.oo"), is_mixed("toads:x.o + clobber:xo")
    (False, True)
    """
    begins = [_BEGIN.match(text) for text in target.split("+")[1:]]
    return any(found and (found[1] is None or is_ruleset(found[1])) for found in begins)


class Brackets(Ruleset):
    """Games in brackets: a position is one in canonical form, written out in full.

    >>> rules = Brackets()
    >>> rules.parse("^", "^"), [option.move for option in rules.options("{0|{0|0}}", "right")]
    ('{0|{0|0}}', ['{0|0}'])
    """

    name, form, summary = BRACKETS, "{LEFT|RIGHT}", "a game in brackets"

    def shown(self, position: str) -> str:
        """The position itself."""
        return position

    def parse(self, text: str, place: str, column: int = 1) -> str:
        """Reads a game, or a sum of games."""
        try:
            return in_full(value_of(parse_sum(text, place)))
        except InputError as error:
            at = None if error.column is None else error.column + column - 1
            raise InputError(error.message, file=place, line=error.line, column=at) from None

    def options(self, position: str, side: Side) -> Sequence[Option]:
        """The options of the canonical form, in the order of their texts."""
        return _options(position, side)

    def text(self, position: str) -> str:
        """The position itself."""
        return position

    def scene_for(self, position: str, side: Side) -> Scene:
        """A tree, on which the moves of the side can be pointed at."""
        from zermelo.cgt.scores.scored import trees_of, written
        from zermelo.cgt.scores.tree_picture import tree_scene

        (tree,) = trees_of(position)
        names = {option.position: option.move for option in self.options(position, side)}
        after = [in_full(value_of(written(one))) for one in (tree.left if side == "left" else tree.right)]
        return tree_scene(tree, "", [(names[text], side, place) for place, text in enumerate(after) if text in names])

    def scene(self, position: str) -> Scene:
        """The tree, with Left's moves."""
        return self.scene_for(position, "left")


def in_full(value: Value) -> str:
    """A canonical form with every option written out, options in the order of their texts.

    >>> in_full(value_of("^*")), in_full(value_of("1/2"))
    ('{0,{0|0}|0}', '1/2')
    """
    games, texts = GameList(), list[str]()
    games.place(value)
    for entry in games.entries:
        sides = [] if isinstance(entry, str) else [",".join(sorted(texts[one] for one in side)) for side in entry]
        text = entry if isinstance(entry, str) else f"{{{'|'.join(sides)}}}"
        if len(text) > LONGEST:
            raise InputError(f"a game in brackets takes over {LONGEST:,} letters to write, too many beside boards")
        texts.append(text)
    return texts[-1]


@lru_cache(maxsize=4096)
def _options(position: str, side: Side) -> tuple[Option, ...]:
    value = value_of(position)
    texts = sorted(in_full(option) for option in (value.left if side == "left" else value.right))
    return tuple(
        Option(text if len(text) <= LONGEST_NAME else f"#{place}", text) for place, text in enumerate(texts, 1)
    )


class Mixed(Ruleset):
    """Any rules: a position is a term, the name of its rules and a position of them.

    >>> rules = Mixed()
    >>> [option.move for option in rules.options(("clobber", "xo"), "left")], rules.text(("clobber", "xo"))
    (['a1b1'], 'clobber:xo')
    """

    name, form, summary = "mixed", "BOARD+BOARD+...", "boards of different rules side by side"

    def __init__(self) -> None:
        self._rules: dict[str, Ruleset] = {BRACKETS: Brackets()}

    def rules(self, name: str) -> Ruleset:
        """The rules of that name."""
        if name not in self._rules:
            self._rules[name] = ruleset_named(name)
        return self._rules[name]

    def parse(self, text: str, place: str, column: int = 1) -> Term:
        """Reads one term."""
        ((name, board, begin),) = terms_of(text)
        return name, self.rules(name).parse(board, place, column + begin - 1)

    def positions(self, target: str) -> list[Term]:
        """All terms of a target."""
        return [(name, self.rules(name).parse(text, target, column)) for name, text, column in terms_of(target)]

    def options(self, position: Term, side: Side) -> Sequence[Option]:
        """Those of the term's own rules."""
        name, board = position
        return [Option(option.move, (name, option.position)) for option in self.rules(name).options(board, side)]

    def regions(self, position: Term) -> Sequence[Term]:
        """Those of the term's own rules."""
        name, board = position
        return [(name, part) for part in self.rules(name).regions(board)]

    def normal(self, position: Term) -> Term:
        """By the symmetries of the term's own rules."""
        return position[0], self.rules(position[0]).normal(position[1])

    def signed(self, position: Term) -> tuple[Term, bool]:
        """By the symmetries of the term's own rules."""
        part, negative = self.rules(position[0]).signed(position[1])
        return (position[0], part), negative

    def most_moves(self, position: Term, side: Side) -> int | None:
        """By the term's own rules."""
        return self.rules(position[0]).most_moves(position[1], side)

    def part_value(self, position: Term, limits: Limits) -> Value:
        """What a part is worth: each game has its own way, a native one for most."""
        from zermelo.cgt.boards.board_value import value_of_board

        name, board = position
        return value_of(board) if name == BRACKETS else value_of_board(self.rules(name), (board,), limits)

    def text(self, position: Term) -> str:
        """The name of the rules and the board; brackets stand for themselves."""
        name, board = position
        return str(board) if name == BRACKETS else f"{name}:{self.rules(name).text(board)}"

    def shown(self, position: Term) -> str:
        """As the term's own rules show it."""
        return self.rules(position[0]).shown(position[1])

    def scene(self, position: Term) -> Scene:
        """The picture of the term's own rules."""
        return self.rules(position[0]).scene(position[1])

    def scene_for(self, position: Term, side: Side) -> Scene:
        """The picture of the term's own rules."""
        return self.rules(position[0]).scene_for(position[1], side)
