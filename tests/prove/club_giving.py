"""How a player's hand is given in: as a number, tile by tile, or by a photograph."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from device.samples import load_samples
from scorer.errors import HandError
from tests.device.fake_reader import lay, picture
from tests.prove.club_notes import LOST, PHOTO, WON, WON_HERE, Notes, taps
from tests.prove.club_phone import AGAIN, BUSY, GoneError, Phone, unlike
from tests.prove.club_room import Room

Way = Callable[[Phone], int]
"""Gives a hand in with a phone; returns what it came to."""

ENTERED, PHOTOGRAPHED = 0.3, 0.5
"""How many of all hands, at the most: what a table's rules do not know is given as a number."""

LONGEST_READING = 60.0
"""Seconds."""


def give_in(
    notes: Notes, player: int, winner: int, won_by: str, rng: random.Random, room: Room
) -> Way:
    """Return how a player gives in the next hand, and what it will come to."""
    number, chance = 2 * rng.randint(4, 200), rng.random()
    if notes.deal.goulash:
        return partial(typed, notes=notes, player=player, score=number)
    if chance < ENTERED:
        won = WON_HERE.get(notes.rules.ruleset, WON)
        text = won if player == winner else rng.choice(LOST)
        if (score := _scored(notes, text, player, winner, won_by)) is not None:
            return partial(entered, notes=notes, player=player, text=text, score=score)
    elif chance < ENTERED + PHOTOGRAPHED:
        text, photo = _photograph(room, rng, is_winner=player == winner)
        if (score := _scored(notes, text, player, winner, won_by)) is not None:
            return partial(
                photographed, notes=notes, player=player, photo=photo, scores=(score, number)
            )
    return partial(typed, notes=notes, player=player, score=number)


def _scored(notes: Notes, text: str, player: int, winner: int, won_by: str) -> int | None:
    """Return what a hand comes to; None for one that is none by these rules."""
    try:
        return notes.score(text, player, winner, won_by)
    except HandError:
        return None


def _photograph(room: Room, rng: random.Random, *, is_winner: bool) -> tuple[str, bytes]:
    """Return a hand and its photograph."""
    if room.plan.reader == "fake":
        return PHOTO, unlike(picture(lay()))
    samples = [each for each in load_samples() if ("won=" in each.hand) == is_winner]
    sample = rng.choice(samples)
    bare = " ".join(w for w in sample.hand.split() if not w.startswith(("seat=", "round=", "won=")))
    return bare, unlike(Path(sample.path).read_bytes())


def typed(phone: Phone, notes: Notes, player: int, score: int) -> int:
    """Type a number; where a kill leaves it open whether it was kept, look."""
    path, gone = f"/table/hand/{player}", False
    while True:
        counts = phone.get(path).hidden("instead")
        if gone and counts == str(score):
            break
        try:
            answer = phone.post(f"{path}/score", score=score, instead=counts)
        except GoneError:
            gone = True
            continue
        if answer.status != 303 or "since" in answer.where:
            phone.room.fault(f"{notes.match} {path}/score: {answer.status} {answer.where}")
        break
    notes.write("score-typed")
    phone.room.count("hands typed")
    return score


def entered(phone: Phone, notes: Notes, player: int, text: str, score: int) -> int:
    """Enter a hand tile by tile, and say that it is right."""
    path = f"/table/hand/{player}"
    while True:
        try:
            hand = phone.post(f"{path}/enter").where.split("/")[2]
        except GoneError:  # one that was begun so goes on
            continue
        break
    notes.write("hand-given")
    for tap in taps(text):
        _tap(phone, f"/hand/{hand}/enter", tap)
    right_by_itself(phone, notes, player, hand)
    phone.room.count("hands entered tile by tile")
    return score


def _tap(phone: Phone, path: str, tap: object) -> None:
    before = _laid(phone, path)
    assert isinstance(tap, dict)
    while True:
        try:
            answer = phone.post(path, **tap)
        except GoneError:
            if _laid(phone, path) != before:
                phone.room.count("found kept after a kill")
                return
            continue
        if answer.status != 303:
            phone.room.fault(f"{path} {tap}: {answer.status}")
        return


def _laid(phone: Phone, path: str) -> int:
    return phone.get(path).text.count('class="laid ')


def photographed(
    phone: Phone, notes: Notes, player: int, photo: bytes, scores: tuple[int, int]
) -> int:
    """Photograph a hand, wait until it is read, and say that it is right.

    One whose reader was killed twice is not read any more: then a number is typed.
    """
    path, room, hand = f"/table/hand/{player}", phone.room, ""
    while not hand:
        try:
            answer = phone.send_photo(path, photo, instead="")
        except GoneError:
            hand = phone.get(path).hidden("instead")
            continue
        if BUSY in answer.text:
            room.count("photographs told to wait for others")
            time.sleep(AGAIN)
            continue
        if answer.status != 303:
            room.fault(f"{path}, a photograph: {answer.status}")
            return typed(phone, notes, player, scores[1])
        hand = answer.where.split("/")[2]
    notes.write("hand-given")
    notes.photos.append(hand)
    sent = time.monotonic()
    while re.search(r'id="stages"[^>]*data-busy', (page := phone.get(f"/hand/{hand}/")).text):
        now = time.monotonic()
        if now - sent - room.lost(phone.program, sent, now) > LONGEST_READING:
            room.fault(f"/hand/{hand}/ was not read within {LONGEST_READING:.0f} s")
            break
        time.sleep(AGAIN / 3)
    room.time("photograph until read", time.monotonic() - sent)
    if page.status != 200:
        room.count("photographs given up, their readers killed twice")
        return typed(phone, notes, player, scores[1])
    right_by_itself(phone, notes, player, hand)
    room.count("hands photographed")
    return scores[0]


def right_by_itself(phone: Phone, notes: Notes, player: int, hand: str) -> None:
    """Say that a hand is right; said twice it is no other."""
    path = f"/table/hand/{player}/right"
    while True:
        try:
            answer = phone.post(path, hand=hand)
        except GoneError:
            notes.write("hand-agreed", perhaps=True)
            continue
        break
    if answer.status != 303:
        phone.room.fault(f"{notes.match} {path}: {answer.status}")
    notes.write("hand-agreed")
