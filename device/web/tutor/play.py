"""Play a practice deal against the box: begin it, and one move after the other.

The deal belongs to a learner by name. It is kept after each move, so that it can be left and gone
on with on any phone.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice

from flask import Blueprint, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.hands.record import HandRecord
from device.i18n.words import say
from device.store import TornEventError
from device.store.errors import ConcurrentChangeError, UnknownStreamError
from device.store.events import PracticeDealBegun
from device.tutoring.practice_deals import PracticeDealRecord
from device.views.tutor.play import find_photo_rack, list_open_deals, play_view
from device.web.contexts import records
from device.web.cookies import keep_cookie
from device.web.fields import MAX_PHOTO_TILES, form, query
from device.web.links import redirect_to
from device.web.phone_identity import pupil_name
from device.web.table.hand_in_match import find_hand
from device.web.tutor.practice import MAX_SEEDS, name_choices
from device.web.tutor.rules import agreement_in_force
from scorer.match.seating import FIRST_SEATS
from scorer.play.moves import MOVE_KINDS, Move, PlayError
from scorer.play.setup import SMALL_GAME_SUITS, WHOLE_GAME_TILES, DealSetup, check_setup

pages = Blueprint("play", __name__, url_prefix="/practise/deal")

DEAL_EXERCISE = "deal"
"""The key of this exercise in the log; its levels are the games."""

GAMES = tuple(map(str, (*SMALL_GAME_SUITS, WHOLE_GAME_TILES)))
"""The games by the tiles of a player."""

LEVELS = ("gentle", "plain", "sharp")

MAX_DEALS_SHOWN = 3
"""Deals that are offered to go on with."""

DEAL_COOKIE = "deal"
"""Holds the id of the deal that the phone began last, for learners without a name."""

_COOKIE_AGE_S = 30 * 24 * 3600

_PLACES = tuple(map(str, range(MAX_PHOTO_TILES)))
"""The places of tiles, as forms say them."""

_REFUSED_STATUS, _OUTDATED_STATUS = 422, 409


@pages.get("/")
def show() -> str:
    """Show the games and opponents to choose from, and the deals to go on with."""
    return _start_page()


def _start_page(problem: str = "") -> str:
    game = query().choice("game", GAMES, default=GAMES[0])
    return render_template(
        "tutor/play_start.html",
        deals=tuple(islice(list_open_deals(_find_deals()), MAX_DEALS_SHOWN)),
        choices=name_choices(then=url_for("play.show", game=game)),
        games=GAMES,
        levels=LEVELS,
        progress=records().practice.progress(pupil_name()),
        counts=_player_counts(),
        game=game,
        problem=problem,
    )


@pages.post("/")
def begin() -> AnyResponse:
    """Begin a deal by the rules of the table. In a small game the learner is East."""
    hand_size = int(form().choice("game", GAMES))
    setup = replace(_read_setup(), hand_size=hand_size)
    return _begin(setup, "E" if setup.is_small else secrets.choice(setup.seats))


@pages.get("/hand/<id:hand>/")
def rack(hand: str) -> str:
    """Show the tiles of a photographed hand, to begin a deal with."""
    return _rack_page(hand, None)


@pages.post("/hand/<id:hand>/")
def begin_with_hand(hand: str) -> AnyResponse | tuple[str, int]:
    """Begin a deal with these tiles, or say why they cannot be a rack."""
    values = form().words("tile", _PLACES)
    try:
        setup = _setup_with_hand(find_hand(hand).record, values)
        return _begin(setup, setup.rack_seat, hand)
    except PlayError:
        return _rack_page(hand, values), _REFUSED_STATUS


def _rack_page(hand: str, values: tuple[str, ...] | None) -> str:
    record = find_hand(hand).record
    problem = ""
    try:
        check_setup(_setup_with_hand(record, values), agreement_in_force().rules)
    except PlayError as error:
        problem = say(error.problems[0].message)
    return render_template(
        "tutor/play_rack.html",
        hand=hand,
        rack=find_photo_rack(record, values),
        levels=LEVELS,
        counts=_player_counts(),
        problem=problem,
    )


def _setup_with_hand(record: HandRecord, values: tuple[str, ...] | None) -> DealSetup:
    rack = find_photo_rack(record, values)
    return rack.to_setup(_read_setup(), record.situation.seat_wind)


def _read_setup() -> DealSetup:
    """Return the setup of a deal by the rules in force, for the number of players in the form."""
    agreement, counts = agreement_in_force(), _player_counts()
    players = int(form().choice("players", tuple(map(str, counts)), default=str(counts[-1])))
    return DealSetup(
        seed=secrets.randbelow(MAX_SEEDS),
        seats=FIRST_SEATS[players],
        players=players,
        ruleset=agreement.ruleset,
        limit=agreement.limit,
        house=agreement.house,
    )


@pages.post("/<id:deal>/goulash")
def begin_goulash(deal: str) -> AnyResponse:
    """Begin the goulash that follows a wash-out, with the same players in the same seats."""
    return _lead_to(records().practice_deals.begin_goulash(deal, secrets.randbelow(MAX_SEEDS)))


def _begin(setup: DealSetup, seat: str, hand: str = "") -> AnyResponse:
    start = PracticeDealBegun(
        setup=setup.to_json(),
        seat=seat,
        level=form().choice("level", LEVELS),  # type: ignore[arg-type]
        name=pupil_name(),
        rules_text=agreement_in_force().rules_text,
        hand=hand,
    )
    return _lead_to(records().practice_deals.begin(start))


def _lead_to(deal: str) -> AnyResponse:
    """Lead to a deal, and let the phone offer it again."""
    return keep_cookie(_redirect_to_deal(deal), DEAL_COOKIE, deal, age_s=_COOKIE_AGE_S)


@pages.get("/<id:deal>/")
def deal(deal: str) -> str | tuple[str, int]:
    """Show the table, the learner's tiles and what may be done now."""
    fields = query()
    try:
        with records().practice_deals.open(deal) as live:
            is_fresh = fields.seq("seen", 0) == live.record.version
            places, with_advice = fields.words("tile", _PLACES), fields.flag("advice")
            view = play_view(live, places, with_advice=with_advice) if is_fresh else play_view(live)
            is_late = fields.flag("late")
            return render_template("tutor/play.html", record=live.record, view=view, late=is_late)
    except PlayError as error:  # from another version of the box
        return _start_page(say(error.problems[0].message)), _OUTDATED_STATUS


