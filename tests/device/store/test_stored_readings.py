"""Readings of earlier versions, as their logs hold them, are read and upgraded."""

from __future__ import annotations

import json
from typing import Any

import pytest

from device.hands.readings import check_reading
from device.store.events import EventError, PhotoRead, ReadingMade, event_from_json, event_to_json
from scorer.message import message, plain_text
from scorer.tile_names import name_tile
from vision import stored_form
from vision.stored_form import ReadingFields, newest_form, upgrade_reading

CORNERS = "[[0.0,0.0],[30.0,0.0],[30.0,40.0],[0.0,40.0]]"
TILE = f'{{"code":"B1","confidence":0.99,"quad":{CORNERS},"turn":0,"alternatives":[["B2",0.01]],"doubtful":false}}'  # noqa: E501
READING_FORM_1 = f"""{{"photo":"hand.jpg","width":640,"height":480,"tiles":[{TILE},{TILE}],\
"sets":[{{"tiles":[0],"row":"exposed","kind":"loose"}}],"hand_text":"B1 |",\
"problems":[{{"code":"kong-short","message":{{"key":"lies.kong-short","values":\
{{"tile":{{"key":"tile.B1","values":{{}}}}}}}}}}],\
"ms":{{"load":1.0,"locate":2.0,"classify":3.0,"arrange":4.0,"total":10.0}},\
"left_out":[{{"tile":1,"why":"apart"}}],"winning_tile":0,\
"blocks":[{{"side":"left","sets":[{{"tiles":[1],"row":"concealed","kind":"loose"}}]}}]}}"""
"""As commit 083ce30c wrote it, and all before it, without a number of its form."""

READING_MADE = READING_FORM_1[:-1] + ',"models":{"locator":"ab"}}'


def read_made(text: str) -> ReadingMade:
    event = event_from_json("reading-made", text)
    assert isinstance(event, ReadingMade)
    return event


def test_a_reading_of_30_november_2026_is_read_and_written_as_it_was() -> None:
    event = read_made(READING_MADE)
    assert json.loads(event_to_json(event)) == json.loads(READING_MADE)
    reading = check_reading(event)
    assert type(reading).__name__ == "Reading"
    (problem,) = reading.problems
    assert problem.message == message("lies.kong-short", tile=name_tile("B1"))
    assert (reading.form, len(reading.tiles), reading.left_out[0].why) == (1, 2, "apart")


def test_the_oldest_problems_are_english_sentences() -> None:
    data = {
        **json.loads(READING_MADE),
        "problems": [{"code": "dark", "message": "It is too dark."}],
    }
    (problem,) = check_reading(read_made(json.dumps(data))).problems
    assert problem.message == plain_text("It is too dark.")


def rename_hand(fields: ReadingFields) -> ReadingFields:
    return {"hand_text": fields.pop("hand"), **fields}


OLD = {name if name != "hand_text" else "hand": value
       for name, value in json.loads(READING_FORM_1).items()}  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("reading-made", {**OLD, "models": {}}),
        ("photo-read", {"number": 0, "reading": OLD}),
    ],
)
def test_a_renamed_field_is_read_under_its_old_name(
    monkeypatch: pytest.MonkeyPatch, kind: str, data: dict[str, Any]
) -> None:
    with pytest.raises(EventError, match="hand"):
        event_from_json(kind, json.dumps(data))
    monkeypatch.setattr(stored_form, "UPGRADES", (rename_hand,))
    event = event_from_json(kind, json.dumps(data))
    assert isinstance(event, ReadingMade | PhotoRead)
    reading = check_reading(event.reading if isinstance(event, PhotoRead) else event)
    assert (reading.hand_text, reading.form) == ("B1 |", 2)
    assert event_from_json(kind, event_to_json(event)) == event, "what is new needs no step"


@pytest.mark.parametrize("text", ['{"photo": "x"}', "[]", '{"form": 0}', '{"form": "1"}'])
def test_what_is_damaged_is_torn_also_where_steps_are_taken(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr(stored_form, "UPGRADES", (rename_hand,))
    with pytest.raises(EventError):
        event_from_json("reading-made", text)


def test_steps_are_taken_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = (lambda old: {"way": [*old["way"], 2]}, lambda old: {"way": [*old["way"], 3]})
    monkeypatch.setattr(stored_form, "UPGRADES", steps)
    assert newest_form() == 3
    assert upgrade_reading({"way": [1]}) == {"way": [1, 2, 3], "form": 3}
    assert upgrade_reading({"way": [2], "form": 2}) == {"way": [2, 3], "form": 3}
    assert upgrade_reading({"way": [4], "form": 4}) == {"way": [4], "form": 4}


def test_a_reading_of_a_later_version_is_refused() -> None:
    later_event = read_made(json.dumps({**json.loads(READING_MADE), "form": newest_form() + 1}))
    with pytest.raises(ValueError, match="later version"):
        check_reading(later_event)
