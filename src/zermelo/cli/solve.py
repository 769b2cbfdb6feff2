"""``zermelo solve``: who wins, how, and is it so?"""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.cli.answer_first import AnswerFirst
from zermelo.cli.log import SolverLog
from zermelo.cli.shared_options import (
    After,
    AsJson,
    MemoryLimit,
    NodeLimit,
    TargetArgument,
    TimeLimit,
    as_shown,
    limits_of,
    load_game,
    within,
)
from zermelo.errors import DisagreementError, InputError, LimitReachedError
from zermelo.files import need_writable, write_text
from zermelo.limits import Limits
from zermelo.move_layers import SUFFIX
from zermelo.signals import SIGNALS
from zermelo.stop import Stop

if TYPE_CHECKING:
    from zermelo.game import Game
    from zermelo.kind import Kind
    from zermelo.options import Options
    from zermelo.solution import Solution
    from zermelo.solving.pipeline import Hear


def solve(
    target: TargetArgument,
    engine: Annotated[str, typer.Option(metavar="NAME", help="auto, all, or the name of an engine.")] = "auto",
    after: After = "",
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = 2048,
    node_limit: NodeLimit = None,
    certificate: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the certificate to this file.", show_default=False)
    ] = None,
    parts: Annotated[
        int,
        typer.Option(metavar="N", min=1, max=9999, help="Write the certificate in so many files, with all processors."),
    ] = 1,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Keep parts that are ready here, and take them up again.", show_default=False
        ),
    ] = None,
    sol: Annotated[
        Path | None,
        typer.Option("--sol", metavar="FILE", help="For programs: write the value and a line of play to this file."),
    ] = None,
    depth: Annotated[
        int | None,
        typer.Option(metavar="PLIES", help="Look this far ahead (minimax, alphabeta, mtdf): an estimate, no proof."),
    ] = None,
    simulations: Annotated[
        int | None,
        typer.Option(metavar="N", help="Simulations for uct; 1,000,000 if no limit is given."),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed for uct.")] = 1,
    ask: Annotated[
        str | None,
        typer.Option(
            metavar="WHAT",
            help="Of boards and sums: outcome, value, thermograph or move; else what is quickly found.",
            show_default=False,
        ),
    ] = None,
    table: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="For values of boards: begin with the values of regions in this file, and write those that are new.",
            show_default=False,
        ),
    ] = None,
    ties: Annotated[
        str,
        typer.Option(
            metavar="RULE",
            help="Which of equally good moves a role takes, where the others care: first, "
            "best-for-others, worst-for-others.",
        ),
    ] = "first",
    check: Annotated[bool, typer.Option("--check/--no-check", help="Have the answer checked.")] = True,
    solver_exit_codes: Annotated[
        bool, typer.Option("--solver-exit-codes", help="For formulas: exit status 10 if true, 20 if false.")
    ] = False,
    as_json: AsJson = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress on standard error.")] = False,
) -> int:
    """Solves a game: who wins, how, and whether it was checked.

    The report says in how many moves, by which first move, and what the other moves lead to. An independent checker
    checks the answer. Progress goes to standard error. At a limit, or after Ctrl-C, the report has a move, an estimate,
    the bounds proved so far, and how far the search got.

    Exit status 0: solved, and checked unless told otherwise; 4: solved, but the check did not end; 3: not solved;
    5: engines disagree, and the smallest game found on which they do is in a file.
    """
    if certificate is not None:
        need_writable(certificate, "certificate")
    if sol is not None:
        need_writable(sol, "solution")
    if table is not None:
        need_writable(table, "table of regions")
    layered = _wants_layers(certificate, parts > 1 or checkpoint is not None)
    limits = limits_of(time_limit, memory_limit, node_limit)
    log = SolverLog(target, sys.stderr, quiet=quiet)
    first = _answer_first(log)
    solution, note, answer = None, "interrupted", ""
    try:
        from zermelo.options import Options
        from zermelo.solving import kind_of
        from zermelo.taking_up import taken_up

        # Who asks for the certificate gets it, however long it takes; others get it if it takes about a minute.
        patience = Options.proof_seconds if certificate is None else None
        options = Options(
            depth=depth,
            simulations=simulations,
            seed=seed,
            ties=ties,
            verify=check,
            certify=check or certificate is not None,
            move_values=check,
            brief=layered,
            parts=parts,
            checkpoint=checkpoint,
            proof_seconds=patience,
            ask=ask,
            table=table,
        )
        # What a game's own code prints must not mix with the answer.
        with redirect_stdout(sys.stderr):
            with within(limits) as share:
                game = taken_up(load_game(target, limits), after)
                _need_kind(kind_of(game), solver_exit_codes, sol is not None)
                hear = (lambda solution: None) if as_json else first.hear
                solution = _solved(game, engine, limits, options, target, log, hear)
            with SIGNALS.shielded():
                solution = replace(solution, stats=dict(solution.stats) | {"interpreter_bytes": share})
                log.close(solution)
                answer = json.dumps(solution.to_json()) if as_json else str(solution)
    except LimitReachedError as error:
        note = str(error)
    except MemoryError:
        note = "out of memory"
    except KeyboardInterrupt:
        solution = solution if answer else None
    finally:
        log.wipe()
    if solution is None:
        answer = f"{target}: not solved\n  note     {note}"
        if as_json:
            from zermelo.solution import unanswered_json

            answer = json.dumps(unanswered_json(target, engine, note))
    # Before the end of the report: whoever reads only a line of it has them all the same.
    _write_files(certificate, sol, solution, limits)
    with SIGNALS.shielded():
        print(answer if as_json else as_shown(first.rest(answer)), flush=True)
    if solution is None or solution.status != "solved":
        return 3
    if solver_exit_codes:
        return solution.kind.exit_statuses[str(solution.winner)]
    return 4 if check and not solution.verified else 0


