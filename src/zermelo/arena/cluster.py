"""Workers of a Ray cluster: the same games, on as many machines as it has.

Tasks are idempotent: Ray may run one again when a worker or a machine is lost, and whichever run answers, the game is
the same. Ray itself is an extra, ``zermelo[ray]``, and is imported only here.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from zermelo.arena.work import TRIALS, Answer, Task, play
from zermelo.errors import ZermeloError, one_line

STARTS = 3
"""So often a cluster of our own is started before it is given up."""


class ClusterError(ZermeloError):
    """Ray is not installed, or the cluster cannot be reached."""


class Cluster:
    """The workers of a Ray cluster: one of our own on this machine (``ray``), or that at an address (``ray://...``).

    ``ray://auto`` is the cluster that this machine belongs to.
    """

    def __init__(self, address: str, count: int | None = None):
        self._ray, processors = _connected(address, count)
        self.count = count or processors
        # Ray retries what dies with its worker; one task takes one processor, so that real clocks are fair.
        self._play = self._ray.remote(num_cpus=1, max_retries=TRIALS)(play)
        self._under_way: dict[Any, tuple[Task, int]] = {}

    def submit(self, task: Task) -> None:
        """Hands the task to the cluster."""
        self._send(task, 1)

    def wait(self, seconds: float) -> Sequence[Answer]:
        """The answers that have come, after at most so many seconds."""
        if not self._under_way:
            return []
        waited = list(self._under_way)
        first, _ = self._ray.wait(waited, num_returns=1, timeout=seconds)
        ready, _ = self._ray.wait(waited, num_returns=len(waited), timeout=0) if first else ([], [])
        answers = [self._answer(reference) for reference in ready]
        return [answer for answer in answers if answer is not None]

    def close(self) -> None:
        """Cancels what is under way and leaves the cluster."""
        for reference in self._under_way:
            self._ray.cancel(reference, force=True)
        self._under_way.clear()
        self._ray.shutdown()

    def _send(self, task: Task, trial: int) -> None:
        self._under_way[self._play.remote(task)] = (task, trial)

    def _answer(self, reference: Any) -> Answer | None:
        """What came back; a task whose workers were lost more often than Ray retries is sent once more, or given up."""
        task, trial = self._under_way.pop(reference)
        try:
            answer: Answer = self._ray.get(reference)
            return answer
        except self._ray.exceptions.RayError as error:
            if trial < TRIALS:
                self._send(task, trial + 1)
                return None
            return Answer(task, failure=f"lost on the cluster: {type(error).__name__}: {_said(error)}")


def _connected(address: str, count: int | None) -> tuple[Any, int]:
    """Ray, with a cluster to work on, and the processors that it has."""
    if find_spec("ray") is None:
        raise ClusterError("Ray is not installed, expected the extra: pip install 'zermelo[ray]'")
    try:
        ray = import_module("ray")
    except Exception as error:  # an installation that is not whole may raise anything
        raise ClusterError(f"Ray cannot be loaded: {_said(error)}") from None
    options: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
    if address == "ray":
        options |= {"num_cpus": count, "include_dashboard": False}
    else:
        options["address"] = "auto" if address == "ray://auto" else address
    for trial in range(1, STARTS + 1):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the error says it in one line
                ray.init(**options)
            return ray, max(1, int(ray.cluster_resources().get("CPU", 1)))
        except Exception as error:
            # Whatever Ray raises, and it raises anything, it is Ray that does not start. On a busy machine its own
            # processes may be too slow for its own patience: a cluster of our own is tried again.
            with suppress(Exception):
                ray.shutdown()
            if address != "ray" or trial == STARTS:
                what = "Ray cannot start" if address == "ray" else "the cluster cannot be reached"
                raise ClusterError(f"{address}: {what}: {_said(error)}") from None
    raise AssertionError("the last trial returns or raises")


def _said(error: Exception) -> str:
    return one_line(str(error)).strip()[:200] or type(error).__name__
