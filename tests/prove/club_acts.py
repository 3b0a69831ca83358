"""Change what a table plays: one phone alone, or two at the same moment.

Where the box is killed before it answers, a phone does as a player would: it looks, and goes on.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from urllib.parse import urlsplit

from tests.device.page import Page
from tests.prove.club_notes import Notes
from tests.prove.club_phone import Answer, GoneError, Phone
from tests.prove.club_room import Room


class UntoldError(Exception):
    """A table cannot go on."""


@dataclass(frozen=True, slots=True)
class Look:
    """The state of the match, as a phone's table shows it."""

    status: int
    stage: str
    done: str
    """Number of the last change; empty without one."""
    undone: str


class TableInUse:
    """A table's phones, with notes of what was confirmed to them."""

    def __init__(self, room: Room, number: int, phones: list[Phone], notes: Notes) -> None:
        self.room, self.number, self.phones, self.notes = room, number, phones, notes
        self.rng = random.Random(f"{room.plan.seed} {number}")

    def _look(self) -> Look:
        answer = self.phones[0].get("/table/")
        page = answer.page
        stage = next(iter(page.attributes("data-stage")), "")
        return Look(answer.status, stage, _last_change(page, "undo"), _last_change(page, "redo"))

    def _once(self, send: Callable[[], Answer]) -> Answer | None:
        """Send once; return None where the box was killed."""
        try:
            return send()
        except GoneError:
            return None

    def _until(self, phone: Phone, path: str, **fields: object) -> list[Answer]:
        """Send what may be sent twice until it is answered; return the answer."""
        while (answer := self._once(lambda: phone.post(path, **fields))) is None:
            pass
        return [answer]

    def _change(self, page: str, path: str, kind: str, wanted: int = 303, **fields: object) -> int:
        """Change the match; after a kill, look whether it was kept. Return the status."""
        phone, before = self.rng.choice(self.phones[: len(self.notes.state.names)]), self._look()
        while True:
            seen = self._seen(phone, page) if wanted == 303 else "0"
            answer = self._once(lambda seen=seen: phone.post(path, **fields, seen=seen))  # type: ignore[misc]
            if answer:
                break
            if self._look() != before:
                self.room.count("found kept after a kill")
                answer = Answer(303, "", "")
                break
        if answer.status != wanted:
            self.room.fault(f"{self._here()} {path} {fields}: {answer.status}, not {wanted}")
        if answer.status == 303:
            self.notes.write(kind)
        return answer.status

    def _clash(
        self,
        page: str,
        path: str,
        kind: str,
        one: dict[str, object],
        other: dict[str, object],
        *,
        led: bool = False,
    ) -> int | None:
        """Send two forms from two phones at the same moment, until one is kept; return which.

        None if a kill hides which one it was. With `led` the second phone is sent on to what the
        first one did; otherwise it hears that it came too late.
        """
        places = self.rng.sample(range(min(4, len(self.notes.state.names))), k=2)
        phones, before = [self.phones[n] for n in places], self._look()
        while True:
            seen = [self._seen(phone, page) for phone in phones]
            with ThreadPoolExecutor(2) as pool:
                tasks = [
                    pool.submit(self._once, lambda p=p, f=f, s=s: p.post(path, **f, seen=s))  # type: ignore[misc]
                    for p, f, s in zip(phones, (one, other), seen, strict=True)
                ]
            answers = [task.result() for task in tasks]
            kept = [n for n, answer in enumerate(answers) if answer and answer.status == 303]
            refused = [n for n, answer in enumerate(answers) if answer and answer.status == 409]
            if None not in answers:
                self.room.count("clashes")
                self.room.count("of two that clashed, told", len(refused))
                if len(kept) + len(refused) != 2 or not kept or (len(kept) == 2 and not led):
                    said = [answer.status for answer in answers if answer]
                    self.room.fault(f"{self._here()} {path} from two phones at once: {said}")
            if kept or self._look() != before:
                self.notes.write(kind)
                return kept[0] if kept else None
            if None not in answers:
                raise UntoldError(f"{self._here()} {path}: nothing was kept, again and again")

    def _seen(self, phone: Phone, page: str) -> str:
        """Return the version in a page's form; report a fault for a form without one."""
        shown = phone.get(page)
        if shown.seen == "0" and page != "/table/":
            what = f"{shown.status} {shown.where} of {phone.program.name}, {shown.text[-800:]!r}"
            self.room.fault(f"{self._here()} the form of {page} names no version: {what}")
        return shown.seen

    def _here(self) -> str:
        deal = self.notes.deal.number
        return f"table {self.number}, match {self.notes.match}, before deal {deal}:"


def _last_change(page: Page, what: str) -> str:
    """Return the number of the change that a form undoes or does again; empty without one."""
    for form in page.forms:
        if urlsplit(form.action).path.endswith(f"/{what}"):
            return next((value for name, value, _ in form.buttons if name == "seq"), "")
    return ""
