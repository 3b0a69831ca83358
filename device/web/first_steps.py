"""Guide the first phone at a new box through its setup, one question per screen.

Each question has its own address, which carries the answers so far. Going back and reloading
therefore just work. Language, clock and camera are sent to the pages that always handle them.
The end is one event. Phones that come later get the normal first page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for
from msgspec import structs
from werkzeug.wrappers import Response as AnyResponse

from device.hands.record import Agreement
from device.i18n.words import LANGUAGES, say
from device.intake import IncomingPhoto, StandaloneHand
from device.settings import append_to_box
from device.store.events import (
    FirstStepsEnded,
    HandBegun,
    LogSalvaged,
    MatchBegun,
    PhotoTaken,
    TableCreated,
)
from device.web import maintenance
from device.web.box_camera import camera_view, take_still
from device.web.contexts import first_steps_phones, photo_desk, records, room
from device.web.fields import query
from device.web.links import redirect_to
from device.web.permissions import may_use
from device.web.table.match_form import MAX_NAME_CHARS, propose_match
from device.web.uploads import read_upload
from scorer.hand import RULESETS
from scorer.rulesets.builtin import load_builtin

pages = Blueprint("first_steps", __name__, url_prefix="/first/steps")

STEPS: Mapping[str, Callable[[], bool]] = {
    "language": lambda: True,
    "clock": lambda: not maintenance.is_clock_right(),
    "camera": lambda: camera_view() is not None,
    "rules": lambda: True,
    "names": lambda: True,
    "photo": lambda: True,
}
"""The questions in their order, each with a test whether this box needs to ask it."""

MAX_NAME_FIELDS = 4
"""Fields for names. A fifth player can be added when a match begins."""


END_ENDPOINTS = ("upload", "shoot", "end")
"""The endpoints that end the first steps."""


@pages.app_template_global()
def set_up_elsewhere() -> bool:
    """Whether another phone is in the first steps."""
    return first_steps_phones().is_other_phone_active(_phone_address())


def welcome_page() -> str | None:
    """Return the welcome page for the first phone at an untouched box; None in any other case.

    Only a phone that may set the box up is welcomed. A box is untouched while nobody has finished
    or skipped the first steps, and nothing was played.
    """
    if not (first_steps_phones().greets and is_untouched()) or set_up_elsewhere():
        return None
    if not may_use("first_steps.skip"):
        return None
    return render_template(
        "first/welcome.html", where=first_steps_phones().last_page(_phone_address())
    )


def is_untouched() -> bool:
    """Whether nothing was ever done with the box. A box that lost its log is not untouched."""
    store = records().store
    kinds = (FirstStepsEnded, PhotoTaken, HandBegun, MatchBegun, TableCreated, LogSalvaged)
    return not store.with_event(*kinds, limit=1)


@pages.get("/<name>")
def show(name: str) -> str | AnyResponse:
    """Ask one question. Skip it if this box need not ask it."""
    if name not in STEPS:
        abort(404)
    steps = [each for each, applies in STEPS.items() if each == name or applies()]
    index = steps.index(name)
    answers = _answers_so_far()
    before = _step_url(steps[index - 1], answers) if index else url_for("home.index")
    after = _step_url(steps[index + 1], answers) if index + 1 < len(steps) else ""
    if not STEPS[name]():
        return redirect(after)
    first_steps_phones().note_page(_phone_address(), _step_url(name, answers))
    return render_template(
        f"first/{name}.html",
        number=index + 1,
        count=len(steps),
        here=_step_url(name, answers),
        before=before,
        after=after,
        said=answers,
        **_step_values(name, answers),
    )


@pages.post("/photo")
def upload() -> AnyResponse:
    """Read a phone's photograph as a rehearsal: a single hand that no match counts."""
    return _begin_rehearsal(read_upload)


@pages.post("/shot")
def shoot() -> AnyResponse:
    """Rehearse with the box's own camera."""
    return _begin_rehearsal(take_still)


@pages.post("/end")
def end() -> AnyResponse:
    """End the first steps with the answers so far, without a photograph."""
    return _end_steps(_answers_so_far(), url_for("home.index"))


@pages.post("/skip")
def skip() -> AnyResponse:
    """Skip the first steps for good. What was saved before stays."""
    if is_untouched():
        append_to_box(records().store, FirstStepsEnded(skipped=True))
    first_steps_phones().end()
    return redirect_to("home.index")


def is_rehearsal(hand: str) -> bool:
    """Whether a hand is the rehearsal of the first steps."""
    return _find_rehearsal() == hand


def _find_rehearsal() -> str:
    """Return the id of the hand that the first steps ended with; empty without one."""
    event = records().store.latest(FirstStepsEnded)
    return event.event.hand if event else ""


def _begin_rehearsal(source: Callable[[], IncomingPhoto]) -> AnyResponse:
    answers = _answers_so_far()
    agreement = Agreement(answers.ruleset) if answers.ruleset else room().agreement_here
    hand = photo_desk().intake.take(source, StandaloneHand(agreement, room().table))
    return _end_steps(structs.replace(answers, hand=hand), url_for("hand.show", hand=hand))


def _end_steps(answers: FirstStepsEnded, next_url: str) -> AnyResponse:
    last_event = records().store.latest(FirstStepsEnded)
    if last_event is None or last_event.event != answers:  # a second tap changes nothing
        append_to_box(records().store, answers)
    first_steps_phones().end()
    return redirect(next_url, 303)


def _answers_so_far() -> FirstStepsEnded:
    """Return the answers so far, which the address carries."""
    ruleset = query().word("ruleset")
    names = query().texts("player", MAX_NAME_CHARS, MAX_NAME_FIELDS)
    return FirstStepsEnded(
        ruleset=ruleset if ruleset in RULESETS else "", players=tuple(filter(None, names))
    )


def _step_url(name: str, answers: FirstStepsEnded) -> str:
    """Return the address of a question or of an end, with the answers so far."""
    values: dict[str, Any] = {"ruleset": answers.ruleset or None, "player": list(answers.players)}
    if name in END_ENDPOINTS:
        return url_for(f"first_steps.{name}", **values)
    return url_for("first_steps.show", name=name, **values)


def _step_values(name: str, answers: FirstStepsEnded) -> dict[str, Any]:
    """Return the values that the template of one question needs."""
    match name:
        case "language":
            return {"languages": LANGUAGES}
        case "clock":
            return {"box_time": maintenance.box_time()}
        case "camera":
            return {"camera": camera_view(), "turned": records().settings.read().camera_turned}
        case "rules":
            rules = [{"name": each, "title": say(load_builtin(each).title)} for each in RULESETS]
            return {"rulesets": rules, "chosen": answers.ruleset or propose_match().ruleset}
        case "names":
            players = answers.players or propose_match().players
            return {
                "names": [*players, *[""] * MAX_NAME_FIELDS][:MAX_NAME_FIELDS],
                "longest": MAX_NAME_CHARS,
            }
    return {
        "camera": camera_view(),
        "taken": _find_rehearsal(),
        **{f"to_{each}": _step_url(each, answers) for each in END_ENDPOINTS},
    }


def _phone_address() -> str:
    return request.remote_addr or ""
