"""Encode a match as bytes, so that a long match need not be replayed after each start.

The game's course is not stored, except for what each entry changed. The scorer computes the rest
from that within microseconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Literal

from msgspec import Struct, msgpack

from device.hands.record import Agreement
from device.matches.match import DealState, EntryRecord, Match, MatchAction, PastDeal
from device.store.events.parts import StoredWords, words_from_stored, words_to_stored
from device.store.projection_cache import ProjectionCache
from scorer.match.entries import Charge, Correction, Entry, GameEvent, WashOut, WonDeal
from scorer.match.game import Game

SNAPSHOT_FORMAT_VERSION = 4
"""Increase this when the stored fields or their meaning change."""


class _Won(Struct, frozen=True, array_like=True, tag=0):
    winner: str
    scores: dict[str, int]


class _WashOut(Struct, frozen=True, array_like=True, tag=1):
    pass


class _Charge(Struct, frozen=True, array_like=True, tag=2):
    payer: str
    amounts: dict[str, int]
    why: StoredWords
    rule: str | None


_Event = _Won | _WashOut | _Charge


class _Correction(Struct, frozen=True, array_like=True, tag=3):
    number: int
    entry: _Event | None


class _MatchSnapshot(Struct, frozen=True, array_like=True):
    """A match without the course of its game."""

    id: str
    players: tuple[str, ...]
    seats: str
    ruleset: str
    start: int | None
    double: Literal["east", "prevailing"]
    log: list[_Event | _Correction]
    changes: dict[int, list[int]]
    """What each counting entry changed, by entry number, in the order of the players."""
    agreement: Agreement
    version: int
    deal: DealState
    past: tuple[PastDeal, ...]
    written: tuple[EntryRecord, ...]
    doings: tuple[MatchAction, ...]
    undone: MatchAction | None
    renamed: dict[str, str]
    begun_at: datetime | None
    ended: bool
    table: str
    goulash: bool
    order: tuple[str, ...]


def encode_match(match: Match) -> bytes:
    """Return a match as bytes."""
    game, players = match.game, match.game.players
    plain_values = {name: getattr(match, name) for name in _PLAIN_FIELDS}
    snapshot = _MatchSnapshot(
        players=players,
        seats=game.seats,
        ruleset=game.ruleset,
        start=game.start,
        double=game.double,
        log=list(map(_encode_entry, game.log)),
        changes={row.number: [row.changes[each] for each in players] for row in match.course.rows},
        renamed=dict(match.renamed),
        goulash=game.goulash,
        order=game.order,
        **plain_values,
    )
    return msgpack.encode(snapshot)


_PLAIN_FIELDS = (
    "id", "agreement", "version", "deal", "past", "written", "doings", "undone", "begun_at",
    "ended", "table",
)  # fmt: skip
"""Fields that are stored unchanged."""


def decode_match(data: bytes) -> Match:
    """Return the match of bytes; raise ValueError and kin for what is none."""
    snapshot = msgpack.decode(data, type=_MatchSnapshot)
    game = Game(
        snapshot.players,
        snapshot.seats,
        snapshot.ruleset,
        snapshot.start,
        snapshot.double,
        goulash=snapshot.goulash,
        order=snapshot.order,
    )
    changes: dict[int, Mapping[str, int]] = {
        number: dict(zip(snapshot.players, each, strict=True))
        for number, each in snapshot.changes.items()
    }
    plain_values = {name: getattr(snapshot, name) for name in _PLAIN_FIELDS}
    return Match(
        game=game.with_log(_decode_log(snapshot), changes), renamed=snapshot.renamed, **plain_values
    )


def _encode_entry(entry: Entry) -> _Event | _Correction:
    if isinstance(entry, Correction):
        return _Correction(entry.number, _encode_event(entry.entry) if entry.entry else None)
    return _encode_event(entry)


def _encode_event(event: GameEvent) -> _Event:
    if isinstance(event, WonDeal):
        return _Won(event.winner, dict(event.scores))
    if isinstance(event, Charge):
        return _Charge(event.payer, dict(event.amounts), words_to_stored(event.why), event.rule)
    return _WashOut()


def _decode_log(snapshot: _MatchSnapshot) -> Iterator[Entry]:
    for entry in snapshot.log:
        if isinstance(entry, _Correction):
            yield Correction(entry.number, _decode_event(entry.entry) if entry.entry else None)
        else:
            yield _decode_event(entry)


def _decode_event(stored_event: _Event) -> GameEvent:
    if isinstance(stored_event, _Won):
        return WonDeal(stored_event.winner, stored_event.scores)
    if isinstance(stored_event, _Charge):
        return Charge(
            stored_event.payer,
            stored_event.amounts,
            words_from_stored(stored_event.why),
            stored_event.rule,
        )
    return WashOut()


MATCH_SNAPSHOTS: ProjectionCache[Match] = ProjectionCache(
    "match", SNAPSHOT_FORMAT_VERSION, encode_match, decode_match
)
"""Stores and loads match snapshots."""
