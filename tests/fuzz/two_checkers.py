"""Certificates right, changed and forged, of tables and of layers: both checkers accept exactly the same ones.

The game is a small board of the library, taken up after some moves or at its start, or a random rulesheet. What is
forged is accepted by neither; what is only changed may be right or wrong, and both must say the same.
"""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from multiprocessing.util import Finalize
from pathlib import Path
from shutil import rmtree
from typing import Any

from tests.check.layered import changed_layers
from tests.check.second import second_verdict
from tests.fuzz import forged_tables
from tests.fuzz.damage import damaged_text
from tests.fuzz.sheets_of_games import graph_as_sheet, random_rules
from zermelo.certificate import Certificate, Claim, json_pieces, read_certificate
from zermelo.check import check_certificate
from zermelo.errors import InputError, ZermeloError
from zermelo.game import Game
from zermelo.solving import solve
from zermelo.solving.targets import game_from, game_of
from zermelo.source import Source
from zermelo.taking_up import taken_up

BOARDS = (
    "connect:3,3,3", "connect:2,4,3", "connect:3,2,2", "connect:4,1,2", "mnk:3,3,3", "mnk:2,3,2", "mnk:1,5,3",
    "tictactoe", "hex:1", "hex:2", "hex:3", "breakthrough:3,2", "breakthrough:4,2", "breakthrough:4,3,1",
    "breakthrough:4,2,2", "othello:4,4", "dotsandboxes:1,1", "dotsandboxes:1,2", "dotsandboxes:2,1",
)  # fmt: skip
GRAPHS = ("plain", "cyclic", "chance", "puzzle")
KINDS = ("board", "rules", *GRAPHS)
COUNTS: Counter[str] = Counter()
"""What was asked so far, by kind and way of writing."""


@dataclass(frozen=True)
class Case:
    """A kind of game, and the seed of everything else."""

    kind: str
    seed: int


def draw(rng: random.Random) -> Case:
    """A kind, evenly."""
    return Case(rng.choice(KINDS), rng.randrange(10**9))


@cache
def folder() -> Path:
    """Where the files of this process lie."""
    memory = Path("/dev/shm")  # disks are slow at writing over files
    made = tempfile.mkdtemp(prefix="two-checkers-", dir=memory if memory.is_dir() else None)
    Finalize(None, rmtree, (made, True), exitpriority=0)  # also where the fuzzer's own process ends
    return Path(made)


@dataclass(frozen=True)
class Setting:
    """A game with a right certificate, and how the second checker is asked about it."""

    game: Game
    certificate: Certificate
    target: str
    moves: str


def setting_of(case: Case, rng: random.Random) -> Setting | None:
    """What a case is about; ``None`` where the rules that were drawn have no meaning or no end of moves."""
    moves = ""
    if case.kind == "board":
        target = rng.choice(BOARDS)
        game = game_of(target)
        if rng.random() < 0.5:
            moves = _some_moves(game, rng)
            game = taken_up(game, moves)
        engine = rng.choice(("dp", "alphabeta"))
    else:
        text = random_rules(rng) if case.kind == "rules" else graph_as_sheet(case.kind, rng)
        file = folder() / "sheet.kif"
        file.write_text(text)
        target, engine = str(file), "dp" if case.kind in GRAPHS[1:] else rng.choice(("dp", "alphabeta"))
        try:
            game = game_from(Source("rulesheet", text, target))
        except InputError:
            return None
    try:
        certificate = solve(game, engine=engine).certificate
    except ZermeloError:  # two roles that move at once, or one that has no move
        return None
    return None if certificate is None else Setting(game, certificate, target, moves)


def _some_moves(game: Game, rng: random.Random) -> str:
    position, made = game.start(), list[str]()
    for _ in range(rng.randrange(5)):
        move = rng.choice(list(game.moves(position)))
        after = game.play(position, move)
        if game.result(after) is not None:
            break
        made.append(game.move_text(move))
        position = after
    return " ".join(made)


