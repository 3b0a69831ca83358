"""A first start without a terminal, on a made-up box with a card from a PC."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.deploy.card import (
    BOX_PASSWORD,
    CMDLINE,
    HOME_PASSWORD,
    IMAGER_WORDS,
    MODES,
    NAME,
    SETUP,
    Box,
    user_data,
)  # fmt: skip
from tests.deploy.conftest import DEPLOY
from tests.deploy.first_cut import CUTS, cut

pytestmark = pytest.mark.slow

CUTS_HERE = ((CUTS[0], MODES[0]), (CUTS[2], MODES[1]))
"""What is cut off here, once each; `python -m tests.prove.cutting --only first` tries all."""

HOME_WIFI_PASSWORD = "straße = 1"  # noqa: S105
"""A password of a Wi-Fi at home."""

SLOW_LIGHT, FAST_LIGHT, USUAL_LIGHT = "1000 ms", "100 ms", "mmc0"
"""What the light shows while the box installs itself, when it cannot, and long after."""

PASSWORD = re.compile(r"The password is +([a-z]+-[a-z]+-[a-z]+-\d{4})\r\n")


@pytest.fixture(scope="session")
def filled_box(tmp_path_factory: pytest.TempPathFactory) -> Box:
    """Return a box that tests copy."""
    return Box.create(tmp_path_factory.mktemp("card") / "first")


@pytest.fixture
def box(filled_box: Box, tmp_path: Path) -> Box:
    return filled_box.copy_to(tmp_path / "box")


def bookworm(box: Box) -> None:
    (box.root / "etc/os-release").write_text('VERSION_CODENAME="bookworm"\n')
    result = box.bookworm()
    assert result.returncode == 0, "whereupon systemd starts the computer anew"
    calls = (box.root.parent / "calls").read_text()
    assert "venv" not in calls, "what takes long is left to the next start"
    box.do(SETUP)


@pytest.mark.parametrize("way", [Box.start, bookworm])
def test_a_card_from_a_pc_makes_a_box(box: Box, way: Callable[[Box], None]) -> None:
    way(box)
    assert box.says.startswith("Tongbox is ready.\r\n")
    password = PASSWORD.search(box.says)
    assert password is not None, box.says
    assert f"wifi-sec.psk {password[1]} " in box.wifi_name
    assert "Please mind" not in box.says
    calls = box.calls()
    assert "raspi-config nonint do_wifi_country GB" in calls
    assert "nmcli connection up Tongbox" in calls
    assert "systemctl set-default --quiet multi-user.target" in calls
    assert not [call for call in calls if call.startswith("apt-get")], "it asks no network"
    assert box.current
    assert box.shows == USUAL_LIGHT


def test_later_starts_do_only_what_is_new(box: Box) -> None:
    box.set({NAME: "Drachen", HOME_PASSWORD: "the wrong one", BOX_PASSWORD: "green dragon"})
    box.start()
    first = box.current
    on_card = b"".join(path.read_bytes() for path in box.card.rglob("*") if path.is_file())
    for secret in ("the wrong one", "green dragon"):
        assert secret.encode() not in on_card, "passwords are taken off the card"
        assert secret in box.home + box.wifi_name
    assert "the one that you chose" in box.says
    assert (box.root / "var/lib/tongbox-first/settings.json").stat().st_mode & 0o77 == 0

    before = box.files()
    box.calls()
    box.start(WATCHED="0")
    assert box.files() == before
    assert {call.split()[0] for call in box.calls()} <= {"cat", "id", "sha256sum"}

    box.set({HOME_PASSWORD: HOME_WIFI_PASSWORD})
    box.start(NEAR="yes")
    assert HOME_WIFI_PASSWORD in box.home
    assert "green dragon" in box.wifi_name, "what was taken over stays"
    assert not [call for call in box.calls() if "venv" in call], "and nothing is installed again"
    assert "not reached" not in box.says

    box.change_source()
    box.seal()
    box.start()
    assert box.current != first, "a newer bundle"
    assert box.says.startswith("Tongbox is ready.")

    result = box.shell("sh", str(box.source / "deploy/uninstall.sh"))
    assert result.returncode == 0, result.stderr
    box.start()
    assert not (box.root / "opt/tongbox").exists(), "uninstalled, it does not come back"
    assert not (box.root / "etc/systemd/system/tongbox-first.service").exists()


def test_the_light_is_slow_from_the_very_first(box: Box) -> None:
    box.do("begin")
    assert box.shows == SLOW_LIGHT
    box.program("sleep", f"cat {box.light}/trigger {box.light}/brightness >>{box.state}/ready")
    box.do(SETUP)
    assert (box.state / "ready").read_text().split() == ["none", "255"], "steady for ten minutes"
    assert box.shows == USUAL_LIGHT


@pytest.mark.parametrize("card", ["whole", "torn"])
def test_the_card_says_why_it_failed_before_the_light_does(box: Box, card: str) -> None:
    """Whoever sees the light blink fast may take the power away at once."""
    box.program("sync", f"cat {box.light}/delay_on >>{box.state}/at-sync 2>&1 || true")
    if card == "whole":
        box.program("getconf", "echo 32")
    else:
        (box.card / "tongbox/SHA256SUMS").unlink()
    box.start()
    assert box.shows == FAST_LIGHT
    assert box.says.startswith("Tongbox could not be installed.")
    lights = (box.state / "at-sync").read_text().split()
    assert lights, "the card was written"
    assert "100" not in lights


def put(path: str, text: str) -> Callable[[Box], None]:
    def change(box: Box) -> None:
        (box.root / path).write_text(text)

    return change


def lacks(path: str) -> Callable[[Box], None]:
    def change(box: Box) -> None:
        target = box.card / path
        shutil.rmtree(target) if target.is_dir() else target.unlink()

    return change


def has(program: str, script: str) -> Callable[[Box], None]:
    def change(box: Box) -> None:
        box.program(program, script)

    return change


IN_CARD = "boot/firmware/tongbox"

HINDRANCES: list[tuple[Callable[[Box], None], str, str]] = [
    (has("getconf", "echo 32"), "needs a 64-bit system", "the 32-bit Raspberry Pi OS"),
    (put("etc/os-release", "VERSION_CODENAME=forky\n"), '"forky"', "one that nobody tried"),
    (has("df", "printf 'x\\n/dev/root 1 1 700000 1%% /\\n'"), "700 MB are free", "a small card"),
    (put(f"{IN_CARD}/wheels/pip-26.3-py3-none-any.whl", "p"), "damaged or missing", "cut short"),
    (lacks("tongbox/SHA256SUMS"), "is not whole", "pulled out before the end"),
    (put(f"{IN_CARD}/program/deploy/first/setup.sh", "("), "is not whole", "a torn script"),
    (put(f"{IN_CARD}/program/deploy/lib.sh", "fi"), "missing or not whole", "a torn library"),
    (lacks("tongbox"), "missing or not whole", "the folder was forgotten"),
    (has("venv-pip", "echo 'no room' >&2; exit 1"), "tongbox-log.txt", "what nobody thought of"),
]


MENDED_LATER = ["pulled out before the end", "what nobody thought of"]


@pytest.mark.parametrize(
    ("change", "says", "reason"), HINDRANCES, ids=[row[2] for row in HINDRANCES]
)
def test_what_keeps_it_from_being_installed_is_said_on_the_card(
    box: Box, change: Callable[[Box], None], says: str, reason: str
) -> None:
    change(box)
    box.start()
    assert box.says.startswith("Tongbox could not be installed.\r\n"), reason
    assert says in box.says.replace("\r\n", " "), reason
    assert "Type:" not in box.says, "nobody has a keyboard there"
    if (box.card / "tongbox/program/deploy/first/light.sh").exists() and "torn lib" not in reason:
        assert box.shows == FAST_LIGHT
    assert not (box.root / "opt/tongbox/current").exists()


@pytest.mark.parametrize(
    "change", [row[0] for row in HINDRANCES if row[2] in MENDED_LATER], ids=MENDED_LATER
)
def test_mended_it_goes_on_by_itself(
    filled_box: Box, box: Box, change: Callable[[Box], None]
) -> None:
    change(box)
    box.start()
    for each in (
        filled_box.card,
        filled_box.programs,
        filled_box.root / "proc",
        filled_box.root / "etc",
    ):
        path_here = box.root.parent / each.relative_to(filled_box.root.parent)
        shutil.copytree(each, path_here, dirs_exist_ok=True, symlinks=True)
    box.start()
    assert box.says.startswith("Tongbox is ready.\r\n")
    assert not (box.card / "tongbox-log.txt").exists()


def test_bookworms_card_can_be_mended(filled_box: Box, box: Box) -> None:
    lacks("tongbox")(box)
    assert box.bookworm().returncode == 1, "the computer goes off"
    assert "Copy all of it" in box.says
    assert (box.card / "cmdline.txt").read_text() == CMDLINE.format(IMAGER_WORDS), (
        "to be run once more"
    )
    shutil.copytree(filled_box.card / "tongbox", box.card / "tongbox", dirs_exist_ok=True)
    bookworm(box)
    assert box.says.startswith("Tongbox is ready.")


OLD_IMAGER_WORDS = IMAGER_WORDS.replace("/boot/firmware/", "/boot/")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (CMDLINE.format(IMAGER_WORDS), CMDLINE.format("")),
        (CMDLINE.format(OLD_IMAGER_WORDS), CMDLINE.format("")),
        (CMDLINE.format(f"{IMAGER_WORDS} isolcpus=3"), CMDLINE.format(" isolcpus=3")),
        (CMDLINE.format(" systemd.show_status=yes"), CMDLINE.format(" systemd.show_status=yes")),
        ("systemd.run=/boot/firstrun.sh\n", "systemd.run=/boot/firstrun.sh\n"),
    ],
    ids=["as Imager has it", "as it had it", "others after", "none", "no root"],
)
def test_only_imagers_words_are_taken_out(box: Box, before: str, after: str) -> None:
    (box.card / "cmdline.txt").write_text(before)
    box.bookworm()
    assert (box.card / "cmdline.txt").read_text() == after


def test_what_bookworm_does_to_firstrun_is_no_harm(box: Box) -> None:
    script = box.card / "firstrun.sh"
    assert "wpa_supplicant.conf" not in script.read_text(), "by which it knows very old Imagers"
    lines = script.read_text().splitlines()
    cut = next((at for at, line in enumerate(lines) if re.search(r"rm.*firstrun\.sh$", line)), None)
    assert cut is None, "from there on it would be cut off"
    firstrun_end = (
        f"rm -f {script}\nsed -i 's| systemd\\.[^ ]*||g' {box.card}/cmdline.txt\nexit 0\n"
    )
    script.write_text(script.read_text() + firstrun_end)
    bookworm(box)
    assert (box.card / "cmdline.txt").read_text() == CMDLINE.format("")
    assert box.says.startswith("Tongbox is ready.")


@pytest.mark.parametrize(
    ("settings", "near_networks", "starts", "minds"),
    [
        ({NAME: "Drachen", HOME_PASSWORD: HOME_WIFI_PASSWORD}, "yes", False, ""),
        ({NAME: "Drachen", HOME_PASSWORD: HOME_WIFI_PASSWORD}, "", True, "not reached"),
        ({NAME: "Drachen"}, "yes", False, "open to everybody"),
    ],
)  # fmt: skip
def test_the_home_wifi_is_joined_where_it_is_near(
    box: Box, settings: dict[str, str], near_networks: str, starts: bool, minds: str
) -> None:
    box.set(settings)
    box.start(NEAR=near_networks)
    assert box.says.startswith("Tongbox is ready."), "with what can be done"
    assert ("nmcli connection up Tongbox" in box.calls()) == starts
    assert "connection.autoconnect-priority -10" in box.wifi_name, "also where it is not used now"
    assert minds in box.says.replace("\r\n", " ") if minds else "Please mind" not in box.says
    assert box.home


def test_without_wifi_or_a_light_a_box_is_ready_all_the_same(box: Box) -> None:
    box.program("nmcli", "exit 8")
    box.program("raspi-config", "case $* in *do_*) exit 1 ;; esac; echo GB")
    shutil.rmtree(box.light)
    box.start()
    assert box.says.startswith("Tongbox is ready.")
    card_text = box.says.replace("\r\n", " ")
    assert "could not be started" in card_text
    assert "country could not be set" in card_text


def test_user_data_makes_no_user_and_opens_no_door() -> None:
    text = (DEPLOY / "card/user-data").read_text("ascii")
    assert text.startswith("#cloud-config\n")
    data = user_data(text)
    assert set(data) == {"bootcmd", "preserve_hostname", "ssh_pwauth", "users"}
    assert (data["users"], data["ssh_pwauth"]) == ([], False)


def test_the_lines_for_a_login_can_be_taken_in() -> None:
    text = (DEPLOY / "card/user-data").read_text("ascii").replace("users: []\n#users", "users")
    data = user_data(re.sub(r"^#(users|runcmd|  )", r"\1", text, flags=re.M))
    assert data["users"][0]["ssh_authorized_keys"]
    assert data["runcmd"] == [["systemctl", "enable", "--now", "ssh"]]


@pytest.mark.parametrize(("way", "mode"), CUTS_HERE)
def test_wherever_the_power_is_cut_it_comes_to_its_end(
    filled_box: Box, tmp_path: Path, way: str, mode: str
) -> None:
    number = (3, 8)[MODES.index(mode)]
    assert list(cut(filled_box, way, tmp_path / "cut", number, mode)) == []
