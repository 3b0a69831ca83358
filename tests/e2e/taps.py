"""What a tap on a form's button sends: as a plain form, and with the page's scripts.

What is compared: method, address, and the fields with their values. No difference is wanted; what
scripts do besides sending (a sheet, a swapped part, waiting for the box) has tests of its own.

A box's `Taps` writes down what a browser sends in answer to a tap and carries nothing out, so that
every button of a page can be tapped, one after another.
"""

from __future__ import annotations

import queue
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlencode

from flask import Flask, Response, request

from tests.device.page import Page, Part
from tests.e2e.engines import Browser, Chromium, WebKit
from tests.e2e.tour import Stop

PATIENCE_S = 10.0
"""How long a tap's request may take to arrive."""


@dataclass(frozen=True, slots=True)
class Submission:
    """A request, as far as the box looks at it; fields of different names in any order."""

    method: str
    address: str
    """Path and query, its fields by name."""
    fields: tuple[tuple[str, tuple[str, ...]], ...]
    """Names with their values; of a file its name and size."""


@dataclass(frozen=True, slots=True)
class Tap:
    """A button, and what a tap on it sends."""

    button: str
    """The button's tag."""
    form: str
    """Its form."""
    plain: Submission | None
    """What the browser sends by itself; None: nothing."""
    scripted: Submission | None
    """What it sends with the page's scripts."""

    @property
    def is_wrong(self) -> bool:
        """Whether scripts send anything else than the plain form."""
        return self.plain is None or self.plain != self.scripted


class Taps:
    """Writes down what a browser sends in place of carrying it out, while it is asked to."""

    def __init__(self, app: Flask) -> None:
        self._sent: queue.Queue[Submission] = queue.Queue()
        self._page: str | None = None
        self._actions: tuple[str, ...] = ()
        app.before_request_funcs.setdefault(None, []).insert(0, self._take)

    def _take(self) -> Response | None:
        if self._page is None:
            return None
        is_navigation = "text/html" in request.headers.get("Accept", "")
        is_form = request.method == "POST" or request.path in self._actions
        if not (is_navigation or is_form):
            return None  # a picture, say, or the news
        self._sent.put(_read_request())
        if is_navigation:
            return Response(status=204)  # the page stays
        return Response(self._page, mimetype="text/html")

    @contextmanager
    def listening(self, page: str, actions: Iterable[str]) -> Iterator[None]:
        """Take what is sent in the block; the page's scripts are answered with the same page."""
        self._page, self._actions = page, tuple(actions)
        try:
            yield
        finally:
            self._page = None
        assert self._sent.empty(), f"sent twice: {self._sent.get()}"

    def wait(self) -> Submission | None:
        """Return what was sent; None if nothing comes."""
        try:
            return self._sent.get(timeout=PATIENCE_S)
        except queue.Empty:
            return None


def _read_request() -> Submission:
    fields = {name: tuple(values) for name, values in request.form.lists()}
    for name, files in request.files.lists():
        fields[name] = tuple(f"{file.filename}: {len(file.read())}" for file in files)
    query = sorted(request.args.items(multi=True), key=lambda item: item[0])
    address = f"{request.path}?{urlencode(query)}".rstrip("?")
    return Submission(request.method, address, tuple(sorted(fields.items())))


BEGIN = """
window.isPlain = true;
const hidden = [...document.querySelectorAll("input[type=hidden]")];
window.hiddenValues = hidden.map((field) => [field, field.value]);
for (const kind of ["submit", "click"]) {
  addEventListener(kind, (event) => window.isPlain && event.stopImmediatePropagation(), true);
}
window.buttons = () => [...document.querySelectorAll("button, input")].filter((each) =>
  each.form && (each.type === "submit" || each.type === "image") && !each.disabled);
const tag = (element) => element.cloneNode(false).outerHTML;
return {
  page: document.documentElement.outerHTML,
  actions: [...document.forms].map((each) => new URL(each.action).pathname),
  buttons: window.buttons().map((each) => [tag(each), each.form.outerHTML]),
};
"""
"""Keeps the page's scripts from taps while `isPlain`; returns the buttons of forms.

It notes the hidden values: a script may change them at a tap, and no tap is carried out."""

TAP = r"""
const [at, isPlain, done] = arguments;
window.isPlain = isPlain;
for (const [field, value] of window.hiddenValues) field.value = value;
const button = window.buttons()[at];
button.form.noValidate = true;
for (const field of button.form.elements) {
  if (field.localName === "textarea") field.value = "one\ntwo é";
  if (field.type === "text" || field.type === "search") field.value = "a+b & é 麻";
  if (field.type === "file") {
    const files = new DataTransfer();
    files.items.add(new File(["picture"], "hand é.jpg", { type: "image/jpeg" }));
    field.files = files.files;
  }
}
button.click();
const settle = () => document.body.hasAttribute("aria-busy") ? setTimeout(settle, 2) : done();
setTimeout(settle);
"""
"""Fills the form of a button with what is easily sent wrong, and taps it."""


