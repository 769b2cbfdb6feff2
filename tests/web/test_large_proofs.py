"""Proofs that are too large for a table: kept in layers, handed in as bytes, and unfolded only when somebody looks."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

from tests.web.serving import Client
from zermelo.limits import Limits
from zermelo.web import task_solving
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
    assert desk.strategies == {}
    node = run_task({"task": "unfold", "asked": {"claim": 0, "moves": []}}, desk, Limits(), lambda event, data: None)
    assert node["own"]
    assert node["moves"] == [told["move"]]
    assert list(desk.strategies) == [0]


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
