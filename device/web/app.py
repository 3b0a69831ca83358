"""Puts the page together."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Flask

from device.web import assets, errors, guard, tableau, words
from device.web.box import Box
from device.web.byhand import pages as byhand_pages
from device.web.capture import pages as capture_pages
from device.web.hand import pages as hand_pages
from device.web.home import pages as home_pages
from device.web.registering import pages as register_pages
from device.web.sets import pages as sets_pages
from device.web.setup import pages as setup_pages
from device.web.sheets import pages as sheet_pages
from device.web.table.begin import pages as begin_pages
from device.web.table.deal import pages as deal_pages
from device.web.table.live import pages as live_pages
from device.web.table.settle import pages as settle_pages
from device.web.table.table import pages as table_pages
from device.web.table.whole import pages as whole_pages

MAX_UPLOAD = 25 * 2**20
"""Bytes of an upload: twice the largest photograph that phones commonly make."""


def create_app(box: Box, files: Mapping[str, bytes] | None = None) -> Flask:
    """Return the page for this box; `files` stands in for the packaged static files."""
    app = Flask(__name__, static_folder=None)
    app.config.update(
        MAX_CONTENT_LENGTH=MAX_UPLOAD,
        SESSION_COOKIE_SAMESITE="Strict",  # the page sets no cookie; were one added, it is strict
    )
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.extensions["tongbox"] = box
    words.init_app(app)
    app.jinja_env.globals["symbol_of"] = tableau.symbol
    assets.init_app(app, assets.packaged() if files is None else files)
    guard.init_app(app, box.names)
    errors.init_app(app)
    for pages in (
        home_pages,
        capture_pages,
        hand_pages,
        byhand_pages,
        sheet_pages,
        sets_pages,
        register_pages,
        setup_pages,
        begin_pages,
        table_pages,
        deal_pages,
        whole_pages,
        settle_pages,
        live_pages,
    ):
        app.register_blueprint(pages)
    return app
