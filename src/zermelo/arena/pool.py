"""Workers on this machine: processes that each play one game at a time.

A worker that dies takes only its own game with it, which is then given to another. When the process that owns the
workers dies, by whatever signal, they end too.

>>> from zermelo.arena.plan import Pairing
>>> from zermelo.play.player import Clock
>>> pairing = Pairing("gdl:tictactoe", ("uct", "random"), Clock(simulations=9), seed=1, games=2)
>>> here = Here()
>>> here.submit(Task(pairing, 0))
>>> [answer.played.record.players for answer in here.wait(0)]
[('uct', 'random')]
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Sequence
from multiprocessing.connection import Connection, wait
from typing import Any

from zermelo.arena.work import TRIALS, Answer, Task, play
from zermelo.signals import SIGNALS

NICE_END = 2.0
"""Seconds that a worker has to end when it is told to, before it is killed."""


def processors() -> int:
    """How many processors this process may use.

    >>> processors() >= 1
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Here:
    """The process itself as the only worker."""

    count = 1

    def __init__(self) -> None:
        self._tasks: deque[Task] = deque()

    def submit(self, task: Task) -> None:
        """Keeps the task until somebody waits for it."""
        self._tasks.append(task)

    def wait(self, seconds: float) -> list[Answer]:
        """Plays the next game, however long it takes."""
        del seconds
        return [play(self._tasks.popleft())] if self._tasks else []

    def close(self) -> None:
        """Forgets what has not been played."""
        self._tasks.clear()


class Pool:
    """So many processes. They are started afresh (spawned), since a fork would copy locks and threads half-way."""

    def __init__(self, count: int):
        self.count = count
        self._context = multiprocessing.get_context("spawn")
        self._waiting: deque[tuple[Task, int]] = deque()
        self._workers: list[_Worker] = []

    def submit(self, task: Task) -> None:
        """Gives the task to a worker that is free, or keeps it for the first that will be."""
        self._waiting.append((task, 1))
        self._give()

    def wait(self, seconds: float) -> Sequence[Answer]:
        """The answers that have come, after at most so many seconds."""
        busy = [worker for worker in self._workers if worker.task is not None]
        ready = wait([worker.pipe for worker in busy], seconds) if busy else []
        answers = [self._answer(worker) for worker in busy if worker.pipe in ready]
        self._give()
        return [answer for answer in answers if answer is not None]

    def _answer(self, worker: _Worker) -> Answer | None:
        """What a worker says; where it died instead, its game goes to another, if not too many had it before."""
        assert worker.task is not None
        task, trial = worker.task
        answer = worker.answer()
        if answer is not None:
            return answer
        self._workers.remove(worker)
        if trial == TRIALS:
            return Answer(task, failure=f"{TRIALS} workers died in this game")
        self._waiting.appendleft((task, trial + 1))
        return None

    def close(self) -> None:
        """Ends all workers."""
        self._waiting.clear()
        for worker in self._workers:
            worker.process.terminate()
        for worker in self._workers:
            worker.process.join(NICE_END)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
            worker.pipe.close()
        self._workers.clear()

    def _give(self) -> None:
        while self._waiting:
            free = next((worker for worker in self._workers if worker.task is None), None)
            if free is None and len(self._workers) < self.count:
                free = _Worker(self._context)
                self._workers.append(free)
            if free is None:
                return
            free.give(*self._waiting.popleft())


class _Worker:
    """A process, and what it is doing."""

    def __init__(self, context: multiprocessing.context.SpawnContext):
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(theirs,), daemon=True)
        with SIGNALS.delayed():  # a worker that is handed half of its orders complains of that
            self.process.start()
        theirs.close()
        self.task: tuple[Task, int] | None = None

    def give(self, task: Task, trial: int) -> None:
        self.task = (task, trial)
        with contextlib.suppress(OSError):  # if it has died, that shows when its answer is asked for
            self.pipe.send(task)

    def answer(self) -> Answer | None:
        """The answer that has come; ``None`` if the worker has died instead."""
        try:
            answer: Answer = self.pipe.recv()
        except (EOFError, OSError):
            self.process.join()
            self.pipe.close()
            return None
        self.task = None
        return answer


def _work(pipe: Connection[Any, Any]) -> None:
    """What a worker does until its pipe is closed. Ctrl-C is for the process that owns it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        while True:
            pipe.send(play(pipe.recv()))
    except (EOFError, OSError):
        os._exit(0)  # nobody is left to tell; the rules that are kept need no tidying up


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
