"""The search through lessons, rules and special hands, in the language of the phone.

Case, accents and endings do not matter, numbers match their digits, and the beginning of a
word finds it. Chinese is searched in pairs of characters. Entries with every word of the query
come first. After them, rare words weigh more than common ones, and titles more than texts.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain

from device.hands.record import Agreement
from device.i18n.words import catalogue, language, say
from device.views.tutor.lesson import answer_lesson, ask_lesson
from device.views.tutor.rules import say_rule, say_section
from scorer.ruleset import Ruleset
from scorer.teach.lessons.lessons import SECTIONS, lessons_of
from scorer.teach.lessons.rulebook import RULE_IDS, book_of

MAX_QUERY_CHARACTERS = 100
"""Longer queries are refused."""

MAX_RESULTS_SHOWN = 20
"""Entries that a search shows."""

_MIN_PREFIX_LETTERS = 3
"""Shortest beginning that finds a synonym; shorter ones would match half the language."""

_TITLE_WORD_WORTH, _TITLE_PREFIX_WORTH, _TEXT_WORD_WORTH, _TEXT_PREFIX_WORTH = 8, 5, 3, 2
"""Worth of a match in the title or the text, as a whole word or as a beginning."""

_MIN_WORTH_SHARE = 0.25
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


def search_entries(agreed: Agreement) -> tuple[SearchEntry, ...]:
    """Return all entries: those about the agreed rules, then lessons about other rules."""
    called = dict(each.split(maxsplit=1) for each in say("lesson-search.also").split("; "))
    return tuple(replace(each, also=called.get(each.id, "")) for each in _find_entries(agreed))


def _find_entries(agreed: Agreement) -> tuple[SearchEntry, ...]:
    rules = agreed.rules
    others = (_lesson_entries(name, agreed) for name in SECTIONS if name != rules.name)
    own = (
        *_lesson_entries(rules.name, agreed),
        *_special_entries(rules),
        *_rule_entries(rules),
        *_rulebook_entries(rules),
    )
    return (*own, *chain.from_iterable(others))


def _lesson_entries(ruleset: str, agreed: Agreement) -> Iterator[SearchEntry]:
    for lesson in lessons_of(ruleset):
        yield SearchEntry(
            kind="lesson",
            title=ask_lesson(lesson),
            text=answer_lesson(lesson, agreed.rules_called(lesson.ruleset)),
            id=lesson.id,
            section=lesson.section,
            keys=" ".join(lesson.rules),
        )


def _rule_entries(rules: Ruleset) -> Iterator[SearchEntry]:
    seen = set()
    for rule in rules.every_rule:
        labels = dict.fromkeys(rule.label_for(concealed=concealed) for concealed in (False, True))
        title = " · ".join(map(say, labels))
        if (rule.id, title) not in seen:
            seen.add((rule.id, title))
            yield _rule_entry("rule", rule.id, title, say(rule.sentence))


def _rulebook_entries(rules: Ruleset) -> Iterator[SearchEntry]:
    """Yield the rules without points: how to play, lay tiles and pay."""
    for rule in RULE_IDS:
        said = say_rule(rule, rules) if book_of(rule) == rules.name else ""
        if said:
            yield _rule_entry("rule", rule, f"{say_section(rule)} · {rule}", said)


def _special_entries(rules: Ruleset) -> Iterator[SearchEntry]:
    for special in rules.specials:
        title = say(special.name)
        yield _rule_entry("special", special.id, title, say(special.sentence))


def _rule_entry(kind: str, rule: str, title: str, sentence: str) -> SearchEntry:
    return SearchEntry(kind, title, sentence, rule, keys=rule)


def search_entries_for(query: str, among: Iterable[SearchEntry]) -> tuple[SearchEntry, ...]:
    """Return the entries that match the query, best first, at most `MAX_RESULTS_SHOWN`."""
    known, sought = tuple(among), _parse_query(query)
    least = 1 if len(sought) == 1 else _MIN_PREFIX_LETTERS
    ranks = [[_rank_words(entry, words, least) for words in sought] for entry in known]
    rare = [_weigh_word(sum(row[k] > 0 for row in ranks), len(known)) for k in range(len(sought))]
    # Ignore words that match nothing.
    places = [k for k, weight in enumerate(rare) if weight]
    found = [
        (all(row[k] for k in places), sum(rare[k] * row[k] for k in places), entry)
        for entry, row in zip(known, ranks, strict=True)
        if any(row)
    ]
    best = max((worth for _, worth, _ in found), default=0)
    found = [each for each in found if each[0] or each[1] >= _MIN_WORTH_SHARE * best]
    found.sort(key=lambda each: (-each[0], -each[1]))
    return tuple(entry for _, _, entry in found[:MAX_RESULTS_SHOWN])


def _weigh_word(having: int, count: int) -> float:
    """Return the weight of a word that `having` of `count` entries contain."""
    return math.log(1 + count / having) if having else 0.0


def _parse_query(query: str) -> list[tuple[str, ...]]:
    """Return each word of the query with its synonyms, without question words if possible."""
    ignored = set(fold_words(say("lesson-search.ignored")))
    for phrase in sorted(filter(is_chinese, ignored), key=len, reverse=True):
        query = query.replace(phrase, " ") if query != phrase else query
    words = tuple(chain.from_iterable(map(_split_chinese, fold_words(query))))
    same = [tuple(fold_words(group)) for group in say("lesson-search.synonyms").split(";")]
    numbers = [tuple(fold_words(group)) for group in say("lesson-search.digits").split(";")]
    groups = [
        (word, *_find_synonyms(word, same), *_find_same_number(word, numbers))
        for word in words
        if word not in ignored
    ]
    return groups or [(word,) for word in words]


def _split_chinese(word: str) -> tuple[str, ...]:
    """Return the parts to search for: a longer Chinese word as pairs of characters."""
    if not is_chinese(word) or len(word) <= 2:
        return (word,)
    return tuple(word[at : at + 2] for at in range(len(word) - 1))


def _find_synonyms(word: str, groups: list[tuple[str, ...]]) -> Iterator[str]:
    own = stem_word(word, language())
    for group in groups:
        if any(
            stem_word(each, language()) == own
            or (len(word) >= _MIN_PREFIX_LETTERS and each.startswith(word))
            for each in group
        ):
            yield from (each for each in group if each != word)


def _find_same_number(word: str, groups: list[tuple[str, ...]]) -> Iterator[str]:
    for group in groups:
        if word in group:
            yield from (each for each in group if each != word)


def _rank_words(entry: SearchEntry, words: tuple[str, ...], least: int) -> int:
    """Return the rank of a word, or of a synonym less one.

    The beginning of a word counts from `least` letters; that of a synonym never counts.
    """
    title, text = f"{entry.title} {entry.also}", f"{entry.text} {entry.keys}"
    word, *others = words
    own = max(_rank_whole_word(word, title, text), _rank_prefix(word, title, text, least))
    return max(own, *(_rank_whole_word(other, title, text) - 1 for other in others), 0)


def _rank_whole_word(word: str, title: str, text: str) -> int:
    """Return the worth of a whole word in the title or the text."""
    if is_chinese(word):
        return _TITLE_WORD_WORTH if word in title else _TEXT_WORD_WORTH if word in text else 0
    own, tag = stem_word(word, language()), language()
    if own in stem_words(title, tag):
        return _TITLE_WORD_WORTH
    return _TEXT_WORD_WORTH if own in stem_words(text, tag) else 0


def _rank_prefix(word: str, title: str, text: str, least: int) -> int:
    """Return the worth of a word's beginning in the title or the text."""
    if len(word) < least or is_chinese(word):
        return 0
    if any(each.startswith(word) for each in fold_words(title)):
        return _TITLE_PREFIX_WORTH
    return _TEXT_PREFIX_WORTH if any(each.startswith(word) for each in fold_words(text)) else 0


