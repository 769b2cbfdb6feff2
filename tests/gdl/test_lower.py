"""Lowering to plain rules, and the flat arrays for the native side."""

from __future__ import annotations

import pytest

from tests.gdl.samples import NIM, sheet_of
from zermelo.errors import InputError
from zermelo.gdl.lower import NativeProgram, Sign, lower, native_program
from zermelo.gdl.reasoner import Reasoner


def plain(text: str) -> list[str]:
    return [str(rule) for rule in lower(sheet_of(text))]


def test_negation_is_pushed_to_atoms() -> None:
    assert plain("(<= p (not (or a (not b))))") == ["(<= p (not a) b)"]
    assert plain("(<= p (not (and a b)))") == ["(<= p (not a))", "(<= p (not b))"]


def test_equal_terms_are_unified() -> None:
    assert plain("(<= (p ?x ?y) (q ?y) (not (distinct ?x (f ?y))))") == ["(<= (p (f ?y) ?y) (q ?y))"]
    assert plain("(<= (p ?x) (q ?x) (not (distinct a b)))") == []
    assert plain("(<= (p ?x) (q ?x) (not (distinct ?x (f ?x))))") == []


def test_distinct_terms_are_decided_where_they_can_be() -> None:
    assert plain("(<= (p ?x) (q ?x) (distinct a b) (distinct (f ?x) (g ?x)))") == ["(<= (p ?x) (q ?x))"]
    assert plain("(<= p (distinct a a))") == []


def test_an_empty_disjunction_never_holds() -> None:
    assert plain("(<= p (or))") == []
    assert plain("(<= p (not (or)))") == ["p"]


def test_many_disjunctions_do_not_multiply() -> None:
    text = "(<= (p ?x) (q ?x) " + " ".join(f"(or (r{n} ?x) (not (s{n} ?x)))" for n in range(40)) + ")"
    rules = plain(text + "(q a) (q b) (s7 b)")
    assert len(rules) < 200
    assert Reasoner(sheet_of(text + "(q a) (q b) (s7 b)")).holds("p", ()) == ["(p a)"]


def test_disjunctions_that_bind_variables_may_be_split_off() -> None:
    text = "(<= (p ?x ?y) " + " ".join(f"(or (a{n} ?x) (b{n} ?x ?y))" for n in range(8)) + "(c ?y)) (c 1)"
    facts = " ".join(f"(a{n} 1) (b{n} 2 1)" for n in range(8))
    assert Reasoner(sheet_of(text + facts)).holds("p", ()) == ["(p 1 1)", "(p 2 1)"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(<= p (distinct a b c))", "distinct has 3 arguments, expected two"),
        (
            "(<= (p " + " ".join(f"?x{n}" for n in range(40)) + ")"
            + "".join(f"(not (distinct ?x{n} (f ?x{n + 1} ?x{n + 1})))" for n in range(39)) + "(q ?x39))",
            "its equal terms grow beyond 4096 symbols",
        ),
        (
            "(<= (p ?x) " + " ".join(f"(or (distinct ?x a{n}) (distinct ?x b{n}))" for n in range(30)) + ")",
            "the rules spread over more than 10000 literals",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_lowered_is_one_clear_line(text: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.gdl.lower.LITERAL_LIMIT", 10_000)
    with pytest.raises(InputError) as caught:
        lower(sheet_of(text, "g.kif"))
    assert str(caught.value).startswith("g.kif:1:") and str(caught.value).endswith(message)


def term_text(program: NativeProgram, node: int) -> str:
    name = int(program.node_name[node])
    first, count = int(program.node_first_arg[node]), int(program.node_arg_count[node])
    word = program.names[name] if name >= 0 else f"?v{-1 - name}"
    args = [term_text(program, int(arg)) for arg in program.args[first : first + count]]
    return f"({' '.join([word, *args])})" if args else word


def test_flat_arrays_hold_the_same_rules() -> None:
    rules = lower(sheet_of(NIM))
    program = native_program(rules)
    assert len(program.rule_head) == len(rules) == len(program.rule_first_literal) - 1
    for number, rule in enumerate(rules):
        names: dict[str, str] = {}
        begin, end = program.rule_first_literal[number], program.rule_first_literal[number + 1]
        words = [term_text(program, int(program.rule_head[number]))]
        words += [term_text(program, int(atom)) for atom in program.literal_atom[begin:end]]
        for word in (
            " ".join(map(str, (rule.head, *(x.atom for x in rule.body)))).replace("(", " ").replace(")", " ").split()
        ):
            if word.startswith("?"):
                names.setdefault(word, f"?v{len(names)}")
        assert len(names) == program.rule_variables[number]
        assert [Sign(sign) for sign in program.literal_sign[begin:end]] == [literal.sign for literal in rule.body]
        expected = " ".join(map(str, (rule.head, *(literal.atom for literal in rule.body))))
        for word, new in sorted(names.items(), key=lambda pair: -len(pair[0])):
            expected = expected.replace(word + " ", new + " ").replace(word + ")", new + ")")
        assert " ".join(words) == expected


def test_arguments_have_smaller_numbers_and_every_term_is_there_once() -> None:
    program = native_program(lower(sheet_of(NIM)))
    nodes = []
    for node in range(len(program.node_name)):
        first, count = int(program.node_first_arg[node]), int(program.node_arg_count[node])
        args = tuple(program.args[first : first + count].tolist())
        assert all(arg < node for arg in args)
        nodes.append((int(program.node_name[node]), args))
    assert len(set(nodes)) == len(nodes)
