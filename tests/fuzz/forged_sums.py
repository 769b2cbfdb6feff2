"""A forger of certificates for sums in brackets, boards, dots and Go records: every one that it makes must be refused.

What it forges claims something false, or speaks of another game or position, or shows people another value than the one
that is proved. The proofs behind it are damaged in ways that the format allows. ``forgeries`` is given a game and a
certificate that holds; claims of both sides for the same starter are exact, so anything better than them is false.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from tests.cgt.boards import RANDOM as BOARDS
from tests.cgt.randomgames import random_text
from tests.fuzz.forged import Statement
from zermelo.certificate import Certificate, Claim
from zermelo.check import check_certificate
from zermelo.check.instance import digest_of
from zermelo.game import Game
from zermelo.limits import Limits
from zermelo.options import Options
from zermelo.solving import solve_game

Damage = Callable[[dict[str, Any], random.Random], None]

STEPS = (Fraction(1), Fraction(1, 2), Fraction(1, 64), Fraction(7))
"""How much better than the truth a claim is."""


def forgeries(game: Game, certificate: Certificate, rng: random.Random) -> Iterator[tuple[str, Certificate]]:
    """False certificates made of a true one, each with what is wrong in it; none of them may be accepted."""
    yield from _of_another_game(certificate, rng)
    for number, claim in enumerate(certificate.claims):
        for label, lie in _lies(game, certificate, claim, rng):
            yield label, _with(certificate, number, lie)
            for damage, spoilt in _spoilt(lie, rng):
                yield f"{label}, {damage}", _with(certificate, number, spoilt)
                yield f"{label}, {damage}, alone", replace(certificate, claims=(spoilt,))
        yield "another position", _with(certificate, number, replace(claim, after=(*claim.after, "a1")))
        yield "another role", _with(certificate, number, replace(claim, role="somebody"))
        yield "somebody else starts", _with(certificate, number, replace(claim, starts="somebody"))
        if _play_matters(game, claim):
            other = "normal" if claim.play == "score" else "score"
            yield "another convention", _with(certificate, number, replace(claim, play=other))
        yield from ((label, _with(certificate, number, lie)) for label, lie in _unproved(claim, rng))


def _with(certificate: Certificate, number: int, claim: Claim) -> Certificate:
    claims = (*certificate.claims[:number], claim, *certificate.claims[number + 1 :])
    return replace(certificate, claims=claims)


def _of_another_game(certificate: Certificate, rng: random.Random) -> Iterator[tuple[str, Certificate]]:
    digest = list(certificate.digest)
    place = rng.randrange(len(digest))
    digest[place] = rng.choice([digit for digit in "0123456789abcdef" if digit != digest[place]])
    yield "another digest", replace(certificate, digest="".join(digest))


def _play_matters(game: Game, claim: Claim) -> bool:
    """Under normal play boards score 1 and -1, so there both conventions say the same."""
    return claim.rule != "value" or not hasattr(game, "ruleset")


def _exact(certificate: Certificate, claim: Claim) -> bool:
    """Is there a claim of the other side that says that this one cannot be better?"""
    return any(
        other.role != claim.role
        and (other.starts, other.play, other.after) == (claim.starts, claim.play, claim.after)
        and other.at_least == -claim.at_least
        for other in certificate.claims
    )


def _lies(game: Game, certificate: Certificate, claim: Claim, rng: random.Random) -> Iterator[tuple[str, Claim]]:
    """False claims by the same proof."""
    roles = ("black", "white") if claim.role in ("black", "white") else ("left", "right")
    loser = roles[1 - roles.index(claim.role)]
    if claim.rule == "value":
        yield "more than a win", replace(claim, at_least=Fraction(2))
        yield "both sides win", replace(claim, role=loser)
        yield "a draw where nobody draws", replace(claim, role=loser, at_least=Fraction(0))
        return
    won = hasattr(game, "ruleset") and claim.at_least == 1  # on boards nobody gets more
    if not won and not _exact(certificate, claim):
        return
    step = rng.choice(STEPS)
    yield "one better", replace(claim, at_least=claim.at_least + 1)
    yield "better than the truth", replace(claim, at_least=claim.at_least + step)
    yield "both sides win", replace(claim, role=loser, at_least=step - claim.at_least)
    for other in certificate.claims:
        alike = (other.role, other.play) == (claim.role, claim.play) and _exact(certificate, other)
        if alike and other.starts != claim.starts and other.at_least < claim.at_least:
            yield "another starter", replace(claim, starts=other.starts)
            data = dict(claim.data) | {"starts": other.starts}
            yield "another starter throughout", replace(claim, starts=other.starts, data=data)


def _unproved(claim: Claim, rng: random.Random) -> Iterator[tuple[str, Claim]]:
    """Claims that may be true, with a proof that cannot hold or that shows something else."""
    if claim.rule == "value":
        if "value" in claim.data:
            for other in (f"({claim.data['value']}) + 1", f"({claim.data['value']}) + *", "{", ""):
                yield "another value is shown", replace(claim, data=dict(claim.data) | {"value": other})
        parts = claim.data.get("parts", {})
        if parts:
            gone = rng.choice(sorted(parts))
            kept = {part: place for part, place in parts.items() if part != gone}
            yield "a part is missing", replace(claim, data=dict(claim.data) | {"parts": kept})
        yield "no games", replace(claim, data=dict(claim.data) | {"games": []})
    if claim.rule is not None:
        yield "no proof", replace(claim, data={})


def _spoilt(claim: Claim, rng: random.Random) -> Iterator[tuple[str, Claim]]:
    if claim.rule is None:
        table = dict(claim.table)
        for key in rng.sample(sorted(table), min(2, len(table))):
            yield "a reply is missing", replace(claim, table={k: v for k, v in table.items() if k != key})
            move = rng.choice([entry[0] for entry in table.values()])
            yield "another move", replace(claim, table=table | {key: (move, table[key][1])})
            yield "another rank", replace(claim, table=table | {key: (table[key][0], rng.choice((None, 0, 10**9)))})
        return
    damages = VALUE_DAMAGES if claim.rule == "value" else SUM_DAMAGES
    for label in rng.sample(sorted(damages), 5):
        data = copy.deepcopy(dict(claim.data))
        damages[label](data, rng)
        yield label, replace(claim, data=data)
        other = rng.choice(sorted(damages))
        damages[other](data, rng)
        yield f"{label}, {other}", replace(claim, data=copy.deepcopy(data))


# Damage to the proof that a game has a value


def _negative(entry: Any) -> Any:
    return str(-Fraction(entry)) if isinstance(entry, str) else [entry[1], entry[0]]


def _all_negative(data: dict[str, Any], rng: random.Random) -> None:
    data["games"] = [_negative(entry) for entry in data["games"]]


def _other_game(data: dict[str, Any], rng: random.Random) -> None:
    place = rng.randrange(len(data["games"]))
    entry = data["games"][place]
    changed = [_negative(entry), str(rng.randint(-3, 3))]
    if isinstance(entry, list) and place:
        changed += [[[rng.randrange(place)], [rng.randrange(place)]], [entry[0], []], [[], entry[1]]]
    data["games"][place] = rng.choice(changed)


def _other_root(data: dict[str, Any], rng: random.Random) -> None:
    data["root"] = rng.randrange(-1, len(data["games"]) + 1)


def _added_root(data: dict[str, Any], rng: random.Random) -> None:
    data["games"].append(rng.choice(("1", "-1", "0", [[data["root"]], [data["root"]]])))
    data["root"] = len(data["games"]) - 1


def _other_part(data: dict[str, Any], rng: random.Random) -> None:
    if data.get("parts"):
        data["parts"][rng.choice(sorted(data["parts"]))] = rng.randrange(len(data["games"]))


def _no_part(data: dict[str, Any], rng: random.Random) -> None:
    if data.get("parts"):
        del data["parts"][rng.choice(sorted(data["parts"]))]


def _no_text(data: dict[str, Any], rng: random.Random) -> None:
    data.pop("value", None)


VALUE_DAMAGES: dict[str, Damage] = {
    "all games negative": _all_negative,
    "another game": _other_game,
    "another root": _other_root,
    "a root that was added": _added_root,
    "another part": _other_part,
    "a part is missing": _no_part,
    "no value is shown": _no_text,
}


# Damage to the strategy for a sum


def _other_promise(data: dict[str, Any], rng: random.Random) -> None:
    data["value"] = str(int(data["value"]) + rng.choice((-14, -2, -1, 1, 2, 3, 14, 1000)))


def _other_score(data: dict[str, Any], rng: random.Random) -> None:
    places = [place for place, entry in enumerate(data["positions"]) if isinstance(entry, str)]
    if places:
        place = rng.choice(places)
        data["positions"][place] = str(Fraction(data["positions"][place]) + rng.choice((-1, 1, Fraction(1, 2), 100)))


def _swapped(data: dict[str, Any], rng: random.Random) -> None:
    places = [place for place, entry in enumerate(data["positions"]) if isinstance(entry, list)]
    if places:
        place = rng.choice(places)
        data["positions"][place].reverse()


def _less_options(data: dict[str, Any], rng: random.Random) -> None:
    places = [place for place, entry in enumerate(data["positions"]) if isinstance(entry, list)]
    if places:
        side = rng.choice(data["positions"][rng.choice(places)])
        if side:
            side.remove(rng.choice(side))


def _other_move(data: dict[str, Any], rng: random.Random) -> None:
    if data["moves"]:
        rng.choice(data["moves"])[rng.choice((1, 2))] = rng.randrange(len(data["positions"]))


def _no_move(data: dict[str, Any], rng: random.Random) -> None:
    if data["moves"]:
        data["moves"].remove(rng.choice(data["moves"]))


def _bound_instead(data: dict[str, Any], rng: random.Random) -> None:
    """A bound where the strategy has a move, at any tax."""
    if data["moves"]:
        entry = rng.choice(data["moves"])
        opens = entry[0][0][0] if isinstance(entry[0][0], list) else entry[0][0]
        tax = rng.choice(("0", "1/2", "1", "3", "10", "-1"))
        data["bounds"].append([entry[0], rng.choice(("left", "right")), tax, opens])


def _other_tax(data: dict[str, Any], rng: random.Random) -> None:
    if data["bounds"]:
        rng.choice(data["bounds"])[2] = rng.choice(("0", "1/2", "1", "2", "7", "1000", "-1", "-20"))


def _no_bound(data: dict[str, Any], rng: random.Random) -> None:
    if data["bounds"]:
        data["bounds"].remove(rng.choice(data["bounds"]))


def _replies_left_out(data: dict[str, Any], rng: random.Random) -> None:
    """Replies that are said to make others superfluous, in any order."""
    places = [place for place, entry in enumerate(data["positions"]) if isinstance(entry, list)]
    data["replies"] = [[place, to] for place in places for to in rng.choice(data["positions"][place])]
    rng.shuffle(data["replies"])
    numbers = range(len(data["replies"]))
    data["over"] = [[rng.choice(numbers), rng.choice(numbers)] for _ in range(3) if numbers]


def _mirrors(data: dict[str, Any], rng: random.Random) -> None:
    """Components that are said to cancel."""
    places = [place for place, entry in enumerate(data["positions"]) if isinstance(entry, list)]
    if places:
        data["mirrors"] = [*data.get("mirrors", []), [rng.choice(places), rng.choice(places), rng.randint(1, 2)]]


def _other_starter(data: dict[str, Any], rng: random.Random) -> None:
    data["starts"] = "left" if data["starts"] == "right" else "right"


SUM_DAMAGES: dict[str, Damage] = {
    "another promise": _other_promise,
    "another score": _other_score,
    "options swapped": _swapped,
    "an option is missing": _less_options,
    "another move": _other_move,
    "a move is missing": _no_move,
    "a bound instead of a move": _bound_instead,
    "another tax": _other_tax,
    "a bound is missing": _no_bound,
    "replies left out": _replies_left_out,
    "mirrors": _mirrors,
    "the strategy of another starter": _other_starter,
}


# Games to forge certificates for


def draw(rng: random.Random) -> Statement:
    """A small sum, board or record."""
    if rng.random() < 0.2:
        return Statement("sgf", record(rng))
    text = target(rng)
    return Statement("board" if ":" in text else "cgt", text)


def right(game: Game, rng: random.Random) -> Certificate | None:
    """A certificate that holds."""
    del rng
    return proved(game, "forged")


def target(rng: random.Random) -> str:
    """A small sum, board or board of dots."""
    kind = rng.random()
    if kind < 0.45:
        texts = [random_text(rng, 2) for _ in range(rng.randint(1, 3))]
        switches = [f"{{{rng.randint(-2, 9)}|{rng.randint(-9, 2)}}}" for _ in range(rng.randint(0, 3))]
        return " + ".join([*switches, *texts])
    if kind < 0.9:
        name = rng.choice(sorted(BOARDS))
        return f"{rng.choice(('', '', 'impartial-'))}{name}:{BOARDS[name](rng)}"
    return f"dots:{rng.choice(('.|..|.', '#|..|.', '.|#.|#', '..|...|..', '.#|#..|..', '..|.#.|#.'))}"


def record(rng: random.Random) -> str:
    """A Go record whose walls are marked as alive, with a few open points between them."""
    size = rng.randint(3, 4)
    rows = [["X" if column == 0 else "O" if column == size - 1 else "." for column in range(size)] for _ in range(size)]
    for row in rows:
        for column in range(1, size - 1):
            row[column] = rng.choice("...xo")

    def points(letters: str) -> str:
        cells = ((r, c) for r in range(size) for c in range(size) if rows[r][c] in letters)
        return "".join(f"[{chr(97 + c)}{chr(97 + r)}]" for r, c in cells)

    said = "".join(name + points(letters) for name, letters in (("AB", "xX"), ("AW", "oO"), ("SQ", "XO")))
    return f"(;SZ[{size}]KM[{rng.choice(('0', '0.5', '-1'))}]{said})"


def proved(game: Game, name: str, engine: str = "auto") -> Certificate | None:
    """A certificate that holds, where there is one soon; what is proved must be accepted."""
    certificate = solve_game(game, engine, Limits(seconds=20), Options(verify=False), name).certificate
    if certificate is None:
        return None
    certificate = replace(certificate, digest=digest_of(game))
    verdict = check_certificate(game, certificate)
    assert verdict.accepted, f"{name}: {verdict.reason}"
    return certificate
