"""Give in four hands by one photograph of the whole table."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from tests.device.fake_reader import WINNING, FakeReader, Group, lay
from tests.device.fake_table import lay_round
from tests.prove.club_giving import confirm_hand
from tests.prove.club_notes import PHOTO, Notes
from tests.prove.club_phone import RETRY_S, Answer, GoneError, Phone, is_busy, make_unique_photo
from vision.reading import Side

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
"""Hand text and layout on each side, in the order of play from the winner."""

_READINGS, PICTURE = lay_round({side: lay(groups) for side, (_, groups) in HANDS.items()})


def lay_on(reader: FakeReader) -> FakeReader:
    """Let a reader see these hands on a photograph of the whole table."""
    reader.table = dict(_READINGS)
    return reader


def reader() -> FakeReader:
    """Return a reader that sees these hands on a photograph of the whole table."""
    return lay_on(FakeReader())


def give_whole(phone: Phone, notes: Notes, winner: int, won_by: str) -> dict[int, int]:
    """Photograph all hands at once and confirm them; return each player's score."""
    players = [int(player) for player in notes.deal.seats.values()]
    order = players[players.index(winner) :] + players[: players.index(winner)]
    texts = dict(zip(order, (text for text, _ in HANDS.values()), strict=True))
    scores = {n: notes.score(text, n, winner, won_by) for n, text in texts.items()}
    page = _photograph_table(phone)
    notes.tables.append(page.split("/")[-1])
    _await_reading(phone, page)
    _send(phone, f"{page}/bottom", lambda: {"number": winner})
    _await_reading(phone, page)  # of a photograph that was read by then
    right = _send(phone, f"{page}/right", lambda: {"seen": phone.get(page).seen})
    if right.where != "/table/settle":  # who won by a discard is asked about by itself
        hand = phone.get(f"/table/hand/{winner}").hidden_field("instead")
        # After a kill another photograph of this table may be read only now.
        phone.await_reading(f"/hand/{hand}/", lambda answer: not answer.page.all("[data-busy]"))
        confirm_hand(phone, notes, winner, hand)
    phone.room.count("whole tables photographed")
    return scores


def _photograph_table(phone: Phone) -> str:
    """Photograph the table until a photograph is accepted; return its page.

    After a kill nobody knows the page, so the player takes another photograph.
    """
    while True:
        try:
            answer = phone.send_photo("/table/whole/", make_unique_photo(PICTURE))
        except GoneError:
            phone.room.count("whole tables photographed once more after a kill")
            continue
        if not is_busy(answer.text):
            return answer.where
        time.sleep(RETRY_S)


def _await_reading(phone: Phone, page: str) -> None:
    """Wait until a photograph is read; ask again if its readers were killed."""

    def is_read(answer: Answer) -> bool:
        is_given_up = f"{page}/again" in answer.text
        if is_given_up:
            phone.room.count("whole tables asked to be read again")
            _send(phone, f"{page}/again")
        return not is_given_up and not answer.page.all("[data-busy]")

    phone.await_reading(page, is_read)


def _send(phone: Phone, path: str, form: Callable[[], dict[str, object]] = dict) -> Answer:
    """Send a form until it is answered, filled in anew each time; any answer but 303 is a fault."""
    while True:
        try:
            answer = phone.post(path, **form())
        except GoneError:
            continue
        if answer.status != 303:
            phone.room.fault(f"{path}: {answer.status}")
        return answer
