"""Many clients at once, while solves run, on this machine only: ``python -m tests.web.load --clients 100``."""

from __future__ import annotations

import argparse
import collections
import http.client
import json
import random
import threading
import time
from dataclasses import dataclass, field

from tests.web.serving import Client, served
from zermelo.web.server import Settings

GAMES = ("tictactoe", "hex:4", "nim:3,4,5", "connect:4,4,4", "gdl:tictactoe", "domineering:4x4", "{5|-5} + {3||2|-1}")
PATHS = ("/", "/static/app.js", "/static/style.css", "/api/v1/gallery", "/api/v1/thumbnail?target=hex%3A4")
PAUSE = 0.3
"""Seconds between two requests of a client, as somebody at a board would take."""


@dataclass
class Tally:
    """What came back, and how long it took."""

    statuses: collections.Counter[int] = field(default_factory=collections.Counter)
    seconds: list[float] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, status: int, seconds: float) -> None:
        """Counts an answer."""
        with self.lock:
            self.statuses[status] += 1
            self.seconds.append(seconds)

    def slowest(self, part: float) -> float:
        """So many seconds were enough for this part of the requests."""
        ordered = sorted(self.seconds)
        return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0


def visitor(port: int, seed: int, end: float, tally: Tally) -> None:
    """One client: looks at pages and plays moves at random until the time is up."""
    chance = random.Random(seed)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    moves: list[str] = []
    game = chance.choice(GAMES)
    while time.monotonic() < end:
        begin = time.monotonic()
        status, legal = 0, None
        try:
            if chance.random() < 0.3:
                connection.request("GET", chance.choice(PATHS))
                response = connection.getresponse()
                response.read()
            else:
                body = json.dumps({"game": {"target": game}, "moves": moves})
                connection.request("POST", "/api/v1/state", body, {"Content-Type": "application/json"})
                response = connection.getresponse()
                legal = json.loads(response.read()).get("legal")
            status = response.status
        except (OSError, http.client.HTTPException):
            connection.close()
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        tally.add(status, time.monotonic() - begin)
        if legal:
            moves.append(chance.choice(legal)["move"])
        elif legal is not None:
            game, moves = chance.choice(GAMES), []
        time.sleep(PAUSE * chance.random() * 2)
    connection.close()


def load(client: Client, clients: int, seconds: float) -> Tally:
    """So many clients for so long."""
    tally, end = Tally(), time.monotonic() + seconds
    crowd = [threading.Thread(target=visitor, args=(client.port, seed, end, tally)) for seed in range(clients)]
    for each in crowd:
        each.start()
    for each in crowd:
        each.join()
    return tally


def main() -> None:
    """Runs the load and tells what came back."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=60)
    given = parser.parse_args()
    with served(Settings(running=2)) as client:
        jobs = [client.start(task="solve", game={"target": "connect:6,7,4"}, seconds=given.seconds + 60) for _ in "ab"]
        tally = load(client, given.clients, given.seconds)
        running = [client.get(f"/api/v1/jobs/{job}").json["state"] for job in jobs]
        for job in jobs:
            client.ask("DELETE", f"/api/v1/jobs/{job}")
    failed = sum(count for status, count in tally.statuses.items() if status == 0 or status >= 500)
    told = dict(sorted(tally.statuses.items()))
    print(f"{given.clients} clients, {given.seconds:g} s, two solves ({', '.join(running)}): {told}")
    print(f"half within {tally.slowest(0.5):.3f} s, 99 % within {tally.slowest(0.99):.3f} s; {failed} failed")
    raise SystemExit(1 if failed or running != ["running"] * 2 else 0)


if __name__ == "__main__":
    main()