@pages.post("/<id:deal>/move")
def move(deal: str) -> AnyResponse:
    """Make the learner's move, and those of the players of the box."""
    fields, deals = form(), records().practice_deals
    chosen_move = Move(
        deals.get(deal).seat,
        fields.choice("kind", MOVE_KINDS),  # type: ignore[arg-type]
        tuple(fields.word("tiles").split()[:4]),
        fields.flag("fishing"),
    )
    deals.play(deal, fields.seq("seen"), chosen_move)
    _mark_deal(deal)
    return _redirect_to_deal(deal)


def _mark_deal(deal: str) -> None:
    """Save how many moves gave little away, once the deal is over."""
    with records().practice_deals.open(deal) as live:
        start, game = live.record.start, live.record.setup.hand_size
    review = live.review
    if review and review.moves:
        records().practice.mark(
            start.name,
            DEAL_EXERCISE,
            str(game),
            right=review.good_moves,
            asked=review.moves,
            run=deal,
        )


@pages.post("/<id:deal>/back")
def take_back(deal: str) -> AnyResponse:
    """Take the last move back."""
    records().practice_deals.take_back(deal, form().seq("seen"))
    return _redirect_to_deal(deal)


@pages.post("/<id:deal>/coach")
def switch_coach(deal: str) -> AnyResponse:
    """Switch the coach on or off."""
    fields = form()
    records().practice_deals.switch_coach(deal, fields.seq("seen"), coach=fields.flag("coach"))
    return _redirect_to_deal(deal)


@pages.errorhandler(ConcurrentChangeError)
def show_late(_: ConcurrentChangeError) -> AnyResponse:
    """Show the deal as it is now after a tap on an old page, which did nothing."""
    return redirect_to("play.deal", **(request.view_args or {}), late="yes")


def _player_counts() -> tuple[int, ...]:
    """Return the numbers of players that can play by the rules in force."""
    return tuple(each for each in (2, 3, 4) if each in agreement_in_force().rules.players)


def _find_deals() -> Iterator[PracticeDealRecord]:
    """Yield the learner's deals, the newest first; without a name, the phone's last one."""
    if name := pupil_name():
        yield from records().practice_deals.of_learner(name)
    elif deal := request.cookies.get(DEAL_COOKIE, ""):
        with suppress(UnknownStreamError, TornEventError):
            yield records().practice_deals.get(deal)


def _redirect_to_deal(deal: str) -> AnyResponse:
    return redirect_to("play.deal", deal=deal)
