"""``zermelo match``: players of this package against each other, or one match between programs on the network."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli.shared_options import AsJson

if TYPE_CHECKING:
    from zermelo.arena.plan import Pairing
    from zermelo.arena.referee import MatchRecord
    from zermelo.arena.store import Played
    from zermelo.arena.work import Workers

ROUNDS = 10
"""How many rounds a match has if nothing else is said."""
LONG_THOUGHT = 1.0
"""Who may think for longer does so in a process of its own, so that Ctrl-C is heard at once."""


def match(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="gdl:NAME, a rulesheet file, or (with --players) any other target.")
    ],
    players: Annotated[
        str | None,
        typer.Option(metavar="A,B,...", help="Players of this package, such as uct,random."),
    ] = None,
    games: Annotated[int | None, typer.Option(metavar="N", help="With --players: how many games. [10 rounds]")] = None,
    clock: Annotated[
        str | None,
        typer.Option(metavar="CLOCK", help="With --players: for a move: 1s, 250ms, cpu:250ms or 1000sims. [100ms]"),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", help="With --players: games at once, each in a process. [1]")
    ] = None,
    remote: Annotated[
        list[str] | None,
        typer.Option(help="The address of a player (http://HOST:PORT) or random; one for each role in order."),
    ] = None,
    start_clock: Annotated[int | None, typer.Option(min=1, help="Network: seconds to prepare. [10]")] = None,
    play_clock: Annotated[int | None, typer.Option(min=1, help="Network: seconds for each move. [5]")] = None,
    seed: Annotated[int, typer.Option(help="Of chance, of players, and of moves played for those that fail.")] = 1,
    name: Annotated[str | None, typer.Option(help="Network: what the match is called. [zermelo.match]")] = None,
    as_json: AsJson = False,
) -> None:
    """Lets players play many games against each other.

    With --players, players of this package play many games; seats rotate, and all share the same dice. Otherwise one
    match is played over the network by the GGP protocol, between the programs at the addresses. Roles without an
    address play at random.
    """
    from zermelo.errors import ArgumentError

    here = {"--games": games, "--clock": clock, "--workers": workers}
    there = {"--remote": remote, "--start-clock": start_clock, "--play-clock": play_clock, "--name": name}
    needless = [option for option, value in (here if players is None else there).items() if value is not None]
    if needless:
        wanted = "without --players" if players is None else "with --players"
        raise ArgumentError(f"{needless[0]} means nothing {wanted}")
    if players is None:
        _on_network(
            game,
            remote or [],
            start_clock or 10,
            play_clock or 5,
            seed,
            "zermelo.match" if name is None else name,
            as_json,
        )
    else:
        _here(game, players, games, clock or "100ms", seed, 1 if workers is None else workers, as_json)


def _here(target: str, players: str, games: int | None, clock: str, seed: int, workers: int, as_json: bool) -> None:
    from zermelo.arena.match import read_players, rules_text
    from zermelo.arena.plan import MOST_GAMES, Pairing
    from zermelo.arena.work import table_for
    from zermelo.errors import ArgumentError, ZermeloError
    from zermelo.play.player import read_clock, read_player

    names = read_players(players)
    for one in names:
        read_player(one)
    if games is not None and not 1 <= games <= MOST_GAMES:
        raise ArgumentError(f"--games {games} is not in 1..{MOST_GAMES}")
    if not 1 <= workers <= 1024:
        raise ArgumentError(f"--workers {workers} is not in 1..1024")
    if not 0 <= seed <= 1 << 62:
        raise ArgumentError(f"--seed {seed} is not in 0..{1 << 62}")
    pairing = Pairing(target, names, read_clock(clock), seed, 1, text=rules_text(target))
    model, table = table_for(pairing)
    pairing = Pairing(target, names, pairing.clock, seed, games or ROUNDS * table.round, text=pairing.text)
    played, failure = _played(pairing, workers)
    roles = [model.roles[seat] for seat in model.seats]
    if played:
        print(json.dumps(_as_json(pairing, played, roles)) if as_json else _as_text(pairing, played, roles))
    if isinstance(failure, str):
        raise ZermeloError(failure)
    if failure is not None:
        raise failure


def _played(pairing: Pairing, workers: int) -> tuple[list[Played], str | KeyboardInterrupt | None]:
    """The games that were finished, and what kept the others from it."""
    from pathlib import Path

    from zermelo.arena.plan import Plan
    from zermelo.arena.plan_runner import run_plan
    from zermelo.arena.pool import Here, Pool
    from zermelo.arena.store import Store
    from zermelo.cli.bar import GameBar

    bar = GameBar(sys.stderr)
    slow = workers > 1 or (pairing.clock.seconds or 0.0) > LONG_THOUGHT
    crew: Workers = Pool(workers) if slow else Here()
    stopped: str | KeyboardInterrupt | None = None
    with Store(":memory:") as store:
        try:
            [standing] = run_plan(Plan((pairing,), Path(), "", ""), store, crew, bar.show)
            stopped = standing.failure or None
        except KeyboardInterrupt as interrupt:
            stopped = interrupt
        finally:
            bar.close()
        return store.games(pairing.key), stopped


def _as_json(pairing: Pairing, games: list[Played], roles: list[str]) -> dict[str, Any]:
    from zermelo.arena.results import by_player, by_seat
    from zermelo.arena.work import code_version

    return {
        "game": pairing.game,
        "clock": str(pairing.clock),
        "seed": pairing.seed,
        "games": len(games),
        "planned": pairing.games,
        "kind": "alone" if games and games[0].alone else "against",
        "players": by_player(games),
        **_elo(games),
        "seats": by_seat(games, roles),
        "cut": sum(game.record.cut for game in games),
        "steps": sum(game.record.steps for game in games),
        "commit": code_version(),
    }


def _elo(games: list[Played]) -> dict[str, Any]:
    """The first player's Elo above its opponents, with the interval; nothing where there is no opponent."""
    from zermelo.arena.tables import json_of, row_of

    told = json_of(row_of([game.record for game in games])) if games else {}
    return {key: told.get(key) for key in ("elo", "elo_interval")}


