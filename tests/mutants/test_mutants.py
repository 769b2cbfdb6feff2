"""The tool that makes mutants: what it changes, that tests are run against the change, and the list of survivors."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from math import inf
from pathlib import Path
from types import ModuleType

import pytest

from tests.mutants import running
from tests.mutants.__main__ import (
    SHORTENED,
    Memory,
    explained,
    explanations,
    judges_of,
    judging,
    needless,
    recorded,
    shortened,
    tidied,
)
from tests.mutants.killers import Killers, hint
from tests.mutants.mutate import Mutant, mutants_of
from tests.mutants.running import LOADING, Outcome, Reach, Trial, bounded, changed_in_place, child

TEXT = '''
"""Sizes."""

LIMIT = 3


def small(sizes: list[int]) -> bool:
    """Whether all are small."""
    if not sizes:
        raise ValueError(f"no sizes but {LIMIT + 1}")
    return all(0 <= size < LIMIT and size != 1 for size in sizes)
'''


def changes(text: str) -> list[str]:
    return [mutant.change for mutant in mutants_of("m.py", text)]


def test_conditions_bounds_returns_and_refusals_are_changed_and_texts_are_not() -> None:
    assert changes(TEXT) == [
        "if not sizes -> if True",
        "if not sizes -> if False",
        "not sizes -> sizes",
        "raise ValueError(f'no sizes but {LIMIT + 1}') -> pass",
        "return all((0 <= size < LIMIT and size != 1 for size in sizes)) -> return None",
        "all((0 <= size < LIMIT and size != 1 for size in sizes)) -> "
        "any((0 <= size < LIMIT and size != 1 for size in sizes))",
        "0 <= size < LIMIT and size != 1 -> 0 <= size < LIMIT or size != 1",
        "0 <= size < LIMIT and size != 1 -> size != 1",
        "0 <= size < LIMIT and size != 1 -> 0 <= size < LIMIT",
        "0 <= size < LIMIT -> 0 < size < LIMIT",
        "0 <= size < LIMIT -> 0 <= size <= LIMIT",
        "0 -> 1",
        "0 -> -1",
        "size != 1 -> size == 1",
        "1 -> 2",
        "1 -> 0",
    ]


LIMITED = """
def tried(replies, limits):
    for number, reply in enumerate(replies):
        tick()
        if number % 1024 == 0 and limits.expired():
            return Verdict("limit", "after one" if number == 1 else "later")
        if reply:
            raise Fault("no reply" if number < 1 else "another", number + 1)
    return Verdict("accepted")
"""


def test_how_often_limits_are_looked_at_and_how_a_refusal_is_worded_is_not_changed() -> None:
    assert changes(LIMITED) == [
        "if number % 1024 == 0 and limits.expired() -> if True",
        "if number % 1024 == 0 and limits.expired() -> if False",
        "number % 1024 == 0 and limits.expired() -> number % 1024 == 0 or limits.expired()",
        "number % 1024 == 0 and limits.expired() -> number % 1024 == 0",
        "return Verdict('limit', 'after one' if number == 1 else 'later') -> return None",
        "if reply -> if True",
        "if reply -> if False",
        "raise Fault('no reply' if number < 1 else 'another', number + 1) -> pass",
        "number + 1 -> number - 1",
        "1 -> 2",
        "1 -> 0",
        "return Verdict('accepted') -> return None",
    ]


def test_each_mutant_is_a_module_with_that_one_change() -> None:
    for mutant in mutants_of("m.py", TEXT):
        compile(mutant.code, "m.py", "exec")
        assert mutant.within == "small" and mutant.piece in mutant.code
        assert 8 <= mutant.first <= mutant.last <= 11
    assert len({mutant.identity for mutant in mutants_of("m.py", TEXT)}) == len(changes(TEXT))


def test_a_mutant_stays_the_same_while_its_function_does() -> None:
    moved = TEXT.replace("LIMIT = 3", "LIMIT = 3\nOTHER = 4\n")
    assert [m.identity for m in mutants_of("m.py", TEXT)] == [m.identity for m in mutants_of("m.py", moved)]


TRIAL = """
import sys, time
from pathlib import Path
from tests.mutants.mutate import mutants_of
from tests.mutants.running import Reach, Task, outcomes, start_trial
path, change, *tests = sys.argv[1:]
mutant = next(m for m in mutants_of(path, Path(path).read_text(encoding="utf-8")) if m.change == change)
reach = [Reach(test, 0.1, frozenset()) for test in tests]
trial = start_trial(Path(path), mutant.code, reach)
while (loaded := trial.outcome()) is None:
    time.sleep(0.01)
