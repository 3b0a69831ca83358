"""Turn the rule ids in a text into links to the rules' pages."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit, urlunsplit

from flask import Flask, request, url_for
from markupsafe import Markup, escape

from device.i18n.words import in_vocabulary, translated
from device.web.fields import query
from device.web.own_address import referrer
from scorer.teach.lessons.rulebook import CITATION_PATTERN, RULE_IDS

_ON_THIS_BOX = re.compile(r"/(?![/\\])[\x21-\x5b\x5d-\x7e]*")
"""A path on this box. What begins with two slashes is another host."""

_KNOWN = frozenset(RULE_IDS)


def init_app(app: Flask) -> None:
    """Give templates the filter `cited`."""
    app.jinja_env.filters["cited"] = cited


def cited(text: object) -> Markup:
    """Return a text in the phone's language, with every rule id in it as a link."""
    said = in_vocabulary(str(translated(text)))
    parts, end = [], 0
    for found in CITATION_PATTERN.finditer(said):
        parts += [escape(said[end : found.start()]), link(found[0])]
        end = found.end()
    return Markup("").join([*parts, escape(said[end:])])


def link(rule: str) -> Markup:
    """Return the link to a rule's page; for an unknown id, the id alone."""
    if rule not in _KNOWN:
        return escape(rule)
    return Markup('<a class="rule" href="{}">{}</a>').format(url_for("rules.rule", rule=rule), rule)


def came_from() -> str | None:
    """Return the path of the page that cited a rule; None if it is not known.

    Also None between the pages of rules, which cite each other: there the browser's own back
    button serves better.
    """
    parts = referrer()
    if parts.netloc != request.host or parts.path.startswith("/learn/rules/"):
        return None
    opened = parse_qs(parts.query).get("open", [""])[0]  # the part of a page that was open
    return _on_this_box(urlunsplit(("", "", parts.path, parts.query, opened)))


def set_out_from(back: str | None) -> str | None:
    """Return the page where a reader started. For a lesson, that is the lesson's own way back."""
    parts = urlsplit(back or "")
    if parts.path.startswith("/learn/lessons/"):
        return parse_qs(parts.query).get("back", [None])[0]
    return back


def way_back() -> str | None:
    """Return the path in the address's `back` field; None if it is not on this box."""
    return _on_this_box(query().word("back"))


def _on_this_box(path: str) -> str | None:
    return path if _ON_THIS_BOX.fullmatch(path) else None
