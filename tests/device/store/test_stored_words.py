"""What the log keeps of what was said: no language's words, and the English of earlier logs."""

from __future__ import annotations

import json
import sqlite3
import tomllib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest

from device.hands.readings import reading_from, stored_reading
from device.hands.repository import HandRepository
from device.i18n.words import LANGUAGES, catalogue, say, spoken, use_words
from device.matches.repository import MatchRepository
from device.store import Store
from device.store.events.parts import (
    message_from_old_sentence,
    message_from_stored,
    words_from_stored,
    words_to_stored,
)
from scorer.match.entries import Charge
from scorer.message import Message, message, plain_text
from scorer.tile_names import name_tile
from tests.device.fake_reader import lay
from vision.reading import Problem

OLD = Path(__file__).parent / "schemas" / "english.sql"
READ, MIRRORED, FAULT, MATCH = "992d2e4f0fb6", "2fbf6530d4fc", "c6e65a923534", "674e2815628b"


@pytest.fixture
def old(tmp_path: Path) -> Iterator[Store]:
    """Return a log that was written while problems were kept in English."""
    with closing(sqlite3.connect(tmp_path / "events.sqlite3")) as db:
        db.executescript(OLD.read_text("utf-8"))
    store = Store(tmp_path)
    yield store
    store.close()


def test_an_old_reading_says_in_every_language_what_can_be_found_again(old: Store) -> None:
    reading = HandRepository(old).get(READ).reading
    assert reading
    found = {problem.code: problem.message for problem in reading.problems}
    assert found["tile-count"] == message("lies.tile-count-kongs", count=12, due=13, won=14)
    assert found["flowers-apart"] == message("lies.flowers-apart")
    assert found["left-out"] == message("seen.left-out", count=1)
    assert found["which-kong"] == plain_text(
        "A tile lies face down between red dragon and 1 circle. I took it for the fourth red "
        "dragon; please change it if it is the fourth 1 circle."
    ), "tiles within the sentence: shown as it was"
    use_words("fr")
    assert say(found["left-out"]) == "Le boîtier a laissé de côté 1 tuile à l’écart de la main."
    use_words("en-GB")


@pytest.mark.parametrize(("hand", "key"), [(MIRRORED, "photo.mirrored"), (FAULT, "photo.fault")])
def test_an_old_failure_has_its_key(old: Store, hand: str, key: str) -> None:
    failure = HandRepository(old).get(hand).failure
    assert failure
    assert failure.message == message(key)


def test_an_old_charge_is_a_penalty_or_what_the_table_wrote(old: Store) -> None:
    false, sang = (row.event for row in MatchRepository(old).get(MATCH).course.rows)
    assert isinstance(false, Charge)
    assert isinstance(sang, Charge)
    assert false.why == message("penalty.false-mah-jong.label")
    assert sang.why == "Bob sang"
    use_words("fr")
    assert [spoken(false.why), spoken(sang.why)] == ["Faux mah-jong", "Bob sang"]
    use_words("en-GB")


def test_old_sentences_have_keys_that_every_language_has() -> None:
    table = tomllib.loads((files("device.store") / "english.toml").read_text("utf-8"))
    assert len(table) > 30
    for text, key in table.items():
        filled = text.format_map(dict.fromkeys(("count", "due", "won", "most", "row"), 5) | SIZE)
        found = message_from_old_sentence(filled)
        assert found is not None, text
        assert found.key == key
        assert all(catalogue(language).has(found) for language in LANGUAGES)


SIZE = {"width": 5, "height": 5}


KEPT = [
    ("Bob sang", "what a player wrote"),
    (
        message("lies.which-kong", tile=name_tile("DR"), other=name_tile("O1")),
        "a sentence about tiles",
    ),
]


@pytest.mark.parametrize(("words", "why"), KEPT)
def test_words_come_back_as_they_were_kept(words: str | Message, why: str) -> None:
    assert words_from_stored(json.loads(json.dumps(words_to_stored(words)))) == words, why


def test_a_reading_is_kept_without_a_word_of_any_language() -> None:
    problem = Problem("left-out", message("seen.left-out", count=2))
    reading = replace(lay(), problems=(problem,))
    (trouble,) = stored_reading(reading).problems
    assert trouble.message == {"key": "seen.left-out", "values": {"count": 2}}
    assert reading_from(stored_reading(reading)) == reading


@pytest.mark.parametrize("data", [{}, {"key": "x"}, {"key": "x", "values": {"y": None}}])
def test_what_is_no_message_is_refused(data: dict[str, object]) -> None:
    with pytest.raises((KeyError, TypeError)):
        message_from_stored(data)