[(_, outcome)] = outcomes(Path(path), [Task(mutant.within, mutant.code, reach)], 1)
assert outcome == loaded, (outcome, loaded)
print(outcome.status, outcome.test)
"""
"""Both ways, changed while it is loaded and in place; in a process of its own, since here the modules are loaded."""


def outcome_of(path: str, change: str, tests: list[str]) -> Outcome:
    done = subprocess.run(
        [sys.executable, "-c", TRIAL, path, change, *tests], capture_output=True, text=True, check=True
    )
    status, _, test = done.stdout.strip().partition(" ")
    return Outcome(status, test)


def test_a_mutant_is_killed_by_the_test_that_notices_it_and_survives_one_that_does_not() -> None:
    path, change = "src/zermelo/check/walk.py", "self.found < self.claim.at_least -> self.found <= self.claim.at_least"
    blind = "tests/check/test_walk.py::test_several_roles_at_once_and_no_legal_move_prove_nothing"
    sharp = "tests/check/test_walk.py::test_whole_probabilities_of_zero_and_one_are_fine"
    assert outcome_of(path, change, [blind]) == Outcome("survived")
    assert outcome_of(path, change, [blind, sharp]) == Outcome("killed", sharp)


def test_a_test_that_is_not_there_kills_nothing() -> None:
    path, change = "src/zermelo/check/walk.py", "self.found < self.claim.at_least -> self.found <= self.claim.at_least"
    assert outcome_of(path, change, ["tests/check/test_walk.py::test_nothing"]) == Outcome("survived")


LISTED_FIRST = """
import sys
from pathlib import Path
from tests.mutants.__main__ import listed_first
from tests.mutants.killers import Killers, hint
from tests.mutants.mutate import mutants_of
path, change, test = sys.argv[1:]
mutant, *others = [m for m in mutants_of(path, Path(path).read_text(encoding="utf-8")) if m.change == change]
killers = Killers({hint(mutant): test}, {test: 0.1})
for found, outcome in listed_first(path, [mutant, *others], killers, 1):
    assert found == mutant
    print(outcome.status, outcome.test)
"""


def listed_first(path: str, change: str, test: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", LISTED_FIRST, path, change, test]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_listed_test_of_a_mutant_kills_it_or_leaves_it_to_the_others() -> None:
    path, change = "src/zermelo/check/walk.py", "self.found < self.claim.at_least -> self.found <= self.claim.at_least"
    blind = "tests/check/test_walk.py::test_several_roles_at_once_and_no_legal_move_prove_nothing"
    sharp = "tests/check/test_walk.py::test_whole_probabilities_of_zero_and_one_are_fine"
    assert listed_first(path, change, sharp).stdout == f"killed {sharp}\n"
    assert (done := listed_first(path, change, blind)).stdout == "" and done.returncode == 0


def test_a_listed_test_that_fails_without_a_change_kills_nothing() -> None:
    path, change = "src/zermelo/check/walk.py", "self.found < self.claim.at_least -> self.found <= self.claim.at_least"
    Path("build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir="build") as folder:
        broken = Path(folder, "test_broken.py")
        broken.write_text("def test_it():\n    assert False\n")
        done = listed_first(path, change, f"{broken}::test_it")
    assert done.stdout == "" and done.returncode == 1
    assert done.stderr.strip().endswith("test_broken.py::test_it fails without a change")


def test_the_list_of_killers_is_read_as_it_was_written() -> None:
    killers = Killers({"01234567": "a.py::test_a[1 2]", "89abcdef": "b.py::test_b"}, {"a.py::test_a[1 2]": 0.25})
    again = Killers.read(killers.write())
    assert again.tests == killers.tests
    assert again.seconds == {"a.py::test_a[1 2]": 0.25, "b.py::test_b": 1.0}


def test_what_is_recorded_are_the_killers_of_mutants_that_are_still_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, test = tmp_path / "m.py", f"{tmp_path}/test_one.py::test_it"
    module.write_text(TEXT)
    (tmp_path / "test_one.py").write_text("1")
    monkeypatch.setattr("tests.mutants.__main__.modules", lambda: [str(module)])
    found, before, alive, *_ = mutants_of(str(module), TEXT)
    memory = Memory(tmp_path)
    memory.keep(found, Outcome("timeout", test), [])
    memory.keep(alive, Outcome("survived"), [])
    listed = recorded(Killers({hint(before): "b.py::test_b", "00000000": "gone.py::test_it"}, {}), memory)
    assert listed.tests == {hint(found): test, hint(before): "b.py::test_b"}


AT_LOADING = """
import sys
from math import inf
from pathlib import Path
from tests.mutants.__main__ import _tried
from tests.mutants.mutate import mutants_of
from tests.mutants.running import Reach
path, test = sys.argv[1:]
mutant = next(m for m in mutants_of(path, Path(path).read_text(encoding="utf-8")) if m.within == "_coded")
judges = [Reach(test, 0.1, frozenset())]
for lines in ((), range(mutant.first, mutant.last + 1)):
    [(_, outcome)] = _tried(path, [(mutant, judges)], 1, frozenset(lines))
    print(outcome.status)
