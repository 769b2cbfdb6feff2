from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.play.ggp_served import Served, serving


@pytest.fixture
def served() -> Iterator[Served]:
    """A player behind a socket."""
    with serving() as player:
        yield player
