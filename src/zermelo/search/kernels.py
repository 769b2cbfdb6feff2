"""What the Python side knows of each native kernel of search: its name, what it does, where it comes from."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.search.problem import Problem


@dataclass(frozen=True)
class Kernel:
    """A native kernel, an engine by its name.

    ``reference`` names the paper, ``complexity`` what it costs on ``n`` positions.
    """

    name: str
    summary: str
    reference: str
    complexity: str
    takes_chance: bool = False
    takes_many_roles: bool = False
    complete: bool = True  # given time and memory it always ends with a proof
    puzzles_only: bool = False

    def why_not(self, problem: Problem) -> str | None:
        """Why the kernel does not take the problem; ``None`` if it does."""
        if self.takes_chance and self.takes_many_roles:
            return None
        if self.puzzles_only and self.name not in problem.native.engines:
            return "it takes rulesheets with one role"
        reason = problem.why_not_exact()
        if reason is None or (
            self.takes_chance and problem.has_chance and len(problem.game.roles) <= 2 and problem.zero_sum
        ):
            return None
        return reason


KERNELS: dict[str, Kernel] = {
    kernel.name: kernel
    for kernel in (
        Kernel(
            "dp",
            "labels every reachable position, by retrograde analysis or in a compact ranked table",
            "Zermelo 1913; Thompson, Retrograde analysis of certain endgames, 1986",
            "time and memory linear in positions and moves",
            takes_chance=True,
        ),
        Kernel(
            "alphabeta",
            "alpha-beta with a table of proved bounds",
            "Knuth and Moore, An analysis of alpha-beta pruning, 1975",
            "b^(d/2) nodes with the best move first, b^d at worst; memory bounded",
        ),
        Kernel(
            "mtdf",
            "null-window searches that close in on the value",
            "Plaat, Schaeffer, Pijls and de Bruin, Best-first fixed-depth minimax algorithms, 1996",
            "as alphabeta, times the number of distinct scores met",
        ),
        Kernel(
            "pns",
            "depth-first proof-number search",
            "Allis 1994; Nagai, Df-pn algorithm for searching AND/OR trees, 2002; Pawlewicz and Lew 2007",
            "small where few replies matter; memory bounded",
        ),
        Kernel(
            "andor",
            "AND/OR search with memory",
            "Oltean, Games and strategies, 2015; Nilsson 1980",
            "at most n nodes for each threshold while the table holds them all",
        ),
        Kernel(
            "minimax",
            "minimax without cut-offs, with memory",
            "von Neumann 1928; Shannon 1950",
            "n nodes while the table holds them all",
        ),
        Kernel(
            "path",
            "breadth-first search for one line of play to the best score there is, in a rulesheet with one role",
            "Moore, The shortest path through a maze, 1959; Godefroid, Partial-order methods, 1996",
            "n nodes at worst; proofs only of the best score that the rules name",
            complete=False,
            puzzles_only=True,
        ),
        Kernel(
            "uct",
            "UCB1 tree search with proved values",
            "Kocsis and Szepesvari 2006; Winands, Bjornsson and Saito 2008; Cazenave and Saffidine 2010",
            "any time; proofs only where the tree is exhausted",
            takes_chance=True,
            takes_many_roles=True,
            complete=False,
        ),
    )
}
