"""All hands as a table: what the page shows, and nothing that a spreadsheet would run."""

from __future__ import annotations

import io
import json
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.hands.export import ExportRow, export_rows, write_csv, write_json
from device.hands.readings import reading_event
from device.hands.repository import HandQuestion, HandRepository
from device.store import Store
from device.store.events import TileCorrected, TilesConfirmed
from scorer.notation import parse_hand
from scorer.score import score
from tests.device.command import output_of, refusal_of
from tests.device.events import event_of, write_raw
from tests.device.fake_reader import FakeReader, lay_text, picture
from tests.spreadsheets import csv_rows
from vision.photo import open_photo

HAND = "B222 O5555 | C345 DRRR WEE | F1 S2 seat=S round=W won=wall with=C5"


@pytest.fixture
def played_hand(hands: HandRepository, reader: FakeReader) -> str:
    """Play a hand of which a tile was misread; return its id."""
    reading, answers = lay_text(HAND)
    data = picture(reading)
    hand = hands.begin(open_photo(data, "=cmd.jpg"), data, "bmja")
    hands.change(hand, reading_event(reading))
    hands.change(hand, event_of("context-set", answers))
    hands.change(hand, TileCorrected(tile=0, code="B3"))
    hands.change(hand, TileCorrected(tile=0, code="B2"))
    hands.change(hand, TilesConfirmed())
    return hand


def table(hands: HandRepository) -> list[dict[str, str]]:
    output = io.StringIO()
    write_csv(output, export_rows(hands))
    return csv_rows(output.getvalue())


def test_a_hand_is_told_as_the_page_scores_it(hands: HandRepository, played_hand: str) -> None:
    (row,) = export_rows(hands)
    assert (row.hand, row.rules, row.seat_wind, row.prevailing_wind) == (
        played_hand,
        "bmja",
        "S",
        "W",
    )
    assert row.score == score(parse_hand(HAND)).total == score(parse_hand(row.hand_text)).total
    assert row.winner
    assert row.confirmed
    assert row.corrections == "tile 1: B2 to B3; tile 1: B3 to B2"
    assert row.problem == ""


def test_tiles_that_were_asked_about_are_told_from_hands_that_were_played(
    hands: HandRepository, played_hand: str
) -> None:
    question = hands.begin_question(None, b"", "bmja", HandQuestion())
    assert {row.hand: row.asked for row in export_rows(hands)} == {
        played_hand: False,
        question: True,
    }


def test_a_hand_without_a_score_says_why(hands: HandRepository, unread_hand: str) -> None:
    (row,) = export_rows(hands)
    assert (row.hand, row.score, row.hand_text) == (unread_hand, None, "")
    assert "no tiles" in row.problem


def test_csv_and_json_say_the_same(
    hands: HandRepository, played_hand: str, unread_hand: str
) -> None:
    output = io.StringIO()
    write_json(output, export_rows(hands))
    objects = [json.loads(line) for line in output.getvalue().splitlines()]
    cells = table(hands)
    assert [each["hand"] for each in objects] == [played_hand, unread_hand], (
        "in the order of playing"
    )
    for cell, row in zip(objects, cells, strict=True):
        assert list(row) == list(cell) == [field.name for field in fields(ExportRow)]
        assert row["score"] == ("" if cell["score"] is None else str(cell["score"]))
        assert row["hand_text"] == cell["hand_text"]


def test_a_torn_hand_hides_no_other(store: Store, hands: HandRepository, played_hand: str) -> None:
    write_raw(store, "torn", "photo-taken", {})
    assert [row.hand for row in export_rows(hands)] == [played_hand]


@given(st.sampled_from("=+-@\t\r"), st.text(max_size=9))
def test_no_cell_begins_a_formula(sign: str, rest: str) -> None:
    row = ExportRow(
        sign + rest, sign, sign, "E", sign + rest, False, sign, -8, sign, True, sign + rest, sign,
        sign,
    )  # fmt: skip
    output = io.StringIO()
    write_csv(output, iter([row]))
    (row_by_name,) = csv_rows(output.getvalue())
    cells = list(row_by_name.values())
    assert all(cell[0] not in "=+-@\t\r" for cell in cells if cell != "-8")
    assert cells[7] == "-8", "a number stays one"
    assert cells[0] == "'" + sign + rest


def test_the_command(store: Store, hands: HandRepository, played_hand: str) -> None:
    data = ["--data", str(store.folder)]
    assert json.loads(output_of("export", "--json", *data))["hand"] == played_hand
    assert output_of("export", "--csv", *data).startswith("\ufeffhand,taken,rules")
    assert "No box keeps" in refusal_of("export", "--csv", "--data", str(store.folder / "nowhere"))


def test_what_the_camera_said_is_exported(hands: HandRepository, reader: FakeReader) -> None:
    data = picture(reader.reading)
    metadata = {"ExposureTime": 20000, "ColourGains": [1.9, 1.6]}
    hand = hands.begin(open_photo(data, "camera.jpg"), data, "bmja", metadata)
    assert hands.get(hand).camera == metadata
    hands.begin(open_photo(data, "phone.jpg"), data, "bmja")
    assert [row.camera and json.loads(row.camera) for row in export_rows(hands)] == [metadata, ""]
