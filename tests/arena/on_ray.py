"""Plays a plan on a Ray cluster at an address, kills its workers now and then, and compares with a run without it.

    python -m tests.arena.on_ray --kills 5 --seed 1

The cluster is a real one with two processors, started for this on the loopback address and reached as a distant one is
(``ray://HOST:PORT``). Workers get the signal that nothing can catch (SIGKILL) while they play.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.arena.kills import count, counted, play_in_one_go, write_plan

START_SECONDS = 300.0
"""On a busy machine Ray takes minutes to start."""


def free_port() -> int:
    """One that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def with_token() -> dict[str, str]:
    """The environment, with a password that only this cluster and who plays on it know."""
    return {**os.environ, "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}


def answers(port: int) -> bool:
    """Whether somebody listens there."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextlib.contextmanager
def cluster(folder: Path, environment: dict[str, str]) -> Iterator[tuple[str, int]]:
    """The address of a cluster of two processors, and the process that everything of it descends from."""
    port = free_port()
    command = [str(Path(sys.executable).with_name("ray")), "start", "--head", "--block", "--node-ip-address=127.0.0.1"]
    command += [f"--port={free_port()}", f"--ray-client-server-port={port}", "--num-cpus=2", "--disable-usage-stats"]
    command += ["--include-dashboard=false", f"--temp-dir={folder / 'ray'}"]
    with (folder / "head.log").open("wb") as log:
        head = subprocess.Popen(command, stdout=log, stderr=log, env=environment, start_new_session=True)
    try:
        end = time.monotonic() + START_SECONDS
        while not answers(port):
            if head.poll() is not None or time.monotonic() > end:
                raise SystemExit(f"Ray does not start: {(folder / 'head.log').read_text(encoding='utf-8')[-500:]}")
            time.sleep(0.2)
        yield f"ray://127.0.0.1:{port}", head.pid
    finally:
        head.send_signal(signal.SIGTERM)
        head.wait(START_SECONDS)


def workers_of(head: int) -> list[int]:
    """The processes below the head of a cluster that are playing a game."""
    parents, playing = {}, []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                if (entry / "cmdline").read_bytes().startswith(b"ray::play"):
                    playing.append(int(entry.name))

    def below(process: int) -> bool:
        while process > 1 and process != head:
            process = parents.get(process, 0)
        return process == head

    return [process for process in playing if below(process)]


def kill_workers_and_compare(folder: Path, kills: int, games: int, seed: int) -> int:
    """How many workers were killed; fails where the result differs from that of a run on this machine alone."""
    play_in_one_go(write_plan(folder, "whole", games))
    plan, chance, killed = write_plan(folder, "cluster", games), random.Random(seed), 0
    environment = with_token()
    with cluster(folder, environment) as (address, head):
        command = [sys.executable, "-m", "zermelo", "arena", "run", str(plan), "--on", address, "--quiet"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
        while process.poll() is None:
            time.sleep(0.01)
            due = count(folder / "cluster.sqlite") >= (killed + 1) * 3 * games // (kills + 1)
            if killed < kills and due and (workers := workers_of(head)):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(chance.choice(workers), signal.SIGKILL)
                    killed += 1
        assert process.returncode == 0
    assert counted(folder, "cluster") == counted(folder, "whole")
    return killed


def main() -> None:
    """From the command line."""
    parser = argparse.ArgumentParser(description="Play on a Ray cluster that loses workers and compare the result.")
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--games", type=int, default=100, help="games in each pairing of the plan")
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        killed = kill_workers_and_compare(Path(folder), told.kills, told.games, told.seed)
    print(f"a cluster at an address, {killed} of its workers killed: every game as without it")


if __name__ == "__main__":
    main()
