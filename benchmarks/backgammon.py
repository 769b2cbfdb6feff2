"""``python -m benchmarks.backgammon``: the rulesheet of backgammon against OpenSpiel's game, turn by turn.

A turn of OpenSpiel is two moves of checkers at once, or two turns of two for equal dice; the rulesheet moves one
checker at a time. In every turn of random lines the ordered pairs of moves are compared as sets, and both boards
afterwards.
"""

from __future__ import annotations

import argparse
import re
import time
from random import Random
from typing import Any

from zermelo.gdl.kif import read_term
from zermelo.gdl.library import rulesheet
from zermelo.gdl.reasoner import Reasoner, State

ROLES = ("white", "black")
BAR = 25

Move = tuple[int, int]
"""A place, counted in pips that are left from there, and a die."""


def legal_moves(reasoner: Reasoner, state: State, role: str) -> list[Move]:
    """The moves of checkers that a role has: none where it is not to move, or can only pass."""
    if reasoner.terminal(state):
        return []
    terms = map(read_term, reasoner.legal(state, role))
    return [(int(str(term.args[0])), int(str(term.args[1]))) for term in terms if term.args]


def played(reasoner: Reasoner, state: State, role: str, move: Move) -> State:
    """The state after a role has moved a checker."""
    text = f"(move {move[0]} {move[1]})"
    return reasoner.next(state, [text if name == role else "noop" for name in reasoner.roles])


def our_turns(reasoner: Reasoner, state: State, role: str) -> dict[tuple[Move, ...], State]:
    """All ways to move one checker and then another one in the same turn, as far as that goes."""
    found: dict[tuple[Move, ...], State] = {}
    for first in legal_moves(reasoner, state, role):
        between = played(reasoner, state, role, first)
        seconds = legal_moves(reasoner, between, role)
        for second in seconds:
            found[first, second] = played(reasoner, between, role, second)
        if not seconds:
            found[(first,)] = between
    return found or {(): state}


def their_turns(theirs: Any) -> dict[tuple[Move, ...], int]:
    """OpenSpiel's actions as moves of checkers."""
    player = theirs.current_player()
    found = {}
    for action in theirs.legal_actions():
        moves = theirs.spiel_move_to_checker_moves(player, action)
        found[tuple(pips(player, move) for move in moves if move.pos != -1 and move.num != -1)] = action
    return found


def pips(player: int, move: Any) -> Move:
    """A move of OpenSpiel, whose first player counts points upwards and whose second one downwards."""
    if not 0 <= move.pos < 24:
        return BAR, move.num
    return (24 - move.pos if player == 0 else move.pos + 1), move.num


def checkers(state: State) -> dict[tuple[str, int], int]:
    """How many checkers each role has in each place where it has some."""
    found = {}
    for term in map(read_term, state):
        if term.name == "at" and str(term.args[2]) != "0":
            found[str(term.args[0]), int(str(term.args[1]))] = int(str(term.args[2]))
    return found


def their_checkers(theirs: Any) -> dict[tuple[str, int], int]:
    """The same of OpenSpiel's board; what is borne off is what is missing."""
    found = {}
    for player, role in enumerate(ROLES):
        for place in range(1, 25):
            found[role, place] = theirs.board(player, 24 - place if player == 0 else place - 1)
        found[role, BAR] = theirs.board(player, 100)
        found[role, 0] = 15 - sum(count for (name, _), count in found.items() if name == role)
    return {key: count for key, count in found.items() if count}


def rolled(theirs: Any, rng: Random) -> str:
    """Lets chance throw in OpenSpiel's game; the same throw as a move of the rulesheet."""
    action = rng.choice([action for action, _ in theirs.chance_outcomes()])
    text = theirs.action_to_string(action)
    theirs.apply_action(action)
    low, high = sorted(re.findall(r"roll: (\d)(\d)", text)[0])
    return f"(roll {high} {low})" if "X starts" in text else f"(roll {low} {high})"


def compare(games: int, seed: int) -> tuple[int, int, int]:
    """Plays lines in both; the numbers of turns and of pairs of moves compared, and of lines that ended in both."""
    import pyspiel

    reasoner, rng = Reasoner(rulesheet("backgammon")), Random(seed)
    turns = pairs = ends = 0
    for _ in range(games):
        ours, theirs = reasoner.start(), pyspiel.load_game("backgammon").new_initial_state()
        while not (reasoner.terminal(ours) or theirs.is_terminal()):
            if theirs.is_chance_node():
                roll = rolled(theirs, rng)
                ours = reasoner.next(ours, ["noop", "noop", roll])
                continue
            role = ROLES[theirs.current_player()]
            mine, other = our_turns(reasoner, ours, role), their_turns(theirs)
            assert mine.keys() == other.keys(), (ours, sorted(mine.keys() ^ other.keys()))
            chosen = rng.choice(sorted(mine))
            ours = mine[chosen]
            theirs.apply_action(other[chosen])
            # Whoever cannot use his dice passes by a move of its own.
            while not reasoner.terminal(ours) and any(reasoner.legal(ours, role) == ["pass"] for role in ROLES):
                ours = reasoner.next(ours, [reasoner.legal(ours, role)[0] for role in reasoner.roles])
            assert checkers(ours) == their_checkers(theirs), (ours, str(theirs))
            turns += 1
            pairs += len(mine)
        if reasoner.terminal(ours) and theirs.is_terminal():
            won = [reasoner.goals(ours, role) == ["100"] for role in ROLES]
            assert won == [value > 0 for value in theirs.returns()], ours
            ends += 1
    return turns, pairs, ends


def main() -> None:
    """Compares and prints a line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    begin = time.process_time()
    turns, pairs, ends = compare(arguments.games, arguments.seed)
    seconds = time.process_time() - begin
    print(f"{arguments.games} lines, {turns} turns, {pairs} pairs of moves, {ends} ended in both, {seconds:.0f} s")


if __name__ == "__main__":
    main()
