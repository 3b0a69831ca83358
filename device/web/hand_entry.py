"""Enter a hand tile by tile: its sets, the keypad of tiles, and the score so far.

One form keeps the choices that hold for the next tap: the kind of set and the row. A whole hand
then takes about one tap per set. Without the script, the form is sent and comes back unchanged.
"""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, abort, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.hands import manual_entry
from device.hands.manual_entry import ENTRY_KINDS, SetGuess, count_hand_tiles
from device.hands.record import HandRecord
from device.hands.scoring import score_hand
from device.i18n.words import in_a_row, say, tile_name
from device.store.events import HandGiven, SetAdded, SetRemoved, TileAdded, TilesGrouped
from device.views import tiles
from device.web.contexts import records, room
from device.web.fields import MAX_PHOTO_TILES, form, form_or_query
from device.web.hand_page import redirect_to_hand
from device.web.links import redirect_to
from device.web.table.current_match import change_match, match_at_page_deal
from device.web.table.deal import has_newer_entry, seated_player
from device.web.table.hand_in_match import FoundHand, find_hand
from scorer.breakdown import Breakdown
from scorer.errors import HandError
from scorer.parsing import parse_int
from scorer.tiles import BY_CODE, CODES, JOKER
from vision.reading import RowName

pages = Blueprint("byhand", __name__)

ENTRY_ROWS: tuple[RowName, ...] = ("exposed", "concealed")

KEYPAD_ROWS = (
    ("B1", "B2", "B3", "B4", "B5", "B6", "B7"),
    ("B8", "B9", "", "WE", "WS", "WW", "WN"),
    ("C1", "C2", "C3", "C4", "C5", "C6", "C7"),
    ("C8", "C9", "", "", "DR", "DG", "DW"),
    ("O1", "O2", "O3", "O4", "O5", "O6", "O7"),
    ("O8", "O9", "", "", "", "", JOKER),
)
"""The tiles as a phone shows them. Seven in a row are 48 pixels wide each."""

BONUS_CODES = tuple(tile.code for tile in BY_CODE.values() if tile.is_bonus)


@dataclass(frozen=True, slots=True)
class KeypadKey:
    """One tile of the keypad."""

    code: str
    """Empty for a gap."""
    name: str
    marks: str
    """Style classes for the sets that it cannot make, such as `no-chow`."""


@dataclass(frozen=True, slots=True)
class EntryChoice:
    """The choices that hold from one tap to the next."""

    kind: str
    row: str
    wild: str


@dataclass(frozen=True, slots=True)
class EntryView:
    """The values of the page on which a hand is entered."""

    rows: dict[RowName, list[tiles.TileGroupView]]
    keys: tuple[tuple[KeypadKey, ...], ...]
    bonus: tuple[tuple[str, int | None], ...]
    """Flowers and seasons, each with its place in the hand; None if it is not in the hand."""
    guesses: tuple[SetGuess, ...]
    kinds: tuple[str, ...]
    wilds: tuple[str, ...]
    count: str
    count_short: str
    complete: bool
    score: Breakdown | None
    """None while tiles are missing: an incomplete hand has no score."""
    wrong: str
    """What is wrong with the hand, in words; empty if nothing is wrong."""
    too_many: tuple[str, ...]
    """Tiles that the hands of the deal hold more often than they exist, in words."""


@pages.post("/enter")
def begin() -> AnyResponse:
    """Begin a single hand without a photograph."""
    return _redirect_to_entry(
        records().hands.begin_single(None, room().agreement_here, table=room().table)
    )


@pages.post("/table/hand/<int:number>/enter")
def begin_at_table(number: int) -> AnyResponse:
    """Enter a player's hand, or continue one that was begun this way."""
    match = match_at_page_deal()
    player, deal = seated_player(match, number), match.course.next_deal.number
    if has_newer_entry(match, player):
        return redirect_to("deal.capture", number=number, since="", deal=deal)
    given_hand = match.deal.given_hand(player)
    record = records().hands.get_if_whole(given_hand.hand) if given_hand.hand else None
    if record and record.photo is None and not given_hand.agreed:
        return _redirect_to_entry(record.id)
    token = f"{match.id} {match.version} {number}"
    hand = records().hands.begin_by_hand(
        match.game.ruleset, match.id, match.table, request_key=token
    )
    change_match(match, HandGiven(player, hand))
    return _redirect_to_entry(hand)


@pages.get("/hand/<id:hand>/enter")
def show(hand: str) -> str:
    """Show the hand so far and the keypad."""
    return _entry_page(hand)


def _entry_page(hand: str, problem: str = "") -> str:
    found_hand = find_hand(hand)
    return render_template(
        "byhand.html",
        record=found_hand.record,
        view=_entry_view(found_hand),
        chosen=_entry_choice(),
        refused=problem,
        at_table=found_hand.place,
    )


@pages.post("/hand/<id:hand>/enter")
def enter(hand: str) -> AnyResponse | tuple[str, int]:
    """Add a set or a tile. Explain it if no copies of the tile are left."""
    record = records().hands.get(hand)
    try:
        event = _entry_event(record, _entry_request(record))
    except HandError as error:
        return _entry_page(hand, str(error)), 422
    records().hands.change(hand, event)
    return _redirect_to_entry(hand, wild="")  # the choice of wild tiles holds for one set only


