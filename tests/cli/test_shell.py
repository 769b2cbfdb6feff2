"""What the shell is told: the version, and how words are completed."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from tests.cli.test_cli import run

import zermelo

SHELLS = ("bash", "zsh", "fish")


def zermelo_with(*arguments: str, **settings: str) -> str:
    """What a process of its own prints: completion is asked for through the environment and ends the process."""
    command = [sys.executable, "-m", "zermelo", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ) | settings, check=True)
    assert done.stderr == ""
    return done.stdout


def test_the_version_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--version") == (0, f"zermelo {zermelo.__version__}\n", "")


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_is_given_what_completes_its_words(shell: str) -> None:
    assert f"_ZERMELO_COMPLETE=complete_{shell}" in zermelo_with(_ZERMELO_COMPLETE=f"source_{shell}")


def test_completion_can_be_installed_and_shown(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "--help")
    assert status == 0
    assert "--install-completion" in out
    assert "--show-completion" in out


@pytest.mark.parametrize(
    ("typed", "offered"), [("zermelo so", {"solve"}), ("zermelo gdl tr", {"trace"}), ("zermelo solve --js", {"--json"})]
)
def test_a_word_begun_is_completed(typed: str, offered: set[str]) -> None:
    place = str(typed.count(" "))
    said = zermelo_with(_ZERMELO_COMPLETE="complete_bash", COMP_WORDS=typed, COMP_CWORD=place)
    assert set(said.split()) == offered
