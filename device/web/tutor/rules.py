"""Every rule and every special hand on a page of its own, with an example."""

from __future__ import annotations

from flask import Blueprint

pages = Blueprint("rules", __name__, url_prefix="/learn/rules")


@pages.get("/")
def show() -> str:
    """Show it."""
    return ""


@pages.get("/<rule>")
def rule(rule: str) -> str:
    """Show one rule."""
    return rule
