"""Update Tongbox from a file on a phone: upload it in pieces, check it, then install it.

All phones see the same progress. The system does the rest (device/updates).
"""

from __future__ import annotations

from contextlib import suppress

from flask import Blueprint, abort, render_template
from werkzeug.wrappers import Response as AnyResponse

from device.host.piece_upload import UploadOutOfStepError
from device.i18n.words import say
from device.settings import append_to_box
from device.store import StoreError
from device.store.events import UpdateChosen
from device.updates.bundle import MAX_BUNDLE_BYTES, BundleError
from device.updates.upload import (
    BundleUpload,
    UpdateState,
    read_installer_output,
    read_update_state,
)
from device.web.contexts import records, room, upkeep
from device.web.fields import form
from device.web.links import redirect_to
from device.web.uploads import PIECE_BYTES, PieceAnswer, answer_out_of_step, receive_piece

pages = Blueprint("updating", __name__, url_prefix="/update")


def require_arrival() -> BundleUpload:
    """Return the receiver of bundles. Answer 404 on a computer that is not an appliance."""
    arrival = upkeep().arrival
    if arrival is None:
        abort(404)
    return arrival


def update_state() -> UpdateState:
    """Return the progress of the update."""
    return read_update_state(upkeep().machine, require_arrival().is_wanted)


@pages.app_template_global("updating")
def is_under_way() -> bool:
    """Whether the box is being updated, for other pages."""
    return upkeep().arrival is not None and update_state().is_under_way


@pages.get("/")
def show() -> str:
    """Show the running version, the version that waits to be installed, and the progress."""
    state = update_state()
    return render_template(
        "update.html",
        at=state,
        why=say(state.of) if state.stage == "refused" else "",
        waiting=None if state.is_under_way else require_arrival().waiting_bundle,
        running=upkeep().machine.version_of("tongbox"),
        said=read_installer_output(upkeep().machine) if state.stage == "failed" else "",
        is_match_on=bool(room().matches.running_tables()),
        piece=PIECE_BYTES,
    )


@pages.post("/begin")
def begin() -> PieceAnswer:
    """Begin to receive a file of this size; answer with the token for its pieces."""
    if update_state().is_under_way:
        return {"words": say("update.under-way")}, 409
    try:
        free = upkeep().machine.free(upkeep().machine.data)
        return {
            "token": require_arrival().begin(form().place("size", MAX_BUNDLE_BYTES + 1), free)
        }, 200
    except BundleError as error:
        return {"words": say(error.reason)}, 422


@pages.post("/piece")
def piece() -> PieceAnswer:
    """Receive the next piece; answer with the bytes received so far."""
    return receive_piece(require_arrival().take, MAX_BUNDLE_BYTES)


@pages.post("/finish")
def finish() -> PieceAnswer:
    """Check the complete file; answer with its version, or with what is wrong."""
    try:
        return {"version": require_arrival().finish(form().word("token")).version}, 200
    except UploadOutOfStepError as error:
        return answer_out_of_step(error)
    except BundleError as error:
        return {"words": say(error.reason)}, 422


@pages.post("/install")
def install() -> AnyResponse:
    """Let the system install the waiting version. If two phones ask, both see the progress."""
    with suppress(UploadOutOfStepError):  # another phone was first
        version = require_arrival().install()
        with suppress(StoreError):  # other pages report a full card
            append_to_box(records().store, UpdateChosen(version.version))
    return redirect_to("updating.show")


@pages.post("/drop")
def drop() -> AnyResponse:
    """Discard the waiting version."""
    require_arrival().drop()
    return redirect_to("updating.show")
