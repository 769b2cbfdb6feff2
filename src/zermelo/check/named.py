"""Strategies stated as a rule ("pair the cells", "mirror the last move") and how each is checked.

A claim by a rule is checked in one of two ways. On small boards the rule is *played out*: its moves against
every reply, as for a table of moves. On larger ones a *lemma* is applied: a few conditions that are tested on
this very board, and from which the claim follows for boards of every size; each lemma's proof is in its
docstring. Tests compare the two ways on all small boards.

Rules are named in certificates; a name that is not registered here is refused. The data of a certificate is
not trusted: its shape is tested before anything else is done with it. All rules speak of play from the start
position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any, Generic, TypeVar

from zermelo.certificate import Claim, score_text
from zermelo.check.rules import CHECKERS
from zermelo.check.verdict import Verdict
from zermelo.check.walk import check_choice
from zermelo.game import Game, Score
from zermelo.games.coins import Coins
from zermelo.games.connect import Connect
from zermelo.games.mnk import MNK
from zermelo.games.nim import Nim
from zermelo.games.strategy_rules import heap_pair, lower_wythoff, periodic_label, rule_move
from zermelo.games.subtraction import Subtraction
from zermelo.games.treblecross import Treblecross
from zermelo.games.wythoff import Wythoff
from zermelo.limits import Limits

EXPANSION = 200_000
"""A rule is played out where positions times moves are at most this many."""

LONGEST_LABELS = 10_000_000
"""Labels of a subtraction game are tested up to this size; beyond, a claim is left open."""

G = TypeVar("G", bound=Game)
Data = Mapping[str, Any]


def check_named(game: Game, claim: Claim, limits: Limits) -> Verdict:
    """Checks a claim that rests on a rule for a game of the library.

    >>> check_named(Nim(100_000, 99_999, 3), Claim("first", 1, rule="nim-sum"), Limits()).status
    'accepted'
    >>> check_named(Nim(2, 2), Claim("first", 1, rule="nim-sum"), Limits()).line
    ((0, 1), (1, 1), (0, 1), (1, 1))
    """
    checker = RULES.get(claim.rule or "")
    if checker is None:
        known = ", ".join(sorted([*RULES, *CHECKERS]))
        return Verdict("refuted", f"the checker knows no rule {claim.rule!r}, only: {known}")
    return checker.check(game, claim, limits)


@dataclass(frozen=True)
class RuleChecker(Generic[G]):
    """How claims by one rule are checked, for games of exactly one kind: a subclass may have other rules.

    ``shape`` says what is wrong with the form of the data, ``lemma`` which condition fails for the role (0 or
    1); both say ``None`` if all is well. ``effort`` bounds what it takes to play the rule out.
    """

    kind: type[G]
    promise: Score
    shape: Callable[[G, Data], str | None]
    effort: Callable[[G], int]
    lemma: Callable[[G, int, Data, Limits], str | None]

    def check(self, game: Game, claim: Claim, limits: Limits) -> Verdict:
        """Checks a claim: played out where that is cheap, else by the lemma."""
        if type(game) is not self.kind:
            return Verdict("refuted", f"the rule {claim.rule!r} is for {self.kind.__name__}, not {type(game).__name__}")
        if claim.role not in game.roles:
            return Verdict("refuted", f"{claim.role!r} is not a role of the game: {', '.join(game.roles)}")
        if (fault := self.shape(game, claim.data)) is not None:
            return Verdict("refuted", f"the data of the rule {claim.rule!r} is not as it should be: {fault}")
        return self.play_out(game, claim, limits) if self.effort(game) <= EXPANSION else self.apply(game, claim, limits)

    def play_out(self, game: G, claim: Claim, limits: Limits) -> Verdict:
        """Plays the rule against every reply. The data must have the right shape."""
        return check_choice(
            game, claim, lambda position: (rule_move(game, position, claim), None), limits, ranked=False
        )

    def apply(self, game: G, claim: Claim, limits: Limits) -> Verdict:
        """Tests the conditions of the lemma. The data must have the right shape."""
        if claim.at_least > self.promise:
            goal = score_text(claim.at_least)
            reason = f"the rule promises {score_text(self.promise)}, the claim is at least {goal}"
            return Verdict("refuted", reason)
        try:
            fault = self.lemma(game, game.roles.index(claim.role), claim.data, limits)
        except TimeoutError:
            return Verdict("limit", "the limit was reached before the lemma's conditions were tested")
        if fault is not None:
            return Verdict("refuted", f"the rule {claim.rule!r} proves nothing for {claim.role} here: {fault}")
        return Verdict("accepted", how="by a lemma")


def _no_data(game: Game, data: Data) -> str | None:
    del game
    return "there should be none" if data else None


def _is_index(value: object, end: int) -> bool:
    return type(value) is int and 0 <= value < end


# Symmetry


def _centre_shape(game: Treblecross, data: Data) -> str | None:
    if set(data) != {"centre"} or not _is_index(data["centre"], game.size + 1) or data["centre"] == 0:
        return f'expected {{"centre": a cell from 1 to {game.size}}}'
    return None


def mirror_row_lemma(game: Treblecross, role: int, data: Data, limits: Limits) -> str | None:
    """In a row of odd length the first player wins by taking the centre and mirroring.

    Call a cell a *threat* if filling it makes three in a row. We show: after each move of the first player
    that does not win, the row is symmetric about its filled centre and has no threat. So it is after the
    first move, when one cell is filled. Then the second player, having no threat to use, fills some cell c.
    If there is a threat now, the first player wins by it. Otherwise the mirror image c' is empty, for the row
    was symmetric, and the first player fills it: the row is symmetric again. Suppose it had a threat, in a
    window of three cells, two of them filled. Without c' in it, it was a threat before the move: there was
    none. Without c in it, its mirror image is a window without c' and a threat as well: again none. With both
    c and c' in it, which are an even distance apart, they are the neighbours of the filled centre, and three
    were in a row at once.

    So the second player never makes three in a row. The row is finite, and if it fills up the last cell is
    the first player's, its length being odd: the first player wins.
    """
    del limits
    if game.size % 2 == 0:
        return f"a row of {game.size} cells has no centre"
    if role != 0:
        return f"{game.roles[0]} takes the centre and wins"
    return None if 2 * data["centre"] == game.size + 1 else f"cell {data['centre']} is not the centre"


def _groups_shape(game: Nim, data: Data) -> str | None:
    heaps = len(game.heaps)
    groups = data.get("groups")
    if set(data) != {"groups"} or type(groups) is not list or len(groups) > heaps:
        return f'expected {{"groups": a list of at most {heaps}}}'
    if not all(type(group) is list and 1 <= len(group) <= 2 for group in groups):
        return "a group is not one heap or two"
    named = [heap for group in groups for heap in group]
    if not all(_is_index(heap, heaps) for heap in named) or sorted(named) != list(range(heaps)):
        return f"the groups do not name each heap from 0 to {heaps - 1} once"
    return None


def mirror_heaps_lemma(game: Nim, role: int, data: Data, limits: Limits) -> str | None:
    """Whoever leaves all groups of heaps alike wins Nim: two equal heaps, or one empty heap, are a group
    alike.

    A move changes one heap, so it makes exactly one group unlike, and then the larger heap of that group (or
    the only one) can be made equal to the smaller (to nothing) in one move: all groups are alike again.
    Whoever restores likeness always has an answer, so the other player is the one who cannot move. The second
    player does so if all groups are alike at the start; the first if exactly one is not.
    """
    del limits
    unlike = 0
    for group in data["groups"]:
        low, high = heap_pair(game.heaps, group)
        unlike += low != high
    return None if unlike == 1 - role else f"{unlike} groups of heaps are unlike at the start"


def equal_heaps_lemma(game: Wythoff, role: int, data: Data, limits: Limits) -> str | None:
    """From two equal heaps, not empty, the first player takes everything, and has won."""
    del data, limits
    left, right = game.heaps
    return None if role == 0 and left == right > 0 else f"heaps of {left} and {right}, {game.roles[role]} claims"


# Pairing


def _pairs_shape(game: MNK, data: Data) -> str | None:
    cells = game.rows * game.columns
    pairs = data.get("pairs")
    if set(data) != {"pairs"} or type(pairs) is not list or len(pairs) > cells // 2:
        return f'expected {{"pairs": a list of at most {cells // 2}}}'
    if not all(
        type(pair) is list and len(pair) == 2 and all(_is_index(cell, cells) for cell in pair) for pair in pairs
    ):
        return f"a pair is not two cells from 0 to {cells - 1}"
    named = {cell for pair in pairs for cell in pair}
    return None if len(named) == 2 * len(pairs) else "the pairs have a cell in common"


def pairing_lemma(game: MNK, role: int, data: Data, limits: Limits) -> str | None:
    """If disjoint pairs of cells are such that each line of k holds both cells of a pair, neither side need
    lose.

    Whoever follows the rule sees to it that after each of their moves no pair has a cell of the other side
    and a free one. This holds at the start; a move of the other side breaks it for one pair at most, since
    pairs are disjoint, and the rule then takes the free cell of that pair; a move elsewhere, when nothing is
    broken (as at the first player's first turn), breaks nothing, for a mark of one's own only fills pairs. So
    the other side never has both cells of a pair and never a whole line: the follower gets a draw at least.
    (Hales and Jewett, Regularity and positional games, 1963.)
    """
    del role
    partner: dict[int, int] = {}
    for one, two in data["pairs"]:
        partner[one], partner[two] = two, one
    for number, line in enumerate(_lines(game)):
        if number % 1024 == 0 and limits.expired():
            raise TimeoutError
        if not any(partner.get(cell) in line for cell in line):
            ends = f"{game.move_text(line[0])} to {game.move_text(line[-1])}"
            return f"the line from {ends} holds no pair"
    return None


def _lines(game: MNK) -> Iterator[range]:
    """Every line of k cells, across, down and along both diagonals."""
    rows, columns, k = game.rows, game.columns, game.k
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row in range(rows - down * (k - 1)):
            for column in range(columns):
                if 0 <= column + right * (k - 1) < columns:
                    first, step = row * columns + column, down * columns + right
                    # A line of one cell has no direction; 1 stands in for a step of 0.
                    yield range(first, first + step * (k - 1) + 1, step or 1)


def answer_on_top_lemma(game: Connect, role: int, data: Data, limits: Limits) -> str | None:
    """On a board of connect k with fewer than k columns, neither side need lose if k is 2 or more.

    Only upright lines of k fit. Whoever follows the rule sees to it that after each of their moves no stone
    of the other side is on top of a column with room above it: each move of the other side makes one such
    column at most, and the rule covers it. So two stones of the other side never lie one upon the other, and
    it never has a line.
    """
    del role, data, limits
    if game.k <= game.columns:
        return f"lines of {game.k} fit across {game.columns} columns"
    return None if game.k > 1 else "a single stone is a line"


# Parity


def nim_sum_lemma(game: Nim, role: int, data: Data, limits: Limits) -> str | None:
    """Whoever leaves heaps with nim-sum 0 (the exclusive or of their sizes) wins (Bouton 1901).

    From nim-sum 0 every move leads to another sum, as it changes one heap only. From nim-sum s > 0 some heap
    h has the highest bit of s, so h xor s < h, and cutting h down to h xor s leaves nim-sum 0; this is the
    rule's move. The empty heaps have nim-sum 0 and are lost for the player to move. So the first player wins
    if and only if the sum is not 0 at the start.
    """
    del data, limits
    total = 0
    for size in game.heaps:
        total ^= size
    return None if (total == 0) == (role == 1) else f"the nim-sum is {total}"


def golden_ratio_lemma(game: Wythoff, role: int, data: Data, limits: Limits) -> str | None:
    """The lost positions of Wythoff's game are the pairs (a_k, a_k + k), a_k the least number in no earlier
    pair.

    (a) No move leads from a pair to a pair: pairs have no number in common (a_k is new, and a_k + k is larger
    than all numbers before), so no move on one heap; and their differences differ, so none on both. (b) From
    any other position x <= y a move leads to a pair. Each number is in one of the pairs. If x = a_k + k,
    reduce y to a_k. If x = a_k and y > a_k + k, reduce y to a_k + k. If x = a_k and y < a_k + k, then y - x =
    j < k, and taking x - a_j from both leaves (a_j, a_j + j). By (a) and (b), and as (0, 0) is a pair, who is
    to move loses exactly on the pairs (Wythoff 1907).

    The rule computes a_k as the whole part of k times the golden ratio, which is Wythoff's theorem; that it
    is the same number is tested here for all k that this board can meet: up to the first a_k that is not
    below the smaller heap, beyond which it only matters that the whole parts increase.
    """
    del data
    low, high = sorted(game.heaps)
    named = bytearray(low + 1)
    k = a = 0
    while 0 <= a < low:
        if k % 4096 == 0 and limits.expired():
            raise TimeoutError
        if a != lower_wythoff(k):
            return f"{a} is not the whole part of {k} times the golden ratio"
        named[a] = 1
        if a + k <= low:
            named[a + k] = 1
        k += 1
        a = named.find(0, a + 1)
    # a is now low, or -1 where low is the larger number of an earlier pair and a_k is larger still.
    if lower_wythoff(k) < low or (lower_wythoff(k) == low) != (a == low):
        return f"the whole part of {k} times the golden ratio is not the number to come"
    lost = a == low and high == low + k
    return None if lost == (role == 1) else f"{low} and {high} are {'' if lost else 'not '}a pair of Wythoff's"


def _labels_shape(game: Subtraction, data: Data) -> str | None:
    if set(data) != {"labels", "period"} or type(data["labels"]) is not str or set(data["labels"]) - {"L", "W"}:
        return 'expected {"labels": a text of L and W, "period": a number}'
    if not _is_index(data["period"], len(data["labels"]) + 1):
        return f"the period is not a number from 0 to {len(data['labels'])}"
    if data["period"] == 0 and len(data["labels"]) <= game.size:
        return f"no period, but only {len(data['labels'])} labels for sizes from 0 to {game.size}"
    return None


def period_lemma(game: Subtraction, role: int, data: Data, limits: Limits) -> str | None:
    """Labels that are right for n < length + largest take, and repeat from there, are right for every n.

    Labels are right at n if n is W exactly when some take t <= n leads to n - t labelled L; if they are right
    at 0, 1, ..., n then W says truly that the player to move wins at n, by induction. Let the last q of p + q
    labels repeat for ever and let m be the largest take. For n >= p + q + m, n carries the label of n - q and
    each n - t that of n - t - q, since n - t - q >= p, and all takes are possible from both. So the labels
    are right at n if they are right at n - q, and in the end if they are right below p + q + m, which is
    tested.

    The test is made for all sizes at once: L and W as sets of bits, W must be the union of L shifted by each
    take.
    """
    labels, period = data["labels"], data["period"]
    end = min(game.size, len(labels) + game.takes[-1]) + 1
    if end > LONGEST_LABELS:
        raise TimeoutError
    repeats = -(-max(end - len(labels), 0) // period) if period else 0
    text = (labels + labels[len(labels) - period :] * repeats)[:end]
    lost = int(text[::-1].translate({ord("L"): "1", ord("W"): "0"}), 2)
    everything = (1 << end) - 1
    won = 0
    for take in game.takes:
        if limits.expired():
            raise TimeoutError
        if take < end:
            won |= lost << take
    wrong = (won & everything) ^ lost ^ everything
    if wrong:
        return f"the label of {(wrong & -wrong).bit_length() - 1} is wrong"
    wins = periodic_label(labels, period, game.size) == "W"
    return None if wins == (role == 0) else f"{game.size} is {'won' if wins else 'lost'} for {game.roles[0]}"


def single_coins_lemma(game: Coins, role: int, data: Data, limits: Limits) -> str | None:
    """Labels the stacks from the bottom: a stack is won if some lost one can be left, by taking from the top
    run.

    This is the definition of winning, in one pass: the sizes that can be left with n coins reach from n - 1
    down to n - r, where r is the length of the run of like coins on top, so only the largest lost size so far
    matters.

    The rule plays right because a run over a lost stack is taken whole, and over a won stack only a single
    coin is lost: from a longer run the rule leaves that single coin.
    """
    del data
    size = len(game.values)
    run, lost = 0, 0
    for left in range(1, size + 1):
        if left % 4096 == 0 and limits.expired():
            raise TimeoutError
        top = size - left
        run = run + 1 if left > 1 and game.values[top] == game.values[top + 1] else 1
        if lost < left - run:
            lost = left
    first_wins = lost != size
    return None if first_wins == (role == 0) else f"the stack is {'won' if first_wins else 'lost'} for {game.roles[0]}"


def _row_effort(game: Treblecross) -> int:
    return game.size << min(game.size, 64)


def _nim_effort(game: Nim) -> int:
    return prod(size + 1 for size in game.heaps) * sum(game.heaps)


def _wythoff_effort(game: Wythoff) -> int:
    return prod(size + 1 for size in game.heaps) * sum(game.heaps)


def _board_effort(game: MNK | Connect) -> int:
    cells = game.rows * game.columns
    return cells * prod([3] * min(cells, 64))


def _pile_effort(game: Subtraction) -> int:
    return (game.size + 1) * len(game.takes)


def _stack_effort(game: Coins) -> int:
    return len(game.values) ** 2


RULES: dict[str, RuleChecker[Any]] = {
    "mirror-row": RuleChecker(Treblecross, 1, _centre_shape, _row_effort, mirror_row_lemma),
    "mirror-heaps": RuleChecker(Nim, 1, _groups_shape, _nim_effort, mirror_heaps_lemma),
    "equal-heaps": RuleChecker(Wythoff, 1, _no_data, _wythoff_effort, equal_heaps_lemma),
    "pairing": RuleChecker(MNK, 0, _pairs_shape, _board_effort, pairing_lemma),
    "answer-on-top": RuleChecker(Connect, 0, _no_data, _board_effort, answer_on_top_lemma),
    "nim-sum": RuleChecker(Nim, 1, _no_data, _nim_effort, nim_sum_lemma),
    "golden-ratio": RuleChecker(Wythoff, 1, _no_data, _wythoff_effort, golden_ratio_lemma),
    "period": RuleChecker(Subtraction, 1, _labels_shape, _pile_effort, period_lemma),
    "single-coins": RuleChecker(Coins, 1, _no_data, _stack_effort, single_coins_lemma),
}
"""The checkers by the names of the rules."""
