"""Play in a terminal: a thin shell around a :class:`~zermelo.play.session.Session`.

The shell reads lines with one function and writes lines with another, so that a test or another front end can
sit at the other end. Ctrl-C at the prompt leaves, like the end of the input; Ctrl-C while an engine thinks
makes it play its best move so far.
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any, TextIO

from zermelo.decision import Adviser
from zermelo.draw.board import board_text
from zermelo.errors import AmbiguousMoveError, IllegalMoveError, InputError
from zermelo.game import CHANCE, Game, Role
from zermelo.play.session import Session

HELP = """Type a move, or one of these commands:
  moves    list the legal moves
  board    show the board again
  hint     show the best move, and what every move leads to as far as it is known
  undo     go back to your last turn
  resign   give up: the other side wins
  quit     leave the game
  help     show this text
If a word is both a move and a command, it is the move; put a colon in front for the command (:undo)."""

COMMANDS = ("moves", "board", "hint", "undo", "resign", "quit", "help")
LONGEST_INPUT = 200
MOVES_SHOWN = 200

Read = Callable[[str], str]
Write = Callable[[str], None]


def humans_of(game: Game, answer: str | None) -> tuple[Role, ...]:
    """The roles that people play: one, several with commas, ``both`` or ``all``, ``none``; else the first.

    >>> from zermelo.games import make_game
    >>> humans_of(make_game("nim:1"), "both")
    ('first', 'second')
    """
    if answer is None:
        return game.roles[:1]
    if answer in game.roles:
        return (answer,)
    if answer in ("both", "all"):
        return game.roles
    if answer == "none":
        return ()
    wanted = [part.strip() for part in answer.split(",")]
    for part in wanted:
        if part not in game.roles:
            raise InputError(f"--as {part!r} is not a role, expected {', '.join(game.roles)}, both or none")
    return tuple(role for role in game.roles if role in wanted)


@dataclass(frozen=True)
class Look:
    """How a terminal shows what is said: nothing is changed by default, as in a pipe.

    ``fit`` breaks long lines, ``strong`` stresses how a game ends, and ``thinking`` says that an engine is at work,
    until it is given nothing to say.
    """

    fit: Callable[[str], str] = str
    strong: Callable[[str], str] = str
    thinking: Callable[[str], None] = lambda words: None


def stream_reader(source: TextIO, write: TextIO) -> Read:
    """Reads lines from a stream, prompts on another; ``EOFError`` at the end, as :func:`input` has it.

    >>> import io
    >>> stream_reader(io.StringIO("b2\\n"), io.StringIO())("> ")
    'b2'
    """

    def read(prompt: str) -> str:
        write.write(prompt)
        write.flush()
        line = source.readline()
        if not line:
            raise EOFError
        return line.rstrip("\n")

    return read


def console_reader() -> Read:
    """Reads lines from standard input, with editing and history where that is a terminal."""
    if sys.stdin is None or sys.stdout is None:  # closed before the start
        return stream_reader(io.StringIO(), io.StringIO())
    if sys.stdin.isatty() and sys.stdout.isatty():
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  (its import gives input() a line editor)

        return input
    if (reconfigure := getattr(sys.stdin, "reconfigure", None)) is not None:
        reconfigure(errors="replace")  # a stray byte is a wrong move, not a crash
    return stream_reader(sys.stdin, sys.stdout)


class Terminal:
    """One game between people at a terminal and an engine.

    >>> import io
    >>> from zermelo.games import make_game
    >>> game, said = make_game("nim:1,2"), []
    >>> reader = stream_reader(io.StringIO("1,2\\n"), io.StringIO())
    >>> from zermelo.play.engine_player import EnginePlayer
    >>> Terminal(Session(game), ("first",), EnginePlayer(game), reader, said.append).run()
    >>> said[-1]
    'second wins.'
    """

    def __init__(
        self,
        session: Session,
        humans: Collection[Role],
        engine: Adviser,
        read: Read,
        write: Write,
        look: Look | None = None,
    ) -> None:
        self.session, self.humans, self.engine = session, tuple(humans), engine
        self.game = session.game
        self.read, self.write = read, write
        self.look = look or Look()
        self.left = False

    def run(self) -> None:
        """Plays to the end, or until somebody leaves."""
        self._greet()
        self._board()
        while not self.left and (movers := self.session.to_move):
            if movers == (CHANCE,):
                self.write(f"chance: {self.game.move_text(self.session.roll())}")
            elif (moves := self._gather(movers)) is not None:
                self.session.play(moves if len(movers) > 1 else moves[0])
                if set(movers).isdisjoint(self.humans):
                    self._board()
        ending = self.session.ending
        if ending is not None:
            if self.session.last is not None and not set(self.session.last[0]).isdisjoint(self.humans):
                self._board()
            self.write(self.look.strong(ending.words))

    def _greet(self) -> None:
        others = [role for role in self.game.roles if role not in self.humans]
        sides = []
        if self.humans:
            sides.append(f"you play {' and '.join(self.humans)}")
        if others:
            sides.append(f"the engine plays {' and '.join(others)}")
        self.write("; ".join(sides).capitalize() + (". Type `help` for help." if self.humans else "."))

    def _board(self) -> None:
        self.write("")
        self.write(_with_names(self.game, self.session.position))
        self.write("")

    def _gather(self, movers: tuple[Role, ...]) -> tuple[Any, ...] | None:
        """A move from each role that moves now; ``None`` after a command that settled the matter."""
        moves = []
        for role in movers:
            if role in self.humans:
                move = self._ask(role, alone=len(movers) == 1)
                if move is _COMMAND:
                    return None
            else:
                choice = self._chosen(role)
                move = choice.move
                # Roles that move at once do not see each other's moves before all have moved.
                if len(movers) == 1:
                    self._say(f"{role} plays {self.game.move_text(move)} ({choice.reason})")
            moves.append(move)
        if len(movers) > 1:
            shown = (f"{role} plays {self.game.move_text(move)}" for role, move in zip(movers, moves, strict=True))
            self._say(", ".join(shown))
        return tuple(moves)

    def _chosen(self, role: Role) -> Any:
        with self._thought(f"{role} is thinking"):
            return self.engine.choose(self.session.line, role=role)

    @contextlib.contextmanager
    def _thought(self, words: str) -> Iterator[None]:
        self.look.thinking(words)
        try:
            yield
        finally:
            self.look.thinking("")

    def _say(self, words: str) -> None:
        self.write(self.look.fit(words))

    def _ask(self, role: Role, *, alone: bool) -> Any:
        """A legal move from a person, or ``_COMMAND``."""
        while True:
            try:
                text = self.read(f"{role} to move: ").strip()
            except (EOFError, KeyboardInterrupt):
                self.write("")
                self.session.resign(role)
                self.left = True
                return _COMMAND
            if not text:
                continue
            try:
                if len(text) > LONGEST_INPUT:
                    raise IllegalMoveError(f"{text[:20]!r}... is not a legal move here")
                return self.session.parse(role, text)
            except (IllegalMoveError, AmbiguousMoveError) as error:
                command = text.removeprefix(":").lower()
                if command not in COMMANDS:
                    self._say(f"{error} (`moves` lists the legal moves, `help` the commands)")
                elif self._obey(command, role, alone=alone):
                    return _COMMAND

    def _obey(self, command: str, role: Role, *, alone: bool) -> bool:
        """Carries out a command; ``True`` if the question is settled by it."""
        if command == "undo":
            if self.session.take_back(self.humans):
                self._board()
                return True
            self.write("There is nothing to take back.")
        elif command == "resign":
            self.session.resign(role)
            return True
        elif command == "quit":
            self.left = True
            return True
        elif command == "hint":
            self._hint(role, alone=alone)
        elif command == "moves":
            self._say(self._listed(self.session.legal(role)))
        elif command == "board":
            self._board()
            if (last := self.session.last) is not None:
                self.write(f"last move: {' and '.join(last[0])} {self.game.move_text(last[1])}")
        else:
            self._say(HELP)
        return False

    def _listed(self, moves: list[Any]) -> str:
        shown = " ".join(self.game.move_text(move) for move in moves[:MOVES_SHOWN])
        return shown + (f" and {len(moves) - MOVES_SHOWN} more" if len(moves) > MOVES_SHOWN else "")

    def _hint(self, role: Role, *, alone: bool) -> None:
        if not alone:
            choice = self._chosen(role)
            self._say(f"{self.game.move_text(choice.move)} ({choice.reason})")
            return
        with self._thought("looking for the best move"):
            advice = self.engine.advise(self.session.line)
        self._say(f"best: {self.game.move_text(advice.move)} ({advice.reason})")
        groups: dict[str, list[Any]] = {}
        for move, value in advice.move_values.items():
            words = "not worked out" if value is None else self.engine.outcome(value)
            groups.setdefault(words, []).append(move)
        for move, words in advice.words.items():
            groups.setdefault(words, []).append(move)
        for words, moves in groups.items():
            self._say(f"  {words}: {self._listed(moves)}")


def _with_names(game: Game, position: Any) -> str:
    """A position as text, with the names of rows and columns where it begins with a board.

    >>> from zermelo.games import make_game
    >>> game = make_game("mnk:2,2,2")
    >>> print(_with_names(game, game.start()))
      a b
    1 . .
    2 . .
    """
    text, board = game.text(position), game.board(position)
    plain = None if board is None else board_text(board)
    if board is None or plain is None or not text.startswith(plain):
        return text
    return board_text(board, coordinates=True) + text.removeprefix(plain)


_COMMAND = object()
