"""A newer version of Tongbox, picked on a phone: taken in piece by piece, checked, then asked for.

Whoever asks for it, all phones see the same page; the system does the rest (device/updates).
"""

from __future__ import annotations

from contextlib import suppress

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.sansio.blueprints import BlueprintSetupState
from werkzeug.wrappers import Response as AnyResponse

from device.i18n.words import say
from device.settings.settings import append_to_box
from device.store import StoreError
from device.store.events import UpdateChosen
from device.updates.arrival import Arrival, OutOfStepError
from device.updates.bundle import LARGEST, BundleError
from device.updates.progress import UpdateState, last_words, progress
from device.web.box import box
from device.web.fields import form

pages = Blueprint("updating", __name__, url_prefix="/update")

PIECE = 8 * 2**20
"""Bytes that a phone sends at a time: what a weak Wi-Fi breaks off is soon sent again."""

_Answer = tuple[dict[str, object], int]


@pages.record_once
def tell_pages(state: BlueprintSetupState) -> None:
    """Let every template ask whether the box is being updated."""
    state.app.jinja_env.globals["updating"] = is_under_way


def arrival() -> Arrival:
    """Return what takes bundles in; answer 404 on a computer that is no box."""
    found = box().arrival
    if found is None:
        abort(404)
    return found


def now() -> UpdateState:
    """Return how far the system is."""
    return progress(box().machine, arrival().is_wanted)


def is_under_way() -> bool:
    """Whether the box is being updated, for pages that are about something else."""
    return box().arrival is not None and now().is_under_way


@pages.get("/")
def show() -> str:
    """Show which version runs, what waits to be installed, and how far that is."""
    at = now()
    return render_template(
        "update.html",
        at=at,
        why=say(at.of) if at.stage == "refused" else "",
        waiting=None if at.is_under_way else arrival().waiting,
        running=box().machine.version_of("tongbox"),
        said=last_words(box().machine) if at.stage == "failed" else "",
        is_match_on=bool(box().matches.tables_on()),
        piece=PIECE,
    )


@pages.post("/begin")
def begin() -> _Answer:
    """Begin to take a file of so many bytes; answer with what its pieces must name."""
    if now().is_under_way:
        return {"words": say("update.under-way")}, 409
    try:
        free = box().machine.free(box().machine.data)
        return {"token": arrival().begin(form().place("size", LARGEST + 1), free)}, 200
    except BundleError as error:
        return {"words": say(error.said)}, 422


@pages.post("/piece")
def piece() -> _Answer:
    """Take the next piece; answer with how much is there."""
    file = request.files.get("piece")
    sent = b"" if file is None else file.read()
    try:
        have = arrival().take(form().word("token"), form().place("at", LARGEST), sent)
    except OutOfStepError as error:
        return _out_of_step(error)
    return {"have": have}, 200


@pages.post("/finish")
def finish() -> _Answer:
    """Check what came; a refusal says why."""
    try:
        return {"version": arrival().finish(form().word("token")).version}, 200
    except OutOfStepError as error:
        return _out_of_step(error)
    except BundleError as error:
        return {"words": say(error.said)}, 422


def _out_of_step(error: OutOfStepError) -> _Answer:
    """Answer with where to go on from, or that another phone has begun since."""
    if error.have is None:
        return {"words": say("update.another")}, 409
    return {"have": error.have}, 409


@pages.post("/install")
def install() -> AnyResponse:
    """Let the system install what waits; of two who ask, both see that it does."""
    with suppress(OutOfStepError):  # the other was first
        chosen = arrival().install()
        with suppress(StoreError):  # a card that takes nothing more is told of elsewhere
            append_to_box(box().hands.store, UpdateChosen(chosen.version))
    return redirect(url_for("updating.show"), 303)


@pages.post("/drop")
def drop() -> AnyResponse:
    """Forget what waits."""
    arrival().drop()
    return redirect(url_for("updating.show"), 303)
