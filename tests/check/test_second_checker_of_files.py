"""``zermelo-check`` reads programs, graphs, networks and Gambit's games, accepts what the Python checker does."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from tests.check.second import second_verdict
from tests.fuzz import forged_programs, readers, two_checkers_of_files

import zermelo
from zermelo.certificate import Certificate, Claim, about
from zermelo.check import check_certificate
from zermelo.check.instance import digest_of
from zermelo.check.targets import game_to_check
from zermelo.errors import InputError

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(
    path for end in ("qlp", "graph", "dgr", "json", "efg", "nfg") for path in (ROOT / "examples").glob(f"*.{end}")
)
HEAD = "MINIMIZE\nx\nSUBJECT TO\n"


def program(rows: str = "", prefix: str = "ORDER\nx", bounds: str = "0 <= x <= 1") -> str:
    """A small program over x."""
    return f"{HEAD}{rows}\nBOUNDS\n{bounds}\nGENERALS\nx\nEXISTS\nx\n{prefix}\nEND\n"


@pytest.mark.parametrize("kind", sorted(set(two_checkers_of_files.KINDS)))
def test_both_checkers_accept_the_same_certificates_and_read_the_same_texts(kind: str) -> None:
    rng = random.Random(kind)
    cases = [two_checkers_of_files.Case(kind, rng.randrange(10**9)) for _ in range(6)]
    assert sum(map(two_checkers_of_files.check, cases)) > 20


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: str(file.name))
def test_both_checkers_read_the_same_game_in_every_example(file: Path) -> None:
    format = next((form for form, end in two_checkers_of_files.SUFFIX.items() if file.suffix == f".{end}"), "")
    two_checkers_of_files.same_reading(format or file.suffix[1:], str(file))


@pytest.mark.parametrize("file", readers.shared_files("qlp"), ids=lambda file: str(file.name))
def test_both_checkers_read_the_same_program_in_every_shared_file(file: Path) -> None:
    assert two_checkers_of_files.same_reading("qlp", str(file))


@pytest.mark.parametrize(
    "engine", [*(name for name in forged_programs.QUICK if name not in ("qip-leaf", "qlp")), "alphabeta"]
)
def test_what_is_proved_of_the_bakery_is_accepted_and_nothing_better(engine: str, tmp_path: Path) -> None:
    target, file = str(ROOT / "examples/bakery.qlp"), tmp_path / "proof.json"
    certificate = zermelo.solve(target, engine=engine).certificate
    assert certificate is not None
    certificate.write(file)
    assert second_verdict(file, target)[0] == 0
    assert second_verdict(file, target, "early=1")[0] == 1  # it speaks of the start
    for place, claim in enumerate(certificate.claims):
        claims = list(certificate.claims)
        claims[place] = replace(claim, at_least=claim.at_least + 1)
        replace(certificate, claims=tuple(claims)).write(file)
        assert second_verdict(file, target)[0] == 1


READINGS = {
    "200, since there is no variable e2": ("x <= 2e2", "", 1),
    "200 times x": ("2e2x <= 1", "", 1),
    "200 or twice e2": ("x <= 2e2", "e2", 2),
    "twice e2 on the left side": ("2e2 + x <= 7", "e2", 1),
    "a name that is not declared": ("2e2y <= 7", "e2", 2),
    "a row of forall that holds a variable of exists": ("U_1: x <= 1", "", 2),
    "a row that forall cannot keep": ("U_1: e2 >= 2", "e2", 2),
    "a row that forall can keep": ("U_1: e2 >= 1", "e2", 1),
}


@pytest.mark.parametrize("what", READINGS)
def test_numbers_that_run_into_names_and_rows_of_forall_are_read_as_the_page_says(what: str, tmp_path: Path) -> None:
    rows, name, status = READINGS[what]
    both = f"BINARIES\n{name}\nALL\n{name}\nORDER\nx {name}" if name else "ORDER\nx"
    target, file = tmp_path / "small.qlp", tmp_path / "claim.json"
    target.write_text(program(rows, both))
    found, digest = game_or_none(target)
    claim = Claim("exists", -1, rule="program", data={"value": 0, "nodes": []}, starts="nobody")
    file.write_text(json.dumps(Certificate("", (claim,), digest).to_json()))
    second, words = second_verdict(file, str(target))
    assert (second, found) == (status, status == 1 or "keep" in words), words


def game_or_none(target: Path) -> tuple[bool, str]:
    """Whether the checker in Python reads a game there, and its digest."""
    try:
        game = game_to_check(str(target))
    except InputError:
        return False, "0" * 64
    assert game is not None
    return True, digest_of(game)


HOSTILE = {
    "numbers that grow": [["c", 0, [f"{10**900 + n}/{10**901 + 7 * n}"], -1] for n in range(400)],
    "a number of a step that is none": [["c", 10**4000, [0], -1]],
    "a step that leads to itself": [["c", 0, [0], 0]],
    "lists in the place of numbers": [["c", 0, [[[[]]]], -1]],
    "a kind that is none": [["cc", 0, [0], -1]],
    "cases without a variable": [["b", 1, []]],
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_proof_ends_in_a_refusal(what: str, tmp_path: Path) -> None:
    target, file = tmp_path / "small.qlp", tmp_path / "claim.json"
    target.write_text(program())
    game = game_to_check(str(target))
    assert game is not None
    claim = about(game, Claim("exists", -1, rule="program", data={"value": 1, "nodes": HOSTILE[what]}))
    certificate = Certificate("", (claim,), digest_of(game))
    file.write_text(json.dumps(certificate.to_json()))
    assert not check_certificate(game, certificate).accepted
    assert second_verdict(file, str(target))[0] in (1, 2)


def test_a_kind_that_is_not_read_says_so(tmp_path: Path) -> None:
    claim = Claim("black", 0, rule="go", starts="black")
    file = tmp_path / "claim.json"
    file.write_text(json.dumps(Certificate("game.sgf", (claim,), "0" * 64).to_json()))
    status, words = second_verdict(file)
    assert status == 2
    assert ".qlp" in words
