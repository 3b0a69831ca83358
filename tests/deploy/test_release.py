"""`make release` makes the same bytes from the same input, and its wheel works elsewhere."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import minisign
import pytest

from deploy.release import __main__ as release
from deploy.release import bundle, font, signing
from deploy.release.parts import UnknownLicenceError, bill_of_materials, read_part
from deploy.release.targets import lock_of, targets
from device.i18n.words import say
from device.updates.bundle import CHECKSUMS_FILE, SIGNATURE_FILE, read_bundle, unpack_bundle
from tests.deploy.test_ask import ask_page
from tests.device.outside import box_outside

pytestmark = pytest.mark.slow

REPO = Path(__file__).parents[2]
MADE_AT = datetime(2026, 11, 23, 4, 5, 6, tzinfo=UTC)

MAIN_PROGRAM = "from device.cli import main; main()"

MIT = "Permission is hereby granted\n"
"""A stand-in for a licence's text."""


def wheel(folder: Path, name: str = "thing", metadata: str = "License-Expression: MIT\n",
          text: str = MIT) -> Path:  # fmt: skip
    """Make a wheel with metadata alone."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-1.0-py3-none-any.whl"
    info_folder = f"{name}-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        head = f"Metadata-Version: 2.4\nName: {name}\nVersion: 1.0\n{metadata}"
        archive.writestr(zipfile.ZipInfo(f"{info_folder}/METADATA"), head)
        if text:
            archive.writestr(zipfile.ZipInfo(f"{info_folder}/licenses/LICENSE"), text)
    return path


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Take the project as it is committed."""
    tree = tmp_path_factory.mktemp("committed") / "tree"
    release.take_commit(REPO, tree)
    return tree


@pytest.fixture(scope="module")
def packages(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return release.build(tree, MADE_AT, tmp_path_factory.mktemp("dist"))


def pack_bundle(tree: Path, place: Path, secret: minisign.SecretKey) -> Path:
    """Make a bundle of the project and one wheel."""
    wheels = [wheel(place / "wheels")]
    bundle.lay_out(tree, wheels, "9.9.9", MADE_AT, secret, place / "laid")
    bundle.pack(place / "laid", MADE_AT, place / "bundle.zip")
    return place / "bundle.zip"


@pytest.mark.prove
def test_two_builds_are_the_same_bytes(tree: Path, packages: list[Path], tmp_path: Path) -> None:
    assert sorted(path.suffix for path in packages) == [".gz", ".whl"]
    second_tree = tmp_path / "another/place"
    shutil.copytree(tree, second_tree)
    for path in second_tree.rglob("*"):
        os.utime(path, (1, 1))
    second_build = release.build(second_tree, MADE_AT, tmp_path / "dist")
    assert [path.read_bytes() for path in packages] == [path.read_bytes() for path in second_build]


def test_a_bundle_is_whole_by_its_own_list(tree: Path, tmp_path: Path) -> None:
    secret = minisign.KeyPair.generate().secret_key
    path, second_path = (pack_bundle(tree, tmp_path / each, secret) for each in ("one", "two"))
    assert path.read_bytes() == second_path.read_bytes()
    can_lie_on_a_card(zipfile.ZipFile(path).namelist())
    with zipfile.ZipFile(path) as archive:
        archive.extractall(tmp_path / "card")
    bundle_folder = tmp_path / "card/tongbox"
    subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=bundle_folder,
                   check=True)  # fmt: skip
    files = {
        str(each.relative_to(bundle_folder)) for each in bundle_folder.rglob("*") if each.is_file()
    }
    key = bundle_folder / "program/deploy/release.pub"
    assert set(read_bundle(path, key).sums) == files - {
        Path(CHECKSUMS_FILE).name,
        Path(SIGNATURE_FILE).name,
    }
    assert unpack_bundle(path, key, tmp_path / "unpacked").version == "9.9.9"
    subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"],
                   cwd=tmp_path / "unpacked", check=True)  # fmt: skip
    assert {
        "program/deploy/install.sh", "wheels/thing-1.0-py3-none-any.whl", "LICENSE",
        "licences/thing-1.0/LICENSE", "bill-of-materials.cdx.json",
    } <= files  # fmt: skip
    assert not list(bundle_folder.rglob("models/train*")), "the recipe is not for the box"


