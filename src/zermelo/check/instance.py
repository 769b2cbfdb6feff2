"""What a game is, as the checker reads it: its digest, and for games from files the checker's own reading.

A certificate belongs to one game. It names it by a digest, a SHA-256 of the kind and of a text that is the same for the
same game and only for it. For a game that was read from a text, that text is read once more by a small reader in
``check/read``, which shares nothing with the reader that the engines use; if the two readings differ, so do the games
that are solved and checked, and the answer is refuted. For a game of the library it is the name of its class and
what it was made with. For any other game it is what its rules answer along some lines of play: enough to tell two
games apart by accident, while what is proved is checked against the rules themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from importlib import import_module
from typing import Any, Protocol, runtime_checkable

from zermelo.game import Game
from zermelo.limits import Limits
from zermelo.source import Source
from zermelo.wrapper import GameWrapper

READERS: dict[str, str] = {
    "board": "zermelo.check.read.board",
    "cgt": "zermelo.check.read.sum",
    "dgr": "zermelo.check.read.dgr",
    "graph": "zermelo.check.read.graph",
    "network": "zermelo.check.read.network",
    "qcir": "zermelo.check.read.qcir",
    "qdimacs": "zermelo.check.read.qdimacs",
    "qlp": "zermelo.check.read.qlp",
    "rulesheet": "zermelo.check.read.rulesheet",
    "sgf": "zermelo.check.read.sgf",
}
"""Formats of files, and the module of the checker that reads each."""
COPIES: dict[str, str] = {
    "zermelo.cgt.game.BoardSum": "zermelo.check.read.copied:boards",
    "zermelo.cgt.game.WrittenSum": "zermelo.check.read.copied:written_sum",
    "zermelo.cgt.go.game.EndgameGame": "zermelo.check.read.copied:endgame",
    "zermelo.cgt.rulesets.dots.DotsSum": "zermelo.check.read.copied:dots",
    "zermelo.games.dgr.Reliability": "zermelo.check.read.dgr:of_game",
    "zermelo.games.geography.Geography": "zermelo.check.copied:graph",
    "zermelo.gdl.game.RulesheetGame": "zermelo.check.copied:rulesheet",
    "zermelo.qbf.game.FormulaGame": "zermelo.check.read.formulas:of_game",
    "zermelo.qip.game.ProgramGame": "zermelo.check.read.models:of_game",
    "zermelo.scsp.game.NetworkGame": "zermelo.check.copied:network",
}
"""Classes of games that can also be made in Python, without a text, with the module and function that copy each."""


class Instance(Protocol):
    """The checker's own reading of a game."""

    def canonical(self) -> str:
        """A text that is the same for the same game, and only for it."""


@runtime_checkable
class Playable(Protocol):
    """A reading whose claims are tables: the checker plays it by rules of its own."""

    def game(self) -> Game:
        """The game, with the keys of positions and the texts of moves that certificates use."""


@runtime_checkable
class Resumable(Protocol):
    """A reading whose game may be taken up where its first variables have values."""

    def after_moves(self, moves: Sequence[str]) -> Instance:
        """What is left of it then; ``InputError`` for moves that set other variables than the next ones."""


@runtime_checkable
class Conditional(Protocol):
    """A reading that states a game only where a condition holds which takes a search to decide."""

    def need_valid(self, limits: Limits) -> None:
        """``InputError`` where it does not hold, by the same rules as before solving; ``LimitReachedError``."""


def rules_of(game: Game) -> Game:
    """The game without our wrappers: the one that has the source, and its own start.

    A wrapper of a user may change the rules, so it is not taken off: what it wraps is another game.

    >>> from zermelo.games import make_game
    >>> nim = make_game("nim:3")
    >>> rules_of(GameWrapper(GameWrapper(nim))) is nim
    True
    """
    while isinstance(game, GameWrapper) and type(game).__module__.startswith("zermelo."):
        game = game.inner
    return game


def instance_of(game: Game) -> Instance | None:
    """The checker's own reading; ``None`` for a game that is stated in Python alone. Read once for each game."""
    rules = rules_of(game)
    found: Instance | None = _once(rules, "_checkers_reading", lambda: _read(rules))
    return found


def keep_reading(game: Game, found: Instance, source: Source) -> Game:
    """The game, with the text that states it and the checker's reading of that text, which is not read again."""
    game.source = source
    vars(game)["_checkers_reading"] = found
    return game


def _once(rules: Game, name: str, make: Callable[[], Any]) -> Any:
    """What was made for a game before, or is made now and kept with it."""
    kept = getattr(rules, "__dict__", {})
    if name not in kept:
        kept[name] = make()
    return kept[name]


def _read(rules: Game) -> Instance | None:
    if isinstance(rules, GameWrapper):
        return None  # its source states the game inside
    if rules.source is not None and rules.source.format in READERS:
        read = import_module(READERS[rules.source.format]).read
        found: Instance = read(rules.source)
        moves = [rules.move_text(move) for move in rules.line]  # of a formula or program that is taken up later
        return found.after_moves(moves) if moves and isinstance(found, Resumable) else found
    return copy_of(rules) if rules.source is None else None


def copy_of(rules: Game) -> Instance | None:
    """The checker's own noun of a game that was made in Python, copied from what it holds; ``None`` for a class."""
    module, _, name = COPIES.get(f"{type(rules).__module__}.{type(rules).__qualname__}", "").partition(":")
    copied: Instance | None = getattr(import_module(module), name)(rules) if module else None
    return copied


def digest_of(game: Game) -> str:
    """The digest of the rules and the start that they state, whatever moves were made since.

    >>> from zermelo.games import make_game
    >>> digest_of(make_game("mnk:3,3,3")) == digest_of(make_game("tictactoe"))
    True
    >>> digest_of(make_game("nim:1,2")) == digest_of(make_game("nim:2,1"))
    False
    """
    rules = rules_of(game)
    found: str = _once(
        rules, "_checkers_digest", lambda: sha256(_canonical(rules).encode("utf-8", "surrogatepass")).hexdigest()
    )
    return found


def _canonical(rules: Game) -> str:
    instance = instance_of(rules)
    if instance is not None:
        kind = type(instance).__name__
        return f"{kind}\n{instance.canonical()}"
    if rules.source is not None and not isinstance(rules, GameWrapper):
        return _text_of(rules.source)
    from zermelo.check.digests import statement_of  # who checks a text need not trust it

    return statement_of(rules)


def _text_of(source: Source) -> str:
    """Of a format without a second reader, the text itself, however its lines end."""
    return f"{source.format}\n" + "\n".join(line.rstrip() for line in source.text.splitlines()).strip()
