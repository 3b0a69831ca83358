"""The box is switching off from its page, and every phone at the table is told."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from selenium.webdriver.common.by import By

from device.doctor import Machine
from device.host.service_manager import CAN_POWER_OFF_COMMAND, PowerSwitch
from tests.device.fake_reader import FakeReader
from tests.e2e.conftest import serving
from tests.e2e.engines import Browser, browser
from tests.e2e.player import Player
from tests.e2e.tour import begin

RULES = Path(__file__).parents[2] / "deploy" / "polkit.rules"

EVALUATION_SCRIPT = """
const [rules, asked] = arguments;
let rule;
const polkit = {addRule: (each) => (rule = each), Result: {YES: "yes", NOT_HANDLED: "no"}};
new Function("polkit", rules)(polkit);
return asked.map(([name, user]) => {
  const [id, unit, verb] = name.split(" ");
  const lookup = (key) => ({ unit, verb })[key];
  return rule({ id, lookup }, { user });
});
"""
"""The rules as polkit runs them: a function of an action and of who asks."""

ANSWERS = """
const [done] = arguments;
fetch("/health").then(() => done(true), () => done(false));
"""


TIME = "systemd-timesyncd.service"


ALLOWED_ACTIONS = (
    ("login1.power-off", "tongbox", "yes", "from the page"),
    ("login1.power-off-multiple-sessions", "tongbox", "yes", "while somebody is logged in"),
    ("login1.power-off-ignore-inhibit", "tongbox", "no", "what holds it up is respected"),
    ("login1.reboot", "tongbox", "no", "nothing else"),
    ("login1.set-wall-message", "tongbox", "no", "nothing else"),
    ("systemd1.manage-units", "tongbox", "no", "no service either"),
    ("systemd1.manage-units ssh.service stop", "tongbox", "no", "no service either"),
    (f"systemd1.manage-units {TIME} stop", "tongbox", "yes", "but that which waits for a time"),
    (f"systemd1.manage-units {TIME} start", "tongbox", "yes", "which goes on waiting"),
    (f"systemd1.manage-units {TIME} kill", "tongbox", "no", "and nothing else of it"),
    (
        f"systemd1.manage-unit-files {TIME} stop",
        "tongbox",
        "no",
        "not what starts with the box",
    ),
    ("timedate1.set-time", "tongbox", "yes", "from a phone"),
    ("timedate1.set-timezone", "tongbox", "no", "where it is"),
    ("login1.power-off", "pi", "no", "nobody else"),
    ("timedate1.set-time", "pi", "no", "nobody else"),
    (f"systemd1.manage-units {TIME} stop", "pi", "no", "nobody else"),
)
"""An action, who asks, what he is told, and why."""


def test_the_boxs_user_may_switch_off_and_set_the_clock_and_nothing_else(phone: Browser) -> None:
    phone.get("about:blank")
    questions = [[f"org.freedesktop.{action}", user] for action, user, *_ in ALLOWED_ACTIONS]
    answers = phone.execute_script(EVALUATION_SCRIPT, RULES.read_text("utf-8"), questions)
    assert [(*row[:2], answer) for row, answer in zip(ALLOWED_ACTIONS, answers, strict=True)] == [
        row[:3] for row in ALLOWED_ACTIONS
    ]


def box_at(folder: Path) -> Machine:
    """Return a computer whose service this is, and whose system lets it switch off."""
    group = folder / "proc/self/cgroup"
    group.parent.mkdir(parents=True)
    group.write_text("0::/system.slice/tongbox.service\n")

    def ask(command: Sequence[str]) -> str:
        return 's "yes"' if command == CAN_POWER_OFF_COMMAND else ""

    return Machine(folder, root=folder, ask=ask)


def test_every_phone_is_told_that_the_box_goes_and_goes_on_when_it_is_back(
    player: Player, tmp_path: Path
) -> None:
    with browser(390, 844) as other:
        watching = Player(other)
        with serving(tmp_path / "box") as serve:
            machine = box_at(tmp_path / "root")
            box = serve(FakeReader(), machine=machine, switch=PowerSwitch(delay=3600))
            begin(box.url)
            watching.open(f"{box.url}/table/")
            watching.see("#bar")
            player.open(f"{box.url}/settings/")
            player.tap('a[href="/off/"]')
            player.see('form[action="/off/"] button')
            assert "The page closes on all phones" in player.text("main")
            assert "the match goes on from here" in player.text("main")
            player.tap('form[action="/off/"] button')
            player.reads("h1", "The box is switching off")
            watching.reads("#off", "The box is switching off")
        watching.wait_until(lambda: not other.execute_async_script(ANSWERS), "it answers still")
        time.sleep(3)  # in which the page tries to listen again
        assert watching.text("#off") == "The box is switching off"
        assert not other.find_element(By.ID, "away").is_displayed(), "it is told one thing alone"
        with serving(tmp_path / "box", urlsplit(box.url).port or 0) as serve:
            serve(FakeReader())
            is_back_script = "return document.getElementById('off').hidden"
            watching.wait_until(
                lambda: bool(other.execute_script(is_back_script)), "it says so for ever"
            )
