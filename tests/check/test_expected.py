"""Claims that rest on ``expectation`` and ``equilibrium``: what is true is accepted, and no forgery of it is."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from tests.search.rolegames import RoleGame, equilibria, random_role_game

import zermelo
from zermelo.certificate import Certificate, Claim, parse_certificate, score_text
from zermelo.check import check_certificate
from zermelo.check.expected import kept_for_ever
from zermelo.check.verdict import Verdict
from zermelo.game import NOBODY, Game
from zermelo.limits import Limits


def claims_of(game: Game) -> tuple[Claim, ...]:
    solution = zermelo.solve(game, "induction")
    assert solution.verified and solution.certificate is not None
    return solution.certificate.claims


def verdict_on(game: Game, claim: Claim) -> Verdict:
    return check_certificate(game, Certificate("game", (claim,)))


def with_data(claim: Claim, **changes: Any) -> Claim:
    return replace(claim, data=copy.deepcopy(dict(claim.data)) | changes)


def forged(claim: Claim, rng: random.Random) -> Claim:
    """The claim with something in it changed at random."""
    data = copy.deepcopy(dict(claim.data))
    positions = data["positions"]
    key = rng.choice(list(positions))
    entry = positions[key]
    what = rng.randrange(5)
    if what == 0:
        del positions[key]
    elif what == 1:
        positions[key] = rng.choice([[], None, "1", [None], ["x"], ["1/0"], [1.5], {}])
    elif what == 2 and claim.rule == "expectation":
        entry[0] = score_text(Fraction(entry[0]) + Fraction(rng.randint(-3, 3), rng.randint(1, 3)))
    elif what == 2:
        vector = rng.choice(data["vectors"])
        place = rng.randrange(len(vector))
        vector[place] = score_text(Fraction(vector[place]) + Fraction(rng.randint(-3, 3), rng.randint(1, 3)))
    elif what == 3 and len(entry) > 1 and entry[1] is not None:
        texts = ["0", "1", "2", "7", ""]
        entry[1] = rng.choice([*texts, {rng.choice(texts): "1"}, {"0": "1/2", "1": "1/2"}, {"0": "2", "1": "-1"}, None])
    elif claim.rule == "equilibrium":
        data["ties"] = rng.choice(["any", "first", "best-for-others", "worst-for-others", "last", None])
        entry[0] = rng.randrange(-1, len(data["vectors"]) + 1)
    else:
        return replace(claim, data=data, at_least=claim.at_least + Fraction(rng.randint(1, 3), 2))
    return replace(claim, data=data)


ONE = ((2,), (1,), (1,))
"""Two moves at the first of three nodes, and one at the others."""


def circle(turns: tuple[str, ...]) -> RoleGame:
    """From the first node to the second and back, or to the end, which is worth 1 to the first role."""
    return RoleGame(turns, ONE, ((1, 2), (0,), ()), (None, None, (1, -1)), ((),) * 3)


class TestExpectation:
    def games(self) -> Iterator[tuple[RoleGame, random.Random]]:
        for seed in range(60):
            rng = random.Random(seed)
            yield random_role_game(seed, roles=2, nodes=9, cyclic=seed % 2 == 0, total=3, chance=0.3), rng
            yield random_role_game(seed, roles=2, nodes=9, at_once=0.4, total=3), rng
            yield random_role_game(seed, roles=1, nodes=9, cyclic=True), rng

    def test_no_forgery_proves_more_than_is_true(self) -> None:
        refuted = 0
        for game, rng in self.games():
            for claim in claims_of(game):
                if not claim.data["positions"]:
                    continue
                for _ in range(12):
                    false = forged(claim, rng)
                    verdict = verdict_on(game, false)
                    assert verdict.status in ("accepted", "refuted")
                    refuted += not verdict.accepted
                    if verdict.accepted:
                        assert false.at_least <= claim.at_least, game
        assert refuted > 1500

    def test_a_number_that_is_too_high_anywhere_is_refuted(self) -> None:
        for game, _ in self.games():
            for claim in claims_of(game):
                for key in claim.data["positions"]:
                    data = copy.deepcopy(dict(claim.data))
                    data["positions"][key][0] = score_text(Fraction(data["positions"][key][0]) + Fraction(1, 7))
                    assert not verdict_on(game, replace(claim, data=data)).accepted, (game, claim.role, key)

    def test_a_lower_number_at_the_start_proves_less_and_is_accepted(self) -> None:
        game = zermelo.game_of("goofspiel:3")
        claim = claims_of(game)[0]
        data = copy.deepcopy(dict(claim.data))
        data["positions"][game.key(game.start())][0] = "-1/2"
        assert verdict_on(game, replace(claim, data=data, at_least=Fraction(-1, 2))).accepted
        verdict = verdict_on(game, replace(claim, data=data))
        assert not verdict.accepted and "can expect -1/2 by what is listed" in verdict.reason

    def test_going_round_in_circles_proves_nothing(self) -> None:
        # The first may stop for 1, or go round: to promise 2 and never stop fits every equation.
        game = circle(("first", "second", "first"))
        claim = claims_of(game)[0]
        assert claim.at_least == 1
        lazy = with_data(claim, positions={"0": ["2", "0"], "1": ["2"]})
        verdict = verdict_on(game, replace(lazy, at_least=2))
        assert verdict.status == "refuted" and "kept going for ever, which is worth 0" in verdict.reason
        assert verdict_on(game, replace(with_data(claim, positions={"0": ["0", "0"], "1": ["0"]}), at_least=0)).accepted

    def test_endless_play_that_is_good_enough_is_a_proof(self) -> None:
        # The second can only stop and lose, or go on: endless play is worth 0 to it.
        game = circle(("second", "first", "first"))
        first, second = claims_of(game)
        assert (first.at_least, second.at_least) == (0, 0)

    def test_a_chance_of_leaving_is_enough_to_leave(self) -> None:
        half = Fraction(1, 2)
        game = replace(circle(("chance", "first", "first")), weights=((half, half), (), ()))
        assert claims_of(game)[0].at_least == 1

    def test_a_role_that_there_is_not_is_refuted(self) -> None:
        game = zermelo.game_of("goofspiel:2")
        claim = claims_of(game)[0]
        for role in ("third", NOBODY):
            assert "is not a role of the game" in verdict_on(game, replace(claim, role=role)).reason

    @pytest.mark.parametrize("positions", [None, [], "x", 7])
    def test_positions_that_are_no_table_are_refuted(self, positions: object) -> None:
        game = zermelo.game_of("goofspiel:2")
        assert not verdict_on(game, with_data(claims_of(game)[0], positions=positions)).accepted

    def test_a_refutation_names_the_moves_that_lead_there(self) -> None:
        game = zermelo.game_of("pig:4")
        claim = claims_of(game)[0]
        data = copy.deepcopy(dict(claim.data))
        del data["positions"][game.key(game.play(game.start(), "roll"))]
        assert verdict_on(game, replace(claim, data=data)).line == ("roll",)

    def test_the_check_ends_at_a_limit(self) -> None:
        game = zermelo.game_of("goofspiel:5")
        found = check_certificate(game, Certificate("game", claims_of(game)), Limits(seconds=0.0))
        assert found.status == "limit"

    def test_claims_of_both_roles_cannot_add_up_to_more_than_there_is(self) -> None:
        game = zermelo.game_of("goofspiel:2")
        first, second = claims_of(game)
        assert check_certificate(game, Certificate("game", (first, second))).accepted

    def test_a_certificate_survives_its_file(self) -> None:
        solution = zermelo.solve("goofspiel:3")
        assert solution.certificate is not None
        again = parse_certificate(json.dumps(solution.certificate.to_json()))
        assert check_certificate(zermelo.game_of("goofspiel:3"), again).accepted

    def test_probabilities_that_are_inexact_are_refuted(self) -> None:
        game = RoleGame(("chance", "first"), ((1,), (1,)), ((1,), ()), (None, (1, -1)), ((Fraction(1),), ()))
        claim = claims_of(game)[0]

        class Loaded(RoleGame):
            def chances(self, position: int) -> Any:
                return [(0, 1.0)]

        loaded = Loaded(game.turns, game.sizes, game.successors, game.ends, game.weights)
        with pytest.raises(zermelo.errors.GameError, match=r"probability 1\.0"):
            verdict_on(loaded, claim)


def plainly_kept(choices: list[list[list[int]]]) -> set[int]:
    """The largest set in which play can be kept, by taking away what leaves until nothing does."""
    kept = set(range(len(choices)))
    while True:
        stays = {here for here in kept if any(set(choice) <= kept for choice in choices[here])}
        if stays == kept:
            return kept
        kept = stays


def test_play_is_kept_for_ever_where_it_can_be() -> None:
    rng = random.Random(1)
    found = set()
    for _ in range(400):
        count = rng.randint(1, 7)
        choices = [
            [[rng.randrange(count) for _ in range(rng.randint(1, 3))] for _ in range(rng.randint(0, 3))]
            for _ in range(count)
        ]
        assert kept_for_ever(choices) == plainly_kept(choices), choices
        found.add(len(plainly_kept(choices)))
    assert len(found) > 4


def test_claims_may_add_up_to_the_most_that_there_is() -> None:
    # Two roles with interests of their own: both can expect 1, though at one of the ends nobody has anything.
    half = Fraction(1, 2)
    game = RoleGame(("chance", "first", "first"), ONE, ((1, 2), (), ()), (None, (2, 2), (0, 0)), ((half, half), (), ()))
    claims = [Claim(role, 1, rule="expectation", data={"positions": {"0": ["1"]}}) for role in game.roles]
    assert check_certificate(game, Certificate("game", tuple(claims))).accepted
    more = [replace(claim, at_least=Fraction(11, 10)) for claim in claims]
    assert not check_certificate(game, Certificate("game", tuple(more))).accepted


@pytest.mark.parametrize("entry", ["0", {0: "0"}, [], None, ["x"], [0]])
def test_entries_of_another_shape_are_refuted(entry: object) -> None:
    game = RoleGame(("second", "first"), ((1,), (1,)), ((1,), ()), (None, (0, 0)), ((), ()))
    claim = Claim("first", 0, rule="expectation", data={"positions": {"0": ["0"]}})
    assert verdict_on(game, claim).accepted
    assert not verdict_on(game, with_data(claim, positions={"0": entry})).accepted


def test_only_nobody_speaks_against_the_one_role_of_a_puzzle() -> None:
    game = random_role_game(3, roles=1, nodes=9, cyclic=True)
    own, nobody = claims_of(game)
    assert (own.role, nobody.role) == ("ann", NOBODY)
    assert "is not a role" in verdict_on(game, replace(nobody, role="somebody")).reason


class TestEquilibrium:
    def games(self) -> Iterator[tuple[RoleGame, random.Random]]:
        for seed in range(150):
            game = random_role_game(seed, roles=2 + seed % 3, nodes=9, scores=2)
            if game.ends[0] is None and claims_of(game)[0].rule == "equilibrium":
                yield game, random.Random(seed)

    def test_what_is_accepted_is_an_equilibrium(self) -> None:
        refuted = 0
        for game, rng in self.games():
            claim = claims_of(game)[0]
            possible = equilibria(game)
            for _ in range(15):
                false = forged(claim, rng)
                verdict = verdict_on(game, false)
                refuted += not verdict.accepted
                if verdict.accepted:
                    assert tuple(Fraction(value) for value in false.data["values"]) in possible
        assert refuted > 500

    def test_every_equilibrium_is_claimed_by_its_own_vector_alone(self) -> None:
        for game, _ in self.games():
            claim = claims_of(game)[0]
            values = list(claim.data["values"])
            for place in range(len(values)):
                other = [*values[:place], score_text(Fraction(values[place]) + 1), *values[place + 1 :]]
                false = replace(with_data(claim, values=other), at_least=Fraction(other[0]))
                assert not verdict_on(game, false).accepted

    def test_a_vector_that_is_not_the_mean_of_what_follows_is_refuted(self) -> None:
        for game, _ in self.games():
            claim = claims_of(game)[0]
            positions, vectors = claim.data["positions"], claim.data["vectors"]
            for key, (number, said) in positions.items():
                for place in range(len(game.roles)):
                    other = list(vectors[number])
                    other[place] = score_text(Fraction(other[place]) + 1)
                    changed = {**positions, key: [len(vectors), said]}
                    values = other if key == "0" else claim.data["values"]
                    false = with_data(claim, vectors=[*vectors, other], positions=changed, values=values)
                    verdict = verdict_on(game, replace(false, at_least=Fraction(values[0])))
                    assert not verdict.accepted, (game, key, place)

    def test_a_vector_has_one_score_for_each_role(self) -> None:
        game = RoleGame(("ann", "bob", "bob"), ((1,), (1,), (1,)), ((1,), (2,), ()), (None, None, (1, 2)), ((),) * 3)
        game = replace(game, roles=("ann", "bob"), turns=("ann", "bob", "bob"), ends=(None, None, (1, 1)))
        data = {"roles": ["ann", "bob"], "values": ["1", "1"], "ties": "any"}
        for second, accepted in ((["1", "1"], True), (["1", "1", "7"], False), (["1"], False)):
            said = data | {"vectors": [["1", "1"], second], "positions": {"0": [0, "0"], "1": [1, "0"]}}
            claim = Claim("ann", 1, rule="equilibrium", play="equilibrium", data=said)
            assert verdict_on(game, claim).accepted is accepted, second

    def test_the_head_of_the_claim_speaks_of_the_first_role_and_its_score(self) -> None:
        game = next(self.games())[0]
        claim = claims_of(game)[0]
        assert not verdict_on(game, replace(claim, at_least=claim.at_least + 1)).accepted
        assert not verdict_on(game, replace(claim, role="bob")).accepted

    def test_the_rule_for_ties_is_looked_at(self) -> None:
        # ann is indifferent between 1 for bob and 3 for bob.
        roles = ("ann", "bob")
        game = RoleGame(
            ("ann", "bob", "bob"), ((2,), (1,), (1,)), ((1, 2), (), ()), (None, (1, 1), (1, 3)), ((),) * 3, roles
        )
        claim = claims_of(game)[0]
        assert (claim.data["ties"], claim.data["values"]) == ("first", ["1", "1"])
        for ties, accepted in (("first", True), ("worst-for-others", True), ("any", True), ("best-for-others", False)):
            assert verdict_on(game, with_data(claim, ties=ties)).accepted is accepted, ties
        for ties in ("last", ["any"], {}, None):
            assert "is none of" in verdict_on(game, with_data(claim, ties=ties)).reason

    def test_it_is_not_claimed_as_what_a_role_can_be_sure_of(self) -> None:
        game = next(self.games())[0]
        claim = claims_of(game)[0]
        assert "in a subgame-perfect equilibrium" in str(claim)
        assert "gets at least" not in str(claim)
        verdict = verdict_on(game, replace(claim, play="score"))
        assert verdict.status == "refuted" and "not what one role can be sure of" in verdict.reason

    def test_nothing_else_is_claimed_as_an_equilibrium(self) -> None:
        game = zermelo.game_of("goofspiel:2")
        verdict = verdict_on(game, replace(claims_of(game)[0], play="equilibrium"))
        assert verdict.status == "refuted" and "what is proved is the score" in verdict.reason

    def test_a_game_whose_positions_come_back_is_refuted(self) -> None:
        roles = ("ann", "bob", "cem")
        game = RoleGame(roles, ((1,), (2,), (1,)), ((1,), (0, 2), ()), (None, None, (1, 2, 3)), ((),) * 3, roles)
        data = {"roles": list(roles), "values": ["1", "2", "3"], "ties": "any", "vectors": [["1", "2", "3"]]}
        claim = Claim(
            "ann", 1, rule="equilibrium", play="equilibrium", data=data | {"positions": {"0": [0, "0"], "1": [0, "1"]}}
        )
        verdict = verdict_on(game, claim)
        assert verdict.status == "refuted" and "can come back" in verdict.reason

    def test_partners_who_mix_have_an_equilibrium_too(self) -> None:
        # Both get 1 if they show the same: half and half is an equilibrium, and a bad one.
        game = RoleGame((("first", "second"), "first", "first"), ((2, 2), (1,), (1,)), ((1, 2, 2, 1), (), ()),
                        (None, (1, 1), (0, 0)), ((),) * 3)  # fmt: skip
        claim = claims_of(game)[0]
        assert claim.data["values"] == ["1", "1"]
        half = {"0": "1/2", "1": "1/2"}
        mixed = with_data(claim, values=["1/2", "1/2"], vectors=[["1/2", "1/2"]], positions={"0": [0, [half, half]]})
        assert verdict_on(game, replace(mixed, at_least=Fraction(1, 2))).accepted
        uneven = {"0": "1/3", "1": "2/3"}
        lopsided = with_data(mixed, positions={"0": [0, [half, uneven]]})
        verdict = verdict_on(game, replace(lopsided, at_least=Fraction(1, 2)))
        assert "a single change of its own gives it 2/3" in verdict.reason
        ordered = replace(with_data(claim, ties="first"), at_least=1)
        assert "picks one move of one role" in verdict_on(game, ordered).reason

    @pytest.mark.parametrize(
        ("name", "wrong"),
        [
            ("roles", ["ann"]),
            ("roles", None),
            ("values", ["1"]),
            ("values", [1, 2]),
            ("values", ["1/0", "1"]),
            ("vectors", [["1"]]),
            ("vectors", None),
            ("positions", None),
            ("positions", []),
            ("positions", {}),
            ("ties", None),
        ],
    )
    def test_wrong_shapes_are_refuted(self, name: str, wrong: object) -> None:
        roles = ("ann", "bob")
        game = RoleGame(
            ("ann", "bob", "bob"), ((2,), (1,), (1,)), ((1, 2), (), ()), (None, (1, 1), (0, 3)), ((),) * 3, roles
        )
        assert verdict_on(game, with_data(claims_of(game)[0], **{name: wrong})).status == "refuted"
