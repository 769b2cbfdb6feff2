"""The finer points of the rulesheets with chance: exact values, and what each game's rules say in odd positions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, pairwise
from random import Random
from statistics import mean

import pytest

from zermelo import solve
from zermelo.game import CHANCE
from zermelo.gdl.game import Position, RulesheetGame
from zermelo.gdl.ground import ground
from zermelo.gdl.library import rulesheet, rulesheet_names
from zermelo.gdl.reasoner import Reasoner, State
from zermelo.gdl.syntax import RANDOM

Table = dict[str, list[tuple[str, ...]]]
Best = Callable[[list[Fraction]], Fraction]


@cache
def rules(name: str) -> Reasoner:
    return Reasoner(rulesheet(name))


def state(*facts: str) -> State:
    return tuple(sorted(facts))


def after(name: str, here: State, **moves: str) -> State:
    """The next state, where the roles that are not named have their only move."""
    joint = []
    for role in rules(name).roles:
        legal = rules(name).legal(here, role)
        assert moves.get(role, legal[0]) in legal
        assert role in moves or len(legal) == 1
        joint.append(moves.get(role, legal[0]))
    return rules(name).next(here, joint)


def facts(here: State) -> Table:
    """The facts of a state by their names."""
    table: Table = {}
    for fact in here:
        name, *rest = fact.strip("()").split()
        table.setdefault(name, []).append(tuple(rest))
    return table


def walk(name: str, seed: int, longest: int = 400) -> Iterator[State]:
    """The states of a line of random moves."""
    reasoner, rng = rules(name), Random(seed)
    here = reasoner.start()
    for _ in range(longest):
        yield here
        if reasoner.terminal(here):
            return
        here = reasoner.next(here, [rng.choice(reasoner.legal(here, role)) for role in reasoner.roles])


def expected(game: RulesheetGame, best: Best = max) -> Fraction:
    """What the first role scores on average if all roles choose together by ``best``; moves at once count as one."""
    known: dict[str, Fraction] = {}

    def value(position: Position) -> Fraction:
        result = game.result(position)
        if result is not None:
            return Fraction(result[0])
        key = game.key(position)
        if key not in known:
            values = [value(game.play(position, move)) for move in game.moves(position)]
            known[key] = mean(values) if game.turn(position) == CHANCE else best(values)
        return known[key]

    return value(game.start())


CHANCE_GAMES = [name for name in rulesheet_names() if RANDOM in rules(name).roles]


@pytest.mark.parametrize("name", CHANCE_GAMES)
def test_the_ground_game_plays_as_the_rules_say(name: str) -> None:
    reasoner, game, rng = rules(name), ground(rulesheet(name)), Random(13)
    for here in walk(name, 13, 60):
        assert game.terminal(here) == reasoner.terminal(here)
        legal = [reasoner.legal(here, role) for role in reasoner.roles]
        assert [game.legal(here, role) for role in game.roles] == legal
        assert [game.goals(here, role) for role in game.roles] == [
            reasoner.goals(here, role) for role in reasoner.roles
        ]
        joint = [rng.choice(moves) for moves in legal]
        assert game.next(here, joint) == reasoner.next(here, joint)


class TestMatchingPennies:
    """Fig. 1 of Koriche, Lagrue, Piette and Tabary (2016)."""

    def test_agreeing_wins_half_of_the_time(self) -> None:
        assert expected(RulesheetGame(rulesheet("matchingpennies"))) == 50

    def test_choosing_at_random_wins_a_quarter_of_the_time(self) -> None:
        assert expected(RulesheetGame(rulesheet("matchingpennies")), mean) == 25


def orchard(trees: int, fruits: int, raven: int, best: Best) -> Fraction:
    """The chance to win by the rules of the board game, with all faces of the die, apart from any rulesheet.

    A throw that changes nothing leaves the value v = (others + bare * v) / faces, so v = others / (faces - bare).
    Trees are alike: the fruits are kept sorted.
    """

    def picked(left: tuple[int, ...], tree: int) -> tuple[int, ...]:
        return tuple(sorted((*left[:tree], left[tree] - 1, *left[tree + 1 :])))

    @cache
    def basket(left: tuple[int, ...], steps: int, count: int) -> Fraction:
        if not count or not any(left):
            return value(left, steps)
        return best([basket(picked(left, tree), steps, count - 1) for tree in range(trees) if left[tree]])

    @cache
    def value(left: tuple[int, ...], steps: int) -> Fraction:
        if not any(left):
            return Fraction(1)
        if not steps:
            return Fraction(0)
        bearing = [tree for tree in range(trees) if left[tree]]
        others = value(left, steps - 1) + basket(left, steps, 2)
        others += sum(value(picked(left, tree), steps) for tree in bearing)
        return others / (len(bearing) + 2)

    for size in range(trees * fruits):  # from small to large, so that the recursion stays shallow
        value(tuple(sorted(size // trees + (tree < size % trees) for tree in range(trees))), raven)
    return value((fruits,) * trees, raven)


class TestOrchard:
    """The values of the whole game are those of the project's notes on the paper."""

    @pytest.mark.parametrize(("best", "percent"), [(max, 68.4047), (mean, 63.1998), (min, 53.2399)])
    def test_the_board_game_has_its_known_values(self, best: Best, percent: float) -> None:
        assert round(float(100 * orchard(4, 10, 9, best)), 4) == percent

    @pytest.mark.parametrize("best", [max, mean, min])
    @pytest.mark.parametrize(("trees", "fruits", "raven"), [(1, 1, 1), (1, 4, 2), (2, 2, 2), (3, 2, 3), (2, 3, 4)])
    def test_a_small_rulesheet_has_the_values_of_the_board_game(
        self, trees: int, fruits: int, raven: int, best: Best
    ) -> None:
        game = RulesheetGame(rulesheet("orchard", f"{trees},{fruits},{raven}"))
        assert expected(game, best) == 100 * orchard(trees, fruits, raven, best)

    def test_a_small_rulesheet_is_solved_with_a_checked_certificate(self) -> None:
        solution = solve("gdl:orchard:2,3,4")
        assert solution.verified
        assert solution.value == 100 * orchard(2, 3, 4, max)

    def test_a_basket_is_two_fruits_of_choice(self) -> None:
        here = after("orchard", rules("orchard").start(), random="(roll basket)")
        assert rules("orchard").legal(here, "random") == ["noop"]
        here = after("orchard", here, picker="(pick b)")
        here = after("orchard", here, picker="(pick b)")
        assert {"(fruits b 8)", "die"} <= set(here)


