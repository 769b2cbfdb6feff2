"""The page in a browser: games to the end, solves, certificates, sums, editors, records; by mouse and by keyboard."""

from __future__ import annotations

import json
import os
import re
import signal
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from tests.web.browsing import cell, go, played, status, wait_for_turn
from tests.web.serving import Client
from tests.web.test_jobs import workers_of_this_process

EXAMPLES = Path(__file__).parents[2] / "examples"


# Games


def test_tic_tac_toe_is_played_by_clicks_to_a_draw(page: Any, client: Client) -> None:
    go(page, client, "play?target=tictactoe")
    for _ in range(5):
        wait_for_turn(page, "x to move")
        if "over" in (page.get_attribute(".status", "class") or ""):
            break
        page.click("text=Hint")
        page.wait_for_selector(".why .note")
        advice = re.search(r"Play (\w\d):", page.inner_text(".why .note"))
        assert advice is not None
        before = len(played(page))
        cell(page, advice[1]).click()
        page.wait_for_function("n => document.querySelectorAll('.history ol li').length > n", arg=before)
    page.wait_for_selector(".status.over")
    assert status(page) == "A draw."
    assert len(played(page)) == 9
    assert "proved" in page.inner_text(".remark") or "x played" in page.inner_text(".remark")


def test_hex_is_won_by_following_the_values(page: Any, client: Client) -> None:
    go(page, client, "play?target=hex%3A3&values=1")
    for _ in range(6):
        page.wait_for_selector(".status.over, .valued .value.first.proved")
        if page.locator(".status.over").count():
            break
        best = page.locator(".valued li", has=page.locator(".value.first.proved")).first.locator(".move").inner_text()
        before = len(played(page))
        cell(page, best.strip()).click()
        page.wait_for_function("n => document.querySelectorAll('.history ol li').length > n", arg=before)
        wait_for_turn(page, "first to move")
    page.wait_for_selector(".status.over")
    assert status(page) == "first wins."


def test_geography_is_played_to_the_end_by_both_sides(page: Any, client: Client) -> None:
    go(page, client, "play?sample=thesis.graph&as=both")
    for _ in range(20):
        page.wait_for_selector(".status.over, .moves .move:not([disabled])")
        if page.locator(".status.over").count():
            break
        before = len(played(page))
        page.locator(".moves .move").first.click()
        page.wait_for_function("n => document.querySelectorAll('.history ol li').length > n", arg=before)
    assert status(page) in ("first wins.", "second wins.")


def test_a_sum_is_put_together_and_played_to_the_end(page: Any, client: Client) -> None:
    go(page, client, "sums")
    page.wait_for_selector("#play")
    page.fill("input[aria-label='Term 1']", "{4|-4}")
    page.press("input[aria-label='Term 1']", "Tab")
    page.wait_for_function("() => document.querySelector('.facts').textContent.includes('score 6')")
    page.locator(".palette button", has_text="{1|0}").click()
    page.wait_for_selector("input[aria-label='Term 3']")
    page.wait_for_function("() => document.querySelectorAll('.thermograph').length === 4")
    page.locator("#tax").fill("500")
    assert "Left" in page.inner_text(".thermograph")
    page.click("#play")
    for _ in range(12):
        wait_for_turn(page, "left to move")
        if page.locator(".status.over").count():
            break
        before = len(played(page))
        page.locator(".moves .move").first.click()
        page.wait_for_function("n => document.querySelectorAll('.history ol li').length > n", arg=before)
    page.wait_for_selector(".status.over")
    assert "wins" in status(page) or "score 0" in status(page).lower()


def test_the_calculator_answers_line_by_line(page: Any, client: Client) -> None:
    go(page, client, "sums")
    page.wait_for_selector("#expression")
    for line, said in (("H = {0|H}", "H = over"), ("H + 1/2 > 1/2", "true")):
        page.fill("#expression", line)
        page.press("#expression", "Enter")
        page.locator(".calculated dd", has_text=said).wait_for()
    page.fill("#expression", "K + 1")
    page.press("#expression", "Enter")
    page.wait_for_selector(".panel .error")
    assert page.input_value("#expression") == "K + 1", "what was wrong can be mended"


def test_a_sum_of_different_rules_is_played_on_its_boards(page: Any, client: Client) -> None:
    go(page, client, f"sums?{urlencode([('term', term) for term in ('{1|-1}', 'domineering:..|..', 'clobber:xo')])}")
    page.wait_for_selector("#play")
    page.click("#play")
    page.wait_for_selector(".picture svg")
    assert page.locator('.picture [data-cell="1:a1"]').count() and page.locator('.picture [data-cell="2:b1"]').count()
    cell(page, "3:1").click()  # Left moves in the tree to 1
    page.wait_for_function("() => document.querySelectorAll('.history ol li').length > 1")  # and Right has replied
    for _ in range(6):
        wait_for_turn(page, "left to move")
        if page.locator(".status.over").count():
            break
        before = len(played(page))
        page.locator(".moves .move").first.click()
        page.wait_for_function("n => document.querySelectorAll('.history ol li').length > n", arg=before)
    page.wait_for_selector(".status.over")
    assert "left wins" in status(page).lower(), "the sum is worth *, and 1 beside +-1 and * is Left's"


