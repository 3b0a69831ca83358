"""Aiming a phone's own camera: offered where there is a secure address, and allowed there alone."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image

from device.cameras.aiming import MAX_REMEMBERED_PHONES, PhoneAims
from device.cameras.base import PREVIEW_SIDE_PX, shrink
from device.decoding.decoder import Decoder
from device.doctor import Machine
from device.host.certificate import ensure_certificate
from device.matches.repository import MatchRepository
from device.services import Services
from device.store import Store
from device.store.events import WinnerEntered
from device.web import Box, create_app
from device.web.contexts import Upkeep
from device.web.request_guard import MAX_FORM_BYTES, MAX_FRAMES_PER_MINUTE, MAX_POSTS_PER_MINUTE
from tests.device.fake_reader import lay, picture
from tests.device.match_play import AGREED_TERMS
from tests.device.page import Page, get_page
from vision.photo import Photo, open_photo

SECURE = "https://localhost:8443"
HINT = "/camera/phone/hint"

HAND = open_photo(picture(lay()), "hand.jpg").rgb


def frame(rgb: object = HAND, size: tuple[int, int] | None = None) -> bytes:
    """Return a frame as the script sends it."""
    buffer = io.BytesIO()
    image = Image.fromarray(shrink(rgb))  # type: ignore[arg-type]
    (image.resize(size) if size else image).save(buffer, "JPEG", quality=75)
    return buffer.getvalue()


@pytest.fixture
def app(services: Services, matches: MatchRepository) -> Flask:
    matches.change(matches.begin(AGREED_TERMS), WinnerEntered("Cy", "wall"))
    app = create_app(Box(services, upkeep=Upkeep(https_port=8443)))
    app.testing = True
    return app


PAGES = {
    "/single/": "",
    "/learn/ask/": "?ask=yes",
    "/table/hand/2": "?seat=2",
    "/settings/table/": "",
}


def test_it_is_offered_where_photographs_are_taken_and_the_address_is_secure(
    services: Services, client: FlaskClient
) -> None:
    for page, of in PAGES.items():
        assert f"/camera/phone/{of}" in get_page(client, page).links()
    phone = create_app(Box(services)).test_client()
    for page in PAGES:
        assert not get_page(phone, page).links("/camera/phone/")
    assert phone.get("/camera/phone/").status_code == 404


@pytest.mark.parametrize(
    ("query", "fields", "sends_to"),
    [
        ("", "", "/hands"),
        ("?ask=yes", "?ask=yes", "/learn/ask/"),
        ("?seat=2", "?seat=2", "/table/hand/2"),
        ("?whole=yes", "?whole=yes", "/table/whole/"),
        ("?_scheme=javascript&_external=1&_anchor=x", "", "/hands"),
    ],
)
def test_three_steps_lead_to_the_secure_address_and_to_the_same_way_in(
    client: FlaskClient, query: str, fields: str, sends_to: str
) -> None:
    steps = get_page(client, f"/camera/phone/{query}")
    assert len(steps.all("li")) == 3
    assert f"{SECURE}/camera/phone/enter{fields}" in steps.links()
    assert not steps.all("video")
    shown_page = Page(client.get(f"/camera/phone/enter{query}", base_url=SECURE).text)
    assert (
        shown_page.single("meta[http-equiv=refresh]")["content"] == f"0; url=/camera/phone/{fields}"
    )
    page = Page(client.get(f"/camera/phone/{query}", base_url=SECURE).text)
    assert page.single("video")
    forms = page.attributes("action", '[enctype="multipart/form-data"][data-upload]')
    assert sends_to in [each.partition("?match=")[0] for each in forms]
    assert len(page.all("[type=file]")) == 2, "the plain way is one tap away"


def test_a_phone_can_install_the_authority_and_gets_no_key(
    services: Services, tmp_path: Path
) -> None:
    machine = Machine(tmp_path, root=tmp_path)
    client = create_app(Box(services, upkeep=Upkeep(machine, https_port=8443))).test_client()
    steps = get_page(client, "/camera/phone/")
    (link,) = steps.links("/camera/phone/tongbox.crt")
    assert client.get(link).status_code == 404, "there is none yet"
    certificate = ensure_certificate(tmp_path, ["tongbox.local"])
    answer = client.get(link)
    assert answer.mimetype == "application/x-x509-ca-cert", "phones offer to install it"
    sent_certificate = x509.load_der_x509_certificate(answer.data)
    assert sent_certificate == x509.load_pem_x509_certificate(certificate.authority.read_bytes())
    assert len(answer.data) == len(sent_certificate.public_bytes(serialization.Encoding.DER)), (
        "nothing behind"
    )
    plain = create_app(Box(services, upkeep=Upkeep(machine))).test_client()
    assert plain.get(link).status_code == 404, "without HTTPS there is nothing to trust"


def test_once_there_the_way_is_one_tap(client: FlaskClient) -> None:
    client.get("/camera/phone/", base_url=SECURE)
    assert f"{SECURE}/camera/phone/enter?seat=2" in get_page(client, "/table/hand/2").links()


@pytest.mark.parametrize(
    ("base", "path", "is_allowed"),
    [
        (SECURE, "/camera/phone/", True),
        (SECURE, "/camera/phone/enter", False),
        (SECURE, "/single/", False),
        (SECURE, "/camera/phone/nowhere", False),
        ("http://localhost", "/camera/phone/", False),
        ("http://localhost", "/single/", False),
    ],
)
def test_the_camera_is_that_one_pages_alone(
    client: FlaskClient, base: str, path: str, is_allowed: bool
) -> None:
    policy = client.get(path, base_url=base).headers["Permissions-Policy"]
    assert ("camera=(self)" in policy, "camera=()" in policy) == (is_allowed, not is_allowed)
    assert "microphone=()" in policy


def test_frames_are_judged_like_the_boxs_own_live_picture_and_not_kept(
    client: FlaskClient, store: Store
) -> None:
    before = store.newer(-1, 0), sorted((store.folder / "photos").iterdir())
    dark = frame(HAND // 8)
    hints = [post(client, data)["hint"] for data in (frame(), frame(), dark, frame(), frame())]
    assert hints == ["hold-still", "ready", "too-dark", "ready", "ready"]
    assert post(client, frame())["words"] == "Ready"
    assert (store.newer(-1, 0), sorted((store.folder / "photos").iterdir())) == before


def test_each_phone_has_its_own_frame_before(client: FlaskClient) -> None:
    upside_down = frame(HAND[::-1, ::-1].copy())
    for _ in range(2):
        first_answer = post(client, frame(), "192.168.1.2")
        other = post(client, upside_down, "192.168.1.3")
    assert (first_answer["hint"], other["hint"]) == ("ready", "ready")
    assert post(client, upside_down, "192.168.1.2")["hint"] == "hold-still"


def post(client: FlaskClient, data: bytes, phone: str = "127.0.0.1") -> dict[str, str]:
    answer = client.post(
        HINT, data=data, content_type="image/jpeg", environ_base={"REMOTE_ADDR": phone}
    )
    assert answer.status_code == 200
    return dict(answer.json or {})


@pytest.mark.usefixtures("stopped_minute")
def test_frames_do_not_use_up_what_a_phone_may_change(client: FlaskClient) -> None:
    responses = [
        client.post(HINT, data=b"", content_type="image/jpeg") for _ in range(MAX_FRAMES_PER_MINUTE)
    ]
    assert {answer.status_code for answer in responses} == {400}, "an empty file is no picture"
    response = client.post(HINT, data=b"", content_type="image/jpeg")
    assert response.status_code == 429
    assert client.post("/camera/by-itself", data={"on": "no"}).status_code != 429
    assert MAX_FRAMES_PER_MINUTE <= MAX_POSTS_PER_MINUTE


@pytest.mark.parametrize(
    ("data", "status", "reason"),
    [
        (b"not a picture", 415, "text"),
        (frame()[:400], 422, "half a picture"),
        (b"\xff" * (MAX_FORM_BYTES + 1), 413, "more than a frame has"),
    ],
)
def test_what_is_no_frame_is_refused(
    client: FlaskClient, data: bytes, status: int, reason: str
) -> None:
    assert client.post(HINT, data=data, content_type="image/jpeg").status_code == status, reason


class CountingDecoder(Decoder):
    """Remembers how many pixels it was asked for."""

    def __init__(self) -> None:
        self.pixel_limits: list[int] = []

    def open(self, data: bytes, name: str, max_pixels: int = 0) -> Photo:
        self.pixel_limits.append(max_pixels)
        return open_photo(data, name)


def test_of_a_large_picture_no_more_is_decoded_than_a_frame_has() -> None:
    decoder = CountingDecoder()
    aims = PhoneAims(lambda rgb, seen: None, decoder)
    aims.judge("a", frame(size=(2400, 1800)))
    assert decoder.pixel_limits == [4 * PREVIEW_SIDE_PX * PREVIEW_SIDE_PX]


def test_the_oldest_phone_is_forgotten() -> None:
    assert MAX_REMEMBERED_PHONES >= 24, "six tables of phones aim at once"
    aims = PhoneAims(lambda rgb, seen: seen(16), CountingDecoder())
    data = frame()
    for number in range(MAX_REMEMBERED_PHONES + 1):
        assert aims.judge(f"phone {number}", data) == "hold-still"
    assert aims.judge("phone 1", data) == "ready"
    assert aims.judge("phone 0", data) == "hold-still", "as one that has just begun"


def test_the_page_names_no_address_but_its_own(client: FlaskClient) -> None:
    page = Page(client.get("/camera/phone/?seat=2", base_url=SECURE).text)
    addresses = [each for name in ("src", "href", "action") for each in page.attributes(name)]
    assert not [each for each in addresses if each.startswith("http")]
