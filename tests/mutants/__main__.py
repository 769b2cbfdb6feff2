"""Makes the mutants, runs the tests and says who survived; see the package."""

from __future__ import annotations

import argparse
import json
import sys
import time
import tomllib
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import accumulate
from math import inf
from pathlib import Path
from typing import Any

from tests import mutants
from tests.mutants.killers import LISTED, Killers, hint
from tests.mutants.mutate import Mutant, mutants_of
from tests.mutants.running import LOADING, Outcome, Reach, Task, Trial, outcomes, reaches, start_trial

SOURCES = ("src/zermelo/check/**/*.py", "src/zermelo/certificate.py")
FORMULAS = ("check/test_formula*.py", "check/test_clauses*.py", "check/test_plays*.py", "check/test_lrat.py",
            "check/test_read_formulas.py", "check/test_circuit*.py")  # fmt: skip
PROGRAMS = ("qip/test_check*.py", "check/test_program_proofs.py", "check/test_program_rules.py",
            "check/test_program_steps.py", "check/test_program_validation.py", "check/test_program_claims.py",
            "check/test_program_tricks.py", "check/test_program_forgeries.py",
            "check/test_program_own_rows.py", "check/test_program_conditions.py",
            "check/test_program_shared_steps.py", "check/test_program_pieces.py")  # fmt: skip
SCORES = ("cgt/test_sum_certificates.py", "check/test_sum_strategies.py", "check/test_sum_play.py")
VALUES = ("cgt/test_check_values.py", "check/test_value_claims.py", "check/test_game_trees.py")
BOARDS = (
    "check/test_board_rules.py",
    "check/test_board_texts.py",
    "check/test_board_moves.py",
    "check/test_sum_play.py",
)
GO = ("check/test_go_positions.py",)
SUM_READERS = ("check/test_second_readers_of_sums.py", "check/test_read_sums.py", "check/test_sum_play.py")
SHEETS = ("check/test_readings.py", "check/test_sheet_rules.py", "check/test_sheet_plans.py")
NETWORKS = ("check/test_readings.py", "check/test_network_rules.py", "check/test_policies.py",
            "check/test_read_networks.py", "check/test_network_texts.py", "scsp/test_solving.py")  # fmt: skip
GRAPHS = ("check/test_readings.py", "check/test_failing_networks.py", "check/test_graph_games.py",
          "check/test_read_networks.py")  # fmt: skip
