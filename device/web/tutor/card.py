"""The reference card: the scores of the ruleset in force on one page."""

from __future__ import annotations

from flask import Blueprint, render_template

from device.views.tutor.card import card_view
from device.web.tutor.in_force import rules_in_force

pages = Blueprint("card", __name__, url_prefix="/learn/card")


@pages.get("/", endpoint="show")
def show_card() -> str:
    """Show the reference card."""
    return render_template("tutor/card.html", card=card_view(rules_in_force()))
