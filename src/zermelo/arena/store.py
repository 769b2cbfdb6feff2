"""Results on disk: an SQLite file with one row for each finished game, safe against kill -9 and against company.

A game is in the store from the moment its row is committed, or not at all. Processes that work on the same store
claim games before they play them; a claim lasts as long as its process lives and says so now and then. What a process
has claimed and not finished when it dies is free again.

>>> from zermelo.arena.record import GameRecord
>>> store = Store(":memory:")
>>> store.claim("pairing", first=0, end=3, most=2)
[0, 1]
>>> store.claim("pairing", first=0, end=3, most=2)
[2]
>>> record = GameRecord("g", ("a", "b"), 1, 1, "1s", "", ("1", "0"), 7, (9, 9), (9, 9), (1.0, 1.0))
>>> store.add("pairing", Played(record, round=2, alone=False))
True
>>> store.release()
>>> store.claim("pairing", first=0, end=3, most=9)
[0, 2]
"""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from zermelo.arena.record import GameRecord
from zermelo.errors import InputError

FORMAT = 1
"""Kept in the file: a store of another format is refused."""
APPLICATION = 0x5A524D4C
"""Kept in the file's header, so that no other database is taken for a store."""
PATIENCE = 60.0
"""Seconds that a process waits for another to let go of the file."""
EXPIRY = 120.0
"""Seconds without a sign of life after which claims of a process that cannot be looked at are void."""

_SCHEMA = """
CREATE TABLE plan (id INTEGER PRIMARY KEY CHECK (id = 1), file TEXT NOT NULL, text TEXT NOT NULL);
CREATE TABLE games (
    pairing TEXT NOT NULL, number INTEGER NOT NULL, game TEXT NOT NULL, players TEXT NOT NULL, seed INTEGER NOT NULL,
    clock TEXT NOT NULL, version TEXT NOT NULL, scores TEXT NOT NULL, steps INTEGER NOT NULL,
    simulations TEXT NOT NULL, nodes TEXT NOT NULL, seconds TEXT NOT NULL, cut INTEGER NOT NULL,
    round INTEGER NOT NULL, alone INTEGER NOT NULL, finished TEXT NOT NULL DEFAULT (datetime('now')),
    cpu_seconds TEXT NOT NULL DEFAULT '[]', PRIMARY KEY (pairing, number)
) WITHOUT ROWID;
CREATE TABLE processes (
    id INTEGER PRIMARY KEY, machine TEXT NOT NULL, pid INTEGER NOT NULL, born TEXT NOT NULL, seen REAL NOT NULL
);
CREATE TABLE claims (
    pairing TEXT NOT NULL, number INTEGER NOT NULL, process INTEGER NOT NULL REFERENCES processes ON DELETE CASCADE,
    PRIMARY KEY (pairing, number)
) WITHOUT ROWID;
CREATE TABLE failures (
    pairing TEXT NOT NULL, number INTEGER NOT NULL, message TEXT NOT NULL, PRIMARY KEY (pairing, number)
) WITHOUT ROWID;
"""
_COLUMNS = (
    "number, game, players, seed, clock, version, scores, steps, simulations, nodes, seconds, cut, round, alone, "
    "cpu_seconds"
)


@dataclass(frozen=True)
class Played:
    """A finished game with what it is part of: the number of games in a round, and whether players play alone."""

    record: GameRecord
    round: int
    alone: bool


@dataclass(frozen=True)
class Process:
    """A process, told from all others: also from one that has its number after it, or on another machine."""

    machine: str
    pid: int
    born: str


