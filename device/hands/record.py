"""The state of one hand: photographs, tiles, circumstances, and players' changes.

Circumstances are what no tile can tell (BMJA-V13): whether and how the hand won, and the winds.
`device.hands.replay` builds a `HandRecord` from the hand's events.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from device.store.errors import UnknownStreamError
from device.store.events import HandPhoto as HandPhoto
from device.store.events import TilesConfirmed
from scorer.hand import HAND_SIZE, SOURCES
from scorer.ruleset import Ruleset
from scorer.rulesets.builtin import load_builtin
from scorer.rulesets.custom import read_custom_ruleset
from scorer.tiles import CODES, FACE_DOWN, JOKER, WINDS
from vision.hand.assembly import AssembledHand, LaidSet, assemble
from vision.hand.blocks import may_be_one_hand
from vision.reading import BlockReading, Problem, Reading, SetReading, TileReading

COMMON_WAYS = ("wall", "discard", "loose", "last-tile", "last-discard", "robbed-kong")
"""Ways to win that the page offers first. Only one applies (BMJA-D18); an original call goes with
any."""


def ways_to_win() -> tuple[str, ...]:
    """Return all ways to win, rare ones last."""
    return (*COMMON_WAYS, *(way for way in SOURCES if way not in COMMON_WAYS))


@dataclass(frozen=True, slots=True)
class Agreement:
    """What the table plays by; fixed while a match runs."""

    ruleset: str = "bmja"
    """Name of the game, which is that of its shipped ruleset."""
    players: int = 4
    goulash: bool = False
    """Whether this deal follows a wash-out (BMJA-P18)."""
    limit: int | None = 1000
    """The most that a hand may score (BMJA-L01); None without a limit."""
    house: tuple[str, ...] = ()
    """House rules as in a hand text: `name:on` or `name:off`."""
    rules_text: str = ""
    """The file of the table's custom ruleset; empty for a shipped ruleset."""

    @property
    def rules(self) -> Ruleset:
        """The ruleset with these choices; always the same object for equal agreements.

        The scorer caches its results by that object.
        """
        return self._base.with_choices(self.house).with_limit(self.limit)

    @property
    def custom_rules(self) -> Ruleset | None:
        """The table's custom ruleset with its limit, without its choices; None for a shipped one.

        This is what `score` takes beside a hand, which brings the choices itself.
        """
        return self._base.with_limit(self.limit) if self.rules_text else None

    @property
    def _base(self) -> Ruleset:
        return (
            read_custom_ruleset(self.rules_text) if self.rules_text else load_builtin(self.ruleset)
        )

    def rules_called(self, name: str) -> Ruleset:
        """Return the rules with this name, with the table's choices if it plays by them."""
        return self.rules if self.ruleset == name else load_builtin(name)


@dataclass(frozen=True, slots=True)
class Situation:
    """The circumstances of a hand. Unanswered fields are assumed, and shown as assumed."""

    winner: bool = False
    won_by: str = "wall"
    """One of `ways_to_win()`; unused unless `winner`."""
    winning_tile: int | None = None
    """Position of the tile that completed the hand."""
    original_call: bool = False
    seat_wind: str = "E"
    prevailing_wind: str = "E"
    answered: frozenset[str] = frozenset()
    """Names of the fields above that the player has set."""

    def __post_init__(self) -> None:
        if self.won_by not in ways_to_win():
            raise ValueError(f"{self.won_by!r} is no way to win")
        if {self.seat_wind, self.prevailing_wind} - WINDS.keys():
            raise ValueError(f"{self.seat_wind!r} or {self.prevailing_wind!r} is no wind")

    def with_answers(self, answers: Mapping[str, Any]) -> Situation:
        """Return the situation with answers from the player; raise ValueError."""
        if answers.keys() - ANSWERS:
            raise ValueError(f"not part of a situation: {sorted(answers.keys() - ANSWERS)}")
        return replace(self, **answers, answered=self.answered | answers.keys())


ANSWERS = frozenset(f.name for f in fields(Situation)) - {"answered"}
"""The fields that a player may set."""


def guess_situation(situation: Situation, reading: Reading) -> Situation:
    """Return what the photograph suggests, for the player to confirm or change.

    The winning tile lies sideways in its set. In the exposed row it was claimed, in the concealed
    row it was drawn. Without such a tile, fourteen tiles mean that the hand won.
    """
    winning = reading.winning_tile
    if winning is not None:
        guess = replace(situation, winner=True, winning_tile=winning)
        return guess_claimed(guess, reading.sets)
    return replace(situation, winner=_count_tiles(reading) >= HAND_SIZE)


def guess_claimed(situation: Situation, sets: Iterable[SetReading | LaidSet]) -> Situation:
    """Guess where the winning tile came from by its row, unless the player has answered."""
    if situation.winning_tile is None or "won_by" in situation.answered:
        return situation
    rows = [laid.row for laid in sets if situation.winning_tile in laid.tiles]
    return replace(situation, won_by="discard" if rows == ["exposed"] else "wall")


