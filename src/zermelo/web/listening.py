"""Runs the server until somebody ends it."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from zermelo.errors import InputError
from zermelo.web.admission import LOCAL
from zermelo.web.server import Settings, make_app


def run(host: str, port: int, settings: Settings, say: Callable[[str], None]) -> int:
    """Listens, says where, and serves until Ctrl-C."""
    import uvicorn

    from zermelo.web.protocol import PatientProtocol

    listening = listen(host, port)
    if host not in LOCAL and settings.token is None:
        settings = replace(settings, token=secrets.token_urlsafe(24))
    config = uvicorn.Config(
        make_app(settings),
        http=PatientProtocol,
        log_level="error",
        access_log=False,
        server_header=False,
        limit_concurrency=1000,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=2,
        ws="none",
    )
    say(f"zermelo serves {address(host, listening.getsockname()[1], settings.token)} (Ctrl-C ends it)")
    with listening, suppress(KeyboardInterrupt):
        uvicorn.Server(config).run([listening])
    return 0


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there; ``InputError`` where that cannot be.

    >>> with listen("127.0.0.1", 0) as listening:
    ...     listening.getsockname()[1] > 0
    True
    """
    try:
        family, _, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(place)
        listening.listen(1024)  # from now on: whoever reads the address may come at once
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot listen on {host}:{port}: {reason}") from None
    return listening


def address(host: str, port: int, token: str | None = None) -> str:
    """What to type into a browser.

    >>> address("::1", 80), address("0.0.0.0", 8913, "secret")
    ('http://[::1]:80/', 'http://0.0.0.0:8913/?token=secret')
    """
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}/" + (f"?token={token}" if token else "")
