"""Share a result or a hand as a picture: a page that shows it, and the drawing itself.

Whoever may see the page of the match or the hand may fetch its picture, with the same names.
"""

from __future__ import annotations

from flask import Blueprint, abort, make_response, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.views.hand_page import hand_view
from device.views.picture import Picture, hand_picture, match_picture
from device.web.contexts import room
from device.web.links import hand_url
from device.web.name_gate import name_gate
from device.web.table.hand_in_match import FoundHand, find_hand

pages = Blueprint("picture", __name__)

PICTURE_COLOURS = {
    "ground": "#fbf7ec",
    "baize": "#1d5a43",
    "edge": "#e4d9bb",
    "ink": "#1e2622",
    "soft": "#535d56",
    "brass": "#6b4d0d",
    "lines": ("#0b5fa5", "#b3470a", "#00735a", "#8f3a84", "#5b5300"),
}
"""The light colours of the page: a picture that is sent on knows no dark room."""


@pages.get("/match/<id:match>/picture/")
def show_match(match: str) -> str:
    """Show the picture of a finished match."""
    return render_template(
        "picture.html",
        picture=_match_picture(match),
        source=url_for("picture.draw_match", match=match),
        name="tongbox-match.svg",
        back=url_for("over.final", match=match),
    )


@pages.get("/match/<id:match>/picture.svg")
def draw_match(match: str) -> AnyResponse:
    """Return the picture of a finished match."""
    return _drawing_response(_match_picture(match))


@pages.get("/hand/<id:hand>/picture/")
def show_hand(hand: str) -> str:
    """Show the picture of a scored hand."""
    return render_template(
        "picture.html",
        picture=_hand_picture(hand),
        source=url_for("picture.draw_hand", hand=hand),
        name="tongbox-hand.svg",
        back=hand_url(hand),
    )


@pages.get("/hand/<id:hand>/picture.svg")
def draw_hand(hand: str) -> AnyResponse:
    """Return the picture of a scored hand."""
    return _drawing_response(_hand_picture(hand))


def _match_picture(match: str) -> Picture:
    played_match = room().matches.get(match)
    if not played_match.ended:
        abort(404)
    return match_picture(name_gate().match(played_match))


def _hand_picture(hand: str) -> Picture:
    found_hand = find_hand(hand)
    record = found_hand.record
    if record.doubts or record.awaited_photo or not _counts(found_hand):
        abort(404)
    view = hand_view(record)
    if view.score is None or view.open:
        abort(404)
    return hand_picture(view, view.score, found_hand.place.player if found_hand.place else "")


def _counts(found_hand: FoundHand) -> bool:
    """Whether no other hand was given in for the same player instead."""
    return not (found_hand.place and (found_hand.place.undecided or found_hand.place.instead))


def _drawing_response(picture: Picture) -> AnyResponse:
    drawing = render_template("picture.svg", picture=picture, colours=PICTURE_COLOURS)
    response = make_response(drawing)
    response.mimetype = "image/svg+xml"
    return response
