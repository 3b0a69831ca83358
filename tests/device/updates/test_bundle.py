"""What is taken for an update: what the running version's maker signed, whole, and nothing else."""

from __future__ import annotations

from pathlib import Path

import minisign
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deploy.release.signing import sign
from device.updates import bundle as bundles
from device.updates.bundle import (
    CHECKSUMS_FILE,
    SIGNATURE_FILE,
    BundleError,
    check_bundle,
    unpack_bundle,
)
from device.updates.take import main, take_bundle
from tests.device.updates.bundles import FILES, file_list, pack_bundle, pair

OTHER_SECRET = minisign.KeyPair.generate().secret_key


def test_a_good_one_is_unpacked_whole(tmp_path: Path) -> None:
    secret, key = pair(tmp_path)
    path = pack_bundle(tmp_path / "b.zip", secret)
    assert check_bundle(path, key).version == "9.9.9"
    unpack_bundle(path, key, tmp_path / "out")
    unpacked_files = {
        each.relative_to(tmp_path / "out").as_posix(): each.read_bytes()
        for each in (tmp_path / "out").rglob("*")
        if each.is_file()
    }
    expected_files = FILES | {"SHA256SUMS": file_list(FILES)}
    assert unpacked_files == expected_files, (
        "with what its installer checks; what is for a card stays where it is"
    )


