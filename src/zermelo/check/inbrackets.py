"""Trees as texts in brackets."""

from __future__ import annotations

from zermelo.check.trees import Trees


def shown(trees: Trees, game: int) -> str:
    """A tree in brackets, the options of each side in alphabetical order; longer bars save some inner brackets."""
    made: dict[int, tuple[str, int]] = {}

    def text(tree: int) -> tuple[str, int]:
        if trees.numbers[tree] is not None:
            return str(trees.numbers[tree]), 0
        strokes, sides = 1, list[str]()
        for options in (sorted(made[o] for o in side[tree]) for side in (trees.left, trees.right)):
            if len(options) == 1 and options[0][1] < 3:
                strokes = max(strokes, options[0][1] + 1)
                sides.append(options[0][0])
            else:
                sides.append(",".join(f"{{{inner}}}" if bars else inner for inner, bars in options))
        return ("|" * strokes).join(sides), strokes

    inner, bars = trees.folded(game, made, text)
    return f"{{{inner}}}" if bars else str(inner)
