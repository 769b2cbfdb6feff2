"""Values: features with the weights that were learnt for them, and the file that keeps both.

The file is a ``.npz`` archive of plain arrays. It holds a digest of the ground game, since values of one game mean
nothing in another, and all that learning needs to go on. Whatever else is in it, or missing, is refused in one line.

>>> import tempfile
>>> from pathlib import Path
>>> from zermelo.gdl.ground import ground
>>> from zermelo.gdl.library import rulesheet
>>> game = ground(rulesheet("tictactoe"))
>>> values = untaught(game)
>>> values.of(game, [game.native.start()]).tolist()
[[0.5, 0.5]]
>>> with tempfile.TemporaryDirectory() as folder:
...     write_values(Path(folder) / "v.npz", values)
...     read_values(Path(folder) / "v.npz", game).games
0
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from zermelo import _native
from zermelo.errors import InputError
from zermelo.files import read_bytes, write_bytes
from zermelo.gdl.ground import GroundReasoner
from zermelo.learn.cells import sample
from zermelo.learn.features import TUPLES, Features, choose_features, digest

FORMAT: Final = "zermelo values 1"
MOST_BYTES: Final = 1 << 30
_WHOLE: Final = (1 << 53) - 1


@dataclass(frozen=True)
class Practice:
    """How values are learnt: the seed, the rate of learning, lambda of TD, and how often any move is played.

    Every other game begins with random moves, up to ``opening`` of them; ``None`` is half the length of random games.

    >>> Practice(explore=2)
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: explore 2 is not between 0 and 1
    """

    seed: int = 1
    rate: float = 1.0
    trace: float = 0.5
    explore: float = 0.1
    opening: int | None = None

    def __post_init__(self) -> None:
        for name, most in (("seed", _WHOLE), ("rate", 100), ("trace", 1), ("explore", 1), ("opening", 1000)):
            if not 0 <= (getattr(self, name) or 0) <= most:
                raise InputError(f"{name} {getattr(self, name):g} is not between 0 and {most}")


@dataclass(frozen=True, eq=False)
class Values:
    """What states of a ground game are worth. ``games`` is how many games it was learnt from.

    ``history`` has a row for each look at the learner: games, seconds, the root of the mean squared distance between
    values and outcomes, and for each player its mean goal, over 100, when it chooses by the values and the others
    choose at random.
    """

    digest: str
    features: Features
    weights: NDArray[np.int32]
    coherence: NDArray[np.float32]
    practice: Practice = field(default_factory=Practice)
    games: int = 0
    history: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 0)))

    @cached_property
    def model(self) -> _native.ValueModel:
        """As the kernels take it."""
        return self.features.model(self.weights)

    def of(self, game: GroundReasoner, states: Sequence[bytes]) -> NDArray[np.float64]:
        """What packed states are worth: a row for each, with a number from 0 to 1 for each role."""
        return self.model.values(game.native, b"".join(states)).reshape(len(states), len(game.roles))


def untaught(
    game: GroundReasoner, practice: Practice | None = None, *, tuples: int = TUPLES, mobility: bool = True
) -> Values:
    """Values of which nothing is known yet: one half everywhere."""
    practice = practice or Practice()
    seen = sample(game, practice.seed)
    if practice.opening is None:
        practice = replace(practice, opening=min(seen.length // 2, 1000))
    features = choose_features(game, seen, practice.seed, tuples, mobility)
    weights = np.zeros(features.weights, dtype=np.int32)
    return Values(digest(game), features, weights, np.zeros(2 * len(weights), dtype=np.float32), practice)


def write_values(path: Path, values: Values) -> None:
    """Writes values to a file, at once or not at all."""
    parts: dict[str, Any] = {"format": FORMAT, "digest": values.digest, "games": values.games}
    parts |= {f"practice_{one.name}": getattr(values.practice, one.name) for one in fields(Practice)}
    parts |= {f"feature_{name}": part for name, part in values.features.parts().items()}
    parts |= {"weights": values.weights, "coherence": values.coherence, "history": values.history}
    packed = io.BytesIO()
    np.savez_compressed(packed, **parts)
    write_bytes(path, packed.getvalue())


def read_values(path: str | Path, game: GroundReasoner) -> Values:
    """The values that a file holds, of this very game; :class:`InputError` for everything else."""
    file = str(path)
    data = read_bytes(path, "file of values", MOST_BYTES, binary=b"PK")
    try:
        parts = _parts(data)
        if parts.get("format") is None or str(parts["format"]) != FORMAT:
            raise ValueError("no values that were learnt, expected a file of `zermelo learn`")
        if str(parts["digest"]) != digest(game):
            raise ValueError(f"values of another game, expected those of {game.sheet.file}")
        values = _values(parts)
        _ = values.model  # looks whether all parts fit together
    except (ValueError, TypeError, OverflowError, InputError) as error:
        raise InputError(str(error).splitlines()[0], file=file) from None
    except (KeyError, zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, RuntimeError):
        raise InputError("damaged or cut, expected a file of `zermelo learn`", file=file) from None
    return values


def _parts(data: bytes) -> dict[str, NDArray[Any]]:
    """The arrays of an archive, none of which may be larger unpacked than a file may be."""
    if not data.startswith(b"PK"):
        raise ValueError("no values that were learnt, expected a file of `zermelo learn`")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if sum(one.file_size for one in archive.infolist()) > 2 * MOST_BYTES:
            raise ValueError("larger than values can be")
    with np.load(io.BytesIO(data), allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}


def _values(parts: Mapping[str, NDArray[Any]]) -> Values:
    wanted: dict[str, Any] = {}
    for one in fields(Features):
        part = parts[f"feature_{one.name}"]
        kind = str(one.type)
        if kind.startswith("NDArray"):
            wanted[one.name] = _array(part, np.dtype(getattr(np, kind.split(".")[1].rstrip("]"))), one.name)
        else:
            wanted[one.name] = bool(part) if kind == "bool" else int(part)
    practice = Practice(
        seed=int(parts["practice_seed"]),
        rate=float(parts["practice_rate"]),
        trace=float(parts["practice_trace"]),
        explore=float(parts["practice_explore"]),
        opening=int(parts["practice_opening"]),
    )
    history = parts["history"]
    weights = _array(parts["weights"], np.dtype(np.int32), "weights")
    coherence = _array(parts["coherence"], np.dtype(np.float32), "coherence")
    games = int(parts["games"])
    fit = len(coherence) == 2 * len(weights) and bool(np.isfinite(coherence).all()) and 0 <= games <= _WHOLE
    if not fit or history.ndim != 2 or history.dtype != np.float64:
        raise ValueError("parts that do not fit together, expected a file of `zermelo learn`")
    return Values(str(parts["digest"]), Features(**wanted), weights, coherence, practice, games, history)


def _array(part: NDArray[Any], kind: np.dtype[Any], name: str) -> NDArray[Any]:
    if part.ndim != 1 or part.dtype != kind:
        raise ValueError(f"{name} is no row of {kind}, expected a file of `zermelo learn`")
    return np.ascontiguousarray(part)
