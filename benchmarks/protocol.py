"""``python -m benchmarks.protocol``: the player of the GGP protocol, how fast it thinks and whether it keeps time.

``speed`` sets the simulations a second of the player, from PLAY to its answer, beside those of one uninterrupted run of
the same tree from the same position, in the same process, by turns. Rates are also given for each second of processor
time of the thread that searches: neighbours on the machine make less noise in it. How fast a tree is depends on where
it goes, how far it has got and how much memory it may fill: so the uninterrupted run has the seed of the player,
another in each round, and as much memory, and makes as many simulations as the player has made; ratios are of such
pairs.

``soak`` plays many matches over HTTP, with short clocks and with other processes that keep the cores busy. The player
is a process of its own; the master measures every answer with its own clock, and judges it by the plain reasoner.

Rulesheets are those of the folder ``gdl/rules`` below the variable ZERMELO_CORPUS, or of our library where it is not
set.
"""

from __future__ import annotations

import argparse
import http.client
import os
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from zermelo import _native
from zermelo.errors import InputError, LimitReachedError
from zermelo.gdl.ground import GroundReasoner, ground
from zermelo.gdl.kif import read_kif
from zermelo.gdl.library import rulesheet, rulesheet_names
from zermelo.gdl.reasoner import Reasoner, State
from zermelo.gdl.syntax import RANDOM, Rulesheet
from zermelo.gdl.validate import require_valid
from zermelo.limits import Limits
from zermelo.play.bandits import UCT, Bandit, bandit_tree
from zermelo.play.belief import Belief
from zermelo.play.ggp_match import Match, MatchThinker
from zermelo.play.ggp_message import Message, Perceive, Play, Start, Stop, write_message
from zermelo.play.information_sets import InformationSearch
from zermelo.play.player import Clock, make_player
from zermelo.play.thinker import THREAD, HiddenThinker, OpenThinker
from zermelo.search.forward import RulesheetModel

SERVER = "from benchmarks.protocol import serve; serve()"
BUSY = "while True: pass"
START_CLOCK, PLAY_CLOCK = 3, 1
OPPONENT_SECONDS = 0.05


def sheets(names: list[str]) -> Iterator[tuple[str, Rulesheet]]:
    """The rulesheets of these names, or all that are games."""
    corpus = os.environ.get("ZERMELO_CORPUS")
    folder = Path(corpus) / "gdl" / "rules" if corpus else None
    known = sorted(path.stem for path in folder.glob("*.kif")) if folder else rulesheet_names()
    for name in names or known:
        path = folder / f"{name}.kif" if folder else None
        try:
            sheet = read_kif(path.read_text(encoding="utf-8")) if path and path.exists() else rulesheet(name)
            require_valid(sheet)
        except InputError:
            continue
        yield name, sheet


# --- a match as its master sees it ---


@dataclass
class Master:
    """Where a match stands, by the plain reasoner; one role is the player's.

    The others move at random, or where there is a ground game for ``against`` by our baseline ``uct`` on it.
    """

    name: str
    sheet: Rulesheet
    seed: int = 1
    against: GroundReasoner | None = None
    reasoner: Reasoner = field(init=False)
    state: State = field(init=False)
    role: str = ""
    turn: int = 0
    last: tuple[str, ...] | None = None
    seen: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.reasoner = Reasoner(self.sheet)
        self.state = self.reasoner.start()
        self.random = random.Random(self.seed)
        self.percepts = any(rule.head.name == "sees" for rule in self.sheet.rules)
        players = [role for role in self.reasoner.roles if role != RANDOM]
        self.role = self.role or self.random.choice(players)
        model = None if self.against is None else RulesheetModel(self.against)
        self.opponents = {
            role: make_player("uct", model, number, self.seed)
            for number, role in enumerate(self.reasoner.roles)
            if model is not None and role not in (self.role, RANDOM)
        }

    def message(self) -> Play | Perceive:
        """What the player is told of the last step."""
        if not self.percepts:
            return Play(self.name, self.last)
        own = None if self.last is None else self.last[self.reasoner.roles.index(self.role)]
        return Perceive(self.name, self.turn, own, self.seen)

    def legal(self) -> list[str]:
        """The moves of the player."""
        return self.reasoner.legal(self.state, self.role)

    def over(self) -> bool:
        """Whether the game is over, or somebody cannot move."""
        roles = self.reasoner.roles
        return self.reasoner.terminal(self.state) or not all(self.reasoner.legal(self.state, role) for role in roles)

    def move_of(self, role: str) -> str:
        """What another role does."""
        legal = self.reasoner.legal(self.state, role)
        if self.against is None or role not in self.opponents or len(legal) == 1:
            return self.random.choice(legal)
        decision = self.opponents[role].choose(self.against.pack(self.state), Clock(OPPONENT_SECONDS))
        chosen: str = self.against.moves[decision.move]
        return chosen

    def step(self, move: str) -> None:
        """The player makes this move."""
        joint = tuple(move if role == self.role else self.move_of(role) for role in self.reasoner.roles)
        self.seen = tuple(self.reasoner.sees(self.state, joint, self.role)) if self.percepts else ()
        self.state, self.last = self.reasoner.next(self.state, joint), joint
        self.turn += 1


