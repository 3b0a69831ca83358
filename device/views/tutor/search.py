"""The search through lessons, rules and special hands, in the language of the phone.

Case, accents and endings do not matter, numbers match their digits, and the beginning of a
word finds it. Chinese is searched in pairs of characters. Entries with every word of the query
come first. After them, rare words weigh more than common ones, and titles more than texts.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain

from device.hands.record import Agreement
from device.i18n.words import language, say, translated
from device.views.tutor.folding import fold, is_chinese, stem, stems
from device.views.tutor.lesson import answer_of, question_of
from device.views.tutor.rules import rule_said, section_said
from scorer.ruleset import Ruleset
from scorer.teach.lessons.lessons import SECTIONS, lessons_of
from scorer.teach.lessons.rulebook import RULE_IDS, book_of

LONGEST_QUERY = 100
"""Longer queries are refused."""

MOST = 20
"""Entries that a search shows."""

_SHORT = 3
"""Shortest beginning that finds a synonym; shorter ones would match half the language."""

_WHOLE_TITLE, _TITLE, _WHOLE_TEXT, _TEXT = 8, 5, 3, 2
"""Worth of a match in the title or the text, as a whole word or as a beginning."""

_FAINT = 0.25
"""Entries below this share of the best one's worth are dropped."""


@dataclass(frozen=True, slots=True)
class SearchEntry:
    """Something that the search can find."""

    kind: str
    """`lesson`, `rule` or `special`."""
    title: str
    text: str
    id: str
    """Id of the lesson or the rule."""
    section: str = ""
    """Section of a lesson."""
    keys: str = ""
    """Further words that find it, such as the id of a rule."""
    also: str = ""
    """Popular names for it; worth as much as the title."""


def entries(agreed: Agreement) -> tuple[SearchEntry, ...]:
    """Return all entries: those about the agreed rules, then lessons about other rules."""
    called = dict(each.split(maxsplit=1) for each in say("lesson-search.also").split("; "))
    return tuple(replace(each, also=called.get(each.id, "")) for each in _entries(agreed))


def _entries(agreed: Agreement) -> tuple[SearchEntry, ...]:
    rules = agreed.rules
    others = (_lessons(name, agreed) for name in SECTIONS if name != rules.name)
    own = (*_lessons(rules.name, agreed), *_specials(rules), *_rules(rules), *_sentences(rules))
    return (*own, *chain.from_iterable(others))


def _lessons(ruleset: str, agreed: Agreement) -> Iterator[SearchEntry]:
    for lesson in lessons_of(ruleset):
        yield SearchEntry(
            kind="lesson",
            title=question_of(lesson),
            text=answer_of(lesson, agreed.rules_called(lesson.ruleset)),
            id=lesson.id,
            section=lesson.section,
            keys=" ".join(lesson.rules),
        )


def _rules(rules: Ruleset) -> Iterator[SearchEntry]:
    seen = set()
    for rule in rules.every_rule:
        labels = dict.fromkeys(rule.label_for(concealed=concealed) for concealed in (False, True))
        title = " · ".join(str(translated(label)) for label in labels)
        if (rule.id, title) not in seen:
            seen.add((rule.id, title))
            yield _cited("rule", rule.id, title, rule.sentence)


def _sentences(rules: Ruleset) -> Iterator[SearchEntry]:
    """Yield the rules without points: how to play, lay tiles and pay."""
    for rule in RULE_IDS:
        said = rule_said(rule, rules) if book_of(rule) == rules.name else ""
        if said:
            yield _cited("rule", rule, f"{section_said(rule)} · {rule}", said)


def _specials(rules: Ruleset) -> Iterator[SearchEntry]:
    for special in rules.specials:
        title = str(translated(special.name))
        yield _cited("special", special.id, title, special.sentence)


def _cited(kind: str, rule: str, title: str, sentence: str) -> SearchEntry:
    return SearchEntry(kind, title, str(translated(sentence)), rule, keys=rule)