def guess_won(situation: Situation, tile_count: int) -> Situation:
    """Guess from the number of tiles whether the hand won, unless the player has answered.

    A kong counts as three.
    """
    if "winner" in situation.answered:
        return situation
    return replace(situation, winner=tile_count >= HAND_SIZE)


def _count_tiles(reading: Reading) -> int:
    in_sets = (
        min(len(s.tiles), 3) if s.kind == "kong" else len(s.tiles)
        for s in reading.sets
        if s.row != "bonus"
    )
    return sum(in_sets)


AddedReading = tuple[int, TileReading]
"""The number of an added photograph, and its reading of a tile in its own pixels."""


@dataclass(frozen=True, slots=True)
class HandTile:
    """One tile: its reading, and what the player says."""

    code: str | None
    """A code or `??`; None if the player said that it is no tile."""
    read: TileReading | None
    """The merged reading of all photographs, in the first one's pixels; None for a tile that the
    player added."""
    is_changed: bool = False
    """Whether the player named it; the reading is kept."""
    is_confirmed: bool = False
    """Whether the player said that the reading is right."""
    added_readings: tuple[AddedReading, ...] = ()
    """Each added photograph's own reading of it."""

    @property
    def doubtful(self) -> bool:
        """Whether to ask about it: below the confidence gate, and not checked by the player."""
        return bool(self.read and self.read.doubtful and not (self.is_changed or self.is_confirmed))


def move_block(sets: tuple[LaidSet, ...], block: BlockReading) -> tuple[LaidSet, ...]:
    """Return the hand's sets with those of a block, or those of the block in their place.

    A block that the hand includes is taken out of them.
    """
    block_sets = tuple(LaidSet(laid.tiles, laid.row) for laid in block.sets)
    if block.included:
        remaining_tiles = (tuple(t for t in laid.tiles if t not in block.tiles) for laid in sets)
        return tuple(
            replace(laid, tiles=left) for laid, left in zip(sets, remaining_tiles, strict=True)
        )
    return block_sets if block.instead else (*sets, *block_sets)


def parse_tile_code(value: object) -> str | None:
    """Return the tile code in an event, None for no tile; raise ValueError otherwise."""
    if value is None or value in (*CODES, FACE_DOWN, JOKER):
        return value if value is None else str(value)
    raise ValueError(f"{value!r} is no tile code")


ODD_POINTS = ("count", "rows", "complete", "several")
"""What may look odd about a hand and still be right: too few or too many tiles, all sets of one row
concealed, a complete Mah-Jong that did not go out, more tiles than one hand can have."""


class UnknownHandError(UnknownStreamError):
    """There is no hand with that id."""


@dataclass(frozen=True, slots=True)
class ChangeRecord:
    """One change by a player, for the list on the page."""

    seq: int
    kind: str
    changed_at: datetime
    tile: int | None = None
    """None for a change that concerns all tiles."""
    before: str | None = None
    after: str | None = None
    changed_by: str = ""
    """The player whose phone it was; empty if unknown."""
    row: str = ""
    """The row to which sets moved; empty for other changes."""


