"""Send forms whose values are well-formed, but stale, another thing's or just out of range."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from flask import Flask, Request
from werkzeug.datastructures import ImmutableMultiDict
from werkzeug.routing import Rule

from tests.device.walking.odd import Odd
from tests.device.walking.phone_request import Fields, PhoneRequest
from tests.device.walking.replay_check import find_refused, streams_since
from tests.device.walking.walker import ADDRESS_WORDS, PAPER_VIEWS, Answer, Walker

EDGES = ("0", "1", "99")

TEXTS = ("", "Ann", "ann", "Bob", "Flo", "East", "2026-01-01")

PAGES_AFTER_A_CHANGE = 2
"""Pages about a change that are looked at afterwards."""

_NUMBER = re.compile(r"-?\d{1,6}")
_ID = re.compile(r"(set-)?[0-9a-f]{8,32}")


class RandomForms:
    """Fills in the forms of all routes that change something, and sends them in random order."""

    def __init__(self, walker: Walker) -> None:
        self._walker = walker
        self._chance = walker.chance
        self.request_counts = Counter(
            {rule.rule: 0 for method, rule in walker.rules() if method == "POST"}
        )
        """How often each route was asked."""
        self._read = _note_fields(walker.played.app)
        self._fields: defaultdict[str, set[str]] = defaultdict(set)
        """Names of the fields that each route has read, whether or not a page offers them now."""

    def send(self, requests: int) -> Iterator[str]:
        """Send requests; yield those that fail, or whose events the replay refuses."""
        store, failed_answers = self._walker.played.store, self._walker.failed_answers
        for _ in range(requests):
            seen_seq, known_failures = store.newer(-1, 0), len(failed_answers)
            answer = self._send_request(self._fill_in(self._route()))
            changed_streams = streams_since(store, seen_seq)
            self._look_at(changed_streams)
            summary = f"{answer} {answer.request.form}"
            yield from (
                f"{summary}: {each}"
                for each in (
                    *failed_answers[known_failures:],
                    *find_refused(store, changed_streams),
                )
            )

    def _route(self) -> Rule:
        """Return a route to which no page leads now as well: it did to a phone that has slept."""
        posts = [rule for method, rule in self._walker.rules() if method == "POST"]
        known_words = self._walker.played.known_ids.keys()
        about_the_box = [rule for rule in posts if known_words & rule.arguments]
        offered_rules = [rule for rule in posts if self._walker.pool.get(("POST", rule.rule))]
        return self._chance.choice(
            self._chance.choice((about_the_box, offered_rules, posts)) or posts
        )

    def _send_request(self, request: PhoneRequest) -> Answer:
        self._read.clear()
        answer = self._walker.answer(request)
        self.request_counts[request.rule.rule] += 1
        self._fields[request.rule.rule] |= self._read
        self._walker.follow(answer)
        return answer

    def _look_at(self, streams: tuple[str, ...]) -> None:
        """Look at pages about a change."""
        ids = {part for stream in streams for part in (stream, stream.partition(":")[2])}
        pages = [
            offered[-1]
            for (method, _), offered in self._walker.pool.items()
            if method == "GET"
            and offered
            and offered[-1].rule.endpoint not in PAPER_VIEWS
            and ids.intersection(map(str, offered[-1].path.values()))
        ]
        for asked in self._chance.sample(pages, min(PAGES_AFTER_A_CHANGE, len(pages))):
            self._walker.answer(asked)

    def _fill_in(self, rule: Rule) -> PhoneRequest:
        request = self._walker.usual("POST", rule)
        field_names = {name for name, _ in request.form}
        missing_fields: Fields = tuple(
            (name, "") for name in sorted(self._fields[rule.rule] - field_names)
        )
        return replace(
            request,
            path={name: self._word(name, value) for name, value in request.path.items()},
            form=tuple(
                (name, self._word(str(name), value))
                for name, value in request.form + missing_fields
            ),
        )

    def _word(self, name: str, word: Odd) -> Odd:
        """Return a value for a field or a part of an address: mostly the page's own."""
        chance = self._chance
        if word and chance.random() < 0.6:
            return word
        offered_words = sorted(self._walker.words[name]) or ADDRESS_WORDS.get(name) or [""]
        if chance.random() < 0.5:
            return chance.choice(offered_words)
        example = str(word or chance.choice(offered_words))
        if _NUMBER.fullmatch(example):
            number = int(example)
            return chance.choice((*EDGES, str(number - 1), str(number + 1)))
        if _ID.fullmatch(example):
            ids = [each for known in self._walker.played.known_ids.values() for each in known]
            return chance.choice(ids or [example])
        return chance.choice((*TEXTS, *offered_words))


def _note_fields(app: Flask) -> set[str]:
    """Return where the names of the fields appear that a route reads from now on."""
    names: set[str] = set()

    class Noticing(ImmutableMultiDict[Any, Any]):
        def __getitem__(self, key: Any) -> Any:  # noqa: ANN401 - as the dictionary has it
            names.add(str(key))
            return super().__getitem__(key)

        def __contains__(self, key: object) -> bool:
            names.add(str(key))
            return super().__contains__(key)

        def getlist(self, key: Any, type: Any = None) -> list[Any]:  # noqa: ANN401
            names.add(str(key))
            return super().getlist(key, type)

    class NoticingRequest(Request):
        parameter_storage_class = Noticing

    app.request_class = NoticingRequest
    return names
