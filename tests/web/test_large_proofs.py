"""Proofs that are too large for a table: kept in layers, handed in as bytes, and unfolded only when somebody looks."""

from __future__ import annotations

import random
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

from tests.web.serving import Client
from zermelo.games import make_game
from zermelo.limits import Limits
from zermelo.web import task_solving, unfolding
from zermelo.web.tasks import Desk, run_task


def solved(folder: Path) -> tuple[Desk, dict[str, Any]]:
    """A game that was solved for the page, at a desk of its own."""
    desk = Desk(folder)
    request = {"task": "solve", "asked": {"game": {"target": "mnk:4,3,3"}, "engine": "alphabeta"}}
    return desk, run_task(request, desk, Limits(seconds=60.0), lambda event, data: None)


@pytest.fixture
def layered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """A certificate that was kept in layers, since it has more moves than a table should."""
    monkeypatch.setattr(task_solving, "MOST_WRITTEN_OUT", 3)
    _, told = solved(tmp_path)
    assert told["certificate"]["name"] == "certificate.zc"
    data = (tmp_path / "certificate.zc").read_bytes()
    assert told["certificate"] == {"bytes": len(data), "kept": True, "name": "certificate.zc"}
    return data


def test_a_table_is_written_out_when_somebody_looks(tmp_path: Path) -> None:
    desk, told = solved(tmp_path)
    assert told["verified"]
    assert told["certificate"]["name"] == "certificate.json"
    assert told["claims"][0]["unfolds"]
    node = run_task({"task": "unfold", "asked": {"claim": 0, "moves": []}}, desk, Limits(), lambda event, data: None)
    assert node["own"]
    assert node["moves"] == [told["move"]]


def test_a_certificate_in_layers_is_accepted_and_one_of_another_game_is_not(layered: bytes, client: Client) -> None:
    handed_in = b64encode(layered).decode()
    told = client.run(task="check", game={"target": "mnk:4,3,3"}, layered=handed_in)
    assert told["result"]["status"] == "accepted"
    other = client.run(task="check", game={"target": "mnk:3,3,3"}, layered=handed_in)
    assert other.get("result", {}).get("status") != "accepted"


@pytest.mark.parametrize("change", [slice(None, 40), slice(None, -3)])
def test_a_broken_certificate_in_layers_is_refused_in_one_line(layered: bytes, client: Client, change: slice) -> None:
    told = client.run(task="check", game={"target": "mnk:4,3,3"}, layered=b64encode(layered[change]).decode())
    assert told.get("result", {}).get("status") != "accepted"
    assert "internal" not in told.get("error", {})


@pytest.mark.parametrize("text", ["no base 64!", "é"])
def test_what_is_not_in_base_64_is_refused(client: Client, text: str) -> None:
    told = client.run(task="check", game={"target": "mnk:4,3,3"}, layered=text)
    assert told["error"]["error"] == '"layered" is not in base 64'


@pytest.mark.parametrize(("written_out", "walked"), [(3, 10**6), (3, 30), (3, 1)])
def test_a_long_proof_is_walked_as_deep_as_somebody_looks_and_proved_anew_below(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written_out: int, walked: int
) -> None:
    monkeypatch.setattr(unfolding, "MOST_WRITTEN_OUT", written_out)
    monkeypatch.setattr(unfolding, "MOST_WALKED", walked)
    desk, told = solved(tmp_path)
    game, chance = make_game("mnk:4,3,3"), random.Random(1)
    rested_on: set[str] = set()
    for number, claim in enumerate(told["claims"]):
        for _ in range(6):
            position, line = game.start(), list[str]()
            while game.result(position) is None:
                asked = {"task": "unfold", "asked": {"claim": number, "moves": line}}
                node = run_task(asked, desk, Limits(seconds=30.0), lambda event, data: None)
                assert node["own"] == (game.turn(position) == claim["role"])
                line.append(chance.choice(node["moves"]))
                rested_on.add(node["by"])
                position = game.play(position, game.parse_move(position, line[-1]))
            scores = game.result(position)
            assert scores[game.roles.index(claim["role"])] >= desk.strategies[number].claim.at_least
    assert any("a proof of its own" in words for words in rested_on) == (walked < 10**6)


def test_where_the_strategy_never_comes_the_tree_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unfolding, "MOST_WRITTEN_OUT", 3)
    desk, told = solved(tmp_path)
    others = [move for move in ("a1", "b1", "c1", "a2", "b2", "c2") if move != told["move"]]
    other = next(move for move in others if move != told["move"])
    reply = next(move for move in others if move != other)
    asked = {"task": "unfold", "asked": {"claim": 0, "moves": [other, reply]}}
    node = run_task(asked, desk, Limits(seconds=30.0), lambda event, data: None)
    assert node["own"] and node["ending"] == "The strategy never comes here."