TESTS: dict[str, tuple[str, ...]] = {
    **{f"check/{name}.py": FORMULAS for name in ("andgraph", "boolean", "circuit", "clauses", "formula",
                                                 "formulaline", "lrat", "openchoice", "plays", "read/formulas",
                                                 "read/qcir", "read/qdimacs", "read/textlines", "satproof")},
    **{f"check/{name}.py": PROGRAMS for name in ("clause_steps", "ownrows", "program", "programclaim", "programmoves",
                                                 "programplay", "quantified", "read/models", "resumed", "shapes",
                                                 "steps")},
    **{f"check/{name}.py": ("check/test_derivation*.py", "qip/test_derivation.py",
                             "check/test_program_claims.py") for name in ("derivation", "law", "wholes")},
    "check/verdict.py": ("check/test_verdicts.py",),
    "check/clausal.py": ("check/test_clausal.py",),
    "check/read/qlp.py": ("check/test_program_reading.py", "check/test_program_texts.py"),
    **{f"check/{name}.py": SCORES for name in ("bounds", "innersums", "mirrors", "sumgame", "sums", "sumtrees",
                                               "superfluous", "unplayed")},
    **{f"check/{name}.py": VALUES for name in ("boardvalues", "clock", "games", "groups", "onboards", "read/value",
                                               "sumvalues", "trees", "values")},
    "check/walls.py": (*VALUES, "check/test_thermograph_bends.py"),
    "check/listed.py": (*SCORES, "check/test_value_claims.py"),
    **{f"check/{name}.py": (*BOARDS, "check/test_mixed_*.py") for name in ("boardgame", "dots", "inbrackets")},
    "check/read/board.py": ("check/test_board_moves.py", "check/test_second_readers_of_sums.py",
                            "check/test_sum_play.py", "check/test_outcome_claims.py"),
    **{f"check/boards/{name}.py": BOARDS for name in ("__init__", "amazons", "cells", "colouring", "domineering",
                                                      "dominoes", "fission", "graphs", "hackenbush", "heaps",
                                                      "hexapawn", "impartial", "kingdirt", "konane", "nogo",
                                                      "partsub", "ruleset", "sheep", "toads", "turning", "wytqueens")},
    "check/boards/heaps.py": (*BOARDS, "check/test_heap_sequences.py"),
    "check/boards/clobber.py": (*BOARDS, "check/test_board_starts.py"),
    "check/go.py": GO,
    "check/read/sum.py": (*SUM_READERS, "check/test_mixed_play.py"),
    "check/read/boardfile.py": ("cgt/test_mixed.py",),
    "check/read/shorthand.py": ("check/test_sum_shorthand.py", *SUM_READERS),
    **{f"check/{name}.py": ("check/test_forced_*.py",) for name in ("forced", "selections")},
    "check/sequences.py": ("check/test_heap_sequences.py", "check/test_nimbers.py", "cgt/test_octal.py"),
    "check/read/copied.py": (*SUM_READERS, "check/test_mixed_boards.py"),
    "check/read/sgf.py": (*SUM_READERS, "check/test_record_lines.py"),
    **{f"check/{name}.py": NETWORKS for name in ("network", "read/network", "read/networkgame")},
    **{f"check/{name}.py": SHEETS for name in ("read/infix", "read/kif", "read/rulesheet")},
    **{f"check/{name}.py": GRAPHS for name in ("read/dgr", "read/graph", "read/word_lines")},
    **{f"check/{name}.py": ("check/test_expected*.py",) for name in ("choices", "equilibrium", "expected")},
    "check/read/gambit.py": ("check/test_read_gambit.py", "games/test_gambit_files.py"),
    "check/held.py": ("check/test_held.py",),
    "check/mixed.py": ("check/test_mixed_boards.py", "cgt/test_mixed.py"),
    "check/outcomes.py": ("check/test_outcome_claims.py", "cgt/test_outcome.py"),
    "check/targets.py": ("check/test_targets.py",),
    "check/set_up.py": ("check/test_set_up_*.py",),
    "check/layered.py": ("check/test_layer_rules.py", "check/test_layers.py", "check/test_lane_layers.py"),
    "check/lanes.py": ("check/test_lanes.py", "check/test_lane_layers.py", "check/test_layer_rules.py",
                       "check/test_layers.py"),
    "check/taken_up.py": ("check/test_targets.py", "check/test_whole_certificates.py", "check/test_set_up_*.py"),
    "check/promises.py": ("check/test_targets.py",),
    "check/read/aag.py": ("check/test_functions_files.py",),
    "check/copied.py": ("check/test_copied.py",),
    "check/without_text.py": ("check/test_instance*.py", "check/test_context.py"),
    "check/prenex.py": ("check/test_prenex*.py", "check/test_read_formulas.py"),
    **{f"check/{name}.py": ("check/test_walk*.py", "check/test_whole_certificates.py", "check/test_claims.py",
                            "check/test_context.py", "check/test_scepticism.py") for name in ("claims", "walk")},
    **{f"check/named/{name}.py": ("check/test_rule*.py",) for name in ("__init__", "coins", "lines", "nim",
                                                                       "subtraction", "treblecross", "wythoff")},
    "check/rules.py": ("check/test_rule*.py",),
    "check/instance.py": ("check/test_instance*.py", "check/test_whole_certificates.py", "check/test_context.py"),
    "certificate.py": ("check/test_certificate*.py", "check/test_context.py", "check/test_scepticism.py"),
}  # fmt: skip
"""Which tests speak of which modules. A module that is not named here has all tests of ``tests/check``."""
EVERY = ("check/**/test_*.py",)
KEPT = Path("build/mutants")
EXPLAINED = Path(__file__).with_name("survivors.toml")
LEFT_OUT = ("test_trusted_modules.py",)
"""Tests in interpreters of their own, which no mutant reaches."""
ENOUGH = 2.0
"""Seconds of tests for a mutant with a reason to survive: whether it does so is asked only to name needless reasons."""
SHORTENED = "those of a mutant with a reason"
"""Stands for the killer of a mutant that survived no more than these."""


def modules() -> list[str]:
    """The files that are changed."""
    return sorted({str(path) for glob in SOURCES for path in Path().glob(glob)})


def judging(path: str) -> list[str]:
    """The files of tests that speak of a module."""
    name = path.removeprefix("src/zermelo/")
    globs = TESTS.get(name, SHEETS if name.startswith("check/sheets/") else EVERY)
    files = [file for glob in globs for file in sorted(Path("tests").glob(glob)) if file.name not in LEFT_OUT]
    return [str(file) for file in dict.fromkeys(files)]


