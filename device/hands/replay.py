"""Build a hand from its events, oldest first; each kind of event has one function."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import singledispatch

from msgspec import UNSET

from device.hands.added_photos import HandBeforePhoto, add_reading
from device.hands.manual_entry import add_tiles, count_hand_tiles, group_tiles, move_set, put_tile
from device.hands.readings import check_problem, check_reading
from device.hands.record import (
    ANSWERS,
    ODD_POINTS,
    Agreement,
    ChangeRecord,
    HandRecord,
    HandTile,
    Situation,
    UnknownHandError,
    guess_claimed,
    guess_situation,
    guess_won,
    move_block,
    parse_tile_code,
)
from device.store.events import (
    Beginning,
    BlockAnswered,
    ContextSet,
    CropsAsked,
    CropsStored,
    Envelope,
    Event,
    HandChange,
    MirrorAnswered,
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
    ReadingCutOff,
    ReadingFailed,
    ReadingMade,
    ReadingRenewed,
    SetAdded,
    SetMoved,
    SetRemoved,
    SetsMoved,
    TileAdded,
    TileCorrected,
    TileMoved,
    TilesChecked,
    TilesConfirmed,
    TilesGrouped,
)
from device.store.projection import Projection, find_redoable
from vision.hand.assembly import LaidSet
from vision.reading import Reading


def apply(record: HandRecord, envelope: Envelope[Event]) -> HandRecord:
    """Return the record with one more event; raise ValueError or a subclass if it does not fit."""
    return _apply_event(envelope.event, record, envelope)


def start_hand(envelope: Envelope[Event]) -> HandRecord:
    """Return the hand that an event starts; raise ValueError for other events."""
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
        is_question=event.asked,
        agreement=_agreement_from(event),
    )
    if not isinstance(event, PhotoTaken):
        return record
    record = replace(record, photo=event.photo, camera=event.camera)
    # A photograph of the whole table is read before it is split into hands.
    return (
        replace(_take_reading(record, event.reading), is_of_table=True) if event.reading else record
    )


def _agreement_from(event: Beginning) -> Agreement:
    """Return the agreement of a hand by itself; matches have their own."""
    agreement = event.agreement
    if agreement is None:
        return Agreement(event.rules)
    return Agreement(
        event.rules,
        agreement.players,
        agreement.goulash,
        agreement.limit,
        agreement.house,
        agreement.rules_text,
    )


_SavedEvent = Envelope[Event]
"""An event as it stands in the log."""


@singledispatch
def _apply_event(event: Event, record: HandRecord, envelope: Envelope[Event]) -> HandRecord:
    """Return the record with one more event; each kind of event has its own function."""
    raise ValueError("nothing of the kind happens to a hand")


@_apply_event.register
def _on_change(event: HandChange, record: HandRecord, envelope: _SavedEvent) -> HandRecord:
    """List a change without fields; `record.has_change(kind)` says that it was made."""
    if event.__struct_fields__ != HandChange.__struct_fields__:
        raise ValueError("a change with fields needs a function of its own")
    return _add_change(record, envelope)


@_apply_event.register
def _on_reading_begun(event: ReadingBegun, record: HandRecord, envelope: _SavedEvent) -> HandRecord:
    return replace(record, attempts=record.attempts + 1)


@_apply_event.register
def _on_reading_cut_off(
    event: ReadingCutOff, record: HandRecord, envelope: _SavedEvent
) -> HandRecord:
    return replace(record, attempts=max(0, record.attempts - 1))


@_apply_event.register
def _on_reading_made(event: ReadingMade, record: HandRecord, envelope: _SavedEvent) -> HandRecord:
    if record.reading is not None:
        raise ValueError("a hand is read once: another reading would undo the player's work")
    return replace(_take_reading(record, event), models=event.models)


def _take_reading(record: HandRecord, stored_reading: Reading) -> HandRecord:
    reading = check_reading(stored_reading)
    return replace(
        record,
        reading=reading,
        failure=None,
        changes=(),  # the reading replaces tiles entered before it
        tiles=tuple(HandTile(tile.code, tile) for tile in reading.tiles),
        sets=tuple(LaidSet(s.tiles, s.row) for s in reading.sets),
        situation=guess_situation(record.situation, reading),
    )


@_apply_event.register
def _on_other_set_seen(
    event: OtherSetSeen, record: HandRecord, envelope: _SavedEvent
) -> HandRecord:
    return replace(record, looks_like=event.set)


@_apply_event.register
def _on_reading_renewed(
    event: ReadingRenewed, record: HandRecord, envelope: _SavedEvent
) -> HandRecord:
    return _forget_reading(record)


def _forget_reading(record: HandRecord) -> HandRecord:
    """Return the record as it was before the photograph was read."""
    if not record.may_be_read_anew:
        raise ValueError("another reading would undo the player's work")
    return replace(record, reading=None, tiles=(), sets=(), looks_like="", attempts=0)


@_apply_event.register
def _on_mirror_said(event: MirrorAnswered, record: HandRecord, envelope: _SavedEvent) -> HandRecord:
    if not record.asks_whether_mirrored:
        raise ValueError("nobody asks whether it is a mirror image")
    answered_record = replace(record, is_mirrored=event.mirrored)
    return _forget_reading(answered_record) if event.mirrored else answered_record


@_apply_event.register
def _on_reading_failed(
    event: ReadingFailed, record: HandRecord, envelope: _SavedEvent
) -> HandRecord:
    if record.reading is not None:
        raise ValueError("the hand has been read")
    return replace(record, failure=check_problem(event), attempts=0)


@_apply_event.register
def _on_reading_asked(event: ReadingAsked, record: HandRecord, envelope: _SavedEvent) -> HandRecord:
    if record.failure is None or record.removed_photos:
        raise ValueError("nothing has failed, or there is nothing left to read")
    return replace(record, failure=None)


@_apply_event.register
def _on_photo_doubted(event: PhotoDoubted, record: HandRecord, envelope: _SavedEvent) -> HandRecord:
    if record.is_read and record.awaited_photo is None:
        raise ValueError("the photograph has been read")
    return replace(record, doubts=tuple(map(check_problem, event.why)), attempts=0)


@_apply_event.register
def _on_photo_accepted(
    event: PhotoAccepted, record: HandRecord, envelope: _SavedEvent
) -> HandRecord:
    return replace(_clear_doubts(record), read_anyway=True)


@_apply_event.register
def _on_photo_retaken(event: PhotoRetaken, record: HandRecord, envelope: _SavedEvent) -> HandRecord:
    after, before = _clear_doubts(record), record.newest_photo
    if before is not None:
        after = replace(after, retaken=(*record.retaken, before))
    if record.awaited_photo is None:
        return replace(after, photo=event.photo)
    place = record.processed_photo_count
    photos = (*record.added_photos[:place], event.photo, *record.added_photos[place + 1 :])
    return replace(after, added_photos=photos)


def _clear_doubts(record: HandRecord) -> HandRecord:
    if not record.doubts:
        raise ValueError("nobody asks about its photograph")
    return replace(record, doubts=())


@_apply_event.register
def _on_photo_added(event: PhotoAdded, record: HandRecord, envelope: _SavedEvent) -> HandRecord:
    if record.reading is None:
        raise ValueError("the first photograph has not been read")
    photos = (*record.added_photos, event.photo)
    return replace(record, added_photos=photos, attempts=0, read_anyway=False)


@_apply_event.register
def _on_photo_read(event: PhotoRead, record: HandRecord, envelope: _SavedEvent) -> HandRecord:
    if record.reading is None or not 0 <= event.number < len(record.added_photos):
        raise ValueError(f"no photograph {event.number} was added")
    is_layout_changed = any(change.kind in _LAYOUT_CHANGES for change in record.changes)
    known_hand = HandBeforePhoto(
        record.reading, record.tiles, record.sets, record.rules, is_layout_changed
    )
    merged_hand = add_reading(known_hand, event.number, check_reading(event.reading))
    after = replace(
        record,
        tiles=merged_hand.tiles,
        sets=merged_hand.sets,
        added_notes=merged_hand.notes,
        attempts=0,
    )
    return _add_change(after, envelope) if merged_hand.same_hand else after


@_apply_event.register
def _on_photo_failed(event: PhotoFailed, record: HandRecord, envelope: _SavedEvent) -> HandRecord:
    if not record.added_photos:
        raise ValueError("no photograph was added")
    return replace(record, added_notes=(check_problem(event),), attempts=0)


@_apply_event.register
def _on_tile_corrected(
    event: TileCorrected, record: HandRecord, envelope: _SavedEvent
) -> HandRecord:
    code, tiles = parse_tile_code(event.code), list(record.tiles)
    for place in (event.tile, *event.also):
        before = tiles[_check_place(record, place)]
        is_same_code = before.read is not None and before.read.code == code
        tiles[place] = replace(
            before, code=code, is_changed=not is_same_code, is_confirmed=is_same_code
        )
    was = record.tiles[event.tile].code
    return _add_change(replace(record, tiles=tuple(tiles)), envelope, event.tile, was)


@_apply_event.register
def _on_tiles_checked(event: TilesChecked, record: HandRecord, envelope: _SavedEvent) -> HandRecord:
    if not event.tiles:
        raise ValueError("no tile is named")
    tiles = list(record.tiles)
    for place in event.tiles:
        tile = tiles[_check_place(record, place)]
        tiles[place] = replace(tile, is_confirmed=not tile.is_changed)
    return _add_change(replace(record, tiles=tuple(tiles)), envelope)


@_apply_event.register
def _on_tiles_confirmed(
    event: TilesConfirmed, record: HandRecord, envelope: _SavedEvent
) -> HandRecord:
    if record.reading is None or record.tiles_right:
        raise ValueError("there is nothing to say right of")
    tiles = tuple(replace(tile, is_confirmed=not tile.is_changed) for tile in record.tiles)
    return _add_change(replace(record, tiles=tiles), envelope)


@_apply_event.register
def _on_point_settled(event: PointSettled, record: HandRecord, envelope: _SavedEvent) -> HandRecord:
    if event.point not in ODD_POINTS or event.point in record.settled_points:
        raise ValueError("nobody asks whether that is so")
    return _add_change(
        replace(record, settled_points=record.settled_points | {event.point}), envelope
    )


@_apply_event.register
def _on_block_said(event: BlockAnswered, record: HandRecord, envelope: _SavedEvent) -> HandRecord:
    if record.reading is None or event.block != record.asked_block:
        raise ValueError("nobody asks about these tiles")
    block = record.reading.blocks[event.block]
    after = replace(record, answered_blocks=record.answered_blocks | {event.block})
    if event.own != block.included:
        after = _guess_anew(replace(after, sets=move_block(record.sets, block)), record)
    return _add_change(after, envelope, block.tiles[0])


def _guess_anew(record: HandRecord, before: HandRecord) -> HandRecord:
    """Guess whether a hand won that has other tiles; a winning tile that is gone is none."""
    situation, tile_count = record.situation, count_hand_tiles(record.assembled_hand)
    if not any(situation.winning_tile in laid.tiles for laid in record.sets):
        situation = replace(situation, winning_tile=None)
    if tile_count != count_hand_tiles(before.assembled_hand):
        situation = guess_won(situation, tile_count)
    return replace(record, situation=situation)


@_apply_event.register
def _on_crops_asked(event: CropsAsked, record: HandRecord, envelope: _SavedEvent) -> HandRecord:
    return replace(record, owes_crops_to=event.set)


@_apply_event.register
def _on_crops_kept(event: CropsStored, record: HandRecord, envelope: _SavedEvent) -> HandRecord:
    """Accept it even if the confirmation was undone meanwhile."""
    return replace(record, tile_set=event.set, crops=event.crops, owes_crops_to="", attempts=0)


@_apply_event.register
def _on_photos_removed(
    event: PhotosRemoved, record: HandRecord, envelope: _SavedEvent
) -> HandRecord:
    """Accept it always: at replay the files are already gone."""
    return replace(record, removed_photos=record.removed_photos.union(event.names))


@_apply_event.register
def _on_tile_added(
    event: TileAdded | SetAdded, record: HandRecord, envelope: _SavedEvent
) -> HandRecord:
    codes = event.codes if isinstance(event, SetAdded) else (event.code,)
    tiles, sets = add_tiles(record.tiles, record.sets, codes, event.set, event.row)
    new_record = _guess_winner(replace(record, tiles=tiles, sets=sets))
    return _add_change(new_record, envelope, len(record.tiles))


def _guess_winner(record: HandRecord) -> HandRecord:
    """Guess from the number of tiles whether a hand without a photograph won."""
    if record.photo:
        return record
    return replace(
        record, situation=guess_won(record.situation, count_hand_tiles(record.assembled_hand))
    )


@_apply_event.register
def _on_set_removed(event: SetRemoved, record: HandRecord, envelope: _SavedEvent) -> HandRecord:
    places = [_check_place(record, tile) for tile in event.tiles]
    tiles = list(record.tiles)
    for place in places:
        tiles[place] = replace(tiles[place], code=None, is_changed=True, is_confirmed=False)
    before = record.tiles[places[0]].code
    return _add_change(
        _guess_winner(replace(record, tiles=tuple(tiles))), envelope, places[0], before
    )


@_apply_event.register
def _on_tiles_grouped(event: TilesGrouped, record: HandRecord, envelope: _SavedEvent) -> HandRecord:
    groups = [[_check_place(record, tile) for tile in each] for each in event.groups]
    new_record = replace(record, sets=group_tiles(record.sets, groups))
    return _add_change(new_record, envelope, groups[0][0])


@_apply_event.register
def _on_tile_moved(event: TileMoved, record: HandRecord, envelope: _SavedEvent) -> HandRecord:
    place = _check_place(record, event.tile)
    sets = put_tile(record.sets, place, event.set, event.row)
    return _add_change(_move_sets(record, sets), envelope, place)


def _move_sets(record: HandRecord, sets: tuple[LaidSet, ...]) -> HandRecord:
    """Set new sets; the winning tile's row then says again where the tile came from."""
    after = replace(record, sets=sets)
    if record.reading is None or record.reading.winning_tile is None:
        return after
    return replace(after, situation=guess_claimed(record.situation, sets))


