"""The form of certificates, condition by condition: what is written, what is read, what is bad input."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from zermelo.brief import cut
from zermelo.certificate import (
    FORMAT,
    PIECE,
    Certificate,
    Claim,
    about,
    certificate_from_json,
    claims_of,
    json_pieces,
    parse_certificate,
    parse_certificate_bytes,
    parse_score,
    read_certificate,
    read_with_size,
    score_text,
    starter,
)
from zermelo.continued import Continued
from zermelo.errors import CertificateError, InputError, LimitReachedError, NotApplicableError
from zermelo.game import CHANCE, Game
from zermelo.games import make_game
from zermelo.limits import Limits
from zermelo.move_layers import Layers

TABLE = {
    "role": "first",
    "at_least": "1",
    "after": ["0,1"],
    "starts": "first",
    "play": "score",
    "table": {"k": ["m", 3]},
}
RULE = {
    "role": "second",
    "at_least": "-1/2",
    "after": [],
    "starts": "first",
    "play": "normal",
    "rule": "r",
    "data": {"a": 1},
}
GOOD: dict[str, Any] = {
    "format": "zermelo-certificate", "version": 1, "target": "nim:1", "digest": 32 * "0f", "claims": [TABLE, RULE],
}  # fmt: skip
MISSING = object()


def changed(*path: Any, value: Any) -> Any:
    """A good certificate with one value replaced, or left out."""
    data = copy.deepcopy(GOOD)
    here: Any = data
    for step in path[:-1]:
        here = here[step]
    if value is MISSING:
        del here[path[-1]]
    else:
        here[path[-1]] = value
    return data


def test_a_good_certificate_is_read_as_it_is_written() -> None:
    certificate = certificate_from_json(GOOD)
    assert certificate.to_json() == GOOD
    table, rule = certificate.claims
    assert (table.role, table.at_least, table.after, table.starts) == ("first", 1, ("0,1",), "first")
    assert (table.table, table.rule, table.play) == ({"k": ("m", 3)}, None, "score")
    assert (rule.at_least, rule.rule, rule.data, rule.play, rule.after) == (
        Fraction(-1, 2),
        "r",
        {"a": 1},
        "normal",
        (),
    )
    assert (certificate.target, certificate.digest) == ("nim:1", 32 * "0f")


@pytest.mark.parametrize(
    ("path", "values", "complaint"),
    [
        (("format",), [MISSING, "zermelo", 1], "expected an object"),
        (("version",), [MISSING, 0, 2, "1", True, 1.0], "is not 1"),
        (("target",), [MISSING, None, 1], '"target" is not a string'),
        (("digest",), [MISSING, "", None, 64 * "g", 63 * "0", 65 * "0", 64 * "A", 7], '"digest" is not'),
        (("claims",), [MISSING, [], {}, "x", [TABLE] * 6], "not a list of one to five"),
        (("claims", 0), [None, [], "x"], 'claim 1: "role" is not a string'),
        (("claims", 1, "role"), [MISSING, 1, None], 'claim 2: "role" is not a string'),
        (("claims", 0, "at_least"), [MISSING, 1, None, "1.5", "1e3", "", "1/0", "--1"], '"at_least" is not an exact'),
        (("claims", 0, "after"), [MISSING, "0,1", [1], ["a", None], {}], '"after" is not a list of moves'),
        (("claims", 0, "starts"), [MISSING, "", None, 3], '"starts" is not the role'),
        (("claims", 0, "play"), [MISSING, "misere", None], '"play" is neither'),
        (("claims", 1, "rule"), [None, 1, ["r"]], '"rule" is not a string'),
        (("claims", 1, "data"), [None, [], "x"], '"data" is not an object'),
        (("claims", 0, "table"), [MISSING, None, [], "x"], 'neither "table" nor "rule"'),
        (("claims", 0, "table", "k"), [None, "ab", {}, [], ["m"], ["m", 1, 2], [1, 1], [None, 1], ["m", -1],
                                       ["m", True], ["m", 1.0], ["m", "1"], ("m", 1)], "entry 'k' is not [move, rank]"),
    ],
)  # fmt: skip
def test_each_field_has_its_type(path: tuple[Any, ...], values: list[Any], complaint: str) -> None:
    for value in values:
        with pytest.raises(CertificateError) as caught:
            certificate_from_json(changed(*path, value=value), "proof.json")
        assert complaint in str(caught.value) and str(caught.value).startswith("proof.json"), value


@pytest.mark.parametrize("rank", [None, 0, 1, 10**30])
def test_ranks_are_whole_numbers_from_zero_on_or_null(rank: int | None) -> None:
    data = changed("claims", 0, "table", "k", value=["m", rank])
    assert certificate_from_json(data).claims[0].table == {"k": ("m", rank)}


@pytest.mark.parametrize("count", [1, 2, 5])
def test_one_to_five_claims_are_read(count: int) -> None:
    assert len(certificate_from_json(changed("claims", value=[TABLE] * count)).claims) == count


def test_the_data_of_a_rule_may_be_left_out_and_only_an_object_is_a_certificate() -> None:
    assert certificate_from_json(changed("claims", 1, "data", value=MISSING)).claims[1].data == {}
    for data in (None, [], "zermelo-certificate", 1):
        with pytest.raises(CertificateError, match="expected an object"):
            certificate_from_json(data)


def test_scores_are_written_and_read_exactly() -> None:
    for score in (0, 1, -7, Fraction(1, 3), Fraction(-22, 7), 10**400):
        assert parse_score(score_text(score)) == score
    for text in ("", "1.0", "1e2", "+1", " 1", "1/", "/2", "1/2/3", "٣", "9" * 1001, "1/" + "9" * 1001):
        with pytest.raises(ValueError, match="not an exact number"):
            parse_score(text)
    assert parse_score("9" * 1000) > 0


def test_claims_are_said_in_words() -> None:
    said = [
        (Claim("left", 5), "left gets at least 5"),
        (Claim("left", 5, starts="right"), "left gets at least 5 if right starts"),
        (Claim("left", 1, play="normal", starts="left"), "left wins under normal play if left starts"),
        (Claim("left", 1, starts="left"), "left gets at least 1 if left starts"),
        (Claim("left", 0, play="normal"), "left gets at least 0 under normal play"),
        (Claim("left", 2, starts="nobody"), "left gets at least 2 where the game is over"),
        (Claim("left", 2, starts="nobody", after=("a", "b")), "left gets at least 2 where the game is over after a b"),
    ]
    for claim, text in said:
        assert str(claim) == text


class Start(Game):
    """Only its start matters."""

    def __init__(self, turn: Any, over: bool = False) -> None:
        self.mover, self.over = turn, over

    def start(self) -> int:
        return 0

    def turn(self, position: int) -> Any:
        return self.mover

    def moves(self, position: int) -> list[int]:
        return [1]

    def play(self, position: int, move: int) -> int:
        return 1

    def result(self, position: int) -> tuple[int, int] | None:
        return (0, 0) if self.over else None


def test_who_starts_is_a_role_chance_several_roles_or_nobody() -> None:
    assert starter(Start("second")) == "second"
    assert starter(Start(CHANCE)) == CHANCE
    assert starter(Start(("first", "second"))) == "first+second"
    assert starter(Start("first", over=True)) == "nobody"


def test_what_a_claim_leaves_out_is_taken_from_the_game_and_what_it_says_is_kept() -> None:
    later = Continued(make_game("nim:1,2"), [(1, 1)])
    open_claim = about(later, Claim("first", 1))
    assert (open_claim.after, open_claim.starts) == (("1,1",), "second")
    said = Claim("first", 1, starts="first", after=("x",))
    assert about(later, said) is said


def test_a_certificate_is_written_and_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "proof.json"
    certificate = certificate_from_json(GOOD)
    certificate.write(file)
    assert read_certificate(file) == certificate
    assert file.read_text(encoding="utf-8").endswith("}\n")


@pytest.mark.parametrize("entries", [0, 1, PIECE, PIECE + 1, 3 * PIECE])
def test_a_long_certificate_is_written_in_pieces_that_make_one_text(tmp_path: Path, entries: int) -> None:
    table = {f"(({number}),0)": ("0,1", number) for number in range(entries)}
    nodes = {"nodes": [[number, [number]] for number in range(entries)], "none": [], "text": "a\u2028"}
    claims = (Claim("first", 1, table, starts="first"), Claim("second", -1, rule="r", data=nodes, starts="first"))
    certificate = Certificate("nim:1", claims, "0" * 64)
    file = tmp_path / "proof.json"
    certificate.write(file)
    assert file.read_text() == json.dumps(certificate.to_json(), separators=(",", ":")) + "\n"
    assert read_certificate(file) == certificate


def test_a_certificate_that_takes_too_long_to_write_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "proof.json"
    file.write_text("old")
    with pytest.raises(LimitReachedError, match="time limit"):
        Certificate("nim:1", (Claim("first", 1, starts="first"),), "0" * 64).write(file, Limits(seconds=0.0))
    assert [path.name for path in tmp_path.iterdir()] == ["proof.json"]
    assert file.read_text() == "old"


def test_what_is_no_json_or_no_file_is_said_with_its_place(tmp_path: Path) -> None:
    for text, complaint in (
        ("{\n", "proof:2:1: not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("9" * 5000, "too long"),
    ):
        with pytest.raises(CertificateError) as caught:
            parse_certificate(text, "proof")
        assert complaint in str(caught.value)
    with pytest.raises(CertificateError, match="no such file"):
        read_certificate(tmp_path / "nowhere.json")
    assert Certificate("t", ()).to_json() | {"claims": 0} == {
        "format": "zermelo-certificate", "version": 1, "target": "t", "digest": "", "claims": 0,
    }  # fmt: skip
    assert json.loads(json.dumps(GOOD)) == GOOD


LAYERED = Claim("first", 1, {"a": ("m", 1)}, starts="first", layers=Layers((1, 2), (b"\x01\x00", b"")))


def test_layers_are_written_where_the_file_is_for_them_and_every_claim_has_some(tmp_path: Path) -> None:
    digest = 64 * "a"
    both = Certificate("nim:2", (LAYERED, replace(LAYERED, role="second", at_least=-1)), digest)
    for name, layered in (("proof.zc", True), ("PROOF.ZC", True), ("proof.json", False)):
        both.write(tmp_path / name)
        found = read_certificate(tmp_path / name)
        assert (found.target, found.digest, [str(claim) for claim in found.claims]) == (
            "nim:2", digest, ["first gets at least 1 if first starts", "second gets at least -1 if first starts"]
        )  # fmt: skip
        assert [claim.layers for claim in found.claims] == [LAYERED.layers if layered else None] * 2
        assert [claim.table for claim in found.claims] == [{} if layered else LAYERED.table] * 2
    Certificate("nim:2", (LAYERED, replace(LAYERED, layers=None)), digest).write(tmp_path / "mixed.zc")
    assert json.loads((tmp_path / "mixed.zc").read_text())["claims"][1]["table"] == {"a": ["m", 1]}
    with pytest.raises(LimitReachedError):
        both.write(tmp_path / "late.zc", Limits(seconds=0))
    assert not (tmp_path / "late.zc").exists()


def test_a_claim_by_layers_counts_the_moves_that_are_in_them() -> None:
    assert (LAYERED.move_count, replace(LAYERED, layers=None).move_count, Claim("first", 1).move_count) == (1, 1, 0)
    four = replace(LAYERED, layers=Layers((1, 2), (b"\x01\x00", b"\0\0\0\0\0\0")))
    assert repr(four) == "<Claim: first gets at least 1 if first starts, 4 moves>"
    assert "2 claims, 5 moves" in repr(Certificate("nim:2", (LAYERED, four)))
    assert repr(replace(LAYERED, rule="nim-sum")) == "<Claim: first gets at least 1 if first starts, by nim-sum>"


def test_layers_that_cannot_be_read_are_bad_input_with_the_name_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "proof.zc"
    Certificate("nim:2", (LAYERED,), 64 * "a").write(path)
    data = path.read_bytes()
    path.write_bytes(data[:-1])
    with pytest.raises(CertificateError, match=r"proof\.zc"):
        read_certificate(path)
    path.write_bytes(data.replace(64 * b"a", 64 * b"x"))
    with pytest.raises(CertificateError, match=r"proof\.zc"):
        read_certificate(path)


def test_what_is_no_certificate_is_refused_where_claims_are_asked_for() -> None:
    assert claims_of(Certificate("nim:2", (LAYERED,))) == (LAYERED,)
    with pytest.raises(InputError, match="expected one as of"):
        claims_of("proof.json")  # type: ignore[arg-type]


def test_a_value_is_made_text_in_pieces_level_by_level(monkeypatch: pytest.MonkeyPatch) -> None:
    def pieces(value: Any, *depth: int) -> list[str]:
        return list(json_pieces(value, *depth))

    assert pieces({"a": [1, {"b": None}], "c": {}}) == [
        '{"a":', "[", "1", ",", '{"b":', "null", "}", "]", ',"c":', "{}", "}",
    ]  # fmt: skip
    assert pieces([[1]], 0) == ["[[1]]"] and pieces([[1]], 1) == ["[", "[1]", "]"]
    assert pieces({"a": {"b": 1}}, 1) == ['{"a":', '{"b":1}', "}"]
    assert pieces([[[[[[1]]]]]]) == [*"[[[[[", "[1]", *"]]]]]"]
    nested: Any = 1
    for _ in range(6):
        nested = {"a": nested}
    assert pieces(nested) == ['{"a":'] * 5 + ['{"a":1}'] + ["}"] * 5
    monkeypatch.setattr("zermelo.certificate.PIECE", 2)
    assert pieces([1, 2]) == ["[", "1", ",", "2", "]"] and pieces([1, 2, 3]) == ["[1,2", ",3", "]"]
    assert pieces({"a": 1, "b": 2, "c": 3}) == ['{"a":1,"b":2', ',"c":3', "}"]


def test_certificates_and_claims_introduce_themselves_in_a_line() -> None:
    claim = Claim("r" * 100, 1)
    assert repr(claim) == f"<Claim: {cut(str(claim), 70)}, 0 moves>"
    assert repr(Certificate("t" * 100, (claim,))) == f"<Certificate: {cut('t' * 100, 60)}, 1 claim>"
    shown = Certificate("t", (claim,) * 31)._repr_html_()
    assert shown.startswith("<table><caption>&lt;Certificate: t, 31 claims&gt;</caption>")
    assert shown.count("<tr>") == 30


class Unscored(Start):
    """A game whose end has no score of one role."""

    def result(self, position: Any) -> Any:
        raise NotApplicableError("no score of one")


def test_nobody_starts_where_the_end_has_no_score() -> None:
    assert starter(Unscored("first")) == "nobody"


def test_an_equilibrium_is_said_for_every_role() -> None:
    def promised(**data: Any) -> str:
        return Claim("a", 1, rule="equilibrium", data=data, play="equilibrium").promise

    each, end = "a gets 1, b gets -1/2", "in a subgame-perfect equilibrium"
    assert promised(roles=["a", "b"], values=["1", "-1/2"]) == f"{each} {end}"
    assert promised(roles=("a", "b"), values=("1", "-1/2"), ties="any") == f"{each} {end}"
    assert promised(roles=["a", "b"], values=["1", "-1/2"], ties="kind") == f"{each}, ties kind, {end}"
    for roles, values in (("ab", ["1", "2"]), (["a", "b"], "12"), (["a"], ["1", "2"]), (None, None), (5, ["1"])):
        assert promised(roles=roles, values=values) == f"a gets 1 {end}"


def test_a_rule_is_written_in_a_file_of_version_2_and_read_again(tmp_path: Path) -> None:
    rule = Claim("first", Fraction(1), rule="nim", data={"heaps": [1, 2]}, starts="first")
    layers = Claim("second", Fraction(-1), layers=Layers((1,), (b"\x01\x00",)), starts="first")
    made, file = Certificate("nim:1,2", (rule, layers), 64 * "a"), tmp_path / "a.zc"
    made.write(file)
    assert file.read_bytes().startswith(FORMAT.encode())
    read, size = read_with_size(file)
    assert (read.claims, size) == (made.claims, file.stat().st_size)


def test_bytes_that_are_no_text_are_no_certificate() -> None:
    with pytest.raises(CertificateError, match=r"^x\.json"):
        parse_certificate_bytes(b"\xff\xfe", "x.json")
