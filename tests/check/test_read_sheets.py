"""The checker's own reading and playing of rulesheets against those of the engines."""

from __future__ import annotations

import random
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from tests.fuzz.readers import Case, check, shared_files

import zermelo
from zermelo.certificate import Certificate
from zermelo.check import check_certificate
from zermelo.check.copied import rulesheet as of_game
from zermelo.check.instance import instance_of
from zermelo.check.read.rulesheet import Rulesheet, read
from zermelo.cli import main
from zermelo.continued import Continued
from zermelo.errors import GameError, InputError, NotApplicableError
from zermelo.game import Game
from zermelo.gdl.game import RulesheetGame
from zermelo.gdl.printer import print_rules
from zermelo.gdl.reader import read_rules
from zermelo.solving.targets import game_from, game_of
from zermelo.source import Source
from zermelo.wrapper import GameWrapper

OWN = [
    Path(str(path)) for path in (resources.files("zermelo.games") / "rulesheets").iterdir() if path.name.endswith("kif")
]
SHEETS = sorted([*OWN, *shared_files("rulesheet")])
SMALL = "role(a). role(b). init(p). legal(a, go). legal(b, go). terminal :- ~true(p). goal(a, 100). goal(b, 0)."


def source_of(path: Path) -> Source:
    return Source("rulesheet", path.read_text(encoding="utf-8"), str(path))


