"""Every target of the library has a picture of its own, which is well-formed, whole and can be pointed at."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest

import zermelo
from zermelo.game import CHANCE, Game
from zermelo.picturing import MOST_CHIPS, MOST_OUTCOMES, PictureOptions, picture

SVG = "{http://www.w3.org/2000/svg}"
SCRIPT = Path(__file__).parents[2] / "docs" / "gallery.py"


@cache
def gallery() -> ModuleType:
    """The script that draws the contact sheet."""
    spec = importlib.util.spec_from_file_location("gallery", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["gallery"] = module
    spec.loader.exec_module(module)
    return module


TARGETS: list[str] = gallery().targets()


@cache
def game_of(target: str) -> Game:
    return zermelo.game_of(target)


def positions_of(target: str) -> Iterator[tuple[Any, Any, Any]]:
    """The start, and a position of random play with the move that led there and the position before."""
    game = game_of(target)
    yield game.start(), None, None
    yield gallery().after_some_moves(game, 3)


def test_the_gallery_has_every_game_that_is_listed() -> None:
    from zermelo.cli.games import listed

    assert {row["name"] for row in listed()} == {
        name if name != "gdl" else f"gdl:{rest.partition(':')[0]}"
        for name, _, rest in (row["example"].partition(":") for row in listed())
    }
    assert all(row["example"] in TARGETS for row in listed())


@pytest.mark.parametrize("target", TARGETS)
def test_no_target_falls_back_to_text(target: str) -> None:
    game = game_of(target)
    for position, _, _ in positions_of(target):
        assert not game.scene(position).is_text


@pytest.mark.parametrize("target", TARGETS)
def test_a_picture_is_well_formed_titled_and_closed(target: str) -> None:
    game = game_of(target)
    for position, last, before in positions_of(target):
        svg = picture(game, position, PictureOptions(legal=True, last=last, before=before)).svg
        root = ElementTree.fromstring(svg)
        assert root.find(f"{SVG}title") is not None
        assert not re.search(r"<script|<image|href=|url\(|\bon\w+=", svg)
        assert any((text.text or "").strip() for text in root.iter(f"{SVG}text"))


@pytest.mark.parametrize("target", TARGETS)
def test_nothing_lies_outside_the_picture(target: str) -> None:
    game = game_of(target)
    for position, _, _ in positions_of(target):
        root = ElementTree.fromstring(picture(game, position, PictureOptions(legal=True)).svg)
        width, height = map(float, root.attrib["viewBox"].split()[2:])
        for x, y, what in _points(root, (0.0, 0.0, 1.0)):
            assert -2 <= x <= width + 2 and -2 <= y <= height + 2, (what, x, y, width, height)


def _points(element: ElementTree.Element, at: tuple[float, float, float]) -> Iterator[tuple[float, float, str]]:
    """The corners of boxes and discs and about where texts begin and end, through moves and scales."""
    x, y, scale = at
    transform = element.get("transform", "")
    if found := re.search(r"translate\(([-\d.]+)[ ,]([-\d.]+)\)", transform):
        x, y = x + scale * float(found[1]), y + scale * float(found[2])
    if found := re.search(r"scale\(([-\d.]+)\)", transform):
        scale *= float(found[1])
    tag = element.tag.removeprefix(SVG)
    given = {
        key: float(element.get(key, "0")) for key in ("x", "y", "width", "height", "cx", "cy", "r") if tag != "svg"
    }
    corners: list[tuple[float, float]] = []
    if tag == "rect":
        corners = [(given["x"], given["y"]), (given["x"] + given["width"], given["y"] + given["height"])]
    elif tag == "circle":
        corners = [
            (given["cx"] - given["r"], given["cy"] - given["r"]),
            (given["cx"] + given["r"], given["cy"] + given["r"]),
        ]
    elif tag == "text" and element.text:
        size = float(element.get("font-size", "12"))
        wide = 0.46 * size * len(element.text)  # narrow letters: a text that is surely too long is found
        left = given["x"] - (0 if element.get("text-anchor") == "start" else wide / 2)
        corners = [(left, given["y"] - size / 2), (left + wide, given["y"])]
    for px, py in corners:
        yield x + scale * px, y + scale * py, f"{tag} {element.text or ''}"
    for child in element:
        if child.tag != f"{SVG}svg":
            yield from _points(child, (x, y, scale))


@pytest.mark.parametrize("target", TARGETS)
def test_every_legal_move_can_be_pointed_at_once(target: str) -> None:
    game = game_of(target)
    for position, _, _ in positions_of(target):
        if game.result(position) is not None:
            continue
        figure = picture(game, position, PictureOptions(legal=True))
        root = ElementTree.fromstring(figure.svg)
        cells = [one.get("data-cell") for one in root.iter() if one.get("data-cell") is not None]
        assert len(cells) == len(set(cells))
        # The board of a Go record names its points; its moves are buttons.
        assert len(cells) == len(figure.scene.places) or not figure.scene.places
        turn = game.turn(position)
        if turn == CHANCE:
            wanted = [game.move_text(move) for move, _ in game.chances(position)]
            if len(wanted) > MOST_OUTCOMES:
                continue
        elif isinstance(turn, tuple):
            wanted = [game.move_text(move) for role in turn for move in game.moves_of(position, role)]
        else:
            wanted = list(map(game.move_text, game.moves(position)))
        marked = Counter(one.attrib["data-move"] for one in root.iter() if "data-move" in one.attrib)
        without = sum(not places for places in figure.moves.values())
        if without <= MOST_CHIPS:
            assert marked == Counter(wanted)
        for one in root.iter():
            for name in ("data-from", "data-to", "data-then"):
                assert one.get(name) is None or one.get(name) in cells


NAMING = [
    "breakthrough:4,3", "connect:4,5,3", "mnk:4,3,3", "hex:3", "othello:4,4", "treblecross:5", "dotsandboxes:2,2",
    "geography:random:8,2,1", "nim:2,3", "wythoff:2,3", "subtraction:9;1,2", "clobber:xo|ox", "dots:2x2",
    "snort:..|..", "toads:x..o", "hackenbush:brg", "amazons:x..|..o", "gdl:amazons", "gdl:breakthrough", "gdl:checkers",
    "gdl:chess", "gdl:chinesecheckers", "gdl:connectfour", "gdl:dotsandboxes", "gdl:geography", "gdl:hex:3", "gdl:nim",
    "gdl:othello", "gdl:oware", "gdl:tictactoe",
]  # fmt: skip


@pytest.mark.parametrize("target", NAMING)
def test_a_move_touches_places_that_it_changes(target: str) -> None:
    """So labels, which name the places, agree with the names of moves."""
    game = zermelo.game_of(target)
    start = game.start()
    scene = game.scene(start)
    before = {place.name: place.content for place in scene.places}
    figure = picture(game, start, PictureOptions(legal=True))
    for move in list(game.moves(start))[:12]:
        places = figure.moves[game.move_text(move)]
        assert places, game.move_text(move)
        later = game.scene(game.play(start, move))
        after = {place.name: place.content for place in later.places}
        assert any(before[name] != after.get(name) for name in places), (game.move_text(move), places)


def test_the_contact_sheet_shows_all_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = gallery()
    monkeypatch.setattr(module, "targets", lambda: ["nim:1,2", "gdl:tictactoe"])
    monkeypatch.setattr(module, "FURTHER", (("nim:1,2", "tree"),))
    assert module.write(tmp_path / "sheet") == 5
    page = (tmp_path / "sheet" / "index.html").read_text(encoding="utf-8")
    files = re.findall(r'src="([^"]+)"', page)
    assert len(files) == 5 and all((tmp_path / "sheet" / file).is_file() for file in files)


def test_the_page_of_the_manual_has_every_picture_once_and_in_a_section() -> None:
    drawn = [one for target in TARGETS[:6] for one in gallery().pictures_of(target)] + list(gallery().further())
    page = gallery().page_of(drawn)
    assert all(page.count(f"](gallery/{one.name}.svg){{") == 1 for one in drawn)
    assert {gallery().section_of(one) for one in drawn} <= set(gallery().SECTIONS.values())


@pytest.mark.parametrize(
    ("title", "section"),
    [("tictactoe", "library"), ("kayles:7,4, later", "board"), ("gdl:chess", "rulesheet"), ("bakery.qlp", "file")],
)
def test_a_picture_stands_in_the_section_of_its_kind(title: str, section: str) -> None:
    assert gallery().section_of(gallery().Drawn("x", title, "")) == section


def test_pictures_of_different_targets_have_different_names() -> None:
    names = Counter(re.sub(r"[^a-z0-9]+", "-", Path(target).name.lower()).strip("-") for target in TARGETS)
    assert max(names.values()) == 1
