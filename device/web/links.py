"""Links within the box: the way back that a request asks for, and the links of rule ids.

A way back counts only if it is a page of this box.
"""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import SplitResult, parse_qs, urlsplit, urlunsplit

from flask import Flask, current_app, g, has_request_context, redirect, request, url_for
from markupsafe import Markup, escape
from werkzeug.exceptions import HTTPException
from werkzeug.urls import iri_to_uri
from werkzeug.wrappers import Response as AnyResponse

from device.web.fields import form, query
from scorer.teach.lessons.rulebook import CITATION_PATTERN, RULE_IDS


def local_url(path: str) -> str:
    """Return the path if it is a page of the box, else the first page.

    Browsers drop tabs and line ends from an address before they follow it, and so does `urlsplit`.
    The result has none, and the URL map knows its path.
    """
    home = url_for("home.index")
    try:
        parts = urlsplit(path)
        if parts.scheme or parts.netloc or not parts.path.startswith("/"):
            return home
        current_app.url_map.bind("").match(parts.path, "GET")
    except (ValueError, HTTPException):  # not an address, or not a page
        return home
    return iri_to_uri(parts._replace(fragment="").geturl())


def form_page_url() -> str:
    """Return the path of this box's page that sent the form, else the first page."""
    page = referrer()
    if page.netloc not in ("", request.host):
        return local_url("")
    return local_url(page._replace(scheme="", netloc="").geturl())


def referrer() -> SplitResult:
    """Return the address in the Referer header; empty without one."""
    try:
        return urlsplit(request.referrer or "")
    except ValueError:  # no browser sends this
        return urlsplit("")


def next_url(page: str) -> str:
    """Return the page that the form's `then` field names, else the given page."""
    return local_url(form().word("then")) if "then" in form() else page


def redirect_to(endpoint: str, **values: Any) -> AnyResponse:  # noqa: ANN401
    """Return the redirect after a change (303) to a page of the box."""
    return redirect(url_for(endpoint, **values), HTTPStatus.SEE_OTHER)


OPENED_FROM_FIELD = "from"
ASKING_PAGE = "ask"


def opened_from() -> dict[str, str]:
    """Return the fields that this request's links must carry on; empty from a hand's own page.

    They are looked up once a request: a page has dozens of links.
    """
    if not has_request_context():
        return {}
    if "opened_from" not in g:
        is_from_tutor = query().word(OPENED_FROM_FIELD) == ASKING_PAGE
        g.opened_from = {OPENED_FROM_FIELD: ASKING_PAGE} if is_from_tutor else {}
    return cast("dict[str, str]", g.opened_from)


def keep_opened_from(endpoint: str, values: dict[str, Any]) -> None:
    """Add `opened_from()` to every address of a blueprint, as its `url_defaults`."""
    for name, value in opened_from().items():
        values.setdefault(name, value)


def hand_url(hand: str) -> str:
    """Return the hand's page to go back to: its own, or the one that explains its tiles."""
    return url_for("asking.hand" if opened_from() else "hand.show", hand=hand)


_LOCAL_PATH = re.compile(r"/(?![/\\])[\x21-\x5b\x5d-\x7e]*")
"""A path on this box. What begins with two slashes is another host."""

_KNOWN_RULES = frozenset(RULE_IDS)


def init_rule_links(app: Flask) -> None:
    """Give templates the filter `cited`."""
    app.jinja_env.filters["cited"] = link_rules
    app.jinja_env.filters["breakable"] = break_addresses
    app.jinja_env.globals["form_page_url"] = form_page_url


def link_rules(text: str) -> Markup:
    """Return a text, every rule in it a link."""
    parts, end = [], 0
    for found in CITATION_PATTERN.finditer(text):
        parts += [escape(text[end : found.start()]), rule_link(found[0])]
        end = found.end()
    return Markup("").join([*parts, escape(text[end:])])


def break_addresses(text: str) -> Markup:
    """Return a text whose addresses break behind slashes alone: a host stands with its port."""
    return Markup("<wbr>").join(re.split(r"(?<=/)(?=[^/])", text))


def rule_link(rule: str) -> Markup:
    """Return the link to a rule's page; for an unknown id, the id alone."""
    if rule not in _KNOWN_RULES:
        return escape(rule)
    return Markup('<a class="rule" href="%s">%s</a>') % (url_for("rules.rule", rule=rule), rule)


def citing_page() -> str | None:
    """Return the path of the page that cited a rule; None if it is not known.

    Also None between the pages of rules, which cite each other: there the browser's own back
    button serves better.
    """
    parts = referrer()
    if parts.netloc != request.host or parts.path.startswith("/learn/rules/"):
        return None
    open_part = parse_qs(parts.query).get("open", [""])[0]  # the part of a page that was open
    return _local_path(urlunsplit(("", "", parts.path, parts.query, open_part)))


def reading_start(path: str | None) -> str | None:
    """Return the page where a reader started. For a lesson, that is the lesson's own way back."""
    parts = urlsplit(path or "")
    if parts.path.startswith("/learn/lessons/"):
        return parse_qs(parts.query).get("back", [None])[0]
    return path


def requested_way_back() -> str | None:
    """Return the path in the address's `back` field; None if it is not on this box."""
    return _local_path(query().word("back"))


def _local_path(path: str) -> str | None:
    return path if _LOCAL_PATH.fullmatch(path) else None
