"""Build the Flask app: its blueprints, request checks and template globals."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Flask
from werkzeug.routing import Map

from device.views import tiles
from device.web import (
    aiming,
    assets,
    bodies,
    citing,
    clock,
    compress,
    errors,
    fields,
    first_steps,
    guard,
    home_screen,
    joining,
    pin,
    preferences,
    press,
    salvaged,
    speech,
)
from device.web.box import Box
from device.web.byhand import pages as byhand_pages
from device.web.capture import pages as capture_pages
from device.web.club import (
    at,
    board,
    club,
    organiser,
    players,
    season,
    tournament,
    tournament_players,
    tournament_results,
    tournament_table,
    tournament_tables,
    tournaments,
)
from device.web.club.tables import pages as club_table_pages
from device.web.damaged import pages as damaged_pages
from device.web.doubted import pages as doubted_pages
from device.web.giving import pages as giving_pages
from device.web.hand import pages as hand_pages
from device.web.home import pages as home_pages
from device.web.off import pages as off_pages
from device.web.permissions import check as permissions
from device.web.printing import pages as print_pages
from device.web.registering import pages as register_pages
from device.web.sets import pages as sets_pages
from device.web.settings import pages as settings_pages
from device.web.setup import pages as setup_pages
from device.web.sheets import pages as sheet_pages
from device.web.table.begin import pages as begin_pages
from device.web.table.charges import pages as charge_pages
from device.web.table.correcting import pages as correcting_pages
from device.web.table.deal import pages as deal_pages
from device.web.table.dispute import pages as dispute_pages
from device.web.table.here import init_app as init_here
from device.web.table.history import pages as history_pages
from device.web.table.live import init_app as init_live
from device.web.table.live import pages as live_pages
from device.web.table.mending import pages as mending_pages
from device.web.table.names import pages as name_pages
from device.web.table.over import init_app as init_over
from device.web.table.over import pages as over_pages
from device.web.table.settle import pages as settle_pages
from device.web.table.table import pages as table_pages
from device.web.table.totals import pages as totals_pages
from device.web.table.which import pages as which_pages
from device.web.table.whole import pages as whole_pages
from device.web.tutor.asking import pages as asking_pages
from device.web.tutor.card import pages as card_pages
from device.web.tutor.exercises import pages as exercise_pages
from device.web.tutor.learn import pages as learn_pages
from device.web.tutor.lessons import pages as lesson_pages
from device.web.tutor.practice import pages as practice_pages
from device.web.tutor.rules import pages as rule_pages
from device.web.tutor.walls import pages as wall_pages
from device.web.updating import pages as updating_pages
from scorer.hand import RULESETS
from scorer.rulesets.builtin import load_builtin

PAGES = (
    home_pages,
    capture_pages,
    aiming.pages,
    hand_pages,
    damaged_pages,
    doubted_pages,
    byhand_pages,
    sheet_pages,
    sets_pages,
    giving_pages,
    settings_pages,
    off_pages,
    updating_pages,
    register_pages,
    setup_pages,
    salvaged.pages,
    begin_pages,
    table_pages,
    deal_pages,
    totals_pages,
    which_pages,
    whole_pages,
    settle_pages,
    mending_pages,
    over_pages,
    name_pages,
    preferences.pages,
    live_pages,
    first_steps.pages,
    clock.pages,
    joining.pages,
    home_screen.pages,
    pin.pages,
    print_pages,
    history_pages,
    correcting_pages,
    charge_pages,
    dispute_pages,
    learn_pages,
    lesson_pages,
    rule_pages,
    wall_pages,
    asking_pages,
    practice_pages,
    exercise_pages,
    card_pages,
    organiser.pages,
    players.pages,
    season.pages,
    tournaments.pages,
    tournament.pages,
    tournament_table.pages,
    tournament_players.pages,
    tournament_results.pages,
    tournament_tables.pages,
    board.pages,
    at.pages,
    club.pages,
    club_table_pages,
)
"""All blueprints of the app."""


def create_app(box: Box, files: Mapping[str, bytes] | None = None) -> Flask:
    """Return the Flask app for this box. `files` replaces the packaged static files, for tests."""
    app = Flask(__name__, static_folder=None)
    app.config.update(
        MAX_CONTENT_LENGTH=bodies.PHOTOGRAPH,
        SESSION_COOKIE_SAMESITE="Strict",  # no session is used today; if one ever is, it is strict
    )
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.extensions["tongbox"] = box
    fields.init_app(app)
    speech.init_app(app)
    citing.init_app(app)
    preferences.init_app(app)
    app.jinja_env.globals["symbol_of"] = tiles.symbol
    assets.init_app(app, assets.packaged() if files is None else files)
    guard.init_app(app, box.names)
    errors.init_app(app)  # before anything that reads the store, which may fail
    pin.init_app(app)
    at.init_app(app)
    permissions.init_app(app)
    salvaged.init_app(app)
    bodies.init_app(app)
    press.init_app(app)
    joining.init_app(app)
    aiming.init_app(app)
    first_steps.init_app(app)
    home_screen.init_app(app)
    init_here(app)
    init_over(app)
    init_live(app)
    compress.init_app(app)
    for pages in PAGES:
        app.register_blueprint(pages)
    return app


def url_map() -> Map:
    """Return all routes of the app. Needs no box."""
    app = Flask(__name__, static_folder=None)
    fields.init_app(app)
    assets.init_app(app, {})
    for pages in PAGES:
        app.register_blueprint(pages)
    return app.url_map


def warm_up(app: Flask) -> None:
    """Compile the templates and read the rules, so that the first requests need not.

    Takes a second or two on a Raspberry Pi, so run it in a thread of its own.
    """
    for name in app.jinja_env.list_templates(extensions=["html"]):
        app.jinja_env.get_template(name)
    for rules in RULESETS:
        load_builtin(rules)
