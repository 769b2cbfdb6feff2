"""A small crowd while a solve runs; `make load-web` sends a large one."""

from __future__ import annotations

from tests.web.load import load
from tests.web.serving import Client


def test_a_crowd_is_answered_while_a_solve_runs(client: Client) -> None:
    job = client.start(task="solve", game={"target": "connect:6,7,4"}, seconds=60)
    tally = load(client, clients=20, seconds=2.0)
    state = client.get(f"/api/v1/jobs/{job}").json["state"]
    client.ask("DELETE", f"/api/v1/jobs/{job}")
    assert set(tally.statuses) == {200}, tally.statuses
    assert tally.statuses[200] > 20
    assert state == "running"
