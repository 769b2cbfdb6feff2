"""Shared settings of the tests: Hypothesis without deadlines, since machines are shared and noisy; Ctrl-C is heard, and
threads that outlive the tests are named."""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("default")

# Shells have background jobs ignore Ctrl-C, and what is started from them too: tests send it to programs of their own.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    """Names threads that are still at work: what they hold is never given back, and the kernels complain of leaks.

    A thread that a test left behind holds the test, that the session, and the session all other tests with their games.
    """
    for number, frame in sys._current_frames().items():
        stack = traceback.extract_stack(frame)
        ours = [step for step in stack if f"{os.sep}execnet{os.sep}" not in step.filename]
        if number != threading.main_thread().ident and len(ours) == len(stack):
            place = " < ".join(f"{step.name} ({step.filename}:{step.lineno})" for step in reversed(stack[-4:]))
            os.write(2, f"\na thread outlives the tests: {place}\n".encode())
