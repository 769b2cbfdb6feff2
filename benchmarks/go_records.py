"""``python -m benchmarks.go_records FOLDER``: whole games some moves before their end, as a table.

The folder has records and an ``answers.json`` with the final score of each by another program (docs/tutorials/go.md).
For each record and number of moves before its end: what is proved and what is judged, regions that are settled, with a
value, and unsettled, the score with best play, and the other program's final score.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import process_time

from zermelo.cgt.go import GoEndgame, analyse, read_record
from zermelo.cgt.go.report import lead

BACK = (0, 4, 8, 12)


def score_of(endgame: GoEndgame) -> str:
    """The score of the side to move, or between what it lies."""
    if endgame.scores is None:
        return "unsettled"
    low, high = endgame.scores[endgame.position.to_move]
    return lead(low) if low == high else f"{lead(low)} to {lead(high)} (ko)"


def row(path: Path, back: int, other: str) -> str:
    """One line of the table."""
    moves = read_record(path).moves
    began = process_time()
    endgame = analyse(path, move=moves - back)
    spent = process_time() - began
    points = len(endgame.labels)
    valued = [region for region in endgame.regions if region.status != "refused"]
    unsettled = [region for region in endgame.regions if region.status == "refused"]
    opened = sum(len(region.points) for region in endgame.regions)
    proved = points - opened - len(endgame.judged)
    cells = [path.stem, str(back), str(proved), str(len(endgame.judged)), str(len(valued)), str(len(unsettled))]
    return f"| {' | '.join([*cells, score_of(endgame), other, f'{spent:.1f}'])} |"


def main(folder: Path) -> None:
    """Prints the table."""
    answers = json.loads((folder / "answers.json").read_text(encoding="utf-8"))
    print("| record | moves before the end | proved | judged | regions | unsettled | score | GNU Go's | seconds |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, answer in sorted(answers.items()):
        for back in BACK:
            print(row(folder / name, back, answer["score"]), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