def camps(red: dict[int, int], blue: dict[int, int]) -> list[str]:
    sides = (("red", red), ("blue", blue))
    return [f"(camp {role} {column} {at.get(column, 0)})" for role, at in sides for column in range(2, 13)]


def climb(dice: str, *facts: str, red: dict[int, int] | None = None, blue: dict[int, int] | None = None) -> State:
    """Red is to pair these dice."""
    shown = [f"(die {number} {face})" for number, face in enumerate(dice, 1)]
    clock = ("(tens 0)", "(ones 0)", "(turn red)", "(stage pairs)")
    return state(*shown, *clock, *camps(red or {}, blue or {}), *facts)


class TestCantStop:
    """Sid Sackson's game."""

    def test_four_dice_make_three_pairings(self) -> None:
        moves = rules("cantstop").legal(climb("1356"), "red")
        assert moves == ["(climb 4 11)", "(climb 6 9)", "(climb 7 8)"]

    def test_a_pairing_that_comes_twice_is_one_move(self) -> None:
        assert rules("cantstop").legal(climb("2255"), "red") == ["(climb 4 10)", "(climb 7 7)"]

    def test_equal_sums_are_two_steps_from_the_camp(self) -> None:
        here = after("cantstop", climb("2255", red={7: 3}), red="(climb 7 7)")
        assert "(runner 7 5)" in here and "(stage decide)" in here

    def test_equal_sums_below_the_top_are_one_step(self) -> None:
        here = after("cantstop", climb("1111", "(runner 2 2)"), red="(climb 2 2)")
        assert "(runner 2 3)" in here

    def test_two_new_columns_for_the_last_runner_are_a_choice(self) -> None:
        here = climb("1356", "(runner 2 1)", "(runner 7 1)")
        moves = rules("cantstop").legal(here, "red")
        assert moves == ["(climb 7 8)", "(only 11)", "(only 4)", "(only 6)", "(only 9)"]

    def test_without_a_runner_in_hand_only_the_columns_begun_are_climbed(self) -> None:
        here = climb("1356", "(runner 2 1)", "(runner 7 1)", "(runner 12 1)")
        assert rules("cantstop").legal(here, "red") == ["(only 7)"]

    def test_columns_that_are_won_are_closed(self) -> None:
        here = climb("1111", blue={2: 3})
        assert rules("cantstop").legal(here, "red") == ["fall"]
        here = after("cantstop", here, red="fall")
        assert {"(turn blue)", "(stage throw12)", "(ones 1)"} <= set(here)

    def test_a_fall_loses_the_climb_and_a_stop_keeps_it(self) -> None:
        ran = ("(runner 2 3)", "(runner 3 1)", "(runner 12 1)")
        fell = after("cantstop", climb("4444", *ran), red="fall")
        assert "(camp red 3 0)" in fell and not any(fact.startswith("(runner") for fact in fell)
        here = tuple(fact for fact in climb("1112", *ran) if not fact.startswith("(die"))
        here = state(*(fact.replace("pairs", "decide") for fact in here))
        kept = after("cantstop", here, red="stop")
        assert {"(camp red 2 3)", "(camp red 3 1)", "(camp red 12 1)", "(turn blue)"} <= set(kept)

    def test_three_columns_win(self) -> None:
        here = climb("1111", red={2: 3, 3: 5, 12: 3}, blue={7: 13})
        assert rules("cantstop").terminal(here)
        assert [rules("cantstop").goals(here, role) for role in ("red", "blue")] == [["100"], ["0"]]