# --- speed ---


@dataclass(frozen=True)
class Rate:
    """Simulations, and the seconds that they took: by the clock, and of the processor."""

    simulations: int
    seconds: float
    cpu_seconds: float

    @property
    def a_second(self) -> float:
        """Simulations a second by the clock."""
        return self.simulations / self.seconds

    @property
    def a_cpu_second(self) -> float:
        """Simulations a second of the processor."""
        return self.simulations / max(self.cpu_seconds, 1e-9)


def speed(names: list[str], seconds: float, rounds: int) -> Iterator[str]:
    """One row a sheet: both rates, how many times the uninterrupted run is faster, and by processor time."""
    yield "| rulesheet | player/s | one run/s | ratio | by processor | processor share of the search |"
    yield "|---|--:|--:|--:|--:|--:|"
    for name, sheet in sheets(names):
        yield f"| {name} | {speed_of(name, sheet, seconds, rounds)} |"


def speed_of(name: str, sheet: Rulesheet, seconds: float, rounds: int) -> str:
    """The row of a sheet."""
    master = with_a_choice(name, sheet)
    if master is None:
        return "nobody has a choice | | | |"
    played, alone = [], []
    for seed in range(1, rounds + 1):
        start = Start(name, master.role, sheet, 30, max(1, round(seconds / 0.75)))
        match = Match(start, time.monotonic(), seed=seed)
        try:
            match.prepare()
            thinker = match.ground.thinker
            if not isinstance(thinker, OpenThinker | HiddenThinker) or not isinstance(thinker.model, RulesheetModel):
                return "no ground game | | | |"
            rate = of_player(match, thinker, master.message())
            if rate is None:
                return "decided | | | |"
            game = thinker.model.game
        finally:
            match.close()
            end_of_thoughts()
        played.append(rate)
        if isinstance(thinker, HiddenThinker) and thinker.informed:
            alone.append(of_knowledge(game, thinker.role, rate.simulations, seed))
        else:
            bandit = thinker.bandit if isinstance(thinker, OpenThinker) else UCT
            alone.append(of_tree(game, bandit, rate.simulations, seed))
    return row_of(played, alone)


def row_of(played: list[Rate], alone: list[Rate]) -> str:
    """The medians of the rounds; those of the ratios are of what was measured in the same round."""
    pairs = list(zip(played, alone, strict=True))
    player, tree = (median(rate.a_second for rate in rates) for rates in (played, alone))
    ratio = median(run.a_second / max(own.a_second, 1e-9) for own, run in pairs)
    if not all(rate.cpu_seconds for rate in played):
        return f"{player:,.0f} | {tree:,.0f} | {ratio:.2f} | | "
    by_cpu = median(run.a_cpu_second / max(own.a_cpu_second, 1e-9) for own, run in pairs)
    share = median(rate.cpu_seconds / rate.seconds for rate in played)
    return f"{player:,.0f} | {tree:,.0f} | {ratio:.2f} | {by_cpu:.2f} | {share:.2f}"