@_apply_event.register
def _on_set_moved(
    event: SetMoved | SetsMoved, record: HandRecord, envelope: _SavedEvent
) -> HandRecord:
    moved_sets = event.sets if isinstance(event, SetsMoved) else (event.set,)
    if not moved_sets:
        raise ValueError("no set is named")
    sets = record.sets
    for which in moved_sets:
        sets = move_set(sets, which, event.row)
    return _add_change(_move_sets(record, sets), envelope, sets[moved_sets[0]].tiles[0])


@_apply_event.register
def _on_context_set(event: ContextSet, record: HandRecord, envelope: _SavedEvent) -> HandRecord:
    given_answers = {name: getattr(event, name) for name in ANSWERS}
    answers = {name: value for name, value in given_answers.items() if value is not UNSET}
    return replace(record, situation=record.situation.with_answers(answers))


def _add_change(
    record: HandRecord,
    envelope: Envelope[Event],
    tile: int | None = None,
    before: str | None = None,
) -> HandRecord:
    """Return the record with one more change in its list."""
    after = None if tile is None else record.tiles[tile].code
    player = envelope.event.by if isinstance(envelope.event, HandChange) else ""
    row = envelope.event.row if isinstance(envelope.event, SetMoved | SetsMoved) else ""
    change = ChangeRecord(
        envelope.seq, envelope.kind, envelope.at, tile, before, after, player, row
    )
    open_points = _POINTS_ABOUT_TILES if envelope.kind in _TILE_CHANGES else frozenset()
    settled_points = record.settled_points - open_points
    return replace(record, changes=(*record.changes, change), settled_points=settled_points)


