"""Measure the search of Learn on `searches.toml`.

`python -m tests.device.web.tutor.search_figures` prints how often the first answer is right, and
one of the first three, and how long the index and an answer take.
"""

from __future__ import annotations

import time
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from device.hands.record import Agreement
from device.i18n.words import ENGLISH, use_words
from device.views.tutor.search import SearchIndex, search, search_entries, search_words
from scorer.rulesets.builtin import load_builtin
from tests.reporting import say

READ_AT_ONCE = 3
"""Answers that a phone shows without scrolling."""

TUNED, HELD_OUT, FRESH = "tune", "held-out", "fresh"
"""Questions that the words were chosen for; those only measured; those written last."""

TUNING_WORDINGS, TEST_WORDINGS = "worded-tune", "worded-measured"
"""Questions about game and box in three people's wording: tuned on, and only measured."""

TUNING_VOICES, TEST_VOICES = "voices-tune", "voices-measured"
"""Questions in three people's voices: tuned on, with those of a trial, and only measured."""

HALVES = (TUNED, HELD_OUT, FRESH, TUNING_WORDINGS, TEST_WORDINGS, TUNING_VOICES, TEST_VOICES)
"""All parts of the questions, in the order of the file."""

_SEARCHES = Path(__file__).with_name("searches.toml")


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question, and the place of its first right answer."""

    half: str
    who: str
    pages: frozenset[str]
    place: int | None
    """0 for the first answer; None if none that is shown is right."""


def answers() -> tuple[AnsweredQuestion, ...]:
    """Ask every question, in English."""
    use_words(ENGLISH)
    return tuple(_ask(tomllib.loads(_SEARCHES.read_text("utf-8"))))


def _ask(table: dict[str, dict[str, dict[str, dict[str, str]]]]) -> Iterator[AnsweredQuestion]:
    for half, people in table.items():
        for person, rulesets in people.items():
            for ruleset, questions in rulesets.items():
                for words, pages in questions.items():
                    right = frozenset(pages.split())
                    entries = search(words, Agreement(ruleset=ruleset))
                    places = [place for place, entry in enumerate(entries) if entry.id in right]
                    yield AnsweredQuestion(half, person, right, min(places, default=None))


def share_within(first: int, questions: Iterable[AnsweredQuestion]) -> float:
    """Return the share of questions with a right answer among the first ones."""
    right = [each.place is not None and each.place < first for each in questions]
    return sum(right) / len(right)


def main() -> None:
    """Print the figures."""
    everything = answers()
    for half in HALVES:
        of_half = [each for each in everything if each.half == half]
        for person in (*dict.fromkeys(each.who for each in of_half), ""):
            questions = [each for each in of_half if person in ("", each.who)]
            first, soon_share = (share_within(places, questions) for places in (1, READ_AT_ONCE))
            say(f"{half:15} {person or 'all':8} {len(questions):3} {first:6.1%} {soon_share:6.1%}")
    start_time = time.perf_counter()
    index = SearchIndex(search_entries(load_builtin("bmja")), search_words("en-GB"))
    built_time = time.perf_counter()
    index.find("how many tiles do I start with")
    found_time = time.perf_counter()
    index_ms, answer_ms = 1000 * (built_time - start_time), 1000 * (found_time - built_time)
    say(f"index {index_ms:.0f} ms, first answer {answer_ms:.1f} ms")


if __name__ == "__main__":
    main()
