"""Kills arena runs at random moments, resumes them, and compares the results with those of a run without a break.

    python -m tests.arena.kills --kills 50 --seed 1

Every killed process is a real one with its pool of workers, and gets the signal that nothing can catch (SIGKILL). What
is left of the run afterwards is checked, too: its workers have to end by themselves.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

PLAN = """store = "{store}"
[defaults]
clock = "60sims"
seed = 3
[[pairing]]
game = ["gdl:tictactoe", "gdl:orchard:3,4,5"]
players = ["uct", "random"]
games = {games}
[[pairing]]
game = "gdl:hex:4"
players = ["uct(exploration=0.4)", "uct(exploration=1)"]
sprt = {{elo0 = 0, elo1 = 15, games = {games}}}
[[pairing]]
game = "gdl:connectfour:4,4,3"
players = ["mac-ucb", "uct"]
games = {games}
"""
COUNTED = "pairing, number, game, players, seed, clock, scores, steps, simulations, nodes, cut, round, alone"
"""All columns but those of time and of the version of the code, which may be worked on meanwhile."""
ORPHAN_SECONDS = 10.0


@dataclass(frozen=True)
class Outcome:
    """What the kills did: how many there were, how many runs they took, and games finished when each struck."""

    kills: int
    runs: int
    finished: tuple[int, ...]


def rows(store: Path) -> list[tuple[object, ...]]:
    """The games of a store without their times."""
    with contextlib.closing(sqlite3.connect(store)) as base:
        return base.execute(f"SELECT {COUNTED} FROM games ORDER BY pairing, number").fetchall()


def counted(folder: Path, name: str) -> list[tuple[object, ...]]:
    """Those of them that the plan counts: a sequential test may have played a few games beyond its end."""
    from zermelo.arena.plan import read_plan
    from zermelo.arena.plan_runner import standings
    from zermelo.arena.store import Store

    plan = read_plan(folder / f"{name}.toml")
    with Store(plan.store, create=False) as store:
        found = standings(plan, store)
    assert all(standing.over for standing in found)
    ends = {standing.pairing.key: standing.end for standing in found}
    return [row for row in rows(plan.store) if int(str(row[1])) < ends[str(row[0])]]


def write_plan(folder: Path, name: str, games: int) -> Path:
    """A plan with a store of its own."""
    path = folder / f"{name}.toml"
    path.write_text(PLAN.format(store=f"{name}.sqlite", games=games), encoding="utf-8")
    return path


def play_in_one_go(path: Path) -> None:
    """Runs the plan in this very process, one game after the other."""
    from zermelo.arena.plan import read_plan
    from zermelo.arena.plan_runner import run_plan
    from zermelo.arena.pool import Here
    from zermelo.arena.store import Store

    plan = read_plan(path)
    with Store(plan.store) as store:
        run_plan(plan, store, Here())


def start(plan: Path, workers: int) -> subprocess.Popen[bytes]:
    """A process of its own that runs the plan, at the head of a group of its own."""
    command = [sys.executable, "-m", "zermelo", "arena", "run", str(plan), "--workers", str(workers), "--quiet"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)


def kill_and_compare(folder: Path, kills: int, games: int, seed: int, workers: int = 2, finishers: int = 1) -> Outcome:
    """Kills a run so often; fails where the result differs from that of a run without a break.

    What the last kill has left is played by so many ``finishers`` at once.
    """
    play_in_one_go(write_plan(folder, "whole", games))
    expected = counted(folder, "whole")
    chance, done, runs, finished = random.Random(seed), 0, 0, list[int]()
    while done < kills:
        runs += 1
        store = folder / f"broken{runs}.sqlite"
        plan = write_plan(folder, f"broken{runs}", games)
        while done < kills:
            process = start(plan, workers)
            if not comes_to(process, store, chance, max(2, games // 7)):
                assert process.returncode == 0
                break
            process.send_signal(signal.SIGKILL)
            process.wait()
            done += 1
            need_no_orphans(process.pid)
            finished.append(count(store))
        last = [start(plan, workers) for _ in range(finishers)]
        assert [process.wait() for process in last] == [0] * finishers
        assert counted(folder, f"broken{runs}") == expected
    return Outcome(done, runs, tuple(finished))


def comes_to(process: subprocess.Popen[bytes], store: Path, chance: random.Random, most: int) -> bool:
    """Waits for a random moment of a run; false if it was over before.

    One moment in five is a time since the start, so that the beginnings are hit, too; the others come a few
    milliseconds after up to ``most`` further games, however fast the machine is.
    """
    wanted = 0 if chance.random() < 0.2 else count(store) + chance.randrange(1, most)
    while wanted and count(store) < wanted and process.poll() is None:
        time.sleep(0.002)
    try:
        process.wait(chance.uniform(0.0, 0.03 if wanted else 2.0))
    except subprocess.TimeoutExpired:
        return True
    return False


def count(store: Path) -> int:
    """The number of finished games in a store, which may not have been made yet."""
    if not store.exists():
        return 0
    with contextlib.closing(sqlite3.connect(store)) as base:
        try:
            (found,) = base.execute("SELECT count(*) FROM games").fetchone()
        except sqlite3.OperationalError:
            return 0
    return int(found)


def need_no_orphans(group: int) -> None:
    """Waits until no process of a group is left."""
    end = time.monotonic() + ORPHAN_SECONDS
    while time.monotonic() < end:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise AssertionError("workers outlived the process that started them")


def main() -> None:
    """The long version, from the command line."""
    parser = argparse.ArgumentParser(description="Kill arena runs and compare what they come to.")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--games", type=int, default=400, help="games in each pairing of the plan")
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        outcome = kill_and_compare(Path(folder), told.kills, told.games, told.seed)
    print(f"{outcome.kills} kills in {outcome.runs} runs: every result as without a break")
    print(f"games finished at each kill: {', '.join(map(str, outcome.finished))}")


if __name__ == "__main__":
    main()
