"""The lessons: what a newcomer asks, section by section, and a search through all of it."""

from __future__ import annotations

from flask import Blueprint

pages = Blueprint("lessons", __name__, url_prefix="/learn/lessons")


@pages.get("/")
def show() -> str:
    """Show it."""
    return ""
