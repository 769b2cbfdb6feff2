"""``python -m benchmarks.rulesheets``: library rulesheets against OpenSpiel's own games, move by move.

A recorded line and random ones are played in both at once: in every position the same role moves, with the same number
of legal moves, and a line that ends in both has the same winner. Some of OpenSpiel's games end earlier, by rules that a
rulesheet does not have (repetition in oware, forty moves without a capture in checkers, draws in chess); then the line
is left there.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from zermelo.gdl.kif import read_term
from zermelo.gdl.library import rulesheet
from zermelo.gdl.reasoner import Reasoner, State

GOLDEN = Path(__file__).parents[1] / "tests" / "gdl" / "golden"

Moves = Mapping[str, list[int]]
"""Each move of the other program, in a spelling of its own, as the actions that make it."""


@dataclass(frozen=True)
class Peer:
    """How a rulesheet is compared with one of OpenSpiel's games."""

    game: str
    moves: Callable[[Any], Moves]
    """The moves in one of OpenSpiel's states."""
    spell: Callable[[str, Reasoner, State], str] = lambda move, _, __: words(move)
    """A move of the rulesheet in the same spelling; the state is the one after it."""
    seats: tuple[int, ...] = (0, 1)
    """Which of OpenSpiel's players each role is."""


def words(move: str) -> str:
    """The arguments of a move, put together.

    >>> words("(move a 2 b 3)"), words("pass")
    ('a2b3', 'pass')
    """
    term = read_term(move)
    return "".join(map(str, term.args)) or term.name


def named(state: Any) -> Moves:
    """Moves by the names that OpenSpiel gives them."""
    return {state.action_to_string(action).rstrip("*"): [action] for action in state.legal_actions()}


def celled(columns: int) -> Callable[[Any], Moves]:
    """Moves that are cells, numbered row by row from the top."""
    return lambda state: {
        f"{chr(ord('a') + action % columns)}{action // columns + 1}": [action] for action in state.legal_actions()
    }


def by_column(state: Any) -> Moves:
    """Moves that are columns."""
    return {chr(ord("a") + action): [action] for action in state.legal_actions()}


def nim_moves(state: Any) -> Moves:
    """``pile:1, take:2;`` as ``a2``."""
    found = {}
    for action in state.legal_actions():
        pile, take = map(int, re.findall(r"\d+", state.action_to_string(action)))
        found[f"{chr(ord('a') + pile - 1)}{take}"] = [action]
    return found


def edges(state: Any) -> Moves:
    """``P1(h,0,1)`` as ``b1c1``, the two dots of the edge."""
    found = {}
    for action in state.legal_actions():
        kind, row, column = re.findall(r"[hv]|\d+", state.action_to_string(action)[2:])
        across, down = (1, 0) if kind == "h" else (0, 1)
        ends = ((int(column), int(row)), (int(column) + across, int(row) + down))
        found["".join(f"{chr(ord('a') + c)}{r + 1}" for c, r in ends)] = [action]
    return found


def sowings(state: Any) -> Moves:
    """Pits of the player to move."""
    first = ord("a") + 6 * state.current_player()
    return {chr(first + action): [action] for action in state.legal_actions()}


def othello_moves(state: Any) -> Moves:
    """Cells, and the pass."""
    return {("pass" if action == 64 else name): made for name, made in named(state).items() for action in made}


def amazons_moves(state: Any) -> Moves:
    """OpenSpiel has three steps: choose an amazon, move it, shoot. The rulesheet has the first two in one."""

    def cell(one: Any, action: int) -> str:
        row, column = map(int, re.findall(r"\d+", one.action_to_string(action)))
        return f"{chr(ord('a') + column - 1)}{11 - row}"

    found = {}
    for action in state.legal_actions():
        if "From" not in state.action_to_string(action):
            found[cell(state, action)] = [action]
            continue
        chosen = state.child(action)
        for second in chosen.legal_actions():
            found[cell(state, action) + cell(chosen, second)] = [action, second]
    return found


