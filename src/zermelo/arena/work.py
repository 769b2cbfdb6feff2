"""A game as a piece of work: what a worker is told, what it answers. Doing it twice gives the same game.

>>> from dataclasses import replace
>>> from zermelo.play.player import Clock
>>> pairing = Pairing("gdl:tictactoe", ("uct", "random"), Clock(simulations=9), seed=1, games=2)
>>> answer = play(Task(pairing, 1))
>>> answer.played.record.players, answer.failure
(('random', 'uct'), '')
>>> play(Task(replace(pairing, game="gdl:tictactow"), 1)).failure
"unknown rulesheet 'tictactow': did you mean tictactoe?"
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Protocol

from zermelo import __version__
from zermelo.arena.match import Table, model_of, play_number, table_of
from zermelo.arena.plan import Pairing
from zermelo.arena.store import Played
from zermelo.errors import ZermeloError, one_line
from zermelo.search.forward import ForwardModel

TRIALS = 3
"""How often a game is tried whose workers die under it."""


@dataclass(frozen=True)
class Task:
    """One game of a pairing."""

    pairing: Pairing
    number: int


@dataclass(frozen=True)
class Answer:
    """What became of a task: the game, or why there is none."""

    task: Task
    played: Played | None = None
    failure: str = ""


class Workers(Protocol):
    """Whoever plays games for a run: processes of this machine, or of a cluster."""

    @property
    def count(self) -> int:
        """How many games are played at once."""

    def submit(self, task: Task) -> None:
        """Takes a task, to be played as soon as somebody is free."""

    def wait(self, seconds: float) -> Sequence[Answer]:
        """The answers there are, waited for at most so long."""

    def close(self) -> None:
        """Ends all work, also what is under way."""


def play(task: Task) -> Answer:
    """Plays the game of a task. Whatever goes wrong is part of the answer, so that one game cannot end a run."""
    pairing = task.pairing
    try:
        model, table = table_for(pairing)
        record = play_number(
            model,
            table,
            pairing.clock,
            pairing.seed,
            task.number,
            game=pairing.game,
            commit=code_version(),
            max_steps=pairing.max_steps,
        )
    except ZermeloError as error:
        return Answer(task, failure=one_line(str(error)))
    except MemoryError:
        return Answer(task, failure="out of memory")
    except Exception as error:
        return Answer(task, failure=one_line(f"internal error, please report it: {type(error).__name__}: {error}"))
    return Answer(task, Played(record, table.round, table.alone))


def table_for(pairing: Pairing) -> tuple[ForwardModel, Table]:
    """The rules of a pairing, made ready, and who sits where.

    >>> from zermelo.play.player import Clock
    >>> table_for(Pairing("gdl:nim", ("uct", "random"), Clock(simulations=9), seed=1, games=2))[1].round
    2
    """
    return _table(pairing.game, pairing.text, pairing.players)


@lru_cache(maxsize=2)
def _model(game: str, text: str | None) -> ForwardModel:
    """Rules are made ready once in a process; two are kept, as plans go from one game to the next."""
    return model_of(game, text)


@lru_cache(maxsize=64)
def _table(game: str, text: str | None, players: tuple[str, ...]) -> tuple[ForwardModel, Table]:
    model = _model(game, text)
    return model, table_of(model, players)


@cache
def code_version() -> str:
    """Which code plays: the commit of the source tree, with a plus if files differ from it; else the package's version.

    >>> bool(code_version())
    True
    """
    here = Path(__file__).parent
    try:
        # A folder that git does not know is an installed package, even if it lies inside of somebody's repository.
        git = ["git", "-C", str(here)]
        subprocess.run([*git, "ls-files", "--error-unmatch", "__init__.py"], check=True, capture_output=True)
        said = subprocess.run(
            [*git, "describe", "--always", "--exclude=*", "--abbrev=12", "--dirty=+"],
            check=True,
            capture_output=True,
            text=True,
        )
    except (OSError, subprocess.SubprocessError):
        return __version__
    return said.stdout.strip() or __version__
