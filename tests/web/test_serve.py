"""``zermelo serve`` as people start and end it."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
from urllib.request import Request, urlopen

import pytest

from zermelo.cli import main


def test_it_says_where_it_is_answers_and_ends_with_ctrl_c() -> None:
    command = [sys.executable, "-m", "zermelo", "serve", "--port", "0", "--processes", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        assert server.stderr is not None
        said = server.stdout.readline()
        found = re.fullmatch(r"zermelo serves (http://127\.0\.0\.1:\d+/) \(Ctrl-C ends it\)\n", said)
        assert found is not None, said
        with urlopen(found[1]) as page:
            assert b"<title>Zermelo</title>" in page.read()
        body = json.dumps({"task": "solve", "game": {"target": "connect:6,7,4"}, "seconds": 60}).encode()
        with urlopen(Request(found[1] + "api/v1/jobs", body, {"Content-Type": "application/json"})) as answer:
            assert answer.status == 202
        server.send_signal(signal.SIGINT)
        assert server.wait(30) == 0
        assert server.stderr.read() == ""


def test_a_port_that_is_taken_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 2
    said = capsys.readouterr()
    assert said.err == f"zermelo: cannot listen on 127.0.0.1:{port}: Address already in use\n"


@pytest.mark.parametrize("arguments", [["--port", "x"], ["--time-limit", "0"], ["--host", "no.such.host.invalid"]])
def test_wrong_options_are_told_in_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert main(["serve", *arguments]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_tournament_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--arena", "no/such.toml"]) == 2
    assert capsys.readouterr().err == "no/such.toml: no such file\n"
