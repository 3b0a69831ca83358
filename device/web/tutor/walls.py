"""Set the table: from the dice to the deal, drawn as seen from the phone's own seat."""

from __future__ import annotations

from flask import Blueprint

pages = Blueprint("walls", __name__, url_prefix="/learn/wall")


@pages.get("/")
def show() -> str:
    """Show it."""
    return ""
