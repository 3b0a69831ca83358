"""Identify the player of the phone that asks, by the cookies that the phone keeps.

The cookie of a match is signed. One that this box has not signed is ignored, and its phone is
asked whose it is, like a new one. The cookie `table` (`device.web.cookies`) needs no signature:
it carries the token of a table's PIN, and at a table without a PIN anybody may sit down. The
cookie of the tutor needs none either: it holds only the name under which the phone practises. A
phone without it practises under its player's name.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import cast
from urllib.parse import quote, unquote

from flask import g, has_request_context, request
from itsdangerous import BadSignature, URLSafeSerializer
from msgspec import ValidationError, convert
from werkzeug.wrappers import Response as AnyResponse

from device.access import ensure_phone_secret, load_phone_secret
from device.tutoring.progress import BadNameError, check_name
from device.web.contexts import records
from device.web.cookies import keep_cookie

PLAYER_COOKIE = "player"


@dataclass(frozen=True, slots=True)
class PhoneIdentity:
    """Whose phone it is, as the phone has said."""

    match: str = ""
    """The id of the match in which the phone said so last."""
    number: int | None = None
    """The player's number in that match; None if the phone only watches."""
    name: str = ""
    """The player's name at that time. The next match proposes it."""
    phone: str = ""
    """The phone's name in the log (`device.matches.seats`)."""


_UNKNOWN_PHONE = PhoneIdentity()


def phone_identity() -> PhoneIdentity:
    """Return the identity of the phone that asks; an empty one if it has none."""
    if not has_request_context():
        return _UNKNOWN_PHONE
    if "phone_identity" not in g:
        g.phone_identity = _read_identity(request.cookies.get(PLAYER_COOKIE, ""))
    return cast("PhoneIdentity", g.phone_identity)


def keep_identity(answer: AnyResponse, identity: PhoneIdentity) -> AnyResponse:
    """Store the identity in the phone's cookie; return the response."""
    cookie_value = sign_identity(ensure_phone_secret(records().store), identity)
    return keep_cookie(answer, PLAYER_COOKIE, cookie_value)


def sign_identity(secret: str, identity: PhoneIdentity) -> str:
    """Return the signed value of the cookie."""
    return str(_identity_signer(secret).dumps(asdict(identity)))


def _read_identity(cookie: str) -> PhoneIdentity:
    secret = load_phone_secret(records().store) if cookie else ""
    if not secret:
        return _UNKNOWN_PHONE
    try:
        return convert(_identity_signer(secret).loads(cookie), PhoneIdentity)
    except (BadSignature, ValidationError):
        return _UNKNOWN_PHONE


def _identity_signer(secret: str) -> URLSafeSerializer:
    return URLSafeSerializer(secret, salt=PLAYER_COOKIE, signer_kwargs={"digest_method": sha256})


def phone_player_name() -> str:
    """Return the name that the phone's player had in the last match; empty where none is known."""
    return phone_identity().name


PUPIL_COOKIE = "pupil"
"""Holds the name, percent-encoded; empty for practice without a name."""


def pupil_name() -> str:
    """Return the name under which this phone practises; empty where none was given."""
    cookie = request.cookies.get(PUPIL_COOKIE)
    try:
        return check_name(phone_player_name() if cookie is None else unquote(cookie))
    except BadNameError:  # not of our making
        return ""


def has_pupil() -> bool:
    """Whether it is known who practises on this phone, with or without a name."""
    return PUPIL_COOKIE in request.cookies or bool(pupil_name())


def remember_pupil(answer: AnyResponse, name: str) -> AnyResponse:
    """Store in the phone's cookie who practises; return the response."""
    return keep_cookie(answer, PUPIL_COOKIE, quote(name))
