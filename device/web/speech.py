"""Gives the templates their words: `t`, `tn` and what they write in the phone's language."""

from __future__ import annotations

from flask import Flask

from device.i18n.words import finalized, is_said, say, say_count, tile_name, wind_sign


def init_app(app: Flask) -> None:
    """Let templates say things, and translate what they write."""
    app.jinja_env.finalize = finalized
    app.jinja_env.globals.update(t=say, tn=say_count, has_words=is_said, tile_name=tile_name)
    app.jinja_env.globals.update(wind_sign=wind_sign)
