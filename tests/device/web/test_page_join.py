"""The page that lets other phones in, and what the Setup page offers to print."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient

from device.access import qr_code_secret, set_new_pin
from device.cli import main
from device.doctor import Machine
from device.hands.repository import HandRepository
from device.host.page_links import WIFI_FILE
from device.services import Services
from device.settings import SettingsLog
from device.store import Store
from device.web import Box, create_app
from device.web.contexts import Upkeep
from device.web.phone_access import draw_qr_code
from tests.device.command import bytes_of
from tests.device.host.test_page_links import OWN_WIFI
from tests.device.page import Page, get_page
from tests.pdf_pages import render_pages, text_of

HOST = {"Host": "192.168.1.20:8080"}


@pytest.fixture
def app(services: Services, tmp_path: Path) -> Flask:
    return create_app(Box(services, upkeep=Upkeep(Machine(tmp_path, root=tmp_path))))


def read_code(svg: str) -> str:
    """Return what a phone reads in a QR code's drawing: its rows of lines, drawn out."""
    drawing = Page(svg).all("svg:has(path[d])")[0]
    size = 8 * int(drawing["viewBox"].split()[2])
    picture = np.full((size, size), 255, np.uint8)
    x = y = 0.0
    lines = drawing.all("path[d]")[-1]["d"]
    for command, first, second in re.findall(r"([Mmh])(-?[\d.]+)(?: (-?[\d.]+))?", lines):
        if command == "h":
            left, top = round(8 * x), round(8 * (y - 0.5))
            picture[top : top + 8, left : left + 8 * int(first)] = 0
            x += float(first)
        else:
            x, y = (x, y) if command == "m" else (0.0, 0.0)
            x, y = x + float(first), y + float(second)
    # OpenCV's other detector misses some 3 of a hundred such codes.
    text, _, _ = cv2.QRCodeDetectorAruco().detectAndDecode(picture)
    return str(text)


def test_the_code_says_the_address_of_the_request(client: FlaskClient) -> None:
    page = client.get("/join", headers=HOST).text
    assert read_code(page) == "http://192.168.1.20:8080/"
    assert "<b>http://<wbr>192.168.1.20:8080/</b>" in page, "the port stays with its host"
    assert "Stay connected" in page
    assert "/join?back=/settings/pin/" in get_page(client, "/settings/pin/").links()


PATHS = ("/", "/first/", "/single/", "/settings/", "/match/new", "/phone/", "/sets/", "/learn/",
         "/matches", "/nowhere")  # fmt: skip


def test_every_page_leads_to_the_code_and_back(client: FlaskClient) -> None:
    for path in PATHS:
        return_url = path if path != "/nowhere" else "/"
        page = Page(client.get(path).text)
        assert page.all(f'.let-in[data-sheet][href="/join?back={return_url}"]'), path
    assert "let-in" not in client.get("/join").text, "it is there"


@pytest.mark.parametrize(
    ("return_url", "leads", "reason"),
    [
        ("/learn/rules/?find=kong%20box", "/learn/rules/?find=kong%20box", "whatever was asked"),
        ("https://evil.example/", "/", "another site"),
    ],
)
def test_the_way_back_is_to_the_boxs_own_pages(
    client: FlaskClient, return_url: str, leads: str, reason: str
) -> None:
    page = client.get("/join", query_string={"back": return_url}).text
    assert Page(page).all(f'[data-close][href="{leads}"]'), reason


def test_who_has_not_given_the_pin_is_not_offered_to_let_others_in(
    client: FlaskClient, hands: HandRepository
) -> None:
    settings = set_new_pin(SettingsLog(hands.store))
    for path in ("/", "/learn/", "/nowhere", "/join"):
        assert "let-in" not in client.get(path).text, path
    assert "let-in" not in client.post("/pin", data={"pin": "x"}).text
    assert "let-in" not in client.get("/", headers={"Host": "evil.example"}).text
    assert "let-in" not in client.get(f"/?code={qr_code_secret(settings)}").text, "not yet in"
    assert "let-in" in client.get("/learn/").text