def test_the_font_for_papers_is_in_the_bundle_and_on_its_bill(tree: Path, tmp_path: Path) -> None:
    source = tmp_path / "tree"
    shutil.copytree(tree, source)
    try:
        font.take_font(source / bundle.FONTS_FOLDER)
    except font.MissingFontError as error:
        pytest.skip(f"no release can be made on this computer: {error}")
    wheels = [wheel(tmp_path / "wheels")]
    bundle.lay_out(source, wheels, "9.9.9", MADE_AT, None, tmp_path / "laid")
    bundle_folder = tmp_path / "laid/tongbox"
    assert sorted(path.name for path in (bundle_folder / "fonts").iterdir()) == [
        "wqy-microhei.ttc", "wqy-microhei.txt",
    ]  # fmt: skip
    assert "fonts/wqy-microhei.ttc" in (bundle_folder / "SHA256SUMS").read_text()
    bill = json.loads((bundle_folder / "bill-of-materials.cdx.json").read_text())["components"]
    (font_part,) = (each for each in bill if each["name"] == "wqy-microhei")
    assert font_part["hashes"] == [{"alg": "SHA-256", "content": font.FONT_SHA256}]


@pytest.mark.parametrize("data", [None, b"another font"])
def test_without_the_very_font_no_release_is_made(tmp_path: Path, data: bytes | None) -> None:
    source = tmp_path / "font.ttc"
    if data is not None:
        source.write_bytes(data)
    with pytest.raises(font.MissingFontError, match="fonts-wqy-microhei"):
        font.take_font(tmp_path / "fonts", source)
    assert not (tmp_path / "fonts").exists()


def can_lie_on_a_card(names: list[str]) -> None:
    """Hold that FAT takes them: none that differ in capitals alone, nor these characters."""
    assert len({name.casefold() for name in names}) == len(names)
    assert [name for name in names if set(name) & set('<>:"\\|?*')] == []
    assert max(map(len, names)) < 180, "Windows' own limit is 260, with its folder"


def test_the_bill_names_every_part(tmp_path: Path) -> None:
    parts = [read_part(wheel(tmp_path, name)) for name in ("one", "two")]
    bill = json.loads(
        bill_of_materials("9.9.9", MADE_AT, parts, sorted((REPO / "models").glob("*.onnx")))
    )
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    parts_by_name = {each["name"]: each for each in bill["components"]}
    names = ("classifier", "locator", "printed", "signs")
    networks = {f"tongbox-{name}" for name in names}
    assert set(parts_by_name) == {"one", "two"} | networks
    assert parts_by_name["one"]["licenses"] == [{"license": {"id": "MIT"}}]
    assert all(len(each["hashes"][0]["content"]) == 64 for each in parts_by_name.values())


@pytest.mark.parametrize(
    ("metadata", "text", "licence", "reason"),
    [
        ("License-Expression: MIT AND ISC\n", "", "MIT AND ISC", "the words of today"),
        ("License: BSD\n", "", "BSD", "the older ones"),
        ("License: " + "x" * 100 + "\nClassifier: License :: OSI Approved :: MIT License\n", "",
         "MIT License", "the whole text in the field of the name"),
        ("", MIT, "see its texts", "the text alone is enough"),
        ("", "", "", "nothing: it is not ours to pass on"),
    ],
)  # fmt: skip
def test_a_part_names_its_licence_or_is_not_passed_on(
    tmp_path: Path, metadata: str, text: str, licence: str, reason: str
) -> None:
    path = wheel(tmp_path, metadata=metadata, text=text)
    if licence:
        assert read_part(path).licence == licence, reason
    else:
        with pytest.raises(UnknownLicenceError, match=r"thing-1\.0"):
            read_part(path)