_MIN_PLURAL_LETTERS = 4
"""Shortest word that may lose a plural s: not `his`, not `plus`."""

_MIN_STEM_LETTERS = 3
"""Letters that must remain when a word loses its ending."""

_CHINESE_PATTERN = re.compile(r"[\u3400-\u9fff]")
_WORD_PATTERN = re.compile(r"[\u3400-\u9fff]+|[^\W_\u3400-\u9fff]+")


def is_chinese(word: str) -> bool:
    """Return whether a word has Chinese characters."""
    return bool(_CHINESE_PATTERN.search(word))


@lru_cache(maxsize=2048)
def stem_words(text: str, tag: str) -> frozenset[str]:
    """Return the stems of a text's words; `tag` is the language in use."""
    return frozenset(stem_word(word, tag) for word in fold_words(text))


@lru_cache(maxsize=8192)
def stem_word(word: str, tag: str) -> str:
    """Return a word without its language's ending: `swap` for swapping.

    `tag` is the language in use.
    """
    for ending in catalogue(tag).sentences["lesson-search.endings"].split():
        if word.endswith(ending) and len(word) - len(ending) >= _MIN_STEM_LETTERS:
            word = word.removesuffix(ending)
            break
    return word[:-1] if len(word) > _MIN_STEM_LETTERS and word[-1] == word[-2] else word


@lru_cache(maxsize=2048)
def fold_words(text: str) -> tuple[str, ...]:
    """Return the words of a text without case, accents and plural s.

    >>> fold_words("Pungs & Kongs: où, BMJA-B03?")
    ('pung', 'kong', 'ou', 'bmja', 'b03')
    """
    plain = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return tuple(_drop_plural(word) for word in _WORD_PATTERN.findall(kept))


def _drop_plural(word: str) -> str:
    return (
        word[:-1]
        if len(word) >= _MIN_PLURAL_LETTERS and word.endswith("s") and word[-2] != "s"
        else word
    )
