"""Subtraction games, by labels that repeat."""

from __future__ import annotations

from typing import Any, Final

from zermelo.check.named import Data, RuleChecker, is_index
from zermelo.games.strategy_rules import periodic_label
from zermelo.games.subtraction import Subtraction
from zermelo.limits import Limits

LONGEST_LABELS = 10_000_000
"""Labels of a subtraction game are tested up to this size; beyond, a claim is left open."""


def _labels_shape(game: Subtraction, data: Data) -> str | None:
    if set(data) != {"labels", "period"} or type(data["labels"]) is not str or set(data["labels"]) - {"L", "W"}:
        return 'expected {"labels": a text of L and W, "period": a number}'
    if not is_index(data["period"], len(data["labels"]) + 1):
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


def _pile_effort(game: Subtraction) -> int:
    return (game.size + 1) * len(game.takes)


RULES: Final[dict[str, RuleChecker[Any]]] = {
    "period": RuleChecker(Subtraction, 1, _labels_shape, _pile_effort, period_lemma),
}
