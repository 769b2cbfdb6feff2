"""``zermelo certificate``: looks into a certificate, cuts a part out of it, writes it in another form."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli.shared_options import AsJson
from zermelo.errors import InputError

if TYPE_CHECKING:
    from zermelo.certificate import Certificate, Claim
    from zermelo.game import Game

certificate_app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)

FileArgument = Annotated[Path, typer.Argument(metavar="CERTIFICATE", help="What `solve --certificate` wrote.")]
Output = Annotated[Path, typer.Option("-o", "--output", help="The file to write: FILE.json, or FILE.zc for version 2.")]


@certificate_app.callback()
def certificate() -> None:
    """Looks into certificates, cuts parts out, and rewrites them."""


@certificate_app.command()
def info(file: FileArgument, as_json: AsJson = False) -> int:
    """Tells what a certificate claims, how, and how large it is. Nothing is checked."""
    from zermelo.certificate import read_with_size

    read, size = read_with_size(file)
    claims = [_told(claim) for claim in read.claims]
    if as_json:
        print(json.dumps({"target": read.target, "digest": read.digest, "bytes": size, "claims": claims}))
        return 0
    print(f"{read.target}: {size:,} bytes, digest {read.digest}")
    for about in claims:
        print(f"  {about['claim']}: {about['how']}")
    return 0


def _told(claim: Claim) -> dict[str, Any]:
    """What a claim rests on."""
    if claim.rule is not None:
        return {"claim": str(claim), "how": f"by the rule {claim.rule}"}
    if claim.layers is None:
        return {"claim": str(claim), "moves": len(claim.table), "how": f"a table of {len(claim.table):,} moves"}
    depth, positions = claim.layers.depth, claim.layers.position_count
    how = f"{claim.layers.move_count:,} moves for {positions:,} positions in {depth} layers"
    if claim.layers.parts:
        how += f" and {len(claim.layers.parts)} parts"
    if claim.layers.images:
        how += f", images by {claim.layers.images}"
    if claim.layers.closed:
        how += f", closed by {', '.join(claim.layers.closed)}"
    return {
        "claim": str(claim),
        "moves": claim.layers.move_count,
        "positions": positions,
        "layers": list(claim.layers.positions),
        "images": claim.layers.images,
        "closed": list(claim.layers.closed),
        "parts": len(claim.layers.parts),
        "how": how,
    }


@certificate_app.command()
def export(file: FileArgument, output: Output) -> int:
    """Writes a certificate of version 2 as readable JSON.

    Positions and moves stand in it as people write them. With a FILE.zc to write it stays in layers, but nothing is
    left out: images and closed positions are played out.
    """
    from zermelo.move_layers import SUFFIX

    read, game = _with_game(file)
    written = _played_out if output.suffix.lower() == SUFFIX else _with_table
    claims = tuple(written(game, claim) for claim in read.claims)
    replace(read, claims=claims).write(output)
    return 0


@certificate_app.command("slice")
def cut(
    file: FileArgument,
    after: Annotated[str, typer.Option("--after", help="The moves that lead to the position, in order.")],
    output: Output,
) -> int:
    """Cuts out the part that speaks of a later position.

    It is cut out of a certificate of version 2, and is a certificate of its own: `zermelo check TARGET PART --after
    MOVES` checks it. It has the claims of the roles whose strategies lead to the position.
    """
    from zermelo.layers_played import sliced
    from zermelo.taking_up import moves_of

    read, game = _with_game(file)
    moves = moves_of(game, after)
    claims = []
    for claim in read.claims:
        if claim.layers is None or claim.after:
            raise InputError("expected a certificate of version 2 about a game from its start", file=str(file))
        layers = sliced(game, claim.role, claim.layers, moves, claim.at_least)
        if layers is not None:
            told = tuple(game.move_text(move) for move in moves)
            claims.append(replace(claim, layers=layers, after=told, starts=str(game.turn(game.at(moves).start()))))
    if not claims:
        raise InputError("no strategy of the certificate leads to this position", file=str(file))
    replace(read, claims=tuple(claims)).write(output)
    return 0


def _with_game(file: Path) -> tuple[Certificate, Game]:
    """A certificate, and the game that it names, by the checker's own reading."""
    from zermelo.certificate import read_certificate
    from zermelo.check.targets import game_to_check

    read = read_certificate(file)
    game = game_to_check(read.target)
    if game is None:
        raise InputError(f"{read.target}: no game that the checker can read", file=str(file))
    return read, game


def _played_out(game: Game, claim: Claim) -> Claim:
    from zermelo.layers_played import sliced

    if claim.layers is None:
        return claim
    later = game.at(list(claim.after)) if claim.after else game
    return replace(claim, layers=sliced(later, claim.role, claim.layers, (), claim.at_least) or claim.layers)


def _with_table(game: Game, claim: Claim) -> Claim:
    from zermelo.layers_played import LayeredTable

    if claim.layers is None:
        return claim
    later = game.at(list(claim.after)) if claim.after else game
    table = LayeredTable(later, claim.role, claim.layers, claim.at_least)
    return replace(claim, table=table, layers=None)