@dataclass(frozen=True, slots=True)
class _EntryRequest:
    """What one tap asks to add."""

    codes: tuple[str, ...]
    row: RowName
    to_set: int | None


def _entry_request(record: HandRecord) -> _EntryRequest:
    """Return what the form asks to add. Raise HandError for a set that does not exist."""
    choice, goulash = _entry_choice(), record.agreement.goulash
    row: RowName = "exposed" if choice.row == "exposed" else "concealed"
    kind, code, to_set = choice.kind, form().word("code"), ""
    if "guess" in form():
        kind, code, to_set = (*form().word("guess").split(" "), "", "")[:3]
    elif code in BONUS_CODES:
        kind, row = "loose", "bonus"
    wild = choice.wild if goulash and not to_set else ""
    set_number = parse_int(to_set, 0, MAX_PHOTO_TILES)
    if kind not in ENTRY_KINDS or code not in (*CODES, JOKER) or (to_set and set_number is None):
        abort(400)
    codes = manual_entry.codes_of(kind, code, wild)
    if JOKER in codes and not goulash:
        abort(400)
    return _EntryRequest(codes, row, set_number)


def _entry_event(record: HandRecord, entry_request: _EntryRequest) -> SetAdded | TileAdded:
    """Return the event that adds the tiles. Raise HandError if too few copies are left."""
    manual_entry.check_copies(record, entry_request.codes)
    if len(entry_request.codes) > 1:
        return SetAdded(entry_request.codes, entry_request.row)
    code, set_number = entry_request.codes[0], entry_request.to_set
    if set_number is None:
        set_number = manual_entry.target_set(record, entry_request.row, code)
    return TileAdded(code, entry_request.row, set_number)


@pages.post("/hand/<id:hand>/enter/remove")
def remove(hand: str) -> AnyResponse:
    """Remove a set or a tile."""
    records().hands.change(hand, SetRemoved(form().numbers("tiles")))
    return _redirect_to_entry(hand)


@pages.post("/hand/<id:hand>/group")
def group(hand: str) -> AnyResponse:
    """Regroup tiles: split a set, or join it with the next."""
    records().hands.change(hand, TilesGrouped(form().groups("groups")))
    return redirect_to_hand(hand)


@pages.post("/hand/<id:hand>/enter/undo")
def undo(hand: str) -> AnyResponse:
    """Undo the last change."""
    records().hands.undo(hand, form().seq(default=-1))
    return _redirect_to_entry(hand)


@pages.post("/hand/<id:hand>/enter/redo")
def redo(hand: str) -> AnyResponse:
    """Redo the change that was undone last."""
    records().hands.redo(hand, form().seq(default=-1))
    return _redirect_to_entry(hand)


def _redirect_to_entry(hand: str, wild: str | None = None) -> AnyResponse:
    """Return a redirect to the page that keeps the current choices."""
    choice = _entry_choice()
    wild = choice.wild if wild is None else wild
    url = url_for("byhand.show", hand=hand, kind=choice.kind, row=choice.row, wild=wild)
    return redirect(url, 303)


def _entry_choice() -> EntryChoice:
    fields = form_or_query()
    kind, row, wild = fields.word("kind"), fields.word("row"), fields.word("wild")
    return EntryChoice(
        kind if kind in ENTRY_KINDS else "pung",
        row if row in ENTRY_ROWS else "exposed",
        wild if wild in manual_entry.WILD_OPTIONS else "",
    )


def _entry_view(found_hand: FoundHand) -> EntryView:
    record = found_hand.record
    hand, before = record.assembled_hand, manual_entry.count_tiles(record)
    goulash = record.agreement.goulash
    tile_count, full_size = (
        count_hand_tiles(hand, goulash=goulash),
        manual_entry.full_hand_size(record),
    )
    breakdown, wrong = _score_or_problem(record) if tile_count >= full_size else (None, "")
    places = {tile.code: place for place, tile in enumerate(record.tiles)}
    return EntryView(
        rows=tiles.tile_rows(record, hand, tiles.doubtful_places(record)),
        keys=tuple(
            tuple(_keypad_key(code if goulash or code != JOKER else "", record) for code in row)
            for row in KEYPAD_ROWS
        ),
        bonus=tuple((code, places[code] if before[code] else None) for code in BONUS_CODES),
        guesses=manual_entry.guess_next_sets(record),
        kinds=tuple(kind for kind in ENTRY_KINDS if not (goulash and kind == "chow")),
        wilds=manual_entry.WILD_OPTIONS if goulash else (),
        count=say("enter.count", count=tile_count, wanted=full_size),
        count_short=say("enter.count-short", count=tile_count, wanted=full_size),
        complete=tile_count >= full_size,
        score=breakdown,
        wrong=wrong,
        too_many=found_hand.conflicts().all,
    )


def _score_or_problem(record: HandRecord) -> tuple[Breakdown | None, str]:
    try:
        return score_hand(record), ""
    except HandError as error:
        return None, in_a_row(problem.message for problem in error.problems)


def _keypad_key(code: str, record: HandRecord) -> KeypadKey:
    if not code:
        return KeypadKey("", "", "")
    before, goulash = manual_entry.count_tiles(record), record.agreement.goulash
    no = [
        f"no-{kind}"
        for kind in ENTRY_KINDS
        if manual_entry.is_impossible(kind, code, before, goulash=goulash)
    ]
    return KeypadKey(code, tile_name(code), " ".join(no))
