"""The checker names and reads a target by itself: the same games as the engines', without their code."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.hallway.test_start import modules_loaded_by, rooms

import zermelo
from zermelo.certificate import Claim
from zermelo.check import check_certificate, targets
from zermelo.check.instance import READERS, digest_of, instance_of
from zermelo.check.promises import promise_of
from zermelo.check.targets import game_to_check
from zermelo.cli import main
from zermelo.errors import InputError
from zermelo.solving.statements import source_of
from zermelo.solving.tables import formats, kind_of
from zermelo.solving.targets import game_of
from zermelo.source import Source
from zermelo.taking_up import taken_up

EXAMPLES = Path("examples")
FILES = [
    *(path for path in sorted(EXAMPLES.iterdir()) if path.suffix not in (".py", ".toml")),
    *sorted(Path("tests/check/statements").iterdir()),
]
NAMED = [
    "{5|-5}", "* + *", "v", "-1/2 + ^*", "domineering:...|...", "impartial-clobber:xo", "dots:1x2", "gdl:nim:1,2",
    "dgr:examples/reliability.dgr", "examples/thirteen.sgf:area", "dots:2x1",
]  # fmt: skip


@pytest.mark.parametrize("target", [*map(str, FILES), *NAMED])
def test_checker_and_engines_find_the_same_text_in_the_same_format(target: str) -> None:
    game = game_to_check(target)
    assert game is not None and game.source == source_of(target)
    assert digest_of(game) == digest_of(game_of(target))
    assert type(game).__module__.startswith("zermelo.check.")


@pytest.mark.parametrize("path", [path for path in FILES if path.suffix != ".dgr"], ids=lambda path: path.name)
def test_a_text_without_a_name_is_what_its_reader_accepts(path: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    found, named = game_to_check(str(text)), game_to_check(str(path))
    assert found is not None and named is not None and digest_of(found) == digest_of(named)


def test_every_format_of_the_library_has_a_reader_of_the_checker() -> None:
    suffixes = {suffix for form in formats() for suffix in form.suffixes} - {".txt"}
    for suffix in sorted(suffixes):
        with pytest.raises(InputError, match=f"no-such{suffix}: no such file"):
            game_to_check(f"no-such{suffix}")
        with pytest.raises(InputError, match="no such file"):
            game_to_check(f"no-such{suffix.upper()}")


def test_library_and_python_games_are_the_ones_that_there_are() -> None:
    nim, mine = game_to_check("nim:1,2"), game_to_check("examples/race.py:Race")
    assert nim is not None and type(nim).__module__ == "zermelo.games.nim"
    assert mine is not None and mine.source is None
    assert [game_to_check(target) for target in ("toy:3", "nothing", "a b")] == [None] * 3


def test_of_readers_that_refuse_a_text_the_one_that_came_furthest_tells_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    proof = tmp_path / "proof.json"
    proof.write_text("{}")
    text = "#QCIR-G14\nexists(x)\noutput(g)\ng = nand(x)\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main(["check", "-", str(proof)]) == 2
    assert capsys.readouterr().err.startswith("-:4:")


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("gdl:no-such", "unknown rulesheet 'no-such'"),
        ("dgr:3", "expected dgr:FILE"),
        ("x:examples/reliability.dgr", "x:examples/reliability.dgr: no such file"),
        ("{1|2}:x", "unexpected ':'"),
        ("x + {1|2}", "unexpected 'x'"),
        ("kayles:x", "kayles"),
    ],
)
def test_what_has_a_form_and_cannot_be_read_so_is_refused(target: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        game_to_check(target)
    assert said in str(caught.value)


@pytest.mark.parametrize("target", ["gdl", "toy", "toy:{1|2}", "impartial-toy:xo", "nim-nim:3", "x y"])
@pytest.mark.parametrize("after", ["", "0,1"])
def test_what_the_checker_does_not_know_is_left_to_others(target: str, after: str) -> None:
    assert game_to_check(target, after) is None


@pytest.mark.parametrize(
    ("places", "chosen"),
    [
        ([(1, 1), (2, 1), (1, 9)], 1),
        ([(2, 1), (2, 3), (2, 2)], 1),
        ([(3, None), (3, 1)], 1),
        ([(None, 9), (1, 1)], 1),
        ([(None, None), (None, 1)], 1),
        ([(1, 2), (None, None)], 0),
    ],
)
def test_of_several_errors_the_one_at_the_latest_place_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, places: list[tuple[int | None, int | None]], chosen: int
) -> None:
    errors = [InputError(f"error {number}", line=line, column=column) for number, (line, column) in enumerate(places)]
    rest = iter(errors)

    def read(source: Source) -> Any:
        raise next(rest)

    module = ModuleType("a_reader_for_tests")
    vars(module)["read"] = read
    monkeypatch.setitem(sys.modules, "a_reader_for_tests", module)
    for form in targets.BY_CONTENT:
        monkeypatch.setitem(READERS, form, "a_reader_for_tests")
    monkeypatch.setattr(targets, "BY_CONTENT", targets.BY_CONTENT[: len(places)])
    (tmp_path / "text.txt").write_text("?")
    with pytest.raises(InputError) as caught:
        game_to_check(str(tmp_path / "text.txt"))
    assert caught.value is errors[chosen]


AFTER = [
    ("examples/answers.qcir", "start=1 a=0"),
    ("tests/check/statements/clauses.qdimacs", "1=1 2=0"),
    ("examples/threevariables.qlp", None),
    ("gdl:nim:1,2", None),
    ("examples/map.graph", None),
    ("nim:1,2", None),
    ("examples/umbrella.json", None),
    ("{5|-5} + {3||2|-1}", None),
    ("domineering:...|...", None),
]


@pytest.mark.parametrize(("target", "after"), AFTER)
def test_a_game_taken_up_later_is_the_same_for_both(target: str, after: str | None) -> None:
    theirs = game_of(target)
    if after is None:
        after = theirs.move_text(theirs.moves(theirs.start())[-1])
    theirs, own = taken_up(theirs, after), game_to_check(target, after)
    assert own is not None
    assert list(map(own.move_text, own.line)) == list(map(theirs.move_text, theirs.line)) == after.split()
    assert digest_of(own) == digest_of(theirs)
    certificate = zermelo.solve(target, after=after).certificate
    assert certificate is not None and check_certificate(own, certificate).accepted
    whole = game_to_check(target)
    assert whole is not None and not check_certificate(whole, certificate).accepted


@pytest.mark.parametrize("after", ["start=2", "a=1", "start=1 start=1", "start"])
def test_moves_that_cannot_be_made_are_refused(after: str) -> None:
    with pytest.raises(InputError, match="move"):
        game_to_check("examples/answers.qcir", after)


CONTINUOUS = """MINIMIZE
x + y
SUBJECT TO
x + y >= 1
BOUNDS
0 <= x <= 1
0 <= y <= 1
EXISTS
x y
ORDER
x y
END
"""


def test_a_value_of_a_continuous_variable_is_left_to_the_kind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program, proof = tmp_path / "p.qlp", tmp_path / "proof.json"
    program.write_text(CONTINUOUS)
    assert game_to_check(str(program), "x=1/2") is None
    assert main(["solve", str(program), "--after", "x=1/2", "--certificate", str(proof)]) == 0
    assert main(["check", str(program), str(proof), "--after", "x=1/2"]) == 0
    assert "accepted" in capsys.readouterr().out.splitlines()[-2]


@pytest.mark.parametrize("path", ["bakery.qlp", "threevariables.qlp", "threevariables-linear.qlp", "answers.qcir"])
@pytest.mark.parametrize("role", ["exists", "forall", "nobody"])
def test_both_put_promises_into_the_same_words(path: str, role: str) -> None:
    theirs, own = game_of(f"examples/{path}"), game_to_check(f"examples/{path}")
    assert own is not None
    broken: Any = getattr(instance_of(own), "score", lambda value: 0)(None)
    for at_least in (7, -7, broken, -broken):
        claim = Claim(role, at_least)
        assert promise_of(own, claim) == kind_of(theirs).promise(theirs, claim)


@pytest.mark.parametrize("target", ["examples/answers.qcir", "gdl:nim", "examples/bakery.qlp", "domineering:..|.."])
def test_the_command_loads_no_engine(target: str, tmp_path: Path) -> None:
    proof = tmp_path / "proof.json"
    certificate = zermelo.solve(target).certificate
    assert certificate is not None
    certificate.write(proof)
    loaded = rooms(modules_loaded_by("check", target, str(proof)))
    assert not loaded & {"kinds", "solving", "search", "gdl", "qbf", "qip", "cgt", "scsp", "encode", "_native"}