@pytest.mark.parametrize(
    ("changes", "reason", "reason_text"),
    [
        ({"tongbox/wheels/thing.whl": b"wheel" * 999}, "damaged", "shorter than listed"),
        ({"tongbox/wheels/thing.whl": b"WHEEL" * 1000}, "damaged", "other letters"),
        ({"tongbox/wheels/thing.whl": None}, "damaged", "missing"),
        ({CHECKSUMS_FILE: None}, "no-bundle", "a zip of something else"),
        ({SIGNATURE_FILE: None}, "unsigned", "made without a key"),
        ({SIGNATURE_FILE: b"untrusted comment: x\n"}, "others-key", "half a signature"),
        ({SIGNATURE_FILE: sign(file_list(FILES), "9.9.9", OTHER_SECRET)}, "others-key",
         "another maker"),
        ({CHECKSUMS_FILE: file_list(FILES | {"program/more": b"x"})}, "others-key",
         "a list with a line more"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_refused_with_its_reason(
    tmp_path: Path, changes: dict[str, bytes | None], reason: str, reason_text: str
) -> None:
    secret, key = pair(tmp_path)
    path = pack_bundle(tmp_path / "b.zip", secret, changes=changes)
    with pytest.raises(BundleError) as error_info:
        check_bundle(path, key)
    assert error_info.value.reason.key == f"update.{reason}", reason_text
    with pytest.raises(BundleError) as error_info:
        unpack_bundle(path, key, tmp_path / "out")
    assert error_info.value.reason.key == f"update.{reason}", reason_text


@pytest.mark.parametrize("name", ["../outside", "/etc/passwd", "a/../../b"])
def test_no_file_is_written_outside_its_folder(tmp_path: Path, name: str) -> None:
    """Not even of a list that its maker signed."""
    secret, key = pair(tmp_path)
    path = pack_bundle(tmp_path / "b.zip", secret, changes={f"tongbox/{name}": b"x"},
                  listing=file_list({name: b"x"}))  # fmt: skip
    with pytest.raises(BundleError):
        unpack_bundle(path, key, tmp_path / "in/out")
    assert not (tmp_path / "in/outside").exists()
    assert not (tmp_path / "b").exists()


LISTS: list[tuple[bytes | None, str, str]] = [
    # list, version, why
    (b"\xff\xfe\n", "9.9.9", "not UTF-8"),
    (file_list({"a\0b": b"x"}), "9.9.9", "a name with a zero byte in it"),
    (file_list({"a" * 5000: b"x"}), "9.9.9", "a name that no disk takes"),
    (file_list({"a": b"x", "a/b": b"x"}), "9.9.9", "a file as a folder"),
    (file_list({".": b"x"}), "9.9.9", "the folder itself"),
    (None, "9" * 5000, "a version of 5,000 digits"),
    (None, "9.9.9" + "a" * 5000, "a version as long in letters"),
    (None, "../../9.9.9", "a version that leads elsewhere"),
    (None, "", "no version"),
]  # fmt: skip
"""What a maker may sign by mistake, or who has got hold of the key may."""


@pytest.mark.parametrize(("listing", "version", "reason_text"), LISTS)
def test_what_is_signed_and_makes_no_sense_is_refused_in_words(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    listing: bytes | None,
    version: str,
    reason_text: str,
) -> None:
    secret, key = pair(tmp_path)
    names = ("a", "a/b", ".", "a" * 5000)
    files = {f"tongbox/{name}": b"x" for name in names} if listing else {}
    path = pack_bundle(tmp_path / "b.zip", secret, version, changes=files, listing=listing)
    with pytest.raises(BundleError) as error_info:
        check_bundle(path, key)
    assert error_info.value.reason.key == "update.damaged", reason_text
    assert main([str(path), str(key), str(tmp_path / "bundle")]) == 1
    assert capsys.readouterr() == ("update.damaged\n", "")
    assert not (tmp_path / "bundle").exists()


def test_a_version_is_signed_with_the_list(tmp_path: Path) -> None:
    """Or an old bundle could be passed off as a newer one."""
    secret, key = pair(tmp_path)
    signature = sign(file_list(FILES), "1.0.0", secret).replace(b"1.0.0", b"2.0.0")
    with pytest.raises(BundleError):
        check_bundle(
            pack_bundle(tmp_path / "b.zip", secret, changes={SIGNATURE_FILE: signature}), key
        )


def test_more_than_a_card_could_hold_is_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret, key = pair(tmp_path)
    path = pack_bundle(tmp_path / "b.zip", secret)
    monkeypatch.setattr(bundles, "MAX_BUNDLE_BYTES", 4000)
    with pytest.raises(BundleError) as error_info:
        check_bundle(path, key)
    assert error_info.value.reason.key == "update.no-bundle"


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.integers(0), bits=st.integers(1, 255), cut=st.booleans())
def test_no_spoilt_byte_and_no_cut_gets_in(
    tmp_path: Path, place: int, bits: int, cut: bool
) -> None:
    """Wherever it is: what comes out is as signed, or nothing does."""
    secret, key = pair(tmp_path)
    path = pack_bundle(tmp_path / "b.zip", secret)
    data = bytearray(path.read_bytes())
    position = place % len(data)
    if cut:
        del data[position:]
    else:
        data[position] ^= bits
    path.write_bytes(data)
    target = tmp_path / f"out-{position}-{bits}-{cut}"
    try:
        assert unpack_bundle(path, key, target).version == "9.9.9"
    except BundleError:
        return
    assert {name: (target / name).read_bytes() for name in FILES} == FILES


@pytest.mark.parametrize(
    ("version", "current_version", "message", "status"),
    [("9.9.9", "0.1.0", "9.9.9", 0), ("0.1.0", "0.1.0", "0.1.0", 0),
     ("0.0.9", "0.1.0", "update.older", 1)],
)  # fmt: skip
def test_the_systems_service_unpacks_it_whole_or_not_at_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
    version: str, current_version: str, message: str, status: int,
) -> None:  # fmt: skip
    secret, key = pair(tmp_path)
    path = pack_bundle(tmp_path / "b.zip", secret, version)
    monkeypatch.setattr("device.updates.take.version", lambda _: current_version)
    assert main([str(path), str(key), str(tmp_path / "bundle")]) == status
    assert capsys.readouterr().out == f"{message}\n"
    assert (tmp_path / "bundle").exists() == (status == 0)


def test_half_of_an_earlier_one_is_no_hindrance(tmp_path: Path) -> None:
    secret, key = pair(tmp_path)
    path = pack_bundle(tmp_path / "b.zip", secret)
    (tmp_path / "bundle.part/program").mkdir(parents=True)
    (tmp_path / "bundle.part/left-over").write_text("x")
    take_bundle(path, key, tmp_path / "bundle", "0.1.0")
    assert not (tmp_path / "bundle/left-over").exists()
