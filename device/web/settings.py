"""The menu of all pages with settings."""

from __future__ import annotations

from flask import Blueprint, render_template

from device.host.service_manager import is_box_service
from device.web.box import box

pages = Blueprint("settings", __name__)


@pages.get("/settings/", endpoint="show")
def show_settings() -> str:
    """Show the menu of settings."""
    return render_template(
        "settings.html",
        is_the_box=is_box_service(box().machine),
        can_update=box().arrival is not None,
    )
