"""Starting the box: its address, its port, its QR code, its folder, its samples."""

from __future__ import annotations

import socket
from contextlib import closing
from pathlib import Path

import pytest

from device.address import LOOPBACK, NoPortError, lan_address, open_port
from device.commands.serve import default_folder, greeting, qr_code
from device.samples import load_samples


def test_a_port_that_is_taken_is_passed_over() -> None:
    with closing(open_port(LOOPBACK, 28080)) as first:
        wished = first.getsockname()[1]
        with closing(open_port(LOOPBACK, wished)) as second:
            assert second.getsockname()[1] > wished


def test_no_port_is_a_sentence() -> None:
    with pytest.raises(NoPortError, match=r"cannot listen on 192\.0\.2\.77"):
        open_port("192.0.2.77", 28080)


def test_the_address_is_found_without_sending_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("send", "sendto", "sendmsg"):
        monkeypatch.setattr(socket.socket, name, None)
    parts = lan_address().split(".")
    assert len(parts) == 4


def test_without_a_network_there_is_still_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(*args: object) -> None:
        raise OSError("Network is unreachable")

    monkeypatch.setattr(socket.socket, "connect", unreachable)
    assert lan_address() == LOOPBACK


def test_the_greeting_says_where_and_what_changed() -> None:
    text = greeting("192.168.1.20", 8081, 8080, Path("/data"))
    assert "http://192.168.1.20:8081/" in text
    assert "Port 8080 is taken" in text
    assert "taken" not in greeting("192.168.1.20", 8080, 8080, Path("/data"))


def test_the_qr_code_is_square_and_has_its_quiet_zone() -> None:
    rows = [line[4:] for line in qr_code("http://192.168.1.20:8080/").splitlines()]
    width = len(rows[0])
    assert {len(row) for row in rows} == {width}
    assert abs(2 * len(rows) - width) <= 1, "two rows of modules to a line of text"
    assert set(rows[0]) == {"█"}, "the quiet zone is light all round"
    assert all(row.startswith("██") and row.endswith("██") for row in rows)


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
