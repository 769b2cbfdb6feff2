"""A browser for tests: the system's Chromium, driven by Playwright; without either, tests say so and are skipped."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.web.serving import Client

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
PATIENCE = 60_000
"""Milliseconds that a page is waited for."""
NAMES = ("chromium", "chromium-browser", "google-chrome")


def chromium() -> str | None:
    """Where the browser is."""
    return os.environ.get("ZERMELO_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


def missing() -> str:
    """Why there is no browser to test in; empty where there is one."""
    if find_spec("playwright") is None:
        return "no tests in a browser: Playwright is not installed (make test-web installs it)"
    return "" if chromium() else "no tests in a browser: there is no Chromium (make test-web installs it)"


@contextmanager
def browser() -> Iterator[Any]:
    """A browser that runs within the block."""
    if why := missing():
        pytest.skip(why)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
        try:
            yield opened
        finally:
            opened.close()


def go(page: Any, client: Client, address: str) -> None:
    """Opens a view."""
    page.goto("about:blank")
    page.goto(f"{client.address}#/{address}")


def status(page: Any) -> str:
    """Who is to move, or how it ended."""
    return str(page.inner_text(".status"))


def cell(page: Any, name: str) -> Any:
    """A place on the board."""
    return page.locator(f'.picture [data-cell="{name}"]').first


def played(page: Any) -> list[str]:
    """The moves in the list of what was played."""
    return [text.strip() for text in page.locator(".history ol .move").all_inner_texts()]


def wait_for_turn(page: Any, words: str) -> None:
    """Waits until the status says so, or the game is over."""
    page.wait_for_function(
        "words => { const s = document.querySelector('.status'); "
        "return s && (s.textContent === words || s.classList.contains('over')); }",
        arg=words,
    )


if __name__ == "__main__":
    if said := missing():
        print(said)
