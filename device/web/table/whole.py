"""All hands of a deal by one photograph from above: who sits where in it, then one look at all."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.cameras.frames import STILL_QUALITY, jpeg
from device.hands.readings import PhotoReader
from device.hands.repository import ChangeRefusedError
from device.i18n.words import wind_name
from device.matches.match import Match
from device.matches.seats import SeatHand, seat_hands
from device.matches.whole_table import (
    CAMERA,
    TablePhoto,
    TablePhotos,
    hands_given,
    seated,
)
from device.views import tableau
from device.web.box import Box, box
from device.web.capture import the_still
from device.web.hand import photo_response
from device.web.table.here import match_here, me, next_step, number_of, player_at, seen
from device.web.table.tile_counts import too_many_in_words
from device.web.uploads import uploaded
from vision.errors import PhotoError
from vision.photo import Photo, open_photo
from vision.reading import Problem, Row, Side

pages = Blueprint("whole", __name__, url_prefix="/table/whole")

_ORDER: tuple[Row, ...] = ("exposed", "concealed", "bonus")


@dataclass(frozen=True, slots=True)
class Looked:
    """One hand of the photograph, to be looked at."""

    seat: SeatHand
    number: int
    wind_name: str
    symbols: tuple[tuple[str, ...], ...]
    """Its tiles as drawn, set by set."""
    doubtful: int
    """How many tiles the box asks about."""

    @property
    def looks_right(self) -> bool:
        """There is a score, and nothing that the box asks about."""
        return self.seat.score is not None and not self.doubtful


@dataclass(frozen=True, slots=True)
class Place:
    """One side of the picture."""

    side: Side
    player: str
    wind: str
    number: int


@pages.post("/")
def give() -> AnyResponse:
    """Take in a phone's photograph of the whole table."""
    name, data = uploaded()
    match = match_here()
    return _begun(match, me(match), open_photo(data, name), data)


@pages.post("/snap")
def snap() -> AnyResponse:
    """Photograph the whole table with the box's own camera."""
    frame = the_still()
    photo = Photo("camera.jpg", frame.rgb)
    return _begun(match_here(), CAMERA, photo, jpeg(frame.rgb, STILL_QUALITY))


@pages.get("/<photo>")
def show(photo: str) -> str | AnyResponse:
    """Ask who sits where, then show the hands; those with something to ask come first."""
    match, table = match_here(), _photos(box()).get(photo)
    if not _is_of(table, match):  # somebody has settled the deal while this phone looked on
        return redirect(url_for("table.show"))
    if not table.bottom:
        return render_template("table/whole_bottom.html", table=table, players=_players(match))
    busy = box().jobs.stage(photo) is not None
    looked = _looked(match)
    return render_template(
        "table/whole.html",
        match=match,
        table=table,
        busy=busy and not table.is_read,
        places=_places(match, table),
        turned=number_of(match, _turned(match, table)),
        looked=sorted(looked, key=lambda each: each.looks_right),
        right=sum(each.looks_right for each in looked),
        too_many=too_many_in_words(match) if table.is_read else (),
        all_right=all(each.looks_right for each in looked),
    )


@pages.get("/<photo>/photo.jpg")
def picture(photo: str) -> Response:
    """Return the photograph, clean."""
    _, table = _here(photo)
    return photo_response(table.photo.display)


@pages.post("/<photo>/bottom")
def say_bottom(photo: str) -> AnyResponse:
    """Keep who sits at the bottom of the picture; the others follow in the order of play."""
    match, _ = _here(photo)
    player = player_at(match, request.form.get("number", 0, int))
    if player not in match.course.next_deal.seats.values():
        abort(404)
    _photos(box()).say_bottom(photo, player)
    _deal_out(box(), photo, me(match))
    return redirect(url_for("whole.show", photo=photo), 303)


@pages.post("/<photo>/again")
def again(photo: str) -> AnyResponse:
    """Let a photograph be read once more that could not be, or was interrupted."""
    match, table = _here(photo)
    if not table.is_read and box().jobs.stage(photo) is None:
        _submit(table, me(match))
    return redirect(url_for("whole.show", photo=photo), 303)