def _digest(files: Sequence[str]) -> str:
    return sha256(b"\0".join(Path(file).read_bytes() for file in files)).hexdigest()


def _judges(outcome: Outcome, files: Sequence[str]) -> Sequence[str]:
    """The files on which an outcome rests: that of the killer, or for a survivor all."""
    killer = outcome.test.split("::")[0]
    return [killer] if outcome.status != "survived" and Path(killer).is_file() else files


def _kept(file: Path) -> dict[str, dict[str, str]]:
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return {entry["mutant"]: entry for entry in map(json.loads, lines)}


class Memory:
    """What was found before: a line of JSON for each mutant that was tried."""

    def __init__(self, folder: Path, longest: float = inf) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.longest = folder, longest
        self.file = folder / ("outcomes.jsonl" if longest == inf else f"outcomes-{longest:g}.jsonl")
        self.known: dict[str, dict[str, str]] = _kept(self.file)
        for other in sorted(folder.glob("outcomes*.jsonl")):  # who is killed by a short test is killed
            for mutant, entry in _kept(other).items():
                if entry["status"] != "survived" and not self._dead(mutant):
                    self.known[mutant] = entry

    def _dead(self, mutant: str) -> bool:
        return self.known.get(mutant, {"status": "survived"})["status"] != "survived"

    def outcome(self, mutant: Mutant, files: Sequence[str], *, excused: bool = False) -> Outcome | None:
        """What is known and still holds: the killer as it was, or for a survivor all tests as they were."""
        entry = self.known.get(mutant.identity)
        if entry is None or (entry["test"] == SHORTENED and not excused):
            return None
        outcome = Outcome(entry["status"], entry["test"])
        return outcome if entry["tests"] == _digest(_judges(outcome, files)) else None

    def killer(self, mutant: Mutant) -> str:
        """The test that killed it before, to be tried first."""
        return self.known.get(mutant.identity, {}).get("test", "")

    def keep(self, mutant: Mutant, outcome: Outcome, files: Sequence[str]) -> None:
        tests = _digest(_judges(outcome, files))
        entry = {"mutant": mutant.identity, "status": outcome.status, "test": outcome.test, "tests": tests}
        self.known[mutant.identity] = entry
        with self.file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(entry) + "\n")

    def reach(self, path: str, files: Sequence[str], workers: int = 1) -> list[Reach]:
        """Which lines of a module each test runs, looked up or measured."""
        unknown = [file for file in files if self._measured(file) is None]
        for file, found in reaches(modules(), unknown, workers):
            files_run = [file, *sorted({name for _, _, lines in found for name in lines})]
            kept = {"digests": {name: _digest([name]) for name in files_run}, "found": found}
            self._reach_file(file).write_text(json.dumps(kept), encoding="utf-8")
        return [
            Reach(test, seconds, frozenset(lines.get(path, ())))
            for file in files
            for test, seconds, lines in self._measured(file) or ()
            if seconds <= self.longest or test == LOADING
        ]

    def seconds(self) -> dict[str, float]:
        """What every test took that was measured."""
        found = [json.loads(file.read_text(encoding="utf-8"))["found"] for file in self.folder.glob("reach-*.json")]
        return {test: seconds for tests in found for test, seconds, _ in tests}

    def _reach_file(self, file: str) -> Path:
        return self.folder / f"reach-{file.replace('/', '-')}.json"

    def _measured(self, file: str) -> Any:
        """What the tests of a file ran, if that file and all modules that they ran are as they were."""
        kept = self._reach_file(file)
        if not kept.exists():
            return None
        entry = json.loads(kept.read_text(encoding="utf-8"))
        same = all(Path(name).is_file() and _digest([name]) == digest for name, digest in entry["digests"].items())
        return entry["found"] if same else None


def judges_of(mutant: Mutant, reach: Sequence[Reach], first: str) -> list[Reach]:
    """The tests that come to the changed lines: the killer of before, then the fastest.

    All tests if the lines run while the module is loaded, as a default or the body of a class does.
    """
    lines = set(range(mutant.first, mutant.last + 1))
    found = [one for one in reach if one.lines & lines]
    if any(one.test == LOADING for one in found):
        found = [one for one in reach if one.lines]
    return sorted((one for one in found if one.test != LOADING), key=lambda one: (one.test != first, one.seconds))


