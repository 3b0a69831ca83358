"""The search through lessons, rules, special hands and the use of the box, in the phone's language.

SQLite's full-text search ranks what it finds by BM25. `search_words.toml` has each language's
synonyms: a text and a query get the same word for all of a group. Chinese has no spaces between
words, so that its characters are indexed one by one and searched in pairs.
"""

from __future__ import annotations

import json
import re
import sqlite3
import threading
import tomllib
import weakref
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, lru_cache
from importlib.resources import files
from itertools import chain, pairwise

from device.hands.record import Agreement
from device.i18n.names import drop_accents
from device.i18n.words import ENGLISH, language, say, vocabulary
from device.views.tutor.box_answers import BOX_SECTION, box_answers
from device.views.tutor.lesson import answer_lesson, ask_lesson
from device.views.tutor.rules import say_rule, say_section
from scorer.explain.foreign_rules import describe_foreign_rule
from scorer.ruleset import Ruleset
from scorer.rulesets.builtin import load_builtin
from scorer.teach.lessons.lessons import SECTIONS, lessons_of
from scorer.teach.lessons.rulebook import RULE_IDS, book_of

MAX_QUERY_CHARACTERS = 100
"""Longer queries are refused."""

MAX_RESULTS_SHOWN = 5
"""Entries that a search shows."""


_MAX_CANDIDATES = 2 * MAX_RESULTS_SHOWN
"""Entries among which one with just the words of the query in its title comes first."""


@dataclass(frozen=True, slots=True)
class SearchEntry:
    """Something that the search can find."""

    kind: str
    """`lesson`, `rule`, `special`, `box` or `elsewhere`."""
    title: str
    text: str
    id: str
    """Id of the lesson, the rule or the answer about the box."""
    section: str = ""
    """Section of a lesson or of an answer about the box."""
    keys: str = ""
    """Further words that find it, such as the id of a rule."""
    in_force: bool = True
    """Whether it is about the agreed rules."""


_MIN_BEGINNING_LETTERS = 3
"""Shortest beginning that finds a word; shorter ones would match half the language."""

_MIN_LIKENESS = 0.75
"""Least likeness of a misspelt word to a known one: one letter of four may be wrong."""

_CREATE = """
    CREATE VIRTUAL TABLE entry USING fts5(
        title, names, text, worth UNINDEXED,
        tokenize = 'porter unicode61 remove_diacritics 2'
    );
    CREATE VIRTUAL TABLE phrasing USING fts5(
        phrase, entry UNINDEXED, worth UNINDEXED,
        tokenize = 'porter unicode61 remove_diacritics 2'
    );
"""

_FIND = """
    WITH whole AS MATERIALIZED (
        SELECT rowid AS id, bm25(entry, :title, :names, :text) * worth AS rank
        FROM entry WHERE entry MATCH :query
    ), part AS MATERIALIZED (
        SELECT entry AS id, bm25(phrasing) * worth AS rank FROM phrasing
        WHERE phrasing MATCH :phrasing
    ), placed AS (
        SELECT id, rank, row_number() OVER (PARTITION BY id ORDER BY rank) AS place FROM part
    ), best AS (
        SELECT id, sum(rank / place) AS rank FROM placed WHERE place <= 3 GROUP BY id
    ), matched AS (
        SELECT entry.rowid AS id, count(*) AS words
        FROM json_each(:words) AS word JOIN entry(word.value) GROUP BY entry.rowid
    )
    SELECT id FROM (SELECT * FROM whole UNION ALL SELECT * FROM best) JOIN matched USING (id)
    GROUP BY id ORDER BY sum(rank) * (words + json_array_length(:words)), id LIMIT :most
"""
"""Rank an entry by all of it and by its three best phrasings, and higher the more words it matches.

The second phrasing counts half, the third a third: one that is alike by chance has few beside it.
A phrasing is compared with the whole question: "how many" tells one question from another.
"""

_COLUMN_WORTHS = {"title": 4.0, "names": 4.0, "text": 1.0}
"""Worths of a match in the title, in a popular name and in the text."""

_LESSON_WORTH = 1.1
"""Worth of a lesson, where a rule has 1: a lesson answers a question."""

