"""Rules as the page cites them: every id in a text is a link to the rule's page."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Flask, request, url_for
from markupsafe import Markup, escape

from device.web.words import in_vocabulary, translated
from scorer.lessons.rulebook import CITED, RULE_IDS

_KNOWN = frozenset(RULE_IDS)


def init_app(app: Flask) -> None:
    """Give the templates the filter `cited`."""
    app.jinja_env.filters["cited"] = cited


def cited(text: object) -> Markup:
    """Return a text as the page says it, every rule in it a link."""
    said = in_vocabulary(str(translated(text)))
    parts, end = [], 0
    for found in CITED.finditer(said):
        parts += [escape(said[end : found.start()]), link(found[0])]
        end = found.end()
    return Markup("").join([*parts, escape(said[end:])])


def link(rule: str) -> Markup:
    """Return the link to a rule's page; for what is no rule of the book, its id alone."""
    if rule not in _KNOWN:
        return escape(rule)
    return Markup('<a class="rule" href="{}">{}</a>').format(url_for("rules.rule", rule=rule), rule)


def came_from() -> str | None:
    """Return the path of the page on which a rule was cited; None where it is not known."""
    try:
        parts = urlsplit(request.referrer or "")
    except ValueError:  # not of a browser's making
        return None
    # A second stroke would make another box's address of a path.
    path = parts.path if parts.path[1:2] not in ("/", "\\") else ""
    if not path or parts.netloc != request.host or path.startswith("/learn/"):
        return None
    return f"{path}?{parts.query}" if parts.query else path