def larder(mouse: str, cat: str, stage: str, *facts: str, bare: str = "", pot: int = 0) -> State:
    """Red's turn, with both tiles of every value in all rooms that are not bare."""
    tiles = [f"(tiles {room} {value} {0 if room in bare else 2})" for room in "abcde" for value in (1, 2, 3)]
    rest = ("(score red 7)", "(score blue 5)", "(turn red)", f"(stage {stage})", "(tens 0)", "(ones 0)")
    return state(*tiles, f"(mouse {mouse})", f"(cat {cat})", f"(pot {pot})", *rest, *facts)


class TestKaseklau:
    """Cat and mouse on a ring of five rooms."""

    def test_apart_a_tile_is_turned_over_and_together_the_pot_is_lost(self) -> None:
        here = larder("a", "c", "throw", pot=4)
        apart = after("kaseklau", here, random="(throw 1 1)")
        assert {"(mouse b)", "(cat d)", "(stage tile)", "(pot 4)", "(turn red)"} <= set(apart)
        met = after("kaseklau", here, random="(throw 6 4)")
        assert {"(mouse b)", "(cat b)", "(stage throw)", "(pot 0)", "(turn blue)", "(score red 7)"} <= set(met)

    def test_each_tile_that_is_left_is_a_move_of_chance(self) -> None:
        here = larder("a", "b", "tile", pot=4)
        assert len(rules("kaseklau").legal(here, "random")) == 6
        here = after("kaseklau", here, random="(turn_over 3 2)")
        assert {"(tiles a 3 1)", "(pot 7)", "(stage decide)"} <= set(here)
        again = state(*(fact.replace("decide", "tile") for fact in here))
        assert len(rules("kaseklau").legal(again, "random")) == 5

    def test_who_stops_keeps_the_pot(self) -> None:
        here = after("kaseklau", larder("a", "b", "decide", pot=4), red="stop")
        assert {"(score red 11)", "(pot 0)", "(turn blue)", "(stage throw)"} <= set(here)

    def test_an_empty_room_gives_nothing_and_leaves_the_choice(self) -> None:
        here = after("kaseklau", larder("a", "c", "throw", bare="b", pot=4), random="(throw 1 1)")
        assert "(stage decide)" in here and "(pot 4)" in here
        assert rules("kaseklau").legal(here, "red") == ["on", "stop"]

    def test_with_three_rooms_empty_the_pot_is_kept_and_play_ends(self) -> None:
        here = larder("b", "c", "decide", bare="abd", pot=4)
        assert not rules("kaseklau").terminal(here)
        assert rules("kaseklau").legal(here, "red") == ["stop"]
        here = after("kaseklau", here, red="stop")
        assert rules("kaseklau").terminal(here)
        assert [rules("kaseklau").goals(here, role) for role in ("red", "blue")] == [["100"], ["0"]]


