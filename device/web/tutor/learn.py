"""The tutor's menu: what there is to learn, to try and to print."""

from __future__ import annotations

from flask import Blueprint, render_template

pages = Blueprint("learn", __name__, url_prefix="/learn")


@pages.get("/", endpoint="show")
def show_menu() -> str:
    """Show the tutor's menu."""
    return render_template("tutor/learn.html")