def check(case: Case) -> int:
    """Both checkers say the same of every certificate; how many there were."""
    rng = random.Random(case.seed)
    found = setting_of(case, rng)
    if found is None:
        return 0
    tables = replace(found.certificate, claims=tuple(map(_as_table, found.certificate.claims)))
    assert agree(case.kind, found, tables, "right.json"), "a right table is refused"
    count = 1
    for what, forged in forged_tables.forgeries(found.game, tables, rng):
        assert not agree(case.kind, found, forged, "forged.json"), f"accepted: {what}"
        count += 1
    for _ in range(12):
        agree(case.kind, found, changed_table(tables, rng), "changed.json")
        count += 1
    if all(claim.layers is not None for claim in found.certificate.claims):
        assert agree(case.kind, found, found.certificate, "right.zc"), "right layers are refused"
        for _ in range(12):
            agree(case.kind, found, _changed_layers(found.certificate, rng), "changed.zc")
            count += 1
    return count + damaged(case.kind, found, tables, rng)


def _as_table(claim: Claim) -> Claim:
    return replace(claim, table=dict(claim.table), layers=None)


def agree(kind: str, found: Setting, certificate: Certificate, name: str) -> bool:
    """Whether a certificate is accepted, by both checkers."""
    file = folder() / name
    if file.suffix == ".zc":  # not by Certificate.write, which waits for the disk
        for part, pieces in certificate.layered_files(name):
            file.with_name(part).write_bytes(b"".join(pieces))
    else:
        file.write_text(json_of(certificate))
    COUNTS[f"{kind} {name}"] += 1
    return asked(found, file)


def json_of(certificate: Certificate) -> str:
    """The text of a certificate of version 1."""
    return "".join(json_pieces(certificate.to_json()))


def asked(found: Setting, file: Path) -> bool:
    """Whether the certificate in a file is accepted, by both checkers."""
    try:
        verdict = check_certificate(found.game, read_certificate(file))
        status, why = verdict.status, verdict.reason
    except ZermeloError as error:
        status, why = "refused", str(error)
    second, words = second_verdict(file, found.target, found.moves)
    assert (status == "accepted") == (second == 0), f"{status} ({why}), but {second}: {words} in {file}"
    return second == 0


def changed_table(certificate: Certificate, rng: random.Random) -> Certificate:
    """A certificate with an entry, a rank, a bound or a word of one claim changed: it may still be right."""
    claims = list(certificate.claims)
    at = rng.randrange(len(claims))
    claim = claims[at]
    keys = sorted(claim.table)
    key = rng.choice(keys) if keys else ""
    move, rank = claim.table.get(key, ("", None))
    entry: tuple[str, Any] = (rng.choice([text for text, _ in claim.table.values()] or [""]), rank)
    match rng.randrange(8):
        case 0:
            claims[at] = replace(claim, at_least=claim.at_least - rng.choice((Fraction(1, 3), 1, 50, 10**30)))
        case 1:
            entry = (move.upper() if rng.random() < 0.5 else f" {move} ", rank)
        case 2:
            entry = (move, rng.choice((None, 0, 1, 10**20, (rank or 0) + rng.randrange(-2, 3))))
        case 3:
            claims[at] = replace(claim, table={k: v for k, v in claim.table.items() if k != key})
        case 4:
            return replace(certificate, claims=(claim,) * rng.randrange(1, 6))
        case 5:
            claims[at] = replace(claim, table={**claim.table, f"{key} ": entry})
        case 6:
            claims[at] = replace(claim, role=rng.choice(("nobody", "first", "second", "x", "o", "a", "b")))
        case _:
            pass
    if claims[at] is claim and key:
        if isinstance(entry[1], int) and entry[1] < 0:
            entry = (entry[0], 0)
        claims[at] = replace(claim, table={**claim.table, key: entry})
    return replace(certificate, claims=tuple(claims))


def _changed_layers(certificate: Certificate, rng: random.Random) -> Certificate:
    claims = list(certificate.claims)
    at = rng.randrange(len(claims))
    claims[at] = replace(claims[at], layers=changed_layers(claims[at].layers, rng))
    return replace(certificate, claims=tuple(claims))


def damaged(kind: str, found: Setting, certificate: Certificate, rng: random.Random) -> int:
    """Asks about files whose text was damaged; how many there were."""
    file = folder() / "damaged.json"
    text = json_of(certificate)
    for _ in range(4):
        file.write_text(damaged_text(text, rng), encoding="utf-8", errors="surrogatepass")
        COUNTS[f"{kind} damaged.json"] += 1
        asked(found, file)
    return 4


def summary() -> str:
    """How many certificates of each kind were compared."""
    return ", ".join(f"{count:,} {what}" for what, count in sorted(COUNTS.items()))


def smaller(case: Case) -> Iterator[Case]:
    """Nothing: the seed is the case."""
    del case
    yield from ()


def show(case: Case) -> str:
    """The case as Python."""
    return repr(case)
