"""``python -m zermelo.arena.reproduce PLAN``: the page that sets results of a plan beside the paper's tables.

The plan is run by ``zermelo arena run``; this only reads its store. What is written depends on the plan and the store
alone. Each of the paper's games that the plan names has its row whether or not it has been played.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from zermelo.arena.paper import PAPER, TIMES, Duel, PaperGame
from zermelo.arena.plots import Chart, progress_chart, share_chart, svg_of, time_chart, without_share
from zermelo.arena.record import GameRecord
from zermelo.arena.statistics import SprtResult
from zermelo.arena.tables import ELO0, ELO1, Row, Standing, clock_text, markdown, percent, row_of
from zermelo.errors import ArgumentError, ZermeloError
from zermelo.files import write_text
from zermelo.play.player import read_clock

FIRST, MIDDLE, OTHER = "mac-ucb", "fc-ucb", "uct"
"""The players of the paper."""


@dataclass(frozen=True)
class Played:
    """The games of one pairing of a plan, and what they came to; ``tested``: as many as a sequential test asked for."""

    row: Row
    records: tuple[GameRecord, ...]
    tested: bool = False


@dataclass(frozen=True)
class Outcome:
    """One player against another at one game: their standings, and whether the first is ahead."""

    row: Row
    first: Standing
    second: Standing

    @property
    def wins(self) -> bool:
        """Whether the interval of the first player's score lies above what chance gives, or above the other's score."""
        if self.row.alone:
            return self.row.difference is not None and self.row.difference.low > 0
        return self.first.interval.low > self.first.tally.expected

    @property
    def loses(self) -> bool:
        """Whether it lies below."""
        if self.row.alone:
            return self.row.difference is not None and self.row.difference.high < 0
        return self.first.interval.high < self.first.tally.expected


class Results:
    """The pairings of a plan, to be asked for by game, players and clock; ``games`` are those that have rows.

    >>> Results([]).clocks
    []
    """

    def __init__(self, played: Sequence[Played], games: Sequence[PaperGame] = PAPER):
        self.played, self.games = list(played), games
        self.papers = [found for found in played if {s.player for s in found.row.standings} <= {FIRST, MIDDLE, OTHER}]
        self.clocks = sorted({found.row.clock for found in self.papers}, key=_length)

    def has(self, player: str) -> bool:
        """Whether somebody of that name has played."""
        return any(standing.player == player for found in self.papers for standing in found.row.standings)

    @property
    def test(self) -> SprtResult | None:
        """One of the sequential tests, if there were any: all of a plan ask the same."""
        return next((found.row.test for found in self.papers if found.tested), None)

    @property
    def is_timed(self) -> bool:
        """Whether some game was played by the same players with several clocks."""
        played = [(found.row.game, tuple(s.player for s in found.row.standings)) for found in self.papers]
        return len(set(played)) < len(played)

    @property
    def clock(self) -> str:
        """The one of Table 3: that of most pairings, of those the longest."""
        if not self.clocks:
            raise ArgumentError("the plan's store has no games of the paper's players yet")
        count = {c: sum(found.row.clock == c for found in self.papers) for c in self.clocks}
        return max(self.clocks, key=lambda clock: (count[clock], _length(clock)))

    def outcome(self, game: str, first: str, second: str, clock: str) -> Outcome | None:
        """What two players came to, against each other or each for itself."""
        for found in self.papers:
            row = found.row
            if (row.game, row.clock) == (game, clock):
                by_name = {standing.player: standing for standing in row.standings}
                if first in by_name and second in by_name and (row.alone or row.first.player == first):
                    return Outcome(_compared(found, first, second), by_name[first], by_name[second])
        return None

    def best_known(self, game: str, first: str, second: str) -> Outcome | None:
        """What two players came to with the clock of Table 3; if a plan has others for this game, with the longest."""
        for clock in (self.clock, *reversed(self.clocks)):
            if (found := self.outcome(game, first, second, clock)) is not None:
                return found
        return None

    def games_at(self, clock: str, first: str, second: str) -> Iterator[GameRecord]:
        """The games of two players with a clock, of those that play alone too."""
        for found in self.papers:
            if found.row.clock == clock and {first, second} <= {s.player for s in found.row.standings}:
                yield from (record for record in found.records if {first, second} & set(record.players))


def _length(clock: str) -> float:
    read = read_clock(clock)
    return read.seconds if read.seconds is not None else float(read.simulations or 0)


def _compared(found: Played, first: str, second: str) -> Row:
    """The row itself, or, of more than two that play alone, that of these two as if they had been the only ones."""
    if not found.row.alone or [s.player for s in found.row.standings] == [first, second]:
        return found.row
    own, other = ([record for record in found.records if player in record.players] for player in (first, second))
    rounds = zip(own, other, strict=False)
    return row_of([replace(r, number=2 * n + i) for n, pair in enumerate(rounds) for i, r in enumerate(pair)])


def page(results: Results, plan: str, remark: str = "", name: str = "results", part: str = "") -> str:
    """The page, in Markdown: of a part of the plan in a file of that name, with a remark on the run, if there is one.

    Tables and pictures that the plan has no games for are left out. The files of the pictures begin with ``name``.
    """
    clock = results.clock
    commits = sorted({record.commit for found in results.played for record in found.records if record.commit})
    played = sum(len(found.records) for found in results.played)
    parts = [
        f"# {name.replace('-', ' ').capitalize()}",
        f"{played:,} games by the plan `{plan}`"
        + (f", played by the code of {', '.join(commits)}" if commits else "")
        + f". `make reproduce PLAN=plans/{plan}{f' PART={part}' if part else ''} PAGE=docs/{name}.md` plays them and "
        "writes this page; nothing here is written by hand. The paper is Koriche, Lagrue, Piette and "
        "Tabary, *General Game Playing with Stochastic CSP* (2016); its Table 3 has 5,000 games at "
        f"30 seconds a move, ours has {clock_text(clock)} a move. [How intervals are made](statistics.md).",
        *([f"**About this run**: {remark}"] if remark else []),
        "## MAC-UCB against UCT (Table 3)",
        _HOW_TO_READ if results.test is None else f"{_HOW_TO_READ} {_about(results.test)}",
        _main_table(results),
        "## Where MAC-UCB does not win",
        _sentences(results),
        *(["## FC-UCB (Table 3, right)", _other_table(results, clock)] if results.has(MIDDLE) else []),
        *(["## Over the time for a move (Table 4)", _time_table(results)] if results.is_timed else []),
        *(text for chart, text in pictures(results, name).values() if chart.panels),
        "## To be read with care",
        _WITH_CARE,
    ]
    return "\n\n".join(parts) + "\n"


_HOW_TO_READ = """\
Scores are in per cent, with intervals of 95 %. Wins, draws and losses are MAC-UCB's; a draw counts one half. Seats are
rotated with the same dice. Chance alone gives 50 %, or a third in Chinese checkers, where one plays against two. In
games for one, each player plays for itself: MAC-UCB's score comes first, UCT's after the colon. A score in **bold** is
above chance, or above UCT's, by more than the interval. Simulations per second are measured in the same games on the
same forward model. Nodes are the average size of the largest tree of a game."""


def _about(test: SprtResult) -> str:
    stronger, weaker = (f"{elo:g} Elo points above UCT" for elo in (test.elo1, test.elo0))
    return f"SPRT is the sequential test of {stronger} (accepted) against {weaker} (rejected)."


_WITH_CARE = """\
- The paper does not say on what its UCT ran. Here all players share one forward model, and what a player gains by
  other means is seen in its simulations a second.
