"""Settings in tongbox.txt, written with any editor, are judged and taken over."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.deploy.conftest import DEPLOY

CARD = (DEPLOY / "card/tongbox.txt").read_text("utf-8")


@pytest.fixture(scope="module")
def settings() -> ModuleType:
    """Return the program: it lies among scripts, not in a package."""
    spec = importlib.util.spec_from_file_location("settings", DEPLOY / "first/settings.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["settings"] = module
    spec.loader.exec_module(module)
    return module


def take_settings(
    settings: ModuleType, folder: Path, raw: bytes
) -> tuple[dict[str, str], list[str]]:
    """Return the settings taken from a file, and its errors."""
    (folder / "tongbox.txt").write_bytes(raw)
    wrong = settings.take_over(folder / "tongbox.txt", folder / "store")
    return json.loads((folder / "store").read_bytes()), wrong


def test_the_card_as_it_is_given_sets_nothing_and_is_right(
    settings: ModuleType, tmp_path: Path
) -> None:
    raw = (DEPLOY / "card/tongbox.txt").read_bytes()
    assert raw.count(b"\r\n") == raw.count(b"\n"), "for older Notepads"
    assert take_settings(settings, tmp_path, raw) == ({"country": "GB"}, [])
    assert (tmp_path / "tongbox.txt").read_bytes() == raw, "and is left alone"


FILLED_CARD = CARD.replace("name =", "name = Zum grünen Drachen").replace(
    "Home Wi-Fi password =", "Home Wi-Fi password = straße = 1"
)


@pytest.mark.parametrize(
    ("bom", "encoding", "reason"),
    [
        (b"", "utf-8", "most editors"),
        (b"\xef\xbb\xbf", "utf-8", "Notepad of Windows 10"),
        (b"\xff\xfe", "utf-16-le", "Notepad, saved as Unicode"),
        (b"\xfe\xff", "utf-16-be", "the other way round"),
        (b"", "cp1252", "Notepad of Windows 7, saved as ANSI"),
    ],
)
@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_every_editors_file_is_read_and_written_as_that_editor_would(
    settings: ModuleType, tmp_path: Path, bom: bytes, encoding: str, reason: str, end: str
) -> None:
    text = FILLED_CARD.replace("\n", end)
    taken_settings, wrong = take_settings(settings, tmp_path, bom + text.encode(encoding))
    assert wrong == []
    assert list(taken_settings.values()) == ["GB", "Zum grünen Drachen", "straße = 1"], reason
    after = (tmp_path / "tongbox.txt").read_bytes()
    assert after == bom + text.replace("straße = 1", "(taken over)").encode(encoding)


@pytest.mark.parametrize(
    ("lines", "expected", "says", "reason"),
    [
        ("Wi-Fi country=ie", {"country": "IE"}, "", "no spaces, small letters"),
        ("wifi COUNTRY   =   fr  ", {"country": "FR"}, "", "spaces, another spelling"),
        ("Wi-Fi country = UK", {"country": "GB"}, "", "as most in Britain would"),
        ("Wi-Fi country = England", {"country": "GB"}, "two letters", "no code"),
        ("Wi-Fi country = QQ", {"country": "GB"}, "two letters", "a code of nowhere"),
        ("Wi-Fi country =", {"country": "GB"}, "", "left empty"),
        ("Home Wi-Fi name = #1 = best", {"home_name": "#1 = best"}, "open to every", "signs"),
        (f"Home Wi-Fi name = {'ü' * 17}", {}, "as long as that", "34 bytes"),
        ("Home Wi-Fi password = 12345678", {}, "no name", "half of it"),
        ("Home Wi-Fi name = a\nHome Wi-Fi password = 1234567", {}, "8 to 63", "too short"),
        (f"Home Wi-Fi name = a\nHome Wi-Fi password = {'x' * 64}", {}, "8 to 63", "too long"),
        (f"Home Wi-Fi name = a\nHome Wi-Fi password = {'0f' * 32}",
         {"home_name": "a", "home_password": "0f" * 32}, "", "as some routers give it"),
        ("Box Wi-Fi password = east wind", {"box_password": "east wind"}, "", "with a space"),
        ("Box Wi-Fi password = grüner drache", {}, "accents", "phones differ in how they send it"),
        ('Box Wi-Fi password = "east wind"', {}, "quotation", "in wifi.toml they end it"),
        ("Box Wi-Fi pasword = east wind", {}, "not a line that the box knows", "mistyped"),
        ("east wind", {}, "not a line that the box knows", "without a name"),
        ("# Box Wi-Fi password = east wind", {}, "", "a note"),
        ("", {}, "", "an empty file"),
    ],
)  # fmt: skip
def test_what_is_set_is_judged(
    settings: ModuleType,
    tmp_path: Path,
    lines: str,
    expected: dict[str, str],
    says: str,
    reason: str,
) -> None:
    taken_settings, wrong = take_settings(settings, tmp_path, lines.replace("\n", "\r\n").encode())
    assert taken_settings == {"country": "GB"} | expected, reason
    assert (len(wrong), says in "".join(wrong)) == (int(bool(says)), True), wrong


def test_what_is_not_right_is_left_to_be_mended(settings: ModuleType, tmp_path: Path) -> None:
    raw = b"Box Wi-Fi password = short\r\n"
    take_settings(settings, tmp_path, raw)
    assert (tmp_path / "tongbox.txt").read_bytes() == raw


def test_what_was_taken_over_stays_till_it_is_changed(settings: ModuleType, tmp_path: Path) -> None:
    take_settings(settings, tmp_path, b"Box Wi-Fi password = east wind\n")
    assert (tmp_path / "store").stat().st_mode & 0o777 == 0o600, "for root alone"
    file_bytes = (tmp_path / "tongbox.txt").read_bytes()
    assert b"east" not in file_bytes
    for line, expected in (
        (file_bytes, "east wind"),
        (b"Box Wi-Fi password = west wind\n", "west wind"),
    ):
        taken_settings, _ = take_settings(settings, tmp_path, line)
        assert taken_settings["box_password"] == expected
    assert "box_password" not in take_settings(settings, tmp_path, b"Box Wi-Fi password =\n")[0]


def test_without_the_file_the_box_goes_on(settings: ModuleType, tmp_path: Path) -> None:
    wrong = settings.take_over(tmp_path / "tongbox.txt", tmp_path / "store")
    assert len(wrong) == 1
    assert json.loads((tmp_path / "store").read_bytes()) == {"country": "GB"}
