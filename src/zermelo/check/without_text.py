"""Games that no text states: what the checker copies of one that was made in Python, or what tells it from others.

Of a class that a format can state as well, the checker makes its own noun, as from a file. Any other game is what its
rules say. For its digest it is the class and its arguments where the game is one of the library, else what the rules
say along some lines of play.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from importlib import import_module
from inspect import signature
from itertools import product
from typing import Any

from zermelo.check.instance import Instance
from zermelo.errors import GameError, NotApplicableError
from zermelo.game import CHANCE, Game, canonical_text

COPIES: dict[str, str] = {
    "zermelo.cgt.game.BoardSum": "zermelo.check.read.copied:boards",
    "zermelo.cgt.mixed.MixedSum": "zermelo.check.read.copied:mixed",
    "zermelo.cgt.game.WrittenSum": "zermelo.check.read.copied:written_sum",
    "zermelo.cgt.go.game.EndgameGame": "zermelo.check.read.copied:endgame",
    "zermelo.cgt.rulesets.dots.DotsSum": "zermelo.check.read.copied:dots",
    "zermelo.games.dgr.Reliability": "zermelo.check.copied:reliability",
    "zermelo.games.extensive.ExtensiveGame": "zermelo.check.read.gambit:tree_of",
    "zermelo.games.geography.Geography": "zermelo.check.copied:graph",
    "zermelo.games.strategic.StrategicGame": "zermelo.check.read.gambit:cells_of",
    "zermelo.gdl.game.RulesheetGame": "zermelo.check.copied:rulesheet",
    "zermelo.qbf.game.FormulaGame": "zermelo.check.read.formulas:of_game",
    "zermelo.qip.game.ProgramGame": "zermelo.check.read.models:of_game",
    "zermelo.scsp.game.NetworkGame": "zermelo.check.copied:network",
}
"""Classes of games that can also be made in Python, with the module and function that copy each."""
LINES, LONGEST = 6, 40
"""The lines of play that stand for the rules of a game without a text, and their most moves."""


def copy_of(rules: Game) -> Instance | None:
    """The checker's own noun of a game, copied from what it holds; ``None`` for a class that states its own rules."""
    module, _, name = COPIES.get(f"{type(rules).__module__}.{type(rules).__qualname__}", "").partition(":")
    copied: Instance | None = getattr(import_module(module), name)(rules) if module else None
    return copied


def statement_of(rules: Game) -> str:
    """A text that is the same for the same game in Python; other games have another one, but by accident.

    >>> from zermelo.games import make_game
    >>> statement_of(make_game("nim:1,2")).split("\\n")
    ['library', 'Nim', "(('heaps',(1,2)))"]
    """
    if type(rules).__module__.startswith("zermelo.games."):
        with suppress(GameError):
            return f"library\n{type(rules).__name__}\n{canonical_text(tuple(_arguments(rules)))}"
    return "rules\n" + "\n".join(_along_lines(rules))


def _arguments(rules: Game) -> Iterator[tuple[str, Any]]:
    """What a game of the library was made with, which it keeps by the names of the parameters."""
    for name in signature(type(rules)).parameters:
        if not hasattr(rules, name):
            raise GameError(f"{type(rules).__name__} does not keep {name}")
        yield name, getattr(rules, name)


def _along_lines(rules: Game) -> Iterator[str]:
    """What the rules say along a few lines of play; which moves are made depends on their texts alone."""
    yield canonical_text((rules.roles, rules.endless, rules.hidden_information))
    for number in range(LINES):
        position = rules.start()
        for ply in range(LONGEST):
            yield rules.key(position)
            with suppress(NotApplicableError):  # a network of several players has no scores
                if (scores := rules.result(position)) is not None:
                    yield canonical_text(scores)
                    break
            moves: Sequence[Any] = rules.moves(position)
            if not moves:
                break
            turn, text = rules.turn(position), rules.move_text
            if isinstance(turn, tuple):  # one move of each role
                moves = list(product(*(rules.moves_of(position, role) for role in turn)))
            texts = ["+".join(map(text, move)) if isinstance(turn, tuple) else text(move) for move in moves]
            yield canonical_text((turn, len(moves)))
            if turn == CHANCE:
                yield canonical_text(tuple(chance for _, chance in rules.chances(position)))
            chosen = int.from_bytes(sha256(f"{number} {ply} {texts[0]} {texts[-1]}".encode()).digest()[:8], "big")
            yield texts[chosen % len(texts)]
            position = rules.play(position, moves[chosen % len(moves)])
