"""``zermelo learn`` as a user meets it, and players that use what was learnt."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from zermelo.cli import main
from zermelo.errors import InputError
from zermelo.gdl.library import rulesheet
from zermelo.play.player import Clock, make_player
from zermelo.search.forward import RulesheetModel, rulesheet_model


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(arguments)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


@pytest.fixture(scope="module")
def learnt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("values") / "v.npz"
    assert main(["learn", "gdl:tictactoe", "-o", str(file), "--games", "4000"]) == 0
    return file


def model() -> RulesheetModel:
    return rulesheet_model(rulesheet("tictactoe"))


def test_learning_is_taken_up_and_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, plot = tmp_path / "v.npz", tmp_path / "curve.svg"
    run(capsys, "learn", "gdl:nim:1,2", "-o", str(file), "--games", "50", "--seed", "3")
    status, out, err = run(
        capsys, "learn", "gdl:nim:1,2", "-o", str(file), "--games", "80", "--plot", str(plot), "--json"
    )
    told = json.loads(out)
    assert (status, told["games_before"], told["games"]) == (0, 50, 80)
    assert "goes on after 50 games" in err
    assert "against random moves" in plot.read_text()
    at_once = tmp_path / "w.npz"
    run(capsys, "learn", "gdl:nim:1,2", "-o", str(at_once), "--games", "80", "--seed", "3")
    with np.load(file) as parts, np.load(at_once) as whole:
        assert (parts["weights"] == whole["weights"]).all()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["gdl:nim:1,2"], "v.npz: values of another game, expected those of gdl:nim:1,2"),
        (["gdl:tictactoe", "--seed", "9"], "--seed cannot change what"),
        (["gdl:tictactoe", "--tuples", "9"], "--tuples cannot change what"),
        (["gdl:tictactoe", "--anew", "--trace", "2"], "trace 2 is not between 0 and 1"),
        (["gdl:tictactoe", "--time-limit", "-1"], "--time-limit -1 is not a positive number"),
        (["gdl:nosuch"], "nosuch"),
    ],
)
def test_what_cannot_be_learnt_is_refused_in_one_line(
    arguments: list[str], words: str, learnt: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(capsys, "learn", *arguments, "-o", str(learnt))
    assert (status, out, len(err.splitlines())) == (2, "", 1)
    assert words in err


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_keeps_what_was_learnt(tmp_path: Path) -> None:
    file = tmp_path / "v.npz"
    command = [sys.executable, "-m", "zermelo", "learn", "gdl:tictactoe", "-o", str(file), "--time-limit", "60"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        process.stderr.readline()  # the first look: learning is under way
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert "Traceback" not in err
    assert process.returncode == 0
    assert "games in" in out
    with np.load(file) as parts:
        assert int(parts["games"]) > 0


@pytest.mark.parametrize("settings", ["trust=1", "trust=0.5", "trust=0", "trust=1,prior=0", "kernel=single,trust=0.5"])
def test_a_player_with_values_still_proves_what_is_proved(settings: str, learnt: Path) -> None:
    game = model()
    player = make_player(f"mac-ucb(values={learnt},{settings})", game, seat=0, seed=1)
    decision = player.choose(game.start(), Clock(simulations=200_000))
    assert (decision.proved, decision.value) == (True, 0.5)


def test_a_few_simulations_with_values_see_more_than_as_many_without(learnt: Path) -> None:
    """After a corner only the centre holds the draw."""
    game = model()
    corner = next(move for move in game.legal(game.start(), 0) if game.move_text(move) == "(mark a 1)")
    noop = game.legal(game.start(), 1)[0]
    position = game.play(game.start(), [corner, noop])
    found = 0
    for seed in range(10):
        player = make_player(f"mac-ucb(values={learnt},share=0,trust=1)", game, seat=1, seed=seed)
        found += game.move_text(player.choose(position, Clock(simulations=20)).move) == "(mark b 2)"
    assert found >= 8


def test_a_player_refuses_values_that_are_none(tmp_path: Path, learnt: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        make_player(f"mac-ucb(values={tmp_path / 'none.npz'})", model(), seat=0, seed=1)
    (tmp_path / "cut.npz").write_bytes(learnt.read_bytes()[:500])
    with pytest.raises(InputError, match="damaged or cut"):
        make_player(f"mac-ucb(values={tmp_path / 'cut.npz'})", model(), seat=0, seed=1)
    with pytest.raises(InputError, match="values of another game"):
        make_player(f"mac-ucb(values={learnt})", rulesheet_model(rulesheet("nim")), seat=0, seed=1)
