"""Stylesheets of rulesheets: what they show, what they may say, and what is drawn without one."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import zermelo
from zermelo.errors import InputError
from zermelo.games.sheet_texts import rulesheet_names, view_text
from zermelo.gdl.view.stylesheet import NEEDED, SETTINGS, read_view
from zermelo.picturing import PictureOptions, picture

CARDS = """
(role alice) (role bob)
(init (hand alice ace)) (init (hand alice king)) (init (hand bob queen))
(init (score alice 3)) (init (score bob 4)) (init (tens 1)) (init (ones 2)) (init bidding) (init (control alice))
(init (heap a 3))
(<= (legal ?p (play ?c)) (true (control ?p)) (true (hand ?p ?c)))
(legal bob noop)
(<= (next (played ?c)) (does alice (play ?c)))
(<= terminal (true (played ?c)))
(goal alice 50) (goal bob 50)
"""
MAZE = """
(role hero)
(c a) (c b) (c c) (r 1) (r 2) (r 3)
(<= (init (gold ?c ?r)) (c ?c) (r ?r) (not (start ?c ?r)))
(start a 1)
(init (at hero a 1))
(legal hero stay) (legal hero leave)
(<= (next (at hero a 1)) (does hero stay))
(<= terminal (not (true (at hero a 1))))
(goal hero 100)
"""


def game_in(folder: Path, text: str, view: str | None = None) -> zermelo.Game:
    """A game read from a rulesheet with a stylesheet beside it."""
    (folder / "mine.kif").write_text(text, encoding="utf-8")
    if view is not None:
        (folder / "mine.view.toml").write_text(view, encoding="utf-8")
    return zermelo.game_of(str(folder / "mine.kif"))


def texts(game: zermelo.Game) -> str:
    scene = game.scene(game.start())
    return " ".join((*scene.under, *scene.over, *scene.labels))


def test_cards_counters_and_heaps_are_told_from_the_facts(tmp_path: Path) -> None:
    game = game_in(tmp_path, CARDS)
    drawn = texts(game)
    assert not game.scene(game.start()).is_text
    for shown in (">hand ace<", ">hand king<", ">score alice 3<", ">count 12<", ">bidding<", ">alice to move<"):
        assert shown in drawn, shown
    assert {place.name for place in game.scene(game.start()).places} >= {"a", "a.3"}


def test_facts_with_two_coordinates_are_a_board(tmp_path: Path) -> None:
    scene = game_in(tmp_path, MAZE).scene(game_in(tmp_path, MAZE).start())
    contents = {place.name: place.content for place in scene.places}
    assert len(contents) == 9
    assert contents["a1"] == "token-first" and contents["c3"] == "gold"
    assert scene.place("a1").y > scene.place("a3").y  # type: ignore[union-attr]


def test_a_stylesheet_beside_the_rules_says_what_is_drawn(tmp_path: Path) -> None:
    hidden = 'hide = ["hand", "bidding", "heap", "tens", "ones"]'
    view = f'{hidden}\n[[part]]\ndraw = "numbers"\nfacts = "score WHO N"\nlabel = "won"'
    drawn = texts(game_in(tmp_path, CARDS, view))
    assert ">alice won 3<" in drawn and ">bob won 4<" in drawn
    assert "ace" not in drawn and "count" not in drawn


def test_a_text_that_came_without_a_file_looks_for_no_stylesheet() -> None:
    assert view_text("literal") is None
    assert view_text("gdl:../nim") is None


def test_sizes_of_heaps_are_not_taken_for_a_board(tmp_path: Path) -> None:
    rules = """(role a) (<= (init (heap ?h 2)) (name ?h)) (name x) (name y) (name z) (number 0) (number 1) (number 2)
        (<= (base (heap ?h ?n)) (name ?h) (number ?n)) (legal a stay)
        (<= terminal (not (true (heap x 2)))) (goal a 1)"""
    game = game_in(tmp_path, rules)
    assert {"x", "x.2", "z.1"} <= {place.name for place in game.scene(game.start()).places}


@pytest.mark.parametrize("name", rulesheet_names())
def test_places_have_names_of_their_own_also_where_dice_lie(name: str) -> None:
    game = zermelo.game_of(f"gdl:{name}")
    position = game.start()
    for _ in range(3):
        if game.result(position) is not None:
            break
        names = [place.name for place in game.scene(position).places]
        assert len(names) == len(set(names))
        moves = game.chances(position)[-1][0] if game.turn(position) == "chance" else game.moves(position)[-1]
        position = game.play(position, moves)


@pytest.mark.parametrize("name", rulesheet_names())
def test_every_stylesheet_of_the_library_is_read(name: str) -> None:
    found = view_text(f"gdl:{name}")
    if found is not None:
        assert read_view(*found).parts


def test_every_kind_of_part_that_must_have_something_may_have_it() -> None:
    assert all(set(NEEDED.get(kind, ())) <= set(settings) for kind, settings in SETTINGS.items())


@pytest.mark.parametrize(
    ("text", "place", "what"),
    [
        ("[[part]]\ndraw = ", "2:", "not TOML"),
        ("colour = 1", "1:1", "unknown setting 'colour'"),
        ("hide = 3", "1:1", "hide is a list"),
        ("part = 3", "1:1", r"\[\[part\]\]"),
        ('[[part]]\ndraw = "heap"', "1:1", "no kind of part"),
        ('\n[[part]]\ndraw = "heaps"', "2:1", "needs 'facts'"),
        ('[[part]]\ndraw = "heaps"\nfacts = "size H"', "1:1", "has no N"),
        ('[[part]]\ndraw = "heaps"\nfacts = "size H N"\nsize = 3', "1:1", "has no 'size'"),
        ('[[part]]\ndraw = "grid"\ncells = "cell C R"', "1:1", "cells is a list"),
        ('[[part]]\ndraw = "grid"\ncells = ["cell C R"]\nshape = "round"', "1:1", "one of square, hex"),
        ('[[part]]\ndraw = "grid"\ncells = ["cell C R"]\ncheckered = 1', "1:1", "true or false"),
        ('[[part]]\ndraw = "grid"\ncells = [{ piece = "x" }]', "1:1", "pattern of facts"),
        ('[[part]]\ndraw = "coins"\nfacts = "coin WHO SIDE"\nbeside = "yes"', "1:1", "beside is true or false"),
    ],
)
def test_a_wrong_stylesheet_is_one_line_with_its_place(text: str, place: str, what: str) -> None:
    with pytest.raises(InputError, match=what) as refused:
        read_view(text, "x.view.toml")
    assert str(refused.value).startswith(f"x.view.toml:{place}")
    assert "\n" not in str(refused.value)


def test_any_two_dice_tell_the_move_that_climbs_by_them() -> None:
    game = zermelo.game_of("gdl:cantstop")
    chance = random.Random(5)
    position, seen = game.start(), 0
    while game.result(position) is None and seen < 40:
        if game.turn(position) == "chance":
            position = game.play(position, chance.choice(game.chances(position))[0])
            continue
        moves = {game.move_text(move): move for move in game.moves(position)}
        drawn = picture(game, position, PictureOptions(legal=True)).svg
        faces = {name: int(face) for name, face in re.findall(r"<title>(die \d): (\d)", drawn)}
        total = sum(faces.values())
        for move, pair in re.findall(r'data-also="([^"]*)" data-set="([^"]*)"', drawn):
            both = sum(faces[name] for name in pair.split("|"))
            assert move in moves and set(map(int, re.findall(r"\d+", move))) <= {both, total - both}
            seen += 1
        climbs = {name for name in moves if name.startswith(("climb", "only"))}
        assert climbs == set(re.findall(r'data-also="([^"]*)"', drawn)), "every climb is told by some pair"
        position = game.play(position, chance.choice(list(moves.values())))
    assert seen >= 40
