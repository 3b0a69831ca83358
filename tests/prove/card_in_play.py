"""Proof that a card which fills up or takes nothing while phones play loses nothing.

    python -m tests.prove.card_in_play [--seconds 20] [--rounds 3]

A box is served from a small disk of its own (needs root). Four phones type scores, send photographs
and look at the table without a pause, while the card is filled to the last byte, or to where only
photographs are refused, or takes no writing, and is mended again. Each answer is noted: what was
confirmed must be in the log, in order, and what was refused must be refused in words and not be
there. Pages answer throughout; after the mend play goes on by itself, and all photographs are read.
A card with an error that the system itself turns read-only cannot be mended while it is in use:
there the box is started again on the card as it is after a check.
"""

from __future__ import annotations

import argparse
import http.client
import itertools
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from device.store import Store
from device.store.events import PhotosRemoved, PhotoTaken, ReadingMade, ScoreTyped
from device.store.store import RESERVED_BYTES
from tests.device import evening
from tests.device.fake_reader import FakeReader, picture
from tests.device.serving import Served, served
from tests.prove.filling import small_disk

Undo = Callable[[], None]

DISK_BYTES = RESERVED_BYTES + 2**24

NO_ROOM, NO_WRITE = "has no room left", "cannot write to its card"
"""What a phone is told with status 507."""

READ_WITHIN_S = 60.0

DONE_WITHIN_S = 60.0
"""Seconds in which a phone does everything twice."""

TYPED_FOR_A_PHOTOGRAPH = 3


class Spoilt(NamedTuple):
    """A way in which a card is no use for a while."""

    disk: Callable[[Path], AbstractContextManager[bool]]
    """Mounts it for as long as the block lasts, and gives whether that is allowed."""
    spoil: Callable[[Path], Undo | None]
    """Returns what mends it; None where only a new mount does."""
    words: str
    takes_scores: bool | None = False
    """None where it takes some: those for which the log has room in its own files."""


@dataclass
class Phone:
    """A player's phone, and what was answered to it."""

    port: int
    number: int
    chance: random.Random
    typed: list[int] = field(default_factory=list)
    """Scores that were confirmed, in order."""
    hands: list[str] = field(default_factory=list)
    """Photographs that were confirmed."""
    refused: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    rounds: int = 0
    """How often it has done everything."""
    _asked: Iterator[int] = field(default_factory=itertools.count)
    _score: int = 0

    @property
    def player(self) -> str:
        """Whose scores it types."""
        return evening.PLAYERS[self.number]

    def play(self, over: threading.Event) -> None:
        """Look, type and photograph until it is over."""
        while not over.is_set():
            try:
                self._photograph()
                for _ in range(TYPED_FOR_A_PHOTOGRAPH):
                    self._look()
                    self._type()
            except (OSError, http.client.HTTPException) as error:
                self.faults.append(f"no answer: {error!r}")
            self.rounds += 1
            over.wait(0.02)

    def _look(self) -> None:
        status, _, text = self.ask("GET", self.chance.choice(("/table/", "/table/history", "/")))
        if status not in (200, 302) or (status == 200 and "<main" not in text):
            self.faults.append(f"{status} to a look")

    def _type(self) -> None:
        self._score = self._score % 900 + 2
        form = urlencode({"score": self._score}).encode()
        kind = "application/x-www-form-urlencoded"
        if self._kept("a score", *self.ask("POST", f"/table/hand/{self.number}/score", form, kind)):
            self.typed.append(self._score)

    def _photograph(self) -> None:
        cloth = f"#{self.chance.randrange(2**24):06x}"
        data = picture(FakeReader().reading, cloth=cloth)
        head = '--b\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
        body = head.encode() + data + b"\r\n--b--\r\n"
        answer = self.ask(
            "POST", f"/table/hand/{self.number}", body, "multipart/form-data; boundary=b"
        )
        if self._kept("a photograph", *answer):
            self.hands.append(answer[1].split("/")[2])

    def _kept(self, what: str, status: int, where: str, text: str) -> bool:
        """Whether something was confirmed; note it where it was not."""
        said = " ".join(text.split())
        words = next((each for each in (NO_ROOM, NO_WRITE) if each in said), "")
        if status == 507 and words:
            self.refused[f"{what}: {words}"] += 1
        elif status == 503 and "Too many" in said:
            self.refused[f"{what}: busy"] += 1
        elif status != 303:
            self.faults.append(f"{status} to {what}: {said[-300:]}")
        return status == 303

    def ask(
        self, method: str, path: str, body: bytes = b"", kind: str = ""
    ) -> tuple[int, str, str]:
        """Return status, where it leads, and text; each few requests from another address."""
        address = f"127.9.{self.number + 1}.{1 + next(self._asked) // 60 % 250}"
        line = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=20, source_address=(address, 0)
        )
        with closing(line):
            line.request(method, path, body or None, {"Content-Type": kind} if kind else {})
            answer = line.getresponse()
            return answer.status, answer.headers.get("Location", ""), answer.read().decode()


