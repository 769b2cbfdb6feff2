"""Targets: the ways to name a game on the command line and in :func:`zermelo.solve`."""

from __future__ import annotations

import re
from pathlib import Path
from types import NoneType

from zermelo.errors import InputError, UnknownGameError, need
from zermelo.game import Game
from zermelo.games import make_game
from zermelo.python_target import python_game
from zermelo.solving.statements import source_of
from zermelo.solving.tables import KINDS, formats
from zermelo.source import Source


def game_of(thing: object, kind: str | None = None) -> Game:
    """The game that something states: a target, a path, a game, a formula, a program or a model of one, a value, a
    network, a rulesheet, a graph of networkx; or a text, where ``kind`` names its format or its kind.

    Targets are names of the library and files: ``wythoff:3,5``, ``map.graph``, ``rules.kif``, ``f.qcir``,
    ``mine.py:Mine(3, 4)``. ``p.qlp`` is a quantified program, ``s.cgt`` or ``{5|-5} + {3||2|-1}`` a sum of games,
    ``domineering:....|.#..`` a board with a value, ``game.sgf`` the endgame of a Go record, ``n.json`` a stochastic
    constraint network; ``-`` is a graph, a formula, a program, a sum or a network on standard input.

    >>> game_of("nim:3,4").start()
    ((3, 4), 0)
    >>> game_of("{5|-5}").kind, game_of("p cnf 1 1\\ne 1 0\\n1 0\\n", kind="formula").kind
    ('sum', 'formula')
    """
    need(kind, (str, NoneType), "kind", "the name of a kind or of a format")
    if kind is not None and not isinstance(thing, str):
        raise InputError(f"kind= goes with a text, and this is {_shown(thing)}")
    if isinstance(thing, Game):
        return thing
    if isinstance(thing, Path):
        return _named(str(thing))
    if isinstance(thing, str):
        return _named(thing) if kind is None else game_from(Source(_format_named(kind, thing), thing, "text"))
    for each in KINDS.values():
        if (game := each.stated_by(thing)) is not None:
            return game
    raise InputError(
        f"{_shown(thing)} states no game, expected a target such as 'nim:3,4', a path, a Game, a formula, a program or "
        "model, a value, a network, a rulesheet, a DiGraph of networkx, or a text with kind="
    )


def _named(target: str) -> Game:
    """The game that a target names."""
    if (game := python_game(target)) is not None:
        return game
    source = source_of(target)
    if source is not None:
        game = game_from(source)
        game.title = target
        return game
    if not re.fullmatch(r"[A-Za-z][\w-]*(:.*)?", target, re.DOTALL):
        expected = ", ".join([*(kind.expected for kind in KINDS.values()), "or - for standard input"])
        raise UnknownGameError(f"{target!r} names no game, expected {expected}")
    return make_game(target)


def target_named(thing: object, kind: str | None = None) -> str:
    """The target by which somebody who states a game named it; nothing where it is stated otherwise.

    >>> target_named("nim:3,4"), target_named(Path("map.graph")), target_named("{5|-5}", "sum")
    ('nim:3,4', 'map.graph', '')
    """
    return str(thing) if kind is None and isinstance(thing, str | Path) else ""


def _shown(thing: object) -> str:
    """What something is, for messages."""
    if thing is None or isinstance(thing, bool | int | float):
        return repr(thing)
    return f"the class {thing.__name__}" if isinstance(thing, type) else f"an object of {type(thing).__name__}"


def _format_named(name: str, text: str) -> str:
    """The format of that name, or the one of that kind that a text looks to be in."""
    if name in (form.name for form in formats()):
        return name
    if name not in KINDS or not KINDS[name].formats:
        known = dict.fromkeys([*(kind.name for kind in KINDS.values() if kind.formats), *(f.name for f in formats())])
        raise InputError(f"no kind of text {name!r}, expected one of {', '.join(known)}")
    own = KINDS[name].formats
    return next((form.name for form in own if form.looks(text)), own[0].name)


def game_from(source: Source) -> Game:
    """The game that a text states, as the engines read it.

    >>> game_from(Source("cgt", "{5|-5}", "literal")).roles
    ('left', 'right')
    """
    game = next(form.read for form in formats() if form.name == source.format)(source)
    game.source = source  # for the checker, which reads it again
    return game
