"""Measure the time from the hand's end to its accepted score: `python -m tests.prove.hand_time`.

20 hands that really lay on a table (`real_hands.tsv`, held out: no network was fitted to them),
each given in twice on a phone's page in Chromium, scripts on: by a photograph, which the real
networks read, and by touch. The winner says who went out and how. The player
compares each tile with the table before accepting, answers what is asked, and mends what is wrong.

Which sets are exposed cannot be told from the list of tiles: by touch they are entered as the
photograph was accepted. Two parts make the time: what the browser and this machine take, measured,
and a person's pauses, which are stated (`PAUSES_S`) and added, not waited for. `--patience 2`
doubles the pauses.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median

from device.hands.record import HandRecord
from device.hands.scoring import find_total
from device.matches.repository import MatchRepository
from models.train.shared_data import data_folder
from scorer import HandError, load_builtin, parse_hand, score_hand
from scorer.decompose.splits import Sets, split_into_sets
from scorer.tiles import BY_CODE
from tests.e2e.conftest import LiveServer, serving
from tests.e2e.engines import HEIGHT, WIDTH, Browser, browser
from tests.e2e.player import Player
from tests.e2e.tour import begin
from tests.prove.real_hands import RealHand, load_hands
from vision.reader import Reader

HAND_COUNT = 20

MAX_STEPS = 30
"""Answers and corrections for one hand: more than any needs."""

PAUSES_S = {
    "photograph": 8.0,  # lift the phone, aim, wait for a steady hand, release, confirm
    "expected": 1.3,  # a button that one expects: a mental step and a tap
    "key": 1.8,  # find a tile among the 42 keys, and tap
    "question": 3.0,  # read a question, look at the table, tap
    "compare": 0.5,  # compare one tile with the table
}
"""Seconds before a tap. A mental step of 1.35 s is that of Card, Moran and Newell's keystroke-level
model (1983); the photograph and the question are estimates."""

write = sys.stdout.write


@dataclass(slots=True)
class Person:
    """Counts taps, a person's pauses and what the machine takes."""

    player: Player
    patience: float
    taps: int = 0
    pause_s: float = 0.0
    machine_s: float = 0.0
    trail: list[str] = field(default_factory=list)
    """What was tapped."""

    def pause(self, name: str, count: int = 1) -> None:
        """Add a pause of `PAUSES_S`."""
        self.pause_s += self.patience * count * PAUSES_S[name]

    def tap(self, selector: str, pause: str, is_done: Callable[[], bool]) -> None:
        """Tap, and wait until what it leads to is there."""
        self.pause(pause)
        self.taps += 1
        self.trail.append(selector)
        with self.machine():
            self.player.tap(selector)
            self.player.wait_until(is_done, f"{selector} led nowhere")

    @contextmanager
    def machine(self) -> Iterator[None]:
        """Time what the machine does in the block."""
        start = time.perf_counter()
        yield
        self.machine_s += time.perf_counter() - start

    def is_there(self, selector: str) -> bool:
        """Return whether the page has such an element now."""
        return bool(self.player.browser.find_elements("css selector", selector))

    def html(self, selector: str) -> str:
        """Return what the page shows in a part."""
        script = "return document.querySelector(arguments[0])?.innerHTML ?? ''"
        return str(self.player.browser.execute_script(script, selector))


@dataclass(frozen=True, slots=True)
class HandTime:
    """What one hand took in one way."""

    taps: int
    pause_s: float
    machine_s: float
    total: int
    """The accepted score."""

    @property
    def seconds(self) -> float:
        """All of it."""
        return self.pause_s + self.machine_s


@dataclass(frozen=True, slots=True)
class CompleteHand:
    """A real hand that goes out, and how a player sees it."""

    hand: RealHand
    sets: Sets
    """The sets and the pair as they are entered."""


def count_chows(sets: Sets) -> int:
    """Return how many of the sets are chows."""
    return sum(tile_set.kind == "chow" for tile_set in sets)


def choose_hands() -> list[CompleteHand]:
    """Return the first hands that go out by British rules, of each second photograph."""
    hands = []
    for hand in load_hands():
        tiles = sorted(hand.tiles.elements())
        base = [code for code in tiles if not BY_CODE[code].is_bonus]
        bonus = [code for code in tiles if BY_CODE[code].is_bonus]
        splits = split_into_sets(base, sets=4, pairs=1, chows=4)
        sets = min(splits, key=count_chows, default=None)
        text = f"| {' '.join(base)} | {' '.join(bonus)} seat=E round=E won=wall"
        try:
            score_hand(parse_hand(text), load_builtin("bmja"))
        except HandError:
            continue
        if sets:
            hands.append(CompleteHand(hand, sets))
    return hands[::2][:HAND_COUNT]


