"""The contract of `tongbox read`, with a reader that reads nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest

import device.cli
from device.commands import read
from device.commands.read import format_reading
from tests.device.command import output_of, refusal_of, run_command
from tests.device.fake_reader import FakeReader, lay, picture
from vision.errors import ModelError


@pytest.fixture(autouse=True)
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeReader:
    reader = FakeReader(lay(doubtful=(1,)))
    monkeypatch.setattr(read, "load_reader", lambda: reader)
    return reader


@pytest.fixture
def photo(tmp_path: Path) -> str:
    path = tmp_path / "hand.jpg"
    path.write_bytes(picture(lay()))
    return str(path)


def test_one_object_per_photo_and_line(photo: str, tmp_path: Path) -> None:
    text = tmp_path / "text.jpg"
    text.write_text("no photo")
    missing = str(tmp_path / "missing.jpg")
    outcome = run_command("read", photo, str(text), missing, photo, "--json")
    assert outcome.status == 1
    first, second, third, fourth = map(json.loads, outcome.output.splitlines())
    assert first == fourth
    assert first["photo"] == photo
    assert first["tiles"][0].keys() == {
        "code", "confidence", "quad", "turn", "alternatives", "doubtful", "seen", "alike", "alone",
        "print_odds",
    }  # fmt: skip
    assert first["sets"][0] == {"tiles": [0, 1, 2], "row": "exposed", "kind": "pung"}
    assert first["ms"].keys() == {"load", "locate", "classify", "arrange", "total"}
    assert [second["photo"], third["photo"]] == [str(text), missing]
    assert second["problems"][0]["code"] == "not-a-photo"
    assert third["problems"][0]["code"] == "no-file"


def test_all_read_is_status_0(photo: str) -> None:
    assert len(output_of("read", photo, photo, "--json", "--rules", "safalra").splitlines()) == 2


def test_a_crop_is_one_tile(photo: str) -> None:
    assert len(json.loads(output_of("read", "--crop", "--json", photo))["tiles"]) == 1


def test_a_table_is_a_line_for_each_side(photo: str) -> None:
    lines = [
        json.loads(line) for line in output_of("read", "--table", "--json", photo).splitlines()
    ]
    assert [(line["side"], line["photo"]) for line in lines] == [("bottom", photo), ("top", photo)]
    assert f"{photo}, bottom: " in output_of("read", "--table", photo)


def test_a_table_without_hands_is_said_to_be_one(
    photo: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FakeReader, "read_table", lambda *_, **__: {})
    outcome = run_command("read", "--table", photo)
    assert (outcome.status, "no row of tiles" in outcome.output) == (1, True)


def test_without_json_it_is_for_people(photo: str, tmp_path: Path) -> None:
    outcome = run_command("read", photo, str(tmp_path / "missing.jpg"))
    assert outcome.status == 1
    assert "exposed   B2 B2 B2  |  O9 O9 O9 ??" in outcome.output
    assert "tile 2: B2 58% (or B4 21%" in outcome.output
    assert "missing.jpg: The file cannot be opened" in outcome.output


def test_models_that_are_not_right_are_said_to_be(
    photo: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_altered() -> FakeReader:
        raise ModelError("locator.onnx is not the file that its card describes.")

    monkeypatch.setattr(read, "load_reader", read_altered)
    assert "not the file that its card describes" in refusal_of("read", photo)


def test_the_last_resort_is_a_sentence_and_a_traceback_in_the_log(
    photo: str, fake: FakeReader, caplog: pytest.LogCaptureFixture
) -> None:
    fake.fault = RuntimeError("boom")
    assert "something went wrong" in refusal_of("read", photo)
    assert "RuntimeError: boom" in caplog.text


def test_every_command_explains_itself() -> None:
    for name in device.cli.COMMANDS:
        lines = output_of(name, "--help").splitlines()
        own_lines = lines[: lines.index("examples:") if "examples:" in lines else None]
        assert lines[0].startswith(f"usage: tongbox {name}")
        assert [line for line in own_lines if len(line) > 80 or "%%" in line] == []
        bare_lines = re.findall(
            r"^  (?! )\S+(?: \S+)*\n(?! {8})", "\n".join(own_lines) + "\n", re.M
        )
        assert bare_lines == [], "each argument says what it is"


def test_doubts_beside_the_hand_are_only_counted() -> None:
    reading = lay(doubtful=(1,))
    hand_set = reading.sets[0]
    only_this_set = msgspec.structs.replace(reading, sets=(hand_set,))
    lines = [line for line in format_reading(only_this_set) if "doubtful" in line]
    assert len(lines) == 1
    assert re.fullmatch(r"  doubtful  tile 2: \w+ \d+% \(or .+\)", lines[0])
    tiles = tuple(msgspec.structs.replace(each, alternatives=()) for each in reading.tiles)
    certain_reading = msgspec.structs.replace(only_this_set, tiles=tiles)
    assert f"{lines[0].partition(' (or')[0]}" in format_reading(certain_reading), "no empty list"
    other_sets = msgspec.structs.replace(reading, sets=reading.sets[1:])
    lines = [line for line in format_reading(other_sets) if "doubtful" in line]
    assert lines == ["  doubtful  1 more beside the hand"]
