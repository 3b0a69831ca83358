"""What the print network is taught: labels say more than its teacher, signs need fonts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from models.train.drawing.faces import lettering
from models.train.printed.box_windows import TeacherReader
from models.train.printed.teach import Truth, correct, truth_of_tile
from models.train.printed.windows import write_strip, write_window
from vision.networks.print_signs import NO_SIGN, OTHER_SIGN, SIGNS
from vision.preprocess import Float32s


def answer(**chances: float) -> Float32s:
    """Return one step's answer: a chance of some signs, none for the rest of it."""
    step = np.zeros(len(SIGNS), np.float32)
    for sign, chance in chances.items():
        step[SIGNS.index(sign)] = chance
    step[SIGNS.index(NO_SIGN)] = 1 - step.sum()
    return step


@pytest.mark.parametrize(
    ("code", "sign", "before", "after", "reason"),
    [
        ("F1", "梅", 0.4, 1.0, "its own character, legible"),
        ("F1", "梅", 0.3, 0.3, "its own character, hardly visible"),
        ("C3", "二", 0.9, 0.9, "two thirds of a 三"),
        ("F1", "春", 0.9, 0.0, "a season's character"),
        ("F1", "3", 0.9, 0.9, "makers number flowers in different orders"),
        ("F1", "7", 0.9, 0.0, "no flower has a 7"),
        ("B2", "2", 0.5, 1.0, "its index"),
        ("B2", "8", 0.8, 0.0, "canes look like an 8"),
        ("B6", "9", 0.8, 0.8, "a 6 upside down"),
        ("C3", "三", 0.5, 1.0, "its Chinese numeral"),
        ("DW", "1", 0.7, 0.0, "nothing stands on a white dragon"),
        ("WE", "E", 0.6, 0.6, "letters name no tile by themselves"),
        ("", "5", 0.9, 0.9, "paper beside the tiles: nothing is known of it"),
        ("--", "5", 0.9, 0.9, "a back: nor of that"),
    ],
)
def test_labels_correct_the_teacher(
    code: str, sign: str, before: float, after: float, reason: str
) -> None:
    (steps,) = correct(np.stack([[answer(), answer(**{sign: before})]]), [truth_of_tile(code)])
    assert steps[:, SIGNS.index(sign)].max() == pytest.approx(after), reason
    assert steps.sum(1) == pytest.approx([1, 1])
    if after < before:
        assert steps[1, SIGNS.index(OTHER_SIGN)] == pytest.approx(before), reason


def test_a_written_sign_is_sure_at_its_best_step_alone() -> None:
    answers = np.stack([[answer(**{"8": 0.3}), answer(**{"8": 0.6, "3": 0.2}), answer()]])
    (steps,) = correct(answers, [Truth(frozenset("8"), frozenset("8"))])
    assert steps[:, SIGNS.index("8")].tolist() == pytest.approx([0.3, 1, 0])
    assert steps[:, SIGNS.index("3")].max() == 0


@pytest.mark.parametrize("write", [write_window, write_strip])
def test_without_fonts_it_says_what_to_install(
    write: Callable[[np.random.Generator], object],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(lettering, "FONTS_FOLDER", tmp_path)
    with pytest.raises(FileNotFoundError, match=r"No installed font has .*drawing/install-fonts"):
        write(np.random.default_rng(1))


def test_the_teacher_reads_the_index_of_equal_tiles_too() -> None:
    reader = TeacherReader(Path("models"))
    quad = np.array([(0, 0), (59, 0), (59, 79), (0, 79)], np.float32)
    reader.read_indexes(np.full((80, 60, 3), 230, np.uint8), [quad, quad])
    assert len(reader.windows) == 2