def answers(game: Game, position: Any) -> Any:
    """What a game says of a position, or that it says nothing."""
    try:
        scores = game.result(position)
        if scores is not None:
            return scores
        turn = game.turn(position)
        roles = turn if isinstance(turn, tuple) else (turn,)
        moves = [(role, list(game.moves_of(position, role))) for role in roles]
    except GameError:
        return "breaks off"
    return turn, moves, [game.move_text(move) for _, some in moves for move in some[:20]], game.key(position)


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_both_reasoners_play_every_sheet_alike(path: Path) -> None:
    check(Case("rulesheet", path.read_text(encoding="utf-8")))
    try:
        theirs = game_from(source_of(path))
    except InputError:
        return
    own = read(source_of(path)).game()
    assert own.roles == theirs.roles
    assert (own.hidden_information, own.endless) == (theirs.hidden_information, theirs.endless)
    rng = random.Random(path.stem)
    for _ in range(2):
        position, mine = theirs.start(), own.start()
        for _ in range(12):
            found = answers(theirs, position)
            assert found == answers(own, mine)
            if not isinstance(found[0], str | tuple) or len(found) != 4:
                break
            chosen = tuple(rng.choice(moves) for _, moves in found[1])
            move = chosen if isinstance(found[0], tuple) else chosen[0]
            position, mine = theirs.play(position, move), own.play(mine, move)
            assert tuple(position) == tuple(mine)


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_a_sheet_is_the_same_in_both_syntaxes(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    infix = read(Source("rulesheet", print_rules(read_rules(text), "infix"), "sheet"))
    assert infix.canonical() == read(source_of(path)).canonical()


def rulesheet(text: str) -> Rulesheet:
    return read(Source("rulesheet", text, "sheet"))


@pytest.mark.parametrize(
    "text",
    [
        "q :- role(Role), Role \\= a.",
        "q :- role(Role), a \\= Role.",
        "q(X) :- (r(X) ; s(X)), ~t(X).",
        "q :- or(role(a), role(c)), not not role(b).",
        "_1 :- q.",
        "q :- Role(a) \\= b.",
        "q :- role(R), not \\= R.",
        "'Q q'(a).",
        "q('it''s', 'a\\\\b', 0.5, -3).",
        "q :- r(_), s(_, _).",
        "q(X, _'x') :- r(X).",
        "goal(c, X) :- role(X), ~goal(c, 0).",
        "r(X) :- role(X), ~r(a). r(a) :- role(b).",
        "r(f(X)) :- r(X). r(X) :- role(X).",
        "legal(c, M) :- does(c, M).",
        "init(q) :- true(p).",
        "next(q) :- init(q).",
        "base(q) :- init(q).",
        "role(random, a).",
        "terminal(a).",
        "goal(c, f(1)).",
        "goal(c, +5).",
        "true(q).",
        "q :- " + "(" * 255 + "role(a)" + ")" * 255 + ".",
        "q :- " + "(" * 257 + "role(a)" + ")" * 257 + ".",
        "q(" + "f(" * 126 + "a" + ")" * 127 + ".",
        "q(" + "f(" * 128 + "a" + ")" * 129 + ".",
        "q :- " + "~" * 126 + "role(a).",
        "q :- " + "~" * 128 + "role(a).",
    ],
)
def test_both_readers_agree_on_odd_rules(text: str) -> None:
    check(Case("rulesheet", f"{SMALL} {text}"))


def test_a_variable_that_is_called_as_a_relation_stays_one_in_a_comparison() -> None:
    game = rulesheet(f"{SMALL} init(seen(Role)) :- role(Role), Role \\= a.").game()
    assert game.start() == ("(seen b)", "p")
    theirs = RulesheetGame(read_rules(f"{SMALL} init(seen(Role)) :- role(Role), Role \\= a."))
    assert theirs.start() == game.start()


@pytest.mark.parametrize(
    "begin", ["", "; a remark\n", "% a remark\n/* two */ ", "terminal ", "terminal q ", "a:-b", "'x' ("]
)
def test_both_readers_tell_the_syntax_alike(begin: str) -> None:
    check(Case("rulesheet", f"{begin}(role a) (legal a go) terminal (goal a 100)"))
    check(Case("rulesheet", f"{begin}{SMALL}"))


def test_disjunctions_that_share_a_variable_are_taken_apart() -> None:
    rules = "p1(x). s1(y). init(hit) :- (p1(X) ; q1(Y)), (r1(X) ; s1(Y))."
    assert "hit" in rulesheet(f"{SMALL} {rules}").game().start()
    assert "hit" in RulesheetGame(read_rules(f"{SMALL} {rules}")).start()


HIDDEN = """role(you). role(random). init(start). side(heads). side(tails).
    legal(random, toss(S)) :- true(start), side(S). legal(random, wait) :- ~true(start).
    legal(you, wait) :- true(start). legal(you, guess(S)) :- ~true(start), side(S).
    next(coin(S)) :- does(random, toss(S)). next(coin(S)) :- true(coin(S)). next(over) :- ~true(start).
    next(right) :- does(you, guess(S)), true(coin(S)).
    terminal :- true(over). goal(you, 100) :- true(right). goal(you, 0) :- ~true(right). sees(you, nothing)."""


def test_a_hidden_coin_is_refused_through_every_way_in(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "coin.pl"
    file.write_text(HIDDEN)
    game = game_of(str(file))
    for hidden in (game, RulesheetGame(read_rules(HIDDEN)), Continued(game, ["(toss heads)"]), GameWrapper(game)):
        with pytest.raises(NotApplicableError):
            zermelo.solve(hidden)
        with pytest.raises(NotApplicableError):
            check_certificate(hidden, Certificate("coin", ()))
    assert rulesheet(HIDDEN).game().hidden_information
    assert of_game(game).game().hidden_information
    assert main(["solve", str(file)]) == main(["solve", str(file), "--after", "toss(heads)"]) != 0
    claims = '{"role": "you", "at_least": "100", "after": [], "starts": "chance", "play": "score", "table": {}}'
    proof = tmp_path / "proof.json"
    proof.write_text(
        f'{{"format": "zermelo-certificate", "version": 1, "target": "", "digest": "{"0" * 64}", "claims": [{claims}]}}'
    )
    assert main(["check", str(file), str(proof)]) != 0
    assert "accepted" not in capsys.readouterr().out


def test_a_move_that_only_its_namesake_sees_is_hidden() -> None:
    seen = HIDDEN.replace("sees(you, nothing).", "sees(M, did(P, M)) :- does(P, M).")
    assert RulesheetGame(read_rules(seen)).hidden_information
    assert rulesheet(seen).game().hidden_information


def test_a_wrapper_that_changes_the_rules_is_played_by_its_own_rules() -> None:
    class Misere(GameWrapper):
        def result(self, position: Any) -> Any:
            scores = self.inner.result(position)
            return None if scores is None else scores[::-1]

    game = Misere(game_of("gdl:nim"))
    assert instance_of(game) is None
    solution = zermelo.solve(game)
    assert solution.verified
    assert solution.certificate is not None
    assert not check_certificate(game_of("gdl:nim"), solution.certificate).accepted
