"""QR codes are read back by a reader that is not the writer."""

import io

import cv2
import numpy as np
import pytest

from device.host.page_links import WifiNetwork
from device.host.qr_codes import make_qr_code

TEXTS = [
    ("http://pi/", "short enough for a Micro QR code, which no phone reads"),
    ("HTTP://TONGBOX.LOCAL/R/ABC", "packed closest in capitals"),
    (WifiNetwork("東風", "amber-badger-47", "10.0.0.1").code, "segno would write Shift-JIS"),
    ("東風", "segno's kanji mode, of which OpenCV reads no text"),
    (WifiNetwork("Café ½", "amber-badger-47", "10.0.0.1").code, "½ in Latin-1 is a kana elsewhere"),
]


@pytest.mark.parametrize(("text", "reason"), TEXTS)
@pytest.mark.parametrize("error", ["l", "m"])
def test_a_reader_reads_what_was_written(text: str, reason: str, error: str) -> None:
    file = io.BytesIO()
    code = make_qr_code(text, error)
    code.save(file, kind="png", scale=8, border=4)
    picture = cv2.imdecode(np.frombuffer(file.getvalue(), np.uint8), cv2.IMREAD_GRAYSCALE)
    assert picture is not None
    assert not code.is_micro, reason
    assert cv2.QRCodeDetectorAruco().detectAndDecode(picture)[0] == text, reason
