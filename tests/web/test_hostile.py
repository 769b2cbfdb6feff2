"""Malformed and oversized requests: refused in one line, no error of the server, no growth of memory."""

from __future__ import annotations

import json
import socket
import time

import pytest

from tests.web.hostile import bombard, kilobytes
from tests.web.serving import Client, served
from zermelo.web.protocol import LINGER
from zermelo.web.routes import LARGE, SMALL
from zermelo.web.server import Settings

COUNT = 1000


def test_no_request_makes_the_server_fail_or_grow() -> None:
    with served(Settings(running=2, waiting=2, quick_seconds=3)) as client:
        bombard(client, 7, 200)
        before = kilobytes()
        told = bombard(client, 8, COUNT)
        assert told.total() == COUNT
        assert not {500, 502, 504} & told.keys(), told
        assert told[400] > COUNT / 10
        assert kilobytes() < before + 40_000
        assert client.post("/state", {"game": {"target": "nim:1"}}).status == 200


def test_a_request_that_is_too_long_is_refused_before_it_is_read(client: Client) -> None:
    headers = {"Content-Type": "application/json", "Content-Length": str(SMALL + 1)}
    answer = client.ask("POST", "/api/v1/state", b"", headers)
    assert (answer.status, answer.json["error"]) == (413, "the request is longer than 2 MB")
    answer = client.ask("POST", "/api/v1/jobs", b"", headers | {"Content-Length": str(LARGE + 1)})
    assert answer.status == 413


def test_a_request_that_grows_as_it_comes_is_cut(client: Client) -> None:
    import http.client

    connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=60)
    headers = {"Content-Type": "application/json", "Transfer-Encoding": "chunked"}
    piece = b"x" * (1 << 20)
    try:
        connection.request("POST", "/api/v1/state", iter([piece] * 4), headers, encode_chunked=True)
        assert connection.getresponse().status == 413
    except (BrokenPipeError, ConnectionResetError):
        pass  # closed while we were still sending: refused all the same
    finally:
        connection.close()


@pytest.mark.parametrize("length", ["-1", "x", "9" * 30])
def test_a_request_of_no_length_is_answered_though_it_goes_on(client: Client, length: str) -> None:
    """What is sent after the answer would make the system reset the connection, had the server closed it."""
    head = f"POST /api/v1/state HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {length}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", client.port), timeout=60) as connection:
        connection.sendall(head.encode())
        time.sleep(0.05)
        for _ in range(20):
            connection.sendall(b"x" * 1000)
            time.sleep(0.002)
        connection.shutdown(socket.SHUT_WR)
        told = b""
        while piece := connection.recv(4096):
            told += piece
    assert told.startswith(b"HTTP/1.1 400 ")
    assert json.loads(told.partition(b"\r\n\r\n")[2]) == {"error": "the request is not HTTP that can be read"}


def test_who_never_ends_a_request_that_was_refused_is_hung_up_on(client: Client) -> None:
    with socket.create_connection(("127.0.0.1", client.port), timeout=60) as connection:
        connection.sendall(b"no such thing\r\n\r\n")
        told = b""
        while piece := connection.recv(4096):
            told += piece
        assert told.startswith(b"HTTP/1.1 400 ")
        time.sleep(LINGER + 1)
        with pytest.raises(OSError):
            for _ in range(50):
                connection.sendall(b"x" * 1000)
                time.sleep(0.02)


def test_errors_are_one_line_of_json(client: Client) -> None:
    for body in (b"", b"{", b"[]", b"\xff", b"nul", b'"x"', b"9" * 5000, b"[" * 100_000):
        answer = client.ask("POST", "/api/v1/state", body, {"Content-Type": "application/json"})
        assert answer.status == 400
        assert set(json.loads(answer.body)) == {"error"}
    assert client.ask("PUT", "/api/v1/state").json == {"error": "this cannot be asked in that way"}
    assert client.get("/no/such/page").json == {"error": "no such page"}


def test_a_text_that_takes_too_long_does_not_hold_up_the_others() -> None:
    with served(Settings(running=1, quick_seconds=1)) as client:
        slow = {"text": "(role x)\n" + "\n".join(f"(init (p {i}))" for i in range(60_000)), "format": "rulesheet"}
        answer = client.post("/state", {"game": slow})
        assert answer.status in (400, 503)
        assert client.post("/state", {"game": {"target": "nim:1"}}).status == 200


@pytest.mark.parametrize("task", ["lint", "encode", "picture", "state", "text", "engines", "go", "pdf"])
def test_a_list_where_a_text_belongs_is_refused_in_one_line(client: Client, task: str) -> None:
    for wrong in ([], ["x"], {"a": 1}, 7, True):
        for name in ("format", "form", "what", "name", "svg", "goal"):
            asked = {"game": {"target": "nim:1"}, "text": "{1|0}", "form": "graph", name: wrong}
            answer = client.post(f"/{task}", asked)
            assert answer.status == 400 and answer.json["error"] == f'"{name}" is not a text', (
                name,
                wrong,
                answer.body,
            )
        asked = {"game": {"text": "{1|0}", "format": wrong}}
        assert client.post(f"/{task}", asked).status == 400
