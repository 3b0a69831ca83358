"""Find conflicts between the hands of a deal, and offer the likely correction.

Conflicts are too many of a tile, or the same photo for two hands. If the hands together hold too
many of a tile, one of them was likely misread. The page names it and offers the right tile.
"""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint
from werkzeug.wrappers import Response as AnyResponse

from device.hands.record import HandRecord
from device.i18n.words import say, say_count, tile_name
from device.matches.hand_conflicts import (
    DuplicatePhoto,
    HandsByPlayer,
    TileChange,
    TileMend,
    counted_hands,
    find_duplicates,
    find_excess_tiles,
    propose_mends,
)
from device.matches.match import Match
from device.matches.seats import DealHands, load_deal_hands
from device.store.events import TileCorrected
from device.views import photo_overlay, tiles
from device.web.contexts import records
from device.web.fields import form
from device.web.links import redirect_to
from device.web.table.current_match import current_match, phone_player, redirect_to_next_step
from scorer.tiles import BY_CODE, copies_in_set

mending_pages = Blueprint("mending", __name__, url_prefix="/table/mend")


@dataclass(frozen=True, slots=True)
class MisreadTile:
    """A tile that was likely misread."""

    player: str
    record: HandRecord
    crop: photo_overlay.TileCrop | None
    """Where it is in the hand's photograph."""
    title: str


@dataclass(frozen=True, slots=True)
class CorrectionOffer:
    """A likely correction, to be chosen with one tap."""

    value: str
    """The form's value."""
    label: str
    symbols: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CorrectionProposal:
    """The corrections that are proposed if the hands of a deal hold too many of a tile."""

    says: str
    blamed: tuple[MisreadTile, ...]
    offers: tuple[CorrectionOffer, ...]
    """The likeliest first."""
    whole: str = ""
    """The id of the table photo to go back to; empty without one."""

    @property
    def players(self) -> tuple[str, ...]:
        """The players whose hands it is about."""
        return tuple(dict.fromkeys(each.player for each in self.blamed))

    @property
    def hands(self) -> tuple[tuple[str, str], ...]:
        """The players with the ids of their hands."""
        return tuple({each.player: each.record.id for each in self.blamed}.items())


def propose_correction(
    match: Match, hands: DealHands, photo: str = ""
) -> CorrectionProposal | None:
    """Return the corrections proposed for the current deal; None if there are none."""
    records = counted_hands(match, hands)
    ways = propose_mends(records)
    if not ways:
        return None
    return CorrectionProposal(
        says=_describe_likeliest(ways[0]),
        blamed=tuple(_misread_tile(each, records) for each in ways[0]),
        offers=tuple(_correction_offer(way, records) for way in ways),
        whole=photo,
    )


@mending_pages.post("/")
def accept() -> AnyResponse:
    """Apply the correction that the page proposed, if it would still be proposed."""
    match, asked_way = current_match(), form().word("way")
    hands = counted_hands(match, load_deal_hands(match, records().hands))
    for way in propose_mends(hands):
        if _offer_value(way, hands) == asked_way:
            for each in way:
                change = TileCorrected(each.place, each.code, by=phone_player(match))
                records().hands.change(hands[each.player].id, change)
    if photo := form().word("whole"):
        return redirect_to("whole.show", photo=photo)
    return redirect_to_next_step(current_match())


def _describe_likeliest(way: TileMend) -> str:
    tiles = say("matches.and").join(
        say("mend.tile", player=each.player, number=each.place + 1, tile=tile_name(each.code))
        for each in way
    )
    return say("mend.likeliest", tiles=tiles)


def _misread_tile(change: TileChange, records: HandsByPlayer) -> MisreadTile:
    record = records[change.player]
    read = record.tiles[change.place].read
    title = say("mend.picture", player=change.player, number=change.place + 1)
    return MisreadTile(
        change.player,
        record,
        photo_overlay.tile_crop(read.quad) if read and record.photo else None,
        title,
    )


def _correction_offer(way: TileMend, records: HandsByPlayer) -> CorrectionOffer:
    names = say("matches.and").join(tile_name(each.code) for each in way)
    symbols = tuple(tiles.symbol(each.code) for each in way)
    return CorrectionOffer(_offer_value(way, records), say("mend.is", tiles=names), symbols)


def _offer_value(way: TileMend, records: HandsByPlayer) -> str:
    return " ".join(f"{records[each.player].id}:{each.place}:{each.code}" for each in way)


@dataclass(frozen=True, slots=True)
class TileConflict:
    """One conflict between hands."""

    players: frozenset[str]
    """The players whose hands conflict."""
    says: str
    is_of_photo: bool
    """A photograph was used twice; otherwise there are too many of a tile."""


@dataclass(frozen=True, slots=True)
class ConflictSentences:
    """The conflicts of a deal in words."""

    photos: tuple[str, ...] = ()
    """One for each photograph that was used twice."""
    tiles: tuple[str, ...] = ()
    """One for each tile of which there are too many."""
    likeliest: tuple[str, ...] = ()
    """The likely misreading, where one is known."""

    @property
    def all(self) -> tuple[str, ...]:
        """All sentences, the most urgent first."""
        return self.photos + self.tiles + self.likeliest

    def __bool__(self) -> bool:
        return bool(self.photos or self.tiles)


def find_conflicts(match: Match, hands: DealHands) -> tuple[TileConflict, ...]:
    """Return all conflicts in the current deal, those of photographs first.

    In a wash-out no hand scores, so nothing conflicts.
    """
    if match.deal.ending and match.deal.ending.winner is None:
        return ()
    conflicts = tuple(
        TileConflict(
            frozenset({each.player, each.other} if each.deal is None else {each.player}),
            _describe_repeat(each),
            is_of_photo=True,
        )
        for each in find_duplicates(match, hands)
    )
    return conflicts + tuple(
        TileConflict(
            frozenset(each.by_player),
            say_count(
                "counted.too-many",
                copies_in_set(BY_CODE[each.code]),
                tile=tile_name(each.code),
                shown=sum(each.by_player.values()),
                who=", ".join(f"{player} {number}" for player, number in each.by_player.items()),
            ),
            is_of_photo=False,
        )
        for each in find_excess_tiles(counted_hands(match, hands))
    )


def describe_conflicts(match: Match, hands: DealHands, player: str = "") -> ConflictSentences:
    """Return a sentence for each conflict.

    With a player, only for those of that player's hand, with the likely misreading.
    """
    conflicts = [
        each for each in find_conflicts(match, hands) if not player or player in each.players
    ]
    mending = propose_correction(match, hands) if player and conflicts else None
    return ConflictSentences(
        tuple(each.says for each in conflicts if each.is_of_photo),
        tuple(each.says for each in conflicts if not each.is_of_photo),
        (mending.says,) if mending and player in mending.players else (),
    )


def _describe_repeat(duplicate: DuplicatePhoto) -> str:
    if duplicate.deal is not None:
        return say(
            "counted.photo-of-deal",
            player=duplicate.player,
            other=duplicate.other,
            deal=duplicate.deal,
        )
    if duplicate.player == duplicate.other:
        return say("counted.photo-again", player=duplicate.player)
    return say("counted.photo-twice", player=duplicate.player, other=duplicate.other)
