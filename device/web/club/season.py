"""A season's league: its standing, which matches count, and the form to begin or change it."""

from __future__ import annotations

import io
from datetime import date

from flask import Blueprint, Response, abort, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.club import ClubError
from device.club.match_statistics import ClubStatistics, load_statistics
from device.club.people import Register
from device.club.people_repository import PeopleRepository
from device.club.season import SeasonRepository
from device.hands.export import write_csv
from device.i18n.names import Name
from device.i18n.words import say
from device.store.events import SeasonBegun, SeasonChanged, SeasonMatchSaid
from device.views.box_health import torn_line
from device.views.club.standing import (
    SeasonView,
    StandingRow,
    format_days,
    season_view,
    standing_rows,
)
from device.web.box import box
from device.web.club.season_form import (
    LONGEST_TITLE,
    MOST_BEST,
    Typed,
    as_typed,
    meant,
    proposed,
    typed,
)
from device.web.club.whose import whose
from device.web.fields import form
from device.web.name_gate import name_gate
from device.web.press import printed
from scorer.message import Message

pages = Blueprint("season", __name__, url_prefix="/club/season")

LONGEST_REASON = 120

NEWEST_OUTSIDE = 20
"""Newest matches outside a season that are offered to be added."""

_REFUSED = 422


@pages.get("/")
def current() -> AnyResponse:
    """Redirect to the season of today, else to the newest, else to the list of seasons."""
    every, today = seasons().every(), date.today()
    running = next((each for each in every if each.first <= today <= each.last), None)
    found = running or next(iter(every), None)
    if found is None:
        return redirect(url_for("season.every"))
    return redirect(url_for("season.show", season=found.id))


@pages.get("/every")
def every() -> str:
    """List all seasons."""
    found = [(each, format_days(each)) for each in seasons().every()]
    torn = [torn_line(each) for each in seasons().torn()]
    return render_template("club/seasons.html", seasons=found, torn=torn)


@pages.get("/new")
def new() -> str:
    """Show the form for a new season."""
    return _form(proposed(next(iter(seasons().every()), None)), "", None)


@pages.post("/new")
def begin() -> AnyResponse | tuple[str, int]:
    """Begin a season, or show what is wrong with the form."""
    said = typed()
    try:
        season = seasons().begin(meant(said, SeasonBegun), said["id"])
    except ClubError as error:
        return _form(said, "", error.message), _REFUSED
    return redirect(url_for("season.show", season=season), 303)


@pages.get("/<id:season>/")
def show(season: str) -> str:
    """Show a season's standing."""
    view, played = _view(season)
    return render_template("club/season.html", view=view, season=view.season, left=played.left)


@pages.get("/<id:season>/matches")
def matches(season: str) -> str:
    """Show the matches that count, and why others do not."""
    view, played = _view(season)
    return render_template(
        "club/season_matches.html",
        view=view,
        season=view.season,
        outside=view.outside[:NEWEST_OUTSIDE],
        left=played.left,
    )


@pages.get("/<id:season>/match/<id:match>")
def match(season: str, match: str) -> str:
    """Ask whether a match counts."""
    return _match(season, match, "", whose(), None)


@pages.post("/<id:season>/match/<id:match>")
def say_match(season: str, match: str) -> AnyResponse | tuple[str, int]:
    """Save whether a match counts, with a name and a reason; `day` lets its date decide."""
    what = form().choice("counts", ("yes", "no", "day"))
    why, who = form().text("why", LONGEST_REASON), form().text("who", LONGEST_REASON)
    event = SeasonMatchSaid(
        match=match,
        counts=None if what == "day" else what == "yes",
        why=why,
        who=who,
        by=whose(),
    )
    try:
        seasons().say(season, event)
    except ClubError as error:
        return _match(season, match, why, who, error.message), _REFUSED
    return redirect(url_for("season.matches", season=season), 303)


@pages.get("/<id:season>/change")
def change(season: str) -> str:
    """Show the form to change a season."""
    return _form(as_typed(seasons().get(season)), season, None)


@pages.post("/<id:season>/change")
def keep(season: str) -> AnyResponse | tuple[str, int]:
    """Save the changed season, or show what is wrong with the form."""
    said = typed()
    try:
        seasons().change(season, meant(said, SeasonChanged))
    except ClubError as error:
        return _form(said, season, error.message), _REFUSED
    return redirect(url_for("season.show", season=season), 303)


@pages.get("/<id:season>/standing.<kind>")
def standing(season: str, kind: str) -> Response:
    """Return the standing as CSV for a spreadsheet, or as PDF."""
    found = seasons().get(season)
    if kind == "pdf":
        from device.paper.standings import print_season  # loads reportlab

        newest = box().hands.store.newer(-1, 0)
        data = printed(lambda: print_season(_view(season, at_once=0)[0]), newest, season)
        return _attached(data, "application/pdf", f"tongbox-season-{season}.pdf")
    if kind != "csv":
        abort(404)
    out = io.StringIO()
    every = load_statistics(box().hands, at_once=0)
    write_csv(out, standing_rows(found, _register(), every), StandingRow)
    return _attached(out.getvalue().encode(), "text/csv", f"tongbox-season-{season}.csv")


def seasons() -> SeasonRepository:
    """Return the log of seasons."""
    return SeasonRepository(box().hands.store)


def _view(season: str, **how: int) -> tuple[SeasonView, ClubStatistics]:
    found, played = seasons().get(season), load_statistics(box().hands, **how)
    return season_view(found, _register(), played), played


def _register() -> Register:
    return PeopleRepository(box().hands.store).register()


def _match(season: str, match: str, why: str, who: str, wrong: Message | None) -> str:
    view, _ = _view(season)
    found = next((each for each in (*view.matches, *view.outside) if each.id == match), None)
    if found is None:
        abort(404)
    said, gate = view.season.said.get(match), name_gate()
    return render_template(
        "club/season_match.html",
        season=view.season,
        match=found,
        why=Name(why or (gate.words(said.why) if said else "")),
        who=Name(who or (gate.words(said.who) if said else "")),
        wrong=say(wrong) if wrong else "",
        longest=LONGEST_REASON,
    )


def _form(said: Typed, season: str, wrong: Message | None) -> str:
    return render_template(
        "club/season_form.html",
        said=said,
        season=season,
        wrong=say(wrong) if wrong else "",
        longest=LONGEST_TITLE,
        most_best=MOST_BEST,
    )


def _attached(data: bytes, mimetype: str, name: str) -> Response:
    response = Response(data, mimetype=mimetype)
    response.headers["Content-Disposition"] = f"attachment; filename={name}"
    return response
