"""The code of a ruleset: shown where it fits, read by a camera, looked at, and taken whole."""

from __future__ import annotations

from hashlib import sha256
from urllib.parse import urlsplit

import cv2
import numpy as np
import pytest
import segno
from flask import Flask
from flask.testing import FlaskClient

from device.host import page_links
from device.rulesets.repository import CustomRulesets
from device.web.ruleset_codes import MAX_CODE_MODULES, code_page, find_code_address
from scorer.rulesets.custom import compute_digest, stamp
from scorer.rulesets.files import load_builtin_text, load_sample_text
from scorer.rulesets.rows import change_row, find_row
from tests.device.club.rooms import post
from tests.device.page import Page, get_page, main_text
from tests.device.web.custom_rules import HERE, NEW_HAND
from tests.scorer.rulesets.test_link_code import pack


def typed(text: str, at: str, **fields: str) -> str:
    """Return a file with what was typed into the form of a row."""
    row = find_row(text, at)
    assert row
    return change_row(text, row, fields)


TEXT = stamp(
    typed(typed(load_builtin_text("bmja"), "limit", limit="500"), "special-new", **NEW_HAND),
    title="Our rules",
    author="Ann",
    version=3,
)
"""The file of another box's rules, with a changed limit and a hand of their own."""

ADDRESS = find_code_address(TEXT)


def test_the_page_of_the_rules_leads_to_their_code(
    client: FlaskClient, rulesets: CustomRulesets
) -> None:
    ours = rulesets.keep_file(TEXT).id
    page = get_page(client, get_page(client, f"{HERE}{ours}/").link("Show a code to scan"))
    assert page.main.single("svg.code title").text == "Our rules, as a code"
    assert ADDRESS.startswith("HTTP://TONGBOX.LOCAL/R/")


PAGES = [
    ("http://tongbox.local", "HTTP://TONGBOX.LOCAL/R/", "as the installer sets a box up"),
    ("http://tongbox.local:8080", "HTTP://192.0.2.7:8080/R/", "another port: by its number"),
    ("http://192.168.1.20:8080", "HTTP://192.168.1.20:8080/R/", "reached by number"),
    ("http://club.local", "HTTP://192.0.2.7/R/", "another name: a phone may not find it"),
]


@pytest.mark.parametrize(("base", "begins", "reason"), PAGES)
def test_the_code_leads_to_this_box(
    app: Flask, monkeypatch: pytest.MonkeyPatch, base: str, begins: str, reason: str
) -> None:
    monkeypatch.setattr(page_links, "find_lan_address", lambda phone: "192.0.2.7")
    with app.test_request_context("/", base_url=base):
        assert find_code_address(TEXT, code_page()).startswith(begins), reason


def test_a_camera_reads_it_blurred_and_tilted() -> None:
    code = segno.make(ADDRESS, error="l")
    drawn = np.array([[255 * (not dark) for dark in row] for row in code.matrix_iter(border=4)])
    size = 600
    flat = cv2.resize(drawn.astype(np.uint8), (size, size), interpolation=cv2.INTER_NEAREST)
    corners = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32)
    seen = np.array([[60, 40], [580, 80], [560, 600], [90, 570]], np.float32)
    turned = cv2.getPerspectiveTransform(corners, seen)
    photo = cv2.warpPerspective(flat, turned, (660, 660), borderValue=(230.0,))
    photo = cv2.GaussianBlur(photo, (0, 0), 1.4)
    text, *_ = cv2.QRCodeDetectorAruco().detectAndDecode(photo)
    assert text == ADDRESS


def test_what_was_scanned_is_shown_and_then_taken(
    client: FlaskClient, rulesets: CustomRulesets
) -> None:
    page = get_page(client, urlsplit(ADDRESS).path)
    assert page.main.single("h1").text == "Our rules"
    assert "Version 3 · by Ann" in page.text
    assert compute_digest(TEXT) not in page.text, "no player needs it here"
    assert page.main.texts("dt") == ["Limit of a hand", "Run, pung and pair"]
    assert page.main.texts("dd") == ["500", "500"]
    assert rulesets.list_all() == (), "looking keeps nothing"
    kept = post(client, f"{HERE}bring", text=page.value("text"))
    assert "Saved as version 3." in main_text(client, kept)
    assert rulesets.get("ours-1").newest.text == TEXT
    again = post(client, f"{HERE}bring", text=page.value("text"))
    assert "The box has these rules already" in main_text(client, again)


def test_rules_that_differ_too_much_have_the_file(
    client: FlaskClient, rulesets: CustomRulesets
) -> None:
    rulesets.keep_file(load_sample_text("western"))
    page = get_page(client, f"{HERE}ours-1/code")
    assert "Download the file instead." in page.text
    assert not page.all("svg.code")
    assert f"{HERE}ours-1/file" in page.links()


def test_a_code_is_no_larger_than_phones_read() -> None:
    text, fits = TEXT, 0
    for number in range(36):
        pattern = f"pung B{number % 9 + 1}, C1-9, pair W{'ESWN'[number // 9]}"
        named = {**NEW_HAND, "name": sha256(bytes([number])).hexdigest()[:24], "pattern": pattern}
        text = typed(text, "special-new", **named)
        if not (address := find_code_address(text)):
            break
        fits = number + 1
        code = segno.make(address, error="l", boost_error=False)
        assert code.symbol_size(border=0)[0] <= MAX_CODE_MODULES
    assert 5 <= fits < 36


@pytest.mark.parametrize("code", ["HELLO", "A" * 3000, "%C3%89"])
def test_what_is_no_code_is_said_in_words(
    client: FlaskClient, rulesets: CustomRulesets, code: str
) -> None:
    answer = client.get(f"/R/{code}")
    assert answer.status_code == 422
    assert "This code cannot be read" in Page(answer.text).main.single('[role="alert"]').text
    assert rulesets.list_all() == ()


def test_faults_in_a_code_are_said_all_at_once(client: FlaskClient) -> None:
    said = [1, "bmja", "T", "", 1, "", {"limit": {"limit": "-5"}, "BMJA-D05": {"doubles": "99"}}]
    answer = client.get(f"/R/{pack(said)}")
    assert answer.status_code == 422
    assert len(Page(answer.text).main.single('[role="alert"]').texts("li")) == 2
