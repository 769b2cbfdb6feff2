"""Pictures as PNG and PDF, by an extra that brings its own renderer and needs nothing from the system."""

from __future__ import annotations

from typing import Final, Literal

from zermelo.draw.svg import printable
from zermelo.errors import InputError

DOTS_PER_INCH: Final = 192.0
"""Of PNG; a picture's own pixels are 96 to the inch."""
INSTALL: Final = "pip install 'zermelo[pictures]'"
# Where the first is not installed, the last always is: the renderer brings it.
FONTS: Final = "DejaVu Sans,Liberation Sans,Arial,Helvetica,DejaVu Sans Mono"
FIXED_WIDTH: Final = "DejaVu Sans Mono"
_PAGE: Final = b"""#set page(width: auto, height: auto, margin: 0pt, fill: none)
#image(bytes(sys.inputs.picture), format: "svg")
"""


def on_paper(svg: str, form: Literal["png", "pdf"]) -> bytes:
    """An SVG picture as PNG or PDF, in its light colours; no file is read or written."""
    try:
        import typst
    except ImportError:
        raise InputError(f"{form.upper()} needs an extra, which is not installed: {INSTALL}; .svg needs none") from None
    plain = printable(svg).replace("system-ui,sans-serif", FONTS).replace("ui-monospace,monospace", FIXED_WIDTH)
    found = typst.compile(_PAGE, sys_inputs={"picture": plain}, format=form, ppi=DOTS_PER_INCH)
    assert isinstance(found, bytes)
    return found
