"""Files that are no rulesheets: one clear line, whatever they hold."""

from __future__ import annotations

import gc
import io
from pathlib import Path

import pytest

from zermelo.errors import InputError
from zermelo.gdl.infix import read_infix
from zermelo.gdl.kif import read_kif
from zermelo.gdl.reader import MAX_BYTES, read_rules, read_rulesheet
from zermelo.gdl.syntax import MAX_DEPTH
from zermelo.gdl.validate import check_rules

MANY = 1_000_000


def complaint(data: bytes, folder: Path, name: str = "g.kif") -> str:
    """What is said about a file that holds the data, from the name on."""
    path = folder / name
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        read_rulesheet(path)
    text = str(caught.value)
    assert "\n" not in text
    assert len(text) < 300 + len(str(path))
    return text.removeprefix(str(folder) + "/")


def test_a_byte_order_mark_and_any_line_ends_are_read() -> None:
    plain = read_rules("(role a)\n; note\n(role b)")
    for text in ("\ufeff(role a)\n; note\n(role b)", "(role a)\r\n; note\r\n(role b)", "(role a)\r; note\r(role b)"):
        sheet = read_rules(text)
        assert sheet == plain
        assert [rule.span.line for rule in sheet.rules] == [1, 3]
        assert [comment.text for comment in sheet.comments] == [" note"]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "g.kif: there is no rule in it"),
        (b"; only a comment\n", "g.kif: there is no rule in it"),
        (b"(role a)\n(role \0b)", "g.kif:2:7: a zero byte"),
        (b"\0" * MANY, "g.kif:1:1: a zero byte"),
        (b"(role a)\n(role \xe9)", "g.kif:2:7: the byte 0xe9, which is not UTF-8"),
        (bytes(range(256)) * 100, "g.kif:2:118: binary data"),
        (b"(role \xed\xa0\x80)", "g.kif:1:7: the byte 0xed, which is not UTF-8"),
        (b"(role \x1b[31ma)", "g.kif:1:7: '\\x1b[31ma' is not a word"),
        (b"(" * MANY, f"g.kif:1:{MAX_DEPTH + 1}: nested deeper than {MAX_DEPTH} levels"),
        (b"(f " * MANY, f"g.kif:1:{3 * MAX_DEPTH + 1}: nested deeper than {MAX_DEPTH} levels"),
        (b")" * MANY, "g.kif:1:1: this parenthesis closes nothing"),
        (b"(role a", "g.kif:1:1: this parenthesis is never closed"),
        (b"(p)" * (MAX_BYTES // 3 + 1), "g.kif: larger than 64 MB"),
    ],
    ids=lambda value: f"{value[:12]!r}" if isinstance(value, bytes) else "",
)
def test_what_is_no_rulesheet_is_refused_in_one_line(data: bytes, words: str, tmp_path: Path) -> None:
    assert complaint(data, tmp_path).startswith(words)


@pytest.mark.parametrize("syntax", ["kif", "infix"])
def test_a_flood_of_words_is_refused_at_the_first_too_many(syntax: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"zermelo.gdl.{syntax}.MAX_WORDS", 1000)
    read = read_kif if syntax == "kif" else read_infix
    with pytest.raises(InputError, match=r"^g:1:\d+: more than 1000 words, expected a rulesheet$"):
        read("p " * 2000 if syntax == "kif" else "p. " * 2000, "g")


def test_collection_goes_on_after_a_sheet_is_read() -> None:
    with pytest.raises(InputError):
        read_kif("(role a")
    assert gc.isenabled()


@pytest.mark.parametrize("data", ["(", "f(", "p :- ~", "'", "/*", "a,", "a;", "_", "\\", "p('", "a ", "(a;"])
def test_endless_repetition_in_infix_is_refused_in_one_line(data: str, tmp_path: Path) -> None:
    assert complaint(data.encode() * (MANY // len(data)), tmp_path, "g.pl").startswith("g.pl:1:")


def test_half_of_a_surrogate_pair_is_refused() -> None:
    for text in ("(role \ud800)", "; \udfff\n(role a)"):
        with pytest.raises(InputError, match="half of a surrogate pair"):
            read_rules(text)


def test_very_long_names_lines_and_comments_are_read() -> None:
    name = "a" * MANY
    assert read_rules(f"(role {name})").rules == read_rules(f"role({name}). %{name}").rules


def test_files_that_cannot_be_opened_are_said_so(tmp_path: Path) -> None:
    for path, words in (
        (tmp_path / "no.kif", "no such file"),
        (tmp_path, "a directory, expected a file"),
        ("a\0b", "null byte"),
    ):
        with pytest.raises(InputError, match=words):
            read_rulesheet(path)


def test_standard_input_is_read_as_a_minus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"role(a).")))
    assert [str(rule) for rule in read_rulesheet("-").rules] == ["(role a)"]


def test_terms_and_formulas_of_the_greatest_depth_are_checked_and_compared() -> None:
    term = "(f " * (MAX_DEPTH - 2) + "?x" + ")" * (MAX_DEPTH - 2)
    formula = "(not " * (MAX_DEPTH - 2) + "(p ?x)" + ")" * (MAX_DEPTH - 2)
    disjunction = "(or q " * (MAX_DEPTH - 2) + "(p ?x)" + ")" * (MAX_DEPTH - 2)
    for body in (f"(p {term})", formula, disjunction):
        sheet = read_rules(f"(<= (p {term}) {body}) (<= (p {term}) {body})")
        codes = {finding.code for finding in check_rules(sheet)}
        assert "duplicate-rule" in codes
