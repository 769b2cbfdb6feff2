"""Long computations: watched, cancelled, killed, too many; their certificates and strategies."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path

from tests.web.serving import Client, served
from zermelo.web.server import Settings

HARD = {"target": "connect:6,7,4"}


def test_a_solve_is_told_from_beginning_to_end(client: Client) -> None:
    events = list(client.events(client.start(task="solve", game={"target": "connect:4,4,4"}, seconds=60)))
    assert [name for name, _ in events if name != "progress"] == ["begun", "proved", "result", "end"]
    result = dict(events)["result"]
    assert (result["status"], result["winner"], result["verified"]) == ("solved", "draw", True)
    assert result["headline"] == "a draw"
    assert [claim["role"] for claim in result["claims"]] == ["x", "o"]


def test_progress_is_told_while_it_runs(client: Client) -> None:
    job = client.start(task="solve", game=HARD, seconds=60)
    nodes: dict[str, list[int]] = {}
    for name, told in client.events(job):
        if name == "progress":
            nodes.setdefault(told["engine"], []).append(told["nodes"])
            if max(map(len, nodes.values())) == 3:
                client.ask("DELETE", f"/api/v1/jobs/{job}")
        if name == "end":
            assert told["state"] == "cancelled"
    assert any(len(seen) >= 3 and seen[0] < seen[-1] for seen in nodes.values())


def test_a_cancelled_solve_tells_what_it_knows(client: Client) -> None:
    job = client.start(task="solve", game=HARD, seconds=60)
    client.wait(job, "running")
    while not any(name == "progress" for name, _ in _some(client, job)):
        time.sleep(0.05)
    client.ask("DELETE", f"/api/v1/jobs/{job}")
    told = client.wait(job, "cancelled")
    assert told["result"] is None or told["result"]["status"] != "solved"


def _some(client: Client, job: str) -> list[tuple[str, object]]:
    """The first few events."""
    found = []
    for event in client.events(job):
        found.append(event)
        if event[0] in ("progress", "end"):
            break
    return found


def test_a_job_that_waits_can_be_cancelled() -> None:
    with served(Settings(running=1)) as client:
        first = client.start(task="solve", game=HARD, seconds=60)
        second = client.start(task="solve", game=HARD, seconds=60)
        client.ask("DELETE", f"/api/v1/jobs/{second}")
        client.ask("DELETE", f"/api/v1/jobs/{first}")
        assert client.wait(second, "cancelled")["result"] is None
        client.wait(first, "cancelled")


def test_who_comes_when_the_queue_is_full_is_told_so() -> None:
    with served(Settings(running=1, waiting=1)) as client:
        jobs = [client.start(task="solve", game=HARD, seconds=60) for _ in range(2)]
        refused = client.post("/jobs", {"task": "solve", "game": HARD})
        assert refused.status == 429
        assert "too many computations are waiting" in refused.json["error"]
        for job in jobs:
            client.ask("DELETE", f"/api/v1/jobs/{job}")
        for job in jobs:
            client.wait(job, "cancelled")
        assert client.run(task="solve", game={"target": "nim:1"}, seconds=20)["result"]["winner"] == "first"


def workers_of_this_process() -> list[int]:
    """The processes that work for servers of this one."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                words = (folder / "cmdline").read_bytes().split(b"\0")
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            if b"zermelo.web.worker" in words and parent == os.getpid():
                found.append(int(folder.name))
    return found


def test_a_solver_that_is_killed_is_told_in_one_sentence() -> None:
    with served(Settings(running=1)) as client:
        before = set(workers_of_this_process())
        job = client.start(task="solve", game=HARD, seconds=60)
        events = client.events(job)
        while next(events)[0] != "progress":
            pass
        [process] = set(workers_of_this_process()) - before
        os.kill(process, signal.SIGKILL)
        told = dict(events)
        assert told["error"]["gone"]
        assert "was ended" in told["error"]["error"]
        assert told["end"] == {"state": "failed"}
        assert client.run(task="solve", game={"target": "nim:1"}, seconds=20)["result"]["status"] == "solved"


def test_the_processes_end_with_the_server() -> None:
    before = set(workers_of_this_process())
    with served(Settings(running=1)) as client:
        client.post("/state", {"game": {"target": "nim:1"}})
        client.run(task="solve", game={"target": "nim:1"}, seconds=20)
        client.wait(client.start(task="solve", game=HARD, seconds=60), "running")
        assert set(workers_of_this_process()) - before
    end = time.monotonic() + 20
    while set(workers_of_this_process()) - before and time.monotonic() < end:
        time.sleep(0.05)
    assert not set(workers_of_this_process()) - before


