"""A season's league: its standing, which matches count, and the form to begin or change it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, TypeVar

from flask import Blueprint, Response, abort, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.club import ClubError
from device.club.club_results import load_results
from device.club.match_statistics import ClubStatistics
from device.club.people import PeopleRepository
from device.club.register import Register
from device.club.season import (
    MAX_POINTS_PER_PLACE,
    MAX_SCORING_PLACES,
    SEASON_BASES,
    Season,
    SeasonRepository,
    new_season_id,
)
from device.i18n.words import say
from device.store.events import (
    SeasonBegun,
    SeasonChanged,
    SeasonMatchDecided,
    SeasonSettingsChanged,
)
from device.views.box_health import torn_line
from device.views.club.standing import (
    SeasonMatch,
    SeasonView,
    format_days,
    season_view,
)
from device.web.contexts import records
from device.web.fields import form
from device.web.links import redirect_to
from device.web.name_gate import name_gate
from device.web.phone_identity import phone_player_name
from device.web.printing import results_response
from scorer.message import Message, message
from scorer.parsing import parse_int

if TYPE_CHECKING:
    from device.paper.result_files import Results

pages = Blueprint("season", __name__, url_prefix="/club/season")

MAX_REASON_CHARS = 120

MAX_OUTSIDE_MATCHES = 20
"""Newest matches outside a season that are offered to be added."""

_REFUSED_STATUS = 422


@pages.get("/")
def current() -> AnyResponse:
    """Redirect to the season of today, else to the newest, else to the list of seasons."""
    seasons, today = season_log().list_seasons(), date.today()
    current_season = next((each for each in seasons if each.first <= today <= each.last), None)
    season = current_season or next(iter(seasons), None)
    if season is None:
        return redirect(url_for("season.every"))
    return redirect(url_for("season.show", season=season.id))


@pages.get("/every")
def every() -> str:
    """List all seasons."""
    seasons = [(each, format_days(each)) for each in season_log().list_seasons()]
    torn_lines = [torn_line(each) for each in season_log().torn()]
    return render_template("club/seasons.html", seasons=seasons, torn=torn_lines)


@pages.get("/new")
def new() -> str:
    """Show the form for a new season."""
    return _form_page(propose_season(season_log().find_newest()), "", None)


@pages.post("/new")
def begin() -> AnyResponse | tuple[str, int]:
    """Begin a season, or show what is wrong with the form."""
    typed_season = read_season()
    try:
        season = season_log().begin(season_event(typed_season, SeasonBegun), typed_season["id"])
    except ClubError as error:
        return _form_page(typed_season, "", error.message), _REFUSED_STATUS
    return redirect_to("season.show", season=season)


@pages.get("/<id:season>/")
def show(season: str) -> str:
    """Show a season's standing."""
    view, statistics = _season_view(season)
    return render_template("club/season.html", view=view, season=view.season, left=statistics.left)


@pages.get("/<id:season>/matches")
def matches(season: str) -> str:
    """Show the matches that count, and why others do not."""
    view, statistics = _season_view(season)
    return render_template(
        "club/season_matches.html",
        view=view,
        season=view.season,
        outside=view.outside[:MAX_OUTSIDE_MATCHES],
        left=statistics.left,
    )


@pages.get("/<id:season>/match/<id:match>")
def match(season: str, match: str) -> str:
    """Ask whether a match counts."""
    return _match_page(season, match, "", phone_player_name(), None)


@pages.post("/<id:season>/match/<id:match>")
def say_match(season: str, match: str) -> AnyResponse | tuple[str, int]:
    """Save whether a match counts, with a name and a reason; `day` lets its date decide."""
    answer = form().choice("counts", ("yes", "no", "day"))
    reason, author = form().text("why", MAX_REASON_CHARS), form().text("who", MAX_REASON_CHARS)
    event = SeasonMatchDecided(
        match=_find_match(season, match)[1].decision_id,
        counts=None if answer == "day" else answer == "yes",
        why=reason,
        who=author,
        by=phone_player_name(),
    )
    try:
        season_log().say(season, event)
    except ClubError as error:
        return _match_page(season, match, reason, author, error.message), _REFUSED_STATUS
    return redirect_to("season.matches", season=season)


@pages.get("/<id:season>/change")
def change(season: str) -> str:
    """Show the form to change a season."""
    shown_season = _without_hidden_names(season_log().get(season))
    return _form_page(season_fields(shown_season), season, None)


@pages.post("/<id:season>/change")
def keep(season: str) -> AnyResponse | tuple[str, int]:
    """Save the changed season, or show what is wrong with the form."""
    typed_season, stored_season = read_season(), season_log().get(season)
    restored_season = {
        **typed_season,
        "name": name_gate().restore(typed_season["name"], stored_season.name),
    }
    try:
        season_log().change(season, season_event(restored_season, SeasonChanged))
    except ClubError as error:
        return _form_page(typed_season, season, error.message), _REFUSED_STATUS
    return redirect_to("season.show", season=season)


@pages.get("/<id:season>/standing.<kind>")
def standing(season: str, kind: str) -> Response:
    """Return the standing as a text, as a workbook with the matches, or as PDF."""
    from device.paper.result_files import season_results

    def load() -> Results:
        shown_season = _without_hidden_names(season_log().get(season))
        return season_results(shown_season, _register(), load_results(records().hands, max_new=0))

    return results_response(load, kind, f"season-{season}")


