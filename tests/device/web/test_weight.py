"""How much a phone has to fetch before it shows a page, photographs apart."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from typing import cast

import pytest
from flask import Flask
from flask.testing import FlaskClient

from device.web import assets, warm_up
from tests.device.page import Page

pytestmark = pytest.mark.slow

MAX_PAGE_BYTES = 150_000
"""Bytes of a page with all that it links, as promised to slow networks."""

COMPRESSION_HEADERS = {"Accept-Encoding": "gzip, br"}


def _weight(client: FlaskClient, path: str) -> int:
    page = client.get(path, headers=COMPRESSION_HEADERS)
    html = gzip.decompress(page.data).decode()
    links = {each.partition("#")[0] for each in Page(html).addresses if "/assets/" in each}
    assert len(links) >= 4, "the search itself works"
    return len(page.data) + sum(len(client.get(a, headers=COMPRESSION_HEADERS).data) for a in links)


@pytest.mark.parametrize("path", ["/", "/match/new", "/setup/", "hand"])
def test_a_page_with_all_that_it_links_is_light(
    client: FlaskClient, read_hand: str, path: str
) -> None:
    assert _weight(client, f"/hand/{read_hand}/" if path == "hand" else path) < MAX_PAGE_BYTES


def test_a_file_is_squeezed_once_however_many_phones_ask(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of all pages together: sixteen were kept, and each further one put another out."""
    assets.compress_once.cache_clear()
    compressed_files: list[bytes] = []
    squeeze = gzip.compress

    def count_compression(data: bytes, level: int, *, mtime: int) -> bytes:
        compressed_files.append(data)
        return squeeze(data, level, mtime=mtime)

    monkeypatch.setattr(gzip, "compress", count_compression)
    asset = cast(Callable[[str], str], client.application.jinja_env.globals["asset"])
    for _ in range(3):
        for name in assets.load_packaged():
            assert client.get(asset(name), headers=COMPRESSION_HEADERS).status_code == 200
    assert len(compressed_files) == len(set(compressed_files)) > 16


def test_a_browser_that_takes_nothing_squeezed_gets_it_plain(client: FlaskClient) -> None:
    page = client.get("/")
    assert "Content-Encoding" not in page.headers
    assert b"<html" in page.data
    assert "Accept-Encoding" in page.headers["Vary"]


def test_a_photograph_is_not_squeezed_again(client: FlaskClient, read_hand: str) -> None:
    picture = client.get(f"/hand/{read_hand}/photo.jpg", headers=COMPRESSION_HEADERS)
    assert "Content-Encoding" not in picture.headers


def test_every_template_compiles_at_the_start(app: Flask) -> None:
    warm_up(app)
    assert len(app.jinja_env.cache or ()) > 20
