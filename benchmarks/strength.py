"""``python -m benchmarks.strength``: our players against OpenSpiel's C++ MCTSBot, at equal time a move.

Every move is made in both programs, and before every move the legal moves of both are compared, so that a difference in
the rules ends the run. Games come in pairs with seats changed and the same dice; their number is fixed, and a player is
called stronger where all of its 95 % interval is above one half. OpenSpiel runs in a process of its own, by the
interpreter that ``ZERMELO_BENCH_PYTHON`` names (default: this one). MCTSBot plays with its own clock and solver, one
random game a simulation; its constant is the better of those tried by ``--tune``.

In backgammon a turn of OpenSpiel is two moves of ours; each of them gets half of the time.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

from zermelo.arena.statistics import score_interval, tally_of_results
from zermelo.play.library_model import model_of
from zermelo.play.player import Clock, Listener, Player, make_player
from zermelo.search.forward import ForwardModel, joint_moves

PYTHON = "ZERMELO_BENCH_PYTHON"
BAR = 25
PASSES = ("pass", "noop")


def _cell(verb: str) -> Callable[[int, str], str]:
    return lambda player, text: f"({verb} {text[0]} {text[1:]})"


def _tictactoe(player: int, text: str) -> str:
    del player
    [row, column] = re.findall(r"\d", text)
    return f"(mark {'abc'[int(column)]} {int(row) + 1})"


def _connectfour(player: int, text: str) -> str:
    del player
    return f"(drop {'abcdefg'[int(text[1])]})"


def _breakthrough(player: int, text: str) -> str:
    del player
    return f"(move {text[0]} {text[1]} {text[2]} {text[3]})"


def _othello(player: int, text: str) -> str:
    return "pass" if text == "pass" else _cell("place")(player, text)


def _oware(player: int, text: str) -> str:
    return f"(sow {'abcdefghijkl'['abcdef'.index(text.lower()) + 6 * player]})"


@dataclass(frozen=True)
class Case:
    """One game under both names. ``ours`` says how we write what a player of OpenSpiel writes so."""

    name: str
    target: str
    peer: str
    ours: Callable[[int, str], str] | None
    exploration: float = 2.0


CASES = (
    Case("tic-tac-toe", "gdl:tictactoe", "tic_tac_toe", _tictactoe),
    Case("connect four", "gdl:connectfour", "connect_four", _connectfour, exploration=1.0),
    Case("breakthrough", "gdl:breakthrough", "breakthrough", _breakthrough),
    Case("hex 9", "gdl:hex:9", "hex(board_size=9)", _cell("place")),
    Case("othello", "gdl:othello", "othello", _othello),
    Case("oware", "gdl:oware", "oware", _oware),
    Case("backgammon", "gdl:backgammon", "backgammon", None),
)


class Peer:
    """OpenSpiel in its own process."""

    def __init__(self, case: Case) -> None:
        self.case = case
        script = Path(__file__).with_name("strength_peer.py")
        command = [os.environ.get(PYTHON, sys.executable), str(script), case.peer]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, **request: object) -> dict[str, Any]:
        """What it answers."""
        assert self.process.stdin is not None and self.process.stdout is not None
        line = ""
        with suppress(BrokenPipeError):
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"OpenSpiel does not answer: {PYTHON} should name an interpreter that has open_spiel")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """Ends the process."""
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.wait()


@dataclass
class Effort:
    """What a side has spent on its moves."""

    moves: int = 0
    simulations: int = 0
    seconds: float = 0.0

    def add(self, simulations: int, seconds: float, moves: int = 1) -> None:
        """One more move, or a part of one."""
        self.moves += moves
        self.simulations += simulations
        self.seconds += seconds

    @property
    def rate(self) -> float:
        """Simulations a second."""
        return self.simulations / self.seconds if self.seconds else 0.0


class Board:
    """A game that is played in both programs at once."""

    def __init__(self, case: Case, model: ForwardModel, peer: Peer, listeners: Sequence[Listener] = ()) -> None:
        self.case, self.model, self.peer, self.listeners = case, model, peer, listeners
        self.position = model.start()
        self.theirs = peer.ask(do="new")

    @property
    def over(self) -> bool:
        """Whether it is over for one of them: some rulesheets have a clock of their own."""
        return self.model.over(self.position) or bool(self.theirs["over"])

    def results(self) -> list[Fraction]:
        """What each seat has: 1 for a win, 1/2 for a draw; in both programs, if it is over in both."""
        theirs = None
        if self.theirs["over"]:
            theirs = [Fraction(int(value) + 1, 2) for value in self.theirs["returns"]]
        if not self.model.over(self.position):
            assert theirs is not None
            return theirs
        scores = [self.model.score(self.position, seat) for seat in self.model.seats]
        pairs = zip(scores, scores[::-1], strict=True)
        ours = [Fraction(1 + (score > other) - (score < other), 2) for score, other in pairs]
        if theirs is not None and theirs != ours:
            raise SystemExit(f"{self.case.name}: {ours} by our rules, {theirs} by OpenSpiel's")
        return ours

    def step(self, move: int, seat: int | None) -> None:
        """Makes a move in ours alone; the other roles have no choice. Whoever listens hears of it."""
        joint = [moves[0] for moves in joint_moves(self.model, self.position)]
        joint[seat if seat is not None else self.model.roles.index("random")] = move
        self.position = self.model.play(self.position, joint)
        for listener in self.listeners:
            listener.hear(joint)

    def numbers(self, role: int) -> dict[str, int]:
        """The legal moves of a role by their text."""
        return {self.model.move_text(move): move for move in self.model.legal(self.position, role)}

    def turns(self) -> dict[tuple[str, ...], int]:
        """What the player to move can do: our moves, one after the other, and OpenSpiel's action."""
        player = self.theirs["player"]
        if self.case.ours is None:
            moved = {
                int(action): [(place, die) for place, die in moves if place != -1 and die != -1]
                for action, moves in self.theirs["checkers"].items()
            }
            return {
                tuple(f"(move {pips(player, place)} {die})" for place, die in moves): action
                for action, moves in moved.items()
            }
        return {(self.case.ours(player, text),): action for action, text in self.theirs["actions"]}

    def need_agreement(self) -> None:
        """Whether both programs have the same moves here; the run ends if they have not."""
        seat, turns = self.theirs["player"], self.turns()
        legal = {text for text in self.numbers(seat) if text not in PASSES}
        firsts = {moves[0] for moves in turns if moves and moves[0] not in PASSES}
        if legal != firsts:
            raise SystemExit(f"{self.case.name}: {sorted(legal)} by our rules, {sorted(firsts)} by OpenSpiel's")

    def settle(self, dice: Random) -> None:
        """Lets chance move, and whoever can only pass in one of the programs, until somebody has a choice."""
        while not self.over:
            passing = [seat for seat in self.model.seats if set(self.numbers(seat)) == {"pass"}]
            if passing:
                self.step(self.numbers(passing[0])["pass"], passing[0])
                if self.case.ours is not None:
                    [[action, _]] = self.theirs["actions"]
                    self.theirs = self.peer.ask(do="play", action=action)
            elif self.theirs["chance"]:
                action, text = dice.choice(self.theirs["actions"])
                self.step(self.numbers(self.model.roles.index("random"))[_roll(text)], None)
                self.theirs = self.peer.ask(do="play", action=action)
            elif self.case.ours is None and self.turns().keys() == {()}:
                [[action, _]] = self.theirs["actions"]
                self.theirs = self.peer.ask(do="play", action=action)
            else:
                return


