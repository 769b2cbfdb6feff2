"""Positions of rulesheets are searched directly: a mate is found at once, however many positions there are."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from tests.randomgames import TableGame, oracle
from tests.search.test_growing import sparse_game
from zermelo.gdl.game import RulesheetGame
from zermelo.gdl.growing import GrowingGroundGame
from zermelo.gdl.kif import read_kif
from zermelo.graph import NotGrownError
from zermelo.limits import Limits
from zermelo.play.engine_player import EnginePlayer
from zermelo.search import growing as module
from zermelo.solving import solve_game
from zermelo.solving.targets import game_of
from zermelo.taking_up import moves_of

CORPUS = Path(os.environ.get("ZERMELO_CORPUS", "/nonexistent")) / "gdl" / "rules"
FOOLS_MATE = "move(f,2,f,3) move(e,7,e,5) move(g,2,g,4)"
SCHOLARS_MATE = "move(e,2,e,4) move(e,7,e,5) move(d,1,h,5) move(b,8,c,6) move(f,1,c,4) move(g,8,f,6)"  # and takes at f7
MATES = {
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - -": ("move(d,1,d,8)", 1),  # on the back rank
    "3r2k1/5ppp/8/8/8/8/5PPP/6K1 b - -": ("move(d,8,d,1)", 1),
    "kbK5/pp6/1P6/8/8/8/8/R7 w - -": ("move(a,1,a,6)", 3),  # Morphy's problem
    "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ -": ("move(d,2,h,6)", 3),  # the queen is given
}


@pytest.mark.parametrize(("line", "mate"), [(FOOLS_MATE, "move(d,8,h,4)"), (SCHOLARS_MATE, "move(h,5,f,7)")])
def test_a_mate_in_one_after_moves_is_solved_at_once(line: str, mate: str) -> None:
    solution = zermelo.solve("gdl:chess", after=line)
    assert solution.move is not None and solution.game.move_text(solution.move) == mate
    assert (solution.status, solution.verified, len(solution.line)) == ("solved", True, 1)
    assert solution.stats["nodes"] < 2_000


@pytest.mark.parametrize("position", MATES)
def test_mates_in_one_and_two_from_a_position_are_solved_at_once(position: str) -> None:
    solution = zermelo.solve(f"gdl:chess:{position}")
    mate, plies = MATES[position]
    assert solution.game.move_text(solution.line[0]) == mate and len(solution.line) == plies
    assert (solution.value, solution.verified) == (100 if " w " in position else 0, True)
    assert solution.stats["nodes"] < 5_000


def test_the_hint_sees_the_mate_too() -> None:
    game = game_of("gdl:chess")
    advice = EnginePlayer(game).advise(moves_of(game, FOOLS_MATE))
    assert (game.move_text(advice.move), advice.value) == ("move(d,8,h,4)", 0)
    assert advice.reason == "proved: black wins, 0 for white"


def test_an_analysis_sees_the_mate_and_guesses_the_rest() -> None:
    found = zermelo.analyse("gdl:chess", after=FOOLS_MATE, limits=Limits(seconds=8))
    assert (found.moves[0].name, found.moves[0].value, found.moves[0].proved) == ("move(d,8,h,4)", 0, True)


def test_a_mate_in_a_position_that_was_set_up_is_solved_at_once() -> None:
    game = game_of("gdl:chess:6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - -")
    solution = zermelo.solve("gdl:chess", position=game.start())
    assert (solution.value, solution.game.move_text(solution.move)) == (100, "move(d,1,d,8)")


def won_by_the_last_move(game: RulesheetGame, seed: int) -> list[str]:
    """A random game, by the ground game, that its last mover wins with the best score there is."""
    rules, chooser = game.ground, random.Random(seed)
    assert rules is not None and game.score_range is not None
    while True:
        state, line, first = rules.start(), [], True
        while not rules.terminal(state):
            choices = [rules.legal(state, role) for role in rules.roles]
            first = len(choices[0]) > 1 or (len(choices[1]) == 1 and choices[0][0].startswith("("))
            joint = [chooser.choice(moves) for moves in choices]
            line.append(joint[0 if first else 1])
            state = rules.next(state, joint)
        if int(rules.goals(state, rules.roles[0])[0]) == game.score_range[first]:
            return line


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus of public rulesheets is not at hand")
@pytest.mark.parametrize("name", ["speedChess", "checkersTiny", "breakthroughSmall", "connectFour"])
def test_before_the_last_move_of_a_game_the_mover_is_seen_to_win(name: str) -> None:
    game = game_of(str(CORPUS / f"{name}.kif"))
    assert isinstance(game, RulesheetGame) and game.score_range is not None
    later = game.at(won_by_the_last_move(game, 1)[:-1])
    solution = solve_game(later)
    mine = later.turn(later.start()) == game.roles[0]
    assert (solution.status, solution.value, solution.verified) == ("solved", game.score_range[mine], True)


def sheet_of(game: TableGame) -> str:
    """The rules of a game written out: where the stone lies, where it may go, what the ends score."""
    facts = ["(role first)", "(role second)", "(init (at 0))"]
    for node, (turn, targets, score) in enumerate(zip(game.turns, game.successors, game.scores, strict=True)):
        facts += [f"(mover {node} {turn})", *(f"(arc {node} {n} {target})" for n, target in enumerate(targets))]
        if score is not None:
            facts.append(f"(end {node} {score} {100 - int(score)})")
    return (
        " ".join(facts)
        + """
        (<= (legal ?r (go ?n)) (true (at ?x)) (mover ?x ?r) (arc ?x ?n ?y))
        (<= (legal ?r noop) (role ?r) (true (at ?x)) (mover ?x ?s) (distinct ?r ?s))
        (<= (next (at ?y)) (true (at ?x)) (does ?r (go ?n)) (arc ?x ?n ?y))
        (<= terminal (true (at ?x)) (end ?x ?a ?b))
        (<= (goal first ?a) (true (at ?x)) (end ?x ?a ?b))
        (<= (goal second ?b) (true (at ?x)) (end ?x ?a ?b))"""
    )


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), cyclic=st.booleans(), values=st.sampled_from([(0, 100), (0, 50, 100), (0, 30, 75)]))
def test_random_rulesheets_have_the_value_of_the_game_written_out(
    seed: int, cyclic: bool, values: tuple[int, ...]
) -> None:
    table = sparse_game(seed, cyclic, values, ("first", "second"), 60)
    object.__setattr__(table, "endless", (50, 50))
    game = RulesheetGame(read_kif(sheet_of(table)))
    game.native_refused = True
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "FIRST", 3)
        patch.setattr(module, "WIDELY", 0)
        solution = solve_game(game)
    assert (solution.status, solution.value, solution.verified) == ("solved", oracle(table), True)


@pytest.mark.parametrize("target", ["gdl:orchard:1,1,1", "gdl:matchingpennies"])
def test_a_sheet_with_chance_or_moves_at_once_does_not_grow(target: str) -> None:
    game = game_of(target)
    assert isinstance(game, RulesheetGame) and game.ground is not None
    with pytest.raises(NotGrownError):
        GrowingGroundGame(game.ground, game.start(), Limits()).grow(100, widely=True)