def go_out(person: Person, live: LiveServer) -> None:
    """Say at the table who went out, and how; the page of the winner's hand is open then."""
    begin(live.url, seen=str(MatchRepository(live.hands.store).last_begun()))
    person.player.browser.delete_all_cookies()
    person.player.open(f"{live.url}/table/")
    person.player.tap("#who button[name=number][value='0']")
    person.player.see(".seat.mine.at-bottom")
    steps = (
        ("#bar .primary", ".felt .seat.at-bottom"),
        (".seat.at-bottom", "button[value=wall]"),
        ("button[value=wall]", "input[capture]"),
    )
    for selector, goal in steps:
        person.tap(selector, "expected", lambda goal=goal: person.is_there(goal))  # type: ignore[misc]


def read_codes(record: HandRecord) -> Counter[str]:
    """Return the tiles of the hand as the box has them."""
    places = [place for laid in record.assembled_hand.sets for place in laid.tiles]
    return Counter(str(record.tiles[place].code) for place in places)


def give_by_camera(person: Person, live: LiveServer, photo: Path, hand: CompleteHand) -> HandRecord:
    """Photograph the hand, answer, compare, mend and accept."""
    person.pause("photograph")
    person.taps += 2  # the button, and the camera's own release
    with person.machine():
        person.player.choose_photo(photo)
        person.player.see("#bar :is(.primary, .answers)")
    name = live.hands.recent(1)[0].id
    accept(person, live, name, hand)
    return live.hands.get(name)


def give_by_touch(
    person: Person, live: LiveServer, exposed: frozenset[str], hand: CompleteHand
) -> HandRecord:
    """Enter the hand set by set, compare and accept."""
    enter = "form[action*='/enter'] button"
    person.tap(enter, "expected", lambda: person.is_there("#keys .key"))
    for tile_set in sorted(
        hand.sets, key=lambda meld: (meld.tiles[0] not in exposed, meld.kind == "pair", meld.tiles)
    ):
        code = tile_set.tiles[0]
        choose(person, "row", "exposed" if code in exposed else "concealed")
        choose(person, "kind", tile_set.kind)
        enter_tile(person, code)
    for code in hand.hand.tiles:
        if BY_CODE[code].is_bonus:
            enter_tile(person, code)
    name = live.hands.recent(1)[0].id
    person.tap("#bar a", "expected", lambda: person.is_there("#strip"))
    accept(person, live, name, hand)
    return live.hands.get(name)


def choose(person: Person, field_name: str, value: str) -> None:
    """Choose on the keypad, unless it is chosen."""
    selector = f'#entry [name="{field_name}"][value="{value}"]'
    if not person.is_there(f"{selector}:checked"):
        label = f"#entry label:has({selector.removeprefix('#entry ')})"
        person.tap(label, "expected", lambda: person.is_there(f"{selector}:checked"))


def enter_tile(person: Person, code: str) -> None:
    """Tap a tile's key, and wait until the hand shows it."""
    before = person.html("#laid")
    person.tap(f"#key-{code} .key", "key", lambda: person.html("#laid") != before)


def accept(person: Person, live: LiveServer, name: str, hand: CompleteHand) -> None:
    """Answer questions, compare the tiles and mend them, until the score is accepted."""
    is_compared = False
    for _ in range(MAX_STEPS):
        record = live.hands.get(name)
        if record.is_agreed:
            return
        if answer := find_answer(person, record, hand):
            tap_on_page(person, answer, "question")
            continue
        if not is_compared:
            person.pause("compare", hand.hand.tiles.total())
            is_compared = True
        if read_codes(record) != hand.hand.tiles:
            mend(person, record, hand)
        else:
            button = "#bar [action*=right] button"
            person.tap(button, "expected", lambda: live.hands.get(name).is_agreed)
    raise AssertionError(f"{hand.hand.file} does not end: {person.trail}")