class Store:
    """The results of a plan. Every call is a transaction of its own."""

    def __init__(self, path: str | Path, *, create: bool = True):
        self.file = str(path)
        if not create and not Path(path).is_file():
            raise InputError("no such store", file=self.file)
        self._process: int | None = None
        with self._told():
            # Autocommit: transactions are opened by hand, so that each takes the lock before it looks.
            self._base = sqlite3.connect(self.file, timeout=PATIENCE, isolation_level=None)
            self._open()

    def _open(self) -> None:
        self._base.execute("PRAGMA foreign_keys = ON")
        with self._transaction():
            (kind,) = self._base.execute("PRAGMA application_id").fetchone()
            (form,) = self._base.execute("PRAGMA user_version").fetchone()
            (tables,) = self._base.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            if kind == 0 and tables == 0:
                for statement in _SCHEMA.split(";\n"):
                    self._base.execute(statement)
                self._base.execute(f"PRAGMA application_id = {APPLICATION}")
                self._base.execute(f"PRAGMA user_version = {FORMAT}")
            elif kind != APPLICATION:
                raise InputError("a database, but no store of results", file=self.file)
            elif form != FORMAT:
                raise InputError(f"a store of format {form}, expected {FORMAT}", file=self.file)
            elif "cpu_seconds" not in {name for _, name, *_ in self._base.execute("PRAGMA table_info(games)")}:
                # Of an earlier version, which reads it afterwards as well.
                self._base.execute("ALTER TABLE games ADD COLUMN cpu_seconds TEXT NOT NULL DEFAULT '[]'")
        # The log makes readers and a writer independent. It is synchronised at checkpoints: a power failure may cost
        # the last games, which are then played again, but never the file.
        self._keep_log()
        self._base.execute("PRAGMA synchronous = NORMAL")

    def _keep_log(self) -> None:
        # Where others open the file at this moment SQLite says so at once, without the patience it has elsewhere.
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self._base.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                    raise
                time.sleep(0.01)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Gives up all claims and closes the file."""
        try:
            self.release()
        finally:
            self._base.close()

    def keep_plan(self, file: str, text: str) -> None:
        """Writes down the plan, so that the store can be resumed and reported without its file."""
        with self._told(), self._transaction():
            self._base.execute("INSERT OR REPLACE INTO plan VALUES (1, ?, ?)", (_plain(file), text))

    def plan(self) -> tuple[str, str]:
        """The plan that was run last: the name of its file and its text.

        >>> Store(":memory:").plan()
        Traceback (most recent call last):
            ...
        zermelo.errors.InputError: :memory:: no plan has been run on this store
        """
        with self._told():
            found = self._base.execute("SELECT file, text FROM plan").fetchone()
        if found is None:
            raise InputError("no plan has been run on this store", file=self.file)
        return str(found[0]), str(found[1])

    def games(self, pairing: str, first: int = 0, end: int | None = None) -> list[Played]:
        """Finished games of a pairing in the order of their numbers, from ``first`` to below ``end``."""
        with self._told():
            rows = self._base.execute(
                f"SELECT {_COLUMNS} FROM games WHERE pairing = ? AND number >= ? AND number < ? ORDER BY number",
                (pairing, first, (1 << 62) if end is None else end),
            ).fetchall()
        return [_played(row) for row in rows]

    def versions(self, pairing: str) -> list[str]:
        """Which code played the games of a pairing."""
        with self._told():
            rows = self._base.execute("SELECT DISTINCT version FROM games WHERE pairing = ?", (pairing,)).fetchall()
        return [str(version) for (version,) in rows]

    def add(self, pairing: str, played: Played) -> bool:
        """Keeps a finished game and ends its claim; false where another process was faster."""
        record = played.record
        row = (
            pairing, record.number, _plain(record.game), json.dumps(record.players), record.seed, record.clock,
            record.commit, json.dumps(record.scores), record.steps, json.dumps(record.simulations),
            json.dumps(record.nodes), json.dumps(record.seconds), int(record.cut), played.round, int(played.alone),
            json.dumps(record.cpu_seconds),
        )  # fmt: skip
        marks = ", ".join("?" * len(row))
        with self._told(), self._transaction():
            written = self._base.execute(f"INSERT OR IGNORE INTO games (pairing, {_COLUMNS}) VALUES ({marks})", row)
            for table in ("claims", "failures"):
                self._base.execute(f"DELETE FROM {table} WHERE pairing = ? AND number = ?", (pairing, record.number))
            return written.rowcount == 1

    def fail(self, pairing: str, number: int, message: str) -> None:
        """Notes why a game could not be played to its end, and ends its claim."""
        with self._told(), self._transaction():
            self._base.execute("INSERT OR REPLACE INTO failures VALUES (?, ?, ?)", (pairing, number, message))
            self._base.execute("DELETE FROM claims WHERE pairing = ? AND number = ?", (pairing, number))

    def failures(self, pairing: str) -> list[tuple[int, str]]:
        """The games of a pairing that could not be played, each with the reason.

        >>> store = Store(":memory:")
        >>> store.fail("pairing", 3, "no rules")
        >>> store.failures("pairing")
        [(3, 'no rules')]
        """
        with self._told():
            return self._base.execute(
                "SELECT number, message FROM failures WHERE pairing = ? ORDER BY number", (pairing,)
            ).fetchall()

    def claim(self, pairing: str, first: int, end: int, most: int) -> list[int]:
        """Takes up to ``most`` games, numbered from ``first`` to below ``end``, that nobody has finished or claimed."""
        with self._told(), self._transaction():
            self._drop_the_dead()
            taken = {
                number
                for table in ("games", "claims")
                for (number,) in self._base.execute(
                    f"SELECT number FROM {table} WHERE pairing = ? AND number >= ? AND number < ?",
                    (pairing, first, end),
                )
            }
            free: list[int] = []
            for number in range(first, end):
                if len(free) == most:
                    break
                if number not in taken:
                    free.append(number)
            process = self._registered()
            self._base.executemany("INSERT INTO claims VALUES (?, ?, ?)", [(pairing, n, process) for n in free])
            return free

    def show_life(self) -> None:
        """To be called every few seconds, so that other machines know that the claims of this process stand."""
        with self._told(), self._transaction():
            self._registered()

    def release(self) -> None:
        """Gives up all claims of this process."""
        if self._process is not None:
            with self._told(), self._transaction():
                self._base.execute("DELETE FROM processes WHERE id = ?", (self._process,))
                self._process = None

    def _registered(self) -> int:
        """The number of this process in the store; if others took it for dead, it begins anew."""
        now = time.time()
        if self._process is not None:
            seen = self._base.execute("UPDATE processes SET seen = ? WHERE id = ?", (now, self._process))
            if seen.rowcount == 1:
                return self._process
        me = this_process()
        made = self._base.execute(
            "INSERT INTO processes (machine, pid, born, seen) VALUES (?, ?, ?, ?)", (me.machine, me.pid, me.born, now)
        )
        self._process = int(made.lastrowid or 0)
        return self._process

    def _drop_the_dead(self) -> None:
        now, here = time.time(), this_process().machine
        for number, machine, pid, born, seen in self._base.execute("SELECT * FROM processes").fetchall():
            known = Process(machine, pid, born)
            gone = not is_alive(known) if machine == here else abs(now - seen) > EXPIRY
            if gone and number != self._process:
                self._base.execute("DELETE FROM processes WHERE id = ?", (number,))

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._base.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._base.execute("COMMIT")
        except BaseException:
            if self._base.in_transaction:
                self._base.execute("ROLLBACK")
            raise

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What the database complains about, in one line with the name of the file."""
        try:
            yield
        except sqlite3.Error as error:
            raise InputError(f"cannot be used as a store: {error}", file=self.file) from None


