"""What ``zermelo check`` is asked about: a target, recognised and read without any code of the engines.

The end of a file's name says its format. A text on standard input, or in a ``.txt``, is in the first that can be read.
"""

from __future__ import annotations

import os.path
from importlib import import_module
from pathlib import Path
from typing import Final

from zermelo.check.instance import READERS, keep_reading
from zermelo.errors import InputError
from zermelo.files import read_text
from zermelo.game import Game
from zermelo.games import is_library_game, make_game
from zermelo.python_target import python_game
from zermelo.source import Source

SUFFIXES: Final = {
    "cgt": (".cgt",), "dgr": (".dgr",), "efg": (".efg",), "graph": (".graph", ".edges", ".edgelist"),
    "network": (".json",), "nfg": (".nfg",), "qcir": (".qcir",), "qdimacs": (".qdimacs", ".qcnf", ".cnf", ".dimacs"),
    "qlp": (".qlp",), "rulesheet": (".kif", ".gdl", ".pl", ".hrf"), "sgf": (".sgf",),
}  # fmt: skip
"""How the names of files in each format end."""
BY_CONTENT: Final = ("efg", "nfg", "graph", "rulesheet", "qcir", "qdimacs", "qlp", "network", "sgf", "cgt")
"""The formats of texts whose name says nothing, in the order in which they are tried."""
MOST_BYTES: Final = 512 << 20


def game_to_check(target: str, after: str = "") -> Game | None:
    """The game that a target names, after moves, by the checker's own reading; ``None`` where it has no reader for it.

    Games of the library and of Python classes have one statement of their rules, which is the one that is checked.

    >>> game_to_check("{5|-5}").source.format, type(game_to_check("nim:3,4")).__name__, game_to_check("a toy")
    ('cgt', 'Nim', None)
    """
    game = python_game(target) or _read_first(_sources(target))
    if game is None and is_library_game(target.partition(":")[0]):
        game = make_game(target)
    if game is None or not after:
        return game
    from zermelo.check.taken_up import after_moves

    return after_moves(game, after)


def _sources(target: str) -> list[Source]:
    """The texts that a target may name, each with its format."""
    name, colon, rest = target.partition(":")
    suffix = Path(target).suffix.lower()
    if name == "gdl" and colon:
        from zermelo.games.sheet_texts import rulesheet_text

        sheet, _, arguments = rest.partition(":")
        return [Source("rulesheet", rulesheet_text(sheet, arguments), target)]
    forms = BY_CONTENT if target == "-" or suffix == ".txt" else [f for f, ends in SUFFIXES.items() if suffix in ends]
    file, part = target, ""
    if name == "dgr" and os.path.isfile(rest):  # noqa: PTH113  (false, not an error, for what cannot be a name)
        forms, file = ["dgr"], rest
    elif name.lower().endswith(".sgf"):
        forms, file, part = ["sgf"], name, rest
    if forms:
        text = read_text(file, "text that states a game", MOST_BYTES)
        return [Source(form, text, file, part) for form in forms]
    if colon and name.replace("-", "").isalpha():
        return [Source("board", target, target)] if _has_board(name) else []
    is_sum = "{" in target or not any(letter.isalpha() for letter in target.replace("v", ""))
    return [Source("cgt", target, "literal")] if is_sum else []


def _has_board(name: str) -> bool:
    """Whether the checker knows rules of that name for boards."""
    if is_library_game(name):  # which need not load what there is of boards
        return False
    from zermelo.check.boards import IMPARTIAL, MODULES

    return name == "dots" or name.removeprefix(IMPARTIAL) in MODULES


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
