"""Figures that documents repeat are those of the tree: `make figures` writes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.figures import FIGURES, ROOT, Figure, code_lines


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: f"{figure.page} {figure.pattern}")
def test_a_document_has_the_figure_of_the_tree(figure: Figure) -> None:
    text = (ROOT / figure.page).read_text("utf-8")
    assert figure.find(text)[1] == figure.text, "make figures"


def test_lines_of_code_are_counted_without_words_about_them(tmp_path: Path) -> None:
    file = tmp_path / "one.py"
    file.write_text('"""About."""\n\n# why\nLIMIT = 1\n"""Its unit,\nand why."""\nX = """a\nb"""\n')
    assert code_lines(file) == 3
