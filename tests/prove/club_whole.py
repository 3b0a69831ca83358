"""A whole table by one photograph: the reader that sees four hands in it, and the phone's taps."""

from __future__ import annotations

import time
from collections.abc import Mapping

from tests.device.fake_reader import WINNING, FakeReader, Group, lay
from tests.device.fake_table import lay_round
from tests.prove.club_giving import right_by_itself
from tests.prove.club_notes import PHOTO, Notes
from tests.prove.club_phone import AGAIN, BUSY, Phone, unlike
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


def reader() -> FakeReader:
    """Return a reader that sees one hand on a photograph of one, and these on one of a table."""
    made = FakeReader()
    made.table = dict(_READINGS)
    return made


def give_whole(phone: Phone, notes: Notes, winner: int, won_by: str) -> dict[int, int]:
    """Photograph all hands at once and say that they are right; return what each came to."""
    seated = [int(player) for player in notes.deal.seats.values()]
    around = seated[seated.index(winner) :] + seated[: seated.index(winner)]
    texts = dict(zip(around, (text for text, _ in HANDS.values()), strict=True))
    scores = {n: notes.score(text, n, winner, won_by) for n, text in texts.items()}
    room, until = phone.room, time.monotonic() + LONGEST_READING
    while BUSY in (answer := phone.send_photo("/table/whole/", unlike(PICTURE))).text:
        time.sleep(AGAIN)
    page = answer.where
    while "data-busy" in phone.get(page).text and time.monotonic() < until:
        time.sleep(AGAIN / 3)
    said = phone.post(f"{page}/bottom", number=winner)
    while "data-busy" in (shown := phone.get(page)).text and time.monotonic() < until:
        time.sleep(AGAIN / 3)
    right = phone.post(f"{page}/right", seen=shown.seen)
    if (said.status, right.status) != (303, 303):
        room.fault(f"{notes.match} {page}: {said.status}, {right.status}")
    if right.where != "/table/settle":  # who won by a discard is asked about by itself
        right_by_itself(phone, notes, winner, phone.get(f"/table/hand/{winner}").hidden("instead"))
    room.count("whole tables photographed")
    return scores
