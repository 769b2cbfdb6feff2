"""Runs tests against a mutant, in a process that is thrown away afterwards."""

from __future__ import annotations

import contextlib
import faulthandler
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any

import pytest
from hypothesis import settings

MEMORY = 6 << 30
"""A mutant that takes more bytes than this fails."""
LEAST_SECONDS, SLOWDOWN = 10.0, 5.0
"""A test is given so much time where it takes none, and so many times the time that it takes without a change."""


@dataclass(frozen=True)
class Reach:
    """What one test does to a module: which of its lines it runs, and in how many seconds."""

    test: str
    seconds: float
    lines: frozenset[int]


@dataclass(frozen=True)
class Outcome:
    """``killed`` by a test, ``timeout`` or ``survived``."""

    status: str
    test: str = ""


# In the process of the tests


class _Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds one module, with its code replaced."""

    def __init__(self, path: Path, code: str) -> None:
        self.name = ".".join(path.with_suffix("").parts[1:]).removesuffix(".__init__")
        self.path, self.code = path, code

    def find_spec(self, name: str, path: Any, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        if name != self.name:
            return None
        return importlib.util.spec_from_file_location(name, self.path.resolve(), loader=self)

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self.code, str(self.path), "exec"), module.__dict__)


class _Alike:
    """Draws the same examples each time, so that a mutant that was killed is killed again."""

    def pytest_sessionstart(self) -> None:
        settings.register_profile("alike", settings.get_profile("default"), derandomize=True, database=None)
        settings.load_profile("alike")


class _Chosen:
    """Runs only the chosen tests, in their order, and notes the first that fails."""

    def __init__(self, tests: Sequence[Reach]) -> None:
        self.place = {reach.test: number for number, reach in enumerate(tests)}
        self.seconds = {reach.test: reach.seconds for reach in tests}
        self.failed = ""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self.place), key=lambda item: self.place[item.nodeid]
        )

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        # Ends the process, whatever it is doing: the code of a mutant may go round for ever.
        faulthandler.dump_traceback_later(LEAST_SECONDS + SLOWDOWN * self.seconds[item.nodeid], exit=True)
        yield
        faulthandler.cancel_dump_traceback_later()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid


class _Traced:
    """Notes which lines of a module each test runs."""

    def __init__(self, path: Path) -> None:
        self.file = str(path.resolve())
        self.inside: dict[CodeType, bool] = {}
        self.lines: set[int] = set()
        self.found: list[tuple[str, float, list[int]]] = []
        self.failed: list[str] = []

    def trace(self, frame: FrameType, event: str, argument: Any) -> Callable[..., Any] | None:
        code = frame.f_code
        if code not in self.inside:
            self.inside[code] = str(Path(code.co_filename).resolve()) == self.file
        if not self.inside[code]:
            return None
        self.lines.add(frame.f_lineno)
        return self.trace

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.lines = set()
        began = time.monotonic()
        sys.settrace(self.trace)
        yield
        sys.settrace(None)
        self.found.append((item.nodeid, time.monotonic() - began, sorted(self.lines)))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)


def _run(files: Sequence[str], plugin: object) -> int:
    options = [
        "-x",
        "-q",
        "--no-header",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "-p",
        "no:faulthandler",
        "-W",
        "ignore",
    ]
    return int(pytest.main([*options, *files], plugins=[_Alike(), plugin]))


# In the process that starts it


def _child(work: Callable[[], Any]) -> tuple[int, int]:
    """Starts a process that works and writes what comes out to a pipe as JSON; its number and the pipe."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return pid, reading
    status = 1
    try:
        os.setpgid(0, 0)
        os.close(reading)
        silence = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(silence, number)
        text = json.dumps(work()).encode()
        while text:
            text = text[os.write(writing, text) :]
        status = 0
    finally:
        os._exit(status)


def reach_of(path: Path, files: Sequence[str]) -> list[Reach]:
    """Which lines of a module each test runs. The tests must pass as they are."""

    def work() -> Any:
        plugin = _Traced(path)
        status = _run(files, plugin)
        return status, plugin.failed, plugin.found

    pid, pipe = _child(work)
    with os.fdopen(pipe) as stream:
        text = stream.read()
    os.waitpid(pid, 0)
    status, failed, found = json.loads(text)
    if status != 0 or failed:
        raise SystemExit(f"the tests of {path} fail without a change: {', '.join(failed) or files}")
    return [Reach(test, seconds, frozenset(lines)) for test, seconds, lines in found]


@dataclass
class Trial:
    """A mutant that is being tested in another process."""

    pid: int
    pipe: int
    deadline: float
    text: bytes = b""

    def outcome(self) -> Outcome | None:
        """What came out; ``None`` while it is not known."""
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        if pid == 0:
            if time.monotonic() < self.deadline:
                return None
            self._end()
            return Outcome("timeout")
        text = os.read(self.pipe, 1 << 16)
        os.close(self.pipe)
        if status != 0 or not text:
            return Outcome("killed", "the process")
        code, failed = json.loads(text)
        return Outcome("survived") if code == 0 else Outcome("killed", failed or "collecting the tests")

    def _end(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.pipe)


def start_trial(path: Path, code: str, tests: Sequence[Reach]) -> Trial:
    """Begins to run the tests against a module with other code, in their order, up to the first that fails."""
    names = [reach.test for reach in tests]
    files = list(dict.fromkeys(name.split("::")[0] for name in names))

    def work() -> Any:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        sys.meta_path.insert(0, _Changed(path, code))
        plugin = _Chosen(tests)
        return _run(files, plugin), plugin.failed

    pid, pipe = _child(work)
    most = LEAST_SECONDS + sum(LEAST_SECONDS + SLOWDOWN * reach.seconds for reach in tests)
    return Trial(pid, pipe, time.monotonic() + most)
