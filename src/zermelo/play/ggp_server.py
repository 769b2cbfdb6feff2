"""Serves a GGP player over HTTP (``text/acl``), one message a request, as game masters expect it.

Whatever comes in, something sensible goes out: what cannot be understood gets status 400 and one line that says why.
"""

from __future__ import annotations

import socket
import struct
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from zermelo.errors import ZermeloError, one_line
from zermelo.play.ggp_player import GgpPlayer

MAX_BYTES = 4 << 20
"""Longer messages are refused."""
LAST_DATA_RECEIVED = 52
"""Where the milliseconds since the last data stand in ``struct tcp_info`` of Linux: after 8 bytes and 11 words."""
IDLE_SECONDS = 30.0
"""A connection on which nothing comes for so long is closed."""


def seconds_since_arrival(connection: socket.socket) -> float:
    """How long the last bytes have lain here; 0 where the system does not tell.

    A busy machine may let us read a message long after it came. Its clock has run since then.
    """
    if sys.platform != "linux":
        return 0.0
    with suppress(OSError, struct.error):
        information = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, LAST_DATA_RECEIVED + 4)
        return float(struct.unpack_from("I", information, LAST_DATA_RECEIVED)[0]) / 1000
    return 0.0


def make_server(
    player: GgpPlayer, host: str = "127.0.0.1", port: int = 9147, log: Callable[[str], None] = lambda line: None
) -> ThreadingHTTPServer:
    """A server that is ready to ``serve_forever``; port 0 takes any free one.

    >>> server = make_server(GgpPlayer(), port=0)
    >>> server.server_port > 0
    True
    >>> server.server_close()
    """

    class Handler(BaseHTTPRequestHandler):
        timeout = IDLE_SECONDS
        error_message_format = "%(message)s\n"
        error_content_type = "text/acl"
        received = 0.0
        wbufsize = -1
        """Buffered: head and body go out together. Between two writes anybody may take the lock of the interpreter."""

        def parse_request(self) -> bool:
            self.received = time.monotonic() - seconds_since_arrival(self.connection)
            return super().parse_request()

        def do_POST(self) -> None:
            self.reply(*self.answered())

        def do_GET(self) -> None:
            self.reply(200, player.answer("(INFO)", self.received))

        def do_OPTIONS(self) -> None:
            self.reply(200, "")

        def answered(self) -> tuple[int, str]:
            """The status and the text of the answer."""
            length = self.headers.get("Content-Length") or ""
            if not (length.isascii() and length.isdigit() and len(length) < 12 and 0 < int(length) <= MAX_BYTES):
                return 400, f"Content-Length is {one_line(length[:20]) or 'missing'}, expected 1 to {MAX_BYTES} bytes"
            body = self.rfile.read(int(length))
            try:
                return 200, player.answer(body.decode("utf-8"), self.received)
            except UnicodeDecodeError:
                return 400, "not text in UTF-8"
            except ZermeloError as error:
                log(f"refused: {error}")
                return 400, str(error)
            except Exception as error:
                # The last resort: a mistake of ours in one message must not take the other matches down.
                log(f"failed: {type(error).__name__}: {one_line(str(error))}")
                return 500, f"{type(error).__name__}: {one_line(str(error))}"

        def reply(self, status: int, text: str) -> None:
            body = text.encode("utf-8", "replace")
            self.send_response(status)
            self.send_header("Content-Type", "text/acl")
            self.send_header("Content-Length", str(len(body)))
            # Game masters that run in a browser ask for these.
            self.send_header("Access-Control-Allow-Origin", "*")
            self.send_header("Access-Control-Allow-Headers", "*")
            self.end_headers()
            self.wfile.write(body)
            self.wfile.flush()

        def log_message(self, format: str, *arguments: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 64

        def handle_error(self, request: Any, client_address: Any) -> None:
            log(f"the connection to {client_address[0]} broke off")

    return Server((host, port), Handler)