def _played(row: Sequence[object]) -> Played:
    number, game, players, seed, clock, version, scores, steps, simulations, nodes, seconds, cut, games, alone, cpu = (
        row
    )
    many = [tuple(json.loads(str(text))) for text in (players, scores, simulations, nodes, seconds, cpu)]
    record = GameRecord(
        str(game), many[0], _int(number), _int(seed), str(clock), str(version), many[1], _int(steps), many[2], many[3],
        many[4], bool(cut), many[5],
    )  # fmt: skip
    return Played(record, _int(games), bool(alone))


def _plain(name: str) -> str:
    """A name as text that a database takes: names of files need not be text."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


def _int(value: object) -> int:
    assert isinstance(value, int)
    return value


def this_process() -> Process:
    """The process that asks.

    >>> is_alive(this_process())
    True
    """
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        machine = f"{boot} {Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        machine = socket.gethostname()
    return Process(machine, os.getpid(), _born(os.getpid()))


def is_alive(process: Process) -> bool:
    """Whether a process of this machine still runs; one that has only its number is another.

    >>> me = this_process()
    >>> is_alive(Process(me.machine, me.pid, "at another time"))
    False
    """
    try:
        os.kill(process.pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it runs, but belongs to somebody else
        pass
    return _born(process.pid) == process.born


def _born(pid: int) -> str:
    """When a process began, in the units of its machine; empty where the system does not tell."""
    try:
        told = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    state, *fields = told.rpartition(")")[2].split()
    return "dead" if state == "Z" else fields[18]
