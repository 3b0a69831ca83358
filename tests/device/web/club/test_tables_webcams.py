"""Each table has a camera of its own: by the page, with folders of pictures in place of webcams.

Webcam N sees one grey, so a photograph says whose it is.
"""

from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image

from device.access import set_new_organiser_pin
from device.hands.repository import HandRepository
from device.i18n.words import say
from device.server import limits
from device.services import Services
from device.settings import SettingsLog
from device.web import Box, create_app
from device.web.contexts import CameraDesk, Upkeep, find_context
from tests.device.cameras.plugs import Plugs
from tests.device.club.rooms import begin, lay, phone_at, post, text
from tests.device.conftest import Wait
from tests.device.fake_camera import wait_until
from tests.device.fake_reader import lay as tiles
from tests.device.fake_reader import picture
from tests.device.page import Page, get_page
from tests.device.web.club.conftest import FIRST, SECOND, Start, choose, is_ready, offered_cameras


def show_table(app: Flask, table: str) -> str:
    """Return what a table's page says hangs there."""
    page = get_page(phone_at(app, table), f"/club/tables/{table}/")
    return page.single("label:has(> [name=camera][checked]) > span").text


def grey(hands: HandRepository, address: str) -> int:
    """Return the grey of the photograph with which a hand began: 20 for webcam 0, 40 for 2."""
    photo = hands.get(address.split("/")[2]).photo
    assert photo
    image = Image.open(io.BytesIO(hands.store.photo(photo.original)))
    return int(np.rint(np.asarray(image.convert("L")).mean() / 10)) * 10


def test_an_organiser_chooses_among_what_the_box_finds(start: Start) -> None:
    app = start()
    first, second = lay(app, "Window"), lay(app, "Door")
    at_first = "The box’s camera – now over Window"
    assert set(offered_cameras(app, second)) == {at_first, FIRST, SECOND, "Phones only"}
    assert (show_table(app, first), show_table(app, second)) == ("The box’s camera", "Phones only")
    assert choose(app, second, SECOND) == 303
    assert (show_table(app, first), show_table(app, second)) == ("The box’s camera", SECOND)
    assert f"{SECOND} – now over Door" in offered_cameras(app, first)
    assert choose(app, first, "Phones only") == 303
    assert phone_at(app, first).get("/camera/now").status_code == 404
    assert phone_at(app, "").get("/camera/now").status_code == 404, "somebody has said so"


def test_two_tables_that_photograph_at_the_same_moment_each_get_their_own(
    room: tuple[Flask, str, str], hands: HandRepository, plugs: Plugs
) -> None:
    """One camera is stuck until the other has taken its photograph: neither waits for the other."""
    app, *tables = room
    ann, eve = (phone_at(app, table) for table in tables)
    plugs.stuck_names.add("video0")
    with ThreadPoolExecutor(1) as threads:
        hers = threads.submit(ann.post, "/camera/photo")
        wait_until(
            lambda: "taking the photo" in str(phone_at(app, tables[0]).get("/camera/now").json)
        )
        assert is_ready(eve), "nobody takes a photo with that one"
        assert phone_at(app, tables[0]).post("/camera/photo").status_code == 409, "its own waits"
        response = eve.post("/camera/photo")
        plugs.stuck_names.clear()
    assert (hers.result().status_code, response.status_code) == (303, 303)
    assert grey(hands, hers.result().headers["Location"]) == 20
    assert grey(hands, response.headers["Location"]) == 40
    hand_ids = [each.headers["Location"].split("/")[2] for each in (hers.result(), response)]
    assert [hands.get(each).table for each in hand_ids] == tables


def test_hands_and_the_whole_table_are_of_the_tables_own_camera(
    room: tuple[Flask, str, str], hands: HandRepository
) -> None:
    app, first, second = room
    ann, eve = phone_at(app, first), phone_at(app, second)
    for phone in (ann, eve):
        begin(phone, ("Ann", "Bob", "Cy", "Di"))
        post(phone, "/table/winner", who="0", won_by="wall")
    assert grey(hands, post(eve, "/table/hand/0/snap")) == 40
    assert grey(hands, post(ann, "/table/hand/0/snap")) == 20
    photo = eve.get(post(eve, "/table/whole/snap") + "/photo.jpg")
    assert Image.open(io.BytesIO(photo.data)).convert("L").getpixel((9, 9)) in range(36, 45)
    sees = eve.get(f"/club/tables/{second}/sees.jpg")
    assert Image.open(io.BytesIO(sees.data)).convert("L").getpixel((9, 9)) in range(36, 45)


