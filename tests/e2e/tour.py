"""A tour of every screen: what brings the box there, and where the browser has to look.

Whoever adds a screen adds a stop: axe then reads it, and `make screenshots` takes its picture.
"""

from __future__ import annotations

import time
import urllib.parse
import urllib.request
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from device.access import set_new_pin
from device.club.register import Register
from device.club.tournament.repository import TournamentRepository
from device.hands.repository import HandRepository
from device.matches.repository import MatchRepository
from device.settings import SettingsLog
from device.store.events import PhotoDoubted, PracticeDealBegun
from device.tutoring.practice_deals import PracticeDeals
from scorer.message import message
from scorer.play.setup import DealSetup
from scorer.play.view import make_view
from scorer.rulesets.builtin import load_builtin
from scorer.rulesets.custom import stamp
from scorer.rulesets.files import load_builtin_text
from scorer.rulesets.link_code import write_link_code
from tests.device.events import write_raw
from tests.device.identities import identity
from tests.e2e.conftest import LiveServer
from tests.e2e.engines import Browser
from tests.e2e.player import Player
from tests.e2e.tutor_tour import STOPS as TUTOR
from vision.photo import open_photo
from vision.reading import make_problem

PATIENCE = 30.0
"""Seconds that a photograph may take."""

FieldValue = str | list[str]
"""What a form says of one field."""

NAMES = ("Ann", "Bob", "Cy", "Di")

SETTINGS = (
    ("settings", "/settings/"),
    ("settings-table", "/settings/table/"),
    ("settings-box", "/settings/box/"),
    ("settings-pin", "/settings/pin/"),
    ("settings-print", "/settings/print/"),
    ("setup", "/setup/"),
)

FIRST_STEPS = ("language", "camera", "rules", "names", "photo")


@dataclass(frozen=True, slots=True)
class Stop:
    """One screen."""

    name: str
    path: str


def tour(live: LiveServer, photo: bytes, names: Sequence[str] = NAMES) -> Iterator[Stop]:
    """Bring the box from its first start through a whole deal, screen by screen."""
    yield Stop("first-page", "/")
    yield Stop("new-match", "/match/new")
    players = {f"player{n}": name for n, name in enumerate(names)}
    usual = [option.name for option in load_builtin("bmja").options if option.default]
    agreed_fields: dict[str, FieldValue] = {"ruleset": "bmja", "limit": "1000", "house-bmja": usual}
    post(live, "/match/new", **players, **agreed_fields)
    yield Stop("table", "/table/")
    yield Stop("who", "/table/winner")
    yield Stop("how", "/table/winner?who=2")
    post(live, "/table/winner", who="2", won_by="discard")
    yield Stop("capture", "/table/hand/2")
    hand = upload(live, "/table/hand/2", photo).rstrip("/").rpartition("/")[2]
    wait_until_read(live.hands, hand)
    yield Stop("hand", f"/hand/{hand}/")
    yield Stop("doubted", f"/hand/{_doubtful_hand(live, photo)}/")
    yield Stop("aiming", "/camera/phone/?seat=2")
    post(live, "/table/hand/3/score", score="8")
    upload(live, "/table/hand/3", photo, instead="")
    yield Stop("which", "/table/hand/3/which/")
    loser = live.hands.recent(1)[0].id
    post(live, "/table/hand/3/which/", hand=loser)
    yield Stop("open", f"/hand/{loser}/")
    yield Stop("tile", f"/hand/{hand}/tile/0")
    yield Stop("asked", f"/learn/ask/{hand}/")
    yield Stop("totals", "/table/totals/")
    post(live, "/table/hand/2/right", hand=hand)
    by_hand = post(live, "/table/hand/0/enter").removeprefix(live.url)
    yield Stop("enter", by_hand)
    for number, score in ((0, 24), (1, 8), (3, 48)):
        post(live, f"/table/hand/{number}/score", score=str(score))
    yield Stop("settlement", "/table/settle")
    _send(live, "/table/settle", Cookie=_cookie(live, hand, names[0]))
    yield Stop("table-after", "/table/")
    yield Stop("history", "/table/history")
    yield from _afterwards(live, hand)
    yield Stop("single", "/single/")
    yield from (Stop(name, path) for name, path in SETTINGS)
    yield from _custom_rules(live)
    yield from (Stop(name, f"/{name}/") for name in ("update", "backup"))
    yield from (Stop(f"first-{name}", f"/first/steps/{name}") for name in FIRST_STEPS)
    yield Stop("phone", "/phone/")
    yield Stop("sets", "/sets/")
    post(live, "/giving/", give="yes")
    yield Stop("giving", "/giving/")
    yield Stop("register", "/sets/register/")
    yield Stop("join", "/join")
    yield from _tutor(live, hand, names[0])
    yield Stop("error", "/nowhere")
    yield from _club(live, names)
    yield from _match_over(live, hand)


def _cookie(live: LiveServer, hand: str, name: str) -> str:
    """Return the cookie of the phone of the player at the first seat."""
    return f"player={identity(live.hands.store, live.hands.get(hand).match, 0, name)}"


