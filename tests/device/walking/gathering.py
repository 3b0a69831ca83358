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
from tests.device.club.tournament.tournament_play import NAMES, POINTS, add_tournament, play_round
from tests.device.events import write_raw
from tests.device.match_play import AGREED_TERMS, SCORES
from tests.device.walking.boxes import PlayedBox, read_hand

HIDDEN_NAME = "Quirina"
"""Wins, pays, corrects, gives in and says why, everywhere."""

ALIAS = "Kweerie"
"""Another name under which she has played."""

_PLAYERS = (HIDDEN_NAME, "Bob", "Cy", "Di")


def _scores(name: str) -> dict[str, int]:
    return {name: SCORES["Ann"], **{each: SCORES[each] for each in _PLAYERS[1:]}}


def _finish_match(matches: MatchRepository, hands: HandRepository, name: str) -> tuple[str, str]:
    """Play a match to its end; return its id and that of a hand in it."""
    match = matches.begin(replace(AGREED_TERMS, players=("Qirina", *_PLAYERS[1:])))
    matches.change(match, PlayersRenamed({"Qirina": name}, by="Bob"))
    matches.change(match, WinnerEntered(name, by=name))
    hand = read_hand(hands, match)
    hands.change(hand, TileMoved(0, "concealed", None, by=name))
    hands.change(hand, TilesConfirmed(by=name))
    matches.change(match, HandGiven(name, hand, by=name))
    matches.change(match, DealSettled(name, _scores(name), by=name))
    charge = ChargeMade(
        name, {"Bob": 50}, f"{name} looked at tiles, says {HIDDEN_NAME.lower()}", by=name
    )
    matches.change(match, charge)
    right = DealCorrected(1, winner=name, won_by="discard", scores=_scores(name), by=name)
    matches.change(match, right)
    matches.change(match, MatchEnded(by=name))
    return match, hand


def _tournament(played_box: PlayedBox, names: tuple[str, ...]) -> str:
    """Play a round, put it right, and draw the next, which is on."""
    tournaments = TournamentRepository(played_box.store)
    tournament_id = add_tournament(tournaments, name=f"{HIDDEN_NAME} Cup", players=names)
    play_round(tournaments, tournament_id)
    reason = f"{HIDDEN_NAME} and Bob added it wrongly"
    tournaments.change(
        tournament_id, ResultGiven(1, 1, POINTS[::-1], why=reason, seen=1, by=HIDDEN_NAME)
    )
    tournaments.change(tournament_id, PlayerReplaced(3, "Zoe", by=HIDDEN_NAME))
    tournaments.change(tournament_id, RoundsChanged(3, 45, by=HIDDEN_NAME))
    tournaments.draw(tournament_id, 2, author=HIDDEN_NAME)
    tournament = tournaments.get(tournament_id)
    hers = HIDDEN_NAME in names_in_round(
        tournament, 2, tournament.seats[1].tables[0]
    )  # a table that can begin a match yet
    tournaments.change(tournament_id, ResultGiven(2, 2 if hers else 1, POINTS, by=HIDDEN_NAME))
    return tournament_id


def _rules(played_box: PlayedBox) -> str:
    """Keep rules that she made and that are called after her; return their key."""
    rulesets = CustomRulesets(played_box.store)
    key = rulesets.copy("bmja", f"{HIDDEN_NAME}’s rules", HIDDEN_NAME, by=HIDDEN_NAME)
    ruleset = rulesets.get(key)
    special = f'id = "OURS-S1"\nname = "{HIDDEN_NAME}’s hand"\npattern = "x1-9, pung y, pair z"'
    text = f"{ruleset.newest.text}\n[[special]]\n{special}\nvalue = 500\n"
    rulesets.keep_version(key, text, ruleset.seen, by=HIDDEN_NAME)
    return key