def end_of_thoughts() -> None:
    """Waits until nobody thinks about a match that is over: the other measurement has the machine for itself."""
    for thread in threading.enumerate():
        if thread.name == THREAD:
            thread.join(10)


def with_a_choice(name: str, sheet: Rulesheet) -> Master | None:
    """The start, with the role that has most moves there; ``None`` where nobody has a choice."""
    master = Master(name, sheet)
    players = [role for role in master.reasoner.roles if role != RANDOM]
    if master.over():
        return None
    master.role = max(players, key=lambda role: len(master.reasoner.legal(master.state, role)))
    return master if len(master.legal()) > 1 else None


def of_player(match: Match, thinker: MatchThinker, message: Play | Perceive) -> Rate | None:
    """From a PLAY to its answer; ``None`` where that is proved before the end of the clock."""
    begin = time.monotonic()
    thought = match.move(message, begin)
    seconds = time.monotonic() - begin
    if thought.reason not in ("searched", "best on average") or seconds < 0.9 * (match.playclock * 0.75):
        return None
    cpu = thinker.run.best().cpu_seconds if isinstance(thinker, OpenThinker) else 0.0
    return Rate(thought.simulations, seconds, cpu)


def of_tree(game: GroundReasoner, bandit: Bandit, simulations: int, seed: int) -> Rate:
    """One run of so many simulations that nobody interrupts, from the start of the same game."""
    tree = bandit_tree(game, seed, bandit)
    begin, cpu = time.monotonic(), time.thread_time()
    done = tree.run(simulations, 0.0, _native.Control())
    return Rate(done, time.monotonic() - begin, time.thread_time() - cpu)


def of_knowledge(game: GroundReasoner, role: int, simulations: int, seed: int) -> Rate:
    """The same among what roles know: where something stays hidden the player searches no tree of positions."""
    search = InformationSearch(Belief(RulesheetModel(game), role, seed), seed)
    begin, cpu = time.monotonic(), time.thread_time()
    while search.simulations < simulations:
        search.play(lambda: False)
    return Rate(search.simulations, time.monotonic() - begin, time.thread_time() - cpu)


# --- soak ---


def serve() -> None:
    """A player on any free port, which the first line tells; until it is killed."""
    from zermelo.play.ggp_player import GgpPlayer
    from zermelo.play.ggp_server import make_server
    from zermelo.portfolio import cores

    server = make_server(GgpPlayer(threads=cores()), port=0)
    print(server.server_port, flush=True)
    server.serve_forever()


@contextmanager
def process(code: str) -> Iterator[subprocess.Popen[str]]:
    """A Python process that runs some code, as long as it is needed."""
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        yield child
    finally:
        child.kill()
        child.wait()


@dataclass
class Tally:
    """What was seen of the answers in the matches of one sheet."""

    matches: int = 0
    turns: int = 0
    choices: int = 0
    slowest_start: float = 0.0
    slowest: float = 0.0
    wrong: Counter[str] = field(default_factory=Counter)

    def row(self, name: str) -> str:
        """As a row of the table."""
        wrong = [str(self.wrong[kind]) for kind in ("late", "stale", "illegal", "refused")]
        return (
            f"| {name} | {self.matches} | {self.turns} | {self.choices} | {self.slowest_start:.2f} | "
            f"{self.slowest:.3f} | {' | '.join(wrong)} |"
        )


