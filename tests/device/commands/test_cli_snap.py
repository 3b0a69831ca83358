"""The contract of `tongbox snap`: photographs in, a score out."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs

from device.commands import snap
from tests.device.command import output_of, refusal_of, run_command
from tests.device.fake_reader import FakeReader, lay, picture
from tests.vision.laid_hand import SIDE_VIEW, read_rows
from vision.photo import Photo
from vision.reading import Reading

ROWS = ("B2 B2 B2", "C3 C4 C5 DR DR DR O7 O7 O7 WE WE")
TEXT = "B222 | C345 DRRR O777 WEE |"


class SaysInTurn(FakeReader):
    """A reader that reads one photograph after the other as the test wants."""

    def __init__(self, *readings: Reading) -> None:
        super().__init__()
        self._readings = list(readings)
        self.rules: list[str] = []

    def read(
        self, photo: Photo, rules: str = "bmja", progress: Callable[[str], None] | None = None
    ) -> Reading:
        self.rules.append(rules)
        return self._readings.pop(0)


Reads = Callable[..., SaysInTurn]


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Reads:
    """Let the command read photographs as the test wants."""

    def say(*readings: Reading) -> SaysInTurn:
        reader = SaysInTurn(*readings)
        monkeypatch.setattr(snap, "load_reader", lambda: reader)
        return reader

    return say


@pytest.fixture
def photo(tmp_path: Path) -> str:
    path = tmp_path / "hand.jpg"
    path.write_bytes(picture(lay()))
    return str(path)


@pytest.mark.parametrize(
    ("say", "total", "reason"),
    [
        ("", "36", "8 + 2 + 4 for pungs, 2 + 2 for East's own pair in his round, x 2 for dragons"),
        ("seat=S round=W won=wall with=WE", "72", "20 + 2 for winning, no wind of his, x 2"),
    ],
)
def test_a_photo_is_read_and_scored(
    reads: Reads, photo: str, say: str, total: str, reason: str
) -> None:
    reads(read_rows(ROWS))
    output = output_of("snap", photo, "--say", say)
    assert "B2 B2 B2" in output
    assert f"\n{total:>8}  " in output, reason


def test_json_is_two_lines_as_the_two_commands_print_them(reads: Reads, photo: str) -> None:
    reading = read_rows(ROWS)
    reads(reading)
    read, score_json = map(json.loads, output_of("snap", photo, "--json").splitlines())
    assert read == json.loads(json.dumps(reading.to_json()))
    assert score_json == json.loads(output_of("score", reading.hand_text, "--json"))


def test_several_photos_are_of_one_hand(reads: Reads, photo: str) -> None:
    reads(read_rows(ROWS, {5: ("C6", 0.5)}), read_rows(ROWS, view=SIDE_VIEW))
    read, score_json = map(json.loads, output_of("snap", photo, photo, "--json").splitlines())
    assert read["hand_text"].startswith(TEXT)
    assert not any(tile["doubtful"] for tile in read["tiles"])
    assert score_json["total"] > 0


@pytest.mark.parametrize(
    ("say", "rules", "reason"),
    [("", "bmja", "the British rules, unless"), ("rules=safalra", "safalra", "others are said")],
)
def test_the_photo_is_read_by_the_rules_that_are_said(
    reads: Reads, photo: str, say: str, rules: str, reason: str
) -> None:
    reader = reads(read_rows(ROWS))
    output_of("snap", photo, "--say", say)
    assert reader.rules == [rules], reason


def test_what_is_said_outranks_the_photo(reads: Reads, photo: str) -> None:
    reading = structs.replace(read_rows(ROWS), hand_text=f"{TEXT} seat=E round=E won=wall with=WE")
    reads(reading)
    _, score_line = output_of("snap", photo, "--json", "--say", "seat=S won=discard").splitlines()
    said_score = output_of("score", f"{TEXT} seat=S round=E won=discard with=WE", "--json")
    assert json.loads(score_line) == json.loads(said_score)


@pytest.mark.parametrize(
    ("arguments", "words", "reason"),
    [
        (["missing.jpg"], "missing.jpg: The file cannot be opened", "no such photo"),
        (["missing.jpg", "--say", "seat=X"], "'X' is not one of", "refused before it is read"),
        (["missing.jpg", "--rules", "none.toml"], "cannot be opened", "no such ruleset"),
    ],
)
def test_what_cannot_be_done_is_said(
    reads: Reads, arguments: list[str], words: str, reason: str
) -> None:
    reads()
    assert words in refusal_of("snap", *arguments), reason


def test_a_hand_that_cannot_be_scored_is_still_shown(reads: Reads, photo: str) -> None:
    reads(read_rows(("B2 B2 B2 B2 B2", "C3 C4 C5")))
    outcome = run_command("snap", photo)
    assert (outcome.status, "B2 B2 B2" in outcome.output) == (1, True)
    assert "tongbox: " in outcome.err
