"""A practice deal that is over: how it ended, and what comes next."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.tutoring.first_evening import step_with_exercise
from device.views.tutor.play_over import play_over_view
from device.web.contexts import records
from device.web.tutor.play import DEAL_EXERCISE
from scorer.play.moves import PlayError

pages = Blueprint("play_over", __name__, url_prefix="/practise/deal/<id:deal>/over")


@pages.get("/")
def show(deal: str) -> str | AnyResponse:
    """Show how the deal ended; while it is still played, redirect to it.

    The deal's own page says so, too, when it is from another version of the box.
    """
    try:
        with records().practice_deals.open(deal) as live:
            view = play_over_view(live)
    except PlayError:
        view = None
    if view is None:
        return redirect(url_for("play.deal", deal=deal))
    return render_template(
        "tutor/play_over.html",
        record=live.record,
        view=view,
        evening=step_with_exercise(DEAL_EXERCISE, str(live.record.setup.hand_size)),
    )
