"""A taste of ``make suite``: a dozen quick targets of all kinds, and what is kept of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchmarks.suite import (
    AUTO,
    FULL,
    Line,
    asked,
    best_of,
    game_of_target,
    is_right,
    is_well_chosen,
    load,
    main,
    read_targets,
)
from benchmarks.suite_page import page, summary
from benchmarks.suite_targets import FILE, Target, heaps, larger

import zermelo
from zermelo.game import Game
from zermelo.solving.routes import Way, every_way

QUICK = (
    "nim:1,2", "wythoff:1,2", "hex:2", "coins:1,1", "examples/map.graph", "gdl:nim:1,2", "examples/answers.qcir",
    "examples/bakery.qlp", "{5|-5} + {3||2|-1}", "domineering:2x2", "examples/umbrella.json", "examples/corridors.sgf",
)  # fmt: skip


def quick_targets() -> list[Target]:
    targets = {target.name: target for target in read_targets()}
    of_kind = {target.kind: target for target in targets.values() if target.text and len(target.text) < 600}
    return [targets[name] for name in QUICK] + list(of_kind.values())[:4]


def test_the_suite_has_250_targets_of_every_kind_with_a_source() -> None:
    targets = read_targets()
    free = [target for target in targets if not target.corpus]
    assert len(free) >= 250
    assert {"game", "rulesheet", "formula", "program", "network", "record", "board", "sum"} <= {t.kind for t in free}
    assert len({target.name for target in targets}) == len(targets)
    assert all(target.source and (target.value or target.winner) for target in targets)


def test_closed_forms_of_the_file_are_those_of_its_writer() -> None:
    written = {target.name: target for target in read_targets()}
    assert all(written[target.name] == target for target in [*heaps(), *larger()])


def test_a_target_may_be_another_statement_of_a_game() -> None:
    target = next(target for target in larger() if target.name == "nim:2,3 as qlp")
    game = game_of_target(target)
    assert (game.kind, zermelo.solve(game).winner) == ("program", target.winner)


def test_quick_targets_are_answered_right_by_all_that_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FILE.parents[1])
    monkeypatch.setattr("benchmarks.suite.every_way", _a_few_ways)
    stored = {}
    for target in quick_targets():
        lines = stored[target.name] = asked(target, 5.0)
        assert all(is_right(target, line) for line in lines), lines
        assert next(line for line in lines if line.route == AUTO).status == "solved", target.name
        assert next(line for line in lines if line.route == FULL).verified, target.name
    text = page(quick_targets(), stored, 5.0)
    assert f"{len(stored)} targets: auto answers {len(stored)}" in text and "0 of them wrong" in text


def _a_few_ways(game: Game) -> list[Way]:
    few = {"dp", "cgt", "sum", "go", "scsp", "qbf-search", "qip-table", "parity"}
    return [way for way in every_way(game) if way.route.name in few]


def test_a_wrong_answer_is_counted_and_told() -> None:
    target = Target("nim:1,2", "game", "closed form", winner="first")
    lines = [Line("nim:1,2", AUTO, "solved", "1", "first"), Line("nim:1,2", "dp", "solved", "-1", "second")]
    assert is_right(target, lines[0]) and not is_right(target, lines[1])
    assert "1 of them wrong" in summary([target], {"nim:1,2": lines})


def test_auto_is_well_chosen_within_twice_the_best_engine() -> None:
    best = Line("t", "dp", "solved", cpu=1.0)
    assert is_well_chosen([best, Line("t", AUTO, "solved", cpu=1.9)])
    assert not is_well_chosen([best, Line("t", AUTO, "solved", cpu=2.1)])
    assert not is_well_chosen([best, Line("t", AUTO, "unknown", cpu=1.0)])
    assert best_of([best, Line("t", AUTO, "solved", cpu=0.5)]) == best


def test_what_stands_in_the_store_is_not_asked_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "store.jsonl"
    said = {"target": "treblecross:21", "status": "solved", "winner": "first"}
    store.write_text("\n".join([*(json.dumps(said | {"route": route}) for route in (AUTO, FULL)), '{"targ']))
    assert len(load(store)["treblecross:21"]) == 2
    assert main(["--only", "treblecross:21", "--store", str(store)]) == 0
    assert capsys.readouterr().out.startswith("1 targets: auto answers 1")
