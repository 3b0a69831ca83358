"""A whole table by one photograph: the reader that sees four hands in it, and the phone's taps."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from tests.device.fake_reader import WINNING, FakeReader, Group, lay
from tests.device.fake_table import lay_round
from tests.prove.club_giving import right_by_itself
from tests.prove.club_notes import PHOTO, Notes
from tests.prove.club_phone import AGAIN, BUSY, Answer, GoneError, Phone, unlike
from vision.reading import Side

LONGEST_READING = 60.0
"""Seconds."""

HANDS: Mapping[Side, tuple[str, tuple[Group, ...]]] = {
    "bottom": (PHOTO, WINNING),
    "right": (
        "C777 | B345 O222 WNN B7 B9 |",
        (("exposed", "C7 C7 C7"), ("concealed", "B3 B4 B5 O2 O2 O2 WN WN B7 B9")),
    ),
    "top": (
        "DGGG | C123 C66 C8 B11 O5 O8 |",
        (("exposed", "DG DG DG"), ("concealed", "C1 C2 C3 C6 C6 C8 B1 B1 O5 O8")),
    ),
    "left": (
        "| O123 C44 B66 B8 WSS DWW O7 |",
        (("concealed", "O1 O2 O3 C4 C4 B6 B6 B8 WS WS DW DW O7"),),
    ),
}
"""The hand text on each side, in the order of play from whoever went out; and how it lies."""

_READINGS, PICTURE = lay_round({side: lay(groups) for side, (_, groups) in HANDS.items()})


def lay_on(reader: FakeReader) -> FakeReader:
    """Let a reader see one hand on a photograph of one, and these on one of a table."""
    reader.table = dict(_READINGS)
    return reader


def reader() -> FakeReader:
    """Return such a reader."""
    return lay_on(FakeReader())


def give_whole(phone: Phone, notes: Notes, winner: int, won_by: str) -> dict[int, int]:
    """Photograph all hands at once and say that they are right; return what each came to."""
    seated = [int(player) for player in notes.deal.seats.values()]
    around = seated[seated.index(winner) :] + seated[: seated.index(winner)]
    texts = dict(zip(around, (text for text, _ in HANDS.values()), strict=True))
    scores = {n: notes.score(text, n, winner, won_by) for n, text in texts.items()}
    page = _photographed(phone)
    notes.tables.append(page.split("/")[-1])
    _read(phone, page)
    _sent(phone, f"{page}/bottom", lambda: {"number": winner})
    _read(phone, page)  # of a photograph that was read by then
    right = _sent(phone, f"{page}/right", lambda: {"seen": phone.get(page).seen})
    if right.where != "/table/settle":  # who won by a discard is asked about by itself
        right_by_itself(phone, notes, winner, phone.get(f"/table/hand/{winner}").hidden("instead"))
    phone.room.count("whole tables photographed")
    return scores


def _photographed(phone: Phone) -> str:
    """Photograph the table until that is taken in; return the photograph's page.

    Of one that a kill cut off nobody knows the page: the player takes another.
    """
    while True:
        try:
            answer = phone.send_photo("/table/whole/", unlike(PICTURE))
        except GoneError:
            phone.room.count("whole tables photographed once more after a kill")
            continue
        if BUSY not in answer.text:
            return answer.where
        time.sleep(AGAIN)


def _read(phone: Phone, page: str) -> None:
    """Wait until a photograph is read; one whose readers were killed is to be read again."""
    room, since = phone.room, time.monotonic()
    while "data-busy" in (shown := phone.get(page)).text or f"{page}/again" in shown.text:
        if f"{page}/again" in shown.text:
            room.count("whole tables asked to be read again")
            _sent(phone, f"{page}/again", dict)
        if (now := time.monotonic()) - since - room.lost(
            phone.program, since, now
        ) > LONGEST_READING:
            room.fault(f"{page} was not read within {LONGEST_READING:.0f} s")
            return
        time.sleep(AGAIN / 3)


def _sent(phone: Phone, path: str, form: Callable[[], dict[str, object]]) -> Answer:
    """Send what may be sent twice until it is answered."""
    while True:
        try:
            answer = phone.post(path, **form())
        except GoneError:
            continue
        if answer.status != 303:
            phone.room.fault(f"{path}: {answer.status}")
        return answer
