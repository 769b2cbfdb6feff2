"""Whole endgames: the examples, refusals, options, reports and pictures."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cgt.go.boards import record
from tests.cgt.randomgames import brute_force
from zermelo.cgt.go import GoEndgame, analyse, analyse_position, analysis, parse_record, read_record, report
from zermelo.cgt.go.analysis import analyse_again
from zermelo.cgt.go.game import EndgameGame
from zermelo.cgt.go.ground import BLACK, WHITE
from zermelo.cgt.go.order import best_order
from zermelo.cgt.go.playing import after_move
from zermelo.cgt.go.region import Scoring
from zermelo.cgt.go.written.annotated import annotated
from zermelo.cli import main
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


def test_what_can_neither_be_proved_nor_judged_is_named_and_drawn_as_unsettled() -> None:
    found = endgame("....... ..x.... ....... .....o. ....... ....... .......")
    assert [region.status for region in found.regions] == ["refused"]
    assert found.scores is not None and found.best is None
    assert found.scores[BLACK] == (-49, 47)  # a judged stone of White's is safe, all else may become anybody's
    assert "unsettled: " in report(found) and "mark what is alive" in report(found)
    assert "unsettled" in found._repr_svg_()


def test_what_is_only_judged_is_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "BUDGETS", (1_000,))
    found = endgame("...x. ..xo. .xo.. .xo.. .xo..")
    assert not found.proved and "judged by playing out, not proved" in report(found)


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


def test_variations_are_chosen_where_a_record_branches() -> None:
    text = "(;SZ[3];B[aa](;W[bb];B[cc])(;W[ba](;B[bb])(;B[ab])))"
    assert parse_record(text).stones == "x...o...x"
    assert parse_record(text, line=[2]).stones == "xo..x...."
    assert parse_record(text, line=[2, 2]).stones == "xo.x....."
    with pytest.raises(InputError, match="no variation 3 at branching 1"):
        parse_record(text, line=[3])


def test_rules_that_count_by_area_are_followed_unless_something_else_is_asked_for() -> None:
    text = record("x.o x.o x.o", "RU[Chinese]")
    assert analyse_position(parse_record(text)).scoring == "area"
    assert analyse_position(parse_record(text), scoring="territory").scoring == "territory"


@pytest.mark.parametrize("name", RECORDS)
def test_the_best_order_of_play_ends_with_the_score(name: str) -> None:
    found = analyse(EXAMPLES / name)
    order = best_order(found)
    here = found
    for move in order:
        assert here.best is not None and here.best.score == move.score == found.score
        here = analyse_again(here, after_move(here.position, move.point))
    assert here.best is None and here.score == found.score


@pytest.mark.parametrize(
    ("lengths", "to_move"), [((4, 5), BLACK), ((4, 5), WHITE), ((3, 3, 2), BLACK), ((5, 3), WHITE)]
)
def test_corridors_add_up_as_numbers_and_the_side_to_move_rounds_in_its_favour(
    lengths: tuple[int, ...], to_move: str
) -> None:
    # Berlekamp and Wolfe, Mathematical Go (1994), chapter 2: a chilled corridor of n points is n - 2 + 1/2^(n-1).
    width = max(lengths) + 3
    wall, rows = "X" * (width - 1) + "O", ["X" * (width - 1) + "O"]
    for length in lengths:
        rows += ["X" * (width - 1 - length) + "." * length + "O", wall]
    rows += [wall] * (width - len(rows)) if len(rows) < width else []
    side = max(width, len(rows))
    rows = [row[:1] * (side - width) + row for row in rows]
    found = analyse_position(replace(parse_record(record(" ".join(rows))), to_move=to_move))
    total = sum((Fraction(n - 2) + Fraction(1, 2 ** (n - 1)) for n in lengths), Fraction(0))
    assert sum((region.thermographs[0].mean for region in found.regions), Fraction(0)) == total
    assert found.score == found.settled + (ceil(total) if to_move == BLACK else floor(total))


def test_an_annotated_record_is_read_again_with_the_same_stones_and_scoring(tmp_path: Path) -> None:
    game = EndgameGame.stated(record("x.o x.o x.o", "RU[Chinese]"), "game.sgf")
    again = parse_record(annotated(game.endgame))
    assert again.stones == game.position.stones and again.scoring == "area"
    (tmp_path / "game.sgf").write_text(record("X.O X.O X.O"))
    assert main(["show", str(tmp_path / "game.sgf"), "-o", str(tmp_path / "out.sgf")]) == 0
    assert "C[board 3x3" in (tmp_path / "out.sgf").read_text()
