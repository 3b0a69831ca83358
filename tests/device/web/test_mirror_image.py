"""A photograph that Is this photo a mirror image is read and asked about, never refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask.testing import FlaskClient
from msgspec import structs

from device.hands.record import HandRecord
from device.hands.repository import HandRepository
from device.jobs import PhotoQueue
from device.matches.repository import MatchRepository
from device.store import Store
from tests.device.fake_reader import FakeReader, lay
from tests.device.match_play import AGREED_TERMS, give_hand
from tests.device.page import get_page
from tests.device.shared_decoder import DECODER
from vision.photo import Photo
from vision.reader import MIRRORED_PHOTO
from vision.reading import Reading

MIRROR_QUESTION = "Is this photo a mirror image"


class SeesMirrors(FakeReader):
    """Suspects every photograph, and remembers the pixels at the left edge of each."""

    def __init__(self) -> None:
        super().__init__(structs.replace(lay(), problems=(MIRRORED_PHOTO,)))
        self.left_edges: list[bytes] = []

    def read(
        self, photo: Photo, rules: str = "bmja", progress: Callable[[str], None] | None = None
    ) -> Reading:
        self.left_edges.append(photo.rgb[:, 0].tobytes())
        return super().read(photo, rules, progress)


@pytest.fixture
def reader() -> SeesMirrors:
    return SeesMirrors()


@pytest.fixture
def suspected_hand(
    client: FlaskClient,
    jobs: PhotoQueue,
    unread_hand: str,
    wait_settled: Callable[[str], HandRecord],
) -> str:
    """Return a hand whose photograph was suspected; the page asks."""
    jobs.submit("hand", unread_hand)
    assert wait_settled(unread_hand).reading is not None
    page = client.get(f"/hand/{unread_hand}/")
    assert page.status_code == 200
    assert MIRROR_QUESTION in page.text
    assert page.text.count("look mirrored") == 0, "said once, as a question"
    return unread_hand


def test_one_tap_says_that_it_is_none(
    client: FlaskClient, hands: HandRepository, suspected_hand: str
) -> None:
    before = hands.get(suspected_hand)
    client.post(f"/hand/{suspected_hand}/mirrored", data={"mirrored": "no"})
    after = hands.get(suspected_hand)
    assert after.tiles == before.tiles
    assert MIRROR_QUESTION not in client.get(f"/hand/{suspected_hand}/").text


def test_one_tap_reads_it_the_other_way_round(
    client: FlaskClient, hands: HandRepository, reader: SeesMirrors, suspected_hand: str,
    wait_settled: Callable[[str], HandRecord],
) -> None:  # fmt: skip
    first = hands.get(suspected_hand).reading
    assert first is not None
    client.post(f"/hand/{suspected_hand}/mirrored", data={"mirrored": "yes"})
    reading = wait_settled(suspected_hand).reading
    assert reading is not None
    photo = hands.open(hands.get(suspected_hand).photo, DECODER)  # type: ignore[arg-type]
    assert reader.left_edges == [photo.rgb[:, 0].tobytes(), photo.rgb[:, -1].tobytes()]
    for one, other in zip(first.tiles, reading.tiles, strict=True):
        assert [x for x, _ in other.quad] == [photo.width - 1 - x for x, _ in one.quad]
    assert MIRROR_QUESTION not in client.get(f"/hand/{suspected_hand}/").text, "it was said already"


def test_a_hand_that_was_put_right_is_not_read_anew(
    client: FlaskClient, hands: HandRepository, suspected_hand: str
) -> None:
    client.post(f"/hand/{suspected_hand}/tile/0", data={"code": "B3"})
    page = get_page(client, f"/hand/{suspected_hand}/")
    assert MIRROR_QUESTION in page.text
    assert page.single("#bar").values("mirrored") == ["no"]
    assert (
        client.post(f"/hand/{suspected_hand}/mirrored", data={"mirrored": "yes"}).status_code == 409
    )
    assert hands.get(suspected_hand).tiles[0].code == "B3"


def test_what_nobody_asks_is_not_answered(client: FlaskClient, hands: HandRepository) -> None:
    hand = hands.begin_by_hand("bmja")
    for answer in ("yes", "no"):
        response = client.post(f"/hand/{hand}/mirrored", data={"mirrored": answer})
        assert response.status_code == 409


def test_at_the_table_nobody_agrees_past_the_question(
    client: FlaskClient, store: Store, matches: MatchRepository, suspected_hand: str
) -> None:
    match = matches.begin(AGREED_TERMS)
    hand = give_hand(matches, match, store, _with_problem(store, suspected_hand), "Cy", "Cy")
    bar = get_page(client, f"/hand/{hand}/").single("#bar")
    assert bar.values("mirrored") == ["yes", "no"]
    assert "/right" not in str(bar)
    client.post(f"/hand/{hand}/mirrored", data={"mirrored": "no"})
    assert "/right" in str(get_page(client, f"/hand/{hand}/").single("#bar"))


def _with_problem(store: Store, hand: str) -> str:
    """Return a copy of a hand that begins with its photograph and its reading."""
    copy = "abcdefabcdef"
    events = {each.kind: each.event for each in store.events(hand)}
    store.append(copy, events["photo-taken"])
    store.append(copy, events["reading-made"])
    return copy
