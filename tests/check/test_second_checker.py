"""``zermelo-check`` reads tables and rulesheets, and accepts what the checker in Python accepts, no more."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from tests.check.second import second_verdict
from tests.fuzz import forged_tables, two_checkers, two_checkers_of_rules, two_checkers_of_values

import zermelo
from zermelo.certificate import Certificate, Claim, about, read_certificate
from zermelo.check import check_certificate
from zermelo.check.instance import digest_of
from zermelo.check.targets import game_to_check
from zermelo.errors import ZermeloError
from zermelo.games.sheet_texts import rulesheet_text
from zermelo.limits import Limits

SHEETS = (
    "tictactoe", "nim", "hex:3", "breakthrough:4,3", "connectfour:4,4,3", "dotsandboxes:1,2", "geography",
)  # fmt: skip
ROOT = Path(__file__).parents[2]


def written(sheet: str, folder: Path) -> str:
    """The file that a rulesheet of the library was written to."""
    name, _, arguments = sheet.partition(":")
    file = folder / f"{name}.kif"
    file.write_text(rulesheet_text(name, arguments))
    return str(file)


@pytest.mark.parametrize("sheet", SHEETS)
def test_both_checkers_accept_proofs_about_rulesheets_and_refuse_forged_ones(sheet: str, tmp_path: Path) -> None:
    target = written(sheet, tmp_path)
    solution = zermelo.solve(target)
    assert solution.verified
    assert solution.certificate is not None
    proof, table = tmp_path / "proof.zc", tmp_path / "table.json"
    solution.certificate.write(proof)
    solution.certificate.write(table)
    for file in (proof, table):
        assert check_certificate(game_to_check(target), read_certificate(file)).accepted  # type: ignore[arg-type]
        assert second_verdict(file, target)[0] == 0
    game, right = game_to_check(target), read_certificate(table)
    assert game is not None
    for what, forged in forged_tables.forgeries(game, right, random.Random(sheet)):
        table.write_text(json.dumps(forged.to_json()))
        assert not check_certificate(game, forged).accepted, what
        assert second_verdict(table, target)[0] in (1, 2), what


@pytest.mark.parametrize("kind", two_checkers.KINDS)
def test_both_checkers_accept_the_same_certificates_of_random_games(kind: str) -> None:
    rng = random.Random(kind)
    assert sum(two_checkers.check(two_checkers.Case(kind, rng.randrange(10**9))) for _ in range(6)) > 40


@pytest.mark.parametrize("kind", two_checkers_of_rules.KINDS)
def test_both_checkers_accept_the_same_certificates_by_rules(kind: str) -> None:
    rng = random.Random(kind)
    cases = [two_checkers_of_rules.Case(kind, rng.randrange(10**9)) for _ in range(4)]
    assert sum(map(two_checkers_of_rules.check, cases)) > 40


@pytest.mark.parametrize("kind", two_checkers_of_values.DRAWS)
def test_both_checkers_accept_the_same_certificates_of_sums_and_boards(kind: str) -> None:
    rng = random.Random(kind)
    cases = [two_checkers_of_values.Case(kind, rng.randrange(10**9)) for _ in range(3)]
    assert sum(map(two_checkers_of_values.check, cases)) > 40


def value_claims(text: str, folder: Path) -> tuple[Certificate, Path]:
    certificate = zermelo.solve(text).certificate
    assert certificate is not None
    return certificate, folder / "claims.json"


@pytest.mark.parametrize("text", ["{5|-5} + {3||2|-1}", "domineering:3x3", "clobber:xo.ox + {1|-1} + kayles:3"])
def test_claims_about_another_game_starter_or_convention_are_refused(text: str, tmp_path: Path) -> None:
    right, file = value_claims(text, tmp_path)
    game = game_to_check(text)
    assert game is not None
    for place, claim in enumerate(right.claims):
        others = [
            replace(claim, starts="right" if claim.starts == "left" else "left"),
            replace(claim, role="right" if claim.role == "left" else "left", at_least=claim.at_least + 1),
            replace(claim, after=("a1",)),
            replace(claim, at_least=claim.at_least + 1),
        ]
        if claim.rule == "sum" or (claim.rule == "value" and "{" in text):
            others.append(replace(claim, play="normal" if claim.play == "score" else "score"))
        for other in others:
            false = replace(right, claims=(*right.claims[:place], other, *right.claims[place + 1 :]))
            file.write_text(json.dumps(false.to_json()))
            assert not check_certificate(game, false).accepted
            assert second_verdict(file, text)[0] == 1
    file.write_text(json.dumps(right.to_json()))
    assert second_verdict(file, text)[0] == 0
    assert second_verdict(file, "{5|-4} + {3||2|-1}")[0] == 1
    assert second_verdict(file, "domineering:3x4")[0] == 1


def test_a_sum_with_deep_brackets_is_read_by_both(tmp_path: Path) -> None:
    depth = 3_000
    text, file = "{" * depth + "0" + "|0}" * depth, tmp_path / "deep.json"
    game = game_to_check(text)
    assert game is not None
    claim = Claim("left", 1, rule="value", data={"games": ["0"], "root": 0}, starts="left", play="normal")
    file.write_text(json.dumps(Certificate("", (claim,), digest_of(game)).to_json()))
    status, words = second_verdict(file, text)
    assert (status, words) == (1, "refuted: the sum is not equal to the game that the certificate names")


@pytest.mark.parametrize("text", ["*999999999", "hexadecimal:0.8:999999", f"amazons:{'|'.join(['.' * 99 + 'x'] * 99)}"])
def test_what_takes_too_much_work_is_neither_accepted_nor_refuted(text: str, tmp_path: Path) -> None:
    game = game_to_check(text)
    assert game is not None
    data = {"games": ["0"], "root": 0, "parts": {}, "moves": {}}
    rule = "outcome" if ":" in text else "value"
    claim = Claim("right", 1, rule=rule, data=data, starts="left", play="normal")
    file = tmp_path / "large.json"
    file.write_text(json.dumps(Certificate("", (claim,), digest_of(game)).to_json()))
    status, words = second_verdict(file, text)
    assert status == 2 and "too" in words


@pytest.mark.parametrize(
    "said", ["", "|", "{|}", "-v", "-{1|0}", "+-1*", "+-(1,2)", "1+1", "^^3", "(1)", "1,2", "+-", "v2*3"]
)
def test_a_value_of_a_board_is_named_alike_for_both(said: str, tmp_path: Path) -> None:
    for text in ("domineering:.", "domineering:..", "nimheaps:3", "cram:2x2"):
        right, file = value_claims(text, tmp_path)
        (claim,) = right.claims
        changed = replace(right, claims=(replace(claim, data={**claim.data, "value": said}),))
        file.write_text(json.dumps(changed.to_json()))
        game = game_to_check(text)
        assert game is not None
        assert (second_verdict(file, text)[0] == 0) == check_certificate(game, changed).accepted


def copying(count: int) -> str:
    """A formula in which exists has to copy what forall chose, in each of many pairs."""
    sums = ["s0 = or(a0, -a0)"]
    for n in range(count):
        sums += [f"x{n} = xor(a{n}, e{n})", f"s{n + 1} = and(s{n}, -x{n})"]
    names = ", ".join(f"a{n}" for n in range(count)), ", ".join(f"e{n}" for n in range(count))
    return "\n".join([f"forall({names[0]})", f"exists({names[1]})", f"output(s{count})", *sums])


def test_functions_with_too_many_plays_to_be_tried_are_decided_by_search(tmp_path: Path) -> None:
    count = 60
    target, file = tmp_path / "copying.qcir", tmp_path / "functions.json"
    target.write_text(copying(count))
    game = game_to_check(str(target))
    assert game is not None
    head = [f"aag {2 * count} {count} 0 {count} {count}", *(str(2 * n + 2) for n in range(count))]
    outputs = [str(2 * (count + n) + 2) for n in range(count)]
    gates = [f"{2 * (count + n) + 2} {2 * n + 2} {2 * ((n + 1) % count) + 2}" for n in range(count)]
    names = [*(f"i{n} a{n}" for n in range(count)), *(f"o{n} e{n}" for n in range(count))]
    right = [f"{2 * (count + n) + 2} {2 * n + 2} {2 * n + 2}" for n in range(count)]
    for made, status in ((right, 0), (gates, 1)):  # a gate of a pair and its neighbour copies neither
        text = "\n".join([*head, *outputs, *made, *names]) + "\n"
        claim = about(game, Claim("exists", 1, rule="functions", data={"aag": text}))
        file.write_text(json.dumps(Certificate("", (claim,), digest_of(game)).to_json()))
        assert second_verdict(file, str(target))[0] == status


def sheets_of_the_library() -> list[Path]:
    return sorted((ROOT / "src/zermelo/games/rulesheets").glob("*.kif")) + sorted((ROOT / "examples").glob("*.kif"))


@pytest.mark.parametrize("file", sheets_of_the_library(), ids=lambda file: str(file.name))
def test_both_checkers_read_the_same_game_in_every_sheet(file: Path, tmp_path: Path) -> None:
    """An empty table with the right digest and starter lacks a move; who reads another game says that."""
    game = game_to_check(str(file))
    assert game is not None
    claim = about(game, Claim(game.roles[0], 0, {}))
    certificate = Certificate("", (claim,), digest_of(game))
    empty = tmp_path / "empty.json"
    empty.write_text(json.dumps(certificate.to_json()))
    try:
        status = {"refuted": 1, "accepted": 0}[check_certificate(game, certificate, Limits(seconds=30)).status]
    except ZermeloError:  # some role does not see every move
        status = 2
    second, words = second_verdict(empty, str(file))
    assert (second, "digest" in words, "starts" in words) == (status, False, False), words


def test_a_claim_after_moves_is_accepted_where_it_is_asked_about_alone(tmp_path: Path) -> None:
    for target, line in (("connect:4,4,3", "a b"), (written("tictactoe", tmp_path), "mark(a,1) mark(b,2)")):
        certificate = zermelo.solve(target, after=line).certificate
        assert certificate is not None
        for name in ("later.json", "later.zc"):
            file = tmp_path / name
            certificate.write(file)
            assert second_verdict(file, target, line)[0] == 0
            assert second_verdict(file, target)[0] == 1
            assert second_verdict(file, target, line.split()[0])[0] == 1
            assert second_verdict(file, target, "nowhere")[0] == 2


FAULTS = {
    "no rule for terminal": "(role a) (legal a x) (goal a 1)",
    "a parenthesis that is never closed": "(role a",
    "a parenthesis that closes nothing": "(role a))",
    "a variable of the head without values": "(role a) (legal a ?x) (goal a 1) terminal",
    "a variable under not without values": "(role a) (<= (legal a x) (not (true ?y))) (goal a 1) terminal",
    "a variable in one branch alone": "(role a) (<= (legal a ?x) (or (true ?x) (role a))) (goal a 1) terminal",
    "negation in a circle": "(role a) (legal a x) (goal a 1) terminal (<= p (not q)) (<= q p)",
    "a recursion that builds terms": "(role a) (legal a x) (goal a 1) terminal (p 1) (<= (p (s ?x)) (p ?x))",
    "goals that rest on moves": "(role a) (legal a x) (<= (goal a 1) (does a x)) terminal",
    "roles that rest on the state": "(<= (role a) (true x)) (legal a x) (goal a 1) terminal",
    "true as a head": "(role a) (true x) (legal a x) (goal a 1) terminal",
    "next in a body": "(role a) (<= (legal a x) (next x)) (goal a 1) terminal",
    "legal with one argument": "(role a) (legal a) (goal a 1) terminal",
    "not over distinct": "(role a) (<= (legal a x) (not (distinct a a))) (goal a 1) terminal",
    "a goal that is no number": "(role a) (legal a x) (goal a much) terminal",
    "no role to play": "(role random) (legal random x) (goal random 1) terminal",
    "a function without a name": "(role a) (legal a (?x 1)) (goal a 1) terminal",
    "two goals": "(role a) (legal a x) (goal a 1) (goal a 2) terminal",
    "no legal move": "(role a) (<= (legal a x) (true never)) (goal a 1) (<= terminal (true never))",
    "moves that are not seen": "(role a) (role random) (legal a x) (legal random y) (goal a 1) terminal",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_sheet_without_a_meaning_is_refused_by_both(fault: str, tmp_path: Path) -> None:
    sheet = tmp_path / "fault.kif"
    sheet.write_text(FAULTS[fault])
    file = tmp_path / "claim.json"
    claim = Claim("a", 1, {"": ("x", 1)}, starts="nobody")
    try:
        game = game_to_check(str(sheet))
        assert game is not None
        digest = digest_of(game)
    except ZermeloError:
        game, digest = None, "0" * 64
    certificate = Certificate("", (claim,), digest)
    file.write_text(json.dumps(certificate.to_json()))
    if game is not None:
        with pytest.raises(ZermeloError):
            check_certificate(game, certificate)
    assert second_verdict(file, str(sheet))[0] in (1, 2)


def test_chance_in_a_rulesheet_is_averaged_exactly(tmp_path: Path) -> None:
    sheet = tmp_path / "die.kif"
    faces = " ".join(f"(legal random {face}) (worth {face} {score})" for face, score in enumerate((0, 10, 55), 1))
    sheet.write_text(
        f"(role a) (role random) (legal a roll) {faces} (init begin) (<= terminal (not (true begin)))"
        "(<= (next (fell ?f)) (does random ?f)) (<= (goal a ?s) (true (fell ?f)) (worth ?f ?s))"
        "(<= (sees ?r (did ?p ?m)) (does ?p ?m) (role ?r))"
    )
    game = game_to_check(str(sheet))
    assert game is not None
    for at_least, accepted in (("65/3", True), ("65000000000000000001/3000000000000000000", False), ("21", True)):
        claim = {"role": "a", "at_least": at_least, "after": [], "starts": "chance", "play": "score", "table": {}}
        certificate = {"format": "zermelo-certificate", "version": 1, "target": "", "digest": digest_of(game)}
        (tmp_path / "die.json").write_text(json.dumps(certificate | {"claims": [claim]}))
        assert check_certificate(game, read_certificate(tmp_path / "die.json")).accepted == accepted
        assert (second_verdict(tmp_path / "die.json", str(sheet))[0] == 0) == accepted


ODD = {
    "as it is": lambda text: text,
    "a byte order mark": lambda text: "\ufeff" + text,
    "escapes": lambda text: text.replace("mnk", "\\u006dn\\u006b").replace("/", "\\/"),
    "a name twice": lambda text: text.replace('"role":"x"', '"role":"y","role":"x"'),
    "a name twice, the wrong one last": lambda text: text.replace('"role":"x"', '"role":"x","role":"y"'),
    "numbers that are none": lambda text: text.replace('"version"', '"more":[NaN,-Infinity,1e5],"version"'),
    "a version with a point": lambda text: text.replace('"version":1', '"version":1.0'),
    "nested lists": lambda text: text.replace('"version"', f'"more":{"[" * 800}{"]" * 800},"version"'),
    "deeply nested lists": lambda text: text.replace('"version"', f'"more":{"[" * 100000}{"]" * 100000},"version"'),
    "a comma too many": lambda text: text.replace("]}}", "],}}"),
    "a line break in a text": lambda text: text.replace('"target":"', '"target":"\n'),
    "something after it": lambda text: text + "x",
    "blanks around it": lambda text: f" \n\t{text}\r\n ",
    "a digest with capitals": lambda text: text.upper(),
    "half of a pair": lambda text: text.replace('"target":"', '"target":"\\ud800'),
    "a rank with a zero before it": lambda text: text.replace(",1]", ",01]"),
    "a rank that is true": lambda text: text.replace(",1]", ",true]"),
    "a rank with many digits": lambda text: text.replace(",9]", f",{10**200}]"),
    "minus nothing": lambda text: text.replace(",1]", ",-0]"),
    "a fraction": lambda text: text.replace('"at_least":"0"', '"at_least":"-1/7"'),
    "a fraction over nothing": lambda text: text.replace('"at_least":"0"', '"at_least":"0/0"'),
    "a decimal": lambda text: text.replace('"at_least":"0"', '"at_least":"0.0"'),
    "a rule": lambda text: text.replace('"table"', '"rule":"pairing","table"'),
    "moves in capitals": lambda text: text.replace('"b2"', '"B2"').replace('"a1"', '" a1 "'),
}  # fmt: skip


@pytest.mark.parametrize("how", ODD)
def test_odd_json_is_judged_alike(how: str, tmp_path: Path) -> None:
    solution = zermelo.solve("mnk:3,3,3", engine="dp")
    assert solution.certificate is not None
    claims = tuple(replace(claim, table=dict(claim.table), layers=None) for claim in solution.certificate.claims)
    text = json.dumps(replace(solution.certificate, claims=claims).to_json(), separators=(",", ":"))
    file = tmp_path / "odd.json"
    file.write_text(ODD[how](text))
    try:
        accepted = check_certificate(zermelo.game_of("mnk:3,3,3"), read_certificate(file)).accepted
    except ZermeloError:
        accepted = False
    assert (second_verdict(file, "mnk:3,3,3")[0] == 0) == accepted


def test_what_is_not_utf_8_is_refused_by_both(tmp_path: Path) -> None:
    file = tmp_path / "bytes.json"
    for bad in (b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82"):
        file.write_bytes(b'{"format":"' + bad + b'"}')
        with pytest.raises(ZermeloError):
            read_certificate(file)
        assert second_verdict(file, "tictactoe")[0] == 2


def test_the_second_checker_takes_the_digest_of_the_rules_as_the_page_says(tmp_path: Path) -> None:
    text = '(ROLE a) (LEGAL a "x\\y") ; a remark\r\n(goal a 1) (<= TERMINAL (OR (True ?x) (not (true p))) (role a))'
    sheet = tmp_path / "small.kif"
    sheet.write_bytes(text.encode())
    game = game_to_check(str(sheet))
    assert game is not None
    rules = (
        '[["role","a"]],[["legal","a","\\"x\\\\y\\""]],[["goal","a","1"]],'
        '[["terminal"],["or",["true","?0"],["not",["true","p"]]],["role","a"]]'
    )
    assert digest_of(game) == sha256(f"Rulesheet\n{rules}".encode()).hexdigest()
    file = tmp_path / "claim.json"
    claim = Claim("a", 1, starts="nobody")
    file.write_text(json.dumps(Certificate("", (claim,), digest_of(game)).to_json()))
    assert second_verdict(file, str(sheet)) == (0, f"accepted: {sheet}: a gets at least 1 if nobody starts")
