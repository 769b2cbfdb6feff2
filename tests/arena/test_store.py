"""The store: what is finished stays, what is claimed is nobody else's, what the dead have claimed is free."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from zermelo.arena.record import GameRecord
from zermelo.arena.store import EXPIRY, Played, Process, Store, is_alive, this_process
from zermelo.errors import InputError


def game(number: int) -> Played:
    """A finished game."""
    record = GameRecord(
        "gdl:nim", ("a(x=1,y=2)", "b"), number, 7, "9sims", "abc", ("1/3", "2/3"), 5, (9, 8), (7, 6), (0.5, 0.25), True
    )
    return Played(record, 2, False)


def test_what_is_written_is_what_is_read(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite") as store:
        assert store.add("p", game(4))
        assert store.add("p", game(2))
        assert store.add("q", game(0))
    with Store(tmp_path / "s.sqlite", create=False) as store:
        assert store.games("p") == [game(2), game(4)]
        assert store.games("p", 3) == [game(4)]
        assert store.games("p", 0, 4) == [game(2)]
        assert store.versions("p") == ["abc"]


def test_a_game_is_kept_once(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite") as store:
        assert store.add("p", game(0))
        assert not store.add("p", game(0))
        assert len(store.games("p")) == 1


def test_two_processes_never_claim_the_same_game(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite") as one, Store(tmp_path / "s.sqlite") as other:
        assert one.claim("p", 0, 10, 3) == [0, 1, 2]
        assert other.claim("p", 0, 10, 3) == [3, 4, 5]
        one.add("p", game(1))
        one.release()
        assert other.claim("p", 0, 10, 3) == [0, 2, 6]
        assert other.claim("q", 0, 2, 3) == [0, 1]


def test_many_openers_at_once(tmp_path: Path) -> None:
    def work(place: int) -> list[int]:
        with Store(tmp_path / "s.sqlite") as store:
            mine = []
            while some := store.claim("p", 0, 60, 2):
                for number in some:
                    assert store.add("p", game(number))
                    mine.append(number)
            return mine

    with ThreadPoolExecutor(6) as threads:
        found = list(threads.map(work, range(6)))
    assert sorted(number for some in found for number in some) == list(range(60))


def test_claims_of_a_process_that_was_killed_are_free(tmp_path: Path) -> None:
    code = (
        "import os, signal, sys; from zermelo.arena.store import Store; s = Store(sys.argv[1]); "
        "print(s.claim('p', 0, 9, 4), flush=True); os.kill(os.getpid(), signal.SIGKILL)"
    )
    path = tmp_path / "s.sqlite"
    found = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False)
    assert found.stdout.strip() == "[0, 1, 2, 3]"
    with Store(path) as store:
        assert store.claim("p", 0, 9, 2) == [0, 1]


def test_claims_from_another_machine_last_until_it_has_been_silent_for_long(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    with Store(path) as elsewhere, Store(path) as here:
        elsewhere.claim("p", 0, 2, 1)
        with sqlite3.connect(path) as base:
            base.execute("UPDATE processes SET machine = 'far', pid = 1")
        assert here.claim("p", 0, 2, 1) == [1]
        with sqlite3.connect(path) as base:
            base.execute("UPDATE processes SET seen = seen - ? WHERE machine = 'far'", (2 * EXPIRY,))
        assert here.claim("p", 0, 2, 1) == [0]
        assert elsewhere.claim("p", 0, 4, 1) == [2]


def test_a_process_with_the_number_of_a_dead_one_is_another() -> None:
    me = this_process()
    assert is_alive(me)
    assert not is_alive(Process(me.machine, me.pid, "0"))
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    assert not is_alive(Process(me.machine, gone.pid, me.born))


def test_a_failure_is_forgotten_when_the_game_is_played(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite") as store:
        store.fail("p", 0, "no luck")
        assert store.failures("p") == [(0, "no luck")]
        store.add("p", game(0))
        assert store.failures("p") == []


def test_files_that_are_no_stores_are_refused(tmp_path: Path) -> None:
    text, other, newer = (tmp_path / name for name in ("text", "other", "newer"))
    text.write_text("hello " * 100, encoding="utf-8")
    with sqlite3.connect(other) as base:
        base.execute("CREATE TABLE t (x)")
    Store(newer).close()
    with sqlite3.connect(newer) as base:
        base.execute("PRAGMA user_version = 99")
    for path, said in [
        (text, "cannot be used as a store: file is not a database"),
        (other, "a database, but no store of results"),
        (newer, "a store of format 99, expected 1"),
        (tmp_path / "no" / "folder", "cannot be used as a store: unable to open database file"),
    ]:
        with pytest.raises(InputError) as told:
            Store(path)
        assert str(told.value) == f"{path}: {said}"
    with pytest.raises(InputError, match="no such store"):
        Store(tmp_path / "nothing", create=False)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_store_that_cannot_be_written_is_told_in_one_line(tmp_path: Path) -> None:
    Store(tmp_path / "s.sqlite").close()
    (tmp_path / "s.sqlite").chmod(0o400)
    with pytest.raises(InputError, match="cannot be used as a store"):
        Store(tmp_path / "s.sqlite").claim("p", 0, 1, 1)


def test_names_of_files_need_not_be_text() -> None:
    with Store(":memory:") as store:
        played = game(0)
        store.add("p", Played(replace(played.record, game="\udcff.kif"), 2, False))
        store.keep_plan("\udcff.toml", "text")
        assert store.games("p")[0].record.game == "\\udcff.kif"
        assert store.plan() == ("\\udcff.toml", "text")
