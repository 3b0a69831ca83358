"""Give in a player's hand: as a number, tile by tile, or by a photograph."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from device.samples import load_samples
from scorer.errors import HandError
from tests.device.fake_reader import lay, picture
from tests.prove.club_notes import (
    LOSING_HANDS,
    PHOTO,
    WINNING_HAND,
    WINNING_HANDS,
    Notes,
    entry_taps,
)
from tests.prove.club_phone import (
    ALERT,
    BUSY,
    RETRY_S,
    GoneError,
    Phone,
    is_busy,
    make_unique_photo,
)
from tests.prove.club_room import Room

GiveIn = Callable[[Phone], int]
"""Gives a hand in with a phone; returns its score."""

ENTERED_SHARE, PHOTOGRAPHED_SHARE = 0.3, 0.5
"""Largest shares of hands; a hand that the table's rules refuse is given as a number."""


def give_in(
    notes: Notes, player: int, winner: int, won_by: str, rng: random.Random, room: Room
) -> GiveIn:
    """Return how a player gives in the next hand."""
    number, chance = 2 * rng.randint(4, 200), rng.random()
    if notes.deal.goulash:
        return partial(type_score, notes=notes, player=player, score=number)
    if chance < ENTERED_SHARE:
        winning_hand = WINNING_HANDS.get(notes.rules.ruleset, WINNING_HAND)
        text = winning_hand if player == winner else rng.choice(LOSING_HANDS)
        if (score := _score_hand(notes, text, player, winner, won_by)) is not None:
            return partial(enter_hand, notes=notes, player=player, text=text, score=score)
    elif chance < ENTERED_SHARE + PHOTOGRAPHED_SHARE:
        text, photo = _photograph(room, rng, is_winner=player == winner)
        if (score := _score_hand(notes, text, player, winner, won_by)) is not None:
            return partial(
                photograph_hand, notes=notes, player=player, photo=photo, scores=(score, number)
            )
    return partial(type_score, notes=notes, player=player, score=number)


def _score_hand(notes: Notes, text: str, player: int, winner: int, won_by: str) -> int | None:
    """Return a hand's score; None for a hand that these rules refuse."""
    try:
        return notes.score(text, player, winner, won_by)
    except HandError:
        return None


def _photograph(room: Room, rng: random.Random, *, is_winner: bool) -> tuple[str, bytes]:
    """Return a hand and its photograph."""
    if room.plan.reader == "fake":
        return PHOTO, make_unique_photo(picture(lay()))
    samples = [each for each in load_samples() if ("won=" in each.hand) == is_winner]
    sample = rng.choice(samples)
    bare = " ".join(w for w in sample.hand.split() if not w.startswith(("seat=", "round=", "won=")))
    return bare, make_unique_photo(Path(sample.path).read_bytes())


def type_score(phone: Phone, notes: Notes, player: int, score: int) -> int:
    """Type a number; after a kill, look whether it was kept."""
    path, was_away = f"/table/hand/{player}", False
    while True:
        counts = phone.get(path).hidden_field("instead")
        if was_away and counts == str(score):
            break
        try:
            answer = phone.post(f"{path}/score", score=score, instead=counts, keep=score)
        except GoneError:
            was_away = True
            continue
        if answer.status != 303 or "since" in answer.where:
            phone.room.fault(f"{notes.match} {path}/score: {answer.status} {answer.where}")
        break
    notes.write("score-typed")
    phone.room.count("hands typed")
    return score


def enter_hand(phone: Phone, notes: Notes, player: int, text: str, score: int) -> int:
    """Enter a hand tile by tile, and confirm it."""
    path = f"/table/hand/{player}"
    # A hand that was begun before a kill goes on.
    hand = phone.post_until_answered(f"{path}/enter").where.split("/")[2]
    notes.write("hand-given")
    for tap in entry_taps(text):
        _tap(phone, f"/hand/{hand}/enter", tap)
    confirm_hand(phone, notes, player, hand)
    phone.room.count("hands entered tile by tile")
    return score


def _tap(phone: Phone, path: str, tap: object) -> None:
    before = _count_laid_tiles(phone, path)
    assert isinstance(tap, dict)
    while True:
        try:
            answer = phone.post(path, **tap)
        except GoneError:
            if _count_laid_tiles(phone, path) != before:
                phone.room.count("found kept after a kill")
                return
            continue
        if answer.status != 303:
            phone.room.fault(f"{path} {tap}: {answer.status}")
        return


def _count_laid_tiles(phone: Phone, path: str) -> int:
    return len(phone.get(path).page.all(".laid"))


def photograph_hand(
    phone: Phone, notes: Notes, player: int, photo: bytes, scores: tuple[int, int]
) -> int:
    """Photograph a hand, wait until it is read, and confirm it.

    If its reader was killed twice, type a number instead.
    """
    path, room, hand = f"/table/hand/{player}", phone.room, ""
    while not hand:
        try:
            answer = phone.send_photo(path, photo, instead="")
        except GoneError:
            hand = phone.get(path).hidden_field("instead")
            continue
        if is_busy(answer.text):
            room.count("photographs told to wait for others")
            time.sleep(RETRY_S)
            continue
        if answer.status != 303:
            room.fault(f"{path}, a photograph: {answer.status}")
            return type_score(phone, notes, player, scores[1])
        hand = answer.where.split("/")[2]
    notes.write("hand-given")
    notes.photos.append(hand)
    start = time.monotonic()
    page = phone.await_reading(f"/hand/{hand}/", lambda current: not current.page.all(BUSY))
    room.time("photograph until read", time.monotonic() - start)
    if page.status != 200:
        room.count("photographs given up, their readers killed twice")
        return type_score(phone, notes, player, scores[1])
    confirm_hand(phone, notes, player, hand)
    room.count("hands photographed")
    return scores[0]


def confirm_hand(phone: Phone, notes: Notes, player: int, hand: str) -> None:
    """Confirm a hand; to confirm it twice does no harm."""
    path = f"/table/hand/{player}/right"
    while True:
        try:
            answer = phone.post(path, hand=hand)
        except GoneError:
            notes.write("hand-agreed", is_certain=True)
            continue
        break
    if answer.status != 303:
        alerts = answer.page.texts(ALERT)
        hand_page = phone.get(f"/hand/{hand}/")
        says = " ".join(hand_page.page.texts("main"))
        phone.room.fault(
            f"{notes.match} {path}: {answer.status} {alerts}; {hand_page.status} {says}"
        )
    notes.write("hand-agreed")
