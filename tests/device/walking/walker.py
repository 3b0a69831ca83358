"""Walk through the pages, from what they show, as a player would, with something odd each time."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from urllib.parse import parse_qsl, urljoin, urlsplit

from flask import got_request_exception
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RequestRedirect, Rule
from werkzeug.test import run_wsgi_app

from device.matches.repository import MatchRepository
from device.rulesets.repository import CustomRulesets
from device.store.events import MatchBegun
from tests.device.fake_reader import lay, picture
from tests.device.page import Form, Page
from tests.device.walking import odd
from tests.device.walking.boxes import PlayedBox
from tests.device.walking.people_texts import written_in_the_club
from tests.device.walking.phone_request import Fields, PhoneRequest

Key = tuple[str, str]
"""Method and rule."""

PHOTO = picture(lay())

PAPER_VIEWS = frozenset(
    f"print.{paper}" for paper in ("mat", "label", "exercises", "card", "hands", "tables")
)
"""What takes a second to set."""

KEPT_COOKIES = ("tongbox-phone", "tongbox-organiser", "table")
"""Cookies that the phone keeps: with another PIN it is in, and at another table it sits there."""

ENDLESS_VIEWS = frozenset({"capture.live", "live.listen"})
"""What goes on for as long as somebody listens."""

SAME_ALWAYS_VIEWS = frozenset({"texts.show", "components.show", "rules.show", "rules.specials"})
"""Long pages that show nothing of what was kept: a walk sees them where a link leads there."""

SIT_DOWN = "at.sit_down"
"""The one page that is looked at and changes something: a phone sits here, and nowhere else."""

ADDRESS_WORDS = {
    "paper": ["a4"],
    "section": ["play", "winds"],
    "rule": ["BMJA-D10", "SAF-P08"],
    "exercise": ["tile", "set"],
    "level": ["pungs", "names", "faces", "kinds", "settlement"],
    "seed": ["7"],
    "kind": ["csv", "jsonl", "pdf", "xlsx"],
    "number": ["0", "1"],
    "place": ["0", "5"],
    "which": ["0", "1"],
    "k": ["0"],
    "what": ["name", "pin", "rules", "set", "camera", "clear"],
}
"""What may stand in an address, besides the ids that a box has given."""


@dataclass
class Answer:
    """The answer to one request."""

    request: PhoneRequest
    reasons: tuple[str, ...]
    """What was odd."""
    status: int
    fault: BaseException | None
    """What was raised and not expected."""
    text: str = ""
    location: str = ""

    @cached_property
    def page(self) -> Page:
        """The page that came."""
        return Page(self.text)

    def __str__(self) -> str:
        summary = f"{self.status} {self.request.method} {self.request.address[:120]}"
        return f"{summary} ({'; '.join(self.reasons)}): {self.fault!r}"


@dataclass
class Walker:
    """One phone, or several, on one box."""

    played: PlayedBox
    chance: random.Random
    pool: dict[Key, deque[PhoneRequest]] = field(
        default_factory=lambda: defaultdict(lambda: deque(maxlen=12))
    )
    """Requests that the pages themselves offer, by where they go."""
    fields: set[str] = field(default_factory=set)
    words: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """What pages have offered for each field, and what stands in their addresses."""
    reached_counts: Counter[str] = field(default_factory=Counter)
    """How often each endpoint answered without refusing."""
    sent_count: int = 0
    failed_answers: list[Answer] = field(default_factory=list)
    """What the box could not answer."""

    def __post_init__(self) -> None:
        self.adapter = self.played.app.url_map.bind("localhost")
        self.faults: list[BaseException] = []
        got_request_exception.connect(self._note, self.played.app)

    def _note(self, _: object, exception: BaseException, **__: object) -> None:
        self.faults.append(exception)

    def rules(self) -> Iterator[tuple[str, Rule]]:
        """Yield every rule with each of its methods."""
        for rule in self.played.app.url_map.iter_rules():
            for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
                yield method, rule

    def look_round(self) -> None:
        """Go to every page that can be got to."""
        for address in self.played.starts:
            self._offer("GET", address, ())
        for method, rule in self.rules():
            if method == "GET" and rule.endpoint not in PAPER_VIEWS | SAME_ALWAYS_VIEWS:
                self.follow(self.answer(self.usual(method, rule)))

    def follow(self, answer: Answer) -> None:
        """Go where an answer leads."""
        if answer.status in (302, 303) and answer.location.startswith("/"):
            self._offer("GET", answer.location, ())
            for (method, _), offered_requests in list(self.pool.items()):
                if (
                    method == "GET"
                    and offered_requests
                    and offered_requests[-1].address == answer.location
                ):
                    self.answer(offered_requests[-1])
                    return

    def straight(self) -> None:
        """Do once what no walk has done yet, with nothing odd about it."""
        for method, rule in self.chance.sample(rules := list(self.rules()), len(rules)):
            is_new = method == "POST" and not self.reached_counts[rule.endpoint]
            if is_new and self.pool[method, rule.rule]:
                self.follow(self.answer(self.usual(method, rule)))

    def usual(self, method: str, rule: Rule) -> PhoneRequest:
        """Return a request that a page offers, or else one of known parts."""
        if offered_requests := self.pool[method, rule.rule]:
            return replace(self.chance.choice(offered_requests), cookies=self.kept_cookies())
        known_ids = ADDRESS_WORDS | self.played.known_ids
        path = {name: self.chance.choice(known_ids.get(name) or ["x"]) for name in rule.arguments}
        return PhoneRequest(method, rule, path, cookies=self.kept_cookies())

    def kept_cookies(self) -> Fields:
        """Return the cookies that the phone has now."""
        return tuple(self.played.cookies.items())

    def answer(self, request: PhoneRequest, reasons: tuple[str, ...] = ()) -> Answer:
        """Send it, and learn from the page what else there is to ask."""
        self.sent_count += 1
        self.faults.clear()
        before = self.played.store.newer(-1, 0)
        # Each hundred requests come from another phone: how many one may send is not in question.
        client = f"10.0.{self.sent_count // 25600 % 256}.{self.sent_count // 100 % 256}"
        try:
            parts, status, headers = run_wsgi_app(self.played.app, request.environ(client))
        except Exception as error:  # noqa: BLE001 - the server's own answer to it is 500
            self.failed_answers.append(Answer(request, reasons, 500, error))
            return self.failed_answers[-1]
        code = int(status.split()[0])
        endless = request.rule.endpoint in ENDLESS_VIEWS and code == 200
        data = b"" if endless else b"".join(parts)
        if hasattr(parts, "close"):
            parts.close()
        for cookie in headers.getlist("Set-Cookie"):
            name, _, value = cookie.split(";")[0].partition("=")
            if name in KEPT_COOKIES and code < 400:
                self.played.cookies[name] = value
        if code < 400:
            self.reached_counts[request.rule.endpoint] += 1
        fault = self._fault(request, before)
        answer = Answer(request, reasons, code, fault, location=headers.get("Location", ""))
        if "html" in headers.get("Content-Type", ""):
            answer.text = data.decode("utf-8", "replace")
            if code == 200 and (not reasons or self.chance.random() < 0.3):
                self._learn(request.address, answer.page)
        if code >= 500 or fault:
            self.failed_answers.append(answer)
        if request.method == "POST":
            self.played.wait()
        return answer

    def _fault(self, request: PhoneRequest, before: int) -> BaseException | None:
        """Return the exception of a request, or an error if a GET changed the log."""
        if self.faults:
            return self.faults[0]
        only_looks = request.method == "GET" and request.rule.endpoint != SIT_DOWN
        if only_looks and self.played.store.newer(-1, 0) != before:
            return AssertionError("who only looked has changed something")
        return None

    def _learn(self, address: str, page: Page) -> None:
        for link in page.addresses:
            self._offer("GET", urljoin(address, link), ())
        for form in page.forms:
            buttons = form.buttons or [("", "", "")]
            for name, words in (*form.fields.items(), *((b[0], [b[1]]) for b in buttons)):
                self.words[name].update(words)
            for name, value, other in self.chance.sample(buttons, min(3, len(buttons))):
                fields = self._fill_in(form)
                if name:
                    fields += ((name, value),)
                self._offer(
                    form.method, urljoin(address, other or form.action or address), fields, form
                )

    def _fill_in(self, form: Form) -> Fields:
        return tuple((name, self.chance.choice(words)) for name, words in form.fields.items())

    def _offer(self, method: str, address: str, fields: Fields, form: Form | None = None) -> None:
        parts = urlsplit(address)
        try:
            rule, values = self.adapter.match(parts.path, method, return_rule=True)
        except (HTTPException, RequestRedirect):
            return
        query: Fields = tuple(parse_qsl(parts.query, keep_blank_values=True))
        files = tuple((name, "hand.jpg", PHOTO) for name in (form.files if form else ())[:1])
        self.fields |= {str(name) for name, _ in (*fields, *query)}
        for name, value in values.items():
            self.words[name].add(str(value))
        self.pool[method, rule.rule].append(
            PhoneRequest(
                method,
                rule,
                {name: str(value) for name, value in values.items()},
                query=query if method == "POST" else (*query, *fields),
                form=fields if method == "POST" else (),
                files=files,
                cookies=self.kept_cookies(),
            )
        )

    def stray(self) -> Answer:
        """Send a request that is odd in one way, or in several."""
        # What changes something matters more, and what a page offers leads farther.
        method = self.chance.choice(("GET", "POST", "POST"))
        papers = self.chance.random() < 0.05
        routes = [
            each
            for each in self.rules()
            if each[0] == method and (papers or each[1].endpoint not in PAPER_VIEWS)
        ]
        offered_routes = [(of, rule) for of, rule in routes if self.pool.get((of, rule.rule))]
        method, rule = self.chance.choice(routes if self.chance.random() < 0.1 else offered_routes)
        request = self.usual(method, rule)
        reasons: list[str] = []
        for _ in range(self.chance.choice((0, 1, 1, 1, 1, 1, 2, 2, 3))):
            request, reason = self.chance.choice(WAYS)(self, request)
            reasons.append(reason)
        answer = self.answer(request, tuple(reasons))
        if self.chance.random() < 0.3:
            self.follow(answer)
        return answer


def _odd(walker: Walker) -> tuple[str, odd.Odd]:
    table = walker.chance.choice((odd.NUMBERS, odd.TEXTS))
    return walker.chance.choice(list(table.items()))


def _in_path(walker: Walker, request: PhoneRequest) -> tuple[PhoneRequest, str]:
    names = sorted(request.path)
    if not names:
        return _in_field(walker, request)
    name = walker.chance.choice(names)
    reason, value = _odd(walker)
    short = value[:9000]  # a server refuses an address that is longer
    return replace(request, path={**request.path, name: short}), f"{name} in the path: {reason}"


def _replace_field(walker: Walker, fields: Fields, names: Iterable[str]) -> tuple[Fields, str]:
    field_names = [str(name) for name, _ in fields]
    name = walker.chance.choice(field_names or sorted(names) or ["x"])
    if field_names and walker.chance.random() < 0.1:
        name = walker.chance.choice(sorted(names) or ["x"])
    reason, value = _odd(walker)
    chance = walker.chance.random()
    rest = tuple(each for each in fields if each[0] != name)
    if chance < 0.1:
        return rest, f"without {name}"
    if chance < 0.2:
        return (*fields, (name, value)), f"{name} once more: {reason}"
    return (*rest, (name, value)), f"{name}: {reason}"


def _in_field(walker: Walker, request: PhoneRequest) -> tuple[PhoneRequest, str]:
    in_form = request.method == "POST" and (bool(request.form) or walker.chance.random() < 0.5)
    old = request.form if in_form else request.query
    new, reason = _replace_field(walker, old, walker.fields)
    if not in_form:
        new = tuple((name, value[:9000]) for name, value in new)
    return (replace(request, form=new) if in_form else replace(request, query=new)), reason


def _in_cookie(walker: Walker, request: PhoneRequest) -> tuple[PhoneRequest, str]:
    name = walker.chance.choice(("player", "look", "pupil", "tongbox-phone"))
    reason, value = _odd(walker)
    if name == "look":
        looks: list[tuple[str, odd.Odd]] = [
            ("many fields", "&".join(f"a{k}=1" for k in range(30))),
            ("an odd language", "language=xx-YY"),
            ("no UTF-8 in it", "language=%ff&theme=%ed%a0%80"),
            ("no language", b"language=" + (value if isinstance(value, bytes) else b"%00")),
        ]
        reason, value = walker.chance.choice(looks)
    rest = tuple(each for each in request.cookies if each[0] != name)
    cookies: Fields = (*rest, (name, value[:9000]))
    return replace(request, cookies=cookies), f"cookie {name}: {reason}"


def _in_header(walker: Walker, request: PhoneRequest) -> tuple[PhoneRequest, str]:
    name, table = walker.chance.choice(list(odd.HEADERS.items()))
    reason, value = walker.chance.choice(list(table.items()))
    headers = {**(request.headers or {}), name: value}
    return replace(request, headers=headers), f"{name}: {reason}"


def _method(walker: Walker, request: PhoneRequest) -> tuple[PhoneRequest, str]:
    method = walker.chance.choice(odd.METHODS)
    return replace(request, method=method), f"by {method}"


def _body(walker: Walker, request: PhoneRequest) -> tuple[PhoneRequest, str]:
    reason, body = walker.chance.choice(
        [
            ("JSON for a form", b'{"score": 1}'),
            ("a form that breaks off", b"--odd-boundary\r\nContent-Disp"),
            ("parts for a form", b"--x\r\n\r\n\r\n--x--"),
            ("no names", b"&&==&=&%"),
            ("thousands of fields", b"&".join(b"a%d=1" % k for k in range(2000))),
            ("NUL", b"\0\0\0"),
        ]
    )
    return replace(request, body=body, files=()), reason


def _file(walker: Walker, request: PhoneRequest) -> tuple[PhoneRequest, str]:
    reason, data = walker.chance.choice(list(odd.FILES.items()))
    name = walker.chance.choice(sorted(walker.fields | {"photo"}))
    if request.files and walker.chance.random() < 0.5:
        return replace(request, files=(("photo", "\u202e../x\0.jpg", data),)), f"photo: {reason}"
    if request.files and walker.chance.random() < 0.5:
        return replace(request, files=(), form=(*request.form, ("photo", "x"))), "a text for a file"
    rest = tuple(each for each in request.form if each[0] != name)
    return replace(
        request, form=rest, files=((name, "a.jpg", data),)
    ), f"a file for {name}: {reason}"


WAYS: tuple[Callable[[Walker, PhoneRequest], tuple[PhoneRequest, str]], ...] = (
    *(_in_path,) * 3,
    *(_in_field,) * 8,
    *(_in_cookie,) * 2,
    _in_header,
    _method,
    _body,
    _file,
)
"""How a request may be odd, the likelier ways several times."""


def after(walker: Walker, hands: int = -1) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the box's main pages, if anything odd was kept: page and fault.

    Of the hands, so many of the newest are looked at; -1 for all.
    """
    played_box = walker.played
    ids = played_box.store.with_event(MatchBegun, limit=-1)
    matches = [MatchRepository(played_box.store).get(each) for each in ids]
    rulesets = CustomRulesets(played_box.store).list_all()
    sets = played_box.box.services.sets.list_sets()
    names = {name for match in matches for name in match.game.players} | {s.name for s in sets}
    names |= written_in_the_club(played_box.store)
    names |= {each.title for each in rulesets}
    names |= {each.rules.author for each in rulesets}
    known_ids = {
        "hand": list(played_box.store.hands(hands)),
        "match": [each.id for each in matches],
    }
    for torn in played_box.store.find_torn():
        yield "the log", f"event {torn.seq} is torn: {torn}"
    for method, rule in walker.rules():
        parts = rule.arguments
        if method != "GET" or parts - known_ids.keys() or len(parts) > 1:
            continue
        if rule.endpoint in ENDLESS_VIEWS | SAME_ALWAYS_VIEWS | PAPER_VIEWS - {"print.hands"}:
            continue
        for value in known_ids[next(iter(parts))] if parts else [""]:
            path = dict.fromkeys(parts, value)
            request = PhoneRequest(method, rule, path, cookies=walker.kept_cookies())
            yield from _wrong(
                walker.answer(request), [*known_ids["hand"], *known_ids["match"], *names]
            )


