"""A game that is asked about by its encodings, horizon by horizon, until its value is known and shown.

What formulas (:mod:`zermelo.encode.qbf.asking`) and programs (:mod:`zermelo.encode.qip.asking`) have in common: limits
that may come first, horizons that grow, and the answer in the end, whose claims speak of the game's own rules.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, Protocol

from zermelo.answer import Answer
from zermelo.brief import counted
from zermelo.certificate import Claim, score_text
from zermelo.encode.qbf.playback import Played
from zermelo.engine import Task
from zermelo.errors import LimitReachedError
from zermelo.game import Game, Score, winner_of
from zermelo.progress import Progress
from zermelo.search.lines import main_line

PATIENCE = 4
"""A game that is not decided after so many times the length of its longest sample is given up."""


def why_not_asked(game: Game) -> str | None:
    """Why nothing can be asked about a game by its encodings, as far as that is seen without playing it.

    >>> from zermelo.games import make_game
    >>> why_not_asked(make_game("nim:3,4")) is None
    True
    """
    if game.hidden_information:
        return "some role does not see every move: it has to be a game of complete information"
    if len(game.roles) != 2:
        return f"{counted(len(game.roles), 'role')}: it has to be a game of two roles"
    return None


class StopError(Exception):
    """A limit came before the answer."""

    def __init__(self, cause: str) -> None:
        super().__init__(cause)
        self.cause = cause


@dataclass(frozen=True)
class Shown:
    """What a role gets at least, and its strategy if there is one to show."""

    role: int
    at_least: Score
    played: Played | None


class Horizon(Protocol):
    """What an encoder says of the length of its game; ``exact`` where that is known for sure."""

    @property
    def game(self) -> Game: ...
    @property
    def length(self) -> int: ...
    @property
    def exact(self) -> bool: ...


class Questions(ABC):
    """The questions that are asked about one game.

    Those that ask know how to find the value: they close in on ``bounds``, of the first role's score, and note in
    ``shown`` who gets what.
    """

    questions: str
    """What solvers are asked, as statistics call it."""
    written: str
    """What a solver has to write down for its answer to be checked."""

    def __init__(self, game: Game, engine: str, task: Task) -> None:
        self.game, self.engine, self.watch, self.encoding = game, engine, task.watch, task.options.encoding
        self.limits, self.options, self.began = task.limits, task.options, monotonic()
        self.bounds: tuple[Score | None, Score | None] = (None, None)
        self.shown: dict[int, Shown] = {}
        self.total: Score = 0
        self.stats: dict[str, Any] = {self.questions: 0, "nodes": 0, "solver_seconds": 0.0}

    @abstractmethod
    def find_value(self) -> str:
        """Closes in on the value of a game that is not over at its start; returns why it did not get there."""

    def settle(self) -> Answer:
        """The answer, or what is known at a limit or after Ctrl-C."""
        note, cause = "", "none"
        try:
            if (result := self.game.result(self.game.start())) is None:
                note = self.find_value()
            else:
                self.total, self.bounds = sum(result), (result[0], result[0])
        except StopError as stop:
            cause = stop.cause
            note = "interrupted" if cause == "interrupt" else f"the {cause} limit was reached"
        except LimitReachedError as error:
            note, cause = str(error), "limit"
        except MemoryError:
            note, cause = "out of memory", "memory"
        except KeyboardInterrupt:
            note, cause = "interrupted", "interrupt"
        return self.in_words(note, cause)

    def horizons(self, horizon: Horizon, growth: int) -> Iterator[int]:
        """Growing numbers of plies, the last of each with a move of the first role where roles alternate.

        They grow by one part in ``growth`` up to the length of the game, more slowly beyond it.
        """
        plies = 1 if horizon.game.turn(horizon.game.start()) == horizon.game.roles[0] else 2
        most = self.options.depth or (horizon.length if horizon.exact else PATIENCE * horizon.length + 16)
        while plies < min(horizon.length, most):
            yield plies
            plies += 2 * max(1, plies // growth)
        plies = min(horizon.length, most)
        while plies < most:
            yield plies
            plies += 2 * max(1, plies // 8)
        yield most

    def note_question(self, sizes: Mapping[str, int]) -> None:
        """Counts a question, and keeps the sizes of the largest."""
        self.stats[self.questions] += 1
        for name, size in sizes.items():
            self.stats[name] = max(self.stats.get(name, 0), size)

    def note_work(self, nodes: int, began: float) -> None:
        """Adds what a solver has done since it began."""
        self.stats["nodes"] += nodes
        self.stats["solver_seconds"] = round(self.stats["solver_seconds"] + monotonic() - began, 6)

    def note_strategy(self, played: Played) -> None:
        """Counts the positions of a strategy that was played back."""
        self.stats["strategy_positions"] = self.stats.get("strategy_positions", 0) + len(played.table)

    def seen(self, progress: Progress, plies: int) -> Progress:
        """What a solver is at, as seen from the game: its bounds, the plies asked for, all nodes so far."""
        low, high = self.bounds
        return replace(
            progress,
            seconds=monotonic() - self.began,
            nodes=self.stats["nodes"] + progress.nodes,
            depth=plies,
            bounds=(low or 0, high or 0),
        )

    def in_words(self, note: str, cause: str) -> Answer:
        """The answer, with claims where strategies were written down."""
        game, (low, high) = self.game, self.bounds
        value = low if low is not None and low == high else None
        self.stats["seconds"] = round(monotonic() - self.began, 6)
        if self.total:
            self.stats["total"] = score_text(self.total)
        claims = tuple(
            Claim(game.roles[role], shown.at_least, shown.played.table)
            for role, shown in sorted(self.shown.items())
            if shown.played is not None
        )
        if value is not None and len(claims) < len(self.shown):
            # Half a proof would be checked and look like one.
            claims, note = (), f"not verified: {self.engine} writes no {self.written} down"
        start = game.start()
        line = main_line(game, start, claims, None) if claims and game.result(start) is None else ()
        return Answer(
            engine=self.engine,
            status="solved" if value is not None else "unknown" if not self.shown else "bounded",
            value=value,
            bounds=self.bounds if value is not None or self.shown else (None, None),
            winner=None if value is None else winner_of(game, value, self.total),
            move=line[0] if line else None,
            line=line,
            claims=claims if self.options.certify and value is not None else (),
            note=note,
            stopped_by=cause,
            stats=self.stats,
        )
