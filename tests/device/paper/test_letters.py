"""Which letters paper can show, in which font, and what stands for the others."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import reportlab
from hypothesis import assume, given
from hypothesis import strategies as st

from device.i18n.names import tidy_name
from device.i18n.words import LANGUAGES, load
from device.paper import fonts, letters
from device.paper.fonts import FontFile, PaperFonts, has_letter
from device.paper.letters import find_lost, make_printable, split_by_font
from tests.readers import MICRO_HEI, NEEDS_FONT

pytestmark = NEEDS_FONT

REPORTLABS = FontFile(str(Path(reportlab.__file__).with_name("fonts") / "Vera.ttf"))
ONLY_REPORTLABS = PaperFonts([REPORTLABS])

CFF = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the computer have no font but the one that comes with ReportLab."""
    monkeypatch.setattr(letters, "paper_fonts", lambda: ONLY_REPORTLABS)


NAMES = [
    ("Zoë Dvorák ½ “œ”", "every western letter is as it was"),
    ("Dvořák Łukasz Đỗ ıŞğ", "Latin letters with any accent"),
    ("陳静 陈静 张伟 発發", "traditional, simplified and Japanese signs, each its own"),
    ("김민지 Иван Ελένη", "Korean, Russian, Greek"),
    ("⅓ → − ★", "signs"),
]


@pytest.mark.parametrize(("name", "reason"), NAMES)
def test_what_the_font_has_is_printed_as_it_is_written(name: str, reason: str) -> None:
    assert make_printable(name) == name, reason
    assert find_lost([name]) == {}


LOST_LETTERS = [
    ("محمد", "‹645 62D 645 62F›", "its letters are joined, from right to left"),
    ("משה", "‹5DE 5E9 5D4›", "letters from right to left"),
    ("Ann 😀", "Ann ‹1F600›", "ReportLab spoils what is copied of letters beyond U+FFFF"),
    ("x̄", "x‹304›", "an accent that no letter has"),
    ("‹645›", "‹2039›645‹203A›", "a name that looks like a number of ours"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "expected", "reason"), LOST_LETTERS)
def test_what_no_font_can_do_gets_its_number(name: str, expected: str, reason: str) -> None:
    assert make_printable(name) == expected, reason
    assert find_lost([name, "Ann"]) == {name: expected}


BARE = [
    ("Łukasz ıŠđ −12", "Łukasz ıŠđ −12", "ReportLab's own font has them"),
    ("Đặng", "Đa‹1EB7›ng", "a letter's like, and its number"),
    ("陈静", "‹9648 9759›", "two members stay two"),
    ("张伟", "‹5F20 4F1F›", "two members stay two"),
]


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize(("name", "expected", "reason"), BARE)
def test_without_a_font_of_the_system(name: str, expected: str, reason: str) -> None:
    assert make_printable(name) == expected, reason


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != "zh-Hant"])
def test_our_western_papers_need_no_font_of_the_system(language: str) -> None:
    lost_keys = {key for key, text in load(language).items() if find_lost([text])}
    assert {key for key in lost_keys if not key.startswith(ON_PAGES_ALONE)} == set()


ON_PAGES_ALONE = ("vocabulary.", "phone.language.", "history.sheet-says", "custom-rules.this-hand")
"""Texts that no paper has."""

NAME = st.text(st.sampled_from("DĐđd‹›0123456789ABCDEF aạặ麻陈陳静عש😀\u0304é–−⅓1"), max_size=6)
ANY_NAME = st.one_of(NAME, st.text(max_size=6)).map(tidy_name)


@given(one=ANY_NAME, other=ANY_NAME)
def test_two_names_never_print_alike(one: str, other: str) -> None:
    assume(one != other)
    assert make_printable(one) != make_printable(other)


@given(one=ANY_NAME, other=ANY_NAME)
def test_two_names_never_print_alike_without_a_font(one: str, other: str) -> None:
    assume(one != other)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(letters, "paper_fonts", lambda: ONLY_REPORTLABS)
        assert make_printable(one) != make_printable(other)


@given(ANY_NAME)
def test_every_letter_is_in_the_font_that_draws_it(name: str) -> None:
    runs = list(split_by_font(name, "Helvetica"))
    assert "".join(run for _, run in runs) == make_printable(name)
    for font, run in runs:
        for letter in run:
            in_font = letter.encode("cp1252") if font == "Helvetica" else has_letter(font, letter)
            assert in_font, (font, letter)


@pytest.mark.parametrize(
    ("words", "has_all_letters", "reason"),
    [
        ("Ann Đặng", "Đặng", "no word in two fonts"),
        ("André陳静", "陳静", "Chinese signs stand between western letters in any font"),
        ("−12", "−", "a figure stays in the font of figures"),
    ],
)
def test_which_letters_are_in_the_embedded_font(
    words: str, has_all_letters: str, reason: str
) -> None:
    runs = split_by_font(words, "Helvetica")
    assert [run for font, run in runs if font != "Helvetica"] == [has_all_letters], reason


def test_fonts_are_ranked_by_letters_and_then_by_weight() -> None:
    line = "{}\t{}\t{}\t{}\t{}\n"
    chinese, western, all_letters = "9ebb 96c0 9673", "20-17f", "20-ffff"
    font_lines = (
        line.format("/no-latin.ttf", 0, 0, 80, chinese)
        + line.format("/bold.ttf", 0, 0, 200, all_letters)
        + line.format("/slanted.ttf", 0, 100, 80, all_letters)
        + line.format("/all.ttc", 1, 0, 80, all_letters)
        + line.format("/all.ttc", 0, 0, 80, all_letters)
        + line.format("/instance.ttf", 65536, 0, 80, all_letters)
        + line.format("/western.ttf", 0, 0, 80, western)
        + line.format("/no-weight.ttf", 0, 0, "", all_letters)
    )
    ranking = sorted(fonts._read_fonts(font_lines), key=lambda ranked_font: ranked_font[0])
    assert [(file.path, file.index) for _, file in ranking] == [
        ("/all.ttc", 0), ("/all.ttc", 1), ("/bold.ttf", 0), ("/slanted.ttf", 0),
        ("/western.ttf", 0), ("/no-latin.ttf", 0),
    ]  # fmt: skip


def test_a_font_that_reportlab_refuses_is_passed_over() -> None:
    fonts_tried = PaperFonts(
        [FontFile(CFF), FontFile("/missing.ttf"), FontFile(MICRO_HEI), REPORTLABS]
    )
    assert fonts_tried.find("麻") == "wqy-microhei-0"
    assert fonts_tried.find("\u0e01") == "", "no font has the Thai letter"


def test_a_font_that_only_says_that_it_has_a_letter_is_passed_over() -> None:
    fonts_tried = PaperFonts([REPORTLABS, FontFile(MICRO_HEI)])
    assert REPORTLABS.may_have("麻"), "nothing is known of its letters before it is read"
    assert fonts_tried.find("麻") == "wqy-microhei-0"


def test_without_fontconfig_there_are_no_fonts_of_the_system(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert fonts._system_fonts() == []


def test_a_font_of_the_installed_version_is_asked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "share/fonts"
    folder.mkdir(parents=True)
    (folder / "beside.ttc").symlink_to(MICRO_HEI)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert fonts.paper_fonts.__wrapped__().find("麻") == "beside-0"


def test_a_page_with_western_names_loads_no_reportlab() -> None:
    asks = "from device.paper.letters import find_lost; find_lost(['Zoë', 'Ann']); import sys"
    program = f"{asks}; print([name for name in sys.modules if name.startswith('reportlab')])"
    result = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert result.stdout.strip() == "[]"