def _solved(
    game: Game, engine: str, limits: Limits, options: Options, target: str, log: SolverLog, hear: Hear
) -> Solution:
    """The solution; where engines disagree, the smallest game on which they do is written to a file."""
    from zermelo.solving import solve_game

    try:
        return solve_game(game, engine, limits, options, target, log.show, hear)
    except DisagreementError as error:
        if not error.routes:
            raise
        from zermelo.solving.reproducing import disagree_on, smallest

        found = smallest(game, disagree_on(error.routes))
        where = "" if found is None else f"; zermelo solve {found.write()} --engine all shows it"
        raise DisagreementError(f"{error}{where}", error.routes) from None


def _answer_first(log: SolverLog) -> AnswerFirst:
    """Shows what is proved on standard output, whatever that is while a game's own code runs."""
    stdout = sys.stdout

    def show(text: str) -> None:
        log.wipe()
        print(as_shown(text, stream=stdout), file=stdout, flush=True)

    return AnswerFirst(show)


def _wants_layers(certificate: Path | None, in_parts: bool) -> bool:
    """Whether the certificate is to be one of version 2."""
    layered = certificate is not None and certificate.suffix.lower() == SUFFIX
    if in_parts and not layered:
        raise InputError(
            f"--parts and --checkpoint are for certificates in layers, expected --certificate FILE{SUFFIX}"
        )
    return layered


def _need_kind(kind: Kind, exit_codes: bool, listing: bool) -> None:
    """``InputError`` for options that this kind of game does not have."""
    if exit_codes and not kind.exit_statuses:
        raise InputError("--solver-exit-codes is for formulas, expected a .qcir or .qdimacs file")
    if listing and not kind.lists:
        raise InputError("--sol is for quantified programs, expected a .qlp file")


def _write_files(certificate: Path | None, sol: Path | None, solution: Solution | None, limits: Limits) -> None:
    if certificate is not None:
        _write_certificate(certificate, solution, limits)
    if sol is not None:
        _write_sol(sol, solution)


def _write_sol(path: Path, solution: Solution | None) -> None:
    if solution is None or solution.status != "solved":
        print(f"{path}: not written, as there is no solution", file=sys.stderr)
    else:
        write_text(path, solution.kind.listing(solution))


def _write_certificate(path: Path, solution: Solution | None, limits: Limits) -> None:
    if solution is None or solution.certificate is None:
        print(f"{path}: not written, as there is nothing to certify", file=sys.stderr)
        return
    if path.suffix.lower() == SUFFIX and not solution.certificate.fits_version_2:
        print(f"{path}: written as JSON, as the proof is a table of positions, not layers of moves", file=sys.stderr)
    try:
        solution.certificate.write(path, _to_write(limits))
    except LimitReachedError:
        print(f"{path}: not written, as the time was up", file=sys.stderr)
    except KeyboardInterrupt:
        print(f"{path}: not written, as it was interrupted", file=sys.stderr)
    except MemoryError:
        print(f"{path}: not written, as there is no memory left", file=sys.stderr)


WRITING, WRITING_SHARE = 0.5, 0.05
"""Seconds that writing may take, or this part of the limit, however little time is left: what was found is there."""


def _to_write(limits: Limits) -> Limits:
    """The limits of writing, with a stop of their own: what was found before Ctrl-C is written all the same."""
    if limits.seconds is None:
        return Limits(stop=Stop())
    left = limits.seconds - (monotonic() - limits.started)
    return Limits(max(left, WRITING, WRITING_SHARE * limits.seconds), stop=Stop())
