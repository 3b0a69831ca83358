"""All words of the page stand in the strings file, and none stand there in vain."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import device.web
from device.i18n import words
from device.web.errors import PHOTO_STATUS
from scorer.tiles import CODES

WEB = Path(device.web.__file__).parent
TEMPLATES = sorted((WEB / "templates").rglob("*.html"))
KEYS = words.load()


def sources() -> str:
    folders = [WEB, WEB.parent / "views", WEB.parent / "paper", WEB.parent / "i18n"]
    files = [*TEMPLATES, *(file for folder in folders for file in folder.rglob("*.py"))]
    return "\n".join(file.read_text("utf-8") for file in files)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_words_stand_in_a_template(path: Path) -> None:
    text = re.sub(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", "", path.read_text("utf-8"), flags=re.S)
    attributes = re.findall(r'(?:aria-label|alt|title|placeholder)="([^"]*)"', text)
    outside_tags = re.sub(r"<[^>]*>", " ", text)
    assert not re.search(r"[A-Za-z]{2}", outside_tags), "between tags"
    assert not re.search(r"[A-Za-z]", "".join(attributes)), "in an attribute"


def test_every_key_that_is_asked_for_exists() -> None:
    code = sources()
    asked = re.findall(r"""\b(?:t|say)\(\s*['"]([\w.-]+)['"]\s*[,)]""", code)
    counted = re.findall(r"""\b(?:tn|say_count)\(\s*['"]([\w.-]+)['"]\s*,""", code)
    assert len(asked) > 60, "the search itself works"
    assert {key for key in asked if key not in KEYS} == set()
    assert {f"{k}.{n}" for k in counted for n in ("one", "many")} - KEYS.keys() == set()


def test_every_key_is_asked_for() -> None:
    code = sources()
    families = set(re.findall(r"""['"]([\w-]+\.(?:[\w-]+[.-])*)['"]\s*~""", code))
    families |= set(re.findall(r"""f["']([\w.-]+[.-])\{""", code))
    families |= {f"{k}." for k in re.findall(r"""(?:tn|say_count)\(\s*['"]([\w.-]+)""", code)}
    unused = {
        key
        for key in KEYS
        if f"'{key}'" not in code
        and f'"{key}"' not in code
        and not any(key.startswith(family) for family in families)
    }
    assert unused == set()


def test_every_refusal_has_its_sentence() -> None:
    assert all(words.is_said(f"error.{status}") for status in (400, 403, 404, 413, 421, 429, 503))
    assert set(PHOTO_STATUS.values()) <= {400, 413, 415}


@pytest.mark.parametrize(
    ("code", "name"),
    [("B2", "2 bamboo"), ("O1", "1 circle"), ("O3", "3 circles"), ("C9", "9 characters"),
     ("WE", "East wind"), ("DG", "green dragon"), ("F4", "flower 4 (bamboo)"), ("??", "face down"),
     ("JK", "joker")],
)  # fmt: skip
def test_tiles_have_spoken_names(code: str, name: str) -> None:
    assert words.tile_name(code) == name


def test_every_face_has_a_name_of_its_own() -> None:
    assert len({words.tile_name(code) for code in CODES}) == len(CODES)
