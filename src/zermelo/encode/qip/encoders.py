"""Which program a game becomes."""

from __future__ import annotations

from zermelo.continued import Continued
from zermelo.encode.qip.circuit import CircuitEncoder
from zermelo.encode.qip.encoded import ProgramEncoder
from zermelo.encode.qip.network import NetworkEncoder
from zermelo.encode.qip.stones import StonesEncoder
from zermelo.game import Game
from zermelo.games.dgr import Reliability
from zermelo.games.mnk import MNK
from zermelo.limits import Limits


def program_encoder(game: Game, encoding: str | None = None, limits: Limits | None = None) -> ProgramEncoder:
    """The encoder for a game, or for the rest of one: of two roles, one of them to move at a time, without chance.

    k in a row has a model of its own, ``stones``, and so have networks that fail, ``network``; all else, and any
    encoding asked for by name, goes by the circuits of :mod:`zermelo.encode.qbf`.

    >>> from zermelo.games import make_game
    >>> [program_encoder(make_game(name)).encoding for name in ("tictactoe", "connect:3,3,3", "nim:1,2")]
    ['stones', 'index', 'layers']
    """
    whole = game.whole if isinstance(game, Continued) else game
    # A user's subclass may have other rules.
    if encoding in (None, StonesEncoder.encoding) and type(whole) is MNK:
        return StonesEncoder(game, whole, game.line if isinstance(game, Continued) else ())
    if encoding in (None, NetworkEncoder.encoding) and type(game) is Reliability:
        return NetworkEncoder(game)
    return CircuitEncoder(game, encoding, limits)
