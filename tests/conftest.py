"""Shared settings of the tests: Hypothesis without deadlines, since machines are shared and noisy; Ctrl-C heard."""

from __future__ import annotations

import signal

from hypothesis import HealthCheck, settings

settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("default")

# Shells have background jobs ignore Ctrl-C, and what is started from them too: tests send it to programs of their own.
signal.signal(signal.SIGINT, signal.default_int_handler)
