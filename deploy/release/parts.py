"""List the parts of a bundle, each with its licence, as CycloneDX and as texts."""

from __future__ import annotations

import email
import hashlib
import re
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import Message
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from packageurl import PackageURL
from packaging.utils import parse_wheel_filename

from deploy.release.font import FONT_LICENCE, FONT_VERSION

LEGAL_FILE = re.compile(
    r"\.dist-info/(?:licenses/.*|[^/]*(?:LICEN[CS]E|COPYING|NOTICE|AUTHORS)[^/]*)$"
)


@dataclass(frozen=True)
class Part:
    """A wheel, with its licence and the licence's texts."""

    name: str
    version: str
    file: str
    sha256: str
    licence: str
    texts: tuple[tuple[str, bytes], ...]


class UnknownLicenceError(Exception):
    """A part neither names its licence nor has its text, so it must not be redistributed."""


def read_part(wheel: Path) -> Part:
    """Read a wheel's metadata; raise UnknownLicenceError."""
    name, version, _, _ = parse_wheel_filename(wheel.name)
    with zipfile.ZipFile(wheel) as archive:
        names = sorted(archive.namelist())
        metadata_name = next(each for each in names if each.endswith(".dist-info/METADATA"))
        licence = _licence(email.message_from_bytes(archive.read(metadata_name)))
        legal = [each for each in names if LEGAL_FILE.search(each) and not each.endswith("/")]
        texts = tuple((_text_name(each), archive.read(each)) for each in legal)
    if not licence and not texts:
        raise UnknownLicenceError(f"{wheel.name} names no licence: it cannot be passed on.")
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    return Part(name, str(version), wheel.name, digest, licence or "see its texts", texts)


def _text_name(path: str) -> str:
    return path.split(".dist-info/", 1)[1].removeprefix("licenses/").replace("/", "-")


def _licence(metadata: Message) -> str:
    """Return the licence that a package names, in today's metadata field or an older one."""
    expression, words = metadata["License-Expression"], metadata["License"]
    if expression or (words and len(words) < 80):
        return str(expression or words)
    classifiers = metadata.get_all("Classifier", [])
    return " AND ".join(
        each.rsplit(" :: ", 1)[1] for each in classifiers if each.startswith("License :: OSI")
    )


def bill_of_materials(
    version: str,
    commit_time: datetime,
    parts: list[Part],
    models: list[Path],
    fonts: Iterable[Path] = (),
) -> str:
    """Return the bill of materials, CycloneDX 1.6 in JSON; the same for the same parts."""
    factory = LicenseFactory()
    bom = Bom(serial_number=uuid5(NAMESPACE_URL, f"tongbox-{version}-{commit_time.isoformat()}"))
    bom.metadata.timestamp = commit_time.astimezone(UTC)
    bom.metadata.component = Component(
        name="tongbox", version=version, type=ComponentType.APPLICATION, bom_ref="tongbox",
        licenses=[factory.make_from_string("Apache-2.0")],
    )  # fmt: skip
    bom.components.update(_library(part, factory) for part in parts)
    bom.components.update(
        Component(
            name=f"tongbox-{path.stem}", version=version, bom_ref=f"tongbox-{path.stem}",
            type=ComponentType.MACHINE_LEARNING_MODEL,
            hashes=[_hash(hashlib.sha256(path.read_bytes()).hexdigest())],
        )
        for path in models
    )  # fmt: skip
    bom.components.update(
        Component(
            name=path.stem, version=FONT_VERSION, type=ComponentType.FILE, bom_ref=path.name,
            hashes=[_hash(hashlib.sha256(path.read_bytes()).hexdigest())],
            licenses=[factory.make_from_string(FONT_LICENCE)],
        )
        for path in fonts
    )  # fmt: skip
    bom.register_dependency(bom.metadata.component, bom.components)
    outputter = make_outputter(bom, OutputFormat.JSON, SchemaVersion.V1_6)
    return outputter.output_as_string(indent=2) + "\n"


def _library(part: Part, factory: LicenseFactory) -> Component:
    return Component(
        name=part.name, version=part.version, type=ComponentType.LIBRARY, bom_ref=part.file,
        purl=PackageURL("pypi", None, part.name, part.version, {"file_name": part.file}),
        hashes=[_hash(part.sha256)], licenses=[factory.make_from_string(part.licence)],
    )  # fmt: skip


def _hash(digest: str) -> HashType:
    return HashType(alg=HashAlgorithm.SHA_256, content=digest)
