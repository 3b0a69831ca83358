"""The form of a season: its fields as typed, and the event that they make."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import TypeVar

from device.club import ClubError
from device.club.season import (
    MAX_POINTS_PER_PLACE,
    MAX_SCORING_PLACES,
    SEASON_BASES,
    Season,
    new_season_id,
)
from device.i18n.names import Name
from device.store.events import SeasonSaid
from device.web.club.whose import whose
from device.web.fields import form
from scorer.message import message
from scorer.parsing import parse_int

LONGEST_TITLE = 40
MOST_BEST = 200

FIRST_YEAR, LAST_YEAR = 1900, 2199
"""Limits that catch a mistyped year."""

_Saying = TypeVar("_Saying", bound=SeasonSaid)

Typed = Mapping[str, str]
"""The fields of the form by name, as typed."""

_LONGEST = {
    "id": 12,
    "name": LONGEST_TITLE,
    "first": 10,
    "last": 10,
    "points": 6,
    "places": 40,
    "best": 4,
}


def typed() -> Typed:
    """Return the fields as typed."""
    return {name: Name(form().text(name, longest)) for name, longest in _LONGEST.items()}


def proposed(before: Season | None) -> Typed:
    """Return a proposal for a new season: from today to the end of the year, like the last one.

    The id belongs to the form, so that a form sent twice begins one season.
    """
    today = date.today()
    like = as_typed(before) if before else {"points": "places", "places": "4 2 1 0", "best": ""}
    days = {"first": today.isoformat(), "last": today.replace(month=12, day=31).isoformat()}
    return {**like, **days, "name": "", "id": new_season_id()}


def as_typed(season: Season) -> Typed:
    """Return a season as the fields of its form."""
    return {
        "id": "",
        "name": season.name,
        "first": season.first.isoformat(),
        "last": season.last.isoformat(),
        "points": season.points,
        "places": " ".join(map(str, season.by_place)),
        "best": "" if season.best is None else str(season.best),
    }


def meant(said: Typed, kind: type[_Saying]) -> _Saying:
    """Return the event that the form makes. Raise ClubError if a field is wrong."""
    points = next((each for each in SEASON_BASES if each == said["points"]), None)
    if points is None:
        raise ClubError(message("error.400"))
    return kind(
        name=said["name"],
        first=_day(said["first"]),
        last=_day(said["last"]),
        points=points,
        by_place=_places(said["places"]),
        best=_best(said["best"]),
        by=whose(),
    )


def _day(text: str) -> str:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise ClubError(message("club.season.no-day"))
    return day.isoformat()


def _places(text: str) -> tuple[int, ...]:
    words = re.split(r"[\s,;·/]+", text.replace("\N{MINUS SIGN}", "-").strip()) if text else []
    found = [parse_int(word, -MAX_POINTS_PER_PLACE, MAX_POINTS_PER_PLACE) for word in words if word]
    numbers = tuple(number for number in found if number is not None)
    if len(numbers) < len(found) or len(numbers) > MAX_SCORING_PLACES:
        raise ClubError(message("club.season.places-wrong", most=MAX_SCORING_PLACES))
    return numbers


def _best(text: str) -> int | None:
    number = parse_int(text, 1, MOST_BEST)
    if text and number is None:
        raise ClubError(message("club.season.best-wrong"))
    return number
