"""What the style sheet, the script and the templates promise to every pair of eyes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import device.web

WEB = Path(device.web.__file__).parent
CSS = (WEB / "static" / "tongbox.css").read_text("utf-8")
DARK = (WEB / "static" / "dark.css").read_text("utf-8")
SAFE = (WEB / "static" / "palette.css").read_text("utf-8")
SAFE_DARK = (WEB / "static" / "palette-dark.css").read_text("utf-8")
TEMPLATES = "\n".join(path.read_text("utf-8") for path in (WEB / "templates").rglob("*.html"))

MAX_TEMPLATE_COLUMNS = 160

CLASSES_OF_A_FIELD = {"seat_wind-", "prevailing_wind-"}
"""Beginnings of classes that a macro makes of a field's name and value."""

READABLE = 4.5
"""The contrast that WCAG 2.2 asks of text (criterion 1.4.3)."""


THEMES = {
    "light": (CSS,),
    "dark": (CSS, DARK),
    "light, safe": (CSS, SAFE),
    "dark, safe": (CSS, DARK, SAFE, SAFE_DARK),
}
"""The sheets with the colours of each theme, with and without the palette for colour-blind eyes."""


def themes() -> dict[str, dict[str, str]]:
    """Return the colours of each theme; what a later sheet leaves out is as in those before."""
    return {name: _read_colours(sheets) for name, sheets in THEMES.items()}


def _read_colours(sheets: tuple[str, ...]) -> dict[str, str]:
    blocks = "".join(re.findall(r":root \{(.*?)\}", sheet, re.S)[0] for sheet in sheets)
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", blocks))
    colours.setdefault("tray", colours["baize"])
    return colours


@pytest.mark.parametrize(
    ("sheet", "allowed_names"), [(DARK, ["color-scheme"]), (SAFE, []), (SAFE_DARK, [])]
)
def test_nothing_but_colours_is_another_by_lamplight(sheet: str, allowed_names: list[str]) -> None:
    """So that by daylight alone a page can be held to every rule that asks about no colour."""
    ((selector, block),) = re.findall(r"([^{}/]*)\{(.*?)\}", re.sub(r"/\*.*?\*/", "", sheet), re.S)
    assert selector.strip() == ":root"
    names = [line.split(":")[0].strip() for line in block.split(";") if line.strip()]
    assert [name for name in names if not name.startswith("--")] == allowed_names
    pattern = re.compile(r"prefers-color-scheme|data-theme=\W*dark")
    sheets = (WEB / "static").glob("*.css")
    other_sheets = [each.name for each in sheets if pattern.search(each.read_text("utf-8"))]
    assert other_sheets == [], "no other sheet knows what light there is"


def test_every_colour_is_a_token() -> None:
    """A sheet names its colours; what they are stands in `:root` alone."""
    literal = re.compile(r"#[0-9a-f]{3,8}\b|\b(?:rgb|hsl)a?\(", re.I)
    sheets = {each.name: each.read_text("utf-8") for each in (WEB / "static").glob("*.css")}
    outside = {
        name: re.sub(r":root \{.*?\}", "", sheet, flags=re.S) for name, sheet in sheets.items()
    }
    assert {name: found for name, s in outside.items() if (found := literal.findall(s))} == {}
    everything = "".join(sheets.values())
    set_by_script = {"--stuck"}
    defined_tokens = set(re.findall(r"(--[\w-]+):", everything)) | set_by_script
    assert set(re.findall(r"var\((--[\w-]+)", everything)) - defined_tokens == set()


def test_every_class_of_a_sheet_is_written_somewhere() -> None:
    """By a template, a script or Python: whole, or its beginning before an expression."""
    device = WEB.parent
    paths = (path for suffix in ("html", "js", "py") for path in device.rglob(f"*.{suffix}"))
    text = "\n".join(path.read_text("utf-8") for path in paths)
    words = set(re.findall(r"[\w-]+", text))
    beginnings = set(re.findall(r"([\w-]+-)(?:\{|' ~)", text)) | CLASSES_OF_A_FIELD
    selectors = [
        selector
        for each in (WEB / "static").glob("*.css")
        for selector in re.findall(
            r"([^{}]+)\{", re.sub(r"/\*.*?\*/", "", each.read_text("utf-8"), flags=re.S)
        )
    ]
    classes = {name for each in selectors for name in re.findall(r"\.([a-z][\w-]*)", each)}
    assert len(classes) > 300, "the search itself works"
    assert {
        name
        for name in classes - words
        if not any(name.startswith(beginning) for beginning in beginnings)
    } == set()


