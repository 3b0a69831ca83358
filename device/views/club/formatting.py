"""Format places, points, dates and players: `shared 2nd`, `2 1/3`, `+120`."""

from __future__ import annotations

from datetime import datetime
from fractions import Fraction

from device.club.match_statistics import MatchStatistics
from device.club.people import Register
from device.i18n.languages import locale
from device.i18n.words import day_of, language, say, signed

_FRACTION_SIGNS = {Fraction(1, 4): "¼", Fraction(1, 2): "½", Fraction(3, 4): "¾"}
"""Fractions of a point that have a sign in every font, including those of the papers."""


def format_place(place: int, *, shared: bool) -> str:
    """Return a place in words: `2nd`, or `shared 2nd`."""
    said = say(f"club.place-{locale(language()).ordinal_form(place)}", place=place)
    return say("club.place-shared", place=said) if shared else said


def format_fraction(points: Fraction) -> str:
    """Return points as text: `7`, `2½`, `2 1/3`, with a true minus sign."""
    minus = "\N{MINUS SIGN}" if points < 0 else ""
    whole, part = divmod(abs(points), 1)
    if not part:
        return f"{minus}{whole}"
    if part in _FRACTION_SIGNS:
        return f"{minus}{whole or ''}{_FRACTION_SIGNS[part]}"
    return f"{minus}{whole} {part}" if whole else f"{minus}{part}"


def format_gain(gain: int) -> str:
    """Return a gain or loss: `+120`; zero has no sign."""
    return signed(gain) if gain else "0"


def format_thousandths(points: Fraction) -> str:
    """Return points for a spreadsheet: a decimal number with at most three places.

    >>> [format_thousandths(Fraction(text)) for text in ("7/3", "-1/2", "4")]
    ['2.333', '-0.5', '4']
    """
    whole, rest = divmod(abs(round(points * 1000)), 1000)
    part = f"{rest:03}".rstrip("0")
    return f"{'-' if points < 0 else ''}{whole}{'.' if part else ''}{part}"


def format_begun(begun: datetime | None) -> str:
    """Return when a match began, in words; empty where the log does not say."""
    return f"{day_of(begun)}, {begun.astimezone():%H:%M}" if begun else ""


def format_players(match: MatchStatistics, register: Register) -> str:
    """Return who played a match, but for those who do not wish to be shown."""
    people = register.at_table(match.names).values()
    shown = (each.name if each.shown else say("table.somebody") for each in people)
    return ", ".join(shown)
