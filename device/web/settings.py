"""What is chosen once: the way to each page of it."""

from __future__ import annotations

from flask import Blueprint, render_template

pages = Blueprint("settings", __name__)


@pages.get("/settings/")
def show() -> str:
    """Show the ways to what can be chosen."""
    return render_template("settings.html")
