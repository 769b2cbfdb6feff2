"""Workers open no files, start no programs and reach no network, whatever a request names."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.web.serving import Client
from zermelo.errors import InputError
from zermelo.web.statement import game_stated

ROOT = Path(__file__).parents[2]
FILES = [
    "/etc/passwd",
    str(ROOT / "examples" / "thesis.graph"),
    "examples/thesis.graph",
    "thesis.graph",
    "../examples/heap.kif",
    str(ROOT / "examples" / "nim.py") + ":Nim(1, 2)",
    "nim.py:Nim",
    "dgr:" + str(ROOT / "examples" / "reliability.dgr"),
    "dgr:/etc/passwd",
    "dgr:~/secret",
    "x.sgf",
    "x.sgf:area",
    "X.SGF:move=3",
    "gdl:../../../etc/passwd",
    "~/x.kif",
    "C:\\x.kif",
    "-",
    " - ",
    "{1|2}/../x.kif",
    "file:///etc/passwd",
    "http://example.com/x.kif",
    "partition:1,2",
    "\x00",
    "x" * 5000,
]


@pytest.mark.parametrize("target", FILES, ids=range(len(FILES)))
def test_a_target_that_names_a_file_is_refused(client: Client, target: str) -> None:
    answer = client.post("/state", {"game": {"target": target}})
    assert answer.status == 400, answer.body
    assert b"root:" not in answer.body
    with pytest.raises(InputError):
        game_stated({"target": target})


def test_targets_of_the_library_are_not_taken_for_files(client: Client) -> None:
    for target in (
        "{1/2|-3/4} + 1/8",
        "coins:1,2",
        "octal:0.137:12",
        "subtraction:21;1,2,3",
        "gdl:nim:1,2",
        "clobber:xo + (1/2)",
    ):
        assert client.post("/state", {"game": {"target": target}}).status == 200, target


CONFINED = """
import sys
from pathlib import Path
from zermelo.web.confinement import confine
confine(Path(sys.argv[1]), 512)
{attempt}
print("done")
"""


@pytest.mark.parametrize(
    "attempt",
    [
        "open('/etc/passwd')",
        "open(sys.argv[2])",
        "open('/tmp/zermelo-should-not-be-there', 'w')",
        "Path(sys.argv[2]).read_text()",
        "Path(sys.argv[2]).write_text('x')",
        "import os; os.listdir('/')",
        "import os; os.remove(sys.argv[2])",
        "import subprocess; subprocess.run(['true'])",
        "import os; os.system('true')",
        "import socket; socket.create_connection(('127.0.0.1', 9))",
    ],
)
def test_a_confined_process_cannot_leave(tmp_path: Path, attempt: str) -> None:
    (tmp_path / "own").mkdir()
    other = tmp_path / "other.txt"
    other.write_text("secret", encoding="utf-8")
    command = [sys.executable, "-c", CONFINED.format(attempt=attempt), str(tmp_path / "own"), str(other)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode != 0
    assert "PermissionError" in run.stderr, run.stderr
    assert other.read_text(encoding="utf-8") == "secret"


def test_a_confined_process_writes_in_its_own_folder_and_imports_what_it_needs(tmp_path: Path) -> None:
    attempt = "(Path(sys.argv[1]) / 'x').write_text('x'); import zermelo; print(zermelo.solve('nim:1,2').winner)"
    command = [sys.executable, "-c", CONFINED.format(attempt=attempt), str(tmp_path)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["first", "done"]


def test_a_worker_ends_when_nobody_is_left_to_ask() -> None:
    request = json.dumps({"task": "state", "asked": {"game": {"target": "nim:1"}}, "seconds": 5}) + "\n"
    command = [sys.executable, "-m", "zermelo.web.worker", "", "512"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        assert worker.stdout.readline() == "ready {}\n"
        worker.stdin.write(request)
        worker.stdin.flush()
        assert worker.stdout.readline().startswith("result {")
        worker.stdin.close()
        assert worker.wait(20) == 0


def test_a_game_that_is_too_large_is_told_so_and_the_next_one_is_answered() -> None:
    from tests.web.serving import served
    from zermelo.web.server import Settings

    with served(Settings(running=1, memory=192, quick_seconds=3)) as client:
        huge = {"target": "mnk:4000,4000,5"}
        answer = client.post("/state", {"game": huge})
        assert answer.status in (400, 503), answer.body
        assert "\n" not in answer.json["error"]
        assert client.post("/state", {"game": {"target": "nim:1"}}).status == 200