@dataclass(frozen=True)
class HandRecord:
    """The state of one hand. What follows from it is worked out once (so it has no slots)."""

    id: str
    photo: HandPhoto | None
    """None for a hand entered tile by tile."""
    rules: str
    taken_at: datetime
    situation: Situation
    version: int
    """Number of the last event."""
    reading: Reading | None = None
    failure: Problem | None = None
    """Why the photograph could not be read."""
    attempts: int = 0
    """Number of readings that were begun and not finished."""
    doubts: tuple[Problem, ...] = ()
    """What is wrong with the newest photograph; it waits until a player decides."""
    read_anyway: bool = False
    """Whether a player wants the newest photograph read despite these problems."""
    retaken: tuple[HandPhoto, ...] = ()
    """Photographs that were replaced; they are not read."""
    tiles: tuple[HandTile, ...] = ()
    sets: tuple[LaidSet, ...] = ()
    changes: tuple[ChangeRecord, ...] = field(default=())
    redoable_seq: int | None = None
    """Number of the last undone change while it can still be redone."""
    added_photos: tuple[HandPhoto, ...] = ()
    """Further photographs of the hand, oldest first."""
    processed_photo_count: int = 0
    """Number of these that have been read or could not be read."""
    added_notes: tuple[Problem, ...] = ()
    """Remarks on the newest of these."""

    looks_like: str = ""
    """The tile set that the tiles seem to belong to, if not the one in use when they were read."""
    settled_points: frozenset[str] = frozenset()
    """Names in `ODD_POINTS` that a player confirmed although they look odd."""
    answered_blocks: frozenset[int] = frozenset()
    """Numbers of the reading's blocks for which a player said whether they are the hand's."""
    tile_set: str = ""
    """The tile set that this hand teaches the box, if its crops were kept."""
    crops: Mapping[int, str] = field(default_factory=dict)
    """Names of stored crops, by position of the tile."""
    owes_crops_to: str = ""
    """Id of the tile set for which crops are still to be kept; empty if none are."""
    is_mirrored: bool | None = None
    """Whether the photograph is a mirror image; None until players say so."""
    removed_photos: frozenset[str] = frozenset()
    """Names of large pictures that were removed to free space."""
    match: str = ""
    """Id of the hand's match; empty for a single hand."""
    table: str = ""
    """Id of the hand's table; empty where there is only one."""
    is_question: bool = False
    """Whether somebody asked only what the tiles are, not what they score."""
    player: str = ""
    """The player, in a match."""
    counts: bool = True
    """Whether its match counts it: not if it was taken back, replaced or washed out."""
    is_agreed: bool = False
    """Whether somebody at the table checked it and agreed."""
    agreed_score: int | None = None
    """The score at that moment, or as its deal was settled; None if that was not written down."""
    agreement: Agreement = field(default_factory=Agreement)
    is_of_table: bool = False
    """Whether the photograph shows the whole table, with other hands."""
    camera: Mapping[str, Any] = field(default_factory=dict)
    """The camera's metadata of the first photograph, with libcamera's names."""
    models: Mapping[str, str] = field(default_factory=dict)
    """Networks that read the first photograph, by name; empty if that was not written down."""

    @property
    def awaited_photo(self) -> HandPhoto | None:
        """The added photograph that has yet to be read."""
        return (
            self.added_photos[self.processed_photo_count]
            if self.processed_photo_count < len(self.added_photos)
            else None
        )

    @property
    def newest_photo(self) -> HandPhoto | None:
        """The photograph to read, or else the hand's first one."""
        return self.awaited_photo or self.photo

    @property
    def may_be_doubted(self) -> bool:
        """Whether the newest photograph is a phone's, which can be taken again at once."""
        photo = self.newest_photo
        return photo is not None and photo.by_phone and not self.read_anyway

    def is_confirmed_at(self, total: int | None) -> bool:
        """Return whether a player confirmed all tiles, or the table agreed to this total."""
        return self.tiles_right or (self.is_agreed and self.agreed_score in (None, total))

    def has_change(self, kind: str) -> bool:
        """Return whether players made a change of this kind that is not undone."""
        return any(change.kind == kind for change in self.changes)

    @property
    def tiles_right(self) -> bool:
        """Whether a player confirmed all tiles."""
        return self.has_change(TilesConfirmed.kind)

    @property
    def is_read(self) -> bool:
        """Whether reading is done: there is a reading, or no photograph to read."""
        return self.reading is not None or self.photo is None

    @property
    def may_be_read_anew(self) -> bool:
        """Whether its own photograph still exists and no player has changed anything."""
        was_changed = self.changes or self.added_photos or self.removed_photos
        return self.reading is not None and not (was_changed or self.is_of_table)

    @cached_property
    def asked_block(self) -> int | None:
        """The number of the block that may be the player's; None if there is none to ask about."""
        blocks = self.reading.blocks if self.reading else ()
        open_numbers = (n for n in range(len(blocks)) if n not in self.answered_blocks)
        return next((number for number in open_numbers if self._is_open(blocks[number])), None)

    @property
    def block_in_question(self) -> BlockReading | None:
        """The block that the player is asked about; None for none."""
        number = self.asked_block
        return None if self.reading is None or number is None else self.reading.blocks[number]

    def _is_open(self, block: BlockReading) -> bool:
        """Return whether a block lies as it was read, and may be part of the hand or not."""
        tiles = [self.tiles[place] for place in block.tiles]
        if not all(tile.code for tile in tiles):
            return False
        in_hand = {place for laid in self.sets for place in laid.tiles}
        if block.included:
            is_checked = all(tile.is_changed or tile.is_confirmed for tile in tiles)
            return in_hand.issuperset(block.tiles) and not is_checked
        joined_hand = replace(self, sets=move_block(self.sets, block))
        return in_hand.isdisjoint(block.tiles) and may_be_one_hand(joined_hand.assembled_hand)

    @property
    def asks_whether_mirrored(self) -> bool:
        """Whether the tiles look mirrored and nobody has said whether they are."""
        problems = self.reading.problems if self.reading else ()
        return self.is_mirrored is None and any(problem.code == "mirrored" for problem in problems)

    def picture_name(self, photo: HandPhoto) -> str:
        """Return the name of the largest stored picture for the page."""
        return photo.thumbnail if photo.display in self.removed_photos else photo.display

    @cached_property
    def assembled_hand(self) -> AssembledHand:
        """Return the hand's sets as they lie, with corrections."""
        removed_tiles = {place for place, tile in enumerate(self.tiles) if tile.code is None}
        remaining_sets = [
            replace(laid, tiles=tuple(t for t in laid.tiles if t not in removed_tiles))
            if removed_tiles.intersection(laid.tiles)
            else laid
            for laid in self.sets
        ]
        return assemble([tile.code or FACE_DOWN for tile in self.tiles], remaining_sets, self.rules)
