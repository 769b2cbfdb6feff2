"""Runs tests against mutants, each in a process that is thrown away afterwards.

Most of the time of a short test would go into loading Python, pytest and the package. So a process loads all that and
collects the tests once (``Bench``); for each mutant it makes a copy of itself, in which the code of the changed
function is replaced. Where that is not enough, because a class or a constant was made while the module was loaded,
the module is loaded with the change in a fresh process (``start_trial``).
"""

from __future__ import annotations

import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import json
import mmap
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

import pytest
from hypothesis import settings

MEMORY = 6 << 30
"""A mutant that takes more bytes than this fails."""
LEAST_SECONDS, SLOWDOWN = 1.5, 10.0
"""A test is given so much processor time where it takes none, and so many times what it takes unchanged and traced."""
ASLEEP = 40.0
"""How many times its processor time a mutant may take by the clock, on a busy machine, before it is called asleep."""


@dataclass(frozen=True)
class Reach:
    """What one test does to a module: which of its lines it runs, and in how many seconds of the processor."""

    test: str
    seconds: float
    lines: frozenset[int]


@dataclass(frozen=True)
class Outcome:
    """``killed`` by a test, ``timeout`` or ``survived``; ``load`` if it cannot be told without loading the module."""

    status: str
    test: str = ""


@dataclass(frozen=True)
class Task:
    """A mutant to be tried on a bench; without code, the tests on the module as it is."""

    within: str
    code: str
    tests: Sequence[Reach]


MOST_CALLS = 2000
"""Calls of a function by one test whose lines are noted. A line that it runs only later is tried with other tests."""
LOADING = "loading"
"""Stands for a test: what runs while modules are loaded and tests collected."""
LOAD = -1


def _module_name(path: Path) -> str:
    return ".".join(path.with_suffix("").parts[1:]).removesuffix(".__init__")


# In the process of the tests


class _Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds one module, with its code replaced."""

    def __init__(self, path: Path, code: str) -> None:
        self.name, self.path, self.code = _module_name(path), path, code

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


@contextlib.contextmanager
def bounded(seconds: float) -> Iterator[None]:
    """Ends the process, whatever it is doing, if a test takes far longer: a mutant may go round for ever."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, LEAST_SECONDS + SLOWDOWN * seconds)
    yield
    signal.setitimer(signal.ITIMER_PROF, 0)


class Place:
    """A number that a process and its child share: which test is running, should it not end."""

    def __init__(self) -> None:
        self.memory = mmap.mmap(-1, 4)

    def set(self, number: int) -> None:
        """Says that the test of this number begins."""
        self.memory[:] = number.to_bytes(4)

    def get(self) -> int:
        """The test that began last."""
        return int.from_bytes(self.memory[:])


class _Chosen:
    """Runs only the chosen tests, in their order, and notes the first that fails."""

    def __init__(self, tests: Sequence[Reach], at: Place) -> None:
        self.at = at
        self.place = {reach.test: number for number, reach in enumerate(tests)}
        self.seconds = {reach.test: reach.seconds for reach in tests}
        self.failed = ""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self.place), key=lambda item: self.place[item.nodeid]
        )

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.at.set(self.place[item.nodeid])
        with bounded(self.seconds[item.nodeid]):
            yield

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid


