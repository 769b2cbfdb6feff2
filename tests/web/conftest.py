"""One server for all tests that do not need one of their own, a browser for each module, and a page for each test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.web.browsing import PATIENCE, browser
from tests.web.serving import Client, served
from zermelo.web.server import Settings


@pytest.fixture(scope="session")
def client() -> Iterator[Client]:
    """A client of a server with two processes for long questions."""
    with served(Settings(running=2, waiting=8)) as found:
        yield found


@pytest.fixture(scope="module")
def chrome() -> Iterator[Any]:
    """One browser for all tests of this module."""
    with browser() as opened:
        yield opened


@pytest.fixture
def page(chrome: Any, client: Client) -> Iterator[Any]:
    """A page that must not complain: an error of a script, or a refusal of the content security policy, fails."""
    context = chrome.new_context(viewport={"width": 1280, "height": 800}, accept_downloads=True)
    context.set_default_timeout(PATIENCE)
    opened = context.new_page()
    complaints: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("console", lambda said: complaints.extend([said.text] if said.type == "error" else []))
    opened.complaints = complaints
    yield opened
    context.close()
    # The browser itself logs answers such as 400 as errors.
    assert not [said for said in complaints if "Failed to load resource" not in said], complaints
