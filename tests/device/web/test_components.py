"""What templates share and what they say is shown on a page; what scripts share is listed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from jinja2 import Environment, nodes

import device.web
from device.i18n.words import LANGUAGES, own_texts
from device.web import demo_pages
from tests.device.page import get_page
from tests.device.walking.boxes import PlayedBox, play_box

WEB = Path(device.web.__file__).parent
TEMPLATES = {
    path.relative_to(WEB / "templates").as_posix(): path.read_text("utf-8")
    for path in sorted((WEB / "templates").rglob("*.html"))
}
READERS = {
    path.name: path.read_text("utf-8")
    for path in sorted((WEB / "static").iterdir())
    if path.suffix in (".js", ".css")
}
LIST = Path(__file__).parents[3] / "docs" / "components.md"

MAX_NAMED_FILES = 3
"""More files than this are `many` in the list."""


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[PlayedBox]:
    """Yield a box with samples, on which hands were read."""
    with play_box("play_alone", tmp_path / "box") as box:
        yield box


def shared_macros() -> set[str]:
    """Return the macros that a template may import, not those inside another macro."""
    template_names = {
        name
        for text in TEMPLATES.values()
        for name in re.findall(r"\{% (?:import|from) '([\w/]+\.html)'", text)
    }
    templates = {
        name: Environment(autoescape=True).parse(TEMPLATES[name]) for name in template_names
    }
    return {
        f"{each.name} {name}"
        for name, template in templates.items()
        for each in template.body
        if isinstance(each, nodes.Macro)
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_shared_macro_is_shown(demo: PlayedBox, language: str) -> None:
    phone = demo.app.test_client()
    phone.set_cookie("look", f"language={language}&theme=dark&text=big")
    page = get_page(phone, "/components/")
    headers = page.texts(".component > header")
    assert set(headers) == shared_macros()
    assert len(headers) == len(set(headers)) > 40, "each once"
    assert all(section.all("h3") for section in page.all(".component")), "with its states"


def test_only_the_demo_shows_them(client: FlaskClient) -> None:
    for page in ("/components/", "/texts/"):
        assert client.get(page).status_code == 404


def test_every_text_of_every_language_is_there(demo: PlayedBox) -> None:
    page = get_page(demo.app.test_client(), "/texts/")
    texts = {
        (row["id"], said["lang"]): said.words
        for row in page.all(".text-row")
        for said in row.all("dd")
    }
    assert texts == {
        (key, language): text for language in LANGUAGES for key, text in own_texts(language).items()
    }
    assert len(page.attributes("id", ".text-row")) == len({key for key, _ in texts}), "each once"


def test_a_text_with_markup_is_shown_as_it_is(
    demo: PlayedBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = '<b onclick="x">{who}</b> & <script>'
    monkeypatch.setattr(demo_pages, "own_texts", lambda language: {text: text})
    monkeypatch.setattr(demo_pages, "load_files", lambda language: {"page": {text: text}})
    row = get_page(demo.app.test_client(), "/texts/").single(".text-row")
    assert [row["id"], row.single("dt").text] == [text, text]
    assert [said.words for said in row.all("dd")] == [text] * len(LANGUAGES)
    assert not row.all("b, script")


def attributes(text: str) -> set[str]:
    """Return the data attributes that a file names, those in a script's `dataset` too."""
    short = re.findall(r"dataset\??\.(\w+)", text)
    for names in re.findall(r"\{([\w, ]+)\} = [\w.]+\.dataset", text):
        short += re.findall(r"\w+", names)
    short += re.findall(r'"(\w+)" in (?:[\w.]+\.)?dataset', text)
    attribute_names = {
        "data-" + re.sub("[A-Z]", lambda m: "-" + m[0].lower(), name) for name in short
    }
    return attribute_names | set(re.findall(r"(?<![\w-])data-[a-z]+(?:-[a-z]+)*", text))


def users(files: dict[str, str], attribute: str, placeholder: str) -> str:
    """Return the files that name an attribute, as the list has them."""
    file_names = [f"`{name}`" for name, text in files.items() if attribute in attributes(text)]
    return "many" if len(file_names) > MAX_NAMED_FILES else ", ".join(file_names) or placeholder


def test_every_data_attribute_stands_in_the_list() -> None:
    rows = re.findall(r"^\| `(data-[\w-]+)` \| (.+?) \| (.+?) \| (.+?) \|$", LIST.read_text(), re.M)
    used_attributes = {
        each for text in (*TEMPLATES.values(), *READERS.values()) for each in attributes(text)
    }
    assert len(used_attributes) > 50, "the search itself works"
    assert [(name, written, read) for name, written, read, _ in rows] == [
        (each, users(TEMPLATES, each, "a script"), users(READERS, each, "tests"))
        for each in sorted(used_attributes)
    ]
    assert all(says.strip() for *_, says in rows)
