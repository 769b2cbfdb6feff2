"""A game taken up after moves, as the checker reads it. Who checks a game from its start need not trust this."""

from __future__ import annotations

from zermelo.check.instance import Resumable, instance_of, keep_reading, rules_of
from zermelo.continued import Placed
from zermelo.errors import NotApplicableError
from zermelo.game import Game
from zermelo.taking_up import moves_of, taken_up


def after_moves(game: Game, text: str) -> Game | None:
    """The checker's game after the moves that a text names; ``None`` where they are no moves of a list.

    >>> from zermelo.games import make_game
    >>> after_moves(make_game("nim:3,4"), "0,3").start()
    ((0, 4), 1)
    """
    if text.startswith("["):
        from zermelo.check.set_up import set_up

        return set_up(game, text)
    if not isinstance(found := instance_of(game), Resumable):
        return taken_up(game, text)
    try:
        line = moves_of(game, text)
    except NotApplicableError:  # a value of a continuous variable
        return None
    rest = found.after_moves([game.move_text(move) for move in line])
    assert game.source is not None
    taken = keep_reading(rest.game(), rest, game.source)
    taken.line = tuple(line)
    return taken


def followed(game: Game, own: Game) -> Game:
    """The checker's reading from where the game is taken up: after those of its moves that were not read already."""
    position, line = own.start(), []
    for move in game.line[len(rules_of(game).line) :]:  # of a formula or program, its reading is what is left of it
        text = game.move_text(move)
        if isinstance(move, Placed):
            from zermelo.check.set_up import placed

            position = placed(own, text[1:-1])
            line.append(Placed(position, text[1:-1]))
            continue
        made = own.parse_move(position, text)
        position = own.play(position, made)
        line.append(made)
    return own.at(line)
