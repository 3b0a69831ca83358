"""Practise scoring a hand, step by step."""

from __future__ import annotations

from flask import Blueprint

pages = Blueprint("exercises", __name__, url_prefix="/practise/hand")


@pages.get("/")
def show() -> str:
    """Show it."""
    return ""
