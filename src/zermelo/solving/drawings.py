"""What can be drawn of every game: the board, the tree of moves, the graph of positions, a strategy."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from zermelo.errors import InputError, LimitReachedError
from zermelo.kind import Drawing, Picture


def _board(drawing: Drawing) -> str:
    """The position as text, or as a picture with the cells marked that the last move changed."""
    from zermelo.picturing import PictureOptions, picture

    game, position = drawing.game, drawing.position
    if drawing.suffix == ".txt":
        return game.text(position) + "\n"
    values = {} if drawing.values is None else drawing.values(drawing.later)
    options = PictureOptions(values, legal=drawing.legal, size=drawing.size)
    if drawing.line:
        before = replace(drawing, line=drawing.line[:-1]).position
        options = replace(options, last=drawing.line[-1], before=before)
    return picture(game, position, options).svg


def _tree(drawing: Drawing) -> str:
    from zermelo.render.tree import tree_svg
    from zermelo.search.analysis import Analysis

    game, depth = drawing.game, 2 if drawing.depth is None else drawing.depth
    tree_svg(game, drawing.position, depth)  # a tree too large to draw is refused before its values are worked out
    analysis = Analysis(game)
    values = analysis.values_below(drawing.line, depth, drawing.limits)
    return tree_svg(game, drawing.position, depth, values, total=analysis.total())


def _graph(drawing: Drawing) -> str:
    from zermelo.graph import graph_of
    from zermelo.render.graph import MOST_NODES, game_graph_svg
    from zermelo.search.analysis import Analysis

    if (own := drawing.game.graph_svg(drawing.line)) is not None:
        return own
    later = drawing.game.at(drawing.line)
    try:
        graph = graph_of(later, replace(drawing.limits, nodes=MOST_NODES + 1))
    except LimitReachedError:
        raise InputError(f"the graph is too large to draw (at most {MOST_NODES} nodes)") from None
    analysis = Analysis(later)
    small = len(graph.positions) <= MOST_NODES
    values = analysis.values_below((), len(graph.positions), drawing.limits) if small else {}
    return game_graph_svg(later, graph, values, total=analysis.total())


def _strategy(drawing: Drawing) -> str:
    """The winner's moves and all replies, as a tree."""
    from zermelo.certificate import parse_score
    from zermelo.render.tree import strategy_svg

    solution, claim = drawing.strategy()
    levels = 4 if drawing.depth is None else drawing.depth
    return strategy_svg(solution.game, claim, depth=levels, total=parse_score(solution.stats.get("total", "0")))


PICTURES: Final[dict[str, Picture]] = {
    picture.name: picture
    for picture in (
        Picture("board", _board, (".txt", ".svg")),
        Picture("tree", _tree),
        Picture("graph", _graph),
        Picture("strategy", _strategy),
    )
}
"""What can be drawn of every game; kinds of games have others, or draw some of these in their own way."""