def season_log() -> SeasonRepository:
    """Return the log of seasons."""
    return SeasonRepository(records().store)


def _season_view(season: str, **options: int) -> tuple[SeasonView, ClubStatistics]:
    stored_season, statistics = (
        season_log().get(season),
        load_results(records().hands, **options),
    )
    return season_view(_without_hidden_names(stored_season), _register(), statistics), statistics


def _without_hidden_names(season: Season) -> Season:
    return replace(season, name=name_gate().for_everybody.words(season.name))


def _register() -> Register:
    return PeopleRepository(records().store).register()


def _find_match(season: str, match: str) -> tuple[SeasonView, SeasonMatch]:
    """Return a season and a match that it may count; answer 404 for any other."""
    view, _ = _season_view(season)
    season_match = next((each for each in (*view.matches, *view.outside) if each.id == match), None)
    if season_match is None:
        abort(404)
    return view, season_match


def _match_page(season: str, match: str, reason: str, author: str, wrong: Message | None) -> str:
    view, season_match = _find_match(season, match)
    decision, gate = view.season.said.get(season_match.decision_id), name_gate()
    return render_template(
        "club/season_match.html",
        season=view.season,
        match=season_match,
        why=reason or (gate.words(decision.why) if decision else ""),
        who=author or (gate.words(decision.who) if decision else ""),
        wrong=say(wrong) if wrong else "",
        longest=MAX_REASON_CHARS,
    )


def _form_page(typed_season: TypedSeason, season: str, wrong: Message | None) -> str:
    return render_template(
        "club/season_form.html",
        said=typed_season,
        season=season,
        wrong=say(wrong) if wrong else "",
        longest=MAX_TITLE_CHARS,
        most_best=MAX_BEST_MATCHES,
    )


MAX_TITLE_CHARS = 40
MAX_BEST_MATCHES = 200

LEAST_PLAYERS = 2, 4
"""The range of numbers of players from which a season may count a match."""

MIN_YEAR, MAX_YEAR = 1900, 2199
"""Limits that catch a mistyped year."""

_Saying = TypeVar("_Saying", bound=SeasonSettingsChanged)

TypedSeason = Mapping[str, str]
"""The fields of the form by name, as typed."""

_MAX_CHARS = {
    "id": 12,
    "name": MAX_TITLE_CHARS,
    "first": 10,
    "last": 10,
    "points": 6,
    "places": 40,
    "best": 4,
    "players": 1,
}


def read_season() -> TypedSeason:
    """Return what was typed."""
    return {name: form().text(name, longest) for name, longest in _MAX_CHARS.items()}


def propose_season(before: Season | None) -> TypedSeason:
    """Return a proposal for a new season: from today to the end of the year, like the last one.

    The id belongs to the form, so that a form sent twice begins one season.
    """
    today = date.today()
    like = (
        season_fields(before)
        if before
        else {"points": "places", "places": "4 2 1 0", "best": "", "players": "3"}
    )
    days = {"first": today.isoformat(), "last": today.replace(month=12, day=31).isoformat()}
    return {**like, **days, "name": "", "id": new_season_id()}


def season_fields(season: Season) -> TypedSeason:
    """Return a season as the fields of its form."""
    return {
        "id": "",
        "name": season.name,
        "first": season.first.isoformat(),
        "last": season.last.isoformat(),
        "points": season.points,
        "places": " ".join(map(str, season.by_place)),
        "best": "" if season.best is None else str(season.best),
        "players": str(season.least_players),
    }


def season_event(typed_season: TypedSeason, kind: type[_Saying]) -> _Saying:
    """Return the event that the form makes. Raise ClubError if a field is wrong."""
    points = next((each for each in SEASON_BASES if each == typed_season["points"]), None)
    if points is None:
        raise ClubError(message("error.400"))
    return kind(
        name=typed_season["name"],
        first=_parse_day(typed_season["first"]),
        last=_parse_day(typed_season["last"]),
        points=points,
        by_place=_parse_places(typed_season["places"]),
        best=_parse_best(typed_season["best"]),
        least_players=parse_int(typed_season["players"], *LEAST_PLAYERS) or LEAST_PLAYERS[0],
        by=phone_player_name(),
    )


def _parse_day(text: str) -> str:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or not MIN_YEAR <= day.year <= MAX_YEAR:
        raise ClubError(message("club.season.no-day"))
    return day.isoformat()


def _parse_places(text: str) -> tuple[int, ...]:
    words = re.split(r"[\s,;·/]+", text.replace("\N{MINUS SIGN}", "-").strip()) if text else []
    points = [
        parse_int(word, -MAX_POINTS_PER_PLACE, MAX_POINTS_PER_PLACE) for word in words if word
    ]
    numbers = tuple(number for number in points if number is not None)
    if len(numbers) < len(points) or len(numbers) > MAX_SCORING_PLACES:
        raise ClubError(message("club.season.places-wrong", most=MAX_SCORING_PLACES))
    return numbers


def _parse_best(text: str) -> int | None:
    number = parse_int(text, 1, MAX_BEST_MATCHES)
    if text and number is None:
        raise ClubError(message("club.season.best-wrong"))
    return number
