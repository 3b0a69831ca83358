"""What stays chosen on a page, and what is offered beside it."""

from __future__ import annotations

import pytest

from tests.device.fake_reader import FakeReader
from tests.e2e.conftest import ServeWith
from tests.e2e.player import Player
from tests.e2e.sizes import faults
from tests.e2e.tour import begin, other_phone


def test_in_a_goulash_a_joker_joins_one_set_alone(player: Player, serve_with: ServeWith) -> None:
    url = serve_with(FakeReader()).url
    begin(url)
    other_phone(url, "/table/winner")
    other_phone(url, "/table/settle")
    other_phone(url, "/table/winner", who="2", won_by="wall")
    player.open(f"{url}/table/hand/1")
    player.tap('form[action^="/table/hand/1/enter"] button')
    assert dict(faults(player.browser, (360, 740))) == {"usual": [], "big": []}
    player.browser.resize()
    player.tap('#entry label:has([name="wild"][value="JK 1"])')
    player.tap('#keys .key[value="B2"]')
    player.wait_until(lambda: "3 of 13" in player.text("#laid"), "the pung is not laid")
    chosen_wild = "return document.querySelector('[name=wild]:checked').value"
    player.wait_until(
        lambda: player.browser.execute_script(chosen_wild) == "", "the joker stays chosen"
    )
    player.tap('#entry label:has([name="kind"][value="pair"])')
    player.tap('#keys .key[value="WE"]')
    player.wait_until(lambda: "5 of 13" in player.text("#laid"), "the pair is not laid")
    symbols = "return document.querySelectorAll('#laid use[href$=\"tile-unknown\"]').length"
    assert player.browser.execute_script(symbols) == 1, "one joker, in the pung"


@pytest.mark.parametrize(
    ("path", "name", "points", "place_field"),
    [
        ("/club/tournaments/new", "ranking", "total", "place0"),
        ("/club/season/new", "points", "totals", "places"),
    ],
)
def test_points_for_places_are_asked_for_only_where_they_count(
    player: Player, serve_with: ServeWith, path: str, name: str, points: str, place_field: str
) -> None:
    player.open(serve_with(FakeReader()).url + path)
    player.tap(f'label:has([name="{name}"][value="both"])')
    field = player.see(f'[name="{place_field}"]')
    usual = field.get_attribute("value")
    player.tap(f'label:has([name="{name}"][value="{points}"])')
    assert not field.is_displayed()
    script = f"return new FormData(document.querySelector('main form')).get('{place_field}')"
    assert player.browser.execute_script(script) == usual, "it is sent all the same"
    assert player.browser.execute_script(DELETE_HAS), "a browser without :has drops this rule"
    assert field.is_displayed(), "such a browser asks for it always"


DELETE_HAS = """
let found = 0;
for (const sheet of document.styleSheets) {
  for (let at = sheet.cssRules.length - 1; at >= 0; at -= 1) {
    if (!sheet.cssRules[at].selectorText?.includes(":has(")) continue;
    sheet.deleteRule(at);
    found += 1;
  }
}
return found;
"""


def test_each_rulesets_switches_stand_with_it_alone(player: Player, serve_with: ServeWith) -> None:
    url = serve_with(FakeReader()).url
    player.open(f"{url}/match/new")
    player.tap(".fifth > summary")
    player.tap("details:not(.fifth) > summary")
    assert player.see(".rules-bmja")
    player.tap('label:has([name="ruleset"][value="safalra"])')
    switches = player.browser.find_elements("css selector", ".rules-bmja")
    assert switches
    assert not any(each.is_displayed() for each in switches)
    fifth = player.browser.find_element("css selector", "[name=player4]")
    assert not fifth.is_displayed(), "these rules are for four at the most"
    assert "2 to 4 players" in player.text("p.rules-safalra")
    player.tap('label:has([name="ruleset"][value="bmja"])')
    assert player.see(".rules-bmja")
    fifth.send_keys("Eve")
    assert not player.browser.find_element("css selector", "p.rules-safalra").is_displayed()
    player.tap('label:has([name="ruleset"][value="safalra"])')
    assert fifth.is_displayed(), "a name is never hidden"
