"""The page's sprite: complete, safe, small, and what the generator makes."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from models.train.drawing.faces.sprite import SPRITE_FILE, build_sprite
from scorer.tiles import CODES

SVG = "{http://www.w3.org/2000/svg}"
SYMBOLS = {f"tile-{name}" for name in (*CODES, "back", "unknown")}
DRAWN_ELEMENTS = {f"{SVG}{name}" for name in ("svg", "symbol", "g", "path", "circle")}


@pytest.fixture(scope="module")
def root() -> ET.Element:
    return ET.fromstring(SPRITE_FILE.read_text(encoding="utf-8"))  # noqa: S314 - our own file


def test_committed_sprite_is_what_the_generator_writes() -> None:
    assert SPRITE_FILE.read_text(encoding="utf-8") == build_sprite()


def test_sprite_stays_small_for_a_phone() -> None:
    assert SPRITE_FILE.stat().st_size < 250_000


def test_every_tile_has_its_symbol_of_the_agreed_size(root: ET.Element) -> None:
    symbols = list(root)
    assert {symbol.get("id") for symbol in symbols} == SYMBOLS
    assert len(symbols) == len(SYMBOLS)
    assert {symbol.get("viewBox") for symbol in symbols} == {"0 0 60 80"}


def test_only_shapes_are_used(root: ET.Element) -> None:
    """No script, no text (it would need a font), no link, no style and no event handler."""
    for element in root.iter():
        assert element.tag in DRAWN_ELEMENTS
        assert not [name for name in element.attrib if "href" in name or name.startswith("on")]
        assert element.get("style") is None
        assert not [value for value in element.attrib.values() if "url(" in value]


@pytest.mark.parametrize("code", CODES)
def test_index_can_be_hidden_on_every_face(root: ET.Element, code: str) -> None:
    (symbol,) = [symbol for symbol in root if symbol.get("id") == f"tile-{code}"]
    (index,) = symbol.findall(f"{SVG}g[@class='index']")
    assert len(index.findall(f".//{SVG}path")) >= 1
    assert index.get("display") == "var(--tile-index,inline)"
