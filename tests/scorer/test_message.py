"""Messages: filled in, counted, listed, nested, kept as plain values and read back."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.message import (
    Catalogue,
    Message,
    Value,
    load_words,
    message,
    message_from_json,
    plain_text,
    rule_text,
)

CATALOGUE = Catalogue({
    "listing.comma": ", ",
    "listing.and": " and ",
    "listing.proper": "Mah Purity",
    "tile.DR": "red dragon",
    "has": "{who} has {what}.",
    "begins": "{what:capital} begins it.",
    "within": "{what:small} counts.",
    "short.one": "{count} tile is missing.",
    "short.other": "{count} tiles are missing.",
})  # fmt: skip

DRAGON = message("tile.DR")

SENTENCES = [
    (message("has", who="West", what=DRAGON), "West has red dragon.", "a name is never a key"),
    (message("has", who="tile.DR", what="{who}"), "tile.DR has {who}.", "nor filled in again"),
    (message("begins", what=DRAGON), "Red dragon begins it.", "a capital where it begins"),
    (message("within", what=rule_text("No chows")), "no chows counts.", "a label in a sentence"),
    (message("within", what="Mah-Jong"), "Mah-Jong counts.", "but for names"),
    (plain_text("{who}"), "{who}", "what is in no catalogue"),
    (message("short", count=1), "1 tile is missing.", "one"),
    (message("short", count=0), "0 tiles are missing.", "English has no form for none"),
    (message("has", who="A", what=(DRAGON,)), "A has red dragon.", "one in a row"),
    (message("has", who="A", what=("x", "y", 3)), "A has x, y and 3.", "three in a row"),
    (message("has", who="A", what=()), "A has .", "nothing in a row"),
]


@pytest.mark.parametrize(
    ("message", "sentence", "reason"), SENTENCES, ids=[why for *_, why in SENTENCES]
)
def test_a_message_is_said(message: Message, sentence: str, reason: str) -> None:
    assert CATALOGUE.say(message) == sentence


def test_words_of_the_rules_are_translated_where_they_are_the_shipped_ones() -> None:
    french = Catalogue({}, rules=lambda text: {"No chows": "Sans chow"}.get(text, text))
    assert french.say(rule_text("No chows")) == "Sans chow"
    assert french.say(rule_text("Our own double")) == "Our own double"


def test_a_catalogue_knows_what_it_lacks() -> None:
    assert CATALOGUE.has(message("has", who="A", what=(DRAGON, DRAGON)))
    assert CATALOGUE.has(message("short", count=2))
    assert not CATALOGUE.has(message("gone"))
    assert not CATALOGUE.has(message("has", who="A", what=(message("gone"),)))
    with pytest.raises(KeyError):
        CATALOGUE.say(message("gone"))


TEXTS = st.text(max_size=8)


def _messages(values: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    fields = st.dictionaries(TEXTS, values, max_size=3)
    messages = st.builds(lambda key, found: Message(key, tuple(found.items())), TEXTS, fields)
    return messages | st.lists(values, max_size=3).map(tuple)


VALUES: st.SearchStrategy[Value] = st.recursive(TEXTS | st.integers(), _messages, max_leaves=12)


@given(VALUES)
def test_every_message_is_kept_and_read_back(value: Value) -> None:
    value_message = Message("key", (("value", value),))
    assert message_from_json(json.loads(json.dumps(value_message.to_json()))) == value_message
    assert hash(value_message) == hash(message_from_json(value_message.to_json()))


@pytest.mark.parametrize("data", [{}, {"key": "x", "values": {"y": None}}, {"values": {}}])
def test_what_is_no_message_is_refused(data: dict[str, object]) -> None:
    with pytest.raises((KeyError, TypeError)):
        message_from_json(data)


def test_every_face_has_a_name_for_one_and_for_several() -> None:
    faces = {key.removeprefix("tile.") for key in load_words() if key.startswith("tile.")}
    assert {f"tiles.{face}" for face in faces - {"JK", "??"}} <= load_words().keys()
    assert len(faces) == 44


def test_a_message_is_put_into_no_text_by_accident() -> None:
    with pytest.raises(TypeError, match="in a language"):
        f"{DRAGON}"
    with pytest.raises(TypeError, match="in a language"):
        str(DRAGON)


def test_a_package_that_is_not_there_says_nothing() -> None:
    with pytest.raises(ModuleNotFoundError):
        load_words("no_such_package")
