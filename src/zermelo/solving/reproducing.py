"""The smallest game on which engines disagree, in a file that can be solved again.

A game that was read from a text loses pieces of the text, a game of any kind is taken up after moves, and a game that
is small enough is written out as a table and loses rows: as long as the same routes still disagree. What cannot be read
any more, or is answered alike, is not taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Any

from zermelo.answer import Answer
from zermelo.engine import Task
from zermelo.errors import DisagreementError, LimitReachedError, NotApplicableError, ZermeloError
from zermelo.files import write_text
from zermelo.game import Game, Score
from zermelo.graph import graph_of
from zermelo.limits import Limits
from zermelo.options import Options
from zermelo.solving.routes import route_to
from zermelo.solving.tables import formats
from zermelo.solving.targets import game_from
from zermelo.solving.verifying import checked, need_agreement, solution_of
from zermelo.source import Source
from zermelo.tablegame import TableGame, python_source, reachable, table_of

SECONDS = 30.0
"""What making it smaller may take,"""
EACH = Limits(seconds=2.0)
"""and one route to answer about one smaller game."""
MOST_POSITIONS = 2000
"""Games of more positions are not written out as tables."""
SEPARATORS = {"cgt": " + ", "board": "|"}
"""Between what pieces of a text can be left out; lines where nothing is said."""

Disagree = Callable[[Game], bool]


@dataclass(frozen=True)
class Reproducer:
    """A game on which routes disagree, as a file has it."""

    text: str
    suffix: str
    target: str = "{file}"
    """How the file is named as a target."""

    def write(self, folder: Path = Path()) -> str:
        """Writes the file, and returns the target that names it."""
        digest = sha256(self.text.encode()).hexdigest()[:8]
        file = folder / f"disagreement_{digest}{self.suffix}"
        write_text(file, self.text)
        return self.target.format(file=file)


def disagree_on(routes: tuple[str, ...]) -> Disagree:
    """Whether these routes disagree on a game, or the checker refutes one of them.

    >>> from zermelo.games import make_game
    >>> disagree_on(("dp", "alphabeta"))(make_game("nim:1,2"))
    False
    """

    def disagree(game: Game) -> bool:
        answers: list[Answer] = []
        try:
            for name in routes:
                task = Task(EACH.restarted(), Options(move_values=False, guess=False), "it")
                answer = route_to(name, game).answer(game, task)
                solution = checked(solution_of(game, answer, "it"), task.options, task.limits)
                answers.append(replace(answer, engine=name, winner=solution.winner))
            need_agreement("it", answers)
        except DisagreementError:
            return True
        except (NotApplicableError, LimitReachedError, MemoryError):
            return False
        return False

    return disagree


def smallest(game: Game, disagree: Disagree, seconds: float = SECONDS) -> Reproducer | None:
    """The smallest game found on which there still is a disagreement; ``None`` if not even this one can be written."""
    ends = monotonic() + seconds
    if game.source is not None and not game.line:
        source = _shorter_source(game.source, disagree, ends)
        form = next(form for form in formats() if form.name == source.format)
        if form.suffixes and not source.options:
            return Reproducer(source.text, form.suffixes[0])
        if source.text.partition(":")[0].isidentifier() or source.format == "cgt":
            return Reproducer(source.text + "\n", ".cgt") if source.format == "cgt" else _named(source.text)
    shorter = _later(game, disagree, ends)
    with suppress(LimitReachedError, ZermeloError, MemoryError):
        limits = Limits(nodes=MOST_POSITIONS, seconds=5.0)
        table = reachable(table_of(shorter, graph_of(shorter, limits, at_once=True)))
        if disagree(table):
            return _as_table(_fewer_rows(table, disagree, ends))
    return _named(game.title, [shorter.move_text(move) for move in shorter.line]) if game.title else None


def _shorter_source(source: Source, disagree: Disagree, ends: float) -> Source:
    """The text with as many pieces left out as possible."""
    separator = SEPARATORS.get(source.format, "\n")
    pieces = tuple(source.text.split(separator))
    improved = True
    while improved and monotonic() < ends:
        improved = False
        for fewer in without_pieces(pieces):
            if monotonic() > ends:
                break
            candidate = replace(source, text=separator.join(fewer))
            with suppress(ZermeloError, ValueError, RecursionError):
                if disagree(game_from(candidate)):
                    pieces, improved = fewer, True
                    break
    return replace(source, text=separator.join(pieces))


def _later(game: Game, disagree: Disagree, ends: float) -> Game:
    """The game after as many moves as leave the disagreement."""
    deeper: Game | None = game
    while deeper is not None:
        game, deeper = deeper, None
        start = game.start()
        for move in () if game.result(start) is not None or game.turn(start) not in game.roles else game.moves(start):
            if monotonic() < ends and disagree(after := game.at([move])):
                deeper = after
                break
    return game


def _fewer_rows(table: TableGame, disagree: Disagree, ends: float) -> TableGame:
    """The table with as many rows and moves left out as possible."""
    improved = True
    while improved:
        improved = False
        for candidate in smaller_tables(table):
            if monotonic() > ends:
                break
            if disagree(candidate):
                table, improved = candidate, True
                break
    return table


def smaller_tables(table: TableGame) -> Iterator[TableGame]:
    """The table with one node ended, with one move less, or with a simpler score.

    >>> game = TableGame(("first", "second", "second"), ((1, 2), (), ()), (None, 7, -1))
    >>> [smaller.scores for smaller in smaller_tables(game)]
    [(0,), (None, -1), (None, 7), (None, 1, -1)]
    """
    nothing = next(((0,) * len(table.roles) for score in table.scores if isinstance(score, tuple)), 0)
    for node, row in enumerate(table.successors):
        if row:
            yield reachable(_changed(table, node, (), nothing))
    for node, row in enumerate(table.successors):
        for place in range(len(row)) if len(row) > 1 and not isinstance(table.turns[node], tuple) else ():
            yield reachable(_changed(table, node, row[:place] + row[place + 1 :], None))
    for node, turn in enumerate(table.turns):
        if isinstance(turn, tuple) and table.successors[node]:
            yield reachable(_with_one_mover(table, node))
    for node, score in enumerate(table.scores):
        if isinstance(score, tuple):
            plainer = tuple(min(max(int(part), -1), 1) for part in score)
            if plainer != score:
                yield _changed(table, node, (), plainer)
        elif score not in (None, 0, 1, -1):
            yield _changed(table, node, (), 1)


def _changed(table: TableGame, node: int, row: tuple[int, ...], score: Score | tuple[Score, ...] | None) -> TableGame:
    """The table with another row at a node, which one role moves at, or another score."""
    weights = table.weights or tuple(() for _ in table.turns)
    even = tuple(Fraction(1, len(row)) for _ in row) if weights[node] else ()
    turn = table.turns[node]
    return replace(
        table,
        turns=(*table.turns[:node], turn[0] if isinstance(turn, tuple) else turn, *table.turns[node + 1 :]),
        successors=(*table.successors[:node], row, *table.successors[node + 1 :]),
        scores=(*table.scores[:node], score, *table.scores[node + 1 :]),
        weights=(*weights[:node], even, *weights[node + 1 :]),
        sizes=(*table.sizes[:node], (), *table.sizes[node + 1 :]) if table.sizes else (),
    )


def _with_one_mover(table: TableGame, node: int) -> TableGame:
    """The table in which only the first of several roles that move at once has a choice at a node."""
    size = table.sizes[node][0]
    row = table.successors[node]
    return _changed(table, node, row[:: len(row) // size], None)


def without_pieces(pieces: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """The pieces without some in a row: halves first, single ones last (Zeller and Hildebrandt 2002).

    >>> list(without_pieces((1, 2)))
    [(2,), (1,)]
    """
    size = len(pieces) // 2
    while size:
        for begin in range(0, len(pieces), size):
            yield pieces[:begin] + pieces[begin + size :]
        size //= 2


def _as_table(table: TableGame) -> Reproducer:
    return Reproducer(python_source(table, "Shrunk", "Engines disagree on this game."), ".py", "{file}:Shrunk")


def _named(target: str, moves: list[str] | None = None) -> Reproducer:
    """A game of the library after moves, as a class in a Python file."""
    line = " ".join(move if re.fullmatch(r"\S+", move) else repr(move) for move in moves or [])
    text = f'''"""Engines disagree on this game."""

from zermelo.continued import Continued
from zermelo.solving import game_of
from zermelo.taking_up import moves_of


class Shrunk(Continued):
    def __init__(self) -> None:
        game = game_of({target!r})
        super().__init__(game, moves_of(game, {line!r}))
'''
    return Reproducer(text, ".py", "{file}:Shrunk")
