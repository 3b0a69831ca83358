"""The reference card: the figures of the ruleset in force on one page."""

from __future__ import annotations

from flask import Blueprint

pages = Blueprint("card", __name__, url_prefix="/learn/card")


@pages.get("/")
def show() -> str:
    """Show it."""
    return ""
