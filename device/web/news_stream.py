"""Serve the news to phones: as a stream of events, or on request. See `device.web.news`."""

from __future__ import annotations

from flask import Blueprint, Flask, Response, g, request, url_for

from device.server.connection import LISTEN_KEY
from device.store import StoreError
from device.web.contexts import newsroom, records, room
from device.web.fields import query
from device.web.news import ALL_TABLES

UNKNOWN_VERSION = ""
"""In place of a version: something changed while the page was made, so it may be out of date."""

pages = Blueprint("live", __name__, url_prefix="/news")

ONE_TABLE_BLUEPRINTS = frozenset(
    {"table", "deal", "totals", "settle", "whole", "correcting", "charges", "names", "dispute"}
)
"""Blueprints whose pages show only the phone's own table."""


@pages.get("/now")
def show_version() -> dict[str, int | str]:
    """Return the version of the table, and the box's state if there is one (`News`)."""
    return newsroom().read_news(_asked_table())._asdict()


@pages.get("/")
def listen() -> Response | tuple[str, int]:
    """Send the news as server-sent events. Answer 204 if too many phones listen already.

    In an event stream, 204 means "do not ask again". The page then polls instead, and its browser
    reports no error.
    """
    hears = request.environ.get(LISTEN_KEY)
    first = newsroom().listen(_asked_table(), hears) if hears and request.method == "GET" else None
    if first is None:
        return "", 204
    # An iterator keeps the response open for further messages.
    return Response(iter([first]), mimetype="text/event-stream")


def _asked_table() -> str:
    return query().word("at", ALL_TABLES)


def table_of_page() -> str:
    """Return the table whose news the current page needs. Most pages need the news of all."""
    if "concerns" not in g:  # each page needs it twice, to listen and to poll
        g.concerns = _find_table_of_page()
    return str(g.concerns)


def _find_table_of_page() -> str:
    if not records().store.log.answers:  # a request to the store would have to wait
        return ALL_TABLES
    view_args = request.view_args or {}
    stream = view_args.get("hand") or view_args.get("match")
    try:
        if isinstance(stream, str):
            return newsroom().concerning.table_of(stream)
        if request.blueprint in ONE_TABLE_BLUEPRINTS and (
            room().table or not room().tables.are_laid()
        ):
            return room().table
    except StoreError:  # the page itself reports it
        pass
    return ALL_TABLES


def _newest_event() -> int:
    try:
        return records().store.newer(-1, timeout=0)
    except StoreError:  # the page itself reports it
        return 0


def _version_shown() -> str:
    """Return the version that the page certainly shows, or UNHEARD."""
    try:
        version = newsroom().read_news(table_of_page()).version
        return UNKNOWN_VERSION if _newest_event() > g.get("newest_at_start", 0) else str(version)
    except StoreError:  # the page itself reports it
        return UNKNOWN_VERSION


def init_app(app: Flask) -> None:
    """Give templates the addresses of the news, and the version that the page shows."""

    def at(endpoint: str) -> str:
        return url_for(endpoint, at=table_of_page())

    @app.before_request
    def note_start() -> None:
        g.newest_at_start = _newest_event()

    app.jinja_env.globals["news_at"] = at
    app.jinja_env.globals["version_shown"] = _version_shown
