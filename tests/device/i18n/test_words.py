"""All words of the page stand in the strings file, and none stand there in vain."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import device.web
import scorer
from device.i18n.words import SAID_BY, is_said, load, tile_name
from device.web.errors import PHOTO_STATUSES
from scorer.message import load_words
from scorer.tiles import CODES

WEB = Path(device.web.__file__).parent
TEMPLATES = sorted((WEB / "templates").rglob("*.html"))
KEYS = load()
OF_PACKAGES = {package: load_words(package) for package in SAID_BY}
"""What the scorer and others say; everything else is the page's own."""


def sources() -> str:
    folders = [WEB, WEB.parent / "views", WEB.parent / "paper", WEB.parent / "i18n",
               WEB.parent / "updates", WEB.parent / "club", WEB.parent / "damage",
               WEB.parent / "doctor"]  # fmt: skip
    files = [*TEMPLATES, *(file for folder in folders for file in folder.rglob("*.py"))]
    return "\n".join(file.read_text("utf-8") for file in files)


def test_no_words_stand_in_a_template() -> None:
    for path in TEMPLATES:
        text = path.read_text("utf-8")
        text = re.sub(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", "", text, flags=re.S)
        attributes = re.findall(r'(?:aria-label|alt|title|placeholder)="([^"]*)"', text)
        outside_tags = re.sub(r"<[^>]*>", " ", text)
        assert not re.search(r"[A-Za-z]{2}|:", outside_tags), f"{path.name}, between tags"
        assert not re.search(r"[A-Za-z]", "".join(attributes)), f"{path.name}, in an attribute"


def test_every_key_that_is_asked_for_exists() -> None:
    code = sources()
    keys_in_code = re.findall(r"""\b(?:t|say)\(\s*['"]([\w.-]+)['"]\s*[,)]""", code)
    counted_keys = re.findall(r"""\b(?:tn|say_count)\(\s*['"]([\w.-]+)['"]\s*,""", code)
    assert len(keys_in_code) > 60, "the search itself works"
    assert {key for key in keys_in_code if key not in KEYS} == set()
    assert {f"{k}.other" for k in counted_keys} - KEYS.keys() == set()


def test_every_key_is_asked_for() -> None:
    code = sources()
    families = set(re.findall(r"""['"]([\w-]+\.(?:[\w-]+[.-])*)['"]\s*~""", code))
    families |= set(re.findall(r"""f["']([\w.-]+[.-])\{""", code))
    families |= {f"{k}." for k in re.findall(r"""(?:tn|say_count)\(\s*['"]([\w.-]+)""", code)}
    unused_keys = {
        key
        for key in KEYS.keys() - {key for said in OF_PACKAGES.values() for key in said}
        if f"'{key}'" not in code
        and f'"{key}"' not in code
        and not any(key.startswith(family) for family in families)
    }
    assert unused_keys == set()


FOLDERS = {
    "scorer": ("scorer", "device/hands", "device/i18n"),
    "vision": ("vision", "device"),
    "device.cameras": ("device/cameras",),
}
"""In which folders what a package says may stand."""

ROOT = Path(scorer.__file__).parent.parent

OF_OLD_LOGS = {"lies.flowers-unclear", "photo.mirrored"}
"""What nothing says any more may stand in a log still."""


@pytest.mark.parametrize("package", SAID_BY)
def test_every_key_of_a_package_is_asked_for(package: str) -> None:
    folders = [ROOT / folder for folder in FOLDERS[package]]
    code = "\n".join(file.read_text("utf-8") for folder in folders for file in folder.rglob("*.py"))
    keys_in_code = set(re.findall(r"""["']([\w?-]+(?:\.[\w?-]+)*)["']""", code))
    families = set(re.findall(r"""f["']([\w-]+\.[\w.-]*)\{""", code))
    unused_keys = {
        key
        for key in map(_sentence, OF_PACKAGES[package])
        if key not in keys_in_code | OF_OLD_LOGS
        and not any(key.startswith(family) for family in families)
        and not key.startswith("listing.")
    }
    assert unused_keys == set()


def _sentence(key: str) -> str:
    """Return the key that is asked for, without the form."""
    return key.removesuffix(".one").removesuffix(".other")


def test_every_refusal_has_its_sentence() -> None:
    assert all(is_said(f"error.{status}") for status in (400, 403, 404, 413, 421, 429, 503))
    assert set(PHOTO_STATUSES.values()) <= {400, 413, 415, 503}


@pytest.mark.parametrize(
    ("code", "name"),
    [("B2", "2 bamboo"), ("O1", "1 circle"), ("O3", "3 circles"), ("C9", "9 characters"),
     ("WE", "East wind"), ("DG", "green dragon"), ("F4", "flower 4 (bamboo)"), ("??", "face down"),
     ("JK", "joker")],
)  # fmt: skip
def test_tiles_have_spoken_names(code: str, name: str) -> None:
    assert tile_name(code) == name


def test_every_face_has_a_name_of_its_own() -> None:
    assert len({tile_name(code) for code in CODES}) == len(CODES)