def search(query: str, among: Iterable[SearchEntry]) -> tuple[SearchEntry, ...]:
    """Return the entries that match the query, best first, at most `MAX_RESULTS_SHOWN`."""
    known, sought = tuple(among), _sought(query)
    least = 1 if len(sought) == 1 else _SHORT
    ranks = [[_best(entry, words, least) for words in sought] for entry in known]
    rare = [_rarity(sum(row[k] > 0 for row in ranks), len(known)) for k in range(len(sought))]
    # Ignore words that match nothing.
    places = [k for k, weight in enumerate(rare) if weight]
    found = [
        (all(row[k] for k in places), sum(rare[k] * row[k] for k in places), entry)
        for entry, row in zip(known, ranks, strict=True)
        if any(row)
    ]
    best = max((worth for _, worth, _ in found), default=0)
    found = [each for each in found if each[0] or each[1] >= _FAINT * best]
    found.sort(key=lambda each: (-each[0], -each[1]))
    return tuple(entry for _, _, entry in found[:MOST])


def _rarity(having: int, count: int) -> float:
    """Return the weight of a word that `having` of `count` entries contain."""
    return math.log(1 + count / having) if having else 0.0


def _sought(query: str) -> list[tuple[str, ...]]:
    """Return each word of the query with its synonyms, without question words if possible."""
    ignored = set(fold(say("lesson-search.ignored")))
    for phrase in sorted(filter(is_chinese, ignored), key=len, reverse=True):
        query = query.replace(phrase, " ") if query != phrase else query
    words = tuple(chain.from_iterable(map(_parts, fold(query))))
    same = [tuple(fold(group)) for group in say("lesson-search.synonyms").split(";")]
    numbers = [tuple(fold(group)) for group in say("lesson-search.digits").split(";")]
    groups = [
        (word, *_others(word, same), *_exactly(word, numbers))
        for word in words
        if word not in ignored
    ]
    return groups or [(word,) for word in words]


def _parts(word: str) -> tuple[str, ...]:
    """Return the parts to search for: a longer Chinese word as pairs of characters."""
    if not is_chinese(word) or len(word) <= 2:
        return (word,)
    return tuple(word[at : at + 2] for at in range(len(word) - 1))


def _others(word: str, groups: list[tuple[str, ...]]) -> Iterator[str]:
    own = stem(word, language())
    for group in groups:
        if any(
            stem(each, language()) == own or (len(word) >= _SHORT and each.startswith(word))
            for each in group
        ):
            yield from (each for each in group if each != word)


def _exactly(word: str, groups: list[tuple[str, ...]]) -> Iterator[str]:
    for group in groups:
        if word in group:
            yield from (each for each in group if each != word)


def _best(entry: SearchEntry, words: tuple[str, ...], least: int) -> int:
    """Return the rank of a word, or of a synonym less one.

    The beginning of a word counts from `least` letters; that of a synonym never counts.
    """
    title, text = f"{entry.title} {entry.also}", f"{entry.text} {entry.keys}"
    word, *others = words
    own = max(_whole(word, title, text), _beginning(word, title, text, least))
    return max(own, *(_whole(other, title, text) - 1 for other in others), 0)


def _whole(word: str, title: str, text: str) -> int:
    """Return the worth of a whole word in the title or the text."""
    if is_chinese(word):
        return _WHOLE_TITLE if word in title else _WHOLE_TEXT if word in text else 0
    own, tag = stem(word, language()), language()
    if own in stems(title, tag):
        return _WHOLE_TITLE
    return _WHOLE_TEXT if own in stems(text, tag) else 0


def _beginning(word: str, title: str, text: str, least: int) -> int:
    """Return the worth of a word's beginning in the title or the text."""
    if len(word) < least or is_chinese(word):
        return 0
    if any(each.startswith(word) for each in fold(title)):
        return _TITLE
    return _TEXT if any(each.startswith(word) for each in fold(text)) else 0
