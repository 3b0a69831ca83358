"""The tutor's first page: what there is to learn, to try and to print."""

from __future__ import annotations

from flask import Blueprint, render_template

pages = Blueprint("learn", __name__, url_prefix="/learn")


@pages.get("/")
def show() -> str:
    """Show the ways in."""
    return render_template("tutor/learn.html")
