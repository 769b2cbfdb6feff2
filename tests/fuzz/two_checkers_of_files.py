"""Certificates of programs, graphs, networks and Gambit's games: both checkers accept the same ones and read the same.

Right certificates come from the solvers, forged ones from the forgers of each family, and some are only changed, which
may leave them right. What is forged is accepted by neither. Beside that, texts with some damage are read: both readers
refuse one, or both find the same game in it, which its digest shows.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.check.second import second_verdict
from tests.fuzz import forged, forged_programs, forged_tables, readers, two_checkers
from tests.fuzz.damage import damaged_json
from tests.fuzz.sheets_of_games import graph_as_sheet
from tests.fuzz.texts import TEXTS
from tests.fuzz.two_checkers import GRAPHS, Setting, agree, changed_table, damaged, folder, show, smaller
from tests.qip.randomprograms import LAWLESS, brute_force, random_program
from zermelo.certificate import Certificate, Claim
from zermelo.check.instance import READERS
from zermelo.errors import ZermeloError
from zermelo.files import text_of
from zermelo.game import Game
from zermelo.limits import Limits
from zermelo.options import Options
from zermelo.qip.formats.qlp import write_qlp
from zermelo.solving import solve_game
from zermelo.solving.targets import game_from, game_of
from zermelo.solving.verifying import addressed
from zermelo.source import Source
from zermelo.taking_up import taken_up

__all__ = ["check", "draw", "show", "smaller", "summary"]

TABLES = {
    "qlp": ("alphabeta", "dp"), "graph": ("alphabeta", "dp"), "dgr": ("dp",), "network": ("scsp", "dp"),
    "efg": ("dp", "induction"), "nfg": ("induction",),
}  # fmt: skip
"""Engines that leave tables, policies, expectations or equilibria, by the format of the file."""
SUFFIX = {"network": "json"}
"""How the names of files in a format end, where that is not its own name."""
READ = ("qlp", "qlp", "graph", "dgr", "network", "efg", "nfg")
"""Formats whose readers are compared."""
STAKES = ("pig:2,2", "pig:3,2", "pig:4,3", "goofspiel:2", "goofspiel:3,ascending", "goofspiel:2,random", "oshizumo:2,1",
          "oshizumo:3,1")  # fmt: skip
"""Games of the library with dice and with bids made at once."""
KINDS = ("programs",) * 4 + (
    "stakes",
    "rulesheets",
    *(f"table of {form}" for form in TABLES),
    *(f"text of {form}" for form in READ),
)
CHANGES = 12
"""Certificates that are only changed, for each game."""
TIES = ("first", "best-for-others", "worst-for-others")
TEXTS_READ = 60
"""Texts that are read, for each case of that kind."""
READINGS: Counter[str] = Counter()
"""How many texts were read by both, and how many of them state a game."""


@dataclass(frozen=True)
class Case:
    """A family of certificates or a format of texts, and the seed of everything else."""

    kind: str
    seed: int


def draw(rng: random.Random) -> Case:
    """A kind, evenly."""
    return Case(rng.choice(KINDS), rng.randrange(10**9))


def check(case: Case) -> int:
    """Both checkers say the same of every certificate or text; how many there were."""
    rng = random.Random(case.seed)
    kind, _, format = case.kind.partition(" of ")
    if kind == "text":
        return read_alike(format, rng)
    if kind in ("stakes", "rulesheets"):
        return weighed(kind, rng)
    return programs(rng) if kind == "programs" else tables(format, rng)


# Certificates


def written(format: str, text: str) -> str:
    """The file in which a text is kept while both are asked about it."""
    file = folder() / f"stated.{SUFFIX.get(format, format)}"
    file.write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
    return str(file)


def programs(rng: random.Random) -> int:
    """Proofs by steps and by clauses, at the start or after some moves."""
    if rng.random() < 0.2:
        return later_programs(rng)
    statement = forged_programs.draw(rng)
    game = forged.stated(statement)
    right = forged_programs.right(game, rng)
    if right is None:
        return 0
    found = Setting(game, right, written("qlp", statement.text), "")
    count = true_and_changed("programs", found, right, rng)
    for what, false in (*forged.elsewhere(right, rng), *forged_programs.forgeries(game, right, rng)):
        assert not agree("programs", found, false, "forged.json"), f"accepted: {what}"
        count += 1
    return count


def later_programs(rng: random.Random) -> int:
    """Proofs of what is left of a program; proofs with continuous variables and with rows of many kinds."""
    made = random_program(rng, rng.randint(1, 7), rng.randint(0, 5), rng.randint(1, 5), widest=rng.choice((1, 2, 4)))
    text = write_qlp(made) if rng.random() < 0.6 else TEXTS["qlp"](rng)
    try:
        game: Game = game_from(Source("qlp", text, "stated.qlp"))
        moves = some_moves(game, rng)
        game = taken_up(game, moves) if moves else game
        certificate = solve_game(game, rng.choice(forged_programs.QUICK)).certificate
    except ZermeloError:
        return 0
    if certificate is None:
        return 0
    right = addressed(game, certificate)
    return true_and_changed("later programs", Setting(game, right, written("qlp", text), moves), right, rng)


def some_moves(game: Game, rng: random.Random) -> str:
    """A few moves from the start; none that a blank or a bracket would cut in two."""
    position, made = game.start(), list[str]()
    for _ in range(rng.randrange(4)):
        if game.result(position) is not None:
            break
        try:
            moves = list(game.moves(position))
        except ZermeloError:  # a continuous variable has no list of moves
            break
        if not moves:
            break
        move = rng.choice(moves)
        position = game.play(position, move)
        made.append(game.move_text(move))
    return "" if any(set(text) & set(" ()[]'\"") for text in made) else " ".join(made)


def true_and_changed(kind: str, found: Setting, right: Certificate, rng: random.Random) -> int:
    """Asks about a right certificate in both versions, and about changed and damaged ones."""
    assert agree(kind, found, right, "right.json"), "a right certificate is refused"
    assert agree(kind, found, right, "right.zc"), "a right certificate of version 2 is refused"
    for _ in range(CHANGES):
        agree(kind, found, changed(right, rng), "changed.json")
    return 2 + CHANGES + damaged(kind, found, right, rng)


def changed(certificate: Certificate, rng: random.Random) -> Certificate:
    """A certificate with the data, the bound or the role of one claim changed: it may still be right."""
    place = rng.randrange(len(certificate.claims))
    claim = certificate.claims[place]
    data: Any = dict(claim.data)
    match rng.randrange(6):
        case 0:
            return forged.with_claim(certificate, place, replace(claim, at_least=claim.at_least - Fraction(1, 3)))
        case 1:
            return forged.with_claim(certificate, place, replace(claim, role=rng.choice(("exists", "forall"))))
        case 2:
            data = changed_numbers(data, rng)
        case 3 if isinstance(data.get("nodes", data.get("clauses")), list):
            steps = "nodes" if "nodes" in data else "clauses"
            listed = json.loads(json.dumps(data[steps]))
            if listed:
                listed[rng.randrange(len(listed))] = rng.choice(listed)
            data = data | {steps: listed}
        case _:
            data = damaged_json(data, rng)
    return forged.with_claim(certificate, place, replace(claim, data=data if isinstance(data, dict) else {}))


def changed_numbers(data: Any, rng: random.Random) -> Any:
    """The same steps with numbers written otherwise, or so large that nothing is left of 64 bits."""
    scale = rng.choice((1, 2, 3, Fraction(1, 3), 10**18, 10**40 + 1))

    def other(item: Any, deep: int) -> Any:
        if isinstance(item, list):
            return [other(each, deep + 1) for each in item]
        if isinstance(item, dict):
            return {key: each if key == "scenarios" else other(each, deep) for key, each in item.items()}
        if type(item) is int and deep > 3 and rng.random() < 0.3:
            number = Fraction(item) * scale
            return str(number) if number.denominator > 1 or rng.random() < 0.5 else int(number)
        return item

    return other(data, 0)


def tables(format: str, rng: random.Random) -> int:
    """Tables of moves with ranks, and whatever else other kinds than programs are proved by."""
    text = program_of_integers(rng) if format == "qlp" else TEXTS[format](rng)
    try:
        game: Game = game_from(Source(format, text, f"stated.{format}"))
        moves = some_moves(game, rng) if rng.random() < 0.5 else ""
        game = taken_up(game, moves) if moves else game
        options = Options(verify=False, ties=rng.choice(TIES))
        certificate = solve_game(game, rng.choice(TABLES[format]), Limits(seconds=20), options).certificate
    except ZermeloError:
        return 0
    if certificate is None:
        return 0
    right = addressed(game, certificate)
    right = replace(right, claims=tuple(as_table(claim) for claim in right.claims))
    found, count, kind = Setting(game, right, written(format, text), moves), 1 + CHANGES, f"table of {format}"
    assert agree(kind, found, right, "right.json"), "a right certificate is refused"
    for what, false in forgeries(game, right, rng):
        assert not agree(kind, found, false, "forged.json"), f"accepted: {what}"
        count += 1
    for _ in range(CHANGES):
        agree(
            kind,
            found,
            changed_table(right, rng) if rng.random() < 0.5 else changed_entries(right, rng),
            "changed.json",
        )
    return count + damaged(kind, found, right, rng)


def weighed(kind: str, rng: random.Random) -> int:
    """Expectations and equilibria of games with dice or bids, and of rulesheets."""
    sheet = TEXTS["rulesheet"](rng) if rng.random() < 0.7 else graph_as_sheet(rng.choice(GRAPHS), rng)
    target = rng.choice(STAKES) if kind == "stakes" else sheet
    try:
        game: Game = game_of(target) if kind == "stakes" else game_from(Source("rulesheet", target, "stated.kif"))
        options = Options(verify=False, ties=rng.choice(TIES))
        certificate = solve_game(game, "induction", Limits(seconds=20, nodes=2000), options).certificate
    except ZermeloError:
        return 0
    if certificate is None:
        return 0
    right, count = addressed(game, certificate), 1 + CHANGES
    found = Setting(game, right, target if kind == "stakes" else written("kif", target), "")
    if kind == "rulesheets" and grows(found):
        return 0
    assert agree(kind, found, right, "right.json"), "a right certificate is refused"
    for what, false in forgeries(game, right, rng):
        assert not agree(kind, found, false, "forged.json"), f"accepted: {what}"
        count += 1
    for _ in range(CHANGES):
        agree(kind, found, changed_entries(right, rng), "changed.json")
    return count + damaged(kind, found, right, rng)


def grows(found: Setting) -> bool:
    """Whether the second checker refuses a sheet whose terms have no bound, as it may: it puts in all values first."""
    file = folder() / "asked.json"
    file.write_text(json.dumps(found.certificate.to_json()))
    return "terms grow" in second_verdict(file, found.target)[1]


def forgeries(game: Game, right: Certificate, rng: random.Random) -> Iterator[tuple[str, Certificate]]:
    """False certificates: by the forgers of tables at a start, of more than the truth where numbers are listed."""
    if not game.line and all(claim.rule in (None, "policy") for claim in right.claims):
        yield from forged_tables.forgeries(game, right, rng)
        return
    yield from forged.elsewhere(right, rng)
    for place, claim in enumerate(right.claims):
        more = claim.at_least + rng.choice(forged.BETTER)
        if claim.rule == "equilibrium":
            values = [str(more), *claim.data["values"][1:]]
            lie = replace(claim, at_least=more, data={**claim.data, "values": values})
            yield "other scores", forged.with_claim(right, place, lie)
            yield "another score of the first role", forged.with_claim(right, place, replace(claim, at_least=more))
        elif len(right.claims) == 2 or claim.rule == "policy":
            yield "better than the truth", forged.with_claim(right, place, replace(claim, at_least=more))


def changed_entries(certificate: Certificate, rng: random.Random) -> Certificate:
    """The numbers, vectors or moves of one claim changed: it may still be right."""
    place = rng.randrange(len(certificate.claims))
    claim = certificate.claims[place]
    if claim.rule is None:
        return changed_table(certificate, rng)
    data: Any = json.loads(json.dumps(dict(claim.data)))
    positions = data.get("positions")
    match rng.randrange(6):
        case 0:
            return forged.with_claim(certificate, place, replace(claim, at_least=claim.at_least - Fraction(1, 3)))
        case 1:
            return forged.with_claim(certificate, place, replace(claim, role=rng.choice(("nobody", "P0", "P1"))))
        case 2 if positions:
            entry = positions[rng.choice(sorted(positions))]
            if entry and isinstance(entry[0], str):
                entry[0] = str(Fraction(entry[0]) - rng.choice((Fraction(1, 2), 1, -1, 10**30)))
        case 3 if positions:
            positions[rng.choice(sorted(positions))] = positions[rng.choice(sorted(positions))]
        case 4 if "ties" in data:
            data["ties"] = rng.choice(("any", *TIES))
        case _:
            data = damaged_json(data, rng)
    return forged.with_claim(certificate, place, replace(claim, data=data if isinstance(data, dict) else {}))


def as_table(claim: Claim) -> Claim:
    """The claim with its moves in a table."""
    return replace(claim, table=dict(claim.table), layers=None)


def program_of_integers(rng: random.Random) -> str:
    """A small program whose variables have few values, and in which ``forall`` can keep his own rows."""
    while True:
        made = random_program(rng, rng.randint(1, 4), rng.randint(0, 4), rng.randint(1, 4), widest=2)
        if brute_force(made) != LAWLESS:
            return write_qlp(made)


# Texts


def read_alike(format: str, rng: random.Random) -> int:
    """Both read texts alike, valid ones and damaged ones; how many there were."""
    for _ in range(TEXTS_READ):
        text = readers.draw_of(format, rng).text
        same_reading(format, written(format, text))
    return TEXTS_READ


def same_reading(format: str, file: str) -> bool:
    """Whether both read a file, which they must or must not together; and as the same game."""
    stated = folder() / "reading.json"
    try:
        found = import_module(READERS[format]).read(Source(format, text_of(Path(file).read_bytes(), file), file))
        digest = sha256(f"{type(found).__name__}\n{found.canonical()}".encode()).hexdigest()
    except ZermeloError:
        digest = ""
    claim = {"role": "somebody", "at_least": "0", "after": [], "starts": "somebody", "play": "score", "table": {}}
    certificate = {"format": "zermelo-certificate", "version": 1, "target": "t", "digest": digest or "0" * 64}
    stated.write_text(json.dumps(certificate | {"claims": [claim]}))
    status, words = second_verdict(stated, file)
    READINGS[f"{format} {'read' if digest else 'refused'}"] += 1
    if not digest:
        assert status == 2, f"only the second reader reads {file}: {words}"
        return False
    # The file is read where what is wrong is who starts, or that forall cannot keep his own rows.
    assert "starts" in words or "his own rows" in words, f"the readings of {file} differ: {status}: {words}"
    return True


def summary() -> str:
    """How many certificates and texts of each kind were compared."""
    read = ", ".join(f"{count:,} texts of {what}" for what, count in sorted(READINGS.items()))
    return ", ".join(filter(None, (two_checkers.summary(), read)))