class _Traced:
    """Notes which lines of some modules each test runs."""

    def __init__(self, sources: Sequence[str]) -> None:
        self.sources = {str(Path(source).resolve()): source for source in sources}
        self.met: list[tuple[CodeType, str, frozenset[int]]] = []
        """Every piece of code that was run, its file and its lines there; foreign ones have none."""
        self.left: dict[int, set[int]] = {}
        """By the identity of a piece of code, which takes no time: its lines that the test at hand has not run."""
        self.calls: dict[int, int] = {}
        self.found: list[tuple[str, float, dict[str, list[int]]]] = []
        self.failed: list[str] = []

    def enter(self, frame: FrameType, event: str, argument: Any) -> Callable[..., Any] | None:
        key = id(frame.f_code)
        left = self.left.get(key)
        if left is None:
            left = self.meet(frame.f_code)
        if not left:  # foreign, or all of its lines were run by this test
            return None
        self.calls[key] = calls = self.calls.get(key, 0) + 1
        if calls > MOST_CALLS:
            return None
        left.discard(frame.f_lineno)
        return self.go_on

    def go_on(self, frame: FrameType, event: str, argument: Any) -> Callable[..., Any]:
        left = self.left[id(frame.f_code)]
        left.discard(frame.f_lineno)
        if not left:
            frame.f_trace_lines = False
        return self.go_on

    def meet(self, code: CodeType) -> set[int]:
        name = self.sources.get(str(Path(code.co_filename).resolve()), "")
        lines = frozenset(line for _, _, line in code.co_lines() if line is not None) if name else frozenset[int]()
        self.met.append((code, name, lines))
        left = self.left[id(code)] = set(lines)
        return left

    @contextlib.contextmanager
    def noted(self, test: str) -> Iterator[None]:
        self.calls = {}
        self.left |= {id(code): set(lines) for code, _, lines in self.met if lines}
        began = time.process_time()
        sys.settrace(self.enter)
        yield
        sys.settrace(None)
        seconds, ran = time.process_time() - began, dict[str, set[int]]()
        for code, name, lines in self.met:
            if run := lines - self.left[id(code)]:
                ran.setdefault(name, set()).update(run)
        self.found.append((test, seconds, {name: sorted(numbers) for name, numbers in ran.items()}))

    @pytest.hookimpl(hookwrapper=True)
    def pytest_collection(self) -> Iterator[None]:
        with self.noted(LOADING):
            yield

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        with self.noted(item.nodeid):
            yield

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)


def _replace(old: Any, new: Any) -> None:
    """Gives a function, or the methods of a class, the code of another."""
    if isinstance(new, type):
        for name, value in vars(new).items():
            if name in vars(old):
                _replace(vars(old)[name], value)
    elif isinstance(new, property | classmethod | staticmethod | cached_property):
        for name in ("fget", "__func__", "func"):
            if getattr(new, name, None) is not None:
                _replace(getattr(old, name), getattr(new, name))
    else:
        if hasattr(old, "cache_clear"):
            old.cache_clear()
        inner, other = inspect.unwrap(old) if callable(old) else old, inspect.unwrap(new) if callable(new) else new
        if isinstance(inner, FunctionType) and isinstance(other, FunctionType):
            inner.__code__, inner.__defaults__ = other.__code__, other.__defaults__
            inner.__kwdefaults__ = other.__kwdefaults__


def changed_in_place(name: str, within: str, code: str) -> bool:
    """Changes a function of a loaded module; false if the change is in a class itself, or in what a method closes over.

    So it is where the only ``super()`` of a method goes: code without it does not fit the function with it.
    """
    old = importlib.import_module(name)  # some modules are loaded only when a test needs them
    module = ModuleType(name)
    module.__dict__.update({key: vars(old)[key] for key in ("__package__", "__file__", "__spec__")})
    exec(compile(code, str(old.__file__), "exec"), module.__dict__)
    top, *rest = within.split(".")
    place = vars(module)[top]
    for part in rest:
        if isinstance(place, type):
            place = vars(place)[part]
    if isinstance(place, type):
        return False
    try:
        _replace(vars(old)[top], vars(module)[top])
    except ValueError:
        return False
    return True


class _Server:
    """Instead of running the tests once, runs some of them for every task, in copies of this process."""

    def __init__(self, path: Path, tasks: Sequence[Task], workers: int, tell: Callable[[Any], None]) -> None:
        self.name, self.tasks, self.workers, self.tell = _module_name(path), tasks, workers, tell
        self.kills: dict[str, int] = {}
        self.failed = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        waiting, running = list(enumerate(self.tasks)), list[tuple[int, Trial]]()
        with tempfile.TemporaryDirectory() as folder:
            while waiting or running:
                while waiting and len(running) < self.workers:
                    number, task = waiting.pop(0)
                    running.append((number, self.start(task, items, Path(folder, str(number)))))
                for number, trial in list(running):
                    if (outcome := trial.outcome()) is not None:
                        running.remove((number, trial))
                        self.kills[outcome.test] = self.kills.get(outcome.test, 0) + 1
                        self.tell([number, outcome.status, outcome.test])
                time.sleep(0.003)
        return True

    def start(self, task: Task, items: dict[str, pytest.Item], folder: Path) -> Trial:
        # What killed many of this module is likely to kill this one too.
        tests = sorted(task.tests[1:], key=lambda reach: reach.seconds / (1 + self.kills.get(reach.test, 0)))
        tests = [one for one in [*task.tests[:1], *tests] if one.test in items]
        at = Place()
        pid, pipe = child(lambda: self.work(task, tests, items, folder, at))
        return Trial(pid, pipe, _deadline(tests), [one.test for one in tests], at)

    def work(self, task: Task, tests: Sequence[Reach], items: dict[str, pytest.Item], folder: Path, at: Place) -> Any:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        folder.mkdir()
        os.environ["PYTEST_DEBUG_TEMPROOT"] = str(folder)  # nobody else's files are tidied away
        if task.code and not changed_in_place(self.name, task.within, task.code):
            return LOAD, ""
        chosen = [(items[reach.test], reach.seconds) for reach in tests]
        followers = [*(item for item, _ in chosen[1:]), *([None] if chosen else [])]
        for number, ((item, seconds), following) in enumerate(zip(chosen, followers, strict=True)):
            at.set(number)
            with bounded(seconds):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.failed:
                return 1, self.failed
        return 0, ""


