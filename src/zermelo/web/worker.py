"""``python -m zermelo.web.worker``: a process that reads games and runs engines for the server.

It hears requests on standard input, one JSON object a line, and answers by lines ``EVENT JSON`` on standard output: any
number of events, then ``result`` or ``error``. When the server is gone, so is the process. SIGINT asks for what is
known so far, as Ctrl-C does on the command line.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from queue import Queue
from typing import Any, BinaryIO

from zermelo.errors import InputError, LimitReachedError, ZermeloError, one_line
from zermelo.limits import MEBIBYTE, Limits, reading_under, resident_ceiling
from zermelo.signals import SIGNALS
from zermelo.stop import PROCESS, Stop
from zermelo.watchdog import deadline

Emit = Callable[[str, Any], None]
SPARE = 1.0
"""Seconds beyond its limit for who is about to tell what it has."""


def main() -> None:
    """Serves requests until standard input ends."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1] else None
    memory = int(sys.argv[2]) * MEBIBYTE if len(sys.argv) > 2 else 1024 * MEBIBYTE
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="backslashreplace")
    os.dup2(2, 1)  # what anybody prints must not mix with the answers
    asked = os.fdopen(os.dup(0), "rb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)  # and nobody else reads the requests
    os.close(nothing)
    SIGNALS.install()
    from zermelo.web.confinement import confine
    from zermelo.web.tasks import Desk, run_task

    requests: Queue[bytes] = Queue()
    threading.Thread(target=_hear, args=(asked, requests), daemon=True).start()
    desk = Desk(folder)
    confine(folder, memory)
    lock = threading.Lock()  # engines that run side by side report from threads of their own

    def emit(event: str, data: Any) -> None:
        line = f"{event} {json.dumps(data, separators=(',', ':'))}\n"
        with lock, SIGNALS.shielded():
            answers.write(line)
            answers.flush()

    emit("ready", {})
    while True:
        try:
            request = json.loads(requests.get())
            _answer(request, memory, emit, partial(run_task, request, desk, emit=emit))
        except KeyboardInterrupt:
            emit("error", {"error": "cancelled"})


def _answer(request: dict[str, Any], memory: int, emit: Emit, run: Callable[[Limits], Any]) -> None:
    limits = Limits(request.get("seconds"), memory, stop=Stop(PROCESS))
    try:
        late = replace(limits, seconds=None if limits.seconds is None else limits.seconds + SPARE)
        with resident_ceiling(memory), deadline(late), reading_under(limits):
            result = run(limits)
        emit("result", result)
    except (KeyboardInterrupt, Exception) as error:
        emit("error", in_words(error))


def in_words(error: BaseException) -> dict[str, Any]:
    """An error as the page is told of it: one line, and the place where that is known."""
    if isinstance(error, KeyboardInterrupt) or (PROCESS.asked and not isinstance(error, ZermeloError)):
        return {"error": "cancelled"}
    if isinstance(error, InputError):
        place = {"line": error.line, "column": error.column} if error.line is not None else {}
        return {"error": str(error), "message": error.message, **place}
    if isinstance(error, LimitReachedError):
        return {"error": str(error), "limit": True}
    if isinstance(error, ZermeloError | ValueError):
        return {"error": one_line(str(error))[:2000]}
    if isinstance(error, MemoryError):
        return {"error": "out of memory: the game is too large for this server's limit", "limit": True}
    if isinstance(error, PermissionError):
        return {"error": "refused: the server opens no files for a game"}
    if isinstance(error, RecursionError):
        return {"error": "nested too deeply"}
    if os.environ.get("ZERMELO_DEBUG"):
        import traceback

        traceback.print_exception(error)
    return {"error": f"internal error, please report it: {type(error).__name__}", "internal": True}


def _hear(asked: BinaryIO, requests: Queue[bytes]) -> None:
    """Passes requests on; the end of the input is the end of the process, whatever it is at."""
    for line in asked:
        requests.put(line)
    os._exit(0)


if __name__ == "__main__":
    main()