def find_answer(person: Person, record: HandRecord, hand: CompleteHand) -> str:
    """Return the selector of the true answer to the open question; empty for none."""
    extra = read_codes(record) - hand.hand.tiles
    block = record.block_in_question
    if block and person.is_there("#bar [name=own]"):
        codes = Counter(str(record.tiles[place].code) for place in block.tiles)
        is_own = not codes - (hand.hand.tiles - (read_codes(record) - codes))
        return f"#bar [name=own][value={'yes' if is_own else 'no'}]"
    if person.is_there("#bar [name=tiles]"):
        form = person.player.browser.find_element("css selector", "#bar button[name=tiles].primary")
        places = [int(place) for place in str(form.get_attribute("value")).split()]
        is_wrong = any(record.tiles[place].code in extra for place in places)
        return "" if is_wrong else "#bar button[name=tiles].primary"
    if extra or hand.hand.tiles - read_codes(record):
        return ""
    answers = (
        '#bar [name=winning_tile][value=""]',
        "#bar [name=mirrored][value=no]",
        "#bar [name=point]",
        "#bar [action*=all-right] button",
    )
    return next((answer for answer in answers if person.is_there(answer)), "")


def mend(person: Person, record: HandRecord, hand: CompleteHand) -> None:
    """Put one tile right: name it anew, leave it out, or add one that is missing."""
    codes = read_codes(record)
    extra, missing = codes - hand.hand.tiles, hand.hand.tiles - codes
    if not extra:
        code = next(iter(missing))
        raise AssertionError(f"{hand.hand.file}: {code} was not found")
    wrong = next(iter(extra))
    hand_places = (place for group in record.assembled_hand.sets for place in group.tiles)
    place = next(place for place in hand_places if record.tiles[place].code == wrong)
    right = next(iter(missing), "none")
    sheet = lambda: person.is_there("#sheet[open]")  # noqa: E731
    person.tap(f'.small-tile[data-tile="{place}"]', "question", sheet)
    tap_on_page(person, f'#sheet button[name=code][value="{right}"]', "key")


def tap_on_page(person: Person, selector: str, pause: str) -> None:
    """Tap, and wait until the bar has changed."""
    before = person.html("main") + person.html("#bar")
    person.tap(selector, pause, lambda: person.html("main") + person.html("#bar") != before)


def measure(
    phone: Browser, live: LiveServer, hand: CompleteHand, photo: Path, patience: float
) -> tuple[HandTime, HandTime]:
    """Give a hand in by its photograph, and in another match by touch."""
    by_camera, by_touch = (Person(Player(phone), patience) for _ in range(2))
    go_out(by_camera, live)
    photo_hand = give_by_camera(by_camera, live, photo, hand)
    exposed = frozenset(min(codes) for codes in photo_hand.assembled_hand.exposed)
    go_out(by_touch, live)
    typed_hand = give_by_touch(by_touch, live, exposed, hand)
    return _sum_up(by_camera, photo_hand), _sum_up(by_touch, typed_hand)


def _sum_up(person: Person, record: HandRecord) -> HandTime:
    total = find_total(record)
    assert total is not None, "it was accepted with a score"
    return HandTime(person.taps, person.pause_s, person.machine_s, total)


def print_times(name: str, times: list[HandTime]) -> None:
    """Print a line of the table."""
    seconds = [time_taken.seconds for time_taken in times]
    write(
        f"| {name} | {mean(t.taps for t in times):.1f} | {mean(t.pause_s for t in times):.0f} "
        f"| {mean(t.machine_s for t in times):.1f} | {median(seconds):.0f} | {max(seconds):.0f} |\n"
    )


def main() -> None:
    """Give in all hands both ways and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--patience", type=float, default=1.0, help="factor of a person's pauses")
    parser.add_argument("--hands", type=int, default=HAND_COUNT)
    args = parser.parse_args()
    folder = (data_folder() / "data/tiles/images").resolve()
    if not folder.is_dir():
        sys.exit(f"There are no photographs in {folder}. Set TONGBOX_DATA to where they are.")
    by_camera, by_touch = [], []
    reader = Reader.load()
    with browser(WIDTH, HEIGHT) as phone:
        for hand in choose_hands()[: args.hands]:
            with tempfile.TemporaryDirectory() as box, serving(Path(box)) as serve:
                path = folder / hand.hand.file
                photo, touch = measure(phone, serve(reader), hand, path, args.patience)
            by_camera.append(photo)
            by_touch.append(touch)
            write(
                f"{hand.hand.file}: camera {photo.taps} taps {photo.seconds:.0f} s, "
                f"touch {touch.taps} taps {touch.seconds:.0f} s, "
                f"scores {photo.total} and {touch.total}\n"
            )
            sys.stdout.flush()
    write("| way | taps, mean | pauses, s | machine, s | all: median, s | at most, s |\n")
    write("|---|---|---|---|---|---|\n")
    print_times("camera", by_camera)
    print_times("touch", by_touch)


if __name__ == "__main__":
    main()
