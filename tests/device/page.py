"""A page as players meet it: what they read, and its links, fields, buttons and forms."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import unquote

from bs4 import BeautifulSoup, Tag
from flask.testing import FlaskClient

ADDRESS_ATTRIBUTES = ("href", "src", "data-camera", "data-news", "data-href")

TYPED = {"number": "100", "text": "Flo", "checkbox": "on"}
"""What a player writes into an empty field, by its type."""


class Part:
    """A part of a page. What is asked for in the singular must be there exactly once."""

    def __init__(self, tag: Tag) -> None:
        self.tag = tag

    def __str__(self) -> str:
        return str(self.tag)

    def __contains__(self, attribute: str) -> bool:
        return attribute in self.tag.attrs

    def __getitem__(self, attribute: str) -> str:
        return str(self.tag[attribute])

    def get(self, attribute: str, default: str = "") -> str:
        """Return an attribute."""
        return str(self.tag.get(attribute, default))

    @property
    def text(self) -> str:
        """What a player reads: without scripts, and with one space between words."""
        return " ".join(self.tag.get_text(" ").split())

    def all(self, css: str, says: str = "") -> list[Part]:
        """Return the parts that a selector finds and that say something."""
        found = [Part(each) for each in self.tag.select(css)]
        return [each for each in found if says in each.text] if says else found

    def one(self, css: str, says: str = "") -> Part:
        """Return the one part that a selector finds and that says something."""
        found = self.all(css, says)
        assert len(found) == 1, f"{len(found)} of {css} say {says!r}: {self.text}"
        return found[0]

    def texts(self, css: str) -> list[str]:
        """Return what each part says that a selector finds."""
        return [each.text for each in self.all(css)]

    def attributes(self, name: str, css: str = "") -> list[str]:
        """Return the values of an attribute, in the order of the page."""
        return [each[name] for each in self.all(f"{css}[{name}]")]

    def link(self, says: str) -> str:
        """Return where a link leads, by its words."""
        return self.one("a[href]", says)["href"]

    def links(self, prefix: str = "") -> list[str]:
        """Return where all links lead whose address begins so."""
        return [each for each in self.attributes("href", "a") if each.startswith(prefix)]

    def button(self, says: str) -> Part:
        """Return a form's button, by its words."""
        return self.one("button", says)

    def fields(self, name: str, more: str = "") -> list[Part]:
        """Return the fields and buttons of a name; `more` is another condition in CSS."""
        return self.all(f'[name="{name}"]{more}')

    def value(self, name: str) -> str:
        """Return the value of the one field of a name."""
        (value,) = self.values(name)
        return value

    def values(self, name: str, more: str = "") -> list[str]:
        """Return the values of the fields and buttons of a name."""
        return [each.get("value") for each in self.fields(name, more)]

    def chosen(self, name: str) -> list[str]:
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
    hidden: dict[str, str] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    buttons: list[tuple[str, str, str]] = field(default_factory=list)
    """Name, value, and the address if the button has one of its own."""

    def add(self, part: Part) -> None:
        """Take in a field or a button."""
        name, value = part.get("name"), part.get("value")
        kind = part.get("type", "submit" if part.tag.name == "button" else "text")
        if part.tag.name == "select":
            options = [each.get("value") for each in part.all("option")]
            self.fields.setdefault(name, []).extend(options)
        elif kind == "submit":
            self.buttons.append((name, value, part.get("formaction")))
        elif name and kind == "file":
            self.files.append(name)
        elif name:
            self.fields.setdefault(name, []).append(value or TYPED.get(kind, ""))
        if kind == "hidden":
            self.hidden[name] = value


class Page(Part):
    """A whole page."""

    def __init__(self, html: str) -> None:
        super().__init__(BeautifulSoup(html, "html.parser", multi_valued_attributes=None))

    @property
    def main(self) -> Part:
        """What is below the bar at the top that all pages share."""
        return self.one("main")

    @property
    def addresses(self) -> list[str]:
        """Where on the box the page leads, scripts and pictures included."""
        found = (str(t.get(a, "")) for t in self.tag.find_all() for a in ADDRESS_ATTRIBUTES)
        return [each for each in found if each.startswith("/")]

    @property
    def source_words(self) -> list[str]:
        """All that is written in the source: attributes, scripts and comments, too."""
        words = [unquote(str(v)) for tag in self.tag.find_all() for v in tag.attrs.values()]
        return words + [str(each) for each in self.tag.find_all(string=True)]

    @property
    def forms(self) -> list[Form]:
        """The forms in their order."""
        found: list[Form] = []
        by_id: dict[str, Form] = {}
        for tag in self.tag.find_all("form"):
            form = Form(str(tag.get("method", "get")).upper(), str(tag.get("action", "")))
            found.append(form)
            by_id[str(tag.get("id", ""))] = form
            for each in tag.find_all(["input", "button", "textarea", "select"]):
                if "form" not in each.attrs:
                    form.add(Part(each))
        for tag in self.tag.find_all(form=True):
            if owner := by_id.get(str(tag["form"])):
                owner.add(Part(tag))
        return found


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