def soak(names: list[str], matches: int, turns: int, busy: int, seed: int) -> Iterator[str]:
    """One row a sheet, after all matches: one after the other, going round the sheets.

    Every other round the opponent is our baseline ``uct``, where the game can be ground.
    """
    games = [(name, sheet) for name, sheet in sheets(names) if can_be_played(name, sheet)]
    ground_games = {name: ground_game(sheet) for name, sheet in games}
    tallies = {name: Tally() for name, _ in games}
    with ExitStack() as stack:
        for _ in range(busy):
            stack.enter_context(process(BUSY))
        server = stack.enter_context(process(SERVER))
        assert server.stdout is not None
        port = int(server.stdout.readline())
        for number in range(matches):
            name, sheet = games[number % len(games)]
            against = ground_games[name] if number // len(games) % 2 else None
            play(Master(f"match{number}", sheet, seed + number, against), port, turns, tallies[name])
            print(f"match {number + 1}: {name}", file=sys.stderr, flush=True)
    yield (
        "| rulesheet | matches | turns | with a choice | slowest READY s | slowest answer s | late | stale "
        "| illegal | refused |"
    )
    yield "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    total = Tally()
    for name, tally in tallies.items():
        yield tally.row(name)
        total.matches += tally.matches
        total.turns += tally.turns
        total.choices += tally.choices
        total.slowest_start = max(total.slowest_start, tally.slowest_start)
        total.slowest = max(total.slowest, tally.slowest)
        total.wrong += tally.wrong
    yield total.row("all")


def ground_game(sheet: Rulesheet) -> GroundReasoner | None:
    """The ground game of a sheet, unless that is large."""
    try:
        return ground(sheet, Limits(seconds=20, memory=512 << 20))
    except LimitReachedError:
        return None


def can_be_played(name: str, sheet: Rulesheet) -> bool:
    """Whether there is anything to play, by a reasoner that has to judge it."""
    try:
        return not Master(name, sheet).over()
    except (InputError, LimitReachedError, IndexError):
        return False


def play(master: Master, port: int, turns: int, tally: Tally) -> None:
    """One match, cut off after some turns."""
    status, _, seconds = post(port, Start(master.name, master.role, master.sheet, START_CLOCK, PLAY_CLOCK))
    tally.matches += 1
    tally.slowest_start = max(tally.slowest_start, seconds)
    tally.wrong["late"] += seconds > START_CLOCK
    if status != 200:
        tally.wrong["refused"] += 1
        return
    before: set[str] = set()
    for _ in range(turns):
        if master.over():
            break
        legal = master.legal()
        status, answer, seconds = post(port, master.message())
        tally.turns += 1
        tally.choices += len(legal) > 1
        tally.slowest = max(tally.slowest, seconds)
        tally.wrong["late"] += seconds > PLAY_CLOCK
        if status != 200:
            tally.wrong["refused"] += 1
        elif answer not in legal:
            tally.wrong["stale" if answer in before else "illegal"] += 1
            print(f"{master.name}: {answer!r} is not legal, expected one of {legal[:5]}", file=sys.stderr, flush=True)
        if seconds > PLAY_CLOCK:
            print(f"{master.name}: answer {answer!r} after {seconds:.3f} s", file=sys.stderr, flush=True)
        before |= set(legal)
        master.step(answer if answer in legal else master.random.choice(legal))
    post(port, Stop(master.name, master.message()))


def post(port: int, message: Message) -> tuple[int, str, float]:
    """The status, the answer, and how long it took as the master sees it."""
    text = write_message(message).encode()
    begin = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("POST", "/", text, {"Content-Type": "text/acl"})
        answer = connection.getresponse()
        body = answer.read().decode()
    finally:
        connection.close()
    return answer.status, body, time.monotonic() - begin


def main() -> None:
    """Prints the table that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=["speed", "soak"])
    parser.add_argument("sheets", nargs="*", help="names of rulesheets; all without any")
    parser.add_argument("--seconds", type=float, default=3.0, help="of thinking, for speed")
    parser.add_argument("--rounds", type=int, default=3, help="of both, by turns, for speed")
    parser.add_argument("--matches", type=int, default=300)
    parser.add_argument("--turns", type=int, default=8, help="after which a match is cut off")
    parser.add_argument("--busy", type=int, default=2, help="processes that keep the cores busy")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.part == "speed":
        rows = speed(given.sheets, given.seconds, given.rounds)
    else:
        rows = soak(given.sheets, given.matches, given.turns, given.busy, given.seed)
    for row in rows:
        print(row, flush=True)


if __name__ == "__main__":
    main()
