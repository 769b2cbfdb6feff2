"""A claim says all that it depends on, and is refused where that is not what it is asked about."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo.certificate import Certificate, Claim, certificate_from_json
from zermelo.check import check_certificate
from zermelo.check.claims import contradiction
from zermelo.check.instance import digest_of
from zermelo.cli import main
from zermelo.continued import Continued
from zermelo.errors import CertificateError
from zermelo.game import Game
from zermelo.games import make_game
from zermelo.solving.targets import game_of

TARGETS = (
    "nim:1,2",
    "tictactoe",
    "{5|-5}",
    "domineering:...|...",
    "gdl:nim",
    "examples/map.graph",
    "examples/answers.qcir",
    "examples/bakery.qlp",
    "examples/umbrella.json",
    "examples/reliability.dgr",
    "examples/thirteen.sgf",
)


@pytest.fixture(scope="module")
def proved() -> dict[str, Certificate]:
    found = {target: zermelo.solve(target).certificate for target in TARGETS}
    return {target: certificate for target, certificate in found.items() if certificate is not None}


@pytest.mark.parametrize("target", TARGETS)
def test_every_kind_of_certificate_says_what_it_depends_on(proved: dict[str, Certificate], target: str) -> None:
    certificate = proved[target]
    assert certificate.digest == digest_of(game_of(target))
    assert all(claim.starts for claim in certificate.claims)
    again = certificate_from_json(json.loads(json.dumps(certificate.to_json())))
    assert [str(claim) for claim in again.claims] == [str(claim) for claim in certificate.claims]
    assert check_certificate(game_of(target), again).accepted


@pytest.mark.parametrize("target", TARGETS)
def test_a_certificate_is_refused_for_every_other_game(proved: dict[str, Certificate], target: str) -> None:
    for other in TARGETS:
        if other != target:
            verdict = check_certificate(game_of(other), proved[target])
            assert verdict.status == "refuted" and "for another game" in verdict.reason, other


@pytest.mark.parametrize("target", TARGETS)
def test_a_claim_of_another_position_or_starter_is_refused(proved: dict[str, Certificate], target: str) -> None:
    certificate = proved[target]
    game = game_of(target)
    for number, claim in enumerate(certificate.claims):
        others = [replace(claim, after=("nowhere",)), replace(claim, starts="somebody")]
        if claim.play == "score":
            others.append(replace(claim, play="normal", at_least=claim.at_least))
        for other in others:
            claims = (*certificate.claims[:number], other, *certificate.claims[number + 1 :])
            assert check_certificate(game, replace(certificate, claims=claims)).status == "refuted", str(other)


def test_a_certificate_of_a_later_position_is_none_of_the_start() -> None:
    game = make_game("nim:1,2")
    later = Continued(game, [(1, 1)])
    certificate = zermelo.solve(later).certificate
    assert certificate is not None and certificate.claims[0].after == ("1,1",)
    assert check_certificate(later, certificate).accepted
    assert "another position" in check_certificate(game, certificate).reason


@pytest.mark.parametrize("name", ["digest", "after", "starts", "play"])
def test_a_file_that_leaves_out_the_context_is_bad_input(name: str) -> None:
    certificate = zermelo.solve("nim:1,2").certificate
    assert certificate is not None
    data: dict[str, Any] = certificate.to_json()
    holder = data if name == "digest" else data["claims"][0]
    del holder[name]
    with pytest.raises(CertificateError, match=name):
        certificate_from_json(data)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"digest": "12"}, "digest"),
        ({"digest": 7}, "digest"),
        ({"digest": "g" * 64}, "digest"),
    ],
)
def test_a_digest_of_another_shape_is_bad_input(wrong: dict[str, Any], message: str) -> None:
    certificate = zermelo.solve("nim:1,2").certificate
    assert certificate is not None
    with pytest.raises(CertificateError, match=message):
        certificate_from_json(certificate.to_json() | wrong)


def test_claims_that_exclude_each_other_are_refused_even_if_each_were_proved() -> None:
    nim, wins = make_game("nim:1"), Claim("first", 1, starts="first")
    for other, together in (
        (Claim("second", 1, starts="first"), False),
        (Claim("second", 0, starts="first"), False),
        (Claim("second", -1, starts="first"), True),
        (Claim("second", 1, starts="second"), True),
        (Claim("second", 1, starts="first", after=("0,1",)), True),
        (Claim("second", 1, starts="first", play="normal"), True),
        (Claim("first", 2, starts="first"), True),
    ):
        assert (contradiction(nim, [wins, other], 0) is None) == together, str(other)
        assert (contradiction(nim, [other, wins], 0) is None) == together, str(other)


def test_a_puzzle_has_no_more_than_nobody_leaves() -> None:
    puzzle = game_of("examples/umbrella.json")
    own = Claim("decider", 3, starts="decider")
    assert contradiction(puzzle, [own, Claim("nobody", -3, starts="decider")], 9) is None
    assert contradiction(puzzle, [own, Claim("nobody", -2, starts="decider")], 9) is not None


def test_scores_that_add_up_to_a_hundred_leave_room_for_both_halves() -> None:
    certificate = zermelo.solve("gdl:tictactoe").certificate
    assert certificate is not None
    assert [claim.at_least for claim in certificate.claims] == [50, 50]
    assert check_certificate(game_of("gdl:tictactoe"), certificate).accepted


class Round(Game):
    """Nobody can end it, and nobody minds: 30 and 70 for going round for ever."""

    endless = (30, 70)

    def start(self) -> Any:
        return 0

    def turn(self, position: Any) -> Any:
        return self.roles[position]

    def moves(self, position: Any) -> Any:
        return ["on"]

    def play(self, position: Any, move: Any) -> Any:
        return 1 - position

    def result(self, position: Any) -> Any:
        return None


def test_what_endless_play_adds_up_to_counts_as_well() -> None:
    claims = (Claim("first", 30, {"0": ("on", None)}), Claim("second", 70, {"1": ("on", None)}))
    assert check_certificate(Round(), Certificate("", claims)).accepted
    assert not check_certificate(Round(), Certificate("", (replace(claims[0], at_least=31), claims[1]))).accepted


def test_equal_rules_have_one_digest_and_a_comment_changes_none(tmp_path: Path) -> None:
    text = Path("examples/map.graph").read_text(encoding="utf-8")
    copy = tmp_path / "copy.graph"
    copy.write_text(text)
    assert digest_of(game_of(str(copy))) == digest_of(game_of("examples/map.graph"))
    assert digest_of(make_game("mnk:3,3,3")) != digest_of(make_game("mnk:3,3,2"))
    assert digest_of(make_game("geography:random:8,2,1")) != digest_of(make_game("geography:random:8,2,2"))


def test_check_says_the_whole_claim(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    proof = tmp_path / "proof.json"
    assert main(["solve", "{5|-5}", "--certificate", str(proof), "--quiet"]) == 0
    capsys.readouterr()
    assert main(["check", "{5|-5}", str(proof)]) == 0
    said = capsys.readouterr().out
    assert "left gets at least 5 and right gets at least -5 if left starts" in said
    assert "left gets at least -5 and right gets at least 5 if right starts" in said
    assert "left wins under normal play if left starts" in said
    assert digest_of(game_of("{5|-5}")) in said
