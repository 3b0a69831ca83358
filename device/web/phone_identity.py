"""Identify the player of the phone that asks, by the cookies that the phone keeps.

The cookie of a match is signed. One that this box has not signed is ignored, and its phone is
asked whose it is, like a new one. The cookie `table` (`device.web.sitting`) needs no signature:
it carries the token of a table's PIN, and at a table without a PIN anybody may sit down. The
cookie of the tutor needs none either: it holds only the name under which the phone practises.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import cast

from flask import g, has_request_context, request
from itsdangerous import BadSignature, URLSafeSerializer
from msgspec import ValidationError, convert
from werkzeug.wrappers import Response as AnyResponse

from device.settings.access import ensure_phone_secret, load_phone_secret
from device.web.box import box

COOKIE = "player"

_YEAR_S = 365 * 24 * 3600


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
    """The phone's name in the log (`device.matches.phones`)."""


_UNKNOWN = PhoneIdentity()


def phone_identity() -> PhoneIdentity:
    """Return the identity of the phone that asks; an empty one if it has none."""
    if not has_request_context():
        return _UNKNOWN
    if "phone_identity" not in g:
        g.phone_identity = _read(request.cookies.get(COOKIE, ""))
    return cast("PhoneIdentity", g.phone_identity)


def keep_identity(answer: AnyResponse, said: PhoneIdentity) -> AnyResponse:
    """Store the identity in the phone's cookie; return the response."""
    signed = sign_identity(ensure_phone_secret(box().hands.store), said)
    answer.set_cookie(COOKIE, signed, max_age=_YEAR_S, httponly=True, samesite="Strict")
    return answer


def sign_identity(secret: str, said: PhoneIdentity) -> str:
    """Return the signed value of the cookie."""
    return str(_signer(secret).dumps(asdict(said)))


def _read(cookie: str) -> PhoneIdentity:
    secret = load_phone_secret(box().hands.store) if cookie else ""
    if not secret:
        return _UNKNOWN
    try:
        return convert(_signer(secret).loads(cookie), PhoneIdentity)
    except (BadSignature, ValidationError):
        return _UNKNOWN


def _signer(secret: str) -> URLSafeSerializer:
    return URLSafeSerializer(secret, salt=COOKIE, signer_kwargs={"digest_method": sha256})
