"""The oldest browsers that docs/tour.md names are those which have what our pages use."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pygments.lexer import Lexer
from pygments.lexers.css import CssLexer
from pygments.lexers.javascript import JavascriptLexer
from pygments.token import Comment, String, Whitespace

import device.web
from tests.device.page import Page

WEB = Path(device.web.__file__).parent
TOUR = Path(__file__).parents[3] / "docs/tour.md"
TABLE = tomllib.loads(Path(__file__).with_name("browser_features.toml").read_text("utf-8"))
BROWSERS = ("Safari", "Chrome", "Firefox")

Version = tuple[int, ...]


def version(text: str) -> Version:
    return tuple(map(int, text.split(".")))


@dataclass(frozen=True, slots=True)
class Feature:
    """A row of the table."""

    name: str
    need: str
    first: list[str]
    js: str = ""
    css: str = ""
    html: str = ""
    why: str = ""

    def is_used(self, sources: Sources) -> bool:
        """Whether any of our pages uses it."""
        tag, _, attribute = self.html.rstrip("]").partition("[")
        return bool(
            (self.js and re.search(self.js, sources.js))
            or (self.css and re.search(self.css, sources.css))
            or (tag and any(tag in ("*", t) and attribute in (a, "") for t, a in sources.html))
        )


@dataclass(frozen=True, slots=True)
class Sources:
    """What is left of our scripts and style sheets, and the tags of our templates."""

    js: str
    css: str
    html: frozenset[tuple[str, str]]


def tokens(lexer: Lexer, text: str) -> str:
    """Return a source's tokens with a space between, without comments and what strings say."""
    return " ".join(_tokens(lexer, text))


def _tokens(lexer: Lexer, text: str) -> Iterator[str]:
    for kind, token in lexer.get_tokens(text):
        if kind in Comment or kind in Whitespace or not token.strip():
            continue
        is_quoted = kind in String and kind not in String.Regex and kind not in String.Interpol
        yield '""' if is_quoted else token.strip()


def tags(text: str) -> frozenset[tuple[str, str]]:
    parts = Page(text).all("*")
    return frozenset((str(part.tag.tag), name) for part in parts for name in ("", *part.attrs))


def read(folder: str, pattern: str) -> str:
    return "\n".join(path.read_text("utf-8") for path in sorted((WEB / folder).rglob(pattern)))


READ: dict[str, Callable[[str], Any]] = {
    "js": partial(tokens, JavascriptLexer()),
    "css": partial(tokens, CssLexer()),
    "html": tags,
}

NO_SOURCES = Sources("", "", frozenset())

FEATURES = [Feature(**row) for row in TABLE["feature"]]


@pytest.fixture(scope="module")
def page_sources() -> Sources:
    scripts = read("static", "*.js") + read("templates", "*.js")
    styles, pages = read("static", "*.css"), read("templates", "*.html")
    return Sources(READ["js"](scripts), READ["css"](styles), READ["html"](pages))


def floor(ours: Sources, *needs: str) -> list[str]:
    """Return the first versions that have all that is used and needed so."""
    versions = [each.first for each in FEATURES if each.need in needs and each.is_used(ours)]
    return [max(versions, key=version) for versions in zip(*versions, strict=True)]


@pytest.mark.parametrize(
    ("needs", "sentence"),
    [
        (("script", "whole"), "whole page needs"),
        (("script",), "plainer page needs"),
    ],
)
def test_the_tour_names_the_oldest_browsers(
    page_sources: Sources, needs: tuple[str, ...], sentence: str
) -> None:
    text = " ".join(TOUR.read_text("utf-8").split()).partition(sentence)[2][:100]
    matches = [re.search(rf"{browser} (\d+(?:\.\d+)?)", text) for browser in BROWSERS]
    assert [each and each[1] for each in matches] == floor(page_sources, *needs)


@pytest.mark.parametrize(
    ("kind", "text", "feature"),
    [
        ("html", "<dialog id='x'>", "dialog"),
        ("html", '<details {{ a }} name="x">', "details of one name"),
        ("js", "a?.b", "optional chaining"),
        ("js", "new FormData(form, event.submitter)", "new FormData(form, button)"),
        ("js", "/(?<=a)b/.test(c)", "looking behind in a pattern"),
        ("css", "a:has(b) { top: 0 }", ":has()"),
        ("css", "a { color: color-mix(in srgb, red, blue) }", "color-mix()"),
        ("css", "a { height: 100dvh }", "heights of the screen as it is now"),
        ("css", "a { & c { top: 0 } }", "rules within rules"),
    ],
)
def test_what_is_used_is_found(kind: str, text: str, feature: str) -> None:
    source = replace(NO_SOURCES, **{kind: READ[kind](text)})
    assert feature in [each.name for each in FEATURES if each.is_used(source)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("// a.findLastIndex(b)", "a comment"),
        ("/* structuredClone */ a();", "a comment"),
        ('a("b.findLastIndex(c)");', "a string"),
        ("a(`b.at(0)`);", "a template"),
    ],
)
def test_what_is_only_written_of_is_not_found(text: str, reason: str) -> None:
    source = replace(NO_SOURCES, js=READ["js"](text))
    assert [each.name for each in FEATURES if each.is_used(source)] == [], reason


def test_what_is_spared_has_its_reason() -> None:
    assert {each.need for each in FEATURES} == {"script", "whole", "spare"}
    assert [each.name for each in FEATURES if (each.need == "spare") != bool(each.why)] == []