def fill(disk: Path, leave: int = 0) -> Undo:
    """Leave no room on a disk, or so many bytes."""
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
    return fill(disk, RESERVED_BYTES // 2)


def forbid_writing(disk: Path) -> Undo:
    """Let no file of the box be changed, and none be made, by ext4's flag for that.

    Without the file by which SQLite shares memory: that it is mapped is no writing, and a card that
    fails leaves it alone, too.
    """
    box = disk / "box"
    own = [path for path in (box, *box.rglob("*")) if not path.name.endswith("-shm")]
    _run("chattr", "-f", "+i", *own)
    return lambda: _run("chattr", "-R", "-i", box)


def fail(disk: Path) -> None:
    """Let the system find an error on the card, at which it takes nothing any more."""
    found = subprocess.run(("findmnt", "-no", "SOURCE", disk), capture_output=True, check=True)
    device = Path(found.stdout.decode().strip()).name
    Path(f"/sys/fs/ext4/{device}/trigger_fs_error").write_text("1", "ascii")


@contextmanager
def tmpfs(folder: Path) -> Iterator[bool]:
    """Mount a small disk in memory; say whether that is allowed."""
    with small_disk(folder, DISK_BYTES) as mounted:
        yield mounted


@contextmanager
def card(folder: Path) -> Iterator[bool]:
    """Mount a small card with the file system of a Raspberry Pi; say whether that is allowed."""
    image = folder.with_suffix(".img")
    if not image.exists():
        with image.open("wb") as file:
            file.truncate(2 * DISK_BYTES)
        _run("mkfs.ext4", "-q", "-F", image)
    asked = ("mount", "-o", "loop,errors=remount-ro", str(image), str(folder))
    try:
        mounted = subprocess.run(asked, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        mounted = False
    try:
        yield mounted
    finally:
        if mounted:
            _run("umount", folder)


def _run(*words: object) -> None:
    subprocess.run(tuple(map(str, words)), check=True)


SPOILT: dict[str, Spoilt] = {
    "full": Spoilt(tmpfs, fill, NO_ROOM, takes_scores=None),
    "no room for photographs": Spoilt(
        tmpfs, leave_no_room_for_photographs, NO_ROOM, takes_scores=True
    ),
    "forbidden": Spoilt(card, forbid_writing, NO_WRITE),
    "failed": Spoilt(card, fail, NO_WRITE),
}


def play(
    name: str, folder: Path, seconds: float, rounds: int, seed: int = 1, players: int = 4
) -> Counter[str]:
    """Play on such a card; return how often what happened, or nothing where none may be mounted.

    Raises AssertionError for what was lost, kept though it was refused, or answered otherwise.
    """
    how = SPOILT[name]
    folder.mkdir()
    with how.disk(folder) as mounted:
        if not mounted:
            return Counter()
        with served(folder / "box") as box:
            phones = [Phone(box.port, n, random.Random(f"{seed} {n}")) for n in range(players)]
            _begin(phones[0])
            with _playing(phones):
                for _ in range(1 if how.spoil is fail else rounds):
                    _spoil_and_mend(how, folder, box, phones, seconds)
            if how.spoil is not fail:
                _await_readings(box, phones)
        if how.spoil is not fail:
            check(folder / "box", phones)
    if how.spoil is fail:
        subprocess.run(
            ("e2fsck", "-p", folder.with_suffix(".img")), capture_output=True, check=False
        )
        with how.disk(folder), served(folder / "box") as box:
            _await_readings(box, phones)
            assert box.get("/table/")[0] == 200
            for phone in phones:
                phone.port = box.port
        with how.disk(folder):
            check(folder / "box", phones)
    counts = sum((phone.refused for phone in phones), Counter[str]())
    counts["scores confirmed"] = sum(len(phone.typed) for phone in phones)
    counts["photographs confirmed"] = sum(len(phone.hands) for phone in phones)
    return counts


def _begin(phone: Phone) -> None:
    fields = {f"player{n}": name for n, name in enumerate(evening.PLAYERS)}
    form = urlencode({**fields, "ruleset": "bmja", "limit": "1000"}).encode()
    kind = "application/x-www-form-urlencoded"
    assert phone.ask("POST", "/match/new", form, kind)[0] == 303
    assert phone.ask("POST", "/table/winner", b"who=0&won_by=wall", kind)[0] == 303


@contextmanager
def _playing(phones: list[Phone]) -> Iterator[None]:
    over = threading.Event()
    threads = [threading.Thread(target=phone.play, args=(over,)) for phone in phones]
    for each in threads:
        each.start()
    try:
        yield
    finally:
        over.set()
        for each in threads:
            each.join()
        faults = Counter(itertools.chain.from_iterable(phone.faults for phone in phones))
        assert not faults, faults.most_common(5)


def _spoil_and_mend(
    how: Spoilt, folder: Path, box: Served, phones: list[Phone], seconds: float
) -> None:
    _play_on(phones, seconds / 2)
    with ExitStack() as undo:
        if mend := how.spoil(folder):
            undo.callback(mend)
        _play_on(phones, 0)  # what was under way is answered
        for phone in phones:
            phone.refused.clear()
        typed, photographed = _confirmed(phones)
        _play_on(phones, seconds)
        status, history = box.get("/table/history")
        assert (status, "Ann" in history) == (200, True), "what there is is shown"
        after = _confirmed(phones)
        assert after[1] == photographed, "no photograph is taken"
        taken = None if how.takes_scores is None else after[0] > typed
        assert taken is how.takes_scores, "scores are taken where there is room"
        for phone in phones:
            assert phone.refused[f"a photograph: {how.words}"] > 0
            assert phone.refused[f"a score: {how.words}"] > 0 or how.takes_scores is not False
    if mend:
        before = [(len(phone.typed), len(phone.hands)) for phone in phones]
        _play_on(phones, 0)
        for phone, (scores, hands) in zip(phones, before, strict=True):
            assert len(phone.typed) > scores, "scores are taken again"
            assert len(phone.hands) > hands, "and photographs"


def _play_on(phones: list[Phone], seconds: float) -> None:
    """Let every phone do everything at least once from now on, and so for some seconds."""
    time.sleep(seconds)
    before = [phone.rounds for phone in phones]
    until = time.monotonic() + DONE_WITHIN_S
    while not all(phone.rounds > n + 1 for phone, n in zip(phones, before, strict=True)):
        assert time.monotonic() < until, "phones are answered"
        time.sleep(0.02)


def _confirmed(phones: list[Phone]) -> tuple[int, int]:
    return sum(len(phone.typed) for phone in phones), sum(len(phone.hands) for phone in phones)


def _await_readings(box: Served, phones: list[Phone]) -> None:
    """Wait until every photograph that was confirmed is read, and its page shows it."""
    until = time.monotonic() + READ_WITHIN_S
    for hand in itertools.chain.from_iterable(phone.hands for phone in phones):
        while True:
            status, page = box.get(f"/hand/{hand}/")
            if status == 200 and "data-busy" not in page:
                break
            assert time.monotonic() < until, f"{hand} is read by itself: {status}"
            time.sleep(0.1)


def check(folder: Path, phones: list[Phone]) -> None:
    """Raise AssertionError where the log has not just what was confirmed, or not whole."""
    with closing(Store(folder, reserve=0)) as store:
        assert not list(store.torn())
        events = store.of_kinds(ScoreTyped, PhotoTaken, ReadingMade)
        for phone in phones:
            typed = [
                each.event.score
                for each in events
                if isinstance(each.event, ScoreTyped)
                and each.event.player == evening.PLAYERS[phone.number]
            ]
            assert typed == phone.typed, f"phone {phone.number}: {apart(typed, phone.typed)}"
        taken = {each.stream: each.event for each in events if isinstance(each.event, PhotoTaken)}
        read = {each.stream for each in events if isinstance(each.event, ReadingMade)}
        confirmed = set(itertools.chain.from_iterable(phone.hands for phone in phones))
        assert confirmed <= taken.keys() & read
        gone = {name for each in store.of_kinds(PhotosRemoved) for name in each.event.names}
        for hand in confirmed:
            photo = taken[hand].photo
            assert store.photo(photo.thumbnail)
            assert photo.original in gone or store.photo(photo.original)  # made room for others
        assert not list(folder.rglob(".half-*"))


def apart(kept: list[int], confirmed: list[int]) -> str:
    """Return where two lists begin to differ."""
    at = next((n for n, (a, b) in enumerate(zip(kept, confirmed)) if a != b), -1)  # noqa: B905
    return f"kept {len(kept)} {kept[at:][:5]}, confirmed {len(confirmed)} {confirmed[at:][:5]}"


def main() -> None:
    """Print what happened on each kind of card."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--seconds", type=float, default=20.0)
    asked.add_argument("--rounds", type=int, default=3)
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for number, name in enumerate(SPOILT):
            counts = play(name, Path(folder) / str(number), given.seconds, given.rounds, given.seed)
            sys.stdout.write(f"{name}: {json.dumps(counts) if counts else 'may not be mounted'}\n")


if __name__ == "__main__":
    main()
