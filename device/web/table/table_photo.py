"""Read all hands of a deal from one photograph of the table, taken from above.

The page asks who sits at the bottom of the picture, then shows all hands to check.
"""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, Response, abort, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.hands.record import HandRecord
from device.intake import MatchHand, NewTablePhoto
from device.matches.match import Match
from device.matches.repository import OvertakenError
from device.matches.seats import SeatHand, load_deal_hands, scores_by_player, seat_hands
from device.matches.table_photo import CAMERA_SOURCE, TablePhoto, TablePhotos, players_by_side
from device.store.events import HandsAgreed, TableReadingAsked
from device.views import tiles
from device.views.hand_page import find_open_points, job_stages, reader_notes
from device.web.box_camera import take_still
from device.web.contexts import photo_desk, records
from device.web.fields import form
from device.web.hand_page import photo_response
from device.web.links import redirect_to
from device.web.table.current_match import (
    change_match,
    current_match,
    match_at_page_deal,
    page_deal,
    phone_player,
    player_at,
    player_number,
    redirect_to_next_step,
    seen_version,
)
from device.web.table.deal import is_uncounted
from device.web.table.tile_conflicts import describe_conflicts, propose_correction
from device.web.uploads import ask_about_table_photo, read_upload
from vision.reading import Side

pages = Blueprint("whole", __name__, url_prefix="/table/whole")


@dataclass(frozen=True, slots=True)
class PhotographedHand:
    """One hand of the photograph, to check."""

    seat: SeatHand
    number: int
    symbols: tuple[tuple[str, ...], ...]
    """The symbols of its tiles, by set."""
    doubtful: int
    """The number of tiles that the box asks about."""
    asks: bool
    """Whether the box has other open questions, such as how the sets lie."""

    @property
    def looks_right(self) -> bool:
        """Whether the hand has a score and no open question."""
        return self.seat.score is not None and not (self.doubtful or self.asks)


@dataclass(frozen=True, slots=True)
class TableSide:
    """One side of the picture, and the player who sits there."""

    side: Side
    player: str
    wind: str
    number: int


@pages.post("/")
def give() -> AnyResponse:
    """Receive a phone's photograph of the whole table.

    One that was sent for a deal that is over begins a hand, whose page offers it for this deal.
    """
    match = current_match()
    if not match.is_at_deal(page_deal()):
        hand = photo_desk().intake.take(read_upload, MatchHand(match, "", phone_player(match)))
        return redirect_to("hand.show", hand=hand)
    return _redirect_to_photo(
        photo_desk().intake.take(
            read_upload, NewTablePhoto(match, phone_player(match), phone_player(match))
        )
    )


@pages.post("/snap")
def snap() -> AnyResponse:
    """Photograph the whole table with the box's own camera."""
    match = match_at_page_deal()
    return _redirect_to_photo(
        photo_desk().intake.take(
            take_still, NewTablePhoto(match, CAMERA_SOURCE, phone_player(match))
        )
    )


@pages.post("/of/<id:hand>")
def of_hand(hand: str) -> AnyResponse:
    """Read the photograph of one hand as a photograph of the whole table."""
    match, record = match_at_page_deal(), records().hands.get(hand)
    if record.photo is None or record.match != match.id:
        abort(404)
    if hand not in match.deal.holders and not is_uncounted(match, hand):
        raise OvertakenError(match)
    photo = _table_photos().begin_kept(
        match, phone_player(match), record.photo, phone_player(match)
    )
    photo_desk().jobs.submit("whole-table", photo)
    return _redirect_to_photo(photo)


@pages.get("/<id:photo>")
def show(photo: str) -> str | AnyResponse:
    """Ask who sits where, then show the hands, first those with open questions."""
    stage = photo_desk().jobs.stage(photo)  # read before the photo, so that no stage is missed
    match, table = current_match(), _table_photos().get(photo)
    if not _is_current(table, match):  # somebody has settled the deal meanwhile
        return redirect(url_for("table.show"))
    if table.doubts:
        return ask_about_table_photo(table)
    if not table.bottom:
        return render_template(
            "table/whole_bottom.html", match=match, table=table, players=_player_choices(match)
        )
    photographed_hands = _photographed_hands(match)
    deal_hands = load_deal_hands(match, records().hands)
    conflicts = describe_conflicts(match, deal_hands).all if table.is_read else ()
    are_given = any(hand.seat.given.hand in table.hands.values() for hand in photographed_hands)
    return render_template(
        "table/whole.html",
        match=match,
        table=table,
        busy=stage is not None and not (table.is_read and are_given),
        stages=job_stages("whole-table", stage),
        places=_table_sides(match, table),
        turned=player_number(match, _next_at_bottom(match, table)),
        looked=sorted(photographed_hands, key=lambda hand: hand.looks_right),
        right=sum(hand.looks_right for hand in photographed_hands),
        too_many=conflicts,
        mending=propose_correction(match, deal_hands, photo=photo) if conflicts else None,
        all_right=all(hand.looks_right for hand in photographed_hands),
    )