def grilled(stage: str, *more: str, tiles: str = "", owned: str = "", free: int = 8) -> State:
    """Red's turn: tiles on the grill, tiles of red and blue from bottom to top as in ``21 25/30``."""
    known = [f"(grill {tile})" for tile in tiles.split()]
    for role, stack in zip(("red", "blue"), owned.split("/") if owned else ("", ""), strict=True):
        names = ["none", *stack.split()]
        known += [f"(owns {role} {tile})" for tile in names[1:]] + [f"(top {role} {names[-1]})"]
        known += [f"(under {tile} {below})" for below, tile in pairwise(names)]
    shown = {fact.split()[1] for fact in more if fact.startswith("(shown")}
    known += [f"(shown {face} 0)" for face in ("1", "2", "3", "4", "5", "worm") if face not in shown]
    return state(
        *known, *more, "(turn red)", f"(stage {stage})", f"(free {free})", "(waiting 0)", "(tens 0)", "(ones 0)"
    )


class TestPickomino:
    """Reiner Knizia's game, two players."""

    def test_all_dice_of_a_new_face_are_kept(self) -> None:
        shown = ("(shown 3 2)", "(shown worm 3)", "(shown 5 1)")
        here = grilled("keep", "(sum 6)", "(kept 3)", *shown, tiles="21", free=6)
        assert rules("pickomino").legal(here, "red") == ["(keep 5)", "(keep worm)"]
        here = after("pickomino", here, red="(keep worm)")
        assert {"(sum 21)", "(free 3)", "(kept 3)", "(kept worm)", "(stage decide)"} <= set(here)
        assert rules("pickomino").legal(here, "red") == ["on", "stop"]
        here = after("pickomino", here, red="on")
        assert "(waiting 3)" in here and "(shown worm 0)" in here and "(stage throw)" in here

    def test_without_a_worm_nothing_is_bought(self) -> None:
        here = grilled("decide", "(sum 30)", "(kept 5)", tiles="21 22", free=2)
        assert rules("pickomino").legal(here, "red") == ["on"]

    def test_the_sum_buys_the_tile_of_that_number_or_the_next_below(self) -> None:
        here = grilled("decide", "(sum 24)", "(kept worm)", tiles="21 23 25", owned="30/", free=2)
        here = after("pickomino", here, red="stop")
        assert {"(owns red 23)", "(top red 23)", "(under 23 30)", "(grill 21)", "(grill 25)"} <= set(here)
        assert {"(turn blue)", "(free 8)", "(waiting 8)", "(sum 0)", "(stage throw)"} <= set(here)
        assert "(grill 23)" not in here and "(kept worm)" not in here

    def test_the_tile_on_top_of_the_other_stack_is_stolen_by_its_number(self) -> None:
        here = grilled("decide", "(sum 24)", "(kept worm)", tiles="21 23 25", owned="30/22 24", free=2)
        here = after("pickomino", here, red="stop")
        assert {"(owns red 24)", "(top red 24)", "(under 24 30)", "(top blue 22)", "(grill 23)"} <= set(here)
        assert "(owns blue 24)" not in here

    def test_a_tile_deeper_in_the_other_stack_is_safe(self) -> None:
        here = grilled("decide", "(sum 24)", "(kept worm)", tiles="25", owned="30/24 22", free=2)
        assert rules("pickomino").legal(here, "red") == ["on"]

    @pytest.mark.parametrize(
        ("owned", "left"),
        [("21 30/", "22 30 31"), ("21 36/", "22 31 33 36"), ("/", "22 31")],
        ids=["low", "high", "none"],
    )
    def test_a_failure_returns_the_top_tile_and_turns_over_the_highest(self, owned: str, left: str) -> None:
        here = grilled("keep", "(sum 4)", "(kept 4)", "(shown 4 7)", tiles="22 31 33", owned=owned, free=7)
        assert rules("pickomino").legal(here, "red") == ["fail"]
        table = facts(after("pickomino", here, red="fail"))
        assert sorted(tile for (tile,) in table["grill"]) == left.split()
        assert ("red", "21" if "21" in owned else "none") in table["top"]

    def test_more_worms_win_and_then_the_higher_tile(self) -> None:
        for owned, goals in [("36/21 22 23", "100 0"), ("25/21 22", "100 0"), ("/21", "0 100"), ("/", "50 50")]:
            here = grilled("throw", "(sum 0)", owned=owned)
            assert rules("pickomino").terminal(here)
            assert [rules("pickomino").goals(here, role)[0] for role in ("red", "blue")] == goals.split()

    def test_dice_and_tiles_are_never_lost_on_the_way(self) -> None:
        for here in walk("pickomino", 7):
            table = facts(here)
            owned = [tile for _, tile in table.get("owns", ())]
            grill = [tile for (tile,) in table.get("grill", ())]
            assert len({*owned, *grill}) == len(owned) + len(grill) <= 16
            assert sorted(tile for tile, _ in table.get("under", ())) == sorted(owned)
            (free,), (waiting,) = (map(int, table[name][0]) for name in ("free", "waiting"))
            shown = sum(int(count) for _, count in table["shown"])
            assert shown + waiting == (0 if table["stage"] == [("decide",)] else free)


