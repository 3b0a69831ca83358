"""The look, language and sounds of the pages on one phone, stored in the phone's cookie.

Templates get the words of that language here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, get_args, get_type_hints
from urllib.parse import urlencode

from flask import Blueprint, Flask, g, has_request_context, redirect, render_template, request
from flask import url_for as address
from werkzeug.wrappers import Response as AnyResponse

from device.i18n.words import (
    LANGUAGES,
    day_of,
    is_said,
    language_name,
    moment_of,
    say,
    say_count,
    sign_amount,
    spoken,
    tile_name,
    use_words,
    wind_name,
    wind_sign,
    write_total,
)
from device.web.cookies import cookie_fields, keep_cookie
from device.web.links import next_url

PREFERENCES_COOKIE = "look"


COLOUR_SCHEMES = {"auto": "light dark", "light": "only light", "dark": "dark"}
"""What each theme tells the browser, in CSS. "Only" keeps Chromium from darkening the page."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """The choices of one phone. Each is one word of its type, or a language's tag."""

    theme: Literal["auto", "light", "dark"] = "auto"
    palette: Literal["usual", "safe"] = "usual"
    """`safe`: colours that colour-blind eyes tell apart, wherever a colour means something."""
    text: Literal["usual", "big"] = "usual"
    indices: Literal["on", "off"] = "on"
    """The numbers and letters in the corners of drawn tiles."""
    place: Literal["hand", "table"] = "hand"
    """In a hand, or in the middle of the table, so that each seat's text faces its player."""
    sounds: Literal["on", "off"] = "on"
    """A short sound and a buzz when a hand was read, and when everybody has agreed."""
    announcer: Literal["off", "on"] = "off"
    """Read out the scores and payments when a deal is settled."""
    language: str = "en-GB"
    pung: Literal["pung", "pong"] = "pung"
    circles: Literal["circles", "dots"] = "circles"
    characters: Literal["characters", "cracks"] = "characters"
    seat: Literal["seat", "own"] = "seat"
    region: Literal["hong-kong", "taiwan"] = "hong-kong"
    """Whose words a language uses that is spoken in two places."""

    @property
    def colour_scheme(self) -> str:
        """What the theme tells the browser."""
        return COLOUR_SCHEMES[self.theme]


CHOICES: Mapping[str, tuple[str, ...]] = {
    name: tuple(LANGUAGES) if name == "language" else get_args(words)
    for name, words in get_type_hints(Preferences).items()
}
"""The words to choose from. The first of each is the default."""

VOCABULARY = ("pung", "circles", "characters", "seat", "region")
"""The choices of vocabulary. The file of each language has their words."""

USUAL_WORDS = frozenset(CHOICES[name][0] for name in VOCABULARY)
"""Those in which the language's file is written."""

pages = Blueprint("preferences", __name__, url_prefix="/phone")


@pages.get("/")
def show() -> str:
    """Show the choices, with examples where words are not enough."""
    return render_template("preferences.html", choices=CHOICES, vocabulary=VOCABULARY)


@pages.post("/")
def choose() -> AnyResponse:
    """Save the choices on the phone."""
    choices = _with_valid_choices(preferences(), request.form)
    answer = redirect(next_url(address("preferences.show")), 303)
    value = urlencode({f.name: getattr(choices, f.name) for f in fields(choices)})
    return keep_cookie(answer, PREFERENCES_COOKIE, value)


def preferences() -> Preferences:
    """Return the choices of the phone that asks; the defaults outside a request."""
    if not has_request_context():
        return Preferences()
    if "preferences" not in g:
        g.preferences = _with_valid_choices(
            Preferences(language=_browser_language(), region=_browser_region()),
            cookie_fields(PREFERENCES_COOKIE),
        )
    return g.preferences  # type: ignore[no-any-return]


def _browser_language() -> str:
    """Return the first language that the browser asks for and the box speaks.

    Whoever asks for Canadian French gets that, or else any French. The box has one of the two ways
    to write Chinese. Readers of the other prefer it to English.
    """
    own_tags = {tag.lower(): tag for tag in LANGUAGES}
    main_tags = {tag.partition("-")[0]: tag for tag in reversed(LANGUAGES)}
    for language_tag, _ in request.accept_languages:
        tag = language_tag.lower()
        if match := own_tags.get(tag) or main_tags.get(tag.partition("-")[0]):
            return match
    return Preferences().language


def _browser_region() -> Literal["hong-kong", "taiwan"]:
    """Return whose words the browser's first Chinese is: Taiwan's for zh-TW."""
    tags = [tag.lower() for tag, _ in request.accept_languages]
    first_chinese = next((tag for tag in tags if tag.partition("-")[0] == "zh"), "")
    return "taiwan" if first_chinese.endswith("-tw") else Preferences().region


def _with_valid_choices(before: Preferences, answers: Mapping[str, str]) -> Preferences:
    """Return the choices, changed to the valid ones in `answers`. The others are ignored."""
    valid_choices: dict[str, Any] = {
        n: answers[n] for n, those in CHOICES.items() if answers.get(n) in those
    }
    return replace(before, **valid_choices)


def init_app(app: Flask) -> None:
    """Give templates the phone's choices, and use its language and vocabulary."""
    app.jinja_env.globals["prefer"] = preferences
    app.before_request(use_phone_words)


def use_phone_words() -> None:
    """Use the language and vocabulary of the phone that asks."""
    choices = preferences()
    words = (getattr(choices, name) for name in VOCABULARY)
    use_words(choices.language, [word for word in words if word not in USUAL_WORDS])


def init_words(app: Flask) -> None:
    """Let templates say things: `t` a key or a message, `spoken` a message or somebody's words."""
    app.jinja_env.globals.update(t=say, tn=say_count, spoken=spoken, has_words=is_said)
    app.jinja_env.globals.update(tile_name=tile_name, wind_sign=wind_sign)
    app.jinja_env.globals.update(wind_name=wind_name, day_of=day_of, moment_of=moment_of)
    app.jinja_env.globals.update(language_name=language_name)
    app.jinja_env.filters.update(true_minus=write_total, signed=sign_amount)
