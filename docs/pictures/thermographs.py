"""Draws the pictures of the pages on thermographs and on bounds: ``python docs/pictures/thermographs.py``."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from zermelo.cgt.scores.bounds_picture import bounds_svg
from zermelo.cgt.scores.scored import trees_of
from zermelo.cgt.thermographs.thermograph import thermograph
from zermelo.cgt.thermographs.thermograph_picture import thermograph_svg

HERE = Path(__file__).parent


def drawn() -> dict[str, str]:
    """Each picture by the name of its file."""
    thirteen = "{15|{{5|-5}|-20}}"
    three = ["{{100|20}|-10}", "{20|0||-40}", "{5|-5}"]
    shapes = [thermograph(trees_of(text)[0]) for text in (thirteen, *three)]
    return {
        "thermograph.svg": thermograph_svg(shapes[:1], [thirteen], scaffolds=True),
        "thermographs.svg": thermograph_svg(shapes[1:], three),
        "bounds.svg": bounds_svg(trees_of("{25,{50|0}|-75} + {20|-20}"), "left", value=Fraction(20)),
    }


if __name__ == "__main__":
    for name, svg in drawn().items():
        (HERE / name).write_text(svg, encoding="utf-8")
