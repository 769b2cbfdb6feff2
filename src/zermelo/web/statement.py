"""What a request says of a game: a target that names no file, or a text; and the moves made so far."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, Final

from zermelo.cgt.boards.ruleset import is_ruleset
from zermelo.errors import InputError, UnknownGameError
from zermelo.game import CHANCE, Game
from zermelo.play.session import Session
from zermelo.solving import game_of
from zermelo.solving.statements import format_of
from zermelo.solving.tables import formats
from zermelo.solving.targets import game_from
from zermelo.source import Source
from zermelo.web.samples import sample_text

LONGEST_TARGET: Final = 4000
MOST_MOVES: Final = 5000
_SUM: Final = re.compile(r"[\d\s{}|,()+\-*/^v._±−∗★·↑↓⇑⇓⧾⧿]*")
"""A sum in brackets: it may have strokes, and cannot be mistaken for the name of a file."""
_NAME: Final = re.compile(r"[A-Za-z][\w-]*(?::[^/\\~]*)?", re.DOTALL)
"""A name with arguments: of the library, of a ruleset, of a rulesheet."""
_BOARDS: Final = re.compile(r"([A-Za-z][\w-]*):[^\\~]*", re.DOTALL)
"""Boards, if the name is that of a ruleset: fractions in brackets may stand among them."""


def game_stated(statement: Any) -> Game:
    """The game of a request: ``{"target": "hex:4"}``, ``{"text": "...", "format": "qcir"}``, ``{"sample": "x.qlp"}``.

    >>> game_stated({"target": "nim:3,4"}).roles
    ('first', 'second')
    >>> game_stated({"target": "/etc/passwd"})
    Traceback (most recent call last):
        ...
    zermelo.errors.UnknownGameError: '/etc/passwd' names no game here: files are not read, send their text instead
    """
    if not isinstance(statement, Mapping):
        raise InputError('expected a game: {"target": ...} or {"text": ...}')
    text, name, options = statement.get("text"), statement.get("name") or "text", statement.get("options") or ""
    if isinstance(sample := statement.get("sample"), str):
        text, name = sample_text(sample), sample
    if isinstance(text, str):
        if not isinstance(name, str) or not isinstance(options, str):
            raise InputError('"name" and "options" of a text are texts themselves')
        return _from_text(text, PurePosixPath(name).name[:100] or "text", statement.get("format"), options)
    target = statement.get("target")
    if not isinstance(target, str):
        raise InputError('expected a game: {"target": ...} or {"text": ...}')
    need_no_file(target)
    return game_of(target)


def need_no_file(target: str) -> None:
    """Refuses a target that names a file, or might."""
    harmless = target.strip() != "-" and (_SUM.fullmatch(target) or _is_name(target))
    suffixes = {suffix for form in formats() for suffix in form.suffixes} | {".sgf", ".py"}
    parts = [part.partition("(")[0].strip().lower() for part in target.split(":")]
    if len(target) > LONGEST_TARGET or not harmless or any(part.endswith(tuple(suffixes)) for part in parts):
        shown = target if len(target) <= 60 else target[:57] + "..."
        raise UnknownGameError(f"{shown!r} names no game here: files are not read, send their text instead")


def _is_name(target: str) -> bool:
    boards = _BOARDS.fullmatch(target)
    return bool(_NAME.fullmatch(target) or (boards and is_ruleset(boards[1])))


def _from_text(text: str, name: str, form: Any, options: str) -> Game:
    known = {each.name for each in formats()}
    if form is not None and form not in known:
        raise InputError(f"no format {str(form)[:40]!r}, expected one of {', '.join(sorted(known))}")
    game = game_from(Source(form or recognised(text), text, name, options))
    game.title = name
    return game


def recognised(text: str) -> str:
    """The format that a text looks to be in; one line that names a board is a board.

    >>> recognised("{5|-5}"), recognised("domineering:..|..")
    ('cgt', 'board')
    """
    line = text.strip()
    if "\n" not in line and len(line) <= LONGEST_TARGET and _is_name(line):
        for form in formats():
            if not form.suffixes and form.name != "sgf" and form.ways(line) is not None:
                return form.name
    return format_of(text)


def session_after(game: Game, moves: Any) -> Session:
    """The game under way after moves as people write them; where several roles move at once, a list of their moves.

    >>> session_after(game_stated({"target": "nim:1,2"}), ["1,1", "0,1"]).to_move
    ('first',)
    """
    if not isinstance(moves, Sequence) or isinstance(moves, str) or len(moves) > MOST_MOVES:
        raise InputError(f'"moves" is not a list of at most {MOST_MOVES} moves')
    session = Session(game)
    for number, word in enumerate(moves, 1):
        try:
            session.play(_read(session, word))
        except (ValueError, InputError) as error:
            raise InputError(f"move {number}: {error}") from None
    return session


def _read(session: Session, word: Any) -> Any:
    movers = session.to_move
    if not movers:
        raise InputError("the game is over")
    if len(movers) > 1:
        if not isinstance(word, Sequence) or isinstance(word, str) or len(word) != len(movers):
            raise InputError(f"{' and '.join(movers)} move at once: expected a list of their moves")
        return tuple(session.parse(role, _text(each)) for role, each in zip(movers, word, strict=True))
    if movers == (CHANCE,):
        wanted = _text(word)
        for outcome, _ in session.game.chances(session.position):
            if session.game.move_text(outcome) == wanted:
                return outcome
        raise InputError(f"{wanted[:60]!r} is not an outcome of chance here")
    return session.parse(movers[0], _text(word))


def _text(word: Any) -> str:
    if not isinstance(word, str) or len(word) > LONGEST_TARGET:
        raise InputError("a move is a text")
    return word
