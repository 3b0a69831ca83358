"""Every kind of paper in pdf.js, Firefox's reader, which runs in Chromium here.

Debian's package is libjs-pdf (2.14 in Bookworm).
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from selenium.webdriver.remote.webdriver import WebDriver

from tests.device.paper.conftest import KINDS, DrawnLetters
from tests.device.paper.test_readers import check_paper
from tests.e2e.engines import browser
from tests.readers import NEEDS_FONT, PdfReader, Picture, decode_grey

pytestmark = [pytest.mark.prove, NEEDS_FONT]

PDFJS = Path("/usr/share/javascript/pdf/build")

READ = """
const done = arguments[2]
async function read(pdf, scale) {
  pdfjsLib.GlobalWorkerOptions.workerSrc = 'WORKER'
  const document_ = await pdfjsLib.getDocument({ data: atob(pdf) }).promise
  const words = []
  for (let number = 1; number <= document_.numPages; number++) {
    const { items } = await (await document_.getPage(number)).getTextContent()
    words.push(...items.map((item) => item.str))
  }
  const page = await document_.getPage(1)
  const viewport = page.getViewport({ scale })
  const canvas = document.createElement('canvas')
  canvas.width = viewport.width
  canvas.height = viewport.height
  await page.render({ canvasContext: canvas.getContext('2d'), viewport }).promise
  return [words.join(' '), canvas.toDataURL('image/png').split(',')[1]]
}
read(...arguments).then(done, (error) => done([String(error), '']))
"""


@pytest.fixture(scope="module")
def pdfjs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PdfReader]:
    """Return pdf.js as a reader."""
    if not PDFJS.exists():
        pytest.skip("libjs-pdf is not installed")
    page = tmp_path_factory.mktemp("pdfjs") / "page.html"
    page.write_text(f'<!doctype html><script src="{(PDFJS / "pdf.js").as_uri()}"></script>')
    with browser(800, 600) as chromium:
        chromium.set_script_timeout(60)
        chromium.get(page.as_uri())
        yield PdfReader(
            "pdf.js",
            lambda pdf: str(_read(chromium, pdf, 72)[0]),
            lambda pdf, dots: _picture(chromium, pdf, dots),
        )


def _picture(chromium: WebDriver, pdf: bytes, dots: int) -> Picture:
    return decode_grey(base64.b64decode(_read(chromium, pdf, dots)[1]))


def _read(chromium: WebDriver, pdf: bytes, dots: int) -> list[str]:
    script = READ.replace("WORKER", (PDFJS / "pdf.worker.js").as_uri())
    texts = chromium.execute_async_script(script, base64.b64encode(pdf).decode(), dots / 72)
    return [str(each) for each in texts]


@pytest.mark.parametrize("kind", KINDS)
def test_a_paper_is_the_same_in_pdfjs(
    client: FlaskClient,
    addresses: dict[str, str],
    drawn_letters: DrawnLetters,
    pdfjs: PdfReader,
    kind: str,
) -> None:
    check_paper(client.get(addresses[kind]).data, pdfjs, drawn_letters, kind)
