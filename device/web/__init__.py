"""The page on the players' phones: a Flask app that is handed everything it works with."""

from __future__ import annotations

from device.web.app import create_app, warm_up
from device.web.box import Box

__all__ = ["Box", "create_app", "warm_up"]