def _tutor(live: LiveServer, hand: str, name: str) -> Iterator[Stop]:
    yield from (Stop(name, path) for name, path in TUTOR)
    yield Stop("practice-deal-rack", f"/practise/deal/hand/{hand}/")
    deals = PracticeDeals(live.hands.store)
    goulash = DealSetup(1, goulash=True).to_json()
    deal = deals.begin(PracticeDealBegun(goulash, "E", "plain", name=name))
    yield Stop("practice-deal-goulash", f"/practise/deal/{deal}/")
    yield Stop("practice-deal-over", f"/practise/deal/{_play_deal(deals, name)}/over/")


def _play_deal(deals: PracticeDeals, name: str) -> str:
    """Play a deal to its end, with a move that gives much away; return its id."""
    deal = deals.begin(PracticeDealBegun(DealSetup(3).to_json(), "E", "plain", name=name))
    while not (record := deals.get(deal)).is_over:
        with deals.open(deal) as live:
            view = make_view(live.deal, "E")
        deals.play(deal, record.version, view.moves[-1])
    return deal


def _custom_rules(live: LiveServer) -> Iterator[Stop]:
    """Make a ruleset of the table's own."""
    our_rules = post(live, "/settings/rules/copy", of="bmja", title="Our rules", author="Ann")
    yield Stop("custom-rules", "/settings/rules/")
    yield Stop("custom-ruleset", our_rules.removeprefix(live.url))
    yield Stop("custom-rule", f"{our_rules.removeprefix(live.url)}change/rule-7?exposed=20")
    yield Stop("ruleset-code", f"{our_rules.removeprefix(live.url)}code")
    their_rules = load_builtin_text("bmja").replace("limit = 1000", "limit = 500", 1)
    their_rules = stamp(
        their_rules, title="The rules of the Tuesday club at Bath", author="Bob", version=2
    )
    yield Stop("ruleset-scanned", f"/R/{write_link_code(their_rules)}")
    typed_fields = {"name": "Run, pung and pair", "pattern": "x1-9, pung y, pair z", "value": "500"}
    address = f"{our_rules.removeprefix(live.url)}change/special-new"
    yield Stop("custom-hand", f"{address}?{urllib.parse.urlencode(typed_fields)}")
    tiles = "B1 B2 B3 B4 B5 B6 B7 B8 B9 O8 O8 O8 C7 C7"
    hand_query = urllib.parse.urlencode({"tiles": tiles, "suits": "same", "ranks": "any"})
    tap = f"{our_rules.removeprefix(live.url)}tap/"
    yield Stop("tapped-tiles", f"{tap}?{urllib.parse.urlencode({'tiles': tiles[:29]})}")
    yield Stop("tapped-pattern", f"{tap}pattern?{hand_query}")
    yield Stop("tapped-worth", f"{tap}worth?{hand_query}&lying=less")
    yield Stop("tapped-samples", f"{tap}samples")
    wrong = {**typed_fields, "pattern": "x1-9, punk y, pare z"}
    yield Stop("custom-hand-faults", f"{address}?{urllib.parse.urlencode(wrong)}")


def _club(live: LiveServer, names: Sequence[str]) -> Iterator[Stop]:
    """Lay two more tables beside the one that has been played at."""
    yield Stop("club", "/club/")
    yield from _tournament(live, names)
    post(live, "/club/tables/", name="Table 1")
    table = post(live, "/club/tables/", name="By the window").removeprefix(live.url)
    yield Stop("club-tables", "/club/tables/")
    yield Stop("club-table", table)
    yield Stop("choose-table", "/tables/")
    tournament = TournamentRepository(live.hands.store).find_newest()
    assert tournament
    yield Stop("tournament-at", f"/club/tournaments/{tournament.id}/tables/")


def _tournament(live: LiveServer, names: Sequence[str]) -> Iterator[Stop]:
    """Arrange a tournament, draw its first round and give a table's result."""
    yield Stop("tournament-new", "/club/tournaments/new")
    players = "\n".join((*names, "Eve", "Fay", "Gus", "Bartholomew Featherstone"))
    fields = {"name": "Autumn", "players": players, "ranking": "both", "zero_sum": "yes"}
    address = post(live, "/club/tournaments/new", **fields)
    path = address.removeprefix(live.url)
    post(live, f"{path}draw", number="1")
    yield Stop("tournament-table", f"{path}round/1/table/1/")
    post(live, f"{path}round/1/table/1/", points0="120", points1="30", points2="-50")
    post(live, f"{path}clock", number="1", clock="start")
    yield Stop("tournament", path)
    yield Stop("tournament-round", f"{path}round/1/")
    yield Stop("tournament-players", f"{path}players/")
    yield Stop("tournament-results", f"{path}results/")
    yield Stop("tournaments", "/club/tournaments/")
    yield Stop("organiser", "/club/organiser/")
    yield Stop("board", "/club/board/")


def _doubtful_hand(live: LiveServer, photo: bytes) -> str:
    """Return a hand of a phone's photograph that is asked about before it is read."""
    dark = make_problem("too-dark", message("seen.too-dark"))
    cut = make_problem("cut-left", message("again.cut-left"))
    hand = live.hands.begin(open_photo(photo, "dark.jpg"), photo, "bmja", by_phone=True)
    live.hands.change(hand, PhotoDoubted((cut, dark)))
    return hand


