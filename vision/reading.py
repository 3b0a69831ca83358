"""The values that the pipeline returns and the page shows."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from scorer.breakdown import SetKind
from scorer.message import Message
from vision.words import to_english

Point = tuple[float, float]
"""x, y in pixels of the photograph after EXIF rotation."""

Quad = tuple[Point, Point, Point, Point]
"""Four corners of a tile, clockwise from the tile's own top left."""


def turn_of(quad: Quad) -> int:
    """Return a tile's clockwise rotation in the photograph, rounded to quarters, in degrees."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad
    angle = math.degrees(math.atan2(by - ay + cy - dy, bx - ax + cx - dx))
    return round(angle / 90) % 4 * 90


MAX_ALTERNATIVES = 5
"""Number of next best codes that a tile keeps."""

RowName = Literal["exposed", "concealed", "bonus"]

Side = Literal["bottom", "right", "top", "left"]
"""Side of a photograph of the whole table, as the photograph is held."""

LeftOutReason = Literal["size", "askew", "backs", "apart", "far", "pattern"]
"""Why a tile is left out of the hand. `size`: larger or smaller than the hand's tiles. `askew`:
turned differently. `backs`: part of a wall or another row of face-down tiles. `apart`: outside the
hand's rows, but near enough to ask about. `far`: too far from the hand. `pattern`: probably not a
tile but a pattern of the cloth."""


@dataclass(frozen=True, slots=True)
class TileReading:
    """One tile as read."""

    code: str
    """One of `scorer.tiles.CODES`, or `??` for a tile lying face down."""
    confidence: float
    """Calibrated probability, 0 to 1, that `code` is right."""
    quad: Quad
    turn: int
    """The tile's clockwise rotation in the photograph: 0, 90, 180 or 270 degrees."""
    alternatives: tuple[tuple[str, float], ...]
    """The next best codes with their probabilities, best first."""
    doubtful: bool
    """Below the confidence gate: the player is asked about it."""
    seen: str = ""
    """Code of the tile by itself, where the rest of the hand changed it to `code`."""


@dataclass(frozen=True, slots=True)
class SetReading:
    """Tiles that lie together."""

    tiles: tuple[int, ...]
    """Positions in `Reading.tiles`, left to right."""
    row: RowName
    kind: SetKind


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A tile that was found but does not belong to the hand."""

    tile: int
    """Position in `Reading.tiles`."""
    why: LeftOutReason


@dataclass(frozen=True, slots=True)
class Problem:
    """Something about the photograph or the reading that the player should know."""

    code: str
    """Stable, for programs: `too-dark`, `no-tiles`, `five-of-a-kind`."""
    message: Message
    """One sentence for the player: what is wrong and what to do."""

    @property
    def text(self) -> str:
        """The message in English: for terminals and programs."""
        return to_english(self.message)


@dataclass(frozen=True, slots=True)
class LooseTiles:
    """Tiles of a photograph, each by itself, in no hand and no order."""

    tiles: tuple[TileReading, ...]
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Timings:
    """Milliseconds that each stage took."""

    load: float
    locate: float
    classify: float
    arrange: float
    total: float


@dataclass(frozen=True, slots=True)
class Reading:
    """A whole photograph as read: the JSON contract of `tongbox read`."""

    photo: str
    width: int
    height: int
    tiles: tuple[TileReading, ...]
    sets: tuple[SetReading, ...]
    hand_text: str
    problems: tuple[Problem, ...]
    ms: Timings
    left_out: tuple[LeftOut, ...] = ()
    winning_tile: int | None = None
    """Position of the only tile that lies across its row; None if there is not exactly one. In an
    exposed set it was claimed, in a concealed set drawn (design: how a hand is laid out)."""

    def mirrored_copy(self) -> Reading:
        """Return the reading of a mirrored photograph as that of the original.

        Corners keep their order, so a tile's crop is the same. They go round the other way.
        """

        def back(quad: Quad) -> Quad:
            one, two, three, four = ((self.width - 1 - x, y) for x, y in quad)
            return one, two, three, four

        tiles = tuple(replace(tile, quad=back(tile.quad)) for tile in self.tiles)
        return replace(self, tiles=tiles)

    def to_json(self) -> dict[str, Any]:
        """Return the reading as plain values for `json.dumps`, its problems in English."""
        problems = [{"code": each.code, "message": each.text} for each in self.problems]
        return {**asdict(replace(self, problems=())), "problems": problems}
