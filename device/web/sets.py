"""The page of the tile sets: which is on the table, and what the box has learnt of each."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.i18n.words import say, say_count
from device.tilesets.tile_sets import MAX_SET_NAME_CHARACTERS, OwnTileSet
from device.web.box import box
from device.web.fields import form
from scorer.tiles import CODES

pages = Blueprint("sets", __name__, url_prefix="/sets")


@dataclass(frozen=True, slots=True)
class TileSetView:
    """The values that the page shows for one set."""

    id: str
    name: str
    known: str
    """How much the box has learnt, in words."""
    has_pictures: bool
    on_table: bool
    registered: str
    """The id of the newest registration that has pictures; empty without one."""


@pages.get("/", endpoint="show")
def show_sets() -> str:
    """Show the sets."""
    sets, chosen = box().sets, box().sets.chosen(box().table)
    views = [_view(each, on_table=each == chosen) for each in sets.all()]
    return render_template("sets.html", sets=views, may_learn=sets.may_learn())


@pages.post("/choose")
def choose() -> AnyResponse:
    """Choose the set on the table: an existing one, or a new one by its name."""
    if "name" in form():
        box().sets.begin(form().text("name", MAX_SET_NAME_CHARACTERS, default=None), box().table)
    else:
        box().sets.choose(form().word("set", None), box().table)
    return _back()


@pages.post("/learning")
def learning() -> AnyResponse:
    """Save whether the box may learn from tiles."""
    box().sets.allow(allowed=form().choice("learn", ("yes", "no")) == "yes")
    return _back()


@pages.post("/delete")
def delete() -> AnyResponse:
    """Delete the pictures of a set's tiles."""
    box().sets.forget(form().word("set", None))
    return _back()


def _back() -> AnyResponse:
    return redirect(url_for("sets.show"), 303)


def _view(tile_set: OwnTileSet, *, on_table: bool) -> TileSetView:
    codes = box().sets.codes(tile_set.id)
    faces = len(set(codes.values()) & set(CODES))
    known = say_count("sets.known", len(codes), faces=faces) if codes else say("sets.known-none")
    name = tile_set.name or say("sets.usual")
    kept = box().sets.registrations.kept(tile_set.id)
    registered = next((each.id for each in kept if codes.keys() & set(each.crops.values())), "")
    return TileSetView(tile_set.id, name, known, bool(codes), on_table, registered)
