"""Gives the templates their words: all that turns a message into the phone's language."""

from __future__ import annotations

from flask import Flask

from device.i18n.words import is_said, say, say_count, spoken, tile_name, wind_sign


def init_app(app: Flask) -> None:
    """Let templates say things: `t` a key or a message, `spoken` a message or somebody's words."""
    app.jinja_env.globals.update(t=say, tn=say_count, spoken=spoken, has_words=is_said)
    app.jinja_env.globals.update(tile_name=tile_name, wind_sign=wind_sign)
