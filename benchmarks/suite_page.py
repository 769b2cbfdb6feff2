"""The page of the manual about the suite: who answered, how fast, who agrees."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from benchmarks import suite
from benchmarks.suite import AUTO, FULL, Line, best_of, is_right, is_well_chosen
from benchmarks.suite_targets import Target

Stored = Mapping[str, Sequence[Line]]
SHOWN_OFFENDERS = 25


def summary(targets: Sequence[Target], stored: Stored) -> str:
    """The figures in one line."""
    asked = [target for target in targets if any(line.route == AUTO for line in stored[target.name])]
    answered = [target for target in asked if _auto(stored[target.name]).status == "solved"]
    well = sum(is_well_chosen(stored[target.name]) for target in asked)
    answers = sum(line.status == "solved" for target in asked for line in stored[target.name])
    wrong = sum(not is_right(target, line) for target in asked for line in stored[target.name])
    missed = [target for target in asked if target not in answered and best_of(stored[target.name]) is not None]
    verified = sum(any(line.route == FULL and line.verified for line in stored[target.name]) for target in asked)
    said = f"{len(asked)} targets" if len(asked) == len(targets) else f"{len(asked)} of {len(targets)} targets asked"
    return (
        f"{said}: auto answers {len(answered)}, {verified} of them with a checked certificate; "
        f"{answers:,} answers by all routes, {wrong} of them wrong; auto is within twice the best single engine on "
        f"{well} ({100 * well / max(1, len(asked)):.1f} %); {len(missed)} times somebody else answers and auto does not"
    )


def strict(targets: Sequence[Target], stored: Stored) -> str:
    """The figure of ``auto`` without an allowance for noise, and on targets that take some time."""
    pairs = [(_auto(stored[target.name]), best_of(stored[target.name])) for target in targets]
    times = [(auto.cpu, best.cpu) for auto, best in pairs if best is not None and auto.status == "solved"]
    exact = sum(auto <= 2 * best for auto, best in times)
    long = [(auto, best) for auto, best in times if best > suite.NOISE]
    within = sum(auto <= 2 * best for auto, best in long)
    sums = sum(auto for auto, _ in times), sum(best for _, best in times)
    return (
        f"Counted to the microsecond, `auto` is within twice the best on {exact} of {len(times)} targets: most are so "
        f"small that loading a table or starting a thread is most of the time. Of the {len(long)} targets on which the "
        f"best engine takes over {suite.NOISE * 1000:.0f} ms, it is within twice the best on {within}. All targets "
        f"together take `auto` {sums[0]:.2f} s, and the best engine of each {sums[1]:.2f} s."
    )


def _auto(lines: Sequence[Line]) -> Line:
    return next(line for line in lines if line.route == AUTO)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], right: int = 1) -> str:
    """A table of Markdown; columns after the first ``right`` ones are numbers."""
    marks = ["---" if place < right else "--:" for place in range(len(head))]
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, marks, *rows]) + "\n"


def page(targets: Sequence[Target], stored: Stored, limit: float) -> str:
    """The page."""
    asked = [target for target in targets if any(line.route == AUTO for line in stored[target.name])]
    return f"""# The suite