_TILE_CHANGES = frozenset(
    each.kind for each in (TileCorrected, TileAdded, SetAdded, SetRemoved, PhotoRead, BlockAnswered)
)
"""Changes after which the hand holds other tiles, or more or fewer."""

_POINTS_ABOUT_TILES = frozenset({"count", "complete"})
"""Confirmed points that depend on which tiles there are."""


_LAYOUT_CHANGES = frozenset(
    each.kind
    for each in (
        TileAdded,
        TileMoved,
        SetMoved,
        SetsMoved,
        SetAdded,
        SetRemoved,
        TilesGrouped,
        BlockAnswered,
    )
)
"""Changes that decide which tiles lie together."""


def _check_place(record: HandRecord, place: int) -> int:
    if not 0 <= place < len(record.tiles):
        raise ValueError(f"the hand has no tile {place}")
    return place


def _finish(record: HandRecord, events: Sequence[Envelope[Event]]) -> HandRecord:
    # A photograph whose reading was undone is not read again.
    processed_count = sum(isinstance(each.event, PhotoRead | PhotoFailed) for each in events)
    redoable_event = find_redoable(events)
    return replace(
        record,
        version=events[-1].seq,
        processed_photo_count=record.processed_photo_count + processed_count,
        redoable_seq=redoable_event.seq if redoable_event else None,
    )


HANDS = Projection("hand", start_hand, apply, UnknownHandError, _finish)
"""Builds a hand from its events."""