def _set_aside(played_box: PlayedBox) -> str:
    """Set a folder aside that names her, as a restore does; return its name."""
    folder = played_box.store.folder / "replaced-1"
    folder.mkdir()
    with closing(Store(folder)) as store:
        MatchRepository(store).begin(replace(AGREED_TERMS, players=_PLAYERS))
        people = PeopleRepository(store)
        people.remove(people.register().find_person(HIDDEN_NAME), is_hidden=True)
    return folder.name


def gather(played_box: PlayedBox) -> None:
    """Let her play in matches that are over and one that goes on, in tournaments and a season."""
    store, hands = played_box.store, played_box.box.services.hands
    tables, matches = ClubTables(store), MatchRepository(hands.store)
    early_match, hand = _finish_match(matches, hands, HIDDEN_NAME)
    on_box = matches.begin(AGREED_TERMS)
    ruleset_key = _rules(played_box)
    first_table, second_table = tables.lay(f"{HIDDEN_NAME}’s window"), tables.lay("Door")
    tables.propose_rules(first_table, ruleset_key)
    played_box.box.services.sets.begin(f"{HIDDEN_NAME}’s set", first_table)
    finished_match, other = _finish_match(matches.at_table(first_table), hands, HIDDEN_NAME)
    alias_match, third = _finish_match(matches.at_table(first_table), hands, ALIAS)
    spoilt_match, _ = _finish_match(matches.at_table(first_table), hands, HIDDEN_NAME)
    terms = replace(AGREED_TERMS, players=_PLAYERS, ruleset=ruleset_key)
    open_match = matches.at_table(second_table).begin(terms)
    matches.change(open_match, WinnerEntered(HIDDEN_NAME, by=HIDDEN_NAME))
    given_hand = hands.begin_by_hand("bmja", open_match, second_table)
    hands.change(given_hand, SetAdded(("B3", "B3", "B3"), "exposed", by=HIDDEN_NAME))
    matches.change(open_match, HandGiven(HIDDEN_NAME, given_hand, by=HIDDEN_NAME))
    closed_tournament = _tournament(
        played_box, (*NAMES[:3], HIDDEN_NAME, *NAMES[3:7])
    )  # she is replaced in it
    open_rounds = _tournament(played_box, (HIDDEN_NAME, *NAMES[:7]))
    season = SeasonRepository(store).begin(
        SeasonBegun(
            f"{HIDDEN_NAME}’s autumn", "2000-01-01", "2099-12-31", "both", (4, 2, 1, 0), None
        )
    )
    left_out = SeasonMatchDecided(
        finished_match, counts=False, why=f"{HIDDEN_NAME} was ill", who=HIDDEN_NAME, by=HIDDEN_NAME
    )
    SeasonRepository(store).say(season, left_out)
    people = PeopleRepository(store)
    register = people.register()
    people.merge(register.find_person(ALIAS), register.find_person(HIDDEN_NAME))
    people.remove(people.register().find_person(HIDDEN_NAME), is_hidden=True)
    played_box.known_ids |= {
        "match": [early_match, finished_match, alias_match, spoilt_match, open_match, on_box],
        "hand": [hand, other, third, given_hand],
        "table": [first_table, second_table],
        "tournament": [open_rounds, closed_tournament],
        "season": [season],
        "person": [people.register().find_person(name).id for name in (HIDDEN_NAME, "Bob")],
        "stream": [spoilt_match, f"tournament:{closed_tournament}", BOX],
        "ruleset": [ruleset_key],
        "name": [_set_aside(played_box)],
    }


def gather_damaged(played_box: PlayedBox) -> None:
    """Gather, and damage a match and a tournament of hers."""
    gather(played_box)
    for stream in played_box.known_ids["stream"][:2]:
        write_raw(played_box.store, stream, "hand-agreed", {"player": HIDDEN_NAME, "hand": "none"})


def gather_organised(played_box: PlayedBox) -> None:
    """Gather where an organiser has set a PIN."""
    gather(played_box)
    set_new_organiser_pin(SettingsLog(played_box.store))
