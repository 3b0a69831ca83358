"""A picture to share: what it shows, and that no line is wider than the picture."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.views.picture import (
    PICTURE_WIDTH,
    load_symbols,
    match_picture,
    text_width,
    wrap_text,
)
from device.web.picture import PICTURE_COLOURS
from tests.device.match_play import played_match


def test_a_match_shows_every_place_and_total() -> None:
    match = played_match(("Cy", "Bob"))
    picture = match_picture(match)
    words = [text.words for text in picture.texts]
    for player, total in match.course.totals.items():
        assert any(player in each for each in words)
        assert str(total) in words
    assert picture.graph
    assert "Cy" in picture.says
    assert all(0 < text.y < picture.height for text in picture.texts)


def test_a_match_without_a_deal_has_no_graph() -> None:
    assert match_picture(played_match(())).graph is None


@given(st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=200))
def test_no_letter_is_lost_when_a_text_is_wrapped(words: str) -> None:
    lines = wrap_text(words, 10)
    assert re.sub(r"\s", "", "".join(lines)) == re.sub(r"\s", "", words)


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("Exposed pung of a dragon", ["Exposed pung of", "a dragon"]),
        ("計算每一副牌的分數然後加在一起", ["計算每一副牌的分數然", "後加在一起"]),
        ("Une main cachée\u00a0: dix", ["Une main", "cachée\u00a0: dix"]),
        ("", []),
    ],
)
def test_a_text_is_wrapped_at_plain_spaces_and_between_chinese_letters(
    words: str, lines: list[str]
) -> None:
    wrapped_lines = wrap_text(words, 10)
    assert wrapped_lines == lines
    assert all(text_width(each) <= 10 for each in wrapped_lines)


def test_every_tile_of_the_sprite_has_a_drawing() -> None:
    assert len(load_symbols()) == 44
    assert all(f'id="{name}"' in drawing for name, drawing in load_symbols().items())


def test_its_colours_are_the_light_ones_of_the_page() -> None:
    css = (files("device.web") / "static" / "tongbox.css").read_text("utf-8")
    tokens = set(re.findall(r"--[\w-]+: (#[0-9a-f]{6});", css))
    colours = {name: each for name, each in PICTURE_COLOURS.items() if name != "lines"}
    assert {*colours.values(), *PICTURE_COLOURS["lines"]} <= tokens
    assert PICTURE_WIDTH == 540
