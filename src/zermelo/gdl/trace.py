"""Recorded walks through a rulesheet: written, read, and compared with what a reasoner says.

A walk is a file of JSON objects, one a line (compressed where its name ends in ``.gz``): a ``game`` record with the
roles; for each state its facts, whether play is over, the goal values and legal moves of each role, the joint move
that was made and, in GDL-II, what each role saw of it; an ``end`` record, or ``error`` where the recording broke off.

>>> from zermelo.gdl.kif import read_kif
>>> from zermelo.gdl.reasoner import Reasoner
>>> text = "(role a) (legal a go) (<= (next done) (does a go)) (<= terminal (true done)) (goal a 1)"
>>> rules = Reasoner(read_kif(text))
>>> lines = list(walks(rules, playouts=1, seed=7))
>>> lines[1]
'{"type":"state","p":0,"t":0,"state":[],"terminal":false,"goal":[["1"]],"legal":[["go"]],"move":["go"]}'
>>> print(replay(rules, lines))
ok 2 states
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, Protocol

from zermelo.errors import InputError
from zermelo.gdl.kif import read_term
from zermelo.gdl.reasoner import State


class StateMachine(Protocol):
    """Whatever answers what a rulesheet says of a state; terms are KIF text."""

    roles: tuple[str, ...]

    def start(self) -> State: ...
    def terminal(self, state: State) -> bool: ...
    def legal(self, state: State, role: str) -> list[str]: ...
    def goals(self, state: State, role: str) -> list[str]: ...
    def next(self, state: State, joint: Sequence[str]) -> State: ...
    def sees(self, state: State, joint: Sequence[str], role: str) -> list[str]: ...


@dataclass(frozen=True)
class Difference:
    """Where the rules and a record part."""

    line: int
    playout: int
    step: int
    what: str
    recorded: str
    found: str
    state: State = ()

    def __str__(self) -> str:
        lines = [f"line {self.line}, playout {self.playout}, step {self.step}: {self.what}"]
        lines += [f"  in the record: {self.recorded}", f"  by the rules:  {self.found}"]
        if self.state:
            lines.append(f"  in the state:  {' '.join(self.state)}")
        return "\n".join(lines)


@dataclass(frozen=True)
class Replay:
    """What came of a replay: how many states were compared, and the first difference if there is one."""

    states: int
    difference: Difference | None = None
    note: str = ""

    def __str__(self) -> str:
        if self.difference is not None:
            return str(self.difference)
        return f"ok {self.states} states" + (f" ({self.note})" if self.note else "")


def read_lines(path: Path) -> Iterator[str]:
    """The lines of a recorded walk, one at a time; what cannot be read raises :class:`InputError`."""
    try:
        packed = path.suffix.lower() == ".gz"
        with gzip.open(path, "rt", encoding="utf-8") if packed else path.open(encoding="utf-8") as file:
            yield from file
    except UnicodeDecodeError:
        raise InputError("not text in UTF-8", file=str(path)) from None
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(getattr(error, "strerror", None) or str(error), file=str(path)) from None


def replay(rules: StateMachine, lines: Iterable[str], file: str = "<trace>") -> Replay:
    """Compares a recorded walk with the rules, up to the first difference.

    Terms are compared, not their spelling, and lists without regard to order. A line that is no record raises
    :class:`InputError`.
    """
    states = 0
    note = ""
    expected: tuple[int, int, State] | None = None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        record = _Record.read(line, file, number)
        if record.type == "game":
            said = record.texts("roles")
            difference = record.differs("the roles", list(rules.roles), said)
            if difference is None and said != list(rules.roles):
                difference = record.difference("the order of the roles", " ".join(said), " ".join(rules.roles))
        elif record.type == "state":
            states += 1
            difference, expected = _compare(rules, record, expected)
        else:
            note = f"the recording broke off: {record.value.get('error', 'error')}" if record.type == "error" else note
            continue
        if difference is not None:
            return Replay(states, difference)
    return Replay(states, None, note)


_Expected = tuple[int, int, State]
"""A playout, a step, and the state that the rules say comes there."""


def _compare(
    rules: StateMachine, record: _Record, expected: _Expected | None
) -> tuple[Difference | None, _Expected | None]:
    """The first difference at a recorded state, else the state that should come next."""
    state = tuple(sorted(set(record.texts("state"))))
    joint = record.texts("move", len(rules.roles)) if "move" in record.value else None
    before = rules.start() if record.step == 0 else None
    if expected is not None and expected[:2] == (record.playout, record.step):
        before = expected[2]
    if before is not None and (found := record.differs("the facts of the state", list(before), list(state))):
        return found, None
    for difference in _differences(rules, record, state, joint):
        if difference is not None:
            return difference, None
    return None, None if joint is None else (record.playout, record.step + 1, rules.next(state, joint))


def _differences(
    rules: StateMachine, record: _Record, state: State, joint: Sequence[str] | None
) -> Iterator[Difference | None]:
    """Every comparison at a recorded state, made one after the other."""
    said = record.value.get("terminal")
    if (terminal := rules.terminal(state)) != said:
        yield record.difference("whether play is over", json.dumps(said), json.dumps(terminal), state)
    for key, words, ask in (("goal", "the goal values", rules.goals), ("legal", "the legal moves", rules.legal)):
        for role, texts in record.by_role(key, rules.roles):
            yield record.differs(f"{words} of {role}", ask(state, role), texts, state)
    if joint is None:
        return
    for role, move in zip(rules.roles, joint, strict=True):
        if move not in rules.legal(state, role):
            yield record.difference(f"the move of {role}", move, "not legal", state)
    for role, texts in record.by_role("sees", rules.roles):
        yield record.differs(f"the percepts of {role}", rules.sees(state, joint, role), texts, state)


@dataclass(frozen=True)
class _Record:
    """One line of a recorded walk; whatever is not as it should be raises :class:`InputError` with its place."""

    value: dict[str, Any]
    file: str
    line: int

    @classmethod
    def read(cls, text: str, file: str, line: int) -> _Record:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError) as error:
            column = getattr(error, "colno", 1)
            raise InputError("not a JSON object", file=file, line=line, column=column) from None
        record = cls(value if isinstance(value, dict) else {}, file, line)
        if record.type not in ("game", "state", "end", "error"):
            raise record.wrong(f"a record of type {record.type!r}, expected game, state, end or error")
        return record

    @property
    def type(self) -> object:
        return self.value.get("type")

    @property
    def playout(self) -> int:
        return self.number("p")

    @property
    def step(self) -> int:
        return self.number("t")

    def number(self, key: str) -> int:
        found = self.value.get(key)
        if not isinstance(found, int):
            raise self.wrong(f"{key} is {json.dumps(found)}, expected a whole number")
        return found

    def texts(self, key: str, length: int | None = None) -> list[str]:
        return self.terms(key, self.value.get(key), length)

    def by_role(self, key: str, roles: Sequence[str]) -> list[tuple[str, list[str]]]:
        """The lists of terms of each role; none where the record is silent about them."""
        found = self.value.get(key)
        if found is None:
            return []
        if not isinstance(found, list) or len(found) != len(roles):
            raise self.wrong(f"{key} is not a list for each of {len(roles)} roles")
        return [(role, self.terms(key, part)) for role, part in zip(roles, found, strict=True)]

    def terms(self, key: str, found: object, length: int | None = None) -> list[str]:
        if not isinstance(found, list) or (length is not None and len(found) != length):
            raise self.wrong(f"{key} is not a list of {'' if length is None else f'{length} '}terms")
        if not all(isinstance(text, str | int) for text in found):
            raise self.wrong(f"{key} holds something else than terms")
        try:
            return [canonical(str(text)) for text in found]
        except InputError as error:
            raise self.wrong(f"{key} holds something else than terms: {error.message}") from None

    def differs(self, what: str, found: list[str], recorded: list[str], state: State = ()) -> Difference | None:
        """The difference between two sets of terms, if there is one."""
        if sorted(set(found)) == sorted(set(recorded)):
            return None
        both = len(set(found) & set(recorded))
        more = " (only there)" if both else ""
        only = [" ".join(sorted(set(one) - set(two))) for one, two in ((recorded, found), (found, recorded))]
        one, two = (text + more if text else "nothing" + (" more" if both else "") for text in only)
        return self.difference(f"{what} differ" + (f" ({both} in common)" if both else ""), one, two, state)

    def difference(self, what: str, recorded: str, found: str, state: State = ()) -> Difference:
        place = (self.playout, self.step) if self.type == "state" else (0, 0)
        return Difference(self.line, *place, what, recorded, found, state)

    def wrong(self, message: str) -> InputError:
        return InputError(message, file=self.file, line=self.line, column=1)


@lru_cache(maxsize=1 << 16)
def canonical(text: str) -> str:
    """The one way to write a ground term.

    >>> canonical("( mark  1 (b) )")
    '(mark 1 b)'
    """
    return str(read_term(text))


def walks(
    rules: StateMachine,
    playouts: int = 1,
    seed: int = 0,
    steps: int = 1000,
    percepts: bool = False,
    about: dict[str, Any] | None = None,
) -> Iterator[str]:
    """The lines of random walks from the start, each at most so many steps long; the same for the same seed.

    ``percepts`` records what the roles see; ``about`` goes into the first record.
    """
    random = Random(seed)
    yield _line({"type": "game", **(about or {}), "roles": list(rules.roles)})
    states = 0
    cut = False
    for playout in range(playouts):
        state = rules.start()
        for step in range(steps + 1):
            record = _recorded(rules, state, {"p": playout, "t": step})
            states += 1
            stuck = [role for role, moves in zip(rules.roles, record.get("legal", ()), strict=False) if not moves]
            if record["terminal"] or stuck or step == steps:
                if not record["terminal"]:
                    record["stop"] = "stuck" if stuck else "cut"
                    cut = cut or not stuck
                yield _line(record)
                break
            joint = [random.choice(moves) for moves in record["legal"]]
            record["move"] = joint
            if percepts:
                record["sees"] = [rules.sees(state, joint, role) for role in rules.roles]
            yield _line(record)
            state = rules.next(state, joint)
    yield _line({"type": "end", "playouts": playouts, "states": states, "cut": cut})


def _recorded(rules: StateMachine, state: State, place: dict[str, int]) -> dict[str, Any]:
    terminal = rules.terminal(state)
    goals = [rules.goals(state, role) for role in rules.roles]
    record: dict[str, Any] = {"type": "state", **place, "state": list(state), "terminal": terminal, "goal": goals}
    if not terminal:
        record["legal"] = [rules.legal(state, role) for role in rules.roles]
    return record


def _line(record: dict[str, Any]) -> str:
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False)
