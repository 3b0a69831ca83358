"""The events of one hand: it begins with a photograph or by hand, is read, and put right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from msgspec import UNSET, UnsetType

from device.store.events.catalogue import Event, EventPart
from device.store.events.parts import HandPhoto
from vision.reading import Problem, Reading


class AgreedRules(EventPart, frozen=True):
    """The agreed rules of a hand of no match."""

    ruleset: str
    """Name of the rules."""
    players: int
    """How many play."""
    goulash: bool
    """The deal follows a wash-out."""
    limit: int | None
    """The most that a hand may score; null without a limit."""
    house: tuple[str, ...]
    """What is played differently: `name:on` or `name:off`."""
    rules_text: str = ""
    """The whole file of a custom ruleset; empty for a shipped one."""


class HandEvent(Event, frozen=True):
    """An event of one hand."""

    streams: ClassVar = ("hand",)


class Beginning(HandEvent, frozen=True, kw_only=True):
    """The fields of every first event of a hand."""

    rules: str
    """Name of the rules that it is played by."""
    seat_wind: str = "E"
    """`E`, `S`, `W` or `N`, as it is assumed until somebody says so."""
    prevailing_wind: str = "E"
    """`E`, `S`, `W` or `N`, as it is assumed until somebody says so."""
    match: str = ""
    """Id of the match that it belongs to; empty for a hand of its own."""
    table: str = ""
    """Id of the table that it lies on; empty where there is only one."""
    asked: bool = False
    """Somebody asks what the tiles are; nobody plays them."""
    agreement: AgreedRules | None = None
    """What was agreed where tiles are asked about, or where the rules are custom ones; a match
    knows it of its own hands."""


class PhotoTaken(Beginning, frozen=True, kw_only=True):
    """A hand begins with its photograph."""

    kind: ClassVar = "photo-taken"
    photo: HandPhoto
    """The photograph."""
    camera: Mapping[str, Any] = {}
    """What the box's own camera said of it, in libcamera's words; `by_itself` if nobody tapped."""
    reading: Reading | None = None
    """What it was read as, for a hand of a photograph of the whole table."""


class HandBegun(Beginning, frozen=True, kw_only=True):
    """A hand begins without a photograph, to be entered tile by tile."""

    kind: ClassVar = "hand-begun"


class ReadingBegun(HandEvent, frozen=True):
    """A reading of a photograph begins. Too many without an end mean a fault."""

    kind: ClassVar = "reading-begun"


class ReadingCutOff(HandEvent, frozen=True):
    """The store failed during a reading: the last beginning does not count as an attempt."""

    kind: ClassVar = "reading-cut-off"


class PhotoDoubted(HandEvent, frozen=True):
    """The newest photograph is spoilt, and waits until a player retakes it or has it read."""

    kind: ClassVar = "photo-doubted"
    why: tuple[Problem, ...]
    """What is wrong with it and what to do, the most important first."""


class PhotoAccepted(HandEvent, frozen=True):
    """A player wants the newest photograph read as it is, though it is spoilt."""

    kind: ClassVar = "photo-accepted"
    by: str = ""
    """The player whose phone it was; empty where nobody has said."""


class PhotoRetaken(HandEvent, frozen=True):
    """A player took the newest photograph again, since it is spoilt; it is kept, but not read."""

    kind: ClassVar = "photo-retaken"
    photo: HandPhoto
    """The photograph in its place."""
    by: str = ""
    """The player whose phone it was; empty where nobody has said."""


class ReadingMade(HandEvent, Reading, frozen=True, kw_only=True):
    """The first photograph was read, as these fields say."""

    kind: ClassVar = "reading-made"
    models: Mapping[str, str] = {}
    """Which networks read it, by name; empty where that was not written down."""


class ReadingFailed(HandEvent, Problem, frozen=True):
    """The first photograph could not be read."""

    kind: ClassVar = "reading-failed"


class ReadingAsked(HandEvent, frozen=True):
    """A player wants a photograph read again after a failure."""

    kind: ClassVar = "reading-asked"


class ReadingRenewed(HandEvent, frozen=True):
    """The reading is discarded, to be made again with another tile set on the table."""

    kind: ClassVar = "reading-renewed"


class MirrorAnswered(HandEvent, frozen=True):
    """A player says whether the photograph is a mirror image; if it is, it is read anew as one."""

    kind: ClassVar = "mirror-said"
    mirrored: bool
    """It is."""
    by: str = ""
    """The player whose phone it was; empty where nobody has said."""


class OtherSetSeen(HandEvent, frozen=True):
    """The tiles seem to be of another tile set than the one on the table."""

    kind: ClassVar = "other-set-seen"
    set: str
    """Id of that set."""


class PhotoAdded(HandEvent, frozen=True):
    """Another photograph of the same hand was taken."""

    kind: ClassVar = "photo-added"
    photo: HandPhoto
    """The photograph."""


class PhotoRead(HandEvent, frozen=True):
    """An added photograph was read."""

    kind: ClassVar = "photo-read"
    number: int
    """Which one, counted from 0."""
    reading: Reading
    """What it was read as."""


class PhotoFailed(HandEvent, Problem, frozen=True):
    """An added photograph could not be read."""

    kind: ClassVar = "photo-failed"


class CropsAsked(HandEvent, frozen=True):
    """The box is to learn from the hand, whose tiles a player says are right."""

    kind: ClassVar = "crops-asked"
    set: str
    """Id of the tile set that lies on the table at that moment."""


class CropsStored(HandEvent, frozen=True):
    """Pictures of the tiles were kept, from which the box learns the set."""

    kind: ClassVar = "crops-kept"
    set: str
    """Id of the tile set."""
    crops: Mapping[int, str]
    """Names of the pictures, by the tile's place."""


