"""What a worker can be asked to do: a table of tasks, each in a module of its own concern."""

from __future__ import annotations

import json
from collections import OrderedDict
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from zermelo.errors import InputError
from zermelo.game import Game
from zermelo.limits import Limits

if TYPE_CHECKING:
    from zermelo.web.unfolding import Unfolding
    from zermelo.web.worker import Emit

MOST_GAMES: Final = 16
"""Games that a worker keeps in mind: to read a rulesheet again at every click takes longer than the click."""


class Desk:
    """What a worker keeps between two requests: games that it has read, and the solution it has found."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self.strategies: list[Unfolding] = []
        """Those of the solution that was found here, one for each of its claims."""
        self._games: OrderedDict[str, Game] = OrderedDict()

    def game(self, statement: Any) -> Game:
        """The game of a request; one that is played on a board is the game on that board.

        >>> Desk().game({"target": "nim:3,4"}).roles
        ('first', 'second')
        """
        from zermelo.web.statement import game_stated

        key = json.dumps(statement, sort_keys=True)
        game = self._games.pop(key, None) or game_stated(statement)
        game.limits = None
        self._games[key] = game
        while len(self._games) > MOST_GAMES:
            self._games.popitem(last=False)
        return game


class Task(Protocol):
    """Answers a request; what it finds on the way it emits."""

    def __call__(self, desk: Desk, asked: dict[str, Any], limits: Limits, emit: Emit) -> Any:
        """The answer, as a value for JSON."""


TASKS: Final = {
    "state": "zermelo.web.task_playing",
    "thumbnail": "zermelo.web.task_playing",
    "reply": "zermelo.web.task_playing",
    "analyse": "zermelo.web.task_playing",
    "why": "zermelo.web.task_playing",
    "solve": "zermelo.web.task_solving",
    "unfold": "zermelo.web.task_solving",
    "check": "zermelo.web.task_solving",
    "engines": "zermelo.web.task_solving",
    "text": "zermelo.web.task_editing",
    "recognise": "zermelo.web.task_editing",
    "lint": "zermelo.web.task_editing",
    "encode": "zermelo.web.task_editing",
    "bench": "zermelo.web.task_editing",
    "symmetries": "zermelo.web.task_editing",
    "decompose": "zermelo.web.task_editing",
    "picture": "zermelo.web.task_editing",
    "sum": "zermelo.web.task_summing",
    "calculate": "zermelo.web.task_calculating",
    "go": "zermelo.web.task_going",
    "pdf": "zermelo.web.task_paper",
}
"""The module in which each task is a function of that name."""


TEXTS: Final = (
    "text name format form goal encoding what engine role move player svg certificate layered target sample options"
)
"""What is a text wherever it stands in a request."""


def need_texts(asked: Any) -> None:
    """Refuses a request that says a text by something else: a list as the name of a format is found in no set.

    >>> need_texts({"game": {"target": ["nim:1"]}})
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: "target" is not a text
    """
    for said in (asked, asked.get("game")):
        for name in sorted(said.keys() & TEXTS.split()) if isinstance(said, dict) else ():
            if not isinstance(said[name], str | None):
                raise InputError(f'"{name}" is not a text')


def run_task(request: dict[str, Any], desk: Desk, limits: Limits, emit: Emit) -> Any:
    """Runs the task that a request names.

    >>> answer = run_task({"task": "state", "asked": {"game": {"target": "nim:1"}}}, Desk(), Limits(), print)
    >>> answer["turn"], [move["move"] for move in answer["legal"]]
    (['first'], ['0,1'])
    """
    module = TASKS.get(request.get("task", ""))
    if module is None:
        raise InputError("no such task")
    task: Task = getattr(import_module(module), request["task"])
    asked = request.get("asked") or {}
    need_texts(asked)
    return task(desk, asked, limits, emit)
