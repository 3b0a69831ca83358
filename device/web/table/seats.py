"""Change who sat where in a match, before or after its deals, after showing what that changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.club.tournament.repository import TournamentRepository
from device.i18n.words import say, wind_name
from device.matches.corrections import apply_correction, plan_seats
from device.matches.match import Match
from device.matches.seats import seat_hands
from device.views.table.correction_changes import (
    NO_CHANGES,
    correction_changes,
    describe_recounts,
)
from device.web.contexts import records
from device.web.fields import FieldsSent, form, query
from device.web.links import redirect_to
from device.web.table.current_match import (
    change_match,
    describe_problem,
    match_to_correct,
    player_number,
    players_numbered,
    seen_version,
)
from scorer.errors import ScorerError
from scorer.match.seating import FIRST_SEATS, Seating, first_seating

pages = Blueprint("seats", __name__, url_prefix="/match/<id:match>/seats")

_REFUSED_STATUS = 422


@dataclass(frozen=True, slots=True)
class Places:
    """Who sits where at the first deal."""

    order: tuple[str, ...]
    """In order of play from East; a fifth sits out."""
    winds: str
    """The winds of those who play, East first."""

    @property
    def seating(self) -> Seating:
        """The seating of the first deal."""
        return first_seating(self.order, self.winds)

    def swap(self, player: str, other: str) -> Places:
        """Return the places after two players changed theirs."""
        new_player = {player: other, other: player}
        return Places(tuple(new_player.get(each, each) for each in self.order), self.winds)

    def with_east(self, player: str) -> Places:
        """Return the places with another first East; nobody moves."""
        seats = self.seating.with_east(player).seats
        return Places((*seats.values(), *self.order[len(seats) :]), "".join(seats))


@dataclass(frozen=True, slots=True)
class PlaceView:
    """One player's place on the page."""

    player: str
    wind: str
    """Empty for a fifth player, who sits out the first deal."""
    wind_name: str
    is_chosen: bool
    """The player was tapped and waits for the other one."""
    fields: dict[str, Any]
    """What the address of the next page says when the player is tapped."""


@pages.get("/")
def show(match: str) -> tuple[str, int]:
    """Show who sat where, and what the chosen places change."""
    found_match = match_to_correct(match)
    return _places_page(found_match, _read_places(found_match, query()))


@pages.post("/")
def save(match: str) -> tuple[str, int] | AnyResponse:
    """Save the places, with the scores that the right winds give."""
    found_match = match_to_correct(match)
    places = _read_places(found_match, form())
    if places != _places_of(found_match):
        try:
            event = plan_seats(found_match, places.order, places.winds, records().hands)
        except ScorerError:
            return _places_page(found_match, places)
        change_match(found_match, event, seen_version())
    if found_match.past or found_match.ended:
        return redirect_to("history.show", match=match)
    return redirect_to("table.show")


def seats_address(match: Match, player: str, other: str | None) -> str:
    """Return the address that shows two players in each other's places; with None, the seats."""
    places = _places_of(match).swap(player, other) if other else _places_of(match)
    return url_for("seats.show", match=match.id, **_address_fields(match, places))


def _places_of(match: Match) -> Places:
    game = match.game
    return Places(game.order_of_play, game.seats or FIRST_SEATS[len(game.players)])


def _read_places(match: Match, fields: FieldsSent) -> Places:
    """Return the places in the fields; without any, those of the match."""
    current_places = _places_of(match)
    if "order" not in fields:
        return current_places
    order = players_numbered(match, fields.numbers("order"), everybody=True)
    return Places(order, fields.choice("winds", _winds_to_choose(match), current_places.winds))


def _winds_to_choose(match: Match) -> tuple[str, ...]:
    """Return the winds that the first deal can have when another player is its East."""
    places = _places_of(match)
    return tuple(places.with_east(player).winds for player in places.seating.winds)


def _places_page(match: Match, places: Places) -> tuple[str, int]:
    chosen_number = query().place("chosen", default=None)
    chosen_player = (
        match.game.players[chosen_number]
        if chosen_number is not None and chosen_number < len(match.game.players)
        else ""
    )
    after, wrong = _try_places(match, places)
    changes = correction_changes(match, after, None) if after else NO_CHANGES
    page = render_template(
        "table/seats.html",
        match=match,
        chosen=chosen_player,
        places=[_place_view(match, places, player, chosen_player) for player in places.order],
        first_east=places.order[0],
        easts=[
            (player, _address_fields(match, places.with_east(player)))
            for player in sorted(places.seating.winds, key=match.game.players.index)
        ],
        fields=_address_fields(match, places),
        is_changed=places != _places_of(match),
        found=changes,
        totals=[
            (player, total, after.course.totals[player])
            for player, total in match.course.totals.items()
        ] if after and match.past else [],
        recounts=describe_recounts(match, after, records().hands) if after else (),
        hands=_changed_hands(match, after)
        if after and match.deal.ending and match.deal.ending.winner else [],
        typed=any(_is_typed(match, each.number) for each in changes.later),
        wrong=wrong,
        played_in=TournamentRepository(records().store).of_match(match.id) if match.table
        else None,
    )  # fmt: skip
    return page, _REFUSED_STATUS if wrong else 200


def _changed_hands(match: Match, after: Match) -> list[tuple[str, int, int]]:
    """Return the players of this deal whose hands get another score, with both scores."""
    scores = {each.player: each.score for each in seat_hands(after, records().hands)}
    return [
        (each.player, each.score, score)
        for each in seat_hands(match, records().hands)
        if each.score is not None and (score := scores.get(each.player)) is not None
        and score != each.score
    ]  # fmt: skip


def _try_places(match: Match, places: Places) -> tuple[Match | None, list[str]]:
    """Return the match in these places, and what makes them impossible."""
    if places == _places_of(match):
        return None, []
    try:
        event = plan_seats(match, places.order, places.winds, records().hands)
        return apply_correction(match, event), []
    except ScorerError as error:
        return None, [describe_problem(match, each.message) for each in error.problems]


def _is_typed(match: Match, number: int) -> bool:
    """Whether a deal has a score that was typed, which no other wind changes."""
    past = match.past_deal(number)
    return past is not None and any(each.typed is not None for each in past.state.hands.values())


def _place_view(match: Match, places: Places, player: str, chosen_player: str) -> PlaceView:
    wind = places.seating.winds.get(player, "")
    fields = _address_fields(match, places)
    if not chosen_player:
        fields |= {"chosen": player_number(match, player)}
    elif player != chosen_player:
        fields = _address_fields(match, places.swap(player, chosen_player))
    name = wind_name(wind) if wind else say("seats.out")
    return PlaceView(player, wind, name, player == chosen_player, fields)


def _address_fields(match: Match, places: Places) -> dict[str, Any]:
    numbers = (str(player_number(match, player)) for player in places.order)
    return {"order": " ".join(numbers), "winds": places.winds}
