"""What the checker's own readers make of texts that are right, odd and wrong, each with the place of what is wrong.

``readings/texts.json`` has a line for each: the format, the text and what becomes of it. Whoever changes a reader sees
here what changes with it.
"""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pytest

from zermelo.check.instance import READERS
from zermelo.check.read import infix, kif
from zermelo.check.read.infix import rules_of_infix
from zermelo.check.read.kif import ground_term, rules_of_kif
from zermelo.errors import InputError
from zermelo.solving.targets import game_from
from zermelo.source import Source

TEXTS = json.loads(Path(__file__).with_name("readings").joinpath("texts.json").read_text(encoding="utf-8"))


def reading(form: str, text: str) -> str:
    """What a reader makes of a text."""
    try:
        if form in ("kif", "infix"):
            rules = (rules_of_kif if form == "kif" else rules_of_infix)(text, "sheet")
            return repr([(rule.head, rule.body, rule.place) for rule in rules])
        found: str = import_module(READERS[form]).read(Source(form, text, "text")).canonical()
    except InputError as error:
        return repr(str(error)) if form in ("kif", "infix") else str(error)
    return found


@pytest.mark.parametrize("form", ["kif", "infix", "graph", "network"])
def test_every_text_is_read_as_it_was(form: str) -> None:
    for each, text, made in TEXTS:
        if each == form:
            assert reading(form, text) == made, text


@pytest.mark.parametrize("form", ["graph", "network"])
def test_the_engines_refuse_the_same_texts(form: str) -> None:
    for each, text, _ in TEXTS:
        if each == form:
            try:
                game_from(Source(form, text, "text"))
                refused = False
            except InputError:
                refused = True
            assert refused == reading(form, text).startswith("text:"), text


def test_words_and_remarks_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kif, "MOST_WORDS", 6)
    monkeypatch.setattr(infix, "MOST_WORDS", 7)
    assert len(rules_of_kif("(p a) ; b\n  q", "sheet")) == 2
    with pytest.raises(InputError, match="sheet:2:4: more than 6 words"):
        rules_of_kif("(p a) ; b\n q r", "sheet")
    assert len(rules_of_infix("p :- q.\n  % b\n r.", "sheet")) == 2
    with pytest.raises(InputError, match="sheet:3:2: more than 7 words"):
        rules_of_infix("p :- q.\n  r. % s \n t.", "sheet")


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("a", "a"), ("(f a)", ("f", "a")), ("(f (g b) c)", ("f", ("g", "b"), "c")), ("(f)", "f"), ("a b", None),
        ("", None), ("?x", None), ("(f ?x)", None), ("(f", None), ("()", None), ("a)", None), ("b a", None),
    ],
)  # fmt: skip
def test_a_term_is_one_word_or_list_without_variables(text: str, term: object) -> None:
    if term is not None:
        assert ground_term(text) == term
        return
    with pytest.raises(ValueError, match=r".") as caught:
        ground_term(text)
    assert type(caught.value) is ValueError
