"""What a process that reads games of strangers may not do: open files, start programs, reach the network.

Targets that name files are refused before that (:mod:`zermelo.web.statement`); this is the second lock on the door. It
uses Python's audit events (PEP 578), which code in Python cannot take back.
"""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path
from typing import Any, Final

from zermelo.limits import MEBIBYTE

REFUSED: Final = (
    "subprocess.Popen",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "os.spawn",
    "os.remove",
    "os.rename",
    "os.rmdir",
    "os.mkdir",
    "os.chmod",
    "os.link",
    "os.symlink",
    "os.truncate",
    "os.listdir",
    "os.scandir",
    "shutil.rmtree",
    "socket.connect",
    "socket.bind",
    "socket.getaddrinfo",
    "sqlite3.connect",
)
"""Events that no game needs."""
HEADROOM: Final = 3072 * MEBIBYTE
"""Addresses beyond the ceiling of memory: code, stacks of threads, what is reserved and never touched."""


def confine(writable: Path | None, memory: int) -> None:
    """From now on this process opens only files of Python and of this package, and writes below ``writable`` alone."""
    most = memory + HEADROOM
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY or most < hard:
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    package = Path(__file__).resolve().parents[1]
    readable = {package, *(Path(place).resolve() for place in (*sys.path, sys.prefix, sys.base_prefix) if place)}
    readable |= {Path("/proc/self"), Path("/sys/devices/system/cpu"), Path("/proc/cpuinfo"), Path("/proc/meminfo")}
    own = None if writable is None else writable.resolve()

    def look(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            _need_open(arguments, readable, own)
        elif event in REFUSED and not (event in ("os.listdir", "os.scandir") and _within(arguments[0], readable)):
            raise PermissionError(f"{event} is not for games")

    sys.addaudithook(look)


def _need_open(arguments: tuple[Any, ...], readable: set[Path], writable: Path | None) -> None:
    path, mode, flags = arguments
    if isinstance(path, int) or path in ("/dev/null", "/dev/urandom"):
        return
    writes = (isinstance(mode, str) and set(mode) & set("wax+")) or (
        isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    )
    if writable is not None and _within(path, {writable}):
        return
    if writes or not _within(path, readable):
        raise PermissionError("no file is opened for a game")


def _within(path: Any, places: set[Path]) -> bool:
    """Whether a path, links followed, lies in one of the places."""
    if path is None:
        return False
    real = Path(os.path.realpath(os.fsdecode(path)))
    return any(real == place or place in real.parents for place in places) or str(real).startswith("/proc/self")
