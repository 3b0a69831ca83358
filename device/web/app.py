"""Build the Flask app: its blueprints, request checks and template globals."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

from flask import Blueprint, Flask, Response
from werkzeug.routing import Map

from device.store.answer_cache import AnswerCache
from device.views import tiles
from device.web import (
    assets,
    errors,
    fields,
    links,
    name_gate,
    news_stream,
    permissions,
    phone_access,
    pin,
    preferences,
    printing,
    request_guard,
    taps,
    whole_words,
)
from device.web.box import Box
from device.web.contexts import provide, records
from scorer.hand import RULESETS
from scorer.rulesets.builtin import load_builtin


@cache
def find_pages() -> tuple[Blueprint, ...]:
    """Return the blueprints of all modules in this package, each once."""
    modules = walk_packages([str(Path(__file__).parent)], f"{__package__}.")
    names = (each.name for each in modules if not each.name.endswith("__main__"))
    values = [value for name in names for value in vars(import_module(name)).values()]
    return tuple(dict.fromkeys(each for each in values if isinstance(each, Blueprint)))


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
    app.jinja_env.globals.update(symbol_of=tiles.symbol, green=phone_access.THEME_COLOURS)
    assets.init_assets(app, assets.load_packaged() if files is None else files)
    request_guard.init_guard(app, box.upkeep.names)
    errors.init_app(app)  # before anything that reads the store, which may fail
    pin.init_app(app)
    permissions.init_app(app)
    name_gate.init_app(app)
    request_guard.init_body_limits(app)
    taps.init_app(app)
    printing.init_printing(app)
    news_stream.init_app(app)
    assets.init_compression(app)
    whole_words.init_app(app)  # before it is compressed: what comes last here is asked first
    for pages in find_pages():
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
    for pages in find_pages():
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