def test_a_piece_is_dragged(page: Any, client: Client) -> None:
    go(page, client, "play?target=breakthrough%3A4%2C4&as=both")
    ways = page.locator(".picture [data-move][data-from]")
    page.wait_for_selector(".picture [data-move][data-from]", state="attached")
    way = ways.first
    start, end = (way.get_attribute(f"data-{name}") for name in ("from", "to"))
    boxes = [cell(page, name).bounding_box() for name in (start, end)]
    (x0, y0), (x1, y1) = ((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes)
    page.mouse.move(x0, y0)
    page.mouse.down()
    page.mouse.move(x1, y1, steps=4)
    page.mouse.up()
    page.wait_for_function("() => document.querySelectorAll('.history ol li').length === 1")
    assert played(page) == [way_text(start, end, played(page)[0])]


def way_text(start: str, end: str, text: str) -> str:
    """The move between two places, as the game writes it."""
    assert start in text
    assert end in text
    return text


def test_what_was_tried_is_kept_as_a_branch(page: Any, client: Client) -> None:
    go(page, client, "play?target=nim%3A2%2C2&as=both")
    page.locator(".moves .move", has_text="0,1").click()
    page.wait_for_function("() => document.querySelectorAll('.history ol li').length === 1")
    page.click("text=Undo")
    page.wait_for_function("() => document.querySelectorAll('.history ol li').length === 0")
    page.locator(".moves .move", has_text="1,2").click()
    page.wait_for_function("() => document.querySelectorAll('.history ol li').length === 1")
    page.locator(".branches button", has_text="0,1").click()
    page.wait_for_function("() => document.querySelector('.history ol .move').textContent === '0,1'")
    assert "moves=0%2C1" in page.url


def test_an_address_leads_to_the_same_position(page: Any, client: Client) -> None:
    go(page, client, "play?target=tictactoe&moves=b2+a1&as=both&values=1")
    page.wait_for_selector(".valued .value.proved")
    assert played(page) == ["b2", "a1"]
    assert page.is_checked("text=Show what moves are worth")


def test_why_a_move_fails_is_told_and_walked(page: Any, client: Client) -> None:
    go(page, client, "play?target=tictactoe&moves=a1&as=both&values=1")
    page.click("button[aria-label='Why not b1?']")
    page.wait_for_selector(".why .note")
    assert "x wins" in page.inner_text(".why .note")
    page.click("text=Walk this line")
    page.wait_for_function("() => document.querySelectorAll('.history ol li').length === 2")
    assert played(page) == ["a1", "b1"]


def test_two_programs_are_watched(page: Any, client: Client) -> None:
    go(page, client, "play?target=nim%3A1%2C2&as=none&players=exact,random")
    page.wait_for_selector(".status.over")
    assert status(page) == "first wins."


# Solving


def until_accepted(page: Any) -> None:
    """Waits for the checker: the answer is shown before its proof is read."""
    page.wait_for_function("() => document.querySelector('.verdict')?.innerText.includes('has accepted the proof')")


def test_a_solve_is_watched_to_its_end_and_the_strategy_unfolds(page: Any, client: Client) -> None:
    go(page, client, "solve?target=mnk%3A4%2C3%2C3")
    page.click("#start")
    page.wait_for_selector(".answer")
    assert page.inner_text(".answer").startswith("X wins")
    until_accepted(page)
    page.wait_for_selector(".tree .move.best")
    replies = page.locator(".claim[open] .tree li li > .move")
    replies.first.wait_for()
    replies.first.click()
    page.wait_for_selector(".tree li li li .move")


def test_a_solve_is_watched_and_cancelled(page: Any, client: Client) -> None:
    go(page, client, "solve?target=connect%3A6%2C7%2C4")
    page.click("#start")
    page.wait_for_selector(".figures tbody td")
    page.click("#cancel")
    page.wait_for_selector(".answer, section .note")
    assert not page.is_disabled("#start")


def test_a_killed_solver_is_told_in_one_sentence(page: Any, client: Client) -> None:
    go(page, client, "solve?target=connect%3A6%2C7%2C4")
    page.wait_for_selector("#start")
    before = set(workers_of_this_process())
    page.click("#start")
    page.wait_for_selector(".figures tbody td")
    for process in set(workers_of_this_process()) - before:
        os.kill(process, signal.SIGKILL)
    page.wait_for_selector(".error")
    assert "the process that worked on this was ended" in page.inner_text(".error").lower()
    assert not page.is_disabled("#start")


def test_a_certificate_is_downloaded_changed_and_refuted(page: Any, client: Client, tmp_path: Path) -> None:
    go(page, client, "solve?target=nim%3A3%2C4&engine=dp")
    page.click("#start")
    with page.expect_download() as download:
        page.click("text=Download the certificate")
    path = tmp_path / "certificate.json"
    download.value.save_as(path)
    page.set_input_files("#certificate", path)
    page.wait_for_selector(".verdict:has-text('Accepted (')")
    data = json.loads(path.read_text(encoding="utf-8"))
    claim = next(claim for claim in data["claims"] if claim["role"] == "first")
    claim["table"]["((3,4),0)"][0] = "0,1"
    path.write_text(json.dumps(data), encoding="utf-8")
    page.set_input_files("#certificate", path)
    page.wait_for_selector(".error:has-text('Refuted: ')")
    page.click("text=Walk it on the board")
    page.wait_for_selector(".history ol li")
    assert played(page)[0] == "0,1"


# Texts


def test_a_rulesheet_with_an_error_is_marked_at_its_place(page: Any, client: Client) -> None:
    go(page, client, "edit?sample=heap.kif")
    page.wait_for_selector(".picture svg")
    text = page.input_value("#code")
    page.fill("#code", text.replace("(role left)", "(role left"))
    page.wait_for_selector(".findings .error")
    place = page.inner_text(".findings .error button")
    assert page.locator(".gutter .error").count() >= 1
    assert page.get_attribute("#code", "aria-invalid") == "true"
    page.click(".findings .error button")
    line = page.evaluate(
        "() => { const a = document.getElementById('code'); "
        "return a.value.slice(0, a.selectionStart).split('\\n').length; }"
    )
    assert str(line) == place.partition(":")[0]
    page.fill("#code", text)
    page.wait_for_selector("text=Play it")


def test_a_program_is_edited_drawn_and_written_in_another_form(page: Any, client: Client) -> None:
    go(page, client, "edit?sample=threevariables.qlp")
    page.select_option("select[aria-label='Draw']", "polytope")
    page.wait_for_function(
        "() => document.querySelectorAll('.side > .picture svg polygon, .side > .picture svg path').length > 3"
    )
    page.select_option("select[aria-label='Write it as']", "lp")
    page.wait_for_selector("pre.text")
    assert "Subject To" in page.inner_text("pre.text") or "subject to" in page.inner_text("pre.text").lower()


def test_a_text_is_pasted_and_opened(page: Any, client: Client) -> None:
    go(page, client, "")
    page.fill("#statement", (EXAMPLES / "choices.qcir").read_text(encoding="utf-8"))
    page.click("text=Open >> nth=0")
    page.wait_for_selector(".status")
    assert status(page) == "exists to move"


HOSTILE = '(role "><img src=x onerror=alert(1)>)\n<script>alert(2)</script>\n(init (cell <svg/onload=alert(3)> 1))'


def test_a_hostile_upload_does_nothing(page: Any, client: Client, tmp_path: Path) -> None:
    page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    path = tmp_path / "<img src=x onerror=alert(4)>.kif"
    path.write_text(HOSTILE, encoding="utf-8")
    go(page, client, "")
    page.set_input_files("#file", path)
    page.wait_for_selector(".drop .error")
    assert page.locator("img[src='x']").count() == 0
    go(page, client, f"edit?text={quote(HOSTILE)}&name={quote('<b>x')}")
    page.wait_for_selector(".findings li")
    assert page.locator("main b, main script").count() == 0
    go(page, client, f"play?target={quote('<img src=x onerror=alert(5)>')}")
    page.wait_for_selector(".error")
    sheet = (EXAMPLES / "heap.kif").read_text(encoding="utf-8").replace("left", "<svg/onload=alert(6)>")
    go(page, client, f"play?text={quote(sheet)}&as=both")
    page.wait_for_selector(".status, .error")
    page.wait_for_timeout(200)


def test_a_long_text_does_not_go_into_the_address(page: Any, client: Client, tmp_path: Path) -> None:
    path = tmp_path / "long.kif"
    sheet = (EXAMPLES / "heap.kif").read_text(encoding="utf-8")
    path.write_text(sheet + "; a long remark\n" * 60_000, encoding="utf-8")
    go(page, client, "")
    page.set_input_files("#file", path)
    page.wait_for_selector(".picture svg")
    assert status(page) == "left to move"
    assert "kept=" in page.url
    page.reload()
    page.wait_for_selector(".picture svg")
    assert status(page) == "left to move"


def test_a_go_record_is_shown_and_a_chain_marked(page: Any, client: Client) -> None:
    go(page, client, "go?sample=thirteen.sgf")
    page.wait_for_selector(".figures tbody tr")
    assert page.locator(".figures tbody tr").count() == 3
    assert "Black G7" in page.inner_text(".side")
    cell(page, "G9").click()
    page.wait_for_selector("text=Taken as alive by your word: G9")
    with page.expect_download() as download:
        page.click("text=Save the record with remarks")
    assert download.value.suggested_filename == "annotated.sgf"
    chain = page.locator(".picture .lifted").evaluate_all("all => all.map(each => each.dataset.cell)")
    assert "G9" in chain and len(chain) > 1, "the whole chain is marked"
    cell(page, next(name for name in chain if name != "G9")).click()
    page.wait_for_function("() => !document.querySelector('.side').textContent.includes('by your word')")
    page.wait_for_selector(".figures tbody tr")
    assert page.locator(".picture .lifted").count() == 0
    page.fill("#point", "A1")
    page.click("text=/^Alive$/")
    page.wait_for_selector(".error")
    cell(page, "G9").click()
    page.wait_for_selector("text=Taken as alive by your word: G9")  # a mark that was refused is forgotten


# Keyboard and screen readers


def test_a_game_is_played_with_the_keyboard_alone(page: Any, client: Client) -> None:
    go(page, client, "")
    page.wait_for_selector(".card")
    reach(page, "document.activeElement.textContent.includes('tictactoe')")
    page.keyboard.press("Enter")
    page.wait_for_selector(".moves .move")
    for _ in range(5):
        wait_for_turn(page, "x to move")
        if page.locator(".status.over").count():
            break
        before = len(played(page))
        page.wait_for_selector(".moves .move:not([disabled])")
        reach(page, "document.activeElement.closest('.moves') && document.activeElement.classList.contains('move')")
        page.keyboard.press("Enter")
        page.wait_for_function("n => document.querySelectorAll('.history ol li').length > n", arg=before)
    page.wait_for_selector(".status.over")
    assert status(page) in ("A draw.", "o wins.")


def reach(page: Any, condition: str) -> None:
    """Presses Tab until the focus is where it should be; everything that has it on the way must be seen."""
    for _ in range(200):
        page.keyboard.press("Tab")
        if page.evaluate(f"() => Boolean({condition})"):
            return
    raise AssertionError(f"Tab never comes to: {condition}")


def test_the_first_tab_leads_past_the_navigation(page: Any, client: Client) -> None:
    go(page, client, "")
    page.wait_for_selector(".card")
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.className") == "skip"


def test_a_frame_in_slides_has_the_view_alone(page: Any, client: Client) -> None:
    page.goto(f"{client.address}?embed=1#/play?target=hex%3A3&as=both")
    page.wait_for_selector(".picture svg")
    assert not page.is_visible("header")
    assert not page.locator("text=Share").count()


def test_a_picture_is_saved(page: Any, client: Client) -> None:
    go(page, client, "play?target=hex%3A3&as=both")
    page.wait_for_selector(".picture svg")
    page.click("summary:has-text('Share')")
    with page.expect_download() as download:
        page.click("text=Save as PNG")
    assert Path(download.value.path()).read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    with page.expect_download() as download:
        page.click("text=Save as SVG")
    saved = Path(download.value.path()).read_text(encoding="utf-8")
    assert saved.startswith("<svg")
    assert 'fill="rgb(' in saved


def test_a_picture_and_a_view_without_one_are_saved_as_pdf(page: Any, client: Client) -> None:
    pytest.importorskip("typst")
    go(page, client, "play?target=hex%3A3&as=both")
    page.wait_for_selector(".picture svg")
    page.click("summary:has-text('Share')")
    for words in ("Save as PDF", "Save the whole view as PDF"):
        with page.expect_download() as download:
            page.click(f"text={words}")
        assert Path(download.value.path()).read_bytes().startswith(b"%PDF-")
    assert not page.evaluate("() => document.documentElement.classList.contains('taken')")


def test_a_view_without_a_picture_is_saved_with_its_words(page: Any, client: Client) -> None:
    go(page, client, "solve?target=nim%3A1%2C2&run=1")
    until_accepted(page)
    page.click("summary:has-text('Share')")
    with page.expect_download() as download:
        page.click("text=Save as SVG")
    saved = Path(download.value.path()).read_text(encoding="utf-8")
    assert "Solve nim:1,2</text>" in saved and "the independent checker has accepted the proof.</text>" in saved
    assert "Save as SVG" not in saved, "the menu is left out"
    with page.expect_download() as download:
        page.click("text=Save as PNG")
    assert Path(download.value.path()).read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
