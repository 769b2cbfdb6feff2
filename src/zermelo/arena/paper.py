"""The figures of Koriche, Lagrue, Piette and Tabary, "General Game Playing with Stochastic CSP" (Constraints, 2016).

For each of their fifteen games the size of its network (Table 2), the shares of wins with 30 seconds a move over 5,000
games and their standard deviations (Table 3), and those against UCT for other times (Table 4); all in per cent. They
stand here for comparison. The paper does not say on what its UCT ran, nor what it did with draws.

>>> next(game for game in PAPER if game.target == "gdl:othello").mac_uct
Duel(percent=79.3, deviation=1.41)
>>> [game.title for game in PAPER if game.seats == 1]
['Orchard', 'Pacman']
"""

from __future__ import annotations

from typing import NamedTuple

TIMES = (1, 5, 10, 20, 30, 40, 50, 60)
"""Seconds a move in Table 4."""


class Duel(NamedTuple):
    """The share of games that one player won from another, and its standard deviation."""

    percent: float
    deviation: float


class Sizes(NamedTuple):
    """A network: variables, the largest domain, constraints, and the seconds that it took to make."""

    variables: int
    largest_domain: int
    constraints: int
    seconds: int


class PaperGame(NamedTuple):
    """A game of the paper, and what it is called here. ``seats`` counts those that players take in our rulesheet.

    ``known`` is what perfect play comes to, where that explains a result.
    """

    title: str
    target: str
    seats: int
    sizes: Sizes
    mac_uct: Duel
    mac_fc: Duel
    fc_uct: Duel
    by_time: tuple[float, ...]
    known: str = ""


KNOWN = {
    "tictactoe": "Between players that make no mistake every game is a draw.",
    "orchard": "Perfect play wins 68.4 % of games, and no player can do better.",
}
PAPER = tuple(
    PaperGame(title, f"gdl:{name}", seats, Sizes(*sizes), Duel(*duels[:2]), Duel(*duels[2:4]), Duel(*duels[4:]), times,
              KNOWN.get(name, ""))
    for title, name, seats, sizes, duels, times in (
        ("Awale", "oware", 2, (19, 37, 73, 94), (56.7, 1.63, 77.7, 1.92, 43.2, 2.34),
         (38.6, 43.3, 47.4, 51.6, 56.7, 57.9, 61.3, 63.0)),
        ("Backgammon", "backgammon", 2, (76, 768, 86, 347), (68.2, 5.49, 84.8, 6.36, 47.3, 5.87),
         (53.1, 58.1, 61.4, 65.8, 68.2, 71.3, 77.0, 79.6)),
        ("Bomberman", "bomberman", 2, (145, 64, 42, 31), (65.4, 6.32, 75.7, 5.34, 58.4, 5.46),
         (58.3, 60.0, 60.2, 64.7, 65.4, 70.1, 72.4, 75.6)),
        ("Can't Stop", "cantstop", 2, (16, 1296, 409, 248), (71.7, 6.43, 65.9, 4.87, 54.7, 5.34),
         (50.3, 54.7, 59.9, 62.2, 71.7, 74.9, 76.3, 78.9)),
        ("Checkers", "checkers", 2, (86, 262144, 52, 43), (61.2, 2.12, 76.9, 1.61, 57.5, 1.43),
         (43.4, 49.6, 51.4, 56.8, 61.2, 67.2, 71.3, 75.7)),
        ("Chess", "chess", 2, (71, 4096, 50, 76), (53.8, 1.75, 68.5, 1.76, 39.4, 1.75),
         (34.0, 39.3, 46.1, 49.9, 53.8, 56.4, 57.6, 60.8)),
        ("Chinese checkers", "chinesecheckers", 3, (103, 192, 87, 54), (55.4, 8.24, 78.1, 7.23, 32.7, 6.51),
         (27.4, 35.5, 43.7, 50.7, 55.4, 59.1, 63.2, 65.4)),
        ("Hex", "hex", 2, (22, 6561, 27, 91), (69.7, 2.45, 73.2, 3.24, 55.3, 3.12),
         (54.7, 56.2, 58.5, 67.4, 69.7, 71.4, 71.9, 72.5)),
        ("Kaseklau", "kaseklau", 2, (18, 7776, 106, 35), (71.4, 6.56, 58.9, 7.87, 68.3, 7.34),
         (63.6, 65.2, 68.3, 70.2, 71.4, 73.2, 74.7, 75.1)),
        ("Orchard", "orchard", 1, (9, 146410, 40, 12), (70.2, 3.41, 70.2, 3.45, 70.0, 2.45),
         (65.3, 68.5, 69.9, 70.2, 70.2, 70.1, 70.2, 70.2)),
        ("Othello", "othello", 2, (81, 65, 29, 51), (79.3, 1.41, 75.1, 0.89, 61.3, 1.14),
         (61.9, 64.0, 70.6, 75.8, 79.3, 82.0, 84.2, 84.9)),
        ("Pacman", "pacman", 1, (93, 64, 22, 36), (69.1, 2.73, 74.1, 3.12, 61.8, 3.78),
         (64.4, 66.2, 67.1, 67.9, 69.1, 69.4, 69.8, 70.5)),
        ("Pickomino", "pickomino", 2, (29, 1679616, 223, 172), (63.4, 4.89, 65.9, 6.10, 52.1, 5.34),
         (52.4, 55.3, 58.0, 61.1, 63.4, 65.8, 66.1, 68.6)),
        ("Tic-tac-toe", "tictactoe", 2, (19, 18, 37, 0), (65.7, 0.89, 51.8, 0.76, 64.9, 0.73),
         (63.6, 64.4, 64.9, 65.4, 65.7, 65.9, 65.8, 65.4)),
        ("Yahtzee", "yahtzee", 2, (12, 30, 8862, 182), (71.2, 5.48, 74.0, 5.12, 58.6, 5.34),
         (43.5, 50.1, 53.7, 64.3, 71.2, 75.2, 77.1, 78.9)),
    )
)  # fmt: skip
"""The fifteen games, in the order of the paper's tables."""
