"""Pictures show every pairing, stay within their frame, and say the same as their CSV."""

from __future__ import annotations

import csv
import re
from fractions import Fraction
from io import StringIO
from xml.etree import ElementTree

import pytest

from tests.arena.games import duels, game
from zermelo.arena.plots import MOST_SPOTS, Chart, csv_of, progress_chart, share_chart, svg_of, time_chart
from zermelo.errors import ArgumentError

SVG = "{http://www.w3.org/2000/svg}"
MIXED = [1, Fraction(1, 2), 0, 1, 1, 0, Fraction(1, 2), 1]


def texts(chart: Chart) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg_of(chart)).iter(f"{SVG}text")]


def numbers(chart: Chart) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(csv_of(chart))))


def test_progress_has_a_panel_for_each_game_and_a_line_for_each_pairing() -> None:
    games = [
        record
        for name in ("gdl:hex", "gdl:oware")
        for other in ("uct", "fc-ucb")
        for record in duels(MIXED, "mac-ucb", other, name=name)
    ]
    chart = progress_chart(games)
    assert [panel.title for panel in chart.panels] == ["hex", "oware"]
    assert {"hex", "oware", "mac-ucb : uct", "mac-ucb : fc-ucb", "games"} <= set(texts(chart))
    assert len(ElementTree.fromstring(svg_of(chart)).findall(f".//{SVG}path[@class='a-band a-1']")) == 2
    last = numbers(chart)[-1]
    assert (last["game"], last["games"], float(last["score"])) == ("oware", "8", 5 / 8)


def test_time_runs_from_the_shortest_clock_to_the_longest() -> None:
    games = [record for clock in ("0.04s", "0.005s", "0.02s") for record in duels(MIXED, clock=clock)]
    chart = time_chart([*games, *duels(MIXED, name="gdl:hex")])
    (panel,) = chart.panels
    assert [spot.x for spot in panel.curves[0].spots] == pytest.approx([5, 20, 40])
    assert {"5", "20", "40", "milliseconds for a move"} <= set(texts(chart))


def test_clocks_in_simulations_are_drawn_where_there_are_no_others() -> None:
    games = [record for clock in ("100sims", "1000sims") for record in duels(MIXED, clock=clock)]
    assert time_chart(games).across == "simulations for a move"


def test_shares_are_taken_from_the_settings_of_the_first_player() -> None:
    games = [r for share in ("0", "0.5", "1") for r in duels(MIXED, f"mac-ucb(share={share})", "uct")]
    (panel,) = share_chart([*games, *duels(MIXED, "mac-ucb", "uct", clock="1s")]).panels
    assert [(curve.name, [spot.x for spot in curve.spots]) for curve in panel.curves] == [
        ("mac-ucb : uct", [0, 50, 100])
    ]
    with pytest.raises(ArgumentError, match="share is no number"):
        share_chart(duels(MIXED, "mac-ucb(share=most)", "uct"))


def test_players_alone_have_a_line_each_and_none_for_chance() -> None:
    games = [game(n, ["ab"[n % 2]], [str(n % 3 % 2)], name="gdl:orchard", seed=n // 2) for n in range(20)]
    (panel,) = progress_chart(games).panels
    assert [curve.name for curve in panel.curves] == ["a (alone)", "b (alone)"]
    assert panel.expected is None


def test_three_players_are_compared_with_a_third() -> None:
    games = [game(n, ["abb", "bab", "bba"][n % 3], "100") for n in range(6)]
    assert progress_chart(games).panels[0].expected == pytest.approx(1 / 3)


@pytest.mark.parametrize("games", [1, 2, 5, 12])
def test_everything_stays_inside_the_picture(games: int) -> None:
    chart = progress_chart([r for i in range(games) for r in duels(MIXED * 20, name=f"gdl:game-{i}")])
    root = ElementTree.fromstring(svg_of(chart))
    width, height = float(root.get("width", "0")), float(root.get("height", "0"))
    for group in root.iter(f"{SVG}g"):
        left, top = map(float, re.findall(r"[\d.]+", group.get("transform", "")))
        for path in group.iter(f"{SVG}path"):
            for x, y in re.findall(r"[ML]([-\d.]+) ([-\d.]+)", path.get("d", "")):
                assert 0 <= left + float(x) <= width and 0 <= top + float(y) <= height
    for line in root.findall(f".//{SVG}path[@class='a-line a-0']"):
        assert line.get("d", "").count("L") < MOST_SPOTS


def test_names_are_made_safe() -> None:
    assert "&lt;b&gt;" in svg_of(progress_chart(duels(MIXED, "<b>", "uct")))
