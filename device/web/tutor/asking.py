"""Point and ask: what tiles are, what a hand waits for and what it is near."""

from __future__ import annotations

from flask import Blueprint

pages = Blueprint("asking", __name__, url_prefix="/learn/ask")


@pages.get("/")
def show() -> str:
    """Show it."""
    return ""