"""
"""A function that makes the rules of games while its module is loaded, not known to do so and known."""


def test_what_a_change_makes_while_the_module_is_loaded_is_made_again() -> None:
    test = "tests/check/test_board_moves.py::test_moves_worked_out_by_hand[kayles:3-3>1 3>1,1 3>2-3>1 3>1,1 3>2]"
    command = [sys.executable, "-c", AT_LOADING, "src/zermelo/check/boards/heaps.py", test]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() == ["survived", "killed"]


def test_the_killer_of_before_is_tried_first_and_then_the_fastest_that_come_to_the_line() -> None:
    mutant = Mutant("m.py", "f", 5, 6, "a -> b", 0, "", "")
    reach = [
        Reach("slow", 9.0, frozenset({5})),
        Reach("fast", 1.0, frozenset({6, 7})),
        Reach("away", 0.1, frozenset({8})),
    ]
    assert [one.test for one in judges_of(mutant, reach, "")] == ["fast", "slow"]
    assert [one.test for one in judges_of(mutant, reach, "slow")] == ["slow", "fast"]


def test_what_runs_while_a_module_is_loaded_is_tried_with_all_tests_and_what_never_runs_with_none() -> None:
    reach = [Reach(LOADING, 0.1, frozenset({1})), Reach("one", 0.1, frozenset({5})), Reach("two", 0.2, frozenset({6}))]
    loaded, never = (Mutant("m.py", "f", line, line, "a -> b", 0, "", "") for line in (1, 9))
    assert [one.test for one in judges_of(loaded, reach, "")] == ["one", "two"]
    assert judges_of(never, reach, "") == []


CHANGED = """
from dataclasses import dataclass
from functools import cache


@cache
def twice(number):
    return number + number


@dataclass
class Box:
    size: int = 1

    def double(self):
        return 2 * self.size

    @property
    def half(self):
        return self.size // 2

    def __hash__(self):
        return super().__hash__()
