"""Every view for everybody: names, roles, contrast, order of the focus, small screens; in light and dark."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.web.serving import Client

STATIC = Path(__file__).parents[2] / "src" / "zermelo" / "web" / "static"
AUDIT = (Path(__file__).parent / "audit.js").read_text(encoding="utf-8")
VIEWS = {
    "home": ("", ".card"),
    "board": ("play?target=tictactoe&moves=a1&as=both&values=1", ".valued .value"),
    "chess": ("play?target=gdl%3Achess&as=both", ".moves .move"),
    "solve": ("solve?target=nim%3A3%2C4", "#start"),
    "answer": ("solve?target=mnk%3A3%2C3%2C3&engine=alphabeta%2Bpns&run=1", ".tree li li .move"),
    "which": ("solve", "#statement"),
    "sums": ("sums", ".thermograph"),
    "edit": ("edit?sample=heap.kif", ".picture svg"),
    "go": ("go?sample=corridors.sgf", ".figures tbody tr"),
    "arena": ("arena", "pre.text"),
    "table": ("play?sample=pennies.nfg", ".moves .move"),
    "draw": ("draw?target=nim%3A1%2C2", ".drawing svg"),
    "parts": ("edit?target=gdl%3Anim%3A1%2C2", ".picture svg"),
    "nowhere": ("nowhere", "h1"),
}
SCREENS = {"desk-light": (1280, 800, "light"), "desk-dark": (1280, 800, "dark"), "phone-dark": (390, 844, "dark")}
SCREENS |= {"narrow-light": (320, 640, "light")}


@pytest.mark.parametrize("view", VIEWS)
def test_nothing_stands_in_anybodys_way(chrome: Any, client: Client, view: str) -> None:
    """The scripts do not ask for the size of the window or the scheme, so a view is loaded once for all screens."""
    address, ready = VIEWS[view]
    page = chrome.new_page()
    page.goto(f"{client.address}#/{address}")
    page.wait_for_selector(ready, timeout=60_000, state="attached")
    found = []
    for screen, (width, height, scheme) in SCREENS.items():
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        page.wait_for_timeout(150)
        found += [f"{screen}: {said}" for said in page.evaluate(AUDIT)]
    page.close()
    assert not found, "\n".join(found)


def test_no_script_asks_for_the_size_of_the_window_or_the_scheme() -> None:
    for script in STATIC.glob("*.js"):
        asked = re.findall(
            r"matchMedia|innerWidth|innerHeight|clientWidth|offsetWidth", script.read_text(encoding="utf-8")
        )
        assert not asked, (script.name, asked)


def test_the_audit_notices_what_is_wrong(chrome: Any, client: Client) -> None:
    page = chrome.new_page()
    page.goto(client.address)
    page.wait_for_selector(".card")
    assert page.evaluate(AUDIT) == []
    page.evaluate(
        """() => {
            const main = document.querySelector('main');
            const add = (html) => main.insertAdjacentHTML('beforeend', html);
            add('<button></button>'); add('<img src="/static/icon.svg">'); add('<h4>deep</h4>');
            add('<section>x</section>');
            add('<input id="statement">');
            const pale = document.createElement('p');
            pale.textContent = 'pale'; pale.className = 'pale'; main.append(pale);
            const sheet = new CSSStyleSheet(); sheet.replaceSync('.pale { color: #ccc }');
            document.adoptedStyleSheets = [sheet];
        }"""
    )
    said = "\n".join(page.evaluate(AUDIT))
    page.close()
    for words in ("no name", "no alt", "a level is left out", "section without", "is there twice", "contrast"):
        assert words in said, words


def test_the_focus_goes_through_the_page_in_the_order_of_reading(chrome: Any, client: Client) -> None:
    page = chrome.new_page()
    page.goto(f"{client.address}#/play?target=tictactoe&as=both")
    page.wait_for_selector(".moves .move")
    places = []
    for _ in range(40):
        page.keyboard.press("Tab")
        told = page.evaluate(
            """() => {
                const e = document.activeElement;
                if (!e || e === document.body) return null;
                const all = [...document.querySelectorAll('*')];
                return [all.indexOf(e), getComputedStyle(e).outlineStyle, e.className];
            }"""
        )
        if told is None:
            break
        assert told[1] != "none", f"the focus cannot be seen on {told[2]}"
        places.append(told[0])
    page.close()
    assert len(places) > 15
    assert places == sorted(places)
