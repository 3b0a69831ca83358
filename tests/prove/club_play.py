"""Play one table's evening as its phones do, and note everything that was confirmed to them.

Where the box is killed before it answers, a phone does as a player would: it looks, and goes on.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from scorer.match.entries import Charge, WashOut, WonDeal
from tests.device.page import Page
from tests.prove.club_acts import TableInUse
from tests.prove.club_giving import give_in
from tests.prove.club_notes import RULES, Notes, State, begin_notes
from tests.prove.club_phone import MAX_STALE_S, GoneError, Phone
from tests.prove.club_room import Room
from tests.prove.club_whole import give_whole

NAMES = (("Ann", "Bob", "Cy", "Di", "Eve"), ("Ann", "Bob", "Dora", "Élise", "王芳"))
"""From table to table in turn: at two tables sit players of one name."""

WAYS_OF_WINNING = ("wall", "discard")

WASH_OUT_SHARE = 0.08
"""How often nobody goes out."""

WHOLE_TABLE_SHARE = 0.25
"""How often all hands are photographed at once, where four play by rules that know those hands."""

CLASH_SHARE = 0.5
"""How often two phones do the same at once."""


class TableEvening(TableInUse):
    """One table, its phones and its notes."""

    def __init__(self, room: Room, number: int) -> None:
        rules = RULES[number % len(RULES)]
        phones = [Phone(room, number, place) for place in range(max(4, rules.players))]
        notes = begin_notes("", rules, NAMES[number % 2][: rules.players])
        super().__init__(room, number, phones, notes)
        self.all: list[Notes] = []
        """Every match that was played here."""
        self._before: list[tuple[State, str]] = []
        """What was there before the last thing that was done, and what that was."""

    def play(self) -> None:
        """Lay the table, and play a match on it to its end, and a short one after it."""
        self._lay()
        self._begin()
        for _ in range(self.room.plan.deals):
            self._play_deal()
        self._end()
        self._play_again()

    def play_on(self, notes: Notes, deals: int) -> None:
        """Play a match that has begun here without these phones; somebody else ends it."""
        self.notes, self._before = notes, []
        self._arrive()
        for _ in range(deals):
            self._play_deal()
        while not self.notes.state.game.course.rows:  # all were taken back, or struck out
            self._play_deal()

    def _lay(self) -> None:
        """Lay the table, ask for a PIN at every third, and sit all phones down by the code."""
        name, phone = f"Table {self.number + 1}", self.phones[0]
        while True:
            answer = self._send_once(lambda: phone.post("/club/tables/", name=name))
            if answer and answer.status == 303:
                table = answer.where.split("/")[3]
            elif links := _table_links(phone.get("/club/tables/").page, name):
                table = links[0].split("/")[3]
            else:
                continue
            break
        self.notes.table, pin = table, ""
        if self.number % 3 == 1:
            while not pin:
                self._send_once(lambda: phone.post(f"/club/tables/{table}/pin", pin="new"))
                pin = "".join(phone.get(f"/club/tables/{table}/").page.texts(".pin"))
        for other_phone in self.phones:
            while "table" not in other_phone.cookies or (
                pin and other_phone is not phone and not _knows_pin(other_phone)
            ):
                other_phone.get(f"/at/{table}/")
                if pin:
                    self._send_once(lambda each=other_phone: each.post(f"/at/{table}/", pin=pin))  # type: ignore[misc]

    def _begin(self) -> None:
        names = {f"player{n}": name for n, name in enumerate(self.notes.state.names)}
        fields = {**names, **self.notes.rules.form}
        while self._look().status != 200:
            answer = self._send_once(lambda: self.phones[0].post("/match/new", **fields))
            if answer and answer.status != 303:
                self.room.fault(f"table {self.number}: no match begins: {answer.status}")
                raise GoneError("no match")
        self._arrive()

    def _arrive(self) -> None:
        """Note the running match, and tell the box which player holds each phone."""
        self.notes.match = self.phones[0].get("/table/history").where.split("/")[2]
        self.notes.write("match-begun")
        self.all.append(self.notes)
        for phone in self.phones[: len(self.notes.state.names)]:
            for answer in self._post_until_answered(phone, "/table/join", number=phone.number):
                assert answer.status == 303, answer.status

    def _play_deal(self) -> None:
        """Play a deal, and do what else is done at a table between two."""
        for phone in self.phones:
            phone.next_deal()
        winner, won_by = self._say_winner()
        scores: dict[int, int] = {}
        if winner >= 0:
            scores = self._give(winner, won_by)
        self._settle(winner, scores)
        self.room.count("deals")
        for step in self.rng.sample(STEPS_BETWEEN_DEALS, k=self.rng.randint(0, 2)):
            step(self)
        self._check_shown()

    def _say_winner(self) -> tuple[int, str]:
        """Say who won; of two phones that name different players at once, one is refused."""
        rng, players = self.rng, list(self.notes.players_by_seat())
        if rng.random() < WASH_OUT_SHARE:
            self._change("/table/winner", "/table/winner", "winner-said", who=-1)
            return -1, "wall"
        answers = [(rng.choice(players), rng.choice(WAYS_OF_WINNING)) for _ in range(2)]
        if rng.random() < CLASH_SHARE:
            fields = [{"who": who, "won_by": how} for who, how in answers]
            first = self._clash("/table/winner?who=0", "/table/winner", "winner-said", *fields)
            if first is not None:
                return answers[first]
        winner, won_by = answers[0]
        self._change(
            "/table/winner?who=0", "/table/winner", "winner-said", who=winner, won_by=won_by
        )
        return answers[0]

    def _give(self, winner: int, won_by: str) -> dict[int, int]:
        """Give all hands in, each by its own phone at the same time."""
        notes, players = self.notes, list(self.notes.players_by_seat())
        if self._may_lie_whole() and self.rng.random() < WHOLE_TABLE_SHARE:
            return give_whole(self.phones[0], notes, winner, won_by)
        plans = {n: give_in(notes, n, winner, won_by, self.rng, self.room) for n in players}
        with ThreadPoolExecutor(len(players)) as pool:
            tasks = {n: pool.submit(way, self.phones[n]) for n, way in plans.items()}
            return {n: task.result() for n, task in tasks.items()}

    def _may_lie_whole(self) -> bool:
        """Whether the hands of a photograph of the whole table may be this deal's."""
        notes, fake = self.notes, self.room.plan.reader == "fake"
        plain = notes.rules.ruleset == "bmja" and not notes.deal.goulash
        return fake and plain and len(notes.players_by_seat()) == 4

    def _settle(self, winner: int, scores: dict[int, int]) -> None:
        event = WonDeal(str(winner), {str(n): s for n, s in scores.items()})
        entry = event if winner >= 0 else WashOut()
        if self.rng.random() < CLASH_SHARE:
            self._clash("/table/settle", "/table/settle", "deal-settled", {}, {}, redirect=True)
        else:
            self._change("/table/settle", "/table/settle", "deal-settled")
        self._set_state(self.notes.state.with_event(entry), "deal")
        news = self.phones[0].get(f"/news/now?at={self.notes.table}").text
        self.room.news(self.number, int(json.loads(news)["version"]))

    def _set_state(self, state: State, change: str) -> None:
        self._before.append((self.notes.state, change))
        self.notes.state = state

    def charge(self) -> None:
        """Let one player pay others."""
        players = list(range(len(self.notes.state.names)))
        payer, *payees = self.rng.sample(players, k=min(3, len(players)))
        amounts = {str(n): self.rng.choice((20, 50, 166)) for n in payees}
        fields = {f"amount{n}": amount for n, amount in amounts.items()}
        page = f"/table/charge/amounts?payer={payer}"
        self._change(
            page, "/table/charge/", "charge-made", payer=payer, why="A glass fell", **fields
        )
        charge = Charge(str(payer), amounts, "A glass fell")
        self._set_state(self.notes.state.with_event(charge), "charge")
        self.room.count("penalties")

    def correct(self) -> None:
        """Correct an old deal; of two phones that do so at once, one is refused."""
        won_deals = [r for r in self.notes.state.game.course.rows if isinstance(r.event, WonDeal)]
        if not won_deals:
            return
        row = self.rng.choice(won_deals)
        assert isinstance(row.event, WonDeal)
        events = [self._other_deal(row.event) for _ in range(2)]
        after = [self.notes.state.corrected(row.number, each) for each in events]
        path = f"/table/deal/{row.number}/correct"
        forms = [_correction_form(each) for each in events]
        page = f"/table/deal/{row.number}/changes?{urlencode(forms[0])}"
        first, second = after
        if first is None:  # who went out would have sat out a later deal
            status = self._change(page, path, "deal-corrected", expected_status=422, **forms[0])
            self.room.count("corrections refused, as they must be", status == 422)
            return
        if second is not None and self.rng.random() < CLASH_SHARE:
            accepted = self._clash(page, path, "deal-corrected", *forms)
            if accepted is not None:
                self._set_state((first, second)[accepted], "correction")
                self.room.count("corrections")
                return
            self._set_state(first, "correction")  # one of them was kept, and is put right again
            third = WonDeal(events[0].winner, {n: s + 100 for n, s in events[0].scores.items()})
            forms[0], first = _correction_form(third), self.notes.state.corrected(row.number, third)
            page = f"/table/deal/{row.number}/changes?{urlencode(forms[0])}"
            assert first
        self._change(page, path, "deal-corrected", **forms[0])
        self._set_state(first, "correction")
        self.room.count("corrections")

    def _other_deal(self, event: WonDeal) -> WonDeal:
        scores = {n: s + self.rng.choice((2, 4, 64)) for n, s in event.scores.items()}
        return WonDeal(self.rng.choice(list(scores)), scores)

    def strike(self) -> None:
        """Strike a deal or a payment out, and bring nothing back."""
        rows = self.notes.state.game.course.rows
        if not rows:
            return
        number = self.rng.choice(rows).number
        after = self.notes.state.corrected(number, None)
        page, path = f"/table/deal/{number}/changes?struck=1", f"/table/deal/{number}/correct"
        self._change(
            page, path, "deal-corrected", expected_status=303 if after else 422, struck="1"
        )
        if after:
            self._set_state(after, "correction")
            self.room.count("entries struck out")

    def rename(self) -> None:
        """Put a name right."""
        names = list(self.notes.state.names)
        player = self.rng.randrange(len(names))
        names[player] = f"{names[player].split()[0]} {self.room.bounds.asked}-{self.number}"
        fields: dict[str, Any] = {f"player{n}": name for n, name in enumerate(names)}
        self._change("/table/names/", "/table/names/", "players-renamed", **fields)
        self._set_state(replace(self.notes.state, names=tuple(names)), "rename")
        self.room.count("renamings")

    def undo(self) -> None:
        """Undo the last change on two phones at once, and mostly redo it."""
        if not self._before:
            return
        after, (before, change) = self.notes.state, self._before.pop()
        self._press("undo", "change-undone")
        self.notes.state = before
        self.room.count("undone")
        if change != "deal" and self.rng.random() < 0.4:
            return
        if self.rng.random() < 0.6:
            self._press("redo", "change-redone")
            self.room.count("done again")
        elif change == "deal":
            self._change("/table/settle", "/table/settle", "deal-settled")
        else:
            return
        self._set_state(after, change)

    def _press(self, action: str, kind: str) -> None:
        """Press undo or redo on two phones at once."""
        look = self._look()
        seq = look.undo_number if action == "undo" else look.redo_number
        self._clash("/table/", f"/table/{action}", kind, {"seq": seq}, {"seq": seq})

    def _end(self) -> None:
        """End the match on two phones at once."""
        self._clash("/table/end", "/table/end", "match-ended", {}, {}, redirect=True)
        self.notes.ended = True

    def _play_again(self) -> None:
        """Begin another match of the same people on two phones at once; leave it open."""
        path, before = f"/match/{self.notes.match}/again", self.notes
        while self._look().status != 200:
            with ThreadPoolExecutor(2) as pool:
                futures = [
                    pool.submit(self._send_once, lambda phone=phone: phone.post(path))  # type: ignore[misc]
                    for phone in self.phones[:2]
                ]
            for future in futures:
                answer = future.result()
                if answer and answer.status != 303:
                    self.room.fault(f"{path}: {answer.status}")
        self.notes = begin_notes(before.table, before.rules, before.state.names)
        self._before = []
        self._arrive()
        for _ in range(max(1, self.room.plan.deals // 4)):
            self._play_deal()

    def _check_shown(self) -> None:
        """See that another phone shows the same totals, at the latest when it may not be stale."""
        expected, phone = self.notes.state.totals(), self.rng.choice(self.phones)
        deadline = time.monotonic() + MAX_STALE_S
        path = f"/match/{self.notes.match}/"
        while (totals := read_totals(phone.get(path).page)) != expected:
            if time.monotonic() > deadline:
                self.room.fault(f"{self._location()} shows {totals}, not {expected}")
                return
        self.room.count("totals seen right while it went on")


STEPS_BETWEEN_DEALS: list[Callable[[TableEvening], None]] = [
    TableEvening.charge,
    TableEvening.correct,
    TableEvening.correct,
    TableEvening.strike,
    TableEvening.rename,
    TableEvening.undo,
    TableEvening.undo,
]
"""What is done between two deals, the more often the more times it stands here."""


def _knows_pin(phone: Phone) -> bool:
    """Whether a phone knows the PIN of its table."""
    return "key=" in phone.cookies.get("table", "") and not phone.cookies["table"].endswith("key=")


def _table_links(page: Page, name: str) -> list[str]:
    """Return where the tables of this name lead."""
    doors = page.all('a[href^="/club/tables/"]')
    return [each["href"] for each in doors if name in each.texts("b")]


def _correction_form(event: WonDeal) -> dict[str, Any]:
    """Return a deal as the form of a correction has it."""
    scores = {f"score{n}": score for n, score in event.scores.items()}
    return {"who": event.winner, **scores, "keep": "yes"}


def read_totals(page: Page) -> dict[str, int]:
    """Return everybody's total on a history page: the last row of its score sheet."""
    sheet = page.single(".score-sheet table")
    totals = [int(each.replace("\N{MINUS SIGN}", "-")) for each in sheet.texts("tfoot td")]
    return dict(zip(sheet.texts("thead .unseen"), totals, strict=True))