def test_each_system_is_given_the_lock_once_over() -> None:
    names: dict[str, list[str]] = {"bookworm": [], "trixie": []}
    for target in targets("aarch64"):
        for lock in lock_of(target, REPO):
            package_names = [line.split("==")[0] for line in lock.splitlines() if "==" in line]
            assert len(package_names) == len(set(package_names)), "one version each"
            assert "onnxruntime" in package_names or len(package_names) == 1
            names[target.name] += package_names
    assert sorted(set(names["bookworm"])) == sorted(set(names["trixie"]))
    assert names["bookworm"].count("opencv-python-headless") == 2, "one for each numpy"


@pytest.mark.parametrize(
    ("is_published", "has_own_key", "is_refused"),
    [(False, False, False), (False, True, False), (True, True, True), (True, False, True)],
    ids=["no key: unsigned", "any key", "another key than the published one", "no key for it"],
)
def test_what_is_published_is_signed_by_its_key_or_not_at_all(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    is_published: bool,
    has_own_key: bool,
    is_refused: bool,
) -> None:
    key = tmp_path / "release.key"
    monkeypatch.setenv("TONGBOX_RELEASE_KEY", str(key))
    (tmp_path / "deploy").mkdir()
    if is_published:
        public = minisign.KeyPair.generate().public_key
        (tmp_path / "deploy/release.pub").write_bytes(bytes(public) + b"\n")
    if has_own_key:
        key.write_bytes(bytes(minisign.KeyPair.generate().secret_key))
    if is_refused:
        with pytest.raises(signing.SigningKeyError):
            release.key_for(tmp_path)
    else:
        assert (release.key_for(tmp_path) is not None) == has_own_key


def test_what_is_not_translated_is_said_in_english_and_not_released(
    tree: Path, tmp_path: Path
) -> None:
    less = tmp_path / "less"
    shutil.copytree(tree, less)
    french = less / "device/i18n/strings/fr/page.toml"
    lines = french.read_text("utf-8").splitlines(keepends=True)
    line_number = lines.index("[home]\n")
    cut = next(n for n in range(line_number, len(lines)) if lines[n].startswith("question = "))
    french.write_text("".join(lines[:cut] + lines[cut + 1 :]), "utf-8")
    program = "from device.i18n.words import *; use_words('fr'); print(say('home.question'))"
    output = subprocess.run([sys.executable, "-c", program], cwd=less, stdout=subprocess.PIPE,
                          text=True, check=True).stdout.strip()  # fmt: skip
    assert output == say("home.question")
    missing_text = re.escape(f'\n# fr\nhome.question = "{output}"')
    with pytest.raises(release.UntranslatedError, match=missing_text):
        release.check_translated(less)


def test_a_broken_list_of_texts_is_no_text_to_translate(tmp_path: Path) -> None:
    folder = tmp_path / "device/i18n"
    folder.mkdir(parents=True)
    for package in (folder.parent, folder):
        (package / "__init__.py").touch()
    (folder / "missing.py").write_text("raise ValueError")
    with pytest.raises(subprocess.CalledProcessError):
        release.check_translated(tmp_path)


def test_the_wheel_serves_the_demo_far_from_the_checkout(
    packages: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its dependencies are those that lie here; the project itself is the wheel's alone."""
    place = tmp_path / "installed"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*pip, "--target", str(place), str(packages[-1])], check=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(place))
    for package in ("scorer", "vision"):
        assert (place / package / "py.typed").exists(), "type checkers look for it"
    program = f"import device; assert device.__file__.startswith({str(place)!r}); {MAIN_PROGRAM}"
    with box_outside(tmp_path / "data", "--demo", program=program) as box:
        page = box.ask("127.0.0.1", "/single/")
        assert page.status == 200
        assert "/sample" in page.text, "the photographs come with it"
        assert ask_page(box.port) == (0, []), "the updater finds it well"
