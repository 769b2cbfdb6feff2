"""A browser for tests: the system's Chromium, driven by Playwright; without either, tests say so and are skipped."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

import pytest

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
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


if __name__ == "__main__":
    if said := missing():
        print(said)
