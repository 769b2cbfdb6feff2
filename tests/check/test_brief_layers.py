"""Certificates that leave out images and closed positions, or lie in parts: both checkers take the true ones alone."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from tests.check.layered import layers_of, second_checker, verdict_of

import zermelo
from zermelo import _native
from zermelo.certificate import Certificate, Claim, about, read_certificate
from zermelo.check import check_certificate
from zermelo.check.instance import digest_of
from zermelo.cli import main
from zermelo.closing import closing_rule
from zermelo.errors import CertificateError
from zermelo.games import make_game
from zermelo.layers_played import LayeredTable
from zermelo.limits import Limits
from zermelo.move_layers import Layers
from zermelo.search.certify import claim_of, claimants
from zermelo.search.proof_parts import ProofForm

SMALL = (
    "connect:3,3,3", "connect:4,3,3", "connect:2,5,3", "connect:3,4,3", "connect:4,4,4", "connect:3,3,1", "mnk:3,3,3",
    "mnk:2,4,3", "mnk:3,4,4", "mnk:1,3,1", "tictactoe", "hex:1", "hex:2", "hex:3", "hex:4", "breakthrough:3,2",
    "breakthrough:4,3", "othello:4,4", "dotsandboxes:1,1", "dotsandboxes:1,2", "dotsandboxes:2,1", "dotsandboxes:2,2",
)  # fmt: skip
RULES = {
    "connect": ("at-once", "lines", "claimeven"),
    "mnk": ("at-once", "lines", "pairs"),
    "hex": ("at-once", "bridges"),
    "dotsandboxes": ("at-once", "lead"),
}


@cache
def proved(target: str, form: ProofForm = ProofForm(brief=True)) -> Certificate:  # noqa: B008  (frozen)
    """The certificate that the kernel writes in that form."""
    game = make_game(target)
    native = game.native()
    assert native is not None
    search = native.search("alphabeta", _native.SearchParams())
    value = search.solve(_native.Control()).lower
    winner = "draw" if value == 0 else game.roles[value < 0]
    owners = claimants(game, winner, value == native.best, value == native.worst)
    claims = [
        claim_of(
            game, game.start(), search, game.roles[owner], value, value if owner == 0 else -value, Limits(),
            explored=False, form=form,
        )
        for owner in owners
    ]  # fmt: skip
    return Certificate(target, tuple(about(game, claim) for claim in claims), digest_of(game))


def judged_alike(certificate: Certificate, path: Path) -> str:
    """The verdict of both checkers, which is one."""
    certificate.write(path)
    verdict = check_certificate(make_game(certificate.target), read_certificate(path))
    status, said = verdict_of(path)
    assert status == {"accepted": 0, "refuted": 1}[verdict.status], (certificate.target, verdict, said)
    if verdict.accepted:
        assert said.splitlines()[-1] == f"{verdict.positions} positions"
    return verdict.status


@pytest.mark.parametrize("target", SMALL)
def test_both_checkers_accept_what_leaves_images_and_closed_positions_out(target: str, tmp_path: Path) -> None:
    certificate = proved(target)
    assert judged_alike(certificate, tmp_path / "proof.zc") == "accepted"
    plain = zermelo.solve(target, engine="alphabeta").certificate
    assert plain is not None
    sizes = [[claim.layers.position_count for claim in each.claims if claim.layers] for each in (certificate, plain)]
    assert all(brief <= full for brief, full in zip(*sizes, strict=True))


@pytest.mark.parametrize("target", SMALL)
def test_what_is_left_out_can_be_played_out_against_every_reply(target: str) -> None:
    certificate, game = proved(target), make_game(target)
    tables = [
        LayeredTable(game, claim.role, claim.layers, claim.at_least) for claim in certificate.claims if claim.layers
    ]
    claims = (
        replace(claim, table=dict(table), layers=None) for claim, table in zip(certificate.claims, tables, strict=True)
    )
    assert check_certificate(game, replace(certificate, claims=tuple(claims))).accepted


def test_every_rule_closes_positions_of_these_games() -> None:
    """So that the tests above speak of each."""
    used: set[str] = set()
    for target in SMALL:
        game = make_game(target)
        names = RULES.get(target.partition(":")[0].replace("tictactoe", "mnk"), ("at-once",))
        for position in _some_positions(game, random.Random(target), 10):
            used |= {name for name in names for owner in (0, 1) if _closes(game, name, position, owner, 0)}
    assert used == {rule for rules in RULES.values() for rule in rules}


def _closes(game: Any, name: str, position: Any, owner: int, at_least: int) -> bool:
    rule = closing_rule(game, name)
    assert rule is not None
    return rule.closes(position, owner, at_least)


def _some_positions(game: Any, dice: random.Random, games: int) -> Iterator[Any]:
    """Those of random games, ends left out."""
    for _ in range(games):
        position = game.start()
        while game.result(position) is None:
            yield position
            position = game.play(position, dice.choice(game.moves(position)))


@pytest.mark.parametrize("kind", RULES)
def test_no_rule_closes_a_position_that_brute_force_gives_less(kind: str) -> None:
    dice, closed = random.Random(kind), 0
    for _ in range(12):
        sizes = {
            "connect": f"{dice.randint(1, 5)},{dice.randint(1, 4)},{dice.randint(2, 4)}",
            "mnk": f"{dice.randint(1, 4)},{dice.randint(1, 4)},{dice.randint(2, 4)}",
            "hex": str(dice.randint(1, 4)),
            "dotsandboxes": f"{dice.randint(1, 2)},{dice.randint(1, 2)}",
        }[kind]
        game = make_game(f"{kind}:{sizes}")
        value = _values(game)
        for position in _some_positions(game, dice, 12):
            if len(game.moves(position)) > 8:
                continue
            for name in RULES[kind]:
                for owner in (0, 1):
                    for at_least in (-1, 0, 1):
                        if _closes(game, name, position, owner, at_least):
                            closed += 1
                            assert (value(position) if owner == 0 else -value(position)) >= at_least, (
                                game,
                                name,
                                position,
                            )
    assert closed > 50


def _values(game: Any) -> Callable[[Any], int]:
    @cache
    def value(position: Any) -> int:
        scores = game.result(position)
        if scores is not None:
            return int(scores[0])
        values = [value(game.play(position, move)) for move in game.moves(position)]
        return max(values) if game.turn(position) == game.roles[0] else min(values)

    return value


@pytest.mark.parametrize("target", [t for t in SMALL if t not in ("hex:4", "connect:4,4,4", "dotsandboxes:2,2")])
def test_play_from_an_image_is_the_image_of_play(target: str) -> None:
    game = make_game(target)
    images = game.images()
    assert images is not None and images.maps
    for position in _some_positions(game, random.Random(target), 6):
        for image in images.maps:
            other = image(position)
            assert game.turn(other) == game.turn(position) and images.least(other) == images.least(position)
            after = {image(game.play(position, move)) for move in game.moves(position)}
            assert {game.play(other, move) for move in game.moves(other)} == after
            assert all(
                game.result(image(game.play(position, move))) == game.result(game.play(position, move))
                for move in game.moves(position)
            )


@pytest.mark.parametrize(
    "target",
    [
        "connect:3,3,3",
        "connect:4,3,3",
        "mnk:3,3,3",
        "mnk:2,4,3",
        "hex:2",
        "hex:3",
        "breakthrough:3,2",
        "dotsandboxes:1,2",
    ],
)
def test_one_better_than_the_truth_is_refused_by_both_with_every_rule(target: str, tmp_path: Path) -> None:
    game, dice = make_game(target), random.Random(target)
    images, value = game.images(), _values(game)(game.start())
    rules = RULES.get(target.partition(":")[0], ("at-once",))
    assert images is not None
    for owner, role in enumerate(game.roles):
        claimed = (value if owner == 0 else -value) + 1
        for _ in range(8):
            layers = _random_brief(game, owner, claimed, dice, rules)
            if layers is None:
                continue
            claim = about(game, Claim(role, claimed, layers=layers))
            assert judged_alike(Certificate(target, (claim,), digest_of(game)), tmp_path / "forged.zc") == "refuted"


def _random_brief(game: Any, owner: int, at_least: int, dice: random.Random, rules: tuple[str, ...]) -> Layers | None:
    """Layers of random moves that leave out what may be left out, as if ends did not matter."""
    images = game.images()
    positions, moves = [], []
    layer = {images.least(game.start()): game.start()}
    while layer:
        if sum(positions) + len(layer) > 3000:
            return None
        places, following = bytearray(), {}
        for position in layer.values():
            legal = game.moves(position)
            if game.turn(position) == game.roles[owner]:
                place = dice.randrange(len(legal))
                places += place.to_bytes(2, "little")
                legal = [legal[place]]
            for move in legal:
                after = game.play(position, move)
                if game.result(after) is None and not any(_closes(game, r, after, owner, at_least) for r in rules):
                    following.setdefault(images.least(after), after)
        positions.append(len(layer))
        moves.append(bytes(places))
        layer = following
    return Layers(tuple(positions), tuple(moves), images.word, rules)


@pytest.mark.parametrize(
    ("target", "old", "new"),
    [
        ("connect:4,3,3", "images mirror", "images square"),
        ("connect:4,3,3", "images mirror", "images turn"),
        ("connect:4,3,3", "images mirror\n", ""),
        ("connect:4,3,3", "closed claimeven", "closed pairs"),
        ("connect:4,3,3", "closed claimeven", "closed bridges"),
        ("connect:4,3,3", "closed claimeven", "closed everything"),
        ("connect:4,3,3", "closed at-once\n", ""),
        ("mnk:3,3,3", "images square", "images mirror"),
        ("mnk:3,3,3", "closed pairs", "closed claimeven"),
        ("mnk:3,3,3", "closed pairs", "closed lines"),
        ("hex:3", "images turn", "images mirror"),
        ("hex:3", "closed bridges\n", ""),
        ("breakthrough:4,3", "images mirror", "images square"),
        ("breakthrough:4,3", "closed at-once", "closed lead"),
        ("othello:4,4", "images square", "images turn"),
        ("dotsandboxes:2,2", "closed lead", "closed lines"),
        ("dotsandboxes:2,2", "closed lead\n", ""),
    ],
)  # fmt: skip
def test_images_and_rules_that_the_game_does_not_have_are_refused(
    target: str, old: str, new: str, tmp_path: Path
) -> None:
    path = tmp_path / "forged.zc"
    proved(target).write(path)
    changed = path.read_bytes().replace(old.encode(), new.encode())
    assert changed != path.read_bytes()
    path.write_bytes(changed)
    assert check_certificate(make_game(target), read_certificate(path)).status == "refuted"
    assert verdict_of(path)[0] == 1


def test_images_of_a_game_that_has_none_and_of_users_games_are_refused(tmp_path: Path) -> None:
    game = make_game("nim:2")
    layers = Layers((1,), (b"\x01\x00",), "mirror")
    assert check_certificate(game, Certificate("nim:2", (Claim("first", 1, layers=layers),))).status == "refuted"

    class Mine(type(make_game("connect:3,3,3"))):  # type: ignore[misc]
        pass

    mine = Mine(3, 3, 3)
    verdict = check_certificate(mine, replace(proved("connect:3,3,3"), digest=""))
    assert (verdict.status, "of the library alone" in verdict.reason) == ("refuted", True)


def test_changed_moves_are_judged_alike_by_both_checkers(tmp_path: Path) -> None:
    dice, refused = random.Random(5), 0
    for target in ("connect:4,4,4", "mnk:3,3,3", "hex:4", "breakthrough:4,3", "othello:4,4", "dotsandboxes:2,2"):
        certificate = proved(target)
        for _ in range(6):
            claims = list(certificate.claims)
            at = dice.randrange(len(claims))
            layers = claims[at].layers
            assert layers is not None
            moves = list(layers.moves)
            full = [number for number, part in enumerate(moves) if part]
            number = dice.choice(full)
            place = 2 * dice.randrange(len(moves[number]) // 2)
            moves[number] = moves[number][:place] + bytes((dice.randrange(4), 0)) + moves[number][place + 2 :]
            claims[at] = replace(claims[at], layers=replace(layers, moves=tuple(moves)), table={})
            refused += judged_alike(replace(certificate, claims=tuple(claims)), tmp_path / "changed.zc") == "refuted"
    assert refused > 10


IN_PARTS = ProofForm(brief=True, parts=3)


def test_parts_are_accepted_by_both_checkers_together_and_one_by_one(tmp_path: Path) -> None:
    for target in ("connect:4,5,4", "connect:4,4,3", "dotsandboxes:2,2"):
        certificate = proved(target, IN_PARTS)
        assert judged_alike(certificate, tmp_path / "proof.zc") == "accepted"
        read = read_certificate(tmp_path / "proof.zc")
        assert [claim.layers for claim in read.claims] == [claim.layers for claim in certificate.claims]
    single = replace(proved("connect:4,5,4", IN_PARTS), claims=proved("connect:4,5,4", IN_PARTS).claims[:1])
    single.write(tmp_path / "one.zc")
    for number in (1, 2, 3):
        done = [second_checker(), "--part", str(number), str(tmp_path / "one.zc")]
        assert _said(done) == (0, f"accepted: part {number} of 3")
    assert _said([second_checker(), "--part", "4", str(tmp_path / "one.zc")])[0] == 2
    assert _said([second_checker(), "--part", "0", str(tmp_path / "one.zc")])[0] == 2


def _said(command: list[str]) -> tuple[int, str]:
    import subprocess

    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    return done.returncode, (done.stdout.splitlines() or [""])[0]


def _cited(path: Path, *files: str) -> None:
    """Cites parts as they are now: somebody forges the digests as well."""
    head, _, moves = path.read_bytes().partition(b"\n\n")
    lines = []
    for line in head.decode().split("\n"):
        words = line.split(" ")
        if words[0] == "part":
            words[2] = sha256(path.with_name(words[3]).read_bytes()).hexdigest()
        lines.append(" ".join(words))
    path.write_bytes("\n".join(lines).encode() + b"\n\n" + moves)


@pytest.mark.parametrize(
    "forgery", ["missing", "changed", "swapped", "cited twice", "left out", "of another claim", "nested"]
)
def test_a_part_that_is_missing_or_another_is_refused_by_both(forgery: str, tmp_path: Path) -> None:
    path, game = tmp_path / "proof.zc", make_game("connect:4,5,4")
    proved("connect:4,5,4", IN_PARTS).write(path)
    one, two = (tmp_path / f"proof.{number}.zc" for number in (1, 2))
    if forgery == "missing":
        two.unlink()
    elif forgery == "changed":
        two.write_bytes(two.read_bytes()[:-1] + bytes([two.read_bytes()[-1] ^ 1]))
    elif forgery == "swapped":
        first, second = one.read_bytes(), two.read_bytes()
        one.write_bytes(second), two.write_bytes(first)
        _cited(path)
    elif forgery == "cited twice":
        text = path.read_bytes()
        lines = [line for line in text.split(b"\n") if line.startswith(b"part ")]
        path.write_bytes(text.replace(lines[1], lines[0], 1))
    elif forgery == "left out":
        text = path.read_bytes()
        lines = [line for line in text.split(b"\n") if line.startswith(b"part ")]
        path.write_bytes(text.replace(lines[1] + b"\n", b"", 1))
    elif forgery == "of another claim":
        one.write_bytes(one.read_bytes().replace(b"role x", b"role o"))
        _cited(path)
    else:
        one.write_bytes(one.read_bytes().replace(b"\n\n", b"\npart 1 " + b"0" * 64 + b" proof.2.zc\n\n", 1))
        _cited(path)
    try:
        assert check_certificate(game, read_certificate(path)).status == "refuted"
    except CertificateError as error:
        assert "\n" not in str(error)
    assert verdict_of(path)[0] in (1, 2)


def test_a_part_alone_and_parts_from_standard_input_are_no_certificates(tmp_path: Path) -> None:
    path = tmp_path / "proof.zc"
    proved("connect:4,5,4", IN_PARTS).write(path)
    with pytest.raises(CertificateError, match="expected its first file"):
        read_certificate(tmp_path / "proof.1.zc")
    assert verdict_of(tmp_path / "proof.1.zc")[0] == 2
    with pytest.raises(CertificateError, match="not at hand"):
        zermelo.certificate.parse_certificate_bytes(path.read_bytes())
    path.write_bytes(path.read_bytes().replace(b" proof.1.zc", b" ../proof.1.zc"))
    with pytest.raises(CertificateError, match="expected `part"):
        read_certificate(path)
    assert verdict_of(path)[0] == 2


def test_a_run_that_is_taken_up_again_writes_the_same_bytes(tmp_path: Path) -> None:
    kept, written = tmp_path / "kept", []
    for run in range(3):
        folder = tmp_path / str(run)
        folder.mkdir()
        if run == 2:  # what a run leaves behind that is ended in the middle, and worse
            parts = sorted(kept.iterdir())
            parts[0].unlink()
            parts[1].write_bytes(parts[1].read_bytes()[:-1])
            parts[2].write_bytes(b"")
        proved.cache_clear()
        form = ProofForm(brief=True, parts=3, checkpoint=kept if run else None)
        proved("connect:4,5,4", form).write(folder / "proof.zc")
        written.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert written[0] == written[1] == written[2] and len(written[0]) == 4


def test_the_command_line_writes_parts_and_says_where_a_proof_is_no_layers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    proof = str(tmp_path / "proof.zc")
    asked = ["solve", "connect:4,5,4", "--engine", "alphabeta", "--quiet", "--certificate", proof]
    assert main([*asked, "--parts", "2", "--checkpoint", str(tmp_path / "kept")]) == 0
    assert main(["check", "connect:4,5,4", proof]) == 0
    capsys.readouterr()
    assert main(["certificate", "info", proof, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["claims"][0]["parts"] == 2 and told["claims"][0]["images"] == "mirror"
    assert told["bytes"] == sum(path.stat().st_size for path in tmp_path.glob("*.zc"))
    assert main(["solve", "nim:3", "--parts", "2"]) == 2
    assert main(["solve", "nim:3,4,5", "--quiet", "--certificate", proof]) == 0
    assert main(["check", "nim:3,4,5", proof]) == 0
    assert b"rule nim-sum" in Path(proof).read_bytes()
    capsys.readouterr()
    assert main(["solve", "treblecross:5", "--engine", "dp", "--quiet", "--certificate", proof]) == 0
    assert "written as JSON" in capsys.readouterr().err
    assert main(["check", "treblecross:5", proof]) == 0


def test_a_rule_in_layers_is_read_as_in_json_and_nothing_else_goes_with_it(tmp_path: Path) -> None:
    path = tmp_path / "rule.zc"
    found = zermelo.solve("mnk:5,5,5").certificate
    assert found is not None and found.claims[0].rule == "pairing"
    found.write(path)
    assert read_certificate(path) == found
    assert verdict_of(path)[0] == 0
    whole = path.read_bytes()
    for old, new, said in (
        (b"data {", b"data [{", "not JSON"),
        (b"\ndata", b"\nwidth 1\ndata", "a rule and layers"),
        (b"rule pairing\n", b"", "no width"),
    ):
        path.write_bytes(whole.replace(old, new, 1))
        with pytest.raises(CertificateError, match=said):
            read_certificate(path)
        assert verdict_of(path)[0] == 2


def test_a_slice_of_a_brief_certificate_leaves_nothing_out(tmp_path: Path) -> None:
    proof, part = str(tmp_path / "proof.zc"), str(tmp_path / "part.zc")
    proved("connect:4,4,4").write(Path(proof))
    for line in ("a", "a a", "b", "d c"):
        status = main(["certificate", "slice", proof, "--after", line, "-o", part])
        if status == 0:
            assert main(["check", "connect:4,4,4", part, "--after", line]) == 0
    assert main(["certificate", "slice", proof, "--after", "a", "-o", part]) == 0
    layers = [claim.layers for claim in read_certificate(Path(part)).claims]
    assert layers and not any(each is not None and each.brief for each in layers)


def test_layers_of_our_own_making_are_as_the_kernel_has_them(tmp_path: Path) -> None:
    """A strategy of plain layers is a brief one too, where nothing is left out."""
    game = make_game("mnk:3,3,3")
    layers = layers_of(game, "x", lambda position, layer: 0)
    assert layers is not None
    claim = about(game, Claim("x", -1, layers=layers))
    assert judged_alike(Certificate("mnk:3,3,3", (claim,), digest_of(game)), tmp_path / "plain.zc") == "accepted"
