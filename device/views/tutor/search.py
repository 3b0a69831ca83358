"""The search through all that there is to learn, in the language of the phone.

Letters are folded: case, accents and a plural s do not matter, and the beginning of a word finds
it. Chinese is searched by its characters. All words must be found; the best entries come first.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from device.hands.situation import Agreement
from device.i18n.words import say, translated
from device.views.tutor.lesson import answer_of, question_of
from device.views.tutor.rules import rule_said, section_said
from scorer.ruleset import Ruleset
from scorer.teach.lessons.lessons import SECTIONS, lessons_of
from scorer.teach.lessons.rulebook import RULE_IDS, book_of

LONGEST_QUERY = 100
"""Characters: more is no search."""

MOST = 20
"""Entries shown."""

_SHORT = 3
"""Letters: a shorter word must be a synonym whole, or half the language would be one."""

_PLURAL = 4
"""Letters of the shortest word that may lose an s: not `his`, not `plus`."""

_WHOLE_TITLE, _TITLE, _WHOLE_TEXT, _TEXT = 8, 5, 3, 2
"""What it is worth that a word stands in the title or in the text, whole or as a beginning."""

_CHINESE = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[\u3400-\u9fff]+|[^\W_\u3400-\u9fff]+")


@dataclass(frozen=True, slots=True)
class SearchEntry:
    """Something that can be found."""

    kind: str
    """`lesson`, `rule` or `special`."""
    title: str
    text: str
    id: str
    """Of the lesson, or of the rule."""
    section: str = ""
    """Of a lesson."""
    keys: str = ""
    """More words that find it: the id of a rule."""


def entries(agreed: Agreement) -> tuple[SearchEntry, ...]:
    """Return all there is: about the rules agreed on, then the lessons about other rules."""
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
    """Yield the rules that give nothing by themselves: how to play, to lay and to pay."""
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
    """Return the entries that have every word of the query, best first, `MOST` at the most."""
    sought = _sought(query)
    found = [(rank, entry) for entry in among if (rank := _rank(entry, sought))]
    return tuple(entry for _, entry in sorted(found, key=lambda each: -each[0])[:MOST])


def _sought(query: str) -> list[tuple[str, ...]]:
    """Return each word of the query with its synonyms; words that ask are left out, if not all."""
    ignored = set(fold(say("lesson-search.ignored")))
    for phrase in filter(_CHINESE.search, ignored):
        query = query.replace(phrase, " ") if query != phrase else query
    words = fold(query)
    groups = [tuple(fold(group)) for group in say("lesson-search.synonyms").split(";")]
    return [(word, *_others(word, groups)) for word in words if word not in ignored] or [
        (word,) for word in words
    ]


def _others(word: str, groups: list[tuple[str, ...]]) -> Iterator[str]:
    for group in groups:
        if any(each == word or (len(word) >= _SHORT and each.startswith(word)) for each in group):
            yield from (each for each in group if each != word)


def _rank(entry: SearchEntry, sought: list[tuple[str, ...]]) -> int:
    """Return how well an entry fits; 0 when one of the words is not there."""
    ranks = [_best(entry, words) for words in sought]
    return sum(ranks) if ranks and all(ranks) else 0


def _best(entry: SearchEntry, words: tuple[str, ...]) -> int:
    """Return the rank of a word or of the best of its synonyms, which are worth one less."""
    title, text = entry.title, f"{entry.text} {entry.keys}"
    return max(
        max(_found(word, title, _WHOLE_TITLE, _TITLE), _found(word, text, _WHOLE_TEXT, _TEXT))
        - (place > 0)
        for place, word in enumerate(words)
    )


def _found(word: str, text: str, whole: int, beginning: int) -> int:
    if _CHINESE.search(word):
        if word in text:
            return whole
        pairs = [word[at : at + 2] for at in range(len(word) - 1)]
        return beginning if pairs and all(pair in text for pair in pairs) else 0
    words = fold(text)
    if word in words:
        return whole
    return beginning if any(each.startswith(word) for each in words) else 0


@lru_cache(maxsize=2048)
def fold(text: str) -> tuple[str, ...]:
    """Return the words of a text without case, accents and plural s.

    >>> fold("Pungs & Kongs: où, BMJA-B03?")
    ('pung', 'kong', 'ou', 'bmja', 'b03')
    """
    plain = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return tuple(_singular(word) for word in _WORD.findall(kept))


def _singular(word: str) -> str:
    return word[:-1] if len(word) >= _PLURAL and word.endswith("s") and word[-2] != "s" else word