def _afterwards(live: LiveServer, hand: str) -> Iterator[Stop]:
    """Show what there is to see and to do of a deal that was settled."""
    yield Stop("end", "/table/end")
    yield Stop("correct", "/table/deal/1/correct")
    yield Stop("changes", "/table/deal/1/changes?struck=yes")
    yield Stop("names", "/table/names/")
    match = live.hands.get(hand).match
    yield Stop("seats", f"/match/{match}/seats/?order=1+0+2+3&winds=ESWN")
    yield Stop("charge", "/table/charge/")
    yield Stop("amounts", "/table/charge/amounts?payer=1")
    post(live, "/table/charge/", payer="1", amount0="20", why="Wine")
    yield Stop("history-with-payment", "/table/history")
    yield Stop("matches", "/matches")
    yield Stop("dispute", f"/hand/{hand}/dispute")
    yield Stop("referee", f"/hand/{hand}/referee")
    yield Stop("first-page-in-a-match", "/first/")


def _match_over(live: LiveServer, hand: str) -> Iterator[Stop]:
    """End the match, and bring the box into a bad state."""
    match = live.hands.get(hand).match
    post(live, "/table/end")
    yield Stop("final", f"/match/{match}/final")
    yield Stop("picture", f"/match/{match}/picture/")
    yield Stop("again", f"/match/{match}/again?order=2")
    yield from _people(live, live.hands.get(hand).player)
    write_raw(live.hands.store, match, "match-won", {})
    yield Stop("damaged", f"/damaged/{match}/")
    yield Stop("damaged-match", f"/match/{match}/")
    set_new_pin(SettingsLog(live.hands.store))
    yield Stop("pin", "/")


def _people(live: LiveServer, name: str) -> Iterator[Stop]:
    """Show what the club tells of a match that is over."""
    player = f"/club/players/{Register().find_person(name).id}/"
    yield Stop("players", "/club/players/")
    yield Stop("player", player)
    yield Stop("player-names", f"{player}names")
    yield Stop("new-season", "/club/season/new")
    year = {"first": "2000-01-01", "last": "2099-12-31", "points": "both", "places": "4 2 1 0"}
    post(live, "/club/season/new", name="Autumn", best="3", **year)
    yield Stop("season", "/club/season/")


def post(live: LiveServer, path: str, **fields: FieldValue) -> str:
    """Send a form; return the address that it leads to."""
    return _send(live, path, urllib.parse.urlencode(fields, doseq=True).encode())


def _send(live: LiveServer, path: str, data: bytes = b"", **headers: str) -> str:
    request = urllib.request.Request(live.url + path, data, headers)  # noqa: S310
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
        return str(answer.url)


def other_phone(url: str, path: str, **fields: str) -> None:
    """Do on another phone what a form does."""
    data = urllib.parse.urlencode(fields).encode()
    with urllib.request.urlopen(url + path, data, timeout=PATIENCE) as answer:  # noqa: S310
        assert answer.status == 200


def begin(url: str, names: Sequence[str] = NAMES, **fields: str) -> None:
    """Begin a match of the usual four, or of others, by a form."""
    players = {f"player{n}": name for n, name in enumerate(names)}
    other_phone(url, "/match/new", **players, ruleset="bmja", limit="1000", **fields)


def begin_at_seat(player: Player, url: str, seat: int) -> None:
    """Begin a match of the usual four; let the player's phone be the one of this seat."""
    begin(url)
    player.open(f"{url}/table/")
    player.tap(f"#who button[name=number][value='{seat}']")
    player.see(".seat.mine.at-bottom")


def upload(live: LiveServer, path: str, photo: bytes, **fields: str) -> str:
    """Send a photograph as a phone does; return the address that it leads to."""
    line = uuid.uuid4().hex
    disposition = 'Content-Disposition: form-data; name="{}"'
    parts = [(disposition.format(name), value.encode()) for name, value in fields.items()]
    parts.append((disposition.format("photo") + '; filename="hand.jpg"', photo))
    lines = [
        each for head, data in parts for each in (f"--{line}".encode(), head.encode(), b"", data)
    ]
    body = b"\r\n".join([*lines, f"--{line}--".encode(), b""])
    kind = {"Content-Type": f"multipart/form-data; boundary={line}"}
    request = urllib.request.Request(live.url + path, body, kind)  # noqa: S310
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
        return str(answer.url)


def wait_until_read(hands: HandRepository, hand: str) -> None:
    ends = time.monotonic() + PATIENCE
    while not hands.get(hand).is_read:
        assert time.monotonic() < ends, "the photograph was not read"
        time.sleep(0.05)


def sit_down(phone: Browser, live: LiveServer) -> None:
    """Let the phone be the first player's, once there are any."""
    if match := MatchRepository(live.hands.store).current():
        name = match.game.players[0]
        signed_identity = identity(live.hands.store, match.id, 0, name)
        phone.add_cookie({"name": "player", "value": signed_identity})
