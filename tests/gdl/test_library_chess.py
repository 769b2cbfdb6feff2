"""Chess as a rulesheet against published numbers of lines (perft)."""

from __future__ import annotations

import pytest

from zermelo.gdl.ground import ground
from zermelo.gdl.library import rulesheet
from zermelo.gdl.reasoner import Reasoner, State
from zermelo.gdl.trace import StateMachine

# Positions that the authors of chess programs compare their numbers on; the third and the last are about captures en
# passant that would uncover a line, the one before the last about promotions.
PERFT = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", (20, 400, 8902)),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", (48, 2039, 97862)),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", (14, 191, 2812, 43238)),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -", (6, 264, 9467)),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -", (44, 1486, 62379)),
    ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - -", (24, 496, 9483)),
    ("3k4/3p4/8/K1P4r/8/8/8/8 b - -", (18, 92, 1670, 10138)),
]


@pytest.mark.parametrize(("fen", "counts"), PERFT)
def test_lines_are_as_many_as_published(fen: str, counts: tuple[int, ...]) -> None:
    rules = ground(rulesheet("chess", fen))
    level = [rules.start()]
    for depth, count in enumerate(counts, 1):
        assert sum(len(moves_of(rules, state)[1]) for state in level) == count
        if depth < len(counts):
            level = [after(rules, state, move) for state in level for move in moves_of(rules, state)[1]]


def test_the_plain_reasoner_counts_the_same() -> None:
    fen, counts = PERFT[2]
    rules = Reasoner(rulesheet("chess", fen))
    _, moves = moves_of(rules, rules.start())
    assert len(moves) == counts[0]
    assert sum(len(moves_of(rules, after(rules, rules.start(), move))[1]) for move in moves) == counts[1]


def moves_of(reasoner: StateMachine, state: State) -> tuple[str, list[str]]:
    """Whose turn it is, and the moves; none if play is over."""
    mover = "white" if "(turn white)" in state else "black"
    return mover, [] if reasoner.terminal(state) else reasoner.legal(state, mover)


def after(reasoner: StateMachine, state: State, move: str) -> State:
    mover, _ = moves_of(reasoner, state)
    return reasoner.next(state, [move if role == mover else "noop" for role in reasoner.roles])


def test_stalemate_is_a_draw_and_checkmate_is_not() -> None:
    stalemate = Reasoner(rulesheet("chess", "8/8/8/8/8/k7/p7/K7 w - -"))
    assert stalemate.terminal(stalemate.start())
    assert stalemate.goals(stalemate.start(), "white") == ["50"]
    mate = Reasoner(rulesheet("chess", "4R1k1/5ppp/8/8/8/8/8/4K3 b - -"))
    assert mate.terminal(mate.start())
    assert [mate.goals(mate.start(), role) for role in mate.roles] == [["100"], ["0"]]


def test_a_pawn_that_gives_check_by_a_double_step_can_be_taken_en_passant() -> None:
    reasoner = Reasoner(rulesheet("chess", "4k3/8/8/2pP4/1K6/8/8/8 w - c6"))
    assert "(move d 5 c 6)" in reasoner.legal(reasoner.start(), "white")