def pips(player: int, place: int) -> int:
    """A place on OpenSpiel's board of backgammon in pips that are left from there."""
    if not 0 <= place < 24:
        return BAR
    return 24 - place if player == 0 else place + 1


def _roll(text: str) -> str:
    """OpenSpiel's throw as a move of the rulesheet, in which the order of the first throw says who begins."""
    low, high = sorted(re.findall(r"roll: (\d)(\d)", text)[0])
    return f"(roll {high} {low})" if "X starts" in text else f"(roll {low} {high})"


def made(board: Board, moves: tuple[str, ...]) -> tuple[str, ...]:
    """Makes the moves of a turn in ours; those moves."""
    seat = board.theirs["player"]
    for text in moves:
        board.step(board.numbers(seat)[text], seat)
    return moves


Chooser = Callable[[Board], tuple[str, ...]]
"""Chooses the moves of a turn and makes them in ours; those moves."""


def spiel_chooser(seconds: float, exploration: float, seed: int, effort: Effort) -> Chooser:
    """MCTSBot."""

    def choose(board: Board) -> tuple[str, ...]:
        said = board.peer.ask(do="think", seconds=seconds, exploration=exploration, seed=seed + effort.moves)
        effort.add(said["simulations"], said["seconds"])
        return made(board, next(moves for moves, action in board.turns().items() if action == said["action"]))

    return choose


def our_chooser(player: Player, seat: int, seconds: float, effort: Effort) -> Chooser:
    """A player of ours; where a turn has two moves it decides one after the other."""

    def choose(board: Board) -> tuple[str, ...]:
        turns = board.turns()
        longest = max(map(len, turns))
        chosen: tuple[str, ...] = ()
        while any(moves[: len(chosen)] == chosen != moves for moves in turns):
            decision = player.choose(board.position, Clock(seconds=seconds / max(longest, 1)))
            effort.add(decision.simulations, decision.seconds, moves=not chosen)
            chosen += (board.model.move_text(decision.move),)
            board.step(decision.move, seat)
        return chosen

    return choose


def play(board: Board, choosers: Sequence[Chooser], dice: Random) -> list[Fraction]:
    """One game; the results of both seats."""
    board.settle(dice)
    while not board.over:
        board.need_agreement()
        turns = board.turns()
        moves = choosers[board.theirs["player"]](board)
        board.theirs = board.peer.ask(do="play", action=turns[moves])
        board.settle(dice)
    return board.results()


