"""Certificates: strategies written down, so that somebody else can check them.

A certificate makes one to five claims of the form "ROLE gets at least SCORE". A proof of an exact value is two
claims, one of each role. Each says all that it depends on: the certificate names the game and the digest of its rules,
the claim the moves made so far, who starts there and whether play is for the score or for the last move. The file is
JSON; ``docs/certificates.md`` describes every field.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain, islice
from pathlib import Path
from typing import Any, Literal, get_args

from zermelo.brief import counted, cut, introduced, shown_in_brief
from zermelo.errors import CertificateError, InputError, LimitReachedError, NotApplicableError, need
from zermelo.files import read_bytes, text_of, write_pieces
from zermelo.game import Game, Role, Score
from zermelo.limits import Limits
from zermelo.move_layers import SUFFIX, Layers

FORMAT = "zermelo-certificate"
VERSION = 1
MOST_BYTES = 4 << 30
"""Longer files are not read."""
Convention = Literal["score", "normal", "equilibrium"]
"""What counts: the score at the end; in normal play, who moves last: 1 for him, -1 for the other; or the scores of an
equilibrium, which are what the roles get if each plays for its own score, and nothing that one could be sure of."""
NOBODY_STARTS = "nobody"
"""Who starts where the game is over."""
_DIGEST = re.compile(r"[0-9a-f]{64}")
_SCORE = re.compile(r"-?[0-9]{1,1000}(/[0-9]{1,1000})?")


def score_text(score: Score) -> str:
    """An exact score as text.

    >>> score_text(Fraction(1, 2)), score_text(Fraction(4, 2)), score_text(-1)
    ('1/2', '2', '-1')
    """
    return str(Fraction(score))


def parse_score(text: str) -> Fraction:
    """The inverse of :func:`score_text`; ``ValueError`` for anything that it does not write.

    Powers of ten are refused like decimals: ``1e999999999`` is short to write and too long to hold.

    >>> parse_score("-1/3")
    Fraction(-1, 3)
    """
    if not _SCORE.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is not an exact number")
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise ValueError(f"{text!r} has the denominator 0") from None


@dataclass(frozen=True)
class Claim:
    """``role`` gets at least ``at_least``, by a table of moves with ranks or by a named rule.

    ``table`` maps the key of each position in which the role is to move to ``(move text, rank)``. The rank falls
    strictly from one such position to the next; it is ``None`` throughout where endless play is good enough.
    ``rule`` is instead the name of a rule that the checker knows, with its parameters in ``data``; ``layers`` the same
    moves in the order in which a checker meets the positions.

    ``after`` are the moves made before, ``starts`` is who moves next, ``play`` what counts. A claim made in Python may
    leave ``starts`` out: it then speaks of the game that it is checked against, as that begins.

    >>> print(Claim("left", 5, starts="left"))
    left gets at least 5 if left starts
    >>> print(Claim("right", 1, starts="left", after=("b2",), play="normal"))
    right wins under normal play if left starts after b2
    """

    role: Role
    at_least: Score
    table: Mapping[str, tuple[str, int | None]] = field(default_factory=dict)
    rule: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict)
    after: tuple[str, ...] = ()
    starts: Role = ""
    play: Convention = "score"
    layers: Layers | None = None

    _repr_html_ = shown_in_brief

    def __repr__(self) -> str:
        how = f"by {self.rule}" if self.rule is not None else counted(self.move_count, "move")
        return introduced(self, cut(str(self), 70), how)

    def __str__(self) -> str:
        return f"{self.promise} {self.context}".rstrip()

    @property
    def move_count(self) -> int:
        """How many moves are written down."""
        return len(self.table) if self.layers is None else self.layers.move_count

    @property
    def promise(self) -> str:
        """What the role gets."""
        if self.play == "equilibrium":
            return f"{_vector_text(self)} in a subgame-perfect equilibrium"
        if self.play == "normal" and self.at_least == 1:
            return f"{self.role} wins under normal play"
        counted = "" if self.play == "score" else " under normal play"
        return f"{self.role} gets at least {score_text(self.at_least)}{counted}"

    @property
    def context(self) -> str:
        """Where, and with whom to move."""
        who = f"if {self.starts} starts" if self.starts else ""
        if self.starts == NOBODY_STARTS:
            who = "where the game is over"
        return f"{who} after {' '.join(self.after)}" if self.after else who

    def head(self) -> dict[str, Any]:
        """What is claimed, as JSON."""
        return {
            "role": self.role,
            "at_least": score_text(self.at_least),
            "after": list(self.after),
            "starts": self.starts,
            "play": self.play,
        }

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        if self.rule is not None:
            return self.head() | {"rule": self.rule, "data": dict(self.data)}
        return self.head() | {"table": {key: list(entry) for key, entry in self.table.items()}}


def _vector_text(claim: Claim) -> str:
    """What each role gets, of a claim that may come from anywhere."""
    roles, values = claim.data.get("roles"), claim.data.get("values")
    if not (isinstance(roles, list | tuple) and isinstance(values, list | tuple) and len(roles) == len(values)):
        return f"{claim.role} gets {score_text(claim.at_least)}"
    gets = [f"{role} gets {cut(str(value), 40)}" for role, value in zip(roles, values, strict=True)]
    ties = claim.data.get("ties")
    return ", ".join(gets) + ("" if ties in (None, "any") else f", ties {cut(str(ties), 40)},")


@dataclass(frozen=True)
class Certificate:
    """What a solution rests on: the game it speaks of and one to five claims.

    ``digest`` is that of the game as the checker reads it. Without one, as in a certificate made in Python, the claims
    speak of whatever game they are checked against.
    """

    target: str
    claims: tuple[Claim, ...]
    digest: str = ""

    def _repr_html_(self) -> str:
        """A small table: what is claimed."""
        from html import escape

        rows = "".join(f"<tr><td>{escape(cut(str(claim), 400))}</td></tr>" for claim in self.claims[:30])
        return f"<table><caption>{escape(cut(repr(self), 200))}</caption>{rows}</table>"

    def __repr__(self) -> str:
        moves = sum(claim.move_count for claim in self.claims)
        return introduced(
            self, cut(self.target, 60), counted(len(self.claims), "claim"), counted(moves, "move") if moves else ""
        )

    def to_json(self) -> dict[str, Any]:
        """As JSON.

        >>> Certificate("nim:1", (Claim("first", 1, {"((1),0)": ("0,1", 1)}),)).to_json()["claims"][0]["at_least"]
        '1'
        """
        return {
            "format": FORMAT,
            "version": VERSION,
            "target": self.target,
            "digest": self.digest,
            "claims": [claim.to_json() for claim in self.claims],
        }

    def write(self, path: Path, limits: Limits | None = None) -> None:
        """Writes the certificate; a file that was there stays whole until the new one is complete.

        ``LimitReachedError`` if the time is up before that: a proof may have millions of entries.
        """
        if path.suffix.lower() == SUFFIX and self.fits_version_2:
            for name, pieces in self.layered_files(path.name):
                write_pieces(path.with_name(name), _in_time(pieces, limits or Limits()))
        else:
            write_pieces(path, _in_time(chain(json_pieces(self.to_json()), ("\n",)), limits or Limits()))

    @property
    def fits_version_2(self) -> bool:
        """Whether a file of version 2 can hold it: every claim rests on layers or on a rule, none on a table."""
        return all(claim.layers is not None or claim.rule is not None for claim in self.claims)

    def layered_files(self, name: str) -> Iterator[tuple[str, Iterator[bytes]]]:
        """The files of version 2: the name and the pieces of each, the one called ``name`` last."""
        from zermelo.layers_file import written

        claims = [
            claim.head() | {"layers": claim.layers, "rule": claim.rule, "data": dict(claim.data)}
            for claim in self.claims
        ]
        return written({"target": self.target, "digest": self.digest, "claims": claims}, name)


PIECE = 4096
"""So many members of a list or an object are made text at once."""


def json_pieces(value: Any, depth: int = 5) -> Iterator[str]:
    """The text of a JSON value, in pieces; what lies deeper than so many levels is one piece.

    >>> "".join(json_pieces({"a": [1, {"b": None}], "c": {}}))
    '{"a":[1,{"b":null}],"c":{}}'
    """
    if not depth or not value or not isinstance(value, dict | list | tuple):
        yield _compact(value)
    elif len(value) > PIECE:
        rest: Iterator[Any] = iter(value.items() if isinstance(value, dict) else value)
        opening, closing = "{}" if isinstance(value, dict) else "[]"
        before = opening
        while some := list(islice(rest, PIECE)):
            yield before + _compact(dict(some) if isinstance(value, dict) else some)[1:-1]
            before = ","
        yield closing
    elif isinstance(value, dict):
        for place, (key, below) in enumerate(value.items()):
            yield f"{',' if place else '{'}{json.dumps(key)}:"
            yield from json_pieces(below, depth - 1)
        yield "}"
    else:
        for place, below in enumerate(value):
            yield "," if place else "["
            yield from json_pieces(below, depth - 1)
        yield "]"


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _in_time(pieces: Iterable[str | bytes], limits: Limits) -> Iterator[str | bytes]:
    for piece in pieces:
        if limits.expired():
            raise LimitReachedError("the time limit was reached before all of it was written")
        yield piece


def about(game: Game, claim: Claim) -> Claim:
    """The claim with what it left out: who starts, and after which moves.

    >>> from zermelo.games import make_game
    >>> print(about(make_game("nim:1"), Claim("first", 1)))
    first gets at least 1 if first starts
    """
    if claim.starts:
        return claim
    after = tuple(game.move_text(move) for move in game.line)
    return replace(claim, after=after, starts=starter(game))


def starter(game: Game) -> str:
    """Who moves first: a role, ``chance``, several roles joined by ``+``, or nobody where the game is over.

    >>> from zermelo.games import make_game
    >>> starter(make_game("nim:1")), starter(make_game("nim:0"))
    ('first', 'nobody')
    """
    start = game.start()
    try:
        over = game.result(start) is not None
    except NotApplicableError:  # the end of a network of several players: it is over, but has no score of one
        over = True
    if over:
        return NOBODY_STARTS
    turn = game.turn(start)
    return "+".join(turn) if isinstance(turn, tuple) else turn


def claims_of(certificate: Certificate) -> tuple[Claim, ...]:
    """What a certificate claims.

    >>> claims_of("proof.json")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: certificate 'proof.json', expected one as of zermelo.read_certificate(path)
    """
    need(certificate, Certificate, "certificate", "one as of zermelo.read_certificate(path)")
    return certificate.claims


def read_certificate(path: Path) -> Certificate:
    """Reads a certificate and checks its shape, not its claims."""
    return read_with_size(path)[0]


def read_with_size(path: Path) -> tuple[Certificate, int]:
    """A certificate and the bytes of its files, those of its parts included."""
    sizes: list[int] = []

    def read(file: Path, what: str) -> bytes:
        try:
            data = read_bytes(file, what, MOST_BYTES, FORMAT.encode())
        except InputError as error:
            raise CertificateError(error.message, file=error.file, line=error.line, column=error.column) from None
        sizes.append(len(data))
        return data

    data = read(path, "certificate")
    return parse_certificate_bytes(data, str(path), lambda name: read(path.with_name(name), "part")), sum(sizes)


def parse_certificate_bytes(
    data: bytes, name: str = "certificate", beside: Callable[[str], bytes] | None = None
) -> Certificate:
    """The certificate that the bytes of a file state, in either version; ``beside`` reads files that lie beside it.

    >>> parse_certificate_bytes(b"{")
    Traceback (most recent call last):
        ...
    zermelo.errors.CertificateError: certificate:1:2: not JSON: Expecting property name enclosed in double quotes
    """
    try:
        if data.startswith(FORMAT.encode()):
            return _layered_certificate(data, name, beside)
        text = text_of(data, name)
    except CertificateError:
        raise
    except InputError as error:
        raise CertificateError(error.message, file=error.file, line=error.line, column=error.column) from None
    return parse_certificate(text, name)


def _layered_certificate(data: bytes, name: str, beside: Callable[[str], bytes] | None) -> Certificate:
    """A certificate of version 2."""
    from zermelo.layers_file import parse

    found = parse(data, name, beside)
    claims = [claim if "rule" in claim else claim | {"table": {}} for claim in found["claims"]]
    plain = certificate_from_json(found | {"format": FORMAT, "version": VERSION, "claims": claims}, name)
    layered = zip(plain.claims, claims, strict=True)
    return replace(plain, claims=tuple(replace(claim, layers=said["layers"]) for claim, said in layered))


def parse_certificate(text: str, name: str = "certificate") -> Certificate:
    """The certificate that a text states; ``CertificateError`` with the place if it states none.

    >>> parse_certificate("{")
    Traceback (most recent call last):
        ...
    zermelo.errors.CertificateError: certificate:1:2: not JSON: Expecting property name enclosed in double quotes
    """
    try:
        data = json.loads(text)
    except RecursionError:
        raise CertificateError("nested too deeply for a certificate", file=name) from None
    except json.JSONDecodeError as error:
        raise CertificateError(f"not JSON: {error.msg}", file=name, line=error.lineno, column=error.colno) from None
    except ValueError:  # Python refuses to read numbers of thousands of digits
        raise CertificateError("a number is too long", file=name) from None
    return certificate_from_json(data, name)


def certificate_from_json(data: Any, name: str = "certificate") -> Certificate:
    """The certificate that a JSON value states; ``CertificateError`` if it states none."""

    def need(condition: bool, message: str) -> None:
        if not condition:
            raise CertificateError(message, file=name)

    need(
        isinstance(data, dict) and data.get("format") == FORMAT,
        f'expected an object with "format": "{FORMAT}"',
    )
    version = data.get("version")
    need(type(version) is int and version == VERSION, f"version {version!r} is not {VERSION}")
    need(isinstance(data.get("target"), str), '"target" is not a string')
    digest = data.get("digest")
    good = isinstance(digest, str) and _DIGEST.fullmatch(digest) is not None
    need(good, '"digest" is not that of a game: 64 digits of a SHA-256, as `zermelo solve --certificate` writes')
    need(
        isinstance(data.get("claims"), list) and 1 <= len(data["claims"]) <= 5,
        '"claims" is not a list of one to five',
    )
    claims = tuple(_claim(item, f"claim {number}", need) for number, item in enumerate(data["claims"], 1))
    return Certificate(data["target"], claims, data["digest"])


def _claim(item: Any, where: str, need: Callable[[bool, str], None]) -> Claim:
    """The claim that a JSON value states."""
    need(isinstance(item, dict) and isinstance(item.get("role"), str), f'{where}: "role" is not a string')
    at_least = Fraction(0)
    try:
        at_least = parse_score(item["at_least"])
    except (KeyError, TypeError, ValueError):
        need(False, f'{where}: "at_least" is not an exact number as a string')
    after, starts, play = item.get("after"), item.get("starts"), item.get("play")
    moves = isinstance(after, list) and all(isinstance(move, str) for move in after)
    need(moves, f'{where}: "after" is not a list of moves')
    need(isinstance(starts, str) and starts != "", f'{where}: "starts" is not the role that moves first')
    need(play in get_args(Convention), f'{where}: "play" is neither "score" nor "normal" nor "equilibrium"')
    claim = Claim(item["role"], at_least, after=tuple(after or ()), starts=str(starts), play=play)
    if "rule" in item:
        need(isinstance(item["rule"], str), f'{where}: "rule" is not a string')
        need(isinstance(item.get("data", {}), dict), f'{where}: "data" is not an object')
        return replace(claim, rule=item["rule"], data=item.get("data", {}))
    table = item.get("table")
    need(isinstance(table, dict), f'{where}: neither "table" nor "rule"')
    assert isinstance(table, dict)
    for key, entry in table.items():
        good = (
            isinstance(entry, list)
            and len(entry) == 2
            and isinstance(entry[0], str)
            and (entry[1] is None or (type(entry[1]) is int and entry[1] >= 0))
        )
        need(good, f"{where}: entry {key!r} is not [move, rank]")
    return replace(claim, table={key: (entry[0], entry[1]) for key, entry in table.items()})
