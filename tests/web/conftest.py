"""One server for all tests that do not need one of their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.serving import Client, served
from zermelo.web.server import Settings


@pytest.fixture(scope="session")
def client() -> Iterator[Client]:
    """A client of a server with two processes for long questions."""
    with served(Settings(running=2, waiting=8)) as found:
        yield found