def test_runners_and_camps_keep_to_the_columns_of_cant_stop() -> None:
    for here in walk("cantstop", 3):
        table = facts(here)
        assert len(table["camp"]) == 22 and len(table.get("runner", ())) <= 3
        (turn,) = (role for (role,) in table["turn"])
        camp = {column: int(height) for role, column, height in table["camp"] if role == turn}
        assert all(int(height) > camp[column] for column, height in table.get("runner", ()))
        tops = [column for _, column, height in table["camp"] if int(height) == 13 - 2 * abs(7 - int(column))]
        assert len(set(tops)) == len(tops)


def test_the_cheese_of_kaseklau_is_only_lost_to_the_cat() -> None:
    cheese, before = 60, None
    for here in walk("kaseklau", 5):
        table = facts(here)
        pot = sum(int(amount) for (amount,) in table["pot"])
        held = pot + sum(int(amount) for _, amount in table["score"])
        held += sum(int(value) * int(count) for _, value, count in table["tiles"])
        lost = before if before and table["mouse"] == table["cat"] and ("throw",) in table["stage"] else 0
        assert held == cheese - lost
        cheese, before = held, pot


def maze(turn: str, pacman: str, *more: str, ghosts: str = "d6 e6 d3 e3") -> State:
    names = ("pacman", "blinky", "pinky", "inky", "clyde")
    cells = [f"(at {name} {cell[0]} {cell[1]})" for name, cell in zip(names, [pacman, *ghosts.split()], strict=True)]
    return state(*cells, f"(turn {turn})", *more)


class TestPacman:
    """The maze of 8 x 8."""

    def test_there_is_a_dot_on_each_of_the_other_open_cells(self) -> None:
        assert len(facts(rules("pacman").start())["dot"]) == 64 - 16 - 1

    def test_nobody_walks_through_walls(self) -> None:
        here = maze("pacman", "a2", "(dot h 8)", "(ones 0)", "(tens 0)")
        assert rules("pacman").legal(here, "pacman") == ["(go north)", "(go south)", "stay"]
        here = maze("pinky", "a2", "(dot h 8)", "(ones 0)", "(tens 0)")
        ways = [f"(send pinky {way})" for way in ("east", "north", "west")]
        assert rules("pacman").legal(here, "random") == ways

    def test_a_ghost_that_comes_catches_him(self) -> None:
        here = maze("clyde", "e1", "(dot h 8)", "(ones 0)", "(tens 0)", ghosts="d6 e6 d3 e2")
        here = after("pacman", here, random="(send clyde south)")
        assert rules("pacman").terminal(here) and rules("pacman").goals(here, "pacman") == ["0"]

    def test_the_last_dot_wins(self) -> None:
        here = after("pacman", maze("pacman", "h7", "(dot h 8)", "(ones 0)", "(tens 0)"), pacman="(go north)")
        assert rules("pacman").terminal(here) and rules("pacman").goals(here, "pacman") == ["100"]

    def test_a_hundred_steps_are_half_a_win(self) -> None:
        here = maze("clyde", "a1", "(dot h 8)", "(ones 9)", "(tens 9)")
        here = after("pacman", here, random="(send clyde south)")
        assert "(tens 10)" in here and "(ones 0)" in here
        assert rules("pacman").terminal(here) and rules("pacman").goals(here, "pacman") == ["50"]


def arena(*more: str, red: str = "a1", blue: str = "g7", monster: str = "d4") -> State:
    people = (("red", red), ("blue", blue), ("monster", monster))
    return state(*(f"(at {who} {cell[0]} {cell[1]})" for who, cell in people), "(tens 0)", "(ones 0)", *more)