@dataclass
class Standing:
    """How a player of ours stands against MCTSBot in a game."""

    case: Case
    player: str
    results: list[Fraction] = field(default_factory=list)
    ours: Effort = field(default_factory=Effort)
    peer: Effort = field(default_factory=Effort)

    def row(self) -> str:
        """A row of the table."""
        tally = tally_of_results(self.results)
        low, high = score_interval(tally)
        seconds = [1000 * effort.seconds / max(effort.moves, 1) for effort in (self.ours, self.peer)]
        verdict = "stronger" if low > 0.5 else "weaker" if high < 0.5 else "open"
        return (
            f"| {self.case.name} | {self.player} | {tally.wins} / {tally.draws} / {tally.losses} "
            f"| {100 * float(tally.mean):.1f} % | {100 * low:.1f} .. {100 * high:.1f} | {verdict} "
            f"| {self.ours.rate:,.0f} | {self.peer.rate:,.0f} | {' / '.join(map(_shown, seconds))} |"
        )


def _shown(milliseconds: float) -> str:
    return f"{milliseconds:.0f}" if milliseconds >= 10 else f"{milliseconds:.2g}"


HEAD = (
    "| game | player | wins / draws / losses | score | 95 % | we are | our sims/s | their sims/s | ms a move |\n"
    "|---|---|--:|--:|--:|---|--:|--:|--:|"
)


def measured(case: Case, model: ForwardModel, name: str, pairs: int, seconds: float, seed: int = 1) -> Standing:
    """Pairs of games with seats changed and the same dice."""
    standing, peer = Standing(case, name), Peer(case)
    try:
        for game in range(2 * pairs):
            ours = game % 2
            mine = make_player(name, model, model.seats[ours], seed + game)
            choosers = [
                our_chooser(mine, seat, seconds, standing.ours)
                if seat == ours
                else spiel_chooser(seconds, case.exploration, 1000 * (seed + game), standing.peer)
                for seat in (0, 1)
            ]
            board = Board(case, model, peer, [mine] if isinstance(mine, Listener) else [])
            standing.results.append(play(board, choosers, Random(seed + game // 2))[ours])
    finally:
        peer.close()
    return standing


def tuned(case: Case, model: ForwardModel, constants: Sequence[float], pairs: int, seconds: float) -> str:
    """MCTSBot against itself with two constants: how often the second wins."""
    peer, results = Peer(case), []
    try:
        for game in range(2 * pairs):
            second = game % 2
            choosers = [
                spiel_chooser(seconds, constants[1] if seat == second else constants[0], 1000 * game + seat, Effort())
                for seat in (0, 1)
            ]
            results.append(play(Board(case, model, peer), choosers, Random(game // 2))[second])
    finally:
        peer.close()
    tally = tally_of_results(results)
    low, high = score_interval(tally)
    sides = f"{constants[1]:g} against {constants[0]:g}"
    return f"| {case.name} | {sides} | {float(tally.mean):.1%} | {low:.1%} .. {high:.1%} |"


def checked(case: Case, model: ForwardModel, games: int) -> str:
    """Random games in both programs, every list of legal moves and every result compared."""
    peer, rng, moves = Peer(case), Random(1), 0

    def choose(board: Board) -> tuple[str, ...]:
        nonlocal moves
        moves += 1
        return made(board, rng.choice(sorted(board.turns())))

    try:
        for _ in range(games):
            play(Board(case, model, peer), [choose, choose], rng)
    finally:
        peer.close()
    return f"{case.name}: {games} random games, {moves} turns, the same moves and results in both"


def main() -> None:
    """Prints the table as it comes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="names as in the table; all by default")
    parser.add_argument("--players", default="uct,mac-ucb")
    parser.add_argument("--pairs", type=int, default=50, help="so many pairs of games")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0.1, help="for a move")
    parser.add_argument("--tune", help="two constants for MCTSBot against itself, such as 1,2")
    parser.add_argument("--check", action="store_true", help="only compare the rules, on random games")
    arguments = parser.parse_args()
    cases = [case for case in CASES if not arguments.games or case.name in arguments.games]
    if not (arguments.check or arguments.tune):
        print(HEAD)
    for case in cases:
        model = model_of(case.target)
        if arguments.check:
            print(checked(case, model, arguments.pairs), flush=True)
        elif arguments.tune:
            constants = [float(constant) for constant in arguments.tune.split(",")]
            print(tuned(case, model, constants, arguments.pairs, arguments.seconds), flush=True)
        else:
            for name in re.findall(r"[\w-]+(?:\([^)]*\))?", arguments.players):
                print(measured(case, model, name, arguments.pairs, arguments.seconds, arguments.seed).row(), flush=True)


if __name__ == "__main__":
    main()
