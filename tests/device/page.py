"""A page as players meet it: what they read, and its links, fields, buttons and forms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote

from flask.testing import FlaskClient
from selectolax.lexbor import LexborHTMLParser, LexborNode

from device.web.whole_words import NON_BREAKING_HYPHEN

ADDRESS_ATTRIBUTES = ("href", "src", "data-camera", "data-news", "data-href")

TYPED_VALUES = {"number": "100", "text": "Flo", "checkbox": "on"}
"""What a player writes into an empty field, by its type."""


UNREAD = ("script", "style")
"""The tags whose words no player reads."""


class Part:
    """A part of a page. What is asked for in the singular must be there exactly once."""

    def __init__(self, tag: LexborNode) -> None:
        self.tag = tag

    def __str__(self) -> str:
        return self.tag.html or ""

    def __contains__(self, attribute: str) -> bool:
        return attribute in self.attrs

    def __getitem__(self, attribute: str) -> str:
        return self.attrs[attribute]

    @property
    def attrs(self) -> dict[str, str]:
        """The attributes; one without a value has an empty one."""
        return {name: value or "" for name, value in self.tag.attributes.items()}

    def get(self, attribute: str, default: str = "") -> str:
        """Return an attribute."""
        return self.tag.attributes.get(attribute, default) or ""

    @property
    def words(self) -> str:
        """What a player reads, with the white space of the source."""
        return " ".join(self._texts())

    @property
    def text(self) -> str:
        """What a player reads: without scripts, and with one space between words."""
        return " ".join(self.words.split())

    def _texts(self) -> Iterator[str]:
        for node in self.tag.traverse(include_text=True):
            if node.is_text_node and node.parent and node.parent.tag not in UNREAD:
                text = (node.text_content or "").replace(NON_BREAKING_HYPHEN, "-")
                yield text.replace("\N{NO-BREAK SPACE}·", " ·")

    def all(self, css: str, says: str = "") -> list[Part]:
        """Return the parts within this one that a selector finds and that say something."""
        parts = [Part(each) for each in self._select(css)]
        return [each for each in parts if says in each.text] if says else parts

    def _select(self, css: str) -> list[LexborNode]:
        return [each for each in self.tag.css(css) if each.mem_id != self.tag.mem_id]

    def single(self, css: str, says: str = "") -> Part:
        """Return the one part that a selector finds and that says something."""
        parts = self.all(css, says)
        assert len(parts) == 1, f"{len(parts)} of {css} say {says!r}: {self.text}"
        return parts[0]

    def texts(self, css: str) -> list[str]:
        """Return what each part says that a selector finds."""
        return [each.text for each in self.all(css)]

    def attributes(self, name: str, css: str = "") -> list[str]:
        """Return the values of an attribute, in the order of the page."""
        return [each[name] for each in self.all(f"{css}[{name}]")]

    def link(self, says: str) -> str:
        """Return where a link leads, by its words."""
        return self.single("a[href]", says)["href"]

    def links(self, prefix: str = "") -> list[str]:
        """Return where all links lead whose address begins so."""
        return [each for each in self.attributes("href", "a") if each.startswith(prefix)]

    def button(self, says: str) -> Part:
        """Return a form's button, by its words."""
        return self.single("button", says)

    def fields(self, name: str, extra_css: str = "") -> list[Part]:
        """Return the fields and buttons of a name; `extra_css` is another condition in CSS."""
        return self.all(f'[name="{name}"]{extra_css}')

    def value(self, name: str) -> str:
        """Return the value of the one field of a name."""
        (value,) = self.values(name)
        return value

    def values(self, name: str, extra_css: str = "") -> list[str]:
        """Return the values of the fields and buttons of a name."""
        return [each.get("value") for each in self.fields(name, extra_css)]

    def chosen_values(self, name: str) -> list[str]:
        """Return the values that are chosen where a field has several."""
        css = f'[name="{name}"][checked], [name="{name}"] [selected]'
        return [each["value"] for each in self.all(css)]


@dataclass
class Form:
    """A form, with the fields and buttons that belong to it from elsewhere."""

    method: str
    action: str
    fields: dict[str, list[str]] = field(default_factory=dict)
    """The values that may stand in each field."""
    hidden_fields: dict[str, str] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    buttons: list[tuple[str, str, str]] = field(default_factory=list)
    """Name, value, and the address if the button has one of its own."""

    def add(self, part: Part) -> None:
        """Take in a field or a button."""
        name, value = part.get("name"), part.get("value")
        kind = part.get("type", "submit" if part.tag.tag == "button" else "text")
        if part.tag.tag == "select":
            options = [each.get("value") for each in part.all("option")]
            self.fields.setdefault(name, []).extend(options)
        elif kind == "submit":
            self.buttons.append((name, value, part.get("formaction")))
        elif name and kind == "file":
            self.files.append(name)
        elif name:
            self.fields.setdefault(name, []).append(value or TYPED_VALUES.get(kind, ""))
        if kind == "hidden":
            self.hidden_fields[name] = value


class Page(Part):
    """A whole page."""

    def __init__(self, html: str) -> None:
        self._parser = LexborHTMLParser(html)
        root = self._parser.root
        assert root, "a page is empty at least"
        super().__init__(root)

    def _select(self, css: str) -> list[LexborNode]:
        return self._parser.css(css)

    @property
    def main(self) -> Part:
        """What is below the bar at the top that all pages share."""
        return self.single("main")

    @property
    def addresses(self) -> list[str]:
        """Where on the box the page leads, scripts and pictures included."""
        selector = ", ".join(f"[{name}]" for name in ADDRESS_ATTRIBUTES)
        parts = self.all(f":is({selector})")
        addresses = (part.get(name) for part in parts for name in ADDRESS_ATTRIBUTES)
        return [each for each in addresses if each.startswith("/")]

    @property
    def source_words(self) -> list[str]:
        """All that is written in the source: attributes, scripts and comments, too."""
        words = [unquote(value) for part in self.all("*") for value in part.attrs.values()]
        nodes = self.tag.traverse(include_text=True)
        return words + [each.text_content or each.comment_content or "" for each in nodes]

    @property
    def forms(self) -> list[Form]:
        """The forms in their order."""
        forms: list[Form] = []
        by_id: dict[str, Form] = {}
        for part in self.all("form"):
            form = Form(part.get("method", "get").upper(), part.get("action"))
            forms.append(form)
            by_id[part.get("id")] = form
            for each in part.all("input, button, textarea, select"):
                if "form" not in each:
                    form.add(each)
        for part in self.all("[form]"):
            if owner := by_id.get(part["form"]):
                owner.add(part)
        return forms


def main_text(phone: FlaskClient, address: str, **form: str) -> str:
    """Return what a player reads on a page below its bar, or on the one a form leads to."""
    method = "POST" if form else "GET"
    answer = phone.open(address, method=method, data=form or None, follow_redirects=True)
    return Page(answer.text).main.text


def get_page(phone: FlaskClient, address: str, status: int = 200) -> Page:
    """Return the page that a phone is given, which must have this status."""
    answer = phone.get(address)
    assert answer.status_code == status, f"{address}: {answer.status} {answer.text}"
    return Page(answer.text)
