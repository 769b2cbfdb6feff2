"""The suite: every target by ``auto`` and by every route to an engine, in processor time.

    python -m benchmarks.suite [--limit S] [--jobs N] [--only WORD] [--store FILE] [--page FILE]

Each answer is a line in the store (JSON lines), written when its target is done; what stands there already is not asked
again. A route runs in a fresh process, from the game as it was read to the value alone: no strategy is written down and
nothing is checked, so that engines which prove their answers are not at a disadvantage. ``auto`` has the limit; once it
has answered, a route has as long as ``auto`` took, and a fifth of a second at least. (Whoever takes longer is not the
best.) Where ``auto`` has no answer, the others have a tenth of the limit: ``auto`` ought to know what they know by
then. At last ``auto`` is asked once more, with certificate and check.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.suite_targets import CORPUS, Target
from zermelo.certificate import score_text
from zermelo.engine import Task
from zermelo.errors import NotApplicableError, ZermeloError
from zermelo.fuzzing.drawing import Statement
from zermelo.game import Game
from zermelo.limits import MEBIBYTE, Limits
from zermelo.options import Options
from zermelo.solving import game_of, solve_game
from zermelo.solving.lanes import Lanes
from zermelo.solving.routes import every_way, route_to
from zermelo.solving.targets import game_from
from zermelo.solving.verifying import checked, solution_of
from zermelo.solving.writing import encoded
from zermelo.source import Source
from zermelo.stop import Stop
from zermelo.taking_up import taken_up
from zermelo.watchdog import deadline

ROOT = Path(__file__).parents[1]
FILE = ROOT / "benchmarks" / "suite.toml"
STORE = ROOT / "build" / "suite.jsonl"
LIMIT = 10.0
LEAST = 0.2
"""Seconds of processor time that a route has at least."""
TENTH = 0.1
"""Part of the limit that routes have where ``auto`` has no answer."""
NOISE = 0.05
"""Seconds of processor time that are not told apart: reading, forking and the clock itself."""
CLOCK = 30.0
"""However busy the machine is, a route ends after so many times its processor time by the clock."""
MEMORY = 1024 * MEBIBYTE
AUTO, FULL = "auto", "auto, checked"


def read_targets(file: Path = FILE) -> list[Target]:
    """The targets of a file."""
    return [Target(**each) for each in tomllib.loads(file.read_text(encoding="utf-8"))["target"]]


def game_of_target(target: Target) -> Game:
    """The game that a target names or states."""
    if target.text:
        return Statement(target.format, target.text).game()
    if target.encoded:
        stated = encoded(target.name.partition(" as ")[0], target.encoded)
        return game_from(Source(target.encoded, stated, target.name))
    if target.after:
        return taken_up(game_of(target.name.partition(" after ")[0]), target.after)
    return game_of(str(CORPUS / target.name) if target.corpus else target.name)


@dataclass(frozen=True)
class Line:
    """A line of the store: what one route said of one target."""

    target: str
    route: str
    status: str
    value: str | None = None
    winner: str | None = None
    engine: str = ""
    cpu: float = 0.0
    nodes: int = 0
    verified: bool = False
    note: str = ""


def _value_alone(name: str, game: Game, stop: Stop, seconds: float | None) -> dict[str, Any]:
    """What a route says, without proof."""
    options = Options(certify=False, verify=False, move_values=False, guess=False)
    limits = Limits(seconds, MEMORY, stop=stop)
    try:
        with deadline(limits):
            answer = route_to(name, game).answer(game, Task(limits, options, game.title or "it"))
    except NotApplicableError as error:
        return {"status": "refused", "note": str(error)}
    except ZermeloError as error:
        return {"status": "unknown", "note": str(error)}
    winner = answer.winner
    if answer.about is not None and winner in answer.about.roles:
        winner = game.roles[answer.about.roles.index(winner)]
    value = None if answer.value is None else score_text(answer.value)
    told = {"status": answer.status, "value": value, "winner": winner, "engine": answer.engine}
    return {**told, "nodes": int(answer.stats.get("nodes") or 0), "note": answer.note}


def _with_proof(game: Game, stop: Stop, seconds: float | None) -> dict[str, Any]:
    """What ``auto`` says, checked."""
    limits = Limits(seconds, MEMORY, stop=stop)
    try:
        solution = solve_game(game, limits=limits, options=Options(move_values=False, guess=False))
    except ZermeloError as error:
        return {"status": "unknown", "note": str(error)}
    value = None if solution.value is None else score_text(solution.value)
    told = {"status": solution.status, "value": value, "winner": solution.winner, "engine": solution.engine}
    return {**told, "verified": solution.verified, "note": solution.note}


def alone(job: Callable[[Stop, float | None], dict[str, Any]], cpu_seconds: float) -> dict[str, Any]:
    """A job in a process of its own."""
    lanes = Lanes([job], 1, CLOCK)
    lanes.begin(0, cpu_seconds)
    ended: list[Any] = []
    while not ended:
        ended = lanes.hear(0.05)
    lanes.close()
    return (ended[0].result or {"status": "unknown", "note": ended[0].why_not}) | {"cpu": ended[0].cpu_seconds}


def asked(target: Target, limit: float) -> list[Line]:
    """Everybody about one target."""
    game = game_of_target(target)
    lines: list[Line] = []

    def ask(route: str, job: Callable[[Stop, float | None], dict[str, Any]], cpu_seconds: float) -> Line:
        line = Line(target.name, route, **alone(job, cpu_seconds))
        lines.append(line)
        return line

    auto = ask(AUTO, partial(_value_alone, AUTO, game), limit)
    share = max(LEAST, auto.cpu) if auto.status == "solved" else TENTH * limit
    for way in every_way(game):
        name = way.route.name
        if way.why_not is not None:
            lines.append(Line(target.name, name, "refused", note=way.why_not))
        else:
            ask(name, partial(_value_alone, name, game), share)
    ask(FULL, partial(_with_proof, game), limit if auto.status == "solved" else LEAST)
    return lines


def load(store: Path) -> dict[str, list[Line]]:
    """What the store has, by target; a line that was cut off is not read."""
    found: dict[str, list[Line]] = defaultdict(list)
    if store.is_file():
        for text in store.read_text(encoding="utf-8").splitlines():
            try:
                line = Line(**json.loads(text))
            except (ValueError, TypeError):
                continue
            found[line.target].append(line)
    return found


WARM = (
    "nim:1", "gdl:nim:1", "{1|-1}", "domineering:2x1", "hackenbush:b", "kayles:1", "examples/umbrella.json",
    "examples/corridors.sgf", "examples/answers.qcir", "examples/bakery.qlp", "examples/reliability.dgr",
)  # fmt: skip
"""Asked once before anything is measured: what is loaded on first use is loaded by then."""


def warm_up() -> None:
    """Loads all rooms, so that nobody pays for it."""
    options = Options(move_values=False, guess=False, simulations=10)
    for name in WARM:
        game = game_of(name)
        for way in every_way(game):
            if way.why_not is None:
                with suppress(ZermeloError):
                    limits = Limits(0.2)
                    answer = way.route.answer(game, Task(limits, options, name))
                    checked(solution_of(game, answer, name), options, limits)


def run(targets: Sequence[Target], store: Path, limit: float, jobs: int, tell: Callable[[str], None]) -> None:
    """Asks about the targets that are not in the store as a whole."""
    store.parent.mkdir(parents=True, exist_ok=True)
    done = {name for name, lines in load(store).items() if any(line.route == FULL for line in lines)}
    waiting = [target for target in targets if target.name not in done]
    Random(1).shuffle(waiting)  # so that a run that is stopped has seen all kinds
    with ProcessPoolExecutor(jobs, initializer=warm_up) as pool, store.open("a", encoding="utf-8") as file:
        futures = {pool.submit(asked, target, limit): target for target in waiting}
        for number, future in enumerate(as_completed(futures), 1):
            target = futures[future]
            try:
                lines = future.result()
            except ZermeloError as error:
                tell(f"{target.name}: {error}")
                continue
            for line in lines:
                file.write(json.dumps(line.__dict__) + "\n")
            file.flush()
            tell(f"{number}/{len(waiting)} {in_short(target, lines)}")


def in_short(target: Target, lines: Sequence[Line]) -> str:
    """One line about a target."""
    auto = next(line for line in lines if line.route == AUTO)
    best = best_of(lines)
    rest = "" if best is None else f"; best {best.route} {best.cpu:.3f} s"
    wrong = "".join(f"; WRONG {line.route}: {line.value} {line.winner}" for line in lines if not is_right(target, line))
    return f"{target.name}: auto {auto.status} by {auto.engine or '-'} in {auto.cpu:.3f} s{rest}{wrong}"


def best_of(lines: Sequence[Line]) -> Line | None:
    """The route that was first to have the value, by processor time."""
    solved = [line for line in lines if line.status == "solved" and line.route not in (AUTO, FULL)]
    return min(solved, key=lambda line: line.cpu, default=None)


def is_right(target: Target, line: Line) -> bool:
    """Whether what was said is the known answer."""
    if line.status != "solved":
        return True
    if target.value and (line.value or "none") != target.value:
        return False
    return not target.winner or line.winner == target.winner


def is_well_chosen(lines: Sequence[Line]) -> bool:
    """Whether ``auto`` took at most twice what the best single engine took; noise is not told apart."""
    auto, best = next(line for line in lines if line.route == AUTO), best_of(lines)
    if best is None:
        return True
    return auto.status == "solved" and auto.cpu <= max(2 * best.cpu, best.cpu + NOISE)


def chosen(targets: Sequence[Target], only: str, corpus: bool) -> Iterator[Target]:
    """The targets whose name or kind has a word in it, those of the corpus where there is one."""
    for target in targets:
        if (corpus or not target.corpus) and (only in target.name or only == target.kind):
            yield target


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the suite and writes the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.suite", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("--limit", type=float, default=LIMIT, help=f"seconds of processor time for auto ({LIMIT:g})")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="targets at a time")
    parser.add_argument("--only", default="", help="targets whose name has this in it, or of this kind")
    parser.add_argument("--store", type=Path, default=STORE)
    parser.add_argument("--page", type=Path, help="write the page of the manual to this file")
    given = parser.parse_args(arguments)
    targets = list(chosen(read_targets(), given.only, CORPUS.is_dir()))
    os.chdir(ROOT)
    run(targets, given.store, given.limit, given.jobs, partial(print, flush=True))
    from benchmarks.suite_page import page, summary

    stored = load(given.store)
    print(summary(targets, stored))
    if given.page is not None:
        given.page.write_text(page(targets, stored, given.limit), encoding="utf-8")
    return int(any(not is_right(target, line) for target in targets for line in stored[target.name]))


if __name__ == "__main__":
    sys.exit(main())
