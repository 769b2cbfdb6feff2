"""Certificates: strategies written down, so that somebody else can check them.

A certificate makes one to five claims of the form "ROLE gets at least SCORE". A proof of an exact value is two
claims, one of each role. The file is JSON; ``docs/certificates.md`` describes every field.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from zermelo.errors import CertificateError
from zermelo.files import write_text
from zermelo.game import Role, Score

FORMAT = "zermelo-certificate"
VERSION = 1
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
    return Fraction(text)


@dataclass(frozen=True)
class Claim:
    """``role`` gets at least ``at_least``, by a table of moves with ranks or by a named rule.

    ``table`` maps the key of each position in which the role is to move to ``(move text, rank)``. The rank falls
    strictly from one such position to the next; it is ``None`` throughout where endless play is good enough.
    ``rule`` is instead the name of a rule that the checker knows, with its parameters in ``data``.
    """

    role: Role
    at_least: Score
    table: Mapping[str, tuple[str, int | None]] = field(default_factory=dict)
    rule: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        head: dict[str, Any] = {"role": self.role, "at_least": score_text(self.at_least)}
        if self.rule is not None:
            return head | {"rule": self.rule, "data": dict(self.data)}
        return head | {"table": {key: list(entry) for key, entry in self.table.items()}}


@dataclass(frozen=True)
class Certificate:
    """What a solution rests on: the game it speaks of and one to five claims."""

    target: str
    claims: tuple[Claim, ...]

    def to_json(self) -> dict[str, Any]:
        """As JSON.

        >>> Certificate("nim:1", (Claim("first", 1, {"((1),0)": ("0,1", 1)}),)).to_json()["claims"][0]["at_least"]
        '1'
        """
        return {
            "format": FORMAT,
            "version": VERSION,
            "target": self.target,
            "claims": [claim.to_json() for claim in self.claims],
        }

    def write(self, path: Path) -> None:
        """Writes the certificate; a file that was there stays whole until the new one is complete."""
        write_text(path, json.dumps(self.to_json(), separators=(",", ":")) + "\n")


def read_certificate(path: Path) -> Certificate:
    """Reads a certificate and checks its shape, not its claims."""
    name = str(path)
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise CertificateError("no such file", file=name) from None
    except OSError as error:
        raise CertificateError(f"cannot be read: {error.strerror or error}", file=name) from None
    except ValueError as error:  # not UTF-8, or a name that no file can have
        raise CertificateError(f"cannot be read: {error}", file=name) from None
    return parse_certificate(text, name)


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
    need(
        isinstance(data.get("claims"), list) and 1 <= len(data["claims"]) <= 5,
        '"claims" is not a list of one to five',
    )
    claims = []
    for number, item in enumerate(data["claims"], 1):
        where = f"claim {number}"
        need(isinstance(item, dict) and isinstance(item.get("role"), str), f'{where}: "role" is not a string')
        try:
            at_least = parse_score(item["at_least"])
        except (KeyError, TypeError, ValueError, ZeroDivisionError):
            raise CertificateError(f'{where}: "at_least" is not an exact number as a string', file=name) from None
        if "rule" in item:
            need(isinstance(item["rule"], str), f'{where}: "rule" is not a string')
            need(isinstance(item.get("data", {}), dict), f'{where}: "data" is not an object')
            claims.append(Claim(item["role"], at_least, rule=item["rule"], data=item.get("data", {})))
            continue
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
        claims.append(Claim(item["role"], at_least, {key: (entry[0], entry[1]) for key, entry in table.items()}))
    return Certificate(data["target"], tuple(claims))
