"""The messages of the general game playing protocol, read and written.

A game master sends them to a player over HTTP as ``text/acl``: INFO, PREVIEW, START, PLAY, STOP, ABORT. In GDL a
PLAY tells the joint move that was made; in GDL-II it tells the number of the turn, the player's own last move and
what it perceives. Commands come in any case.

>>> read_message("(PLAY m1 (noop (mark 1 2)))")
Play(match='m1', moves=('noop', '(mark 1 2)'))
>>> read_message("(play m2 3 (bid 5) ((sees rain)))")
Perceive(match='m2', turn=3, move='(bid 5)', percepts=('(sees rain)',))
>>> write_message(Play("m1", ("noop", "(mark 1 2)")))
'(PLAY m1 (noop (mark 1 2)))'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zermelo.errors import InputError
from zermelo.gdl.kif import Node, read_nodes, rules_of, term_of
from zermelo.gdl.syntax import Rulesheet

_FILE = "message"
_SHOWN = 40  # so many letters of what was found are shown
_LONGEST_NAME = 200


@dataclass(frozen=True)
class Info:
    """Are you there?"""


@dataclass(frozen=True)
class Preview:
    """Rules of a game that may be played soon, with the seconds to look at them."""

    sheet: Rulesheet
    clock: int


@dataclass(frozen=True)
class Start:
    """A match begins: you are this role of these rules, with seconds to prepare and seconds for each move."""

    match: str
    role: str
    sheet: Rulesheet
    startclock: int
    playclock: int


@dataclass(frozen=True)
class Play:
    """Make a move; ``moves`` is the joint move before, ``None`` at first."""

    match: str
    moves: tuple[str, ...] | None


@dataclass(frozen=True)
class Perceive:
    """Make a move (GDL-II); ``move`` is your last one, ``None`` at first."""

    match: str
    turn: int
    move: str | None
    percepts: tuple[str, ...]


@dataclass(frozen=True)
class Stop:
    """The match is over; the same contents as :class:`Play` or :class:`Perceive`."""

    match: str
    last: Play | Perceive


@dataclass(frozen=True)
class Abort:
    """The match is called off."""

    match: str


Message = Info | Preview | Start | Play | Perceive | Stop | Abort


def read_message(text: str) -> Message:
    """The message that a text states; :class:`InputError` says what is wrong with it.

    >>> read_message("(PREVIEW 10)")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: message:1:1: PREVIEW has 1 argument, expected (PREVIEW (rules) clock)
    """
    nodes = read_nodes(text, _FILE)
    # Some masters leave the outer parentheses away.
    parts = nodes[0].parts if len(nodes) == 1 and nodes[0].word is None else nodes
    command = (parts[0].word or "").upper() if parts else ""
    given = parts[1:]
    if command == "INFO":
        return Info()
    if command == "PREVIEW":
        sheet, clock = _expect(command, given, 2, "(PREVIEW (rules) clock)")
        return Preview(_rules(sheet), _seconds(clock))
    if command == "START":
        match, role, sheet, start, play = _expect(command, given, 5, "(START match role (rules) startclock playclock)")
        return Start(_word(match), str(term_of(role, _FILE)), _rules(sheet), _seconds(start), _seconds(play))
    if command == "ABORT":
        (match,) = _expect(command, given, 1, "(ABORT match)")
        return Abort(_word(match))
    if command in ("PLAY", "STOP"):
        last = _last(command, given)
        return last if command == "PLAY" else Stop(last.match, last)
    found = f"{command[:_SHOWN]!r}" if command else "nothing"
    raise InputError(f"{found} is no command, expected INFO, PREVIEW, START, PLAY, STOP or ABORT", file=_FILE)


def write_message(message: Message) -> str:
    """The text of a message, as a game master sends it."""
    match message:
        case Info():
            return "(INFO)"
        case Preview(sheet, clock):
            return f"(PREVIEW {_written(sheet)} {clock})"
        case Start(name, role, sheet, start, play):
            return f"(START {name} {role} {_written(sheet)} {start} {play})"
        case Abort(name):
            return f"(ABORT {name})"
        case Stop(_, last):
            return write_message(last).replace("(PLAY ", "(STOP ", 1)
        case Play(name, moves):
            said = "NIL" if moves is None else f"({' '.join(moves)})"
            return f"(PLAY {name} {said})"
        case Perceive(name, turn, move, percepts):
            return f"(PLAY {name} {turn} {move or 'NIL'} ({' '.join(percepts)}))"


def _last(command: str, given: list[Node]) -> Play | Perceive:
    if len(given) == 4:
        match, turn, move, percepts = given
        seen = () if _is_nil(percepts) else tuple(str(term_of(part, _FILE)) for part in _list(percepts))
        return Perceive(_word(match), _seconds(turn), None if _is_nil(move) else str(term_of(move, _FILE)), seen)
    match, moves = _expect(command, given, 2, f"({command} match (moves)) or ({command} match turn move (percepts))")
    return Play(_word(match), None if _is_nil(moves) else tuple(str(term_of(part, _FILE)) for part in _list(moves)))


def _expect(command: str, given: list[Node], count: int, usage: str) -> list[Node]:
    if len(given) != count:
        plural = "s" * (len(given) != 1)
        raise InputError(f"{command} has {len(given)} argument{plural}, expected {usage}", file=_FILE, line=1, column=1)
    return given


def _fail(node: Node, expected: str) -> InputError:
    found = node.word[:_SHOWN] if node.word is not None else "a list"
    return InputError(f"found {found}, expected {expected}", file=_FILE, line=node.span.line, column=node.span.column)


def _word(node: Node) -> str:
    if node.word is None or len(node.word) > _LONGEST_NAME:
        raise _fail(node, f"the name of a match, of no more than {_LONGEST_NAME} letters")
    return node.word


def _seconds(node: Node) -> int:
    word = node.word or ""
    if not (word.isascii() and word.isdigit() and len(word) < 10):
        raise _fail(node, "a whole number")
    return int(word)


def _list(node: Node) -> list[Node]:
    if node.word is not None:
        raise _fail(node, "a list")
    return node.parts


def _rules(node: Node) -> Rulesheet:
    return rules_of(_list(node), _FILE)


def _is_nil(node: Node) -> bool:
    return (node.word or "").upper() == "NIL" or (node.word is None and not node.parts)


def _written(sheet: Rulesheet) -> str:
    return f"({' '.join(map(str, sheet.rules))})"


def meant(text: str, known: Sequence[str]) -> str:
    """The known move that a text means: as it is written, or else in other letters.

    >>> meant("(MARK 1 2)", ["(mark 1 2)", "noop"])
    '(mark 1 2)'
    >>> meant("(mark 3 3)", ["noop"])
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: (mark 3 3) is not a legal move here
    """
    if text in known:
        return text
    found = [move for move in known if move.lower() == text.lower()]
    if len(found) != 1:
        raise InputError(f"{text[:80]} is not a legal move here")
    return found[0]