def _as_text(pairing: Pairing, games: list[Played], roles: list[str]) -> str:
    from zermelo.arena.results import by_player, by_seat, table_text

    head = f"{pairing.game}: {len(games)} game{'s' * (len(games) != 1)} at {pairing.clock} a move, seed {pairing.seed}"
    alone = games[0].alone
    lines = [head, table_text(by_player(games), alone=alone)]
    if alone:
        lines.append("each plays alone: the score is the mean goal, wins are games with the highest")
    else:
        shares = ", ".join(f"{line['role']} {line['score']:.3f}" for line in by_seat(games, roles))
        lines.append(f"seats: {shares}")
    if len(games) % games[0].round:
        lines.append(f"not a whole number of rounds of {games[0].round} games: seats and dice are not even")
    if cut := sum(game.record.cut for game in games):
        lines.append(f"{cut} cut after {pairing.max_steps} steps")
    return "\n".join(lines)


def _on_network(
    rules: str, addresses: list[str], start_clock: int, play_clock: int, seed: int, name: str, as_json: bool
) -> None:
    from zermelo.arena.referee import Clocks, play_match
    from zermelo.arena.remote import Peer, RandomPlayer, RemotePlayer
    from zermelo.errors import ArgumentError
    from zermelo.gdl.ground import ground_or_interpret
    from zermelo.gdl.library import sheet_of
    from zermelo.gdl.syntax import RANDOM

    if not re.fullmatch(r"[!-~]+", name) or any(letter in "();" for letter in name):
        raise ArgumentError(f"{name!r} is no name for a match, expected one word")
    game = ground_or_interpret(sheet_of(rules))
    seats = [role for role in game.roles if role != RANDOM]
    if len(addresses) > len(seats):
        raise ArgumentError(f"{len(addresses)} players, expected at most {len(seats)}: {', '.join(seats)}")
    players: list[Peer] = [
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
