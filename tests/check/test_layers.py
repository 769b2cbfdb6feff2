"""Certificates of version 2: both checkers accept what is true and written down right, and nothing else."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.check.layered import changed_layers, layers_of, verdict_of

import zermelo
from zermelo.certificate import Certificate, Claim, read_certificate
from zermelo.check import check_certificate
from zermelo.check.instance import digest_of
from zermelo.cli import main
from zermelo.errors import CertificateError, LimitReachedError
from zermelo.games import make_game
from zermelo.layers_played import LayeredTable
from zermelo.limits import Limits
from zermelo.move_layers import Layers
from zermelo.search.certify import claim_of
from zermelo.search.proof_parts import ProofForm

SMALL = (
    "connect:3,3,3", "connect:4,3,3", "connect:2,5,3", "mnk:3,3,3", "mnk:2,4,3", "tictactoe", "hex:1", "hex:2", "hex:3",
    "breakthrough:3,2", "breakthrough:4,3", "othello:4,4", "dotsandboxes:1,1", "dotsandboxes:1,2", "dotsandboxes:2,1",
)  # fmt: skip


def proved(target: str) -> Certificate:
    """The certificate of a solution."""
    found = zermelo.solve(target, engine="alphabeta").certificate
    assert found is not None
    return found


@pytest.mark.parametrize("target", SMALL)
def test_both_checkers_accept_what_the_kernel_wrote_and_meet_the_same_positions(target: str, tmp_path: Path) -> None:
    certificate = proved(target)
    certificate.write(tmp_path / "proof.zc")
    read = read_certificate(tmp_path / "proof.zc")
    assert [claim.layers for claim in read.claims] == [claim.layers for claim in certificate.claims]
    verdict = check_certificate(make_game(target), read)
    assert verdict.accepted, verdict
    status, said = verdict_of(tmp_path / "proof.zc", target)
    assert (status, said.splitlines()[-1]) == (0, f"{verdict.positions} positions")


@pytest.mark.parametrize("target", SMALL)
def test_one_better_than_the_truth_is_refused_by_both_whatever_the_moves(target: str, tmp_path: Path) -> None:
    game, dice, digest = make_game(target), random.Random(target), digest_of(make_game(target))
    value = zermelo.solve(target).value
    assert value is not None
    for owner, role in enumerate(game.roles):
        better = Fraction(value if owner == 0 else -value) + 1
        for _ in range(12):
            places: dict[Any, int] = {}

            def choose(position: Any, layer: int, places: dict[Any, int] = places) -> int:
                return places.setdefault((position, layer), dice.randrange(len(game.moves(position))))

            if (layers := layers_of(game, role, choose)) is None:
                continue
            start = game.turn(game.start())
            claim = Claim(role, better, layers=layers, starts=start if isinstance(start, str) else "")
            forged = Certificate(target, (claim,), digest)
            forged.write(tmp_path / "forged.zc")
            assert check_certificate(game, forged).status == "refuted"
            assert verdict_of(tmp_path / "forged.zc")[0] == 1


def test_changed_moves_are_judged_alike_by_both_checkers(tmp_path: Path) -> None:
    dice = random.Random(7)
    for target in ("connect:3,3,3", "mnk:3,3,3", "hex:3", "breakthrough:4,3", "othello:4,4", "dotsandboxes:1,2"):
        certificate, game = proved(target), make_game(target)
        for _ in range(8):
            claims = list(certificate.claims)
            at = dice.randrange(len(claims))
            claims[at] = replace(claims[at], layers=changed_layers(claims[at].layers, dice))
            forged = Certificate(target, tuple(claims), certificate.digest)
            forged.write(tmp_path / "changed.zc")
            verdict = check_certificate(game, forged)
            status, said = verdict_of(tmp_path / "changed.zc")
            assert status == {"accepted": 0, "refuted": 1}[verdict.status], (target, verdict, said)
            if verdict.line:
                position = game.start()
                for move in verdict.line:
                    assert move in game.moves(position)
                    position = game.play(position, move)


def test_a_certificate_for_another_game_or_another_starter_is_refused(tmp_path: Path) -> None:
    certificate = proved("connect:3,3,3")
    certificate.write(tmp_path / "three.zc")
    assert check_certificate(make_game("connect:4,3,3"), read_certificate(tmp_path / "three.zc")).status == "refuted"
    assert verdict_of(tmp_path / "three.zc", "connect:4,3,3")[0] == 1
    claims = tuple(replace(claim, starts="o") for claim in certificate.claims)
    replace(certificate, claims=claims).write(tmp_path / "starter.zc")
    assert check_certificate(make_game("connect:3,3,3"), read_certificate(tmp_path / "starter.zc")).status == "refuted"
    assert verdict_of(tmp_path / "starter.zc")[0] == 1


def test_a_table_made_from_layers_is_accepted_as_a_certificate_of_version_1(tmp_path: Path) -> None:
    for target in ("connect:4,3,3", "breakthrough:4,3", "mnk:3,3,3"):
        proved(target).write(tmp_path / "table.json")
        read = read_certificate(tmp_path / "table.json")
        assert all(claim.layers is None and claim.table for claim in read.claims)
        assert check_certificate(make_game(target), read).accepted


def test_a_strategy_too_large_for_a_table_says_so() -> None:
    table = LayeredTable(make_game("connect:6,7,4"), "x", Layers((10**7,), (b"",)))
    with pytest.raises(LimitReachedError, match="too many for a table"):
        table.get("")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (b"zermelo-certificate 2", b"zermelo-certificate 3", "without its head"),
        (b"\nwidth 1", b"", "no width"),
        (b"width 1", b"width 3", "expected 1 or 2"),
        (b"width 1", b"width 2", "cut short|checksum"),
        (b"layer 1 1", b"layer 1", "expected `layer POSITIONS MOVES`"),
        (b"layer 1 1", b"layer 1 -1", "expected `layer POSITIONS MOVES`"),
        (b"role x", b"role x\nrole x", "has no place here"),
        (b"role x", b"roll x", "has no place here"),
        (b"target", b"claim\ntarget", "has no place here"),
        (b"claim\n", b"claim\n(x)\n", "expected a word"),
        (b"claim\n", b"claim\nafter\n", "says nothing"),
        (b"at_least 0", b"at_least 0.5", "not an exact number"),
        (b"play score", b"play well", "neither"),
        (b"digest ", b"digest x", "digest"),
    ],
)  # fmt: skip
def test_a_head_that_is_not_as_it_should_be_is_one_line(old: bytes, new: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.zc"
    proved("mnk:3,3,3").write(path)
    path.write_bytes(path.read_bytes().replace(old, new, 1))
    with pytest.raises(CertificateError, match=said) as error:
        read_certificate(path)
    assert "\n" not in str(error.value)
    assert verdict_of(path)[0] in (1, 2)


def test_moves_that_were_changed_on_the_way_are_noticed(tmp_path: Path) -> None:
    path = tmp_path / "cut.zc"
    proved("mnk:3,3,3").write(path)
    whole = path.read_bytes()
    for damaged, said in ((whole[:-1], "cut short"), (whole + b"\0", "after the last"), (_turned(whole), "checksum")):
        path.write_bytes(damaged)
        with pytest.raises(CertificateError, match=said):
            read_certificate(path)
        assert verdict_of(path)[0] == 2


def _turned(data: bytes) -> bytes:
    return data[:-1] + bytes([data[-1] ^ 1])


def test_layers_end_at_a_limit_and_say_so() -> None:
    certificate, expired = proved("connect:4,4,4"), Limits(seconds=1e-9)
    assert check_certificate(make_game("connect:4,4,4"), certificate, expired).status == "limit"


def test_two_bytes_a_move_are_written_where_a_list_is_long(tmp_path: Path) -> None:
    layers = Layers((1,), (b"\x01\x01",))
    claim = Claim("first", 1, layers=layers, starts="first")
    Certificate("nim:300", (claim,), "0" * 64).write(tmp_path / "wide.zc")
    assert b"width 2" in (tmp_path / "wide.zc").read_bytes()
    assert read_certificate(tmp_path / "wide.zc").claims[0].layers == layers


def test_a_position_in_two_layers_may_have_two_moves() -> None:
    """Positions of nim come back in later layers: the proof is one all the same."""
    for target in ("nim:2,3", "nim:1,2,3", "nim:3,3"):
        game = make_game(target)
        search = game.native().search("alphabeta", zermelo._native.SearchParams())
        assert search is not None
        value = zermelo.solve(target).value
        role = game.roles[0] if value == 1 else game.roles[1]
        claim = claim_of(
            game, game.start(), search, role, int(value or 0), 1, Limits(), explored=False, form=ProofForm()
        )
        assert claim.layers is not None
        certificate = Certificate(target, (claim,), digest_of(game))
        assert check_certificate(game, certificate).accepted
        assert check_certificate(game, replace(certificate, claims=(replace(claim, layers=None),))).accepted


def test_a_certificate_is_told_exported_and_cut_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    proof, table, part = (str(tmp_path / name) for name in ("proof.zc", "table.json", "part.zc"))
    proved("connect:4,4,3").write(Path(proof))
    assert main(["certificate", "info", proof]) == 0
    assert "layers" in capsys.readouterr().out
    assert main(["certificate", "info", proof, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["target"] == "connect:4,4,3" and told["claims"][0]["positions"] == sum(told["claims"][0]["layers"])
    assert main(["certificate", "export", proof, "-o", table]) == 0
    assert main(["check", "connect:4,4,3", table]) == 0
    game = make_game("connect:4,4,3")
    first = json.loads(Path(table).read_text())["claims"][0]["table"][game.key(game.start())][0]
    for line in (first, f"{first} a", f"{first} b"):
        assert main(["certificate", "slice", proof, "--after", line, "-o", part]) == 0
        assert main(["check", "connect:4,4,3", part, "--after", line]) == 0
        assert main(["check", "connect:4,4,3", part]) == 1
    other = "a" if first != "a" else "b"
    capsys.readouterr()
    assert main(["certificate", "slice", proof, "--after", other, "-o", part]) == 2
    assert "leads to this position" in capsys.readouterr().err


def test_a_claim_that_rests_on_layers_and_on_something_else_is_refused() -> None:
    game, certificate = make_game("connect:4,4,3"), proved("connect:4,4,3")
    claim = certificate.claims[0]
    assert check_certificate(game, certificate).accepted
    for other in (replace(claim, rule="value", play="normal"), replace(claim, table={"": ("a", 1)})):
        verdict = check_certificate(game, replace(certificate, claims=(other,)))
        assert (verdict.status, "not on two of them" in verdict.reason) == ("refuted", True)