@pages.get("/<id:photo>/photo.jpg")
def picture(photo: str) -> Response:
    """Return the photograph for display, with nothing painted on it."""
    _, table = _current_photo(photo)
    return photo_response(table.photo.display)


@pages.post("/<id:photo>/bottom")
def say_bottom(photo: str) -> AnyResponse:
    """Save who sits at the bottom of the picture. The others follow in the order of play."""
    match, _ = _current_photo(photo)
    player = player_at(match, form().place("number"))
    if player not in match.course.next_deal.seats.values():
        abort(404)
    _table_photos().say_bottom(photo, player)
    _table_photos().give_hands(photo, phone_player(match))
    return _redirect_to_photo(photo)


@pages.post("/<id:photo>/again")
def again(photo: str) -> AnyResponse:
    """Read a photograph again whose reading failed or was interrupted."""
    match, table = _current_photo(photo)
    if not table.is_read and photo_desk().jobs.stage(photo) is None:
        _table_photos().change(photo, TableReadingAsked(by=phone_player(match)))
        photo_desk().jobs.submit("whole-table", photo)
    return _redirect_to_photo(photo)


@pages.post("/<id:photo>/right")
def agree(photo: str) -> AnyResponse:
    """Save that somebody confirms all hands without open questions."""
    match, _ = _current_photo(photo)
    right = [each.seat for each in _photographed_hands(match) if each.looks_right]
    right = [seat for seat in right if not seat.given.agreed]
    if right:
        hands = {seat.player: seat.given.hand for seat in right}
        event = HandsAgreed(hands, scores_by_player(tuple(right)))
        change_match(match, event, seen_version())
    return redirect_to_next_step(current_match())


def _current_photo(photo: str) -> tuple[Match, TablePhoto]:
    """Return the match and the photograph. Answer 404 if the photo is of another deal."""
    match, table = current_match(), _table_photos().get(photo)
    if not _is_current(table, match):
        abort(404)
    return match, table


def _is_current(table: TablePhoto, match: Match) -> bool:
    return (table.match, table.deal) == (match.id, match.course.next_deal.number)


def _table_photos() -> TablePhotos:
    return TablePhotos(records().hands)


def _redirect_to_photo(photo: str) -> AnyResponse:
    return redirect_to("whole.show", photo=photo)


def _photographed_hands(match: Match) -> list[PhotographedHand]:
    return [_photographed_hand(match, seat) for seat in seat_hands(match, records().hands)]


def _photographed_hand(match: Match, seat: SeatHand) -> PhotographedHand:
    record = seat.record
    sets = record.assembled_hand.sets if record else ()
    in_order = sorted(sets, key=lambda tile_set: tiles.ROWS.index(tile_set.row))
    return PhotographedHand(
        seat=seat,
        number=player_number(match, seat.player),
        symbols=tuple(
            tuple(tiles.symbol(code) for code in tile_set.codes) for tile_set in in_order
        ),
        doubtful=len(tiles.doubtful_places(record)) if record else 0,
        asks=record is not None and not seat.given.agreed and _has_questions(record),
    )


def _has_questions(record: HandRecord) -> bool:
    """Whether the hand has a note, or an open question that is not about a single tile."""
    return bool(reader_notes(record)) or any(
        point.code != "tile" for point in find_open_points(record)
    )


def _table_sides(match: Match, table: TablePhoto) -> tuple[TableSide, ...]:
    winds = match.course.next_deal.seating.winds
    return tuple(
        TableSide(side, player, winds[player], player_number(match, player))
        for side, player in players_by_side(table, match).items()
    )


def _next_at_bottom(match: Match, table: TablePhoto) -> str:
    """Return the player at the bottom after the names are rotated by one seat."""
    players = list(match.course.next_deal.seats.values())
    return players[(players.index(match.current_name_of(table.bottom)) + 1) % len(players)]


def _player_choices(match: Match) -> list[dict[str, object]]:
    """Return the players to choose from, the phone's own player first."""
    seats = match.course.next_deal.seats
    order = sorted(seats.items(), key=lambda item: item[1] != phone_player(match))
    return [
        {"player": player, "wind": wind, "number": player_number(match, player)}
        for wind, player in order
    ]
