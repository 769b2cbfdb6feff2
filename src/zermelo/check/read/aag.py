"""Functions in a file of their own, in ASCII AIGER, as a certificate of the formula that they are for."""

from __future__ import annotations

from pathlib import Path

from zermelo.certificate import Certificate, Claim
from zermelo.check.andgraph import read_and_graph
from zermelo.check.boolean import QuantifiedFormula
from zermelo.check.instance import digest_of, instance_of
from zermelo.check.verdict import Fault
from zermelo.errors import CertificateError
from zermelo.files import read_text
from zermelo.game import Game

MOST_BYTES = 512 << 20


def read_functions(game: Game, path: Path) -> Certificate:
    """The claim of the role whose variable the first output is, that it wins by these functions."""
    formula = instance_of(game)
    if not isinstance(formula, QuantifiedFormula):
        raise CertificateError("functions of a formula, expected a certificate of the game", file=str(path))
    text = read_text(path, "text of functions", MOST_BYTES)
    try:
        outputs = read_and_graph(text).outputs
    except Fault as error:
        _, line, message = str(error).split(":", 2)
        raise CertificateError(message.strip(), file=str(path), line=int(line)) from None
    owners = {formula.names[variable]: formula.owner[variable] for variable in formula.order}
    first = outputs[0][0] if outputs else formula.names[formula.order[0]] if formula.order else ""
    if first not in owners:
        raise CertificateError(f"the output {first!r} is no variable of the formula", file=str(path))
    return Certificate(str(path), (Claim(owners[first], 1, rule="functions", data={"aag": text}),), digest_of(game))
