"""A taste of ``make fuzz``: the first cases of every part from a fixed seed, for two or three seconds."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fuzz import forged
from tests.fuzz.__main__ import PARTS, part_named, replay
from tests.fuzz.forged import FORGERS, RULES, WORKSHOPS
from tests.fuzz.kept import from_json, keep, kept, to_json
from tests.fuzz.part import run_case
from tests.fuzz.texts import TEXTS
from zermelo.check.instance import READERS
from zermelo.check.rules import CHECKERS

SECONDS = 2.5
CASES = {
    "engines": 40,
    "library": 40,
    "roles": 200,
    "certificates": 1500,
    "parsers": 1500,
    "rulesheets": 1500,
    "formulas": 1000,
    "solvers": 500,
    "programs": 300,
    "kinds": 200,
    "outcomes": 300,
    "forged": 200,
    "forged-tables": 200,
    "forged-held": 40,
    "layers": 40,
    "readers": 2000,
    "two-checkers": 40,
    "two-checkers-rules": 40,
    "two-checkers-values": 40,
    "two-checkers-files": 40,
    "cli": 60,
}


@pytest.mark.parametrize("name", PARTS)
def test_random_cases_keep_the_law(name: str) -> None:
    ends = time.monotonic() + SECONDS
    for seed in range(1, CASES[name] + 1):
        failure = run_case(name, part_named(name), seed)
        assert failure is None, f"\n{failure}"
        if time.monotonic() > ends:
            break


class Digits:
    """A part whose cases are texts of digits and whose law forbids a 7."""

    def draw(self, rng: random.Random) -> str:
        return "".join(rng.choice("0123456789") for _ in range(30))

    def check(self, case: str) -> None:
        assert "7" not in case, "there is a 7"

    def smaller(self, case: str) -> Iterator[str]:
        yield from (case[:place] + case[place + 1 :] for place in range(len(case)))

    def show(self, case: str) -> str:
        return case


def test_failure_is_shrunk_and_says_how_to_see_it_again() -> None:
    failure = next(failure for seed in range(99) if (failure := run_case("digits", Digits(), seed)) is not None)
    assert failure.case == "7"
    assert "AssertionError: there is a 7" in str(failure)
    assert f"--seed {failure.seed} digits" in str(failure)


def test_a_failure_is_kept_as_a_file_that_is_read_back(tmp_path: Path) -> None:
    failure = next(
        failure for seed in range(99) if (failure := run_case("digits", Digits(), seed, folder=tmp_path)) is not None
    )
    assert f"replay {failure.file}" in str(failure)
    assert kept(Path(failure.file)) == ("digits", "7")


@pytest.mark.parametrize("name", PARTS)
def test_cases_of_every_part_are_written_and_read_alike(name: str) -> None:
    for seed in range(5):
        case = part_named(name).draw(random.Random(seed))
        assert from_json(json.loads(json.dumps(to_json(case)))) == case


def test_every_rule_of_the_checker_has_a_forger_and_every_format_is_damaged() -> None:
    assert set(FORGERS) == set(CHECKERS)
    assert set(FORGERS.values()) <= {*WORKSHOPS, *PARTS}
    assert set(TEXTS) == set(READERS)


@pytest.mark.parametrize(
    ("name", "first"), [("roles", 0), ("outcomes", 0), ("heaps", 0), ("forced", 0), ("records", 2)]
)
def test_every_workshop_forges_what_it_is_for(name: str, first: int) -> None:
    wanted = {f"{name}: {rule}" for rule, who in FORGERS.items() if who == name}
    for seed in range(first, first + 40):
        rng = random.Random(seed)
        forged.check(forged.Case(name, forged.workshop_named(name).draw(rng), rng.getrandbits(32)))
        if any(RULES[label] for label in wanted):
            break
    else:
        pytest.fail(f"none of {wanted} was forged")


def test_replay_says_whether_a_kept_case_still_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = part_named("library").draw(random.Random(1))
    file = keep("library", 1, case, "an error of the past", tmp_path)
    assert replay([str(file)]) == 0
    assert "library keeps the law" in capsys.readouterr().out
