"""What a picture takes beside the position: values, the last move, sizes; and files of other formats."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import zermelo
from zermelo.cli import main
from zermelo.draw.svg import _COLOURS, printable
from zermelo.picturing import MoveValue, PictureOptions, badge, picture, values_of

SVG = "{http://www.w3.org/2000/svg}"


def game_and_start(target: str) -> tuple[zermelo.Game, Any]:
    game = zermelo.game_of(target)
    return game, game.start()


def test_values_are_told_apart_by_colour_and_by_shape() -> None:
    shapes = {colour: badge(9, 9, 10, colour, "1")[1:5] for colour in ("first", "second", "draw")}
    assert len(set(shapes.values())) == 3


def test_what_is_estimated_is_hollow_and_dashed() -> None:
    proved, estimated = badge(9, 9, 10, "first", "1"), badge(9, 9, 10, "first", "1", proved=False)
    assert "stroke-dasharray" not in proved and "stroke-dasharray" in estimated
    assert 'class="z-first"' in proved and 'class="z-first"' not in estimated


def test_the_values_of_an_analysis_stand_on_the_board() -> None:
    game, start = game_and_start("nim:1,2")
    values = values_of(zermelo.analyse("nim:1,2"))
    assert values == {(1, 1): MoveValue(1), (0, 1): MoveValue(-1), (1, 2): MoveValue(-1)}
    drawn = ElementTree.fromstring(picture(game, start, PictureOptions(values=values)).svg)
    kinds = [one.get("class") for one in drawn.iter() if one.get("class") in ("z-first", "z-second")]
    assert sorted(filter(None, kinds)) == ["z-first", "z-second", "z-second"]


@pytest.mark.parametrize("value", [Fraction(1, 3), -7, 0.25, 10**12])
def test_any_value_fits_its_badge(value: Any) -> None:
    game, start = game_and_start("mnk:3,3,3")
    svg = picture(game, start, PictureOptions(values={4: MoveValue(value, proved=not isinstance(value, float))})).svg
    ElementTree.fromstring(svg)


def test_in_a_game_of_a_hundred_points_half_of_them_is_a_draw() -> None:
    game, start = game_and_start("gdl:tictactoe")
    values = {"(mark a 1)": MoveValue(100), "(mark a 2)": MoveValue(50), "(mark a 3)": MoveValue(0)}
    drawn = picture(game, start, PictureOptions(values=values)).svg
    assert [drawn.count(f'class="z-{kind}"') for kind in ("first", "draw", "second")] == [1, 1, 1]


def test_a_move_from_one_place_to_another_says_so() -> None:
    game, start = game_and_start("breakthrough:4,4")
    root = ElementTree.fromstring(picture(game, start, PictureOptions(legal=True)).svg)
    ways = {one.get("data-move"): (one.get("data-from"), one.get("data-to")) for one in root.iter(f"{SVG}g")}
    assert ways["a4b3"] == ("a4", "b3")


def test_a_move_that_touches_three_places_names_the_third() -> None:
    game, start = game_and_start("amazons:x..|..o")
    svg = picture(game, start, PictureOptions(legal=True)).svg
    assert 'data-move="a1b1/c1" data-from="a1" data-to="b1" data-then="c1"' in svg


def test_roles_that_move_at_once_have_buttons_of_their_own() -> None:
    game, start = game_and_start("gdl:matchingpennies")
    root = ElementTree.fromstring(picture(game, start, PictureOptions(legal=True)).svg)
    chips = [(one.get("data-role"), one.get("data-move")) for one in root.iter() if one.get("data-role")]
    assert ("alice", "choose(heads)") in chips and ("bob", "choose(tails)") in chips


def test_labels_can_be_left_out_and_the_size_set() -> None:
    game, start = game_and_start("mnk:3,3,3")
    bare = ElementTree.fromstring(picture(game, start, PictureOptions(labels=False, size=600)).svg)
    assert not list(bare.iter(f"{SVG}text"))
    assert max(float(bare.attrib["width"]), float(bare.attrib["height"])) == 600


def test_the_last_move_is_marked_with_or_without_the_position_before() -> None:
    game, start = game_and_start("mnk:3,3,3")
    later = game.play(start, 4)
    for options in (PictureOptions(last=4), PictureOptions(last=4, before=start)):
        assert picture(game, later, options).svg.count('class="z-mark"') == 1


def test_a_class_that_draws_itself_keeps_its_picture() -> None:
    class Mine(zermelo.Game):
        def start(self) -> Any:
            return 1

        def turn(self, position: Any) -> Any:
            return "first"

        def moves(self, position: Any) -> Any:
            return [1]

        def play(self, position: Any, move: Any) -> Any:
            return 0

        def result(self, position: Any) -> Any:
            return None if position else (1, -1)

        def svg(self, position: Any) -> str:
            return '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 50 40"><path d="M1 1h9"/></svg>'

    drawn = picture(Mine(), 1, PictureOptions(legal=True)).svg
    assert "M1 1h9" in drawn and 'data-move="1"' in drawn


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("column", [1, 2], ids=["light", "dark"])
@pytest.mark.parametrize("name", ["ink", "faint", "first", "second", "third", "fourth", "draw"])
def test_colours_can_be_read_on_their_paper(name: str, column: int) -> None:
    colours = {colour[0]: colour[1 + column] for colour in _COLOURS}
    one, other = sorted((luminance(colours[name]), luminance(colours["paper"])))
    assert (other + 0.05) / (one + 0.05) >= 4.5


def test_the_colours_of_the_two_roles_differ_in_lightness_from_their_grounds_and_in_hue() -> None:
    colours = {colour[0]: colour[2] for colour in _COLOURS}
    warm, cool = colours["first"], colours["second"]
    assert int(warm[1:3], 16) > int(warm[5:7], 16) + 100 and int(cool[5:7], 16) > int(cool[1:3], 16) + 100


def test_a_printable_picture_has_plain_colours() -> None:
    game, start = game_and_start("gdl:chess")
    plain = printable(picture(game, start).svg)
    ElementTree.fromstring(plain)
    assert "var(" not in plain and "@media" not in plain


def test_png_and_pdf_are_written(tmp_path: Path) -> None:
    pytest.importorskip("typst")
    for suffix, start in ((".png", b"\x89PNG"), (".pdf", b"%PDF")):
        file = tmp_path / f"x{suffix}"
        assert main(["show", "nim:1,2", "-o", str(file)]) == 0
        assert file.read_bytes().startswith(start)


def test_without_the_extra_one_line_tells_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    assert main(["show", "nim:1,2", "-o", str(tmp_path / "x.png")]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and "pip install 'zermelo[pictures]'" in told
    assert not (tmp_path / "x.png").exists()


def test_a_wide_tree_is_folded_and_broken_into_rows(tmp_path: Path) -> None:
    for target in ("tictactoe", "nim:6,7"):
        file = tmp_path / "tree.svg"
        assert main(["show", target, "--as", "tree", "-o", str(file)]) == 0
        root = ElementTree.fromstring(file.read_text(encoding="utf-8"))
        assert float(root.attrib["width"]) <= 1150
    counted = [text.text or "" for text in root.iter(f"{SVG}text") if (text.text or "").startswith("+")]
    assert counted


NOTEBOOK = """
import zermelo
from zermelo.cgt import trees_of, value_of
from zermelo.qbf import parse_qdimacs
from zermelo.qip import Model
from zermelo.scsp import read_network
formula = parse_qdimacs("p cnf 2 1\\na 1 0\\ne 2 0\\n1 -2 0\\n")
model = Model("m"); x = model.exists.binary("x"); y = model.forall.binary("y"); model.add(x >= y); model.minimize(x)
sheet = zermelo.game_of("gdl:nim").sheet
solution = zermelo.solve("nim:1,2")
network = read_network("examples/pennies.json")
for thing in (formula, model, model.program(), network, trees_of("{5|-5}")[0], zermelo.Board((("x",),)),
              zermelo.make_game("nim:1"), solution, sheet, zermelo.picture(zermelo.make_game("nim:1")),
              value_of("{5|-5}").thermograph, zermelo.game_of("gdl:nim"), zermelo.game_of("{5|-5}")):
    assert thing._repr_svg_().startswith("<svg"), thing