_ELSEWHERE_WORTH = 0.85
"""Worth of what other families of rules count."""

_OTHER_RULES_SHARE = 0.55
"""Share of its worth that a lesson about rules not in force has."""

_CHINESE_PATTERN = re.compile(r"[\u3400-\u9fff]")
_WORD_PATTERN = re.compile(r"[\u3400-\u9fff]+|[^\W_\u3400-\u9fff]+")

_ASKING_MARK = "\ue000"
"""Stands before a word that only asks, so that Porter's stem of no other word is the same: that of
"ones" is "on", and that of the French "été" is "et". A query cannot hold it."""


def search_entries(rules: Ruleset) -> tuple[SearchEntry, ...]:
    """Return all entries: those about the rules in force, then lessons about other rules."""
    other_entries = (
        _lesson_entries(load_builtin(name), False) for name in SECTIONS if name != rules.name
    )
    return (
        *_lesson_entries(rules),
        *_special_entries(rules),
        *_rule_entries(rules),
        *_rulebook_entries(rules),
        *_foreign_entries(rules),
        *_box_entries(),
        *chain.from_iterable(other_entries),
    )


def _lesson_entries(rules: Ruleset, in_force: bool = True) -> Iterator[SearchEntry]:
    for lesson in lessons_of(rules.name):
        yield SearchEntry(
            kind="lesson",
            title=ask_lesson(lesson),
            text=answer_lesson(lesson, rules),
            id=lesson.id,
            section=lesson.section,
            keys=" ".join(lesson.rules),
            in_force=in_force,
        )


def _rule_entries(rules: Ruleset) -> Iterator[SearchEntry]:
    seen_rules = set()
    for rule in rules.every_rule:
        labels = dict.fromkeys(rule.label_for(concealed=concealed) for concealed in (False, True))
        title = " · ".join(map(say, labels))
        if (rule.id, title) not in seen_rules:
            seen_rules.add((rule.id, title))
            yield _rule_entry("rule", rule.id, title, say(rule.sentence))


def _rulebook_entries(rules: Ruleset) -> Iterator[SearchEntry]:
    """Yield the rules without points: how to play, lay tiles and pay."""
    for rule in RULE_IDS:
        text = say_rule(rule, rules) if book_of(rule) == rules.name else ""
        if text:
            yield _rule_entry("rule", rule, f"{say_section(rule)} · {rule}", text)


def _special_entries(rules: Ruleset) -> Iterator[SearchEntry]:
    for special in rules.specials:
        title = say(special.name)
        yield _rule_entry("special", special.id, title, say(special.sentence))


def _foreign_entries(rules: Ruleset) -> Iterator[SearchEntry]:
    """Yield what other families of rules count; each leads to the rule here against it."""
    for foreign in rules.foreign_rules:
        text = say(describe_foreign_rule(foreign, rules))
        yield SearchEntry("elsewhere", say(foreign.label), text, foreign.rule)


def _box_entries() -> Iterator[SearchEntry]:
    for each in box_answers():
        yield SearchEntry("box", each.question, each.answer, each.id, section=BOX_SECTION)


def _rule_entry(kind: str, rule: str, title: str, sentence: str) -> SearchEntry:
    return SearchEntry(kind, title, sentence, rule, keys=rule)


def search(query: str, agreement: Agreement) -> tuple[SearchEntry, ...]:
    """Return the entries that match the query, best first, at most `MAX_RESULTS_SHOWN`."""
    return _index_of(language(), vocabulary(), agreement.rules).find(query)


@lru_cache(maxsize=16)
def _index_of(tag: str, vocabulary: tuple[str, ...], rules: Ruleset) -> SearchIndex:
    """Return the index of these rules; `tag` and `vocabulary` are the words in use."""
    return SearchIndex(search_entries(rules), search_words(tag))


