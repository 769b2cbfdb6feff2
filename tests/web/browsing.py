"""A browser for tests: the system's Chromium, driven by Playwright; without either, tests say so and are skipped."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
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


@contextmanager
def browser() -> Iterator[Any]:
    """A browser that runs within the block."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        pytest.skip("no browser tests: playwright is not installed (make test-web installs it)")
    if (executable := chromium()) is None:
        pytest.skip("no browser tests: there is no Chromium (make test-web installs it)")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=executable, args=list(ARGUMENTS))
        try:
            yield opened
        finally:
            opened.close()
