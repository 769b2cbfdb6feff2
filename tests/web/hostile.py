"""Requests that nobody in his right mind would send, made at random from a seed.

``python -m tests.web.hostile --requests 10000`` sends that many to a server of its own and tells what came back.
"""

from __future__ import annotations

import argparse
import collections
import http.client
import json
import random
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.web.serving import Client, served
from zermelo.web.routes import ENDPOINTS, PREFIX
from zermelo.web.server import Settings

JSON = {"Content-Type": "application/json"}
WORDS = [
    "",
    "nim:3,4",
    "hex:3",
    "{5|-5}",
    "gdl:tictactoe",
    "/etc/passwd",
    "-",
    "\x00",
    "\ud800",
    "x" * 300,
    "a1",
    "[[[[",
]
WORDS += ["gdl:nim:999999999999", "mnk:99999999,1,1", "domineering:....|", "octal:0.777:99999", "(role x)", "{{{{|}}}}"]
WORDS += [
    "p cnf 99999999999 1",
    "exists (x)",
    "1e999",
    "-1",
    "null",
    "../..",
    "%2e%2e",
    "<script>",
    "😀",
    "∀x",
    "9" * 400,
]
WORDS += [
    '<svg xmlns="http://www.w3.org/2000/svg" width="1e9"><path d="M0 0L1e39 1"/><text font-size="1e9">x</text></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg"><image href="/etc/passwd"/></svg>',
    "domineering:.. + clobber:xo + (*7)",
    "toads:x.o + {{{{|}}}}",
]
NAMES = ["game", "moves", "target", "text", "format", "name", "options", "sample", "task", "seconds", "engine", "nodes"]
NAMES += [
    "role",
    "move",
    "certificate",
    "player",
    "form",
    "horizon",
    "goal",
    "encoding",
    "what",
    "depth",
    "terms",
    "claim",
    "svg",
]


@dataclass(frozen=True)
class Request:
    """Something to be sent."""

    method: str
    path: str
    body: bytes | None
    headers: dict[str, str]


def value(chance: random.Random, depth: int = 3) -> Any:
    """Any JSON value."""
    kind = chance.randrange(9 if depth else 7)
    if kind < 3:
        return chance.choice(WORDS)
    if kind == 7:
        return [value(chance, depth - 1) for _ in range(chance.randrange(4))]
    if kind == 8:
        return {chance.choice(NAMES): value(chance, depth - 1) for _ in range(chance.randrange(4))}
    return chance.choice([None, True, 0, -1, 1.5, 10**30, 1e308])


def question(chance: random.Random) -> dict[str, Any]:
    """A question that is nearly right: known fields, wrong values."""
    told: dict[str, Any] = {chance.choice(NAMES): value(chance) for _ in range(chance.randrange(1, 5))}
    if chance.random() < 0.7:
        told["game"] = chance.choice([{"target": chance.choice(WORDS)}, {"text": chance.choice(WORDS)}, value(chance)])
    return told


def requests(seed: int, count: int) -> Iterator[Request]:
    """So many requests."""
    chance = random.Random(seed)
    posts = [endpoint for endpoint in ENDPOINTS if endpoint.method == "POST" and "{" not in endpoint.path]
    for _ in range(count):
        kind = chance.randrange(10)
        path = PREFIX + chance.choice(posts).path
        if kind < 4:
            body = json.dumps(question(chance)).encode()
            yield Request("POST", path, body, dict(JSON))
        elif kind == 4:
            whole = json.dumps(question(chance)).encode()
            yield Request("POST", path, whole[: chance.randrange(len(whole))], dict(JSON))
        elif kind == 5:
            yield Request("POST", path, chance.randbytes(chance.randrange(200)), dict(JSON))
        elif kind == 6:
            nested = (b"[" * 100_000) if chance.random() < 0.5 else (b'{"a":' * 50_000)
            yield Request("POST", path, nested, dict(JSON))
        elif kind == 7:
            headers = dict(JSON) | {"Content-Length": chance.choice(["99999999", "-1", "x", "9" * 30])}
            yield Request("POST", path, b"{}", headers)
        elif kind == 8:
            strange = {"Host": "evil", "Origin": "null", "Cookie": "=;;=", "Last-Event-ID": "-1", "Range": "bytes=9-1"}
            name = chance.choice(list(strange))
            yield Request("GET", PREFIX + "/status", None, {name: strange[name]})
        else:
            words = "".join(chance.choice("/.%2e:?#&=abc\\~") for _ in range(chance.randrange(1, 60)))
            yield Request(chance.choice(["GET", "PUT", "DELETE", "OPTIONS", "HEAD"]), "/" + words, None, {})


def send(client: Client, request: Request) -> tuple[int, bytes]:
    """The status that comes back, and what is said; 0 where the server closes the connection without one."""
    try:
        connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=60)
        try:
            connection.putrequest(
                request.method, request.path, skip_host="Host" in request.headers, skip_accept_encoding=True
            )
            for name, told in request.headers.items():
                connection.putheader(name, told)
            if request.body is not None and "Content-Length" not in request.headers:
                connection.putheader("Content-Length", str(len(request.body)))
            connection.endheaders(request.body)
            if request.headers.get("Content-Length") == "99999999":
                assert connection.sock is not None
                connection.sock.shutdown(socket.SHUT_WR)
            response = connection.getresponse()
            body = response.read()
        finally:
            connection.close()
    except (http.client.HTTPException, OSError, ValueError):
        return 0, b""
    assert b"Traceback" not in body
    return response.status, body


def kilobytes() -> int:
    """What this process holds."""
    text = Path("/proc/self/status").read_text(encoding="ascii")
    return int(text.partition("VmRSS:")[2].split()[0])


def bombard(client: Client, seed: int, count: int, excuses: list[str] | None = None) -> collections.Counter[int]:
    """Sends so many requests and counts the statuses; the excuses are what was asked and said where it was 503."""
    told: collections.Counter[int] = collections.Counter()
    for request in requests(seed, count):
        status, said = send(client, request)
        told[status] += 1
        if status == 503 and excuses is not None:
            excuses.append(f"{request.path} {(request.body or b'')[:200]!r}: {said.decode()[:200]}")
    return told


def main() -> None:
    """Sends requests and tells what came back."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with served(Settings(running=2, quick_seconds=3)) as client:
        bombard(client, given.seed, 300)
        before = kilobytes()
        excuses: list[str] = []
        told = bombard(client, given.seed + 1, given.requests, excuses)
        after = kilobytes()
        alive = client.post("/state", {"game": {"target": "nim:1"}}).status == 200
    print(f"{given.requests} requests: {dict(sorted(told.items()))}")
    print(*(f"503: {excuse}" for excuse in excuses), sep="\n", end="\n" if excuses else "")
    print(f"the server held {before:,} KB before and {after:,} KB after; it {'still answers' if alive else 'is gone'}")
    failed = sum(count for status, count in told.items() if status in (0, 500, 502))
    raise SystemExit(1 if failed or not alive or after > before + 50_000 else 0)


if __name__ == "__main__":
    main()
