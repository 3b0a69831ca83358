"""One phone at a time downloads a backup; one that has stopped reading keeps nobody out."""

from __future__ import annotations

from device.backups.download_gate import MAX_DOWNLOADS, STALLED_AFTER_S, DownloadGate


class Clock:
    """A clock that a test moves."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_next_begins_when_the_first_has_ended() -> None:
    gate = DownloadGate(Clock())
    first = gate.begin()
    assert first
    assert gate.begin() is None
    first.end()
    assert gate.begin()


def test_a_phone_that_reads_keeps_the_others_out_however_long_it_takes() -> None:
    clock = Clock()
    gate = DownloadGate(clock)
    first = gate.begin()
    assert first
    for _ in first.watch([b"piece"] * 10):
        clock.now += STALLED_AFTER_S - 0.1
        assert gate.begin() is None


def test_a_phone_that_has_stopped_reading_keeps_nobody_out_and_may_go_on() -> None:
    clock = Clock()
    gate = DownloadGate(clock)
    first = gate.begin()
    assert first
    pieces = first.watch([b"one", b"two", b"three"])
    assert next(pieces) == b"one"
    clock.now += STALLED_AFTER_S
    second = gate.begin()
    assert second
    assert list(pieces) == [b"two", b"three"], "it reads on"
    first.end()
    assert gate.begin() is None, "the second reads"


def test_phones_that_stop_reading_do_not_fill_the_card_with_copies() -> None:
    clock = Clock()
    gate = DownloadGate(clock)
    downloads = []
    for _ in range(MAX_DOWNLOADS + 2):
        downloads.append(gate.begin())
        clock.now += STALLED_AFTER_S
    assert [each is not None for each in downloads] == [True] * MAX_DOWNLOADS + [False] * 2
