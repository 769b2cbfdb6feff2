"""Players that a referee can ask for moves: programs on the network that speak the GGP protocol, and random ones."""

from __future__ import annotations

import http.client
import random
import re
from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import urlsplit

from zermelo.errors import InputError, one_line
from zermelo.gdl.kif import read_term
from zermelo.play.ggp_message import Message, meant, write_message

LATE_SECONDS = 2.0
"""How long the referee waits beyond a clock: the network is slow, too."""
MAX_ANSWER = 1 << 20
"""Of longer answers only the beginning is read."""


class Peer(Protocol):
    """Whoever answers the messages of a match, a player behind it. Mistakes are answers like any other."""

    name: str

    def tell(self, message: Message, seconds: float, legal: list[str]) -> str:
        """The answer to a message; :class:`NoAnswerError` if there is none in time."""
        ...


class NoAnswerError(Exception):
    """The player did not answer, or not in time; the text says why."""


@dataclass
class RemotePlayer:
    """A program at an address such as ``http://localhost:9147``.

    >>> RemotePlayer("localhost:9147").name
    'http://localhost:9147'
    >>> RemotePlayer("http://localhost:nowhere")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: 'http://localhost:nowhere' is no address of a player, expected http://HOST:PORT
    """

    url: str
    name: str = ""

    def __post_init__(self) -> None:
        if "://" not in self.url:
            self.url = f"http://{self.url}"
        try:
            parts = urlsplit(self.url)
            self._host, self._port, self._path = parts.hostname or "", parts.port or 80, parts.path or "/"
        except ValueError:
            self._host = ""
        if not self._host or parts.scheme != "http" or not re.fullmatch(r"\w[!-~]*", self._host + self._path, re.ASCII):
            raise InputError(f"{self.url!r} is no address of a player, expected http://HOST:PORT")
        self.name = self.name or self.url

    def tell(self, message: Message, seconds: float, legal: list[str]) -> str:
        """Sends the message and waits for the answer, not much longer than the clock allows."""
        del legal
        headers = {"Content-Type": "text/acl", "Accept": "text/acl"}
        # Spoken to directly, whatever proxies there may be: players are mostly on the same machine.
        connection = http.client.HTTPConnection(self._host, self._port, timeout=seconds + LATE_SECONDS)
        try:
            connection.request("POST", self._path, write_message(message).encode(), headers)
            answer = connection.getresponse()
            text = answer.read(MAX_ANSWER).decode("utf-8", "replace").strip()
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise NoAnswerError(one_line(str(error) or type(error).__name__)[:200]) from None
        finally:
            connection.close()
        if answer.status != http.client.OK:
            raise NoAnswerError(f"status {answer.status}: {one_line(text)[:200]}")
        return text


@dataclass
class RandomPlayer:
    """Plays any legal move.

    >>> from zermelo.play.ggp_message import Play
    >>> RandomPlayer(seed=1).tell(Play("m", None), 1.0, ["noop"])
    'noop'
    """

    seed: int = 1
    name: str = "random"
    _random: random.Random = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)

    def tell(self, message: Message, seconds: float, legal: list[str]) -> str:
        """One of the legal moves."""
        del message, seconds
        return self._random.choice(legal) if legal else "READY"


def move_in(answer: str, legal: list[str]) -> str | None:
    """The legal move that an answer names, in whatever letters; ``None`` if it names none.

    >>> move_in("( MARK 1 2 )", ["(mark 1 2)", "noop"])
    '(mark 1 2)'
    """
    try:
        return meant(str(read_term(answer)), legal)
    except InputError:
        return None
