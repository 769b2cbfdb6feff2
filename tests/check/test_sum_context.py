"""Claims about sums, boards and Go: for another starter, convention, target or value they are refused."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.fuzz import forged_sums

import zermelo
from zermelo.certificate import Certificate, Claim
from zermelo.check import check_certificate
from zermelo.cli import main
from zermelo.errors import ZermeloError
from zermelo.limits import Limits
from zermelo.solving.targets import game_from, game_of
from zermelo.source import Source


def proof(target: str) -> Certificate:
    found = zermelo.solve(target).certificate
    assert found is not None and check_certificate(game_of(target), found).accepted
    return found


def claim_of(certificate: Certificate, role: str, starts: str, rule: str = "sum") -> Claim:
    (found,) = [c for c in certificate.claims if (c.role, c.starts, c.rule) == (role, starts, rule)]
    return found


def test_both_sides_cannot_get_five_of_a_switch_for_one_starter() -> None:
    certificate = proof("{5|-5}")
    left, right = claim_of(certificate, "left", "left"), claim_of(certificate, "right", "right")
    assert left.at_least == right.at_least == 5
    game = game_of("{5|-5}")
    for starts in ("left", "right"):
        claims = tuple(replace(claim, starts=starts) for claim in (left, right))
        assert check_certificate(game, replace(certificate, claims=claims)).status == "refuted"
        data = [replace(claim, data=dict(claim.data) | {"starts": starts}) for claim in claims]
        assert check_certificate(game, replace(certificate, claims=tuple(data))).status == "refuted"
    assert check_certificate(game, replace(certificate, claims=(left, right))).accepted


def test_who_wins_under_normal_play_says_nothing_about_the_score() -> None:
    """{1/2|-5} scores 1/2 when Left starts; that he wins then is worth 1 only where the last move counts."""
    certificate = proof("{1/2|-5}")
    game = game_of("{1/2|-5}")
    won = claim_of(certificate, "left", "left", "value")
    assert str(won) == "left wins under normal play if left starts"
    assert check_certificate(game, replace(certificate, claims=(won,))).accepted
    lie = replace(won, play="score")
    assert str(lie) == "left gets at least 1 if left starts"
    assert "normal play" in check_certificate(game, replace(certificate, claims=(lie,))).reason
    score = claim_of(certificate, "left", "left")
    better = replace(score, at_least=Fraction(1))
    assert check_certificate(game, replace(certificate, claims=(better,))).status == "refuted"
    normal = replace(score, play="normal")
    assert check_certificate(game, replace(certificate, claims=(normal,))).status == "refuted"


@pytest.mark.parametrize("target", ["{5|-5}", "{1/2|-5}"])
def test_the_command_refuses_the_claims_of_the_review(
    target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    certificate = proof(target)
    left = claim_of(certificate, "left", "left")
    if target == "{5|-5}":
        right = replace(claim_of(certificate, "right", "right"), starts="left")
        forged = replace(certificate, claims=(left, right))
    else:
        forged = replace(certificate, claims=(replace(claim_of(certificate, "left", "left", "value"), play="score"),))
    file = tmp_path / "forged.json"
    forged.write(file)
    assert main(["check", target, str(file)]) == 1
    assert capsys.readouterr().out.startswith("refuted")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("{5|-5}", "{5|-4}"),
        ("{5|-5}", "{5|-5} + 1"),
        ("domineering:2x3", "domineering:3x2"),
        ("domineering:2x3", "cram:2x3"),
        ("kayles:5", "dawson:5"),
        ("dots:1x1", "dots:1x2"),
        ("examples/corridors.sgf", "examples/corridors.sgf:area"),
        ("examples/corridors.sgf", "examples/sente.sgf"),
    ],
)
def test_a_certificate_of_another_target_is_refused(one: str, other: str) -> None:
    verdict = check_certificate(game_of(other), proof(one))
    assert verdict.status == "refuted" and "for another game" in verdict.reason


def test_a_value_of_the_start_is_none_of_a_later_position() -> None:
    from zermelo.continued import Continued

    start = game_of("domineering:2x3")
    claims = proof("domineering:2x3").claims
    later = Continued(start, [start.moves(start.start())[0]])
    text = tuple(later.move_text(move) for move in later.line)
    for starts in ("left", "right"):
        moved = tuple(replace(claim, after=text, starts=starts) for claim in claims)
        assert check_certificate(later, Certificate("", moved)).status == "refuted"


@pytest.mark.parametrize("target", ["{5|-5} + {3||2|-1}", "domineering:2x3", "dots:1x2", "examples/sente.sgf"])
def test_tables_of_the_search_engines_are_played_by_the_checkers_own_rules(target: str) -> None:
    game = game_of(target)
    certificate = forged_sums.proved(game, target, "alphabeta")
    assert certificate is not None and all(claim.rule is None for claim in certificate.claims)
    for _, forged in forged_sums.forgeries(game, certificate, random.Random(target)):
        assert not check_certificate(game, forged).accepted


def test_keys_of_positions_do_not_depend_on_what_was_read_before() -> None:
    """Equal trees are one object, with the options in the order of the first text that had them."""
    first, second = "{9,{12|8}|-3}", "{{12|8},9|-3}"
    kept = game_of(first)
    assert kept.key(kept.start()) == game_of(second).key(game_of(second).start())
    for target in (first, second):
        assert forged_sums.proved(game_of(target), target, "alphabeta") is not None


@pytest.mark.parametrize("seed", range(12))
def test_forged_certificates_are_refused(seed: int) -> None:
    rng = random.Random(f"forged {seed}")
    while True:
        try:
            text = forged_sums.record(rng) if seed % 4 == 0 else forged_sums.target(rng)
            game = game_from(Source("sgf", text, "r.sgf")) if seed % 4 == 0 else game_of(text)
            certificate = forged_sums.proved(game, text)
        except ZermeloError:
            continue
        if certificate is not None:
            break
    for label, forged in forged_sums.forgeries(game, certificate, rng):
        verdict = check_certificate(game, forged, Limits(seconds=60))
        assert not verdict.accepted, f"{text}: {label}: {[str(claim) for claim in forged.claims]}"


LOADED = """
import json, sys
from zermelo.certificate import certificate_from_json
from zermelo.check import check_certificate
from zermelo.check.instance import READERS, digest_of, instance_of
from zermelo.check.rules import check_rule
from zermelo.game import Game
from zermelo.limits import Limits
from zermelo.source import Source