def _tried(
    path: str, found: Sequence[tuple[Mutant, list[Reach]]], workers: int, at_loading: frozenset[int] = frozenset()
) -> Iterator[tuple[Mutant, Outcome]]:
    """Every mutant with what its tests say.

    Where its lines run ``at_loading``, what they have made is there already: the module is loaded with the change.
    """
    waiting = list[tuple[Mutant, list[Reach]]]()
    tasks = [Task(mutant.within, mutant.code, judges) for mutant, judges in found]
    for number, outcome in outcomes(Path(path), tasks, workers):
        mutant = found[number][0]
        made_before = not at_loading.isdisjoint(range(mutant.first, mutant.last + 1))
        if outcome.status == "load" or (outcome.status == "survived" and made_before):
            waiting.append(found[number])
        else:
            yield mutant, outcome
    running: list[tuple[Mutant, Trial]] = []
    while waiting or running:
        while waiting and len(running) < workers:
            mutant, judges = waiting.pop(0)
            running.append((mutant, start_trial(Path(path), mutant.code, judges)))
        for mutant, trial in list(running):
            if (ended := trial.outcome()) is not None:
                running.remove((mutant, trial))
                yield mutant, ended
        time.sleep(0.02)


def survivors(
    path: str,
    memory: Memory,
    workers: int,
    entries: Sequence[dict[str, Any]] = (),
    only: int | None = None,
    killers: Killers | None = None,
) -> Iterator[tuple[Mutant, Outcome]]:
    """Every mutant of a module with what became of it.

    With a list of killers, those that entries explain are not tried; without one, they are tried for a while.
    """
    files = judging(path)
    found = list(mutants_of(path, Path(path).read_text(encoding="utf-8")))
    if only is not None:
        found = found[:: max(1, len(found) // only)]
    new = list[Mutant]()
    for mutant in found:
        excused = explained(mutant, entries)
        if (known := memory.outcome(mutant, files, excused=excused)) is not None:
            yield mutant, known
        elif excused and killers is not None:
            yield mutant, Outcome("survived", SHORTENED)
        else:
            new.append(mutant)
    if killers is not None:
        for mutant, outcome in listed_first(path, new, killers, workers):
            memory.keep(mutant, outcome, files)
            new.remove(mutant)
            yield mutant, outcome
    if not new:
        return
    reach = memory.reach(path, files, workers)
    tried = list[tuple[Mutant, list[Reach]]]()
    for mutant in new:
        if judges := judges_of(mutant, reach, memory.killer(mutant)):
            tried.append((mutant, shortened(judges) if explained(mutant, entries) else judges))
        else:  # no test comes there
            yield mutant, Outcome("survived")
    at_loading = frozenset[int]().union(*(one.lines for one in reach if one.test == LOADING))
    for mutant, outcome in _tried(path, tried, workers, at_loading):
        excused = outcome.status == "survived" and explained(mutant, entries)
        memory.keep(mutant, Outcome("survived", SHORTENED) if excused else outcome, files)
        yield mutant, outcome


def listed_first(path: str, new: Sequence[Mutant], killers: Killers, workers: int) -> Iterator[tuple[Mutant, Outcome]]:
    """Those of the mutants that the tests kill which are listed for them, and that pass without a change."""
    listed = [(mutant, [first]) for mutant in new if (first := killers.first(mutant)) is not None]
    fresh = {first.test: first for _, [first] in listed if first.test not in killers.passing}
    for _, outcome in outcomes(Path(path), [Task("", "", list(fresh.values()))] if fresh else [], workers):
        if outcome.status != "survived":
            raise SystemExit(f"{outcome.test} fails without a change")
    killers.passing.update(fresh)
    anywhere = frozenset[int]().union(*(range(mutant.first, mutant.last + 1) for mutant, _ in listed))
    for mutant, outcome in _tried(path, listed, workers, anywhere):
        if outcome.status != "survived":
            yield mutant, outcome


def shortened(judges: Sequence[Reach]) -> list[Reach]:
    """The first of the tests, which take no longer than is worth while."""
    seconds = accumulate(one.seconds for one in judges)
    return [one for one, taken in zip(judges, seconds, strict=True) if taken <= ENOUGH or one is judges[0]]


def explained(mutant: Mutant, entries: Sequence[dict[str, Any]]) -> bool:
    """Whether the list says why this mutant cannot be told from the original."""
    return any(
        entry["file"] == mutant.path
        and entry["within"] == mutant.within
        and any(name in entry["changes"] for name in mutant.names)
        for entry in entries
    )


def explanations() -> list[dict[str, Any]]:
    """The list of survivors with their reasons."""
    entries: list[dict[str, Any]] = tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))["survivor"]
    return entries