def luminance(colour: str) -> float:
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(
    ("text", "ground"),
    [
        ("ink", "card"),
        ("ink-soft", "card"),
        ("brass-ink", "card"),
        ("ink", "alarm-ground"),
        ("alarm", "alarm-ground"),
        ("on-baize", "baize"),
        ("on-baize", "baize-light"),
        ("on-baize-soft", "baize"),
        ("on-baize-soft", "baize-light"),
        ("on-baize-soft", "baize-deep"),
        ("brass-light", "baize-deep"),
        ("brass-light", "tray"),
        ("on-baize-soft", "tray"),
        ("ivory", "baize-light"),
        ("on-brass", "brass-light"),
        ("on-brass", "brass"),
        ("ink", "field"),
        ("ink", "tint-strong"),
        ("ink-soft", "tint"),
        ("ink", "tint-green"),
    ],
)
def test_text_is_readable_on_its_ground(theme: str, text: str, ground: str) -> None:
    colours = themes()[theme]
    lighter, darker = sorted((luminance(colours[text]), luminance(colours[ground])), reverse=True)
    assert (lighter + 0.05) / (darker + 0.05) >= READABLE


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("ground", ["card", "field"])
def test_a_fields_edge_is_seen(theme: str, ground: str) -> None:
    """WCAG 1.4.11: 3 to 1 for what tells a field from its ground."""
    colours = themes()[theme]
    lighter, darker = sorted(
        (luminance(colours["field-edge"]), luminance(colours[ground])), reverse=True
    )
    assert (lighter + 0.05) / (darker + 0.05) >= 3


def test_base_text_is_18_pixels_and_zoom_is_never_blocked() -> None:
    assert "font: 112.5%/" in CSS, "112.5 % of the browser's 16"
    assert "user-scalable" not in TEMPLATES
    assert "maximum-scale" not in TEMPLATES


def test_a_line_is_as_high_in_every_font() -> None:
    """Without a line height in the shorthand, a line is 1.15 to 1.45 times its letters."""
    sheets = {each.name: each.read_text("utf-8") for each in (WEB / "static").glob("*.css")}
    fonts = [
        (name, font) for name, s in sheets.items() for font in re.findall(r"\bfont: [^;}]*", s)
    ]
    assert len(fonts) > 50, "the search itself works"
    assert [each for each in fonts if "/" not in each[1] and each[1] != "font: inherit"] == []


def test_the_script_stays_small_and_nothing_is_inline() -> None:
    assert len((WEB / "static" / "tongbox.js").read_text("utf-8").splitlines()) < 300
    assert not re.search(r"\sstyle=|<style|\son\w+=|javascript:", TEMPLATES)
    assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", TEMPLATES))


def test_no_line_of_a_template_is_too_long() -> None:
    lines = {
        f"{path.name}:{number}": len(line)
        for path in (WEB / "templates").rglob("*.html")
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
    }
    assert len(lines) > 1000, "the search itself works"
    assert {line: length for line, length in lines.items() if length > MAX_TEMPLATE_COLUMNS} == {}


def test_nothing_comes_from_outside_the_box() -> None:
    files = [
        *(WEB / "static").iterdir(),
        *(WEB / "templates").rglob("*.html"),
        WEB.parent / "views" / "tiles.svg",
    ]
    for file in files:
        if file.suffix == ".png":
            continue  # fetches nothing
        text = file.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"(https?:)?//\w+\.\w+", text), file.name


def test_motion_stops_for_those_who_ask() -> None:
    assert "prefers-reduced-motion: reduce" in CSS