class SearchIndex:
    """Entries in a database in memory, which threads may read at the same time."""

    def __init__(self, entries: Iterable[SearchEntry], words: SearchWords) -> None:
        """Write the index."""
        self._entries, self._words = tuple(entries), words
        rows = [self._row(entry) for entry in self._entries]
        text = " ".join(text for row in rows for text in row[:-1])
        index_terms = {word.removeprefix(_ASKING_MARK): word for word in sorted(set(text.split()))}
        self._meanings = {**index_terms, **words.synonyms}
        title_words = {word for title, names, *_ in rows for word in f"{title} {names}".split()}
        self._terms = sorted({*title_words, *words.synonyms})
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        self._one_at_a_time = threading.Lock()  # threads share a connection, not its statements
        weakref.finalize(self, self._database.close)
        self._database.executescript(_CREATE)
        self._database.executemany("INSERT INTO entry VALUES (?, ?, ?, ?)", rows)
        self._database.executemany("INSERT INTO phrasing VALUES (?, ?, ?)", self._phrasings())
        self._database.commit()
        self._database.execute("PRAGMA query_only = ON")

    def _row(self, entry: SearchEntry) -> tuple[str, str, str, float]:
        names = self._words.names_of(entry)
        texts = (entry.title, names, f"{entry.text} {entry.keys}")
        title, names, text = map(self._words.index_text, texts)
        return title, names, text, _worth_of(entry)

    def _phrasings(self) -> Iterator[tuple[str, int, float]]:
        """Yield an entry's title and each of its popular names, with its number and its worth."""
        for number, entry in enumerate(self._entries, start=1):
            names = self._words.names_of(entry).split(", ")
            for phrase in (entry.title, *filter(None, names)):
                yield self._words.index_text(phrase), number, _worth_of(entry)

    def find(self, query: str) -> tuple[SearchEntry, ...]:
        """Return the entries that match the query, best first, at most `MAX_RESULTS_SHOWN`."""
        words, question_words = self._words.split(query)
        min_length = 1 if len(words) == 1 else _MIN_BEGINNING_LETTERS
        terms = [each for word in words for each in self._complete(word, min_length)]
        entries = self._match(terms, question_words)
        titled_first = sorted(entries, key=lambda entry: not self._is_titled(entry, words, query))
        return tuple(titled_first[:MAX_RESULTS_SHOWN])

    def _is_titled(self, entry: SearchEntry, words: list[str], query: str) -> bool:
        """Tell whether an entry in force has just these words in its title.

        A rule's title must be the query itself: a short label may mean more than one thing.
        """
        is_rule_meant = entry.kind != "rule" or fold(entry.title) == fold(query)
        is_candidate = entry.in_force and is_rule_meant
        return is_candidate and self._words.split(entry.title)[0] == words

    def _complete(self, word: str, min_length: int) -> list[str]:
        """Return a word; if it is long enough and no entry has it, what it begins or misspells."""
        typed_word = word.removeprefix(_ASKING_MARK)
        if len(typed_word) < min_length or self._match([word]):
            return [word]
        completions = [
            meant for known, meant in self._meanings.items() if known.startswith(typed_word)
        ]
        return completions or self._mend(typed_word)

    def _mend(self, word: str) -> list[str]:
        """Return the term nearest to a misspelt word, if one is near; the first letter is right."""
        if not word.isalpha():
            return []  # neither a number nor two Chinese characters are misspelt
        candidates = [term for term in self._terms if term[0] == word[0]]
        matches = get_close_matches(word, candidates, n=1, cutoff=_MIN_LIKENESS)
        return [self._meanings[term] for term in matches if not self._words.ignored.fullmatch(term)]

    def _match(
        self, words: Iterable[str], question_words: Iterable[str] = ()
    ) -> tuple[SearchEntry, ...]:
        """Return the entries with these words, best first; phrasings may have all that is asked."""
        quoted_words = _quote(words)
        if not quoted_words:
            return ()
        queries = {"query": quoted_words, "phrasing": _quote([*words, *question_words])}
        values: dict[str, object] = {name: " OR ".join(each) for name, each in queries.items()}
        values |= {**_COLUMN_WORTHS, "words": json.dumps(quoted_words)}
        with self._one_at_a_time:
            rows = self._database.execute(_FIND, {**values, "most": _MAX_CANDIDATES}).fetchall()
        return tuple(self._entries[row - 1] for (row,) in rows)


