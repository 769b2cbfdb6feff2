"""``zermelo match``: referees a match between programs on the network."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.cli.options import AsJson

if TYPE_CHECKING:
    from zermelo.arena.referee import MatchRecord


def match(
    rules: Annotated[str, typer.Argument(metavar="RULES", help="A rulesheet file, or gdl:NAME of the library.")],
    remote: Annotated[
        list[str] | None,
        typer.Option(help="The address of a player (http://HOST:PORT) or random; one for each role in order."),
    ] = None,
    start_clock: Annotated[int, typer.Option(min=1, help="Seconds to prepare.")] = 10,
    play_clock: Annotated[int, typer.Option(min=1, help="Seconds for each move.")] = 5,
    seed: Annotated[int, typer.Option(help="Of chance and of moves played for players that fail.")] = 1,
    name: Annotated[str, typer.Option(help="What the match is called.")] = "zermelo.match",
    as_json: AsJson = False,
) -> None:
    """Plays one match by the GGP protocol and reports the moves, the goals and who was late or wrong.

    Roles without a player are played at random.
    """
    from zermelo.arena.referee import Clocks, play_match
    from zermelo.arena.remote import Player, RandomPlayer, RemotePlayer
    from zermelo.errors import ArgumentError
    from zermelo.gdl.ground import ground_or_interpret
    from zermelo.gdl.library import sheet_of
    from zermelo.gdl.syntax import RANDOM

    if not re.fullmatch(r"[!-~]+", name) or any(letter in "();" for letter in name):
        raise ArgumentError(f"{name!r} is no name for a match, expected one word")
    addresses = remote or []
    game = ground_or_interpret(sheet_of(rules))
    seats = [role for role in game.roles if role != RANDOM]
    if len(addresses) > len(seats):
        raise ArgumentError(f"{len(addresses)} players, expected at most {len(seats)}: {', '.join(seats)}")
    players: list[Player] = [
        RandomPlayer(seed + seat) if address == "random" else RemotePlayer(address)
        for seat, address in enumerate([*addresses, *["random"] * (len(seats) - len(addresses))])
    ]

    def visit(record: MatchRecord) -> None:
        print(f"{len(record.moves):>5}  {'  '.join(record.moves[-1])}", file=sys.stderr)

    record = play_match(game, players, Clocks(start_clock, play_clock), match=name, seed=seed, visit=visit)
    if as_json:
        print(json.dumps(record.as_json()))
        return
    for mistake in record.mistakes:
        print(mistake)
    for role, player in zip(seats, players, strict=True):
        print(f"{role}: {record.goals.get(role, 'no end')} ({player.name})")
