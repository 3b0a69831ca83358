"""Build the Flask app: its blueprints, request checks and template globals."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Flask, Response
from werkzeug.routing import Map

from device.store.answer_cache import AnswerCache
from device.views import tiles
from device.web import (
    assets,
    backup,
    errors,
    fields,
    first_steps,
    links,
    log_damage,
    maintenance,
    name_gate,
    permissions,
    phone_access,
    phone_camera,
    picture,
    pin,
    preferences,
    printing,
    request_guard,
    taps,
    whole_words,
)
from device.web.box import Box
from device.web.box_camera import pages as capture_pages
from device.web.club import (
    organiser,
    overview,
    players,
    season,
    tables,
    tournament,
    tournament_tables,
    tournaments,
)
from device.web.club.tables import club_table_pages
from device.web.contexts import provide, records
from device.web.custom_rules import pages as custom_rule_pages
from device.web.demo_pages import component_pages, text_pages
from device.web.hand_entry import pages as byhand_pages
from device.web.hand_page import pages as hand_pages
from device.web.hand_sheets import sheet_pages
from device.web.home import pages as home_pages
from device.web.log_damage import damaged_pages
from device.web.maintenance import off_pages, setup_pages
from device.web.news_stream import init_app as init_live
from device.web.news_stream import pages as live_pages
from device.web.printing import print_pages
from device.web.ruleset_codes import pages as ruleset_code_pages
from device.web.settings_pages import giving_pages, settings_pages
from device.web.table import dispute
from device.web.table.charges import pages as charge_pages
from device.web.table.corrections import pages as correcting_pages
from device.web.table.deal import deal_pages, which_pages
from device.web.table.match_form import begin_pages, name_pages
from device.web.table.match_pages import history_pages, init_match_end, over_pages
from device.web.table.seats import pages as seats_pages
from device.web.table.settlement import pages as settle_pages
from device.web.table.table_page import pages as table_pages
from device.web.table.table_photo import pages as whole_pages
from device.web.table.tile_conflicts import mending_pages
from device.web.table.totals import pages as totals_pages
from device.web.tapped_hand import pages as tapped_hand_pages
from device.web.tile_sets import register_pages, sets_pages
from device.web.tutor.asking import pages as asking_pages
from device.web.tutor.exercises import pages as exercise_pages
from device.web.tutor.first_evening import pages as evening_pages
from device.web.tutor.play import pages as play_pages
from device.web.tutor.play_over import pages as play_over_pages
from device.web.tutor.practice import pages as practice_pages
from device.web.tutor.rules import card_pages, learn_pages, lesson_pages, rule_pages
from device.web.tutor.table_setup import pages as wall_pages
from device.web.updates import pages as updating_pages
from device.web.uploads import doubted_pages
from scorer.hand import RULESETS
from scorer.rulesets.builtin import load_builtin

PAGES = (
    home_pages,
    capture_pages,
    phone_camera.pages,
    hand_pages,
    damaged_pages,
    doubted_pages,
    byhand_pages,
    sheet_pages,
    sets_pages,
    giving_pages,
    settings_pages,
    custom_rule_pages,
    ruleset_code_pages,
    tapped_hand_pages,
    off_pages,
    updating_pages,
    backup.pages,
    register_pages,
    setup_pages,
    log_damage.salvaged_pages,
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
    seats_pages,
    preferences.pages,
    live_pages,
    taps.pages,
    first_steps.pages,
    maintenance.clock_pages,
    phone_access.join_pages,
    phone_access.home_screen_pages,
    picture.pages,
    pin.pages,
    print_pages,
    history_pages,
    correcting_pages,
    charge_pages,
    dispute.pages,
    learn_pages,
    lesson_pages,
    rule_pages,
    wall_pages,
    asking_pages,
    evening_pages,
    practice_pages,
    play_pages,
    play_over_pages,
    exercise_pages,
    card_pages,
    organiser.pages,
    players.pages,
    season.pages,
    tournaments.tournaments_pages,
    tournament.tournament_pages,
    tournament_tables.tournament_table_pages,
    tournaments.tournament_players_pages,
    tournament.tournament_results_pages,
    tournament_tables.tournament_tables_pages,
    overview.board_pages,
    tables.seating_pages,
    overview.club_pages,
    club_table_pages,
    component_pages,
    text_pages,
)
"""All blueprints of the app."""


def create_app(box: Box, files: Mapping[str, bytes] | None = None) -> Flask:
    """Return the Flask app for this box. `files` replaces the packaged static files, for tests."""
    app = Flask(__name__, static_folder=None)
    app.config.update(
        MAX_CONTENT_LENGTH=request_guard.MAX_UPLOAD_BYTES,
        SESSION_COOKIE_SAMESITE="Strict",  # no session is used today; if one ever is, it is strict
    )
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    provide(app, *box.contexts())
    _answer_from_memory(app)
    fields.init_app(app)
    preferences.init_words(app)
    links.init_rule_links(app)
    preferences.init_app(app)
    app.jinja_env.globals["symbol_of"] = tiles.symbol
    assets.init_assets(app, assets.load_packaged() if files is None else files)
    request_guard.init_guard(app, box.upkeep.names)
    errors.init_app(app)  # before anything that reads the store, which may fail
    pin.init_app(app)
    tables.init_seating(app)
    permissions.init_app(app)
    name_gate.init_app(app)
    log_damage.init_app(app)
    backup.init_restore_notice(app)
    request_guard.init_body_limits(app)
    taps.init_app(app)
    printing.init_printing(app)
    phone_access.init_join_link(app)
    phone_camera.init_app(app)
    first_steps.init_app(app)
    phone_access.init_home_screen(app)
    init_match_end(app)
    init_live(app)
    assets.init_compression(app)
    whole_words.init_app(app)  # before it is compressed: what comes last here is asked first
    for pages in PAGES:
        app.register_blueprint(pages)
    return app


def _answer_from_memory(app: Flask) -> None:
    """Ask the log once in each request what is new. What a response streams later asks again."""

    def answers() -> AnswerCache:
        return records().store.answers

    app.before_request(lambda: answers().begin_request())

    @app.after_request
    def end(response: Response) -> Response:
        answers().end_request()
        return response

    app.teardown_request(lambda _: answers().end_request())


def app_of_routes() -> Flask:
    """Return an app with all routes, no checks before them and no contexts."""
    app = Flask(__name__, static_folder=None)
    fields.init_app(app)
    assets.init_assets(app, {})
    for pages in PAGES:
        app.register_blueprint(pages)
    return app


def url_map() -> Map:
    """Return all routes of the app. Needs no box."""
    return app_of_routes().url_map


def warm_up(app: Flask) -> None:
    """Compile the templates and read the rules, so that the first requests need not.

    Takes a second or two on a Raspberry Pi, so run it in a thread of its own.
    """
    for name in app.jinja_env.list_templates(extensions=["html"]):
        app.jinja_env.get_template(name)
    for rules in RULESETS:
        load_builtin(rules)
