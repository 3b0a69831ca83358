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
    undo_number: str
    """Number of the last change; empty without one."""
    redo_number: str


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

    def _send_once(self, send: Callable[[], Answer]) -> Answer | None:
        """Send once; return None where the box was killed."""
        try:
            return send()
        except GoneError:
            return None

    def _post_until_answered(self, phone: Phone, path: str, **fields: object) -> list[Answer]:
        """Send what may be sent twice until it is answered; return the answer."""
        while (answer := self._send_once(lambda: phone.post(path, **fields))) is None:
            pass
        return [answer]

    def _change(
        self, page: str, path: str, kind: str, expected_status: int = 303, **fields: object
    ) -> int:
        """Change the match; after a kill, look whether it was kept. Return the status."""
        phone, before = self.rng.choice(self.phones[: len(self.notes.state.names)]), self._look()
        while True:
            version = self._form_version(phone, page) if expected_status == 303 else "0"
            answer = self._send_once(lambda v=version: phone.post(path, **fields, seen=v))  # type: ignore[misc]
            if answer:
                break
            if self._look() != before:
                self.room.count("found kept after a kill")
                answer = Answer(303, "", "")
                break
        if answer.status != expected_status:
            self.room.fault(
                f"{self._location()} {path} {fields}: {answer.status}, not {expected_status}"
            )
        if answer.status == 303:
            self.notes.write(kind)
        return answer.status

    def _clash(
        self,
        page: str,
        path: str,
        kind: str,
        form: dict[str, object],
        other: dict[str, object],
        *,
        redirect: bool = False,
    ) -> int | None:
        """Send two forms from two phones at the same moment, until one is kept; return which.

        None if a kill hides which one it was. With `redirect` the second phone is sent on to
        what the first one did; otherwise it hears that it came too late.
        """
        places = self.rng.sample(range(min(4, len(self.notes.state.names))), k=2)
        phones, before = [self.phones[n] for n in places], self._look()
        while True:
            versions = [self._form_version(phone, page) for phone in phones]
            with ThreadPoolExecutor(2) as pool:
                tasks = [
                    pool.submit(self._send_once, lambda p=p, f=f, s=s: p.post(path, **f, seen=s))  # type: ignore[misc]
                    for p, f, s in zip(phones, (form, other), versions, strict=True)
                ]
            answers = [task.result() for task in tasks]
            accepted = [n for n, answer in enumerate(answers) if answer and answer.status == 303]
            refusals = [n for n, answer in enumerate(answers) if answer and answer.status == 409]
            if None not in answers:
                self.room.count("clashes")
                self.room.count("of two that clashed, told", len(refusals))
                if (
                    len(accepted) + len(refusals) != 2
                    or not accepted
                    or (len(accepted) == 2 and not redirect)
                ):
                    statuses = [answer.status for answer in answers if answer]
                    self.room.fault(
                        f"{self._location()} {path} from two phones at once: {statuses}"
                    )
            if accepted or self._look() != before:
                self.notes.write(kind)
                return accepted[0] if accepted else None
            if None not in answers:
                raise UntoldError(f"{self._location()} {path}: nothing was kept, again and again")

    def _form_version(self, phone: Phone, page: str) -> str:
        """Return the version in a page's form; report a fault for a form without one."""
        answer = phone.get(page)
        if answer.seen == "0" and page != "/table/":
            description = (
                f"{answer.status} {answer.where} of {phone.program.name}, {answer.text[-800:]!r}"
            )
            self.room.fault(
                f"{self._location()} the form of {page} names no version: {description}"
            )
        return answer.seen

    def _location(self) -> str:
        deal = self.notes.deal.number
        return f"table {self.number}, match {self.notes.match}, before deal {deal}:"


def _last_change(page: Page, kind: str) -> str:
    """Return the number of the change that a form undoes or does again; empty without one."""
    for form in page.forms:
        if urlsplit(form.action).path.endswith(f"/{kind}"):
            return next((value for name, value, _ in form.buttons if name == "seq"), "")
    return ""
