"""A player of the protocol of general game playing behind a socket, and what tests ask of it."""

from __future__ import annotations

import http.client
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from zermelo.gdl.library import rulesheet
from zermelo.gdl.syntax import Rulesheet
from zermelo.play.ggp_message import Start, write_message
from zermelo.play.ggp_player import GgpPlayer
from zermelo.play.ggp_server import make_server
from zermelo.play.thinker import THREAD

TICTACTOE = rulesheet("tictactoe")


@dataclass
class Served:
    """A player behind a socket."""

    player: GgpPlayer
    port: int

    def post(self, text: str, **headers: str) -> tuple[int, str]:
        """The status and the text that the player answers with."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request("POST", "/", text.encode(), {"Content-Type": "text/acl", **headers})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def say(self, text: str) -> str:
        """The answer to a message that is understood."""
        status, answer = self.post(text)
        assert status == 200, answer
        return answer

    def raw(self, sent: bytes) -> bytes:
        """What comes back for some bytes after which nothing more is sent."""
        parts: list[bytes] = []
        address = ("127.0.0.1", self.port)
        # The player may hang up before it has read all of a request that it refuses.
        with socket.create_connection(address, timeout=20) as connection, suppress(ConnectionError):
            connection.sendall(sent)
            with suppress(OSError):
                connection.shutdown(socket.SHUT_WR)
            while part := connection.recv(65536):
                parts.append(part)
        return b"".join(parts)

    def start(self, match: str, role: str, sheet: Rulesheet, startclock: int = 5, playclock: int = 2) -> None:
        assert self.say(write_message(Start(match, role, sheet, startclock, playclock))) == "READY"


@contextmanager
def serving() -> Iterator[Served]:
    player = GgpPlayer("tester")
    server = make_server(player, port=0)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield Served(player, server.server_port)
    server.shutdown()
    thread.join()
    server.server_close()
    player.close()


def thoughts() -> int:
    """How many threads think, the native ones among them."""
    names = [path.read_text().strip() for path in Path("/proc/self/task").glob("*/comm") if path.exists()]
    return sum(thread.name == THREAD for thread in threading.enumerate()) + names.count("zermelo.search")


def until(condition: Callable[[], bool]) -> bool:
    end = time.monotonic() + 10
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()
