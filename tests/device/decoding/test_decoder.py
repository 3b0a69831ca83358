"""The process that decodes: whatever a picture does to it, there is a sentence, and it goes on."""

from __future__ import annotations

import gc
import os
import resource
import select
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from device.decoding import child
from device.decoding.decoder import (
    CHILD_COMMAND,
    DECODE_TIMEOUT_S,
    MAX_PHOTOGRAPHS_IN_LINE,
    Decoder,
    PhotographGate,
)
from tests.device.decoding.pictures import KINDS, draw_chequered, one_colour
from tests.device.fake_camera import wait_until
from tests.device.shared_decoder import DECODER
from vision.errors import PhotoError
from vision.photo import open_photo

PHOTO = draw_chequered("JPEG")


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    return tmp_path / "notes"


@pytest.fixture
def decoder(notes: Path) -> Iterator[Decoder]:
    stand_in = (sys.executable, "-m", "tests.device.decoding.stand_in", str(notes))
    decoder = Decoder(stand_in)
    yield decoder
    decoder.close()


def read_notes(notes: Path, note_text: str) -> list[str]:
    return [line for line in notes.read_text().splitlines() if line.startswith(note_text)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("max_side", [16_000_000, 64 * 48, 1000])
def test_sees_what_is_seen_without_it(kind: str, max_side: int) -> None:
    data = draw_chequered(kind)
    photo, direct_photo = (
        DECODER.open(data, "a photo", max_side),
        open_photo(data, "a photo", max_side),
    )
    assert photo.name == direct_photo.name
    assert (photo.rgb == direct_photo.rgb).all()
    assert not photo.rgb.flags.writeable


LOADED_SCRIPT = """
import io, sys
from device.decoding import child
child.preload()
before = set(sys.modules)
for picture in sys.argv[1:]:
    child.decode(open(picture, "rb").read(), 16_000_000, out := io.BytesIO())
    assert out.getvalue().startswith(b"P6"), out.getvalue()
print(*sorted(set(sys.modules) - before))
"""


def test_no_picture_waits_for_what_opens_it_to_be_loaded(tmp_path: Path) -> None:
    """Each is opened in a fork, where what is loaded is lost again."""
    for kind in KINDS:
        (tmp_path / kind).write_bytes(draw_chequered(kind))
    command = [sys.executable, "-c", LOADED_SCRIPT, *(str(tmp_path / kind) for kind in KINDS)]
    process = subprocess.run(command, capture_output=True, text=True, check=True)
    assert process.stdout.split() == []


def test_says_why_a_picture_is_none() -> None:
    with pytest.raises(PhotoError) as first_error:
        open_photo(PHOTO[:-300], "")
    with pytest.raises(PhotoError) as second_error:
        DECODER.open(PHOTO[:-300], "")
    assert (first_error.value.code, first_error.value.message) == (
        second_error.value.code,
        second_error.value.message,
    )


@pytest.mark.parametrize(
    ("does", "starts", "log_text", "reason"),
    [
        (b"killed", 1, "ended its decoder: b'-9'", "by the kernel, say, where memory is short"),
        (b"fills", 1, "MemoryError", "more memory than the limit is refused it"),
        (b"breaks", 1, "what no decoder should say", "the log says where"),
        (b"orphaned", 3, "ended its decoder: b''", "the process that forks, at both tries"),
        (b"spins", 1, "ended its decoder: b'-9'", "more processor time than the limit"),
    ],
)
def test_a_picture_that_ends_its_decoder_is_told_and_the_next_is_opened(
    decoder: Decoder,
    notes: Path,
    caplog: pytest.LogCaptureFixture,
    does: bytes,
    starts: int,
    log_text: str,
    reason: str,
) -> None:
    with pytest.raises(PhotoError, match="could not open that photo") as refusal:
        decoder.open(PHOTO + does, "evil.jpg")
    assert refusal.value.code == "unopened"
    assert log_text in caplog.text, reason
    assert decoder.open(PHOTO, "hand.jpg").width == 48
    assert len(read_notes(notes, "starts")) == starts, reason


def test_a_picture_that_hangs_is_given_up(decoder: Decoder, notes: Path) -> None:
    decoder.open(PHOTO, "hand.jpg")
    decoder.close()
    decoder.limit = 0.5
    with pytest.raises(PhotoError, match="could not open that photo"):
        decoder.open(PHOTO + b"hangs", "evil.jpg")
    pids = [int(line.split()[1]) for line in read_notes(notes, "starts")]
    assert [pid for pid in pids if _lives(pid)] == []
    decoder.limit = DECODE_TIMEOUT_S
    assert decoder.open(PHOTO, "hand.jpg").width == 48


def test_one_that_ended_while_it_was_idle_costs_no_photo(decoder: Decoder, notes: Path) -> None:
    decoder.open(PHOTO, "hand.jpg")
    pid = int(read_notes(notes, "starts")[0].split()[1])
    os.kill(pid, 9)
    wait_until(lambda: not _lives(pid))
    assert decoder.open(PHOTO, "hand.jpg").width == 48
    assert len(read_notes(notes, "starts")) == 2


def test_when_the_service_is_ended_the_photo_at_hand_is_opened_still(
    decoder: Decoder, notes: Path
) -> None:
    assert decoder.open(PHOTO + b"interrupted", "hand.jpg").width == 48
    assert decoder.open(PHOTO, "hand.jpg").width == 48
    assert len(read_notes(notes, "starts")) == 1


def _lives(pid: int) -> bool:
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False


def test_many_at_once_are_decoded_one_after_another(decoder: Decoder, notes: Path) -> None:
    with ThreadPoolExecutor(16) as threads:
        photos = list(threads.map(lambda n: decoder.open(PHOTO + b"slow", str(n)), range(16)))
    assert [photo.name for photo in photos] == [str(n) for n in range(16)]
    assert (
        read_notes(notes, "begins") + read_notes(notes, "ends") == ["begins"] * 16 + ["ends"] * 16
    )
    after_start = [line for line in notes.read_text().splitlines() if "starts" not in line]
    assert after_start == ["begins", "ends"] * 16


def test_its_memory_goes_back_with_the_photo() -> None:
    def files() -> int:
        return Path("/proc/self/maps").read_text().count("memfd:seen")

    gc.collect()
    before = files()
    photo = DECODER.open(PHOTO, "hand.jpg")
    assert files() == before + 1
    del photo
    assert files() == before


def test_the_limits_are_above_what_is_taken_and_below_what_a_box_has() -> None:
    assert 600 * 2**20 < child.PROCESS_LIMITS[resource.RLIMIT_DATA] < 700 * 2**20
    with pytest.raises(PhotoError, match="up to 32"):
        DECODER.open(one_colour("WEBP", 8000, 4001), "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "mode"),
    [
        ("JPEG", "RGB"),
        ("PNG", "RGBA"),
        pytest.param("PNG", "1", marks=pytest.mark.prove),
        pytest.param("WEBP", "RGBA", marks=pytest.mark.prove),
    ],
)
def test_the_largest_that_are_taken_pass(kind: str, mode: str) -> None:
    height = 4000 if kind == "WEBP" else 8000
    photo = DECODER.open(one_colour(kind, 8000, height, mode), "")
    assert (photo.width, photo.height) == (4000, height // 2)


def test_one_has_its_turn_some_wait_and_all_others_are_told() -> None:
    gate = PhotographGate(patience=20)
    go_on, max_concurrent, current_count = threading.Event(), 0, 0

    def take(_: int) -> bool:
        nonlocal max_concurrent, current_count
        try:
            with gate.in_line(), gate.turn():
                current_count += 1
                max_concurrent = max(max_concurrent, current_count)
                assert go_on.wait(20)
                current_count -= 1
        except PhotoError as error:
            codes.append(error.code)
            refusals.release()
            return False
        return True

    refusals, codes = threading.Semaphore(0), list[str]()
    phones = MAX_PHOTOGRAPHS_IN_LINE + 10
    with ThreadPoolExecutor(phones) as threads:
        results = threads.map(take, range(phones))
        for _ in range(10):
            assert refusals.acquire(timeout=20), "they are told while the others wait"
        go_on.set()
        assert sum(results) == MAX_PHOTOGRAPHS_IN_LINE
    assert max_concurrent == 1
    assert codes == ["busy"] * 10


def test_who_came_first_is_first() -> None:
    gate, order = PhotographGate(), list[int]()

    def take(number: int) -> None:
        with gate.in_line(), gate.turn():
            order.append(number)

    with ThreadPoolExecutor(12) as threads, gate.in_line(), gate.turn():
        for number in range(12):
            threads.submit(take, number)
            wait_until(lambda number=number: gate.waiting == number + 1)  # type: ignore[misc]
    assert order == list(range(12))


def test_who_waits_too_long_is_told() -> None:
    gate = PhotographGate(patience=0.01)
    with gate.turn(), pytest.raises(PhotoError, match="is opening other photos"), gate.turn():
        pass
    with gate.in_line(), gate.turn():
        pass


def test_it_ends_quietly_whose_box_is_killed_before_it_has_taken_the_answer(tmp_path: Path) -> None:
    box_end, decoder_end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    (tmp_path / "sent").write_bytes(PHOTO)
    with subprocess.Popen(
        CHILD_COMMAND, stdin=decoder_end.fileno(), stderr=subprocess.PIPE, text=True
    ) as process:
        decoder_end.close()
        with (
            (tmp_path / "sent").open("rb") as sent_file,
            (tmp_path / "seen").open("wb") as seen_file,
        ):
            socket.send_fds(box_end, [b"100000000"], [sent_file.fileno(), seen_file.fileno()])
            assert select.select([box_end], [], [], 20)[0], "it has answered"
        box_end.close()  # as the system does for a process that is killed
        _, error_output = process.communicate(timeout=20)
    assert (process.returncode, error_output) == (0, "")
