"""Practise: who practises, how far they are, and the quizzes about single tiles and sets."""

from __future__ import annotations

from flask import Blueprint

pages = Blueprint("practice", __name__, url_prefix="/practise")


@pages.get("/")
def show() -> str:
    """Show it."""
    return ""