class Shapes:
    """The shapes of buttons that were tapped: what scripts see of them, and sorts of fields."""

    def __init__(self) -> None:
        self._known: set[object] = set()

    def has_new(self, page: Page) -> bool:
        """Whether a page has a button of a new shape."""
        return any(_shape(*each) not in self._known for each in _list_buttons(page))

    def take_new(self, buttons: Sequence[tuple[str, str]]) -> list[int]:
        """Return the places of the first button of each new shape, which is known from now on."""
        places = []
        for place, (button, form) in enumerate(buttons):
            shape = _shape(Page(button).single("button, input"), Page(form).all("form")[0])
            if shape not in self._known:
                self._known.add(shape)
                places.append(place)
        return places


def _list_buttons(page: Page) -> Iterator[tuple[Part, Part]]:
    """Yield the buttons of a page's forms, each with its form."""
    for form in page.all("form"):
        outside_buttons = page.all(f'[form="{form.get("id")}"]') if "id" in form else []
        for button in (*form.all("button, input[type=submit]"), *outside_buttons):
            if button.get("type", "submit") == "submit":
                yield button, form


def _shape(button: Part, form: Part) -> object:
    attributes = {name for name in form.attrs if name.startswith("data-") or name == "target"}
    ways = (form.get("method"), form.get("enctype"), button.get("formmethod"))
    fields = {each.get("type", each.tag.tag or "") for each in form.all("input, textarea, select")}
    return frozenset(attributes), ways, frozenset(fields), "formaction" in button, "name" in button


def compare(browsers: Sequence[Browser], taps: Taps, shapes: Shapes | None = None) -> list[Tap]:
    """Tap buttons of the page that is open, each as a plain form and with the page's scripts.

    With `shapes` these are the buttons of new shapes, else all; they are the same in all browsers.
    """
    taps_compared: list[Tap] = []
    pages = [browser.execute_script(BEGIN) for browser in browsers]
    buttons = pages[0]["buttons"]
    places = shapes.take_new(buttons) if shapes else range(len(buttons))
    for browser, page in zip(browsers, pages, strict=True):
        with taps.listening(page["page"], page["actions"]):
            plain, by_script = (
                [_tap(browser, taps, at, is_plain=is_plain) for at in places]
                for is_plain in (True, False)
            )
        taps_of_page = zip(places, plain, by_script, strict=True)
        taps_compared += [Tap(*page["buttons"][at], *sent) for at, *sent in taps_of_page]
    return taps_compared


def _tap(browser: Browser, taps: Taps, place: int, *, is_plain: bool) -> Submission | None:
    browser.execute_async_script(TAP, place, is_plain)
    return taps.wait()


@dataclass
class TapComparison:
    """Compares what buttons send, stop by stop, and notes what WebKit complains of.

    Chromium has the stop open; WebKit opens it where a button's shape, or a script, is new. Buttons
    of new shapes are tapped in WebKit: those of Chromium are in all other tests.
    """

    chromium: Chromium
    webkit: WebKit
    taps: Taps
    shapes: Shapes | None
    """None: every button of every stop is compared, in both engines."""
    named_taps: list[tuple[str, Tap]] = field(default_factory=list)
    complaints: dict[str, list[str]] = field(default_factory=dict)
    script_sets: set[frozenset[str]] = field(default_factory=set)

    def compare_at(self, stop: Stop) -> None:
        """Compare the buttons of the stop that is open; it is of no use afterwards."""
        page = Page(self.chromium.page_source)
        scripts = _list_scripts(page)
        has_buttons = not self.shapes or self.shapes.has_new(page)
        if not has_buttons and scripts in self.script_sets:
            return
        self.script_sets.add(scripts)
        self.webkit.get(stop.path)
        self.complaints[f"{stop.name}, WebKit"] = self.webkit.complaints()
        if has_buttons:
            browsers = (self.webkit,) if self.shapes else (self.chromium, self.webkit)
            new_taps = compare(browsers, self.taps, self.shapes)
            self.named_taps += [(stop.name, tap) for tap in new_taps]
            self.webkit.complaints()  # of taps that were not carried out
            self.chromium.complaints()

    def differences(self) -> list[tuple[str, Tap]]:
        """Return the taps that send anything else with scripts, with the names of their stops."""
        return [(name, tap) for name, tap in self.named_taps if tap.is_wrong]


def _list_scripts(page: Page) -> frozenset[str]:
    """Return the names of a page's scripts."""
    files = (each.rpartition("/")[2] for each in page.attributes("src", "script"))
    return frozenset(file.partition(".")[0] for file in files)  # before its hash
