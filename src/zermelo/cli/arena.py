"""``zermelo arena run``, ``resume`` and ``report``: tournaments by plan, with results on disk."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.cli.shared_options import AsJson

if TYPE_CHECKING:
    from zermelo.arena.plan import Plan
    from zermelo.arena.plan_runner import Standing
    from zermelo.arena.store import Played, Store
    from zermelo.arena.work import Workers

arena_app = typer.Typer(add_completion=False, rich_markup_mode=None, help="Runs tournaments of players, by plan.")

PlanOrStore = Annotated[
    str, typer.Argument(metavar="PLAN", help="The plan (.toml), or the store of one that has been run (.sqlite).")
]
WorkerCount = Annotated[
    int | None, typer.Option("--workers", metavar="N", help="Games at once. [one for each processor]")
]
On = Annotated[
    str | None,
    typer.Option("--on", metavar="WHERE", help="ray, ray://auto or ray://HOST:PORT: a cluster. [processes here]"),
]
StoreFile = Annotated[
    Path | None, typer.Option("--store", metavar="FILE", help="Where the results are, if not where the plan says.")
]
Part = Annotated[
    str, typer.Option("--part", metavar="NAME", help="Only what the plan has in this part. [what is in none]")
]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress on standard error.")]


@arena_app.command()
def run(
    plan: Annotated[str, typer.Argument(metavar="PLAN", help="The plan, a TOML file.")],
    part: Part = "",
    store: StoreFile = None,
    workers: WorkerCount = None,
    on: On = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Plays the games of a plan that are not yet in its store.

    Several processes may do so at once.
    """
    from dataclasses import replace

    from zermelo.arena.plan import read_plan

    found = read_plan(plan, part)
    _run(found if store is None else replace(found, store=store), workers, on, quiet, as_json)


@arena_app.command()
def resume(
    plan: PlanOrStore,
    part: Part = "",
    store: StoreFile = None,
    workers: WorkerCount = None,
    on: On = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Continues a run that was interrupted or killed.

    No finished game is lost or played again.
    """
    from zermelo.arena.standings import plan_at
    from zermelo.errors import InputError

    found = plan_at(plan, part, store)
    if not found.store.is_file():
        raise InputError(f"nothing to resume: the plan has not been run ({found.store} is missing)", file=plan)
    _run(found, workers, on, quiet, as_json)


@arena_app.command()
def report(
    plan: PlanOrStore,
    part: Part = "",
    store: StoreFile = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FOLDER", help="Where tables and plots are written.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Reports the results of a plan so far.

    It prints a table, and with -o writes a folder of tables and plots (SVG, CSV).
    """
    from zermelo.arena.plan_runner import counted
    from zermelo.arena.standings import plan_at, standings_json
    from zermelo.arena.store import Store

    found = plan_at(plan, part, store)
    with Store(found.store, create=False) as results:
        games = counted(found, results)
    if output is not None:
        from zermelo.arena.tables import report as write_report

        for path in write_report([played.record for _, some in games for played in some], output):
            print(path, file=sys.stderr)
    print(json.dumps(standings_json(found, games)) if as_json else _as_text(games))


def _run(plan: Plan, count: int | None, on: str | None, quiet: bool, as_json: bool) -> None:
    from zermelo.arena.plan_runner import counted, run_plan
    from zermelo.arena.standings import standings_json
    from zermelo.arena.store import Store
    from zermelo.cli.bar import GameBar
    from zermelo.errors import ZermeloError

    bar = GameBar(sys.stderr, quiet=quiet)
    with Store(plan.store) as store:
        _warn_of_other_code(plan, store)
        try:
            standings = run_plan(plan, store, _workers(count, on), bar.show)
        except KeyboardInterrupt:
            bar.close()
            _say_where(counted(plan, store), plan)
            raise
        finally:
            bar.close()
        games = counted(plan, store)
    print(json.dumps(standings_json(plan, games)) if as_json else _as_text(games))
    failures = [standing for standing in standings if standing.failure]
    for standing in failures[1:]:
        print(f"zermelo: {standing.pairing.name}: {standing.failure}", file=sys.stderr)
    if failures:
        raise ZermeloError(f"{failures[0].pairing.name}: {failures[0].failure}")


def _workers(count: int | None, on: str | None) -> Workers:
    from zermelo.arena.pool import Pool, processors
    from zermelo.errors import ArgumentError

    if count is not None and not 1 <= count <= 4096:
        raise ArgumentError(f"--workers {count} is not in 1..4096")
    if on is None:
        return Pool(count or processors())
    if on != "ray" and not on.startswith("ray://"):
        raise ArgumentError(f"--on {on}: expected ray, ray://auto or ray://HOST:PORT")
    from zermelo.arena.cluster import Cluster

    return Cluster(on, count)


def _warn_of_other_code(plan: Plan, store: Store) -> None:
    """Games of other code than ours may not be what ours would play: that is said, and left to the user."""
    from zermelo.arena.work import code_version

    here = code_version()
    others = {version for pairing in plan.pairings for version in store.versions(pairing.key)} - {here}
    if others:
        print(f"zermelo: the store has games played by {', '.join(sorted(others))}; this is {here}", file=sys.stderr)


def _say_where(games: list[tuple[Standing, list[Played]]], plan: Plan) -> None:
    finished, end = (sum(getattr(standing, key) for standing, _ in games) for key in ("finished", "end"))
    print(f"{finished} of {end} games are in {plan.store}; to go on: zermelo arena resume {plan.file}", file=sys.stderr)


def _as_text(games: list[tuple[Standing, list[Played]]]) -> str:
    from zermelo.arena.standings import row_of_standing
    from zermelo.arena.tables import text_table

    lines = [text_table([row_of_standing(standing, played) for standing, played in games if played])]
    for standing, _ in games:
        if standing.failure:
            lines.append(f"failed: {standing.pairing.name}: {standing.failure}")
        elif not standing.over:
            lines.append(f"not over: {standing.pairing.name}: {standing.finished} of {standing.end} games")
    return "\n".join(lines)
