#!/usr/bin/env bash
# Expect: matchTemplate with TM_CCOEFF_NORMED says 1 where the picture is the template; a blank template correlates with nothing: 0, or not a number.
# Happens: a blank template gets 1, the best there is, at every place of every picture, whatever its grey: noise, ink and felt. With a mask of all pixels it
#   is not a number instead; scikit-image 0.26.0 gives 0; a printed template on blank ground 0 (OpenCV 4.13 and 5.0.0.93).
# Read: OpenCV's page of TemplateMatchModes (the formula is 0 / 0 here) and its issue 5688, open since 2015.
# Matters: a white dragon is a blank tile. Among 34 templates it wins everywhere, with a certainty of 100 %; the other blank thing, a tile's back, as well.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet opencv-python-headless==5.0.0.93 scikit-image==0.26.0 numpy==2.4.6
"$folder/venv/bin/python" - > "$folder/output" <<'END'
import cv2, numpy, skimage
from skimage.feature import match_template

chance = numpy.random.default_rng(1)
table = chance.integers(20, 60, (60, 80)).astype(numpy.uint8)  # felt, and on it one tile with ink and one without
table[20:40, 10:25] = table[20:40, 50:65] = 235
table[24:36, 13:22] = chance.integers(0, 255, (12, 9))
ink, blank = table[24:36, 13:22], numpy.full((12, 9), 235, numpy.uint8)
places = {"felt": (2, 2), "ink": (24, 13), "blank tile": (24, 53)}
mask = numpy.full(ink.shape, 255, numpy.uint8)

def show(title, answer):
    print(title, *(f"{place} {answer[at]:.1f}" for place, at in places.items()), sep=" | ")

print("OpenCV", cv2.__version__, "scikit-image", skimage.__version__)
print("most that felt answers to the printed template is below 0.5:", bool(cv2.matchTemplate(table, ink, cv2.TM_CCOEFF_NORMED)[:5].max() < 0.5))
show("the blank template", cv2.matchTemplate(table, blank, cv2.TM_CCOEFF_NORMED))
show("the same, black", cv2.matchTemplate(table, 0 * blank, cv2.TM_CCOEFF_NORMED))
show("the same, with a mask", cv2.matchTemplate(table, blank, cv2.TM_CCOEFF_NORMED, mask=mask))
show("scikit-image", match_template(table, blank))
print("places of 1 for the blank template:", int((cv2.matchTemplate(table, blank, cv2.TM_CCOEFF_NORMED) == 1).sum()), "of", 49 * 72)
END
cat "$folder/output"
diff - "$folder/output" <<'END' || { echo "This has changed."; exit 1; }
OpenCV 5.0.0 scikit-image 0.26.0
most that felt answers to the printed template is below 0.5: True
the blank template | felt 1.0 | ink 1.0 | blank tile 1.0
the same, black | felt 1.0 | ink 1.0 | blank tile 1.0
the same, with a mask | felt nan | ink nan | blank tile nan
scikit-image | felt 0.0 | ink 0.0 | blank tile 0.0
places of 1 for the blank template: 3528 of 3528
END
