"""Pictures of games: positions, trees of moves, graphs of positions, and the nodes that both are drawn with.

>>> from zermelo.games import make_game
>>> game = make_game("tictactoe")
>>> picture(game, game.start(), PictureOptions(legal=True)).svg.count("data-move=")
9
"""

from zermelo.picturing import Figure, MoveValue, PictureOptions, picture, values_of

__all__ = ["Figure", "MoveValue", "PictureOptions", "picture", "values_of"]
