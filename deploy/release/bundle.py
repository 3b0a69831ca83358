"""Make the bundle: one zip for a card's boot partition, or to pick on a phone as an update.

The same input makes the same bytes. Names are in order, and all files have one time. Nothing is
compressed: wheels are already, and compression differs from one computer to the next.
"""

from __future__ import annotations

import hashlib
import shutil
import zipfile
from datetime import datetime
from pathlib import Path

import minisign

from deploy.release.parts import bill_of_materials, read_part
from deploy.release.signing import public_half, sign
from device.updates.bundle import BUNDLE_FOLDER, CHECKSUMS_FILE, SIGNATURE_FILE

PROGRAM_PATHS = (
    "scorer", "vision", "device", "models", "deploy", "pyproject.toml", "requirements.lock",
    "README.md", "CHANGELOG.md", "LICENSE",
)  # fmt: skip
"""Parts of the source that an installation needs."""

FONTS_FOLDER = "fonts"
"""Fonts for papers, beside the source and in the bundle; none in a checkout."""

EXCLUDED_PATHS = ("models/train", "deploy/release", "deploy/card")


def lay_out(
    tree: Path, wheels: list[Path], version: str, commit_time: datetime,
    secret: minisign.SecretKey | None, folder: Path,
) -> None:  # fmt: skip
    """Put a bundle's files into an empty folder.

    Args:
        tree: the project's source.
        wheels: all wheels that the systems get.
        version: the project's version.
        made: the commit's time, for the bill of materials.
        secret: the key that signs the checksums; without it boxes refuse the bundle as an update.
        folder: the empty folder.

    """
    shutil.copytree(tree / "deploy/card", folder, dirs_exist_ok=True)
    bundle_folder = folder / BUNDLE_FOLDER
    take_program(tree, bundle_folder / "program")
    if secret is not None:
        (bundle_folder / "program/deploy/release.pub").write_bytes(public_half(secret))
    (bundle_folder / "wheels").mkdir()
    for wheel in wheels:
        shutil.copyfile(wheel, bundle_folder / "wheels" / wheel.name)
    parts = [read_part(wheel) for wheel in sorted(wheels)]
    for part in parts:
        place = bundle_folder / "licences" / f"{part.name}-{part.version}"
        place.mkdir(parents=True, exist_ok=True)
        for name, text in part.texts:
            (place / name).write_bytes(text)
        (place / "licence.txt").write_text(f"{part.name} {part.version}: {part.licence}\n")
    if (tree / FONTS_FOLDER).is_dir():
        shutil.copytree(tree / FONTS_FOLDER, bundle_folder / FONTS_FOLDER)
    shutil.copyfile(tree / "LICENSE", bundle_folder / "LICENSE")
    models = sorted((bundle_folder / "program/models").glob("*.onnx"))
    fonts = sorted((bundle_folder / FONTS_FOLDER).glob("*.tt[cf]"))
    (bundle_folder / "bill-of-materials.cdx.json").write_text(
        bill_of_materials(version, commit_time, parts, models, fonts)
    )
    sums = checksums(bundle_folder)
    (folder / CHECKSUMS_FILE).write_bytes(sums)
    if secret is not None:
        (folder / SIGNATURE_FILE).write_bytes(sign(sums, version, secret))


def take_program(tree: Path, program: Path) -> None:
    """Copy the source that an installation needs."""
    left_out = {tree / name for name in EXCLUDED_PATHS}

    def ignored_names(folder: str, names: list[str]) -> list[str]:
        return [name for name in names if Path(folder, name) in left_out or name == "__pycache__"]

    program.mkdir(parents=True)
    for name in PROGRAM_PATHS:
        source = tree / name
        if source.is_dir():
            shutil.copytree(source, program / name, ignore=ignored_names)
        elif source.exists():
            shutil.copyfile(source, program / name)


def checksums(bundle_folder: Path) -> bytes:
    """Return a line for each file in the format of `sha256sum`."""
    files = sorted(path for path in bundle_folder.rglob("*") if path.is_file())
    lines = (
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  "
        f"{path.relative_to(bundle_folder).as_posix()}\n"
        for path in files
    )
    return "".join(lines).encode()


def pack(folder: Path, commit_time: datetime, target: Path) -> None:
    """Write all files of a folder into one zip."""
    zip_time = (
        max(commit_time.year, 1980),
        commit_time.month,
        commit_time.day,
        commit_time.hour,
        commit_time.minute,
        commit_time.second,
    )
    half = target.with_suffix(".part")
    with zipfile.ZipFile(half, "w", zipfile.ZIP_STORED) as archive:
        for path in sorted(each for each in folder.rglob("*") if each.is_file()):
            info = zipfile.ZipInfo(path.relative_to(folder).as_posix(), zip_time)
            info.external_attr = 0o644 << 16
            archive.writestr(info, path.read_bytes())
    half.replace(target)
