"""The values that the pipeline returns and the page shows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from msgspec import Struct, field, structs, to_builtins

from scorer.breakdown import SetKind
from scorer.message import Message, message_from_json, plain_text
from scorer.tiles import FACE_DOWN, WHITE_DRAGON
from vision.words import to_english

Point = tuple[float, float]
"""x, y in pixels of the photograph after EXIF rotation."""

Quad = tuple[Point, Point, Point, Point]
"""Four corners of a tile, clockwise from the tile's own top left."""


def turn_of(quad: Quad) -> int:
    """Return a tile's clockwise rotation in the photograph, rounded to quarters, in degrees."""
    (ax, ay), (bx, top_left), (cx, cy), (dx, dy) = quad
    angle = math.degrees(math.atan2(top_left - ay + cy - dy, bx - ax + cx - dx))
    return round(angle / 90) % 4 * 90


MAX_ALTERNATIVES = 5
"""Number of next best codes that a tile keeps."""

BLANK_CODES = frozenset((FACE_DOWN, WHITE_DRAGON))
"""What a tile without print may be: it lies face down, or its maker leaves white dragons blank."""

RowName = Literal["exposed", "concealed", "bonus"]

Side = Literal["bottom", "right", "top", "left"]
"""Side of a photograph of the whole table, as the photograph is held."""

BlockSide = Literal["left", "right", "above", "below"]
"""Where left-out tiles lie, seen from the hand, as the photograph is held."""

LeftOutReason = Literal["size", "askew", "backs", "apart", "far", "pattern"]
"""Why a tile is left out of the hand. `size`: larger or smaller than the hand's tiles. `askew`:
turned differently. `backs`: part of a wall or another row of face-down tiles. `apart`: outside the
hand's rows, but near enough to ask about. `far`: too far from the hand. `pattern`: probably not a
tile but a pattern of the cloth; only readings of earlier versions have such tiles."""

REASONS_NEARBY: tuple[LeftOutReason, ...] = ("apart", "askew", "size")
"""Reasons for tiles beside the hand, where the box may be wrong: each tile is shown. There may
be a hundred tiles far off (walls, a patterned cloth): these are only counted."""

REASONS_FAR_OFF: tuple[LeftOutReason, ...] = ("far", "backs", "pattern")


