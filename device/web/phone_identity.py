"""Whose phone it is that asks: what its signed cookie says, and the one way to read and write that.

A cookie that this box has not signed says nothing. Its phone is asked whose it is, like a new one.
The cookie `table` (`device.web.sitting`) needs no signature: it carries the token of a table's PIN,
and at a table without one anybody may sit down.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import cast

from flask import g, has_request_context, request
from itsdangerous import BadSignature, URLSafeSerializer
from msgspec import ValidationError, convert
from werkzeug.wrappers import Response as AnyResponse

from device.settings.phone_secret import ensure_phone_secret, phone_secret
from device.web.box import box

COOKIE = "player"

_YEAR_S = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class PhoneIdentity:
    """What a phone has said of whose it is."""

    match: str = ""
    """Id of the match in which it was said last."""
    number: int | None = None
    """The player's number in that match; None for a phone that only watches."""
    name: str = ""
    """The player's name then. The next match proposes it."""
    phone: str = ""
    """What the phone is called in the log (`device.matches.phones`)."""


_UNKNOWN = PhoneIdentity()


def phone_identity() -> PhoneIdentity:
    """Return what the phone that asks has said; nothing for any other, or for no phone."""
    if not has_request_context():
        return _UNKNOWN
    if "phone_identity" not in g:
        g.phone_identity = _read(request.cookies.get(COOKIE, ""))
    return cast("PhoneIdentity", g.phone_identity)


def keep_identity(answer: AnyResponse, said: PhoneIdentity) -> AnyResponse:
    """Let the phone keep what it has said; return the answer."""
    signed = sign_identity(ensure_phone_secret(box().hands.store), said)
    answer.set_cookie(COOKIE, signed, max_age=_YEAR_S, httponly=True, samesite="Strict")
    return answer


def sign_identity(secret: str, said: PhoneIdentity) -> str:
    """Return the cookie's value."""
    return str(_signer(secret).dumps(asdict(said)))


def _read(cookie: str) -> PhoneIdentity:
    secret = phone_secret(box().hands.store) if cookie else ""
    if not secret:
        return _UNKNOWN
    try:
        return convert(_signer(secret).loads(cookie), PhoneIdentity)
    except (BadSignature, ValidationError):
        return _UNKNOWN


def _signer(secret: str) -> URLSafeSerializer:
    return URLSafeSerializer(secret, salt=COOKIE, signer_kwargs={"digest_method": sha256})