@pages.post("/<photo>/right")
def agree(photo: str) -> AnyResponse:
    """Take somebody's word that the hands are right of which the box has nothing to ask."""
    match, _ = _here(photo)
    hands = {each.seat.player: each.seat.given.hand for each in _looked(match) if each.looks_right}
    hands = {player: hand for player, hand in hands.items() if not match.deal.given(player).agreed}
    if hands:
        said = {"hands": hands}
        box().tables.change(match.id, "hands-agreed", said, by=me(match), seen=seen())
    return next_step(match_here())


def _here(photo: str) -> tuple[Match, TablePhoto]:
    """Return the match and the photograph; answer 404 for one of another deal."""
    match, table = match_here(), _photos(box()).get(photo)
    if not _is_of(table, match):
        abort(404)
    return match, table


def _is_of(table: TablePhoto, match: Match) -> bool:
    return (table.match, table.deal) == (match.id, match.course.next_deal.number)


def _photos(the_box: Box) -> TablePhotos:
    return TablePhotos(the_box.records)


def _begun(match: Match, source: str, photo: Photo, data: bytes) -> AnyResponse:
    if not box().jobs.has_room:
        abort(503)
    made = _photos(box()).begin(match, source, photo, data)
    _submit(_photos(box()).get(made), me(match))
    return redirect(url_for("whole.show", photo=made), 303)


def _submit(table: TablePhoto, by: str) -> None:
    """Put the photograph in the queue."""
    the_box = box()
    match = match_here()

    def read(reader: PhotoReader) -> None:
        the_box.sets.teach(reader)
        try:
            photo = open_photo(the_box.records.picture(table.photo.original), table.photo.name)
            found = reader.read_table(photo, rules=match.game.ruleset)
        except PhotoError as error:
            fail(Problem(error.code, error.message))
            return
        _photos(the_box).was_read(table.id, found, match.game.ruleset)
        # Where the deal has been settled meanwhile, its hands are no longer wanted.
        with suppress(ChangeRefusedError):
            _deal_out(the_box, table.id, by)

    def fail(problem: Problem) -> None:
        _photos(the_box).not_read(table.id, problem)

    the_box.jobs.lend(table.id, read, fail)


def _deal_out(the_box: Box, photo: str, by: str) -> None:
    """Give the hands in for their players, once they are read and it is said who sits where."""
    table = _photos(the_box).get(photo)
    match = the_box.tables.get(table.match)
    hands = hands_given(table, match) if table.is_read and table.bottom else {}
    if hands:
        said = {"hands": hands, "deal": table.deal}
        the_box.tables.change(match.id, "hands-given", said, by=by)


def _looked(match: Match) -> list[Looked]:
    return [_look(match, seat) for seat in seat_hands(match, box().records)]


def _look(match: Match, seat: SeatHand) -> Looked:
    record = seat.record
    laid = record.assembled().sets if record else ()
    in_order = sorted(laid, key=lambda each: _ORDER.index(each.row))
    return Looked(
        seat=seat,
        number=number_of(match, seat.player),
        wind_name=wind_name(seat.wind),
        symbols=tuple(tuple(tableau.symbol(code) for code in each.codes) for each in in_order),
        doubtful=len(tableau.doubtful_places(record)) if record else 0,
    )


def _places(match: Match, table: TablePhoto) -> tuple[Place, ...]:
    winds = match.course.next_deal.seating.winds
    return tuple(
        Place(side, player, winds[player], number_of(match, player))
        for side, player in seated(table, match).items()
    )


def _turned(match: Match, table: TablePhoto) -> str:
    """Return who sits at the bottom once the names are turned by one place."""
    players = list(match.course.next_deal.seats.values())
    return players[(players.index(table.bottom) + 1) % len(players)]


def _players(match: Match) -> list[dict[str, object]]:
    """Return the players for the question, the phone's own first."""
    seats = match.course.next_deal.seats
    order = sorted(seats.items(), key=lambda each: each[1] != me(match))
    return [
        {"player": player, "wind": wind, "number": number_of(match, player)}
        for wind, player in order
    ]
