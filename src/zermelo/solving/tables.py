"""The three tables: kinds of games, engines, encodings. To add one is to add a line here, or to register it.

>>> list(KINDS)
['game', 'rulesheet', 'formula', 'program', 'network', 'record', 'board', 'dots', 'sum']
>>> ENGINES["pns"].room, ENGINES["qip-table"].kinds, ENCODINGS["formula"].target
('search', ('program',), 'formula')
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zermelo.encoding import Encoding
from zermelo.engine import Engine
from zermelo.errors import InputError
from zermelo.game import Game
from zermelo.kind import Format, Kind, stated_kind
from zermelo.table import Table

KINDS: Final[Table[Kind]] = Table(
    "zermelo.kinds",
    (
        "zermelo.kinds.game:GAME",
        "zermelo.kinds.rulesheet:RULESHEET",
        "zermelo.kinds.formula:FORMULA",
        "zermelo.kinds.program:PROGRAM",
        "zermelo.kinds.network:NETWORK",
        "zermelo.kinds.record:RECORD",
        "zermelo.kinds.board:BOARDS",
        "zermelo.kinds.sum:SUM",  # the last, since whatever has braces is taken for one
    ),
)
ENGINES: Final[Table[Engine]] = Table(
    "zermelo.engines",
    (
        "zermelo.search.engines:engines",
        "zermelo.search.induction.engine:ENGINE",
        "zermelo.search.induction.maxn:ENGINE",
        "zermelo.qbf.engines:engines",
        "zermelo.qip.engines:engines",
        "zermelo.cgt.engines:engines",
        "zermelo.cgt.go.engine:ENGINE",
        "zermelo.scsp.engine:ENGINES",
    ),
)
ENCODINGS: Final[Table[Encoding]] = Table(
    "zermelo.encodings",
    (
        "zermelo.encode.formula_program:ENCODING",
        "zermelo.encode.qbf.asking:ENCODING",
        "zermelo.encode.qip.asking:ENCODING",
        "zermelo.encode.board_twin:ENCODING",
    ),
)


def kind_of(game: Game) -> Kind:
    """The kind of a game.

    >>> from zermelo.games import make_game
    >>> kind_of(make_game("nim:3,4")).name
    'game'
    """
    return KINDS[stated_kind(game)]


def formats() -> Iterator[Format]:
    """Every format of every kind.

    >>> "qcir" in [form.name for form in formats()]
    True
    """
    for kind in KINDS.values():
        yield from kind.formats


def engines_named(words: str) -> list[Engine]:
    """The engines that ``a+b`` names, all of one room.

    >>> [engine.name for engine in engines_named("alphabeta+pns")]
    ['alphabeta', 'pns']
    >>> engines_named("abacus")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: unknown engine 'abacus', expected one of auto, all, search, dp, ...
    """
    if not isinstance(words, str):
        raise InputError(f"the engine is named by a text such as 'auto', not {words!r}")
    found = []
    for name in words.split("+"):
        if name not in ENGINES:
            raise InputError(f"unknown engine {name!r}, expected one of auto, all, {', '.join(ENGINES)}")
        found.append(ENGINES[name])
    if len({engine.room for engine in found}) > 1:
        rooms = " and ".join(dict.fromkeys(f"{engine.name} ({engine.room})" for engine in found))
        raise InputError(f"{words}: engines of different rooms do not run side by side: {rooms}")
    return found
