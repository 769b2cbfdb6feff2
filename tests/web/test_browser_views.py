"""More of the page in a browser: dice, strategies, pictures, rulesheets taken apart, records, sums of boards."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.web.browsing import cell, go, played, status, wait_for_turn
from tests.web.serving import Client, served
from zermelo.web.server import Settings

EXAMPLES = Path(__file__).parents[2] / "examples"

# The board


def thrown(page: Any) -> None:
    """Waits until the dice lie."""
    page.wait_for_function(
        "() => { const s = document.querySelector('.status'); return s && / to move$/.test(s.textContent) "
        "&& !s.textContent.startsWith('chance') && document.querySelector('.moves .move'); }"
    )


def test_dice_are_chosen_one_by_one_and_thrown_again(page: Any, client: Client) -> None:
    line = " ".join(f"roll({face})" for face in (1, 2, 3, 4, 6)).replace("(", "%28").replace(")", "%29")
    go(page, client, f"play?target=gdl%3Ayahtzee&as=both&moves={line.replace(' ', '+')}")
    thrown(page)
    for name in ("die a", "die b", "die e"):
        cell(page, name).click()
    cell(page, "die a").click()  # it stays after all
    assert page.locator(".picture .lifted").count() == 2
    assert "die b, die e" in page.inner_text(".remark")
    page.click("#gathered")
    page.wait_for_function("() => document.querySelectorAll('.history ol li').length >= 6")
    assert played(page)[5] == "throw(keep,roll,keep,keep,roll)"


def test_a_die_with_a_face_is_what_a_move_is_about(page: Any, client: Client) -> None:
    line = "+".join(f"roll%28{face}%29" for face in (1, 1, 2, 2, 3, 3, 4, 5))
    go(page, client, f"play?target=gdl%3Apickomino&as=both&moves={line}")
    thrown(page)
    cell(page, "die 3").click()
    page.wait_for_function("() => document.querySelectorAll('.history ol li').length >= 9")
    assert played(page)[8] == "keep(3)"


def test_a_pair_is_told_from_either_end(page: Any, client: Client) -> None:
    go(page, client, "play?target=gdl%3Acantstop&as=both&moves=roll%286%2C2%29+roll%281%2C4%29")
    thrown(page)
    way = page.locator(".picture [data-move][data-from]").first
    start, end, move = (way.get_attribute(f"data-{name}") for name in ("from", "to", "move"))
    cell(page, end).click()
    assert page.locator(".picture .reach").count() >= 1
    cell(page, start).click()
    page.wait_for_function("() => document.querySelectorAll('.history ol li').length >= 3")
    assert played(page)[2] == move


def test_a_pair_is_told_by_two_dice(page: Any, client: Client) -> None:
    go(page, client, "play?target=gdl%3Acantstop&as=both&moves=roll%286%2C2%29+roll%281%2C4%29")
    thrown(page)
    cell(page, "die 2").click()
    assert not page.locator("#gathered").count(), "one die is no pair"
    cell(page, "die 4").click()
    page.click("#gathered")
    page.wait_for_function("() => document.querySelectorAll('.history ol li').length >= 3")
    assert played(page)[2] == "climb(6,7)"


def test_a_die_is_taken_up_before_the_checker_that_moves_by_it(page: Any, client: Client) -> None:
    go(page, client, "play?target=gdl%3Abackgammon&as=both&moves=roll%285%2C2%29")
    thrown(page)
    cell(page, "die 2").click()
    assert page.locator(".picture .lifted").count() == 1
    assert "die 2" in page.inner_text(".remark")
    assert "reach" in cell(page, "24").get_attribute("class")
    cell(page, "24").click()
    page.wait_for_function("() => document.querySelectorAll('.history ol li').length >= 2")
    assert played(page)[1] == "move(24,2)"


def test_the_machine_keeps_to_itself_what_it_chooses_at_once(page: Any, client: Client) -> None:
    go(page, client, "play?sample=pennies.nfg&players=,random")
    replied = "() => performance.getEntriesByType('resource').filter(e => e.name.includes('/jobs')).length >= 2"
    page.wait_for_function(replied)  # the machine has been asked, and its events are read
    cell(page, "Odd: heads").click()
    assert page.locator(".moves .move").all_inner_texts() == ["Even: heads", "Even: tails"]
    assert page.locator(".moves [aria-pressed=true]").count() == 0
    cell(page, "Even: heads").click()
    page.wait_for_selector(".status.over")
    assert played(page)[0].startswith("heads")


def test_moves_made_at_once_show_how_often_the_best_mixture_plays_them(page: Any, client: Client) -> None:
    go(page, client, "play?target=goofspiel%3A5&values=1")
    page.wait_for_selector(".valued .value.draw.proved")
    rows = page.locator(".moves li").all_inner_texts()
    assert [row.split()[:4] for row in rows[:2]] == [["first:", "5", "85.2", "%,"], ["first:", "1", "11.6", "%,"]]
    assert page.locator(".valued .value.second.proved").count() == 2, "two cards lose against the mixture"
    drawn = page.locator(".picture text").all_text_contents()
    assert (drawn.count("85%"), drawn.count("0%")) == (2, 4), "both hands are marked"


# Solving


def test_an_engine_that_takes_a_game_in_several_ways_is_offered_once(page: Any, client: Client) -> None:
    go(page, client, "solve?target=mnk%3A3%2C3%2C3")
    page.wait_for_selector("#start")
    offered = page.locator("#engine option").evaluate_all("all => all.map(each => each.value)")
    assert "qip-cegar" in offered and len(set(offered)) == len(offered)
    refused = page.locator("details li strong").all_text_contents()
    assert "qip-leaf" in refused and len(set(refused)) == len(refused) and not set(refused) & set(offered)


def test_several_engines_run_side_by_side_and_tell_proof_numbers(page: Any, client: Client) -> None:
    go(page, client, "solve?target=connect%3A6%2C7%2C4")
    page.wait_for_selector("#start")
    page.select_option("#engine", "several")
    page.check("fieldset >> text=alphabeta")
    page.check("fieldset >> text=/^pns$/")
    page.click("#start")
    page.wait_for_selector(".by-proof td:has-text('at least')")
    rows = page.locator(".figures.live tbody tr")
    assert {text.split()[0] for text in rows.all_inner_texts()} == {"alphabeta", "pns"}
    page.click("#cancel")
    page.wait_for_selector(".answer, section .note")


def test_an_address_runs_a_solve_in_slides(page: Any, client: Client) -> None:
    page.goto(f"{client.address}?embed=1#/solve?target=nim%3A3%2C4&run=1")
    page.wait_for_selector(".answer")
    assert page.inner_text(".answer") == "First wins within 6 moves." or "irst wins" in page.inner_text(".answer")
    assert not page.is_visible("header")
    assert not page.locator("#certificate").count()


def test_a_strategy_is_played_against_and_shows_boards(page: Any, client: Client) -> None:
    go(page, client, "solve?target=mnk%3A4%2C3%2C3")
    page.click("#start")
    page.wait_for_selector(".tree .move.best")
    page.check("#boards")
    page.wait_for_selector(".tree .node-board svg")
    page.click("text=Play against it as o")
    for _ in range(6):
        wait_for_turn(page, "o to move")
        if page.locator(".status.over").count():
            break
        assert "by the strategy that was checked" in page.inner_text(".remark")
        before = len(played(page))
        page.locator(".moves .move").first.click()
        page.wait_for_function("n => document.querySelectorAll('.history ol li').length > n", arg=before)
    page.wait_for_selector(".status.over")
    assert status(page) == "x wins."


def test_a_strategy_of_a_formula_is_played_against(page: Any, client: Client) -> None:
    go(page, client, "solve?sample=choices.qcir")
    page.click("#start")
    page.click("text=Play against it as forall")
    for _ in range(4):
        wait_for_turn(page, "forall to move")
        if page.locator(".status.over").count():
            break
        before = len(played(page))
        page.locator(".moves .move").first.click()
        page.wait_for_function("n => document.querySelectorAll('.history ol li').length > n", arg=before)
    page.wait_for_selector(".status.over")
    assert status(page) == "exists wins."


# Pictures


def test_a_tree_and_a_graph_are_drawn_and_saved(page: Any, client: Client) -> None:
    go(page, client, "draw?target=nim%3A1%2C2&depth=1")
    page.wait_for_selector(".drawing svg")
    shallow = page.locator(".drawing svg text").count()
    page.fill("#depth", "3")
    page.press("#depth", "Tab")
    page.wait_for_function("n => document.querySelectorAll('.drawing svg text').length > n", arg=shallow)
    assert "depth=3" in page.url
    page.select_option("#what", "graph")
    page.wait_for_selector(".drawing svg[aria-label='graph of nim:1,2']")
    assert not page.is_visible("#depth")
    page.click("summary:has-text('Share')")
    with page.expect_download() as download:
        page.click("text=Save as PNG")
    assert Path(download.value.path()).read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_a_tree_that_is_too_large_is_refused_in_one_line(page: Any, client: Client) -> None:
    go(page, client, "draw?target=hex%3A6&depth=9")
    page.wait_for_selector("section .error")
    assert "too many to draw" in page.inner_text("section .error")


def test_the_scenario_tree_of_a_program_is_drawn(page: Any, client: Client) -> None:
    go(page, client, "edit?sample=bakery.qlp")
    page.wait_for_selector("select[aria-label='Draw']")
    page.select_option("select[aria-label='Draw']", "strategy")
    page.click("text=See it larger and deeper")
    page.wait_for_selector(".drawing svg")
    assert "early=1" in page.inner_text(".drawing")


# Texts


def test_a_rulesheet_is_taken_apart(page: Any, client: Client) -> None:
    go(page, client, "edit?target=gdl%3Anim%3A1%2C2")
    page.click("text=Take it apart")
    page.wait_for_selector(".parts li")
    assert page.locator(".parts li").count() == 2
    assert "2 games side by side, over when all of them are" in page.inner_text(".made")
    go(page, client, "edit?target=gdl%3Atictactoe")
    page.click("text=Take it apart")
    page.wait_for_selector("text=One game, which does not fall apart")


# Go and sums


def test_a_record_is_played_on_by_clicks_and_by_names(page: Any, client: Client) -> None:
    go(page, client, "go?sample=thirteen.sgf")
    page.wait_for_selector("#next")
    assert page.locator(".walk li").count() == 3
    page.click("#next")
    page.wait_for_selector("text=white to move, after G7")
    cell(page, "H7").click()
    page.wait_for_selector("text=black to move, after G7 H7")
    assert page.locator(".walk li").count() == 1
    page.fill("#point", "g7")
    page.press("#point", "Enter")
    page.wait_for_selector(".error")
    assert "where a stone stands" in page.inner_text(".error")
    page.click("#undo")
    page.wait_for_selector("text=white to move, after G7")
    assert "moves=G7" in page.url
    page.reload()
    page.wait_for_selector("text=white to move, after G7")


def test_a_record_is_stepped_through(page: Any, client: Client, tmp_path: Path) -> None:
    path = tmp_path / "short.sgf"
    alive = "SQ[ba][da]"  # then there is little to play out
    stones = "AB[ba][bb][bc][bd][be]AW[da][db][dc][dd][de]"
    path.write_text(f"(;SZ[5]{stones};B[ca]{alive};W[cb]{alive})", encoding="utf-8")
    go(page, client, "go")
    page.wait_for_selector(".figures")
    page.set_input_files("#record", path)
    page.wait_for_selector("text=2 of 2")
    page.locator("#number").fill("1")
    page.wait_for_selector("text=1 of 2")
    page.wait_for_selector("text=white to move")
    assert "move%3D1" in page.url


def test_boards_are_dragged_into_a_sum_and_played(page: Any, client: Client) -> None:
    go(page, client, "sums?term=toads%3Ax.o")
    page.wait_for_selector(".offer >> text=/^toads/")
    page.drag_and_drop(".offer >> text=/^toads/", "section[aria-label='The sum'] .terms")
    page.wait_for_selector("input[aria-label='Term 2']")
    assert page.input_value("input[aria-label='Term 2']").startswith("toads:")
    page.locator("text=Milnor").nth(1).wait_for()
    assert page.locator("text=Milnor").count() == 2  # for either starter, side by side
    page.wait_for_function("() => document.querySelector('#play').href.includes('toads%3Ax.o%2B')")
    page.click("#play")
    page.wait_for_selector(".picture svg")
    assert status(page) == "left to move"


def test_a_file_that_is_dropped_anywhere_on_the_first_page_is_opened(page: Any, client: Client) -> None:
    go(page, client, "")
    page.wait_for_selector(".card")
    text = (EXAMPLES / "choices.qcir").read_text(encoding="utf-8")
    page.evaluate(
        """text => {
            const given = new DataTransfer();
            given.items.add(new File([text], 'whatever.txt'));
            document.querySelector('h1').dispatchEvent(
                new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: given }));
        }""",
        text,
    )
    page.wait_for_selector(".picture svg")
    assert status(page) == "exists to move"


def test_standings_change_on_the_page_while_a_tournament_runs(chrome: Any, tmp_path: Path) -> None:
    plan = tmp_path / "cup.toml"
    pairing = '[[pairing]]\ngame = "GAME"\nplayers = ["uct", "random"]\ngames = 50000\nclock = "400sims"\n'
    plan.write_text(pairing.replace("GAME", "hex:4") + pairing.replace("GAME", "tictactoe"), encoding="utf-8")
    with served(Settings(arena=plan)) as own:
        page = chrome.new_page()
        go(page, own, "arena")
        page.wait_for_selector("text=No game has been played yet.")
        command = [sys.executable, "-m", "zermelo", "arena", "run", str(plan), "--workers", "1", "--quiet"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as tournament:
            try:
                page.wait_for_selector(".figures tbody tr")
                table = "document.querySelector('.figures').textContent"
                games = f"() => {table}.match(/([\\d,]+) of 50,?000/)[1].replace(/,/g, '')"
                first = int(page.evaluate(games))
                page.wait_for_function(f"n => Number(({games})()) > n", arg=first)
                assert "running" in page.inner_text(".figures") and " to " in page.inner_text(".figures")
            finally:
                tournament.terminate()
        page.close()