class PhotosRemoved(HandEvent, frozen=True):
    """Large pictures of the hand make room for others; the small ones stay."""

    kind: ClassVar = "photos-removed"
    names: tuple[str, ...]
    """Names of the files."""


class HandChange(HandEvent, frozen=True, kw_only=True):
    """What a player changes in a hand."""

    by: str = ""
    """The player whose phone it was; empty where nobody has said."""


class TileCorrected(HandChange, frozen=True):
    """A tile is another one, or none."""

    kind: ClassVar = "tile-corrected"
    tile: int
    """Its place in the hand."""
    code: str | None
    """What it is: a code, or `??`; null for no tile."""
    also: tuple[int, ...] = ()
    """Places of other tiles of the same set that are the same."""


class TilesChecked(HandChange, frozen=True):
    """Somebody looked at the tiles in doubt and said that they are right."""

    kind: ClassVar = "tiles-checked"
    tiles: tuple[int, ...]
    """Their places in the hand."""


class TilesConfirmed(HandChange, frozen=True):
    """Somebody looked at all tiles and said that they are right."""

    kind: ClassVar = "tiles-confirmed"


class BlockAnswered(HandChange, frozen=True):
    """A player says whether tiles that lie together beside the hand are theirs."""

    kind: ClassVar = "block-said"
    block: int
    """Its number among the reading's blocks."""
    own: bool
    """They are, and join the hand as they lie. If not, they leave a hand that includes them."""


class PointSettled(HandChange, frozen=True):
    """A player confirms something that looks odd."""

    kind: ClassVar = "point-settled"
    point: str
    """`count`: the number of tiles. `rows`: which sets of the rows are exposed. `complete`: a
    complete Mah-Jong that did not go out. `several`: tiles for more than one hand."""


class TileAdded(HandChange, frozen=True):
    """A tile that was missed, or is entered by hand."""

    kind: ClassVar = "tile-added"
    code: str | None
    """What it is; null adds a place without a tile."""
    row: str
    """`exposed`, `concealed` or `bonus`."""
    set: int | None = None
    """Number of the set that it goes to; null for a set of its own."""


class SetAdded(HandChange, frozen=True):
    """A whole set is entered by hand."""

    kind: ClassVar = "set-added"
    codes: tuple[str, ...]
    """Its tiles, left to right."""
    row: str
    """`exposed`, `concealed` or `bonus`."""
    set: int | None = None
    """Number of the set that they go to; null for a set of their own."""


class SetRemoved(HandChange, frozen=True):
    """A whole set is struck out."""

    kind: ClassVar = "set-removed"
    tiles: tuple[int, ...]
    """Places of its tiles in the hand."""


class TilesGrouped(HandChange, frozen=True):
    """Tiles are grouped in another way: a set is split, or joined with another."""

    kind: ClassVar = "tiles-grouped"
    groups: tuple[tuple[int, ...], ...]
    """Places of the tiles, set by set."""


class TileMoved(HandChange, frozen=True):
    """A tile goes to another set."""

    kind: ClassVar = "tile-moved"
    tile: int
    """Its place in the hand."""
    row: str
    """`exposed`, `concealed` or `bonus`."""
    set: int | None = None
    """Number of the set; null for a set of its own."""


class SetMoved(HandChange, frozen=True):
    """A set goes to another row."""

    kind: ClassVar = "set-moved"
    set: int
    """Number of the set."""
    row: str
    """`exposed`, `concealed` or `bonus`."""


class SetsMoved(HandChange, frozen=True):
    """Several sets go to another row at once."""

    kind: ClassVar = "sets-moved"
    sets: tuple[int, ...]
    """Numbers of the sets."""
    row: str
    """`exposed`, `concealed` or `bonus`."""


class ContextSet(HandChange, frozen=True, kw_only=True):
    """A player adds what no tile shows. Missing fields were not said."""

    kind: ClassVar = "context-set"
    winner: bool | UnsetType = UNSET
    """The hand won."""
    won_by: str | UnsetType = UNSET
    """How it won."""
    winning_tile: int | UnsetType | None = UNSET
    """Place of the tile that completed it; null for none that is known."""
    original_call: bool | UnsetType = UNSET
    """It was called before the first turn."""
    seat_wind: str | UnsetType = UNSET
    """`E`, `S`, `W` or `N`."""
    prevailing_wind: str | UnsetType = UNSET
    """`E`, `S`, `W` or `N`."""
