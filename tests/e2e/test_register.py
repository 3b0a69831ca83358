"""A player lays a set out, photographs it, puts a tile right and has the box keep its pictures.

With TONGBOX_SCREENS=DIR pictures of the phone are taken on the way.
"""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import pytest

from scorer.tiles import JOKER
from tests.e2e.conftest import LiveServer, ServeWith
from tests.e2e.player import Player
from tests.e2e.test_tile_sets import OVERFLOW, SMALL
from tests.vision.laid_set import PRINTED, photograph
from vision.reader import Reader

THEMES = ("light", "dark")


def shoot(player: Player, name: str) -> None:
    """Take a picture of the whole page in both themes, where pictures are wanted."""
    folder = os.environ.get("TONGBOX_SCREENS")
    for theme in THEMES if folder else ():
        player.browser.prefer(prefers_color_scheme=theme)
        Path(folder or "").mkdir(parents=True, exist_ok=True)
        player.browser.save_screenshot(str(Path(folder or "") / f"{name}-{theme}.png"))
    player.browser.prefer()


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a photograph of the set, of which 5 and 6 of characters were swapped."""
    characters = (*PRINTED[1][:4], "C6", "C5", *PRINTED[1][6:])
    rgb = photograph((PRINTED[0], characters, *PRINTED[2:]))
    path = tmp_path_factory.mktemp("laid") / "set.jpg"
    cv2.imwrite(str(path), rgb[..., ::-1])
    return path


def test_a_set_is_registered(player: Player, serve_with: ServeWith, laid: Path) -> None:
    box: LiveServer = serve_with(Reader.load())
    player.open(f"{box.url}/sets/")
    shoot(player, "register-0-sets")
    player.tap('a[href$="/sets/register/"]')
    player.see(".nine")
    shoot(player, "register-1-lesson")
    player.choose_photo(laid)

    player.see("#check")
    assert "Row 2 looks like the characters" in player.text("#check"), "it says what is odd"
    shoot(player, "register-2-check")
    assert player.text("#check form button.primary") == "Keep these 45 pictures"

    player.tap('.seen[aria-label^="6 characters"]')
    player.see("#sheet .compare")
    shoot(player, "register-3-tile")
    player.tap(f'#sheet button[value="{JOKER}"]')
    player.until(lambda: "Others" in player.text("#check"), "the joker is among the others")
    player.tap('form[action$="/undo"] button')
    player.until(lambda: "joker" not in player.text("#check"), "it was taken back")

    player.open(f"{box.url}/sets/")
    assert "Nothing learnt yet" in player.text(".sets"), "nothing is kept before the player says so"
    player.browser.back()
    player.tap("#check form button.primary")
    player.until(lambda: "knows these tiles now" in player.text("#check"), "never kept")
    shoot(player, "register-4-kept")
    player.open(f"{box.url}/sets/")
    assert "45 pictures, 42 of 42 tiles known" in player.text(".sets")
    assert player.browser.execute_script(OVERFLOW) == 0, "nothing sticks out at the side"
    assert player.browser.execute_script(SMALL) == [], "all of it is large enough to tap"
    assert player.complaints() == []
