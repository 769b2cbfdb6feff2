"""Formulas and partitions as sums of games of depth 2: why playing well in a sum is hard (Yedwab 1985, chapter 4).

:func:`sum_of_formula` runs the whole chain QBF -> 2P-EXACT-COVER -> 2P-GEN-PARTITION -> 2P-ALT = 2P-SUBSET-SWITCH ->
SUM and keeps every stage, :func:`sum_of_numbers` the one from PARTITION; the reductions themselves are in
:mod:`zermelo.encode.sum.chain` and :mod:`zermelo.encode.sum.sums`.
"""

from zermelo.encode.sum.alternating import AlternatingFormula, alternating
from zermelo.encode.sum.chain import alt_of_partition, cover_of_formula, partition_of_cover, partition_of_numbers
from zermelo.encode.sum.formula_sum import FormulaSum, sum_of_formula, sum_of_numbers
from zermelo.encode.sum.problems import Alt, ExactCover, GenPartition
from zermelo.encode.sum.sums import EncodedSum, sum_of_switches
from zermelo.encode.sum.text import text_of_formula, text_of_partition

__all__ = [
    "Alt",
    "AlternatingFormula",
    "EncodedSum",
    "ExactCover",
    "FormulaSum",
    "GenPartition",
    "alt_of_partition",
    "alternating",
    "cover_of_formula",
    "partition_of_cover",
    "partition_of_numbers",
    "sum_of_formula",
    "sum_of_numbers",
    "sum_of_switches",
    "text_of_formula",
    "text_of_partition",
]