def _run(files: Sequence[str], plugin: object) -> int:
    options = [
        "-x",
        "-q",
        "--no-header",
        "--tb=native",  # nobody reads why a mutant was killed, and a picture of the code takes longer than most tests
        "--assert=plain",
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


def child(work: Callable[[], Any]) -> tuple[int, int]:
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


Traces = list[tuple[str, float, dict[str, list[int]]]]
"""For each test its name, its seconds, and the lines of modules that it ran."""


def reaches(sources: Sequence[str], files: Sequence[str], workers: int) -> Iterator[tuple[str, Traces]]:
    """For each file of tests, which lines of some modules each of them runs. They must pass as they are."""
    waiting, running = list(files), list[tuple[str, int, int]]()
    while waiting or running:
        while waiting and len(running) < workers:
            file = waiting.pop(0)
            running.append((file, *child(partial(_traced, sources, file))))
        file, pid, pipe = running.pop(0)  # the others wait with what they have found
        with os.fdopen(pipe) as stream:
            text = stream.read()
        os.waitpid(pid, 0)
        status, failed, found = json.loads(text)
        if status != 0 or failed:
            raise SystemExit(f"the tests of {file} fail without a change: {', '.join(failed)}")
        yield file, found


def _traced(sources: Sequence[str], file: str) -> Any:
    plugin = _Traced(sources)
    return _run([file], plugin), plugin.failed, plugin.found


def outcomes(path: Path, tasks: Sequence[Task], workers: int) -> Iterator[tuple[int, Outcome]]:
    """The number of each task and what came out, as it becomes known."""
    files = list(dict.fromkeys(reach.test.split("::")[0] for task in tasks for reach in task.tests))
    if not files:
        return
    reading, writing = os.pipe()

    def work() -> None:
        def tell(message: Any) -> None:
            os.write(writing, (json.dumps(message) + "\n").encode())

        _run(files, _Server(path, tasks, workers, tell))

    pid, pipe = child(work)
    os.close(pipe)
    os.close(writing)
    with os.fdopen(reading) as stream:
        for line in stream:
            number, status, test = json.loads(line)
            yield number, Outcome(status, test)
    os.waitpid(pid, 0)


@dataclass
class Trial:
    """A mutant that is being tested in another process."""

    pid: int
    pipe: int
    deadline: float
    tests: Sequence[str] = ()
    at: Place = field(default_factory=Place)

    def outcome(self) -> Outcome | None:
        """What came out; ``None`` while it is not known."""
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        if pid == 0:
            if time.monotonic() < self.deadline:
                return None
            self._end()
            return Outcome("timeout", self._test())
        text = os.read(self.pipe, 1 << 16)
        os.close(self.pipe)
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF:
            return Outcome("timeout", self._test())
        if status != 0 or not text:
            return Outcome("killed", self._test())
        code, failed = json.loads(text)
        if code in (0, LOAD, pytest.ExitCode.NO_TESTS_COLLECTED):  # a test of that name may be gone
            return Outcome("load" if code == LOAD else "survived")
        return Outcome("killed", failed or self._test())

    def _test(self) -> str:
        """The test that ran last, or would have run if the tests could have been collected."""
        return self.tests[self.at.get()] if self.tests else ""

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
        plugin = _Chosen(tests, at)
        return _run(files, plugin), plugin.failed

    at = Place()
    pid, pipe = child(work)
    return Trial(pid, pipe, _deadline(tests), names, at)


def _deadline(tests: Sequence[Reach]) -> float:
    most = LEAST_SECONDS + sum(LEAST_SECONDS + SLOWDOWN * reach.seconds for reach in tests)
    return time.monotonic() + ASLEEP * most
