"""Play a club's evening in which one person with two names is everywhere, and hidden."""

from __future__ import annotations

from contextlib import closing

from msgspec.structs import replace

from device.access import set_new_organiser_pin
from device.club.people import PeopleRepository
from device.club.season import SeasonRepository
from device.club.tables import ClubTables
from device.club.tournament.repository import TournamentRepository
from device.club.tournament.tournament import names_in_round
from device.hands.repository import HandRepository
from device.matches.repository import MatchRepository
from device.rulesets.repository import CustomRulesets
from device.settings import SettingsLog
from device.store import Store
from device.store.events import (
    BOX,
    ChargeMade,
    DealCorrected,
    DealSettled,
    HandGiven,
    MatchEnded,
    PlayerReplaced,
    PlayersRenamed,
    ResultGiven,
    RoundsChanged,
    SeasonBegun,
    SeasonMatchDecided,
    SetAdded,
    TileMoved,
    TilesConfirmed,
    WinnerEntered,
)
from tests.device.club.tournament.played import NAMES, POINTS, add_tournament, play_round
from tests.device.events import write_raw
from tests.device.played import AGREED, SCORES
from tests.device.walking.boxes import Played, read_hand

HIDDEN = "Quirina"
"""Wins, pays, corrects, gives in and says why, everywhere."""

ALIAS = "Kweerie"
"""Another name under which she has played."""

_PLAYERS = (HIDDEN, "Bob", "Cy", "Di")


def _scores(name: str) -> dict[str, int]:
    return {name: SCORES["Ann"], **{each: SCORES[each] for each in _PLAYERS[1:]}}


def _over(matches: MatchRepository, hands: HandRepository, name: str) -> tuple[str, str]:
    """Play a match to its end; return its id and that of a hand in it."""
    match = matches.begin(replace(AGREED, players=("Qirina", *_PLAYERS[1:])))
    matches.change(match, PlayersRenamed({"Qirina": name}, by="Bob"))
    matches.change(match, WinnerEntered(name, by=name))
    hand = read_hand(hands, match)
    hands.change(hand, TileMoved(0, "concealed", None, by=name))
    hands.change(hand, TilesConfirmed(by=name))
    matches.change(match, HandGiven(name, hand, by=name))
    matches.change(match, DealSettled(name, _scores(name), by=name))
    charge = ChargeMade(
        name, {"Bob": 50}, f"{name} looked at tiles, says {HIDDEN.lower()}", by=name
    )
    matches.change(match, charge)
    right = DealCorrected(1, winner=name, won_by="discard", scores=_scores(name), by=name)
    matches.change(match, right)
    matches.change(match, MatchEnded(by=name))
    return match, hand


def _tournament(played: Played, names: tuple[str, ...]) -> str:
    """Play a round, put it right, and draw the next, which is on."""
    tournaments = TournamentRepository(played.store)
    at = add_tournament(tournaments, name=f"{HIDDEN} Cup", players=names)
    play_round(tournaments, at)
    why = f"{HIDDEN} and Bob added it wrongly"
    tournaments.change(at, ResultGiven(1, 1, POINTS[::-1], why=why, seen=1, by=HIDDEN))
    tournaments.change(at, PlayerReplaced(3, "Zoe", by=HIDDEN))
    tournaments.change(at, RoundsChanged(3, 45, by=HIDDEN))
    tournaments.draw(at, 2, author=HIDDEN)
    now = tournaments.get(at)
    hers = HIDDEN in names_in_round(
        now, 2, now.seats[1].tables[0]
    )  # a table that can begin a match yet
    tournaments.change(at, ResultGiven(2, 2 if hers else 1, POINTS, by=HIDDEN))
    return at


def _rules(played: Played) -> str:
    """Keep rules that she made and that are called after her; return their key."""
    rulesets = CustomRulesets(played.store)
    key = rulesets.copy("bmja", f"{HIDDEN}’s rules", HIDDEN, by=HIDDEN)
    found = rulesets.get(key)
    special = (
        f'id = "OURS-S1"\nname = "{HIDDEN}’s hand"\npattern = "x1-9, pung y, pair z"\nvalue = 500'
    )
    text = f"{found.newest.text}\n[[special]]\n{special}\n"
    rulesets.keep_version(key, text, found.seen, by=HIDDEN)
    return key


def _set_aside(played: Played) -> str:
    """Set a folder aside that names her, as a restore does; return its name."""
    folder = played.store.folder / "replaced-1"
    folder.mkdir()
    with closing(Store(folder)) as store:
        MatchRepository(store).begin(replace(AGREED, players=_PLAYERS))
        people = PeopleRepository(store)
        people.remove(people.register().find_person(HIDDEN), is_hidden=True)
    return folder.name


def gather(played: Played) -> None:
    """Let her play in matches that are over and one that goes on, in tournaments and a season."""
    store, hands = played.store, played.box.services.hands
    tables, matches = ClubTables(store), MatchRepository(hands.store)
    early, hand = _over(matches, hands, HIDDEN)
    on_box = matches.begin(AGREED)
    ours = _rules(played)
    here, there = tables.lay(f"{HIDDEN}’s window"), tables.lay("Door")
    tables.propose_rules(here, ours)
    played.box.services.sets.begin(f"{HIDDEN}’s set", here)
    over, other = _over(matches.at_table(here), hands, HIDDEN)
    again, third = _over(matches.at_table(here), hands, ALIAS)
    spoilt, _ = _over(matches.at_table(here), hands, HIDDEN)
    by_ours = replace(AGREED, players=_PLAYERS, ruleset=ours)
    on = matches.at_table(there).begin(by_ours)
    matches.change(on, WinnerEntered(HIDDEN, by=HIDDEN))
    given = hands.begin_by_hand("bmja", on, there)
    hands.change(given, SetAdded(("B3", "B3", "B3"), "exposed", by=HIDDEN))
    matches.change(on, HandGiven(HIDDEN, given, by=HIDDEN))
    closed = _tournament(played, (*NAMES[:3], HIDDEN, *NAMES[3:7]))  # she is replaced in it
    open_rounds = _tournament(played, (HIDDEN, *NAMES[:7]))
    season = SeasonRepository(store).begin(
        SeasonBegun(f"{HIDDEN}’s autumn", "2000-01-01", "2099-12-31", "both", (4, 2, 1, 0), None)
    )
    left_out = SeasonMatchDecided(
        over, counts=False, why=f"{HIDDEN} was ill", who=HIDDEN, by=HIDDEN
    )
    SeasonRepository(store).say(season, left_out)
    people = PeopleRepository(store)
    register = people.register()
    people.merge(register.find_person(ALIAS), register.find_person(HIDDEN))
    people.remove(people.register().find_person(HIDDEN), is_hidden=True)
    played.known |= {
        "match": [early, over, again, spoilt, on, on_box],
        "hand": [hand, other, third, given],
        "table": [here, there],
        "tournament": [open_rounds, closed],
        "season": [season],
        "person": [people.register().find_person(name).id for name in (HIDDEN, "Bob")],
        "stream": [spoilt, f"tournament:{closed}", BOX],
        "ruleset": [ours],
        "name": [_set_aside(played)],
    }


def gather_damaged(played: Played) -> None:
    """Gather, and damage a match and a tournament of hers."""
    gather(played)
    for stream in played.known["stream"][:2]:
        write_raw(played.store, stream, "hand-agreed", {"player": HIDDEN, "hand": "none"})


def gather_organised(played: Played) -> None:
    """Gather where an organiser has set a PIN."""
    gather(played)
    set_new_organiser_pin(SettingsLog(played.store))