class TestBomberman:
    """The board of 7 x 7."""

    def test_the_board_is_the_same_from_both_sides(self) -> None:
        table = facts(rules("bomberman").start())
        turned = {(chr(ord("a") + ord("g") - ord(column)), str(8 - int(row))) for column, row in table["crate"]}
        assert len(turned) == 16 and turned == set(table["crate"])

    def test_a_player_has_one_bomb_at_a_time_and_bombs_are_in_the_way(self) -> None:
        here = after("bomberman", arena(), red="bomb", blue="stay", random="(go west)")
        assert "(bomb red a 1 3)" in here
        assert "bomb" not in rules("bomberman").legal(here, "red")
        here = after("bomberman", here, red="(go east)", blue="stay", random="(go east)")
        assert rules("bomberman").legal(here, "red") == ["(go east)", "stay"]

    def test_fire_reaches_two_cells_and_is_stopped_by_pillars_and_crates(self) -> None:
        here = arena(
            "(bomb red c 3 1)", "(crate d 3)", "(crate e 3)", "(crate c 5)", "(crate c 2)", red="b3", blue="a3"
        )
        here = after("bomberman", here, red="stay", blue="stay", random="(go east)")
        assert facts(here)["crate"] == [("e", "3")]
        assert "at" in facts(here) and [who for who, *_ in facts(here)["at"]] == ["monster"]
        assert rules("bomberman").terminal(here)
        assert [rules("bomberman").goals(here, role) for role in ("red", "blue")] == [["50"], ["50"]]

    def test_who_leaves_in_time_lives(self) -> None:
        here = arena("(bomb red b 1 1)", red="a1")
        here = after("bomberman", here, red="(go north)", blue="stay", random="(go east)")
        assert "(at red a 2)" in here and not rules("bomberman").terminal(here)

    @pytest.mark.parametrize(("red", "monster"), [("stay", "(go west)"), ("(go east)", "(go west)")])
    def test_the_monster_kills_whom_it_meets_also_in_passing(self, red: str, monster: str) -> None:
        here = after("bomberman", arena(red="c4"), red=red, blue="stay", random=monster)
        assert rules("bomberman").goals(here, "blue") == ["100"]
        assert rules("bomberman").goals(here, "red") == ["0"]

    def test_a_dead_monster_leaves_chance_nothing_to_do(self) -> None:
        here = after("bomberman", arena("(bomb red d 4 1)"), red="stay", blue="stay", random="(go west)")
        assert rules("bomberman").legal(here, "random") == ["noop"]


UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")
LOWER = ("three_alike", "four_alike", "full_house", "small_straight", "large_straight", "yahtzee", "chance")


def scored(dice: Sequence[int], joker: bool) -> dict[str, int]:
    """The points of each box by the plain words of the rules."""
    counts, pips = [dice.count(face) for face in range(1, 7)], sum(dice)
    runs = "".join("x" if count else " " for count in counts).split()
    longest = max(map(len, runs))
    points = {box: (face + 1) * counts[face] for face, box in enumerate(UPPER)}
    points["three_alike"] = pips if max(counts) >= 3 else 0
    points["four_alike"] = pips if max(counts) >= 4 else 0
    points["full_house"] = 25 if sorted(counts)[-2:] == [2, 3] or joker else 0
    points["small_straight"] = 30 if longest >= 4 or joker else 0
    points["large_straight"] = 40 if longest == 5 or joker else 0
    points["yahtzee"] = 50 if max(counts) == 5 else 0
    points["chance"] = pips
    return points


def sheet(
    dice: Sequence[int], filled: Sequence[str] = (), *more: str, score: Sequence[str] = "000", upper: int = 0
) -> State:
    """Red's turn after the last throw; the score in three digits."""
    shown = [f"(shows {die} {face})" for die, face in zip("abcde", dice, strict=True)]
    boxes = [f"(filled red {box})" for box in filled]
    digits = [f"({name} red {digit})" for name, digit in zip(("hundreds", "tens", "ones"), score, strict=True)]
    others = ("(hundreds blue 0)", "(tens blue 0)", "(ones blue 0)", "(upper_sum blue 0)", "(turn red)", "(throws 0)")
    return state(*shown, *boxes, *digits, f"(upper_sum red {upper})", *others, *more)


def red_score(here: State) -> int:
    table = facts(here)
    digits = (dict(table[name])["red"] for name in ("hundreds", "tens", "ones"))
    return sum(int(digit) * weight for digit, weight in zip(digits, (100, 10, 1), strict=True))


