"""From a clone to a won game on the page, as README says, with a clock: ``python -m tests.web.trial FOLDER``.

The folder must not exist yet. The commands are those of README; the browser and Playwright are those of this clone.
"""

from __future__ import annotations

import argparse
import re
import resource
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.web.browsing import PATIENCE, browser, played

ROOT = Path(__file__).parents[2]
MOST_MOVES = 20


@contextmanager
def clocked(what: str) -> Iterator[None]:
    """Says how long the block took, by the clock and in processor time of the programs that it ran."""
    began, spent = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    yield
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    busy = now.ru_utime + now.ru_stime - spent.ru_utime - spent.ru_stime
    print(f"{what:<44} {time.monotonic() - began:7.1f} s, {busy:7.1f} s of processor time", flush=True)


def commands(text: str) -> tuple[str, str]:
    """How README sets a clone up, and how it starts the page."""
    made = re.search(r"^\$ (make demo)$", text, re.MULTILINE)
    serve = re.search(r"`(\.venv/bin/zermelo serve)`", text)
    assert made and serve, "README says neither `make demo` nor `.venv/bin/zermelo serve`"
    return made[1], serve[1]


def win(page: Any, address: str) -> list[str]:
    """Chooses Nim, asks what moves are worth, and plays the best one until the game is won; the moves."""
    page.goto(address)
    page.locator(".card", has_text="Nim").first.click()
    page.check("text=Show what moves are worth")
    for _ in range(MOST_MOVES):
        page.wait_for_selector(".status.over, .valued .value.proved")
        if page.locator(".status.over").count():
            break
        before = len(played(page))
        page.locator(".valued .move").first.click()
        page.wait_for_function(
            "n => document.querySelectorAll('.history ol li').length > n + 1 || document.querySelector('.status.over')",
            arg=before,
        )
    assert page.inner_text(".status") == "first wins.", page.inner_text(".status")
    return played(page)


def main() -> None:
    """Clones, sets up, serves and plays."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the clone will be")
    folder = parser.parse_args().folder
    with clocked("all in all"):
        with clocked("git clone"):
            subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder)], check=True)
        set_up, serve = commands((folder / "README.md").read_text(encoding="utf-8"))
        with clocked(set_up):
            subprocess.run(set_up.split(), cwd=folder, check=True, stdout=subprocess.DEVNULL)
        with clocked(f"{serve}, and a won game"):
            server = subprocess.Popen([*serve.split(), "--port", "0"], cwd=folder, stdout=subprocess.PIPE, text=True)
            assert server.stdout is not None
            address = re.search(r"http://\S+", server.stdout.readline())
            assert address
            with browser() as opened:
                page = opened.new_page()
                page.set_default_timeout(PATIENCE)
                print(*win(page, address[0]), sep=" ")
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
