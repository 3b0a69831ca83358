"""Everything that can be printed, as PDF: table mat, label for the box, score sheet, card.

PDFs are made one at a time, and each only once, because a PDF takes seconds. Requests for the same
PDF wait for it; requests for another one wait behind it. Each occupies a server thread, so only a
few may wait, and each phone for one PDF only. All others are told to ask again, which their
browsers do by themselves.
"""

from __future__ import annotations

from flask import Blueprint, Response, abort, request, url_for

from device.web.box import box
from device.web.fields import query
from device.web.joining import ways
from device.web.press import printed
from device.web.tutor.in_force import rules_in_force
from scorer.teach.practice.exercises import NoExerciseError, parse_seed

pages = Blueprint("print", __name__, url_prefix="/print")

NEWEST = 100
"""Hands on the score sheet: an evening's and more. `tongbox export --pdf` prints all hands. Here
a phone waits, 66 ms per hand on a busy PC."""


@pages.get("/mat-<any(a3, a4):paper>.pdf")
def mat(paper: str) -> Response:
    """Return the table mat."""
    from device.paper.mat import print_mat  # loads reportlab, which is seldom needed

    return _pdf(printed(lambda: print_mat(paper)))


@pages.get("/label.pdf")
def label() -> Response:
    """Return the label for the box, with the address that this request used."""
    from device.paper.labels import print_labels

    found = ways()
    return _pdf(printed(lambda: print_labels(found), found))


@pages.get("/tables.pdf")
def tables() -> Response:
    """Return the QR codes of all tables, or of one, to put on them."""
    from device.paper.labels import TableCode, print_table_codes

    (way, *_) = ways()
    chosen = query().word("table")
    laid = [box().tables.get(chosen)] if chosen else box().tables.laid()
    codes = tuple(
        TableCode(each.name, url_for("at.sit_down", table=each.id).lstrip("/")) for each in laid
    )
    return _pdf(printed(lambda: print_table_codes(codes, way), codes, way))


@pages.get("/hands.pdf")
def hands() -> Response:
    """Return the score sheet of the newest hands."""
    from device.paper.score_sheets import print_hands

    newest = box().hands.store.newer(-1, 0)
    return _pdf(printed(lambda: print_hands(box().hands, NEWEST), newest))


@pages.get("/exercises.pdf")
def exercises() -> Response:
    """Return ten hands to score, with answers: of one level, or from easy to hard."""
    from device.paper.exercises import print_exercises

    level, rules = query().word("level"), rules_in_force()
    try:
        seed = parse_seed(query().word("seed", "1"))
        return _pdf(printed(lambda: print_exercises(level, seed, rules), level, seed, rules))
    except NoExerciseError:
        abort(404)


@pages.get("/card.pdf")
def card() -> Response:
    """Return the reference card for the rules in force."""
    from device.paper.card import print_card

    rules = rules_in_force()
    return _pdf(printed(lambda: print_card(rules), rules))


def _pdf(data: bytes) -> Response:
    response = Response(data, mimetype="application/pdf")
    name = "tongbox-" + request.path.rpartition("/")[2]
    response.headers["Content-Disposition"] = f'inline; filename="{name}"'
    return response
