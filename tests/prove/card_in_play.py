"""Prove that a card which fills up or takes nothing while phones play loses nothing.

    python -m tests.prove.card_in_play [--seconds 20] [--rounds 3]

A box runs on a small disk of its own (needs root). Four phones type scores, send photographs and
look at the table without a pause. Meanwhile the card is filled, or refuses to be written, and is
mended again. Each answer is noted: what was confirmed must be in the log, in order; what was
refused must be refused in words, and must not be there. Pages answer throughout. After the mend
play goes on by itself, and all photographs are read.

A card with an error that the system turns read-only cannot be mended while it is in use. There the
box starts again on the card as it is after a check.
"""

from __future__ import annotations

import argparse
import http.client
import itertools
import json
import random
import subprocess
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from device.store import Store
from device.store.events import PhotosRemoved, PhotoTaken, ReadingMade, ScoreTyped
from device.store.store import RESERVED_BYTES
from tests.device import evening
from tests.device.fake_reader import FakeReader, picture
from tests.device.serving import ServedBox, serve_box
from tests.form_data import NO_BODY, Body, encode_form, encode_upload
from tests.parallel import in_threads
from tests.prove.club_phone import is_busy
from tests.prove.full_disk import mount_on, small_disk
from tests.reporting import say

Undo = Callable[[], None]

DISK_BYTES = RESERVED_BYTES + 2**26

NO_ROOM, NO_WRITE = "The box is full", "cannot write to its card"
"""Sentence of a page with status 507."""

MAX_READING_S = 60.0

MAX_ROUNDS_S = 60.0
"""A phone does everything twice in this time."""

SCORES_PER_PHOTOGRAPH = 3


class Failure(NamedTuple):
    """A way in which a card cannot be used for a while."""

    disk: Callable[[Path], AbstractContextManager[bool]]
    """Mounts it until the block ends; gives whether that is allowed."""
    spoil: Callable[[Path], Undo | None]
    """Returns a function that mends it; None where only a new mount does."""
    words: str
    takes_scores: bool | None = False
    """None where it takes some scores: those that fit into the log's own files."""


@dataclass
class Phone:
    """A player's phone, and the answers that it got."""

    box: ServedBox
    number: int
    chance: random.Random
    typed_scores: list[int] = field(default_factory=list)
    """Scores that were confirmed, in order."""
    hands: list[str] = field(default_factory=list)
    """Photographs that were confirmed."""
    refused: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    rounds: int = 0
    """How often it has done everything."""
    _request_numbers: Iterator[int] = field(default_factory=itertools.count)
    _score: int = 0

    @property
    def player(self) -> str:
        """The player whose scores the phone types."""
        return evening.PLAYERS[self.number]

    def play(self, stop: threading.Event) -> None:
        """Look, type and photograph until it is over."""
        while not stop.is_set():
            try:
                self._photograph()
                for _ in range(SCORES_PER_PHOTOGRAPH):
                    self._look()
                    self._type()
            except (OSError, http.client.HTTPException) as error:
                self.faults.append(f"no answer: {error!r}")
            self.rounds += 1
            stop.wait(0.3)  # faster than photographs are read, all would find the queue full

    def _look(self) -> None:
        status, _, text = self.ask("GET", self.chance.choice(("/table/", "/table/history", "/")))
        if status not in (200, 302) or (status == 200 and "<main" not in text):
            self.faults.append(f"{status} to a look")

    def _type(self) -> None:
        self._score = self._score % 900 + 2
        form = encode_form({"score": self._score, "keep": self._score})
        if self._is_confirmed(
            "a score", *self.ask("POST", f"/table/hand/{self.number}/score", form)
        ):
            self.typed_scores.append(self._score)

    def _photograph(self) -> None:
        cloth = f"#{self.chance.randrange(2**24):06x}"
        data = picture(FakeReader().reading, cloth=cloth)
        answer = self.ask("POST", f"/table/hand/{self.number}", encode_upload(data))
        if self._is_confirmed("a photograph", *answer):
            self.hands.append(answer[1].split("/")[2])

    def _is_confirmed(self, action: str, status: int, location: str, text: str) -> bool:
        """Whether something was confirmed; note it where it was not."""
        message = " ".join(text.split())
        reason = next((each for each in (NO_ROOM, NO_WRITE) if each in message), "")
        if status == 507 and reason:
            self.refused[f"{action}: {reason}"] += 1
        elif status == 503 and is_busy(message):
            self.refused[f"{action}: busy"] += 1
        elif status != 303:
            self.faults.append(f"{status} to {action}: {message[-300:]}")
        return status == 303

    def ask(self, method: str, path: str, form: Body = NO_BODY) -> tuple[int, str, str]:
        """Return status, Location and text; the address changes every sixty requests."""
        body, kind = form
        address = f"127.9.{self.number + 1}.{1 + next(self._request_numbers) // 60 % 250}"
        headers = {"Content-Type": kind} if kind else {}
        answer = self.box.ask(address, path, body or None, headers, method, timeout=20)
        return answer.status, answer.headers.get("Location", ""), answer.text


