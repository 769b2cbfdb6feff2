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

from zermelo.errors import NotApplicableError
from zermelo.game import Game
from zermelo.limits import Limits
from zermelo.source import Source
from zermelo.wrapper import GameWrapper

READERS: dict[str, str] = {
    "board": "zermelo.check.read.board", "cgt": "zermelo.check.read.sum", "dgr": "zermelo.check.read.dgr",
    "efg": "zermelo.check.read.gambit", "graph": "zermelo.check.read.graph", "network": "zermelo.check.read.network",
    "nfg": "zermelo.check.read.gambit", "qcir": "zermelo.check.read.qcir", "qdimacs": "zermelo.check.read.qdimacs",
    "qlp": "zermelo.check.read.qlp", "rulesheet": "zermelo.check.read.rulesheet", "sgf": "zermelo.check.read.sgf",
}  # fmt: skip
"""Formats of files, and the module of the checker that reads each."""


class Instance(Protocol):
    """The checker's own reading of a game."""

    def canonical(self) -> str:
        """A text that is the same for the same game, and only for it."""

    def game(self) -> Game:
        """The game by rules of the checker's own, with the keys of positions and the texts of moves of certificates."""


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
    source = rules.source
    if isinstance(rules, GameWrapper):
        return None  # its source states the game inside
    if source is None:
        from zermelo.check.without_text import copy_of  # who checks a text need not trust it

        return copy_of(rules)
    if source.format not in READERS:
        return None
    found: Instance = import_module(READERS[source.format]).read(source)
    moves = [rules.move_text(move) for move in rules.line]  # of a formula or program that is taken up later
    return found.after_moves(moves) if moves and isinstance(found, Resumable) else found


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
    if (instance := instance_of(rules)) is not None:
        return f"{type(instance).__name__}\n{instance.canonical()}"
    if rules.source is None or isinstance(rules, GameWrapper):
        from zermelo.check.without_text import statement_of

        return statement_of(rules)
    # Of a format without a second reader, the text itself, however its lines end.
    return f"{rules.source.format}\n" + "\n".join(map(str.rstrip, rules.source.text.splitlines())).strip()


def own_game(game: Game) -> Game:
    """The game to play by: the checker's own reading where there is one, from the same position on."""
    if (instance := instance_of(game)) is None:
        return game
    own = instance.game()
    if own.hidden_information:
        raise NotApplicableError("some role does not see every move: a table by positions is no strategy there")
    if not game.line:
        return own
    from zermelo.check.taken_up import followed

    return followed(game, own)
