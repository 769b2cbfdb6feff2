"""A kind, a format, an engine, an encoding and a kind of certificate that another package brings along."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

import zermelo
from zermelo.answer import Answer, Guess
from zermelo.certificate import Claim
from zermelo.check import rules
from zermelo.check.verdict import Verdict
from zermelo.cli import main
from zermelo.encoding import Encoding
from zermelo.engine import Engine, Task
from zermelo.game import Game, win_for
from zermelo.games.nim import Nim
from zermelo.kind import Format, Kind
from zermelo.limits import Limits
from zermelo.solving.tables import ENCODINGS, ENGINES, KINDS
from zermelo.source import Source


class Matches(Game):
    """Take one to three matches; who takes the last one wins. A position is how many there are, and whose turn."""

    kind = "matches"

    def __init__(self, count: int) -> None:
        self.count = count

    def start(self) -> tuple[int, int]:
        return self.count, 0

    def turn(self, position: Any) -> str:
        return self.roles[position[1]]

    def moves(self, position: Any) -> list[int]:
        return [take for take in (1, 2, 3) if take <= position[0]]

    def play(self, position: Any, move: int) -> Any:
        return position[0] - move, 1 - position[1]

    def result(self, position: Any) -> Any:
        return win_for(1 - position[1]) if position[0] == 0 else None


def read(source: Source) -> Game:
    return Matches(source.text.count("|"))


class MatchesKind(Kind):
    """Matches drawn as strokes."""

    name, noun, plural = "matches", "heap of matches", "heaps of matches"
    expected = "a .matches file"
    formats: ClassVar[tuple[Format, ...]] = (
        Format("matches", "heap of matches", (".matches",), read, lambda text: set(text.strip()) == {"|"}),
    )

    def auto(self, game: Game) -> str:
        return "count"

    def guess(self, game: Game, limits: Limits, seed: int) -> Guess:
        return Guess(1, 0.0, "nothing")

    def headline(self, solution: zermelo.Solution) -> str:
        return f"{solution.winner} takes the last match"


def count(names: Sequence[str], game: Game, task: Task) -> Answer:
    assert isinstance(game, Matches)
    rest = game.count % 4
    value, winner = (1, "first") if rest else (-1, "second")
    claim = Claim(winner, 1, rule="rest of four", data={"count": game.count})
    return Answer(
        "count", "solved", value, (value, value), winner, rest or 1, (rest or 1,), claims=(claim,), stats={"nodes": 1}
    )


def check_rest_of_four(game: Game, claim: Claim, limits: Limits) -> Verdict:
    right = claim.role == ("first" if game.start()[0] % 4 else "second")  # the game as the rules have it
    return Verdict("accepted", how="by the rest of four") if right else Verdict("refuted", "the rest says otherwise")


def by_matches(names: Sequence[str], game: Game, task: Task) -> Answer:
    """One heap of nim of at most three is as many matches: whoever begins takes them all."""
    assert isinstance(game, Nim)
    found = count(names, Matches(game.heaps[0]), task)
    return Answer(found.engine, "solved", found.value, found.bounds, found.winner, (0, game.heaps[0]))


def one_small_heap(game: Game) -> str | None:
    small = isinstance(game, Nim) and len(game.heaps) == 1 and game.heaps[0] < 4
    return None if small else "it takes one heap of at most three"


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    KINDS.register(MatchesKind())
    ENGINES.register(Engine("count", "counts what is left over", "matches", count, ("matches",)))
    ENCODINGS.register(Encoding("matches", "one heap as matches", "matches", by_matches, ("game",), one_small_heap))
    monkeypatch.setitem(rules.CHECKERS, "rest of four", (__name__, "check_rest_of_four"))
    yield
    for table in (KINDS, ENGINES, ENCODINGS):
        table.remove("count" if table is ENGINES else "matches")


@pytest.fixture
def seven(tmp_path: Path) -> str:
    file = tmp_path / "seven.matches"
    file.write_text("|||||||\n")
    return str(file)


def test_it_is_solved_certified_and_checked(seven: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    proof = tmp_path / "proof.json"
    assert main(["solve", seven, "--certificate", str(proof)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("first takes the last match") and "by the rest of four" in out
    assert main(["check", seven, str(proof)]) == 0
    assert "accepted: first gets at least 1 if first starts (by the rest of four)" in capsys.readouterr().out
    assert main(["check", "nim:7", str(proof)]) == 1


def test_it_is_recognised_by_its_content(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert zermelo.solve("||||", kind="matches").winner == "second"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"||||\n")))
    assert main(["solve", "-", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["winner"] == "second"


def test_other_engines_take_it_move_by_move_and_all_agree(seven: str) -> None:
    assert zermelo.solve(seven, "alphabeta").verified
    assert {"count", "dp", "alphabeta"} <= set(zermelo.solve(seven, "all").stats["engines"])


def test_its_engine_takes_other_games_by_the_encoding() -> None:
    assert zermelo.solve("nim:3", "count").winner == "first"
    with pytest.raises(zermelo.ZermeloError, match="count takes heaps of matches, and this is a game"):
        zermelo.solve("nim:3,4", "count")


def test_it_is_shown_played_analysed_and_listed(
    seven: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["show", seven, "--as", "tree"]) == 0
    assert "<svg" in capsys.readouterr().out
    assert main(["play", seven, "--as", "none"]) == 0
    assert "first wins" in capsys.readouterr().out
    assert main(["analyse", seven]) == 0
    assert capsys.readouterr().out.splitlines()[1].split() == ["3", "first", "wins,", "proved"]
    assert main(["engines"]) == 0
    assert "counts what is left over" in capsys.readouterr().out
    assert main(["solve", "--help"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert ", count" in out and "a .matches file" in out
