"""What a page lets a player do: its links and its forms, as they would be sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

TYPED = {"number": "100", "text": "Flo", "checkbox": "on"}
"""What a player writes into an empty field."""

Attributes = dict[str, str]


@dataclass
class FoundForm:
    """A form with the words that may stand in each of its fields."""

    method: str
    action: str
    fields: dict[str, list[str]] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    buttons: list[tuple[str, str, str]] = field(default_factory=list)
    """Name, value, and the address if the button has one of its own."""


class FoundOnPage(HTMLParser):
    """Reads a page; `links` and `forms` are what it leads to."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.forms: list[FoundForm] = []
        self._by_id: dict[str, FoundForm] = {}
        self._form: FoundForm | None = None
        self._select: tuple[FoundForm, str] | None = None
        self._elsewhere: list[tuple[str, str, Attributes]] = []
        self.feed(page)
        for owner, tag, said in self._elsewhere:  # a button may stand before its form
            if owner in self._by_id:
                _add(self._by_id[owner], tag, said)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        for name in ("href", "src", "data-camera", "data-news", "data-href"):
            if said.get(name, "").startswith("/"):
                self.links.append(said[name])
        if tag == "form":
            self._form = FoundForm(said.get("method", "get").upper(), said.get("action", ""))
            self.forms.append(self._form)
            self._by_id[said.get("id", "")] = self._form
            return
        if "form" in said:
            self._elsewhere.append((said["form"], tag, said))
            return
        form = self._form
        if form is None:
            return
        if tag in ("input", "button", "textarea"):
            _add(form, tag, said)
        elif tag == "select":
            self._select = form, said.get("name", "")
        elif tag == "option" and self._select:
            owner, name = self._select
            owner.fields.setdefault(name, []).append(said.get("value", ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag == "select":
            self._select = None


def _add(form: FoundForm, tag: str, said: Attributes) -> None:
    name, value = said.get("name", ""), said.get("value", "")
    kind = said.get("type", "submit" if tag == "button" else "text")
    if kind == "submit":
        form.buttons.append((name, value, said.get("formaction", "")))
    elif name and kind == "file":
        form.files.append(name)
    elif name:
        form.fields.setdefault(name, []).append(value or TYPED.get(kind, ""))
