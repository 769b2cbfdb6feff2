"""Whole endgames: the examples, refusals, options, reports and pictures."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cgt.go.boards import record
from tests.cgt.randomgames import brute_force
from zermelo.cgt.go import GoEndgame, analyse, analyse_position, parse_record, read_record, report
from zermelo.cgt.go.game import EndgameGame
from zermelo.cgt.go.ground import BLACK, WHITE
from zermelo.cgt.go.region import Scoring
from zermelo.errors import InputError, NotApplicableError
from zermelo.limits import Limits

EXAMPLES = Path(__file__).parents[3] / "examples"
RECORDS = ["corridors.sgf", "sente.sgf", "thirteen.sgf"]


def endgame(picture: str, root: str = "") -> GoEndgame:
    return analyse_position(parse_record(record(picture, root)))


@pytest.mark.parametrize("name", RECORDS)
def test_examples_are_exact_and_their_scores_are_those_of_the_sums(name: str) -> None:
    found = analyse(EXAMPLES / name)
    assert found.exact and found.scores is not None
    for colour in (BLACK, WHITE):
        assert found.scores[colour] == (brute_force(found.trees, colour == BLACK)[0],) * 2


@pytest.mark.parametrize("to_move", [BLACK, WHITE])
@pytest.mark.parametrize("name", RECORDS)
@pytest.mark.parametrize("scoring", ["territory", "area"])
def test_the_best_move_leads_to_the_score_and_no_move_to_more(name: str, to_move: str, scoring: Scoring) -> None:
    position = replace(read_record(EXAMPLES / name), to_move=to_move)
    found = analyse_position(position, scoring=scoring)
    assert found.best is not None and found.best.score == found.score


def test_corridors_by_hand() -> None:
    found = analyse(EXAMPLES / "corridors.sgf")
    # Two eyes of Black's, three points of White's, half a point of komi; the corridors are 4 long and 5 long.
    assert found.settled == -1
    assert [shape.mean for region in found.regions for shape in region.thermographs] == [
        Fraction(17, 8),
        Fraction(3, 4),
    ]
    assert found.score == Fraction(3, 2)
    assert found.best is not None and found.named(found.best.point) == "E4"


def test_reverse_sente_by_hand() -> None:
    found = analyse(EXAMPLES / "sente.sgf")
    assert found.best is not None and found.named(found.best.point) == "D7"
    assert found.to_json()["move_kind"] == "reverse sente"


def test_sente_is_played_first() -> None:
    found = analyse(EXAMPLES / "thirteen.sgf")
    assert found.best is not None and found.named(found.best.point) == "G7"
    assert found.to_json()["move_kind"] == "sente"
    # The larger gote first would lose a point: White then takes away the sente.
    assert found.candidates[1].score == found.best.score - 1


def test_a_ko_gives_bounds_and_no_best_move() -> None:
    found = analyse(EXAMPLES / "ko.sgf", komaster="black")
    assert [region.status for region in found.regions] == ["ko"]
    assert found.best is None and found.scores is not None
    low, high = found.scores[BLACK]
    assert low < high
    text = report(found)
    assert "if Black wins it" in text and "superko" in text and "komaster" in text


def test_stones_that_are_not_shown_alive_are_refused() -> None:
    found = endgame("...x. ..xo. .xo.. .xo.. .xo..")
    assert [region.status for region in found.regions] == ["refused"]
    assert found.scores is None and found.best is None
    assert "refused" in report(found) and "mark what is alive" in report(found)


def test_the_users_word_makes_stones_safe() -> None:
    position = parse_record("(;SZ[3]AB[aa][ab][ac]AW[ca][cb][cc])")
    assert not analyse_position(position, limits=Limits(nodes=100)).exact
    assert analyse_position(position, safe=["a1", "c1"]).exact
    with pytest.raises(InputError, match="no stone at b2"):
        analyse_position(position, safe=["b2"])


def test_marked_territory_is_counted_with_dead_stones() -> None:
    marked = parse_record("(;SZ[5]AB[ba:be]AW[aa][ca:ce]TB[aa:ae]TW[da:ee])")
    found = analyse_position(marked)
    assert found.settled == 6 - 10
    assert found.labels[:5] == "bXOww"


def test_prisoners_and_komi_count() -> None:
    taken = parse_record("(;SZ[5]KM[0.5]AB[ba:be]AW[aa][ca:ce];B[ab];W[];B[];W[]TB[aa][ac:ae]TW[da:ee])")
    assert taken.prisoners == 1
    assert analyse_position(taken).score == 1 + 4 - 10 - Fraction(1, 2)


def test_nothing_left_to_gain_is_a_pass() -> None:
    found = endgame("bXOw bXOw bXOw bXOw", "KM[0.5]")
    assert found.best is None
    assert "pass" in report(found)


def test_area_and_territory_differ_by_the_last_dame() -> None:
    position = parse_record(record("XX.OO XX.OO XX.OO XXXOO XXXOO"))
    assert analyse_position(position).score == 0
    by_area = analyse_position(position, scoring="area")
    assert by_area.scores == {BLACK: (Fraction(3), Fraction(3)), WHITE: (Fraction(1), Fraction(1))}


def test_a_limit_refuses_regions_instead_of_hanging() -> None:
    found = analyse(EXAMPLES / "corridors.sgf", limits=Limits(nodes=3))
    assert found.limited
    assert all(region.status == "refused" for region in found.regions)


@pytest.mark.parametrize(("option", "value"), [("scoring", "points"), ("komaster", "red")])
def test_wrong_options_are_named(option: str, value: str) -> None:
    with pytest.raises(InputError, match=f"{option} '{value}', expected"):
        analyse_position(parse_record("(;SZ[3])"), **{option: value})


@pytest.mark.parametrize("name", [*RECORDS, "ko.sgf"])
def test_data_is_json_and_pictures_are_xml(name: str) -> None:
    found = analyse(EXAMPLES / name)
    data = json.loads(json.dumps(found.to_json()))
    assert data["regions"] and all(region["means"] for region in data["regions"])
    picture = ElementTree.fromstring(found._repr_svg_())
    circles = picture.findall(".//{*}circle")
    assert len(circles) >= 2 * sum(stone != "." for stone in found.position.stones)


@pytest.mark.parametrize("text", ["(;SZ[5]AB[cc]AW[dd])", (EXAMPLES / "ko.sgf").read_text(encoding="utf-8")])
def test_a_record_with_an_unsettled_region_is_drawn_but_not_played(text: str) -> None:
    game = EndgameGame.stated(text, "late.sgf")
    start = game.start()
    assert "region a" in game.svg(start)
    assert "region a" in game.text(start)
    for refused in (game.moves, game.result, game.key):
        with pytest.raises(NotApplicableError, match="is not a tree"):
            refused(start)


def test_an_empty_board_is_refused() -> None:
    found = analyse_position(parse_record("(;SZ[9])"))
    assert [region.status for region in found.regions] == ["refused"]


def test_a_record_is_shown_after_further_stones_with_a_ring_on_the_last(tmp_path: Path) -> None:
    from zermelo.cli import main

    name, file = str(EXAMPLES / "corridors.sgf"), tmp_path / "later.svg"
    assert main(["show", name, "--after", "E4 D4 D2", "-o", str(file)]) == 0
    later = analyse_position(read_record(name).after("E4 D4 D2"))
    svg = file.read_text(encoding="utf-8")
    assert later.scores is not None and later.scores[WHITE] == (Fraction(7, 2),) * 2
    assert "White first: B+3.5" in svg
    assert svg.count('class="z-pale"') == 1
    assert main(["show", name, "--after", "A1", "-o", str(file)]) == 2