def chess_moves(state: Any) -> Moves:
    """Moves of chess by the pieces as they stand afterwards."""
    return {str(state.child(action)).split()[0]: [action] for action in state.legal_actions()}


def placement(_: str, __: Reasoner, state: State) -> str:
    """The pieces of a position in the notation of Forsyth and Edwards."""
    letters = {"pawn": "p", "knight": "n", "bishop": "b", "rook": "r", "queen": "q", "king": "k"}
    cells = {}
    for fact in map(read_term, state):
        if fact.name == "cell":
            file, rank, side, kind = map(str, fact.args)
            cells[file + rank] = letters[kind].upper() if side == "white" else letters[kind]
    rows = ["".join(cells.get(file + rank, ".") for file in "abcdefgh") for rank in "87654321"]
    return re.sub(r"\.+", lambda gap: str(len(gap[0])), "/".join(rows))


PEERS: dict[str, Peer] = {
    "tictactoe": Peer("tic_tac_toe", celled(3)),
    "connectfour": Peer("connect_four", by_column),
    "breakthrough": Peer("breakthrough", named),
    "hex": Peer("hex(board_size=9)", celled(9)),
    "othello": Peer("othello", othello_moves),
    "oware": Peer("oware", sowings),
    "checkers": Peer("checkers", named),
    "amazons": Peer("amazons", amazons_moves),
    "dotsandboxes": Peer("dots_and_boxes(num_rows=2,num_cols=2)", edges),
    "nim": Peer("nim(pile_sizes=3;4;5,is_misere=false)", nim_moves),
    "chess": Peer("chess", chess_moves, placement, (1, 0)),
}


def compare(name: str, games: int, seed: int) -> tuple[int, int]:
    """The number of positions compared, and of lines that ended in both programs at once.

    The first line is the golden one of the tests, the others are random.
    """
    import pyspiel

    peer, reasoner, rng = PEERS[name], Reasoner(rulesheet(name)), Random(seed)
    game = pyspiel.load_game(peer.game)
    recorded = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))["line"]
    positions = ends = 0
    for number in range(games):
        ours, theirs = reasoner.start(), game.new_initial_state()
        steps = 0
        while not (reasoner.terminal(ours) or theirs.is_terminal()):
            legal = [reasoner.legal(ours, role) for role in reasoner.roles]
            mover = peer.seats.index(theirs.current_player())
            moves = peer.moves(theirs)
            assert all(moves == ["noop"] for role, moves in enumerate(legal) if role != mover), (name, ours)
            assert len(moves) == len(legal[mover]), (name, ours, sorted(moves), legal[mover])
            move = rng.choice(legal[mover]) if number else recorded[steps]["move"][mover]
            ours = reasoner.next(ours, [move if role == mover else "noop" for role in range(len(legal))])
            for action in moves[peer.spell(move, reasoner, ours)]:
                theirs.apply_action(action)
            steps += 1
        positions += steps
        if reasoner.terminal(ours) and theirs.is_terminal():
            goals = [int(reasoner.goals(ours, role)[0]) for role in reasoner.roles]
            returns = [theirs.returns()[seat] for seat in peer.seats]
            assert goals == [50 + 50 * ((value > 0) - (value < 0)) for value in returns], (name, ours, goals, returns)
            ends += 1
        assert number or steps == len(recorded), (name, steps)
    return positions, ends


def main() -> None:
    """Compares the rulesheets that were asked for, or all, and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*PEERS, []], default=[])
    parser.add_argument("--games", type=int, default=10, help="lines of each game")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print("| rulesheet | OpenSpiel | lines | positions | ended in both | seconds |\n|---|---|--:|--:|--:|--:|")
    for name in arguments.names or PEERS:
        begin = time.process_time()
        positions, ends = compare(name, arguments.games, arguments.seed)
        seconds = time.process_time() - begin
        print(f"| {name} | {PEERS[name].game} | {arguments.games} | {positions} | {ends} | {seconds:.1f} |", flush=True)


if __name__ == "__main__":
    main()