`benchmarks/suite.toml` lists games of every kind with answers that do not come from the engines: published values,
closed forms, answers of other solvers, and values found by trying every line by the rules. `make suite` asks `auto` and
every [route](engines.md#routes) to an engine about each of them. What was asked before is kept in `build/suite.jsonl`
and not asked again. This page is written by that run.

{summary(targets, stored)}.

{strict(asked, stored)}

All figures are seconds of processor time, from the game as it was read to its value, without writing a strategy down
and without the check. `auto` has {limit:g} s. Once it has answered, the others have as long as it took, and
{suite.LEAST:g} s at least: a route that does not answer here might answer a little later. Where `auto` has no
answer, they have {limit * suite.TENTH:g} s. Differences of less than {suite.NOISE * 1000:.0f} ms are ignored.
The machine was shared with much other work, which the processor time of small runs shows.

## By kind

{_kinds(asked, stored)}
## By route

*Answered* counts targets with a value, *first* those where nobody else was sooner, *seconds* is what the answers took
in all.

{_routes(asked, stored)}
## Where `auto` could have chosen better

{_offenders(asked, stored)}
## Targets on which engines take some time

{slow(asked, stored)}
## Not answered

{_unanswered(asked, stored)}
## All targets

{_all(asked, stored)}"""


def _kinds(targets: Sequence[Target], stored: Stored) -> str:
    by_kind: dict[str, list[Target]] = defaultdict(list)
    for target in targets:
        by_kind[target.kind].append(target)
    rows = []
    for kind, own in by_kind.items():
        lines = [stored[target.name] for target in own]
        rows.append([
            kind, f"{len(own)}",
            f"{sum(_auto(each).status == 'solved' for each in lines)}",
            f"{sum(any(line.route == FULL and line.verified for line in each) for each in lines)}",
            f"{sum(is_well_chosen(each) for each in lines)}",
            f"{sum(line.status == 'solved' for each in lines for line in each):,}",
            f"{sum(not is_right(t, line) for t in own for line in stored[t.name])}",
        ])  # fmt: skip
    return _table(["kind", "targets", "auto answers", "checked", "auto within 2x", "answers of all", "wrong"], rows)


def _routes(targets: Sequence[Target], stored: Stored) -> str:
    answered, first, refused, tried = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    seconds: dict[str, float] = defaultdict(float)
    for target in targets:
        lines = [line for line in stored[target.name] if line.route not in (AUTO, FULL)]
        best = best_of(lines)
        if best is not None:
            first[best.route] += 1
        for line in lines:
            refused[line.route] += line.status == "refused"
            tried[line.route] += line.status != "refused"
            answered[line.route] += line.status == "solved"
            seconds[line.route] += line.cpu if line.status == "solved" else 0.0
    rows = [
        [f"`{route}`", f"{tried[route]}", f"{answered[route]}", f"{first[route]}", f"{seconds[route]:.1f}"]
        for route, _ in answered.most_common()
        if tried[route]
    ]
    return _table(["route", "asked", "answered", "first", "seconds"], rows)


def _offenders(targets: Sequence[Target], stored: Stored) -> str:
    bad = [target for target in targets if not is_well_chosen(stored[target.name])]
    rows = []
    for target in sorted(bad, key=lambda target: -_auto(stored[target.name]).cpu)[:SHOWN_OFFENDERS]:
        auto, best = _auto(stored[target.name]), best_of(stored[target.name])
        assert best is not None
        rows.append([f"`{_short(target.name)}`", f"`{best.route}`", auto.engine or auto.status, f"{auto.cpu:.3f}",
                     f"{best.cpu:.3f}"])  # fmt: skip
    if not rows:
        return "Nowhere.\n"
    more = f"\n{len(bad) - len(rows)} more.\n" if len(bad) > len(rows) else ""
    return _table(["target", "best route", "auto's engine", "auto", "best"], rows, 3) + more


def slow(targets: Sequence[Target], stored: Stored) -> str:
    """Those on which the best engine takes more than what is not told apart, with what ``auto`` takes."""
    rows, within = [], 0
    for target in targets:
        auto, best = _auto(stored[target.name]), best_of(stored[target.name])
        if best is None or best.cpu <= suite.NOISE:
            continue
        ratio = f"{auto.cpu / best.cpu:.1f}" if auto.status == "solved" else "-"
        within += is_well_chosen(stored[target.name])
        rows.append([f"`{_short(target.name)}`", target.winner or target.value, target.source, auto.engine or "-",
                     f"`{best.route}`", f"{auto.cpu:.3f}", f"{best.cpu:.3f}", ratio])  # fmt: skip
    head = ["target", "answer", "known from", "auto's engine", "best route", "auto", "best", "times"]
    told = (
        f"The best engine takes over {suite.NOISE * 1000:.0f} ms on {len(rows)} targets; on {within} of them `auto` is"
    )
    return f"{told} within twice the best.\n\n{_table(head, rows, 5)}"


def _unanswered(targets: Sequence[Target], stored: Stored) -> str:
    rows = []
    for target in targets:
        auto = _auto(stored[target.name])
        if auto.status != "solved":
            rows.append([f"`{_short(target.name)}`", auto.note or auto.status, f"{auto.cpu:.1f}"])
    return _table(["target", "reason", "seconds"], rows, 2) if rows else "Every target has an answer.\n"


def _all(targets: Sequence[Target], stored: Stored) -> str:
    rows = []
    for target in targets:
        lines = stored[target.name]
        auto, best = _auto(lines), best_of(lines)
        agree = sum(
            line.status == "solved" and is_right(target, line) for line in lines if line.route not in (AUTO, FULL)
        )
        rows.append([
            f"`{_short(target.name)}`", target.winner or target.value, target.source, auto.engine or "-",
            "-" if best is None else f"`{best.route}`", f"{auto.cpu:.3f}", "-" if best is None else f"{best.cpu:.3f}",
            f"{agree}",
        ])  # fmt: skip
    head = ["target", "answer", "known from", "auto's engine", "best route", "auto", "best", "routes agree"]
    return _table(head, rows, 5)


def _short(name: str) -> str:
    return (name if len(name) <= 40 else name[:37] + "...").replace("|", "\\|")