def needless(path: str, survived: Sequence[Mutant], entries: Sequence[dict[str, Any]]) -> list[str]:
    """What the list explains of a module, and what a test has killed since: a reason that is not one."""
    alive = {(mutant.within, name) for mutant in survived for name in mutant.names}
    stated = [(entry["within"], change) for entry in entries if entry["file"] == path for change in entry["changes"]]
    return [f"{within}: {change}" for within, change in stated if (within, change) not in alive]


def tidied(text: str) -> str:
    """The list without changes that are not made any more; entries that are left without one go as well."""
    head, *entries = text.split("[[survivor]]\n")
    kept = [head]
    made: dict[str, set[tuple[str, str]]] = {}
    for entry in entries:
        stated = tomllib.loads(entry)
        path = stated["file"]
        if path not in made:
            there = Path(path).is_file()
            found = mutants_of(path, Path(path).read_text(encoding="utf-8"), written=False) if there else ()
            made[path] = {(mutant.within, name) for mutant in found for name in mutant.names}
        changes = [change for change in stated["changes"] if (stated["within"], change) in made[path]]
        if changes == stated["changes"]:
            kept.append(f"[[survivor]]\n{entry}")
        elif changes:
            fields = {"file": path, "within": stated["within"], "changes": changes, "why": stated["why"]}
            lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in fields.items()]
            kept.append("[[survivor]]\n" + "\n".join(lines) + "\n\n")
    return "".join(kept).rstrip("\n") + "\n"


def recorded(killers: Killers, memory: Memory) -> Killers:
    """The list as it is by now: without what is no mutant any more, and with what has been found."""
    now, seconds = Killers(), memory.seconds()
    for path in modules():
        for mutant in mutants_of(path, Path(path).read_text(encoding="utf-8")):
            entry = memory.known.get(mutant.identity, {"status": "survived"})
            test = entry["test"] if entry["status"] != "survived" else killers.tests.get(hint(mutant), "")
            if "::" in test:
                now.tests[hint(mutant)] = test
                now.seconds[test] = seconds.get(test, killers.seconds.get(test, 1.0))
    return now


def main() -> int:
    """Prints a line for each module and one for each survivor without a reason; returns 1 if there is one."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=mutants.__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("files", nargs="*", help="modules of the package; all of check/ if none is named")
    parser.add_argument("--workers", type=int, default=2, help="how many at a time (2)")
    parser.add_argument("--only", type=int, help="about so many of each module, spread over it")
    parser.add_argument("--longest", type=float, default=inf, help="leave out tests that take more seconds than this")
    parser.add_argument("--anew", action="store_true", help="use no list of killers, and try what is explained")
    parser.add_argument("--record", action="store_true", help="write down in that list which test killed what")
    parser.add_argument("--tidy", action="store_true", help="only drop from the list what is no mutant any more")
    given = parser.parse_args()
    if given.tidy:
        EXPLAINED.write_text(tidied(EXPLAINED.read_text(encoding="utf-8")), encoding="utf-8")
        return 0
    paths = given.files or modules()
    entries, memory, bad = explanations(), Memory(KEPT, given.longest), 0
    killers = None if given.anew else Killers.listed()
    print(f"{'module':40} mutants  killed  time-outs  explained  unexplained")
    for path in paths:
        counts = dict.fromkeys(("killed", "timeout", "explained", "survived"), 0)
        lines: list[str] = []
        alive: list[Mutant] = []
        for mutant, outcome in survivors(path, memory, given.workers, entries, given.only, killers):
            reason = outcome.status == "survived" and explained(mutant, entries)
            counts["explained" if reason else outcome.status] += 1
            lines += [f"  survives: {mutant}"] if outcome.status == "survived" and not reason else []
            alive += [mutant] if outcome.status == "survived" else []
        bad += counts["survived"]
        lines += [] if given.only else [f"  killed, though explained: {one}" for one in needless(path, alive, entries)]
        numbers = (sum(counts.values()), *counts.values())
        print(f"{path:40} {'{:7} {:7} {:10} {:10} {:12}'.format(*numbers)}", *lines, sep="\n", flush=True)
    if given.record:
        LISTED.write_text(recorded(Killers.listed(), memory).write(), encoding="utf-8")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
