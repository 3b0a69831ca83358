"""Show every text in all languages side by side: a page of the demo, for readers who check them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flask import Blueprint, abort, render_template

from device.i18n.words import LANGUAGES, load, load_files
from device.web.box import box

pages = Blueprint("texts", __name__, url_prefix="/texts")


@dataclass(frozen=True, slots=True)
class TextRow:
    """A text's key and what each language says; a language that needs no such text is left out."""

    key: str
    texts: Mapping[str, str]


@pages.get("/")
def show() -> str:
    """Show them all. Only the demo, which offers samples, has this page."""
    if not box().samples:
        abort(404)
    return render_template("texts.html", files=_rows_by_file())


def _rows_by_file() -> dict[str, tuple[TextRow, ...]]:
    """Return the rows of each file, in the order of the files; each key stands in one row."""
    said = {language: load(language) for language in LANGUAGES}
    keys: dict[str, dict[str, None]] = {}
    seen: set[str] = set()
    for language in LANGUAGES:
        for name, texts in load_files(language).items():
            keys.setdefault(name, {}).update(dict.fromkeys(key for key in texts if key not in seen))
            seen |= texts.keys()
    return {name: tuple(_row(key, said) for key in of_file) for name, of_file in keys.items()}


def _row(key: str, said: Mapping[str, Mapping[str, str]]) -> TextRow:
    return TextRow(key, {name: texts[key] for name, texts in said.items() if key in texts})