def test_with_a_pin_the_code_lets_in_and_the_page_says_the_pin(
    client: FlaskClient, hands: HandRepository
) -> None:
    settings = set_new_pin(SettingsLog(hands.store))
    client.get(f"/?pin={settings.pin}", headers=HOST)
    page = client.get("/join", headers=HOST).text
    assert read_code(page) == f"http://192.168.1.20:8080/?code={qr_code_secret(settings)}"
    assert f"PIN {settings.pin}" in Page(page).texts("strong")


def test_the_own_wifi_comes_first_for_who_is_in_it(client: FlaskClient, tmp_path: Path) -> None:
    (tmp_path / WIFI_FILE).parent.mkdir(parents=True)
    (tmp_path / WIFI_FILE).write_text(OWN_WIFI)
    page = client.get("/join", headers={"Host": "10.42.0.1"}).text
    assert read_code(page) == "WIFI:T:WPA;S:Tongbox;P:amber-badger-47;;"
    assert "Use the box" not in page
    assert "Use the box" in client.get("/join", headers=HOST).text, "folded away"


def test_a_code_is_black_on_white_in_any_light() -> None:
    svg = draw_qr_code("http://192.168.1.20/", "<QR>")
    assert Page(svg).all('[fill="#fff"]')
    assert "#000" in svg
    assert "&lt;QR&gt;" in svg
    assert "style=" not in svg, "the page's policy forbids it"


@pytest.mark.parametrize(
    ("path", "pages"),
    [("mat-a3", 1), ("mat-a4", 2), ("label", 1), ("hands", 1)],
)
def test_the_setup_page_offers_what_can_be_printed(
    client: FlaskClient, read_hand: str, path: str, pages: int
) -> None:
    assert f"/print/{path}.pdf" in get_page(client, "/settings/print/").links()
    answer = client.get(f"/print/{path}.pdf", headers=HOST)
    assert answer.mimetype == "application/pdf"
    assert f'filename="tongbox-{path}.pdf"' in answer.headers["Content-Disposition"]
    assert len(render_pages(answer.data, 1)) == pages


def test_the_label_carries_the_address_of_the_request(client: FlaskClient) -> None:
    (text,) = text_of(client.get("/print/label.pdf", headers=HOST).data)
    assert "http://192.168.1.20:8080/" in text


def test_no_other_paper_is_offered(client: FlaskClient) -> None:
    assert client.get("/print/mat-a5.pdf").status_code == 404


@pytest.mark.parametrize(
    ("options", "pages", "words"),
    [
        (["print", "mat"], 1, "Exposed sets"),
        (["print", "mat", "--paper", "a4"], 2, "Left half"),
        (["print", "label", "--address", "http://10.0.0.9/"], 1, "http://10.0.0.9/"),
        (["print", "label", "--address", "10.0.0.9:8931"], 1, "http://10.0.0.9:8931/"),
        (["print", "label", "--address", " http://10.0.0.9/ "], 1, "http://10.0.0.9/"),
        (["print", "label"], 1, "PIN "),
        (["export", "--pdf"], 1, "Mah-Jong score sheet"),
    ],
)
def test_the_command_line_prints_the_same(
    store: Store,
    read_hand: str,
    options: list[str],
    pages: int,
    words: str,
) -> None:
    set_new_pin(SettingsLog(store))
    texts = text_of(bytes_of(*options, "--data", str(store.folder)))
    assert len(texts) == pages
    assert words in texts[0]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ftp://10.0.0.9/",
        "10.0.0.9:port",
        "10.0.0.9 8080",
        "http//10.0.0.9",
        "http://[::1",
        "http://",
    ],
)
def test_no_address_of_a_page_is_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["print", "label", "--address", text])
    assert "is no address of a page, such as http://" in capsys.readouterr().err


def test_a_label_can_be_printed_before_the_box_ever_ran(tmp_path: Path) -> None:
    label = bytes_of("print", "label", "--data", str(tmp_path / "none"))
    assert "PIN" not in text_of(label)[0]
    assert not (tmp_path / "none").exists(), "asking makes no box"


@pytest.mark.parametrize("options", [["print", "mat"]])
def test_a_terminal_is_not_filled_with_a_file(
    store: Store,
    options: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert main([*options, "--data", str(store.folder)]) == 1
    assert "> tongbox.pdf" in capsys.readouterr().err
