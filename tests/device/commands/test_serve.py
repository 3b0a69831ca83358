"""Starting the box: its address, its port, its QR code, its folder, its samples."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from device.commands import serve
from device.commands.serve import format_greeting, format_qr_code, format_shared_greeting
from device.commands.store_options import default_folder
from device.hands.readings import PhotoReader
from device.host.machine import (
    HOTSPOT_ADDRESS,
    LOOPBACK_ADDRESS,
    NoPortError,
    find_lan_address,
    open_port,
)
from device.i18n.words import say
from device.samples import load_samples
from device.store import StoreError
from tests.device.command import refusal_of
from tests.device.fake_camera import wait_until
from tests.device.fake_reader import FakeReader
from tests.device.outside import PROGRAM, Outside, greeting_of, port_of
from tests.device.page import Page
from vision.errors import ModelError

pytestmark = pytest.mark.slow


def test_a_port_that_is_taken_is_passed_over() -> None:
    with closing(open_port(LOOPBACK_ADDRESS, 28080)) as first:
        wanted_port = first.getsockname()[1]
        with closing(open_port(LOOPBACK_ADDRESS, wanted_port)) as second:
            assert second.getsockname()[1] > wanted_port


def test_no_port_is_a_sentence() -> None:
    with pytest.raises(NoPortError, match=r"cannot listen on 192\.0\.2\.77"):
        open_port("192.0.2.77", 28080)


def test_the_address_is_found_without_sending_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("send", "sendto", "sendmsg"):
        monkeypatch.setattr(socket.socket, name, None)
    address = find_lan_address()
    with closing(open_port(address, 28080)) as listener:  # only an address of this computer can be
        assert listener.getsockname()[0] == address


def test_without_a_network_there_is_still_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(*args: object) -> None:
        raise OSError("Network is unreachable")

    monkeypatch.setattr(socket.socket, "connect", unreachable)
    assert find_lan_address() == LOOPBACK_ADDRESS


def test_with_a_wifi_of_its_own_alone_phones_find_it_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse_far(_: socket.socket, place: tuple[str, int]) -> None:
        if not place[0].startswith("10.42.0."):
            raise OSError("Network is unreachable")  # there is no way on from there

    monkeypatch.setattr(socket.socket, "connect", refuse_far)
    monkeypatch.setattr(socket.socket, "getsockname", lambda _: (HOTSPOT_ADDRESS, 9))
    assert find_lan_address() == HOTSPOT_ADDRESS


def test_the_greeting_says_where_and_what_changed() -> None:
    text = format_greeting("192.168.1.20", 8081, 8080, Path("/data"))
    assert "http://192.168.1.20:8081/" in text
    assert "Port 8080 is taken" in text
    assert "taken" not in format_greeting("192.168.1.20", 8080, 8080, Path("/data"))


def test_with_a_database_the_greeting_says_that_hands_lie_there() -> None:
    store = "postgresql://tongbox:secret@database/tongbox"
    greeting = format_shared_greeting("http://10.89.0.3:8080/", store, None)
    assert (
        "Hands are kept in postgresql://tongbox:***@database/tongbox, photos as well." in greeting
    )
    assert "secret" not in greeting
    assert not set("█▀▄") & set(greeting), "a container's address is nothing to scan"
    assert "photos in /srv/photos." in format_shared_greeting("x", store, Path("/srv/photos"))


def test_the_qr_code_is_square_and_has_its_quiet_zone() -> None:
    rows = [
        line[4:]
        for line in format_qr_code("http://192.168.1.20:8080/", in_colour=False).splitlines()
    ]
    width = len(rows[0])
    assert {len(row) for row in rows} == {width}
    assert abs(2 * len(rows) - width) <= 1, "two rows of modules to a line of text"
    assert set(rows[0]) | set(rows[-1]) <= {"█", "▀"}, "the quiet zone is light all round"
    assert all(row.startswith("██") and row.endswith("██") for row in rows[:-1])


@pytest.mark.parametrize(
    ("variable", "expected"),
    [("/var/state", "/var/state/tongbox"), ("", "HOME/.local/state/tongbox"),
     ("relative", "HOME/.local/state/tongbox")],
)  # fmt: skip
def test_the_folder_follows_the_xdg_convention(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, variable: str, expected: str
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", variable)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert str(default_folder()) == expected.replace("HOME", str(tmp_path))


def test_samples_without_a_list_are_none_and_without_a_picture_left_out(tmp_path: Path) -> None:
    assert load_samples(tmp_path) == ()
    row = '[[sample]]\nname = "{0}"\ntitle = "T"\nline = "L"\nhand = "B222 | |"\n'
    (tmp_path / "samples.toml").write_text(row.format("there") + row.format("missing"))
    (tmp_path / "there.jpg").write_bytes(b"")
    assert [sample.name for sample in load_samples(tmp_path)] == ["there"]


def test_the_box_opens_beside_a_taken_port_answers_alone_and_ends_cleanly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "load_reader", FakeReader)
    with closing(open_port(LOOPBACK_ADDRESS, 28180)) as taken_port:
        port = taken_port.getsockname()[1]
        options = ["--host", LOOPBACK_ADDRESS, "--port", str(port), "--data", str(tmp_path / "box")]
        box = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, "serve", "--demo", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            greeting = greeting_of(box)
            assert f"Port {port} is taken" in greeting
            outside = Outside(port_of(greeting), box.pid)
            answer = outside.ask(LOOPBACK_ADDRESS, "/single/")
            assert (answer.status, "Server" in answer.headers) == (200, False)
            wait_until(
                lambda: "these are sample photos" in outside.ask(LOOPBACK_ADDRESS, "/single/").text
            )
            error_output = refusal_of("serve", *options)  # its phones would hear nothing of ours
            assert f"is open already with the hands in {tmp_path / 'box'}" in error_output
            assert f"at http://{LOOPBACK_ADDRESS}:{outside.port}/" in error_output
        finally:
            box.send_signal(signal.SIGINT)
            _, errors = box.communicate(timeout=20)
    assert errors == ""
    assert box.returncode == 0


ON_A_PI = f"""
from functools import partial
from device.commands import serve
from pathlib import Path
import sys
serve.Machine = partial(serve.Machine, root=Path(sys.argv.pop()))
{PROGRAM}"""


def test_a_box_in_earnest_meets_who_comes_first_and_looks_after_itself(tmp_path: Path) -> None:
    systemd = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    systemd.bind(str(tmp_path / "notify"))
    systemd.settimeout(60)
    environment = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "300000"}
    power = tmp_path / "sys/devices/platform/soc/soc:firmware/get_throttled"
    power.parent.mkdir(parents=True)
    power.write_text("50005")
    options = ["--host", LOOPBACK_ADDRESS, "--data", str(tmp_path / "box"), "--camera", "none"]
    command = [sys.executable, "-c", ON_A_PI, "serve", "--port", "28280", *options, str(tmp_path)]
    box = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ | environment,
    )
    try:
        assert systemd.recv(100) == b"READY=1", "systemd is told once its port answers"
        outside = Outside(port_of(greeting_of(box)), box.pid)
        first_page = outside.ask(LOOPBACK_ADDRESS, "/").text
        assert Page(first_page).all('[data-page="welcome"]')
        outside.ask(LOOPBACK_ADDRESS, "/first/steps/skip", method="POST")
        page = outside.ask(LOOPBACK_ADDRESS, "/").text
        assert Page(page).all('[data-page="home"]')
        assert say("care.power.low") in page
        assert systemd.recv(100) == b"WATCHDOG=1"
    finally:
        systemd.close()
        box.send_signal(signal.SIGINT)
        box.communicate(timeout=20)
    assert box.returncode == 0, "what looks after it ends with it"


def test_without_its_models_the_box_says_so_and_does_not_open(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def missing() -> PhotoReader:
        raise ModelError("The model locator.onnx is missing.")

    monkeypatch.setattr(serve, "load_reader", missing)
    assert "locator.onnx is missing" in refusal_of("serve", "--data", str(tmp_path))


def test_a_box_that_fails_while_it_serves_logs_where(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise StoreError("Row 7 cannot be read.")

    monkeypatch.setattr(serve, "load_reader", FakeReader)
    monkeypatch.setattr(serve, "_serve", fail)
    options = ("--data", str(tmp_path), "--host", LOOPBACK_ADDRESS, "--port", "0")
    assert "send them with a bug report" in refusal_of("serve", *options)
    assert "Row 7 cannot be read." in caplog.text


def test_a_camera_that_is_none_is_refused_before_the_box_opens(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(serve, "load_reader", FakeReader)
    assert "There is no camera telescope. Please choose auto" in refusal_of(
        "serve", "--data", str(tmp_path), "--camera", "telescope"
    )