"""


def test_functions_and_methods_of_a_loaded_module_are_changed_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("a_module")
    module.__file__ = "a_module.py"
    monkeypatch.setitem(sys.modules, "a_module", module)
    exec(CHANGED, module.__dict__)
    box, twice = module.Box(7), module.twice
    assert (twice(3), box.double(), box.half) == (6, 14, 3)
    assert changed_in_place("a_module", "twice", CHANGED.replace("number + number", "number * number"))
    assert changed_in_place("a_module", "Box.double", CHANGED.replace("2 * self", "3 * self"))
    assert (twice(3), box.double(), box.half) == (9, 21, 3)
    assert changed_in_place("a_module", "Box.half", CHANGED.replace("// 2", "* 2"))
    assert (box.double(), box.half) == (14, 14)
    assert not changed_in_place("a_module", "Box", CHANGED.replace("= 1", "= 2"))
    assert not changed_in_place("a_module", "Box.__hash__", CHANGED.replace("super().__hash__()", "None"))


def test_a_module_that_is_loaded_late_is_changed_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a_late_module.py").write_text(CHANGED)
    monkeypatch.syspath_prepend(tmp_path)
    assert changed_in_place("a_late_module", "twice", CHANGED.replace("number + number", "number * number"))
    assert sys.modules["a_late_module"].twice(3) == 9
    monkeypatch.delitem(sys.modules, "a_late_module")


def test_what_is_known_holds_until_the_killer_or_for_survivors_any_test_changes(tmp_path: Path) -> None:
    (mutant, other, *_) = mutants_of("m.py", TEXT)
    one, two = tmp_path / "test_one.py", tmp_path / "test_two.py"
    one.write_text("1")
    two.write_text("2")
    files = [str(one), str(two)]
    Memory(tmp_path).keep(mutant, Outcome("killed", f"{one}::test_it"), files)
    Memory(tmp_path).keep(other, Outcome("survived"), files)
    two.write_text("3")
    memory = Memory(tmp_path)
    assert memory.outcome(mutant, files) == Outcome("killed", f"{one}::test_it")
    assert memory.outcome(other, files) is None
    one.write_text("4")
    assert memory.outcome(mutant, files) is None and memory.killer(mutant) == f"{one}::test_it"


def test_who_was_killed_by_a_short_test_is_killed_and_who_survived_short_tests_is_tried_with_all(
    tmp_path: Path,
) -> None:
    (mutant, other, *_) = mutants_of("m.py", TEXT)
    test = tmp_path / "test_one.py"
    test.write_text("1")
    Memory(tmp_path, 0.5).keep(mutant, Outcome("killed", f"{test}::test_it"), [str(test)])
    Memory(tmp_path, 0.5).keep(other, Outcome("survived"), [str(test)])
    for memory in (Memory(tmp_path), Memory(tmp_path, 2)):
        assert memory.outcome(mutant, [str(test)]) == Outcome("killed", f"{test}::test_it")
        assert memory.outcome(other, [str(test)]) is None


def test_a_mutant_with_a_reason_is_tried_for_a_while_and_without_it_again(tmp_path: Path) -> None:
    mutant = next(iter(mutants_of("m.py", TEXT)))
    judges = [Reach(name, seconds, frozenset({1})) for name, seconds in (("a", 0.5), ("b", 1.0), ("c", 1.0))]
    assert [one.test for one in shortened(judges)] == ["a", "b"]
    assert [one.test for one in shortened([Reach("slow", 99.0, frozenset())])] == ["slow"]
    test = tmp_path / "test_one.py"
    test.write_text("1")
    memory = Memory(tmp_path)
    memory.keep(mutant, Outcome("survived", SHORTENED), [str(test)])
    assert memory.outcome(mutant, [str(test)], excused=True) is not None
    assert memory.outcome(mutant, [str(test)]) is None


def test_what_goes_round_for_ever_is_ended_by_its_processor_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "LEAST_SECONDS", 0.02)

    def endless() -> None:
        with bounded(0.0):
            while True:
                pass

    trial = Trial(*child(endless), deadline=inf)
    while (outcome := trial.outcome()) is None:
        pass
    assert outcome == Outcome("timeout")


TRACE = """
from tests.mutants.running import LOADING, reaches
path, file = "src/zermelo/check/verdict.py", "tests/check/test_verdicts.py"
[(found, traces)] = reaches([path], [file], 2)
assert found == file and traces[0][0] == LOADING
print(*sorted({line for _, _, lines in traces[1:] for line in lines.get(path, ())}))
"""


def test_a_test_is_said_to_run_the_lines_that_it_runs() -> None:
    done = subprocess.run([sys.executable, "-c", TRACE], capture_output=True, text=True, check=True)
    text = Path("src/zermelo/check/verdict.py").read_text(encoding="utf-8").splitlines()
    ran = {text[int(number) - 1].strip() for number in done.stdout.split()}
    assert any(line.startswith("def ") for line in ran) and any(line.startswith("return ") for line in ran)
    assert not any(line.startswith(("import ", "from ", "class ")) for line in ran)


@pytest.mark.parametrize("path", sorted({entry["file"] for entry in explanations()}))
def test_every_explained_survivor_is_still_a_mutant(path: str) -> None:
    entries = [entry for entry in explanations() if entry["file"] == path]
    found = list(mutants_of(path, Path(path).read_text(encoding="utf-8"), written=False))
    there = {(mutant.within, name) for mutant in found for name in mutant.names}
    for entry in entries:
        assert entry["why"], entry
        for change in entry["changes"]:
            assert (entry["within"], change) in there, f"{entry['within']}: {change}"
    assert any(explained(mutant, entries) for mutant in found)


@pytest.mark.parametrize("path", sorted(map(str, Path("src/zermelo/check").rglob("*.py"))))
def test_every_module_of_the_checker_has_tests(path: str) -> None:
    assert judging(path)


def test_a_reason_may_be_for_one_of_the_changes_that_look_the_same() -> None:
    text = "def f(x: int) -> bool:\n    return 0 < x or x < 0"
    entry = {"file": "m.py", "within": "f", "changes": ["0 -> 1 #1"], "why": "x"}
    same = [mutant for mutant in mutants_of("m.py", text) if mutant.change == "0 -> 1"]
    assert [explained(mutant, [entry]) for mutant in same] == [False, True]
    assert [explained(mutant, [{**entry, "changes": ["0 -> 1"]}]) for mutant in same] == [True, True]
    assert needless("m.py", same[:1], [entry]) == ["f: 0 -> 1 #1"]


def test_a_reason_for_a_mutant_that_is_killed_is_named() -> None:
    entry = {"file": "m.py", "within": "small", "changes": ["0 -> 1", "1 -> 2"], "why": "x"}
    alive = [mutant for mutant in mutants_of("m.py", TEXT) if mutant.change == "1 -> 2"]
    assert needless("m.py", alive, [entry]) == ["small: 0 -> 1"]
    assert needless("other.py", alive, [entry]) == []


def test_tidying_drops_what_is_no_mutant_and_keeps_the_rest_as_it_is() -> None:
    kept = """[[survivor]]
file = "src/zermelo/check/rules.py"
within = "check_rule"
changes = ["return verdict -> return None"]
why = "x"
"""
    gone = kept.replace("return verdict", "return nothing")
    half = kept.replace('["return verdict', '["1 -> 2", "return verdict')
    assert tidied("# why\n\n" + kept) == "# why\n\n" + kept
    assert tidied("# why\n\n" + gone + "\n" + half) == "# why\n\n" + kept
