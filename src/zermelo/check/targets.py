"""What ``zermelo check`` is asked about: a target, recognised and read without any code of the engines.

The end of a file's name says its format. A text on standard input, or in a ``.txt``, is in the first that can be read.
"""

from __future__ import annotations

import os.path
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Final

from zermelo.check.instance import READERS, Resumable, instance_of, keep_reading
from zermelo.errors import InputError, NotApplicableError
from zermelo.files import read_text
from zermelo.game import Game
from zermelo.games import is_library_game, make_game
from zermelo.python_target import python_game
from zermelo.source import Source
from zermelo.taking_up import moves_of, taken_up

SUFFIXES: Final = {
    "cgt": (".cgt",), "dgr": (".dgr",), "graph": (".graph", ".edges", ".edgelist"), "network": (".json",),
    "qcir": (".qcir",), "qdimacs": (".qdimacs", ".qcnf", ".cnf", ".dimacs"), "qlp": (".qlp",),
    "rulesheet": (".kif", ".gdl", ".pl", ".hrf"), "sgf": (".sgf",),
}  # fmt: skip
"""How the names of files in each format end."""
BY_CONTENT: Final = ("graph", "rulesheet", "qcir", "qdimacs", "qlp", "network", "sgf", "cgt")
"""The formats of texts whose name says nothing, in the order in which they are tried."""
MOST_BYTES: Final = 512 << 20


def game_to_check(target: str, after: str = "") -> Game | None:
    """The game that a target names, after moves, by the checker's own reading; ``None`` where it has no reader for it.

    Games of the library and of Python classes have one statement of their rules, which is the one that is checked.

    >>> game_to_check("{5|-5}").source.format, type(game_to_check("nim:3,4")).__name__, game_to_check("a toy")
    ('cgt', 'Nim', None)
    """
    game = python_game(target) or _read_first(list(_sources(target)))
    if game is None and is_library_game(target.partition(":")[0]):
        game = make_game(target)
    if game is None or not after:
        return game
    if not isinstance(found := instance_of(game), Resumable):
        at: Callable[[Game, str], Game] = import_module("zermelo.check.later").set_up if after[0] == "[" else taken_up
        return at(game, after)
    try:
        line = moves_of(game, after)
    except NotApplicableError:  # a value of a continuous variable: no move of a list
        return None
    rest = found.after_moves([game.move_text(move) for move in line])
    assert game.source is not None
    taken = keep_reading(rest.game(), rest, game.source)
    taken.line = tuple(line)
    return taken


def _sources(target: str) -> Iterator[Source]:
    """The texts that a target may name, each with its format."""
    name, colon, rest = target.partition(":")
    suffix = Path(target).suffix.lower()
    if target == "-" or suffix == ".txt":
        text = read_text(target, "text that states a game", MOST_BYTES)
        yield from (Source(form, text, target) for form in BY_CONTENT)
    elif name == "gdl" and colon:
        from zermelo.games.sheet_texts import rulesheet_text

        sheet, _, arguments = rest.partition(":")
        yield Source("rulesheet", rulesheet_text(sheet, arguments), target)
    elif name == "dgr" and os.path.isfile(rest):  # noqa: PTH113  (false, not an error, for what cannot be a name)
        yield Source("dgr", read_text(rest, "network", MOST_BYTES), rest)
    elif colon and name.lower().endswith(".sgf"):
        yield Source("sgf", read_text(name, "game record", MOST_BYTES), name, rest)
    elif form := next((form for form, ends in SUFFIXES.items() if suffix in ends), None):
        yield Source(form, read_text(target, "text that states a game", MOST_BYTES), target)
    elif colon and name.isascii() and name.replace("-", "").isalpha():
        yield from _board(name, target)
    elif "{" in target or not any(letter.isalpha() for letter in target.replace("v", "")):
        yield Source("cgt", target, "literal")


def _board(name: str, target: str) -> Iterator[Source]:
    """A board, unless the name is that of a game of the library, or of rules that the checker does not know."""
    if is_library_game(name):
        return
    if name != "dots":
        from zermelo.check.boards import rules_named

        try:
            rules_named(name)
        except KeyError:
            return
    yield Source("board", target, target)


def _read_first(sources: list[Source]) -> Game | None:
    """The game of the first text that its reader accepts; else the error of the reader that came furthest."""
    errors: list[InputError] = []
    for source in sources:
        try:
            found = import_module(READERS[source.format]).read(source)
            return keep_reading(found.game(), found, source)
        except InputError as error:
            errors.append(error)
    if errors:
        raise max(errors, key=lambda error: (error.line or 0, error.column or 0))
    return None
