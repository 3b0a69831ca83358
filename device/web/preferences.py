"""How the page looks and speaks on one phone: kept there, in a cookie, not on the box."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, Flask, g, has_request_context, redirect, render_template, request
from flask import url_for as address
from werkzeug.wrappers import Response as AnyResponse

from device.i18n.languages import LANGUAGES
from device.i18n.words import use_words
from device.web.fields import of_cookie
from device.web.own_address import then_or

COOKIE = "look"

_YEAR = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Preferences:
    """The choices of one phone; each is one word of its row in `CHOICES`."""

    theme: str = "auto"
    text: str = "usual"
    indices: str = "on"
    """The numbers and letters in the corners of drawn tiles."""
    place: str = "hand"
    """In a hand, or in the middle of the table, where each seat's text faces its player."""
    sounds: str = "on"
    """A short sound and a buzz when a hand has been read, and when everybody has agreed."""
    announcer: str = "off"
    """The phone reads out who scored what and who pays whom when a deal is settled."""
    language: str = "en-GB"
    pung: str = "pung"
    circles: str = "circles"
    characters: str = "characters"
    seat: str = "seat"


CHOICES: Mapping[str, tuple[str, ...]] = {
    "theme": ("auto", "light", "dark"),
    "text": ("usual", "big"),
    "indices": ("on", "off"),
    "place": ("hand", "table"),
    "sounds": ("on", "off"),
    "announcer": ("off", "on"),
    "language": tuple(LANGUAGES),
    "pung": ("pung", "pong"),
    "circles": ("circles", "dots"),
    "characters": ("characters", "cracks"),
    "seat": ("seat", "own"),
}
"""What there is to choose; the first of each is the usual."""

VOCABULARY = ("pung", "circles", "characters", "seat")
"""The choices of words, which the language's file spells out."""

pages = Blueprint("preferences", __name__, url_prefix="/phone")


@pages.get("/")
def show() -> str:
    """Show the choices, each with an example where words do not suffice."""
    return render_template("preferences.html", choices=CHOICES, vocabulary=VOCABULARY)


@pages.post("/")
def choose() -> AnyResponse:
    """Keep the choices on the phone."""
    chosen = _checked(preferences(), request.form)
    answer = redirect(then_or(address("preferences.show")), 303)
    said = urlencode({f.name: getattr(chosen, f.name) for f in fields(chosen)})
    answer.set_cookie(COOKIE, said, max_age=_YEAR, httponly=True, samesite="Strict")
    return answer


def preferences() -> Preferences:
    """Return the choices of the phone that asks; the usual ones outside a request."""
    if not has_request_context():
        return Preferences()
    if "preferences" not in g:
        g.preferences = _checked(Preferences(language=_spoken()), of_cookie(COOKIE))
    return g.preferences  # type: ignore[no-any-return]


def _spoken() -> str:
    """Return the language that the phone's browser asks for first of those that there are.

    Of Chinese there is one way of writing: it is nearer to who reads the other than English is.
    """
    for asked, _ in request.accept_languages:
        spoken = asked.lower().partition("-")[0]
        for tag in LANGUAGES:
            if tag.lower().partition("-")[0] == spoken:
                return tag
    return Preferences().language


def _checked(before: Preferences, said: Mapping[str, str]) -> Preferences:
    """Return the choices with those of `said` that there are; what else it says is ignored."""
    known: dict[str, Any] = {n: said[n] for n, those in CHOICES.items() if said.get(n) in those}
    return replace(before, **known)


def init_app(app: Flask) -> None:
    """Let templates ask for the phone's choices, and words follow them."""
    app.jinja_env.globals["prefer"] = preferences
    app.before_request(_use_words)


def _use_words() -> None:
    chosen = preferences()
    use_words(chosen.language, [getattr(chosen, name) for name in VOCABULARY])