def test_a_webcam_that_is_pulled_out_while_in_use(
    room: tuple[Flask, str, str], plugs: Plugs, hands: HandRepository, wait_settled: Wait
) -> None:
    app, first, second = room
    ann, eve = phone_at(app, first), phone_at(app, second)
    plugs.pull(0)
    wait_until(lambda: not is_ready(ann))
    wait_until(lambda: "not plugged in" in str(ann.get("/camera/now").json))
    words = f"{FIRST}: It is not plugged in. Please plug it in again."
    words += " For now, take the photos with a phone."
    assert ann.get("/camera/now").json == {"state": "lost", "words": words}
    assert words in text(ann, "/single/")
    assert words in text(ann, f"/club/tables/{first}/")
    response = ann.post("/camera/photo")
    assert (response.status_code, words in Page(response.text).text) == (503, True)
    assert is_ready(eve)
    assert eve.post("/camera/photo").status_code == 303, "the other table photographs on"
    by_phone = ann.post("/hands", data={"photo": (io.BytesIO(picture(tiles())), "hand.jpg")})
    assert wait_settled(by_phone.headers["Location"].split("/")[2]).is_read, (
        "phones go on as cameras"
    )
    assert f"{FIRST} – not plugged in" in offered_cameras(app, first)
    assert show_table(app, first).startswith(FIRST), "and so it stays until it is back"
    upkeep = find_context(Upkeep, app)
    upkeep.care.look()
    sentence = say("care.camera.table-lost", camera=FIRST, table="Window")
    assert sentence in text(ann, "/first/"), "the box says which needs somebody"
    setup = text(eve, "/setup/")
    assert f"{FIRST} over Window: It is not plugged in. Please plug it in again." in setup
    assert f"{SECOND} over Door works" in setup
    report = ann.get("/setup/report").text
    assert "warning camera.table-lost" in report
    assert not [each for each in ("Window", "Door", "C920", "C270") if each in report]
    plugs.plug(0, "046d_HD_Pro_Webcam_C920", "8E1B", "1.3")
    wait_until(lambda: is_ready(ann))
    assert ann.post("/camera/photo").status_code == 303
    upkeep.care.look()
    assert sentence not in text(ann, "/first/")


def test_a_webcam_is_not_chosen_for_two_tables_unknowingly(room: tuple[Flask, str, str]) -> None:
    app, first, second = room
    phone = phone_at(app, second)
    form = {
        "camera": offered_cameras(app, first)[FIRST]
    }  # a page that is older than the other's choice
    answer = phone.post(f"/club/tables/{second}/camera", data=form)
    assert answer.status_code == 409
    shown_page = Page(answer.text)
    assert say("club.table.camera-taken", camera=FIRST, table="Window") in shown_page.text
    assert shown_page.button("Take it from Window")["value"] == first
    assert (show_table(app, first), show_table(app, second)) == (FIRST, SECOND), (
        "nothing was changed"
    )
    post(phone, f"/club/tables/{second}/camera", **form, **{"from": first})
    assert (show_table(app, first), show_table(app, second)) == ("Phones only", FIRST)
    assert phone_at(app, first).get("/camera/now").status_code == 404


def test_another_order_and_socket_swaps_nothing(
    room: tuple[Flask, str, str], start: Start, plugs: Plugs, hands: HandRepository
) -> None:
    """The box is switching off, both are pulled out, and come back under each other's number."""
    _, *tables = room
    for number in (0, 2):
        plugs.pull(number)
    plugs.plug(0, "046d_C270", "77AA", "1.4")
    plugs.plug(2, "046d_HD_Pro_Webcam_C920", "8E1B", "1.3")
    app = start()
    for table, number in zip(tables, (40, 20), strict=True):
        phone = phone_at(app, table)
        wait_until(lambda phone=phone: is_ready(phone))  # type: ignore[misc]
        assert grey(hands, post(phone, "/camera/photo")) == number
    assert (show_table(app, tables[0]), show_table(app, tables[1])) == (FIRST, SECOND)


def test_one_at_which_nobody_looks_is_let_go_and_opened_again(start: Start, plugs: Plugs) -> None:
    clock_s = [0.0]
    app = start(idle=0.2, clock=lambda: clock_s[0])
    table = lay(app, "Window")
    assert choose(app, table, FIRST) == 303
    assert plugs.open_names == [], "nobody has looked yet"
    phone = phone_at(app, table)
    wait_until(lambda: is_ready(phone))
    clock_s[0] += 0.3
    wait_until(lambda: plugs.open_names == ["+video0", "-video0"])
    wait_until(lambda: is_ready(phone))
    assert phone.post("/camera/photo").status_code == 303
    assert plugs.open_names[:3] == ["+video0", "-video0", "+video0"]