def test_a_certificate_is_downloaded_and_accepted_and_a_wrong_one_refuted(client: Client) -> None:
    game = {"target": "nim:3,4"}
    job = client.start(task="solve", game=game, engine="dp", seconds=30)
    client.wait(job, "done")
    answer = client.get(f"/api/v1/jobs/{job}/certificate")
    assert "attachment" in answer.headers["content-disposition"]
    text = answer.body.decode()
    accepted = client.run(task="check", game=game, certificate=text)["result"]
    assert accepted["status"] == "accepted"
    data = json.loads(text)
    claim = next(claim for claim in data["claims"] if claim["role"] == "first")
    claim["table"]["((3,4),0)"] = ["0,1", claim["table"]["((3,4),0)"][1]]
    refuted = client.run(task="check", game=game, certificate=json.dumps(data))["result"]
    assert refuted["status"] == "refuted"
    assert refuted["line"][0] == "0,1"
    assert [step["movers"] for step in refuted["walk"]][:2] == [["first"], ["second"]][: len(refuted["walk"])]
    other = client.run(task="check", game={"target": "nim:3,5"}, certificate=text)["result"]
    assert other["status"] == "refuted"
    assert "another game" in other["reason"]
    broken = client.run(task="check", game=game, certificate="{")
    assert broken["error"]["line"] == 1


def test_a_strategy_is_unfolded_node_by_node(client: Client) -> None:
    job = client.start(task="solve", game={"target": "nim:1,2"}, engine="dp", seconds=30)
    client.wait(job, "done")
    root = client.post(f"/jobs/{job}/strategy", {"claim": 0, "moves": []}).json
    assert (root["own"], root["moves"]) == (True, ["1,1"])
    replies = client.post(f"/jobs/{job}/strategy", {"claim": 0, "moves": ["1,1"]}).json
    assert (replies["own"], replies["moves"]) == (False, ["0,1", "1,1"])
    after = ["1,1", "0,1"]
    last = client.post(f"/jobs/{job}/strategy", {"claim": 0, "moves": after}).json
    end = client.post(f"/jobs/{job}/strategy", {"claim": 0, "moves": [*after, *last["moves"]]}).json
    assert end["ending"] == "first wins."
    assert client.post(f"/jobs/{job}/strategy", {"claim": 7}).status == 400


def test_engines_are_named_with_reasons(client: Client) -> None:
    told = {row["engine"]: row for row in client.post("/engines", {"game": {"target": "nim:1,2"}}).json}
    assert told["dp"]["why_not"] is None
    assert told["go"]["why_not"]


def test_a_wrong_job_is_refused(client: Client) -> None:
    assert client.post("/jobs", {"task": "state"}).status == 400
    assert client.post("/jobs", {"task": "solve", "seconds": "long"}).status == 400
    assert client.get("/api/v1/jobs/nothing").status == 404
    assert client.run(task="solve", game={"target": "nim:1"}, engine="abacus")["error"]["error"].startswith("unknown")
    assert client.run(task="solve", game={"target": "nim:1"}, nodes=0)["error"]["error"]


def test_an_analysis_that_nobody_hears_any_more_is_ended(client: Client) -> None:
    job = client.start(task="analyse", game=HARD, seconds=120)
    events = client.events(job)
    assert next(events)[0] in ("progress", "analysis")
    events.close()  # the page was closed
    assert client.wait(job, "cancelled", "done")["state"] == "cancelled"


def test_replies_beyond_the_first_hundred_are_told_when_they_are_asked_for(client: Client) -> None:
    job = client.start(task="solve", game={"target": "nim:60,60"}, seconds=60)
    client.wait(job, "done")
    first = client.post(f"/jobs/{job}/strategy", {"claim": 0, "moves": []}).json
    assert (first["own"], len(first["moves"]), first["more"]) == (False, 100, 20)
    rest = client.post(f"/jobs/{job}/strategy", {"claim": 0, "moves": [], "skip": 100}).json
    assert (len(rest["moves"]), rest["more"]) == (20, 0)
    assert not set(rest["moves"]) & set(first["moves"])
    assert client.post(f"/jobs/{job}/strategy", {"claim": 0, "moves": [], "skip": -1}).status == 400


def test_proof_numbers_are_told_while_a_solve_runs(client: Client) -> None:
    job = client.start(task="solve", game={"target": "connect:6,7,4"}, engine="pns", seconds=3)
    told = [data["question"] for name, data in client.events(job) if name == "progress"]
    assert told
    assert all(asked["proof"] > 0 and asked["disproof"] > 0 for asked in told)
    assert {asked["at_least"] for asked in told} <= {"0", "1"}


def test_a_solve_tells_how_far_the_checker_is(client: Client) -> None:
    events = list(client.events(client.start(task="solve", game={"target": "connect:5,6,4"})))
    told = [data for name, data in events if name == "progress" and data["checked"] is not None]
    assert told and all(0 <= each["checked"] <= each["to_check"] for each in told)
    assert dict(events)["result"]["stats"]["checked_positions"] == told[0]["to_check"]
    names = [name for name, _ in events]
    assert names.index("proved") < names.index("result"), "the answer comes first"
    assert dict(events)["proved"]["headline"] == dict(events)["result"]["headline"]
