"""Waiting for kernels."""

from __future__ import annotations

from zermelo import _native
from zermelo.kernel_thread import KernelRun, race


class EndsWhileWatched(KernelRun[int]):
    """A run that is seen running once, and has ended at the next look."""

    looks = 0

    @property
    def running(self) -> bool:
        self._done.wait()
        self.looks += 1
        return self.looks == 1


def test_a_run_that_ends_between_two_looks_is_still_waited_for() -> None:
    run = EndsWhileWatched("demo", lambda control: 42, _native.Control())
    assert race([run]).result() == 42
