"""Long questions: each has a process of its own, tells what it finds on the way, and can be cancelled.

A few run at once, some more wait, and who comes after that is refused. What a job has told is kept, so that a page that
was away hears all of it. A process that has solved something stays for a while, since it holds the strategy.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import shutil
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any, Final, Literal

from zermelo.web.desk import BusyError, Event, Worker, WorkerGoneError

State = Literal["waiting", "running", "done", "failed", "cancelled"]
MOST_KEPT: Final = 64
"""Jobs that are remembered after their end."""
MOST_LIVING: Final = 3
"""Processes that stay after their answer, for the strategies that they hold."""
PATIENCE: Final = 4.0
"""Seconds from a wish to cancel until the process is ended whatever it does."""
MOST_EVENTS: Final = 20_000
FULL: Final = "too many computations are waiting; cancel one, or try again in a moment"


@dataclass(eq=False)
class Job:
    """A question that takes its time."""

    task: str
    asked: dict[str, Any]
    seconds: float
    folder: Path
    holds: bool = False
    """Whether its process is worth keeping when it has answered."""
    number: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    state: State = "waiting"
    events: list[Event] = field(default_factory=list)
    result: str | None = None
    worker: Worker | None = None
    wants_end: bool = False
    followers: int = 0
    """How many hear what it tells."""
    begun: float = field(default_factory=monotonic)
    told: asyncio.Condition = field(default_factory=asyncio.Condition)
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def over(self) -> bool:
        """Whether nothing more will be told."""
        return self.state in ("done", "failed", "cancelled")

    def to_json(self) -> dict[str, Any]:
        """What is known of the job."""
        return {
            "id": self.number,
            "task": self.task,
            "state": self.state,
            "result": None if self.result is None else json.loads(self.result),
        }

    async def tell(self, event: Event) -> None:
        """Keeps an event and wakes whoever follows the job."""
        async with self.told:
            if len(self.events) < MOST_EVENTS or event.name not in ("progress",):
                self.events.append(event)
            self.told.notify_all()

    async def follow(self, first: int = 0) -> AsyncIterator[tuple[int, Event]]:
        """Every event from a number on, as they come; ends with the job."""
        place = first
        while True:
            async with self.told:
                while place >= len(self.events) and not self.over:
                    with suppress(TimeoutError):
                        await asyncio.wait_for(self.told.wait(), 15)
                    if place >= len(self.events) and not self.over:
                        break
                some = self.events[place:]
                over = self.over
            for event in some:
                yield place, event
                place += 1
            if over and place >= len(self.events):
                return
            if not some:
                yield place, Event("still", "{}")  # so that connections that broke are noticed


class Jobs:
    """All jobs of a server."""

    def __init__(self, folder: Path, memory: int, running: int = 2, waiting: int = 8) -> None:
        self.folder, self.memory, self.running, self.waiting = folder, memory, running, waiting
        self.jobs: dict[str, Job] = {}
        self._slots = asyncio.Semaphore(running)
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, task: str, asked: dict[str, Any], seconds: float, *, holds: bool = False) -> Job:
        """A new job, which waits for its turn; ``BusyError`` if too many wait already."""
        if sum(not job.over for job in self.jobs.values()) >= self.running + self.waiting:
            raise BusyError(FULL)
        job = Job(task, asked, seconds, self.folder, holds)
        job.folder = self.folder / job.number
        self.jobs[job.number] = job
        running = asyncio.create_task(self._run(job))
        self._tasks.add(running)
        running.add_done_callback(self._tasks.discard)
        return job

    async def _run(self, job: Job) -> None:
        state: State = "failed"
        try:
            async with self._slots:
                if job.wants_end:
                    state = "cancelled"
                    await job.tell(Event("error", '{"error":"cancelled"}'))
                    return
                job.state = "running"
                job.folder.mkdir()
                job.worker = await Worker.start(job.folder, self.memory, writable=True)
                async for event in job.worker.ask(job.task, job.asked, job.seconds):
                    if event.name == "result":
                        job.result = event.data
                        state = "cancelled" if job.wants_end else "done"
                    elif event.name == "error" and job.wants_end:
                        state = "cancelled"
                    await job.tell(event)
        except WorkerGoneError as error:
            state = "cancelled" if job.wants_end else "failed"
            told = "cancelled" if job.wants_end else str(error)
            await job.tell(Event("error", json.dumps({"error": told, "gone": not job.wants_end})))
        except OSError as error:
            await job.tell(Event("error", json.dumps({"error": f"no process could be started: {error.strerror}"})))
        finally:
            job.state = state
            if job.worker is not None and not (job.holds and job.result is not None):
                job.worker.kill()
            async with job.told:
                job.told.notify_all()
            await self._forget_old()

    def leave_alone(self, job: Job) -> None:
        """Cancels a job that nobody follows any more and whose answer nobody will come back for."""

        async def look() -> None:
            await asyncio.sleep(PATIENCE)
            if not job.followers and not job.over:
                await self.cancel(job)

        if not job.holds and not job.followers and not job.over:
            looking = asyncio.create_task(look())
            self._tasks.add(looking)
            looking.add_done_callback(self._tasks.discard)

    async def cancel(self, job: Job) -> None:
        """Asks a job for what it knows so far; ends it if it does not hear."""
        job.wants_end = True
        worker = job.worker
        if worker is None or job.over:
            return
        if worker.ready:
            worker.interrupt()
        else:
            worker.kill()

        async def insist() -> None:
            await asyncio.sleep(PATIENCE)
            if not job.over:
                worker.kill()

        insisting = asyncio.create_task(insist())
        self._tasks.add(insisting)
        insisting.add_done_callback(self._tasks.discard)

    async def ask(self, job: Job, task: str, asked: dict[str, Any], seconds: float) -> Event:
        """A short question to the process of a job that is done."""
        async with job.turn:
            if job.worker is None or not job.worker.alive:
                raise WorkerGoneError("the process that held this strategy is gone; solve once more")
            job.begun = monotonic()
            last = Event("error", '{"error":""}')
            async for event in job.worker.ask(task, asked, seconds):
                last = event
            return last

    async def _forget_old(self) -> None:
        over = [job for job in self.jobs.values() if job.over]
        over.sort(key=lambda job: job.begun)
        living = [job for job in over if job.worker is not None and job.worker.alive]
        for job in living[:-MOST_LIVING]:
            if job.worker is not None:
                job.worker.kill()
        for job in over[:-MOST_KEPT]:
            if job.worker is not None:
                job.worker.kill()
            del self.jobs[job.number]
            shutil.rmtree(job.folder, ignore_errors=True)

    async def close(self) -> None:
        """Ends all processes."""
        for task in list(self._tasks):
            task.cancel()
        for job in self.jobs.values():
            if job.worker is not None:
                await job.worker.close()