class Stated(Game):
    roles = ("left", "right")
    def __init__(self, source): self.source = source
    def start(self): raise NotImplementedError
    turn = moves = play = result = start

format, text = sys.argv[1:]
game = Stated(Source(format, text, "text"))
certificate = certificate_from_json(json.load(sys.stdin))
assert certificate.digest == digest_of(game)
for claim in certificate.claims:
    verdict = check_rule(game, claim, Limits())
    assert verdict.accepted, verdict.reason
own = instance_of(game).game()
own.moves(own.start())
print(*(name for name in sys.modules if name.split(".")[0] in ("numpy", "sgfmill", "nanobind", "zermelo")))
"""
SHARED = {
    "zermelo",
    "certificate",
    "errors",
    "files",
    "game",
    "limits",
    "move_layers",
    "source",
    "stop",
    "wrapper",
    "user_game",
    "watchdog",
}
"""The nouns and what the checker of every kind begins with."""


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("cgt", "{5|-5} + 3*{3||2|-1} + ^"),
        ("board", "domineering:...|...|.#."),
        ("board", "hackenbush:0-a:b,a-b:r,b-0:g"),
        ("sgf", "(;SZ[3]AB[aa][ab][ac]AW[ca][cb][cc]SQ[aa][ca])"),
    ],
)
def test_a_check_loads_no_engine_no_native_code_and_no_library(format: str, text: str) -> None:
    import json

    game = game_from(Source(format, text, "text"))
    certificate = forged_sums.proved(game, text)
    assert certificate is not None
    done = subprocess.run(
        [sys.executable, "-c", LOADED, format, text],
        input=json.dumps(certificate.to_json()),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    loaded = done.stdout.split()
    assert not [name for name in loaded if not name.startswith("zermelo")], loaded
    rooms = {name.split(".")[1] for name in loaded if "." in name}
    assert not rooms & {
        "cgt",
        "search",
        "_native",
        "qip",
        "qbf",
        "gdl",
        "scsp",
        "kernel_thread",
        "solving",
        "encode",
    }, loaded
    assert rooms <= SHARED | {"check", "games", "render", "draw", "lazy", "brief"}, rooms
