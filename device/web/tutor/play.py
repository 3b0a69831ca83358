"""Play a practice deal against the box: begin it, and one move after the other.

The deal belongs to a learner by name. It is kept after each move, so that it can be left and gone
on with on any phone.
"""

from __future__ import annotations

import secrets

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.store.events import PracticeDealBegun
from device.views.tutor.play import play_view
from device.web.contexts import records
from device.web.fields import form, query
from device.web.phone_identity import pupil_name
from device.web.tutor.practice import MAX_SEEDS, name_choices
from device.web.tutor.rules import agreement_in_force
from scorer.match.seating import FIRST_SEATS
from scorer.play.moves import MOVE_KINDS, Move
from scorer.play.setup import SMALL_GAME_SUITS, WHOLE_GAME_TILES, DealSetup

pages = Blueprint("play", __name__, url_prefix="/practise/deal")

GAMES = tuple(map(str, (*SMALL_GAME_SUITS, WHOLE_GAME_TILES)))
"""The games by the tiles of a player."""

LEVELS = ("gentle", "plain", "sharp")


@pages.get("/")
def show() -> str:
    """Show the games and opponents to choose from, and the deals to go on with."""
    name = pupil_name()
    deals = [each for each in records().practice_deals.of_learner(name) if not each.is_over]
    return render_template(
        "tutor/play_start.html",
        deals=deals[:3],
        choices=name_choices(),
        games=GAMES,
        levels=LEVELS,
        counts=player_counts(),
        game=query().choice("game", GAMES, default=GAMES[0]),
    )


@pages.post("/")
def begin() -> AnyResponse:
    """Begin a deal by the rules of the table."""
    agreement, fields = agreement_in_force(), form()
    players = int(fields.choice("players", tuple(map(str, player_counts()))))
    setup = DealSetup(
        seed=secrets.randbelow(MAX_SEEDS),
        seats=FIRST_SEATS[players],
        players=players,
        hand_size=int(fields.choice("game", GAMES)),
        ruleset=agreement.ruleset,
        limit=agreement.limit,
        house=agreement.house,
    )
    start = PracticeDealBegun(
        setup=setup.to_json(),
        seat="E",
        level=fields.choice("level", LEVELS),  # type: ignore[arg-type]
        name=pupil_name(),
        rules_text=agreement.rules_text,
    )
    return _redirect_to_deal(records().practice_deals.begin(start))


@pages.get("/<id:deal>/")
def deal(deal: str) -> str:
    """Show the table, the learner's tiles and what may be done now."""
    fields = query()
    with records().practice_deals.open(deal) as live:
        is_fresh = fields.seq("seen", 0) == live.record.version
        view = play_view(
            live, fields.word("tile") if is_fresh else "", with_advice=fields.flag("advice")
        )
        return render_template("tutor/play.html", record=live.record, view=view)


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
    return _redirect_to_deal(deal)


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


def player_counts() -> tuple[int, ...]:
    """Return the numbers of players that can play by the rules in force."""
    return tuple(each for each in (2, 3, 4) if each in agreement_in_force().rules.players)


def _redirect_to_deal(deal: str) -> AnyResponse:
    return redirect(url_for("play.deal", deal=deal), 303)
