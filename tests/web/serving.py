"""A server for tests: on a free port of this machine, in a thread of the tests' own process."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import uvicorn

from zermelo.web.listening import listen
from zermelo.web.protocol import PatientProtocol
from zermelo.web.server import Settings, make_app

PATIENCE = 120.0


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


@dataclass(frozen=True)
class Client:
    """Asks a server, by plain HTTP."""

    port: int

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://127.0.0.1:{self.port}/"

    def ask(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Any request."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, dict(headers or {}))
            response = connection.getresponse()
            return Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Answer:
        """A request for something."""
        return self.ask("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})

    def post(self, path: str, body: Any, **headers: str) -> Answer:
        """A question in JSON."""
        told = {"Content-Type": "application/json"} | {k.replace("_", "-"): v for k, v in headers.items()}
        return self.ask("POST", f"/api/v1{path}", json.dumps(body).encode(), told)

    def start(self, **asked: Any) -> str:
        """A new job; its id."""
        answer = self.post("/jobs", asked)
        assert answer.status == 202, answer.body
        return str(answer.json["id"])

    def events(self, job: str) -> Generator[tuple[str, Any], None, None]:
        """What a job tells, as it comes."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request("GET", f"/api/v1/jobs/{job}/events")
            response = connection.getresponse()
            assert response.getheader("content-type", "").startswith("text/event-stream")
            name = ""
            while line := response.readline():
                key, _, value = line.decode().strip().partition(": ")
                if key == "event":
                    name = value
                elif key == "data":
                    yield name, json.loads(value)
                    if name == "end":
                        return
        finally:
            connection.close()

    def run(self, **asked: Any) -> Any:
        """The result of a job, or its error."""
        return dict(self.events(self.start(**asked)))

    def wait(self, job: str, *states: str) -> Any:
        """The job, when it is in one of the states."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            told = self.get(f"/api/v1/jobs/{job}").json
            if told["state"] in states:
                return told
            time.sleep(0.02)
        raise AssertionError(f"the job is {told['state']}, expected {states}")


@contextmanager
def served(settings: Settings | None = None) -> Iterator[Client]:
    """A server that runs within the block."""
    listening = listen("127.0.0.1", 0)
    config = uvicorn.Config(make_app(settings), http=PatientProtocol, log_level="error", access_log=False, ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield Client(listening.getsockname()[1])
    finally:
        server.should_exit = True
        thread.join(20)
        listening.close()