_LONG_NUMBER = re.compile(r"(?<![0-9a-f])\d{12,}(?![0-9a-f])")
_UNSEEN_SIGNS = re.compile(
    "[\0-\x08\x0b-\x1f\x7f\u200b\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
_RAW_VALUE = re.compile(r"\b[A-Z]\w+\(\w+=| object at 0x")
_LONG_WORD = re.compile("[A-Za-z0-9\u00b7-\u2e00]{50,}")


def _wrong(answer: Answer, known_names: Iterable[str]) -> Iterator[tuple[str, str]]:
    if answer.status >= 500:
        yield answer.request.address, f"{answer.status}, {answer.fault!r}"[:300]
    text = " ".join(each.words for each in answer.page.all("main"))
    # The longest first: a name may stand within another one.
    for name in sorted(filter(None, known_names), key=len, reverse=True):
        text = text.replace(name, "")
        # Drawings cut long names.
        for length in range(len(name) - 1, 0, -1):
            text = text.replace(f"{name[:length]}…", "")
    for fault, pattern in (
        ("a number too long", _LONG_NUMBER),
        ("a sign that nobody sees", _UNSEEN_SIGNS),
        ("a word too long", _LONG_WORD),
        ("a value as Python writes it", _RAW_VALUE),
    ):
        for found in pattern.findall(text)[:1]:
            yield answer.request.address, f"{fault}: {found[:30]!r}"
