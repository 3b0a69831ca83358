"""A player lays a set out, photographs it, puts a tile right and has the box keep its pictures."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from scorer.tiles import JOKER
from tests.e2e.conftest import LiveServer, ServeWith
from tests.e2e.player import Player
from tests.e2e.test_tile_sets import SMALL
from tests.vision.laid_set import PRINTED_ROWS, photograph
from vision.reader import Reader


@pytest.fixture(scope="module")
def laid_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a photograph of the set, of which 5 and 6 of characters were swapped."""
    characters = (*PRINTED_ROWS[1][:4], "C6", "C5", *PRINTED_ROWS[1][6:])
    rgb = photograph((PRINTED_ROWS[0], characters, *PRINTED_ROWS[2:]))
    path = tmp_path_factory.mktemp("laid") / "set.jpg"
    cv2.imwrite(str(path), rgb[..., ::-1])
    return path


def test_a_set_is_registered(player: Player, serve_with: ServeWith, laid_set: Path) -> None:
    box: LiveServer = serve_with(Reader.load())
    player.open(f"{box.url}/sets/")
    player.tap('a[href$="/sets/register/"]')
    player.see(".nine")
    player.choose_photo(laid_set)

    player.see("#check")
    assert "Row 2 looks like the characters" in player.text("#check"), "it says what is odd"
    assert player.text("#check form button.primary") == "Save these 45 pictures"

    player.tap('.seen[aria-label^="6 characters"]')
    player.see("#sheet .compare")
    player.tap(f'#sheet button[value="{JOKER}"]')
    player.wait_until(lambda: "Others" in player.text("#check"), "the joker is among the others")
    player.tap('form[action$="/undo"] button')
    player.wait_until(lambda: "joker" not in player.text("#check"), "it was taken back")

    player.open(f"{box.url}/sets/")
    assert "Nothing learnt yet" in player.text(".sets"), "nothing is kept before the player says so"
    player.browser.back()
    player.tap("#check form button.primary")
    player.wait_until(lambda: "knows these tiles now" in player.text("#check"), "never kept")
    player.open(f"{box.url}/sets/")
    assert "45 pictures, 42 of 42 tiles known" in player.text(".sets")
    assert player.overflow() == 0, "nothing sticks out at the side"
    assert player.browser.execute_script(SMALL) == [], "all of it is large enough to tap"
    assert player.complaints() == []