def fill_disk(disk: Path, leave: int = 0) -> Undo:
    """Fill a disk except for some bytes; return a function that frees it again."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(4096)):
            pass
    if leave:
        with ballast.open("r+b") as file:
            file.truncate(max(0, ballast.stat().st_size - leave))
    return ballast.unlink


def leave_no_room_for_photographs(disk: Path) -> Undo:
    """Leave less room than is kept for scores."""
    return fill_disk(disk, RESERVED_BYTES // 2)


def forbid_writing(disk: Path) -> Undo:
    """Forbid changes to all files of the box by ext4's immutable flag.

    The file by which SQLite shares memory is left out: it is mapped, not written, and a failing
    card leaves it alone, too.
    """
    box = disk / "box"
    paths = [path for path in (box, *box.rglob("*")) if not path.name.endswith("-shm")]
    _run("chattr", "-f", "+i", *paths)
    return lambda: _run("chattr", "-R", "-i", box)


def fail_disk(disk: Path) -> None:
    """Make the system find an error on the card, after which it is read-only."""
    source_device = subprocess.run(
        ("findmnt", "-no", "SOURCE", disk), capture_output=True, check=True
    )
    device = Path(source_device.stdout.decode().strip()).name
    Path(f"/sys/fs/ext4/{device}/trigger_fs_error").write_text("1", "ascii")


def mount_tmpfs(folder: Path) -> AbstractContextManager[bool]:
    """Mount a small disk in memory; give whether that is allowed."""
    return small_disk(folder, DISK_BYTES)


def mount_card(folder: Path) -> AbstractContextManager[bool]:
    """Mount a small card with the file system of a Raspberry Pi; give whether that is allowed."""
    image = folder.with_suffix(".img")
    if not image.exists():
        with image.open("wb") as file:
            file.truncate(2 * DISK_BYTES)
        _run("mkfs.ext4", "-q", "-F", image)
    return mount_on(folder, "-o", "loop,errors=remount-ro", str(image))


def _run(*words: object) -> None:
    subprocess.run(tuple(map(str, words)), check=True)


FAILURES: dict[str, Failure] = {
    "full": Failure(mount_tmpfs, fill_disk, NO_ROOM, takes_scores=None),
    "no room for photographs": Failure(
        mount_tmpfs, leave_no_room_for_photographs, NO_ROOM, takes_scores=True
    ),
    "forbidden": Failure(mount_card, forbid_writing, NO_WRITE),
    "failed": Failure(mount_card, fail_disk, NO_WRITE),
}


def play(
    name: str, folder: Path, seconds: float, rounds: int, seed: int = 1, players: int = 4
) -> Counter[str]:
    """Play on such a card; return the counts, which are empty where nothing may be mounted.

    Raises AssertionError for anything lost, anything refused and kept, and any other answer.
    """
    failure = FAILURES[name]
    folder.mkdir()
    with failure.disk(folder) as mount:
        if not mount:
            return Counter()
        with serve_box(folder / "box") as box:
            phones = [Phone(box, n, random.Random(f"{seed} {n}")) for n in range(players)]
            _begin(phones[0])
            with _play_meanwhile(phones):
                for _ in range(1 if failure.spoil is fail_disk else rounds):
                    _spoil_and_mend(failure, folder, box, phones, seconds)
            if failure.spoil is not fail_disk:
                _await_readings(box, phones)
        if failure.spoil is not fail_disk:
            check(folder / "box", phones)
    if failure.spoil is fail_disk:
        subprocess.run(
            ("e2fsck", "-p", folder.with_suffix(".img")), capture_output=True, check=False
        )
        with failure.disk(folder), serve_box(folder / "box") as box:
            _await_readings(box, phones)
            assert box.get("/table/")[0] == 200
            for phone in phones:
                phone.box = box
        with failure.disk(folder):
            check(folder / "box", phones)
    counts = sum((phone.refused for phone in phones), Counter[str]())
    counts["scores confirmed"] = sum(len(phone.typed_scores) for phone in phones)
    counts["photographs confirmed"] = sum(len(phone.hands) for phone in phones)
    return counts


def _begin(phone: Phone) -> None:
    fields = {f"player{n}": name for n, name in enumerate(evening.PLAYERS)}
    match = encode_form({**fields, "ruleset": "bmja", "limit": "1000"})
    assert phone.ask("POST", "/match/new", match)[0] == 303
    winner = encode_form({"who": 0, "won_by": "wall"})
    assert phone.ask("POST", "/table/winner", winner)[0] == 303


@contextmanager
def _play_meanwhile(phones: list[Phone]) -> Iterator[None]:
    """Let all phones play until the block ends; raise AssertionError for a wrong answer."""
    is_over = threading.Event()
    with in_threads(len(phones), lambda number: phones[number].play(is_over), is_over):
        yield
    faults = Counter(itertools.chain.from_iterable(phone.faults for phone in phones))
    assert not faults, faults.most_common(5)


def _spoil_and_mend(
    failure: Failure, folder: Path, box: ServedBox, phones: list[Phone], seconds: float
) -> None:
    _play_on(phones, seconds / 2)
    with ExitStack() as undo:
        if mend := failure.spoil(folder):
            undo.callback(mend)
        _play_on(phones, 0)  # what was under way is answered
        for phone in phones:
            phone.refused.clear()
        typed_count, photo_count = _confirmed_events(phones)
        _play_on(phones, seconds)
        status, history = box.get("/table/history")
        assert (status, "Ann" in history) == (200, True), "what there is is shown"
        after = _confirmed_events(phones)
        assert after[1] == photo_count, "no photograph is taken"
        takes_scores = None if failure.takes_scores is None else after[0] > typed_count
        assert takes_scores is failure.takes_scores, "scores are taken where there is room"
        for phone in phones:
            assert phone.refused[f"a photograph: {failure.words}"] > 0
            assert (
                phone.refused[f"a score: {failure.words}"] > 0 or failure.takes_scores is not False
            )
    if mend:
        before = [(len(phone.typed_scores), len(phone.hands)) for phone in phones]
        deadline = time.monotonic() + MAX_ROUNDS_S
        while not all(
            len(phone.typed_scores) > scores and len(phone.hands) > hands
            for phone, (scores, hands) in zip(phones, before, strict=True)
        ):  # a photograph may find the queue full at first
            assert time.monotonic() < deadline, "scores and photographs are taken again"
            time.sleep(0.02)


def _play_on(phones: list[Phone], seconds: float) -> None:
    """Play for some seconds, and until every phone has done everything at least once."""
    time.sleep(seconds)
    before = [phone.rounds for phone in phones]
    deadline = time.monotonic() + MAX_ROUNDS_S
    while not all(phone.rounds > n + 1 for phone, n in zip(phones, before, strict=True)):
        assert time.monotonic() < deadline, "phones are answered"
        time.sleep(0.02)


def _confirmed_events(phones: list[Phone]) -> tuple[int, int]:
    return sum(len(phone.typed_scores) for phone in phones), sum(
        len(phone.hands) for phone in phones
    )


def _await_readings(box: ServedBox, phones: list[Phone]) -> None:
    """Wait until every photograph that was confirmed is read, and its page shows it."""
    deadline = time.monotonic() + MAX_READING_S
    for hand in itertools.chain.from_iterable(phone.hands for phone in phones):
        while True:
            status, page = box.get(f"/hand/{hand}/")
            if status == 200 and "data-busy" not in page:
                break
            assert time.monotonic() < deadline, f"{hand} is read by itself: {status}"
            time.sleep(0.1)


def check(folder: Path, phones: list[Phone]) -> None:
    """Raise AssertionError unless the log has exactly what was confirmed, and whole."""
    with closing(Store(folder, reserve=0)) as store:
        assert not list(store.find_torn())
        events = store.of_kinds(ScoreTyped, PhotoTaken, ReadingMade)
        for phone in phones:
            scores = [
                each.event.score
                for each in events
                if isinstance(each.event, ScoreTyped)
                and each.event.player == evening.PLAYERS[phone.number]
            ]
            assert scores == phone.typed_scores, (
                f"phone {phone.number}: {describe_difference(scores, phone.typed_scores)}"
            )
        photos_by_hand = {
            each.stream: each.event for each in events if isinstance(each.event, PhotoTaken)
        }
        read = {each.stream for each in events if isinstance(each.event, ReadingMade)}
        confirmed_hands = set(itertools.chain.from_iterable(phone.hands for phone in phones))
        assert confirmed_hands <= photos_by_hand.keys() & read
        removed_names = {
            name for each in store.of_kinds(PhotosRemoved) for name in each.event.names
        }
        for hand in confirmed_hands:
            photo = photos_by_hand[hand].photo
            assert store.photo(photo.thumbnail)
            assert photo.original in removed_names or store.photo(
                photo.original
            )  # made room for others
        assert not list(folder.rglob(".half-*"))


def describe_difference(logged: list[int], reported: list[int]) -> str:
    """Return where two lists begin to differ, in words."""
    start = next((n for n, (a, b) in enumerate(zip(logged, reported)) if a != b), -1)  # noqa: B905
    return (
        f"kept {len(logged)} {logged[start:][:5]}, confirmed {len(reported)} {reported[start:][:5]}"
    )


def main() -> None:
    """Print what happened on each kind of card."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for number, name in enumerate(FAILURES):
            counts = play(
                name, Path(folder) / str(number), options.seconds, options.rounds, options.seed
            )
            say(f"{name}: {json.dumps(counts) if counts else 'may not be mounted'}")


if __name__ == "__main__":
    main()
