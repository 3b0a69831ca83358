"""The page of rules: copy, bring, change and hand on a ruleset, and play by it everywhere."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient
from selectolax.lexbor import LexborNode
from werkzeug.test import TestResponse

from device.access import set_new_organiser_pin
from device.club.tables import ClubTables
from device.club.tournament.repository import TournamentRepository
from device.i18n.words import LANGUAGES, load, use_words
from device.matches.repository import MatchRepository
from device.rulesets.repository import CustomRulesets
from device.services import Services
from device.settings import SettingsLog
from device.store import Store
from device.views.custom_rules import row_groups
from device.web import Box, create_app
from scorer.hand import RULESETS
from scorer.rulesets.custom import read_custom_ruleset
from scorer.rulesets.files import SAMPLES, load_builtin_text, load_sample_text
from scorer.rulesets.reader import read_ruleset
from tests.device.club.rooms import lay, phone_at, post
from tests.device.page import Page, Part, get_page, main_text
from tests.device.web.custom_rules import HERE, NAMES, NEW_HAND, OURS, copied, text_of


def test_the_settings_lead_to_the_rules(client: FlaskClient) -> None:
    assert HERE in get_page(client, "/settings/").links()
    words = main_text(client, HERE)
    assert "British Mah-Jong (BMJA)" in words
    assert "Safalra's Mah Jong" in words


def test_a_copy_is_made_named_and_played_by(client: FlaskClient, matches: MatchRepository) -> None:
    ours = copied(client)
    page = get_page(client, f"{HERE}{ours}/")
    assert "Version 1" in page.text
    form = get_page(client, page.link("Play under these rules"))
    assert form.chosen_values("ruleset") == [ours]
    post(client, "/match/new", ruleset=ours, **NAMES)
    match = matches.current()
    assert match
    assert match.agreement.rules.version == 1
    assert "Our rules, version 1" in main_text(client, "/table/history")
    assert get_page(client, "/match/new").chosen_values("ruleset") == [ours], (
        "the next is played alike"
    )


def test_a_name_that_is_taken_is_asked_again(client: FlaskClient) -> None:
    copied(client)
    answer = client.post(f"{HERE}copy", data={"of": "safalra", "title": "OUR RULES"})
    assert answer.status_code == 422
    page = Page(answer.text)
    assert "There are already rules called “OUR RULES”." in page.main.single('[role="alert"]').text
    assert "OUR RULES" in page.values("title")


def test_a_name_of_spaces_is_asked_again(client: FlaskClient, rulesets: CustomRulesets) -> None:
    client.post("/phone/", data={"language": "fr"})
    answer = client.post(f"{HERE}copy", data={"of": "safalra", "title": "  "})
    assert answer.status_code == 422
    assert Page(answer.text).main.single('label [role="alert"]').text == "Saisissez un nom."
    assert rulesets.list_all() == ()


@pytest.mark.parametrize(("at", "field"), [("special-new", "name"), ("rule-7", "sentence")])
def test_words_that_are_missing_are_said_by_the_label(
    client: FlaskClient, at: str, field: str
) -> None:
    ours = copied(client)
    answer = client.post(f"{HERE}{ours}/change/{at}", data={"seen": "1", **NEW_HAND, field: " "})
    assert answer.status_code == 422
    label = {"name": "Name", "sentence": "The rule in a sentence"}[field]
    faults = Page(answer.text).main.single('[role="alert"]').texts("li")
    assert faults == [f"“{label}” is empty: please type something."]


def test_the_match_form_leads_to_the_rules(client: FlaskClient) -> None:
    ours = copied(client)
    assert get_page(client, "/match/new").link("See Our rules") == f"{HERE}{ours}/"


@pytest.mark.parametrize("as_file", [True, False])
def test_a_file_is_brought_or_its_text_pasted(
    client: FlaskClient, rulesets: CustomRulesets, as_file: bool
) -> None:
    file = (io.BytesIO(OURS.encode()), "ours.toml")
    data = {"file": file} if as_file else {"text": OURS.replace("\n", "\r\n"), "file": ""}
    answer = client.post(f"{HERE}bring", data=data, content_type="multipart/form-data")
    assert answer.status_code == 303
    assert "Saved as version 1." in main_text(client, answer.headers["Location"])
    (kept,) = rulesets.list_all()
    assert kept.title == "Our rules"
    again = client.post(f"{HERE}bring", data={"text": kept.newest.text})
    assert "The box has these rules already" in main_text(client, again.headers["Location"])


def test_every_fault_is_said_and_the_text_stays_in_the_form(
    client: FlaskClient, rulesets: CustomRulesets
) -> None:
    wrong = OURS.replace("points = 20", "points = -1", 1).replace("limit = ", "limits = ", 1)
    answer = client.post(f"{HERE}bring", data={"text": wrong})
    assert answer.status_code == 422
    page = Page(answer.text)
    faults = page.main.single('[role="alert"]').texts("li")
    assert [each.partition(":")[0] for each in faults] == ["Line 17", "Line 53"]
    assert text_of(page) == wrong
    assert rulesets.list_all() == ()


def test_a_file_that_is_no_text_is_refused(client: FlaskClient) -> None:
    data = {"file": (io.BytesIO(b"\xff\xfe"), "ours.toml")}
    answer = client.post(f"{HERE}bring", data=data, content_type="multipart/form-data")
    assert answer.status_code == 422
    assert "This is not UTF-8 text" in answer.text


def test_the_file_is_changed_in_its_box(client: FlaskClient, rulesets: CustomRulesets) -> None:
    ours = copied(client)
    page = get_page(client, f"{HERE}{ours}/")
    text, seen = text_of(page), page.value("seen")
    assert text == rulesets.get(ours).newest.text
    changed = text.replace("limit = 1000", "limit = 2000", 1)
    where = post(client, f"{HERE}{ours}/text", text=changed, seen=seen)
    assert "Saved as version 2." in main_text(client, where)
    form = get_page(client, f"/match/new?ruleset={ours}")
    assert "Our rules: a limit of 2000." in form.text
    wrong = client.post(f"{HERE}{ours}/text", data={"text": text + "x", "seen": seen})
    assert wrong.status_code == 422
    assert text_of(Page(wrong.text)) == text + "x"


def test_a_phone_that_was_overtaken_is_told_and_loses_nothing(
    client: FlaskClient, rulesets: CustomRulesets
) -> None:
    ours = copied(client)
    page = get_page(client, f"{HERE}{ours}/")
    text, seen = text_of(page), page.value("seen")
    first, second = (text.replace("points = 20", f"points = {n}", 1) for n in (21, 22))
    post(client, f"{HERE}{ours}/text", text=first, seen=seen)
    answer = client.post(f"{HERE}{ours}/text", data={"text": second, "seen": seen})
    assert answer.status_code == 409
    told = Page(answer.text)
    assert "Somebody else has saved version 2" in told.text
    assert text_of(told) == second
    post(client, f"{HERE}{ours}/text", text=second, seen=told.values("seen")[0])
    assert rulesets.get(ours).newest.number == 3


def test_every_version_can_be_taken_along(client: FlaskClient) -> None:
    ours = copied(client, title="規則")
    text = text_of(get_page(client, f"{HERE}{ours}/"))
    post(client, f"{HERE}{ours}/text", text=text.replace("points = 20", "points = 30"), seen="1")
    for link, number in ((f"{HERE}{ours}/file", 2), (f"{HERE}{ours}/file?version=1", 1)):
        assert link in get_page(client, f"{HERE}{ours}/").links()
        answer = client.get(link)
        assert answer.headers["Content-Disposition"].endswith(f"{ours}-{number}.toml")
        rules = read_custom_ruleset(answer.text)
        assert rules.version == number
    assert read_ruleset(client.get(f"{HERE}safalra/file").text).name == "safalra"
    assert client.get(f"{HERE}{ours}/file?version=9").status_code == 404
    assert client.get(f"{HERE}ours-9/").status_code == 404


def test_what_is_retired_is_not_offered(client: FlaskClient) -> None:
    ours = copied(client)
    post(client, f"{HERE}{ours}/retire")
    assert ours not in get_page(client, "/match/new").values("ruleset")
    assert "Not offered for new matches." in main_text(client, HERE)
    post(client, f"{HERE}{ours}/bring-back")
    assert ours in get_page(client, "/match/new").values("ruleset")


def test_the_organisers_pin_guards_the_rules(client: FlaskClient, store: Store) -> None:
    set_new_organiser_pin(SettingsLog(store))
    assert client.post(f"{HERE}copy", data={"of": "bmja", "title": "Ours"}).status_code == 403


def test_a_table_and_a_tournament_play_by_them(
    app: Flask, store: Store, rulesets: CustomRulesets
) -> None:
    phone = app.test_client()
    ours = copied(phone)
    table = lay(app, "One")
    post(phone, f"/club/tables/{table}/rules", ruleset=ours)
    assert ClubTables(store).get(table).ruleset == ours
    here = phone_at(app, table)
    assert get_page(here, "/match/new").chosen_values("ruleset") == [ours]
    names = "\n".join(("Ann", "Bob", "Cy", "Di"))
    at = post(phone, "/club/tournaments/new", name="Autumn", players=names, rounds="1")
    tournament = at.split("/")[3]
    post(phone, f"{at}tables/", table0=table, ruleset=ours)
    rulesets.keep_file(rulesets.get(ours).newest.text.replace("points = 20", "points = 30", 1))
    assert get_page(phone, f"{at}tables/").chosen_values("ruleset") == [ours]
    post(phone, f"{at}draw", number="1")
    post(phone, f"{at}tables/begin")
    now = TournamentRepository(store).get(tournament)
    assert now.played_at
    assert now.played_at.ruleset == f"{ours}@1"
    match = MatchRepository(store).at_table(table).current()
    assert match
    assert match.agreement.rules.version == 1, "all rounds are played by the version chosen"


def test_a_box_may_propose_a_custom_ruleset(services: Services) -> None:
    kept = CustomRulesets(services.store).keep_file(OURS)
    phone = create_app(Box(services, rules=kept.id)).test_client()
    assert get_page(phone, "/match/new").chosen_values("ruleset") == [kept.id]
    hand = post(phone, "/enter").split("/")[2]
    assert services.hands.get(hand).agreement.rules.version == 1


def test_the_rules_in_force_are_shown(client: FlaskClient, rulesets: CustomRulesets) -> None:
    flower = 'label = "Flower or season"\npoints = '
    dearer = OURS.replace(f"{flower}4", f"{flower}7")
    dearer = dearer.replace('id = "BMJA-S13"', 'id = "OUR-S1"', 1)
    ours = rulesets.keep_file(dearer).id
    post(client, "/match/new", ruleset=ours, **NAMES)
    assert "7" in get_page(client, "/learn/rules/BMJA-B10").single("dl.worth").text
    own = get_page(client, "/learn/rules/OUR-S1")
    assert "Knitting" in own.single("h1").text
    assert "Our rules" in own.main.text
    assert client.get("/learn/rules/OUR-S2").status_code == 404


@pytest.mark.parametrize("language", ["fr", "zh-Hant"])
def test_the_pages_speak_the_phones_language(client: FlaskClient, language: str) -> None:
    ours = copied(client)
    client.post("/phone/", data={"language": language})
    for path in (HERE, f"{HERE}{ours}/"):
        page = get_page(client, path)
        assert load(language)["custom-rules.title"] in page.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_rows_of_a_ruleset_have_one_title(language: str) -> None:
    use_words(language)
    texts = (*map(load_builtin_text, RULESETS), *map(load_sample_text, SAMPLES))
    for groups in map(row_groups, texts):
        titles = [row.title for group in groups for row in group.rows]
        assert len(set(titles)) == len(titles)


MAX_TAPS = 8


class Tapping:
    """A phone that goes by what it is shown, each tap counted; a closed part costs one more."""

    def __init__(self, client: FlaskClient, at: str) -> None:
        self._client = client
        self.page, self.taps = get_page(client, at), 0

    def link(self, css: str, says: str = "") -> None:
        """Follow a link."""
        link = self.page.single(css, says)
        self._tap(link)
        self._show(self._client.get(link["href"], follow_redirects=True))

    def button(self, says: str, near: str = "main", **typed: str) -> None:
        """Press a button of a form after typing into its fields."""
        (button,) = (each for each in self.page.all(f"{near} form button") if each.text == says)
        self._tap(button)
        form = next(each for each in _outwards(button.tag) if each.tag == "form")
        fields = {
            each["name"]: each.get("value")
            for each in Part(form).all("input[name]")
            if each.get("type", "text") not in ("radio", "checkbox") or "checked" in each
        }
        fields |= {each["name"]: each.text for each in Part(form).all("textarea")}
        fields |= {button["name"]: button["value"]} if "name" in button else {}
        action = form.attributes["action"] or ""
        data = {**fields, **typed}
        self._show(self._client.post(action, data=data, follow_redirects=True))

    def _tap(self, part: Part) -> None:
        closed = [
            each.mem_id
            for each in _outwards(part.tag)
            if each.tag == "details" and "open" not in each.attributes
        ]
        self.taps += 1 + len(closed)

    def _show(self, answer: TestResponse) -> None:
        assert answer.status_code == 200, answer.text
        self.page = Page(answer.text)


def _outwards(tag: LexborNode) -> Iterator[LexborNode]:
    """Yield what a tag lies in, from the nearest on."""
    while tag.parent is not None:
        tag = tag.parent
        yield tag


@pytest.mark.parametrize("made_before", [False, True])
def test_from_the_table_to_playing_by_a_changed_figure_it_is_eight_taps(
    client: FlaskClient, matches: MatchRepository, made_before: bool
) -> None:
    if made_before:
        copied(client)
    post(client, "/match/new", ruleset="bmja", **NAMES)
    first = matches.current()
    phone = Tapping(client, "/table/")
    phone.link('a[href="/first/"]')
    phone.link('a[href="/settings/"]')
    phone.link(f'a[href="{HERE}"]')
    if made_before:
        phone.link(f'a[href="{HERE}ours-1/"]')
    else:
        phone.button("Copy", "li:first-child", title="Our rules")
    phone.link(".rule-list a", "Flower or season")
    phone.button("Save and play", points="6")
    phone.button("Begin", **NAMES)
    match = matches.current()
    assert match
    assert first
    assert match.id != first.id
    assert match.agreement.rules.version == 2
    assert phone.taps <= MAX_TAPS


@pytest.mark.slow
def test_rows_of_both_games_have_pages(client: FlaskClient) -> None:
    for of in ("bmja", "safalra"):
        ours = copied(client, of, f"Ours of {of}")
        rows = get_page(client, f"{HERE}{ours}/").all(".rule-list a")
        assert len(rows) > 10
        for row in rows[::4]:
            get_page(client, row["href"])