- The paper gives shares of wins and does not mention draws: its 65.7 % at tic-tac-toe cannot come about between players
  that make no mistake. It is set beside our score for comparison, not as a target.
- A thousandth of the paper's time, on another machine and with another reasoner, is not a thousandth of its thinking.
- Intervals are those of single rows: of fifteen that hold in 95 % of cases, it is as likely as not that one does not
  hold."""


def _main_table(results: Results) -> str:
    test = ["SPRT"] if results.test else []
    lines = [("game", "paper", "ours", "W-D-L", "games", *test, "sims/s", "sims/s of UCT", "nodes", "nodes of UCT")]
    for game in results.games:
        found = results.best_known(game.target, FIRST, OTHER)
        if found is None:
            lines.append((game.title, _duel(game.mac_uct), *("-",) * (len(lines[0]) - 2)))
            continue
        tally = found.first.tally
        lines.append(
            (
                game.title + ("" if found.row.clock == results.clock else f" ({clock_text(found.row.clock)})"),
                _duel(game.mac_uct),
                _score(found),
                f"{tally.wins}-{tally.draws}-{tally.losses}",
                f"{tally.games}" + (f" ({found.row.cut} cut)" if found.row.cut else ""),
                *([found.row.test.verdict] if test else []),
                *(_rate(standing) for standing in (found.first, found.second)),
                *(f"{standing.nodes:,.0f}" for standing in (found.first, found.second)),
            )
        )
    return markdown(lines)


def _other_table(results: Results, clock: str) -> str:
    lines: list[tuple[str, ...]] = [
        ("game", "MAC-UCB against FC-UCB: paper", "ours", "FC-UCB against UCT: paper", "ours")
    ]
    for game in results.games:
        cells = [game.title]
        for duel, first, second in ((game.mac_fc, FIRST, MIDDLE), (game.fc_uct, MIDDLE, OTHER)):
            found = results.outcome(game.target, first, second, clock)
            cells += [_duel(duel), "-" if found is None else _score(found)]
        lines.append(tuple(cells))
    return markdown(lines)


def _time_table(results: Results) -> str:
    lines = [("game", *map(clock_text, results.clocks), *(f"paper, {seconds} s" for seconds in TIMES))]
    for game in results.games:
        cells = []
        for clock in results.clocks:
            found = results.outcome(game.target, FIRST, OTHER, clock)
            cells.append("-" if found is None else _score(found))
        lines.append((game.title, *cells, *(f"{share:.1f}" for share in game.by_time)))
    return markdown(lines)


def _duel(duel: Duel) -> str:
    return f"{duel.percent:.1f} ± {duel.deviation:.2f}"


def _score(found: Outcome) -> str:
    shown = percent(found.first.tally.mean, found.first.interval)
    if found.wins:
        shown = f"**{shown}**"
    return f"{shown} : {percent(found.second.tally.mean, found.second.interval)}" if found.row.alone else shown


def _rate(standing: Standing) -> str:
    return "-" if standing.simulations_per_second is None else f"{standing.simulations_per_second:,.0f}"


def _sentences(results: Results) -> str:
    found = [(game, results.best_known(game.target, FIRST, OTHER)) for game in results.games]
    outcomes = [outcome for _, outcome in found if outcome is not None]
    wins, losses = sum(outcome.wins for outcome in outcomes), sum(outcome.loses for outcome in outcomes)
    summary = (
        f"MAC-UCB is ahead in {wins} of the {len(outcomes)} games played, and behind in {losses}, by more than the "
        f"interval. {len(outcomes) - wins - losses} are not decided."
    )
    told = [
        f"- **{game.title}**: {sentence}"
        for game, outcome in found
        if outcome is not None and (sentence := why_no_win(game, outcome))
    ]
    missing = [game.title for game, outcome in found if outcome is None]
    if missing:
        told.append(f"- Not played: {', '.join(missing)}.")
    return "\n".join([summary, *([""] if told else []), *told])


def why_no_win(game: PaperGame, found: Outcome) -> str:
    """A plain sentence or two on a game that MAC-UCB does not win; nothing if it does."""
    if found.wins:
        return ""
    tally = found.first.tally
    said = percent(tally.mean, found.first.interval)
    if found.row.alone:
        what = f"{said} alone against {percent(found.second.tally.mean, found.second.interval)} of UCT: "
        what += "UCT does better." if found.loses else f"{tally.games} games do not tell them apart."
    elif tally.draws == tally.games:
        what = f"all {tally.games} games were drawn."
    elif found.loses:
        what = f"UCT is stronger: MAC-UCB has {said}."
    else:
        by_chance = Fraction(100) * tally.expected
        what = f"{said} after {tally.games} games does not exclude the {float(by_chance):.4g} % of equal players"
        what += f"; {tally.draws} of them were drawn." if 2 * tally.draws >= tally.games else "."
    return " ".join(filter(None, (what, _speed(found), game.known)))


def _speed(found: Outcome) -> str:
    own, other = found.first.simulations_per_second, found.second.simulations_per_second
    if not own or not other:
        return ""
    return f"MAC-UCB made {own / other:.2g} times as many simulations per second as UCT."


def pictures(results: Results, name: str = "results") -> dict[str, tuple[Chart, str]]:
    """Charts by the names of their files, each with the line that shows it on the page."""
    at_clock = list(results.games_at(results.clock, FIRST, OTHER))
    timed = [record for clock in results.clocks for record in results.games_at(clock, FIRST, OTHER)]
    shared = [
        record
        for found in results.played
        if without_share(found.row.first.player)[1] is not None
        for record in found.records
    ]
    timed = timed if results.is_timed else []
    return {
        f"{name}-time.svg": (
            time_chart(timed, "MAC-UCB against UCT: score over the time for a move"),
            f"![Scores of MAC-UCB over the time for a move, a panel for each game](pictures/{name}-time.svg)",
        ),
        f"{name}-games.svg": (
            progress_chart(at_clock, "MAC-UCB against UCT: score over the games played"),
            "## Over the games played (Fig. 5)\n\n"
            f"![Scores of MAC-UCB over the games played, a panel for each game](pictures/{name}-games.svg)",
        ),
        f"{name}-share.svg": (
            share_chart(shared, "MAC-UCB against UCT: score over the share of time for solving"),
            "## Over the share of time for solving (Fig. 6)\n\n"
            f"![Scores of MAC-UCB over the share of solving, a panel for each game](pictures/{name}-share.svg)",
        ),
    }


def results_of_store(plan: Path, part: str = "") -> Results:
    """What the store of a plan, or of a part of it, holds, as far as it counts."""
    from zermelo.arena.plan import Sprt, read_plan
    from zermelo.arena.plan_runner import counted
    from zermelo.arena.store import Store

    read = read_plan(plan, part)
    with Store(read.store, create=False) as store:
        games = [(standing.pairing, [played.record for played in some]) for standing, some in counted(read, store)]
    found = []
    for pairing, records in games:
        if records:
            test = pairing.sprt or Sprt(ELO0, ELO1)
            row = row_of(records, elo0=test.elo0, elo1=test.elo1, alpha=test.alpha, beta=test.beta)
            found.append(Played(row, tuple(records), tested=pairing.sprt is not None))
    named = {pairing.game for pairing in read.pairings}
    return Results(found, [game for game in PAPER if game.target in named])


def write_results(plan: Path, output: Path, remark: str = "", part: str = "") -> list[Path]:
    """Writes the page and, into ``pictures`` beside it, its pictures; returns what was written."""
    results = results_of_store(plan, part)
    text = page(results, plan.name, remark, output.stem, part)
    written = [output]
    write_text(output, text)
    for name, (chart, _) in pictures(results, output.stem).items():
        if chart.panels:
            target = output.parent / "pictures" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            write_text(target, svg_of(chart) + "\n")
            written.append(target)
    return written


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes the page; the exit status is 2 where that cannot be done, with one line that says why.

    >>> main(["no-such.toml"])
    2
    """
    parser = argparse.ArgumentParser(prog="python -m zermelo.arena.reproduce", description=__doc__)
    parser.add_argument("plan", type=Path, help="the plan, which zermelo arena run has run")
    parser.add_argument("-o", "--output", type=Path, default=Path("docs/results.md"), help="the page to write")
    parser.add_argument("--remark", default="", help="what else is to be known of the run, to stand on the page")
    parser.add_argument("--part", default="", help="the part of the plan that was run")
    given = parser.parse_args(arguments)
    try:
        for path in write_results(given.plan, given.output, given.remark, given.part):
            print(path)
    except ZermeloError as error:
        print(f"zermelo: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
