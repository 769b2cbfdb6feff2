"""Worker processes as the server sees them: one at a time, and a few that answer short questions."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

LONGEST_ANSWER: Final = 256 << 20
"""Bytes of one line of an answer."""
GRACE: Final = 3.0
"""Seconds beyond its limit after which a worker is ended."""
START: Final = 60.0
"""Seconds in which a new process must be ready."""
GONE: Final = "the process that worked on this was ended, by the system or by somebody; ask again"
BUSY: Final = "the server is busy with others' questions; ask again in a moment"


class WorkerGoneError(Exception):
    """The process has ended without an answer."""


class BusyError(Exception):
    """Too many wait already."""


@dataclass
class Event:
    """A line of a worker: its name, and its data as the text of a JSON value."""

    name: str
    data: str


class Worker:
    """A process that reads games for the server."""

    def __init__(self, process: asyncio.subprocess.Process, memory: int) -> None:
        self.process, self.memory = process, memory
        self.ready = self.ended = False

    @classmethod
    async def start(cls, folder: Path, memory: int, writable: bool = False) -> Worker:
        """A new process; it stands in an empty folder and hears nothing but us."""
        source = str(Path(__file__).resolve().parents[2])
        settings = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        path = os.pathsep.join(filter(None, (source, os.environ.get("PYTHONPATH"))))
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "zermelo.web.worker",
            str(folder) if writable else "",
            str(memory),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=None if os.environ.get("ZERMELO_DEBUG") else asyncio.subprocess.DEVNULL,
            cwd=folder,
            env=settings | {"PYTHONPATH": path, "OMP_NUM_THREADS": "1"},
            limit=LONGEST_ANSWER,
            start_new_session=True,  # Ctrl-C at the server's terminal is the server's alone
        )
        return cls(process, memory)

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        return self.process.returncode is None and not self.ended

    async def ask(self, task: str, asked: dict[str, Any], seconds: float) -> AsyncIterator[Event]:
        """The events of an answer, the last of which is ``result`` or ``error``; the process is ended when late."""
        try:
            if not self.ready:
                await self._event(START)
                self.ready = True
            line = json.dumps({"task": task, "asked": asked, "seconds": seconds}) + "\n"
            assert self.process.stdin is not None
            self.process.stdin.write(line.encode())
            await self.process.stdin.drain()
            end = asyncio.get_running_loop().time() + seconds + GRACE
            while True:
                event = await self._event(end - asyncio.get_running_loop().time())
                yield event
                if event.name in ("result", "error"):
                    return
        except (TimeoutError, ConnectionError, ValueError, asyncio.IncompleteReadError) as error:
            self.kill()
            late = isinstance(error, TimeoutError)
            raise WorkerGoneError("the time for this was up, and the process was ended" if late else GONE) from None
        except BaseException:
            self.kill()  # whoever asked is gone: nobody is left to read the answer
            raise

    async def _event(self, seconds: float) -> Event:
        assert self.process.stdout is not None
        line = await asyncio.wait_for(self.process.stdout.readline(), max(seconds, 0.01))
        if not line.endswith(b"\n"):
            raise ConnectionResetError
        name, _, data = line.decode("utf-8", "replace").rstrip("\n").partition(" ")
        return Event(name, data)

    def interrupt(self) -> None:
        """Asks for what is known so far."""
        with suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGINT)

    def kill(self) -> None:
        """Ends the process at once."""
        self.ended = True
        with suppress(ProcessLookupError):
            self.process.kill()

    async def close(self) -> None:
        """Ends the process and waits for its end."""
        self.kill()
        with suppress(ProcessLookupError):
            await self.process.wait()


@dataclass
class Desk:
    """A few processes for short questions; who comes when all are busy waits for a while."""

    folder: Path
    memory: int
    count: int = 2
    most_waiting: int = 256
    seconds: float = 10.0
    _free: list[Worker] = field(default_factory=list)
    _busy: set[Worker] = field(default_factory=set)
    _waiting: int = 0
    _turns: asyncio.Semaphore | None = None

    async def ask(self, task: str, asked: dict[str, Any]) -> Event:
        """The last event of the answer; ``BusyError`` if too many wait."""
        if self._turns is None:
            self._turns = asyncio.Semaphore(self.count)
        if self._waiting >= self.most_waiting:
            raise BusyError(BUSY)
        self._waiting += 1
        try:
            async with self._turns:
                return await self._answered(task, asked)
        finally:
            self._waiting -= 1

    async def _answered(self, task: str, asked: dict[str, Any]) -> Event:
        while self._free and not self._free[-1].alive:
            self._free.pop()
        worker = self._free.pop() if self._free else await Worker.start(self.folder, self.memory)
        self._busy.add(worker)
        last = Event("error", '{"error":""}')
        try:
            async for event in worker.ask(task, asked, self.seconds):
                last = event
        finally:
            self._busy.discard(worker)
            if worker.alive:
                self._free.append(worker)
        return last

    async def close(self) -> None:
        """Ends all processes."""
        for worker in [*self._free, *self._busy]:
            await worker.close()
