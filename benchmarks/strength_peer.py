"""OpenSpiel at the table, for :mod:`benchmarks.strength`: run by an interpreter that has it and need not have Zermelo.

Reads one request a line from standard input and answers each with a line on standard output, both in JSON:
``{"do": "new"}``, ``{"do": "play", "action": 3}``, ``{"do": "think", "seconds": 0.1, "exploration": 2, "seed": 1}``.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

MEGABYTES = 1000
MOST_SIMULATIONS, FEW_SIMULATIONS = 2**31 - 1, 16


class Table:
    """A game and where it stands."""

    def __init__(self, name: str) -> None:
        import pyspiel

        self.spiel = pyspiel
        self.game = pyspiel.load_game(name)
        self.state = self.game.new_initial_state()

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Does what a request asks for."""
        if request["do"] == "think":
            return self.thought(request["seconds"], request["exploration"], request["seed"])
        if request["do"] == "new":
            self.state = self.game.new_initial_state()
        else:
            self.state.apply_action(request["action"])
        return self.described()

    def described(self) -> dict[str, Any]:
        """Who is to move, what can be done, and what it has come to if it is over."""
        state = self.state
        if state.is_terminal():
            return {"over": True, "returns": state.returns()}
        player = state.current_player()
        told = {"over": False, "chance": state.is_chance_node(), "player": player}
        actions = [action for action, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        told["actions"] = [[action, state.action_to_string(player, action)] for action in actions]
        if hasattr(state, "spiel_move_to_checker_moves") and not state.is_chance_node():
            told["checkers"] = {
                action: [[move.pos, move.num] for move in state.spiel_move_to_checker_moves(player, action)]
                for action in actions
            }
        return told

    def thought(self, seconds: float, exploration: float, seed: int) -> dict[str, Any]:
        """MCTSBot's move after so many seconds: it has a clock, and makes a new tree for every move."""
        began = time.perf_counter()
        root = self.searched(exploration, seed, MOST_SIMULATIONS, seconds)
        if not root.children:  # the clock of a busy machine ran out before the first simulation
            root = self.searched(exploration, seed, FEW_SIMULATIONS, -1.0)
        spent = time.perf_counter() - began
        return {"action": root.best_child().action, "simulations": root.explore_count, "seconds": spent}

    def searched(self, exploration: float, seed: int, simulations: int, seconds: float) -> Any:
        """The root of a new tree; without a clock where the seconds are negative."""
        spiel = self.spiel
        evaluator, solve, verbose = spiel.RandomRolloutEvaluator(1, seed), True, False
        bot = spiel.MCTSBot(
            self.game,
            evaluator,
            exploration,
            simulations,
            MEGABYTES,
            solve,
            seed,
            verbose,
            max_wall_clock_time=seconds,
        )
        return bot.mcts_search(self.state)


def main() -> None:
    """Answers until the input ends."""
    table = Table(sys.argv[1])
    for line in sys.stdin:
        print(json.dumps(table.answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
