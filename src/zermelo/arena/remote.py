"""Players that a referee can ask for moves: programs on the network that speak the GGP protocol, and random ones."""

from __future__ import annotations

import http.client
import random
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from typing import Protocol

from zermelo.errors import InputError
from zermelo.gdl.kif import read_term
from zermelo.play.ggp_message import Message, write_message

LATE_SECONDS = 2.0
"""How long the referee waits beyond a clock: the network is slow, too."""


class Player(Protocol):
    """Whoever answers the messages of a match. Mistakes are answers like any other: the referee deals with them."""

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
    """

    url: str
    name: str = ""

    def __post_init__(self) -> None:
        if "://" not in self.url:
            self.url = f"http://{self.url}"
        if not self.url.startswith(("http://", "https://")):
            raise InputError(f"{self.url!r} is no address of a player, expected http://HOST:PORT")
        self.name = self.name or self.url

    def tell(self, message: Message, seconds: float, legal: list[str]) -> str:
        """Sends the message and waits for the answer, no longer than the clock allows."""
        del legal
        request = urllib.request.Request(
            self.url, write_message(message).encode(), {"Content-Type": "text/acl", "Accept": "text/acl"}
        )
        try:
            with urllib.request.urlopen(request, timeout=seconds + LATE_SECONDS) as answer:
                text: str = answer.read(1 << 20).decode("utf-8", "replace")
        except urllib.error.HTTPError as error:
            raise NoAnswerError(f"status {error.code}: {error.read(200).decode('utf-8', 'replace')}") from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise NoAnswerError(str(error) or type(error).__name__) from None
        return text.strip()


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
        text = str(read_term(answer))
    except InputError:
        return None
    if text in legal:
        return text
    found = [move for move in legal if move.lower() == text.lower()]
    return found[0] if len(found) == 1 else None
