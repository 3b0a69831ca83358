"""The pages on the players' phones: a Flask app that works on a given Box."""

from __future__ import annotations

from device.web.app import create_app, warm_up
from device.web.box import Box

__all__ = ["Box", "create_app", "warm_up"]
