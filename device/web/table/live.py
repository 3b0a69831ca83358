"""News for all phones: a number that grows with every event, and with what becomes of the box."""

from __future__ import annotations

from flask import Blueprint, Flask, Response, g, request, url_for

from device.server.connection import HEARS
from device.store import StoreError
from device.store.concerning import EVERYWHERE
from device.web.box import box
from device.web.fields import query

UNHEARD = ""
"""In place of a version: something has happened while the page was drawn, so it may not show it."""

pages = Blueprint("live", __name__, url_prefix="/news")

AT_ONE_TABLE = frozenset(
    {"table", "deal", "totals", "settle", "whole", "correcting", "charges", "names", "dispute"}
)
"""Parts of the page that show the phone's own table and nothing else."""


@pages.get("/now")
def now() -> dict[str, int | bool]:
    """Return the number of the news, and whether the box is being switched off."""
    news = box().news.now(_table())
    return {"version": news.version, "off": news.state == "off", "lost": news.state == "lost"}


@pages.get("/")
def listen() -> Response | tuple[str, int]:
    """Tell of every new event as server-sent events; when too many listen already, 204.

    That is how an event stream says "do not ask again": the page then asks now and then instead,
    and its browser reports no fault.
    """
    hears = request.environ.get(HEARS)
    first = box().news.listen(_table(), hears) if hears and request.method == "GET" else None
    if first is None:
        return "", 204
    # One that is written piece by piece, for more will follow.
    return Response(iter([first]), mimetype="text/event-stream")


def _table() -> str:
    return query().word("at", EVERYWHERE)


def concerns() -> str:
    """Return the table whose news the page that is shown wants to hear; most want all."""
    if "concerns" not in g:  # a page listens, and asks
        g.concerns = _concerns()
    return str(g.concerns)


def _concerns() -> str:
    if not box().hands.store.log.answers:  # who asks it would wait
        return EVERYWHERE
    shown = request.view_args or {}
    stream = shown.get("hand") or shown.get("match")
    try:
        if isinstance(stream, str):
            return box().news.concerning.table_of(stream)
        if request.blueprint in AT_ONE_TABLE and (box().table or not box().tables.are_laid()):
            return box().table
    except StoreError:  # the page says so
        pass
    return EVERYWHERE


def _newest_event() -> int:
    try:
        return box().hands.store.newer(-1, timeout=0)
    except StoreError:  # the page says so
        return 0


def _version_shown() -> str:
    """Return the version of the news that the page surely shows, or UNHEARD."""
    try:
        version = box().news.now(concerns()).version
        return UNHEARD if _newest_event() > g.get("newest_at_start", 0) else str(version)
    except StoreError:  # the page says so
        return UNHEARD


def init_app(app: Flask) -> None:
    """Let each page know where to listen, where to ask, and what it needs not be told again."""

    def at(endpoint: str) -> str:
        return url_for(endpoint, at=concerns())

    @app.before_request
    def note_start() -> None:
        g.newest_at_start = _newest_event()

    app.jinja_env.globals["news_at"] = at
    app.jinja_env.globals["version_shown"] = _version_shown
