"""An older player scans the code on a new box: what is to be done is in sight, and soon over."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from device.doctor import Machine
from device.doctor.health import CareWatch
from device.i18n.words import LANGUAGES
from device.store.events import FirstStepsEnded
from tests.device.fake_camera import FakeCamera
from tests.device.fake_reader import FakeReader, lay, picture
from tests.device.web.test_clock import EVENING, System
from tests.e2e.axe import AXE, EVERY_RULE, list_violations
from tests.e2e.conftest import LiveServer, ServeWith
from tests.e2e.engines import browser
from tests.e2e.fonts import FONTS
from tests.e2e.player import Player
from tests.e2e.sizes import SIZES, SMALLEST, STEP, faults

IN_SIGHT = """
const box = document.querySelector("main .primary").getBoundingClientRect();
return box.top >= 0 && box.bottom <= innerHeight;
"""

THROTTLED_FILE = "sys/devices/platform/soc/soc:firmware/get_throttled"

CARE = "The box does not get enough power: use its own power supply and a short cable."


@pytest.fixture
def turned_player(player: Player) -> Iterator[Player]:
    """Return a player whose phone is as it was before, afterwards."""
    player.browser.delete_all_cookies()
    yield player
    player.browser.resize()
    player.browser.delete_all_cookies()


def new_box(serve_with: ServeWith, tmp_path: Path, system: System) -> tuple[LiveServer, CareWatch]:
    """Serve a box that nobody has used, whose clock was never set, with a camera of its own."""
    camera = FakeCamera(picture(lay()))
    machine = Machine(
        tmp_path, root=tmp_path, ask=system.ask, current_time=lambda: system.current_time
    )
    power = tmp_path / THROTTLED_FILE
    power.parent.mkdir(parents=True)
    power.write_text("50005")
    care = CareWatch(machine, cameras=None)
    return serve_with(FakeReader(), camera, machine=machine, greets=True, care=care), care


def look(player: Player, name: str) -> None:
    """See that the one thing to do is in sight."""
    assert player.browser.execute_script(IN_SIGHT), name
    assert player.overflow() == 0, name


def heads(player: Player, heading: str) -> None:
    player.reads("h1", heading)
    look(player, heading)


def test_a_new_box_is_set_up_in_a_few_taps(
    turned_player: Player, serve_with: ServeWith, tmp_path: Path
) -> None:
    system = System()
    box, care = new_box(serve_with, tmp_path, system)
    turned_player.open(box.url)
    heads(turned_player, "Welcome")
    turned_player.browser.execute_script(AXE)
    assert list_violations(turned_player.browser, EVERY_RULE) == []
    turned_player.tap(".primary")
    heads(turned_player, "Which language?")
    turned_player.tap('[value="en-GB"]')
    heads(turned_player, "Is the time right?")
    assert "2024" in turned_player.text(".sentence")
    turned_player.wait_until(
        lambda: bool(turned_player.text("[data-phone]")), "the phone never said its own time"
    )
    assert box.hands.store.newer(-1, 0) == 0, "nothing is kept yet"
    turned_player.tap("[data-clock] .primary")
    heads(turned_player, "Is the picture straight and sharp?")
    assert abs((system.current_time - EVENING).days) < 3650, "some evening of these years"
    assert system.current_time.year >= EVENING.year
    turned_player.tap('[action$="camera_turned"] button')
    heads(turned_player, "Is the picture straight and sharp?")
    turned_player.tap("main .primary")
    heads(turned_player, "Which rules do you play?")
    turned_player.tap('[value="bmja"]')
    heads(turned_player, "Who plays?")
    for field, name in zip(
        turned_player.browser.find_elements("name", "player"), "ABCD", strict=True
    ):
        field.send_keys(name)
    turned_player.browser.back()
    heads(turned_player, "Which rules do you play?")
    turned_player.browser.forward()
    turned_player.tap("form .primary")
    heads(turned_player, "Try it with one photo")
    turned_player.tap('[action^="/first/steps/shot"] button')
    turned_player.see("#score")
    turned_player.tap(".top .button")
    turned_player.reads("main .primary", "Play a match\nThe box keeps the score, deal by deal.")
    assert turned_player.text("#care") == CARE, "and what needs somebody from then on"
    turned_player.browser.execute_script(AXE)
    assert list_violations(turned_player.browser, EVERY_RULE) == []
    (tmp_path / THROTTLED_FILE).write_text("0")
    care.look()
    turned_player.wait_until(
        lambda: not turned_player.browser.find_element("id", "care").is_displayed(), "it stays"
    )
    (end_event,) = box.hands.store.of_kinds(FirstStepsEnded)
    assert end_event.event.ruleset == "bmja"
    assert end_event.event.hand == box.hands.recent(1)[0].id
    assert turned_player.complaints() == []


@pytest.mark.prove
@pytest.mark.parametrize("fonts", FONTS)
def test_the_one_thing_to_do_is_in_sight_on_every_screen(
    serve_with: ServeWith, tmp_path: Path, fonts: str
) -> None:
    box, _ = new_box(serve_with, tmp_path, System())
    names = ("language", "clock", "camera", "rules", "names", "photo")
    paths = ("/", *(f"/first/steps/{name}" for name in names))
    wrong = {}
    with browser(*SMALLEST, fonts=fonts) as phone:
        for language, path in product(LANGUAGES, paths):
            phone.keep(box.url, look=f"language={language}")
            phone.get(box.url + path)
            assert phone.find_elements("css selector", STEP), path
            for size in SIZES:
                for text, said in faults(phone, size, STEP):
                    wrong[path, language, size, text] = said
    assert {where: said for where, said in wrong.items() if said} == {}
