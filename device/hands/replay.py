"""A hand derived from its events, oldest first; every kind of event is one short step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import singledispatch

from msgspec import UNSET

from device.hands.hand import ODD, ChangeRecord, HandRecord, UnknownHandError
from device.hands.layout import added, counted, grouped, moved, put
from device.hands.more_photos import Known, add_reading
from device.hands.readings import problem_from, reading_from
from device.hands.situation import (
    ANSWERS,
    Agreement,
    Situation,
    first_guess,
    guess_claimed,
    guess_won,
)
from device.hands.tiles import HandTile, tile_code
from device.i18n.names import Name
from device.store.events import (
    Beginning,
    ContextSet,
    CropsKept,
    Envelope,
    Event,
    HandChange,
    KeptReading,
    MirrorSaid,
    OtherSetSeen,
    PhotoAccepted,
    PhotoAdded,
    PhotoDoubted,
    PhotoFailed,
    PhotoRead,
    PhotoRetaken,
    PhotosRemoved,
    PhotoTaken,
    PointSettled,
    ReadingAsked,
    ReadingBegun,
    ReadingFailed,
    ReadingMade,
    ReadingRenewed,
    SetAdded,
    SetMoved,
    SetRemoved,
    TileAdded,
    TileCorrected,
    TileMoved,
    TilesConfirmed,
    TilesGrouped,
)
from device.store.replaying import Projection, to_redo
from vision.hand.assemble import LaidSet


def apply(record: HandRecord, envelope: Envelope[Event]) -> HandRecord:
    """Return the record with one more event; raise ValueError and kin when it does not fit."""
    return _step(envelope.event, record, envelope)


def begun(envelope: Envelope[Event]) -> HandRecord:
    """Return the hand that an event begins; raise ValueError for one that begins none."""
    event = envelope.event
    if not isinstance(event, Beginning):
        raise ValueError("a hand begins with its photograph, or by hand")
    record = HandRecord(
        id=envelope.stream,
        photo=None,
        rules=event.rules,
        taken_at=envelope.at,
        situation=Situation(seat_wind=event.seat_wind, prevailing_wind=event.prevailing_wind),
        version=envelope.seq,
        match=event.match,
        table=event.table,
        asked=event.asked,
        agreement=_agreed(event),
    )
    if not isinstance(event, PhotoTaken):
        return record
    record = replace(record, photo=event.photo, camera=event.camera)
    # A photograph of the whole table is read before it is after apart into hands.
    return replace(_read(record, event.reading), of_table=True) if event.reading else record


def _agreed(event: Beginning) -> Agreement:
    """Return what was agreed where the tiles were asked about; a match tells its own hands."""
    said = event.agreement
    if said is None:
        return Agreement()
    return Agreement(event.rules, said.players, said.goulash, said.limit, said.house)


@singledispatch
def _step(event: Event, record: HandRecord, envelope: Envelope[Event]) -> HandRecord:
    """Return the record with one more event: for each kind, a function of its own."""
    raise ValueError("nothing of the kind happens to a hand")


@_step.register
def _(event: ReadingBegun, record: HandRecord, envelope: Envelope[Event]) -> HandRecord:
    return replace(record, attempts=record.attempts + 1)


@_step.register
def _(event: ReadingMade, record: HandRecord, envelope: Envelope[Event]) -> HandRecord:
    if record.reading is not None:
        raise ValueError("a hand is read once: another reading would undo the player's work")
    return replace(_read(record, event), models=event.models)


def _read(record: HandRecord, kept: KeptReading) -> HandRecord:
    reading = reading_from(kept)
    return replace(
        record,
        reading=reading,
        failure=None,
        changes=(),  # tiles entered by hand while there was no reading give way to it
        tiles=tuple(HandTile(tile.code, tile) for tile in reading.tiles),
        sets=tuple(LaidSet(s.tiles, s.row) for s in reading.sets),
        situation=first_guess(record.situation, reading),
    )


@_step.register
def _(event: OtherSetSeen, record: HandRecord, envelope: Envelope[Event]) -> HandRecord:
    return replace(record, looks_like=event.set)


@_step.register
def _(event: ReadingRenewed, record: HandRecord, envelope: Envelope[Event]) -> HandRecord:
    return _forgotten(record)


def _forgotten(record: HandRecord) -> HandRecord:
    """Return the record before its photograph was read."""
    if not record.may_be_read_anew:
        raise ValueError("another reading would undo the player's work")
    return replace(record, reading=None, tiles=(), sets=(), looks_like="", attempts=0)


@_step.register
def _(event: MirrorSaid, record: HandRecord, envelope: Envelope[Event]) -> HandRecord:
    if not record.asks_whether_mirrored:
        raise ValueError("nobody asks whether it is a mirror image")
    answered = replace(record, mirrored=event.mirrored)
    return _forgotten(answered) if event.mirrored else answered


@_step.register
def _(event: ReadingFailed, record: HandRecord, envelope: Envelope[Event]) -> HandRecord:
    if record.reading is not None:
        raise ValueError("the hand has been read")
    return replace(record, failure=problem_from(event), attempts=0)


@_step.register
def _(event: ReadingAsked, record: HandRecord, envelope: Envelope[Event]) -> HandRecord:
    if record.failure is None or record.removed:
        raise ValueError("nothing has failed, or there is nothing left to read")
    return replace(record, failure=None)


@_step.register
def _(event: PhotoDoubted, record: HandRecord, envelope: Envelope[Event]) -> HandRecord:
    if record.is_read and record.awaited is None:
        raise ValueError("the photograph has been read")
    return replace(record, doubts=tuple(map(problem_from, event.why)), attempts=0)


@_step.register
def _(event: PhotoAccepted, record: HandRecord, envelope: Envelope[Event]) -> HandRecord:
    return replace(_undoubted(record), as_it_is=True)


@_step.register
def _(event: PhotoRetaken, record: HandRecord, envelope: Envelope[Event]) -> HandRecord:
    after, before = _undoubted(record), record.newest_photo
    if before is not None:
        after = replace(after, retaken=(*record.retaken, before))
    if record.awaited is None:
        return replace(after, photo=event.photo)
    place = record.settled
    added = (*record.added[:place], event.photo, *record.added[place + 1 :])
    return replace(after, added=added)


def _undoubted(record: HandRecord) -> HandRecord:
    if not record.doubts:
        raise ValueError("nobody asks about its photograph")
    return replace(record, doubts=())


@_step.register
def _(event: PhotoAdded, record: HandRecord, envelope: Envelope[Event]) -> HandRecord:
    if record.reading is None:
        raise ValueError("the first photograph has not been read")
    added = (*record.added, event.photo)
    return replace(record, added=added, attempts=0, as_it_is=False)


@_step.register
def _(event: PhotoRead, record: HandRecord, envelope: Envelope[Event]) -> HandRecord:
    if record.reading is None or not 0 <= event.number < len(record.added):
        raise ValueError(f"no photograph {event.number} was added")
    moved = any(change.kind in _REARRANGING for change in record.changes)
    known = Known(record.reading, record.tiles, record.sets, record.rules, moved)
    more = add_reading(known, event.number, reading_from(event.reading))
    after = replace(record, tiles=more.tiles, sets=more.sets, added_notes=more.notes, attempts=0)
    return _changed(after, envelope) if more.same_hand else after


@_step.register
def _(event: PhotoFailed, record: HandRecord, envelope: Envelope[Event]) -> HandRecord:
    if not record.added:
        raise ValueError("no photograph was added")
    return replace(record, added_notes=(problem_from(event),), attempts=0)


@_step.register
def _(event: TileCorrected, record: HandRecord, envelope: Envelope[Event]) -> HandRecord:
    place, code = _tile(record, event.tile), tile_code(event.code)
    before = record.tiles[place]
    same = before.read is not None and before.read.code == code
    after = replace(before, code=code, changed=not same, confirmed=same)
    tiles = (*record.tiles[:place], after, *record.tiles[place + 1 :])
    return _changed(replace(record, tiles=tiles), envelope, place, before.code)


@_step.register
def _(event: TilesConfirmed, record: HandRecord, envelope: Envelope[Event]) -> HandRecord:
    if record.reading is None or record.tiles_right:
        raise ValueError("there is nothing to say right of")
    tiles = tuple(replace(tile, confirmed=not tile.changed) for tile in record.tiles)
    return _changed(replace(record, tiles=tiles, tiles_right=True), envelope)


@_step.register
def _(event: PointSettled, record: HandRecord, envelope: Envelope[Event]) -> HandRecord:
    if event.point not in ODD or event.point in record.said_so:
        raise ValueError("nobody asks whether that is so")
    return _changed(replace(record, said_so=record.said_so | {event.point}), envelope)


@_step.register
def _(event: CropsKept, record: HandRecord, envelope: Envelope[Event]) -> HandRecord:
    """Taken as it comes: what was confirmed may have been taken back, and then nobody asks."""
    return replace(record, tile_set=event.set, crops=event.crops)


@_step.register
def _(event: PhotosRemoved, record: HandRecord, envelope: Envelope[Event]) -> HandRecord:
    """Taken as it comes: by the time that this is replayed, the files are gone."""
    return replace(record, removed=record.removed.union(event.names))


@_step.register
def _(event: TileAdded | SetAdded, record: HandRecord, envelope: Envelope[Event]) -> HandRecord:
    codes = event.codes if isinstance(event, SetAdded) else (event.code,)
    tiles, sets = added(record.tiles, record.sets, codes, event.set, event.row)
    laid = _guessed(replace(record, tiles=tiles, sets=sets))
    return _changed(laid, envelope, len(record.tiles))


def _guessed(record: HandRecord) -> HandRecord:
    """Without a photograph, it is the number of tiles that says whether the hand won."""
    if record.photo:
        return record
    return replace(record, situation=guess_won(record.situation, counted(record.assembled())))


@_step.register
def _(event: SetRemoved, record: HandRecord, envelope: Envelope[Event]) -> HandRecord:
    places = [_tile(record, tile) for tile in event.tiles]
    tiles = list(record.tiles)
    for place in places:
        tiles[place] = replace(tiles[place], code=None, changed=True, confirmed=False)
    before = record.tiles[places[0]].code
    return _changed(_guessed(replace(record, tiles=tuple(tiles))), envelope, places[0], before)


@_step.register
def _(event: TilesGrouped, record: HandRecord, envelope: Envelope[Event]) -> HandRecord:
    groups = [[_tile(record, tile) for tile in each] for each in event.groups]
    laid = replace(record, sets=grouped(record.sets, groups))
    return _changed(laid, envelope, groups[0][0])


@_step.register
def _(event: TileMoved, record: HandRecord, envelope: Envelope[Event]) -> HandRecord:
    place = _tile(record, event.tile)
    sets = put(record.sets, place, event.set, event.row)
    return _changed(_relaid(record, sets), envelope, place)


def _relaid(record: HandRecord, sets: tuple[LaidSet, ...]) -> HandRecord:
    """Where the winning tile lies in the photograph told where it came from; moved, it tells so."""
    after = replace(record, sets=sets)
    if record.reading is None or record.reading.winning_tile is None:
        return after
    return replace(after, situation=guess_claimed(record.situation, sets))


@_step.register
def _(event: SetMoved, record: HandRecord, envelope: Envelope[Event]) -> HandRecord:
    sets = moved(record.sets, event.set, event.row)
    return _changed(_relaid(record, sets), envelope, sets[event.set].tiles[0])


@_step.register
def _(event: ContextSet, record: HandRecord, envelope: Envelope[Event]) -> HandRecord:
    said = {name: getattr(event, name) for name in ANSWERS}
    answers = {name: value for name, value in said.items() if value is not UNSET}
    return replace(record, situation=record.situation.with_answers(answers))


def _changed(
    record: HandRecord,
    envelope: Envelope[Event],
    tile: int | None = None,
    before: str | None = None,
) -> HandRecord:
    """Return the record with one more line in the list of what was changed."""
    after = None if tile is None else record.tiles[tile].code
    by = Name(envelope.event.by) if isinstance(envelope.event, HandChange) else Name()
    change = ChangeRecord(envelope.seq, envelope.kind, envelope.at, tile, before, after, by)
    so = record.said_so if envelope.kind not in _OTHER_TILES else record.said_so - _OF_TILES
    return replace(record, changes=(*record.changes, change), said_so=so)


_OTHER_TILES = frozenset(
    each.kind for each in (TileCorrected, TileAdded, SetAdded, SetRemoved, PhotoRead)
)
"""The changes after which the hand holds other tiles, or more or fewer of them."""

_OF_TILES = frozenset({"count", "complete"})
"""What was said of the tiles as they were."""


_REARRANGING = frozenset(
    each.kind for each in (TileAdded, TileMoved, SetMoved, SetAdded, SetRemoved, TilesGrouped)
)
"""The changes that say which tiles lie together."""


def _tile(record: HandRecord, place: int) -> int:
    if not 0 <= place < len(record.tiles):
        raise ValueError(f"the hand has no tile {place}")
    return place


def _finish(record: HandRecord, events: Sequence[Envelope[Event]]) -> HandRecord:
    # A photograph whose reading the player took back is not read again.
    settled = sum(isinstance(each.event, PhotoRead | PhotoFailed) for each in events)
    undone = to_redo(events)
    return replace(
        record,
        version=events[-1].seq,
        settled=record.settled + settled,
        undone=undone.seq if undone else None,
    )


HANDS = Projection("hand", begun, apply, UnknownHandError, _finish)
"""How a hand comes of its events."""
