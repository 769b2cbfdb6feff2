"""Takes the picture of the page that README shows: ``python -m tests.web.screenshot FILE.png``."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.web.browsing import browser
from tests.web.serving import served

ADDRESS = "#/play?target=hex%3A4&moves=c2+b3&as=first&values=1"


def main() -> None:
    """Writes the picture."""
    with served() as client, browser() as opened:
        context = opened.new_context(viewport={"width": 1000, "height": 660}, color_scheme="light")
        page = context.new_page()
        page.goto(client.address + ADDRESS)
        page.wait_for_selector(".valued .value.proved")
        page.wait_for_timeout(1500)
        page.screenshot(path=Path(sys.argv[1]))


if __name__ == "__main__":
    main()
