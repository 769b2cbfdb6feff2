"""Valid text made wrong, as disks, editors and people make it wrong."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import Any

TOKENS = ("0", "-1", "1", "2", "10", "999999999999999999999", "1e999999999", "0.5", "1/0", "1/3", "NaN", "null", "true",
          "[]", "{}", '""', "[[", "}", ",", ":", ";", "\n", " ", "\t", "\r", "#", "\x00", "\x1f", "\x85", "\u2028", "é",
          "٣", "\ud7ff", "\U0001f600", "\ufeff", "first", "second", "nobody", "9" * 5000)  # fmt: skip
"""What is written over or into a text: numbers of every kind, brackets, line ends of every kind, odd characters."""


def damaged_text(text: str, rng: random.Random) -> str:
    """The text with one to three small changes."""
    for _ in range(rng.randint(1, 3)):
        text = _change(text, rng)
    return text


def _change(text: str, rng: random.Random) -> str:
    begin = rng.randint(0, len(text))
    end = min(len(text), begin + rng.choice((0, 1, 1, 2, 8, 40)))
    numbers = list(re.finditer(r"\d+", text))
    kind = rng.randrange(6)
    if kind == 0 and numbers:
        found = rng.choice(numbers)
        number = int(found.group()[:18]) + rng.choice((-1, 1, -2, 10))
        return f"{text[: found.start()]}{number}{text[found.end() :]}"
    if kind == 1:
        return text[:begin] + text[end:]
    if kind == 2:
        return text[:end] + text[begin:end] + text[end:]
    if kind == 3:
        return text[:begin] + rng.choice(TOKENS) + text[end:]
    if kind == 4 and begin < len(text):
        return text[:begin] + chr(ord(text[begin]) ^ (1 << rng.randrange(7))) + text[begin + 1 :]
    return text[:begin] + chr(rng.choice((rng.randrange(128), rng.randrange(0xD800)))) + text[begin:]


def rearranged_text(text: str, rng: random.Random) -> str:
    """The text with one or two words or lines twice, left out, or in the place of others: often it is still valid."""
    for _ in range(rng.randint(1, 2)):
        pieces = re.split(rng.choice((r"(\s+)", r"(\n)", r"(\W)", r"(\b)")), text)
        place, other = rng.randrange(len(pieces)), rng.randrange(len(pieces))
        kind = rng.randrange(4)
        if kind == 0:
            pieces[place], pieces[other] = pieces[other], pieces[place]
        elif kind == 1:
            pieces[place] = pieces[other]
        elif kind == 2:
            del pieces[place]
        else:
            pieces.insert(place, pieces[other])
        text = "".join(pieces)
    return text


def damaged_bytes(data: bytes, rng: random.Random) -> bytes:
    """The bytes with some flipped, cut off or added."""
    changed = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        place = rng.randint(0, len(changed))
        kind = rng.randrange(3)
        if kind == 0 and place < len(changed):
            changed[place] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del changed[place : place + rng.choice((1, 3, 50))]
        else:
            changed[place:place] = rng.randbytes(rng.choice((1, 2, 5)))
    return bytes(changed)


def random_text(rng: random.Random) -> str:
    """A text of tokens and characters with no plan at all."""
    return "".join(
        rng.choice(TOKENS) if rng.random() < 0.5 else chr(rng.randrange(128)) for _ in range(rng.randrange(20))
    )


def damaged_json(data: Any, rng: random.Random) -> Any:
    """The JSON value with something in it dropped, swapped or replaced."""
    data = json.loads(json.dumps(data))
    places = list(_places(data))
    if not places:
        return None
    holder, key = rng.choice(places)
    other, other_key = rng.choice(places)
    kind = rng.randrange(4)
    if kind == 0:
        del holder[key]
    elif kind == 1:
        holder[key] = rng.choice((None, True, 0, 1, -1, 10**30, 0.5, "", "0", "1", "1/2", [], {}, ["0", 1]))
    elif kind == 2 and isinstance(holder[key], int) and not isinstance(holder[key], bool):
        holder[key] += rng.choice((-1, 1, 5))
    else:
        # Copies, so that swapping a value with one inside it makes no circle.
        first, second = json.dumps(holder[key]), json.dumps(other[other_key])
        other[other_key] = json.loads(first)
        holder[key] = json.loads(second)
    return data


def _places(data: Any) -> Iterator[tuple[Any, Any]]:
    todo = [data]
    while todo:
        holder = todo.pop()
        keys: Any = list(holder) if isinstance(holder, dict) else range(len(holder))
        for key in keys:
            yield holder, key
            if isinstance(holder[key], dict | list):
                todo.append(holder[key])