class TestYahtzee:
    """Two players, with the bonus for further yahtzees and the forced joker rule."""

    @pytest.mark.parametrize("filled", [(), ("yahtzee", "twos")], ids=["fresh", "yahtzee-filled"])
    def test_every_throw_counts_in_every_box_what_the_rules_say(self, filled: tuple[str, ...]) -> None:
        throws = list(combinations_with_replacement(range(1, 7), 5))
        assert len(throws) == 252
        for place, throw in enumerate(throws):
            dice = Random(place).sample(throw, 5)
            points = rules("yahtzee").holds("points", sheet(dice, filled))
            joker = bool(filled) and len(set(throw)) == 1
            assert sorted(points) == sorted(f"(points {box} {count})" for box, count in scored(throw, joker).items())

    def test_all_but_keeping_all_dice_can_be_done_with_a_throw(self) -> None:
        here = state(*(fact.replace("(throws 0)", "(throws 2)") for fact in sheet((1, 2, 3, 4, 6))))
        assert len(rules("yahtzee").legal(here, "red")) == 31 + 13
        here = after("yahtzee", here, red="(throw keep keep roll keep roll)")
        assert facts(here)["loose"] == [("c",), ("e",)] and "(throws 1)" in here
        here = after("yahtzee", here, random="(roll 5)")
        assert "(shows c 5)" in here and facts(here)["loose"] == [("e",)]

    def test_after_the_last_throw_a_box_is_filled(self) -> None:
        here = sheet((1, 2, 3, 4, 6), score="095")
        assert rules("yahtzee").legal(here, "red") == sorted(f"(score {box})" for box in UPPER + LOWER)
        here = after("yahtzee", here, red="(score chance)")
        assert red_score(here) == 111
        assert {"(turn blue)", "(throws 2)", "(filled red chance)"} <= set(here) and len(facts(here)["loose"]) == 5

    @pytest.mark.parametrize(("upper", "gained"), [(44, 18), (45, 53), (62, 53), (63, 18)])
    def test_the_upper_bonus_comes_once_at_sixty_three(self, upper: int, gained: int) -> None:
        here = after("yahtzee", sheet((6, 6, 6, 1, 2), upper=upper, score="190"), red="(score sixes)")
        assert red_score(here) == 190 + gained
        assert ("red", str(min(63, upper + 18))) in facts(here)["upper_sum"]

    def test_a_joker_goes_into_its_upper_box_if_that_is_open(self) -> None:
        assert rules("yahtzee").legal(sheet((4,) * 5, ["yahtzee"]), "red") == ["(score fours)"]

    def test_a_joker_goes_else_into_a_lower_box_and_counts_there(self) -> None:
        here = sheet((4,) * 5, ["yahtzee", "fours", "chance"], "(fifty red)", score="970")
        boxes = ("four_alike", "full_house", "large_straight", "small_straight", "three_alike")
        assert rules("yahtzee").legal(here, "red") == [f"(score {box})" for box in boxes]
        assert red_score(after("yahtzee", here, red="(score large_straight)")) == 970 + 100 + 40

    def test_a_joker_without_a_lower_box_is_nothing_in_an_upper_box(self) -> None:
        here = sheet((4,) * 5, [*LOWER, "fours"], "(fifty red)", score="200")
        assert len(rules("yahtzee").legal(here, "red")) == 5
        assert red_score(after("yahtzee", here, red="(score twos)")) == 300

    def test_a_yahtzee_after_a_nought_has_no_bonus(self) -> None:
        here = sheet((4,) * 5, ["yahtzee", "fours"], score="200")
        assert red_score(after("yahtzee", here, red="(score full_house)")) == 225

    def test_only_a_real_yahtzee_is_remembered_as_one(self) -> None:
        assert "(fifty red)" in after("yahtzee", sheet((4,) * 5), red="(score yahtzee)")
        assert "(fifty red)" not in after("yahtzee", sheet((4, 4, 4, 4, 1)), red="(score yahtzee)")

    @pytest.mark.parametrize(("score", "goals"), [("000", "50 50"), ("009", "100 0"), ("1500", "100 0")])
    def test_the_higher_score_wins(self, score: str, goals: str) -> None:
        full = [f"(filled {role} {box})" for role in ("red", "blue") for box in UPPER + LOWER]
        here = sheet((1, 2, 3, 4, 6), (), *full, score=(score[:-2], score[-2], score[-1]))
        assert rules("yahtzee").terminal(here)
        assert [rules("yahtzee").goals(here, role)[0] for role in ("red", "blue")] == goals.split()


