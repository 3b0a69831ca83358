"""The real networks on the photographs that the project renders itself."""

from __future__ import annotations

import pytest

from device.samples import Sample, load_samples
from scorer.hand import Hand
from scorer.notation import parse_hand
from vision.photo import open_photo
from vision.reader import Reader


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader.load()


def rows_of_hand(hand: Hand) -> tuple[list[str], list[str], list[str], list[str]]:
    """Return what a photo can tell of a hand, in an order of its own."""
    return (
        sorted("".join(group) for group in hand.exposed),
        sorted("".join(group) for group in hand.declared_kongs),
        sorted(hand.concealed),
        sorted(hand.bonus),
    )


@pytest.mark.parametrize("sample", load_samples(), ids=lambda sample: sample.name)
def test_a_sample_is_read_as_it_was_laid(sample: Sample, reader: Reader) -> None:
    reading = reader.read(open_photo(sample.path.read_bytes(), sample.name))
    assert rows_of_hand(parse_hand(reading.hand_text)) == rows_of_hand(parse_hand(sample.hand))
    doubtful = {i for i, tile in enumerate(reading.tiles) if tile.doubtful}
    assert not doubtful & {i for s in reading.sets for i in s.tiles}, "nothing need be asked"


def test_there_are_samples() -> None:
    assert len(load_samples()) == 5
