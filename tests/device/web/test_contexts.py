"""Views take small contexts: which package takes which, and views that run without a box."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path
from typing import cast

import pytest
from flask import Flask

from device.cameras.aiming import PhoneAims
from device.hands.repository import HandRepository
from device.i18n.words import say
from device.server.limits import CameraShares
from device.store import Store
from device.tilesets.tile_sets import TileSets
from device.web import contexts
from device.web.app import app_of_routes
from device.web.contexts import CameraDesk, Records, Room, provide

WEB = Path(contexts.__file__).parent

CONTEXTS_BY_PACKAGE = {
    "table": "photo_desk records room upkeep",
    "tutor": "photo_desk records room",
    "club": "camera_desk records room upkeep",
    "permissions": "records room",
}
"""What the views of each package take. Less is better: a row grows only for a reason."""


def test_views_of_a_package_take_these_contexts_and_no_others() -> None:
    taken: dict[str, set[str]] = defaultdict(set)
    for path in WEB.glob("*/*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == contexts.__name__:
                taken[path.parent.name] |= {each.name for each in node.names}
    assert {name: " ".join(sorted(each)) for name, each in taken.items()} == CONTEXTS_BY_PACKAGE


@pytest.fixture
def routes() -> Flask:
    """Return an app of all views, with no box behind it."""
    return app_of_routes()


def test_a_phone_s_frame_is_judged_with_cameras_alone(routes: Flask, store: Store) -> None:
    frames: list[bytes] = []

    class Aims:
        def judge(self, phone: str, frame: bytes) -> str:
            frames.append(frame)
            return "too-dark"

    provide(routes, CameraDesk(Room(store), cast(PhoneAims, Aims()), shares=CameraShares()))
    answer = routes.test_client().post("/camera/phone/hint", data=b"frame")
    assert answer.json == {"hint": "too-dark", "words": say("camera.hint.too-dark")}
    assert frames == [b"frame"]


def test_tiles_are_asked_about_by_hand_with_records_alone(
    routes: Flask, store: Store, hands: HandRepository, sets: TileSets
) -> None:
    provide(routes, Records(store, hands, sets), Room(store, rules="safalra"))
    answer = routes.test_client().post("/learn/ask/enter")
    (question,) = hands.recent()
    assert answer.location == f"/hand/{question.id}/enter"
    assert question.is_question
    assert question.agreement.ruleset == "safalra", "what the room proposes"


def test_a_context_that_a_view_lacks_is_named(routes: Flask, store: Store) -> None:
    provide(routes, Room(store))
    routes.testing = True
    with pytest.raises(KeyError, match="Records"):
        routes.test_client().post("/learn/ask/enter")