def board(white: dict[int, int], black: dict[int, int], *dice: str) -> State:
    """White's turn; places are the pips that are left from there, 25 is the bar, and the rest is off."""
    known = []
    for role, places in (("white", white), ("black", black)):
        off = 15 - sum(places.values())
        known += [f"(at {role} {place} {places.get(place, 0)})" for place in range(1, 26)] + [f"(at {role} 0 {off})"]
    return state(*known, *(f"(die {die})" for die in dice), "(turn white)", "(tens 0)", "(ones 0)")


def white_moves(white: dict[int, int], black: dict[int, int], *dice: str) -> list[str]:
    return rules("backgammon").legal(board(white, black, *dice), "white")


class TestBackgammon:
    """Points are counted by each player from his own end: what is 5 for one is 20 for the other."""

    def test_the_opening_throw_says_who_begins(self) -> None:
        start = rules("backgammon").start()
        assert len(rules("backgammon").legal(start, "random")) == 30
        assert {"(turn black)", "(die 2 1)", "(die 5 1)"} <= set(after("backgammon", start, random="(roll 2 5)"))
        assert "(turn white)" in after("backgammon", start, random="(roll 5 2)")

    def test_equal_dice_are_played_four_times(self) -> None:
        here = board({24: 2}, {24: 2})
        here = state(*here, "(throw turn)")
        assert len(rules("backgammon").legal(here, "random")) == 36
        assert "(die 3 4)" in after("backgammon", here, random="(roll 3 3)")

    def test_checkers_on_the_bar_enter_first_and_not_on_shut_points(self) -> None:
        assert white_moves({25: 1, 6: 5}, {6: 2}, "6 1", "3 1") == ["(move 25 3)"]

    def test_a_lone_checker_is_hit(self) -> None:
        here = after("backgammon", board({24: 2}, {5: 1, 6: 2}, "4 1"), white="(move 24 4)")
        assert {"(at white 24 1)", "(at white 20 1)", "(at black 5 0)", "(at black 25 1)", "(turn black)"} <= set(here)

    def test_a_move_that_leaves_the_other_die_unplayed_is_illegal_if_both_can_be_played(self) -> None:
        # 13, 15 and 9 are shut: from 24 by 6, nothing is left to be played by 5; the other way round there is.
        assert white_moves({24: 1, 20: 1}, {12: 2, 10: 2, 16: 2}, "6 1", "5 1") == ["(move 20 6)", "(move 24 5)"]

    def test_if_only_one_die_can_be_played_it_is_the_higher(self) -> None:
        assert white_moves({20: 1}, {11: 2}, "4 1", "2 1") == ["(move 20 4)"]

    def test_who_cannot_move_passes(self) -> None:
        here = board({25: 1, 6: 5}, {6: 2, 3: 2}, "6 1", "3 1")
        assert rules("backgammon").legal(here, "white") == ["pass"]
        assert {"(turn black)", "(throw turn)", "(ones 1)"} <= set(after("backgammon", here, white="pass"))

    def test_bearing_off_wants_all_checkers_home(self) -> None:
        assert white_moves({6: 1, 5: 2}, {}, "6 1") == ["(move 6 6)"]
        assert white_moves({7: 1, 6: 1}, {18: 2}, "6 1") == ["(move 7 6)"]

    def test_a_higher_throw_bears_off_from_the_highest_point_only(self) -> None:
        assert white_moves({4: 1, 3: 2}, {}, "6 1") == ["(move 4 6)"]
        assert white_moves({4: 1, 3: 2}, {}, "3 1") == ["(move 3 3)", "(move 4 3)"]

    def test_a_checker_comes_home_and_another_is_borne_off(self) -> None:
        assert white_moves({7: 1, 5: 1}, {}, "5 1", "1 1") == ["(move 5 1)", "(move 7 1)", "(move 7 5)"]

    def test_the_fifteenth_checker_wins_at_once(self) -> None:
        here = after("backgammon", board({2: 1}, {24: 2}, "6 1", "3 1"), white="(move 2 6)")
        assert rules("backgammon").terminal(here)
        assert [rules("backgammon").goals(here, role) for role in ("white", "black")] == [["100"], ["0"]]

    def test_fifteen_checkers_are_somewhere(self) -> None:
        for here in walk("backgammon", 2, 150):
            table = facts(here)
            for side in ("white", "black"):
                assert sum(int(count) for role, _, count in table["at"] if role == side) == 15

    def test_turns_are_the_same_as_in_openspiel(self) -> None:
        pytest.importorskip("pyspiel")
        from benchmarks.backgammon import compare

        turns, pairs, ends = compare(games=1, seed=1)
        assert turns and pairs and ends == 1
