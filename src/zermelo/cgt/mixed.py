"""Sums of boards of several games and of games in brackets: ``domineering:..|.. + clobber:xo + {1|-1} + kayles:5``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from zermelo.cgt.boards.board_value import value_of_board
from zermelo.cgt.boards.outcome import Summand
from zermelo.cgt.boards.ruleset import SIDES, Option, Ruleset, is_ruleset, ruleset_named
from zermelo.cgt.game import Boards, BoardSum
from zermelo.cgt.rulesets.short import ShortGames
from zermelo.cgt.values.value import Value, number
from zermelo.errors import InputError, LimitReachedError
from zermelo.limits import Limits
from zermelo.source import Source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from zermelo.cgt.thermographs.thermograph import Thermograph
    from zermelo.draw.scene import Scene

COMMENT = "# "
"""How lines begin that say nothing."""
_NAMED = re.compile(r"\s*([a-z][a-z-]*)\s*:")


def terms_of(text: str) -> list[tuple[int, str]]:
    """What is added up, each with its place in the text: ``+`` within brackets joins nothing here.

    >>> terms_of("kayles:5 + {1|+-2} + +-3")
    [(0, 'kayles:5'), (11, '{1|+-2}'), (21, '+-3')]
    """
    found, depth, begin = [], 0, 0
    for place, letter in enumerate(text + "+"):
        depth += (letter in "{(") - (letter in "})")
        if letter == "+" and (depth <= 0 or place == len(text)) and (text[begin:place].strip() or place == len(text)):
            term = text[begin:place]
            found.append((begin + len(term) - len(term.lstrip()), term.strip()))
            begin = place + 1
    return found


def one_sum(text: str) -> str:
    r"""A text of several lines as one sum, without the lines that begin with ``# ``: those are comments.

    >>> one_sum("# a sum\ncram:2x2\n  + {1|-1}\n")
    'cram:2x2   + {1|-1}'
    """
    return " ".join(line for line in text.splitlines() if not line.startswith(COMMENT))


@contextmanager
def placed(source: Source) -> Iterator[None]:
    r"""Shows mistakes in :func:`one_sum` of a text where they stand in the text.

    >>> with placed(Source("cgt", "# a sum\ncram:2x2\n  + kayles:q", "sum.cgt")):
    ...     summands_of(one_sum("# a sum\ncram:2x2\n  + kayles:q"))
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: sum.cgt:3:12: unexpected 'q', expected the size of a heap, such as 12
    """
    try:
        yield
    except InputError as error:
        if error.column is None:
            raise
        left = error.column - 1
        for number, line in enumerate(source.text.splitlines(), start=1):
            if line.startswith(COMMENT):
                continue
            if left <= len(line):
                raise InputError(error.message, file=source.name, line=number, column=left + 1) from None
            left -= len(line) + 1
        raise


def game_named(term: str) -> str | None:
    """The ruleset that a term names.

    >>> game_named("kayles: 5"), game_named("{1|-1}")
    ('kayles', None)
    """
    name = _NAMED.match(term)
    return name[1] if name and is_ruleset(name[1]) else None


def is_mixed(text: str) -> bool:
    """Whether a text is a sum of boards of several games, or of boards and games in brackets.

    >>> [is_mixed(text) for text in ("kayles:5+3", "kayles:5 + cram:2x2", "cram:2x2 + {1|-1}", "1 + cram:2x2", "1+2")]
    [False, True, True, True, False]
    """
    terms = terms_of(text)
    names = [game_named(term) for _, term in terms]
    if not any(names) or len(terms) < 2:
        return False
    return names[0] is None or any(names[1:]) or any(set(term) & set("{(^*") for _, term in terms)


def summands_of(text: str, place: str = "") -> list[Summand]:
    """The summands that a text adds up, each with its rules.

    A term without a name is a board of the game before it, or else a game in brackets.

    >>> [(rules.name, rules.text(position)) for rules, position in summands_of("kayles:5 + 3 + {1|-1} + ^")]
    [('kayles', '5'), ('kayles', '3'), ('short', '{1|-1}'), ('short', '{0||0|0}')]
    """
    short, rules = ShortGames(), None
    found: list[Summand] = []
    for begin, term in terms_of(text):
        name = game_named(term)
        if name is not None:
            rules = ruleset_named(name)
        board = (term if name is None else term.partition(":")[2]).lstrip()
        try:
            if rules is None:
                raise InputError("no game before it")
            found.append((rules, rules.parse(board, place or text, begin + len(term) - len(board) + 1)))
        except InputError:
            if name is not None:
                raise
            rules = None
            found.extend((short, game) for game in short.parse_sum(term, place or text, begin + 1))
    return found


class MixedSum(BoardSum):
    """Boards of several games and games in brackets side by side. Left begins.

    >>> game = MixedSum.named("clobber:xo + {1|-1} + 1")
    >>> [game.move_text(move) for move in game.moves(game.start())]
    ['1:a1b1', '2:1', '3:0']
    """

    def __init__(self, summands: Sequence[Summand], target: str = "") -> None:
        self.rules: tuple[Ruleset, ...] = tuple(rules for rules, _ in summands)
        super().__init__(self.rules[0], [position for _, position in summands], target)

    @classmethod
    def named(cls, target: str, place: str = "") -> MixedSum:
        """The sum that a target names, or that stands in the place of that name."""
        return cls(summands_of(target, place), target)

    def summands(self, position: Boards) -> list[Summand]:
        return list(zip(self.rules, position[0], strict=True))

    def _options(self, position: Boards, index: int) -> Sequence[Option]:
        return self.rules[index].options(position[0][index], SIDES[position[1]])

    def move_text(self, move: tuple[int, str]) -> str:
        return f"{move[0] + 1}:{move[1]}"

    def key(self, position: Boards) -> str:
        texts = (f"{rules.name}:{rules.text(board)}" for rules, board in self.summands(position))
        return " + ".join(texts) + f" {self.roles[position[1]]}"

    def text(self, position: Boards) -> str:
        return "\n\n".join(rules.shown(board) for rules, board in self.summands(position))

    def scenes(self, position: Boards) -> list[Scene]:
        return [rules.scene_for(board, SIDES[position[1]]) for rules, board in self.summands(position)]

    def title_of_scene(self) -> str:
        return "sum"

    def value(self, limits: Limits) -> Value:
        return _worth(self.summands(self.start()), limits)

    def value_after(self, position: Boards, limits: Limits) -> Value:
        return _worth(self.summands(position), limits)

    def value_data(self, value: Value, limits: Limits) -> dict[str, Any]:
        raise LimitReachedError("values of several games together are not written down; ask for the outcome")

    def thermographs(self, position: Boards, limits: Limits) -> list[tuple[str, Thermograph]]:
        summands = self.summands(position)
        shapes = [(rules.text(board), _worth([(rules, board)], limits).thermograph) for rules, board in summands]
        return [("sum", _worth(summands, limits).thermograph), *shapes]

    def bounds(self) -> tuple[int | None, int | None]:
        return None, None


def _worth(summands: Sequence[Summand], limits: Limits) -> Value:
    total = number(0)
    for rules, position in summands:
        if isinstance(rules, ShortGames):
            total += rules.short_value(position)
        else:
            total += value_of_board(rules, [position], limits)
    return total