for thing in (formula, model, model.program(), value_of("{5|-5}")):
    assert thing._repr_latex_().startswith("$"), thing
for thing in (solution.certificate, zermelo.analyse("nim:1,2")):
    assert thing._repr_html_().startswith("<"), thing
"""


def test_what_is_public_shows_itself_in_a_notebook() -> None:
    subprocess.run([sys.executable, "-c", NOTEBOOK], check=True, capture_output=True)


def test_a_board_is_shown_with_values_legal_moves_and_a_size(tmp_path: Path) -> None:
    file = tmp_path / "x.svg"
    assert main(["show", "nim:1,2", "--after", "1,1", "--values", "--legal", "--size", "300", "-o", str(file)]) == 0
    root = ElementTree.fromstring(file.read_text(encoding="utf-8"))
    assert max(float(root.attrib["width"]), float(root.attrib["height"])) == 300
    moves = {one.get("data-move") for one in root.iter() if one.get("data-move")}
    assert moves == {"0,1", "1,1"}
    assert any(one.get("class") == "z-first" for one in root.iter())


def test_options_of_boards_are_refused_for_trees(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "nim:1,2", "--as", "tree", "--legal"]) == 2
    assert "are for boards" in capsys.readouterr().err


def test_a_very_long_row_is_broken_and_folded() -> None:
    game, start = game_and_start("treblecross:2000")
    figure = picture(game, start, PictureOptions(legal=True))
    assert "1,400 more cells" in figure.svg
    assert figure.scene.width < 1500 and figure.moves["600"] == ("600",)


def test_dice_that_are_thrown_together_are_a_choice_of_places() -> None:
    game = zermelo.game_of("gdl:yahtzee")
    position = game.start()
    for face in (1, 2, 3, 4, 6):
        position = game.play(position, next(m for m, _ in game.chances(position) if str(face) in game.move_text(m)))
    svg = picture(game, position, PictureOptions(legal=True)).svg
    assert 'data-move="throw(roll,keep,keep,keep,keep)"' in svg
    assert 'data-move="throw(keep,roll,keep,keep,roll)" data-set="die b|die e"' in svg
    assert svg.count("data-set=") == 26  # of five dice two or more
    assert "data-from" not in svg
