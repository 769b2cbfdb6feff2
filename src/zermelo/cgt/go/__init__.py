"""Endgames of Go: a record becomes a board, the board a sum of regions, every region a scored tree.

>>> from zermelo.cgt.go import analyse_position, parse_record
>>> endgame = analyse_position(parse_record("(;SZ[3]AB[aa][ab][ac]AW[ca][cb][cc]SQ[aa][ca])"))
>>> str(endgame.regions[0].tree), str(endgame.score)
('{0|0}', '0')
"""

from zermelo.cgt.go.analysis import Candidate, GoEndgame, analyse, analyse_position
from zermelo.cgt.go.record import GoPosition, parse_record, read_record
from zermelo.cgt.go.region import Region, RegionMove
from zermelo.cgt.go.report import as_data, report

__all__ = [
    "Candidate",
    "GoEndgame",
    "GoPosition",
    "Region",
    "RegionMove",
    "analyse",
    "analyse_position",
    "as_data",
    "parse_record",
    "read_record",
    "report",
]