class ReadingPart(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a reading, which a box keeps in its log as it is.

    A field that is added has a default. One that is renamed keeps the name that logs have
    (`times: Timings = field(name="ms")`), or else the whole reading gets a new form
    (`vision/stored_form.py`), unless events hold the part outside a reading, too.
    """


class TileReading(ReadingPart, frozen=True):
    """One tile as read."""

    code: str
    """One of `scorer.tiles.CODES`, or `??` for a tile lying face down."""
    confidence: float
    """Calibrated probability, 0 to 1, that `code` is right."""
    quad: Quad
    """Its corners in pixels of the photograph, clockwise from the tile's own top left."""
    turn: int
    """The tile's clockwise rotation in the photograph: 0, 90, 180 or 270 degrees."""
    alternatives: tuple[tuple[str, float], ...]
    """The next best codes with their probabilities, best first."""
    doubtful: bool
    """Below the confidence gate: the player is asked about it."""
    seen: str = ""
    """Code of the tile by itself, where the rest of the hand changed it to `code`."""
    alike: int = 0
    """Number of the photograph's group of tiles that look like this one; 0 for none."""
    alone: float | None = None
    """Confidence by its look, where the photograph's other tiles or its print were weighed, too."""
    print_odds: float = 1.0
    """How many times its print raised the odds of its name."""


class SetReading(ReadingPart, frozen=True):
    """Tiles that lie together."""

    tiles: tuple[int, ...]
    """Positions in `Reading.tiles`, left to right."""
    row: RowName
    """`exposed`, `concealed` or `bonus`."""
    kind: SetKind
    """`chow`, `pung`, `kong`, `pair` or `loose`."""


class LeftOut(ReadingPart, frozen=True):
    """A tile that was found but does not belong to the hand."""

    tile: int
    """Position in `Reading.tiles`."""
    why: LeftOutReason
    """`size`, `askew`, `backs`, `apart`, `far` or `pattern`."""


class BlockReading(ReadingPart, frozen=True):
    """Tiles that lie together beside the hand and may be part of it, or the hand itself."""

    side: BlockSide
    """`left`, `right`, `above` or `below`, as the photograph is held."""
    sets: tuple[SetReading, ...]
    """The sets in which they would join the hand."""
    instead: bool = False
    """They would take the hand's place."""
    included: bool = False
    """The hand holds them already, because they are rather its own than not."""

    @property
    def tiles(self) -> tuple[int, ...]:
        """Positions in `Reading.tiles`, set by set."""
        return tuple(tile for laid in self.sets for tile in laid.tiles)


NameStanding = Literal["sure", "look", "ask"]
"""`sure`: order and network agree. `look`: the network is unsure, so the order alone names the
tile. `ask`: they disagree, or there is no order, so the player must name it."""


class NamedSetTile(ReadingPart, frozen=True):
    """One tile of a registered set."""

    code: str
    """One of the 42 codes, `??` or `JK`."""
    standing: NameStanding
    """`sure`, `look` (only its place says what it is) or `ask`."""
    read: TileReading
    """The network's answer for this tile alone."""


StoredMessage = str | Mapping[str, Any]
"""A message as plain values. The oldest logs hold English sentences instead."""


class Problem(ReadingPart, frozen=True):
    """Something about the photograph or the reading that the player should know."""

    code: str
    """Stable, for programs: `too-dark`, `no-tiles`, `five-of-a-kind`."""
    stored_message: StoredMessage = field(name="message")
    """What is wrong and what to do, for the player."""

    def __hash__(self) -> int:
        return hash((self.code, self.message))

    @property
    def message(self) -> Message:
        """The sentence; raise KeyError or TypeError where an old log has no message."""
        words = self.stored_message
        return plain_text(words) if isinstance(words, str) else message_from_json(words)

    @property
    def text(self) -> str:
        """The message in English: for terminals and programs."""
        return to_english(self.message)


def make_problem(code: str, message: Message) -> Problem:
    """Return the problem that this sentence says."""
    return Problem(code, message.to_json())


@dataclass(frozen=True, slots=True)
class LooseTiles:
    """Tiles of a photograph, each by itself, in no hand and no order."""

    tiles: tuple[TileReading, ...]
    problems: tuple[Problem, ...] = ()


class Timings(ReadingPart, frozen=True):
    """Milliseconds that each stage took."""

    load: float
    """Opening the file."""
    locate: float
    """Finding the tiles."""
    classify: float
    """Naming them."""
    arrange: float
    """Finding rows and sets."""
    total: float
    """Everything."""


class Reading(ReadingPart, frozen=True):
    """A whole photograph as read: the JSON contract of `tongbox read`.

    A winning tile lies across its row: in an exposed set it was claimed, in a concealed set drawn
    (design: how a hand is laid out).
    """

    photo: str
    """What the file was called."""
    width: int
    """In pixels after EXIF rotation."""
    height: int
    """In pixels after EXIF rotation."""
    tiles: tuple[TileReading, ...]
    """Every tile that was found."""
    sets: tuple[SetReading, ...]
    """Which of them lie together."""
    hand_text: str
    """The hand in the notation."""
    problems: tuple[Problem, ...]
    """What the player should know of the photograph or the reading."""
    ms: Timings
    """How long it took."""
    left_out: tuple[LeftOut, ...] = ()
    """Tiles that are not the hand's."""
    winning_tile: int | None = None
    """Place of the one tile that lies across its row; null if there is not exactly one."""
    blocks: tuple[BlockReading, ...] = ()
    """Tiles beside the hand that may be the player's, together, the nearest first."""
    form: int = 1
    """Number of the form in which it is stored (`vision/stored_form.py`)."""

    def mirrored_copy(self) -> Reading:
        """Return the reading of a mirrored photograph as that of the original.

        Corners keep their order, so a tile's crop is the same. They go round the other way.
        """

        def mirror_quad(quad: Quad) -> Quad:
            top_left, two, three, four = ((self.width - 1 - x, y) for x, y in quad)
            return top_left, two, three, four

        tiles = tuple(structs.replace(tile, quad=mirror_quad(tile.quad)) for tile in self.tiles)
        return structs.replace(self, tiles=tiles)

    def to_json(self) -> dict[str, Any]:
        """Return the reading as plain values for `json.dumps`, its problems in English."""
        return {
            "photo": self.photo,
            "width": self.width,
            "height": self.height,
            "tiles": tuple(map(structs.asdict, self.tiles)),
            "sets": tuple(map(structs.asdict, self.sets)),
            "hand_text": self.hand_text,
            "problems": [{"code": each.code, "message": each.text} for each in self.problems],
            "ms": structs.asdict(self.ms),
            "left_out": tuple(map(structs.asdict, self.left_out)),
            "winning_tile": self.winning_tile,
            "blocks": tuple(to_builtins(block) for block in self.blocks),
        }
