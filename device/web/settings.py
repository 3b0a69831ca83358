"""What is chosen once: the way to each page of it."""

from __future__ import annotations

from flask import Blueprint, render_template

from device.host.power import is_the_box
from device.web.box import box

pages = Blueprint("settings", __name__)


@pages.get("/settings/")
def show() -> str:
    """Show the ways to what can be chosen."""
    return render_template(
        "settings.html",
        is_the_box=is_the_box(box().machine),
        can_update=box().arrival is not None,
    )