def test_the_box_leaves_its_webcam_to_the_table_that_chooses_it(
    start: Start, plugs: Plugs, hands: HandRepository
) -> None:
    """Without a ribbon camera the box's own is whichever webcam is free."""
    app = start(ribbon=False)
    first, second = lay(app, "Window"), lay(app, "Door")
    assert (show_table(app, first), show_table(app, second)) == (SECOND, "Phones only"), (
        "as ever: the first"
    )
    assert set(offered_cameras(app, second)) == {
        FIRST,
        f"{SECOND} – now over Window",
        "Phones only",
    }
    assert choose(app, second, f"{SECOND} – now over Window") == 409, "by no choice, but it is"
    assert choose(app, first, SECOND) == choose(app, second, FIRST) == 303
    for table, number in ((first, 40), (second, 20)):
        phone = phone_at(app, table)
        wait_until(lambda phone=phone: is_ready(phone))  # type: ignore[misc]
        assert grey(hands, post(phone, "/camera/photo")) == number
    plugs.pull(2)
    wait_until(lambda: not is_ready(phone_at(app, first)))
    assert is_ready(phone_at(app, second)), "nobody takes the other table's"
    assert text(phone_at(app, first), "/single/").count(f"{SECOND}: ") == 1


def test_a_webcam_that_the_box_is_just_opening_is_left_to_the_table_too(
    start: Start, plugs: Plugs, hands: HandRepository
) -> None:
    app = start(ribbon=False)
    first, second = lay(app, "Window"), lay(app, "Door")
    plugs.stuck_names.add("start video0")
    assert choose(app, first, SECOND) == 303
    wait_until(lambda: "+video0" in plugs.open_names)  # by the box, which found it free
    assert choose(app, second, FIRST) == 303
    plugs.stuck_names.clear()
    phone = phone_at(app, second)
    wait_until(lambda: is_ready(phone))
    assert grey(hands, post(phone, "/camera/photo")) == 20


def test_each_hangs_as_it_hangs(room: tuple[Flask, str, str], start: Start) -> None:
    app, first, second = room
    post(phone_at(app, first), f"/club/tables/{first}/turned", on="yes")

    def turned_cameras(app: Flask) -> list[bool]:
        desk = find_context(CameraDesk)
        services = (desk.camera_over(table) for table in (first, second))
        return [bool(each and each.is_turned) for each in services]

    with app.app_context():
        assert turned_cameras(app) == [True, False]
    restarted_app = start()
    with restarted_app.app_context():
        assert turned_cameras(restarted_app) == [True, False]


def test_each_camera_has_its_own_lookers(room: tuple[Flask, str, str]) -> None:
    app, first, second = room
    ann, eve = phone_at(app, first), phone_at(app, second)
    streams = [
        ann.get(
            "/camera/live.mjpg", buffered=False, environ_overrides={"REMOTE_ADDR": f"10.0.0.{n}"}
        )
        for n in range(limits.MAX_STREAMS_PER_CAMERA)
    ]
    extra_address = {"REMOTE_ADDR": "10.0.0.99"}

    def pictures(phone: FlaskClient) -> int:
        answer = phone.get("/camera/live.mjpg", buffered=False, environ_overrides=extra_address)
        parts = answer.iter_encoded()
        frame_count = sum(1 for _ in zip(range(2), parts, strict=False))
        answer.close()
        return frame_count

    assert (pictures(ann), pictures(eve)) == (1, 2), "full at one table, free at the other"
    for each in streams:
        each.close()
    assert pictures(ann) == 2


def test_only_the_organiser_hangs_cameras(
    room: tuple[Flask, str, str], hands: HandRepository
) -> None:
    app, first, _ = room
    set_new_organiser_pin(SettingsLog(hands.store))
    phone = phone_at(app, first)
    for what, form in (("camera", {"camera": "phones"}), ("turned", {"on": "yes"})):
        answer = phone.post(f"/club/tables/{first}/{what}", data=form)
        assert answer.status_code != 303 or "/club/tables" not in answer.headers["Location"], what
    assert phone.get(f"/club/tables/{first}/sees.jpg").status_code == 404
    assert is_ready(phone), "it hangs as before, and its table photographs"


def test_a_box_that_shall_have_no_camera_offers_none(services: Services) -> None:
    app = create_app(Box(services))
    table = lay(app, "Window")
    assert not Page(text(app.test_client(), f"/club/tables/{table}/")).all("#camera")
    form = {"camera": "phones"}
    assert app.test_client().post(f"/club/tables/{table}/camera", data=form).status_code == 303
