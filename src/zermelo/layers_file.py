"""Files of certificates of version 2: reading and writing. ``docs/formats/layers.md`` describes them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from zermelo.brief import counted
from zermelo.errors import CertificateError
from zermelo.move_layers import SUFFIX, Layers

MAGIC = b"zermelo-certificate 2\n"
"""The first line of such a file."""

_LINE = re.compile(r"(\w+)(?: (.*))?")
_ONCE = ("role", "at_least", "starts", "play", "images", "continues", "width", "sha256", "rule", "data")
_WHAT = ("role", "at_least", "starts", "play")
_PART = re.compile(r"([0-9]{1,15}) ([0-9a-f]{64}) ([^/\\]+)")
_CONTINUES = re.compile(r"[0-9a-f]{64} [0-9]{1,15}")
_SIZES = re.compile(r"([0-9]{1,15}) ([0-9]{1,15})")


def written(head: Mapping[str, Any], name: str) -> Iterator[tuple[str, Iterator[bytes]]]:
    """The files of a certificate: the name of each and its pieces, parts first and the file called ``name`` last.

    ``head`` is the certificate as JSON with the layers of each claim, or the rule and its data.
    """
    number = 0
    cited: list[list[str]] = []
    for claim in head["claims"]:
        names: list[str] = []
        layers: Layers | None = claim["layers"]
        for place, part in enumerate(layers.parts if layers else ()):
            number += 1
            file = f"{name.removesuffix(SUFFIX)}.{number}{SUFFIX}"
            pieces = list(_part_pieces(head, claim, place))
            digest = sha256(b"".join(pieces)).hexdigest()
            names.append(f"part {part.positions[0] if part.positions else 0} {digest} {file}")
            yield file, iter(pieces)
        cited.append(names)
    yield name, _pieces(head, cited)


def _pieces(head: Mapping[str, Any], cited: Sequence[Sequence[str]]) -> Iterator[bytes]:
    lines = [f"target {head['target']}", f"digest {head['digest']}"]
    for claim, parts in zip(head["claims"], cited, strict=True):
        lines += [*_claim_lines(claim), *_moves_lines(claim), *parts]
    yield _head(lines)
    for claim in head["claims"]:
        if claim["layers"] is not None:
            yield from _body(claim["layers"])


def _part_pieces(head: Mapping[str, Any], claim: Mapping[str, Any], place: int) -> Iterator[bytes]:
    trunk: Layers = claim["layers"]
    first = sum(part.positions[0] for part in trunk.parts[:place] if part.positions)
    part = {**claim, "layers": trunk.parts[place]}
    lines = [f"target {head['target']}", f"digest {head['digest']}", *_claim_lines(part)]
    yield _head([*lines, f"continues {checksum(trunk)} {first}", *_moves_lines(part)])
    yield from _body(trunk.parts[place])


def _head(lines: Sequence[str]) -> bytes:
    if any("\n" in line or "\r" in line for line in lines):
        raise CertificateError("a name with a line break has no place in a certificate of version 2: write JSON")
    return MAGIC + "\n".join(lines).encode() + b"\n\n"


def _claim_lines(claim: Mapping[str, Any]) -> Iterator[str]:
    yield "claim"
    yield from (f"{name} {claim[name]}" for name in _WHAT)
    yield from (f"after {move}" for move in claim["after"])
    layers: Layers | None = claim["layers"]
    if layers is None:
        yield f"rule {claim['rule']}"
        yield f"data {json.dumps(claim['data'], separators=(',', ':'))}"
        return
    if layers.images:
        yield f"images {layers.images}"
    yield from (f"closed {rule}" for rule in layers.closed)


def _moves_lines(claim: Mapping[str, Any]) -> Iterator[str]:
    layers: Layers | None = claim["layers"]
    if layers is None:
        return
    yield f"width {_width(layers)}"
    yield f"sha256 {checksum(layers)}"
    yield from (f"layer {count} {len(moves) // 2}" for count, moves in zip(layers.positions, layers.moves, strict=True))


def _width(layers: Layers) -> int:
    """How many bytes a move takes in a file: one where all places are below 256."""
    return 1 if not any(any(moves[1::2]) for moves in layers.moves) else 2


def _body(layers: Layers) -> Iterator[bytes]:
    """The moves as they stand in a file."""
    width = _width(layers)
    return (moves[::2] if width == 1 else moves for moves in layers.moves)


def checksum(layers: Layers) -> str:
    """The SHA-256 of the moves as they stand in a file, parts apart.

    >>> checksum(Layers((), ()))[:16]
    'e3b0c44298fc1c14'
    """
    digest = sha256()
    for piece in _body(layers):
        digest.update(piece)
    return digest.hexdigest()


Beside = Callable[[str], bytes]
"""The bytes of the file of that name which lies beside the one that is read."""


def parse(data: bytes, name: str, beside: Beside | None = None) -> dict[str, Any]:
    """What a file of version 2 says, as JSON with the layers of each claim; ``CertificateError`` with its place."""
    found = _parse(data, name)
    for number, claim in enumerate(found["claims"], 1):
        where = f"claim {number}"
        if "continues" in claim:
            raise CertificateError(f"{where}: part of a certificate, expected its first file", file=name)
        if claim["part"] and beside is None:
            raise CertificateError(f"{where}: its parts lie in other files, which are not at hand here", file=name)
        first, parts = 0, []
        for count, digest, file in claim["part"]:
            assert beside is not None
            parts.append(_part(found, claim, first, count, digest, file, beside, name))
            first += count
        if parts:
            layers: Layers = claim["layers"]
            claim["layers"] = Layers(layers.positions, layers.moves, layers.images, layers.closed, tuple(parts))
    return found


def _part(
    found: Mapping[str, Any],
    claim: Mapping[str, Any],
    first: int,
    count: int,
    digest: str,
    file: str,
    beside: Beside,
    name: str,
) -> Layers:
    """A part of a claim, once it has turned out to be the one that is cited."""
    data = beside(file)
    if sha256(data).hexdigest() != digest:
        raise CertificateError(f"{file} is not the part that is cited: its SHA-256 differs", file=name)
    part = _parse(data, file)
    (only,) = part["claims"] if len(part["claims"]) == 1 else ({},)
    same = all(only.get(word) == claim.get(word) for word in (*_WHAT, "after", "images", "closed"))
    if not same or any(part.get(word) != found.get(word) for word in ("target", "digest")):
        raise CertificateError(f"{file} is part of another claim", file=name)
    if only.get("continues") != f"{claim['sha256']} {first}" or only["part"]:
        raise CertificateError(f"{file} is another part, expected the one from position {first} on", file=name)
    layers: Layers = only["layers"]
    if (layers.positions[0] if layers.positions else 0) != count:
        raise CertificateError(f"{file} does not begin with {counted(count, 'position')}", file=name)
    return layers


def _parse(data: bytes, name: str) -> dict[str, Any]:
    """What one file says."""
    head, blank, rest = data.partition(b"\n\n")
    if not data.startswith(MAGIC) or not blank:
        raise CertificateError("a certificate of version 2 without its head, which ends with an empty line", file=name)
    try:
        lines = head.decode().split("\n")
    except UnicodeDecodeError as error:
        raise CertificateError(f"not UTF-8 at byte {error.start}", file=name) from None
    found: dict[str, Any] = {"claims": []}
    for number, line in enumerate(lines[1:], 2):
        try:
            _take(found, line)
        except ValueError as error:
            raise CertificateError(str(error), file=name, line=number) from None
    for number, claim in enumerate(found["claims"], 1):
        rest = _take_moves(claim, rest, f"claim {number}", name)
    if rest:
        raise CertificateError(f"{counted(len(rest), 'byte')} after the last move", file=name)
    return found


def _take(found: dict[str, Any], line: str) -> None:
    """Adds what a line of the head says."""
    match = _LINE.fullmatch(line)
    if match is None:
        raise ValueError(f"expected a word and what it says, found {line[:40]!r}")
    word, said = match[1], match[2]
    into = found["claims"][-1] if found["claims"] else found
    if word == "claim":
        found["claims"].append({"after": [], "closed": [], "layer": [], "part": []})
    elif said is None:
        raise ValueError(f"{word} says nothing")
    elif word in ("target", "digest") and into is found and word not in into:
        into[word] = said
    elif into is found:
        raise ValueError(f"{line[:40]!r} has no place here")
    elif word == "after" or (word == "closed" and said not in into["closed"]):
        into[word].append(said)
    elif word == "layer":
        sizes = _said(_SIZES, said, line, "layer POSITIONS MOVES")
        into["layer"].append((int(sizes[1]), int(sizes[2])))
    elif word == "part":
        cited = _said(_PART, said, line, "part POSITIONS SHA256 FILE")
        into["part"].append((int(cited[1]), cited[2], cited[3]))
    elif word in _ONCE and word not in into:
        if word == "continues":
            _said(_CONTINUES, said, line, "continues SHA256 POSITION")
        into[word] = said
    else:
        raise ValueError(f"{line[:40]!r} has no place here")


def _said(shape: re.Pattern[str], said: str, line: str, expected: str) -> re.Match[str]:
    match = shape.fullmatch(said)
    if match is None:
        raise ValueError(f"expected `{expected}`, found {line[:40]!r}")
    return match


def _take_moves(claim: dict[str, Any], rest: bytes, where: str, name: str) -> bytes:
    """Cuts the moves of a claim off the bytes that are left."""
    ruled = "rule" in claim
    needed = (*_WHAT, "data") if ruled else (*_WHAT, "width", "sha256")
    missing = [word for word in needed if word not in claim]
    if missing:
        raise CertificateError(f"{where}: no {missing[0]}", file=name)
    if ruled:
        _take_rule(claim, where, name)
        return rest
    if "data" in claim:
        raise CertificateError(f"{where}: data without a rule", file=name)
    if claim["width"] not in ("1", "2"):
        raise CertificateError(f"{where}: a width of {claim['width'][:20]} bytes, expected 1 or 2", file=name)
    width = int(claim["width"])
    size = width * sum(moves for _, moves in claim["layer"])
    if len(rest) < size:
        raise CertificateError(f"{where}: cut short, {size - len(rest)} bytes of moves are missing", file=name)
    if sha256(rest[:size]).hexdigest() != claim["sha256"]:
        raise CertificateError(f"{where}: the moves are not those that were written: the checksum differs", file=name)
    view, made, at = memoryview(rest), [], 0
    for _, count in claim["layer"]:
        part = bytes(view[at : at + width * count])
        made.append(part if width == 2 else _widened(part))
        at += width * count
    positions = tuple(positions for positions, _ in claim["layer"])
    claim["layers"] = Layers(positions, tuple(made), claim.get("images", ""), tuple(claim["closed"]))
    return rest[size:]


def _take_rule(claim: dict[str, Any], where: str, name: str) -> None:
    """Reads the data of a rule."""
    others = ("width", "sha256", "images", "continues", "closed", "layer", "part")
    if any(claim.get(word) for word in others):
        raise CertificateError(f"{where}: a rule and layers, expected one of them", file=name)
    try:
        claim["data"] = json.loads(claim["data"])
    except (ValueError, RecursionError):
        raise CertificateError(f"{where}: its data are not JSON", file=name) from None
    claim["layers"] = None


def _widened(single: bytes) -> bytes:
    wide = bytearray(2 * len(single))
    wide[::2] = single
    return bytes(wide)
