"""Webcams are found under names that stay their own, whatever number the kernel gives them.

The links and names are drawn as udev and Linux make them (Debian 12 and 13); no webcam was there.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.device.cameras.plugs import Plugs

C920, CHEAP = "046d_HD_Pro_Webcam_C920", "HD_Webcam"


@pytest.fixture
def plugs(tmp_path: Path) -> Plugs:
    return Plugs(tmp_path)


def test_a_pis_codecs_and_second_nodes_are_no_webcams(plugs: Plugs) -> None:
    plugs.plug(1, C920, "8E1B")
    for name in ("by-path/platform-bcm2835-codec-video-index0", "by-id/usb-A_1-video-index1"):
        plugs.link(name, 1)
    (found,) = plugs.find()
    assert found.title == "HD Pro Webcam C920"
    assert found.name == f"usb-{C920}_8E1B-video-index0"
    assert Path(found.path).resolve() == Path(found.device) == plugs.root / "dev/video1"


@pytest.mark.parametrize(
    ("make", "title", "why"),
    [
        (C920, "HD Pro Webcam C920", "udev puts the maker's number before it"),
        (CHEAP, "HD Webcam", "nothing is known but what it is"),
        ("046d_0825", "UVC Camera (046d:0825)", "a C270 says no name; Linux gives its numbers"),
        ("Sonix_Technology_Co._Ltd._USB_2.0_Camera", "Sonix Technology Co. Ltd. USB 2.0 Camera",
         "a maker with a name"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("is_told_by_linux", [True, False])
def test_it_is_called_as_it_calls_itself(
    plugs: Plugs, make: str, title: str, why: str, is_told_by_linux: bool
) -> None:
    plugs.plug(0, make)
    if not is_told_by_linux:
        (plugs.root / "sys/class/video4linux/video0/name").unlink()
        title = "0825" if make == "046d_0825" else title
    (found,) = plugs.find()
    assert found.title == title, why


def test_without_anything_plugged_in_there_is_none(plugs: Plugs) -> None:
    assert plugs.find() == []


def test_a_name_goes_with_the_webcam_into_another_socket_and_order(plugs: Plugs) -> None:
    plugs.plug(0, C920, "8E1B", "1.1")
    plugs.plug(2, C920, "77AA", "1.2")
    seen = {each.name: each.device[-1] for each in plugs.find()}
    for number in (0, 2):
        plugs.pull(number)
    plugs.plug(2, C920, "8E1B", "1.4")
    plugs.plug(0, C920, "77AA", "1.3")
    after = {each.name: each.device[-1] for each in plugs.find()}
    assert after.keys() == seen.keys()
    assert all(after[name] != seen[name] for name in seen), "the other way round, each its own"


def test_two_alike_without_a_number_are_told_apart_by_their_sockets(plugs: Plugs) -> None:
    plugs.plug(0, CHEAP, socket="1.1")
    plugs.plug(2, CHEAP, socket="1.2")
    found = plugs.find()
    assert [each.title for each in found] == ["HD Webcam (USB 1.1)", "HD Webcam (USB 1.2)"]
    assert [each.device[-1] for each in found] == ["0", "2"]
    assert all("by-path" in each.path for each in found)
    assert not set(found[0].names) & set(found[1].names)


def test_what_leads_to_either_of_two_alike_leads_to_none(plugs: Plugs) -> None:
    """A table chose the only one by its make; another of that make is plugged in later."""
    plugs.plug(0, CHEAP, socket="1.1")
    (alone,) = plugs.find()
    plugs.plug(2, CHEAP, socket="1.2")
    assert not any(alone.name in each.names for each in plugs.find())


def test_one_of_two_alike_that_is_left_is_still_known_by_its_socket(plugs: Plugs) -> None:
    plugs.plug(0, CHEAP, socket="1.1")
    plugs.plug(2, CHEAP, socket="1.2")
    first, second = plugs.find()
    plugs.pull(0)
    (left,) = plugs.find()
    assert second.name in left.names
    assert first.name not in left.names