def _quote(words: Iterable[str]) -> list[str]:
    return [f'"{word}"' for word in dict.fromkeys(words)]


def _worth_of(entry: SearchEntry) -> float:
    worth = {"lesson": _LESSON_WORTH, "elsewhere": _ELSEWHERE_WORTH}.get(entry.kind, 1)
    return worth if entry.in_force else worth * _OTHER_RULES_SHARE


@dataclass(frozen=True, slots=True)
class SearchWords:
    """What a language calls things."""

    names: Mapping[str, str]
    """Popular names, by the id of the entry."""
    synonyms: Mapping[str, str]
    """What stands for a word or a phrase."""
    found: re.Pattern[str]
    """Finds every synonym, the longest first."""
    ignored: re.Pattern[str]
    """Finds words that only ask."""

    def names_of(self, entry: SearchEntry) -> str:
        """Return the popular names of an entry; what counts elsewhere has none of its own."""
        return "" if entry.kind == "elsewhere" else self.names.get(entry.id, "")

    def index_text(self, text: str) -> str:
        """Return a text for the index: with synonyms, phrases kept, Chinese by characters."""
        phrased_text = self.found.sub(self._keep_phrase, fold(text))
        words = map(self._mark_asking, _WORD_PATTERN.findall(phrased_text))
        return " ".join(sign for word in words for sign in _split(word))

    def split(self, query: str) -> tuple[list[str], list[str]]:
        """Return the words to search for, and all, with those that only ask: people ask alike.

        Chinese is split into phrases of two characters.
        """
        phrased_text = self.found.sub(self._meaning, fold(query))
        question_words = [self._mark_asking(phrase) for phrase in _phrases_of(phrased_text)]
        return _phrases_of(self.ignored.sub(" ", phrased_text)) or question_words, question_words

    def _mark_asking(self, word: str) -> str:
        """Return a word with its mark if it only asks; Chinese is indexed by single characters."""
        asks = self.ignored.fullmatch(word) and not _CHINESE_PATTERN.match(word)
        return f"{_ASKING_MARK}{word}" if asks else word

    def _meaning(self, match: re.Match[str]) -> str:
        return self.synonyms[" ".join(_WORD_PATTERN.findall(match[1]))]

    def _keep_phrase(self, match: re.Match[str]) -> str:
        meaning = self._meaning(match)
        return meaning if match[1].isalnum() else f"{match[1]} {meaning}"


@cache
def search_words(tag: str) -> SearchWords:
    """Read a language's words, or those of its main language (`fr` for `fr-CA`), or English."""
    tables = tomllib.loads((files(__package__) / "search_words.toml").read_text("utf-8"))
    table = tables.get(tag) or tables.get(tag.partition("-")[0]) or tables[ENGLISH]
    groups = [(word, (word, *group.split(", "))) for word, group in table["synonyms"].items()]
    synonyms = {fold(each): word for word, group in groups for each in group}
    return SearchWords(
        table["names"],
        synonyms,
        _compile_words(synonyms, table["endings"]),
        _compile_words(fold(table["ignored"]).split()),
    )


def _compile_words(phrases: Iterable[str], endings: str = "") -> re.Pattern[str]:
    """Return a pattern of whole words, the longest first; Chinese words have no edges."""
    alternatives = "|".join(sorted(phrases, key=len, reverse=True)).replace(" ", r"[\W_]+")
    return re.compile(rf"(?<![0-9a-z])({alternatives}){endings}(?![0-9a-z])")


def fold(text: str) -> str:
    """Return a text without case and accents.

    >>> fold("Dernière défausse")
    'derniere defausse'
    """
    return drop_accents(text.casefold())


def _split(word: str) -> list[str]:
    """Return the characters of a Chinese word; another word stays whole."""
    return [*word] if _CHINESE_PATTERN.match(word) else [word]


def _phrases_of(text: str) -> list[str]:
    return [phrase for word in _WORD_PATTERN.findall(text) for phrase in _pair(_split(word))]


def _pair(signs: list[str]) -> list[str]:
    return [" ".join(each) for each in pairwise(signs)] or signs
