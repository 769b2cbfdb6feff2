"""Pictures of games that are written down, and of choices made at once."""

from __future__ import annotations

import re

import zermelo
from zermelo.draw.payoffs import MOST_NODES, Branching, choices_scene
from zermelo.picturing import PictureOptions, picture


def comb(length: int) -> list[Branching]:
    """A tree in which one side may stop or go on, again and again."""
    nodes = []
    for turn in range(length):
        nodes += [Branching(0, ("stop", "on"), (2 * turn + 1, 2 * turn + 2)), Branching(None, paid=("1",))]
    return [*nodes, Branching(None, paid=("0",))]


def test_a_small_tree_is_drawn_as_a_whole_wherever_play_stands() -> None:
    nodes = comb(5)
    for here in (0, 4):
        assert len(choices_scene(nodes, ["Ann"], here).places) == len(nodes)


def test_a_large_tree_is_drawn_from_where_play_stands() -> None:
    nodes = comb(10_000)
    scene = choices_scene(nodes, ["Ann"], 500)
    assert len(scene.places) <= MOST_NODES
    assert scene.places[0].name == "here"
    assert set(scene.ways) == {"stop", "on"}
    assert any(">+2<" in text for text in scene.over)


def test_what_does_not_fit_is_a_number_at_the_root_too() -> None:
    nodes = [Branching(0, tuple(map(str, range(99))), tuple(range(1, 100))), *[Branching(None, paid=("0",))] * 99]
    scene = choices_scene(nodes, ["Ann"], 0)
    assert [place.name for place in scene.places] == ["start"]
    assert not scene.ways and any(">+99<" in text for text in scene.over)


def test_both_roles_of_a_table_choose_by_clicking() -> None:
    game = zermelo.game_of("examples/pennies.nfg")
    svg = picture(game, game.start(), PictureOptions(legal=True)).svg
    clicked = re.findall(r'data-cell="([^"]*)" data-move="([^"]*)" data-role="([^"]*)"', svg)
    assert clicked == [
        ("Even: heads", "heads", "Even"),
        ("Even: tails", "tails", "Even"),
        ("Odd: heads", "heads", "Odd"),
        ("Odd: tails", "tails", "Odd"),
    ]


def test_dice_of_chance_and_bids_are_places() -> None:
    pig = zermelo.game_of("pig:10")
    assert set(picture(pig, pig.play(pig.start(), "roll"), PictureOptions(legal=True)).moves.values()) == {
        (face,) for face in "123456"
    }
    goofspiel = zermelo.game_of("goofspiel:3")
    assert (
        'data-cell="second: 3" data-move="3"' in picture(goofspiel, goofspiel.start(), PictureOptions(legal=True)).svg
    )


def test_a_die_of_backgammon_is_what_its_moves_are_made_with() -> None:
    game = zermelo.game_of("gdl:backgammon")
    position = game.play(game.start(), "(roll 5 2)")
    svg = picture(game, position, PictureOptions(legal=True)).svg
    ways = re.findall(r'data-move="move\((\d+),(\d)\)" data-from="\d+" data-to="\d+" data-with="die (\d)"', svg)
    assert ways and all(die == made_with for _, die, made_with in ways)
    assert {die for _, die, _ in ways} == {"2", "5"}
